"""Surveys: many deals decided into a directory of Parquet files, over as many runs as it takes."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from typing import TYPE_CHECKING, Any

from baker.batch import solve_many
from baker.rules import Rules, rules_of
from baker.solver import Limits, Verdict, read_limits
from baker.surveys.description import (
    DESCRIPTION,
    Description,
    Moves,
    describe,
    fingerprint,
    make_settings,
    read_description,
    write_selection,
)
from baker.surveys.gatherer import Gatherer, Progress, gaps, pieces, telling
from baker.surveys.parts import column_names, import_pyarrow, make_schema, read_part, write_part
from baker.surveys.plots import plot
from baker.surveys.selection import Kind, Selection, select
from baker.surveys.store import (
    SurveyError,
    list_parts,
    locked,
    no_part,
    part_path,
    printable,
    remove_temporary_files,
    store_file,
    survey_directory,
)
from baker.surveys.summary import Summary, Tallies, count_values, summarize, tally
from baker.version import installed_version

if TYPE_CHECKING:
    import pyarrow as pa
    from matplotlib.figure import Figure


class Survey:
    """Deals of one rule set and what is known about them, in a directory.

    `run` decides the deals and writes a Parquet file for each `part_size` of them. It can be interrupted or killed at
    any time: the next run, with the same arguments or on what `Survey.open` returns, goes on behind the last whole
    file. Nothing is written before.

    >>> survey = Survey("seahaven", "seahaven_towers", range(1, 1_000_001))  # doctest: +SKIP
    >>> survey.run()  # doctest: +SKIP
    >>> print(survey.summary().share)  # doctest: +SKIP

    The deals are Microsoft `numbers` or `seeds` as `Deal.random` takes them, which decks of fewer ranks need: a range
    or a list of them. A range that contains that of the survey in the directory, or a list that begins with its
    numbers, extends it: what is done stays.

    The columns are `number` (or the seed), `verdict`, `limit` (what left the deal undecided), `nodes`, `moves` (how
    many; null unless solved), `solution` (the moves themselves, ``6a 5b 78``) and `seconds`. `moves` says what is kept
    of the moves: their ``"count"``, their ``"text"`` too, or ``"none"``, which is fastest. The limits are those of each
    deal. All columns but `seconds` are the same whatever the number of threads, the executor and the interruptions
    were, unless `max_seconds` limits the searches.

    Surveys need pyarrow, which the extra ``baker[survey]`` installs. All that is read is checked: damaged files and
    those of something else raise `SurveyError` with the name of the file. A survey may be read, from other threads
    too, while it runs; a second run is refused.

    Raises `RulesError`, `DealError` or ValueError if the rules, the numbers or an option are wrong, `SurveyError` with
    the difference if the directory holds another survey.
    """

    def __init__(
        self,
        directory: str | os.PathLike[str],
        rules: Rules | str,
        numbers: range | Sequence[int] | None = None,
        *,
        seeds: range | Sequence[int] | None = None,
        moves: Moves = "count",
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        max_memory: int | None = None,
        limits: Limits | None = None,
        part_size: int = 10_000,
    ) -> None:
        if (numbers is None) == (seeds is None):
            raise ValueError("expected either numbers or seeds")
        kind: Kind = "microsoft" if seeds is None else "seeds"
        self.directory = survey_directory(directory)
        self.rules = rules_of(rules)
        self._settings = make_settings(
            self.rules, kind, part_size, moves, read_limits(max_nodes, max_seconds, max_memory, limits)
        )
        self._selection = select(kind, numbers if seeds is None else seeds, self.rules)
        self._noted()

    @classmethod
    def open(cls, directory: str | os.PathLike[str]) -> Survey:
        """The survey that a directory holds, finished or not.

        Raises `SurveyError` if it holds none.
        """
        found = read_description(survey_directory(directory))
        if found is None:
            raise SurveyError(f"{printable(directory)} holds no survey: it has no file {DESCRIPTION}")
        survey = object.__new__(cls)
        survey.directory = survey_directory(directory)
        survey._settings, survey._selection = found[0].settings, found[1]
        survey.rules = survey._settings.rules
        return survey

    def __repr__(self) -> str:
        return f"<Survey of {self.rules.name} {self._selection} in {str(self.directory)!r}>"

    @property
    def numbers(self) -> range | tuple[int, ...] | None:
        """The Microsoft numbers of the deals; None if they are dealt by seeds."""
        return self._selection.values if self._settings.kind == "microsoft" else None

    @property
    def seeds(self) -> range | tuple[int, ...] | None:
        """The seeds of the deals; None if they have Microsoft numbers."""
        return self._selection.values if self._settings.kind == "seeds" else None

    @property
    def deals(self) -> str:
        """Which deals they are, in words: ``1-1000``, ``seeds 1-1000`` or ``12 numbers``."""
        return str(self._selection)

    @property
    def total(self) -> int:
        """How many deals the survey has, done or not."""
        return self._selection.size

    @property
    def moves(self) -> Moves:
        """What is kept of the moves: ``"none"``, ``"count"`` or ``"text"``."""
        return self._settings.moves

    @property
    def part_size(self) -> int:
        """How many deals a file has at most."""
        return self._settings.part_size

    @property
    def is_complete(self) -> bool:
        """Whether all deals are done."""
        return sum(map(len, self._contents()[1])) == self.total

    def run(
        self,
        *,
        threads: int | None = None,
        executor: Executor | None = None,
        progress: Progress | bool | None = None,
    ) -> None:
        """Decide the deals that are not done yet, with `threads` or an `executor` as `solve_many` takes them.

        `progress` is called about ten times a second with the counts of all verdicts so far; True shows a bar, for
        which ``baker[progress]`` is needed.

        Raises `SurveyError` if another run is at work in the directory, if this version of the package does not search
        as the one that began the survey did, or if the directory has files of something else or damaged ones. OSError,
        of the disk that is full for instance, leaves whole files only.
        """
        import_pyarrow()
        self.directory.mkdir(parents=True, exist_ok=True)
        with locked(self.directory), telling(progress, self.total) as tell:
            description = self._prepare(executor)
            gatherer = Gatherer(self.moves, self.counts(), tell)
            for gap in gaps(self._selection.places, self._contents()[1]):
                solutions = solve_many(
                    self._selection.deals(gap, self.rules),
                    rules=self.rules,
                    moves=self.moves != "none",
                    threads=threads,
                    executor=executor,
                    **self._settings.limits,
                )
                with closing(solutions):
                    for places in pieces(gap, self.part_size):
                        columns = {"number": self._selection.at(places), **gatherer.take(solutions, len(places))}
                        store_file(self._path(places), write_part(description, places, columns))

    def table(self, columns: Iterable[str] | None = None) -> pa.Table:
        """The deals that are done, in their order, as a `pyarrow.Table` of all columns or of some."""
        pa, _, _ = import_pyarrow()
        names = column_names(self._settings) if columns is None else list(columns)
        return pa.concat_tables([make_schema(self._settings).empty_table().select(names), *self._tables(names)])

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
        pa, _, _ = import_pyarrow()
        from pyarrow import csv

        options = csv.WriteOptions(include_header=False, quoting_style="none")
        digest = hashlib.sha256()
        for table in self._tables([name for name in column_names(self._settings) if name != "seconds"]):
            sink = pa.BufferOutputStream()
            csv.write_csv(table, sink, options)
            digest.update(sink.getvalue())
        return digest.hexdigest()

    def plot(self) -> Figure:
        """A matplotlib figure: the share that can be won, the distributions of nodes and of moves.

        ``survey.plot().savefig("survey.png")`` writes a file. Needs matplotlib, which ``baker[plot]`` installs.
        """
        return plot([(self.rules, self.tallies())])

    # What is in the directory.

    def _path(self, places: range) -> Any:
        return part_path(self.directory, places, self._width)

    @property
    def _width(self) -> int:
        """How many digits the numbers in the names of files have."""
        return 10 if self._settings.kind == "microsoft" else 20

    def _noted(self) -> tuple[Description, Selection] | None:
        """What the directory says that it holds, which must be this survey or a smaller one; None if nothing."""
        found = read_description(self.directory)
        if found is None:
            return None
        description, selection = found
        difference = description.settings.difference(self._settings)
        if difference is None and not self._selection.holds(selection):
            difference = f"its deals are {selection}, which are not among {self._selection}"
        if difference is not None:
            raise SurveyError(
                f"{printable(self.directory)} holds another survey: {printable(difference)}; "
                "expected the same, a smaller one to be extended, or an empty directory"
            )
        return found

    def _contents(self) -> tuple[tuple[Description, Selection] | None, list[range]]:
        """What the directory says that it holds, and the places of the deals that are done."""
        # In this order: the description of a survey that is being extended is there before its files.
        parts = list_parts(self.directory, self._width)
        noted = self._noted()
        places = self._selection.places
        for part in parts:
            if noted is None or len(part) > self.part_size or part[0] not in places or part[-1] not in places:
                raise no_part(self._path(part), f"expected at most {self.part_size} of {self.deals}")
        return noted, parts

    def _tables(self, columns: Sequence[str]) -> Iterator[Any]:
        import_pyarrow()
        noted, parts = self._contents()
        if noted is not None:
            description, _ = noted
            for places in parts:
                yield read_part(self._path(places), description, places, self._selection.at(places), columns)

    def _prepare(self, executor: Executor | None) -> Description:
        """See that what is in the directory can be gone on with, and that this survey is noted there."""
        ours = describe(self._settings)
        noted, _ = self._contents()
        begun, selection = noted or (ours, None)
        if begun.fingerprint != ours.fingerprint:
            raise SurveyError(
                f"{printable(self.directory)} was begun by baker {printable(begun.version)}, whose searches take other "
                f"ways than those of {installed_version()}: go on with that version, or in an empty directory"
            )
        if executor is not None:
            theirs = executor.submit(fingerprint, self.rules, self.moves).result()
            if theirs != ours.fingerprint:
                raise SurveyError(
                    f"the executor's workers have another version of baker than {installed_version()}, which is here"
                )
        remove_temporary_files(self.directory)
        if selection != self._selection:
            store_file(self.directory / DESCRIPTION, begun.to_json(write_selection(self._selection)))
        return begun
