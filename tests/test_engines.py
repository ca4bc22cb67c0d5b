"""What every engine owes, asked of each in the same way: `baker.engines` says what it is.

Answers that can be had again and are as ever (fingerprints), memory that may run out at any point, threads and signals
that do no harm. Limits have a file of their own, `test_limits.py`; whether verdicts are right is asked engine by engine
in `test_same_suit.py`, `test_no_cells.py`, `test_alternate_color.py` and `test_general.py`, and before the judge in
`test_verdicts.py`.
"""

import signal
import threading
import time
from typing import NamedTuple

import pytest
from engine_kit import ROOM, Answer, Reached, Status, ask, numbered

from baker import Deal, Rules, games, solve
from baker._core import Board, Dealer
from baker.engines.alternate_color.search import AlternateColorEngine
from baker.engines.base import Engine, Stop
from baker.engines.choice import ENGINES
from baker.engines.general.search import GeneralEngine
from baker.engines.no_cells.search import NoCellsEngine
from baker.engines.same_suit.search import SameSuitEngine

# What the general engine does not decide in minutes.
HARD = numbered(4145, "bakers_dozen")


class Case(NamedTuple):
    """An engine, a game that it decides, a deal that can be won and one that takes some search to be proved lost."""

    kind: type[Engine]
    rules: str
    won: int
    lost: int

    def boards(self, *numbers: int) -> list[Board]:
        return [numbered(number, self.rules) for number in numbers]


CASES = [
    Case(SameSuitEngine, "bakers_game", 617, 10),
    Case(NoCellsEngine, "bakers_dozen", 617, 4145),
    Case(AlternateColorEngine, "freecell", 617, 11982),
    Case(GeneralEngine, "bakers_game", 617, 10),
    Case(GeneralEngine, "relaxed_bakers_game", 617, 22),
]
every_engine = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.kind.__name__}-{case.rules}")


# Answers


def test_every_engine_is_asked() -> None:
    assert {case.kind for case in CASES} == {row.kind for row in FINGERPRINTS} == {*ENGINES}


@every_engine
def test_an_engine_can_be_used_again(case: Case) -> None:
    engine = case.kind()
    boards = case.boards(case.lost, case.won, 31, case.lost, case.won, 31)
    answers = [ask(engine, board) for board in boards]
    assert answers == [ask(case.kind(), board) for board in boards]
    assert [answer.status for answer in answers[:2]] == [Status.IMPOSSIBLE, Status.SOLVED]


@every_engine
@pytest.mark.parametrize("ranks", [1, 13])
def test_won_already(case: Case, ranks: int) -> None:
    rules = games[case.rules].replace(columns=(4 * ranks, 0), ranks=ranks)
    board = Board(rules, [[], []], [255] * rules.cells, [ranks] * 4)
    assert ask(case.kind(), board) == (Status.SOLVED, Reached.NO_LIMIT, 0, ())


@every_engine
def test_boards_of_one_batch_are_answered_in_order(case: Case) -> None:
    numbers = range(1, 40)
    boards = case.boards(*numbers)
    engine = case.kind()
    together = engine.decide_boards(boards, True, 0, 0.0, ROOM, Stop())
    dealer = Dealer(games[case.rules])
    dealt = engine.decide_numbers(dealer, 1, 1, len(numbers), True, 0, 0.0, ROOM, Stop())
    single = [ask(engine, board) for board in boards]
    assert [*map(Answer.of, together)] == [*map(Answer.of, dealt)] == single


class Fingerprint(NamedTuple):
    """The nodes of the searches of the Microsoft deals 1 to `last`, and how many moves their solutions have."""

    kind: type[Engine]
    rules: str | Rules
    last: int
    nodes: int
    moves: int

    def __str__(self) -> str:
        rules = self.rules
        changes = rules if isinstance(rules, str) else f"{rules.name} {rules.cells} {rules.fill} {rules.group}"
        return f"{self.kind.__name__}-{changes}"


def variant(name: str, **changes: object) -> Rules:
    return games[name].replace(**changes)


# A change that is to leave a search as it is leaves these as they are; any other changes them with intent, and its
# commit says why.
FINGERPRINTS = [
    Fingerprint(SameSuitEngine, "bakers_game", 500, 92_766, 34_308),
    Fingerprint(SameSuitEngine, "kings_only_bakers_game", 500, 220_502, 12_948),
    Fingerprint(SameSuitEngine, "seahaven_towers", 500, 149_588, 37_669),
    Fingerprint(SameSuitEngine, "eight_off", 500, 15_542, 43_385),
    Fingerprint(SameSuitEngine, "penguin", 500, 17_111, 42_932),
    Fingerprint(SameSuitEngine, variant("penguin", cells=4), 500, 76_655, 15_375),
    Fingerprint(SameSuitEngine, "same_suit_fore_cell", 500, 33_373, 3_118),
    Fingerprint(SameSuitEngine, variant("bakers_game", cells=0), 500, 1_432, 0),
    Fingerprint(SameSuitEngine, variant("bakers_game", cells=2), 500, 27_784, 1_539),
    Fingerprint(SameSuitEngine, variant("bakers_game", cells=8), 500, 6_667, 44_465),
    Fingerprint(NoCellsEngine, "bakers_dozen", 100, 55_151, 8_623),
    Fingerprint(NoCellsEngine, "bakers_dozen_different_suit", 100, 198_065, 9_542),
    Fingerprint(NoCellsEngine, "portuguese_solitaire", 100, 83_305, 8_818),
    Fingerprint(NoCellsEngine, "good_measure", 100, 94_019, 8_521),
    Fingerprint(AlternateColorEngine, "freecell", 50, 16_767, 4_795),
    Fingerprint(AlternateColorEngine, variant("freecell", cells=2), 50, 154_933, 4_394),
    Fingerprint(AlternateColorEngine, variant("freecell", fill="kings"), 50, 354_741, 5_025),
    Fingerprint(AlternateColorEngine, "fore_cell", 50, 213_599, 4_133),
    Fingerprint(GeneralEngine, "bakers_game", 50, 165_170, 4_099),
    Fingerprint(GeneralEngine, "kings_only_bakers_game", 50, 274_716, 1_296),
    Fingerprint(GeneralEngine, "relaxed_bakers_game", 50, 31_635, 4_014),
    Fingerprint(GeneralEngine, "spanish_patience", 50, 4_335, 4_242),
    Fingerprint(GeneralEngine, "castles_of_spain", 50, 11_904, 3_916),
    Fingerprint(GeneralEngine, variant("freecell", group="unlimited"), 50, 7_162, 4_668),
    Fingerprint(GeneralEngine, variant("bakers_game", build="different_suit"), 50, 4_188, 4_677),
    Fingerprint(GeneralEngine, variant("bakers_game", build="any_suit", cells=2), 50, 42_714, 5_349),
]


@pytest.mark.parametrize("row", FINGERPRINTS, ids=str)
def test_fingerprint(row: Fingerprint) -> None:
    engine = row.kind()
    # The general engine would take minutes for a few of them.
    nodes = 20_000 if row.kind is GeneralEngine else 0
    answers = [ask(engine, numbered(number, row.rules), nodes=nodes) for number in range(1, row.last + 1)]
    assert sum(answer.nodes for answer in answers) == row.nodes
    assert sum(len(answer.codes) for answer in answers) == row.moves


# Memory


@pytest.mark.parametrize(
    ("kind", "number", "rules"),
    [
        (SameSuitEngine, 2098, "seahaven_towers"),
        (SameSuitEngine, 1164, "bakers_game"),
        (NoCellsEngine, 4145, "bakers_dozen"),
        (NoCellsEngine, 1879, "portuguese_solitaire"),
        pytest.param(NoCellsEngine, 425, "bakers_dozen_different_suit", marks=pytest.mark.slow),
        (AlternateColorEngine, 11982, "freecell"),
        (AlternateColorEngine, 169, variant("freecell", cells=3)),
        (AlternateColorEngine, 1, variant("freecell", cells=1)),
        (GeneralEngine, 14, "bakers_game"),
        (GeneralEngine, 422, "spanish_patience"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else str(getattr(value, "cells", value)),
)
def test_every_point_at_which_memory_may_run_out(kind: type[Engine], number: int, rules: str | Rules) -> None:
    board = numbered(number, rules)
    whole = kind()
    answer = ask(whole, board)
    assert answer.status in (Status.SOLVED, Status.IMPOSSIBLE)
    least = kind().memory
    statuses = set()
    for limit in range(0, 2 * whole.memory, whole.memory // 50):
        engine = kind()
        found = ask(engine, board, memory=limit)
        statuses.add(found.status)
        if found.status is Status.OUT_OF_MEMORY:
            assert (found.limit, found.codes) == (Reached.MEMORY, ())
        else:
            assert found == answer
        # What an engine starts with it keeps, and answers that it is too much.
        assert engine.memory <= max(limit, least)
    assert statuses == {Status.OUT_OF_MEMORY, answer.status}


# Searches that take much; the same is done for every engine under a small limit in `test_limits.py`.
@pytest.mark.parametrize(
    ("kind", "number"), [(NoCellsEngine, 1172), (GeneralEngine, 4145)], ids=["NoCellsEngine", "GeneralEngine"]
)
def test_memory_is_given_back(kind: type[Engine], number: int) -> None:
    engine = kind()
    least = engine.memory
    ask(engine, numbered(number, "bakers_dozen"), nodes=400_000)
    assert engine.memory > 8 << 20
    ask(engine, numbered(1, "bakers_dozen"), nodes=10)
    assert engine.memory < least + (1 << 20)


# Threads and signals


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
    expected = [ask(case.kind(), board) for board in boards]
    found = {}

    def run(k: int) -> None:
        engine = case.kind()
        found[k] = [ask(engine, boards[k]) for _ in range(20)]

    threads = [threading.Thread(target=run, args=(k,)) for k in range(len(boards))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[k] for k in range(len(boards))] == [[answer] * 20 for answer in expected]


def test_an_engine_refuses_a_second_thread() -> None:
    engine, stop = GeneralEngine(), Stop()
    boards = [HARD]
    thread = threading.Thread(target=engine.decide_boards, args=(boards, True, 0, 0.0, 1 << 33, stop))
    thread.start()
    time.sleep(0.1)
    try:
        with pytest.raises(RuntimeError, match="in use"):
            ask(engine, boards[0])
    finally:
        stop.set()
        thread.join()
    assert ask(engine, numbered(10)).status is Status.IMPOSSIBLE


def test_ctrl_c_ends_a_search() -> None:
    timer = threading.Timer(0.3, signal.raise_signal, [signal.SIGINT])
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            ask(GeneralEngine(), HARD, seconds=60, memory=1 << 33)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert solve(Deal.microsoft(10)).verdict == "impossible"
