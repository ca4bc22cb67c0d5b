"""Signals wait until a line is printed, and none is lost."""

import gc
import signal
from collections.abc import Iterator
from typing import NoReturn

import pytest

from baker.cli.interrupts import Interrupts, Terminated

SIGNALS = [(signal.SIGINT, KeyboardInterrupt), (signal.SIGTERM, Terminated)]
parametrize = pytest.mark.parametrize(("number", "error"), SIGNALS)


@pytest.fixture(autouse=True)
def usual_handlers() -> Iterator[None]:
    """As in a program in the foreground."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler), signal.signal(signal.SIGTERM, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGINT, before[0])
    signal.signal(signal.SIGTERM, before[1])


@parametrize
def test_a_signal_raises_at_once(number: int, error: type[BaseException]) -> None:
    with Interrupts(), pytest.raises(error):
        signal.raise_signal(number)


@parametrize
def test_a_first_signal_waits_while_held(number: int, error: type[BaseException]) -> None:
    done = []

    def print_line(interrupts: Interrupts) -> None:
        with interrupts.held():
            signal.raise_signal(number)
            done.append("line")
        done.append("more")

    with Interrupts() as interrupts, pytest.raises(error):
        print_line(interrupts)
    assert done == ["line"]


@parametrize
def test_a_second_signal_does_not_wait(number: int, error: type[BaseException]) -> None:
    done = []

    def print_line(interrupts: Interrupts) -> None:
        with interrupts.held():
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(number)
            done.append("line")

    with Interrupts() as interrupts, pytest.raises(error):
        print_line(interrupts)
    assert done == []


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@parametrize
def test_a_signal_that_is_lost_comes_with_the_next_line(number: int, error: type[BaseException]) -> None:
    done = []

    class Loses:
        def __del__(self) -> None:
            signal.raise_signal(number)

    def print_lines(interrupts: Interrupts) -> None:
        lost = Loses()
        del lost
        gc.collect()
        done.append("lost")
        with interrupts.held():
            done.append("line")
        done.append("more")

    with Interrupts() as interrupts, pytest.raises(error):
        print_lines(interrupts)
    assert done == ["lost", "line"]


def test_nothing_is_raised_when_ignored() -> None:
    with Interrupts() as interrupts:
        interrupts.ignore()
        signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGTERM)


def test_the_handlers_are_put_back_and_those_of_others_left_alone() -> None:
    def theirs(*_: object) -> NoReturn:
        raise RuntimeError

    signal.signal(signal.SIGTERM, theirs)
    with Interrupts(), pytest.raises(RuntimeError):
        signal.raise_signal(signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is theirs
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with Interrupts():
        signal.raise_signal(signal.SIGINT)
