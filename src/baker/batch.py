"""Deciding many deals: in all threads, in order, with Python out of the way."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import groupby, islice
from operator import index, itemgetter
from typing import NoReturn

from baker._core import Board, Dealer
from baker._engine import Engine, Stop
from baker.deals import Deal, check_number
from baker.game import Game
from baker.rules import Rules, rules_of
from baker.solver import Answer, Limits, Solution, board_of, borrowed, engine_for, read_answer, read_limits

# How long a batch should take: short enough for results to keep coming, long enough for it to
# cost nothing to hand over.
_BATCH_SECONDS = 0.05
_FIRST_SIZE = 16
_LARGEST_SIZE = 8192


def solve_many(
    deals: Iterable[int | Deal | Game],
    *,
    rules: Rules | str = "bakers_game",
    moves: bool = True,
    threads: int | None = None,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
) -> Generator[Solution, None, None]:
    """The answers of `solve` for many deals, in their order, as an iterator that works ahead while it is read.

    `deals` are numbers, which stand for the Microsoft deals under `rules`, or deals and games with rules of their
    own; an endless iterable will do. Numbers in a `range` are dealt by the engine itself and cost least. The work is
    done by so many `threads` (one for each processor if it is not given), and never holds the GIL. The limits
    are those of each single deal.

    >>> from baker import solve_many
    >>> from collections import Counter
    >>> Counter(solution.verdict.value for solution in solve_many(range(1, 101), moves=False))
    Counter({'solved': 76, 'impossible': 24})

    KeyboardInterrupt, or closing the iterator, ends the work at once.

    Raises `RulesError` or ValueError at once if the rules or the limits are wrong, and `DealError` if a number of a
    range is; for any other iterable `DealError` or TypeError comes in place of the answer to what is no deal.
    """
    if threads is not None and index(threads) < 1:
        raise ValueError(f"threads is {threads!r}: expected a positive number")
    rules = rules_of(rules)
    run = _Run(rules, moves, read_limits(max_nodes, max_seconds, max_memory))
    if isinstance(deals, range):
        for number in (deals[0], deals[-1]) if deals else ():
            check_number(number, rules)
        return run.solutions(run.numbers(deals), threads or _processors())
    return run.solutions(run.boards(deals), threads or _processors())


def _processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


_Batch = Callable[[], list[Answer]]


class _Run:
    """One run over many deals.  Batches of work are made as they are needed, `size` deals each."""

    def __init__(self, rules: Rules, moves: bool, limits: Limits) -> None:
        self.rules = rules
        self.moves = moves
        self.limits = limits
        self.stop = Stop()
        self.size = _FIRST_SIZE

    def numbers(self, numbers: range) -> Iterator[_Batch]:
        """The batches of a range of Microsoft numbers."""
        if numbers:
            dealer = Dealer(self.rules)
            kind = engine_for(self.rules)
        while numbers:
            part, numbers = numbers[: self.size], numbers[self.size :]
            yield partial(self.decide_numbers, kind, dealer, part)

    def boards(self, deals: Iterable[int | Deal | Game]) -> Iterator[_Batch]:
        """The batches of any deals; each goes to one engine."""
        boards = _Boards(deals, self.rules)
        for kind, group in groupby(boards, key=itemgetter(0)):
            while part := [board for _, board in islice(group, self.size)]:
                yield partial(self.decide_boards, kind, part)
        if boards.error is not None:
            yield partial(_fail, boards.error)

    def decide_numbers(self, kind: type[Engine], dealer: Dealer, part: range) -> list[Answer]:
        with borrowed(kind) as engine:
            return engine.decide_numbers(dealer, part.start, part.step, len(part), self.moves, *self.limits, self.stop)

    def decide_boards(self, kind: type[Engine], boards: list[Board]) -> list[Answer]:
        with borrowed(kind) as engine:
            return engine.decide_boards(boards, self.moves, *self.limits, self.stop)

    def solutions(self, batches: Iterator[_Batch], threads: int) -> Generator[Solution, None, None]:
        """The answers of the batches, which the threads work on ahead of time."""
        ahead: deque[Future[tuple[list[Answer], float]]] = deque()
        with ThreadPoolExecutor(threads, "solve_many") as pool:
            try:
                for batch in batches:
                    ahead.append(pool.submit(_timed, batch))
                    if len(ahead) > 2 * threads:
                        yield from self.read_batch(*ahead.popleft().result())
                while ahead:
                    yield from self.read_batch(*ahead.popleft().result())
            finally:
                self.stop.set()
                pool.shutdown(cancel_futures=True)

    def read_batch(self, answers: list[Answer], seconds: float) -> Iterator[Solution]:
        wanted = int(len(answers) * _BATCH_SECONDS / max(seconds, 1e-6))
        self.size = max(1, min(wanted, 2 * self.size, _LARGEST_SIZE))
        return map(read_answer, answers)


class _Boards:
    """Each deal's engine and board.  An error ends them and is kept, so that what was read before is not lost."""

    error: Exception | None = None

    def __init__(self, deals: Iterable[int | Deal | Game], rules: Rules) -> None:
        self.deals = deals
        self.rules = rules

    def __iter__(self) -> Iterator[tuple[type[Engine], Board]]:
        try:
            dealer = None
            for deal in self.deals:
                if isinstance(deal, Deal | Game):
                    yield engine_for(deal.rules), board_of(deal)
                else:
                    number = check_number(deal, self.rules)
                    dealer = dealer or Dealer(self.rules)
                    yield engine_for(self.rules), dealer.board(number)
        except Exception as error:  # whatever it is, it is raised again in its turn
            self.error = error


def _fail(error: Exception) -> NoReturn:
    raise error


def _timed(batch: _Batch) -> tuple[list[Answer], float]:
    start = time.perf_counter()
    return batch(), time.perf_counter() - start
