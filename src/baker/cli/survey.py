"""baker survey."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from baker.cli.command import Command, InputError
from baker.cli.exit_codes import ALL_DECIDED, EXIT_CODES, FAILED, SOME_UNDECIDED
from baker.cli.options import add_limits, add_rules, add_threads, count, path, rules_from
from baker.cli.output import failed, is_terminal
from baker.cli.report import print_report
from baker.cli.targets import is_numbers, read_range
from baker.rules import Rules
from baker.solver import Verdict
from baker.surveys import Progress, Survey, SurveyError

_DESCRIPTION = """\
Decide a range of Microsoft deals of one game into a directory of Parquet files, which pandas, polars, DuckDB and others
read. The same command goes on where an earlier one was interrupted, killed or stopped by a full disk. At the end it
prints what "baker report" prints. It needs pyarrow: pip install 'baker[survey]'.
"""
_EPILOG = f"""\
examples:
  baker survey 1-1000000 --out bakers_game
  baker survey 1-32000 --game freecell --out freecell --max-nodes 1000000
  baker survey 1-1000000 -g bakers_dozen --out DIR --dask tcp://scheduler:8786

{EXIT_CODES}"""


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="DIR", type=path, help="directory of the survey (required)")
    add_rules(parser)
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
    rules = rules_from(arguments)
    numbers = _numbers(arguments, rules)
    try:
        survey = Survey(
            arguments.out,
            rules,
            numbers,
            moves="text" if arguments.moves else "none" if arguments.verdicts else "count",
            max_nodes=arguments.max_nodes,
            max_seconds=arguments.max_seconds,
            max_memory=arguments.max_memory,
            part_size=arguments.part_size,
        )
        with _executor(arguments.dask) as executor, _bar(len(numbers)) as progress:
            survey.run(threads=arguments.threads, executor=executor, progress=progress)
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
    operands="NUMBERS",
    about_operands="Microsoft deals, such as 1-1000000",
    add_options=_add_options,
    epilog=_EPILOG,
    run=_run,
)


def _numbers(arguments: argparse.Namespace, rules: Rules) -> range:
    if arguments.out is None:
        raise InputError("no --out DIR: expected the directory of the survey")
    if len(arguments.operands) == 1 and is_numbers(arguments.operands[0]):
        return read_range(arguments.operands[0], rules)
    names = [word for word in arguments.operands if not is_numbers(word)]
    hint = f", and --game {names[0]} if that is the game" if names else ""
    raise InputError(f"expected one range of numbers, such as 1-1000000{hint}")


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


@contextmanager
def _bar(total: int) -> Iterator[Progress | None]:
    """Shows how far a survey is, on standard error if that is a terminal."""
    if not is_terminal(sys.stderr):
        yield None
        return
    try:
        from tqdm import tqdm
    except ImportError:
        yield None
        return
    bar: tqdm[Any] | None = None

    def show(counts: Mapping[Verdict, int]) -> None:
        nonlocal bar
        done = sum(counts.values())
        if bar is None:
            # What was done before says nothing about the speed of now.
            bar = tqdm(total=total, initial=done, unit=" deals", leave=False)
        bar.set_postfix_str(f"{counts[Verdict.SOLVED] / done:.2%} won", refresh=False)
        bar.update(done - bar.n)

    try:
        yield show
    finally:
        if bar is not None:
            bar.close()
