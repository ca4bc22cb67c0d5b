"""Options that several commands have, and how their numbers and sizes are read."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from typing import Any, TypeVar

from baker.cards import quote
from baker.rules import Rules, RulesError, rules_of

WHOLE = re.compile(r"[0-9]{1,20}")

_SIZE = re.compile(rf"({WHOLE.pattern})([KMG]?)", re.IGNORECASE)

_Number = TypeVar("_Number", int, float)


class InputError(Exception):
    """Something on the command line, or a file that it names, is not what it should be."""


def command_parser(make: Any, **texts: str) -> argparse.ArgumentParser:
    # An abbreviation that works today would be ambiguous when the next option comes.
    parser: argparse.ArgumentParser = make(
        formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **texts
    )
    return parser


def new_command(commands: Any, run: Callable[[argparse.Namespace], int], **texts: str) -> argparse.ArgumentParser:
    parser = command_parser(commands.add_parser, **texts)
    parser.set_defaults(command=run)
    return parser


def add_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--game", metavar="NAME", default="bakers_game", help="one of those that 'baker games' lists (bakers_game)"
    )
    add_cells(parser)


def add_cells(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--cells", metavar="N", type=whole, help="as many cells, 0 to 8, instead of the game's own")


def add_limits(parser: argparse.ArgumentParser) -> None:
    limits = parser.add_argument_group("limits of each search")
    limits.add_argument("--max-nodes", metavar="N", type=count, help="nodes")
    limits.add_argument("--max-seconds", metavar="S", type=seconds, help="seconds")
    limits.add_argument("--max-memory", metavar="BYTES", type=memory, help="bytes; K, M, G may follow (default: 256M)")


def whole(text: str) -> int:
    if not WHOLE.fullmatch(text):
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a whole number")
    return int(text)


def count(text: str) -> int:
    return _positive(whole(text), text)


def memory(text: str) -> int:
    found = _SIZE.fullmatch(text)
    if not found:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a number of bytes: expected one such as 64M or 1G")
    return _positive(int(found[1]) << 10 * " KMG".index(found[2].upper() or " "), text)


def seconds(text: str) -> float:
    try:
        return _positive(float(text), text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not a number of seconds") from None


def _positive(number: _Number, text: str) -> _Number:
    if not number > 0:
        raise argparse.ArgumentTypeError(f"{quote(text)} is not positive")
    return number


def rules_from(arguments: argparse.Namespace) -> Rules:
    rules = rules_of(arguments.game)
    if arguments.cells is None:
        return rules
    try:
        return rules.replace(cells=arguments.cells)
    except RulesError as error:
        raise InputError(f"--cells {arguments.cells} does not go with {rules.name}: {error}") from None
