"""How programs end that have deals in work, and what forks, too many threads and executors that fail do to them."""

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import Executor, Future
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from baker import Deal, Solution, solve, solve_many
from baker.batch.threads import Bell

TESTS = Path(__file__).parent
HARD_AT_WORK = """
import itertools, os, signal, sys, threading, time
from hard_deals import HARD, MUCH_MEMORY
from baker import Deal, solve, solve_many

answers = solve_many([*range(1, 17), *[HARD] * 16], threads={threads}, max_memory=MUCH_MEMORY)
reader = threading.Thread(target=list, args=(answers,), daemon=True)
reader.start()
time.sleep(0.3)
"""


def run(code: str, **names: object) -> subprocess.CompletedProcess[str]:
    """Run a program; its time is up long before the hard deals are decided."""
    return subprocess.run(
        [sys.executable, "-c", code.format(**names)],
        cwd=TESTS,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("threads", [1, 2, 8])
@pytest.mark.parametrize(
    ("end", "exit_code", "message"),
    [
        ("", 0, ""),
        ("sys.exit(3)", 3, ""),
        ("raise OSError('ours')", 1, "OSError: ours"),
        ("signal.raise_signal(signal.SIGINT)", -signal.SIGINT, "KeyboardInterrupt"),
    ],
)
def test_a_program_ends(threads: int, end: str, exit_code: int, message: str) -> None:
    start = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    done = run(start + HARD_AT_WORK + end, threads=threads)
    assert (done.returncode, message in done.stderr) == (exit_code, True), done.stderr
    if not message:
        assert done.stderr == ""


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_a_program_that_waits_for_hard_deals(threads: int) -> None:
    code = """
import signal, threading
from hard_deals import HARD, MUCH_MEMORY
from baker import solve_many
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.3, lambda: signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)).start()
list(solve_many([HARD] * 8, threads={threads}, max_memory=MUCH_MEMORY))
"""
    done = run(code, threads=threads)
    assert (done.returncode, "KeyboardInterrupt" in done.stderr) == (-signal.SIGINT, True), done.stderr


def test_a_program_ends_while_a_source_is_waited_for() -> None:
    code = """
import threading, time
from baker import solve_many
answers = solve_many((time.sleep(1000) or 1 for _ in range(9)), threads=2)
threading.Thread(target=list, args=(answers,), daemon=True).start()
time.sleep(0.2)
"""
    done = run(code)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the platform has no fork")
@pytest.mark.parametrize("as_completed", ["", ".as_completed()"])
def test_a_child_cannot_read_the_answers_of_its_parent(as_completed: str) -> None:
    code = """
import os, signal
from baker import solve_many
answers = solve_many(range(1, 5000), moves=False, threads=2){as_completed}
next(answers)
child = os.fork()
if child == 0:
    signal.alarm(30)
    try:
        next(answers)
    except RuntimeError as error:
        assert "forked" in str(error)
    else:
        os._exit(7)
    answers.close()
    assert len(list(solve_many(range(1, 100), threads=2))) == 99
    del answers
    raise SystemExit(5)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 5
assert len(list(answers)) == 4998
"""
    done = run(code, as_completed=as_completed)
    assert (done.returncode, done.stderr) == (0, "")


def without_time(solution: Solution) -> tuple[object, ...]:
    return solution.verdict, solution.moves, solution.nodes, solution.limit


@pytest.mark.parametrize("can_start", [0, 1, 3])
@pytest.mark.parametrize("threads", [1, 8, None])
@pytest.mark.parametrize("source", [range, lambda *ends: list(range(*ends)), lambda *ends: iter(range(*ends))])
def test_where_threads_cannot_be_started(
    can_start: int, threads: int | None, source: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = [without_time(solve(Deal.microsoft(number))) for number in range(1, 120)]
    start = threading.Thread.start
    left = can_start

    def refuse(self: threading.Thread) -> None:
        nonlocal left
        left -= 1
        if left < 0:
            raise RuntimeError("can't start new thread")
        start(self)

    monkeypatch.setattr(threading.Thread, "start", refuse)
    assert [without_time(one) for one in solve_many(source(1, 120), threads=threads)] == expected
    left = can_start
    assert len(list(solve_many(source(1, 120), threads=threads).as_completed())) == 119


@pytest.mark.parametrize("threads", [1, 2])
def test_one_thread_is_the_calling_one(threads: int) -> None:
    before = threading.active_count()
    with solve_many(range(1, 1000), threads=threads) as answers:
        next(answers)
        assert threading.active_count() == before + (threads if threads > 1 else 0)


def test_very_many_threads() -> None:
    numbers = range(1, 3000)
    expected = [one.nodes for one in solve_many(numbers, moves=False)]
    before = threading.active_count()
    with solve_many(numbers, moves=False, threads=100_000) as answers:
        assert [one.nodes for one in answers] == expected
    assert threading.active_count() == before


class Short(Executor):
    """Answers for fewer deals than it was given, or something else."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(self.answer(fn(*args, **kwargs)))
        return future


@pytest.mark.parametrize(
    ("answer", "error", "message"),
    [
        (lambda found: found._replace(answers=found.answers[:-1]), ValueError, "0 answers for 1 deals"),
        (lambda found: found._replace(answers=found.answers * 2), ValueError, "2 answers for 1 deals"),
        (lambda found: None, TypeError, "gave NoneType"),
        (lambda found: (1, 2), TypeError, "gave tuple"),
    ],
)
def test_executors_that_answer_something_else(answer: Any, error: type[Exception], message: str) -> None:
    answers = solve_many(range(1, 20), executor=Short(answer))
    for _ in range(1, 20):
        with pytest.raises(error, match=message):
            next(answers)
    assert list(answers) == []


def test_an_event_ends_a_run_whose_executor_never_answers() -> None:
    class Asleep(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            future: Future[Any] = Future()
            futures.append(future)
            future.set_running_or_notify_cancel()
            return future

    futures: list[Future[Any]] = []
    stop = threading.Event()
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    found = list(solve_many(range(1, 1000), executor=Asleep(), stop=stop))
    timer.join()
    assert found
    assert {one.limit for one in found} == {"stopped"}


def test_a_finalizer_may_ring_while_its_thread_does() -> None:
    """Answers in a cycle are closed wherever the garbage collector finds them: at any line of a ring, too."""
    bell = Bell()

    def at_each_line(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code is Bell.ring.__code__:
            # Nothing that is called here is traced.
            bell.ring()
            return at_each_line
        return None

    def ring() -> None:
        sys.settrace(at_each_line)
        bell.ring()
        sys.settrace(None)

    thread = threading.Thread(target=ring, daemon=True)
    thread.start()
    thread.join(60)
    assert not thread.is_alive()
    assert bell.rings > 3
