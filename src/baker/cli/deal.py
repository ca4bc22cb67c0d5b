"""baker deal."""

from __future__ import annotations

import argparse
import datetime

from baker.cards import quote
from baker.cli.command import Command, InputError
from baker.cli.exit_codes import ALL_DECIDED
from baker.cli.options import add_rules, rules_from, whole
from baker.cli.targets import Board, read_target
from baker.deals import Deal
from baker.game_line import game_line

_DESCRIPTION = """\
Print a board: a line for each column, the available card last. "baker solve -" and other programs, fc-solve among
them, read it. The last line is a comment that names the game, so that "baker solve" needs no --game.

A DEAL is the number of a Microsoft deal (617, #617 or ms617), 1 to 8589934591, the file of a board, or - for a board on
standard input.
"""
_EPILOG = """\
examples:
  baker deal 617
  baker deal 617 --game seahaven_towers --format board
  baker deal --random 7 --game freecell | baker solve -
  baker deal --daily 2026-02-28
"""


def _add_options(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--random", metavar="SEED", type=whole, help="the deal of a seed, 0 to 2^64 - 1")
    which.add_argument(
        "--daily", metavar="DATE", nargs="?", const="today", help="the deal of a day such as 2026-02-28; of today"
    )
    add_rules(parser)
    parser.add_argument(
        "--format", choices=("text", "board"), default="text", help="text for programs (default), board for people"
    )


def _run(arguments: argparse.Namespace) -> int:
    deal = _deal(arguments)
    if arguments.format == "board":
        print(deal)
    else:
        print(deal.format())
        print(game_line(deal.rules))
    return ALL_DECIDED


COMMAND = Command(
    name="deal",
    summary="print a board",
    description=_DESCRIPTION,
    operands="DEAL",
    about_operands="a number, a file or -",
    add_options=_add_options,
    epilog=_EPILOG,
    run=_run,
)


def _deal(arguments: argparse.Namespace) -> Deal:
    if len(arguments.operands) + (arguments.random is not None) + (arguments.daily is not None) != 1:
        raise InputError("expected one deal: a number such as 617, a file, --random SEED or --daily")
    rules = rules_from(arguments)
    if arguments.random is not None:
        return Deal.random(arguments.random, rules)
    if arguments.daily is not None:
        return Deal.daily(datetime.date.today() if arguments.daily == "today" else arguments.daily, rules)
    target, *more = read_target(arguments.operands[0], arguments)
    if more or isinstance(target, range):
        raise InputError(f"{quote(arguments.operands[0])} is more than one deal: expected one")
    return target.deal if isinstance(target, Board) else Deal.microsoft(target, rules)
