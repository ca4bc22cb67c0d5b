"""Options that several commands have, and how their values are read."""

from __future__ import annotations

import argparse
import re
from typing import TypeVar

from baker.cards import quote
from baker.cli.command import InputError
from baker.rules import Rules, RulesError, read_changes

_WHOLE = re.compile(r"[0-9]{1,20}")
_SIZE = re.compile(rf"({_WHOLE.pattern})([KMG]?)B?", re.IGNORECASE)
_Number = TypeVar("_Number", int, float)


def add_rules(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("rules of the game ('baker games' lists them)")
    group.add_argument("-g", "--game", metavar="NAME", type=_game, help="the game (default: bakers_game)")
    group.add_argument(
        "--set", metavar="RULE=VALUE", dest="settings", action="append", help="a rule of your own; can be repeated"
    )
    group.add_argument(
        "--cells", metavar="N", dest="settings", action="append", type=_cells, help="short for --set cells=N"
    )


def add_limits(parser: argparse.ArgumentParser) -> None:
    limits = parser.add_argument_group("limits of each search")
    limits.add_argument("--max-nodes", metavar="N", type=count, help="nodes")
    limits.add_argument("--max-seconds", metavar="S", type=seconds, help="seconds")
    limits.add_argument("--max-memory", metavar="BYTES", type=memory, help="bytes; K, M, G may follow (default: 256M)")


def add_threads(parser: argparse._ActionsContainer) -> None:
    parser.add_argument("--threads", metavar="N", type=count, help="threads that work on it (one a processor)")


def rules_from(arguments: argparse.Namespace, own: Rules | None = None) -> Rules:
    """The rules that the options say; where they name no game, changes apply to the rules of a board's own."""
    rules = arguments.game or own or Rules.parse("bakers_game")
    if not arguments.settings:
        return rules
    try:
        return rules.replace(**read_changes(arguments.settings))
    except RulesError as error:
        raise InputError(f"{rules.format()} with {quote(' '.join(arguments.settings))}: {error}") from None


def _game(text: str) -> Rules:
    try:
        return Rules.parse(text)
    except RulesError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _cells(text: str) -> str:
    return f"cells={whole(text)}"


def whole(text: str) -> int:
    if not _WHOLE.fullmatch(text):
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


def is_path(text: str) -> bool:
    """Whether a file can have that name: the empty name would be the folder in which we are."""
    return text != "" and "\0" not in text


def path(text: str) -> str:
    if not is_path(text):
        raise argparse.ArgumentTypeError(f"{quote(text)} is not the name of a file")
    return text
