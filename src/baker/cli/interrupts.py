"""Interrupts that end a command at once, but cut no line in two."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Terminated(BaseException):
    """The process was told to end, by SIGTERM."""


class Interrupts:
    """While it is open, SIGINT raises KeyboardInterrupt and SIGTERM `Terminated`, in the main thread.

    Signals that are ignored, as in a job in the background, or that somebody else handles are left alone.
    """

    def __init__(self) -> None:
        self._usual: dict[signal.Signals, Any] = {}
        self._raises = True
        self._is_held = False
        self._received: int | None = None

    def __enter__(self) -> Interrupts:
        if threading.current_thread() is threading.main_thread():
            for number, usual in ((signal.SIGINT, signal.default_int_handler), (signal.SIGTERM, signal.SIG_DFL)):
                if signal.getsignal(number) is usual:
                    self._usual[number] = signal.signal(number, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        for number, handler in self._usual.items():
            signal.signal(number, handler)

    @contextmanager
    def held(self) -> Iterator[None]:
        """A first signal waits until the end of this; a second one does not.

        So does one whose exception was lost, as happens in finalizers, which cannot raise.
        """
        self._is_held = True
        yield
        self._is_held = False
        if self._received is not None:
            _raise(self._received)

    def ignore(self) -> None:
        """Signals have had their effect: raise nothing more."""
        self._raises = False

    def _handle(self, number: int, _: object) -> None:
        is_first = self._received is None
        self._received = number
        if self._raises and not (self._is_held and is_first):
            _raise(number)


def _raise(number: int) -> None:
    raise Terminated if number == signal.SIGTERM else KeyboardInterrupt
