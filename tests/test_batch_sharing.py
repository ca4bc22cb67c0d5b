"""Answers and games that several threads use at once, and what else `Solutions` owes: closing, stopping, lengths."""

import itertools
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hard_deals import HARD, MUCH_MEMORY

from baker import (
    CompletedSolutions,
    Deal,
    DealError,
    Game,
    Limit,
    Solution,
    Solutions,
    Verdict,
    games,
    solve,
    solve_many,
)


@pytest.fixture(autouse=True)
def hasty() -> Iterator[None]:
    """Threads that change as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def together(*works: Callable[[], object]) -> None:
    """Do all of this at the same time, and raise what one raises."""
    errors: list[BaseException] = []
    barrier = threading.Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        try:
            barrier.wait(60)
            work()
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run, args=(work,), daemon=True) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "it hangs"
    for error in errors:
        raise error


@pytest.mark.parametrize("threads", [1, 2, 4])
@pytest.mark.parametrize("source", [range, lambda *ends: list(range(*ends)), lambda *ends: iter(range(*ends))])
def test_each_answer_goes_to_one_reader(threads: int, source: Callable[..., Any]) -> None:
    expected = Counter((one.verdict, one.nodes) for one in solve_many(range(1, 2001), moves=False))
    answers = solve_many(source(1, 2001), moves=False, threads=threads)
    found: Counter[Any] = Counter()
    lock = threading.Lock()

    def read() -> None:
        mine = Counter((one.verdict, one.nodes) for one in answers)
        with lock:
            found.update(mine)

    together(read, read, read)
    assert found == expected


def test_each_pair_goes_to_one_reader() -> None:
    pairs = solve_many(range(1, 2001), moves=False, threads=2).as_completed()
    found: list[Any] = []
    together(*[lambda: found.extend(deal for deal, _ in pairs)] * 3)
    assert sorted(found) == list(range(1, 2001))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("in_order", [True, False])
def test_any_thread_may_close_while_another_waits(threads: int, in_order: bool) -> None:
    answers: Solutions | CompletedSolutions = solve_many([HARD] * 8, threads=threads, max_memory=MUCH_MEMORY)
    if isinstance(answers, Solutions) and not in_order:
        answers = answers.as_completed()
    begun = threading.Event()

    def read() -> None:
        begun.set()
        assert list(answers) == []

    def close() -> None:
        begun.wait(60)
        answers.close()

    together(read, read, close, close)
    assert list(answers) == []
    assert len(answers) == 0


def test_readers_and_closers_at_random() -> None:
    for _ in range(30):
        answers = solve_many(iter(range(1, 2000)), moves=False, threads=2)
        together(lambda: list(answers), lambda: list(answers), answers.close)  # noqa: B023
        assert list(answers) == []


def test_only_one_asks_for_what_is_completed() -> None:
    for _ in range(50):
        answers = solve_many(range(1, 3))
        got: list[CompletedSolutions] = []
        refused: list[RuntimeError] = []

        def ask() -> None:
            try:
                got.append(answers.as_completed())  # noqa: B023
            except RuntimeError as error:
                refused.append(error)  # noqa: B023

        together(ask, ask)
        assert (len(got), len(refused)) == (1, 1)


def test_a_shared_game() -> None:
    game = Game(Deal.microsoft(617))
    start = game.position

    def play() -> None:
        for _ in range(300):
            for move in itertools.islice(game.legal_moves, 3):
                try:
                    game.push(move)
                    assert len(game.legal_moves) >= 0
                    game.pop()
                except (ValueError, IndexError):
                    pass  # the other one has played
            str(game), repr(game.legal_moves), game.copy(), game.is_stuck, hash(game)

    together(play, play)
    while game.history:
        game.pop()
    assert game.position == start


def test_what_solvers_share() -> None:
    """Idle engines and the objects that stand for moves."""
    numbers = range(1, 60)
    expected = {
        name: [solve(Deal.microsoft(number, name)).moves for number in numbers] for name in ("freecell", "penguin")
    }

    def ask() -> None:
        for name, moves in expected.items():
            assert [solve(Deal.microsoft(number, name)).moves for number in numbers] == moves

    together(ask, ask, ask)


def test_a_block_ends_the_work() -> None:
    before = threading.active_count()

    def fail() -> None:
        with solve_many(range(1, 1_000_000), threads=2) as answers:
            next(answers)
            raise OSError("ours")

    with pytest.raises(OSError, match="ours"):
        fail()
    assert threading.active_count() == before
    with solve_many(range(1, 1_000_000), threads=2) as answers:
        next(answers)
    assert list(answers) == []
    with solve_many(range(1, 1_000_000), threads=2).as_completed() as pairs:
        next(pairs)
    assert threading.active_count() == before


# The number of answers.


def test_how_many_are_still_to_come() -> None:
    for deals in (range(1, 6), [1, 2, 3, 4, 5], {1, 2, 3, 4, 5}):
        answers = solve_many(deals)
        assert len(answers) == 5
        next(answers)
        assert len(answers) == 4
        assert len(list(answers)) == 4
        assert len(answers) == 0
    pairs = solve_many([1, "617", 3]).as_completed()  # type: ignore[list-item]
    assert len(pairs) == 3
    next(pairs)
    assert len(pairs) == 2
    pairs.close()
    assert len(pairs) == 0


def test_who_does_not_know_says_so() -> None:
    answers = solve_many(iter([1, 2]))
    with pytest.raises(TypeError, match="not known"):
        len(answers)
    # `list` asks for the length, and `if` would.
    assert len(list(answers)) == 2
    assert answers
    assert solve_many([])


def test_errors_count() -> None:
    answers = solve_many([1, 0, 2])
    next(answers)
    with pytest.raises(DealError):
        next(answers)
    assert len(answers) == 1


# Rules.


def test_deals_must_have_the_rules_that_are_given() -> None:
    mixed: list[int | Deal | Game] = [Deal.microsoft(1, "penguin"), Game(Deal.microsoft(2)), 3, Deal.microsoft(4)]
    answers = solve_many(mixed, rules="bakers_game")
    with pytest.raises(ValueError, match="a Deal under the rules of penguin, but rules is bakers_game"):
        next(answers)
    assert [one.nodes for one in answers] == [solve(Deal.microsoft(number)).nodes for number in (2, 3, 4)]
    with pytest.raises(ValueError, match="a Game under the rules of bakers_game, but rules is penguin"):
        next(solve_many([Game(Deal.microsoft(2))], rules="penguin"))
    # Without them each has its own, and equal rules of another name are the same.
    assert [one.verdict for one in solve_many(mixed)] == [one.verdict for one in map(solve_any, mixed)]
    other = games["bakers_game"].replace(name="ours")
    assert next(solve_many([Deal.microsoft(4)], rules=other)).verdict is solve(Deal.microsoft(4)).verdict


def solve_any(deal: int | Deal | Game) -> Solution:
    return solve(Deal.microsoft(deal) if isinstance(deal, int) else deal)


# Stopping.


@pytest.mark.parametrize("threads", [1, 2])
def test_an_event_ends_a_run(threads: int) -> None:
    stop = threading.Event()
    answers = solve_many(itertools.repeat(HARD), threads=threads, max_memory=MUCH_MEMORY, stop=stop)
    timer = threading.Timer(0.1, stop.set)
    timer.start()
    found = list(answers)
    timer.join()
    assert found
    assert {(one.verdict, one.limit) for one in found} == {(Verdict.UNDECIDED, Limit.STOPPED)}


def test_an_event_that_is_set_begins_nothing() -> None:
    stop = threading.Event()
    stop.set()
    assert list(solve_many(itertools.count(1), stop=stop)) == []
    assert list(solve_many(range(1, 1000), stop=stop).as_completed()) == []


def test_an_event_that_fails_ends_a_run() -> None:
    class Broken:
        def is_set(self) -> bool:
            raise OSError("the event is gone")

    answers = solve_many(range(1, 100), stop=Broken())
    with pytest.raises(OSError, match="the event is gone"):
        next(answers)
    assert list(answers) == []
    with pytest.raises(TypeError, match="expected an event"):
        solve_many(range(1, 100), stop=True)  # type: ignore[arg-type]
