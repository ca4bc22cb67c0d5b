"""Solutions taken apart into columns, and how far a run is."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from baker.solver import Solution, Verdict
from baker.surveys.description import Moves

if TYPE_CHECKING:
    from tqdm import tqdm

Progress = Callable[[Mapping[Verdict, int]], object]

_PROGRESS_SECONDS = 0.1
# Solutions that are taken at a time.
_SOME = 32

_move_text = attrgetter("text")


def _none(_: Solution) -> None:
    return None


def _count(solution: Solution) -> int | None:
    return len(solution.moves) if solution.verdict is Verdict.SOLVED else None


def _text(solution: Solution) -> str | None:
    return " ".join(map(_move_text, solution.moves)) if solution.verdict is Verdict.SOLVED else None


class Gatherer:
    """Takes solutions apart into columns, counts their verdicts, and tells of them now and then."""

    def __init__(self, moves: Moves, counts: dict[Verdict, int], progress: Progress | None) -> None:
        self._kept: dict[str, Callable[[Solution], Any]] = {
            "verdict": attrgetter("verdict"),
            "limit": attrgetter("limit"),
            "nodes": attrgetter("nodes"),
            "moves": _none if moves == "none" else _count,
            "seconds": attrgetter("seconds"),
        }
        if moves == "text":
            self._kept["solution"] = _text
        self._counts = counts
        self._progress = progress
        self._told = 0.0

    def take(self, solutions: Iterator[Solution], size: int) -> dict[str, list[Any]]:
        """The columns of the next `size` solutions."""
        columns: dict[str, list[Any]] = {name: [] for name in self._kept}
        for first in range(0, size, _SOME):
            # Solutions that are let go of soon cost the garbage collector nothing.
            some = list(islice(solutions, min(_SOME, size - first)))
            for name, kept in self._kept.items():
                columns[name] += map(kept, some)
            for verdict, count in Counter(columns["verdict"][first:]).items():
                self._counts[verdict] += count
            if self._progress is not None and (now := time.monotonic()) - self._told > _PROGRESS_SECONDS:
                self._told = now
                self._progress(self._counts)
        return columns


@contextmanager
def _progress_bar(total: int) -> Iterator[Progress]:
    """Shows how far a survey is, on standard error.  Raises ImportError if tqdm is not installed."""
    try:
        from tqdm import tqdm
    except ImportError:
        raise ImportError("a progress bar needs tqdm: pip install 'baker[progress]'") from None
    bar: tqdm[Any] | None = None

    def show(counts: Mapping[Verdict, int]) -> None:
        nonlocal bar
        done = sum(counts.values())
        if bar is None:
            # What was done before says nothing about the speed of now.
            bar = tqdm(total=total, initial=done, unit=" deals", leave=False)
        bar.set_postfix_str(f"{counts[Verdict.SOLVED] / done:.2%} won", refresh=False)
        bar.update(done - bar.n)

    try:
        yield show
    finally:
        if bar is not None:
            bar.close()


@contextmanager
def telling(progress: Progress | bool | None, total: int) -> Iterator[Progress | None]:
    """The function to be called with the counts: the one that is given, that of a bar for True, or none."""
    if progress is True:
        with _progress_bar(total) as show:
            yield show
    else:
        yield progress or None


def gaps(places: range, done: Iterable[range]) -> Iterator[range]:
    """What the ranges that are done, in order, leave of the places."""
    start = places.start
    for part in done:
        if start < part.start:
            yield range(start, part.start)
        start = part.stop
    if start < places.stop:
        yield range(start, places.stop)


def pieces(places: range, size: int) -> Iterator[range]:
    """The places, at most `size` at a time."""
    for first in range(places.start, places.stop, size):
        yield range(first, min(first + size, places.stop))
