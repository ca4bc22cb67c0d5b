"""The same-suit engine: a fingerprint of its search, deals that once fooled an engine, the length of its solutions."""

from collections import Counter
from statistics import median

import pytest

from baker import Deal, Game, Verdict, games, solve, solve_many
from baker.rules import Rules


def cells(count: int) -> Rules:
    return games["bakers_game"].replace(cells=count)


# A change that is to leave the search as it is leaves these as they are; any other explains itself.
@pytest.mark.parametrize(
    ("rules", "nodes", "moves"),
    [
        ("bakers_game", 92_766, 34_308),
        ("kings_only_bakers_game", 220_502, 12_948),
        ("seahaven_towers", 149_588, 37_669),
        ("eight_off", 15_542, 43_385),
        ("penguin", 17_111, 42_932),
        (games["penguin"].replace(cells=4), 76_655, 15_375),
        ("same_suit_fore_cell", 33_373, 3_118),
        (cells(0), 1_432, 0),
        (cells(2), 27_784, 1_539),
        (cells(8), 6_667, 44_465),
    ],
    ids=lambda value: value if isinstance(value, str) else str(getattr(value, "cells", value)),
)
def test_fingerprint(rules: str | Rules, nodes: int, moves: int) -> None:
    solutions = list(solve_many(range(1, 501), rules=rules))
    assert sum(solution.nodes for solution in solutions) == nodes
    assert sum(len(solution.moves) for solution in solutions) == moves


@pytest.mark.parametrize(
    ("number", "rules", "verdict"),
    [
        # Walks from too few free places miss these wins.
        (3293, "bakers_game", "solved"),
        (6219, "bakers_game", "solved"),
        # A run that lies in place under a card that is dug.
        (2768, "bakers_game", "solved"),
        # As many columns as loose kings, and one more king to be dug up.
        (8929, "kings_only_bakers_game", "solved"),
        (26634, "kings_only_bakers_game", "solved"),
        # What the presets of another program call unsolvable.
        *((number, "bakers_game", "solved") for number in (276, 278, 761, 860, 915, 937)),
    ],
)
def test_deals_that_fooled_an_engine(number: int, rules: str, verdict: str) -> None:
    solution = solve(Deal.microsoft(number, rules))
    assert solution.verdict == verdict
    game = Game(Deal.microsoft(number, rules))
    for move in solution.moves:
        game.push(move)
    assert game.is_won


def test_solutions_are_short_and_legal() -> None:
    lengths = []
    for number, solution in enumerate(solve_many(range(1, 1001)), 1):
        if solution.verdict is Verdict.SOLVED:
            game = Game(Deal.microsoft(number))
            for move in solution.moves:
                game.push(move)
            assert game.is_won
            lengths.append(len(solution.moves))
    assert len(lengths) == 766
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
    ("bakers_game", 1_000, 766),
    ("kings_only_bakers_game", 1_000, 326),
    ("seahaven_towers", 1_000, 901),
    ("eight_off", 1_000, 998),
    ("penguin", 3_000, 2_996),
    (games["penguin"].replace(group="full"), 3_000, 2_946),
    *((cells(count), 2_000, won) for count, won in zip((0, 1, 2, 3, 5, 6), (0, 6, 104, 621, 1969, 2000), strict=True)),
]
LONG_COUNTS = [
    ("bakers_game", 10_000, 7_554),
    ("bakers_game", 32_000, 24_040),
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
