"""What a command works on: numbers, ranges and lists of numbers, codes of deals, files of boards."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from baker.board_forms import decode_board, game_of_board
from baker.board_text import DealError
from baker.cards import quote
from baker.cli.command import DASHES, InputError
from baker.cli.options import rules_from
from baker.cli.output import is_terminal
from baker.deals import Deal, check_number
from baker.origins import code_in
from baker.rules import Rules

_NUMBER = re.compile("(?:#|ms)?([0-9]{1,20})", re.IGNORECASE)
# Meant as numbers, whether they are well written or not.
_NUMBERS = re.compile("(?:#|ms)?[-.,_0-9]*[0-9](?:[-.,_0-9]|#|ms)*", re.IGNORECASE)
# Many times what a board takes; a file without an end is not read for ever.
_LARGEST_FILE = 1 << 20


class Board(NamedTuple):
    """A deal of its own game, and how the user named it."""

    name: str
    deal: Deal


Target = int | range | Board
"""What is solved: a Microsoft deal, several ones, or a board."""


def is_numbers(word: str) -> bool:
    """Whether a word is meant as numbers, be they well written or not."""
    return _NUMBERS.fullmatch(_plain(word)) is not None


def read_target(word: str, arguments: argparse.Namespace) -> Iterator[Target]:
    """What a word of the command line stands for."""
    if not is_numbers(word):
        yield Board(word, _read_code(word, arguments) if code_in(word) else _read_board(word, arguments))
        return
    rules = rules_from(arguments)
    for part in word.split(","):
        numbers = _read_range(part, word, rules)
        yield numbers if len(numbers) > 1 else numbers[0]


def read_range(word: str, rules: Rules) -> range:
    """A number, or the numbers from one to another."""
    return _read_range(word, word, rules)


def _plain(word: str) -> str:
    """Numbers as they are, without what makes them easy to read."""
    return re.sub("(?<=[0-9])_(?=[0-9])", "", re.sub(rf"[{DASHES}]|\.\.", "-", word))


def _read_range(part: str, word: str, rules: Rules) -> range:
    """The numbers of a part of a word."""
    first, hyphen, last = _plain(part).partition("-")
    if hyphen and not (first and last):
        end, such = ("end", f"{first}-1000") if first else ("beginning", f"1-{last}")
        raise InputError(f"the range {quote(part)} has no {end}: expected one such as {such}")
    found = [_NUMBER.fullmatch(text) for text in (first, last or first)]
    if not (found[0] and found[1]):
        raise InputError(f"bad number or range {quote(word)}: expected one such as 617 or 1-1000")
    if part != word and re.match("0[0-9]", part):
        raise InputError(f"{quote(word)} has a number {part}: commas separate numbers, a thousand is 1000 or 1_000")
    low, high = [check_number(int(number[1]), rules) for number in (found[0], found[1])]
    if low > high:
        raise InputError(f"the range {quote(part)} is empty: expected the lower number first")
    return range(low, high + 1)


def _read_code(code: str, arguments: argparse.Namespace) -> Deal:
    game, _, of_any_game = code.rpartition(":")
    return Deal.from_code(of_any_game, rules_from(arguments, Rules.parse(game) if game else None))


def _read_board(name: str, arguments: argparse.Namespace) -> Deal:
    text = _read(name)
    try:
        own = game_of_board(decode_board(text)) if arguments.game is None else None
        return Deal.parse(text, rules_from(arguments, own))
    except DealError as error:
        raise InputError(f"{shown(name)}: {error}") from None


def _read(name: str) -> bytes:
    try:
        if name == "-":
            text = _standard_input().read(_LARGEST_FILE + 1)
        else:
            with open(name, "rb") as file:
                text = file.read(_LARGEST_FILE + 1)
    except FileNotFoundError:
        raise InputError(
            f"{shown(name)}: no such file: expected a number, a range such as 1-1000, a file or -"
        ) from None
    except OSError as error:
        raise InputError(f"{shown(name)}: cannot be read: {error.strerror}") from None
    except ValueError:  # a NUL in the name
        raise InputError(f"{quote(name)} is not the name of a file") from None
    if len(text) > _LARGEST_FILE:
        raise InputError(f"{shown(name)}: more than {_LARGEST_FILE} bytes: expected one board")
    return text


def _standard_input() -> BinaryIO:
    if sys.stdin is None:
        raise InputError("-: standard input is closed")
    if is_terminal(sys.stdin):
        print("baker: reading a board from the terminal; Ctrl-D ends it", file=sys.stderr)
    return sys.stdin.buffer


def shown(name: str) -> str:
    """The name of a file as a line of text can hold it."""
    if len(name) > 200:
        return quote(name)
    return name if name and name.isprintable() else repr(name)
