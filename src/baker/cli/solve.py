"""baker solve."""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from typing import Protocol

from baker.batch import solve_many
from baker.cli.command import Command, InputError
from baker.cli.exit_codes import ALL_DECIDED, EXIT_CODES, SOME_IMPOSSIBLE, SOME_UNDECIDED
from baker.cli.options import add_limits, add_rules, add_threads, rules_from
from baker.cli.output import is_terminal
from baker.cli.steps import steps
from baker.cli.targets import Board, Target, read_target, shown
from baker.deals import Deal
from baker.rules import Rules
from baker.solver import Solution, Verdict

_DESCRIPTION = """\
Decide whether deals can be won. Each gets a line: the deal and its verdict. "solved" means that there are moves that
win, "impossible" that every line was followed to its end, "undecided" that a limit came first. If there are several
deals, a line with the counts comes last.

A TARGET is the number of a Microsoft deal (617, #617 or ms617), a range of numbers (1-1000), a list of both with commas
(1,2,7-9), the code of a deal (seed42, freecell:ms617, daily2026-02-28, kpat617, pysol617), the file of a board, or -
for a board on standard input. Everything is read before the first deal is solved.

A file holds one board, at the start of a game or in the middle of it: a line for each column, the available card last,
and before them lines "Foundations: C-0 D-A H-10 S-K" and "Freecells: KS - - 4D" if there is something to say. A file
whose name looks like a number is ./617. The game is that of --game, or else that of a line "# game: freecell" in the
file; the answer names it.
"""
_EPILOG = f"""\
examples:
  baker solve 617 --moves
  baker solve 1-32000 | tail -1
  baker solve 1-1000 --cells 3 --set fill=kings
  baker solve 1-100 --game freecell --max-seconds 5
  baker solve freecell:ms11982 eight_off:seed7
  baker solve 1-1000 --json > answers.jsonl
  baker solve board.txt --check > /dev/null && echo "can be won"

output of --json, one object a line:
  deal     the number, the code, the name of the file, or "-"
  game     the game, and what differs from its rules: "freecell cells=3"
  verdict  "solved", "impossible" or "undecided"
  moves    a list of [from, to, count]; t0, t1 .. are the columns from the
           left, c0, c1 .. the cells, f the foundations; empty unless the deal
           is solved
  nodes    how many nodes were searched
  seconds  how long it took
  limit    null, or what left the deal undecided: "nodes", "seconds", "memory"

{EXIT_CODES}"""
# Output is flushed when the last time was longer ago than this.
_FLUSH_SECONDS = 0.1

_Dealt = int | Board
_Answer = tuple[_Dealt, Solution]


class _Answers(Protocol):
    """Answers one after the other, until closed."""

    def __iter__(self) -> Iterator[_Answer]: ...
    def close(self) -> object: ...


def _add_options(parser: argparse.ArgumentParser) -> None:
    add_rules(parser)
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--moves", action="store_true", help="print the moves that win, numbered, home moves together")
    output.add_argument("--json", action="store_true", help="print one JSON object a line, moves included")
    parser.add_argument("--check", action="store_true", help="exit with 4 if a deal is impossible")
    add_threads(parser)
    add_limits(parser)


def _run(arguments: argparse.Namespace) -> int:
    if not arguments.operands:
        raise InputError("no TARGET: expected one such as 617, 1-1000 or the file of a board")
    if arguments.operands.count("-") > 1:
        raise InputError("- is given twice: expected one board on standard input")
    rules = rules_from(arguments)
    targets = [target for word in arguments.operands for target in read_target(word, arguments)]
    total = sum([len(target) if isinstance(target, range) else 1 for target in targets])
    as_text = _as_text(arguments)
    counts = dict.fromkeys(Verdict, 0)
    start = flushed = time.perf_counter()
    try:
        with closing(_with_bar(_answers(targets, rules, arguments), total)) as answers:
            for dealt, solution in answers:
                text = as_text(dealt, rules, solution)
                with arguments.interrupts.held():
                    counts[solution.verdict] += 1
                    # A line that waits long in a buffer would come late, and be lost if the process is killed.
                    now = time.perf_counter()
                    print(text, flush=now - flushed > _FLUSH_SECONDS)
                    if now - flushed > _FLUSH_SECONDS:
                        flushed = now
    finally:
        if total > 1 and not arguments.json:
            print(_summary(counts, total, time.perf_counter() - start))
    if arguments.check and counts[Verdict.IMPOSSIBLE]:
        return SOME_IMPOSSIBLE
    return SOME_UNDECIDED if counts[Verdict.UNDECIDED] else ALL_DECIDED


COMMAND = Command(
    name="solve",
    summary="decide whether deals can be won",
    description=_DESCRIPTION,
    operands="TARGET ...",
    about_operands="a number, a range 1-1000, a list 1,2,7-9, a code, a file or -",
    add_options=_add_options,
    epilog=_EPILOG,
    run=_run,
)


def _answers(targets: Sequence[Target], rules: Rules, arguments: argparse.Namespace) -> Generator[_Answer, None, None]:
    for piece in _pieces(targets):
        solutions = solve_many(
            # A board may have said that it is of another game.
            piece
            if isinstance(piece, range)
            else [dealt.deal if isinstance(dealt, Board) else Deal.microsoft(dealt, rules) for dealt in piece],
            rules=rules if isinstance(piece, range) else None,
            moves=arguments.moves or arguments.json,
            threads=arguments.threads,
            max_nodes=arguments.max_nodes,
            max_seconds=arguments.max_seconds,
            max_memory=arguments.max_memory,
        )
        with closing(solutions):
            yield from zip(piece, solutions, strict=True)


def _pieces(targets: Sequence[Target]) -> Iterator[range | list[_Dealt]]:
    """The ranges, which the engines deal themselves, and all that stands between two of them."""
    between: list[_Dealt] = []
    for target in targets:
        if not isinstance(target, range):
            between.append(target)
            continue
        if between:
            yield between
            between = []
        yield target
    if between:
        yield between


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


def _as_text(arguments: argparse.Namespace) -> Callable[[_Dealt, Rules, Solution], str]:
    if arguments.json:
        return _as_json
    return _as_steps if arguments.moves else _as_line


def _as_line(dealt: _Dealt, rules: Rules, solution: Solution) -> str:
    name = f"{shown(dealt.name)} ({dealt.deal.rules.format()})" if isinstance(dealt, Board) else dealt
    why = f" (limit: {solution.limit})" if solution.limit else ""
    return f"{name} {solution.verdict}{why}"


def _as_steps(dealt: _Dealt, rules: Rules, solution: Solution) -> str:
    line = _as_line(dealt, rules, solution)
    if solution.verdict is not Verdict.SOLVED:
        return line
    deal = dealt.deal if isinstance(dealt, Board) else Deal.microsoft(dealt, rules)
    return "\n".join([f"{line} {len(solution.moves)} moves", *steps(deal, solution.moves)])


def _as_json(dealt: _Dealt, rules: Rules, solution: Solution) -> str:
    name, judged_by = (dealt.name, dealt.deal.rules) if isinstance(dealt, Board) else (dealt, rules)
    record = {
        "deal": name,
        "game": judged_by.format(),
        "verdict": solution.verdict,
        "moves": [move.to_json() for move in solution.moves],
        "nodes": solution.nodes,
        "seconds": round(solution.seconds, 6),
        "limit": solution.limit,
    }
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
