"""`solve_many`, and the answers that it gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from concurrent.futures import Executor
from types import TracebackType
from typing import Self, TypeVar

from baker.batch.run import Result, Run
from baker.batch.sources import Items, Numbers, ReadAhead, Source
from baker.batch.threads import Bell
from baker.batch.work import AnyDeal, Order
from baker.batch.workers import Remote, Threads, Workers, processors
from baker.checks import shown, whole, yes_or_no
from baker.deals import Deal, check_number
from baker.engines.base import Stop
from baker.game import Game
from baker.rules import Rules, rules_of
from baker.solver import Limits, Solution, StopEvent, read_limits, read_stop

_Answer = TypeVar("_Answer")


def solve_many(
    deals: Iterable[int | Deal | Game],
    *,
    rules: Rules | str | None = None,
    moves: bool = True,
    threads: int | None = None,
    executor: Executor | None = None,
    max_nodes: int | None = None,
    max_seconds: float | None = None,
    max_memory: int | None = None,
    limits: Limits | None = None,
    stop: StopEvent | None = None,
) -> Solutions:
    """The answers of `solve` for many deals, in their order, as an iterator that works ahead while it is read.

    `deals` are numbers, which stand for the Microsoft deals under `rules` (Baker's Game if not given), or deals and
    games, each under its own rules; these must be `rules` if that is given. Numbers in a `range` are dealt by the
    engine itself and cost least. The limits are those of each single deal, as in `solve`.

    >>> from baker import solve_many
    >>> from collections import Counter
    >>> Counter(solution.verdict.value for solution in solve_many(range(1, 101), moves=False))
    Counter({'solved': 76, 'impossible': 24})

    `Solutions.as_completed` gives pairs of a deal and its answer instead, what is ready first.

    The iterable may be endless, and it may be slow: what is ready comes out while it is waited for. Unless it is a
    range, a list or a tuple, a thread of its own reads it, some deals ahead; so an iterable that belongs to the thread
    it was made in, such as a cursor of sqlite3, has to be read into a list first.

    The work is done by so many `threads` (one for each processor if it is not given; 1,024 at most), and never holds
    the GIL; the calling thread does it if that is one thread, or if no thread can be started. Or it is done by
    the workers of an `executor`: a ``concurrent.futures.ProcessPoolExecutor``, Dask's ``Client.get_executor()``, or
    another one. These get batches of deals that take about a quarter of a second. A batch whose worker fails is tried
    again, three times in all, then in halves, so that only the deal to blame gets the error.

    KeyboardInterrupt, closing the iterator, or the end of the program ends the work at once; what the workers of an
    executor have begun they end. The executor stays open.

    `stop` ends it from another thread, as it does for `solve`. Once it is set no more deals are begun. Those in work
    are undecided with the limit `STOPPED`, and then the iteration ends. The workers of an executor cannot see it: what
    they have begun they end, but nobody waits for it.

    Raises `RulesError`, TypeError or ValueError at once if an argument is wrong, and `DealError` if a number of a
    range is. For any other iterable the error of an item that is not a deal, or has other rules than `rules`, comes in
    place of its answer (`DealError`, TypeError or ValueError), as does the error of a deal that no worker can decide;
    the answers to the deals after it can still be read. An error of the iterable itself, of `stop`, or of an executor
    that takes no more work, is the last that comes.
    """
    if threads is not None and executor is not None:
        raise ValueError("threads and an executor: expected only one of them")
    if threads is not None and (threads := whole("threads", threads)) < 1:
        raise ValueError(f"threads is {shown(threads)}: expected a positive number")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise TypeError(f"executor is {shown(executor)}: expected one of concurrent.futures, or like them")
    if not isinstance(deals, Iterable) or isinstance(deals, str | bytes):
        raise TypeError(f"deals is {shown(deals)}: expected numbers, deals and games")
    within = read_limits(max_nodes, max_seconds, max_memory, limits)
    order = Order(
        rules_of("bakers_game" if rules is None else rules), rules is not None, yes_or_no("moves", moves), within
    )
    read_stop(stop)
    bell = Bell()
    source: Source
    if isinstance(deals, range):
        for number in (deals[0], deals[-1]) if deals else ():
            check_number(number, order.rules)
        source = Numbers(deals)
    elif type(deals) in (list, tuple):
        source = Items(deals, order.item)
    else:
        source = ReadAhead(deals, order.item, bell)
    workers: Workers = (
        Remote(executor, bell) if executor is not None else Threads(threads or processors(), Stop(stop), bell)
    )
    return Solutions(Run(source, workers, order, bell, stop, len(deals) if isinstance(deals, Sized) else None))


class _Reader(Iterator[_Answer]):
    """What is read from a run.  It is true, as iterators are, however many answers are left."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def __len__(self) -> int:
        """How many answers are still to come, those that are errors included.

        Raises TypeError if the deals come from an iterable that does not know how many it has.
        """
        if (left := self._run.left) is None:
            raise TypeError("the number of deals is not known")
        return left

    def __bool__(self) -> bool:
        return True

    def close(self) -> None:
        """End the work; nothing more comes.

        Any thread may do so at any time: others that wait for an answer get StopIteration.
        """
        self._run.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # Without a run if an argument was missing.
        if hasattr(self, "_run"):
            self.close()


class Solutions(_Reader[Solution]):
    """The answers of `solve_many`, one after the other.

    `next` raises the error of a deal that has no answer; the call after that goes on with the next deal. `len` is the
    number of answers that are still to come, if the deals say how many they are, so that a progress bar knows it.
    In a ``with`` statement the work ends with the block, whatever ends that:

    >>> with solve_many(range(1, 1_000_000), rules="penguin") as answers:
    ...     print(len(answers), next(answers).verdict, len(answers))
    999999 solved 999998

    Several threads may read the same answers: each answer goes to one of them. A process that was forked from the one
    that reads gets RuntimeError.
    """

    _completed = False

    def __next__(self) -> Solution:
        if self._completed:
            raise StopIteration
        run = self._run
        # Errors remember the frames that were there, and would keep the work going in a loop that they have ended.
        del self
        _, result = next(run)
        if isinstance(result, Exception):
            try:
                raise result
            finally:
                del result
        return result

    def __len__(self) -> int:
        return 0 if self._completed else super().__len__()

    def as_completed(self) -> CompletedSolutions:
        """Each deal, as it was given, with its answer or with the error that came instead: what is ready comes first.

        So nothing waits for a hard deal but those that are decided in one batch with it.

        >>> pairs = solve_many([617, 10], moves=False).as_completed()
        >>> {deal: answer.is_solved for deal, answer in pairs if isinstance(answer, Solution)} == {617: True, 10: False}
        True

        An error of the iterable of deals, or of an executor that takes no more work, is raised and ends it.

        Raises RuntimeError if some answers have been read in order.
        """
        with self._run.lock:
            if self._run.is_begun or self._completed:
                raise RuntimeError("some answers have been read already: expected as_completed before the first")
            self._completed = True
            self._run.in_order = False
        return CompletedSolutions(self._run)

    def __del__(self) -> None:
        if not self._completed:
            super().__del__()


class CompletedSolutions(_Reader[tuple[AnyDeal, Result]]):
    """Deals and what came of them, as `Solutions.as_completed` gives them.

    It can be read, closed, and shared by threads as `Solutions` can; `len` is the number of pairs still to come.
    """

    def __next__(self) -> tuple[int | Deal | Game, Solution | Exception]:
        run = self._run
        # As in `Solutions`.
        del self
        return next(run)
