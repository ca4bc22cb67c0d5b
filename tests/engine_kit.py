"""Asking an engine for one board, without what `baker.solve` does around it."""

from enum import IntEnum
from typing import NamedTuple

from baker import Deal, Rules
from baker._core import Board
from baker.engines.base import Engine, Stop
from baker.solver import board_of

# Bytes that are enough for any search of the tests that is not about memory.
ROOM = 1 << 28


class Status(IntEnum):
    """How a search ended, as the engines number it."""

    UNDECIDED = 0
    SOLVED = 1
    IMPOSSIBLE = 2
    OUT_OF_MEMORY = 3


class Reached(IntEnum):
    """The limit that ended a search, as the engines number it."""

    NO_LIMIT = 0
    NODES = 1
    SECONDS = 2
    MEMORY = 3
    STOP = 4


class Answer(NamedTuple):
    """What an engine says of one board: all but the time, so that answers can be compared."""

    status: Status
    limit: Reached
    nodes: int
    codes: tuple[int, ...]
    """The moves."""

    @classmethod
    def of(cls, answer: tuple[int, int, int, float, bytes]) -> "Answer":
        status, limit, nodes, _, codes = answer
        return cls(Status(status), Reached(limit), nodes, tuple(memoryview(codes).cast("H")) if codes else ())


def ask(
    engine: Engine, board: Board, moves: bool = True, *, nodes: int = 0, seconds: float = 0.0, memory: int = ROOM
) -> Answer:
    """The answer of an engine for one board, within limits; 0 is no limit."""
    (answer,) = engine.decide_boards([board], moves, nodes, seconds, memory, Stop())
    return Answer.of(answer)


def numbered(number: int, rules: Rules | str = "bakers_game") -> Board:
    """The board of a deal as Microsoft numbers them."""
    return board_of(Deal.microsoft(number, rules))


def replay(board: Board, answer: Answer) -> None:
    """Play the moves on the board; it is won if the answer says so, and only then."""
    for code in answer.codes:
        board.push(code)
    assert board.is_won == (answer.status is Status.SOLVED), (board.columns(), board.foundations())
