"""baker report."""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Sequence

from baker.cards import quote
from baker.cli.command import Command, InputError
from baker.cli.exit_codes import ALL_DECIDED, EXIT_CODES, FAILED, SOME_UNDECIDED
from baker.cli.options import is_path, path
from baker.cli.output import failed, print_table
from baker.surveys import Spread, Summary, Survey, SurveyError, plot

_DESCRIPTION = """\
Print how many deals of surveys can be won, the share with its 95 % interval (undecided deals count as lost for the
lower bound, as won for the upper one), the nodes of the median deal and of the hardest in a hundred, the mean time.
Surveys that are not finished are reported as far as they are.
"""
_EPILOG = f"""\
examples:
  baker report surveys/*
  baker report bakers_game freecell --plot shares.svg
  baker report surveys/* --csv > shares.csv

{EXIT_CODES}"""
_Row = tuple[Survey, Summary]

_TITLES = (
    *("game", "numbers", "deals", "solved", "impossible", "undecided"),
    *("can be won", "95 % interval", "nodes", "99 %", "ms a deal"),
)


def _add_options(parser: argparse.ArgumentParser) -> None:
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--csv", action="store_true", help="print comma-separated values, with all quantiles")
    form.add_argument("--json", action="store_true", help="print one JSON object a line, with all quantiles")
    parser.add_argument("--plot", metavar="FILE", type=path, help="draw shares, nodes and moves: .png, .svg or .pdf")


def _run(arguments: argparse.Namespace) -> int:
    if not arguments.operands:
        raise InputError("no DIR: expected the directory of a survey")
    for word in arguments.operands:
        if not is_path(word):
            raise InputError(f"{quote(word)} is not the name of a directory")
    try:
        rows = [(survey, survey.summary()) for survey in map(Survey.open, arguments.operands)]
        if arguments.plot is not None:
            figure = plot([(survey.rules, survey.tallies()) for survey, _ in rows])
            try:
                figure.savefig(arguments.plot)
            except ValueError as error:
                raise InputError(f"--plot {arguments.plot}: {error}") from None
        records = [_record(*row) for row in rows] if arguments.csv or arguments.json else []
    except SurveyError as error:
        raise InputError(str(error)) from None
    except ImportError as error:
        return failed(error, FAILED)
    if arguments.json:
        for record in records:
            print(json.dumps(record))
    elif arguments.csv:
        writer = csv.DictWriter(sys.stdout, records[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    else:
        print_report(rows)
    return SOME_UNDECIDED if any(summary.undecided for _, summary in rows) else ALL_DECIDED


COMMAND = Command(
    name="report",
    summary="what came of surveys",
    description=_DESCRIPTION,
    operands="DIR ...",
    about_operands="directory of a survey",
    add_options=_add_options,
    epilog=_EPILOG,
    run=_run,
)


def _record(survey: Survey, summary: Summary) -> dict[str, object]:
    record: dict[str, object] = {
        "directory": str(survey.directory),
        "game": summary.game,
        "numbers": survey.deals,
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


def print_report(rows: Sequence[_Row]) -> None:
    lines = [_TITLES]
    for survey, summary in rows:
        low, high = summary.share
        share = f"{low:.3%}" if low == high else f"{low:.3%} to {high:.3%}"
        nodes, seconds = summary.nodes, summary.seconds
        lines.append(
            (
                summary.game,
                survey.deals,
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
    print_table(lines, left=1)
