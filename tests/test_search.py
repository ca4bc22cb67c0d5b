"""The plain search: its verdicts, the moves it finds, its limits; and that safe moves home are safe."""

import random
import threading
import time
from collections.abc import Iterator

import pytest

from baker import Deal
from baker._core import Board, deck_random
from baker._search import PlainSearch
from baker.game import Game
from baker.rules import Build, Fill, Group, Rules

RUNNING, SOLVED, IMPOSSIBLE, OUT_OF_MEMORY = range(4)
ROOM = 1 << 28
FOUNDATION = 24


def board_of(deal: Deal) -> Board:
    return Game(deal)._board


def searched(board: Board, slice_: int = 1 << 20) -> PlainSearch:
    search = PlainSearch()
    search.setup(board, ROOM)
    while search.advance(slice_) == RUNNING:
        pass
    return search


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


def check_verdicts(graph: Graph, rng: random.Random) -> None:
    """The search agrees with the graph, from any position of it."""
    for board in rng.sample(list(graph.boards.values()), 10):
        search = searched(board)
        can_be_won = board.canonical_key() in graph.winnable
        assert search.advance(1) == (SOLVED if can_be_won else IMPOSSIBLE)
        replay = board.copy()
        for code in search.moves(0):
            replay.push(code)
        assert replay.is_won == can_be_won


def test_safe_moves_and_verdicts_against_all_positions_of_small_decks() -> None:
    rng = random.Random(1)
    positions = 0
    for graph in graphs(1, 60):
        positions += check_safe_moves(graph)
        check_verdicts(graph, rng)
    assert positions > 1000


@pytest.mark.long
def test_safe_moves_and_verdicts_against_all_positions_of_many_small_decks() -> None:
    rng = random.Random(2)
    for graph in graphs(2, 400, 10_000):
        check_safe_moves(graph)
        check_verdicts(graph, rng)


def test_keys_tell_positions_apart() -> None:
    # A search to the end meets every position that matters once: no more nodes than there are positions.
    for graph in graphs(3, 30):
        board = next(iter(graph.boards.values()))
        assert searched(board).nodes <= len(graph.boards)


def count_impossible(name: str, last: int) -> int:
    """How many of the first deals cannot be won; the solutions of the others are replayed."""
    impossible = 0
    for number in range(1, last + 1):
        board = board_of(Deal.microsoft(number, name))
        search = searched(board)
        for code in search.moves(0):
            board.push(code)
        assert search.advance(1) == (SOLVED if board.is_won else IMPOSSIBLE)
        impossible += not board.is_won
    return impossible


def test_full_decks() -> None:
    assert count_impossible("bakers_game", 100) == 24
    assert count_impossible("kings_only_bakers_game", 10) == 8
    assert count_impossible("eight_off", 10) == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "impossible"),
    [("bakers_game", 234), ("kings_only_bakers_game", 674), ("seahaven_towers", 99), ("eight_off", 2)],
)
def test_published_counts(name: str, impossible: int) -> None:
    assert count_impossible(name, 1000) == impossible


def test_slices_make_no_difference() -> None:
    board = board_of(Deal.microsoft(10))
    whole, sliced = searched(board), searched(board, 7)
    assert whole.nodes == sliced.nodes > 1000
    board = board_of(Deal.microsoft(3, "freecell"))
    assert searched(board).moves(0) == searched(board, 1).moves(0)


def test_a_search_may_be_used_again() -> None:
    search = PlainSearch()
    results = []
    for number in (10, 617, 10):
        search.setup(board_of(Deal.microsoft(number)), ROOM)
        while (status := search.advance(1000)) == RUNNING:
            pass
        results.append((status, search.nodes, search.moves(0)))
    assert results[0] == results[2]
    assert [status for status, _, _ in results] == [IMPOSSIBLE, SOLVED, IMPOSSIBLE]


def test_a_search_that_was_never_set_up() -> None:
    search = PlainSearch()
    assert search.nodes == 0
    assert search.moves(0) == []
    assert search.advance(5) in (IMPOSSIBLE, SOLVED)
    with pytest.raises(TypeError):
        search.setup(None, 1)  # type: ignore[arg-type]


def test_won_already() -> None:
    rules = Rules(name="won", columns=(4, 0), ranks=1)
    search = searched(Board(rules, [[], []], [], [1] * 4))
    assert (search.advance(1), search.moves(0), search.nodes) == (SOLVED, [], 0)


@pytest.mark.parametrize("limit", [0, 1, 1000, 10_000, 100_000, 200_000, 1 << 20, 5 << 20])
def test_memory_is_bounded(limit: int) -> None:
    # No win is near, and there are far more positions than fit.
    board = board_of(Deal.microsoft(1, "good_measure"))
    search = PlainSearch()
    search.setup(board, limit)
    while (status := search.advance(10_000)) == RUNNING:
        assert search.memory <= limit
    assert status == OUT_OF_MEMORY == search.advance(10)
    assert search.memory <= limit
    assert search.moves(0) == []
    assert search.nodes >= limit // 100 - 1000


def test_every_point_at_which_memory_may_run_out() -> None:
    board = board_of(Deal.microsoft(2, "freecell"))
    for limit in range(0, 400_000, 509):
        search = PlainSearch()
        search.setup(board, limit)
        while search.advance(100) == RUNNING:
            pass
        assert search.memory <= limit


def test_searches_run_side_by_side() -> None:
    boards = [board_of(Deal.microsoft(number)) for number in (10, 14)]
    expected = [searched(board).nodes for board in boards]
    found: list[int] = []

    def run(board: Board) -> None:
        found.append(searched(board, 500).nodes)

    threads = [threading.Thread(target=run, args=(board,)) for board in boards]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(expected)


def test_one_search_in_two_threads_is_refused() -> None:
    search = PlainSearch()
    search.setup(board_of(Deal.microsoft(1, "good_measure")), 1 << 30)
    thread = threading.Thread(target=search.advance, args=(1_000_000,))
    thread.start()
    refused = 0
    while thread.is_alive():
        time.sleep(0.001)
        try:
            search.advance(1)
        except RuntimeError:
            refused += 1
            for use in (lambda: search.moves(0), lambda: search.setup(board_of(Deal.microsoft(1)), 1)):
                try:
                    use()
                except RuntimeError:
                    refused += 1
    thread.join()
    assert refused


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
        search = PlainSearch()
        search.setup(board, ROOM)
        while search.advance(2000) == RUNNING and search.nodes < 20_000:
            pass
        for code in search.moves(0):
            board.push(code)
        assert search.moves(0) == [] or board.is_won
