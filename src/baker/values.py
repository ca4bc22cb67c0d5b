"""Values: objects that never change, so that a copy of one is the object itself."""

from typing import Self


class Value:
    """The base of all values."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        return self
