"""What every adapter does: read the boards, decide each on the clock, write what it took."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time_ns
from typing import TypedDict, TypeVar

Board = TypeVar("Board")

WON, LOST, UNDECIDED = "won", "lost", "undecided"

Decision = tuple[str, int, int]
"""The verdict, the nodes of the search, and how many moves the solution has: 0 if it has none."""


class Run(TypedDict):
    """What a run of an adapter writes, with one entry a board in each list."""

    version: str
    nanoseconds: list[int]
    verdicts: list[str]
    nodes: list[int]
    moves: list[int]
    peak: int


def read_boards() -> list[str]:
    """The boards that stand on standard input, an empty line between two of them."""
    return sys.stdin.read().split("\n\n")


def report(version: str, boards: Sequence[Board], decide: Callable[[Board], Decision]) -> None:
    """Decide every board and write a `Run` to standard output; times are CPU times of this process."""
    # What a program does once, such as taking its memory, is no part of the time of the first board.
    decide(boards[0])
    run = Run(version=version, nanoseconds=[], verdicts=[], nodes=[], moves=[], peak=0)
    for board in boards:
        start = process_time_ns()
        verdict, nodes, moves = decide(board)
        run["nanoseconds"].append(process_time_ns() - start)
        run["verdicts"].append(verdict)
        run["nodes"].append(nodes)
        run["moves"].append(moves)
    run["peak"] = peak_memory()
    json.dump(run, sys.stdout)


def peak_memory() -> int:
    """The most bytes that this process has held in memory, the interpreter and its libraries included."""
    try:
        status = Path("/proc/self/status").read_text()
    except FileNotFoundError:
        import resource

        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak << 10
    # On Linux ru_maxrss would not do: it begins with the size of the process that started this one.
    return int(status.partition("VmHWM:")[2].split()[0]) << 10
