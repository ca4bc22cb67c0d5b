"""The alternate-colour search: verdicts before the judge, and what is known of FreeCell."""

import dataclasses
import random

import long_verdicts
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judge import reference, strategies
from judge.boards import shuffled_deck
from judge.compiled import FILLS
from judge.convert import from_board, from_move, to_deal, to_rules
from judge.reference import GAMES, Position, Rules
from long_verdicts import GRIDS, GROUPS, Decide

import baker
from baker.engines.alternate_color.search import AlternateColorEngine
from baker.engines.choice import engine_for

IMPOSSIBLE_DEALS = (11982, 146692, 186216, 455889, 495505, 512118, 517776, 781948)


def freecell(cells: int = 4, fill: str = "any", group: str = "full") -> baker.Rules:
    return baker.games["freecell"].replace(cells=cells, fill=fill, group=group)


def replayed(deal: baker.Deal, solution: baker.Solution) -> bool:
    """Whether the deal is solved; if so the judge has seen the moves."""
    assert solution.verdict is not baker.Verdict.UNDECIDED
    if solution.verdict is baker.Verdict.IMPOSSIBLE:
        assert solution.moves == ()
        return False
    game = baker.Game(deal)
    for move in solution.moves:
        game.push(move)
    return game.is_won


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("fill", FILLS)
def test_it_is_chosen_by_the_rules_alone(fill: str, group: str) -> None:
    assert (engine_for(freecell(8, fill, group)) is AlternateColorEngine) == (group != "unlimited")


# Verdicts


@pytest.mark.slow
def test_verdicts(decide: Decide) -> None:
    outcomes = []
    for number in range(5000):
        drawn, outcome, board = long_verdicts.run(GRIDS["alternate_color"], f"alternate_color/test/{number}", decide)
        assert not outcome.startswith("WRONG"), f"{drawn}, deck {number}: {outcome}\n{reference.board_text(board)}"
        outcomes.append(outcome)
    assert min(outcomes.count("won"), outcomes.count("lost")) > 1500
    assert outcomes.count("undecided") < 50


alternate_rules = strategies.rules(ranks=st.integers(1, 6)).map(
    lambda rules: dataclasses.replace(
        rules, build="alternate_color", group="full" if rules.group == "unlimited" else rules.group
    )
)


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(strategies.positions(alternate_rules) | strategies.arranged_positions(alternate_rules))
def test_verdict_of_any_position(position: tuple[Position, Rules]) -> None:
    board, rules = position
    solution = baker.solve(to_deal(board, to_rules(rules)))
    if solution.verdict is baker.Verdict.SOLVED:
        reference.replay(board, rules, map(from_move, solution.moves))
    else:
        assert solution.verdict is baker.Verdict.IMPOSSIBLE
        assert reference.decide(board, rules, 20_000) is not True


def stacked(ranks: int, columns: int, cells: int, seed: int, fill: str) -> tuple[Position, Rules]:
    """All cards on a few of the columns, in any order."""
    rng = random.Random(seed)
    deck = shuffled_deck(ranks, seed)
    piles: list[list[reference.Card]] = [[] for _ in range(columns)]
    used = rng.sample(piles, rng.randint(1, min(3, columns)))
    for card in deck:
        rng.choice(used).append(card)
    rules = Rules(strategies.layout(len(deck), columns), cells, build="alternate_color", fill=fill, ranks=ranks)
    return Position(tuple(map(tuple, piles)), (None,) * cells), rules


@pytest.mark.slow
@pytest.mark.parametrize("fill", FILLS)
def test_verdicts_of_long_columns(fill: str, decide: Decide) -> None:
    verdicts = set()
    for seed in range(200):
        rng = random.Random(seed)
        board, rules = stacked(rng.randint(4, 7), rng.randint(2, 16), rng.randint(0, 3), seed, fill)
        outcome = long_verdicts.compare(board, rules, decide, 100_000)
        assert not outcome.startswith("WRONG"), f"{outcome}\n{reference.board_text(board)}"
        verdicts.add(outcome)
    assert {"won", "lost"} <= verdicts


@pytest.mark.parametrize(("columns", "cells"), [(16, 8), (16, 4), (8, 8), (2, 8)])
def test_all_cards_on_a_few_columns(columns: int, cells: int) -> None:
    for seed in range(20):
        board, rules = stacked(13, columns, cells, seed, "any")
        solution = baker.solve(to_deal(board, to_rules(rules)), max_nodes=20_000)
        if solution.verdict is baker.Verdict.SOLVED:
            reference.replay(board, rules, map(from_move, solution.moves))


@pytest.mark.parametrize("number", [1, 617, 11982])
def test_solved_all_the_way(number: int) -> None:
    """After each move of a solution the game can still be won, and the package finds how."""
    rules = freecell(cells=5)
    judged = dataclasses.replace(GAMES["freecell"], cells=5)
    play = baker.Game(baker.Deal.microsoft(number, rules))
    for move in baker.solve(play).moves:
        play.push(move)
        reference.replay(from_board(play), judged, map(from_move, baker.solve(play).moves))
    assert play.is_won
    assert baker.solve(play).verdict is baker.Verdict.SOLVED


@pytest.mark.slow
@pytest.mark.parametrize("fill", FILLS)
def test_groups_change_the_moves_alone(fill: str) -> None:
    for number in range(1, 31):
        verdicts = set()
        for group in ("single", "cells", "full"):
            deal = baker.Deal.microsoft(number, freecell(3, fill, group))
            solution = baker.solve(deal, max_nodes=100_000)
            if solution.verdict is not baker.Verdict.UNDECIDED:
                replayed(deal, solution)
            if group == "single":
                assert all(move.count == 1 for move in solution.moves)
            verdicts.add((solution.verdict, solution.nodes))
        assert len(verdicts) == 1


# Published and measured results

# How many of the Microsoft deals 1 to 300 can be won.
WON_TO_300 = [
    (freecell(0), 1),
    (freecell(1), 69),
    (freecell(2), 247),
    (freecell(3), 297),
    (freecell(4), 300),
    (freecell(8), 300),
    (freecell(4, "kings"), 300),
    (baker.games["fore_cell"], 251),
]


@pytest.mark.slow
@pytest.mark.parametrize(("rules", "won"), WON_TO_300)
def test_deals_to_300(rules: baker.Rules, won: int) -> None:
    numbers = range(1, 301)
    solutions = baker.solve_many(numbers, rules=rules)
    assert sum(map(replayed, (baker.Deal.microsoft(number, rules) for number in numbers), solutions)) == won


@pytest.mark.parametrize("number", IMPOSSIBLE_DEALS)
def test_the_impossible_deals_of_the_first_million(number: int) -> None:
    solution = baker.solve(baker.Deal.microsoft(number, "freecell"))
    assert solution.verdict is baker.Verdict.IMPOSSIBLE
    assert solution.nodes < 50_000


def test_a_deal_that_was_called_impossible() -> None:
    board = reference.microsoft(254076, GAMES["freecell"])
    solution = baker.solve(baker.Deal.microsoft(254076, "freecell"))
    assert solution.nodes < 20_000
    reference.replay(board, GAMES["freecell"], map(from_move, solution.moves))


def test_solutions_are_short() -> None:
    lengths = sorted(len(solution.moves) for solution in baker.solve_many(range(1, 1001), rules="freecell"))
    assert lengths[500] <= 100


@pytest.mark.long
def test_freecell_to_32000() -> None:
    impossible = []
    for number, solution in enumerate(baker.solve_many(range(1, 32_001), rules="freecell"), 1):
        if not replayed(baker.Deal.microsoft(number, "freecell"), solution):
            impossible.append(number)
    assert impossible == [11982]
