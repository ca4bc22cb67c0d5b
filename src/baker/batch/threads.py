"""Threads of a run, and what wakes those who wait for them."""

from __future__ import annotations

import threading
from collections.abc import Callable


class Bell:
    """Wakes all who wait.  Its lock is never held while anything else is done, so it can be rung from anywhere."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self.rings = 0

    def ring(self) -> None:
        with self._condition:
            self.rings += 1
            self._condition.notify_all()

    def wait(self, rings: int, seconds: float | None) -> None:
        """Wait until the bell has rung more than so many times, but no longer than so many seconds."""
        with self._condition:
            while self.rings == rings:
                if not self._condition.wait(seconds):
                    return


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
