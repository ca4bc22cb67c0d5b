"""Limits of a search: what they stop does not depend on what the engine did before, and they hold."""

import random
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import pytest

from baker import Build, Deal, Fill, Game, Group, Rules, games
from baker._core import Board, Dealer
from baker.engines.base import Engine, Stop
from baker.engines.choice import ENGINES, engine_for
from baker.engines.general.search import GeneralEngine
from baker.engines.no_cells.search import NoCellsEngine
from baker.engines.same_suit.search import SameSuitEngine

UNDECIDED, SOLVED, IMPOSSIBLE, OUT_OF_MEMORY = range(4)
NO_LIMIT, NODES, SECONDS, MEMORY = range(4)
ROOM = 1 << 28

NAMED = (
    "bakers_game",
    "bakers_dozen",
    "bakers_dozen_different_suit",
    "eight_off",
    "freecell",
    "kings_only_bakers_game",
    "penguin",
    "relaxed_bakers_game",
    "seahaven_towers",
    "spanish_patience",
)
RULES = {name: games[name] for name in NAMED} | {
    "bakers_game, 2 cells": games["bakers_game"].replace(cells=2),
    "freecell, 2 cells": games["freecell"].replace(cells=2),
}


def kinds(rules: Rules) -> list[type[Engine]]:
    return sorted({engine_for(rules), GeneralEngine}, key=lambda kind: kind.__name__)


class Answer(NamedTuple):
    status: int
    limit: int
    nodes: int
    codes: bytes


def board_of(number: int, rules: Rules) -> Board:
    return Game(Deal.microsoft(number, rules))._board


def ask(
    engine: Engine, board: Board, moves: bool = True, nodes: int = 0, seconds: float = 0.0, memory: int = ROOM
) -> Answer:
    ((status, limit, used, _, codes),) = engine.decide_boards([board], moves, nodes, seconds, memory, Stop())
    return Answer(status, limit, used, codes)


# Memory


def compare_used_with_fresh(seed: int, count: int) -> None:
    """Ask an engine of each kind for deals in any order, and a fresh one for each, under the same random limits."""
    rng = random.Random(seed)
    used = {kind: kind() for kind in ENGINES}
    first = {kind: max(kind().memory, 1 << 16) for kind in ENGINES}
    seen = {kind: set[int]() for kind in ENGINES}
    for _ in range(count):
        name = rng.choice(list(RULES))
        kind = rng.choice(kinds(RULES[name]))
        number = rng.randrange(1, 2000)
        board = board_of(number, RULES[name])
        moves = rng.random() < 0.7
        nodes = rng.randrange(1, 3000 if kind is GeneralEngine else 30_000)
        memory = int(first[kind] * 2 ** rng.uniform(-0.1, 5))
        answer = ask(used[kind], board, moves, nodes, memory=memory)
        case = (kind.__name__, name, number, moves, nodes, memory)
        assert answer == ask(kind(), board, moves, nodes, memory=memory), case
        assert answer.nodes <= nodes, case
        # A sixteenth may be kept from earlier deals.
        assert used[kind].memory <= max(memory * 17 // 16, first[kind]), case
        seen[kind].add(answer.limit)
    assert all(limits == {NO_LIMIT, NODES, MEMORY} for limits in seen.values()), seen


def test_memory_counts_what_this_deal_needs() -> None:
    compare_used_with_fresh(seed=1, count=800)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(2, 18))
def test_memory_counts_what_this_deal_needs_in_many_orders(seed: int) -> None:
    compare_used_with_fresh(seed, count=5000)


@pytest.mark.parametrize(
    ("name", "before", "number", "memory", "nodes"),
    [("bakers_dozen_different_suit", 88, 12, 508_799, 30_000), ("freecell, 2 cells", 209, 302, 1_430_171, 0)],
)
def test_deals_that_were_undecided_after_others(name: str, before: int, number: int, memory: int, nodes: int) -> None:
    rules = RULES[name]
    engine = engine_for(rules)()
    alone = ask(engine_for(rules)(), board_of(number, rules), True, nodes, memory=memory)
    ask(engine, board_of(before, rules), True, nodes, memory=memory)
    assert ask(engine, board_of(number, rules), True, nodes, memory=memory) == alone
    assert alone.status == SOLVED


@pytest.mark.parametrize("kind", ENGINES, ids=lambda kind: kind.__name__)
def test_what_is_kept_is_given_back_under_a_small_limit(kind: type[Engine]) -> None:
    name, number = {
        "SameSuitEngine": ("seahaven_towers", 2098),
        "NoCellsEngine": ("bakers_dozen_different_suit", 30),
        "AlternateColorEngine": ("freecell, 2 cells", 1),
        "GeneralEngine": ("relaxed_bakers_game", 61),
    }[kind.__name__]
    engine = kind()
    first = engine.memory
    ask(engine, board_of(number, RULES[name]), nodes=20_000)
    grown = engine.memory
    limit = grown * 3 // 4
    assert first < limit
    ask(engine, board_of(number, RULES[name]), nodes=10, memory=limit)
    assert engine.memory <= limit


# Nodes


@pytest.mark.parametrize("name", RULES)
def test_as_many_nodes_as_a_search_needs_are_enough(name: str) -> None:
    rules = RULES[name]
    for kind in kinds(rules):
        engine = kind()
        for number in range(1, 40):
            board = board_of(number, rules)
            most = 2000 if kind is GeneralEngine else 20_000
            whole = ask(engine, board, nodes=most)
            assert whole.nodes <= most
            if whole.limit == NODES:
                assert whole.nodes == most
                continue
            assert ask(engine, board) == whole
            if whole.nodes:
                assert ask(engine, board, nodes=whole.nodes) == whole, (kind, number)
            if whole.nodes > 1:
                assert ask(engine, board, nodes=whole.nodes - 1) == (UNDECIDED, NODES, whole.nodes - 1, b"")


# A same-suit search with many restarts, and others with all that can come between two nodes.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("kings_only_bakers_game", 341),
        ("seahaven_towers", 2098),
        ("bakers_game", 1164),
        ("bakers_dozen_different_suit", 30),
        ("freecell, 2 cells", 1),
        ("relaxed_bakers_game", 61),
    ],
)
def test_nodes_are_never_more_than_the_limit(name: str, number: int) -> None:
    rng = random.Random(number)
    engine = engine_for(RULES[name])()
    board = board_of(number, RULES[name])
    needed = ask(engine, board, moves=False, nodes=30_000).nodes
    limits = {*range(1, 120), *(rng.randrange(1, needed) for _ in range(60)), 127, 128, 129, 16_383, 16_384, 16_385}
    for nodes in sorted(limits & set(range(needed))):
        assert ask(engine, board, moves=False, nodes=nodes) == (UNDECIDED, NODES, nodes, b"")


# Seconds


@pytest.mark.parametrize(
    ("kind", "name", "number"),
    [
        (SameSuitEngine, "seahaven_towers", 2098),
        (NoCellsEngine, "bakers_dozen_different_suit", 30),
        (engine_for(games["freecell"]), "freecell, 2 cells", 1),
        (GeneralEngine, "relaxed_bakers_game", 61),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_the_clock_is_looked_at_often(kind: type[Engine], name: str, number: int) -> None:
    board = board_of(number, RULES[name])
    engine = kind()
    most = 8192

    def seconds() -> float:
        ((*_, taken, _),) = engine.decide_boards([board], False, most, 0.0, ROOM, Stop())
        return taken

    # A thirtieth of the time of so many nodes is no time for half of them, however fast the machine is.
    limit = min(seconds() for _ in range(5)) / 30
    assert ask(engine, board, moves=False, nodes=most).nodes == most
    assert min(ask(engine, board, moves=False, nodes=most, seconds=limit).nodes for _ in range(5)) < most / 2


# Arguments


def all_rules() -> Iterator[Rules]:
    for build, fill, group, cells in product(Build, Fill, Group, (0, 3)):
        yield Rules(name="any", columns=(13,) * 4, cells=cells, build=build, fill=fill, group=group)


def test_every_engine_decides_its_own_rules_and_no_others() -> None:
    refused = set()
    for rules in all_rules():
        for kind in ENGINES:
            try:
                ask(kind(), board_of(1, rules), nodes=10)
            except ValueError:
                assert kind is not engine_for(rules)
                refused.add(kind)
                with pytest.raises(ValueError, match=kind.__name__):
                    kind().decide_numbers(Dealer(rules), 1, 1, 3, False, 10, 0.0, ROOM, Stop())
    assert refused == {*ENGINES} - {GeneralEngine}


def test_an_engine_without_a_search_decides_nothing() -> None:
    with pytest.raises(ValueError, match="Engine"):
        Engine().decide_boards([board_of(1, games["bakers_game"])], True, 0, 0.0, ROOM, Stop())


@pytest.mark.parametrize(("nodes", "seconds"), [(-1, 0.0), (-(2**63), 0.0), (0, -1.0), (0, float("nan"))])
def test_limits_below_nothing(nodes: int, seconds: float) -> None:
    with pytest.raises(ValueError, match="limits"):
        ask(SameSuitEngine(), board_of(1, games["bakers_game"]), nodes=nodes, seconds=seconds)


def test_the_largest_limits() -> None:
    board = board_of(617, games["bakers_game"])
    for kind in (SameSuitEngine, GeneralEngine):
        whole = ask(kind(), board)
        assert ask(kind(), board, nodes=2**63 - 1, seconds=float("inf"), memory=2**64 - 1) == whole


@pytest.mark.parametrize(
    ("first", "step", "count"),
    [
        (0, 1, 1),
        (1, -1, 2),
        (2**33 - 1, 1, 2),
        (1, 0, 2),
        (1, 0, 2**61),
        (1, 2**62, 3),
        (1, 2**63 - 1, 2**62),
        (5, 1, -1),
        (5, 1, -(2**63)),
    ],
)
def test_numbers_that_are_no_deals(first: int, step: int, count: int) -> None:
    dealer = Dealer(games["bakers_game"])
    with pytest.raises(ValueError, match="deals from number"):
        SameSuitEngine().decide_numbers(dealer, first, step, count, False, 1, 0.0, ROOM, Stop())


def test_boards_that_change_while_they_are_read() -> None:
    board = board_of(617, games["bakers_game"])
    engine = SameSuitEngine()
    answers = []

    def boards() -> Iterator[Board]:
        for _ in range(2):
            # The engine is not in use yet.
            answers.append(ask(engine, board).status)
            yield board

    assert [status for status, *_ in engine.decide_boards(boards(), True, 0, 0.0, ROOM, Stop())] == answers
    assert answers == [SOLVED] * 2
