"""Searches that are told to stop from outside."""

import asyncio
import threading
import time

import pytest
from hard_deals import HARD, MUCH_MEMORY

from baker import Deal, Limit, Solution, Verdict, solve


class Asked:
    """Says yes when it was asked so many times."""

    def __init__(self, times: int) -> None:
        self.left = times

    def is_set(self) -> bool:
        self.left -= 1
        return self.left <= 0


def test_an_event_that_is_set_before() -> None:
    stop = threading.Event()
    stop.set()
    answer = solve(Deal.microsoft(617), stop=stop)
    assert (answer.verdict, answer.limit, answer.nodes, answer.moves) == (Verdict.UNDECIDED, Limit.STOPPED, 0, ())
    stop.clear()
    assert solve(Deal.microsoft(617), stop=stop).verdict is Verdict.SOLVED


def test_whatever_has_a_method_is_set_will_do() -> None:
    answer = solve(HARD, stop=Asked(3), max_memory=MUCH_MEMORY)
    assert (answer.verdict, answer.limit) == (Verdict.UNDECIDED, Limit.STOPPED)
    assert answer.nodes > 0
    # A search that is over is over.
    assert solve(Deal.microsoft(617), stop=Asked(10**9)).verdict is Verdict.SOLVED


def test_another_thread_ends_a_search() -> None:
    stop = threading.Event()
    answers: list[Solution] = []

    def work() -> None:
        answers.append(solve(HARD, stop=stop, max_memory=MUCH_MEMORY))

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    time.sleep(0.05)
    stop.set()
    thread.join(60)
    assert [answer.limit for answer in answers] == [Limit.STOPPED]


def test_a_task_that_gives_up_ends_its_search() -> None:
    before = threading.active_count()

    async def give_up() -> None:
        stop = threading.Event()
        search = asyncio.to_thread(solve, HARD, stop=stop, max_memory=MUCH_MEMORY)
        try:
            await asyncio.wait_for(search, 0.05)
        finally:
            stop.set()

    with pytest.raises(asyncio.TimeoutError):
        # It ends with the default executor, which waits for the search.
        asyncio.run(give_up())
    assert threading.active_count() == before


def test_an_error_of_the_event_is_raised() -> None:
    class Broken(Asked):
        def is_set(self) -> bool:
            if super().is_set():
                raise OSError("the event is gone")
            return False

    for times in (1, 3):
        with pytest.raises(OSError, match="the event is gone"):
            solve(HARD, stop=Broken(times), max_memory=MUCH_MEMORY)
    assert solve(Deal.microsoft(617)).verdict is Verdict.SOLVED


def test_what_is_no_event_is_refused() -> None:
    for wrong in (True, 1.0, threading.Event):
        with pytest.raises(TypeError, match="expected an event"):
            solve(HARD, stop=wrong)  # type: ignore[arg-type]
