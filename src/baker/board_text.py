"""Boards as texts: written, drawn and checked; what is wrong with one is a `DealError`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from baker._core import Board
from baker.base_rank import (
    Foundations,
    cards_by_number,
    cards_home,
    counts_home,
    find_base_rank,
    foundations_text,
    numbers_of,
)
from baker.cards import CARDS, RANK_OF, RANKS, SUIT_OF, Card, CardError, Suit, quote
from baker.places import CELL_LETTERS
from baker.rules import GAMES, Rules

# What stands for a card in a cell that has none.
EMPTY = 255
NOTHING_HOME: Foundations = (0, 0, 0, 0)

# As the highest rank of a foundation, 0 stands for none.
_COUNT_OF = RANK_OF | {"0": 0}


class Place(NamedTuple):
    """A token of a text and where it stands, counted from 1."""

    line: int
    column: int
    token: str


class Column(NamedTuple):
    """What a text shows as one column."""

    place: Place
    """Its heading or its first card, or where either would stand."""
    cards: list[Place]


@dataclass(slots=True)
class Parts:
    """What a text shows as the parts of a board, before anybody asks whether those are cards of the game."""

    end: Place
    """Behind the last line."""
    columns: list[Column] = field(default_factory=list)
    cells: list[Place] | None = None
    """A card or ``-`` for each cell; None where the text says nothing of cells."""
    foundations: list[Place] | None = None
    """Such as ``H-10``, in any order; None where the text says nothing of foundations."""
    other_shape: DealError | None = None
    """What the lines seem to hold if they are not as many as the columns of the game."""


class DealError(ValueError):
    """A deal that does not exist, or a text or a position that is not a board of the game.

    Of a text, `line` and `column` say where, both counted from 1, and `token` what stands there; they are None where
    they mean nothing.
    """

    def __init__(
        self, message: str, *, line: int | None = None, column: int | None = None, token: str | None = None
    ) -> None:
        super().__init__(message if line is None else f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column
        self.token = token

    @classmethod
    def at(cls, place: Place, what: str, expected: str) -> DealError:
        """What is wrong at a place of a text, and what was expected there."""
        return cls(f"{what}: expected {expected}", line=place.line, column=place.column, token=place.token)


class Fault(NamedTuple):
    """A card that is there twice."""

    card: int
    """Its index."""
    place: tuple[int, int]
    """Where it is there again: which pile, and which card of it."""
    before: tuple[int, int] | None
    """Where it was before; None if it is home as well."""


def find_fault(piles: Sequence[Sequence[int]], at_home: Collection[int]) -> Fault | None:
    """The first card that is there twice in piles of indices; None if there is none."""
    places: dict[int, tuple[int, int]] = {}
    for number, pile in enumerate(piles):
        for height, card in enumerate(pile):
            if card == EMPTY:
                continue
            if card in places or card in at_home:
                return Fault(card, (number, height), places.get(card))
            places[card] = number, height
    return None


def missing_cards(found: Iterable[int], rules: Rules) -> str:
    """What to say about the cards that are nowhere, or nothing."""
    missing = sorted(set(range(4 * rules.ranks)).difference(found))
    names = " ".join([str(CARDS[card]) for card in missing[:5]])
    if not missing:
        return ""
    if len(missing) > 5:
        return f"{names} and {len(missing) - 5} more are missing"
    return f"{names} {'is' if len(missing) == 1 else 'are'} missing"


def game_comment(rules: Rules) -> str:
    """The line that tells a reader of the board which game it is of; nothing for Baker's Game, the default.

    It goes below the board: Freecell Solver reads no comments, but it reads nothing after the last column either.
    """
    return "" if rules == GAMES["bakers_game"] else f"# game: {rules.format()}"


def columns_of(board: Board, cards: Sequence[Card]) -> tuple[tuple[Card, ...], ...]:
    """The cards of each column, the available card last.  `cards` by the numbers used."""
    return tuple([tuple([cards[number] for number in column]) for column in board.columns()])


def cells_of(board: Board, cards: Sequence[Card]) -> tuple[Card | None, ...]:
    """The card in each cell, or None.  `cards` by the numbers used."""
    return tuple([None if number == EMPTY else cards[number] for number in board.cells()])


def write_board(board: Board, cards: Sequence[Card]) -> str:
    """The board as `read_board` and fc-solve read it; see `Deal.format`.  `cards` by the numbers used."""
    cells, foundations = board.cells(), board.foundations()
    lines = [" ".join([str(cards[number]) for number in column]) or ":" for column in board.columns()]
    if any(number != EMPTY for number in cells):
        lines.insert(0, " ".join(["Freecells:", *_cell_texts(cells, cards)]))
    if any(foundations):
        lines.insert(0, f"Foundations: {foundations_text(foundations, cards)}")
    return "\n".join(lines)


def draw_board(board: Board, cards: Sequence[Card]) -> str:
    """The board as people see it, every place with its name above it.  `cards` by the numbers used."""
    columns, cells = board.columns(), board.cells()
    home = foundations_text(board.foundations(), cards)
    rows = [home, ""]
    if cells:
        names = _row(CELL_LETTERS[: len(cells)])
        rows = [f"{names}   h", f"{_row(_cell_texts(cells, cards))}   {home}", ""]
    rows.append(_row([str(number) for number in range(1, len(columns) + 1)]))
    for depth in range(max(map(len, columns))):
        rows.append(_row([str(cards[column[depth]]) if depth < len(column) else "" for column in columns]).rstrip())
    return "\n".join(rows)


def _cell_texts(cells: Sequence[int], cards: Sequence[Card]) -> list[str]:
    return ["-" if number == EMPTY else str(cards[number]) for number in cells]


def _row(texts: Iterable[str]) -> str:
    return " ".join([f"{text:>2}" for text in texts])


def read_board(parts: Parts, rules: Rules) -> tuple[Board, int]:
    """The board that a text shows, and its base rank; see `Deal.parse`."""
    return _Reader(rules).read(parts)


class _Reader:
    """Reads the cards of one board and knows where each stands."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        # The cards of the cells, then those of each column, and where each stands.
        self.piles: list[list[int]] = []
        self.places: list[Sequence[Place]] = []

    def read(self, parts: Parts) -> tuple[Board, int]:
        tops = self.foundations(parts.foundations or [])
        self.add_pile(self.cells(parts.cells or []))
        for column in parts.columns:
            if len(self.piles) > len(self.rules.columns):
                what = f"column {len(self.piles)} of the board"
                raise parts.other_shape or DealError.at(column.place, what, self.expected_columns())
            self.add_pile(column.cards)
        ranks = self.rules.ranks
        cells, *columns = self.piles
        found = {card for pile in self.piles for card in pile}
        base = find_base_rank(self.rules, columns, found, lambda base: counts_home(tops, base, ranks))
        home = counts_home(tops, base, ranks)
        numbers = [numbers_of(cards, base, ranks) for cards in columns]
        held = numbers_of(cells, base, ranks).ljust(self.rules.cells, bytes([EMPTY]))
        try:
            return Board(self.rules, numbers, held, home), base
        except ValueError:
            raise self.fault(home, base, parts) from None

    def add_pile(self, places: Sequence[Place]) -> None:
        self.piles.append([self.card(place) for place in places])
        self.places.append(places)

    def foundations(self, places: Iterable[Place]) -> list[int]:
        """The highest rank of each suit that is home, or 0."""
        home: dict[Suit, int] = {}
        for place in places:
            suit_text, hyphen, rank_text = place.token.partition("-")
            suit, count = SUIT_OF.get(suit_text), _COUNT_OF.get(rank_text)
            if suit is None or count is None or not hyphen:
                expected = "a suit and the highest rank that is home, such as H-0, H-A or H-10"
                raise DealError.at(place, f"unknown foundation {quote(place.token)}", expected)
            if suit in home:
                raise DealError.at(place, f"a second foundation of {suit.name.lower()}", "each suit once")
            if count > self.rules.ranks:
                raise DealError.at(place, f"foundation {quote(place.token)}", f"a deck of {self.rules.ranks} ranks")
            home[suit] = count
        return [home.get(suit, 0) for suit in Suit]

    def cells(self, places: Sequence[Place]) -> Sequence[Place]:
        """The places of the cells, which are not more than the game has."""
        if len(places) > self.rules.cells:
            place = places[self.rules.cells]
            expected = f"at most {self.rules.cells}, as {self.rules.name} has"
            raise DealError.at(place, f"{quote(place.token)} is in cell {self.rules.cells + 1}", expected)
        return places

    def card(self, place: Place) -> int:
        """The index of a card, or `EMPTY` for ``-`` in the line of the cells, which is the first pile."""
        token = place.token
        if token == "-" and not self.piles:
            return EMPTY
        try:
            card = Card(token).index
        except CardError:
            if ":" in token:
                what, expected = "heading", "Foundations:, Freecells: or a column of cards"
            else:
                what, expected = "card", "a rank A 2-9 T J Q K and a suit C D H S, such as TH"
            raise DealError.at(place, f"unknown {what} {quote(token)}", expected) from None
        if card >= 4 * self.rules.ranks:
            raise DealError.at(place, f"{token} is not in the deck", f"ranks up to {RANKS[self.rules.ranks - 1]}")
        return card

    def fault(self, home: Foundations, base_rank: int, parts: Parts) -> DealError:
        """Why the cards are not a board of the game."""
        at_home = set(cards_home(home, base_rank, self.rules.ranks))
        if fault := find_fault(self.piles, at_home):
            place = self.place(fault.place)
            if fault.before is None:
                shown_home = foundations_text(home, cards_by_number(base_rank, self.rules.ranks))
                what = f"{place.token} is also on the foundations ({shown_home})"
            else:
                before = self.place(fault.before)
                what = f"{place.token} is already at line {before.line}, column {before.column}"
            return DealError.at(place, what, "each card once")
        columns = len(self.piles) - 1
        if columns < len(self.rules.columns):
            what = f"the board ends after {columns} columns"
            expected = f"{self.expected_columns()}; an empty column is ':'"
            return parts.other_shape or DealError.at(parts.end, what, expected)
        missing = missing_cards(at_home.union(*self.piles), self.rules)
        return DealError.at(parts.end, missing, "each card of the deck once")

    def place(self, at: tuple[int, int]) -> Place:
        pile, height = at
        return self.places[pile][height]

    def expected_columns(self) -> str:
        return f"{len(self.rules.columns)} columns, as {self.rules.name} has"
