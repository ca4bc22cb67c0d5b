"""Deciding deals: which engine, within which limits, with which answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, NamedTuple, NoReturn, Protocol, Self, SupportsFloat, SupportsIndex, TypeVar

from baker._core import Board
from baker.checks import plain_text, real, shown, whole, yes_or_no
from baker.engines.base import Stop
from baker.engines.choice import borrow, engine_for, give_back
from baker.moves import Move, moves_of
from baker.rules import Rules
from baker.values import Value

DEFAULT_MEMORY = 256 << 20
"""Bytes that one search may hold unless it is told otherwise."""

_MOST = 2**62
NEVER = Stop()
"""A `Stop` that is never set."""


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
    """As many nodes were expanded as were allowed."""
    SECONDS = "seconds"
    """The time was up."""
    MEMORY = "memory"
    """What the search remembers would have taken more bytes than were allowed."""
    STOPPED = "stopped"
    """Not a limit of the search: somebody asked for its end, by `stop`."""


class StopEvent(Protocol):
    """What tells a search to stop, such as a `threading.Event`."""

    def is_set(self) -> bool:
        """Whether the search should stop."""


def _move(move: object) -> Move:
    if not isinstance(move, Move):
        raise TypeError(f"moves have {shown(move)} among them: expected each to be a Move")
    return move


@dataclass(frozen=True, init=False, repr=False)
class Solution(Value):
    """The answer of `solve`, and what it took.

    >>> from baker import Deal, solve
    >>> solve(Deal.microsoft(617))
    <Solution: solved in 98 moves, 29 nodes>
    >>> solve(Deal.microsoft(10)).is_solved
    False

    A solution is neither true nor false, as an undecided one would be neither: ``if solve(deal):`` raises TypeError.

    Raises ValueError if an answer cannot be such, TypeError if its parts are not what they should be.
    """

    __slots__ = ("limit", "moves", "nodes", "seconds", "verdict")

    verdict: Verdict
    moves: tuple[Move, ...]
    """The moves that win, legal one by one; empty unless the verdict is `SOLVED` and moves were asked for."""
    nodes: int
    """How many nodes the engine expanded: positions, or classes of positions that can be reached from each other.

    The same for the same position, rules and version of the package.
    """
    seconds: float
    """The time that the search took, by the clock."""
    limit: Limit | None
    """The limit that was hit if the verdict is `UNDECIDED`, else None."""

    def __new__(
        cls,
        verdict: Verdict | str,
        moves: Iterable[Move],
        nodes: SupportsIndex,
        seconds: SupportsFloat | SupportsIndex,
        limit: Limit | str | None,
    ) -> Self:
        verdict = Verdict(plain_text("verdict", verdict))
        limit = None if limit is None else Limit(plain_text("limit", limit))
        if isinstance(moves, str | bytes):
            raise TypeError(f"moves is {shown(moves)}: expected a list of them")
        moves = tuple(map(_move, moves))
        nodes, seconds = whole("nodes", nodes), real("seconds", seconds)
        if not (nodes >= 0 and seconds >= 0):
            raise ValueError(f"{shown(nodes)} nodes in {seconds} seconds: expected neither to be negative")
        if moves and verdict is not Verdict.SOLVED:
            raise ValueError(f"the verdict is {verdict} and there are moves: expected them only of what is solved")
        if limit is not None and verdict is not Verdict.UNDECIDED:
            raise ValueError(f"the verdict is {verdict} and a limit was hit: expected one only of what is undecided")
        return cls._of(verdict, moves, nodes, seconds, limit)

    @classmethod
    def _of(cls, verdict: Verdict, moves: tuple[Move, ...], nodes: int, seconds: float, limit: Limit | None) -> Self:
        """A solution whose parts are known to be right."""
        solution = object.__new__(cls)
        put = object.__setattr__
        put(solution, "verdict", verdict)
        put(solution, "moves", moves)
        put(solution, "nodes", nodes)
        put(solution, "seconds", seconds)
        put(solution, "limit", limit)
        return solution

    @property
    def is_solved(self) -> bool:
        """Whether the verdict is `SOLVED`: it can be won.  If not, it may be impossible or undecided."""
        return self.verdict is Verdict.SOLVED

    def __bool__(self) -> NoReturn:
        raise TypeError("a solution is neither true nor false, it may be undecided: use is_solved, or its verdict")

    def __repr__(self) -> str:
        what = f" in {len(self.moves)} moves" if self.moves else f" (limit: {self.limit})" if self.limit else ""
        return f"<Solution: {self.verdict}{what}, {self.nodes} nodes>"

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self.verdict), self.moves, self.nodes, self.seconds, self.limit and str(self.limit))


@dataclass(frozen=True, init=False)
class Limits(Value):
    """What each search may use, as one value: so many nodes, seconds, and bytes for what it remembers.

    None is no limit, but for the memory: that is 256 MiB then.

    >>> from baker import Deal, Limits, solve
    >>> solve(Deal.microsoft(11982, "freecell"), limits=Limits(nodes=1000)).limit
    <Limit.NODES: 'nodes'>

    Raises ValueError if one is not positive, TypeError if one is not a number.
    """

    __slots__ = ("memory", "nodes", "seconds")

    nodes: int | None
    seconds: float | None
    memory: int | None

    def __new__(
        cls,
        *,
        nodes: SupportsIndex | None = None,
        seconds: SupportsFloat | None = None,
        memory: SupportsIndex | None = None,
    ) -> Self:
        limits = object.__new__(cls)
        put = object.__setattr__
        put(limits, "nodes", None if nodes is None else _positive("nodes", whole("nodes", nodes)))
        put(limits, "seconds", None if seconds is None else _positive("seconds", real("seconds", seconds)))
        put(limits, "memory", None if memory is None else _positive("memory", whole("memory", memory)))
        return limits

    def __reduce__(self) -> tuple[object, ...]:
        return _limits_of, (self.nodes, self.seconds, self.memory)


def _limits_of(nodes: int | None, seconds: float | None, memory: int | None) -> Limits:
    """The limits of a pickle."""
    return Limits(nodes=nodes, seconds=seconds, memory=memory)


class EngineLimits(NamedTuple):
    """The limits of a search as engines take them: 0 is none."""

    nodes: int
    seconds: float
    memory: int


def read_limits(
    max_nodes: SupportsIndex | None,
    max_seconds: SupportsFloat | None,
    max_memory: SupportsIndex | None,
    limits: Limits | None = None,
) -> EngineLimits:
    """The limits that a user has set, one by one or in one value.

    Raises ValueError if one is not positive or set in both ways, TypeError if one is not a number.
    """
    if limits is not None and not isinstance(limits, Limits):
        raise TypeError(f"limits is {shown(limits)}: expected Limits, such as Limits(nodes=1000)")
    nodes = _either("nodes", None if max_nodes is None else _count("max_nodes", max_nodes), limits)
    memory = _either("memory", None if max_memory is None else _count("max_memory", max_memory), limits)
    seconds = None if max_seconds is None else _positive("max_seconds", real("max_seconds", max_seconds))
    return EngineLimits(
        min(nodes or 0, _MOST), _either("seconds", seconds, limits) or 0.0, min(memory or DEFAULT_MEMORY, _MOST)
    )


def _either(name: str, given: Any, limits: Limits | None) -> Any:
    """A limit that is set by itself or in `limits`."""
    there = None if limits is None else getattr(limits, name)
    if given is not None and there is not None:
        raise ValueError(f"max_{name} and limits.{name} are both set: expected one of them")
    return there if given is None else given


def _count(name: str, limit: object) -> int:
    return min(_positive(name, whole(name, limit)), _MOST)


_Number = TypeVar("_Number", int, float)


def _positive(name: str, number: _Number) -> _Number:
    if not number > 0:
        raise ValueError(f"{name} is {shown(number)}: expected a positive number")
    return number


# As engines answer: status, limit, nodes, seconds and the codes of the moves.
Answer = tuple[int, int, int, float, bytes]
# Of a deal that was never begun, because work was to stop.
STOPPED: Answer = (0, 4, 0, 0.0, b"")

_VERDICTS = (Verdict.UNDECIDED, Verdict.SOLVED, Verdict.IMPOSSIBLE, Verdict.UNDECIDED)
_LIMITS = (None, Limit.NODES, Limit.SECONDS, Limit.MEMORY, Limit.STOPPED)


def read_answer(answer: Answer) -> Solution:
    """The solution that an engine has answered."""
    status, limit, nodes, seconds, codes = answer
    return Solution._of(_VERDICTS[status], moves_of(codes), nodes, seconds, _LIMITS[limit])


def read_stop(event: StopEvent | None) -> Stop:
    """The sign to stop that an event gives.  Raises TypeError if it is not one."""
    if event is None:
        return NEVER
    if isinstance(event, type) or not callable(getattr(event, "is_set", None)):
        raise TypeError(f"stop is {shown(event)}: expected an event, such as threading.Event()")
    return Stop(event)


class Position(Protocol):
    """What can be solved: a `baker.Deal`, or a `baker.Game` as it stands."""

    @property
    def rules(self) -> Rules:
        """The rules that it is played by."""

    def to_board(self) -> Board:
        """A board of its own with the same position."""


def board_of(position: Position) -> Board:
    """The board of a deal or of a game as it stands.  Raises TypeError if it is neither."""
    try:
        to_board = position.to_board
    except AttributeError:
        raise TypeError(f"expected a Deal or a Game, not {type(position).__name__}") from None
    return to_board()


def solve(
    position: Position,
    *,
    moves: bool = True,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
    limits: Limits | None = None,
    stop: StopEvent | None = None,
) -> Solution:
    """The verdict on a deal, or on a game as it stands, and the moves that win it from there.

    `SOLVED` comes with moves that are legal one by one under the rules of the game, unless ``moves=False`` asks
    for the verdict alone, which is faster. `IMPOSSIBLE` means that the search was exhausted. `UNDECIDED` means that
    a limit was hit, and which one: `max_nodes` nodes of the search, `max_seconds` seconds, `max_memory` bytes for what
    the search remembers (256 MiB if it is not given). `limits` is all three in one value.

    Nodes and memory are those of this search alone, so with the same two limits the answer is always the same. Up to a
    sixteenth of `max_memory`, and 8 MiB at most, may be held besides, which an earlier search has left. `max_seconds`
    is passed by some milliseconds, or some percent if it is long.

    >>> from baker import Deal, solve
    >>> solution = solve(Deal.microsoft(617))
    >>> solution.verdict, " ".join(map(str, solution.moves[:5]))
    (<Verdict.SOLVED: 'solved'>, '6a 5b 78 2c 2d')
    >>> solve(Deal.microsoft(10)).verdict
    <Verdict.IMPOSSIBLE: 'impossible'>
    >>> solve(Deal.microsoft(11982, "freecell"), max_nodes=1000).limit
    <Limit.NODES: 'nodes'>

    The search runs without the GIL, so several threads can solve at once. KeyboardInterrupt ends it.

    `stop` ends it from another thread: a `threading.Event`, or anything else with a method `is_set`, which is called
    every few milliseconds. Once that returns True the answer is `UNDECIDED`, and its limit `STOPPED`. So an asyncio
    task can give up waiting and end the work as well:

    >>> import asyncio, threading
    >>> async def solve_within(seconds: float, deal: Deal) -> Solution:
    ...     stop = threading.Event()
    ...     search = asyncio.to_thread(solve, deal, stop=stop)
    ...     try:
    ...         return await asyncio.wait_for(search, seconds)
    ...     finally:
    ...         stop.set()
    >>> asyncio.run(solve_within(60, Deal.microsoft(617))).verdict
    <Verdict.SOLVED: 'solved'>

    Raises TypeError if `position` is neither a deal nor a game or a limit is not a number, ValueError if a limit is not
    positive. An error of `stop` comes out as it is.
    """
    board = board_of(position)
    moves = yes_or_no("moves", moves)
    sign = read_stop(stop)
    within = read_limits(max_nodes, max_seconds, max_memory, limits)
    engine = borrow(engine_for(position.rules))
    (answer,) = engine.decide_boards([board], moves, *within, sign)
    give_back(engine)
    return read_answer(answer)
