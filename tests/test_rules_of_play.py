"""Play under every rule set: the package and the judge side by side."""

import copy
import dataclasses
import itertools
import json
import pickle
import random
from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from judge import reference, strategies
from judge.boards import arrange, shuffled_deck
from judge.compiled import BUILDS, FILLS
from judge.convert import from_board, from_move, to_deal, to_move, to_rules
from judge.reference import GAMES, Position, Rules

import baker


def test_named_games_are_those_of_the_judge() -> None:
    assert set(baker.games) == set(GAMES)
    for name, rules in baker.games.items():
        assert rules == to_rules(GAMES[name])


@given(strategies.deals())
def test_deals_are_legal_boards(dealt: tuple[Position, Rules]) -> None:
    board, rules = dealt
    assert from_board(to_deal(board, to_rules(rules))) == board


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", [1, 2, 617, 11982, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**33 - 1])
def test_microsoft_deals(game: str, number: int) -> None:
    assert from_board(baker.Deal.microsoft(number, game)) == reference.microsoft(number, GAMES[game])


def test_random_deals_are_laid_out_by_the_rules() -> None:
    # What the columns hold row by row is the deck, the same for every layout without kings down and aces out.
    deck = reference.full_deck()
    plain = from_board(baker.Deal.random(7, to_rules(Rules((52,)))))
    assert sorted(plain.columns[0]) == sorted(deck)
    for game, rules in GAMES.items():
        assert from_board(baker.Deal.random(7, game)) == reference.deal(plain.columns[0], rules)


COPIES: dict[str, Callable[[baker.Game], baker.Game]] = {
    "copy": baker.Game.copy,
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda game: cast(baker.Game, pickle.loads(pickle.dumps(game))),
}


class Play(RuleBasedStateMachine):
    """One game in the package and in the judge, played, taken back and copied at will."""

    @initialize(dealt=strategies.positions() | strategies.arranged_positions())
    def deal(self, dealt: tuple[Position, Rules]) -> None:
        self.board, self.judge_rules = dealt
        self.game = baker.Game(to_deal(self.board, to_rules(self.judge_rules)))
        self.played: list[tuple[Position, reference.Move]] = []

    @precondition(lambda self: not self.game.is_stuck and not self.game.is_won)
    @rule(choice=st.integers(0, 2**16), as_text=st.booleans())
    def play(self, choice: int, as_text: bool) -> None:
        moves = reference.legal_moves(self.board, self.judge_rules)
        move = moves[choice % len(moves)]
        self.played.append((self.board, move))
        self.board = reference.apply(self.board, move)
        self.game.push(str(to_move(move)) if as_text else to_move(move))
        assert self.game.peek() == to_move(move)

    @precondition(lambda self: self.played)
    @rule()
    def take_back(self) -> None:
        self.board, move = self.played.pop()
        assert self.game.pop() == to_move(move)

    @precondition(lambda self: not self.played)
    @rule()
    def nothing_to_take_back(self) -> None:
        for last in (self.game.pop, self.game.peek):
            with pytest.raises(IndexError):
                last()

    @rule(how=st.sampled_from(list(COPIES)))
    def go_on_with_a_copy(self, how: str) -> None:
        """The copy is equal, and what happens to the original does not touch it."""
        original = self.game
        self.game = COPIES[how](original)
        assert self.game == original
        assert hash(self.game) == hash(original)
        assert self.game.history == original.history
        for move in list(original.legal_moves)[:1]:
            original.push(move)
            assert self.game != original

    @rule(places=st.tuples(st.integers(0, 24), st.integers(0, 24)), count=st.integers(1, 52))
    def refuse(self, places: tuple[int, int], count: int) -> None:
        """Legal or not, the judge agrees; an illegal move changes nothing (see the invariants)."""
        move = baker.Move(*places, count)
        reason = reference.fault(self.board, self.judge_rules, from_move(move))
        assert (move in self.game.legal_moves) == (reason is None)
        if reason is not None:
            with pytest.raises(baker.IllegalMoveError):
                self.game.push(move)

    @rule(text=st.text("123456789abcdefghi-x0 ", max_size=7))
    def read_any_text(self, text: str) -> None:
        try:
            move = self.game.parse_move(text)
        except (baker.IllegalMoveError, baker.InvalidMoveError):
            return
        assert reference.fault(self.board, self.judge_rules, from_move(move)) is None

    @invariant()
    def same_board(self) -> None:
        assert from_board(self.game) == self.board
        assert self.game.history == tuple(to_move(move) for _, move in self.played)

    @invariant()
    def same_moves(self) -> None:
        assert [from_move(move) for move in self.game.legal_moves] == reference.legal_moves(
            self.board, self.judge_rules
        )

    @invariant()
    def same_end(self) -> None:
        assert self.game.is_won == reference.is_won(self.board)
        moves = reference.legal_moves(self.board, self.judge_rules)
        assert self.game.is_stuck == (not moves and not reference.is_won(self.board))

    @rule()
    def texts_round_trip(self) -> None:
        check_texts(self.game)


TestPlay = pytest.mark.slow(Play.TestCase)
TestPlay.settings = settings(max_examples=200, stateful_step_count=20, deadline=None)


def check_texts(game: baker.Game) -> None:
    """Moves and boards read back as they were written."""
    for move in game.legal_moves:
        assert game.parse_move(str(move)) == move
        assert game.parse_move(str(move).upper()) == move
        assert baker.Move.from_json(json.loads(json.dumps(move.to_json()))) == move
        assert reference.move_from_json(move.to_json()) == from_move(move)
        assert eval(repr(move), {"Move": baker.Move}) == move
    deal = game.position
    assert baker.Deal.parse(deal.format(), deal.rules) == deal
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert eval(repr(deal), {"Deal": baker.Deal, "Rules": baker.Rules}) == deal
    assert eval(repr(game), vars(baker)) == game


def variants() -> dict[str, Rules]:
    """Every build with every fill and every group, and with 0 to 8 cells, on full decks."""
    found = dict(GAMES)
    layouts = itertools.cycle([((7, 7, 7, 7, 6, 6, 6, 6), 2), ((6, 6, 6, 6, 6, 5, 5, 5, 4, 3), 1), ((4,) * 13, 0)])
    for build, fill, group in itertools.product(BUILDS, FILLS, strategies.GROUPS):
        columns, cells = next(layouts)
        found[f"{build}-{fill}-{group}"] = Rules(columns, cells, build=build, fill=fill, group=group)
    for cells in range(9):
        found[f"bakers_game-{cells}-cells"] = dataclasses.replace(GAMES["bakers_game"], cells=cells)
    found["widest"] = Rules(strategies.layout(52, 16), cells=8, build="any_suit")
    found["one-column"] = Rules((52,), cells=8)
    found["empty-columns"] = Rules((26, 26, 0, 0, 0, 0), cells=3, build="any_suit")
    return found


VARIANTS = variants()


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_random_play(name: str) -> None:
    """Some whole games from deals and from boards full of runs; cards go home when they can in every other one."""
    rules = VARIANTS[name]
    package_rules = baker.games.get(name) or to_rules(rules, name)
    for seed in range(12):
        rng = random.Random(seed)
        board = reference.deal(shuffled_deck(rules.ranks, seed), rules)
        if seed >= 6:
            board = arrange(rules, rng)
        game = baker.Game(to_deal(board, package_rules))
        start = game.copy()
        for step in range(120):
            moves = reference.legal_moves(board, rules)
            assert [from_move(move) for move in game.legal_moves] == moves
            assert len(game.legal_moves) == len(moves)
            if step % 20 == 0:
                check_texts(game)
            if not moves:
                break
            home = [move for move in moves if move.target == reference.FOUNDATION] if seed % 2 else []
            move = rng.choice(home or moves)
            group = reference.group_of(board, move)
            after = reference.apply(board, move)
            assert group is not None
            assert reference.undo(after, move, group) == board
            game.push(to_move(move))
            assert from_board(game) == after
            game.pop()
            assert from_board(game) == board
            game.push(to_move(move))
            board = after
        while game.history:
            game.pop()
        assert game == start


@pytest.mark.parametrize(
    "name", [name if name in GAMES else pytest.param(name, marks=pytest.mark.slow) for name in VARIANTS]
)
def test_every_conceivable_move(name: str) -> None:
    """Push takes what the judge takes and refuses the rest, whatever the places and the count."""
    rules = VARIANTS[name]
    rng = random.Random(name)
    board = arrange(rules, rng)
    game = baker.Game(to_deal(board, to_rules(rules)))
    legal = set(reference.legal_moves(board, rules))
    for source, target, count in itertools.product(range(25), range(25), (1, 2, 3, 4, 13, 52)):
        move = baker.Move(source, target, count)
        assert (move in game.legal_moves) == (from_move(move) in legal)
        if from_move(move) not in legal:
            with pytest.raises(baker.IllegalMoveError):
                game.push(move)
    assert from_board(game) == board
    assert game.history == ()


def test_move_text_without_a_count() -> None:
    board = reference.position(["3C 2C AC", "4C", "", "3D 2D AD 4D"], "-", (0, 0, 4, 4))
    rules = to_rules(Rules((16, 0, 0, 0), cells=1, ranks=4))
    game = baker.Game(to_deal(board, rules))
    # Onto a card only one count can fit; into an empty column it is one card.
    assert [str(game.parse_move(text)) for text in ("12", "13", "13x2")] == ["12x3", "13", "13x2"]


@pytest.mark.slow
@settings(max_examples=300, deadline=None)
@given(strategies.positions(strategies.small_rules) | strategies.arranged_positions(strategies.small_rules))
def test_autoplay_takes_no_win_away(position: tuple[Position, Rules]) -> None:
    board, rules = position
    game = baker.Game(to_deal(board, to_rules(rules)))
    before = reference.decide(board, rules, 20_000)
    moves = game.autoplay()
    assert game.history == moves
    for move in moves:
        assert move.target == reference.FOUNDATION
        assert reference.fault(board, rules, from_move(move)) is None
        board = reference.apply(board, from_move(move))
    assert from_board(game) == board
    if rules.build == "same_suit":
        assert all(move.target != reference.FOUNDATION for move in reference.legal_moves(board, rules))
    after = reference.decide(board, rules, 20_000)
    assert None in (before, after) or before == after
