"""Which deals a survey decides: Microsoft numbers or seeds, a range or a list of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from operator import index
from typing import Literal

from baker.deals import Deal, check_number
from baker.rules import Rules

Kind = Literal["microsoft", "seeds"]

# Numbers that are named one by one are kept in the description of the survey.
MOST_LISTED = 1_000_000


@dataclass(frozen=True, slots=True)
class Selection:
    """Deals in an order that a larger selection keeps."""

    kind: Kind
    values: range | tuple[int, ...]
    """Microsoft numbers or seeds."""

    @property
    def places(self) -> range:
        """What the parts are named by: the values themselves if they are a range, else their places from 1 on."""
        return self.values if isinstance(self.values, range) else range(1, len(self.values) + 1)

    @property
    def size(self) -> int:
        """How many deals they are; `len` has its limit at 2^63 - 1."""
        return self.places.stop - self.places.start

    def at(self, places: range) -> Sequence[int]:
        """The values at some of the places."""
        if isinstance(self.values, range):
            return places
        return self.values[places.start - 1 : places.stop - 1]

    def deals(self, places: range, rules: Rules) -> Iterable[int | Deal]:
        """The deals at some of the places, as `solve_many` takes them."""
        values = self.at(places)
        return values if self.kind == "microsoft" else (Deal.random(seed, rules) for seed in values)

    def holds(self, smaller: Selection) -> bool:
        """Whether what was done for a smaller selection can stay: a range within this one, the beginning of a list."""
        if self.kind != smaller.kind:
            return False
        if isinstance(self.values, range):
            there = smaller.values
            return isinstance(there, range) and self.values.start <= there.start and there.stop <= self.values.stop
        return self.values[: len(smaller.values)] == smaller.values

    def __str__(self) -> str:
        prefix = "seeds " if self.kind == "seeds" else ""
        if isinstance(self.values, range):
            return f"{prefix}{self.values[0]}-{self.values[-1]}"
        return f"{len(self.values)} {'seeds' if prefix else 'numbers'}"


def select(kind: Kind, values: object, rules: Rules) -> Selection:
    """The selection of a range or a list of values.

    Raises ValueError if they are no such thing or one is there twice, `DealError` if one has no deal under the rules.
    """
    if isinstance(values, range):
        if values.step != 1 or not values:
            raise ValueError(f"the numbers are {values!r}: expected a range such as range(1, 1001)")
        for value in (values[0], values[-1]):
            _check(kind, value, rules)
        return Selection(kind, values)
    if not isinstance(values, Sequence) or isinstance(values, str | bytes) or not 0 < len(values) <= MOST_LISTED:
        raise ValueError(f"expected the numbers as a range or as a list of 1 to {MOST_LISTED}")
    listed = tuple([_check(kind, value, rules) for value in values])
    seen: set[int] = set()
    for value in listed:
        if value in seen:
            raise ValueError(f"{value} is listed twice: expected each number once")
        seen.add(value)
    return Selection(kind, listed)


def _check(kind: Kind, value: object, rules: Rules) -> int:
    if isinstance(value, bool):
        raise TypeError("expected the number of a deal, not bool")
    number = index(value)  # type: ignore[arg-type]
    if kind == "microsoft":
        return check_number(number, rules)
    Deal.random(number, rules)
    return number
