"""The forms in which a text shows a board, lines of columns, a drawing or JSON, split into the parts of a board."""

from __future__ import annotations

import codecs
import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from baker.board_text import Column, DealError, Parts, Place
from baker.cards import RANKS, Card, CardError, quote
from baker.places import CELL_LETTERS
from baker.rules import Rules, RulesError

_LINE_END = re.compile(r"\r\n|\r|\n")
# Blanks are taken for good (`*+`): no line, however long, is scanned twice.
_HEADING = re.compile(
    r"[ \t]*+(?:(?:(?P<home>foundations?|founds)|(?P<cells>freecells|fc))[ \t]*+)?:", re.ASCII | re.IGNORECASE
)
# Other programs pad with blanks, web pages with no-break spaces; any other unseen character is an error.
_BLANKS = " \t\xa0"
_TOKEN = re.compile(f"[^{_BLANKS}]+")
# What separates boards, and cells from columns, where Freecell Solver prints for people.
_DASHES = re.compile("[-=]{2,}")
_GAME = re.compile(r"[ \t]*+game:(.*)", re.ASCII | re.IGNORECASE)
# What DOS and CP/M put after the end of a text, and what pads a record.
_PADDING = "\0\x1a"
# How wide Freecell Solver prints a cell; it leaves the place of an empty one blank.
_CELL_WIDTH = 4
# Parts of other games in the JSON of Solvitaire.
_FOREIGN_KEYS = ("accordion", "hole", "reserve", "sequences", "stock", "waste")

# The number of a line, counted from 1, and the line without its comment.
_Line = tuple[int, str]


def decode_board(text: str | bytes) -> str:
    """The text of a board, from bytes in UTF-8 or UTF-16 if need be, without what may follow its end.

    UTF-16 is told by its byte order mark or by the NULs among its letters. Raises `DealError` that names the first byte
    that is wrong.
    """
    if isinstance(text, str):
        return text.removeprefix("\ufeff").rstrip(_PADDING)
    if not isinstance(text, bytes):
        raise TypeError(f"expected a text or its bytes, not {type(text).__name__}")
    encoding = _encoding(text)
    if encoding == "utf-16-le":
        # The end of the last letter looks like padding too.
        text = text.rstrip(_PADDING.encode())
        text += b"\0" * (len(text) % 2)
    try:
        return text.decode(encoding).removeprefix("\ufeff").rstrip(_PADDING)
    except UnicodeDecodeError as error:
        lines = _LINE_END.split(text[: error.start].decode(encoding).removeprefix("\ufeff"))
        token = repr(text[error.start : error.start + 1])[2:-1]
        place = Place(len(lines), len(lines[-1]) + 1, token)
        raise DealError.at(place, f"the byte {token} is not {encoding.upper()[:6]}", "a text") from None


def _encoding(text: bytes) -> str:
    if text.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    if text.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    body = text.rstrip(_PADDING.encode())
    for first, encoding in ((0, "utf-16-be"), (1, "utf-16-le")):
        if 2 * body[first::2].count(0) > len(body) // 2:
            return encoding
    return "utf-8"


def game_of_board(text: str) -> Rules | None:
    """The rules that the comment ``# game: ...`` of a text names, or None if it has none.

    Raises `DealError` if they cannot be read, or if a second comment names others.
    """
    found: Rules | None = None
    for number, line in enumerate(_LINE_END.split(text), 1):
        comment = line.find("#")
        game = _GAME.match(line, comment + 1) if comment >= 0 else None
        if not game:
            continue
        name = game[1].strip()
        place = Place(number, comment + 1, line[comment:])
        try:
            rules = Rules.parse(name)
        except RulesError as error:
            raise DealError(str(error), line=number, column=comment + 1, token=place.token) from None
        if found is not None and rules != found:
            raise DealError.at(place, f"a second game {quote(name)}", f"one, {quote(found.format())}")
        found = rules
    return found


def board_parts(text: str, rules: Rules) -> Parts:
    """The columns, cells and foundations that a text shows, as what is written there.

    Raises `DealError` if the text has none of the forms, with the likely cause.
    """
    if text.lstrip().startswith("{"):
        return _json_parts(text)
    lines = [(number, _content(line)) for number, line in enumerate(_LINE_END.split(text), 1)]
    for index, line in enumerate(lines):
        tokens = [place.token for place in _places(line)]
        if tokens and tokens == [str(number) for number in range(1, len(tokens) + 1)]:
            return _drawn_parts(lines, index)
    return _column_parts(lines, text, rules)


def _content(line: str) -> str:
    return line.partition("#")[0].rstrip(_BLANKS)


def _places(line: _Line, start: int = 0) -> list[Place]:
    number, content = line
    return [Place(number, found.start() + 1, found[0]) for found in _TOKEN.finditer(content, start)]


def _end(lines: Sequence[_Line]) -> Place:
    last = max((line for line in lines if line[1]), default=(1, ""))
    return Place(last[0], len(last[1]) + 1, "")


# Lines of columns.


def _column_parts(lines: list[_Line], text: str, rules: Rules) -> Parts:
    parts = Parts(end=_end(lines))
    if parts.end.column == 1:
        raise DealError.at(parts.end, "the text is empty", "a board, one line for each column")
    for line in lines:
        if not line[1]:
            continue
        heading = _HEADING.match(line[1])
        if heading and heading["home"]:
            if parts.foundations is not None:
                raise DealError.at(_heading_place(line, heading), "a second line of foundations", "one")
            parts.foundations = _places(line, heading.end())
        elif heading and heading["cells"]:
            if parts.cells is not None:
                raise DealError.at(_heading_place(line, heading), "a second line of cells", "one")
            parts.cells = _cells(line, heading.end())
        else:
            cards = _places(line, heading.end() if heading else 0)
            parts.columns.append(Column(_heading_place(line, heading) if heading else cards[0], cards))
            if not heading and all(_DASHES.fullmatch(card.token) for card in cards):
                what = "a line of dashes, as Freecell Solver prints between boards and, without its option -p, in them"
                raise DealError.at(cards[0], what, "one board, a line for each column")
    _add_empty_columns(parts.columns, text, len(rules.columns))
    parts.other_shape = _other_shape(parts.columns, len(rules.columns))
    return parts


def _heading_place(line: _Line, heading: re.Match[str]) -> Place:
    text = heading[0].lstrip(" \t")
    return Place(line[0], heading.end() - len(text) + 1, text)


def _cells(line: _Line, start: int) -> list[Place]:
    """The cards after ``Freecells:``, with ``-`` for each empty cell that Freecell Solver leaves blank."""
    places = _places(line, start)
    ends = [place.column - 1 + len(place.token) - start for place in places]
    if any(end % _CELL_WIDTH or place.token == "-" for end, place in zip(ends, places, strict=True)):
        return places
    cells: list[Place] = []
    for end, place in zip(ends, places, strict=True):
        # A cell that the game has not is an error soon; a long line of blanks is not worth a cell for each.
        empty = range(len(cells), min(end // _CELL_WIDTH - 1, len(CELL_LETTERS)))
        cells += [Place(line[0], start + _CELL_WIDTH * number + 1, "-") for number in empty]
        cells.append(place)
    return cells


def _add_empty_columns(columns: list[Column], text: str, expected: int) -> None:
    """Takes the blank lines between columns for empty ones if that makes them as many as expected."""
    if not columns or len(columns) >= expected:
        return
    between = range(columns[0].place.line + 1, columns[-1].place.line)
    lines = _LINE_END.split(text)
    blank = [number for number in between if not lines[number - 1].strip(_BLANKS)]
    if len(columns) + len(blank) == expected:
        columns += [Column(Place(number, 1, ""), []) for number in blank]
        columns.sort()


def _other_shape(columns: list[Column], expected: int) -> DealError | None:
    """What the lines seem to hold in place of columns, to be said if the columns are not as many as expected."""
    counts = [len(column.cards) for column in columns]
    if len(counts) == 1 and counts[0] > 1:
        what = f"{counts[0]} cards in one line"
    elif counts and counts[0] == expected and counts == sorted(counts, reverse=True):
        what = f"these look like rows, {len(counts)} of them and {expected} cards in the first one"
    elif len(counts) > expected and set(counts) == {1}:
        what = "one card in each line"
    else:
        return None
    return DealError.at(columns[0].place, what, f"the cards of one column in each line, {expected} columns")


# The drawing of `Deal.__str__`.


def _drawn_parts(lines: list[_Line], numbers_at: int) -> Parts:
    parts = Parts(end=_end(lines))
    numbers = _places(lines[numbers_at])
    above = [line for line in lines[:numbers_at] if line[1]]
    if len(above) > 2 or (len(above) == 2 and not _names_cells(above[0])):
        what = "lines above the numbers of the columns that are not those of a drawn board"
        raise DealError.at(_places(above[0])[0], what, "the letters of the cells, then the cells and the foundations")
    if len(above) == 2:
        cells = len(_places(above[0])) - 1
        parts.cells = _places(above[1])[:cells]
        parts.foundations = _places(above[1])[cells:]
    elif above:
        parts.foundations = _places(above[0])
    # A card stands below the number of its column, and both end at the same place.
    column_at = {place.column + len(place.token): index for index, place in enumerate(numbers)}
    cards: list[list[Place]] = [[] for _ in numbers]
    for depth, line in enumerate([line for line in lines[numbers_at + 1 :] if line[1]]):
        for place in _places(line):
            index = column_at.get(place.column + len(place.token))
            if index is None:
                raise DealError.at(place, f"{quote(place.token)} is below no number", "each card to end below one")
            if len(cards[index]) < depth:
                what = f"there is a gap above {quote(place.token)} in column {index + 1}"
                raise DealError.at(place, what, "a card in each row of a column down to its last one")
            cards[index].append(place)
    parts.columns = [Column(place, below) for place, below in zip(numbers, cards, strict=True)]
    return parts


def _names_cells(line: _Line) -> bool:
    names = [place.token.lower() for place in _places(line)]
    return names == [*CELL_LETTERS[: len(names) - 1], "h"]


# The JSON of Solvitaire.


class _Object(list[tuple[Place, Any]]):
    """The keys and values of a JSON object, in the order of the text."""


_STRING = re.compile(r'"(?:[^"\\]|\\.)*+"')


def _json_parts(text: str) -> Parts:
    """The parts of ``{"tableau piles": [["KC", ...], ...], "cells": [...], "foundations": [["AC", ...], ...]}``."""
    starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
    try:
        document = _placed(json.loads(text, object_pairs_hook=_Object), _strings(text, starts))
    except json.JSONDecodeError as error:
        raise DealError.at(_place_at(error.pos, starts, text[error.pos :][:1]), error.msg, "JSON") from None
    except (RecursionError, ValueError):
        raise DealError.at(Place(1, 1, "{"), "the JSON is too deep or its numbers too long", "a board") from None
    parts = Parts(end=_place_at(len(text.rstrip()), starts, ""))
    found: dict[str, Place] = {}
    for key, value in document:
        name = key.token
        if name in found:
            raise DealError.at(key, f"a second {quote(name)}", "each key once")
        found[name] = key
        if name == "tableau piles":
            parts.columns = [Column((pile or [key])[0], pile) for pile in _piles(key, value)]
        elif name == "cells":
            parts.cells = [cell._replace(token=cell.token or "-") for cell in _cards(key, value)]
        elif name == "foundations":
            parts.foundations = [_foundation(pile) for pile in _piles(key, value) if pile]
        elif name not in _FOREIGN_KEYS or value:
            expected = "tableau piles, cells and foundations"
            raise DealError.at(key, f"{quote(name)} is no part of the games that are known here", expected)
    if "tableau piles" not in found:
        raise DealError.at(parts.end, "the JSON has no tableau piles", "a list of lists of cards")
    return parts


def _strings(text: str, starts: list[int]) -> Iterator[Place]:
    """Where each string of a JSON text stands; its keys are among them."""
    return (_place_at(found.start(), starts, found[0]) for found in _STRING.finditer(text))


def _place_at(position: int, starts: list[int], token: str) -> Place:
    line = bisect_right(starts, position)
    return Place(line, position - starts[line - 1] + 1, token)


def _placed(value: Any, strings: Iterator[Place]) -> Any:
    """The same value with the place of each string; strings come in the order of the text."""
    if isinstance(value, str):
        return next(strings)._replace(token=value)
    if isinstance(value, _Object):
        return _Object([(_placed(key, strings), _placed(item, strings)) for key, item in value])
    if isinstance(value, list):
        return [_placed(item, strings) for item in value]
    return value


def _piles(key: Place, value: Any) -> list[list[Place]]:
    if type(value) is not list:
        raise DealError.at(key, f"{quote(key.token)} is no list", "a list of lists of cards")
    return [_cards(key, pile) for pile in value]


def _cards(key: Place, value: Any) -> list[Place]:
    if type(value) is not list or not all(isinstance(card, Place) for card in value):
        raise DealError.at(key, f"{quote(key.token)} has something else than lists of cards", 'such as ["KC", "7D"]')
    return value


def _foundation(pile: list[Place]) -> Place:
    """The cards of a foundation as `Deal.parse` reads it elsewhere: its suit and its highest rank."""
    cards: list[Card] = []
    for place in pile:
        try:
            cards.append(Card(place.token))
        except CardError as error:
            raise DealError(str(error), line=place.line, column=place.column, token=place.token) from None
        if cards[-1].rank != len(cards) or cards[-1].suit is not cards[0].suit:
            what = f"{quote(place.token)} is card {len(cards)} of a foundation"
            raise DealError.at(place, what, "the cards of one suit from the ace on")
    return pile[-1]._replace(token=f"{cards[0].suit.letter}-{RANKS[len(pile) - 1]}")
