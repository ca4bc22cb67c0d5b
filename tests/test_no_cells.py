"""The search for games without cells: verdicts before the judge, moves replayed, known counts."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import long_verdicts
import pytest
from engine_kit import Status, ask, numbered, replay
from judge import boards, reference, strategies
from judge.compiled import BUILDS
from judge.convert import from_board, from_move, to_deal, to_rules
from judge.reference import GAMES, Position, Rules
from long_verdicts import GRIDS, Decide

import baker
from baker.engines.choice import engine_for
from baker.engines.general.search import GeneralEngine
from baker.engines.no_cells.search import NoCellsEngine
from baker.solver import board_of

FAMILY = ["bakers_dozen", "bakers_dozen_different_suit", "portuguese_solitaire", "good_measure"]
# What the search can do without.
SWITCHES = [{"lone": False}, {"safe": False}, {"counts": False}, {"lone": False, "safe": False, "counts": False}]


def small_positions(name: str, count: int) -> Iterator[tuple[Position, Rules]]:
    """Deals of the grid, and what random play makes of them."""
    for number in range(count):
        rng = random.Random(f"{name}/{number}")
        rules = rng.choice(GRIDS["no_cells"]).rules
        yield long_verdicts.draw_position(rules, rng), rules


def arranged_positions(name: str, count: int) -> Iterator[tuple[Position, Rules]]:
    """Boards full of runs, with columns of any length and empty ones."""
    for number in range(count):
        rng = random.Random(f"{name}/{number}")
        ranks = rng.randint(1, 8)
        rules = Rules(
            strategies.layout(4 * ranks, rng.randint(1, 7)),
            build=rng.choice(BUILDS),
            fill=rng.choice(("none", "kings")),
            group=rng.choice(("single", "cells", "full")),
            ranks=ranks,
        )
        board = boards.arrange(rules, rng)
        if rng.random() < 0.3:
            board = boards.random_play(board, rules, rng.randint(1, 30), rng, homeward=rng.random() < 0.5)
        yield board, rules


def test_the_rules_choose_the_engine() -> None:
    rules = baker.games["bakers_dozen"]
    for game in FAMILY:
        assert engine_for(baker.games[game]) is NoCellsEngine
    for build in BUILDS:
        for group in ("single", "cells", "full"):
            assert engine_for(rules.replace(build=build, group=group)) is NoCellsEngine
    for changes in ({"cells": 1}, {"fill": "any"}, {"group": "unlimited"}):
        assert engine_for(rules.replace(**changes)) is GeneralEngine


@pytest.mark.slow
def test_verdicts(decide: Decide) -> None:
    outcomes: Counter[str] = Counter()
    grid = tuple(replace(cell, limit=50_000) for cell in GRIDS["no_cells"] if cell.rules.ranks < 8)
    for number in range(3000):
        drawn, outcome, board = long_verdicts.run(grid, f"no_cells/test/{number}", decide)
        assert not outcome.startswith("WRONG"), f"{drawn}, deck {number}: {outcome}\n{reference.board_text(board)}"
        outcomes[outcome] += 1
    assert outcomes["won"] > 500
    assert outcomes["lost"] > 1000
    assert outcomes["undecided"] < 100


@pytest.mark.slow
def test_verdicts_of_arranged_positions(decide: Decide) -> None:
    engine = NoCellsEngine()
    statuses: Counter[Status] = Counter()
    for board, rules in arranged_positions("arranged", 4000):
        answer = ask(engine, board_of(to_deal(board, to_rules(rules))))
        statuses[answer.status] += 1
        if answer.status is Status.SOLVED:
            reference.replay(board, rules, [(code & 31, code >> 5 & 31, code >> 10) for code in answer.codes])
        else:
            assert answer.status is Status.IMPOSSIBLE
            assert decide(board, rules, 100_000) is not True, reference.board_text(board)
    assert min(statuses[Status.SOLVED], statuses[Status.IMPOSSIBLE]) > 1000


@pytest.mark.slow
@pytest.mark.parametrize("switches", SWITCHES, ids=" ".join)
def test_verdicts_without(switches: dict[str, bool]) -> None:
    """The search comes to the same without what makes it fast."""
    usual, other = NoCellsEngine(), NoCellsEngine()
    other.switch(**switches)
    for positions in (small_positions("without", 2000), arranged_positions("without", 1000)):
        for position, rules in positions:
            board = board_of(to_deal(position, to_rules(rules)))
            answer = ask(other, board)
            assert answer.status == ask(usual, board).status, f"{rules}\n{reference.board_text(position)}"
            assert answer.status in (Status.SOLVED, Status.IMPOSSIBLE)
            replay(board, answer)


@pytest.mark.long
@pytest.mark.parametrize("switches", SWITCHES, ids=" ".join)
@pytest.mark.parametrize("game", ["bakers_dozen", "good_measure"])
def test_losses_without(game: str, switches: dict[str, bool]) -> None:
    """Whole deals that cannot be won, proved again; few of them take very long."""
    usual, other = NoCellsEngine(), NoCellsEngine()
    other.switch(**switches)
    outcomes: Counter[Status] = Counter()
    for number in range(1, 3000):
        board = numbered(number, game)
        if ask(usual, board).status is Status.IMPOSSIBLE:
            outcomes[ask(other, board, nodes=3_000_000).status] += 1
    assert outcomes[Status.SOLVED] == 0
    assert outcomes[Status.IMPOSSIBLE] > 0.8 * outcomes.total()


@pytest.mark.slow
def test_what_is_allowed_more_is_won_more() -> None:
    engine = NoCellsEngine()
    base = baker.games["bakers_dozen"]
    same, alternate, different, free = (
        base.replace(build=build) for build in ("same_suit", "alternate_color", "different_suit", "any_suit")
    )
    kings = base.replace(fill="kings")
    pairs = [(same, free), (alternate, different), (different, free), (free, kings)]
    won: Counter[str] = Counter()
    for number in range(1, 201):
        for less, more in pairs:
            first, second = (ask(engine, numbered(number, rules), moves=False).status for rules in (less, more))
            assert first is Status.IMPOSSIBLE or second is Status.SOLVED, (number, less, more)
            won[less.build] += first is Status.SOLVED
    assert 0 < won["alternate_color"] < won["different_suit"]


# Deals of 1 to 1000 that cannot be won.
LOST_TO_1000 = {
    "bakers_dozen": [104],
    "bakers_dozen_different_suit": [14, 104, 122, 310, 349, 790],
    "portuguese_solitaire": [14, 72, 422, 644],
}


@pytest.mark.slow
@pytest.mark.parametrize("game", LOST_TO_1000)
def test_to_1000(game: str) -> None:
    assert lost(range(1, 1001), game) == LOST_TO_1000[game]


def lost(numbers: range, game: str) -> list[int]:
    """The deals that cannot be won; the wins of the others are replayed."""
    found = []
    for number in numbers:
        solution = baker.solve(baker.Deal.microsoft(number, game))
        if solution.verdict is baker.Verdict.SOLVED:
            reference.replay(reference.microsoft(number, GAMES[game]), GAMES[game], map(from_move, solution.moves))
        else:
            assert solution.verdict is baker.Verdict.IMPOSSIBLE, number
            found.append(number)
    return found


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "last", "count"),
    [
        ("bakers_dozen", 10_000, 18),
        ("bakers_dozen_different_suit", 2000, 17),
        ("portuguese_solitaire", 2000, 5),
        ("good_measure", 2000, 108),
    ],
)
def test_counts(game: str, last: int, count: int) -> None:
    assert len(lost(range(1, last + 1), game)) == count


def test_two_hundred_shuffled_decks() -> None:
    """Decks as Python shuffles them, four cards in a row to a column."""
    verdicts: Counter[str] = Counter()
    for seed in range(200):
        deck = [baker.Card.from_index(card) for card in range(52)]
        random.Random(seed).shuffle(deck)
        columns = [deck[first : first + 4] for first in range(0, 52, 4)]
        for column in columns:
            column.sort(key=lambda card: card.rank < 13)
        verdicts[baker.solve(baker.Deal(columns, rules="bakers_dozen")).verdict.value] += 1
    assert verdicts == {"solved": 199, "impossible": 1}


@pytest.mark.parametrize("game", FAMILY)
def test_solved_all_the_way(game: str) -> None:
    """After each move of a solution the game can still be won, and the package finds how."""
    for number in (1, 2):
        play = baker.Game(baker.Deal.microsoft(number, game))
        for move in baker.solve(play).moves:
            play.push(move)
            solution = baker.solve(play)
            reference.replay(from_board(play), GAMES[game], map(from_move, solution.moves))
        assert play.is_won
        assert baker.solve(play).verdict is baker.Verdict.SOLVED


def test_columns_of_every_length() -> None:
    """Whole decks in one to sixteen columns, dealt and in mid-game; what is won is replayed."""
    engine = NoCellsEngine()
    statuses: Counter[Status] = Counter()
    for seed in range(300):
        rng = random.Random(seed)
        rules = Rules(
            strategies.layout(52, rng.randint(1, 16)), build=rng.choice(BUILDS), fill=rng.choice(("none", "kings"))
        )
        deck = boards.shuffled_deck(13, seed)
        position = boards.arrange(rules, rng) if seed % 2 else reference.deal(deck, rules)
        board = board_of(to_deal(position, to_rules(rules)))
        answer = ask(engine, board, nodes=20_000)
        replay(board, answer)
        statuses[answer.status] += 1
    assert statuses[Status.OUT_OF_MEMORY] == 0
    assert min(statuses[Status.SOLVED], statuses[Status.IMPOSSIBLE]) > 20


def test_solutions_are_short() -> None:
    lengths = sorted(len(solution.moves) for solution in baker.solve_many(range(1, 400), rules="bakers_dozen"))
    assert lengths[len(lengths) // 2] <= 90
    assert lengths[-1] <= 150


def test_no_card_moves_twice_in_a_row() -> None:
    for game in FAMILY:
        for number in range(1, 50):
            board = numbered(number, game)
            before = None
            for code in ask(NoCellsEngine(), board).codes:
                card = board.columns()[code & 31][-1]
                assert card != before
                before = card
                board.push(code)
