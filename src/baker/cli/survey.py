"""baker survey."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from importlib import util

from baker.cards import quote
from baker.cli.command import Command, InputError
from baker.cli.exit_codes import ALL_DECIDED, EXIT_CODES, FAILED, SOME_UNDECIDED
from baker.cli.options import add_limits, add_rules, add_threads, count, path, rules_from
from baker.cli.output import failed, is_terminal
from baker.cli.report import print_report
from baker.cli.targets import is_numbers, read_target, shown
from baker.surveys import MOST_LISTED, Survey, SurveyError

_SEEDS = re.compile("([0-9]{1,20})(?:-([0-9]{1,20}))?")

_DESCRIPTION = """\
Decide many deals of one game into a directory of Parquet files, which pandas, polars, DuckDB and others read. The same
command goes on where an earlier one was interrupted, killed or stopped by a full disk. A larger range, or more numbers
behind those of a list, extends the survey. At the end it prints what "baker report" prints. It needs pyarrow:
pip install 'baker[survey]'.
"""
_EPILOG = f"""\
examples:
  baker survey 1-1000000 --out bakers_game
  baker survey 1-32000 --game freecell --out freecell --max-nodes 1000000
  baker survey 169 5087 11982 146692 -g freecell --out few
  baker survey 0-999999 --seeds --out seeds
  baker survey 1-1000000 -g bakers_dozen --out DIR --dask tcp://scheduler:8786

{EXIT_CODES}"""


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="DIR", type=path, help="directory of the survey (required)")
    add_rules(parser)
    parser.add_argument("--seeds", action="store_true", help="the numbers are seeds, 0 to 2^64 - 1, of random deals")
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--moves", action="store_true", help="keep the moves that win, not only how many they are")
    kept.add_argument("--verdicts", action="store_true", help="keep the verdicts alone, which is fastest")
    workers = parser.add_mutually_exclusive_group()
    add_threads(workers)
    workers.add_argument(
        "--dask", metavar="ADDRESS", type=_address, help="have the Dask cluster of this scheduler work on it"
    )
    parser.add_argument("--part-size", metavar="N", type=count, default=10_000, help="deals in a file (10000)")
    add_limits(parser)


def _run(arguments: argparse.Namespace) -> int:
    survey = _open(arguments)
    try:
        with _executor(arguments.dask) as executor:
            survey.run(threads=arguments.threads, executor=executor, progress=_has_bar())
        summary = survey.summary()
    except SurveyError as error:
        raise InputError(str(error)) from None
    except ImportError as error:
        return failed(error, FAILED)
    print_report([(survey, summary)])
    return SOME_UNDECIDED if summary.undecided else ALL_DECIDED


COMMAND = Command(
    name="survey",
    summary="decide many deals into files, over as many runs as it takes",
    description=_DESCRIPTION,
    operands="NUMBERS ...",
    about_operands="Microsoft deals: a range such as 1-1000000, or a list such as 5 24 77 or 5,24,77",
    add_options=_add_options,
    epilog=_EPILOG,
    run=_run,
)


def _open(arguments: argparse.Namespace) -> Survey:
    if arguments.out is None:
        raise InputError("no --out DIR: expected the directory of the survey")
    rules = rules_from(arguments)
    values = _values(arguments)
    try:
        return Survey(
            arguments.out,
            rules,
            numbers=None if arguments.seeds else values,
            seeds=values if arguments.seeds else None,
            moves="text" if arguments.moves else "none" if arguments.verdicts else "count",
            max_nodes=arguments.max_nodes,
            max_seconds=arguments.max_seconds,
            max_memory=arguments.max_memory,
            part_size=arguments.part_size,
        )
    except ValueError as error:
        raise InputError(str(error)) from None


def _values(arguments: argparse.Namespace) -> range | list[int]:
    """The numbers or the seeds: a range where one is given, else a list."""
    names = [word for word in arguments.operands if not is_numbers(word)]
    if names or not arguments.operands:
        hint = f", and --game {shown(names[0])} if that is the game" if names else ""
        raise InputError(f"expected numbers, such as 1-1000000{hint}")
    ranges: list[range] = []
    for word in arguments.operands:
        ranges += _seeds(word) if arguments.seeds else _numbers(word, arguments)
    if len(ranges) == 1:
        return ranges[0]
    if sum([part.stop - part.start for part in ranges]) > MOST_LISTED:
        raise InputError(f"more than {MOST_LISTED} numbers: expected one range, or fewer numbers")
    return [value for part in ranges for value in part]


def _numbers(word: str, arguments: argparse.Namespace) -> Iterator[range]:
    for target in read_target(word, arguments):
        if isinstance(target, int):
            yield range(target, target + 1)
        elif isinstance(target, range):
            yield target


def _seeds(word: str) -> Iterator[range]:
    for part in word.split(","):
        seeds = _SEEDS.fullmatch(part)
        if not seeds:
            raise InputError(f"bad seed or range of seeds {quote(part)}: expected one such as 617 or 0-999")
        first, last = int(seeds[1]), int(seeds[2] or seeds[1])
        if first > last:
            raise InputError(f"the range {quote(part)} is empty: expected the lower seed first")
        yield range(first, last + 1)


def _has_bar() -> bool:
    """Whether standard error is a terminal and there is what shows a bar on it."""
    return is_terminal(sys.stderr) and util.find_spec("tqdm") is not None


def _address(text: str) -> str:
    # Dask starts a cluster of its own if the address is empty.
    if not text:
        raise argparse.ArgumentTypeError("'' is not the address of a scheduler: expected one such as tcp://host:8786")
    return text


@contextmanager
def _executor(address: str | None) -> Iterator[Executor | None]:
    if address is None:
        yield None
        return
    try:
        from distributed import Client
    except ImportError:
        raise ImportError("--dask needs Dask: pip install 'baker[dask]'") from None
    try:
        client = Client(address)
    except (OSError, ValueError) as error:
        raise InputError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        yield client.get_executor()
