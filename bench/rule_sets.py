"""The games that are measured, by the names under which the figures are shown."""

from __future__ import annotations

from baker import Rules, games

RULE_SETS: dict[str, Rules] = {
    "bakers_game": games["bakers_game"],
    "bakers_game_3_cells": games["bakers_game"].replace(cells=3),
    "bakers_game_5_cells": games["bakers_game"].replace(cells=5),
    "kings_only_bakers_game": games["kings_only_bakers_game"],
    "seahaven_towers": games["seahaven_towers"],
    "eight_off": games["eight_off"],
    "freecell": games["freecell"],
}
