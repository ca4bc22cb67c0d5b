"""The parser of the whole command line."""

from __future__ import annotations

import argparse
from typing import NoReturn

from baker.cli import deal, games, report, solve, survey
from baker.cli.exit_codes import EXIT_CODES
from baker.cli.options import command_parser
from baker.version import installed_version

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


def make_parser() -> argparse.ArgumentParser:
    parser = command_parser(
        argparse.ArgumentParser,
        prog="baker",
        description="Deal, play and decide open solitaires: Baker's Game, FreeCell, Eight Off and their kin.",
        epilog=f"{_EXAMPLES}{EXIT_CODES}",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in (solve, deal, games, survey, report):
        command.add_command(commands)
    return parser


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print("baker", installed_version())
        parser.exit()
