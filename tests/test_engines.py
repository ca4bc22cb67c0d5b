"""What every engine owes: limits that hold, answers that can be had again, threads and signals that do no harm."""

import signal
import threading
import time
from typing import NamedTuple

import pytest

from baker import Deal, games, solve
from baker._core import Board, Dealer
from baker.engines.alternate_color.search import AlternateColorEngine
from baker.engines.base import Engine, Stop
from baker.engines.general.search import GeneralEngine
from baker.engines.no_cells.search import NoCellsEngine
from baker.engines.same_suit.search import SameSuitEngine
from baker.game import Game

UNDECIDED, SOLVED, IMPOSSIBLE, OUT_OF_MEMORY = range(4)
NODES, SECONDS, MEMORY = 1, 2, 3
ROOM = 1 << 28

# What the general engine does not decide in minutes.
HARD = Deal.microsoft(4145, "bakers_dozen")


class Case(NamedTuple):
    """An engine, a game that it decides, a deal that can be won and one that takes some search to be proved lost."""

    kind: type[Engine]
    rules: str
    won: int
    lost: int

    def boards(self, *numbers: int) -> list[Board]:
        return [board_of(Deal.microsoft(number, self.rules)) for number in numbers]


CASES = [
    Case(SameSuitEngine, "bakers_game", 617, 10),
    Case(NoCellsEngine, "bakers_dozen", 617, 4145),
    Case(AlternateColorEngine, "freecell", 617, 11982),
    Case(GeneralEngine, "bakers_game", 617, 10),
    Case(GeneralEngine, "relaxed_bakers_game", 617, 22),
]
every_engine = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind.__name__}-{case.rules}")


def board_of(deal: Deal) -> Board:
    return Game(deal)._board


def ask(
    engine: Engine, board: Board, moves: bool = True, nodes: int = 0, seconds: float = 0.0, memory: int = ROOM
) -> tuple[int, int, int, float, bytes]:
    (answer,) = engine.decide_boards([board], moves, nodes, seconds, memory, Stop())
    return answer


@every_engine
def test_an_engine_can_be_used_again(case: Case) -> None:
    engine = case.kind()
    answers = []
    for board in case.boards(case.lost, case.won, case.lost, case.won):
        status, limit, nodes, _, codes = ask(engine, board)
        answers.append((status, limit, nodes, codes))
    assert answers[:2] == answers[2:]
    assert [answer[0] for answer in answers[:2]] == [IMPOSSIBLE, SOLVED]


@every_engine
def test_won_already(case: Case) -> None:
    rules = games[case.rules]
    board = Board(rules, [[] for _ in rules.columns], [255] * rules.cells, [13] * 4)
    status, _, _, _, codes = ask(case.kind(), board)
    assert (status, codes) == (SOLVED, b"")


@pytest.mark.parametrize(
    ("kind", "number", "rules"),
    [
        (SameSuitEngine, 2098, "seahaven_towers"),
        (SameSuitEngine, 1164, "bakers_game"),
        (NoCellsEngine, 4145, "bakers_dozen"),
        (AlternateColorEngine, 11982, "freecell"),
        (GeneralEngine, 14, "bakers_game"),
        (GeneralEngine, 422, "spanish_patience"),
    ],
)
def test_every_point_at_which_memory_may_run_out(kind: type[Engine], number: int, rules: str) -> None:
    board = board_of(Deal.microsoft(number, rules))
    whole = kind()
    assert ask(whole, board)[0] in (SOLVED, IMPOSSIBLE)
    statuses = set()
    for limit in range(0, 2 * whole.memory, whole.memory // 100):
        engine = kind()
        status, hit, _, _, codes = ask(engine, board, memory=limit)
        statuses.add(status)
        if status == OUT_OF_MEMORY:
            assert (hit, codes) == (MEMORY, b"")
        # What an engine starts with it keeps, and answers that it is too much.
        assert engine.memory <= max(limit, kind().memory)
    assert OUT_OF_MEMORY in statuses
    assert statuses & {SOLVED, IMPOSSIBLE}


@every_engine
@pytest.mark.parametrize("nodes", [1, 2, 10, 1000])
def test_nodes_are_limited(case: Case, nodes: int) -> None:
    for board in case.boards(*range(1, 30)):
        status, limit, used, _, _ = ask(case.kind(), board, nodes=nodes)
        assert used <= nodes
        assert (limit == NODES) == (status == UNDECIDED)
        assert used == nodes or status != UNDECIDED


def test_seconds_are_limited() -> None:
    start = time.perf_counter()
    status, limit, _, seconds, codes = ask(GeneralEngine(), board_of(HARD), seconds=0.2, memory=1 << 33)
    assert (status, limit, codes) == (UNDECIDED, SECONDS, b"")
    assert 0.2 <= seconds <= time.perf_counter() - start < 5


@every_engine
def test_boards_of_one_batch_are_answered_in_order(case: Case) -> None:
    numbers = range(1, 40)
    boards = case.boards(*numbers)
    engine = case.kind()
    together = engine.decide_boards(boards, True, 0, 0.0, ROOM, Stop())
    dealer = Dealer(games[case.rules])
    dealt = engine.decide_numbers(dealer, 1, 1, len(numbers), True, 0, 0.0, ROOM, Stop())
    single = [ask(engine, board) for board in boards]

    def without_time(answers: list[tuple[int, int, int, float, bytes]]) -> list[tuple[int, int, int, bytes]]:
        return [(status, limit, nodes, codes) for status, limit, nodes, _, codes in answers]

    assert without_time(together) == without_time(dealt) == without_time(single)


@every_engine
def test_stop(case: Case) -> None:
    stop = Stop()
    stop.set()
    assert case.kind().decide_boards(case.boards(case.lost) * 3, True, 0, 0.0, ROOM, stop) == []


@every_engine
def test_wrong_arguments(case: Case) -> None:
    engine = case.kind()
    with pytest.raises(TypeError):
        engine.decide_boards(["board"], True, 0, 0.0, ROOM, Stop())  # type: ignore[list-item]
    with pytest.raises(TypeError):
        engine.decide_boards([None], True, 0, 0.0, ROOM, Stop())  # type: ignore[list-item]
    with pytest.raises(TypeError):
        engine.decide_boards([], True, 0, 0.0, ROOM, None)  # type: ignore[arg-type]
    assert engine.decide_boards([], True, 0, 0.0, ROOM, Stop()) == []


@every_engine
def test_engines_run_side_by_side(case: Case) -> None:
    boards = case.boards(case.lost, case.won, 14, 1)
    expected = [ask(case.kind(), board)[2] for board in boards]
    found = {}

    def run(k: int) -> None:
        found[k] = [ask(engine, boards[k])[2] for engine in [case.kind()] * 20]

    threads = [threading.Thread(target=run, args=(k,)) for k in range(len(boards))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[k] for k in range(len(boards))] == [[nodes] * 20 for nodes in expected]


def test_an_engine_refuses_a_second_thread() -> None:
    engine, stop = GeneralEngine(), Stop()
    boards = [board_of(HARD)]
    thread = threading.Thread(target=engine.decide_boards, args=(boards, True, 0, 0.0, 1 << 33, stop))
    thread.start()
    time.sleep(0.1)
    try:
        with pytest.raises(RuntimeError, match="in use"):
            ask(engine, boards[0])
    finally:
        stop.set()
        thread.join()
    assert ask(engine, board_of(Deal.microsoft(10)))[0] == IMPOSSIBLE


def test_ctrl_c_ends_a_search_at_once() -> None:
    caught = 0.0
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])

    def note(*_: object) -> None:
        nonlocal caught
        caught = time.perf_counter()
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, note)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            ask(GeneralEngine(), board_of(HARD), memory=1 << 33)
        assert time.perf_counter() - caught < 0.1
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert solve(Deal.microsoft(10)).verdict == "impossible"
