"""The judge judged: by hand-counted positions, by its own second formulations, and Python against C."""

import random
from collections.abc import Iterator

import pytest

from judge import compiled, reference
from judge.compiled import BUILDS, FILLS, CompiledJudge
from judge.reference import GAMES, Move, Position, Rules, cards, position

DEAL_1 = """\
JD KD 2S 4C 3S 6D 6S
2D KC KS 5C TD 8S 9C
9H 9S 9D TS 4S 8D 2H
JC 5S QD QH TH QS 6H
5D AD JS 4H 8H 6C
7H QC AS AC 2C 3D
7C KH AH 4D JH 8C
5H 3H 3C 7S 7D TC
""".splitlines()


def small_games(count: int, first_seed: int = 0) -> Iterator[tuple[Position, Rules]]:
    """Reduced decks under all sorts of rules."""
    for seed in range(first_seed, first_seed + count):
        rng = random.Random(seed)
        ranks, column_count, cells = rng.randint(1, 5), rng.randint(2, 6), rng.randint(0, 3)
        filled = rng.sample(range(cells), rng.randint(0, cells))
        dealt = 4 * ranks - len(filled)
        rules = Rules(
            tuple(len(range(column, dealt, column_count)) for column in range(column_count)),
            cells=cells,
            filled=tuple(filled),
            build=rng.choice(BUILDS),
            fill=rng.choice(FILLS),
            group=rng.choice(("single", "cells", "full", "unlimited")),
            kings_down=rng.random() < 0.3,
            ranks=ranks,
        )
        deck = reference.full_deck(ranks)
        rng.shuffle(deck)
        yield reference.deal(deck, rules), rules


def random_walk(start: Position, rules: Rules, rng: random.Random, length: int) -> Iterator[tuple[Position, Move]]:
    """Positions of a random game with the move that is played in each."""
    for _ in range(length):
        moves = reference.legal_moves(start, rules)
        if not moves:
            return
        move = rng.choice(moves)
        yield start, move
        start = reference.apply(start, move)


def test_microsoft_deal_1() -> None:
    assert reference.microsoft(1, GAMES["bakers_game"]) == position(DEAL_1, "- - - -")


def test_deal_fills_cells_and_aces_and_kings() -> None:
    deck = reference.microsoft_deck(1)
    eight_off = reference.deal(deck, GAMES["eight_off"])
    assert eight_off.cells == (deck[48], None, deck[49], None, deck[50], None, deck[51], None)
    assert eight_off.columns[0] == tuple(deck[0:48:8])
    seahaven = reference.deal(deck, GAMES["seahaven_towers"])
    assert seahaven.cells == (None, deck[50], deck[51], None)

    two_kings = reference.deal(cards("2C KC 3D KH"), Rules((4,), kings_down=True, ranks=13))
    assert two_kings.columns == (tuple(cards("KC KH 2C 3D")),)

    aces = [card for card in deck if card[0] == 1]
    good_measure = reference.deal(deck, GAMES["good_measure"])
    assert [good_measure.home[suit] for _, suit in aces] == [1, 1, 0, 0]
    assert sum(map(len, good_measure.columns)) == 50


# A row: rules, position, moves by hand (source, target, length).
BY_HAND = [
    # The first free cell and the second are two moves; home comes first; the eight goes on the nine.
    (
        Rules((), cells=2),
        position(["8C", "9C", "AD"], "- -"),
        [(0, 1, 1), (0, 16, 1), (0, 17, 1), (1, 16, 1), (1, 17, 1), (2, 24, 1), (2, 16, 1), (2, 17, 1)],
    ),
    # A run of three, one free cell, the target empty and no other: two may move, not four.
    (Rules((), cells=1), position(["TC 9C 8C", ""], "-"), [(0, 1, 1), (0, 1, 2), (0, 16, 1)]),
    # One more empty column: all three (and each empty column counts).
    (
        Rules((), cells=1),
        position(["TC 9C 8C", "", ""], "-"),
        [(0, 1, 1), (0, 1, 2), (0, 1, 3), (0, 2, 1), (0, 2, 2), (0, 2, 3), (0, 16, 1)],
    ),
    # Onto a card the empty column helps: (0 + 1) * 2.
    (Rules(()), position(["TC 9C", "JC", ""]), [(0, 1, 2), (0, 2, 1), (1, 2, 1)]),
    # ... but not with kings only,
    (Rules((), fill="kings"), position(["TC 9C", "JC", ""]), []),
    # ... where a king moves with its run as far as the cells reach.
    (
        Rules((), cells=1, fill="kings"),
        position(["3C KC QC", ""], "-"),
        [(0, 1, 2), (0, 16, 1)],
    ),
    # The bound of free cells + 1 forgets empty columns; unlimited forgets everything.
    (Rules((), group="cells"), position(["TC 9C", "JC", ""]), [(0, 2, 1), (1, 2, 1)]),
    (Rules((), group="unlimited", fill="none"), position(["QC TC 9C", "JC", ""]), [(0, 1, 2)]),
    (Rules((), group="single"), position(["QC JC", "KC"]), []),
    # A lone card may go to another empty column; cells only to columns, never to cells.
    (Rules((), cells=2), position(["", ""], "5H -"), [(16, 0, 1), (16, 1, 1)]),
    (Rules((), fill="kings"), position(["KH", ""]), [(0, 1, 1)]),
    # The other ways of building.
    (Rules((), build="alternate_color"), position(["9H", "TC", "TD", "TH"]), [(0, 1, 1)]),
    (Rules((), build="different_suit"), position(["9H", "TC", "TD", "TH"]), [(0, 1, 1), (0, 2, 1)]),
    (Rules((), build="any_suit"), position(["9H", "TC", "TD", "TH"]), [(0, 1, 1), (0, 2, 1), (0, 3, 1)]),
    # The king of a reduced deck is its highest card.
    (Rules((), fill="kings", ranks=5), position(["5H", "", "4C"]), [(0, 1, 1)]),
]


@pytest.mark.parametrize(("rules", "board", "moves"), BY_HAND)
def test_moves_by_hand(rules: Rules, board: Position, moves: list[tuple[int, int, int]]) -> None:
    assert reference.legal_moves(board, rules) == moves


def test_perft_by_hand() -> None:
    # The ace goes home, then the two home or across; or the ace goes across, then home or back on the two.
    rules = Rules((2, 0), ranks=2)
    board = position(["2C AC", ""], home=(0, 2, 2, 2))
    assert [reference.perft(board, rules, depth) for depth in range(3)] == [1, 2, 4]
    assert reference.perft_by_move(board, rules, 2) == {Move(0, 24): 2, Move(0, 1): 2}


def test_generator_agrees_with_the_list_of_questions() -> None:
    everywhere = [*range(8), *range(16, 21), 24]
    conceivable = [
        Move(source, target, length) for source in everywhere for target in everywhere for length in range(5)
    ]
    for board, rules in small_games(150):
        for now, _ in random_walk(board, rules, random.Random(1), 8):
            moves = reference.legal_moves(now, rules)
            assert set(moves) == {move for move in conceivable if reference.fault(now, rules, move) is None}
            order = [(source, target if target != 24 else -1, length) for source, target, length in moves]
            assert order == sorted(set(order))


def test_undo() -> None:
    for board, rules in small_games(100):
        for now, move in random_walk(board, rules, random.Random(2), 30):
            group = reference.group_of(now, move)
            assert group is not None
            assert reference.undo(reference.apply(now, move), move, group) == now


def decide_by_legal_moves(board: Position, rules: Rules) -> bool:
    """The verdict over all legal moves, groups too, and over positions as they lie."""
    seen = {board}
    unvisited = [board]
    while unvisited:
        now = unvisited.pop()
        if reference.is_won(now):
            return True
        for move in reference.legal_moves(now, rules):
            after = reference.apply(now, move)
            if after not in seen:
                seen.add(after)
                unvisited.append(after)
    return False


@pytest.mark.slow
def test_single_cards_decide_where_groups_are_shorthand() -> None:
    verdicts = []
    for board, rules in small_games(1500, first_seed=7000):
        if sum(map(len, board.columns)) <= 12 and len(board.columns) + len(board.cells) <= 6:
            verdict = decide_by_legal_moves(board, rules)
            assert reference.decide(board, rules) is verdict
            verdicts.append(verdict)
    assert verdicts.count(True) > 50
    assert verdicts.count(False) > 50


@pytest.mark.slow
def test_unlimited_groups_win_more() -> None:
    differ = 0
    for board, rules in small_games(400, first_seed=500):
        if rules.group != "unlimited":
            continue
        loose = reference.decide(board, rules, 20_000)
        tight = reference.decide(board, Rules(**{**vars(rules), "group": "full"}), 20_000)
        if None not in (loose, tight):
            assert loose >= tight  # type: ignore[operator]
            differ += loose != tight
    assert differ > 0


def test_limit_is_no_verdict() -> None:
    board = reference.microsoft(1, GAMES["bakers_game"])
    assert reference.explore(board, GAMES["bakers_game"], 50) == (None, 50)


def test_replay_says_why() -> None:
    rules = Rules((), cells=1, ranks=2)
    board = position(["2C AC"], "-", home=(0, 2, 2, 2))
    reference.replay(board, rules, [["t0", "f", 1], ["t0", "c0", 1], ["c0", "f", 1]])
    reference.replay(board, rules, [(0, 24, 1), (0, 24, 1)])
    with pytest.raises(reference.ReplayError, match="not won"):
        reference.replay(board, rules, [(0, 24, 1)])
    with pytest.raises(reference.ReplayError, match=r"move 2, \('t0', 'c0', 2\): there are not so many"):
        reference.replay(board, rules, [["t0", "f", 1], ["t0", "c0", 2]])
    with pytest.raises(reference.ReplayError, match="same place"):
        reference.replay(board, rules, [["t0", "c0", 1], ["c0", "c0", 1]])


@pytest.mark.slow
@pytest.mark.skipif(compiled.compiler() is None, reason="needs a C compiler")
def test_python_and_c_agree() -> None:
    judge = CompiledJudge()
    verdicts = []
    for board, rules in small_games(1500, first_seed=20_000):
        verdict, seen = reference.explore(board, rules, 5_000)
        verdict_in_c, seen_in_c = judge.explore(board, rules, 5_000)
        if verdict is False or verdict_in_c is False:
            # A lost game is searched to the end, so both have seen the same positions.
            assert (verdict, seen) == (verdict_in_c, seen_in_c)
        elif None not in (verdict, verdict_in_c):
            assert verdict is verdict_in_c
        verdicts.append(verdict)
    assert verdicts.count(True) > 100
    assert verdicts.count(False) > 100
