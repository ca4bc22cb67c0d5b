"""Moves: the places that cards go between, and how moves are written as text and as JSON."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from baker._core import MoveTable
from baker.cards import quote

FIRST_CELL = 16
"""The place of the first cell; the columns are the places before it."""
FOUNDATION = 24
"""The place that stands for all foundations; the cells are the places before it."""
CELL_LETTERS = "abcdefgi"
"""What the cells are called; ``h`` is home, the foundations."""

_PLACE = r"[1-9]|1[0-6]|[a-i]"
_MOVE = re.compile(rf"(?:([1-9a-i])([1-9a-i])|({_PLACE})-({_PLACE}))(?:x([1-9][0-9]?))?")


class IllegalMoveError(ValueError):
    """A move that the rules forbid here, or a text that is not a move."""


@dataclass(frozen=True, slots=True)
class Move:
    """Cards that go from one place to another: columns are 0 to 15, cells 16 to 23, the foundations 24.

    Its text is the usual notation of FreeCell. Columns are counted from ``1``, the cells are ``a b c d e f g i`` and
    ``h`` is home, the foundations: ``26``, ``3a``, ``a5``, ``4h``. More than one card is written ``26x3``. If a column
    past the ninth takes part there is a hyphen between the places: ``10-3``, ``12-h``.

    >>> str(Move(1, 5)), str(Move(1, 5, 3)), str(Move(23, 24)), str(Move(9, 16))
    ('26', '26x3', 'ih', '10-a')

    Raises ValueError if there are no such places, or the count is not between 1 and 52.
    """

    source: int
    target: int
    count: int = 1
    """How many cards move."""
    code: int = field(init=False, repr=False, compare=False)
    """The number that `baker._core` knows the move by."""
    text: str = field(init=False, repr=False, compare=False)
    """The move as `str` writes it; it is made once."""

    def __post_init__(self) -> None:
        if not (0 <= self.source <= FOUNDATION and 0 <= self.target <= FOUNDATION):
            raise ValueError(f"places {self.source} and {self.target}: expected 0 to {FOUNDATION}")
        if not 1 <= self.count <= 52:
            raise ValueError(f"a move of {self.count} cards: expected 1 to 52")
        source, target = place_name(self.source), place_name(self.target)
        hyphen = "-" if len(source) + len(target) > 2 else ""
        object.__setattr__(self, "code", self.count << 10 | self.target << 5 | self.source)
        object.__setattr__(self, "text", f"{source}{hyphen}{target}{f'x{self.count}' if self.count > 1 else ''}")

    def __str__(self) -> str:
        return self.text

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
        Move(source=3, target=5, count=2)

        Raises ValueError if it is not one.
        """
        match value:
            case [str(source), str(target), int(count)] if source in _BY_JSON_NAME and target in _BY_JSON_NAME:
                return cls(_BY_JSON_NAME[source], _BY_JSON_NAME[target], count)
        raise ValueError(f"{quote(str(value))} is not a move: expected a list such as ['t3', 't5', 2]")


_moves = MoveTable(lambda code: Move(code & 31, code >> 5 & 31, code >> 10))

move_of = _moves.__getitem__
"""The move of a code."""
moves_of = _moves.read
"""The moves of the codes that an engine answers with."""


def place_name(place: int) -> str:
    """What a place is called in the text of a move.

    >>> place_name(0), place_name(15), place_name(16), place_name(23), place_name(24)
    ('1', '16', 'a', 'i', 'h')
    """
    if place < FIRST_CELL:
        return str(place + 1)
    return (CELL_LETTERS + "h")[place - FIRST_CELL]


def read_move(text: str) -> tuple[int, int, int | None]:
    """The source, the target and the count that the text of a move gives; None where it gives no count.

    >>> read_move("26x3"), read_move("10-H")
    ((1, 5, 3), (9, 24, None))

    Raises `IllegalMoveError` if the text is not that of a move.
    """
    found = _MOVE.fullmatch(text.strip().lower())
    if found is None:
        raise IllegalMoveError(f"{quote(text)} is not a move: expected one such as 26, 3a, a5, 4h, 26x3 or 10-3")
    source, target = (_BY_NAME[name] for name in found.groups()[:4] if name)
    return source, target, int(found[5]) if found[5] else None


def _json_name(place: int) -> str:
    if place < FIRST_CELL:
        return f"t{place}"
    return f"c{place - FIRST_CELL}" if place < FOUNDATION else "f"


_BY_NAME = {place_name(place): place for place in range(FOUNDATION + 1)}
_BY_JSON_NAME = {_json_name(place): place for place in range(FOUNDATION + 1)}
