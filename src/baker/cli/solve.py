"""baker solve."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, Protocol

from baker.batch import solve_many
from baker.cli.exit_codes import ALL_DECIDED, EXIT_CODES, SOME_UNDECIDED
from baker.cli.interrupts import Interrupts
from baker.cli.options import add_limits, add_rules, count, new_command, rules_from
from baker.cli.output import is_terminal
from baker.cli.steps import steps
from baker.cli.targets import Target, read_target
from baker.deals import Deal
from baker.rules import GAMES, Rules
from baker.solver import Solution, Verdict

_SOLVE = """\
Decide whether deals can be won. Each gets a line: the deal and its verdict. "solved" means that there are moves that
win, "impossible" that every line was followed to its end, "undecided" that a limit came first. If there are several
deals, a line with the counts comes last.

A TARGET is the number of a Microsoft deal (617), a range of numbers (1-1000), the file of a board or - for a board on
standard input. A file holds one board, at the start of a game or in the middle of it: a line for each column, the
available card last, and before them lines "Foundations: C-0 D-A H-10 S-K" and "Freecells: KS - - 4D" if there is
something to say. A file whose name looks like a number is ./617. Everything is read before the first deal is solved.
"""

_SOLVE_EXAMPLES = """\
examples:
  baker solve 617 --moves
  baker solve 1-32000 | tail -1
  baker solve 1-1000 --cells 3
  baker solve 1-100 --game freecell --max-seconds 5
  baker deal --random 7 --game eight_off | baker solve - --game eight_off --moves
  baker solve 1-1000 --json > answers.jsonl

output of --json, one object a line:
  deal     the number, the name of the file, or "-"
  game     the game; "cells" follows if they are not as many as the game has
  verdict  "solved", "impossible" or "undecided"
  moves    a list of [from, to, count]; t0, t1 .. are the columns from the left, c0, c1 .. the cells, f the
           foundations; empty unless the deal is solved
  nodes    how many nodes were searched
  seconds  how long it took
  limit    null, or what left the deal undecided: "nodes", "seconds" or "memory"

"""

# Output is flushed when the last time was longer ago than this.
_FLUSH_SECONDS = 0.1

_Dealt = int | tuple[str, Deal]

_Answer = tuple[_Dealt, Solution]


class _Answers(Protocol):
    """Answers one after the other, until closed."""

    def __iter__(self) -> Iterator[_Answer]: ...
    def close(self) -> object: ...


def add_command(commands: Any) -> None:
    command = new_command(
        commands,
        _solve,
        name="solve",
        help="decide whether deals can be won",
        description=_SOLVE,
        epilog=f"{_SOLVE_EXAMPLES}{EXIT_CODES}",
    )
    command.add_argument("targets", metavar="TARGET", nargs="+", help="a number, a range 1-1000, a file or -")
    add_rules(command)
    output = command.add_mutually_exclusive_group()
    output.add_argument("--moves", action="store_true", help="print the moves that win, numbered, home moves together")
    output.add_argument("--json", action="store_true", help="print one JSON object a line, moves included")
    command.add_argument("--threads", metavar="N", type=count, help="threads that work on it (one a processor)")
    add_limits(command)


def _solve(arguments: argparse.Namespace) -> int:
    rules = rules_from(arguments)
    targets = [read_target(text, rules) for text in arguments.targets]
    total = sum([len(target) if isinstance(target, range) else 1 for target in targets])
    as_text = _as_json if arguments.json else _as_steps if arguments.moves else _as_line
    counts = dict.fromkeys(Verdict, 0)
    start = time.perf_counter()
    try:
        with Interrupts() as interrupts, closing(_with_bar(_answers(targets, rules, arguments), total)) as answers:
            flushed = start
            for deal, solution in answers:
                text = as_text(deal, rules, solution)
                interrupts.hold()
                counts[solution.verdict] += 1
                # A line that waits long in a buffer would come late, and be lost if the process is killed.
                now = time.perf_counter()
                print(text, flush=now - flushed > _FLUSH_SECONDS)
                if now - flushed > _FLUSH_SECONDS:
                    flushed = now
                interrupts.release()
    finally:
        if total > 1 and not arguments.json:
            print(_summary(counts, total, time.perf_counter() - start))
    return SOME_UNDECIDED if counts[Verdict.UNDECIDED] else ALL_DECIDED


def _answers(targets: Sequence[Target], rules: Rules, arguments: argparse.Namespace) -> Generator[_Answer, None, None]:
    for target in targets:
        names, deals = (target, target) if isinstance(target, range) else ([target], [target[1]])
        solutions = solve_many(
            deals,
            rules=rules,
            moves=arguments.moves or arguments.json,
            threads=arguments.threads,
            max_nodes=arguments.max_nodes,
            max_seconds=arguments.max_seconds,
            max_memory=arguments.max_memory,
        )
        with closing(solutions):
            yield from zip(names, solutions, strict=True)


def _with_bar(answers: Generator[_Answer, None, None], total: int) -> _Answers:
    """The answers, with a progress bar on standard error if that is a terminal and the lines do not go there too."""
    if total == 1 or is_terminal(sys.stdout) or not is_terminal(sys.stderr):
        return answers
    try:
        from tqdm import tqdm
    except ImportError:
        return answers
    # Who waits for less than a second needs no bar.
    return tqdm(answers, total=total, unit=" deals", delay=1, leave=False)


def _as_line(deal: _Dealt, rules: Rules, solution: Solution) -> str:
    why = f" (limit: {solution.limit})" if solution.limit else ""
    return f"{_name(deal)} {solution.verdict}{why}"


def _as_steps(deal: _Dealt, rules: Rules, solution: Solution) -> str:
    line = _as_line(deal, rules, solution)
    if solution.verdict is not Verdict.SOLVED:
        return line
    board = Deal.microsoft(deal, rules) if isinstance(deal, int) else deal[1]
    return "\n".join([f"{line} {len(solution.moves)} moves", *steps(board, solution.moves)])


def _name(deal: _Dealt) -> int | str:
    return deal if isinstance(deal, int) else deal[0]


def _as_json(deal: _Dealt, rules: Rules, solution: Solution) -> str:
    record = {
        "deal": _name(deal),
        "game": rules.name,
        "cells": rules.cells,
        "verdict": solution.verdict,
        "moves": [move.to_json() for move in solution.moves],
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
        "limit": solution.limit,
    }
    if rules == GAMES[rules.name]:
        del record["cells"]
    return json.dumps(record)


def _summary(counts: Mapping[Verdict, int], total: int, seconds: float) -> str:
    done = sum(counts.values())
    verdicts = ", ".join([f"{count} {verdict}" for verdict, count in counts.items()])
    parts = [f"{done if done == total else f'{done} of {total}'} deals: {verdicts}"]
    if done:
        least, most = counts[Verdict.SOLVED], done - counts[Verdict.IMPOSSIBLE]
        share = f"{least / done:.2%}" if least == most else f"{least / done:.2%} to {most / done:.2%}"
        parts.append(f"{share} can be won")
    parts.append(f"{seconds:.2f} s, {done / seconds:.0f} deals a second")
    return "; ".join(parts)
