"""Rule sets, and the games that have a name."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import Any, NoReturn, Self, SupportsIndex, TypeVar

from baker.cards import quote
from baker.checks import plain_text, shown, whole, yes_or_no
from baker.values import Value

MAX_COLUMNS = 16
MAX_CELLS = 8


class Build(StrEnum):
    """Which card may be put on a card of a column; always one rank lower."""

    SAME_SUIT = "same_suit"
    """On the next higher rank of its own suit."""
    ALTERNATE_COLOR = "alternate_color"
    """On the next higher rank of either suit of the other colour."""
    ANY_SUIT = "any_suit"
    """On the next higher rank of any suit."""
    DIFFERENT_SUIT = "different_suit"
    """On the next higher rank of any suit but its own."""


class Fill(StrEnum):
    """Which card may be put into an empty column."""

    ANY = "any"
    """Any card, or a run of cards."""
    KINGS = "kings"
    """A king, or a run that a king begins; in smaller decks the highest rank."""
    NONE = "none"
    """No card: an empty column stays empty."""


class Group(StrEnum):
    """How many cards of a run one move may carry.

    All but `UNLIMITED` are shorthands for moves of single cards, and change nothing about which deals can be won.
    """

    SINGLE = "single"
    """One."""
    CELLS = "cells"
    """One more than there are free cells."""
    FULL = "full"
    """As many as could be moved one by one.

    That is one more than there are free cells, doubled for each empty column that is neither source nor target; not
    doubled where only kings or no cards fill empty columns.
    """
    UNLIMITED = "unlimited"
    """The whole run, whatever is free; more deals can be won so than by moves of one card."""


class RulesError(ValueError):
    """A rule set that cannot be dealt, or an unknown name of a game."""


@dataclass(frozen=True, slots=True, init=False)
class Rules(Value):
    """The rules of a game: the layout of the deal and the moves that are allowed.

    In every game a card that is on its foundation stays there; none may come back.

    Two rule sets are equal if their rules are; the name is not compared. `build`, `fill` and `group` may be given by
    their values, such as ``"same_suit"``, whole numbers by any type that has them, and several of them by anything
    that can be iterated over.

    >>> from baker import games
    >>> games["bakers_game"].replace(cells=3)
    Rules(name='bakers_game', columns=(7, 7, 7, 7, 6, 6, 6, 6), cells=3)
    >>> Rules(name="tiny", columns=[7, 7, 6], cells=1, fill="kings", ranks=5)
    Rules(name='tiny', columns=(7, 7, 6), cells=1, fill='kings', ranks=5)

    Raises `RulesError`, a `ValueError`, with the reason if such a game cannot be dealt.
    """

    name: str = field(compare=False)
    columns: tuple[int, ...]
    """How many cards are dealt to each column; they are dealt one to each column in turn, full columns left out."""
    cells: int
    """How many cards can be set aside, 0 to 8."""
    filled: tuple[int, ...]
    """The cells, counted from 0, that the last cards of the deal fill, in this order."""
    build: Build
    fill: Fill
    group: Group
    kings_down: bool
    """Whether the deal puts each king at the bottom of its column; kings of one column keep the order of the deal."""
    aces_out: int
    """How many aces, the first ones of the deck, start on the foundations."""
    beak: bool
    """Whether the first card dealt, the beak, names the rank that comes first: its other three cards start on the
    foundations, and building goes round the corner from king to ace. The rank below it plays the part of the kings. See
    `Deal.base_rank`."""
    ranks: int
    """How many ranks the deck has, 1 to 13; the cards of the highest one play the part of the kings."""

    # Rules are made here and not in `__init__`, so that there are none that were not checked.
    def __new__(
        cls,
        *,
        name: str,
        columns: Iterable[SupportsIndex],
        cells: SupportsIndex = 0,
        filled: Iterable[SupportsIndex] = (),
        build: Build | str = Build.SAME_SUIT,
        fill: Fill | str = Fill.ANY,
        group: Group | str = Group.FULL,
        kings_down: bool = False,
        aces_out: SupportsIndex = 0,
        beak: bool = False,
        ranks: SupportsIndex = 13,
    ) -> Self:
        rules = object.__new__(cls)
        put = partial(object.__setattr__, rules)
        put("name", _name(name))
        put("columns", _numbers("columns", columns))
        put("cells", _number("cells", cells, 0, MAX_CELLS))
        put("filled", _numbers("filled", filled))
        put("build", _member("build", Build, build))
        put("fill", _member("fill", Fill, fill))
        put("group", _member("group", Group, group))
        put("kings_down", _flag("kings_down", kings_down))
        put("aces_out", _number("aces_out", aces_out, 0, 4))
        put("beak", _flag("beak", beak))
        put("ranks", _number("ranks", ranks, 1, 13))
        _check_deal(rules)
        return rules

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (self._differing(),)

    # In place of the one of dataclasses, which sets whatever a pickle says.
    def __setstate__(self, state: object) -> NoReturn:
        raise TypeError("rules are immutable: cannot set their state")

    def __repr__(self) -> str:
        return f"Rules({', '.join([f'{name}={value!r}' for name, value in self._differing().items()])})"

    def _differing(self) -> dict[str, object]:
        """The arguments that differ from the defaults, choices as plain texts."""
        values = {item.name: getattr(self, item.name) for item in dataclasses.fields(self)}
        return {
            name: str(value) if isinstance(value, StrEnum) else value
            for name, value in values.items()
            if value != _DEFAULTS.get(name)
        }

    def replace(self, **changes: Any) -> Rules:
        """The same rules but for the changes; the name stays unless it is one of them.

        Raises `RulesError` if such a game cannot be dealt, `TypeError` if a rule of that name does not exist.
        """
        return dataclasses.replace(self, **changes)

    @classmethod
    def parse(cls, text: str) -> Rules:
        """The rules that a text names: a game, then what differs from its rules.

        >>> Rules.parse("bakers_game cells=3 fill=kings")
        Rules(name='bakers_game', columns=(7, 7, 7, 7, 6, 6, 6, 6), cells=3, fill='kings')

        The game is named as in `rules_of`. Any rule but the name can be set. Lists have commas, and ``4x7`` stands for
        four sevens: ``columns=4x7,4x6``; ``none`` is an empty list. `kings_down` and `beak` are ``yes`` or ``no``.

        Raises `RulesError` that names the rule and what was expected.
        """
        words = plain_text("the rules", text).split()
        names = [word for word in words if "=" not in word]
        settings = words[len(names) :]
        if words[: len(names)] != names:
            raise RulesError(f"{quote(text)} names no game: expected a name and rules, such as bakers_game cells=3")
        return rules_of(" ".join(names)).replace(**read_changes(settings))

    def format(self) -> str:
        """The rules as a text that `parse` reads: the name of the game, or of the one nearest to it, and what differs.

        >>> from baker import games
        >>> games["freecell"].format(), games["freecell"].replace(cells=2, columns=(26, 26)).format()
        ('freecell', 'freecell columns=26,26 cells=2')

        A name that no game has is not kept.
        """
        differences = {name: _differences(self, game) for name, game in GAMES.items()}
        nearest = min(
            differences, key=lambda name: (differences[name] != [], name != self.name, len(differences[name]))
        )
        return " ".join([nearest, *differences[nearest]])


_DEFAULTS: Mapping[str, object] = Rules.__new__.__kwdefaults__ or {}


def _rebuilt(arguments: dict[str, Any]) -> Rules:
    """The rules of a pickle."""
    return Rules(**arguments)


def _name(name: object) -> str:
    if not isinstance(name, str) or not (name := plain_text("name", name)):
        raise RulesError(f"name is {shown(name)}: expected a text that is not empty")
    return name


def _number(what: str, value: object, low: int, high: int) -> int:
    try:
        number = whole(what, value)
        if low <= number <= high:
            return number
    except TypeError:
        pass
    raise RulesError(f"{what} is {shown(value)}: expected a whole number, {low} to {high}")


def _numbers(name: str, values: object) -> tuple[int, ...]:
    try:
        if isinstance(values, Iterable) and not isinstance(values, str | bytes):
            # What is no list may have no end: one more than there can be will do.
            some = values if isinstance(values, tuple | list) else islice(values, MAX_COLUMNS + 1)
            return tuple([whole(name, value) for value in some])
    except TypeError:
        pass
    raise RulesError(f"{name} is {shown(values)}: expected whole numbers, such as (7, 7, 6)")


def _flag(name: str, value: object) -> bool:
    try:
        return yes_or_no(name, value)
    except TypeError as error:
        raise RulesError(str(error)) from None


_Choice = TypeVar("_Choice", bound=StrEnum)


def _member(name: str, kind: type[_Choice], value: object) -> _Choice:
    try:
        return kind(plain_text(name, value))
    except (TypeError, ValueError):
        raise RulesError(f"{name} is {shown(value)}: expected one of {', '.join(kind)}") from None


def _check_deal(rules: Rules) -> None:
    """Raise `RulesError` unless the whole deck is dealt, to places that there are."""
    if rules.beak and rules.aces_out:
        raise RulesError("a beak puts three aces out itself: expected no aces_out")
    _number("the number of columns", len(rules.columns), 1, MAX_COLUMNS)
    for length in rules.columns:
        _number("a column of the deal", length, 0, 4 * rules.ranks)
    for cell in rules.filled:
        if not 0 <= cell < rules.cells:
            raise RulesError(f"filled names cell {shown(cell)}: the game has {rules.cells} cells, counted from 0")
    if len(set(rules.filled)) < len(rules.filled):
        raise RulesError(f"filled names a cell twice: {rules.filled}")
    aces_out = 3 if rules.beak else rules.aces_out
    dealt = sum(rules.columns) + len(rules.filled) + aces_out
    if dealt != 4 * rules.ranks:
        raise RulesError(
            f"{sum(rules.columns)} cards in the columns, {len(rules.filled)} in the cells and {aces_out} on the "
            f"foundations make {dealt}: expected {4 * rules.ranks}, the whole deck"
        )


def read_changes(settings: Iterable[str]) -> dict[str, Any]:
    """What `Rules.replace` takes, from texts such as ``fill=kings``.

    >>> read_changes(["fill=kings", "columns=10x5"])
    {'fill': 'kings', 'columns': (5, 5, 5, 5, 5, 5, 5, 5, 5, 5)}

    Raises `RulesError` that names the rule and what was expected, for what a text alone can tell.
    """
    changes: dict[str, Any] = {}
    for setting in settings:
        name, sign, value = setting.lower().partition("=")
        if name not in _READERS:
            close = get_close_matches(name[:100], _READERS, n=1)
            guess = f"did you mean {close[0]!r}? " if close else ""
            raise RulesError(f"no rule is called {quote(name)}: {guess}known are {', '.join(_READERS)}")
        if not sign:
            raise RulesError(
                f"{name} has no value: expected one after =, such as {name}={_text_of(getattr(_BAKERS_GAME, name))}"
            )
        if name in changes:
            raise RulesError(f"{name} is set twice")
        changes[name] = _READERS[name](name, value)
    return changes


def _read_word(name: str, text: str) -> str:
    return text


def _read_number(name: str, text: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", text):
        raise RulesError(f"{name} is {quote(text)}: expected a whole number")
    return int(text)


def _read_numbers(name: str, text: str) -> tuple[int, ...]:
    numbers: list[int] = []
    for part in text.split(",") if text != "none" else ():
        found = re.fullmatch("(?:([0-9]{1,2})x)?([0-9]{1,2})", part)
        if not found:
            raise RulesError(f"{name} is {quote(text)}: expected whole numbers such as 7,7,6, or none")
        numbers += [int(found[2])] * int(found[1] or 1)
    return tuple(numbers)


def _read_flag(name: str, text: str) -> bool:
    if text not in _FLAGS:
        raise RulesError(f"{name} is {quote(text)}: expected yes or no")
    return _FLAGS[text]


_FLAGS = {"yes": True, "true": True, "no": False, "false": False}
# How each rule is read from a text.
_READERS: dict[str, Callable[[str, str], object]] = {
    "columns": _read_numbers,
    "cells": _read_number,
    "filled": _read_numbers,
    "build": _read_word,
    "fill": _read_word,
    "group": _read_word,
    "kings_down": _read_flag,
    "aces_out": _read_number,
    "beak": _read_flag,
    "ranks": _read_number,
}


def _text_of(value: object) -> str:
    """A rule as its reader reads it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "none"
    return str(value)


def _differences(rules: Rules, game: Rules) -> list[str]:
    """What makes rules differ from those of a game, as texts."""
    pairs = [(name, getattr(rules, name), getattr(game, name)) for name in _READERS]
    return [f"{name}={_text_of(value)}" for name, value, other in pairs if value != other]


_EIGHT = (7, 7, 7, 7, 6, 6, 6, 6)
_BAKERS_GAME = Rules(name="bakers_game", columns=_EIGHT, cells=4)
_EIGHT_OFF = Rules(name="eight_off", columns=(6,) * 8, cells=8, filled=(0, 2, 4, 6), fill=Fill.KINGS)
_FORE_CELL = _EIGHT_OFF.replace(name="fore_cell", cells=4, filled=(0, 1, 2, 3), build=Build.ALTERNATE_COLOR)
_BAKERS_DOZEN = Rules(
    name="bakers_dozen",
    columns=(4,) * 13,
    build=Build.ANY_SUIT,
    fill=Fill.NONE,
    group=Group.SINGLE,
    kings_down=True,
)
_PORTUGUESE = _BAKERS_DOZEN.replace(name="portuguese_solitaire", fill=Fill.KINGS, kings_down=False)
_SPANISH = _BAKERS_DOZEN.replace(name="spanish_patience", fill=Fill.ANY, kings_down=False)

GAMES: Mapping[str, Rules] = MappingProxyType(
    {
        rules.name: rules
        for rules in (
            _BAKERS_GAME,
            _BAKERS_GAME.replace(name="kings_only_bakers_game", fill=Fill.KINGS),
            _BAKERS_GAME.replace(name="relaxed_bakers_game", group=Group.UNLIMITED),
            _BAKERS_GAME.replace(name="freecell", build=Build.ALTERNATE_COLOR),
            _EIGHT_OFF,
            Rules(name="seahaven_towers", columns=(5,) * 10, cells=4, filled=(1, 2), fill=Fill.KINGS),
            Rules(name="penguin", columns=(7,) * 7, cells=7, fill=Fill.KINGS, group=Group.UNLIMITED, beak=True),
            _FORE_CELL,
            _FORE_CELL.replace(name="same_suit_fore_cell", build=Build.SAME_SUIT),
            _BAKERS_DOZEN,
            _PORTUGUESE,
            _BAKERS_DOZEN.replace(name="bakers_dozen_different_suit", build=Build.DIFFERENT_SUIT),
            _BAKERS_DOZEN.replace(name="good_measure", columns=(5,) * 10, aces_out=2),
            _SPANISH,
            _SPANISH.replace(name="castles_of_spain", build=Build.ALTERNATE_COLOR),
        )
    }
)
"""The rules of every game that has a name."""

# What other programs call a game: the game, and the rules in which theirs differs.
_ALIASES: dict[str, tuple[str, dict[str, Any]]] = {
    # Freecell Solver, and pysol-cards, which shares its names.
    "ko_bakers_game": ("kings_only_bakers_game", {}),
    "relaxed_freecell": ("freecell", {"group": Group.UNLIMITED}),
    "relaxed_seahaven": ("seahaven_towers", {"group": Group.UNLIMITED}),
    "relaxed_seahaven_towers": ("seahaven_towers", {"group": Group.UNLIMITED}),
    "seahaven": ("seahaven_towers", {}),
    # PySol FC.
    "castles_in_spain": ("castles_of_spain", {}),
    "king_only_bakers_game": ("kings_only_bakers_game", {}),
    # Solvitaire.
    "eight_off_any_card_spaces": ("eight_off", {"fill": Fill.ANY}),
    "fore_cell_same_suit": ("same_suit_fore_cell", {}),
    "free_cell_0_cell": ("freecell", {"cells": 0}),
    "free_cell_1_cell": ("freecell", {"cells": 1}),
    "free_cell_2_cell": ("freecell", {"cells": 2}),
    "free_cell_3_cell": ("freecell", {"cells": 3}),
    "free_cell_4_pile": ("freecell", {"columns": (13,) * 4}),
    "free_cell_5_pile": ("freecell", {"columns": (11, 11, 10, 10, 10)}),
    "free_cell_6_pile": ("freecell", {"columns": (9, 9, 9, 9, 8, 8)}),
    "free_cell_7_pile": ("freecell", {"columns": (8, 8, 8, 7, 7, 7, 7)}),
    # What the variant of Baker's Dozen is called where it is described.
    "bakers_dozen_kings_fill": ("portuguese_solitaire", {}),
}


def _spelling(name: str) -> str:
    """A name without what people write in one way or another: capitals, blanks, hyphens, underscores, apostrophes."""
    return re.sub(r"[\s_'\u2019-]+", "", name.lower())


_BY_SPELLING: dict[str, Rules] = {_spelling(name): rules for name, rules in GAMES.items()} | {
    _spelling(alias): GAMES[name].replace(name=alias, **changes) if changes else GAMES[name]
    for alias, (name, changes) in _ALIASES.items()
}


def rules_of(rules: Rules | str) -> Rules:
    """The rules of a game given by its name; rules are returned as they are.

    Capitals, blanks, hyphens, underscores and apostrophes make no difference. The names that Freecell Solver, PySol FC
    and Solvitaire use are known too; if such a game is none of `games`, the rules bear that name.

    >>> rules_of("freecell").build
    <Build.ALTERNATE_COLOR: 'alternate_color'>
    >>> rules_of("Baker's Game").name, rules_of("ko_bakers_game").name
    ('bakers_game', 'kings_only_bakers_game')
    >>> rules_of("relaxed_freecell") == rules_of("freecell").replace(group="unlimited")
    True

    Raises `RulesError` if no game has that name.
    """
    if isinstance(rules, Rules):
        return rules
    if not isinstance(rules, str):
        raise TypeError(f"expected Rules or the name of a game, not {type(rules).__name__}")
    rules = plain_text("rules", rules)
    if (named := GAMES.get(rules)) is not None:
        return named
    spelling = _spelling(rules[:100])
    if len(rules) <= 100 and spelling in _BY_SPELLING:
        return _BY_SPELLING[spelling]
    # Only a slip of the keyboard: a name that looks more different is that of another game.
    close = get_close_matches(spelling, _BY_SPELLING, n=1, cutoff=0.85)
    guess = f"did you mean {_BY_SPELLING[close[0]].name!r}? " if close else ""
    raise RulesError(f"unknown game {quote(rules)}: {guess}known are {', '.join(GAMES)}")
