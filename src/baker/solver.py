"""Deciding deals: which engine, within which limits, with which answer."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from baker._core import Board
from baker._same_suit import SameSuitSearch
from baker._search import PlainSearch
from baker.deals import Deal
from baker.game import Game, Move
from baker.rules import Build, Fill, Group, Rules

DEFAULT_MEMORY = 256 << 20
"""Bytes that one search may hold unless it is told otherwise."""

# What an engine does between two looks at the clock and at pending signals: some hundredths of a second.
_SLICE = 1 << 15

_RUNNING, _SOLVED, _IMPOSSIBLE, _OUT_OF_MEMORY = range(4)


class Verdict(StrEnum):
    """The answer to whether a position can be won."""

    SOLVED = "solved"
    """It can: there are moves that win."""
    IMPOSSIBLE = "impossible"
    """It cannot: every line was followed to its end."""
    UNDECIDED = "undecided"
    """Not known: a limit came first."""


class Limit(StrEnum):
    """What ended a search before it had an answer."""

    NODES = "nodes"
    SECONDS = "seconds"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Solution:
    """The answer of `solve`, and what it took."""

    verdict: Verdict
    moves: tuple[Move, ...]
    """The moves that win, legal one by one; empty unless the verdict is `SOLVED` and moves were asked for."""
    nodes: int
    """How many nodes the engine expanded: positions, or classes of positions that can be reached from each other.

    The same for the same position, rules and version of the package.
    """
    seconds: float
    """The time it took."""
    limit: Limit | None
    """The limit that was hit if the verdict is `UNDECIDED`, else None."""


class _Search(Protocol):
    """The shape of every engine: set up, advance until the status says more than "running", then ask for the moves."""

    def setup(self, board: Board, max_memory: int) -> None: ...
    def advance(self, nodes: int) -> int: ...
    def moves(self, effort: int) -> list[int] | None: ...
    @property
    def nodes(self) -> int: ...


def _engine(rules: Rules) -> Callable[[], _Search]:
    """The engine that decides games of these rules."""
    if rules.build is Build.SAME_SUIT and rules.fill is not Fill.NONE and rules.group is not Group.UNLIMITED:
        return SameSuitSearch
    return PlainSearch


# Searches that are not in use; making one costs more than many a search.
_idle: dict[Callable[[], _Search], list[_Search]] = {SameSuitSearch: [], PlainSearch: []}


def solve(
    position: Deal | Game,
    *,
    moves: bool = True,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
) -> Solution:
    """The verdict on a deal, or on a game as it stands, and the moves that win it from there.

    `SOLVED` comes with moves that are legal one by one under the rules of the game, unless ``moves=False`` asks
    for the verdict alone, which is faster. `IMPOSSIBLE` means that the search was exhausted. `UNDECIDED` means that
    a limit was hit, and which one: `max_nodes` nodes of the search, `max_seconds` seconds, `max_memory` bytes for what
    the search remembers (256 MiB if it is not given).

    >>> from baker import Deal, solve
    >>> solution = solve(Deal.microsoft(617))
    >>> solution.verdict
    <Verdict.SOLVED: 'solved'>
    >>> solve(Deal.microsoft(1)).verdict
    <Verdict.IMPOSSIBLE: 'impossible'>
    >>> solve(Deal.microsoft(11982, "freecell"), max_nodes=1000).limit
    <Limit.NODES: 'nodes'>

    The search runs without the GIL, so several threads can solve at once. KeyboardInterrupt ends it.

    Raises TypeError if `position` is neither a deal nor a game, ValueError if a limit is not positive.
    """
    start = time.perf_counter()
    if isinstance(position, Deal):
        position = Game(position)
    elif not isinstance(position, Game):
        raise TypeError(f"expected a Deal or a Game, not {type(position).__name__}")
    for name, limit in (("max_nodes", max_nodes), ("max_seconds", max_seconds), ("max_memory", max_memory)):
        if limit is not None and not limit > 0:
            raise ValueError(f"{name} is {limit!r}: expected a positive number")
    engine = _engine(position.rules)
    search = idle.pop() if (idle := _idle[engine]) else engine()
    deadline = None if max_seconds is None else start + max_seconds
    codes: list[int] = []
    search.setup(position._board, DEFAULT_MEMORY if max_memory is None else max_memory)
    verdict, limit = _decide(search, max_nodes, deadline)
    if verdict is Verdict.SOLVED and moves:
        try:
            while (found := search.moves(_SLICE)) is None:
                if deadline is not None and time.perf_counter() >= deadline:
                    verdict, limit = Verdict.UNDECIDED, Limit.SECONDS
                    break
            codes = found or []
        except MemoryError:
            verdict, limit = Verdict.UNDECIDED, Limit.MEMORY
    nodes = search.nodes
    idle.append(search)
    return Solution(verdict, tuple(map(Move._of, codes)), nodes, time.perf_counter() - start, limit)


def _decide(search: _Search, max_nodes: int | None, deadline: float | None) -> tuple[Verdict, Limit | None]:
    """Advance a search to its end, or to a limit."""
    budget = _SLICE
    while True:
        if max_nodes is not None:
            budget = min(_SLICE, max_nodes - search.nodes)
        status = search.advance(budget)
        if status == _SOLVED:
            return Verdict.SOLVED, None
        if status == _IMPOSSIBLE:
            return Verdict.IMPOSSIBLE, None
        if status == _OUT_OF_MEMORY:
            return Verdict.UNDECIDED, Limit.MEMORY
        if max_nodes is not None and search.nodes >= max_nodes:
            return Verdict.UNDECIDED, Limit.NODES
        if deadline is not None and time.perf_counter() >= deadline:
            return Verdict.UNDECIDED, Limit.SECONDS
