"""Where `solve_many` gets its deals from: slow, endless, broken and odd iterables."""

import itertools
import queue
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from baker import Deal, Game, solve, solve_many


@pytest.mark.parametrize("threads", [1, 2, 64])
@pytest.mark.parametrize("in_order", [True, False])
def test_answers_come_out_while_the_source_is_waited_for(threads: int, in_order: bool) -> None:
    """A source that gives the next deal only when the answer before has come never hangs."""
    answered = threading.Semaphore(1)

    def deals() -> Iterator[int]:
        for number in range(1, 30):
            assert answered.acquire(timeout=300), "the answer is held back"
            yield number

    answers = solve_many(deals(), threads=threads)
    found = []
    for one in answers if in_order else (solution for _, solution in answers.as_completed()):
        found.append(one)
        answered.release()
    assert len(found) == 29


def test_executors_and_slow_sources() -> None:
    answered = threading.Semaphore(1)

    def deals() -> Iterator[int]:
        for number in range(1, 30):
            assert answered.acquire(timeout=300), "the answer is held back"
            yield number

    with ThreadPoolExecutor(8) as pool:
        for _ in solve_many(deals(), executor=pool):
            answered.release()


def test_a_source_is_advanced_by_one_thread_at_a_time() -> None:
    threads: set[threading.Thread] = set()

    def deals() -> Iterator[int]:  # a generator raises ValueError if two threads advance it
        for number in range(1, 3000):
            threads.add(threading.current_thread())
            yield number

    answers = solve_many(deals(), moves=False, threads=4)
    with ThreadPoolExecutor(4) as readers:
        found = [future.result() for future in [readers.submit(list, answers) for _ in range(4)]]
    assert sum(map(len, found)) == 2999
    assert len(threads) == 1


def test_lists_are_read_where_the_answers_are() -> None:
    class Number:
        def __index__(self) -> int:
            threads.add(threading.current_thread())
            return 617

    threads: set[threading.Thread] = set()
    assert len(list(solve_many([Number()] * 20, threads=2))) == 20  # type: ignore[list-item]
    assert threads == {threading.current_thread()}


@pytest.mark.parametrize("threads", [1, 2])
def test_closing_does_not_wait_for_a_source(threads: int) -> None:
    source: queue.Queue[int] = queue.Queue()
    source.put(617)
    answers = solve_many(iter(source.get, 0), threads=threads)
    assert next(answers).is_solved
    waiting = threading.Thread(target=list, args=(answers,), daemon=True)
    waiting.start()
    answers.close()
    waiting.join(60)
    assert not waiting.is_alive()
    assert list(answers) == []
    source.put(0)


def test_games_are_taken_as_they_are_when_they_are_given() -> None:
    game = Game(Deal.microsoft(617))
    line = solve(game).moves

    def positions() -> Iterator[Game]:
        for move in line:
            yield game
            game.push(move)

    answers = list(solve_many(positions(), threads=2))
    again = Game(Deal.microsoft(617))
    for move, answer in zip(line, answers, strict=True):
        assert answer.nodes == solve(again).nodes
        again.push(move)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("error", [OSError("broken"), SystemExit(3), KeyError("key")])
def test_errors_of_a_source_come_in_their_turn(threads: int, error: BaseException) -> None:
    def deals() -> Iterator[int]:
        yield from range(1, 10)
        raise error

    answers = solve_many(deals(), threads=threads)
    assert [next(answers).verdict for _ in range(9)] == [one.verdict for one in solve_many(range(1, 10))]
    with pytest.raises(type(error)) as caught:
        next(answers)
    assert caught.value is error
    assert list(answers) == []


def test_what_cannot_be_iterated_is_refused_at_once() -> None:
    with pytest.raises(TypeError, match="deals is 617: expected numbers, deals and games"):
        solve_many(617)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2, 64])
def test_an_endless_source_is_read_a_little_ahead(threads: int) -> None:
    source = itertools.count(1)
    with solve_many(source, threads=threads, moves=False) as answers:
        assert len(list(itertools.islice(answers, 500))) == 500
    assert next(source) < 100_000


def test_a_source_may_read_answers() -> None:
    inner = solve_many(range(1, 200), threads=2).as_completed()
    impossible = (deal for deal, answer in inner if not isinstance(answer, Exception) and not answer.is_solved)
    assert not any(one.is_solved for one in solve_many(impossible, threads=2))


def test_a_source_may_close_the_answers() -> None:
    def deals() -> Iterator[int]:
        yield from range(1, 50)
        answers.close()
        yield from itertools.count(50)

    answers = solve_many(deals(), threads=2)
    assert len(list(answers)) <= 100_000


def test_generators_end_with_the_answers() -> None:
    ended = threading.Event()

    def deals() -> Iterator[int]:
        try:
            yield from itertools.count(1)
        finally:
            ended.set()

    with solve_many(deals(), threads=2) as answers:
        next(answers)
    assert ended.wait(60)
