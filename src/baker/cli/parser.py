"""The words of a command line: which command they ask for, and with what."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import NoReturn

from baker.cards import quote
from baker.cli.command import Command, InputError, make_parser
from baker.cli.exit_codes import EXIT_CODES
from baker.cli.targets import is_numbers
from baker.version import installed_version

COMMANDS = ("solve", "deal", "games", "survey", "report")
"""The names of the commands."""
_DESCRIPTION = "Deal, play and decide open solitaires: Baker's Game, FreeCell, Eight Off and their kin."
_EXAMPLES = """\
"baker COMMAND --help" tells more of each.

examples:
  baker solve 1-1000                  which of these deals can be won
  baker solve 617 --moves             how to win deal 617
  baker deal 617                      its board
  baker deal --daily --format board   the deal of today, to play by hand
  baker games                         the games that have a name
  baker survey 1-1000000 --game seahaven_towers --out DIR
                                      decide a million deals into files, and
                                      go on if it is interrupted
  baker report DIR                    what came of it

"""


def find_command(name: str) -> Command:
    """The command of a name. Only what it needs is loaded, which is much for surveys."""
    command: Command = import_module(f"baker.cli.{name}").COMMAND
    return command


def parse(words: Sequence[str]) -> argparse.Namespace:
    """The options and operands of the command that the words ask for.

    Raises `InputError` if they make no sense, and SystemExit, as argparse does, after a help page or the version.
    """
    if words[:1] == ["help"]:
        words = [*words[1:2], "--help"]
    first = words[0] if words else "--help"
    if first in COMMANDS:
        return find_command(first).parse(words[1:])
    _whole_parser().parse_known_args([first])
    known = ", ".join(COMMANDS)
    if first.startswith("-"):
        raise InputError(f"{quote(first)} comes before the command: expected one of {known} first")
    if is_numbers(first) or os.path.exists(first):
        raise InputError(f'{quote(first)} is not a command: did you mean "baker solve {first}"?')
    close = get_close_matches(first[:100], COMMANDS, n=1)
    guess = f"did you mean {close[0]}?" if close else f"expected one of {known}"
    raise InputError(f"{quote(first)} is not a command: {guess}")


def _whole_parser() -> argparse.ArgumentParser:
    commands = "\n".join([f"  {name:<8}{find_command(name).summary}" for name in COMMANDS])
    parser = make_parser(
        prog="baker",
        usage="baker COMMAND ...",
        description=_DESCRIPTION,
        epilog=f"commands:\n{commands}\n\n{_EXAMPLES}{EXIT_CODES}",
    )
    parser.add_argument("-V", "--version", action=_Version, nargs=0, help="print the version and exit")
    return parser


class _Version(argparse.Action):
    """Looks the version up only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> NoReturn:
        print("baker", installed_version())
        parser.exit()
