"""baker games."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterator
from itertools import groupby

from baker.cli.command import Command
from baker.cli.exit_codes import ALL_DECIDED
from baker.cli.output import print_table
from baker.engines.choice import ENGINES, engine_for
from baker.places import Place
from baker.rules import GAMES, Rules

_DESCRIPTION = """\
List the games that have a name, and their rules. How many deals can be won was counted by deciding a million Microsoft
deals of each game, ten million of Baker's Game. The engine is what decides it; all are exact. In every game a card that
is on its foundation stays there.
"""
_EPILOG = """\
rules, for --set RULE=VALUE of other commands:
  columns     how many cards are dealt to each column: 7,7,7,6 or 3x7,6
  cells       how many cells there are, 0 to 8
  filled      the cells, counted from 0, that the last cards fill: 0,2 or none
  build       which card goes on which, always one rank lower: same_suit,
              alternate_color, any_suit or different_suit
  fill        which card goes into an empty column: any, kings or none
  group       how many cards of a run one move carries: single, cells (as many
              as there are free cells, and one), full (as many as could be
              moved one by one) or unlimited
  kings_down  whether kings are dealt to the bottom of their columns: yes or no
  aces_out    how many aces start on the foundations, 0 to 4
  beak        whether the first card dealt names the rank that comes first, its
              other three cards being on the foundations: yes or no
  ranks       how many ranks the deck has, 1 to 13
"""
# From docs/winnability.md.
_SHARES = {
    "bakers_game": "75.01 %",
    "kings_only_bakers_game": "31.98 %",
    "relaxed_bakers_game": "91.72 %",
    "freecell": "99.999 %",
    "eight_off": "99.88 %",
    "seahaven_towers": "89.30 %",
    "penguin": "99.88 %",
    "fore_cell": "85.61 %",
    "same_suit_fore_cell": "10.53 %",
    "bakers_dozen": "99.72 %",
    "portuguese_solitaire": "99.79 %",
    "bakers_dozen_different_suit": "99.18 %",
    "good_measure": "93.83 %",
    "spanish_patience": "99.86 %",
    "castles_of_spain": "94.85 %",
}


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")


def _run(arguments: argparse.Namespace) -> int:
    if arguments.json:
        for rules in GAMES.values():
            print(json.dumps(dataclasses.asdict(rules)))
        return ALL_DECIDED
    rows = [("name", "columns", "cells", "build", "fill", "group", "can be won", "engine")]
    rows += [
        (
            name,
            " + ".join([f"{len(list(columns))}x{cards}" for cards, columns in groupby(rules.columns)]),
            str(rules.cells),
            rules.build,
            rules.fill,
            rules.group,
            _SHARES[rules.name],
            ENGINES[engine_for(rules)],
        )
        for name, rules in GAMES.items()
    ]
    print_table(rows, left=len(rows[0]))
    print()
    for name, rules in GAMES.items():
        if notes := ", ".join(_notes(rules)):
            print(f"{name}: {notes}")
    return ALL_DECIDED


COMMAND = Command(
    name="games",
    summary="list the games and their rules",
    description=_DESCRIPTION,
    operands="",
    about_operands="",
    add_options=_add_options,
    epilog=_EPILOG,
    run=_run,
)


def _notes(rules: Rules) -> Iterator[str]:
    if rules.filled:
        yield f"cards dealt to cells {' '.join([str(Place.cell(cell)) for cell in rules.filled])}"
    if rules.kings_down:
        yield "kings dealt down"
    if rules.beak:
        yield "the rank of the first card dealt goes home first, its other three cards start on the foundations"
    if rules.aces_out:
        yield f"{rules.aces_out} aces dealt home"
