"""Hints: whoever follows them wins, whatever was played before, and without going round in circles."""

import pickle
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

import baker.game
from baker import Deal, Game, Move, Solution, Verdict, solve
from baker.rules import GAMES
from baker.solver import board_of

NAMES = [name for name, rules in GAMES.items() if name == rules.name]
# Deals of which the searches are long are no hints' concern.
NODES = 200_000


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[Solution]:
    """The answers of the searches that hints have made."""
    found: list[Solution] = []

    def search(*arguments: Any, **options: Any) -> Solution:
        found.append(solve(*arguments, **options))
        return found[-1]

    monkeypatch.setattr(baker.game, "solve", search)
    return found


def follow(game: Game) -> int:
    """Follows hints until there are no more; how many there were."""
    for hints in range(1000):
        hint = game.hint()
        if not isinstance(hint, Move):
            return hints
        game.push(hint)
    return pytest.fail(f"round in circles: {game!r}")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_following_hints_wins_in_no_more_moves_than_the_solution(name: str, searches: list[Solution]) -> None:
    won = 0
    for number in range(1, 101):
        game = Game(Deal.microsoft(number, name))
        if not isinstance(game.hint(max_nodes=NODES), Move):
            continue
        (solution,) = searches[-1:]
        before = len(searches)
        assert follow(game) <= len(solution.moves)
        assert game.is_won
        # One search for the line, and the one that finds that there is nothing left to do.
        assert len(searches) == before + 1
        won += 1
    assert won


def test_hints_are_the_moves_of_one_solution() -> None:
    deal = Deal.microsoft(617)
    game = Game(deal)
    follow(game)
    assert game.history == solve(deal).moves


@pytest.mark.parametrize("name", NAMES)
def test_following_hints_after_other_moves_wins(name: str, searches: list[Solution]) -> None:
    rng = random.Random(name)
    for number in range(1, 16):
        game = Game(Deal.microsoft(number, name))
        if not isinstance(game.hint(max_nodes=NODES), Move):
            continue
        for _ in range(40):
            hint = game.hint(max_nodes=NODES)
            if isinstance(hint, Move) and rng.random() < 0.6:
                game.push(hint)
            elif game.history and (hint in (Verdict.IMPOSSIBLE, Verdict.UNDECIDED) or rng.random() < 0.3):
                game.pop()
            elif game.legal_moves:
                game.push(rng.choice(tuple(game.legal_moves)))
        while game.hint(max_nodes=NODES) in (Verdict.IMPOSSIBLE, Verdict.UNDECIDED):
            game.pop()
        before = len(searches)
        longest = max((len(solution.moves) for solution in searches), default=0)
        assert follow(game) <= longest
        assert game.is_won
        assert len(searches) == before + 1


@pytest.mark.parametrize("name", ["bakers_game", "freecell", "seahaven_towers", "spanish_patience"])
def test_moves_that_do_the_same_stay_on_the_line(name: str, searches: list[Solution]) -> None:
    rng = random.Random(name)
    others = 0
    for number in range(1, 7):
        game = Game(Deal.microsoft(number, name))
        while isinstance(hint := game.hint(max_nodes=NODES), Move):
            same = [move for move in game.legal_moves if does_the_same(game, move, hint)]
            move = rng.choice(same)
            others += move != hint
            game.push(move)
        assert game.is_won or not game.history
        assert len(searches) <= 2
        searches.clear()
    assert others > 5


def does_the_same(game: Game, move: Move, other: Move) -> bool:
    """Whether two moves differ only in which cell or which empty column they take or leave."""
    boards = [board_of(game).copy(), board_of(game).copy()]
    boards[0].push(move.code)
    boards[1].push(other.code)
    return boards[0].canonical_key() == boards[1].canonical_key()


def test_taking_back_returns_to_the_line(searches: list[Solution]) -> None:
    game = Game(Deal.microsoft(617))
    first = game.hint()
    assert isinstance(first, Move)
    game.push(first)
    second = game.hint()
    for move in game.legal_moves:
        game.push(move)
        game.pop()
        assert game.hint() == second
    game.pop()
    assert game.hint() == first
    assert len(searches) == 1


def test_limits_are_those_of_a_search(searches: list[Solution]) -> None:
    game = Game(Deal.microsoft(5, "freecell"))
    assert game.hint(max_nodes=1) is Verdict.UNDECIDED
    hint = game.hint()
    assert isinstance(hint, Move)
    game.push(hint)
    assert isinstance(game.hint(max_nodes=1), Move)
    assert len(searches) == 2
    with pytest.raises(ValueError, match="max_nodes is 0"):
        game.hint(max_nodes=0)
    with pytest.raises(TypeError, match="max_seconds is '1'"):
        game.hint(max_seconds="1")  # type: ignore[arg-type]


def test_a_line_is_no_part_of_what_a_game_is() -> None:
    game, fresh = Game(Deal.microsoft(617)), Game(Deal.microsoft(617))
    hint = game.hint()
    assert game == fresh
    assert hash(game) == hash(fresh)
    assert repr(game) == repr(fresh)
    assert pickle.dumps(game) == pickle.dumps(fresh)
    copies = [game.copy(), pickle.loads(pickle.dumps(game))]
    assert [twin.hint() for twin in copies] == [hint, hint]


def test_copies_play_on_alone() -> None:
    game = Game(Deal.microsoft(617))
    game.hint()
    twin = game.copy()
    twin.push("2a")
    assert isinstance(twin.hint(), Move)
    assert follow(game) == len(solve(Deal.microsoft(617)).moves)
    follow(twin)
    assert game.is_won
    assert twin.is_won


def test_several_threads_may_ask_one_game() -> None:
    game = Game(Deal.microsoft(617))

    def ask(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(100):
            if rng.random() < 0.3:
                game.push(rng.choice(tuple(game.copy().legal_moves)))
            elif rng.random() < 0.3:
                game.pop()
            else:
                game.hint(max_nodes=1000)

    def carefully(seed: int) -> None:
        for turn in range(10):
            try:
                ask(100 * seed + turn)
            except (ValueError, IndexError):  # another thread has played first
                continue

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(carefully, range(4)))
    while not isinstance(game.hint(), Move):
        game.pop()
    follow(game)
    assert game.is_won


def test_hints_without_a_win() -> None:
    assert Game(Deal.microsoft(10)).hint() is Verdict.IMPOSSIBLE
    assert Game(Deal.microsoft(11982, "freecell")).hint(max_nodes=10) is Verdict.UNDECIDED
