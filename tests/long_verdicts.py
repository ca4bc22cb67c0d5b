"""Verdicts of the package against those of the judge in C, over a grid of reduced and nearly full decks.

    python tests/long_verdicts.py --decks 200000 --processes 2 --seed 1

prints a table; the exit code is 1 if there was any disagreement.  Every solution is replayed by the judge.
"""

import argparse
import itertools
import multiprocessing
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from judge import reference
from judge.boards import arrange, random_play, shuffled_deck
from judge.compiled import BUILDS, FILLS, CompiledJudge
from judge.convert import to_deal, to_rules
from judge.reference import Position, Rules

import baker

Decide = Callable[[Position, Rules, int], bool | None]

GROUPS = ("single", "cells", "full", "unlimited")


@dataclass(frozen=True)
class Cell:
    """One cell of a grid: decks of one size under one rule set, and how far the judge may search."""

    rules: Rules
    limit: int

    def __str__(self) -> str:
        rules = self.rules
        size = f"{rules.ranks}x{len(rules.columns)}x{rules.cells}"
        filled = f" ({len(rules.filled)} filled)" if rules.filled else ""
        kings = " kings down" if rules.kings_down else ""
        return f"{rules.build} {rules.fill} {rules.group} {size}{filled}{kings}"


def cell(
    ranks: int,
    columns: int,
    cells: int,
    filled: int = 0,
    build: str = "same_suit",
    fill: str = "any",
    group: str = "full",
    kings_down: bool = False,
    limit: int = 200_000,
) -> Cell:
    dealt = tuple(len(range(column, 4 * ranks - filled, columns)) for column in range(columns))
    filled_cells = tuple(range(filled))
    rules = Rules(dealt, cells, filled_cells, build=build, fill=fill, group=group, kings_down=kings_down, ranks=ranks)
    return Cell(rules, limit)


def same_suit_grid() -> Iterator[Cell]:
    sizes = itertools.product(range(4, 8), range(3, 7), range(5), ("any", "kings", "none"))
    for ranks, columns, cells, fill in sizes:
        for filled in sorted({0, (cells + 1) // 2, cells}):
            yield cell(ranks, columns, cells, filled, fill=fill)


def whole_runs_grid() -> Iterator[Cell]:
    """Same-suit games in which kings fill columns and runs move whole, as in Penguin."""
    for ranks, columns, cells in itertools.product(range(4, 9), range(3, 8), range(4)):
        for filled in sorted({0, cells}):
            yield cell(ranks, columns, cells, filled, fill="kings", group="unlimited", limit=400_000)


def alternate_color_grid() -> Iterator[Cell]:
    sizes = itertools.product(range(4, 8), range(3, 7), range(4), FILLS, GROUPS[:3])
    for ranks, columns, cells, fill, group in sizes:
        for filled in sorted({0, cells}):
            yield cell(ranks, columns, cells, filled, build="alternate_color", fill=fill, group=group)


def no_cells_grid() -> Iterator[Cell]:
    """The rule sets of Baker's Dozen and its kin, on decks that the judge can mostly finish."""
    sizes = itertools.product(range(5, 9), range(4, 7), BUILDS, ("none", "kings"), (False, True))
    for ranks, columns, build, fill, kings_down in sizes:
        if build != "same_suit" or fill == "none":
            yield cell(ranks, columns, 0, build=build, fill=fill, group="single", kings_down=kings_down, limit=400_000)


def other_rules_grid() -> Iterator[Cell]:
    """All rule sets but the plain same-suit ones, on decks that a plain search can handle."""
    for build, fill, group in itertools.product(BUILDS, FILLS, GROUPS):
        if build == "same_suit" and group != "unlimited":
            continue
        for ranks, columns, cells, filled in ((3, 2, 0, 0), (3, 3, 1, 0), (4, 3, 1, 1), (4, 4, 0, 0), (4, 4, 1, 0)):
            yield cell(ranks, columns, cells, filled, limit=100_000, build=build, fill=fill, group=group)
        if fill != "any":
            yield cell(5, 5, 0, limit=100_000, build=build, fill=fill, group=group)


NEAR_FULL = (
    (13, 8, 1),
    (13, 10, 1),
    (11, 8, 2),
    (10, 7, 2),
    (9, 7, 0),
    (9, 7, 1),
    (8, 8, 0),
    (8, 6, 1),
    (7, 6, 0),
    (5, 5, 0),
    (13, 14, 0),
    (12, 8, 3),
    (13, 8, 2),
    (13, 8, 3),
    (13, 8, 4),
)


def nearly_full_grid() -> Iterator[Cell]:
    for (ranks, columns, cells), fill in itertools.product(NEAR_FULL, ("any", "kings")):
        yield cell(ranks, columns, cells, fill=fill, limit=3_000_000)
    for columns, cells, filled in ((10, 4, 2), (8, 4, 4), (8, 6, 4)):
        yield cell(13, columns, cells, filled, fill="kings", limit=3_000_000)
    for ranks, columns, cells in ((13, 7, 4), (13, 7, 5), (13, 7, 7), (11, 6, 3), (10, 6, 2), (9, 6, 1), (9, 5, 3)):
        yield cell(ranks, columns, cells, fill="kings", group="unlimited", limit=3_000_000)


GRIDS = {
    "same_suit": tuple(same_suit_grid()),
    "whole_runs": tuple(whole_runs_grid()),
    "alternate_color": tuple(alternate_color_grid()),
    "no_cells": tuple(no_cells_grid()),
    "other_rules": tuple(other_rules_grid()),
    "nearly_full": tuple(nearly_full_grid()),
}


def draw_position(rules: Rules, rng: random.Random) -> Position:
    """A deal, what random play made of it, or a board full of runs."""
    kind = rng.choice(("deal", "deal", "play", "arrangement"))
    if kind == "arrangement":
        return arrange(rules, rng)
    board = reference.deal(shuffled_deck(rules.ranks, rng.getrandbits(32)), rules)
    return random_play(board, rules, rng.randint(1, 40), rng, homeward=True) if kind == "play" else board


def compare(board: Position, rules: Rules, decide: Decide, limit: int) -> str:
    """What came of one board: won, lost, undecided (by the judge), or a line that says what is wrong."""
    deal = to_deal(board, to_rules(rules))
    solution = baker.solve(deal)
    verdict_alone = baker.solve(deal, moves=False)
    if solution.verdict != verdict_alone.verdict:
        return f"WRONG {solution.verdict} with moves, {verdict_alone.verdict} without"
    if solution.verdict not in ("solved", "impossible"):
        return f"WRONG {solution.verdict} though there was no limit"
    if solution.verdict == "solved":
        try:
            reference.replay(board, rules, [move.to_json() for move in solution.moves])
        except reference.ReplayError as error:
            return f"WRONG solution: {error}"
        return "won"  # a solution that replays is its own proof
    if solution.moves or verdict_alone.moves:
        return "WRONG moves without a win"
    verdict = decide(board, rules, limit)
    if verdict is None:
        return "undecided"
    return "lost" if verdict is False else "WRONG impossible, but the judge wins"


def run(cells: tuple[Cell, ...], seed: str, decide: Decide) -> tuple[Cell, str, Position]:
    """One deck of a grid; a seed always draws the same."""
    rng = random.Random(seed)
    drawn = rng.choice(cells)
    board = draw_position(drawn.rules, rng)
    return drawn, compare(board, drawn.rules, decide, drawn.limit), board


@cache
def judge() -> CompiledJudge:
    """One for each process."""
    return CompiledJudge()


def run_many(task: tuple[str, list[str]]) -> tuple[Counter[tuple[str, str]], list[str]]:
    grid, seeds = task
    outcomes: Counter[tuple[str, str]] = Counter()
    wrong = []
    for seed in seeds:
        drawn, outcome, board = run(GRIDS[grid], seed, judge().decide)
        if outcome.startswith("WRONG"):
            wrong.append(f"grid {grid} seed {seed}: {drawn}: {outcome}\n{reference.board_text(board)}")
            outcome = "WRONG"
        outcomes[str(drawn), outcome] += 1
    return outcomes, wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--decks", type=int, default=200_000, help="how many decks of each grid (default: %(default)s)")
    parser.add_argument("--nearly-full", type=int, help="how many of the nearly full grid (default: a tenth)")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--grid", choices=GRIDS, action="append", help="only this grid (may be repeated)")
    arguments = parser.parse_args()

    tasks = []
    for grid in arguments.grid or GRIDS:
        decks = arguments.decks
        if grid == "nearly_full":
            decks = decks // 10 if arguments.nearly_full is None else arguments.nearly_full
        seeds = [f"{grid}/{arguments.seed}/{number}" for number in range(decks)]
        size = 20 if grid == "nearly_full" else 200
        tasks += [(grid, seeds[first : first + size]) for first in range(0, decks, size)]

    total: Counter[tuple[str, str]] = Counter()
    disagreements = 0
    with multiprocessing.Pool(arguments.processes) as pool:
        for done, (outcomes, wrong) in enumerate(pool.imap_unordered(run_many, tasks), 1):
            total += outcomes
            disagreements += len(wrong)
            for line in wrong:
                print(line, flush=True)
            if sys.stderr.isatty():
                print(f"\r{done} of {len(tasks)}", end="", file=sys.stderr, flush=True)
    print_table(total)
    return 1 if disagreements else 0


def print_table(outcomes: Counter[tuple[str, str]]) -> None:
    rows: dict[str, Counter[str]] = defaultdict(Counter)
    for (name, outcome), count in outcomes.items():
        rows[name][outcome] += count
        rows["all"][outcome] += count
    print(
        f"{'build, fill, group, ranks x columns x cells':56}{'decks':>9}{'won':>9}{'lost':>9}{'judge undecided':>17}"
        f"{'disagreements':>15}"
    )
    names = [str(cell) for grid in GRIDS.values() for cell in grid]
    for name in [*filter(rows.__contains__, names), "all"]:
        print_row(name, rows[name])


def print_row(name: str, row: Counter[str]) -> None:
    print(f"{name:56}{row.total():>9}{row['won']:>9}{row['lost']:>9}{row['undecided']:>17}{row['WRONG']:>15}")


if __name__ == "__main__":
    sys.exit(main())
