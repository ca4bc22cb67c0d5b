"""Compares baker with Freecell Solver, side by side: the same deals, one process after the other, CPU time.

Prints a table for each game, and every deal on which two programs disagree. Ends with status 1 if one of those
disagreements is between programs that claim to be exact.
"""

from __future__ import annotations

import argparse
import datetime
import json
import platform
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from statistics import fmean, median
from typing import Any

from fc_solve_adapter import library_name
from measuring import LOST, UNDECIDED, WON, Run
from rule_sets import RULE_SETS
from tables import table

from baker import Deal, Rules

HERE = Path(__file__).parent
ANSWERS = ("verdict", "moves")
# The line that the others are compared with.
BAKER = "baker solve_many"


@dataclass(frozen=True)
class Peer:
    """A program in one configuration: how it is shown and how its adapter is called."""

    name: str
    exact: bool
    """Whether it tries every legal move in the end, so that "lost" is a proof."""
    adapter: str
    arguments: tuple[str, ...]

    def command(self, answer: str) -> list[str]:
        return [sys.executable, str(HERE / self.adapter), answer, *self.arguments]


def baker(function: str, rule_set: str, numbers: range) -> Peer:
    arguments = (function, rule_set, str(numbers[0]), str(numbers[-1]))
    return Peer(f"baker {function}", True, "baker_adapter.py", arguments)


def fc_solve(name: str, options: str, *, exact: bool) -> Peer:
    return Peer(f"fc-solve {name}", exact, "fc_solve_adapter.py", tuple(options.split()))


# The orders of moves that hold single moves alone, all of them: what they do not win cannot be won.
_ANY_FILLS = "--method soft-dfs -to 01ACBDE -sp r:tf"
_KINGS_FILL = "--method soft-dfs -to 01ABCDE -sp r:tf"

PEERS: dict[str, tuple[Peer, ...]] = {
    "bakers_game": (fc_solve("exact", f"-g bakers_game -ni {_ANY_FILLS}", exact=True),),
    "bakers_game_3_cells": (fc_solve("exact", f"-g bakers_game --freecells-num 3 -ni {_ANY_FILLS}", exact=True),),
    "bakers_game_5_cells": (fc_solve("exact", f"-g bakers_game --freecells-num 5 -ni {_ANY_FILLS}", exact=True),),
    "kings_only_bakers_game": (fc_solve("exact", f"-g ko_bakers_game {_KINGS_FILL}", exact=True),),
    "seahaven_towers": (
        fc_solve("-l eo", "-g seahaven -l eo", exact=False),
        fc_solve("exact", f"-g seahaven {_KINGS_FILL}", exact=True),
    ),
    "eight_off": (
        fc_solve("-l eo", "-g eight_off -l eo", exact=False),
        fc_solve("exact", f"-g eight_off {_KINGS_FILL}", exact=True),
    ),
    "freecell": (fc_solve("-l as", "-g freecell -l as", exact=False),),
}
DEFAULT_PRESET = fc_solve("default", "-g bakers_game", exact=False)


@dataclass(frozen=True)
class Line:
    """What the runs of one program for one kind of answer come to; times in milliseconds."""

    who: str
    exact: bool
    answer: str
    mean: float
    median: float
    p99: float
    slowest: float
    nodes: float
    """Mean of a deal."""
    won: int
    lost: int
    undecided: int
    moves: float | None
    """Median over the deals won; a group that moves at once is one move."""
    peak: int
    """Bytes, the largest of all runs, Python included."""
    ratio: tuple[float, float, float]
    """How many times the CPU time of baker for the same answer: median, least and greatest of the runs."""


def summary(peer: Peer, answer: str, runs: Sequence[Run], of_baker: Sequence[Run]) -> Line:
    # The median of the runs, deal by deal: what disturbs one run does not show.
    times = sorted(median(deal) / 1e6 for deal in zip(*[run["nanoseconds"] for run in runs], strict=True))
    ratios = [sum(run["nanoseconds"]) / sum(own["nanoseconds"]) for run, own in zip(runs, of_baker, strict=True)]
    first = runs[0]
    return Line(
        who=peer.name,
        exact=peer.exact,
        answer=answer,
        mean=fmean(times),
        median=median(times),
        p99=times[(len(times) * 99 - 1) // 100],
        slowest=times[-1],
        nodes=fmean(first["nodes"]),
        won=first["verdicts"].count(WON),
        lost=first["verdicts"].count(LOST),
        undecided=first["verdicts"].count(UNDECIDED),
        moves=median(lengths) if (lengths := [moves for moves in first["moves"] if moves]) else None,
        peak=max(run["peak"] for run in runs),
        ratio=(median(ratios), min(ratios), max(ratios)),
    )


HEADINGS = (
    *("who", "exact", "answer", "ms a deal: mean", "median", "p99", "max", "deals a second", "times baker (range)"),
    *("nodes a deal", "nodes a second", "won / lost / undecided", "moves", "peak MB"),
)


def cells_of(line: Line) -> tuple[str, ...]:
    middle, least, greatest = line.ratio
    return (
        *(line.who, "yes" if line.exact else "no", line.answer),
        *(f"{value:.3f}" for value in (line.mean, line.median, line.p99, line.slowest)),
        f"{1000 / line.mean:,.0f}",
        "1" if line.who == BAKER else f"{middle:.1f} ({least:.1f}-{greatest:.1f})",
        *(f"{line.nodes:,.0f}", f"{1000 * line.nodes / line.mean:,.0f}"),
        f"{line.won} / {line.lost} / {line.undecided}",
        "" if line.moves is None else f"{line.moves:.0f}",
        f"{line.peak / 1e6:.0f}",
    )


def ratio_rows(name: str, lines: Sequence[Line]) -> Iterator[tuple[str, ...]]:
    """A row for each program but baker, of which the ratios for both answers are told."""
    ratios = {(line.who, line.answer): f"{line.ratio[0]:.1f}" for line in lines}
    for line in lines:
        if line.answer == ANSWERS[0] and line.who != BAKER:
            yield (name, line.who, "yes" if line.exact else "no", *(ratios[line.who, answer] for answer in ANSWERS))


def disagreements(verdicts: dict[Peer, list[str]], first: int) -> Iterator[tuple[int, bool, str]]:
    """The number of each deal that has two verdicts, whether exact programs disagree, and who says what."""
    for number, answers in enumerate(zip(*verdicts.values(), strict=True), first):
        if len(set(answers)) > 1:
            said = list(zip(verdicts, answers, strict=True))
            proved = {verdict for peer, verdict in said if peer.exact and verdict != UNDECIDED}
            yield number, len(proved) > 1, "; ".join(f"{peer.name}: {verdict}" for peer, verdict in said)


def run_adapter(peer: Peer, answer: str, boards: str) -> Run:
    done = subprocess.run(peer.command(answer), input=boards, stdout=subprocess.PIPE, text=True, check=True)
    run: Run = json.loads(done.stdout)
    return run


def machine() -> str:
    try:
        model = Path("/proc/cpuinfo").read_text().partition("model name")[2].partition("\n")[0].strip("\t: ")
    except FileNotFoundError:
        model = platform.processor()
    return f"{model or platform.machine()}, {platform.system()}, Python {platform.python_version()}"


def parsed_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", nargs="+", choices=RULE_SETS, default=list(RULE_SETS), metavar="GAME",
                        help=f"some of {', '.join(RULE_SETS)} (default: all)")  # fmt: skip
    parser.add_argument("--first", type=int, default=1, help="first Microsoft deal (default: 1)")
    parser.add_argument("--last", type=int, default=1000, help="last Microsoft deal (default: 1000)")
    parser.add_argument("--repeat", type=int, default=3, help="runs of each program, in turn (default: 3)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures to this file too")
    parser.add_argument("--default-preset", action="store_true",
                        help="also run bakers_game with fc-solve as it comes, which is not exact")  # fmt: skip
    arguments = parser.parse_args()
    if not 1 <= arguments.first <= arguments.last or arguments.repeat < 1:
        parser.error("expected 1 <= --first <= --last and 1 <= --repeat")
    return arguments


def compare(rules: Rules, peers: Sequence[Peer], numbers: range, repeat: int) -> tuple[list[Line], dict[Peer, Run]]:
    """The lines of the table, and one run of each program."""
    boards = "\n\n".join(Deal.microsoft(number, rules).format() for number in numbers)
    runs: dict[tuple[Peer, str], list[Run]] = {(peer, answer): [] for answer in ANSWERS for peer in peers}
    for _ in range(repeat):
        for (peer, answer), done in runs.items():
            done.append(run_adapter(peer, answer, boards))
    lines = [summary(peer, answer, done, runs[peers[0], answer]) for (peer, answer), done in runs.items()]
    for peer in peers:
        if len({tuple(run["verdicts"]) for answer in ANSWERS for run in runs[peer, answer]}) > 1:
            sys.exit(f"{peer.name} does not give the same verdicts in every run")
    return lines, {peer: runs[peer, "verdict"][0] for peer in peers}


def main() -> int:
    arguments = parsed_arguments()
    numbers = range(arguments.first, arguments.last + 1)
    has_fc_solve = library_name() is not None
    print(f"Microsoft deals {numbers[0]:,}-{numbers[-1]:,}, runs of each: {arguments.repeat}; {machine()}, ", end="")
    print(f"baker {version('baker')}, {datetime.date.today()}")
    if not has_fc_solve:
        print("fc-solve: not installed (Debian: apt-get install libfreecell-solver0)")
    figures: dict[str, Any] = {"machine": machine(), "first": numbers[0], "last": numbers[-1], "games": {}}
    contradiction = False
    ratios: list[tuple[str, ...]] = []
    for name in arguments.games:
        own = [baker(function, name, numbers) for function in ("solve_many", "solve")]
        peers = [*own, *(PEERS[name] if has_fc_solve else ())]
        if name == "bakers_game" and arguments.default_preset and has_fc_solve:
            peers.append(DEFAULT_PRESET)
        lines, runs = compare(RULE_SETS[name], peers, numbers, arguments.repeat)
        print(f"\n### {name}\n\n{table(HEADINGS, [cells_of(line) for line in lines])}")
        print()
        for peer in peers[2:]:
            print(f"- {peer.name}: version {runs[peer]['version']}, `{' '.join(peer.arguments)}`", flush=True)
        ratios.extend(ratio_rows(name, lines))
        differences = list(disagreements({peer: run["verdicts"] for peer, run in runs.items()}, numbers[0]))
        if differences:
            print("\nDifferent verdicts:\n")
        for number, serious, text in differences:
            print(f"- deal {number}{' (BOTH EXACT)' if serious else ''}: {text}")
            contradiction |= serious
        figures["games"][name] = {
            "versions": {peer.name: run["version"] for peer, run in runs.items()},
            "arguments": {peer.name: " ".join(peer.arguments) for peer in runs},
            "lines": [line.__dict__ for line in lines],
            "different_verdicts": {number: text for number, _, text in differences},
        }
    if ratios:
        print("\n### CPU time, as many times that of baker\n")
        print(table(("game", "who", "exact", "verdict alone", "with moves"), ratios))
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1) + "\n")
    return int(contradiction)


if __name__ == "__main__":
    sys.exit(main())
