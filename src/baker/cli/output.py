"""How the commands print: tables, errors, and what to do when nobody reads."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import TextIO


def failed(message: object, code: int) -> int:
    # A standard error that is closed is None, and `print` would take the standard output instead.
    if sys.stderr is not None:
        with suppress(OSError):
            print(f"baker: {message}", file=sys.stderr, flush=True)
    return code


def occupy_closed_streams() -> None:
    """Let no file that is opened later take the place of a standard stream that was closed from the start.

    What is written to that stream, by a library or by the interpreter as it fails, would end up in the file.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < 3:
        pass
    os.close(descriptor)


def drop_output() -> None:
    """Let what is still to be written go nowhere, or the interpreter fails on it once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def is_terminal(stream: TextIO | None) -> bool:
    # None: closed before we were started.
    return stream is not None and stream.isatty()


def print_table(rows: Sequence[Sequence[str]], left: int) -> None:
    """Print rows in columns, so many of them aligned left and the others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        aligned = [text.ljust(width) for text, width in zip(row[:left], widths, strict=False)]
        aligned += [text.rjust(width) for text, width in zip(row[left:], widths[left:], strict=True)]
        print("  ".join(aligned).rstrip())
