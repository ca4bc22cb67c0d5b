"""Threads of a run, and what wakes those who wait for them."""

from __future__ import annotations

import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue


class Bell:
    """Wakes all who wait.  Its lock is never held while anything else is done, so it can be rung from anywhere.

    An interrupt may come at any time in the main thread. What is entered there is a lock of C code, which is either
    held or not whatever comes between; a `threading.Condition` is entered and left by Python code. The lock may be
    entered twice by one thread, as the garbage collector closes answers wherever it finds them.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._waiting: set[SimpleQueue[None]] = set()
        self.rings = 0

    def ring(self) -> None:
        with self._lock:
            self.rings += 1
            waiting, self._waiting = self._waiting, set()
        for one in waiting:
            one.put(None)

    def wait(self, rings: int, seconds: float | None) -> None:
        """Wait until the bell has rung more than so many times, but no longer than so many seconds."""
        mine: SimpleQueue[None] = SimpleQueue()
        with self._lock:
            if self.rings != rings:
                return
            self._waiting.add(mine)
        try:
            mine.get(timeout=seconds)
        except Empty:
            with self._lock:
                self._waiting.discard(mine)


class Worker(threading.Thread):
    """A thread of a run.  It never keeps the interpreter from ending, and never waits for another one to end."""

    def __init__(self, work: Callable[[], None]) -> None:
        super().__init__(target=work, name="solve_many", daemon=True)

    def try_start(self) -> bool:
        """Whether the thread could be started."""
        try:
            self.start()
        except RuntimeError:  # there are too many, or the platform has none
            return False
        return True

    def end(self, seconds: float | None = None) -> None:
        """Wait for its end, unless that would be a worker's waiting for another: two might wait for each other."""
        if not isinstance(threading.current_thread(), Worker):
            self.join(seconds)
