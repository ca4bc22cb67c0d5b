"""Times of single operations; nothing here passes or fails by its time."""

from __future__ import annotations

import pytest
from pytest_benchmark.fixture import BenchmarkFixture
from rule_sets import RULE_SETS

from baker import Deal, Game, Verdict, perft, solve

NUMBERS = range(1, 101)


@pytest.mark.parametrize("moves", [False, True], ids=["verdict", "moves"])
@pytest.mark.parametrize("rule_set", RULE_SETS)
def test_solve_100_deals(benchmark: BenchmarkFixture, rule_set: str, moves: bool) -> None:
    deals = [Deal.microsoft(number, RULE_SETS[rule_set]) for number in NUMBERS]
    solutions = benchmark(lambda: [solve(deal, moves=moves) for deal in deals])
    assert all(solution.verdict is not Verdict.UNDECIDED for solution in solutions)


@pytest.mark.parametrize("game", ["bakers_game", "freecell", "eight_off", "bakers_dozen"])
def test_perft_to_depth_4(benchmark: BenchmarkFixture, game: str) -> None:
    assert benchmark(perft, Game(Deal.microsoft(1, game)), 4)


def test_deal_100_microsoft_numbers(benchmark: BenchmarkFixture) -> None:
    benchmark(lambda: [Deal.microsoft(number) for number in NUMBERS])


def test_deal_100_random_seeds(benchmark: BenchmarkFixture) -> None:
    benchmark(lambda: [Deal.random(seed) for seed in NUMBERS])


def test_parse_a_board(benchmark: BenchmarkFixture) -> None:
    text = Deal.microsoft(617).format()
    assert benchmark(Deal.parse, text).format() == text


def test_play_a_solution_and_take_it_back(benchmark: BenchmarkFixture) -> None:
    deal = Deal.microsoft(617)
    game, solution = Game(deal), solve(deal).moves

    def play() -> None:
        for move in solution:
            game.push(move)
        for _ in solution:
            game.pop()

    benchmark(play)
    assert game == Game(deal)


def test_list_the_legal_moves(benchmark: BenchmarkFixture) -> None:
    game = Game(Deal.microsoft(617))
    assert benchmark(lambda: list(game.legal_moves))
