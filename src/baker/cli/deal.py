"""baker deal."""

from __future__ import annotations

import argparse
import datetime
from typing import Any

from baker.cli.exit_codes import ALL_DECIDED
from baker.cli.options import add_rules, new_command, rules_from, whole
from baker.deals import MICROSOFT_LAST, Deal

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


def add_command(commands: Any) -> None:
    command = new_command(commands, _deal, name="deal", help="print a board", description=_DEAL, epilog=_DEAL_EXAMPLES)
    which = command.add_mutually_exclusive_group(required=True)
    which.add_argument("number", metavar="NUMBER", nargs="?", type=whole, help=f"Microsoft deal, 1 to {MICROSOFT_LAST}")
    which.add_argument("--random", metavar="SEED", type=whole, help="the deal of a seed, 0 to 2^64 - 1")
    which.add_argument(
        "--daily", metavar="DATE", nargs="?", const="today", help="the deal of a day such as 2026-02-28; of today"
    )
    add_rules(command)
    command.add_argument(
        "--format", choices=("text", "board"), default="text", help="text for programs (default), board for people"
    )


def _deal(arguments: argparse.Namespace) -> int:
    rules = rules_from(arguments)
    if arguments.number is not None:
        deal = Deal.microsoft(arguments.number, rules)
    elif arguments.random is not None:
        deal = Deal.random(arguments.random, rules)
    else:
        deal = Deal.daily(datetime.date.today() if arguments.daily == "today" else arguments.daily, rules)
    print(deal if arguments.format == "board" else deal.format())
    return ALL_DECIDED
