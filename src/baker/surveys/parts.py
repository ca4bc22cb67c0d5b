"""The Parquet files of a survey: their columns, written with checksums and checked when they are read.

Every page has its checksum, for any reader. The metadata have the SHA-256 of the whole file besides, taken with zeros
in its place, so that no damage to a file goes unnoticed. Who makes up a file can have that right too: the columns are
checked, and how much they may expand to.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from baker.solver import Limit, Verdict
from baker.surveys.description import Description, Settings, read_part_description
from baker.surveys.store import SurveyError, no_part, printable, read_regular

if TYPE_CHECKING:
    import pyarrow as pa

_KEY = b"baker"
_SEAL_KEY = b"baker.sha256"
_SEAL = re.compile(rb"sha256:([0-9a-f]{64})")
_UNSEALED = b"sha256:" + b"0" * 64
# What a file may have besides its rows, and for each of them: a solution of thousands of moves, eight bytes and more.
_LARGEST_REST = 1 << 20
_LARGEST_ROW = 1 << 14
_LARGEST_VALUE = 64
_TEXTS = ("verdict", "limit", "solution")


def import_pyarrow() -> tuple[Any, Any, Any]:
    """pyarrow, its functions and its Parquet module.  Raises ImportError with what is to be installed."""
    try:
        import pyarrow
        from pyarrow import compute, parquet
    except ImportError:
        raise ImportError("surveys need pyarrow: pip install 'baker[survey]'") from None
    return pyarrow, compute, parquet


def column_names(settings: Settings) -> list[str]:
    """The columns that the files of a survey have."""
    names = ["number", "verdict", "limit", "nodes", "moves", "solution", "seconds"]
    return [name for name in names if name != "solution" or settings.moves == "text"]


def make_schema(settings: Settings) -> pa.Schema:
    """The columns with their types; seeds need all 64 bits."""
    pa, _, _ = import_pyarrow()
    types = {"verdict": pa.string(), "limit": pa.string(), "moves": pa.int32(), "solution": pa.string()}
    types |= {"nodes": pa.int64(), "seconds": pa.float64()}
    types["number"] = pa.uint64() if settings.kind == "seeds" else pa.int64()
    return pa.schema([(name, types[name]) for name in column_names(settings)])


def write_part(description: Description, places: range, columns: Mapping[str, Iterable[Any]]) -> bytes:
    """The file of the deals at some places."""
    pa, _, pq = import_pyarrow()
    about = description.to_json({"first": places[0], "last": places[-1]})
    schema = make_schema(description.settings).with_metadata({_KEY: about, _SEAL_KEY: _UNSEALED})
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(dict(columns), schema=schema), sink, compression="zstd", write_page_checksum=True)
    data: bytes = sink.getvalue().to_pybytes()
    at = data.rindex(_UNSEALED)
    seal = b"sha256:" + hashlib.sha256(data).hexdigest().encode()
    return b"".join([data[:at], seal, data[at + len(seal) :]])


def read_part(
    path: Path, description: Description, places: range, values: Sequence[int], columns: Sequence[str]
) -> pa.Table:
    """Some columns of a file, which must have these deals of this survey.

    Raises `SurveyError` with the file and, where it is one, the column if anything in it is wrong.
    """
    pa, _, pq = import_pyarrow()
    where = printable(path)
    try:
        data = read_regular(path, _LARGEST_REST + len(places) * _LARGEST_ROW)
    except FileNotFoundError:
        raise SurveyError(f"{where} cannot be read: it has been removed") from None
    if not _is_whole(data):
        raise SurveyError(f"{where} cannot be read: it is damaged, or no file of a survey")
    # Each row is checked as a whole but for its solution, which takes longest to read.
    names = [name for name in column_names(description.settings) if name != "solution" or name in columns]
    try:
        source = pq.ParquetFile(pa.BufferReader(data))
        _check_columns(path, source, description, len(places))
        _check_description(path, source, description, places)
        table = pq.ParquetFile(
            pa.BufferReader(data),
            metadata=source.metadata,
            read_dictionary=[name for name in names if name in _TEXTS],
            page_checksum_verification=True,
        ).read(names, use_threads=False)
        table = _plain(path, table, make_schema(description.settings))
        table.validate(full=True)
    except SurveyError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        raise SurveyError(f"{where} cannot be read: {printable(error)}") from None
    for name, is_wrong in _faults(description.settings, table, values).items():
        if is_wrong:
            raise SurveyError(f"{where}: the column {name} is not what a survey writes")
    return table.select(list(columns)).replace_schema_metadata(None)


def _is_whole(data: bytes) -> bool:
    """Whether the bytes have the SHA-256 that the last seal among them says."""
    seals = list(_SEAL.finditer(data))
    if not seals:
        return False
    found = seals[-1]
    digest = hashlib.sha256(data[: found.start()])
    digest.update(_UNSEALED)
    digest.update(data[found.end() :])
    return digest.hexdigest().encode() == found[1]


def _check_columns(path: Path, source: Any, description: Description, rows: int) -> None:
    """See from the end of the file that it has the columns, the rows, and nothing that expands to more."""
    schema, metadata = make_schema(description.settings), source.metadata
    if source.schema_arrow.names != schema.names:
        names = ", ".join(source.schema_arrow.names[:20])
        raise SurveyError(f"{printable(path)}: the columns are {printable(names)}: expected {', '.join(schema.names)}")
    for found, expected in zip(source.schema_arrow, schema, strict=True):
        if found.type != expected.type:
            raise SurveyError(f"{printable(path)}: the column {found.name} has {found.type}: expected {expected.type}")
    if metadata.num_rows != rows or metadata.num_row_groups != 1 or metadata.row_group(0).num_rows != rows:
        raise SurveyError(f"{printable(path)}: it has {metadata.num_rows} rows: expected {rows}")
    for place, name in enumerate(schema.names):
        chunk = metadata.row_group(0).column(place)
        most = rows * (_LARGEST_ROW if name == "solution" else _LARGEST_VALUE) + _LARGEST_REST
        if chunk.num_values != rows or not 0 <= chunk.total_uncompressed_size <= most:
            raise SurveyError(f"{printable(path)}: the column {name} has more than {rows} rows take")


def _check_description(path: Path, source: Any, description: Description, places: range) -> None:
    """See that the metadata are those of a file of this survey."""
    about = (source.metadata.metadata or {}).get(_KEY)
    if about is None:
        raise no_part(path, "its metadata say nothing of a survey")
    found, first, last = read_part_description(f"{printable(path)}, metadata", about)
    if difference := found.settings.difference(description.settings):
        raise no_part(path, difference)
    if found.fingerprint != description.fingerprint:
        raise no_part(path, "its searches take other ways")
    if (first, last) != (places[0], places[-1]):
        raise no_part(path, f"it has the deals {first}-{last}, not {places[0]}-{places[-1]}")


def _plain(path: Path, table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with plain texts. What is read are the different ones, each of which may stand in every row."""
    _, compute, _ = import_pyarrow()
    for place, name in enumerate(table.column_names):
        column = table.column(place)
        if name in _TEXTS:
            size = sum(
                compute.sum(compute.take(compute.binary_length(chunk.dictionary), chunk.indices)).as_py() or 0
                for chunk in column.chunks
            )
            if size > _LARGEST_REST + len(table) * _LARGEST_ROW:
                raise SurveyError(f"{printable(path)}: the column {name} has more than {len(table)} rows take")
        table = table.set_column(place, name, compute.cast(column, schema.field(name).type))
    return table


def _faults(settings: Settings, table: pa.Table, values: Sequence[int]) -> dict[str, bool]:
    """Which columns have what no survey writes."""
    pa, compute, _ = import_pyarrow()
    verdict, limit, moves, seconds = (table[name] for name in ("verdict", "limit", "moves", "seconds"))
    solved, undecided = compute.equal(verdict, Verdict.SOLVED), compute.equal(verdict, Verdict.UNDECIDED)
    kept = compute.and_(solved, settings.moves != "none")

    def every(condition: Any) -> bool:
        return compute.all(condition, skip_nulls=False, min_count=0).as_py() is True

    def same(one: Any, other: Any) -> bool:
        return every(compute.equal(one, other))

    def among(column: Any, texts: Iterable[str]) -> bool:
        return every(compute.is_in(column, value_set=pa.array(list(texts), pa.string())))

    faults = {
        "number": not _are(table["number"], values),
        "verdict": not among(verdict, list(Verdict)),
        "limit": not (among(limit.drop_null(), list(Limit)) and same(compute.is_valid(limit), undecided)),
        "nodes": not every(compute.greater_equal(table["nodes"], 0)),
        "moves": not (every(compute.greater_equal(moves.drop_null(), 0)) and same(compute.is_valid(moves), kept)),
        "seconds": not (every(compute.greater_equal(seconds, 0)) and every(compute.is_finite(seconds))),
    }
    if "solution" in table.column_names:
        solution = table["solution"]
        counted = compute.count_substring_regex(solution, "[^ ]+")
        faults["solution"] = not (same(compute.is_valid(solution), solved) and counted.equals(moves))
    return faults


def _are(column: pa.ChunkedArray, values: Sequence[int]) -> bool:
    """Whether a column has just these values."""
    pa, compute, _ = import_pyarrow()
    if not isinstance(values, range):
        return bool(column.equals(pa.chunked_array([pa.array(values, column.type)])))
    if column.null_count or column[0].as_py() != values[0] or column[-1].as_py() != values[-1]:
        return False
    return compute.all(compute.equal(compute.subtract(column[1:], column[:-1]), 1)).as_py() is not False
