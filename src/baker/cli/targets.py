"""What is to be solved: numbers, ranges of numbers, files of boards."""

from __future__ import annotations

import re

from baker.board_text import DealError
from baker.cards import quote
from baker.cli.options import WHOLE, InputError
from baker.deals import Deal, check_number
from baker.rules import Rules

_RANGE = re.compile(rf"({WHOLE.pattern})(?:-({WHOLE.pattern}))?")

# Meant as a number or a range, whether it is one or not.
_NUMBERS = re.compile(r"[-0-9]*[0-9][-0-9]*")

# Many times what a board takes; a file without an end is not read for ever.
_LARGEST_FILE = 1 << 20

# What is solved: a range of Microsoft deals, or one board and the name of its file.
Target = range | tuple[str, Deal]


def read_target(text: str, rules: Rules) -> Target:
    if _NUMBERS.fullmatch(text):
        return read_range(text, rules)
    try:
        return text, Deal.parse(_read(text), rules)
    except DealError as error:
        raise InputError(f"{text}: {error}") from None


def read_range(text: str, rules: Rules) -> range:
    numbers = _RANGE.fullmatch(text)
    if not numbers:
        raise InputError(f"bad number or range {quote(text)}: expected one such as 617 or 1-1000")
    first, last = int(numbers[1]), int(numbers[2] or numbers[1])
    for number in (first, last):
        check_number(number, rules)
    if first > last:
        raise InputError(f"the range {text} is empty: expected the lower number first")
    return range(first, last + 1)


def _read(name: str) -> bytes:
    try:
        with open(0 if name == "-" else name, "rb", closefd=name != "-") as file:
            text = file.read(_LARGEST_FILE + 1)
    except FileNotFoundError:
        raise InputError(f"{name}: no such file: expected a number, a range such as 1-1000, a file or -") from None
    except OSError as error:
        raise InputError(f"{name}: cannot be read: {error.strerror}") from None
    if len(text) > _LARGEST_FILE:
        raise InputError(f"{name}: more than {_LARGEST_FILE} bytes: expected one board")
    return text
