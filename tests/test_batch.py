"""Many deals at once: the answers of `solve` in order, whatever the deals come as and however many threads work."""

import itertools
import threading
import time
from collections.abc import Iterator

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
    with pytest.raises(error):
        next(solutions)


def test_errors_of_the_source_come_after_the_answers_before_them() -> None:
    def numbers() -> Iterator[int]:
        yield from range(1, 10)
        raise OSError("the source is broken")

    solutions = solve_many(numbers())
    assert [next(solutions).verdict for _ in range(9)] == [solve(Deal.microsoft(n)).verdict for n in range(1, 10)]
    with pytest.raises(OSError, match="the source is broken"):
        next(solutions)


def test_closing_ends_the_work_at_once() -> None:
    before = threading.active_count()
    solutions = solve_many(range(1, 1_000_000))
    next(solutions)
    start = time.perf_counter()
    solutions.close()
    assert time.perf_counter() - start < 1
    assert threading.active_count() == before
