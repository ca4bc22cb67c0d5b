"""What surveys show: shares with their intervals, and quantiles."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple

from baker.rules import GAMES, Rules
from baker.solver import Verdict
from baker.surveys.store import printable

if TYPE_CHECKING:
    import pyarrow as pa

# The quantile of the normal distribution that leaves 2.5 % on either side.
_Z95 = 1.959963984540054
# Rows of a table that is worth a call.
_LARGE = 1 << 17


class Interval(NamedTuple):
    """A share between two bounds."""

    low: float
    high: float


class Spread(NamedTuple):
    """How a quantity is spread over the deals: its mean, some quantiles and the largest value."""

    mean: float
    median: float
    p90: float
    p99: float
    p999: float
    largest: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The result of a survey."""

    game: str
    """The name of the game, and the rules in which it differs from the game of that name."""
    solved: int
    impossible: int
    undecided: int
    nodes: Spread | None
    """None if no deal is done, as with the others."""
    seconds: Spread | None
    moves: Spread | None
    """Of the deals that are solved; None if moves were not asked for."""

    @property
    def deals(self) -> int:
        """How many deals are done."""
        return self.solved + self.impossible + self.undecided

    @property
    def share(self) -> Interval:
        """The share of deals that can be won, if none of the undecided can and if all of them can."""
        deals = self.deals or math.nan
        return Interval(self.solved / deals, (self.solved + self.undecided) / deals)

    @property
    def interval(self) -> Interval:
        """The bounds of the share among all deals, with 95 % confidence; undecided deals count against either bound."""
        return Interval(wilson(self.solved, self.deals).low, wilson(self.solved + self.undecided, self.deals).high)


def wilson(successes: int, trials: int) -> Interval:
    """The 95 % confidence interval of Wilson for a share of which a sample is known.

    >>> low, high = wilson(75, 100)
    >>> print(f"{low:.4f} {high:.4f}")
    0.6570 0.8245
    """
    if trials == 0:
        return Interval(0.0, 1.0)
    share, z2 = successes / trials, _Z95 * _Z95
    middle = share + z2 / (2 * trials)
    half = _Z95 * math.sqrt(share * (1 - share) / trials + z2 / (4 * trials * trials))
    # At the ends rounding must not leave a gap.
    low = 0.0 if successes == 0 else (middle - half) / (1 + z2 / trials)
    high = 1.0 if successes == trials else (middle + half) / (1 + z2 / trials)
    return Interval(low, high)


class Tallies(NamedTuple):
    """How many deals have each verdict, number of nodes, of microseconds and of moves: as large for any survey."""

    verdicts: Counter[str]
    nodes: Counter[int]
    microseconds: Counter[int]
    moves: Counter[int]


def tally(tables: Iterable[pa.Table]) -> Tallies:
    """What is in the columns `verdict`, `nodes`, `seconds` and `moves` of tables."""
    from pyarrow import compute

    tallies = Tallies(Counter(), Counter(), Counter(), Counter())
    for table in _in_large_ones(tables):
        microseconds = compute.cast(compute.round(compute.multiply(table["seconds"], 1e6)), "int64")
        columns = table["verdict"], table["nodes"], microseconds, table["moves"]
        counters: tuple[Counter[Any], ...] = tallies
        for counter, column in zip(counters, columns, strict=True):
            count_values(counter, column)
    return tallies


def count_values(counter: Counter[Any], column: pa.ChunkedArray) -> None:
    """Add how often each value is in a column, null left out."""
    values, counts = column.drop_null().value_counts().flatten()
    counter.update(dict(zip(values.to_pylist(), counts.to_pylist(), strict=True)))


def _in_large_ones(tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
    """The tables, put together to larger ones: values are then counted where they are, not one by one."""
    import pyarrow

    some: list[pa.Table] = []
    for table in tables:
        some.append(table)
        if sum(map(len, some)) >= _LARGE:
            yield pyarrow.concat_tables(some)
            some = []
    if some:
        yield pyarrow.concat_tables(some)


def summarize(rules: Rules, tallies: Tallies) -> Summary:
    """The summary of deals under these rules."""
    return Summary(
        game=title(rules),
        solved=tallies.verdicts[Verdict.SOLVED],
        impossible=tallies.verdicts[Verdict.IMPOSSIBLE],
        undecided=tallies.verdicts[Verdict.UNDECIDED],
        nodes=_spread(tallies.nodes),
        seconds=_spread(tallies.microseconds, 1e-6),
        moves=_spread(tallies.moves),
    )


def title(rules: Rules) -> str:
    """The name of a game, and the rules in which it differs from the game of that name."""
    usual = GAMES.get(rules.name)
    if usual is None:
        return printable(rules.name)
    changes = [
        f"{name} {getattr(rules, name)}"
        for name in Rules.__dataclass_fields__
        if name != "name" and getattr(rules, name) != getattr(usual, name)
    ]
    return ", ".join([rules.name, *changes])


def _spread(tally: Mapping[int, int], unit: float = 1) -> Spread | None:
    if not tally:
        return None
    values = sorted(tally)
    up_to = list(accumulate(tally[value] for value in values))
    mean = sum(value * count for value, count in tally.items()) / up_to[-1]
    quantiles = (values[bisect_right(up_to, round(share * (up_to[-1] - 1)))] for share in (0.5, 0.9, 0.99, 0.999, 1))
    return Spread(mean * unit, *(value * unit for value in quantiles))
