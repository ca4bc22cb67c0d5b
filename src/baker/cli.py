"""The command line: baker solve, baker deal, baker games; `cli_survey` has baker survey and baker report."""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import json
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing
from io import TextIOWrapper
from itertools import groupby
from typing import Any, NoReturn, Protocol, TextIO, TypeVar

from baker.batch import solve_many
from baker.boards import DealError
from baker.cards import Card, quote
from baker.deals import MICROSOFT_LAST, Deal, check_number
from baker.game import _FIRST_CELL, _FOUNDATION, Move, _place_name
from baker.rules import GAMES, Rules, RulesError, rules_of
from baker.solver import ENGINES, Solution, Verdict, engine_for
from baker.survey import installed_version

ALL_DECIDED, FAILED, BAD_INPUT, SOME_UNDECIDED, INTERRUPTED, PIPE_CLOSED = 0, 1, 2, 3, 130, 141

_WHOLE = re.compile(r"[0-9]{1,20}")
_RANGE = re.compile(rf"({_WHOLE.pattern})(?:-({_WHOLE.pattern}))?")
# Meant as a number or a range, whether it is one or not.
_NUMBERS = re.compile(r"[-0-9]*[0-9][-0-9]*")
_SIZE = re.compile(rf"({_WHOLE.pattern})([KMG]?)", re.IGNORECASE)
# Many times what a board takes; a file without an end is not read for ever.
_LARGEST_FILE = 1 << 20

# What is solved: a range of Microsoft deals, or one board and the name of its file.
_Target = range | tuple[str, Deal]
_Dealt = int | tuple[str, Deal]
_Answer = tuple[_Dealt, Solution]
_Number = TypeVar("_Number", int, float)

# Output is flushed when the last time was longer ago than this.
_FLUSH_SECONDS = 0.1


class _Answers(Protocol):
    """Answers one after the other, until closed."""

    def __iter__(self) -> Iterator[_Answer]: ...
    def close(self) -> object: ...


_EXIT_CODES = """\
exit codes:
  0    all done, every deal decided
  1    the output cannot be written, or there is not enough memory
  2    bad input: options, numbers, files or boards
  3    at least one deal is undecided
  130  interrupted
  141  the reader of the output has closed it
"""
_EXAMPLES = """\
examples:
  baker solve 1-1000                  which of these deals can be won
  baker solve 617 --moves             how to win deal 617
  baker deal 617                      its board
  baker deal --daily --format board   the deal of today, to play by hand
  baker games                         the games that have a name
  baker survey seahaven_towers 1-1000000 --out DIR
                                      decide a million deals into files, and go on if it is interrupted
  baker report DIR                    what came of it

"""
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
_DEAL = """\
Print a board: a line for each column, the available card last. "baker solve -" and other programs, fc-solve among
them, read it.
"""
_DEAL_EXAMPLES = """\
examples:
  baker deal 617
  baker deal 617 --game seahaven_towers --format board
  baker deal --random 7 | baker solve -
  baker deal --daily 2026-02-28
"""
_GAMES = """\
List the games that have a name, and their rules: the columns and the cards dealt to each, the cells, which card is
built on which (always one rank lower), which card fills an empty column, and how many cards of a run one move carries:
a single one, as many as there are free cells and one (cells), as many as could be moved one by one (full), or
any number (unlimited). How many deals can be won was counted by deciding a million Microsoft deals of each game, ten
million of Baker's Game. The engine is what decides it; all are exact.
"""
# From docs/winnability.md.
_SHARES = {
    "bakers_game": "75.01 %",
    "kings_only_bakers_game": "31.98 %",
    "relaxed_bakers_game": "91.72 %",
    "freecell": "99.999 %",
    "eight_off": "99.88 %",
    "seahaven_towers": "89.30 %",
    "penguin": "98.30 %",
    "fore_cell": "85.61 %",
    "same_suit_fore_cell": "10.53 %",
    "bakers_dozen": "99.72 %",
    "portuguese_solitaire": "99.79 %",
    "bakers_dozen_different_suit": "99.18 %",
    "good_measure": "93.83 %",
    "spanish_patience": "99.86 %",
    "castles_of_spain": "94.85 %",
}


class _InputError(Exception):
    """Something on the command line, or a file that it names, is not what it should be."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    >>> main(["solve", "617"])
    617 solved
    0

    `argv` is ``sys.argv[1:]`` if it is not given. Raises SystemExit, as argparse does, after ``--help`` and
    ``--version`` and if the options make no sense.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        # Names of files can hold what the encoding of the output cannot.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        try:
            arguments = _parser().parse_args(argv)
            code: int = arguments.command(arguments)
        finally:
            print(end="", flush=True)
    except (_InputError, DealError, RulesError) as error:
        return _failed(error, BAD_INPUT)
    except MemoryError:
        return _failed("there is not enough memory: set a lower --max-memory", FAILED)
    except KeyboardInterrupt:
        return _failed("interrupted", INTERRUPTED)
    except BrokenPipeError:
        _drop_output()
        return PIPE_CLOSED
    except OSError as error:
        if error.filename is not None:
            return _failed(f"cannot write {error.filename}: {error.strerror}", FAILED)
        _drop_output()
        return _failed(f"cannot write: {error.strerror}", FAILED)
    return code


def _failed(message: object, code: int) -> int:
    print(f"baker: {message}", file=sys.stderr)
    return code


def _drop_output() -> None:
    """Let what is still to be written go nowhere, or the interpreter fails on it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


# What the user says.


def _parser() -> argparse.ArgumentParser:
    parser = _command_parser(
        argparse.ArgumentParser,
        prog="baker",
        description="Deal, play and decide open solitaires: Baker's Game, FreeCell, Eight Off and their kin.",
        epilog=f"{_EXAMPLES}{_EXIT_CODES}",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    command = _add_command(
        commands,
        _solve,
        name="solve",
        help="decide whether deals can be won",
        description=_SOLVE,
        epilog=f"{_SOLVE_EXAMPLES}{_EXIT_CODES}",
    )
    command.add_argument("targets", metavar="TARGET", nargs="+", help="a number, a range 1-1000, a file or -")
    _add_rules(command)
    output = command.add_mutually_exclusive_group()
    output.add_argument("--moves", action="store_true", help="print the moves that win, numbered, home moves together")
    output.add_argument("--json", action="store_true", help="print one JSON object a line, moves included")
    command.add_argument("--threads", metavar="N", type=_count, help="threads that work on it (one a processor)")
    _add_limits(command)

    command = _add_command(commands, _deal, name="deal", help="print a board", description=_DEAL, epilog=_DEAL_EXAMPLES)
    which = command.add_mutually_exclusive_group(required=True)
    which.add_argument(
        "number", metavar="NUMBER", nargs="?", type=_whole, help=f"Microsoft deal, 1 to {MICROSOFT_LAST}"
    )
    which.add_argument("--random", metavar="SEED", type=_whole, help="the deal of a seed, 0 to 2^64 - 1")
    which.add_argument(
        "--daily", metavar="DATE", nargs="?", const="today", help="the deal of a day such as 2026-02-28; of today"
    )
    _add_rules(command)
    command.add_argument(
        "--format", choices=("text", "board"), default="text", help="text for programs (default), board for people"
    )

    command = _add_command(commands, _games, name="games", help="list the games", description=_GAMES)
    command.add_argument("--json", action="store_true", help="print one JSON object a line")

    # It builds on this module.
    from baker.cli_survey import add_commands

    add_commands(commands)
    return parser


def _command_parser(make: Any, **texts: str) -> argparse.ArgumentParser:
    # An abbreviation that works today would be ambiguous when the next option comes.
    parser: argparse.ArgumentParser = make(
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **texts
    )
    return parser


def _add_command(commands: Any, run: Callable[[argparse.Namespace], int], **texts: str) -> argparse.ArgumentParser:
    parser = _command_parser(commands.add_parser, **texts)
    parser.set_defaults(command=run)
    return parser


def _add_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game", metavar="NAME", default="bakers_game", help="one of those that 'baker games' lists (bakers_game)"
    )
    _add_cells(parser)


def _add_cells(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cells", metavar="N", type=_whole, help="as many cells, 0 to 8, instead of the game's own")


def _add_limits(parser: argparse.ArgumentParser) -> None:
    limits = parser.add_argument_group("limits of each search")
    limits.add_argument("--max-nodes", metavar="N", type=_count, help="nodes")
    limits.add_argument("--max-seconds", metavar="S", type=_seconds, help="seconds")
    limits.add_argument("--max-memory", metavar="BYTES", type=_size, help="bytes; K, M, G may follow (default: 256M)")


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print("baker", installed_version())
        parser.exit()


def _whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a whole number")
    return int(text)


def _count(text: str) -> int:
    return _positive(_whole(text), text)


def _size(text: str) -> int:
    found = _SIZE.fullmatch(text)
    if not found:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a number of bytes: expected one such as 64M or 1G")
    return _positive(int(found[1]) << 10 * " KMG".index(found[2].upper() or " "), text)


def _seconds(text: str) -> float:
    try:
        return _positive(float(text), text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a number of seconds") from None


def _positive(number: _Number, text: str) -> _Number:
    if not number > 0:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not positive")
    return number


def _rules(arguments: argparse.Namespace) -> Rules:
    rules = rules_of(arguments.game)
    if arguments.cells is None:
        return rules
    try:
        return rules.replace(cells=arguments.cells)
    except RulesError as error:
        raise _InputError(f"--cells {arguments.cells} does not go with {rules.name}: {error}") from None


def _target(text: str, rules: Rules) -> _Target:
    if _NUMBERS.fullmatch(text):
        return _range(text, rules)
    try:
        return text, Deal.parse(_read(text), rules)
    except DealError as error:
        raise _InputError(f"{text}: {error}") from None


def _range(text: str, rules: Rules) -> range:
    numbers = _RANGE.fullmatch(text)
    if not numbers:
        raise _InputError(f"bad number or range {quote(text)}: expected one such as 617 or 1-1000")
    first, last = int(numbers[1]), int(numbers[2] or numbers[1])
    for number in (first, last):
        check_number(number, rules)
    if first > last:
        raise _InputError(f"the range {text} is empty: expected the lower number first")
    return range(first, last + 1)


def _read(name: str) -> bytes:
    try:
        with open(0 if name == "-" else name, "rb", closefd=name != "-") as file:
            text = file.read(_LARGEST_FILE + 1)
    except FileNotFoundError:
        raise _InputError(f"{name}: no such file: expected a number, a range such as 1-1000, a file or -") from None
    except OSError as error:
        raise _InputError(f"{name}: cannot be read: {error.strerror}") from None
    if len(text) > _LARGEST_FILE:
        raise _InputError(f"{name}: more than {_LARGEST_FILE} bytes: expected one board")
    return text


# baker solve


def _solve(arguments: argparse.Namespace) -> int:
    rules = _rules(arguments)
    targets = [_target(text, rules) for text in arguments.targets]
    total = sum([len(target) if isinstance(target, range) else 1 for target in targets])
    as_text = _as_json if arguments.json else _as_steps if arguments.moves else _as_line
    counts = dict.fromkeys(Verdict, 0)
    start = time.perf_counter()
    try:
        with _Interrupts() as interrupts, closing(_with_bar(_answers(targets, rules, arguments), total)) as answers:
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


class _Interrupts:
    """Lets interrupts end a search at once, but not a line that is being counted and printed, unless they insist."""

    def __init__(self) -> None:
        self._holding = False
        self._held = False

    def __enter__(self) -> _Interrupts:
        # They may be ignored, as in a job in the background, or be somebody else's business.
        self._ours = (
            threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGINT) is signal.default_int_handler
        )
        if self._ours:
            signal.signal(signal.SIGINT, self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        if self._ours:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def hold(self) -> None:
        self._holding = True

    def release(self) -> None:
        self._holding = False
        if self._held:
            raise KeyboardInterrupt

    def _handle(self, *_: object) -> None:
        if not self._holding or self._held:
            raise KeyboardInterrupt
        self._held = True


def _answers(targets: Sequence[_Target], rules: Rules, arguments: argparse.Namespace) -> Generator[_Answer, None, None]:
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
    if total == 1 or _is_terminal(sys.stdout) or not _is_terminal(sys.stderr):
        return answers
    try:
        from tqdm import tqdm
    except ImportError:
        return answers
    # Who waits for less than a second needs no bar.
    return tqdm(answers, total=total, unit=" deals", delay=1, leave=False)


def _is_terminal(stream: TextIO | None) -> bool:
    # None: closed before we were started.
    return stream is not None and stream.isatty()


def _as_line(deal: _Dealt, rules: Rules, solution: Solution) -> str:
    why = f" (limit: {solution.limit})" if solution.limit else ""
    return f"{_name(deal)} {solution.verdict}{why}"


def _as_steps(deal: _Dealt, rules: Rules, solution: Solution) -> str:
    line = _as_line(deal, rules, solution)
    if solution.verdict is not Verdict.SOLVED:
        return line
    board = Deal.microsoft(deal, rules) if isinstance(deal, int) else deal[1]
    return "\n".join([f"{line} {len(solution.moves)} moves", *_steps(board, solution.moves)])


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


# The moves in words.


def _steps(deal: Deal, moves: Sequence[Move]) -> Iterator[str]:
    """The moves played out, one a line, but moves home that follow each other in one."""
    piles = {place: list(cards) for place, cards in enumerate(deal.columns)}
    piles |= {place: [card] if card else [] for place, card in enumerate(deal.cells, _FIRST_CELL)}
    piles[_FOUNDATION] = []
    width = 2 * len(str(len(moves))) + 4
    number = 1
    for home, group in groupby(moves, lambda move: move.target == _FOUNDATION):
        if home:
            cards = [_carry(piles, move) for move in group]
            numbers = f"{number}-{number + len(cards) - 1}" if len(cards) > 1 else str(number)
            yield f"{numbers + '.':>{width}}  home   {' '.join(cards)}"
            number += len(cards)
        else:
            for move in group:
                where = f"from {_place(move.source)} {_destination(piles, move)}"
                yield f"{f'{number}.':>{width}}  {move!s:<5}  {_carry(piles, move)} {where}"
                number += 1


def _carry(piles: dict[int, list[Card]], move: Move) -> str:
    """The cards that a move has carried."""
    source = piles[move.source]
    cards = source[-move.count :]
    del source[-move.count :]
    piles[move.target] += cards
    return " ".join(map(str, cards))


def _destination(piles: dict[int, list[Card]], move: Move) -> str:
    place = _place(move.target)
    if move.target >= _FIRST_CELL:
        return f"to {place}"
    column = piles[move.target]
    return f"onto {column[-1]} in {place}" if column else f"to the empty {place}"


def _place(place: int) -> str:
    return f"{'column' if place < _FIRST_CELL else 'cell'} {_place_name(place)}"


# baker deal, baker games


def _deal(arguments: argparse.Namespace) -> int:
    rules = _rules(arguments)
    if arguments.number is not None:
        deal = Deal.microsoft(arguments.number, rules)
    elif arguments.random is not None:
        deal = Deal.random(arguments.random, rules)
    else:
        deal = Deal.daily(datetime.date.today() if arguments.daily == "today" else arguments.daily, rules)
    print(deal if arguments.format == "board" else deal.format())
    return ALL_DECIDED


def _games(arguments: argparse.Namespace) -> int:
    if arguments.json:
        for name, rules in GAMES.items():
            print(json.dumps(dataclasses.asdict(rules) | {"name": name}))
        return ALL_DECIDED
    rows = [("name", "columns", "cells", "build", "fill", "group", "can be won", "engine")]
    rows += [
        (
            name,
            " + ".join([f"{len(list(columns))}x{cards}" for cards, columns in groupby(rules.columns)]),
            str(rules.cells),
            rules.build,
            rules.fill,
            rules.group,
            _SHARES[rules.name],
            ENGINES[engine_for(rules)],
        )
        for name, rules in GAMES.items()
    ]
    _print_table(rows, left=len(rows[0]))
    print()
    for name, rules in GAMES.items():
        if notes := ", ".join(_notes(name, rules)):
            print(f"{name}: {notes}")
    return ALL_DECIDED


def _print_table(rows: Sequence[Sequence[str]], left: int) -> None:
    """Print rows in columns, so many of them aligned left and the others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        aligned = [text.ljust(width) for text, width in zip(row[:left], widths, strict=False)]
        aligned += [text.rjust(width) for text, width in zip(row[left:], widths[left:], strict=True)]
        print("  ".join(aligned).rstrip())


def _notes(name: str, rules: Rules) -> Iterator[str]:
    if name != rules.name:
        yield f"another name of {rules.name}"
    if rules.filled:
        yield f"cards dealt to cells {' '.join([_place_name(_FIRST_CELL + cell) for cell in rules.filled])}"
    if rules.kings_down:
        yield "kings dealt down"
    if rules.beak:
        yield "the rank of the first card dealt is renamed to ace, its other three cards start on the foundations"
    if rules.aces_out:
        yield f"{rules.aces_out} aces dealt home"
