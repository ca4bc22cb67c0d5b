"""Moves, and how they are written as text and as JSON."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self, SupportsIndex

from baker._core import MoveTable
from baker.cards import quote
from baker.checks import plain_text, shown, whole
from baker.places import FIRST_CELL, FOUNDATION, PLACES, Place
from baker.values import Value

# Freecell Solver calls the eighth cell k.
_ALIASES = {"k": "i"}
_PLACE = r"1[0-6]|[1-9]|[a-ik]"
# Two places, with a hyphen or without one, and a count: decimal after an x, hexadecimal after Freecell Solver's v.
_MOVE = re.compile(rf"(?:({_PLACE})-({_PLACE})|([1-9a-ik][0-9a-ik]{{1,3}}))(?:x([1-9][0-9]?)|v([1-9a-f][0-9a-f]?))?")
# What Freecell Solver writes without -sn and -snx; it counts places from 0.
_SENTENCE = re.compile(
    r"move (?:a|([1-9][0-9]?)) cards? from (stack|freecell) ([0-9]{1,2}) "
    r"to (?:(stack|freecell) ([0-9]{1,2})|the foundations)"
)


class InvalidMoveError(ValueError):
    """A text or a value that names no move, or two."""


class IllegalMoveError(ValueError):
    """A move that the rules forbid here.

    `text` is the move as it was given, `reason` why it is not legal, `move` the move itself, or None if the text can be
    read in two ways.
    """

    def __init__(self, text: str, reason: str, move: Move | None = None) -> None:
        super().__init__(text, reason, move)
        self.text = text
        self.reason = reason
        self.move = move

    def __str__(self) -> str:
        return f"illegal move {self.text}: {self.reason}"


class _Derived(Value):
    """What follows from the fields of a move: made once, neither shown nor compared."""

    __slots__ = ("code", "text")

    code: int
    """The number that `baker._core` knows the move by."""
    text: str
    """The move as `str` writes it."""


@dataclass(frozen=True, init=False, repr=False)
class Move(_Derived):
    """Cards that go from one `Place` to another; places may be given by their numbers.

    The text of a move is the usual notation of FreeCell. Columns are counted from ``1``, the cells are
    ``a b c d e f g i`` and ``h`` is home, the foundations: ``26``, ``3a``, ``a5``, ``4h``. More than one card is
    written ``26x3``. If a column past the ninth takes part there is a hyphen between the places: ``10-3``, ``12-h``.

    >>> from baker import Place
    >>> str(Move(1, 5)), str(Move(1, 5, 3)), str(Move(Place("i"), Place.FOUNDATIONS)), str(Move(9, 16))
    ('26', '26x3', 'ih', '10-a')
    >>> Move(1, 5, 3)
    Move.parse('26x3')

    Raises ValueError if there are no such places, or the count is not between 1 and 52, TypeError if one of them is
    not what it should be.
    """

    __slots__ = ("count", "source", "target")

    source: Place
    """Where the cards come from."""
    target: Place
    """Where they go."""
    count: int
    """How many cards move."""

    # A move is made here and not in `__init__`, which could be called again: all solutions share their moves.
    def __new__(cls, source: SupportsIndex, target: SupportsIndex, count: SupportsIndex = 1) -> Self:
        source, target, count = whole("source", source), whole("target", target), whole("count", count)
        for name, place in (("source", source), ("target", target)):
            if not 0 <= place <= FOUNDATION:
                raise ValueError(f"{name} is {shown(place)}: expected a place, 0 to {FOUNDATION}")
        if not 1 <= count <= 52:
            raise ValueError(f"count is {shown(count)}: expected 1 to 52 cards")
        first, last = str(PLACES[source]), str(PLACES[target])
        text = f"{first}{'-' if len(first) + len(last) > 2 else ''}{last}{f'x{count}' if count > 1 else ''}"
        move = object.__new__(cls)
        values = {"source": PLACES[source], "target": PLACES[target], "count": count, "text": text}
        for field, value in (values | {"code": count << 10 | target << 5 | source}).items():
            object.__setattr__(move, field, value)
        return move

    @classmethod
    def parse(cls, text: str) -> Move:
        """The move of a text, which no game is asked about; without a count it carries one card.

        >>> Move.parse("26x3").count, Move.parse("10-h").is_home
        (3, True)

        Raises `InvalidMoveError`, a `ValueError`, if the text is not that of one move.
        """
        readings = read_move(text)
        if len(readings) > 1:
            both = " or ".join([hyphenated(cls(source, target, count or 1)) for source, target, count in readings])
            raise InvalidMoveError(f"{quote(text)} is unclear: expected {both}")
        source, target, count = readings[0]
        if count is not None and count > 52:
            raise InvalidMoveError(f"{quote(text)} is not a move: the deck has no {count} cards")
        return cls(source, target, 1 if count is None else count)

    @property
    def is_home(self) -> bool:
        """Whether it goes to the foundations."""
        return self.target is Place.FOUNDATIONS

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.source, self.target, self.count)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"Move.parse({self.text!r})"

    def __format__(self, spec: str) -> str:
        return format(self.text, spec)

    def to_json(self) -> list[str | int]:
        """The move as a list that JSON can carry: source, target and count.

        ``t0`` is the first column, ``c0`` the first cell, ``f`` the foundations.

        >>> Move(3, 5, 2).to_json(), Move(17, 24).to_json()
        (['t3', 't5', 2], ['c1', 'f', 1])
        """
        return [_json_name(self.source), _json_name(self.target), self.count]

    @classmethod
    def from_json(cls, value: object) -> Move:
        """The move that `to_json` wrote.

        >>> Move.from_json(["t3", "t5", 2])
        Move.parse('46x2')

        Raises `InvalidMoveError`, a `ValueError`, if it is not one.
        """
        match value:
            case [str(source), str(target), int(count)] if not isinstance(count, bool) and 1 <= count <= 52:
                if source in _BY_JSON_NAME and target in _BY_JSON_NAME:
                    return cls(_BY_JSON_NAME[source], _BY_JSON_NAME[target], count)
        raise InvalidMoveError(f"{shown(value)} is not a move: expected a list such as ['t3', 't5', 2]")


_moves = MoveTable(lambda code: Move(code & 31, code >> 5 & 31, code >> 10))

move_of = _moves.__getitem__
"""The move of a code."""
moves_of = _moves.read
"""The moves of the codes that an engine answers with."""


def hyphenated(move: Move) -> str:
    """The text of a move with a hyphen between the places, whether one is needed or not.

    >>> hyphenated(Move(0, 11, 2)), hyphenated(Move(0, 1))
    ('1-12x2', '1-2')
    """
    return f"{move.source}-{move.target}{f'x{move.count}' if move.count > 1 else ''}"


Reading = tuple[int, int, int | None]
"""What the text of a move may mean: the source, the target, and the count if the text gives one."""


def read_move(text: str) -> list[Reading]:
    """What the text of a move may mean: one move, or two if places of two digits are not told apart by a hyphen.

    >>> read_move("26x3"), read_move("10-H")
    ([(Place('2'), Place('6'), 3)], [(Place('10'), Place('h'), None)])
    >>> read_move("112")
    [(Place('1'), Place('12'), None), (Place('11'), Place('2'), None)]

    The forms are those of `Move`, and those that Freecell Solver writes: ``23va`` for ten cards, ``k`` for the eighth
    cell, and its sentences such as ``Move 2 cards from stack 0 to stack 6``, where places are counted from 0.

    Raises `InvalidMoveError` if the text is not that of a move, TypeError if it is no text.
    """
    text = plain_text("the move", text)
    plain = text.strip().lower()
    if sentence := _SENTENCE.fullmatch(plain):
        readings = _of_sentence(*sentence.groups())
    else:
        found = _MOVE.fullmatch(plain)
        readings = _of_places(*found.groups()) if found else []
    if not readings:
        raise InvalidMoveError(f"{quote(text)} is not a move: expected one such as 26, 3a, a5, 4h, 26x3 or 10-3")
    return readings


def _of_places(
    source: str | None, target: str | None, both: str | None, decimal: str | None, hexadecimal: str | None
) -> list[Reading]:
    count = int(decimal) if decimal else int(hexadecimal, 16) if hexadecimal else None
    pairs = [(both[:end], both[end:]) for end in (1, 2)] if both else [(source, target)]
    places = [[_BY_NAME.get(_ALIASES.get(name or "", name or "")) for name in pair] for pair in pairs]
    return [(first, last, count) for first, last in places if first is not None and last is not None]


def _of_sentence(
    count: str | None, kind: str, number: str, to_kind: str | None, to_number: str | None
) -> list[Reading]:
    source = _place_of(kind, int(number))
    target = FOUNDATION if to_kind is None or to_number is None else _place_of(to_kind, int(to_number))
    return [] if source is None or target is None else [(source, target, int(count or 1))]


def _place_of(kind: str, number: int) -> int | None:
    """The place of a column or a cell counted from 0, or None if no game has it."""
    if kind == "stack":
        return number if number < FIRST_CELL else None
    return FIRST_CELL + number if FIRST_CELL + number < FOUNDATION else None


def _json_name(place: Place) -> str:
    if place.is_column:
        return f"t{int(place)}"
    return f"c{place - FIRST_CELL}" if place.is_cell else "f"


_BY_NAME = {str(place): place for place in PLACES}
_BY_JSON_NAME = {_json_name(place): place for place in PLACES}
