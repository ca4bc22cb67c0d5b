"""Running the command line, in this process and in others."""

import sys
from typing import Any

import pytest

from baker.cli import main

# Where the tests run in the background, interrupts are ignored, and so they would be in the process that is tested.
INTERRUPTIBLE = [
    sys.executable,
    "-c",
    "import runpy, signal; signal.signal(signal.SIGINT, signal.default_int_handler);"
    "runpy.run_module('baker', run_name='__main__')",
]

Capture = pytest.CaptureFixture[str]


def run(capsys: Capture, *arguments: object) -> tuple[int, list[str], str]:
    """The exit code, the lines of the output, and the errors."""
    try:
        code: Any = main([str(argument) for argument in arguments])
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    return code, out.splitlines(), err
