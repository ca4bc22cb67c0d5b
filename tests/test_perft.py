"""Lines of legal moves counted by the package and, long ago, by the judge."""

import perft_tables
import pytest
from judge import reference
from judge.convert import from_move, to_deal
from judge.reference import GAMES
from perft_tables import Table

import baker

TABLES = list(perft_tables.read_tables())


def test_every_game_has_tables() -> None:
    assert {table.game for table in TABLES} == set(GAMES)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table.game}: {table.name}")
def test_perft(table: Table) -> None:
    game = baker.Game(to_deal(table.position, baker.games[table.game]))
    assert baker.perft(game, 0) == 1
    for depth, count in enumerate(table.counts, 1):
        if baker.perft(game, depth) != count:
            pytest.fail(f"perft of depth {depth} should be {count}:\n{differences(table, game, depth)}")


def differences(table: Table, game: baker.Game, depth: int) -> str:
    """The count of each first move where it is wrong."""
    expected = reference.perft_by_move(table.position, GAMES[table.game], depth)
    found = {}
    for move in game.legal_moves:
        game.push(move)
        found[from_move(move)] = baker.perft(game, depth - 1)
        game.pop()
    wrong = [move for move in sorted(expected.keys() | found.keys()) if expected.get(move) != found.get(move)]
    lines = [f"{baker.Move(*move)}: expected {expected.get(move)}, counted {found.get(move)}" for move in wrong]
    return "\n".join([reference.board_text(table.position), *lines])
