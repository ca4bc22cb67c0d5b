"""Hints: a line of moves that wins, and how to go on with it from any position that it leads through."""

from __future__ import annotations

from collections.abc import Iterable

from baker._core import Board


class WinningLine:
    """Moves that win from where a board stands, and the positions that they lead through.

    Positions are told apart by what matters: the order of the columns and of the cells does not. So a player who takes
    another free cell than the line does, or another empty column, is still on the line. A line never changes, and
    several threads may use it.
    """

    __slots__ = ("_codes", "_keys", "_steps")

    def __init__(self, board: Board, codes: Iterable[int]) -> None:
        board = board.copy()
        self._codes = tuple(codes)
        self._keys = [board.canonical_key()]
        for code in self._codes:
            board.push(code)
            self._keys.append(board.canonical_key())
        # Where a line comes to a position twice, it is gone on with from the second time, and so never in a circle.
        self._steps = {key: step for step, key in enumerate(self._keys[:-1])}

    def goes_on_from(self, board: Board) -> bool:
        """Whether the board is on the line, and not at its end."""
        return board.canonical_key() in self._steps

    def next_code(self, board: Board) -> int:
        """The code of the move with which a board goes on with the line.  Raises KeyError if the line does not."""
        step = self._steps[board.canonical_key()]
        board = board.copy()
        candidates = (self._codes[step], *board.legal_moves())
        return next(code for code in candidates if _leads_to(self._keys[step + 1], board, code))


def _leads_to(key: bytes, board: Board, code: int) -> bool:
    """Whether a move is legal and leads to the position of a key."""
    if not board.is_legal(code):
        return False
    board.push(code)
    found = board.canonical_key()
    board.pop()
    return found == key
