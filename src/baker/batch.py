"""Deciding many deals, by threads or the workers of an executor, in order or not, with Python out of the way."""

from __future__ import annotations

import os
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from inspect import GEN_CREATED, getgeneratorstate
from itertools import chain, groupby
from operator import index, itemgetter
from typing import NamedTuple

from baker._core import Board, Dealer
from baker.board_text import Foundations
from baker.deals import Deal, check_number
from baker.engines.base import Engine, Stop
from baker.game import Game
from baker.rules import Rules, rules_of
from baker.solver import (
    NEVER,
    Answer,
    Limits,
    Solution,
    board_of,
    borrow,
    engine_for,
    give_back,
    read_answer,
    read_limits,
)

# How long a batch should take: short enough for results to keep coming, long enough for it to
# cost nothing to hand over, be it to a thread or to another machine.
_THREAD_SECONDS = 0.05
_EXECUTOR_SECONDS = 0.25
_FIRST_SIZE = 16
_LARGEST_SIZE = 8192
# Answers that wait for one before them: enough for the others to be busy while a hard deal takes its time.
_DEALS_AHEAD = 1 << 15
# How often a batch is given to a worker before its deals are tried one by one.
_TRIES = 3
# For how many workers there is work if an executor does not say how many it has.
_USUAL_WORKERS = 64

_Solvable = int | Deal | Game
# What came of a deal.
_Result = Solution | Exception
# Deals and what came of them.
_Parts = Generator[tuple[Sequence[_Solvable], Iterable[_Result]], None, None]


def solve_many(
    deals: Iterable[int | Deal | Game],
    *,
    rules: Rules | str = "bakers_game",
    moves: bool = True,
    threads: int | None = None,
    executor: Executor | None = None,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
) -> Solutions:
    """The answers of `solve` for many deals, in their order, as an iterator that works ahead while it is read.

    `deals` are numbers, which stand for the Microsoft deals under `rules`, or deals and games with rules of their
    own; an endless iterable will do. Numbers in a `range` are dealt by the engine itself and cost least. The limits
    are those of each single deal.

    >>> from baker import solve_many
    >>> from collections import Counter
    >>> Counter(solution.verdict.value for solution in solve_many(range(1, 101), moves=False))
    Counter({'solved': 76, 'impossible': 24})

    `Solutions.as_completed` gives pairs of a deal and its answer instead, what is ready first.

    The work is done by so many `threads` (one for each processor if it is not given), and never holds the GIL; or by
    the workers of an `executor`: a ``concurrent.futures.ProcessPoolExecutor``, Dask's ``Client.get_executor()``, or
    another one. These get batches of deals that take about a quarter of a second. A batch whose worker fails is tried
    again, three times in all, then in halves, so that only the deal to blame gets the error.

    KeyboardInterrupt, or closing the iterator, ends the work at once; what the workers of an executor have begun they
    end. The executor stays open.

    Raises `RulesError` or ValueError at once if the rules or the limits are wrong, and `DealError` if a number of a
    range is. For any other iterable `DealError` or TypeError comes in place of the answer to what is no deal, as does
    the error of a deal that no worker can decide; the answers to the deals after it can still be read. An error of
    the iterable itself, or of an executor that takes no more work, is the last that comes.
    """
    if threads is not None and executor is not None:
        raise ValueError("threads and an executor: expected only one of them")
    if threads is not None and index(threads) < 1:
        raise ValueError(f"threads is {threads!r}: expected a positive number")
    rules = rules_of(rules)
    kind = _Batch(range(0), rules, moves, read_limits(max_nodes, max_seconds, max_memory))
    if isinstance(deals, range):
        for number in (deals[0], deals[-1]) if deals else ():
            check_number(number, rules)
    if executor is None:
        return Solutions(partial(_by_threads, deals, kind, threads or _processors()))
    return Solutions(partial(_by_executor, deals, kind, executor))


class Solutions(Iterator[Solution]):
    """The answers of `solve_many`, one after the other.

    `next` raises the error of a deal that has no answer; the call after that goes on with the next deal.
    """

    def __init__(self, start: Callable[[bool], _Parts]) -> None:
        self._start = start
        parts = start(True)
        self._results: Iterator[_Result] = chain.from_iterable(results for _, results in parts)
        # What is to be closed.
        self._work: Generator[object, None, None] = parts

    def __next__(self) -> Solution:
        try:
            result = next(self._results)
        except StopIteration:
            raise
        except BaseException:  # of the run, not of a deal
            self.close()
            raise
        if isinstance(result, Exception):
            try:
                raise result
            finally:
                # The error remembers this frame, and would keep the work going in a loop that it has ended.
                del self, result
        return result

    def as_completed(self) -> Iterator[tuple[int | Deal | Game, Solution | Exception]]:
        """Each deal, as it was given, with its answer or with the error that came instead: what is ready comes first.

        So nothing waits for a hard deal but those that are decided in one batch with it.

        >>> dict(solve_many([617, 10], moves=False).as_completed())[10].verdict
        <Verdict.IMPOSSIBLE: 'impossible'>

        An error of the iterable of deals, or of an executor that takes no more work, is raised and ends it.

        Raises RuntimeError if some answers have been read in order.
        """
        if getgeneratorstate(self._work) != GEN_CREATED:
            raise RuntimeError("some answers have been read already: expected as_completed before the first of them")
        self._results = iter(())
        self._work = pairs = _pairs(self._start(False))
        return pairs

    def close(self) -> None:
        """End the work; nothing more comes."""
        self._work.close()
        self._results = iter(())


def _pairs(parts: _Parts) -> Generator[tuple[_Solvable, _Result], None, None]:
    with closing(parts):
        for given, results in parts:
            yield from zip(given, results, strict=True)


_Position = tuple[Rules, tuple[bytes, ...], bytes, Foundations]


@dataclass(frozen=True, slots=True)
class _Batch:
    """Deals for one worker, small to pickle: Microsoft numbers under `rules`, and positions under their own."""

    deals: range | list[int | _Position]
    rules: Rules
    moves: bool
    limits: Limits

    def decide(self, stop: Stop) -> list[Answer]:
        if isinstance(self.deals, range):
            first, step, count = self.deals.start, self.deals.step, len(self.deals)
            engine = borrow(engine_for(self.rules))
            answers = engine.decide_numbers(Dealer(self.rules), first, step, count, self.moves, *self.limits, stop)
            give_back(engine)
            return answers
        answers = []
        for kind, group in groupby(self._boards(self.deals), key=itemgetter(0)):
            engine = borrow(kind)
            answers += engine.decide_boards([board for _, board in group], self.moves, *self.limits, stop)
            give_back(engine)
        return answers

    def _boards(self, deals: list[int | _Position]) -> Iterator[tuple[type[Engine], Board]]:
        dealer = None
        for deal in deals:
            if isinstance(deal, int):
                dealer = dealer or Dealer(self.rules)
                yield engine_for(self.rules), dealer.board(deal)
            else:
                yield engine_for(deal[0]), Board(*deal)


class _Answers(NamedTuple):
    answers: list[Answer]
    seconds: float


def _decide(batch: _Batch, stop: Stop = NEVER) -> _Answers:
    """What the workers do."""
    start = time.perf_counter()
    return _Answers(batch.decide(stop), time.perf_counter() - start)


_Submit = Callable[[_Batch], "Future[_Answers]"]
# Deals, and the batch of them or why there is none; no deals, and the error of the iterable that should have more.
_Given = tuple[Sequence[_Solvable], _Batch | Exception]


def _by_threads(deals: Iterable[_Solvable], kind: _Batch, threads: int, in_order: bool) -> _Parts:
    stop = Stop()
    with ThreadPoolExecutor(threads, "solve_many") as pool:
        try:
            run = _Run(kind, lambda batch: pool.submit(_decide, batch, stop), _THREAD_SECONDS)
            yield from run.parts(deals, 2 * threads, in_order)
        finally:
            stop.set()


def _by_executor(deals: Iterable[_Solvable], kind: _Batch, executor: Executor, in_order: bool) -> _Parts:
    run = _Run(kind, lambda batch: executor.submit(_decide, batch), _EXECUTOR_SECONDS)
    yield from run.parts(deals, 4 * _workers(executor), in_order)


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """Deals in work, as they were given and as the worker has them; or, without a batch, what is no deal."""

    given: Sequence[_Solvable]
    batch: _Batch | None
    future: Future[_Answers]
    tries: int

    @property
    def size(self) -> int:
        return len(self.given)


class _Run:
    """One run over many deals.  Batches of work are made as they are needed, `size` deals each."""

    def __init__(self, kind: _Batch, submit: _Submit, batch_seconds: float) -> None:
        self.kind = kind
        self.submit = submit
        self.batch_seconds = batch_seconds
        self.size = _FIRST_SIZE

    def parts(self, deals: Iterable[_Solvable], look_ahead: int, in_order: bool) -> _Parts:
        """What comes of the deals, with so many batches in work, however long the first of them takes."""
        batches = self.numbers(deals, look_ahead) if isinstance(deals, range) else self.batches(deals)
        ahead: deque[_Task] = deque()
        busy: set[Future[_Answers]] = set()
        deals_ahead = 0
        try:
            while True:
                busy = {future for future in busy if not future.done()}
                while len(busy) < look_ahead and (len(ahead) < look_ahead or deals_ahead < _DEALS_AHEAD):
                    batch = next(batches, None)
                    if batch is None:
                        break
                    ahead.append(self.start(*batch))
                    busy.add(ahead[-1].future)
                    deals_ahead += ahead[-1].size
                if not ahead:
                    return
                candidates = (ahead[0],) if in_order else ahead
                task = next((task for task in candidates if task.future.done()), None)
                if task is None:
                    wait(busy, return_when=FIRST_COMPLETED)
                    continue
                ahead.remove(task)
                try:
                    answers, seconds = task.future.result()
                except Exception as error:
                    if again := self.try_again(task, error):
                        ahead.extendleft(reversed(again))
                        busy.update(one.future for one in again)
                        continue
                    results: Iterable[_Result] = (error,)
                else:
                    wanted = int(len(answers) * self.batch_seconds / max(seconds, 1e-6))
                    self.size = max(1, min(wanted, 2 * self.size, _LARGEST_SIZE))
                    results = map(read_answer, answers)
                deals_ahead -= task.size
                yield task.given, results
        finally:
            for task in ahead:
                task.future.cancel()

    def try_again(self, task: _Task, error: Exception) -> list[_Task]:
        """What is to be done instead of a task that has failed: nothing if the error is what has come of it."""
        if task.batch is None:
            if not task.given:
                raise error
            return []
        if task.tries > 1:
            return [self.start(task.given, task.batch, task.tries - 1)]
        if task.size == 1:
            return []
        halves = slice(task.size // 2), slice(task.size // 2, None)
        return [self.start(task.given[half], replace(task.batch, deals=task.batch.deals[half]), 1) for half in halves]

    def start(self, given: Sequence[_Solvable], batch: _Batch | Exception, tries: int = _TRIES) -> _Task:
        if isinstance(batch, _Batch):
            return _Task(given, batch, self.submit(batch), tries)
        future: Future[_Answers] = Future()
        future.set_exception(batch)
        return _Task(given, None, future, 1)

    def numbers(self, numbers: range, look_ahead: int) -> Iterator[_Given]:
        while numbers:
            # Towards the end batches get smaller, so that all workers come to it together.
            size = min(self.size, max(_FIRST_SIZE, len(numbers) // look_ahead))
            part, numbers = numbers[:size], numbers[size:]
            yield part, replace(self.kind, deals=part)

    def batches(self, deals: Iterable[_Solvable]) -> Iterator[_Given]:
        given: list[_Solvable] = []
        part: list[int | _Position] = []
        failure: _Given | None = None
        try:
            for deal in deals:
                try:
                    part.append(self.place(deal))
                    given.append(deal)
                except Exception as error:  # whatever it is, it comes in its turn
                    failure = [deal], error
                if part and (failure or len(part) >= self.size):
                    yield given, replace(self.kind, deals=part)
                    given, part = [], []
                if failure:
                    yield failure
                    failure = None
        except Exception as error:  # of the iterable
            failure = [], error
        if part:
            yield given, replace(self.kind, deals=part)
        if failure:
            yield failure

    def place(self, deal: _Solvable) -> int | _Position:
        """A deal as a worker gets it."""
        if isinstance(deal, Deal):
            return deal.rules, deal._columns, deal._cells, deal.foundations
        if isinstance(deal, Game):
            board = board_of(deal)
            return deal.rules, tuple(map(bytes, board.columns())), bytes(board.cells()), board.foundations()
        try:
            return check_number(deal, self.kind.rules)
        except TypeError:
            raise TypeError(f"expected the number of a deal, a Deal or a Game, not {type(deal).__name__}") from None


def _processors() -> int:
    """How many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _workers(executor: Executor) -> int:
    """How many workers an executor has.  None has to say so, but those that people use do."""
    workers: int | None = getattr(executor, "_max_workers", None)  # of concurrent.futures and loky
    workers = getattr(executor, "num_workers", workers)  # of mpi4py
    client = getattr(executor, "_client", None)  # of Dask
    if client is not None:
        workers = sum(client.nthreads().values())
    return workers or _USUAL_WORKERS
