"""A command line from its words to its exit code."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper

from baker.board_text import DealError
from baker.cli.command import InputError
from baker.cli.exit_codes import BAD_INPUT, FAILED, PIPE_CLOSED
from baker.cli.interrupts import Interrupts
from baker.cli.output import drop_output, failed
from baker.cli.parser import parse
from baker.rules import RulesError


def run(words: Sequence[str], interrupts: Interrupts) -> int:
    """Do what the words say; errors become a line on standard error and an exit code."""
    if isinstance(sys.stdout, TextIOWrapper):
        # Names of files can hold what the encoding of the output cannot.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        try:
            arguments = parse(words)
            arguments.interrupts = interrupts
            code: int = arguments.run(arguments)
        finally:
            print(end="", flush=True)
    except (InputError, DealError, RulesError) as error:
        return failed(error, BAD_INPUT)
    except MemoryError:
        return failed("there is not enough memory: set a lower --max-memory", FAILED)
    except BrokenPipeError:
        drop_output()
        return PIPE_CLOSED
    except OSError as error:
        if error.filename is not None:
            return failed(f"cannot write {error.filename}: {error.strerror}", FAILED)
        drop_output()
        return failed(f"cannot write: {error.strerror}", FAILED)
    return code
