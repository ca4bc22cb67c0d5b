"""What a command is: its parser, its help page, and how its words are read."""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NoReturn

from baker.cards import quote

DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
"""What editors and web pages make of hyphens."""

_OPTION = re.compile(rf"[-{DASHES}]+(?![-0-9{DASHES}])(.+)", re.DOTALL)
_WIDEST = 100


class InputError(Exception):
    """Something on the command line, or a file that it names, is not what it should be."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """All that is wrong on a command line is told in one way."""
        raise InputError(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command. The words that are not options are its operands; it says itself how many it takes."""

    name: str
    summary: str
    description: str
    operands: str
    """The operands as the usage line shows them, such as ``TARGET ...``."""
    about_operands: str
    add_options: Callable[[argparse.ArgumentParser], None]
    epilog: str
    run: Callable[[argparse.Namespace], int]

    def parser(self) -> argparse.ArgumentParser:
        parser = make_parser(
            prog=f"baker {self.name}",
            usage=f"%(prog)s {self.operands} [option ...]".replace("  ", " "),
            description=self.description,
            epilog=self.epilog,
        )
        parser.add_argument(
            "operands",
            nargs="*",
            metavar=self.operands.split(" ", maxsplit=1)[0],
            help=self.about_operands or argparse.SUPPRESS,
        )
        self.add_options(parser)
        return parser

    def parse(self, words: Sequence[str]) -> argparse.Namespace:
        """The options and operands, and `run`, which does it all."""
        parser = self.parser()
        arguments, rest = parser.parse_known_args([_with_hyphens(word) for word in words])
        _refuse_options(parser, rest)
        # argparse takes the operands up to the next option only.
        arguments.operands = [*arguments.operands, *rest]
        arguments.run = self.run
        if arguments.operands and not self.operands:
            raise InputError(f"unexpected {quote(arguments.operands[0])}: baker {self.name} takes options only")
        return arguments


def make_parser(**texts: Any) -> argparse.ArgumentParser:
    """A parser whose description is filled to the width of the terminal, and whose epilog stays as it is."""
    width = min(_WIDEST, shutil.get_terminal_size().columns) - 2
    paragraphs = texts["description"].strip().split("\n\n")
    texts["description"] = "\n\n".join([textwrap.fill(" ".join(text.split()), width) for text in paragraphs])
    # An abbreviation that works today would be ambiguous when the next option comes.
    return _Parser(formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False, **texts)


def _refuse_options(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Raise `InputError` if one of the words, which the parser does not know, looks like an option."""
    for word in words:
        if _OPTION.fullmatch(word):
            name = word.partition("=")[0]
            close = get_close_matches(name[:100], re.findall(r"(?<!\S)--[a-z-]+", parser.format_help()), n=1)
            raise InputError(f"unknown option {quote(name)}{f': did you mean {close[0]}?' if close else ''}")


def _with_hyphens(word: str) -> str:
    """An option with the hyphens that it should have, if an editor has made a dash of them."""
    found = _OPTION.fullmatch(word)
    if not found or word[0] == "-":
        return word
    return ("-" if len(found[1]) == 1 else "--") + found[1]
