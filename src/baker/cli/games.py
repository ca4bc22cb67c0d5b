"""baker games."""

from __future__ import annotations

import argparse
import dataclasses
import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from baker.cli.exit_codes import ALL_DECIDED
from baker.cli.options import new_command
from baker.cli.output import print_table
from baker.moves import FIRST_CELL, place_name
from baker.rules import GAMES, Rules
from baker.solver import ENGINES, engine_for

_GAMES = """\
List the games that have a name, and their rules: the columns and the cards dealt to each, the cells, which card is
built on which (always one rank lower), which card fills an empty column, and how many cards of a run one move carries:
a single one, as many as there are free cells and one (cells), as many as could be moved one by one (full), or
any number (unlimited). How many deals can be won was counted by deciding a million Microsoft deals of each game, ten
million of Baker's Game. The engine is what decides it; all are exact.
"""

# From docs/winnability.md.
_SHARES = {
    "bakers_game": "75.01 %",
    "kings_only_bakers_game": "31.98 %",
    "relaxed_bakers_game": "91.72 %",
    "freecell": "99.999 %",
    "eight_off": "99.88 %",
    "seahaven_towers": "89.30 %",
    "penguin": "98.30 %",
    "fore_cell": "85.61 %",
    "same_suit_fore_cell": "10.53 %",
    "bakers_dozen": "99.72 %",
    "portuguese_solitaire": "99.79 %",
    "bakers_dozen_different_suit": "99.18 %",
    "good_measure": "93.83 %",
    "spanish_patience": "99.86 %",
    "castles_of_spain": "94.85 %",
}


def add_command(commands: Any) -> None:
    command = new_command(commands, _games, name="games", help="list the games", description=_GAMES)
    command.add_argument("--json", action="store_true", help="print one JSON object a line")


def _games(arguments: argparse.Namespace) -> int:
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


def _notes(rules: Rules) -> Iterator[str]:
    if rules.filled:
        yield f"cards dealt to cells {' '.join([place_name(FIRST_CELL + cell) for cell in rules.filled])}"
    if rules.kings_down:
        yield "kings dealt down"
    if rules.beak:
        yield "the rank of the first card dealt is renamed to ace, its other three cards start on the foundations"
    if rules.aces_out:
        yield f"{rules.aces_out} aces dealt home"
