"""Interrupts that do not cut a line in two."""

from __future__ import annotations

import signal
import threading


class Interrupts:
    """Lets interrupts end a search at once, but not a line that is being counted and printed, unless they insist."""

    def __init__(self) -> None:
        self._holding = False
        self._held = False

    def __enter__(self) -> Interrupts:
        # They may be ignored, as in a job in the background, or be somebody else's business.
        self._ours = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if self._ours:
            signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def hold(self) -> None:
        self._holding = True

    def release(self) -> None:
        self._holding = False
        if self._held:
            raise KeyboardInterrupt

    def _handle(self, *_: object) -> None:
        if not self._holding or self._held:
            raise KeyboardInterrupt
        self._held = True
