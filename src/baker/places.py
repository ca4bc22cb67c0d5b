"""Places: the columns, the cells and the foundations that moves go between."""

from __future__ import annotations

from typing import ClassVar, SupportsIndex

from baker.checks import plain_text, shown, whole

FIRST_CELL = 16
"""The number of the first cell; the columns are the numbers before it."""
FOUNDATION = 24
"""The number that stands for all foundations; the cells are those before it."""
CELL_LETTERS = "abcdefgi"
"""What the cells are called; ``h`` is home, the foundations."""

_NAMES: tuple[str, ...] = (*map(str, range(1, FIRST_CELL + 1)), *CELL_LETTERS, "h")


class Place(int):
    """A column, a cell or the foundations, by its name in the notation of moves or by its number.

    Columns are ``1`` to ``16``, cells ``a b c d e f g i``, the foundations together ``h``. As a number, columns are 0
    to 15, cells 16 to 23, the foundations 24. There are 25 places, each a single object.

    >>> place = Place("2")
    >>> place, int(place), place.is_column, str(Place(24))
    (Place('2'), 1, True, 'h')

    Raises ValueError if there is no such place, TypeError if it is neither a text nor a whole number.
    """

    __slots__ = ()

    FOUNDATIONS: ClassVar[Place]
    """The foundations, ``h``."""

    def __new__(cls, place: SupportsIndex | str) -> Place:
        if isinstance(place, str):
            found = _BY_NAME.get(plain_text("place", place).lower())
            if found is None:
                raise ValueError(f"place is {shown(place)}: expected a column 1 to 16, a cell a to g or i, or h")
            return found
        number = whole("place", place)
        if not 0 <= number <= FOUNDATION:
            raise ValueError(f"place is {shown(number)}: expected a place, 0 to {FOUNDATION}")
        return PLACES[number]

    @staticmethod
    def column(number: SupportsIndex) -> Place:
        """The column of a number, counted from 0 as in `Game.columns`.  Raises ValueError if it is not 0 to 15.

        >>> Place.column(0)
        Place('1')
        """
        return _counted("column", number, 0, FIRST_CELL)

    @staticmethod
    def cell(number: SupportsIndex) -> Place:
        """The cell of a number, counted from 0 as in `Game.cells`.  Raises ValueError if it is not 0 to 7.

        >>> Place.cell(7)
        Place('i')
        """
        return _counted("cell", number, FIRST_CELL, FOUNDATION)

    @property
    def is_column(self) -> bool:
        """Whether it is a column."""
        return self < FIRST_CELL

    @property
    def is_cell(self) -> bool:
        """Whether it is a cell."""
        return FIRST_CELL <= self < FOUNDATION

    @property
    def is_foundations(self) -> bool:
        """Whether it is the foundations."""
        return self == FOUNDATION

    def __str__(self) -> str:
        name: str = _NAMES[self]
        return name

    def __repr__(self) -> str:
        return f"Place('{self}')"

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __reduce__(self) -> tuple[object, ...]:
        return Place, (int(self),)

    def __copy__(self) -> Place:
        return self

    def __deepcopy__(self, memo: object) -> Place:
        return self


def _counted(kind: str, number: SupportsIndex, first: int, end: int) -> Place:
    index = whole(kind, number)
    if not 0 <= index < end - first:
        raise ValueError(f"{kind} is {shown(index)}: expected 0 to {end - first - 1}")
    return PLACES[first + index]


PLACES = tuple([int.__new__(Place, number) for number in range(FOUNDATION + 1)])
"""All places, by their numbers."""
_BY_NAME = {str(place): place for place in PLACES}
Place.FOUNDATIONS = PLACES[FOUNDATION]
