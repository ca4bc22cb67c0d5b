"""Deals: boards to play from, made from numbers, seeds, dates and texts."""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from operator import index
from typing import NamedTuple, NoReturn

from baker._core import deck_microsoft, deck_random
from baker.board_text import (
    EMPTY,
    NOTHING_HOME,
    DealError,
    Foundations,
    cards_home,
    draw_board,
    foundations_text,
    missing_cards,
    read_board,
    write_board,
)
from baker.cards import CARDS, Card, CardError, quote
from baker.rules import GAMES, Rules, rules_of

MICROSOFT_LAST = 2**33 - 1


class Deal:
    """A board to play from, which is the start of a game or any position of it: the columns, cells and foundations.

    Each column is a sequence of cards, or a text of cards with blanks between, the available card last. Cells that
    are not given are empty. `foundations` says how many clubs, diamonds, hearts and spades are home.

    >>> deal = Deal(["JS KS", "", "", "QS", "", "", "", ""], foundations=(13, 13, 13, 10))
    >>> deal.columns[0], deal.cells, deal.foundations
    ((Card('JS'), Card('KS')), (None, None, None, None), (13, 13, 13, 10))

    Deals are immutable; two are equal if the same cards lie at the same places under equal rules.

    Raises `DealError`, a `ValueError`, if the cards are not those of the deck or the places not those of the game.
    """

    __slots__ = ("_cells", "_columns", "foundations", "number", "rules")

    # The board as card numbers: a game is made from these without looking at a single `Card`.
    _columns: tuple[bytes, ...]
    _cells: bytes
    foundations: Foundations
    """How many clubs, diamonds, hearts and spades are home."""
    rules: Rules
    number: int | None
    """The Microsoft number that the deal was made from; it is not compared."""

    def __init__(
        self,
        columns: Iterable[str | Iterable[Card | str]],
        cells: Iterable[Card | str | None] | None = None,
        foundations: Sequence[int] | None = None,
        rules: Rules | str = "bakers_game",
    ) -> None:
        rules = rules_of(rules)
        try:
            lists = [[_card(card).index for card in (c.split() if isinstance(c, str) else c)] for c in columns]
            held = [EMPTY if cell is None else _card(cell).index for cell in cells or ()]
        except CardError as error:
            raise DealError(str(error)) from None
        home = tuple(foundations or NOTHING_HOME)
        if len(lists) != len(rules.columns):
            raise DealError(f"the board has {len(lists)} columns: expected {len(rules.columns)}, as {rules.name} has")
        if len(held) > rules.cells:
            raise DealError(f"the board has {len(held)} cells: expected at most {rules.cells}, as {rules.name} has")
        if len(home) != 4 or not all(isinstance(count, int) and 0 <= count <= rules.ranks for count in home):
            raise DealError(f"the foundations are {home}: expected four counts of cards, each 0 to {rules.ranks}")
        places = {card: f"on the foundations ({foundations_text(home)})" for card in cards_home(home)}
        columns_of_cards = ((f"in column {i}", cards) for i, cards in enumerate(lists, 1))
        for place, cards in (*columns_of_cards, ("in a cell", held)):
            for card in cards:
                if card == EMPTY:
                    continue
                if card >= 4 * rules.ranks:
                    raise DealError(f"{CARDS[card]} is not in the deck, which has {rules.ranks} ranks")
                if card in places:
                    raise DealError(f"{CARDS[card]} is {places[card]} and again {place}: expected each card once")
                places[card] = place
        if missing := missing_cards(places, rules):
            raise DealError(f"{missing}: expected each card of the deck once")
        held.extend([EMPTY] * (rules.cells - len(held)))
        self._set(tuple(map(bytes, lists)), bytes(held), (home[0], home[1], home[2], home[3]), rules, None)

    def _set(
        self, columns: tuple[bytes, ...], cells: bytes, foundations: Foundations, rules: Rules, number: int | None
    ) -> None:
        put = object.__setattr__
        put(self, "_columns", columns)
        put(self, "_cells", cells)
        put(self, "foundations", foundations)
        put(self, "rules", rules)
        put(self, "number", number)

    @property
    def columns(self) -> tuple[tuple[Card, ...], ...]:
        """The cards of each column, the available card last."""
        return tuple(tuple([CARDS[card] for card in column]) for column in self._columns)

    @property
    def cells(self) -> tuple[Card | None, ...]:
        """The card in each cell, or None."""
        return tuple([None if card == EMPTY else CARDS[card] for card in self._cells])

    @classmethod
    def microsoft(cls, number: int, rules: Rules | str = "bakers_game") -> Deal:
        """The deal of a number of Microsoft FreeCell, 1 to 2^33 - 1, laid out as the game asks for.

        Numbers of 2^31 and more are dealt as FreeCell Pro and PySol FC deal them.

        >>> print(Deal.microsoft(617).format())
        7D TD TH KD 4C 4S JD
        AD 7S QC 5H QS TS KS
        5C QD 3H 9S 9C 2H KC
        3S AC 9D 3C 9H 5D 4H
        5S 6D 6S 8S 7C JC
        8C 8H 8D 7H 6H 6C
        2D AS 3D 4D 2C JH
        AH KH TC JS 2S QH

        Raises `DealError` if the number is out of range or the game is not played with a deck of 52 cards.
        """
        rules = rules_of(rules)
        number = check_number(number, rules)
        return _dealt(deck_microsoft(number), rules, number)

    @classmethod
    def random(cls, seed: int, rules: Rules | str = "bakers_game") -> Deal:
        """The deal of a seed, 0 to 2^64 - 1; every deck is as likely as any other, and a seed always deals the same.

        The generator is SplitMix64. Its state s starts as the seed; each draw adds 0x9E3779B97F4A7C15 to s and is
        z ^ (z >> 31), where z = (y ^ (y >> 27)) * 0x94D049BB133111EB and y = (s ^ (s >> 30)) * 0xBF58476D1CE4E5B9,
        all modulo 2^64. The deck starts in the order AC AD AH AS 2C .. KS. For n from the number of cards down to 2,
        draw until the draw is less than 2^64 - (2^64 mod n), then swap the card at place n - 1 with that at
        place (draw mod n), places counted from 0. The deck is dealt from its first card on.

        >>> Deal.random(1) == Deal.random(1), Deal.random(1) == Deal.random(2)
        (True, False)

        Raises `DealError` if the seed is out of range.
        """
        rules = rules_of(rules)
        seed = index(seed)
        if not 0 <= seed < 2**64:
            raise DealError(f"the seed {seed} is out of range: expected 0 to {2**64 - 1} (2^64 - 1)")
        return _dealt(deck_random(seed, rules.ranks), rules, None)

    @classmethod
    def daily(cls, date: datetime.date | str, rules: Rules | str = "bakers_game") -> Deal:
        """The deal of a day, the same for everyone; the day is a date or its ISO text.

        Its seed for `random` is ``0x62616B6572 << 24 | date.toordinal()``: the letters of "baker", then the day.

        >>> import datetime
        >>> Deal.daily("2026-02-28") == Deal.daily(datetime.date(2026, 2, 28))
        True

        Raises `DealError` if the text is not a date.
        """
        return cls.random(int.from_bytes(b"baker") << 24 | _day(date).toordinal(), rules)

    @classmethod
    def solvable(cls, rules: Rules | str, seed: int, *, max_nodes: int | None = None) -> Solvable:
        """The first deal that is proved to be winnable among those of the seed, seed + 1, and so on.

        It comes with the number of deals that it took, itself included. A deal that is not decided within `max_nodes`
        nodes, or in the memory that `solve` allows, is passed over. Where no deal can be won it looks for ever.

        >>> Deal.solvable("seahaven_towers", 5).tries
        1

        Raises `DealError` if the seeds come to their end at 2^64 - 1.
        """
        from baker.solver import Verdict, solve

        tries = 1
        deal = cls.random(seed, rules)
        while solve(deal, moves=False, max_nodes=max_nodes).verdict is not Verdict.SOLVED:
            deal = cls.random(seed + tries, rules)
            tries += 1
        return Solvable(deal, tries)

    @classmethod
    def parse(cls, text: str | bytes, rules: Rules | str = "bakers_game") -> Deal:
        """The board that a text shows, at the start of a game or in the middle of it.

        The text has one line for each column, the available card last: ``KS TH 4d`` or ``: KS TH 4d``, and ``:``
        alone for an empty column. A line ``Freecells: KS - - 4D`` shows the cells (``-`` is an empty one, those left
        out are empty), a line ``Foundations: C-0 D-A H-10 S-K`` the highest card of each suit that is home (0 or left
        out: none). Cards are written as `Card` reads them. ``#`` starts a comment; empty lines are skipped.

        >>> from baker import Rules
        >>> small = Rules(name="small", columns=(6, 6), cells=1, ranks=3)
        >>> deal = Deal.parse('''Foundations: C-3 D-3 H-A   # clubs and diamonds are done
        ... Freecells: 2H
        ... 3S 2S 3H AS
        ... :''', small)
        >>> deal.columns, deal.cells, deal.foundations
        (((Card('3S'), Card('2S'), Card('3H'), Card('AS')), ()), (Card('2H'),), (3, 3, 1, 0))

        Raises `DealError` with the line, the column and the token if the text shows no board of the game.
        """
        rules = rules_of(rules)
        columns, cells, foundations = read_board(text, rules)
        return _restore(columns, cells, foundations, rules, None)

    def format(self) -> str:
        """The board as a text that `parse` reads back, and other programs such as fc-solve read too.

        A ``Foundations:`` line comes first if cards are home, then a ``Freecells:`` line if cards are in cells, then
        one line for each column; an empty column is ``:``.

        >>> print(Deal.random(1, "eight_off").format().splitlines()[0])
        Freecells: 8C - JC - 9H - QD -
        """
        return write_board(self._columns, self._cells, self.foundations)

    def __str__(self) -> str:
        """The board for people: cells and foundations in the first rows, the columns from top to bottom."""
        return draw_board(self._columns, self._cells, self.foundations)

    def __repr__(self) -> str:
        rules = repr(self.rules.name) if GAMES.get(self.rules.name) == self.rules else repr(self.rules)
        if self.number is not None:
            return f"Deal.microsoft({self.number}, {rules})"
        return f"Deal.parse({self.format()!r}, {rules})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deal):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self._columns, self._cells, self.foundations, self.rules

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"deals are immutable: cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"deals are immutable: cannot delete {name}")

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self._columns, self._cells, self.foundations, self.rules, self.number)


class Solvable(NamedTuple):
    """A deal that can be won, and how many deals were tried until it was found."""

    deal: Deal
    tries: int


def check_number(number: int, rules: Rules) -> int:
    """The number, if a Microsoft deal has it and the game can be dealt from that, else `DealError`."""
    number = index(number)
    if not 1 <= number <= MICROSOFT_LAST:
        raise DealError(f"no Microsoft deal has the number {number}: expected 1 to {MICROSOFT_LAST} (2^33 - 1)")
    if rules.ranks != 13:
        raise DealError(f"Microsoft deals have 13 ranks, the deck of {rules.name} has {rules.ranks}: use a seed")
    return number


def _restore(
    columns: tuple[bytes, ...], cells: bytes, foundations: Foundations, rules: Rules, number: int | None
) -> Deal:
    """A deal that is known to be right: nothing is checked."""
    deal = object.__new__(Deal)
    deal._set(columns, cells, foundations, rules, number)
    return deal


def _card(card: Card | str) -> Card:
    return card if isinstance(card, Card) else Card(card)


def _day(date: datetime.date | str) -> datetime.date:
    if isinstance(date, datetime.date):
        return date
    if not isinstance(date, str):
        raise TypeError(f"expected a date or a text such as '2026-02-28', not {type(date).__name__}")
    try:
        return datetime.date.fromisoformat(date)
    except ValueError:
        raise DealError(f"{quote(date)} is not a date: expected one such as '2026-02-28'") from None


@lru_cache
def _layout(columns: tuple[int, ...]) -> tuple[list[int], tuple[tuple[int, int], ...]]:
    """Which cards of the deck the columns take, one column after the other, and where each column begins and ends."""
    table: list[list[int]] = [[] for _ in columns]
    card = 0
    for row in range(max(columns)):
        for column, length in zip(table, columns, strict=True):
            if row < length:
                column.append(card)
                card += 1
    ends = accumulate(columns, initial=0)
    return [card for column in table for card in column], tuple(pairwise(ends))


def _dealt(deck: bytes, rules: Rules, number: int | None) -> Deal:
    """The deck laid out in the columns, cells and foundations of a game."""
    home = NOTHING_HOME
    if rules.beak:
        base = deck[0] & ~3
        deck = bytes([(card - base) % (4 * rules.ranks) for card in deck])
    if rules.beak or rules.aces_out:
        aces = [card for card in deck if card < 4]
        aces = aces[1:] if rules.beak else aces[: rules.aces_out]
        deck = bytes([card for card in deck if card not in aces])
        home = (int(0 in aces), int(1 in aces), int(2 in aces), int(3 in aces))
    order, ends = _layout(rules.columns)
    cards = bytes([deck[card] for card in order])
    columns = tuple([cards[begin:end] for begin, end in ends])
    if rules.kings_down:
        kings = range(4 * rules.ranks - 4, 4 * rules.ranks)
        columns = tuple([bytes(sorted(column, key=lambda card: card not in kings)) for column in columns])
    cells = bytearray([EMPTY] * rules.cells)
    for cell, card in zip(rules.filled, deck[len(cards) :], strict=True):
        cells[cell] = card
    return _restore(columns, bytes(cells), home, rules, number)
