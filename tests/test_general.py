"""The general search: verdicts before all positions of small decks, its moves; and that safe moves home are safe."""

import itertools
import random
from collections.abc import Iterator

import pytest
from engine_kit import Answer, Status, ask, numbered, replay
from known_counts import WON_TO_1000

from baker import Deal, games
from baker._core import Board, deck_random
from baker.engines.general.search import GeneralEngine
from baker.rules import Build, Fill, Group, Rules
from baker.solver import board_of

CELL_0, FOUNDATION = 16, 24


def searched(board: Board, max_nodes: int = 0, stretch: int = 100) -> Answer:
    """The answer of a search that begins anew after `stretch` nodes, and then again."""
    engine = GeneralEngine()
    engine.switch(stretch=stretch)
    return ask(engine, board, nodes=max_nodes)


def small_rules(rng: random.Random, ranks: int) -> Rules:
    columns = rng.randint(2, 4)
    return Rules(
        name="small",
        columns=tuple(4 * ranks // columns + (i < 4 * ranks % columns) for i in range(columns)),
        cells=rng.randint(0, 2),
        build=rng.choice(list(Build)),
        fill=rng.choice(list(Fill)),
        group=rng.choice(list(Group)),
        ranks=ranks,
    )


def small_board(rng: random.Random, ranks: int) -> Board:
    return board_of(Deal.random(rng.getrandbits(64), small_rules(rng, ranks)))


class Graph:
    """Every position that can be reached from a board by any legal moves, and whether each can be won."""

    def __init__(self, board: Board, limit: int) -> None:
        self.boards = {board.canonical_key(): board}
        before: dict[bytes, list[bytes]] = {}
        queue = [board]
        self.is_whole = True
        while queue:
            here = queue.pop()
            for code in here.legal_moves():
                there = here.copy()
                there.push(code)
                key = there.canonical_key()
                before.setdefault(key, []).append(here.canonical_key())
                if key not in self.boards:
                    self.boards[key] = there
                    queue.append(there)
            if len(self.boards) > limit:
                self.is_whole = False
                return
        todo = [key for key, here in self.boards.items() if here.is_won]
        self.winnable = set(todo)
        while todo:
            for key in before.get(todo.pop(), []):
                if key not in self.winnable:
                    self.winnable.add(key)
                    todo.append(key)


def graphs(seed: int, count: int, limit: int = 3000) -> Iterator[Graph]:
    rng = random.Random(seed)
    while count:
        graph = Graph(small_board(rng, rng.randint(2, 5)), limit)
        # Graphs of a few positions say little.
        if graph.is_whole and len(graph.boards) > 20:
            count -= 1
            yield graph


def check_safe_moves(graph: Graph) -> int:
    """Safe moves home keep every win; returns how many positions of the graph have some."""
    found = 0
    for key, board in graph.boards.items():
        after = board.copy()
        codes = after.autoplay()
        found += bool(codes)
        after = board.copy()
        for code in codes:
            assert code >> 5 & 31 == FOUNDATION
            after.push(code)
            winnable = after.canonical_key() in graph.winnable
            assert winnable == (key in graph.winnable), (board.columns(), board.cells(), board.foundations())
    return found


def check_verdicts(graph: Graph, rng: random.Random) -> int:
    """The search agrees with the graph, from any position of it; returns how many proofs came after restarts."""
    restarted = 0
    for board in rng.sample(list(graph.boards.values()), 10):
        stretch = rng.choice((1, 2, 5, 100))
        answer = searched(board, stretch=stretch)
        can_be_won = board.canonical_key() in graph.winnable
        assert answer.status is (Status.SOLVED if can_be_won else Status.IMPOSSIBLE)
        replay(board.copy(), answer)
        restarted += not can_be_won and answer.nodes > stretch
    return restarted


@pytest.mark.slow
def test_safe_moves_and_verdicts_against_all_positions_of_small_decks() -> None:
    rng = random.Random(1)
    positions = restarted = 0
    for graph in graphs(1, 60):
        positions += check_safe_moves(graph)
        restarted += check_verdicts(graph, rng)
    assert positions > 1000
    assert restarted > 100


@pytest.mark.long
def test_safe_moves_and_verdicts_against_all_positions_of_many_small_decks() -> None:
    rng = random.Random(2)
    for graph in graphs(2, 400, 10_000):
        check_safe_moves(graph)
        check_verdicts(graph, rng)


@pytest.mark.slow
def test_keys_tell_positions_apart() -> None:
    # Without restarts a search meets every position that matters once: no more nodes than there are positions.
    for graph in graphs(3, 30):
        board = next(iter(graph.boards.values()))
        assert searched(board, stretch=1 << 30).nodes <= len(graph.boards)


def count_impossible(name: str, last: int) -> int:
    """How many of the first deals cannot be won; the solutions of the others are replayed."""
    impossible = 0
    for number in range(1, last + 1):
        board = numbered(number, name)
        answer = searched(board)
        assert answer.status in (Status.SOLVED, Status.IMPOSSIBLE)
        replay(board, answer)
        impossible += not board.is_won
    return impossible


@pytest.mark.slow
def test_full_decks() -> None:
    assert count_impossible("bakers_game", 100) == 24
    assert count_impossible("kings_only_bakers_game", 10) == 8
    assert count_impossible("eight_off", 10) == 0
    assert count_impossible("spanish_patience", 200) == 2
    assert count_impossible("castles_of_spain", 200) == 18
    assert count_impossible("relaxed_bakers_game", 100) == 11


@pytest.mark.long
@pytest.mark.parametrize("name", ["bakers_game", "kings_only_bakers_game", "seahaven_towers", "eight_off"])
def test_it_agrees_with_the_same_suit_search(name: str) -> None:
    assert 1000 - count_impossible(name, 1000) == WON_TO_1000[name]


# Found by a search without restarts too.
@pytest.mark.long
@pytest.mark.parametrize(("name", "impossible"), [("spanish_patience", 4), ("relaxed_bakers_game", 65)])
def test_counts(name: str, impossible: int) -> None:
    assert count_impossible(name, 1000) == impossible


OTHER_RULES = (
    games["spanish_patience"],
    games["spanish_patience"].replace(build=Build.DIFFERENT_SUIT, kings_down=True),
    games["spanish_patience"].replace(group=Group.UNLIMITED),
    games["bakers_game"].replace(build=Build.ANY_SUIT, cells=2),
    games["bakers_game"].replace(build=Build.DIFFERENT_SUIT),
    games["seahaven_towers"].replace(group=Group.UNLIMITED),
    games["freecell"].replace(group=Group.UNLIMITED),
)


def test_full_decks_that_are_nearly_always_won() -> None:
    engine, solved, moves = GeneralEngine(), 0, []
    for rules in OTHER_RULES:
        for number in range(1, 41):
            board = numbered(number, rules)
            answer = ask(engine, board, nodes=50_000)
            replay(board, answer)
            if board.is_won:
                solved += 1
                moves.append(len(answer.codes))
    assert solved >= 275
    assert sorted(moves)[len(moves) // 2] <= 100


def test_no_card_moves_twice_at_once() -> None:
    for rules in OTHER_RULES:
        for number in range(1, 11):
            for code, after in itertools.pairwise(searched(numbered(number, rules)).codes):
                moves_on = (code >> 5 & 31, code >> 10) == (after & 31, after >> 10)
                # No one move goes from a cell to another.
                assert not moves_on or ((code & 31) >= CELL_0 and CELL_0 <= after >> 5 & 31 < FOUNDATION)


def test_longest_keys() -> None:
    # Cards of sixteen columns that all begin anew, with long runs: what takes the most room in a key.
    rng = random.Random(4)
    rules = Rules(name="wide", columns=(4,) * 12 + (1,) * 4, cells=8, build=Build.ANY_SUIT, group=Group.UNLIMITED)
    for seed in range(30):
        deck = list(deck_random(seed))
        columns = [deck[4 * i : 4 * i + 4] for i in range(12)] + [[card] for card in deck[48:]]
        board = Board(rules, columns, [255] * 8, [0] * 4)
        for _ in range(rng.randint(0, 60)):
            moves = [code for code in board.legal_moves() if code >> 5 & 31 != FOUNDATION]
            board.push(rng.choice(moves or board.legal_moves()))
        replay(board, searched(board, 20_000))
