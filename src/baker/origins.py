"""Where deals come from: numbers, seeds and days, and the codes that name them."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterator
from enum import StrEnum

from baker.board_text import DealError
from baker.cards import quote
from baker.checks import plain_text, shown
from baker.rules import GAMES, Rules, rules_of

_DEFAULT_RULES = GAMES["bakers_game"]

# A code of a deal, also one whose number is wrong. A number alone is one too, but not a text of a board.
_CODE = re.compile(r"(?:([^:\s][^:]*):)?\s*(ms|seed|daily|kpat|pysolms|pysol|)\s*([0-9-]{1,40})", re.IGNORECASE)
_LONGEST_CODE = 500
_MASK = 2**64 - 1


class Kind(StrEnum):
    """What a deal was made from; the value stands in front of the number in its code."""

    MICROSOFT = "ms"
    SEED = "seed"
    DAY = "daily"
    KPAT = "kpat"
    PYSOL = "pysol"
    PYSOL_MICROSOFT = "pysolms"


Origin = tuple[Kind, int]
"""What a deal was made from, and the number, the seed, or the ordinal number of the date."""


def write_code(origin: Origin) -> str:
    """The code of a deal without its game."""
    kind, number = origin
    return f"{kind}{datetime.date.fromordinal(number) if kind is Kind.DAY else number}"


def write_code_with_game(origin: Origin, rules: Rules) -> str:
    """The code of a deal, with the text of the rules in front if they are not those of Baker's Game."""
    return write_code(origin) if rules == _DEFAULT_RULES else f"{rules.format()}:{write_code(origin)}"


def read_code(code: str, rules: Rules | str) -> tuple[Origin, Rules]:
    """What a code says; the rules are those given if it names no game.

    Raises `DealError` if the text is no code, `RulesError` if the game that it names is not known.
    """
    found = _CODE.fullmatch(code.strip()) if len(code) <= _LONGEST_CODE else None
    if not found:
        raise _unknown(code)
    game, kind, number = found.groups()
    rules = rules_of(rules) if game is None else Rules.parse(game)
    kind = Kind(kind.lower() or Kind.MICROSOFT)
    if kind is Kind.DAY:
        return (kind, day_of(number).toordinal()), rules
    if not number.isdigit():
        raise _unknown(code)
    return (kind, int(number)), rules


def code_in(text: str | bytes) -> str | None:
    """The text without the blanks around it if it is a code and not only a number, else None."""
    if not isinstance(text, str | bytes) or len(text) > _LONGEST_CODE:
        return None
    line = (text.decode(errors="replace") if isinstance(text, bytes) else text).removeprefix("\ufeff").strip()
    # A board may end in a comment that looks like the code after the name of a game.
    found = None if "\n" in line or "\r" in line or "#" in line else _CODE.fullmatch(line)
    return line if found and (found[1] or found[2]) else None


def _unknown(code: str) -> DealError:
    return DealError(f"{quote(code)} is no code of a deal: expected one such as ms617, freecell:ms11982 or seed42")


def day_of(date: datetime.date | str) -> datetime.date:
    """The date; a text is read as ISO writes it.  Raises `DealError` if it is none."""
    if isinstance(date, datetime.date):
        return date
    if not isinstance(date, str):
        raise TypeError(f"date is {shown(date)}: expected a date or a text such as '2026-02-28'")
    date = plain_text("date", date)
    try:
        return datetime.date.fromisoformat(date)
    except ValueError:
        raise DealError(f"{quote(date)} is not a date: expected one such as '2026-02-28'") from None


def seed_of_day(ordinal: int) -> int:
    """The seed of a day: the letters of "baker", then the ordinal number of the date in 24 bits."""
    return int.from_bytes(b"baker") << 24 | ordinal


def splitmix64(seed: int) -> Iterator[int]:
    """The numbers that the generator SplitMix64 draws, without end, each below 2^64."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        z = ((state ^ state >> 30) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ z >> 27) * 0x94D049BB133111EB) & _MASK
        yield z ^ z >> 31


def tried_seeds(seed: int) -> Iterator[int]:
    """The seeds that a search for a winnable deal tries in turn; those of one seed have none in common with another's.

    They are what SplitMix64 draws when it is started at the number that it draws first when started at `seed`. (That
    two seeds meet is possible, but as unlikely as for numbers of 64 bits drawn at random.)
    """
    return splitmix64(next(splitmix64(seed)))
