"""Running the command line, in this process and in others."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TextIO

import pytest

from baker import Deal
from baker.cli import main

# Where the tests run in the background, interrupts are ignored, and so they would be in the process that is tested.
INTERRUPTIBLE = [
    sys.executable,
    "-c",
    "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    "runpy.run_module('baker', run_name='__main__')",
]

Capture = pytest.CaptureFixture[str]
MODULE = [sys.executable, "-m", "baker"]


def run(capsys: Capture, *arguments: object) -> tuple[int, list[str], str]:
    """The exit code, the lines of the output, and the errors."""
    try:
        code: Any = main([str(argument) for argument in arguments])
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    return code, out.splitlines(), err


def interrupt_on_terminal(
    arguments: Sequence[str], width: int, is_enough: Callable[[bytes], bool], out: TextIO | None = None
) -> tuple[int, bytes]:
    """The exit code and what a terminal of so many columns has shown of the errors, interrupted when that is enough."""
    termios = pytest.importorskip("termios")
    try:
        master, slave = os.openpty()
    except OSError as error:
        pytest.skip(f"there is no pseudo-terminal ({error.strerror}): mount -t devpts devpts /dev/pts makes them")
    termios.tcsetwinsize(slave, (24, width))
    command = [*INTERRUPTIBLE, *arguments]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=slave) as process:
        os.close(slave)
        shown = b""
        while not is_enough(shown):
            shown += os.read(master, 1000)
        process.send_signal(signal.SIGINT)
        process.wait(timeout=300)
        while b"interrupted" not in shown:
            shown += os.read(master, 1000)
    os.close(master)
    return process.returncode, shown


def answers(capsys: Capture, *arguments: str) -> list[dict[str, Any]]:
    """What `baker solve --json` says."""
    _, lines, err = run(capsys, "solve", "--json", *arguments)
    assert err == ""
    return [json.loads(line) for line in lines]


def board(path: Path, deal: Deal) -> str:
    """A file with the board of a deal."""
    path.write_text(deal.format() + "\n")
    return str(path)
