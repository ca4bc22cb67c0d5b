"""Counts of lines of legal moves, by the judge: `python tests/perft_tables.py` writes data/perft.txt anew.

For every named game the table has deals and the liveliest positions of some random games: those with
most moves of groups and to empty columns.
"""

import itertools
import random
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from judge import reference
from judge.reference import GAMES, Position, Rules

TABLES = Path(__file__).with_name("data") / "perft.txt"
MOST_LINES = 100_000

HEADER = """\
# How many lines of exactly so many legal moves there are: the game and the position, its board (columns
# divided by /), its cells, how many clubs, diamonds, hearts and spades are home, then the count of each depth.
# Written by perft_tables.py.
"""


class Table(NamedTuple):
    game: str
    name: str
    position: Position
    counts: list[int]
    """Of depth 1, 2, 3 ..."""


def read_tables() -> Iterator[Table]:
    text = TABLES.read_text()
    for block in text[text.index("\n\n") :].split("\n\n"):
        if block.strip():
            title, columns, cells, home, counts = block.strip("\n").split("\n")
            board = reference.position(
                columns.removeprefix("columns").split("/"),
                cells.removeprefix("cells"),
                tuple(map(int, home.removeprefix("home").split())),
            )
            game, _, name = title.partition(": ")
            yield Table(game, name, board, [int(count) for count in counts.removeprefix("lines").split()])


def write_tables() -> None:
    blocks = [HEADER]
    for game, rules in GAMES.items():
        boards = [(f"deal {number}", reference.microsoft(number, rules)) for number in (1, 617, 11982)]
        boards += [(f"in mid-game {number}", liveliest(rules, number)) for number in (1, 2, 3)]
        for name, board in boards:
            columns = " / ".join(" ".join(map(reference.card_text, column)) for column in board.columns)
            cells = " ".join("-" if card is None else reference.card_text(card) for card in board.cells)
            home = " ".join(map(str, board.home))
            lines = " ".join(map(str, counts(board, rules)))
            rows = (
                f"{game}: {name}",
                f"columns {columns}",
                f"cells {cells}".rstrip(),
                f"home {home}",
                f"lines {lines}",
            )
            blocks.append("\n" + "\n".join(rows) + "\n")
    TABLES.write_text("".join(blocks))


def counts(board: Position, rules: Rules) -> list[int]:
    """Of depth 1, 2 ... 6, as far as they do not grow too large."""
    found: list[int] = []
    for depth in range(1, 7):
        if found and found[-1] * len(reference.legal_moves(board, rules)) > MOST_LINES * 20:
            break
        found.append(reference.perft(board, rules, depth))
        if found[-1] > MOST_LINES:
            break
    return found


def liveliest(rules: Rules, seed: int) -> Position:
    rng = random.Random(seed)
    best, most = reference.microsoft(seed, rules), -1
    for _ in range(300):
        board = reference.microsoft(rng.randint(1, 32000), rules)
        for _ in itertools.repeat(None, 100):
            moves = reference.legal_moves(board, rules)
            if not moves:
                break
            home = [move for move in moves if move.target == reference.FOUNDATION]
            board = reference.apply(board, rng.choice(home or moves))
            lively = liveliness(board, rules)
            if lively > most:
                best, most = board, lively
    return best


def liveliness(board: Position, rules: Rules) -> int:
    """Groups of several lengths, several empty columns and free cells at the same time, yet cards to move."""
    moves = reference.legal_moves(board, rules)
    groups = sum(move.length for move in moves if move.length > 1)
    to_empty = sum(move.target < len(board.columns) and not board.columns[move.target] for move in moves)
    return groups * 3 + min(to_empty, 12)


if __name__ == "__main__":
    write_tables()
