"""Boards as texts: read, written and drawn; what is wrong with one is a `DealError`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from baker.cards import CARDS, RANK_OF, RANKS, SUIT_OF, Card, CardError, Suit, quote
from baker.rules import Rules

Columns = tuple[bytes, ...]
Foundations = tuple[int, int, int, int]

# What stands for a card in a cell that has none.
EMPTY = 255
NOTHING_HOME: Foundations = (0, 0, 0, 0)

_LINE_END = re.compile(r"\r\n|\r|\n")
# Blanks are taken for good (`*+`): no line, however long, is scanned twice.
_HEADING = re.compile(r"[ \t]*+(?:(?:(?P<home>foundations|founds)|(?P<cells>freecells|fc))[ \t]*+)?:", re.ASCII | re.I)
# Other programs pad with blanks, web pages with no-break spaces; any other unseen character is an error.
_TOKEN = re.compile("[^ \t\xa0]+")
_COUNT_OF = {"0": 0} | RANK_OF


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


def cards_home(foundations: Sequence[int]) -> Iterator[int]:
    return (rank * 4 + suit for suit, count in enumerate(foundations) for rank in range(count))


def foundations_text(foundations: Sequence[int]) -> str:
    return " ".join([f"{suit.letter}-{('0' + RANKS)[count]}" for suit, count in zip(Suit, foundations, strict=True)])


def missing_cards(found: Iterable[int], rules: Rules) -> str:
    """What to say about the cards that are nowhere, or nothing."""
    missing = sorted(set(range(4 * rules.ranks)).difference(found))
    names = " ".join([str(CARDS[card]) for card in missing[:5]])
    if not missing:
        return ""
    if len(missing) > 5:
        return f"{names} and {len(missing) - 5} more are missing"
    return f"{names} {'is' if len(missing) == 1 else 'are'} missing"


def write_board(columns: Columns, cells: bytes, foundations: Foundations) -> str:
    """The board as `read_board` and fc-solve read it; see `Deal.format`."""
    lines = [" ".join([str(CARDS[card]) for card in column]) or ":" for column in columns]
    if any(card != EMPTY for card in cells):
        lines.insert(0, " ".join(["Freecells:", *_cell_texts(cells)]))
    if any(foundations):
        lines.insert(0, f"Foundations: {foundations_text(foundations)}")
    return "\n".join(lines)


def draw_board(columns: Columns, cells: bytes, foundations: Foundations) -> str:
    """The board as people see it, every place with its name above it."""
    home = foundations_text(foundations)
    rows = [home, ""]
    if cells:
        names = _row("abcdefgi"[: len(cells)])
        rows = [f"{names}   h", f"{_row(_cell_texts(cells))}   {home}", ""]
    rows.append(_row([str(number) for number in range(1, len(columns) + 1)]))
    for depth in range(max(map(len, columns))):
        rows.append(_row([str(CARDS[column[depth]]) if depth < len(column) else "" for column in columns]).rstrip())
    return "\n".join(rows)


def _cell_texts(cells: bytes) -> list[str]:
    return ["-" if card == EMPTY else str(CARDS[card]) for card in cells]


def _row(texts: Iterable[str]) -> str:
    return " ".join([f"{text:>2}" for text in texts])


def read_board(text: str | bytes, rules: Rules) -> tuple[Columns, bytes, Foundations]:
    """The columns, cells and foundations that a text shows; see `Deal.parse`."""
    return _Reader(rules).read(text)


# A line, a column and the token that stands there.
_Place = tuple[int, int, str]


class _Reader:
    """Reads one board from a text, and knows at any time where it is."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.line = 1
        self.columns: list[bytes] = []
        self.cells: bytes | None = None
        self.home: Foundations | None = None
        self.places: dict[int, _Place] = {}

    def read(self, text: str | bytes) -> tuple[Columns, bytes, Foundations]:
        end = (1, 1, "")
        for number, whole_line in enumerate(_LINE_END.split(self.decoded(text)), 1):
            line = whole_line.partition("#")[0].rstrip(" \t\xa0")
            if line:
                self.line = number
                self.read_line(line)
                end = (number, len(line) + 1, "")
        if end[1] == 1:
            raise self.error("the text is empty", "a board, one line for each column", end)
        self.check(end)
        cells = (self.cells or b"").ljust(self.rules.cells, bytes([EMPTY]))
        return tuple(self.columns), cells, self.home or NOTHING_HOME

    def decoded(self, text: str | bytes) -> str:
        if isinstance(text, str):
            return text.removeprefix("\ufeff")
        if not isinstance(text, bytes):
            raise TypeError(f"expected a text or its bytes in UTF-8, not {type(text).__name__}")
        try:
            return text.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            lines = _LINE_END.split(text[: error.start].decode())
            token = repr(text[error.start : error.start + 1])[2:-1]
            place = (len(lines), len(lines[-1]) + 1, token)
            raise self.error(f"the byte {token} is not UTF-8", "a text", place) from None

    def read_line(self, line: str) -> None:
        heading = _HEADING.match(line)
        start = heading.end() if heading else 0
        tokens = ((self.line, found.start() + 1, found[0]) for found in _TOKEN.finditer(line, start))
        if heading and heading["home"]:
            if self.home is not None:
                raise self.error("a second line of foundations", "one", self.place_of(heading))
            self.home = self.foundations(tokens)
        elif heading and heading["cells"]:
            if self.cells is not None:
                raise self.error("a second line of cells", "one", self.place_of(heading))
            self.cells = self.cards_in_cells(tokens)
        else:
            if len(self.columns) == len(self.rules.columns):
                place = self.place_of(heading) if heading else next(tokens)
                raise self.error(f"column {len(self.columns) + 1} of the board", self.expected_columns(), place)
            self.columns.append(bytes([self.card(place) for place in tokens]))

    def foundations(self, tokens: Iterable[_Place]) -> Foundations:
        home: dict[Suit, int] = {}
        for place in tokens:
            suit_text, hyphen, rank_text = place[2].partition("-")
            suit, count = SUIT_OF.get(suit_text), _COUNT_OF.get(rank_text)
            if suit is None or count is None or not hyphen:
                what = f"unknown foundation {quote(place[2])}"
                raise self.error(what, "a suit and the highest rank that is home, such as H-0, H-A or H-10", place)
            if suit in home:
                raise self.error(f"a second foundation of {suit.name.lower()}", "each suit once", place)
            if count > self.rules.ranks:
                raise self.error(f"foundation {quote(place[2])}", f"a deck of {self.rules.ranks} ranks", place)
            home[suit] = count
        clubs, diamonds, hearts, spades = (home.get(suit, 0) for suit in Suit)
        return clubs, diamonds, hearts, spades

    def cards_in_cells(self, tokens: Iterable[_Place]) -> bytes:
        cells = bytearray()
        for place in tokens:
            if len(cells) == self.rules.cells:
                expected = f"at most {self.rules.cells}, as {self.rules.name} has"
                raise self.error(f"{quote(place[2])} is in cell {len(cells) + 1}", expected, place)
            cells.append(EMPTY if place[2] == "-" else self.card(place))
        return bytes(cells)

    def card(self, place: _Place) -> int:
        token = place[2]
        try:
            card = Card(token).index
        except CardError:
            if ":" in token:
                what, expected = "heading", "Foundations:, Freecells: or a column of cards"
            else:
                what, expected = "card", "a rank A 2-9 T J Q K and a suit C D H S, such as TH"
            raise self.error(f"unknown {what} {quote(token)}", expected, place) from None
        if card >= 4 * self.rules.ranks:
            raise self.error(f"{token} is not in the deck", f"ranks up to {RANKS[self.rules.ranks - 1]}", place)
        if card in self.places:
            line, column, _ = self.places[card]
            raise self.error(f"{token} is already at line {line}, column {column}", "each card once", place)
        self.places[card] = place
        return card

    def check(self, end: _Place) -> None:
        """Refuses a board that is not whole."""
        home = self.home or NOTHING_HOME
        at_home = set(cards_home(home))
        twice = [place for card, place in self.places.items() if card in at_home]
        if twice:
            place = min(twice)
            what = f"{place[2]} is also on the foundations ({foundations_text(home)})"
            raise self.error(what, "each card once", place)
        if len(self.columns) < len(self.rules.columns):
            what = f"the board ends after {len(self.columns)} columns"
            raise self.error(what, f"{self.expected_columns()}; an empty column is ':'", end)
        if missing := missing_cards(at_home.union(self.places), self.rules):
            raise self.error(missing, "each card of the deck once", end)

    def expected_columns(self) -> str:
        return f"{len(self.rules.columns)} columns, as {self.rules.name} has"

    def place_of(self, heading: re.Match[str]) -> _Place:
        text = heading[0].lstrip(" \t")
        return self.line, heading.end() - len(text) + 1, text

    @staticmethod
    def error(what: str, expected: str, place: _Place) -> DealError:
        line, column, token = place
        return DealError(f"{what}: expected {expected}", line=line, column=column, token=token)
