"""How the time of a call grows with the size of what it is given, whatever the speed of the machine."""

import gc
import time
from collections.abc import Callable

import pytest


def thread_seconds(work: Callable[[int], object], size: int) -> float:
    # What a collection costs depends on all that earlier tests have left.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        start = time.thread_time()
        work(size)
        return time.thread_time() - start
    finally:
        if was_enabled:
            gc.enable()


def check_linear(work: Callable[[int], object], size: int = 1 << 17) -> None:
    """Eight times the size takes about eight times the time of the CPU, not the square of it.

    Other programs disturb caches and clock rates: one try of five has to do.
    """
    for _ in range(5):
        least = min(thread_seconds(work, size // 8) for _ in range(3))
        most = thread_seconds(work, size)
        if most < 24 * least:
            return
    pytest.fail(f"{most:.3f} s for a size of {size}, {least:.3f} s for an eighth of it")
