"""Many deals at once: the answers of `solve` in order, whatever the deals come as and whoever does the work."""

import gc
import itertools
import multiprocessing
import pickle
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import loky
import pytest

from baker import Deal, DealError, Game, Rules, RulesError, Solution, games, solve, solve_many


def without_time(solution: Solution) -> tuple[object, ...]:
    return solution.verdict, solution.moves, solution.nodes, solution.limit


@pytest.mark.parametrize("threads", [1, 2, 5, None])
@pytest.mark.parametrize("rules", ["bakers_game", "eight_off", games["seahaven_towers"]])
def test_ranges(threads: int | None, rules: str | Rules) -> None:
    numbers = range(1, 200)
    expected = [without_time(solve(Deal.microsoft(number, rules))) for number in numbers]
    found = [without_time(solution) for solution in solve_many(numbers, rules=rules, threads=threads)]
    assert found == expected


@pytest.mark.parametrize(
    "numbers", [range(0), range(5, 6), range(1, 100, 7), range(100, 0, -3), range(2**33 - 5, 2**33)]
)
def test_ranges_of_all_kinds(numbers: range) -> None:
    found = [without_time(solution) for solution in solve_many(numbers)]
    assert found == [without_time(solve(Deal.microsoft(number))) for number in numbers]


@pytest.mark.parametrize("name", games)
def test_every_game_is_dealt_as_a_deal_is(name: str) -> None:
    numbers = (1, 617, 2**31 + 7, 2**33 - 1)
    deals = [Deal.microsoft(number, name) for number in numbers]
    by_number = [without_time(solution) for solution in solve_many(numbers, rules=name, max_nodes=200)]
    assert by_number == [without_time(solution) for solution in solve_many(deals, max_nodes=200)]


def test_deals_games_and_numbers_may_be_mixed() -> None:
    game = Game(Deal.microsoft(3))
    game.push("1a")
    mixed: list[int | Deal | Game] = [
        1,
        Deal.microsoft(2, "eight_off"),
        game,
        Deal.microsoft(4, "freecell"),
        5,
        Deal.random(6),
    ]
    expected = [solve(one if isinstance(one, Deal | Game) else Deal.microsoft(one)) for one in mixed]
    found = list(solve_many(mixed))
    assert [without_time(one) for one in found] == [without_time(one) for one in expected]


def test_an_endless_source_is_read_as_it_is_needed() -> None:
    read = 0

    def numbers() -> Iterator[int]:
        nonlocal read
        while True:
            read += 1
            yield read

    solutions = solve_many(numbers(), moves=False)
    assert read == 0
    first = list(itertools.islice(solutions, 100))
    solutions.close()
    assert len(first) == 100
    assert read < 100_000


def test_without_moves() -> None:
    assert all(solution.moves == () for solution in solve_many(range(1, 50), moves=False))


def test_limits_are_those_of_each_deal() -> None:
    solutions = list(solve_many(range(1, 100), max_nodes=20))
    assert {solution.limit for solution in solutions} == {None, "nodes"}
    assert max(solution.nodes for solution in solutions) == 20
    assert {solution.limit for solution in solve_many([10, 14], max_seconds=1e-9)} == {"seconds"}
    assert {solution.limit for solution in solve_many([10, 14], max_memory=1)} == {"memory"}


def test_wrong_arguments_are_refused_at_once() -> None:
    with pytest.raises(DealError, match="no Microsoft deal has the number 0"):
        solve_many(range(10))
    with pytest.raises(DealError, match="8589934592"):
        solve_many(range(1, 2**33 + 1))
    with pytest.raises(RulesError, match="did you mean 'bakers_game'"):
        solve_many([1], rules="baker_game")
    with pytest.raises(ValueError, match="threads is 0"):
        solve_many([1], threads=0)
    with pytest.raises(ValueError, match="max_nodes is -1"):
        solve_many([1], max_nodes=-1)


@pytest.mark.parametrize(("wrong", "error"), [(0, DealError), ("617", TypeError), (None, TypeError)])
def test_what_is_no_deal_is_an_error_in_its_turn(wrong: object, error: type[Exception]) -> None:
    solutions = solve_many([*range(1, 40), wrong, 41])  # type: ignore[list-item]
    for number in range(1, 40):
        assert without_time(next(solutions)) == without_time(solve(Deal.microsoft(number)))
    with pytest.raises(error, match="number|a Game, not"):
        next(solutions)
    # It was that deal's result, and not the end.
    assert without_time(next(solutions)) == without_time(solve(Deal.microsoft(41)))
    assert list(solutions) == []


def test_errors_of_the_source_come_after_the_answers_before_them() -> None:
    def numbers() -> Iterator[int]:
        yield from range(1, 10)
        raise OSError("the source is broken")

    solutions = solve_many(numbers())
    assert [next(solutions).verdict for _ in range(9)] == [solve(Deal.microsoft(n)).verdict for n in range(1, 10)]
    with pytest.raises(OSError, match="the source is broken"):
        next(solutions)
    assert list(solutions) == []


def test_a_loop_that_an_error_ends_leaves_no_threads() -> None:
    gc.collect()
    before = threading.active_count()

    def loop() -> None:
        for _ in solve_many([1, "617", *range(1, 100_000)]):  # type: ignore[list-item]
            pass

    with pytest.raises(TypeError):
        loop()
    assert threading.active_count() == before


@pytest.mark.parametrize("threads", [1, 3])
def test_as_completed(threads: int) -> None:
    numbers = range(300, 1, -1)
    expected = dict(zip(numbers, map(without_time, solve_many(numbers)), strict=True))
    found = dict(solve_many(numbers, threads=threads).as_completed())
    assert {number: without_time(answer(one)) for number, one in found.items()} == expected

    deals = mixed_deals()
    pairs = list(solve_many(deals, threads=threads).as_completed())
    assert sorted(id(deal) for deal, _ in pairs) == sorted(map(id, deals))
    for deal, one in pairs:
        assert without_time(answer(one)) == without_time(solve(Deal.microsoft(deal) if isinstance(deal, int) else deal))


def answer(one: Solution | Exception) -> Solution:
    assert isinstance(one, Solution), one
    return one


def test_errors_among_what_is_completed() -> None:
    pairs = solve_many([1, "617", 2, 0], moves=False).as_completed()  # type: ignore[list-item]
    found = dict(pairs)
    assert list(map(type, (found[1], found[2]))) == [Solution, Solution]
    assert isinstance(found["617"], TypeError)  # type: ignore[index]
    assert isinstance(found[0], DealError)


def test_as_completed_has_all_answers_or_none() -> None:
    solutions = solve_many(range(1, 100))
    next(solutions)
    with pytest.raises(RuntimeError, match="expected as_completed before the first"):
        solutions.as_completed()
    assert len(list(solutions)) == 98

    solutions = solve_many(itertools.count(1))
    pairs = solutions.as_completed()
    assert len(list(itertools.islice(pairs, 50))) == 50
    assert list(solutions) == []
    solutions.close()
    assert list(pairs) == []


def test_closing_ends_the_work() -> None:
    gc.collect()
    before = threading.active_count()
    # All of them would take days.
    solutions = solve_many(range(1, 2**33))
    next(solutions)
    closing = threading.Thread(target=solutions.close, daemon=True)
    closing.start()
    closing.join(timeout=300)
    assert threading.active_count() == before


# Executors.


class Faulty(Executor):
    """Does the work at once, but for the tasks that a function fails; notes how large the tasks are."""

    def __init__(self, fails: Callable[[Any], bool] = lambda task: False) -> None:
        self.fails = fails
        self.sizes: list[int] = []
        self.bytes: list[int] = []

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        (task,) = args
        self.sizes.append(len(task.deals))
        self.bytes.append(len(pickle.dumps(task)))
        future: Future[Any] = Future()
        if self.fails(task):
            future.set_exception(ConnectionError("the worker is gone"))
        else:
            future.set_result(fn(*pickle.loads(pickle.dumps(args)), **kwargs))
        return future


def mixed_deals() -> list[int | Deal | Game]:
    game = Game(Deal.microsoft(3))
    game.push("1a")
    deals: list[int | Deal | Game] = [*range(1, 40), game, Deal.random(7)]
    return deals + [Deal.microsoft(number, "eight_off") for number in range(1, 40)]


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    # Not by fork: other tests have started threads.
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        yield pool


def test_processes(processes: Executor) -> None:
    for deals in (range(1, 300), range(300, 1, -7), mixed_deals(), [], range(0)):
        expected = [without_time(solution) for solution in solve_many(deals, max_nodes=500)]
        assert [without_time(one) for one in solve_many(deals, executor=processes, max_nodes=500)] == expected


def test_loky() -> None:
    with loky.get_reusable_executor(max_workers=2) as executor:
        found = [without_time(one) for one in solve_many(mixed_deals(), executor=executor, max_nodes=500)]
    assert found == [without_time(solution) for solution in solve_many(mixed_deals(), max_nodes=500)]


def test_an_endless_source_and_processes(processes: Executor) -> None:
    source = itertools.count(1)
    solutions = solve_many(source, executor=processes, moves=False)
    assert len(list(itertools.islice(solutions, 100))) == 100
    solutions.close()
    assert next(source) < 100_000
    assert processes.submit(len, "open").result() == 4


def test_a_hard_deal_holds_nobody_up() -> None:
    others = threading.Semaphore(0)

    class Slow(ThreadPoolExecutor):
        """Its first task is done when a hundred others are."""

        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            def work(*args: Any) -> Any:
                if 1 in args[0].deals:
                    for _ in range(100):
                        assert others.acquire(timeout=300)
                answer = fn(*args)
                others.release()
                return answer

            return super().submit(work, *args, **kwargs)

    with Slow(2) as pool:
        found = [without_time(solution) for solution in solve_many(range(1, 3001), executor=pool, moves=False)]
    assert found == [without_time(solution) for solution in solve_many(range(1, 3001), moves=False)]


def test_what_is_ready_comes_first_if_it_may() -> None:
    hard = threading.Event()

    def work(fn: Callable[..., Any], batch: Any) -> Any:
        if 1 in batch.deals:
            assert hard.wait(timeout=300)
        return fn(batch)

    class Slow(ThreadPoolExecutor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
            return super().submit(work, fn, *args, **kwargs)

    with Slow(2) as pool:
        pairs = solve_many(range(1, 3001), executor=pool, moves=False).as_completed()
        before = [next(pairs)[0] for _ in range(2000)]
        assert 1 not in before
        hard.set()
        assert sorted([*before, *(deal for deal, _ in pairs)]) == list(range(1, 3001))  # type: ignore[type-var]


def test_threads_of_an_executor() -> None:
    with ThreadPoolExecutor(3) as pool:
        found = [without_time(solution) for solution in solve_many(range(1, 100), executor=pool)]
    assert found == [without_time(solution) for solution in solve_many(range(1, 100))]


def test_tasks_are_small() -> None:
    executor = Faulty()
    for _ in solve_many(range(1, 1000), executor=executor):
        pass
    assert max(executor.bytes) < 500
    executor = Faulty()
    for _ in solve_many((Deal.random(seed) for seed in range(1000)), executor=executor):
        pass
    assert max(size / deals for size, deals in zip(executor.bytes, executor.sizes, strict=True) if deals > 4) < 150


def test_what_is_no_deal_goes_to_no_worker() -> None:
    solutions = solve_many([1, 0, 2], executor=Faulty())
    assert without_time(next(solutions)) == without_time(solve(Deal.microsoft(1)))
    with pytest.raises(DealError):
        next(solutions)
    assert without_time(next(solutions)) == without_time(solve(Deal.microsoft(2)))


def test_a_failed_batch_is_tried_again() -> None:
    failures = iter([True, True, *[False] * 1000])
    expected = [without_time(solution) for solution in solve_many(range(1, 100))]
    executor = Faulty(lambda task: next(failures))
    assert [without_time(solution) for solution in solve_many(range(1, 100), executor=executor)] == expected


@pytest.mark.parametrize("deals", [range(1, 100), list(range(1, 100))])
def test_only_the_deal_to_blame_has_the_error(deals: range | list[int]) -> None:
    executor = Faulty(lambda task: 77 in task.deals)
    solutions = solve_many(deals, executor=executor)
    for number in range(1, 100):
        if number == 77:
            with pytest.raises(ConnectionError, match="the worker is gone"):
                next(solutions)
        else:
            assert without_time(next(solutions)) == without_time(solve(Deal.microsoft(number)))
    assert list(solutions) == []


def test_failures_hold_nobody_up_if_order_does_not_matter() -> None:
    executor = Faulty(lambda task: 77 in task.deals)
    found = dict(solve_many(range(1, 100), executor=executor).as_completed())
    assert isinstance(found.pop(77), ConnectionError)
    assert set(found) == set(range(1, 100)) - {77}
    assert all(isinstance(one, Solution) for one in found.values())


def test_a_broken_pool_ends_the_run() -> None:
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        solutions = solve_many(itertools.count(1), executor=pool)
        next(solutions)
        for process in multiprocessing.active_children():
            if process.pid in pool._processes:
                process.kill()
        with pytest.raises(BrokenProcessPool):
            list(solutions)
        assert list(solutions) == []


def test_threads_and_an_executor_are_refused() -> None:
    with pytest.raises(ValueError, match="expected only one"):
        solve_many([1], threads=2, executor=Faulty())
