"""One run over many deals: what is in work, what comes next, and how it ends."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from baker.batch.sources import FIRST_SIZE, Source
from baker.batch.threads import Bell
from baker.batch.work import Answers, AnyDeal, Batch, Item, Order
from baker.batch.workers import Task, Workers
from baker.solver import STOPPED, Solution, StopEvent, read_answer

_LARGEST_SIZE = 8192
# Answers that wait for one before them: enough for the others to be busy while a hard deal takes its time.
_DEALS_AHEAD = 1 << 15
# How often a batch is given to a worker before its deals are tried one by one.
_TRIES = 3
# How often an event is looked at while nothing else happens.
_EVENT_SECONDS = 0.05

Result = Solution | Exception
"""What came of a deal."""
Pair = tuple[AnyDeal, Result]
"""A deal, as it was given, and what came of it."""


class Run(Iterator[Pair]):
    """Deals and what came of them, one after the other; several threads may read, and any may close.

    Only readers begin work, so none is done for those who have stopped reading but what is in work already. All of
    it happens under `lock`, but for what may take long: waiting, deciding, and handing a batch to an executor.
    """

    def __init__(
        self, source: Source, workers: Workers, order: Order, bell: Bell, stop: StopEvent | None, total: int | None
    ) -> None:
        self.lock = threading.RLock()
        self.in_order = True
        self._source = source
        self._workers = workers
        self._order = order
        self._bell = bell
        self._stop = stop
        self._left = total
        # The process that reads, once there is one.
        self._process: int | None = None
        # Batches have so many deals.
        self._size = FIRST_SIZE
        # What is in work or done, in the order of the deals; what of it is in work; how many deals it has.
        self._ahead: deque[Task] = deque()
        self._busy: set[Task] = set()
        self._deals_ahead = 0
        # What is being handed out.
        self._pairs: Iterator[Pair] = iter(())
        self._is_stopped = False
        self._is_closed = False

    @property
    def is_begun(self) -> bool:
        """Whether anything has been read."""
        return self._process is not None

    @property
    def left(self) -> int | None:
        """How many pairs are still to come, if that is known."""
        return 0 if self._is_closed else self._left

    def __next__(self) -> Pair:
        if self._process != os.getpid():
            self._enter_process()
        try:
            while True:
                with self.lock:
                    for pair in self._pairs:
                        if self._left:
                            self._left -= 1
                        return pair
                    rings = self._bell.rings
                    new = self._plan()
                    has_more = self._take_done(new)
                    if not has_more and not self._ahead and (self._source.is_over or self._is_stopped):
                        break
                for task in new:
                    self._workers.begin(task)
                if not (has_more or new or self._workers.help()):
                    self._bell.wait(rings, None if self._stop is None else _EVENT_SECONDS)
        except BaseException:  # of the run, not of a deal
            self.close()
            raise
        self.close()
        raise StopIteration

    def close(self) -> None:
        """End the work; nothing more comes.  Those who wait for more are told so."""
        if self._process not in (None, os.getpid()):
            return
        with self.lock:
            self._is_closed = self._is_stopped = True
            self._pairs = iter(())
            ahead, self._ahead = self._ahead, deque()
        self._bell.ring()
        self._workers.close(ahead)
        self._source.close()

    def _enter_process(self) -> None:
        """Begin in this process, unless another thread of it just has.  Raises RuntimeError in a fork of that."""
        if self._process is None:
            with _running_lock:
                if self._process is None:
                    self._process = os.getpid()
                    _running.add(self)
        if self._process != os.getpid():
            raise RuntimeError(
                f"these answers are those of process {self._process}, from which this one was forked: "
                "expected a solve_many of its own"
            )

    # All that follows is called under the lock.

    def _plan(self) -> list[Task]:
        """Take deals from the source as long as there should be more in work; the tasks that are to be begun."""
        new: list[Task] = []
        if self._stop is not None and not self._is_stopped and self._stop.is_set():
            self._leave_undecided()
        self._busy = {task for task in self._busy if task.outcome is None}
        look_ahead = self._workers.look_ahead
        while (
            not self._is_stopped
            and len(self._busy) < look_ahead
            and (len(self._ahead) < look_ahead or self._deals_ahead < _DEALS_AHEAD)
        ):
            given = self._source.take(self._size, look_ahead, len(self._busy) < self._workers.count)
            if given is None:
                break
            task = self._task(*given)
            self._ahead.append(task)
            self._deals_ahead += task.size
            if task.outcome is None:
                new.append(task)
                self._busy.add(task)
        return new

    def _task(self, given: Sequence[AnyDeal], deals: range | list[Item] | BaseException) -> Task:
        if isinstance(deals, BaseException):
            return Task(given, None, 0, deals)
        return Task(given, Batch(deals, self._order.rules, self._order.moves, self._order.limits), _TRIES)

    def _leave_undecided(self) -> None:
        """Begin nothing more, as the event is set."""
        self._is_stopped = True
        self._source.close()
        for task in self._ahead:
            if task.outcome is None:
                self._workers.give_up(task)

    def _take_done(self, new: list[Task]) -> bool:
        """Hand out the next task that is done, if there is one; or add to `new` what is to be done again."""
        candidates = islice(self._ahead, 1) if self.in_order else self._ahead
        task = next((task for task in candidates if task.outcome is not None), None)
        if task is None:
            return False
        self._ahead.remove(task)
        self._deals_ahead -= task.size
        outcome = task.outcome
        if isinstance(outcome, Exception) and task.batch is not None:
            if again := self._again(task, task.batch):
                self._ahead.extendleft(reversed(again))
                self._deals_ahead += task.size
                self._busy.update(again)
                new += again
                return False
            if self._is_stopped:
                outcome = Answers([STOPPED] * task.size, 0.0)
        if isinstance(outcome, Answers):
            wanted = int(task.size * self._workers.batch_seconds / max(outcome.seconds, 1e-6))
            self._size = max(1, min(wanted, 2 * self._size, _LARGEST_SIZE))
            self._pairs = zip(task.given, map(read_answer, outcome.answers), strict=True)
        elif isinstance(outcome, Exception) and task.given:
            self._pairs = iter([(task.given[0], outcome)])
        else:
            assert outcome is not None
            raise outcome
        return True

    def _again(self, task: Task, batch: Batch) -> list[Task]:
        """What is to be done instead of a task that has failed: nothing if the error is what has come of it."""
        if self._is_stopped:
            return []
        if task.tries > 1:
            return [Task(task.given, batch, task.tries - 1)]
        if task.size == 1:
            return []
        halves = slice(task.size // 2), slice(task.size // 2, None)
        return [Task(task.given[half], replace(batch, deals=batch.deals[half]), 1) for half in halves]


# The runs that somebody reads, so that they end before the interpreter does.
_running: weakref.WeakSet[Run] = weakref.WeakSet()
_running_lock = threading.Lock()


def _begin_anew() -> None:
    """In the child of a fork: the runs are the parent's, and so is whoever holds the lock."""
    global _running_lock  # noqa: PLW0603
    _running_lock = threading.Lock()
    _running.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


@atexit.register
def _close_all() -> None:
    with _running_lock:
        runs = list(_running)
    for run in runs:
        run.close()
