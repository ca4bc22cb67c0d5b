"""baker deal."""

from __future__ import annotations

import argparse
import datetime

from baker.board_text import game_comment
from baker.cards import quote
from baker.cli.command import Command, InputError
from baker.cli.exit_codes import ALL_DECIDED
from baker.cli.options import add_rules, rules_from, whole
from baker.cli.targets import Board, read_target
from baker.deals import Deal

_DESCRIPTION = """\
Print a board: a line for each column, the available card last. "baker solve -" and other programs, fc-solve among
them, read it. Comments at the end name the game, so that "baker solve" needs no --game, and the deal.

A DEAL is the number of a Microsoft deal (617, #617 or ms617), 1 to 8589934591, the code of a deal, the file of a board,
or - for a board on standard input.

A number stands for the same deck in all games and programs, but not always for the same board. Games dealt like
FreeCell are the same everywhere. Baker's Dozen is not: KPat and PySol FC move its kings in other ways, and PySol deals
from the other end of the deck. KPat also fills the cells of Eight Off, Fore Cell and Seahaven Towers with other cards.
"""
_EPILOG = """\
codes, with the game and a colon in front if it is not that of --game:
  ms617            Microsoft deal 617
  kpat617          number 617 of KPat
  pysol617         number 617 of PySol FC; pysolms40000 is its number ms40000
  seed42           the deal of a seed, as --random 42
  daily2026-02-28  the deal of a day, as --daily 2026-02-28

examples:
  baker deal 617
  baker deal 617 --game seahaven_towers --format board
  baker deal --random 7 --game freecell | baker solve -
  baker deal --daily 2026-02-28
  baker deal --daily --solvable --format board
  baker deal bakers_dozen:kpat89
"""


def _add_options(parser: argparse.ArgumentParser) -> None:
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--random", metavar="SEED", type=whole, help="the deal of a seed, 0 to 2^64 - 1")
    which.add_argument(
        "--daily", metavar="DATE", nargs="?", const="today", help="the deal of a day such as 2026-02-28; of today"
    )
    parser.add_argument(
        "--solvable", action="store_true", help="with --random or --daily: one that can be won; the seed is another"
    )
    add_rules(parser)
    parser.add_argument(
        "--format", choices=("text", "board"), default="text", help="text for programs (default), board for people"
    )


def _run(arguments: argparse.Namespace) -> int:
    deal = _deal(arguments)
    if arguments.format == "board":
        print(deal)
        if comment := game_comment(deal.rules):
            print(f"\n{comment}")
    else:
        print(deal.format())
        if deal.code is not None:
            print("# deal:", deal.code)
    return ALL_DECIDED


COMMAND = Command(
    name="deal",
    summary="print a board",
    description=_DESCRIPTION,
    operands="DEAL",
    about_operands="a number, a code, a file or -",
    add_options=_add_options,
    epilog=_EPILOG,
    run=_run,
)


def _deal(arguments: argparse.Namespace) -> Deal:
    if len(arguments.operands) + (arguments.random is not None) + (arguments.daily is not None) != 1:
        raise InputError("expected one deal: a number such as 617, a file, --random SEED or --daily")
    rules = rules_from(arguments)
    if arguments.solvable and arguments.operands:
        raise InputError("--solvable: expected --random SEED or --daily with it")
    if arguments.random is not None:
        seed = arguments.random
        return Deal.solvable(seed, rules).deal if arguments.solvable else Deal.random(seed, rules)
    if arguments.daily is not None:
        date = datetime.date.today() if arguments.daily == "today" else arguments.daily
        return Deal.daily(date, rules, solvable=arguments.solvable)
    target, *more = read_target(arguments.operands[0], arguments)
    if more or isinstance(target, range):
        raise InputError(f"{quote(arguments.operands[0])} is more than one deal: expected one")
    return target.deal if isinstance(target, Board) else Deal.microsoft(target, rules)
