"""The same-suit engine: how many deals it wins with any number of cells, how short its solutions are, how runs move.

Its verdicts are before the judge in `test_verdicts.py`.
"""

from collections import Counter
from statistics import median

import pytest

from baker import Deal, Game, Verdict, games, solve, solve_many
from baker.rules import Rules


def cells(count: int) -> Rules:
    return games["bakers_game"].replace(cells=count)


def test_solutions_are_short() -> None:
    lengths = [len(solution.moves) for solution in solve_many(range(1, 1001)) if solution.is_solved]
    assert median(lengths) <= 91
    assert max(lengths) <= 115


@pytest.mark.parametrize("group", ["single", "cells"])
def test_groups_are_split_where_the_rules_ask_for_it(group: str) -> None:
    rules = games["bakers_game"].replace(group=group)
    for number, solution in enumerate(solve_many(range(1, 101), rules=rules), 1):
        game = Game(Deal.microsoft(number, rules))
        for move in solution.moves:
            assert group != "single" or move.count == 1
            game.push(move)
        assert game.is_won == (solution.verdict is Verdict.SOLVED)


@pytest.mark.parametrize("number", [5, 24, 77])
def test_runs_of_penguin_move_whole(number: int) -> None:
    assert solve(Deal.microsoft(number, "penguin")).verdict is Verdict.SOLVED
    assert solve(Deal.microsoft(number, games["penguin"].replace(group="full"))).verdict is Verdict.IMPOSSIBLE


COUNTS = [
    ("penguin", 3_000, 2_996),
    (games["penguin"].replace(group="full"), 3_000, 2_946),
    *((cells(count), 2_000, won) for count, won in zip((0, 1, 2, 3, 5, 6), (0, 6, 104, 621, 1969, 2000), strict=True)),
]
LONG_COUNTS = [
    ("kings_only_bakers_game", 10_000, 3_257),
    ("kings_only_bakers_game", 32_000, 10_312),
    ("seahaven_towers", 10_000, 8_926),
    ("seahaven_towers", 32_000, 28_564),
    ("eight_off", 10_000, 9_984),
]


def check_count(rules: str | Rules, last: int, won: int) -> None:
    counts = Counter(solution.verdict for solution in solve_many(range(1, last + 1), rules=rules, moves=False))
    assert counts == Counter({Verdict.SOLVED: won, Verdict.IMPOSSIBLE: last - won})


@pytest.mark.parametrize(("rules", "last", "won"), COUNTS)
def test_counts(rules: str | Rules, last: int, won: int) -> None:
    check_count(rules, last, won)


@pytest.mark.long
@pytest.mark.parametrize(("rules", "last", "won"), LONG_COUNTS)
def test_long_counts(rules: str | Rules, last: int, won: int) -> None:
    check_count(rules, last, won)
