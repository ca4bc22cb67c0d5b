"""The command line: baker solve, baker deal, baker games, baker survey, baker report."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from io import TextIOWrapper

from baker.board_text import DealError
from baker.cli.exit_codes import BAD_INPUT, FAILED, INTERRUPTED, PIPE_CLOSED
from baker.cli.options import InputError
from baker.cli.output import drop_output, failed
from baker.cli.parser import make_parser
from baker.rules import RulesError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    >>> main(["solve", "617"])
    617 solved
    0

    `argv` is ``sys.argv[1:]`` if it is not given. Raises SystemExit, as argparse does, after ``--help`` and
    ``--version`` and if the options make no sense.
    """
    if isinstance(sys.stdout, TextIOWrapper):
        # Names of files can hold what the encoding of the output cannot.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        try:
            arguments = make_parser().parse_args(argv)
            code: int = arguments.command(arguments)
        finally:
            print(end="", flush=True)
    except (InputError, DealError, RulesError) as error:
        return failed(error, BAD_INPUT)
    except MemoryError:
        return failed("there is not enough memory: set a lower --max-memory", FAILED)
    except KeyboardInterrupt:
        return failed("interrupted", INTERRUPTED)
    except BrokenPipeError:
        drop_output()
        return PIPE_CLOSED
    except OSError as error:
        if error.filename is not None:
            return failed(f"cannot write {error.filename}: {error.strerror}", FAILED)
        drop_output()
        return failed(f"cannot write: {error.strerror}", FAILED)
    return code
