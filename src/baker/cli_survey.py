"""The command line of surveys: baker survey, baker report."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from baker.cli import (
    _EXIT_CODES,
    ALL_DECIDED,
    FAILED,
    SOME_UNDECIDED,
    _add_cells,
    _add_command,
    _add_limits,
    _count,
    _failed,
    _InputError,
    _is_terminal,
    _print_table,
    _range,
    _rules,
)
from baker.solver import Verdict
from baker.summary import Spread, Summary, plot
from baker.survey import Progress, Survey, SurveyError

_SURVEY = """\
Decide a range of Microsoft deals of one game into a directory of Parquet files, which pandas, polars, DuckDB and others
read. The same command goes on where an earlier one was interrupted, killed or stopped by a full disk. At the end it
prints what "baker report" prints. It needs pyarrow: pip install 'baker[survey]'.
"""
_SURVEY_EXAMPLES = """\
examples:
  baker survey bakers_game 1-1000000 --out bakers_game
  baker survey freecell 1-32000 --out freecell --moves --max-nodes 1000000
  baker survey bakers_dozen 1-1000000 --out bakers_dozen --dask tcp://scheduler:8786

"""
_REPORT = """\
Print how many deals of surveys can be won, the share with its 95 % interval (undecided deals count as lost for the
lower bound, as won for the upper one), the nodes of the median deal and of the hardest in a hundred, the mean time.
Surveys that are not finished are reported as far as they are.
"""
_REPORT_EXAMPLES = """\
examples:
  baker report surveys/*
  baker report bakers_game freecell --plot shares.svg
  baker report surveys/* --csv > shares.csv

"""


def add_commands(commands: Any) -> None:
    """Add both commands to the parser of the command line."""
    command = _add_command(
        commands,
        _survey,
        name="survey",
        help="decide many deals into files, over as many runs as it takes",
        description=_SURVEY,
        epilog=f"{_SURVEY_EXAMPLES}{_EXIT_CODES}",
    )
    command.add_argument("game", metavar="GAME", help="one of those that 'baker games' lists")
    command.add_argument("numbers", metavar="NUMBERS", help="Microsoft deals, such as 1-1000000")
    command.add_argument("--out", metavar="DIR", required=True, help="directory of the survey")
    _add_cells(command)
    kept = command.add_mutually_exclusive_group()
    kept.add_argument("--moves", action="store_true", help="keep the moves that win, not only how many they are")
    kept.add_argument("--verdicts", action="store_true", help="keep the verdicts alone, which is fastest")
    workers = command.add_mutually_exclusive_group()
    workers.add_argument("--threads", metavar="N", type=_count, help="threads that work on it (one a processor)")
    workers.add_argument("--dask", metavar="ADDRESS", help="have the Dask cluster of this scheduler work on it")
    command.add_argument("--part-size", metavar="N", type=_count, default=10_000, help="deals in a file (10000)")
    _add_limits(command)

    command = _add_command(
        commands,
        _report,
        name="report",
        help="what came of surveys",
        description=_REPORT,
        epilog=f"{_REPORT_EXAMPLES}{_EXIT_CODES}",
    )
    command.add_argument("directories", metavar="DIR", nargs="+", help="directory of a survey")
    form = command.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print comma-separated values, with all quantiles")
    form.add_argument("--json", action="store_true", help="print one JSON object a line, with all quantiles")
    command.add_argument("--plot", metavar="FILE", help="draw shares, nodes and moves too: .png, .svg or .pdf")


# baker survey


def _survey(arguments: argparse.Namespace) -> int:
    rules = _rules(arguments)
    numbers = _range(arguments.numbers, rules)
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
        rows = [_row(survey)]
    except SurveyError as error:
        raise _InputError(str(error)) from None
    except ImportError as error:
        return _failed(error, FAILED)
    _print_report(rows)
    return SOME_UNDECIDED if rows[0][1].undecided else ALL_DECIDED


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
        raise _InputError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        yield client.get_executor()


@contextmanager
def _bar(total: int) -> Iterator[Progress | None]:
    """Shows how far a survey is, on standard error if that is a terminal."""
    if not _is_terminal(sys.stderr):
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


# baker report

_Row = tuple[Survey, Summary]
_TITLES = (
    *("game", "numbers", "deals", "solved", "impossible", "undecided"),
    *("can be won", "95 % interval", "nodes", "99 %", "ms a deal"),
)


def _report(arguments: argparse.Namespace) -> int:
    try:
        rows = [_row(Survey.open(directory)) for directory in arguments.directories]
        if arguments.plot is not None:
            figure = plot([survey for survey, _ in rows])
            try:
                figure.savefig(arguments.plot)
            except ValueError as error:
                raise _InputError(f"--plot {arguments.plot}: {error}") from None
        records = [_record(*row) for row in rows] if arguments.csv or arguments.json else []
    except SurveyError as error:
        raise _InputError(str(error)) from None
    except ImportError as error:
        return _failed(error, FAILED)
    if arguments.json:
        for record in records:
            print(json.dumps(record))
    elif arguments.csv:
        writer = csv.DictWriter(sys.stdout, records[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    else:
        _print_report(rows)
    return SOME_UNDECIDED if any(summary.undecided for _, summary in rows) else ALL_DECIDED


def _row(survey: Survey) -> _Row:
    return survey, survey.summary()


def _record(survey: Survey, summary: Summary) -> dict[str, object]:
    record: dict[str, object] = {
        "directory": str(survey.directory),
        "game": summary.game,
        "first": survey.numbers[0],
        "last": survey.numbers[-1],
        "deals": summary.deals,
        "solved": summary.solved,
        "impossible": summary.impossible,
        "undecided": summary.undecided,
    }
    for name, interval in (("share", summary.share), ("interval", summary.interval)):
        record[f"{name}_low"], record[f"{name}_high"] = interval if summary.deals else (None, None)
    for name, spread in (("nodes", summary.nodes), ("seconds", summary.seconds), ("moves", summary.moves)):
        values = spread or [None] * len(Spread._fields)
        record |= {f"{name}_{field}": value for field, value in zip(Spread._fields, values, strict=True)}
    return record | {"digest": survey.digest()}


def _print_report(rows: Sequence[_Row]) -> None:
    lines = [_TITLES]
    for survey, summary in rows:
        low, high = summary.share
        share = f"{low:.3%}" if low == high else f"{low:.3%} to {high:.3%}"
        nodes, seconds = summary.nodes, summary.seconds
        lines.append(
            (
                summary.game,
                f"{survey.numbers[0]}-{survey.numbers[-1]}",
                str(summary.deals),
                str(summary.solved),
                str(summary.impossible),
                str(summary.undecided),
                share if summary.deals else "-",
                f"{summary.interval.low:.3%} to {summary.interval.high:.3%}",
                f"{nodes.median:.0f}" if nodes else "-",
                f"{nodes.p99:.0f}" if nodes else "-",
                f"{1000 * seconds.mean:.3f}" if seconds else "-",
            )
        )
    _print_table(lines, left=1)
