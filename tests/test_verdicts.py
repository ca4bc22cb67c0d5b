"""Verdicts and solutions of the package before the judge."""

import random

import long_verdicts
import pytest
from hypothesis import given, settings
from judge import reference, strategies
from judge.convert import from_board, from_move, to_deal, to_rules
from judge.reference import GAMES, Position, Rules
from known_counts import WON_TO_1000
from long_verdicts import GRIDS, Decide

import baker


def check(grid: str, decks: int, decide: Decide) -> None:
    outcomes = []
    for number in range(decks):
        drawn, outcome, board = long_verdicts.run(GRIDS[grid], f"{grid}/test/{number}", decide)
        assert not outcome.startswith("WRONG"), f"{drawn}, deck {number}: {outcome}\n{reference.board_text(board)}"
        outcomes.append(outcome)
    # Both verdicts were at stake, and the judge did not often give up.
    assert outcomes.count("won") > decks / 20
    assert outcomes.count("lost") > decks / 20
    assert outcomes.count("undecided") < decks / 20


@pytest.mark.slow
@pytest.mark.parametrize(
    ("grid", "decks"), [("same_suit", 6000), ("whole_runs", 4000), ("other_rules", 3000), ("nearly_full", 300)]
)
def test_verdicts(grid: str, decks: int, decide: Decide) -> None:
    check(grid, decks, decide)


@pytest.mark.slow
@pytest.mark.parametrize("grid", ["same_suit", "whole_runs", "other_rules"])
def test_verdicts_before_the_judge_in_python(grid: str) -> None:
    def decide(board: Position, rules: Rules, limit: int) -> bool | None:
        return reference.decide(board, rules, min(limit, 20_000))

    check(grid, 300, decide)


@pytest.mark.slow
@settings(max_examples=200, deadline=None)
@given(strategies.positions(strategies.small_rules) | strategies.arranged_positions(strategies.small_rules))
def test_verdict_of_any_position(position: tuple[Position, Rules]) -> None:
    board, rules = position
    limit = 20_000
    solution = baker.solve(to_deal(board, to_rules(rules)), max_nodes=limit)
    if solution.verdict is baker.Verdict.UNDECIDED:
        assert solution.limit is baker.Limit.NODES
        return
    if solution.verdict is baker.Verdict.SOLVED:
        reference.replay(board, rules, map(from_move, solution.moves))
    else:
        assert reference.decide(board, rules, limit) is not True


def solved(numbers: range, game: str, decide: Decide | None = None) -> int:
    """How many deals are won, each win replayed; the judge looks at all others."""
    count = 0
    rules = GAMES[game]
    for number in numbers:
        solution = baker.solve(baker.Deal.microsoft(number, game))
        assert solution.verdict is not baker.Verdict.UNDECIDED, number
        board = reference.microsoft(number, rules)
        if solution.verdict is baker.Verdict.SOLVED:
            reference.replay(board, rules, [move.to_json() for move in solution.moves])
            count += 1
        elif decide is not None:
            assert decide(board, rules, 60_000_000) is False, number
    return count


HARD_WINS = [
    # What the presets of another program call unsolvable.
    *(("bakers_game", number) for number in (276, 278, 761, 860, 915, 937)),
    # Walks from too few free places miss these wins.
    ("bakers_game", 3293),
    ("bakers_game", 6219),
    # A run that lies in place under a card that is dug.
    ("bakers_game", 2768),
    # As many columns as loose kings, and one more king to be dug up.
    ("kings_only_bakers_game", 8929),
    ("kings_only_bakers_game", 26634),
]


@pytest.mark.parametrize(("game", "number"), HARD_WINS)
def test_hard_wins(game: str, number: int) -> None:
    assert solved(range(number, number + 1), game) == 1


@pytest.mark.slow
@pytest.mark.parametrize("game", WON_TO_1000)
def test_deals_to_1000(game: str) -> None:
    assert solved(range(1, 1001), game) == WON_TO_1000[game]


# The judge takes minutes for the losses of the other games.
@pytest.mark.slow
@pytest.mark.parametrize(
    "game", [game if game == "bakers_game" else pytest.param(game, marks=pytest.mark.long) for game in WON_TO_1000]
)
def test_deals_to_1000_before_the_judge(game: str, decide: Decide) -> None:
    assert solved(range(1, 1001), game, decide) == WON_TO_1000[game]


@pytest.mark.long
@pytest.mark.parametrize(("last", "won"), [(10_000, 7554), (32_000, 24_040)])
def test_bakers_game_to(last: int, won: int) -> None:
    assert solved(range(1, last + 1), "bakers_game") == won


@pytest.mark.parametrize("game", ["bakers_game", "kings_only_bakers_game", "eight_off", "seahaven_towers"])
def test_solved_all_the_way(game: str) -> None:
    """After each move of a solution the game can still be won, and the package finds how."""
    rules = GAMES[game]
    number = next(n for n in range(617, 800) if baker.solve(baker.Deal.microsoft(n, game)).verdict == "solved")
    play = baker.Game(baker.Deal.microsoft(number, game))
    for move in baker.solve(play).moves:
        play.push(move)
        solution = baker.solve(play)
        reference.replay(from_board(play), rules, map(from_move, solution.moves))
    assert play.is_won
    assert baker.solve(play).verdict is baker.Verdict.SOLVED


def test_hint(decide: Decide) -> None:
    """A move that keeps the win, or the verdict."""
    for number in range(400):
        rng = random.Random(number)
        rules = rng.choice(GRIDS["same_suit"]).rules
        board = long_verdicts.draw_position(rules, rng)
        hint = baker.Game(to_deal(board, to_rules(rules))).hint()
        if isinstance(hint, baker.Move):
            assert decide(reference.apply(board, from_move(hint)), rules, 1_000_000) is True
        elif reference.is_won(board):
            assert hint is baker.Verdict.SOLVED
        else:
            assert hint is baker.Verdict.IMPOSSIBLE
            assert decide(board, rules, 1_000_000) is False
