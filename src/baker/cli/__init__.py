"""The command line: baker solve, baker deal, baker games, baker survey, baker report."""

from __future__ import annotations

import atexit
import signal
import sys
from collections.abc import Sequence
from io import TextIOWrapper

from baker.board_text import DealError
from baker.cli.command import InputError
from baker.cli.exit_codes import BAD_INPUT, FAILED, INTERRUPTED, PIPE_CLOSED, TERMINATED
from baker.cli.interrupts import Interrupts, Terminated
from baker.cli.output import drop_output, failed, occupy_closed_streams
from baker.cli.parser import parse
from baker.rules import RulesError


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    >>> main(["solve", "617"])
    617 solved
    0

    `argv` is ``sys.argv[1:]`` if it is not given. Raises SystemExit, as argparse does, after ``--help`` and
    ``--version``.
    """
    if argv is None and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # An interrupt of the interpreter as it ends would print how it ends.
        atexit.register(signal.signal, signal.SIGINT, signal.SIG_DFL)
    if None in (sys.stdin, sys.stdout, sys.stderr):
        occupy_closed_streams()
    if sys.stdout is None:
        return failed("cannot write: standard output is closed", FAILED)
    if isinstance(sys.stdout, TextIOWrapper):
        # Names of files can hold what the encoding of the output cannot.
        sys.stdout.reconfigure(errors="backslashreplace")
    with Interrupts() as interrupts:
        try:
            return _run(sys.argv[1:] if argv is None else argv, interrupts)
        except KeyboardInterrupt:
            interrupts.ignore()
            return failed("interrupted", INTERRUPTED)
        except Terminated:
            interrupts.ignore()
            return failed("terminated", TERMINATED)


def _run(words: Sequence[str], interrupts: Interrupts) -> int:
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
