"""Directories of surveys that are foreign, damaged or made up: refused with the name of the file, at once."""

import hashlib
import json
import os
import random
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from command_line import Capture, run

from baker import Survey, SurveyError, Verdict, games

if "libasan" in os.environ.get("LD_PRELOAD", ""):
    pytest.skip("AddressSanitizer is for our own code", allow_module_level=True)
pa = pytest.importorskip("pyarrow")
from pyarrow import parquet as pq  # noqa: E402

GAME = "freecell"
NUMBERS = range(1, 101)
FIRST = "part-0000000001-0000000040.parquet"
# So few that some deals stay undecided, and every column has something.
OPTIONS: dict[str, Any] = {"moves": "text", "max_nodes": 60, "part_size": 40}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Survey:
    survey = Survey(tmp_path_factory.mktemp("whole"), GAME, NUMBERS, **OPTIONS)
    survey.run()
    assert survey.counts()[Verdict.UNDECIDED] > 5
    return survey


@pytest.fixture
def copy(whole: Survey, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole.directory, tmp_path / "copy"))


def answers(directory: Path) -> list[Any]:
    """All that a survey says."""
    survey = Survey.open(directory)
    return [survey.summary(), survey.counts(), survey.table().to_pylist(), survey.digest()]


def seal(data: bytes) -> bytes:
    """A file with its SHA-256 where the zeros are, as docs/surveys.md describes it."""
    zeros = b"0" * 64
    assert data.count(b"sha256:" + zeros) == 1
    return data.replace(zeros, hashlib.sha256(data).hexdigest().encode())


def forge(path: Path, table: Any, changes: dict[str, Any] | None = None, **options: Any) -> None:
    """Replace a part by a made-up one, whose metadata are those that were there but for changes."""
    about = json.loads(pq.read_schema(path).metadata[b"baker"]) | (changes or {})
    metadata = {b"baker": json.dumps(about).encode(), b"baker.sha256": b"sha256:" + b"0" * 64}
    sink = pa.BufferOutputStream()
    pq.write_table(table.replace_schema_metadata(metadata), sink, **{"compression": "zstd", **options})
    path.write_bytes(seal(sink.getvalue().to_pybytes()))


def plain_table(path: Path) -> Any:
    return pq.read_table(path, partitioning=None).replace_schema_metadata(None)


def assert_refused(directory: Path, name: str, *words: str) -> None:
    """Each way to read the directory, and to go on with it, names the file."""
    for call in (lambda: answers(directory), lambda: Survey(directory, GAME, NUMBERS, **OPTIONS).run()):
        with pytest.raises(SurveyError) as caught:
            call()
        message = str(caught.value)
        assert name in message
        assert message.isprintable()
        assert len(message) < 1000
        for word in words:
            assert word in message


def test_a_forged_file_that_is_right_is_read(copy: Path, whole: Survey) -> None:
    forge(copy / FIRST, plain_table(copy / FIRST))
    assert answers(copy) == answers(whole.directory)


# Damage.


def damaged(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    kind = chance.randrange(4)
    if kind == 0:
        return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]
    if kind == 1:
        return data[:at]
    if kind == 2:
        return data[:at] + chance.randbytes(chance.randrange(1, 9)) + data[at:]
    return data[:at] + chance.randbytes(8) + data[at + 8 :]


def assert_damage_is_seen(directory: Path, copies: int) -> None:
    path = directory / FIRST
    data = path.read_bytes()
    chance = random.Random(copies)
    for _ in range(copies):
        other = damaged(data, chance)
        if other == data:
            continue
        path.write_bytes(other)
        with pytest.raises(SurveyError, match=FIRST):
            Survey.open(directory).table(["verdict"])


def test_damaged_parts(copy: Path) -> None:
    assert_damage_is_seen(copy, 150)


@pytest.mark.long
def test_many_damaged_parts(copy: Path) -> None:
    assert_damage_is_seen(copy, 1500)


def test_every_single_byte_counts(copy: Path) -> None:
    path = copy / FIRST
    data = path.read_bytes()
    for at in range(0, len(data), 37):
        path.write_bytes(data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :])
        with pytest.raises(SurveyError, match=FIRST):
            Survey.open(copy).counts()


def test_pages_have_checksums_for_other_readers(copy: Path) -> None:
    path = copy / FIRST
    data = bytearray(path.read_bytes())
    chunk = pq.read_metadata(path).row_group(0).column(6)
    start = chunk.dictionary_page_offset or chunk.data_page_offset
    data[start + chunk.total_compressed_size - 3] ^= 1
    path.write_bytes(data)
    with pytest.raises(OSError, match="CRC"):
        pq.read_table(path, partitioning=None, page_checksum_verification=True)


# Foreign parts.


@pytest.mark.parametrize(
    ("rules", "changes", "reason"),
    [
        ("bakers_game", {}, "its build is 'same_suit', not 'alternate_color'"),
        (games[GAME].replace(cells=3), {}, "its cells is 3, not 4"),
        (GAME, {"max_nodes": 61}, "its max_nodes is 61, not 60"),
        (GAME, {"max_memory": 1 << 20}, "its max_memory is 1048576, not 268435456"),
        (GAME, {"moves": "count"}, "the columns are number, verdict, limit, nodes, moves, seconds: expected"),
    ],
)
def test_a_part_of_another_survey(copy: Path, tmp_path: Path, rules: Any, changes: Any, reason: str) -> None:
    other = Survey(tmp_path / "other", rules, NUMBERS, **OPTIONS | changes)
    other.run()
    source = sorted(other.directory.glob("*.parquet"))[0]
    (copy / FIRST).unlink()
    shutil.copy(source, copy)
    assert_refused(copy, source.name, reason)


def test_a_part_that_has_other_deals_than_its_name_says(copy: Path) -> None:
    shutil.copy(copy / "part-0000000041-0000000080.parquet", copy / FIRST)
    assert_refused(copy, FIRST, "it has the deals 41-80, not 1-40")


@pytest.mark.parametrize(
    "name",
    [
        "part-0000000021-0000000060.parquet",
        "part-0000000101-0000000140.parquet",
        "part-1-40.parquet",
        "part-0000000009-0000000001.parquet",
        "of_somebody_else.parquet",
        "\x1b[31mred.parquet",
    ],
)
def test_a_parquet_file_too_many(copy: Path, name: str) -> None:
    shutil.copy(copy / FIRST, copy / name)
    assert_refused(copy, name.replace("\x1b", "\\x1b"), "is no part of the survey")


def test_parts_without_a_description(copy: Path) -> None:
    (copy / "_survey.json").unlink()
    before = sorted(os.listdir(copy))
    with pytest.raises(SurveyError, match="is no part of the survey"):
        Survey(copy, GAME, NUMBERS, **OPTIONS).run()
    assert sorted(os.listdir(copy)) == before


# Columns.

TYPES = [
    *(pa.int8(), pa.uint16(), pa.int32(), pa.int64(), pa.float32(), pa.float64(), pa.string(), pa.large_string()),
    *(pa.binary(), pa.bool_(), pa.date32(), pa.timestamp("us"), pa.list_(pa.int64()), pa.decimal128(9, 2)),
    *(pa.dictionary(pa.int32(), pa.string()), pa.struct([("x", pa.int64())]), pa.map_(pa.string(), pa.string())),
]


def test_columns_of_other_types(copy: Path) -> None:
    table = plain_table(copy / FIRST)
    tried = 0
    for place, field in enumerate(table.schema):
        for kind in TYPES:
            if kind != field.type:
                empty = pa.array([None] * len(table), kind)
                forge(copy / FIRST, table.set_column(place, field.name, empty))
                with pytest.raises(SurveyError, match=FIRST) as caught:
                    Survey.open(copy).summary()
                assert field.name in str(caught.value)
                tried += 1
    assert tried == 7 * len(TYPES) - 7


@pytest.mark.parametrize(
    ("column", "row", "value"),
    [
        ("number", 3, 5),
        ("number", 0, 0),
        ("number", 39, 41),
        ("number", 20, None),
        ("verdict", 7, "zz"),
        ("verdict", 7, "SOLVED"),
        ("verdict", 7, ""),
        ("verdict", 7, None),
        ("verdict", "undecided", "solved"),
        ("verdict", "solved", "impossible"),
        ("limit", "undecided", None),
        ("limit", "undecided", "patience"),
        ("limit", "solved", "nodes"),
        ("nodes", 5, -1),
        ("nodes", 5, None),
        ("moves", "solved", None),
        ("moves", "solved", -4),
        ("moves", "solved", 4),
        ("moves", "undecided", 4),
        ("solution", "solved", None),
        ("solution", "solved", "6a"),
        ("solution", "undecided", "6a"),
        ("seconds", 5, None),
        ("seconds", 5, -0.5),
        ("seconds", 5, float("nan")),
        ("seconds", 5, float("inf")),
    ],
)
def test_values_that_no_survey_writes(copy: Path, column: str, row: Any, value: Any) -> None:
    table = plain_table(copy / FIRST)
    place = table.column_names.index(column)
    if isinstance(row, str):
        row = table["verdict"].to_pylist().index(row)
    values = table[column].to_pylist()
    values[row] = value
    forge(copy / FIRST, table.set_column(place, column, pa.array(values, table.schema.field(place).type)))
    with pytest.raises(SurveyError, match=f"{FIRST}: the column [a-z]+ is not what a survey writes"):
        answers(copy)


def test_other_columns_and_rows(copy: Path) -> None:
    table = plain_table(copy / FIRST)
    for other in (
        table.drop(["seconds"]),
        table.append_column("more", table["nodes"]),
        table.append_column("nodes", table["nodes"]),
        table.select(table.column_names[::-1]),
    ):
        forge(copy / FIRST, other)
        assert_refused(copy, FIRST, "the columns are")
    for other in (table[:39], table[:0], pa.concat_tables([table, table])):
        forge(copy / FIRST, other)
        assert_refused(copy, FIRST, f"it has {len(other)} rows: expected 40")
    forge(copy / FIRST, table, row_group_size=10)
    assert_refused(copy, FIRST, "row")


def peak(directory: Path, reason: str | None = None) -> int:
    """The most bytes that pyarrow holds while a directory is read, or refused for a reason."""
    usual, pool = pa.default_memory_pool(), pa.proxy_memory_pool(pa.system_memory_pool())
    pa.set_memory_pool(pool)
    try:
        if reason is None:
            answers(directory)
        else:
            with pytest.raises(SurveyError, match=reason):
                answers(directory)
    finally:
        pa.set_memory_pool(usual)
    return int(pool.max_memory())


def test_files_that_expand_are_refused_before_they_do(copy: Path) -> None:
    assert peak(copy) > 1000
    table = plain_table(copy / FIRST)
    long = pa.array(["6a " * 2_000_000] * len(table))
    for column in ("verdict", "solution"):
        forge(copy / FIRST, table.set_column(table.column_names.index(column), column, long))
        assert (copy / FIRST).stat().st_size < 1 << 20
        assert peak(copy, f"{FIRST}: the column {column} has more than 40 rows take") < 1 << 16
    # One text in every row, which the file has but once: small until it is written out.
    one = pa.array(["6a " * 200_000] * len(table))
    forge(copy / FIRST, table.set_column(table.column_names.index("solution"), "solution", one))
    with pytest.raises(SurveyError, match=f"{FIRST}: the column solution has more than 40 rows take"):
        answers(copy)


def test_a_large_file_is_not_read(copy: Path) -> None:
    with open(copy / FIRST, "r+b") as file:
        file.truncate(1 << 40)
    assert_refused(copy, FIRST, "it is larger than")


# The description.

Record = dict[str, Any]


def changed(**changes: Any) -> Callable[[Record], Record]:
    return lambda record: record | changes


def inside(field: str, /, **changes: Any) -> Callable[[Record], Record]:
    return lambda record: record | {field: record[field] | changes}


def without(name: str) -> Callable[[Record], Record]:
    return lambda record: {key: value for key, value in record.items() if key != name}


NOT_FINITE = (float("nan"), float("inf"))
NO_LIMIT: tuple[Any, ...] = (True, 0, -1, "1G", [], *NOT_FINITE)
NO_RULE: tuple[Any, ...] = (None, -1, 99, "x" * 100_000, [1], {}, *NOT_FINITE)
FIELDS = ("format", "rules", "kind", "first", "last", "part_size", "moves", "limits", "fingerprint", "version")
NONSENSE: tuple[Any, ...] = (None, True, -1, 1.5, 10**30, "x\x1b[2J", [], {}, [[1]], {"a": 1})
FORGED: list[tuple[str, Callable[[Record], Record]]] = [
    *[(name, without(name)) for name in FIELDS],
    *[
        (name, changed(**{name: value}))
        for name in FIELDS
        for value in NONSENSE
        if (name, value) != ("version", "x\x1b[2J")
    ],
    *[
        (name, inside("limits", **{name: value}))
        for name in ("max_nodes", "max_seconds", "max_memory")
        for value in NO_LIMIT
    ],
    *[
        ("rules", inside("rules", **{name: value}))
        for name in ("name", "columns", "cells", "filled", "build", "fill", "group", "kings_down", "aces_out", "ranks")
        for value in NO_RULE
    ],
    ("max_memory", inside("limits", max_memory=None)),
    ("max_hours", inside("limits", max_hours=1)),
    ("rules.colour", inside("rules", colour="green")),
    ("colour", changed(colour="green")),
    ("last", changed(first=50, last=49)),
    ("last", changed(first=1, last=2**33)),
    ("first", changed(first=0)),
    ("fingerprint", changed(fingerprint=[1])),
    ("fingerprint", changed(fingerprint=[1, "2"])),
    ("part_size", changed(part_size=0)),
    ("part_size", changed(part_size=10**9)),
    ("numbers", changed(numbers=[])),
]


@pytest.mark.parametrize("number", range(len(FORGED)))
def test_forged_descriptions(copy: Path, number: int) -> None:
    name, change = FORGED[number]
    path = copy / "_survey.json"
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    no_json = any(word in path.read_text() for word in ("NaN", "Infinity"))
    assert_refused(copy, "_survey.json", "is no number" if no_json else name)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "cannot be read"),
        (b"[]", "expected a JSON object"),
        (b"{}", "format is missing"),
        (b"\xff\xfe{}", "cannot be read"),
        (b"[" * 100_000, "cannot be read"),
        (b'{"format": ' + b"[" * 100_000, "cannot be read"),
        (b'{"format": ' + b"9" * 10_000 + b"}", "cannot be read"),
        (b'{"format": 2, "format": 2}', "a field is there twice"),
        (b'{"format": NaN}', "NaN is no number"),
        (b'{"format": 1}', "format is 1: expected 2"),
        (b" " * (1 << 26), "it is larger than"),
    ],
)
def test_descriptions_that_are_none(copy: Path, text: bytes, reason: str) -> None:
    (copy / "_survey.json").write_bytes(text)
    assert_refused(copy, "_survey.json", reason)


# Special files.


def make_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        here = os.getcwd()
        # Names of sockets are short.
        os.chdir(path.parent)
        try:
            made.bind(path.name)
        finally:
            os.chdir(here)


SPECIAL: dict[str, Callable[[Path], object]] = {
    "fifo": os.mkfifo,
    "directory": os.mkdir,
    "socket": make_socket,
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
    "link to nothing": lambda path: path.symlink_to("/nonexistent/file"),
    "link to a file": lambda path: path.symlink_to(path.parent / "other.txt"),
}


@pytest.fixture
def deadline() -> Iterator[None]:
    """Whatever hangs is ended, with everything else: pytest's faulthandler would wait for minutes."""
    ended = threading.Event()
    guard = threading.Thread(target=lambda: ended.wait(120) or os._exit(99), daemon=True)
    guard.start()
    yield
    ended.set()


@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize("name", [FIRST, "_survey.json"])
def test_special_files(copy: Path, name: str, kind: str) -> None:
    (copy / name).rename(copy / "other.txt")
    SPECIAL[kind](copy / name)
    assert_refused(copy, name)
    assert (copy / "other.txt").exists()


@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize("kind", SPECIAL)
def test_a_special_lock(copy: Path, kind: str) -> None:
    (copy / "other.txt").write_text("theirs")
    (copy / ".lock").unlink()
    SPECIAL[kind](copy / ".lock")
    with pytest.raises(SurveyError, match=r"\.lock"):
        Survey(copy, GAME, NUMBERS, **OPTIONS).run()
    assert (copy / "other.txt").read_text() == "theirs"


@pytest.mark.usefixtures("deadline")
@pytest.mark.parametrize("kind", SPECIAL)
@pytest.mark.parametrize("name", [FIRST, "_survey.json"])
def test_special_temporary_files(copy: Path, name: str, kind: str) -> None:
    (copy / "other.txt").write_text("theirs")
    for path in (copy / FIRST, copy / "_survey.json", *copy.glob("*.parquet")):
        path.unlink(missing_ok=True)
    SPECIAL[kind](copy / f".{name}.tmp")
    survey = Survey(copy, GAME, NUMBERS, **OPTIONS)
    if kind == "directory":
        with pytest.raises(SurveyError, match="is a directory"):
            survey.run()
    else:
        survey.run()
        assert survey.is_complete
    assert (copy / "other.txt").read_text() == "theirs"


def test_readers_of_the_lock_do_not_open_it(tmp_path: Path) -> None:
    survey = Survey(tmp_path, GAME, range(1, 201), max_nodes=100)

    def others(counts: Any) -> None:
        (tmp_path / ".lock").read_bytes()
        script = f"from baker import Survey; Survey.open({str(tmp_path)!r}).run()"
        other = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
        assert "another run is at work in" in other.stderr
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        survey.run(progress=others)
    survey.run()


def test_a_forked_child_does_not_keep_the_lock(tmp_path: Path) -> None:
    script = f"""
import os, signal, time
from baker import Survey
def fork(counts):
    ready, tell = os.pipe()
    if not os.fork():
        os.write(tell, b"!")
        time.sleep(60)
        os._exit(0)
    os.read(ready, 1)
    os.kill(os.getpid(), signal.SIGKILL)
Survey({str(tmp_path)!r}, {GAME!r}, range(1, 201), max_nodes=100).run(progress=fork)
"""
    with subprocess.Popen([sys.executable, "-c", script], start_new_session=True) as process:
        process.wait()
        try:
            Survey.open(tmp_path).run()
        finally:
            os.killpg(process.pid, 9)


# Names.


@pytest.mark.parametrize("name", ["", "a\0b"])
def test_names_that_no_directory_has(capsys: Capture, name: str) -> None:
    with pytest.raises(SurveyError, match="expected the name of one"):
        Survey(name, GAME, NUMBERS)
    with pytest.raises(SurveyError, match="expected the name of one"):
        Survey.open(name)
    code, _, err = run(capsys, "survey", "1-10", "--out", name)
    assert (code, err) == (2, f"baker: argument --out: {name!r} is not the name of a file\n")
    assert run(capsys, "report", name)[0] == 2


def test_nothing_steers_the_terminal(capsys: Capture, tmp_path: Path) -> None:
    rules = games[GAME].replace(name="\x1b[2Jred", cells=3)
    directory = tmp_path / "\x1b[31m"
    Survey(directory, rules, range(1, 11), max_nodes=50).run()
    code, lines, err = run(capsys, "report", directory)
    assert (code, err) == (3, "")
    assert lines[1].startswith("\\x1b[2Jred")
    (directory / "_survey.json").write_text('{"\x1b": 1}')
    code, _, err = run(capsys, "report", directory)
    assert code == 2
    assert err.rstrip("\n").isprintable()


@pytest.mark.usefixtures("deadline")
def test_all_deals_in_parts_of_one(tmp_path: Path) -> None:
    survey = Survey(tmp_path, GAME, range(1, 2**33), part_size=1)

    def interrupt(counts: Mapping[Verdict, int]) -> None:
        if sum(counts.values()) > 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        survey.run(progress=interrupt)
    assert not survey.is_complete
    assert Survey.open(tmp_path).summary().deals == sum(survey.counts().values()) >= 5
