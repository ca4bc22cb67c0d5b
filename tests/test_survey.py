"""Surveys: the same table whatever the run has gone through, and no other directory touched."""

import csv
import dataclasses
import errno
import hashlib
import itertools
import json
import multiprocessing
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from math import nan, sqrt
from pathlib import Path
from typing import Any

import pytest
from command_line import INTERRUPTIBLE, Capture, interrupt_on_terminal, run

from baker import Deal, DealError, Game, Rules, RulesError, Survey, SurveyError, Verdict, games, solve, solve_many
from baker.cli import main
from baker.surveys import Interval, gatherer, wilson

if "libasan" in os.environ.get("LD_PRELOAD", ""):
    pytest.skip("AddressSanitizer is for our own code", allow_module_level=True)
pa = pytest.importorskip("pyarrow")
from pyarrow import parquet as pq  # noqa: E402

GAME = "seahaven_towers"
NUMBERS = range(1, 2001)


def small(directory: Path, **options: Any) -> Survey:
    return Survey(directory, GAME, NUMBERS, part_size=150, **options)


def command(directory: Path, *options: str) -> list[str]:
    numbers = f"{NUMBERS[0]}-{NUMBERS[-1]}"
    return [sys.executable, "-m", "baker", "survey", numbers, "--game", GAME, "--out", str(directory), *options]


def verdicts(directory: Path) -> Any:
    """The table without the seconds, as a reader finds it who knows nothing of us."""
    return pq.read_table(directory).drop(["seconds"])


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> Survey:
    survey = small(tmp_path_factory.mktemp("undisturbed"))
    survey.run(threads=1)
    return survey


def assert_same(directory: Path, undisturbed: Survey) -> None:
    assert verdicts(directory).equals(verdicts(undisturbed.directory))
    assert Survey.open(directory).digest() == undisturbed.digest()
    # No more files than the parts, what the survey is, and the lock.
    assert sorted(os.listdir(directory)) == sorted(os.listdir(undisturbed.directory))


# What is in the files.


def test_the_table(undisturbed: Survey) -> None:
    expected = list(solve_many(NUMBERS, rules=GAME))
    table = verdicts(undisturbed.directory)
    assert table.column_names == ["number", "verdict", "limit", "nodes", "moves"]
    assert table["number"].to_pylist() == list(NUMBERS)
    assert table["verdict"].to_pylist() == [solution.verdict for solution in expected]
    assert table["nodes"].to_pylist() == [solution.nodes for solution in expected]
    assert table["moves"].to_pylist() == [
        len(solution.moves) if solution.verdict is Verdict.SOLVED else None for solution in expected
    ]
    assert undisturbed.is_complete
    assert undisturbed.table().drop(["seconds"]).equals(table)
    assert min(undisturbed.table(["seconds"])["seconds"].to_pylist()) > 0


def test_parts_and_their_metadata(undisturbed: Survey) -> None:
    parts = sorted(undisturbed.directory.glob("*.parquet"))
    assert [path.name for path in parts][::13] == [
        "part-0000000001-0000000150.parquet",
        "part-0000001951-0000002000.parquet",
    ]
    for path in parts:
        about = json.loads(pq.read_schema(path).metadata[b"baker"])
        first, last = map(int, path.stem.split("-")[1:])
        assert (about["first"], about["last"]) == (first, last)
        assert about | {"first": 1, "last": 2000} == json.loads((undisturbed.directory / "_survey.json").read_text())
    assert about["rules"]["columns"] == [5] * 10
    assert about["limits"] == {"max_nodes": None, "max_seconds": None, "max_memory": 256 << 20}
    assert set(about) >= {"version", "fingerprint", "first", "last", "moves", "format"}


def test_moves_as_text(tmp_path: Path) -> None:
    survey = Survey(tmp_path, "bakers_game", range(600, 621), moves="text")
    survey.run()
    for row in survey.table().to_pylist():
        if row["verdict"] == "solved":
            game = Game(Deal.microsoft(row["number"]))
            for move in row["solution"].split():
                game.push(move)
            assert game.is_won
            assert len(game.history) == row["moves"]
        else:
            assert (row["solution"], row["moves"]) == (None, None)


def test_verdicts_alone(tmp_path: Path, undisturbed: Survey) -> None:
    survey = small(tmp_path, moves="none")
    survey.run()
    assert survey.table(["moves"])["moves"].null_count == len(NUMBERS)
    assert survey.table(["verdict"]).equals(undisturbed.table(["verdict"]))
    assert survey.summary().moves is None


def test_the_digest_is_what_it_is_said_to_be(tmp_path: Path) -> None:
    survey = Survey(tmp_path, "freecell", range(1, 60), moves="text", max_nodes=100, part_size=7)
    survey.run()
    lines = [
        ",".join(["" if value is None else str(value) for name, value in row.items() if name != "seconds"]) + "\n"
        for row in survey.table().to_pylist()
    ]
    assert {line.split(",")[2] for line in lines} == {"", "nodes"}
    assert survey.digest() == hashlib.sha256("".join(lines).encode()).hexdigest()


@pytest.mark.slow
def test_the_digest_under_a_tight_limit_of_memory_is_that_of_any_number_of_threads(tmp_path: Path) -> None:
    digests = set()
    for threads in (1, 2, 4, 8):
        survey = Survey(
            tmp_path / str(threads), "bakers_dozen_different_suit", range(1, 301), moves="none", part_size=300,
            max_memory=400_000, max_nodes=8000,
        )  # fmt: skip
        survey.run(threads=threads)
        assert set(survey.table(["limit"])["limit"].to_pylist()) == {None, "nodes", "memory"}
        digests.add(survey.digest())
    assert len(digests) == 1


# Interruptions.


def test_a_run_goes_on_where_the_last_one_has_ended(tmp_path: Path, undisturbed: Survey) -> None:
    survey = small(tmp_path)

    def interrupt(counts: Mapping[Verdict, int]) -> None:
        if sum(counts.values()) > 700:
            raise KeyboardInterrupt

    monkey = pytest.MonkeyPatch()
    monkey.setattr(gatherer, "_PROGRESS_SECONDS", 0)
    with monkey.context(), pytest.raises(KeyboardInterrupt):
        survey.run(progress=interrupt)
    monkey.undo()
    assert not survey.is_complete
    assert sum(survey.counts().values()) == 600
    # One in the middle is lost.
    (tmp_path / "part-0000000151-0000000300.parquet").unlink()
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.parquet")}
    first: list[int] = []
    survey.run(progress=lambda counts: first.append(sum(counts.values())))
    assert first[0] == 450 + gatherer._SOME
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert_same(tmp_path, undisturbed)
    survey.run()
    assert_same(tmp_path, undisturbed)


def killed_runs(directory: Path, kills: int, seconds: float) -> None:
    """Runs that are killed at random instants until so many were, then one to the end."""
    chance = random.Random(kills)
    while kills:
        process = subprocess.Popen(command(directory, "--part-size", "150"), stdout=subprocess.DEVNULL)
        time.sleep(chance.uniform(0, seconds))
        process.kill()
        if process.wait() == -signal.SIGKILL:
            kills -= 1
        else:
            assert process.returncode == 0
            # It was too fast: some of it is to be done again.
            for path in chance.sample(sorted(directory.glob("*.parquet")), 7):
                path.unlink()
    subprocess.run(command(directory, "--part-size", "150"), stdout=subprocess.DEVNULL, check=True)


@pytest.mark.slow
def test_killed_at_random(tmp_path: Path, undisturbed: Survey) -> None:
    killed_runs(tmp_path, 4, 1.5)
    assert_same(tmp_path, undisturbed)


@pytest.mark.long
def test_killed_at_fifty_random_instants(tmp_path: Path, undisturbed: Survey) -> None:
    killed_runs(tmp_path, 50, 2)
    assert_same(tmp_path, undisturbed)


KILLED_AT_A_CALL = """
import os, signal, sys
from baker import Survey
left = int(sys.argv[2])
def deadly(function):
    def call(*arguments):
        global left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return function(*arguments)
    return call
os.fsync, os.replace = deadly(os.fsync), deadly(os.replace)
Survey(sys.argv[1], "seahaven_towers", range(1, 2001), part_size=150).run()
"""


@pytest.mark.slow
def test_killed_where_it_hurts(tmp_path: Path, undisturbed: Survey) -> None:
    # Each file is three calls; the first is the one that says what the survey is.
    for calls in (1, 2, 3, 4, 4, 5, 6):
        script = [sys.executable, "-c", KILLED_AT_A_CALL, str(tmp_path), str(calls)]
        assert subprocess.run(script, check=False).returncode == -signal.SIGKILL
    small(tmp_path).run()
    assert_same(tmp_path, undisturbed)


def test_a_disk_that_fails(tmp_path: Path, undisturbed: Survey, monkeypatch: pytest.MonkeyPatch) -> None:
    survey = small(tmp_path)
    fsync, calls = os.fsync, itertools.count(1)

    def failing(file: int) -> None:
        if next(calls) == 9:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        fsync(file)

    monkeypatch.setattr(os, "fsync", failing)
    with pytest.raises(OSError, match=r"No space left on device.*part-0000000451-0000000600\.parquet"):
        survey.run()
    monkeypatch.undo()
    assert not list(tmp_path.glob(".*.tmp"))
    survey.run()
    assert_same(tmp_path, undisturbed)


@pytest.fixture
def tiny_disk(tmp_path: Path) -> Iterator[Path]:
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=48k", "tmpfs", tmp_path], capture_output=True, check=False
    )
    if mount.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mount.stderr.decode().strip()}")
    yield tmp_path
    subprocess.run(["umount", tmp_path], check=True)


@pytest.mark.slow
def test_a_full_disk(tiny_disk: Path, undisturbed: Survey) -> None:
    there = tiny_disk / "survey"
    run = subprocess.run(command(there, "--part-size", "150"), capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert re.fullmatch(r"baker: cannot write \S*/part-[-0-9]*\.parquet: No space left on device\n", run.stderr)
    assert run.stdout == ""
    done = sum(Survey.open(there).counts().values())
    assert 0 < done < len(NUMBERS)
    assert done % 150 == 0
    subprocess.run(["mount", "-o", "remount,size=4m", tiny_disk], check=True)
    subprocess.run(command(there, "--part-size", "150"), capture_output=True, check=True)
    assert_same(there, undisturbed)


# Which deals.

SMALL = Rules(name="small", columns=(7, 7, 6), cells=1, ranks=5)


def test_a_survey_is_extended(tmp_path: Path, undisturbed: Survey) -> None:
    # The last file is short; the larger range goes on behind it, and before the first one.
    small_one = Survey(tmp_path, GAME, range(301, 701), part_size=150)
    small_one.run()
    kept = {path: path.read_bytes() for path in tmp_path.glob("*.parquet")}
    assert min(kept).name == "part-0000000301-0000000450.parquet"
    for numbers in (range(301, 702), range(301, 1001), NUMBERS):
        survey = Survey(tmp_path, GAME, numbers, part_size=150)
        done = len(survey.table())
        assert not survey.is_complete
        survey.run()
        assert survey.is_complete
        assert len(survey.table()) == len(numbers) > done
        assert Survey.open(tmp_path).numbers == numbers
    assert {path: path.read_bytes() for path in kept} == kept
    assert survey.table(["number"])["number"].to_pylist() == list(NUMBERS)
    assert survey.digest() == undisturbed.digest()
    with pytest.raises(SurveyError, match="its deals are 1-2000, which are not among 301-700"):
        small_one.counts()


@pytest.mark.slow
def test_an_extension_that_is_killed(tmp_path: Path, undisturbed: Survey) -> None:
    Survey(tmp_path, GAME, range(1, 1001), part_size=150).run()
    for calls in (1, 2, 3, 4, 5, 8):
        subprocess.run([sys.executable, "-c", KILLED_AT_A_CALL, str(tmp_path), str(calls)], check=False)
        assert Survey.open(tmp_path).summary().deals >= 1000
    small(tmp_path).run()
    assert Survey.open(tmp_path).digest() == undisturbed.digest()


def test_a_list_of_numbers(tmp_path: Path) -> None:
    numbers = [2**33 - 1, 617, 10, 11982, 5]
    survey = Survey(tmp_path, "freecell", numbers, part_size=2, max_nodes=500)
    survey.run()
    assert sorted(path.name for path in tmp_path.glob("*.parquet"))[-1] == "part-0000000005-0000000005.parquet"
    longer = Survey(tmp_path, "freecell", [*numbers, 1, 2], part_size=2, max_nodes=500)
    assert (longer.total, longer.is_complete, longer.deals) == (7, False, "7 numbers")
    longer.run()
    table = Survey.open(tmp_path).table()
    assert table["number"].to_pylist() == [*numbers, 1, 2]
    for row in table.to_pylist():
        assert row["nodes"] == solve(Deal.microsoft(row["number"], "freecell"), max_nodes=500).nodes
    other_lists: tuple[Any, ...] = (numbers[:4], [1, *numbers, 2], range(1, 20))
    for others in other_lists:
        with pytest.raises(SurveyError, match="its deals are 7 numbers"):
            Survey(tmp_path, "freecell", others, part_size=2, max_nodes=500)


@pytest.mark.parametrize("rules", [SMALL, games["penguin"], games["freecell"]])
@pytest.mark.parametrize("seeds", [range(20), range(2**64 - 20, 2**64), [7, 2**64 - 1, 0]])
def test_seeds(tmp_path: Path, rules: Rules, seeds: range | list[int]) -> None:
    survey = Survey(tmp_path, rules, seeds=seeds, part_size=7, max_nodes=300)
    survey.run()
    opened = Survey.open(tmp_path)
    assert (opened.numbers, opened.seeds) == (None, seeds if isinstance(seeds, range) else tuple(seeds))
    assert opened.is_complete
    table = opened.table()
    assert table["number"].to_pylist() == list(seeds)
    for row in table.to_pylist():
        solution = solve(Deal.random(row["number"], rules), max_nodes=300)
        assert (row["verdict"], row["nodes"]) == (solution.verdict, solution.nodes)
    assert opened.digest() == survey.digest()


def test_more_seeds(tmp_path: Path) -> None:
    Survey(tmp_path / "a", SMALL, seeds=range(100), part_size=30).run()
    survey = Survey(tmp_path / "a", SMALL, seeds=range(250), part_size=30)
    survey.run()
    other = Survey(tmp_path / "b", SMALL, seeds=range(250))
    other.run(threads=1)
    assert survey.digest() == other.digest()
    assert pq.read_table(tmp_path / "b", partitioning=None)["number"].type == pa.uint64()


def test_a_range_without_end(tmp_path: Path) -> None:
    survey = Survey(tmp_path, SMALL, seeds=range(2**64), part_size=10)

    def interrupt(counts: Mapping[Verdict, int]) -> None:
        if sum(counts.values()) > 50:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        survey.run(progress=interrupt)
    assert survey.total == 2**64
    assert not survey.is_complete
    assert survey.summary().deals >= 50


# Who else is at it.


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "limits"),
    [
        # Deals 12 and 302 are near these limits: what an engine had kept from an earlier deal would show.
        (games["bakers_dozen_different_suit"], {"max_memory": 508_799, "max_nodes": 30_000}),
        (games["freecell"].replace(cells=2), {"max_memory": 1_430_171, "max_nodes": 5_000}),
        (games["bakers_game"], {"max_memory": 100_000}),
    ],
)
def test_the_digest_does_not_depend_on_threads(tmp_path: Path, rules: Rules, limits: dict[str, Any]) -> None:
    digests = set()
    for threads in (1, 2, 4, 8):
        survey = Survey(tmp_path / str(threads), rules, range(1, 321), part_size=100, **limits)
        survey.run(threads=threads)
        assert survey.counts()[Verdict.UNDECIDED] > 0
        digests.add(survey.digest())
    assert len(digests) == 1


def test_a_survey_shared_by_threads(tmp_path: Path, undisturbed: Survey) -> None:
    survey = small(tmp_path)
    expected = undisturbed.table().drop(["seconds"])
    refused, seen = [], []

    def second_run() -> None:
        try:
            survey.run()
        except SurveyError as error:
            refused.append(str(error))

    def read() -> None:
        while not survey.is_complete:
            table = survey.table().drop(["seconds"])
            seen.append(len(table))
            assert len(table) % 150 == 0 or len(table) == len(NUMBERS)
            assert table.equals(expected[: len(table)])
            assert sum(survey.counts().values()) >= len(table)
            assert survey.summary().deals >= len(table)

    def meanwhile(counts: Mapping[Verdict, int]) -> None:
        if not refused:
            other = threading.Thread(target=second_run)
            other.start()
            other.join()

    with ThreadPoolExecutor() as pool:
        reader = pool.submit(read)
        survey.run(progress=meanwhile)
        reader.result()
    assert len(refused) == 1
    assert "another run is at work" in refused[0]
    assert seen == sorted(seen)
    assert_same(tmp_path, undisturbed)


ENDS = {
    "error": ("raise RuntimeError('enough')", 1),
    "exit": ("sys.exit(7)", 7),
}


@pytest.mark.slow
@pytest.mark.parametrize("how", ENDS)
def test_a_program_that_ends_in_a_run(tmp_path: Path, undisturbed: Survey, how: str) -> None:
    statement, code = ENDS[how]
    script = f"""
import sys
from baker import Survey
def end(counts):
    if sum(counts.values()) > 500:
        {statement}
Survey({str(tmp_path)!r}, {GAME!r}, range(1, 2001), part_size=150).run(progress=end)
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=120)
    assert ended.returncode == code
    assert not list(tmp_path.glob(".*.tmp"))
    assert sum(Survey.open(tmp_path).counts().values()) % 150 == 0
    small(tmp_path).run()
    assert_same(tmp_path, undisturbed)


def test_a_program_that_ends_while_a_thread_runs_a_survey(tmp_path: Path, undisturbed: Survey) -> None:
    script = f"""
import threading
from baker import Survey
far = threading.Event()
survey = Survey({str(tmp_path)!r}, {GAME!r}, range(1, 2001), part_size=150)
run = lambda: survey.run(progress=lambda counts: sum(counts.values()) > 300 and far.set())
threading.Thread(target=run, daemon=True).start()
far.wait()
"""
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, check=False, timeout=120)
    assert ended.returncode == 0
    assert sum(Survey.open(tmp_path).counts().values()) % 150 == 0
    small(tmp_path).run()
    assert_same(tmp_path, undisturbed)


# Refusals.


def test_two_runs_do_not_clash(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    survey = Survey(tmp_path, GAME, NUMBERS)

    def other_runs(counts: Mapping[Verdict, int]) -> None:
        if sum(counts.values()) == 1:
            with pytest.raises(SurveyError, match="another run is at work"):
                Survey(tmp_path, GAME, NUMBERS).run()
            run = subprocess.run(command(tmp_path), capture_output=True, text=True, check=False)
            assert (run.returncode, run.stdout) == (2, "")
            assert run.stderr.startswith("baker: another run is at work in ")

    survey.run(progress=other_runs)
    survey.run()
    assert len(survey.table()) == len(NUMBERS)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"rules": "eight_off"}, r"its columns is \[5, 5, .*, not \[6, 6"),
        ({"rules": games[GAME].replace(cells=3, filled=(0, 1))}, "its cells is 4, not 3"),
        ({"numbers": range(2, 2001)}, "its deals are 1-2000, which are not among 2-2000"),
        ({"numbers": range(1, 2000)}, "its deals are 1-2000, which are not among 1-1999"),
        ({"numbers": list(NUMBERS)}, "its deals are 1-2000, which are not among 2000 numbers"),
        ({"numbers": None, "seeds": NUMBERS}, "its kind is 'microsoft', not 'seeds'"),
        ({"moves": "text"}, "its moves is 'count', not 'text'"),
        ({"part_size": 151}, "its part_size is 150, not 151"),
        ({"max_nodes": 100}, "its max_nodes is None, not 100"),
        ({"max_memory": 1000}, "its max_memory is 268435456, not 1000"),
    ],
)
def test_another_survey_is_refused(undisturbed: Survey, changes: dict[str, Any], reason: str) -> None:
    options: dict[str, Any] = {"rules": GAME, "numbers": NUMBERS, "part_size": 150} | changes
    with pytest.raises(SurveyError, match=reason):
        Survey(undisturbed.directory, **options)


def test_the_name_of_the_rules_does_not_matter(undisturbed: Survey) -> None:
    rules = games[GAME].replace(name="towers")
    Survey(undisturbed.directory, rules, NUMBERS, part_size=150).run()


def test_a_version_that_searches_in_another_way_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    survey = small(tmp_path)
    survey.run()
    with monkeypatch.context() as changed:
        changed.setattr("baker.surveys.description.fingerprint", lambda rules, moves: (1, 2))
        with pytest.raises(SurveyError, match="was begun by baker .*, whose searches take other ways"):
            survey.run()


def test_files_of_something_else_are_refused(tmp_path: Path) -> None:
    other = tmp_path / "part-0000000001-0000000150.parquet"
    pq.write_table(pa.table({"number": list(range(150))}), other)
    before = other.read_bytes()
    with pytest.raises(SurveyError, match="is no part of the survey"):
        small(tmp_path).run()
    assert other.read_bytes() == before
    assert sorted(os.listdir(tmp_path)) == [".lock", other.name]


@pytest.mark.parametrize("damage", [b"", b"PAR1 and nothing more"])
def test_a_damaged_part_is_named(tmp_path: Path, damage: bytes) -> None:
    survey = small(tmp_path)
    survey.run()
    (tmp_path / "part-0000000151-0000000300.parquet").write_bytes(damage)
    for call in (survey.run, survey.summary, survey.table, survey.digest):
        with pytest.raises(SurveyError, match=r"part-0000000151-0000000300\.parquet cannot be read"):
            call()


def test_wrong_arguments(tmp_path: Path) -> None:
    no_numbers: tuple[Any, ...] = (range(0), range(1, 10, 2), range(9, 1, -1), [], "12", 5, {1, 2})
    for numbers in no_numbers:
        with pytest.raises(ValueError, match="expected .*range"):
            Survey(tmp_path, GAME, numbers)
    no_lists: tuple[Any, ...] = (["1"], [True], [None], [1.0])
    for numbers in no_lists:
        with pytest.raises(TypeError):
            Survey(tmp_path, GAME, numbers)
    with pytest.raises(ValueError, match="either numbers or seeds"):
        Survey(tmp_path, GAME)
    with pytest.raises(ValueError, match="either numbers or seeds"):
        Survey(tmp_path, GAME, [1], seeds=[1])
    with pytest.raises(ValueError, match="5 is listed twice"):
        Survey(tmp_path, GAME, [5, 1, 5])
    with pytest.raises(DealError, match="the seed 18446744073709551616 is out of range"):
        Survey(tmp_path, GAME, seeds=range(2**64, 2**64 + 1))
    with pytest.raises(DealError, match="use a seed"):
        Survey(tmp_path, SMALL, NUMBERS)
    with pytest.raises(DealError, match="no Microsoft deal has the number 0"):
        Survey(tmp_path, GAME, range(10))
    with pytest.raises(RulesError, match="unknown game"):
        Survey(tmp_path, "seehaven", NUMBERS)
    with pytest.raises(ValueError, match="max_nodes is 0"):
        Survey(tmp_path, GAME, NUMBERS, max_nodes=0)
    with pytest.raises(ValueError, match="part_size is 0"):
        Survey(tmp_path, GAME, NUMBERS, part_size=0)
    with pytest.raises(ValueError, match="moves is 'all'"):
        Survey(tmp_path, GAME, NUMBERS, moves="all")  # type: ignore[arg-type]
    with pytest.raises(SurveyError, match="holds no survey"):
        Survey.open(tmp_path)
    assert not list(tmp_path.iterdir())


# Who does the work.


def test_processes(tmp_path: Path, undisturbed: Survey) -> None:
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        small(tmp_path).run(executor=pool)
    assert_same(tmp_path, undisturbed)


def test_workers_of_another_version(tmp_path: Path) -> None:
    class Other(Executor):
        def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Any:
            from concurrent.futures import Future

            future: Future[list[int]] = Future()
            future.set_result([1, 2])
            return future

    with pytest.raises(SurveyError, match="workers have another version"):
        small(tmp_path).run(executor=Other())


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")
    # Any port that is free: other runs of the tests may have clusters too.
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(**options) as cluster:
        yield cluster


@pytest.mark.slow
def test_dask(tmp_path: Path, undisturbed: Survey, cluster: Any) -> None:
    with cluster.get_client() as client:
        small(tmp_path).run(executor=client.get_executor())
    assert_same(tmp_path, undisturbed)


@pytest.mark.slow
def test_a_dask_worker_is_killed(tmp_path: Path, cluster: Any) -> None:
    numbers = range(1, 20_001)
    killed: list[int] = []
    with cluster.get_client() as client:
        workers = client.run(os.getpid)

        def kill(counts: Mapping[Verdict, int]) -> None:
            if not killed and sum(counts.values()) > 1000:
                killed.append(min(workers.values()))
                os.kill(killed[0], signal.SIGKILL)

        survey = Survey(tmp_path / "dask", GAME, numbers, moves="none")
        survey.run(executor=client.get_executor(), progress=kill)
        assert killed
        assert killed[0] not in client.run(os.getpid).values()
    other = Survey(tmp_path / "threads", GAME, numbers, moves="none")
    other.run()
    assert survey.digest() == other.digest()


@pytest.mark.slow
def test_dask_on_the_command_line(tmp_path: Path, undisturbed: Survey, cluster: Any, capsys: Capture) -> None:
    options = command(tmp_path, "--part-size", "150", "--dask", cluster.scheduler_address)
    assert main(options[3:]) == 0
    assert_same(tmp_path, undisturbed)


# Results.


def test_wilson() -> None:
    # Roots of (share - p)^2 = z^2 p (1 - p) / n.
    for successes, trials in ((0, 10), (10, 10), (1, 10), (7501119, 10_000_000), (1, 1)):
        low, high = wilson(successes, trials)
        share = successes / trials
        assert 0 <= low <= share <= high <= 1
        for bound in (low, high):
            distance = 1.959964 * sqrt(bound * (1 - bound) / trials)
            assert abs(share - bound) == pytest.approx(distance, abs=1e-7) or bound in (0, 1)
    assert wilson(0, 0) == (0, 1)


def test_summary(undisturbed: Survey) -> None:
    summary = undisturbed.summary()
    assert (summary.game, summary.deals, summary.solved, summary.impossible) == (GAME, 2000, 1799, 201)
    assert summary.share == Interval(0.8995, 0.8995)
    assert summary.interval == wilson(1799, 2000)
    for column in ("nodes", "moves", "seconds"):
        values = sorted(undisturbed.table([column])[column].drop_null().to_pylist())
        spread = getattr(summary, column)
        wanted = [sum(values) / len(values), *(values[round(share * (len(values) - 1))] for share in QUANTILES)]
        # Seconds to the microsecond.
        assert list(spread) == pytest.approx(wanted, abs=0.6e-6)


QUANTILES = (0.5, 0.9, 0.99, 0.999, 1)


def test_a_summary_of_large_tables_is_the_same(undisturbed: Survey, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = undisturbed.summary()
    for rows in (1, 150, 10_000):
        monkeypatch.setattr("baker.surveys.summary._LARGE", rows)
        assert undisturbed.summary() == expected


def test_undecided_deals_count_both_ways(tmp_path: Path) -> None:
    survey = Survey(tmp_path, games["freecell"].replace(cells=3), range(1, 101), max_nodes=50)
    survey.run()
    summary = survey.summary()
    assert summary.game == "freecell, cells 3"
    assert summary.undecided > 0
    assert summary.share == (summary.solved / 100, 1 - summary.impossible / 100)
    assert summary.interval.low == wilson(summary.solved, 100).low
    assert summary.interval.high == wilson(100 - summary.impossible, 100).high


def test_a_survey_that_has_not_begun(tmp_path: Path) -> None:
    survey = small(tmp_path)
    assert len(survey.table()) == 0
    assert survey.table().column_names[-1] == "seconds"
    summary = survey.summary()
    assert (summary.deals, summary.nodes) == (0, None)
    assert str(summary.share) == str(Interval(nan, nan))
    assert summary.interval == (0, 1)
    assert not survey.is_complete


def test_plot(undisturbed: Survey, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    undisturbed.plot().savefig(tmp_path / "survey.svg")
    assert "moves of the solution" in (tmp_path / "survey.svg").read_text()


# The command line.


def test_survey_and_report(capsys: Capture, tmp_path: Path) -> None:
    arguments: tuple[object, ...] = ("survey", "1-1000", "--out", tmp_path / "bakers_game")
    code, lines, err = run(capsys, *arguments, "--verdicts", "--threads", "2", "--part-size", "300")
    assert (code, err) == (0, "")
    assert re.match(r"bakers_game +1-1000 +1000 +766 +234 +0 +76\.600% +73\.87\d% to 79\.\d{3}% ", lines[1])
    assert run(capsys, "report", tmp_path / "bakers_game") == (0, lines, "")
    arguments = ("survey", "1-50", "--game", "freecell", "--out", tmp_path / "freecell")
    code, lines, err = run(capsys, *arguments, "--moves", "--cells", "2", "--max-nodes", "50")
    assert (code, err) == (3, "")
    assert lines[1].startswith("freecell, cells 2  ")
    assert Survey.open(tmp_path / "freecell").moves == "text"

    both = (tmp_path / "bakers_game", tmp_path / "freecell")
    code, lines, err = run(capsys, "report", *both, "--json")
    records = [json.loads(line) for line in lines]
    assert (code, err) == (3, "")
    assert [(record["game"], record["deals"]) for record in records] == [
        ("bakers_game", 1000),
        ("freecell, cells 2", 50),
    ]
    assert records[0]["digest"] == Survey.open(both[0]).digest()
    summary = dataclasses.asdict(Survey.open(both[0]).summary())
    assert records[0]["nodes_p99"] == summary["nodes"].p99
    assert records[0]["moves_mean"] is None
    _, lines, _ = run(capsys, "report", *both, "--csv")
    rows = list(csv.DictReader(lines))
    assert [{name: None if value == "" else value for name, value in row.items()} for row in rows] == [
        {name: None if value is None else str(value) for name, value in record.items()} for record in records
    ]


def test_report_draws(capsys: Capture, tmp_path: Path, undisturbed: Survey) -> None:
    pytest.importorskip("matplotlib")
    code, lines, err = run(capsys, "report", undisturbed.directory, "--plot", tmp_path / "plot.png")
    assert (code, len(lines), err) == (0, 2, "")
    assert (tmp_path / "plot.png").read_bytes().startswith(b"\x89PNG")
    code, _, err = run(capsys, "report", undisturbed.directory, "--plot", tmp_path / "plot.xyz")
    assert code == 2
    assert "xyz" in err
    code, _, err = run(capsys, "report", undisturbed.directory, "--plot", tmp_path / "none" / "plot.png")
    assert (code, err) == (1, f"baker: cannot write {tmp_path}/none/plot.png: No such file or directory\n")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (
            ("1-10", "--game", "seehaven"),
            "baker: argument -g/--game: unknown game 'seehaven': ",
        ),
        (("0-10",), "baker: no Microsoft deal has the number 0"),
        (("10-1",), "baker: the range '10-1' is empty"),
        (("1-",), "baker: the range '1-' has no end"),
        (("-",), "baker: expected numbers, such as 1-1000000"),
    ],
)
def test_bad_input(capsys: Capture, tmp_path: Path, arguments: tuple[str, ...], error: str) -> None:
    code, lines, err = run(capsys, "survey", *arguments, "--out", tmp_path / "out")
    assert (code, lines) == (2, [])
    assert err.startswith(error)
    assert not (tmp_path / "out").exists()


def test_no_dask_scheduler(capsys: Capture, tmp_path: Path) -> None:
    dask = pytest.importorskip("dask")
    with dask.config.set({"distributed.comm.timeouts.connect": "0.2s"}):
        code, lines, err = run(capsys, "survey", "1-10", "--out", tmp_path, "--dask", "tcp://127.0.0.1:1")
    assert (code, lines) == (2, [])
    assert err.startswith("baker: no Dask scheduler answers at tcp://127.0.0.1:1: ")


def test_a_directory_that_is_none(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    code, _, err = run(capsys, "survey", "1-10", "--out", tmp_path / "file")
    assert (code, err) == (2, f"baker: {tmp_path}/file/_survey.json cannot be read: Not a directory\n")


def test_report_of_what_is_no_survey(capsys: Capture, tmp_path: Path) -> None:
    error = f"baker: {tmp_path} holds no survey: it has no file _survey.json\n"
    assert run(capsys, "report", tmp_path) == (2, [], error)


def test_without_pyarrow(capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    code, lines, err = run(capsys, "survey", "1-10", "--out", tmp_path / "out")
    assert (code, lines, err) == (1, [], "baker: surveys need pyarrow: pip install 'baker[survey]'\n")


def test_interrupted(tmp_path: Path) -> None:
    arguments = ["survey", "1-1000000", "--game", "freecell", "--out", str(tmp_path), "--part-size", "100"]
    process = subprocess.Popen([*INTERRUPTIBLE, *arguments], stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 300
    while not list(tmp_path.glob("*.parquet")) and time.monotonic() < deadline:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=300)
    assert (process.returncode, err) == (130, "baker: interrupted\n")
    assert not list(tmp_path.glob(".*.tmp"))
    assert Survey.open(tmp_path).summary().deals >= 100


def test_a_bar(tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("tqdm")
    small(tmp_path).run(progress=True)
    assert "/2000 [" in capsys.readouterr().err
    small(tmp_path).run(progress=False)
    assert capsys.readouterr().err == ""


def test_a_bar_without_tqdm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tqdm", None)
    with pytest.raises(ImportError, match=r"pip install 'baker\[progress\]'"):
        small(tmp_path).run(progress=True)


def test_seeds_and_lists_on_the_command_line(capsys: Capture, tmp_path: Path) -> None:
    code, lines, err = run(capsys, "survey", "--game", GAME, "0-99", "--seeds", "--out", tmp_path / "seeds")
    assert (code, err) == (0, "")
    assert re.match(rf"{GAME} +seeds 0-99 +100 ", lines[1])
    assert (
        run(capsys, "survey", "--game", GAME, "0-149", "--seeds", "--out", tmp_path / "seeds")[1][1].split()[3] == "150"
    )
    assert Survey.open(tmp_path / "seeds").seeds == range(150)
    code, lines, err = run(capsys, "survey", "--game", GAME, "5", "100-102,7", "--out", tmp_path / "list")
    assert (code, err) == (0, "")
    assert Survey.open(tmp_path / "list").numbers == (5, 100, 101, 102, 7)
    assert re.match(rf"{GAME} +5 numbers +5 ", lines[1])
    for arguments, error in (
        (("5,6", "5"), "5 is listed twice: expected each number once"),
        (("ms5", "--seeds"), "bad seed or range of seeds 'ms5': expected one such as 617 or 0-999"),
        (("9-1", "--seeds"), "the range '9-1' is empty: expected the lower seed first"),
        (("1", "1-1000000"), "more than 1000000 numbers: expected one range, or fewer numbers"),
        ((f"{2**64}", "--seeds"), "the seed 18446744073709551616 is out of range"),
    ):
        code, _, err = run(capsys, "survey", "--game", GAME, *arguments, "--out", tmp_path / "wrong")
        assert code == 2
        assert err.startswith(f"baker: {error}")


def test_the_bar_is_on_a_terminal(tmp_path: Path) -> None:
    pytest.importorskip("tqdm")
    options = ["survey", "1-1000000", "--out", str(tmp_path)]
    code, shown = interrupt_on_terminal(options, 100, lambda shown: b" won]" in shown)
    assert code == 130
    assert re.search(rb"\d+/1000000 \[.* deals/s, \d+\.\d\d% won\]", shown)
    assert shown.endswith(b"\rbaker: interrupted\r\n")


def test_verdicts_are_those_of_solve(undisturbed: Survey) -> None:
    for row in undisturbed.table().to_pylist()[::97]:
        assert row["verdict"] == solve(Deal.microsoft(row["number"], GAME)).verdict
