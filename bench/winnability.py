"""Surveys of every game that has a name, and the table of them in docs/winnability.md.

Each game is a survey in a directory of its own, which `baker report` reads too; what is there is gone on with.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path

from tables import table
from tqdm import tqdm

from baker import Rules, Survey, Verdict, games

# With other numbers of cells than usual, by the name of the directory.
VARIANTS: dict[str, Rules] = {
    **{f"bakers_game_{cells}_cells": games["bakers_game"].replace(cells=cells) for cells in (1, 2, 3, 5, 6, 7)},
    **{f"freecell_{cells}_cells": games["freecell"].replace(cells=cells) for cells in (0, 1, 2, 3)},
}
DEALS = 1_000_000
# More where that takes minutes, fewer where a million would take hours.
OTHER_DEALS = {"bakers_game": 10_000_000, "freecell_1_cells": 100_000, "freecell_2_cells": 100_000}

# C. Blake and I. P. Gent, "The Winnability of Klondike Solitaire and Many Other Patience Games": random deals.
# J. Bryan: Baker's Game with other numbers of cells, a million deals of each.
PUBLISHED = {
    "bakers_game": "75.053 ± 0.028 % (B, G); 7,501,119 of the same deals (T. Pringle)",
    "freecell": "the same eight deals are impossible",
    "eight_off": "99.8805 ± 0.0022 % (B, G)",
    "seahaven_towers": "89.332 ± 0.020 % (B, G)",
    "fore_cell": "85.617 ± 0.024 % (B, G)",
    "same_suit_fore_cell": "10.564 ± 0.020 % (B, G)",
    "spanish_patience": "99.863 ± 0.003 % (B, G; with moves back from the foundations)",
    "bakers_game_1_cells": "0.18 % (Bryan)",
    "bakers_game_2_cells": "4.26 % (Bryan)",
    "bakers_game_3_cells": "28.9 % (Bryan)",
    "bakers_game_5_cells": "97.94 % (Bryan)",
    "bakers_game_6_cells": "99.985 % (Bryan)",
    "bakers_game_7_cells": "100 % (Bryan)",
    "freecell_0_cells": "0.2137 % (B, G)",
    "freecell_1_cells": "19.348 % (B, G)",
    "freecell_2_cells": "79.544 % (B, G)",
    "freecell_3_cells": "99.3583 % (B, G)",
}
TITLES = (
    *("game", "deals", "solved", "impossible", "undecided", "can be won", "95 % interval"),
    *("moves", "ms a deal", "published"),
)


def main() -> None:
    rule_sets = {**games, **VARIANTS}
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=Path, help="where the surveys are")
    parser.add_argument("--games", nargs="+", choices=rule_sets, default=list(rule_sets), metavar="GAME",
                        help=f"some of {', '.join(rule_sets)} (default: all)")  # fmt: skip
    parser.add_argument("--deals", type=int, help=f"so many of each ({DEALS:,}, more or fewer of a few)")
    parser.add_argument("--threads", type=int, help="one for each processor if it is not given")
    parser.add_argument("--report", action="store_true", help="decide nothing, show what is there")
    arguments = parser.parse_args()
    rows = []
    for name in arguments.games:
        directory = arguments.directory / name
        if arguments.report and not directory.exists():
            continue
        deals = arguments.deals or OTHER_DEALS.get(name, DEALS)
        survey = Survey.open(directory) if arguments.report else Survey(directory, rule_sets[name], range(1, deals + 1))
        if not survey.is_complete and not arguments.report:
            with tqdm(total=deals, desc=name, leave=False) as bar:
                survey.run(threads=arguments.threads, progress=partial(show, bar))
        rows.append(row(name, survey))
    print(table(TITLES, rows))


def show(bar: tqdm[None], counts: Mapping[Verdict, int]) -> None:
    bar.update(sum(counts.values()) - bar.n)


def row(name: str, survey: Survey) -> tuple[str, ...]:
    summary = survey.summary()
    return (
        f"`{name}`" if name in games else name.replace("_", " ").replace(" 1 cells", " 1 cell"),
        f"{summary.deals:,}",
        f"{summary.solved:,}",
        f"{summary.impossible:,}",
        f"{summary.undecided:,}",
        # One number if nothing is undecided.
        percent(dict.fromkeys(summary.share)),
        percent(summary.interval),
        f"{summary.moves.median:.0f}" if summary.moves else "",
        f"{1000 * summary.seconds.mean:.3f}" if summary.seconds else "",
        PUBLISHED.get(name, "none known to us"),
    )


def percent(shares: Iterable[float]) -> str:
    return f"{' to '.join(f'{100 * share:.4f}' for share in shares)} %"


if __name__ == "__main__":
    main()
