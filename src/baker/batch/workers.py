"""Who decides batches: the calling thread, threads, or the workers of an executor."""

from __future__ import annotations

import os
import threading
from collections import deque
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor, Future
from dataclasses import dataclass
from functools import partial
from typing import Protocol

from baker.batch.threads import Bell, Worker
from baker.batch.work import Answers, AnyDeal, Batch, decide
from baker.engines.base import Stop
from baker.solver import STOPPED

# How long a batch should take: short enough for results to keep coming, long enough for it to
# cost nothing to hand over, be it to a thread or to another machine.
_THREAD_SECONDS = 0.05
_EXECUTOR_SECONDS = 0.25
# More threads than this are not started, whatever is asked for.
_MOST_THREADS = 1024
# For how many workers there is work if an executor does not say how many it has.
_USUAL_WORKERS = 64


@dataclass(slots=True, eq=False)
class Task:
    """Deals in work, as they were given and as the worker has them; `batch` is None if there is nothing to decide."""

    given: Sequence[AnyDeal]
    batch: Batch | None
    tries: int
    outcome: Answers | BaseException | None = None
    """What came of it; None as long as nothing has."""
    future: Future[Answers] | None = None

    @property
    def size(self) -> int:
        return len(self.given)


class Workers(Protocol):
    """Those who decide the batches of a run.  They ring a bell whenever they have done one."""

    batch_seconds: float
    """How long a batch should take."""

    @property
    def count(self) -> int:
        """How many they are."""

    @property
    def look_ahead(self) -> int:
        """How many batches should be in work."""

    def begin(self, task: Task) -> None:
        """Have a task done."""

    def help(self) -> bool:
        """Do one task in the calling thread, if nobody else would.  Whether there was one."""

    def give_up(self, task: Task) -> None:
        """Leave a task undecided, if its worker does not look at what tells it to stop."""

    def close(self, tasks: Iterable[Task]) -> None:
        """End the work on these tasks."""


class Threads:
    """So many threads, started as they are needed; one thread, or none if none can be started, is the caller's own."""

    batch_seconds = _THREAD_SECONDS

    def __init__(self, count: int, stop: Stop, bell: Bell) -> None:
        self.count = min(count, _MOST_THREADS)
        self._stop = stop
        self._bell = bell
        self._todo: deque[Task] = deque()
        # Entered by those who read: a lock that an interrupt cannot leave held (see `Bell`).
        self._lock = threading.RLock()
        # Of the workers, where no interrupt comes.
        self._condition = threading.Condition(self._lock)
        self._threads: list[Worker] = []
        self._idle = 0
        self._is_closed = False

    @property
    def look_ahead(self) -> int:
        return 2 * self.count if self.count > 1 else 1

    def begin(self, task: Task) -> None:
        with self._lock:
            self._todo.append(task)
            self._condition.notify()
            if self._idle < len(self._todo) and 1 < self.count > len(self._threads) and not self._is_closed:
                worker = Worker(self._work)
                if worker.try_start():
                    self._threads.append(worker)
                else:
                    # With those that there are.
                    self.count = max(1, len(self._threads))

    def help(self) -> bool:
        with self._lock:
            if self._threads or not self._todo:
                return False
            task = self._todo.popleft()
        self._do(task, Exception)
        return True

    def give_up(self, task: Task) -> None:
        """Nothing: the engines look at the event themselves."""

    def close(self, tasks: Iterable[Task]) -> None:
        self._stop.set()
        with self._lock:
            self._is_closed = True
            self._todo.clear()
            self._condition.notify_all()
        for worker in self._threads:
            worker.end()

    def _work(self) -> None:
        while True:
            with self._condition:
                while not self._todo:
                    if self._is_closed:
                        return
                    self._idle += 1
                    self._condition.wait()
                    self._idle -= 1
                task = self._todo.popleft()
            self._do(task, BaseException)
            del task

    def _do(self, task: Task, caught: type[BaseException]) -> None:
        assert task.batch is not None
        try:
            task.outcome = decide(task.batch, self._stop)
        except caught as error:
            task.outcome = error
        self._bell.ring()


class Remote:
    """The workers of an executor."""

    batch_seconds = _EXECUTOR_SECONDS

    def __init__(self, executor: Executor, bell: Bell) -> None:
        self.count = _workers(executor)
        self.look_ahead = 4 * self.count
        self._executor = executor
        self._bell = bell

    def begin(self, task: Task) -> None:
        assert task.batch is not None
        task.future = self._executor.submit(decide, task.batch)
        task.future.add_done_callback(partial(self._done, task))

    def help(self) -> bool:
        return False

    def give_up(self, task: Task) -> None:
        if task.future is not None:
            task.future.cancel()
        task.outcome = Answers([STOPPED] * task.size, 0.0)

    def close(self, tasks: Iterable[Task]) -> None:
        for task in tasks:
            if task.future is not None:
                task.future.cancel()

    def _done(self, task: Task, future: Future[Answers]) -> None:
        try:
            outcome: Answers | BaseException = future.result()
            if not isinstance(outcome, Answers):
                outcome = TypeError(f"the executor gave {type(outcome).__name__}: expected the answers of a batch")
            elif len(outcome.answers) != task.size:
                outcome = ValueError(f"the executor gave {len(outcome.answers)} answers for {task.size} deals")
        except BaseException as error:
            outcome = error
        if task.outcome is None:
            task.outcome = outcome
        self._bell.ring()


def processors() -> int:
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
