"""Runs Freecell Solver over the boards on standard input: fc_solve_adapter.py (verdict | moves) OPTION...

The options are those of `fc-solve`. The library is called in this process, so that the start of a program is no part
of the time; it is the one that `fc-solve` itself calls.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import sys
from collections.abc import Callable
from typing import Any, cast

from measuring import LOST, UNDECIDED, WON, Decision, read_boards, report

_SOLVED, _NOT_SOLVABLE = 0, 1
_LIMITS = (3, 5)


class _Moves(ctypes.Structure):
    _fields_ = (("count", ctypes.c_int), ("moves", ctypes.c_void_p))


def library_name() -> str | None:
    """The name under which the library can be loaded, or None if it is not installed."""
    return ctypes.util.find_library("freecell-solver")


class FreecellSolver:
    """One solver with its options, for any number of boards."""

    def __init__(self, options: list[str]) -> None:
        name = library_name()
        if name is None:
            sys.exit("libfreecell-solver is not installed")
        self._library = ctypes.CDLL(name)
        # To free what the library allocates with malloc.
        self._free = ctypes.CDLL(None).free
        self._free.argtypes = [ctypes.c_void_p]
        solver = ctypes.c_void_p
        self._alloc = self._function("alloc", [], ctypes.c_void_p)
        self._solve = self._function("solve_board", [solver, ctypes.c_char_p], ctypes.c_int)
        self._recycle = self._function("recycle", [solver], None)
        self._nodes = self._function("get_num_times_long", [solver], ctypes.c_ssize_t)
        self._find_moves = self._function("get_moves_left", [solver], ctypes.c_int)
        self._get_moves = self._function("get_moves_sequence", [solver, ctypes.POINTER(_Moves)], ctypes.c_int)
        self._solver = ctypes.c_void_p(self._alloc())
        self._configure(options)
        self.version: str = self._function("get_lib_version", [solver], ctypes.c_char_p)(self._solver).decode()

    def _function(self, name: str, arguments: list[Any] | None, result: Any) -> Callable[..., Any]:
        function = getattr(self._library, f"freecell_solver_user_{name}")
        function.argtypes = arguments
        function.restype = result
        return cast(Callable[..., Any], function)

    def _configure(self, options: list[str]) -> None:
        texts = (ctypes.c_char_p * len(options))(*[option.encode() for option in options])
        error, last = ctypes.c_char_p(), ctypes.c_int()
        parse = self._function("cmd_line_parse_args_with_file_nesting_count", None, ctypes.c_int)
        status = parse(
            self._solver, len(options), texts, 0, None, None, None, ctypes.byref(error), ctypes.byref(last), -1, None
        )
        if status or last.value != len(options):
            sys.exit(f"fc-solve does not take {' '.join(options[last.value :])}: {(error.value or b'').decode()}")

    def verdict(self, board: bytes) -> Decision:
        """The verdict and the nodes."""
        self._recycle(self._solver)
        status = self._solve(self._solver, board)
        if status == _SOLVED:
            word = WON
        elif status == _NOT_SOLVABLE:
            word = LOST
        elif status in _LIMITS:
            word = UNDECIDED
        else:
            sys.exit(f"fc-solve cannot read the board, status {status}:\n{board.decode()}")
        return word, self._nodes(self._solver), 0

    def moves(self, board: bytes) -> Decision:
        """The verdict, the nodes and how many moves there are; they come as an array of the library's own."""
        word, nodes, _ = self.verdict(board)
        if word != WON:
            return word, nodes, 0
        # The array is empty unless the moves have been counted before: that is what traces the way back.
        self._find_moves(self._solver)
        found = _Moves()
        self._get_moves(self._solver, ctypes.byref(found))
        self._free(found.moves)
        return word, nodes, found.count


def main() -> None:
    answer, *options = sys.argv[1:]
    solver = FreecellSolver(options)
    boards = [f"{board}\n".encode() for board in read_boards()]
    report(solver.version, boards, solver.moves if answer == "moves" else solver.verdict)


if __name__ == "__main__":
    main()
