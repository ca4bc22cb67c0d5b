"""How a command ends: interrupted, out of memory, with nobody to read, with streams closed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import INTERRUPTIBLE, MODULE, Capture, board, interrupt_on_terminal, run

import baker
from baker import Deal, Solution


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (KeyboardInterrupt, 130, "interrupted"),
        (MemoryError, 1, "there is not enough memory: set a lower --max-memory"),
    ],
)
def test_stopped_in_a_range(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, error: type[BaseException], code: int, message: str
) -> None:
    def solve_many(deals: range | list[Deal], **options: Any) -> Iterator[Solution]:
        for deal, solution in zip(deals, baker.solve_many(deals, **options), strict=True):
            if deal in (12, Deal.microsoft(12)):
                raise error
            yield solution

    monkeypatch.setattr("baker.cli.solve.solve_many", solve_many)
    assert run(capsys, "solve", "12") == (code, [], f"baker: {message}\n")
    assert run(capsys, "solve", "12-17")[1][0].startswith("0 of 6 deals: 0 solved, 0 impossible, 0 undecided; ")
    found, lines, err = run(capsys, "solve", "9-18")
    assert (found, err) == (code, f"baker: {message}\n")
    assert lines[:-1] == ["9 solved", "10 impossible", "11 solved"]
    assert lines[-1].startswith("3 of 10 deals: 2 solved, 1 impossible, 0 undecided; 66.67% can be won; ")


def interrupt(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What is printed after an interrupt."""
    process.send_signal(signal.SIGINT)
    assert process.stdout
    assert process.stderr
    out, err = process.stdout.read(), process.stderr.read()
    process.wait(timeout=300)
    return out, err


@pytest.mark.skipif(os.name != "posix", reason="no signal can be sent")
def test_interrupted_in_a_long_range() -> None:
    command = [*INTERRUPTIBLE, "solve", "1-1000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        lines = [process.stdout.readline().rstrip() for _ in range(500)]
        out, err = interrupt(process)
    lines += out.splitlines()
    assert (process.returncode, err) == (130, "baker: interrupted\n")
    done = len(lines) - 1
    assert [int(line.split()[0]) for line in lines[:-1]] == list(range(1, done + 1))
    solved = sum(line.endswith(" solved") for line in lines[:-1])
    assert lines[-1].startswith(f"{done} of 1000000 deals: {solved} solved, {done - solved} impossible, 0 undecided; ")


@pytest.mark.skipif(os.name != "posix", reason="no signal can be sent")
def test_interrupted_in_a_long_search(tmp_path: Path) -> None:
    # The line of a deal that is all but won says that the searches have begun; those of the range go on long after.
    won = Deal(["KS", *[""] * 12], foundations=(13, 13, 13, 12), rules="bakers_dozen")
    targets = [board(tmp_path / "won.txt", won), "1-100000"]
    command = [*INTERRUPTIBLE, "solve", *targets, "--game", "bakers_dozen", "--max-memory", "1G", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        process.stdout.readline()
        time.sleep(0.3)
        out, err = interrupt(process)
    assert (process.returncode, err) == (130, "baker: interrupted\n")
    assert all(line.endswith("}") for line in out.splitlines())


HARD = ["solve", "1-100000", "--game", "bakers_dozen", "--max-memory", "1G", "--json"]


@pytest.mark.skipif(os.name != "posix", reason="no signal can be sent")
@pytest.mark.parametrize(
    ("number", "code", "message"),
    [(signal.SIGINT, 130, "baker: interrupted\n"), (signal.SIGTERM, 143, "baker: terminated\n")],
)
@pytest.mark.parametrize("arguments", [["solve", "1-1000000"], HARD])
def test_told_to_end(arguments: list[str], number: signal.Signals, code: int, message: str) -> None:
    command = [*INTERRUPTIBLE, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        process.stdout.readline()
        process.send_signal(number)
        out, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (code, message)
    if "--json" not in arguments:
        assert " of 1000000 deals: " in out.splitlines()[-1]


@pytest.mark.skipif(os.name != "posix", reason="no signal can be sent")
def test_told_to_end_in_a_pipe() -> None:
    command = [*INTERRUPTIBLE, *HARD]
    with (
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process,
        subprocess.Popen(["head", "-1000000"], stdin=process.stdout, stdout=subprocess.PIPE, text=True) as head,
    ):
        assert process.stdout
        assert head.stdout
        process.stdout.close()
        process.send_signal(signal.SIGTERM)
        head.wait(timeout=300)
        process.wait(timeout=300)


# Says when the command line begins to load what it needs.
STARTED = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from baker.cli import main
class Announcement:
    def find_spec(self, name, path=None, target=None):
        if name == "baker.cli.run":
            print("started", file=sys.stderr, flush=True)
sys.meta_path.insert(0, Announcement())
sys.exit(main())
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="no signal can be sent")
@pytest.mark.parametrize("arguments", [["solve", "1-1000"], HARD, ["deal", "617"]])
def test_interrupted_at_any_moment(arguments: list[str]) -> None:
    """While it loads, is at work or ends: nothing but our message is shown."""
    command = [sys.executable, "-c", STARTED, *arguments]
    codes = set()
    for step in range(12):
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            assert process.stderr
            assert process.stderr.readline() == "started\n"
            time.sleep(0.015 * step)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=300)
        assert process.returncode in (0, 130, -signal.SIGINT)
        assert err == ("baker: interrupted\n" if process.returncode == 130 else "")
        codes.add(process.returncode)
    assert 130 in codes


@pytest.mark.skipif(os.name != "posix", reason="pipes close otherwise there")
@pytest.mark.parametrize("options", [[], ["--moves"], ["--json"]])
def test_the_reader_closes_the_pipe(options: list[str]) -> None:
    command = [*MODULE, "solve", "1-1000000", *options]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk")
@pytest.mark.parametrize("arguments", ["solve 617", "solve 1-3 --json", "deal 617", "games", "--help"])
def test_the_disk_is_full(arguments: str) -> None:
    with open("/dev/full", "w") as full:
        command = [*MODULE, *arguments.split()]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "baker: cannot write: No space left on device\n")


CLOSED = "cannot write: standard output is closed"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize(
    ("words", "code", "out", "err"),
    [
        ("solve 1-10 >&-", 1, "", f"baker: {CLOSED}\n"),
        ("deal 617 >&-", 1, "", f"baker: {CLOSED}\n"),
        ("--help >&-", 1, "", f"baker: {CLOSED}\n"),
        ("solve 617 >&- 2>&-", 1, "", ""),
        ("solve 617 2>&-", 0, "617 solved\n", ""),
        ("solve nowhere 2>&-", 2, "", ""),
        ("solve --foo 2>&-", 2, "", ""),
        ("solve 617 <&-", 0, "617 solved\n", ""),
        ("solve 617 <&- 2>&-", 0, "617 solved\n", ""),
        ("solve - <&-", 2, "", "baker: -: standard input is closed\n"),
        ("solve - </dev/null", 2, "", None),
    ],
)
def test_closed_from_the_start(words: str, code: int, out: str, err: str | None) -> None:
    command = ["sh", "-c", f'"$0" -m baker {words}', sys.executable]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (code, out)
    assert err is None or done.stderr == err


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk")
def test_errors_cannot_be_written() -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run([*MODULE, "solve", "nowhere"], stdout=subprocess.PIPE, stderr=full, check=False)
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_no_file_takes_the_place_of_a_closed_stream(tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    # The lock of a survey would be the standard error, and take what libraries write there.
    command = ["sh", "-c", '"$0" -m baker survey 1-10 --out "$1" <&- 2>&-', sys.executable, str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert " 10 " in done.stdout


def test_no_bar_without_tqdm(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    code, lines, err = run(capsys, "solve", "1-20")
    assert (code, len(lines), err) == (0, 21, "")


def test_the_bar_is_on_a_terminal_and_nowhere_else(tmp_path: Path) -> None:
    pytest.importorskip("tqdm")
    with open(tmp_path / "out", "w") as out:
        code, shown = interrupt_on_terminal(
            ["solve", "1-1000000"], 80, lambda shown: shown.count(b"/1000000 [") >= 2, out
        )
    assert code == 130
    assert shown.endswith(b"\rbaker: interrupted\r\n")
    lines = (tmp_path / "out").read_text().splitlines()
    for number, line in enumerate(lines[:-1], 1):
        assert line in (f"{number} solved", f"{number} impossible")
    assert lines[-1].startswith(f"{len(lines) - 1} of 1000000 deals: ")
