"""The command line: baker solve, baker deal, baker games, baker survey, baker report."""

from __future__ import annotations

import atexit
import signal
import sys
from collections.abc import Sequence

from baker.cli.exit_codes import FAILED, INTERRUPTED, TERMINATED
from baker.cli.interrupts import Interrupts, Terminated
from baker.cli.output import failed, occupy_closed_streams


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
    with Interrupts() as interrupts:
        try:
            # Loading takes longer than many a search: an interrupt finds us prepared, and waits until that is done.
            with interrupts.held():
                from baker.cli.run import run

            return run(sys.argv[1:] if argv is None else argv, interrupts)
        except KeyboardInterrupt:
            interrupts.ignore()
            return failed("interrupted", INTERRUPTED)
        except Terminated:
            interrupts.ignore()
            return failed("terminated", TERMINATED)
