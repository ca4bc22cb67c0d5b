"""Surveys: a range of deals decided into a directory of Parquet files, over as many runs as it takes."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from contextlib import closing
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from baker.batch import solve_many
from baker.deals import check_number
from baker.rules import Rules, rules_of
from baker.solver import Solution, Verdict, read_limits
from baker.surveys.plots import plot
from baker.surveys.store import SurveyError, import_pyarrow, locked, reading, store_file
from baker.surveys.summary import Summary, Tallies, count_values, summarize, tally
from baker.version import installed_version

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.figure import Figure

Moves = Literal["none", "count", "text"]
Progress = Callable[[Mapping[Verdict, int]], object]

# Of the files; another number for files that this module could not go on with.
_FORMAT = 1
_ABOUT = "_survey.json"
_KEY = b"baker"
# These and how many nodes and moves they take tell whether two versions search alike.
_FIXED_SET = range(1, 33)
_FIXED_NODES = 1000
_PROGRESS_SECONDS = 0.1
# Solutions that are taken at a time.
_SOME = 32


class Survey:
    """A range of Microsoft deals of one rule set and what is known about them, in a directory.

    `run` decides the deals and writes a Parquet file for each `part_size` of them. It can be interrupted or killed at
    any time: the next run, with the same arguments or on what `Survey.open` returns, goes on behind the last whole
    file. Nothing is written before.

    >>> survey = Survey("seahaven", "seahaven_towers", range(1, 1_000_001))  # doctest: +SKIP
    >>> survey.run()  # doctest: +SKIP
    >>> print(survey.summary().share)  # doctest: +SKIP

    The columns are `number`, `verdict`, `limit` (what left the deal undecided), `nodes`, `moves` (how many; null unless
    solved), `solution` (the moves themselves, ``6a 5b 78``) and `seconds`. `moves` says what is kept of the moves:
    their ``"count"``, their ``"text"`` too, or ``"none"``, which is fastest. The limits are those of each deal. All
    columns but `seconds` are the same whatever the number of threads, the executor and the interruptions were, unless
    `max_seconds` limits the searches.

    Surveys need pyarrow, which the extra ``baker[survey]`` installs.

    Raises `RulesError`, `DealError` or ValueError if the rules, the numbers or an option are wrong, `SurveyError` with
    the difference if the directory holds another survey.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        rules: Rules | str,
        numbers: range,
        *,
        moves: Moves = "count",
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        max_memory: int | None = None,
        part_size: int = 10_000,
    ) -> None:
        self.directory = Path(directory)
        self.rules = rules_of(rules)
        self.numbers = numbers
        self.moves = moves
        self.part_size = part_size
        # As it is without saying so, too: what is usual may be another thing one day.
        memory = read_limits(max_nodes, max_seconds, max_memory).memory
        self._limits: dict[str, Any] = {"max_nodes": max_nodes, "max_seconds": max_seconds, "max_memory": memory}
        if not isinstance(numbers, range) or numbers.step != 1 or not numbers:
            raise ValueError(f"the numbers are {numbers!r}: expected a range such as range(1, 1001)")
        for number in (numbers[0], numbers[-1]):
            check_number(number, self.rules)
        if moves not in ("none", "count", "text"):
            raise ValueError(f"moves is {moves!r}: expected 'none', 'count' or 'text'")
        if part_size < 1:
            raise ValueError(f"part_size is {part_size!r}: expected a positive number")
        if (about := _read_about(self.directory)) is not None:
            self._compare(about)

    @classmethod
    def open(cls, directory: str | os.PathLike[str]) -> Survey:
        """The survey that a directory holds, finished or not.

        Raises `SurveyError` if it holds none.
        """
        about = _read_about(Path(directory))
        if about is None:
            raise SurveyError(f"{directory} holds no survey: it has no file {_ABOUT}")
        return cls(
            directory,
            Rules(**about["rules"]),
            range(about["first"], about["last"] + 1),
            moves=about["moves"],
            part_size=about["part_size"],
            **about["limits"],
        )

    def __repr__(self) -> str:
        return f"<Survey of {self.rules.name} {self.numbers[0]}-{self.numbers[-1]} in {str(self.directory)!r}>"

    @property
    def is_complete(self) -> bool:
        """Whether all deals are done."""
        return all(self._path(part).exists() for part in self._parts())

    def run(
        self, *, threads: int | None = None, executor: Executor | None = None, progress: Progress | None = None
    ) -> None:
        """Decide the deals that are not done yet, with `threads` or an `executor` as `solve_many` takes them.

        `progress` is called about ten times a second with the counts of all verdicts so far.

        Raises `SurveyError` if another run is at work in the directory, if this version of the package does not search
        as the one that began the survey did, or if the directory has files of something else. OSError, of the disk
        that is full for instance, leaves whole files only.
        """
        import_pyarrow()
        self.directory.mkdir(parents=True, exist_ok=True)
        with locked(self.directory):
            self._prepare(executor)
            missing = [part for part in self._parts() if not self._path(part).exists()]
            done = self.counts() if progress and missing else dict.fromkeys(Verdict, 0)
            gather = _Gatherer(self._names(), done, progress)
            for stretch in _stretches(missing):
                solutions = solve_many(
                    range(stretch[0].start, stretch[-1].stop),
                    rules=self.rules,
                    moves=self.moves != "none",
                    threads=threads,
                    executor=executor,
                    **self._limits,
                )
                with closing(solutions):
                    for part in stretch:
                        self._write(part, gather(solutions, len(part)))

    def table(self, columns: Iterable[str] | None = None) -> pa.Table:
        """The deals that are done, by number, as a `pyarrow.Table` of all columns or of some."""
        pa, _ = import_pyarrow()
        names = self._names() if columns is None else list(columns)
        return pa.concat_tables([self._schema().empty_table().select(names), *self._tables(names)])

    def counts(self) -> dict[Verdict, int]:
        """How many deals have each verdict."""
        counts: Counter[str] = Counter()
        for table in self._tables(["verdict"]):
            count_values(counts, table["verdict"])
        return {verdict: counts[verdict] for verdict in Verdict}

    def summary(self) -> Summary:
        """The counts of what is done, the share that can be won, and quantiles of nodes, seconds and moves."""
        return summarize(self.rules, self.tallies())

    def tallies(self) -> Tallies:
        """How many deals have each verdict, number of nodes, of microseconds and of moves."""
        return tally(self._tables(["verdict", "nodes", "seconds", "moves"]))

    def digest(self) -> str:
        """The SHA-256 of all columns but `seconds`: equal for equal surveys, however they were run.

        It is that of the lines ``number,verdict,limit,nodes,moves``, with ``,solution`` where moves are kept as text;
        null is empty, each line ends with a line feed.
        """
        pa, _ = import_pyarrow()
        from pyarrow import csv

        options = csv.WriteOptions(include_header=False, quoting_style="none")
        digest = hashlib.sha256()
        for table in self._tables([name for name in self._names() if name != "seconds"]):
            sink = pa.BufferOutputStream()
            csv.write_csv(table, sink, options)
            digest.update(sink.getvalue())
        return digest.hexdigest()

    def plot(self) -> Figure:
        """A matplotlib figure: the share that can be won, the distributions of nodes and of moves.

        ``survey.plot().savefig("survey.png")`` writes a file. Needs matplotlib, which ``baker[plot]`` installs.
        """
        return plot([(self.rules, self.tallies())])

    # The files.

    def _parts(self) -> Iterator[range]:
        for first in range(0, len(self.numbers), self.part_size):
            yield self.numbers[first : first + self.part_size]

    def _path(self, part: range) -> Path:
        return self.directory / f"part-{part[0]:010}-{part[-1]:010}.parquet"

    def _tables(self, columns: list[str]) -> Iterator[Any]:
        _, pq = import_pyarrow()
        for part in self._parts():
            if (path := self._path(part)).exists():
                with reading(path):
                    table = pq.read_table(path, columns=columns, partitioning=None)
                yield table.replace_schema_metadata(None)

    def _about(self) -> dict[str, Any]:
        """What the survey is, as JSON has it."""
        return {
            "format": _FORMAT,
            "rules": _plain(self.rules),
            "first": self.numbers[0],
            "last": self.numbers[-1],
            "part_size": self.part_size,
            "moves": self.moves,
            "limits": dict(self._limits),
        }

    def _compare(self, about: dict[str, Any]) -> None:
        """Raise SurveyError with the first difference to a survey that is there."""
        ours = self._about()
        theirs: dict[str, Any] = {key: about.get(key) for key in ours}
        for one in (ours, theirs):
            one.update(one.pop("rules"), name=None)
            one.update(one.pop("limits"))
        for name, value in ours.items():
            if (there := theirs.get(name)) != value:
                raise SurveyError(
                    f"{self.directory} holds another survey: its {name} is {there!r}, not {value!r}; "
                    "expected the same or an empty directory"
                )

    def _prepare(self, executor: Executor | None) -> None:
        """See that what is in the directory can be gone on with, and that this survey is noted there."""
        _, pq = import_pyarrow()
        fingerprint = _fingerprint(self.rules, self.moves)
        about = _read_about(self.directory)
        if about is not None:
            self._compare(about)
            if about["fingerprint"] != fingerprint:
                raise SurveyError(
                    f"{self.directory} was begun by baker {about['version']}, whose searches take other ways than "
                    f"those of {installed_version()}: go on with that version, or in an empty directory"
                )
        if executor is not None and executor.submit(_fingerprint, self.rules, self.moves).result() != fingerprint:
            raise SurveyError(
                f"the executor's workers have another version of baker than {installed_version()}, which is here"
            )
        for rest in self.directory.glob(".part-*.tmp"):
            rest.unlink()
        parts = {self._path(part): len(part) for part in self._parts()} if about is not None else {}
        for path in self.directory.glob("*.parquet"):
            with reading(path):
                found = pq.read_metadata(path) if path in parts else None
            if found is None or found.num_rows != parts[path]:
                raise SurveyError(f"{path} is no part of the survey: expected a directory of its own")
        self._metadata = json.dumps(self._about() | {"fingerprint": fingerprint, "version": installed_version()})
        if about is None:
            store_file(self.directory / _ABOUT, self._metadata.encode())

    def _names(self) -> list[str]:
        names = ["number", "verdict", "limit", "nodes", "moves", "solution", "seconds"]
        return [name for name in names if name != "solution" or self.moves == "text"]

    def _schema(self) -> Any:
        pa, _ = import_pyarrow()
        types = {"verdict": pa.string(), "limit": pa.string(), "moves": pa.int32(), "solution": pa.string()}
        types |= {"number": pa.int64(), "nodes": pa.int64(), "seconds": pa.float64()}
        return pa.schema([(name, types[name]) for name in self._names()])

    def _write(self, part: range, columns: dict[str, list[Any]]) -> None:
        pa, pq = import_pyarrow()
        schema = self._schema().with_metadata({_KEY: self._metadata.encode()})
        sink = pa.BufferOutputStream()
        pq.write_table(pa.table({"number": part, **columns}, schema=schema), sink, compression="zstd")
        store_file(self._path(part), sink.getvalue())


_move_text = attrgetter("text")

# What the columns keep of a solution.  A deal has moves if and only if it is solved and they were asked for.
_KEPT: dict[str, Callable[[Solution], Any]] = {
    "verdict": attrgetter("verdict"),
    "limit": attrgetter("limit"),
    "nodes": attrgetter("nodes"),
    "moves": lambda solution: len(solution.moves) or None,
    "solution": lambda solution: " ".join(map(_move_text, solution.moves)) or None,
    "seconds": attrgetter("seconds"),
}


class _Gatherer:
    """Takes solutions apart into columns, counts their verdicts, and tells of them now and then."""

    def __init__(self, columns: Iterable[str], counts: dict[Verdict, int], progress: Progress | None) -> None:
        self.kept = {name: _KEPT[name] for name in columns if name in _KEPT}
        self.counts = counts
        self.progress = progress
        self.told = 0.0

    def __call__(self, solutions: Iterator[Solution], size: int) -> dict[str, list[Any]]:
        """The columns of so many solutions."""
        columns: dict[str, list[Any]] = {name: [] for name in self.kept}
        for first in range(0, size, _SOME):
            # Solutions that are let go of soon cost the garbage collector nothing.
            some = list(islice(solutions, min(_SOME, size - first)))
            for name, kept in self.kept.items():
                columns[name] += map(kept, some)
            for verdict, count in Counter(columns["verdict"][first:]).items():
                self.counts[verdict] += count
            if self.progress is not None and (now := time.monotonic()) - self.told > _PROGRESS_SECONDS:
                self.told = now
                self.progress(self.counts)
        return columns


def _stretches(parts: list[range]) -> Iterator[list[range]]:
    """The parts, those that follow on each other together."""
    stretch: list[range] = []
    for part in parts:
        if stretch and stretch[-1].stop != part.start:
            yield stretch
            stretch = []
        stretch.append(part)
    if stretch:
        yield stretch


def _fingerprint(rules: Rules, moves: Moves) -> list[int]:
    """What some deals take: different if another version searches in another way."""
    solutions = list(solve_many(_FIXED_SET, rules=rules, moves=moves != "none", threads=1, max_nodes=_FIXED_NODES))
    return [sum(solution.nodes for solution in solutions), sum(len(solution.moves) for solution in solutions)]


def _plain(rules: Rules) -> dict[str, Any]:
    """The rules as JSON has them."""
    return dict(json.loads(json.dumps(dataclasses.asdict(rules))))


def _read_about(directory: Path) -> dict[str, Any] | None:
    path = directory / _ABOUT
    try:
        about = json.loads(path.read_bytes())
        found = about["format"]
        # With the rules that have come since then.
        about["rules"] = _plain(Rules(**about["rules"]))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SurveyError(f"{path} cannot be read: {error.strerror}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise SurveyError(f"{path} cannot be read: {error!r}") from None
    if found != _FORMAT:
        raise SurveyError(f"{path} has format {found!r}: this version of baker reads format {_FORMAT}")
    return dict(about)
