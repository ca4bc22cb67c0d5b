"""baker games."""

import json
import re

from command_line import Capture, run

from baker import Rules, games


def test_games(capsys: Capture) -> None:
    code, lines, err = run(capsys, "games")
    assert (code, err) == (0, "")
    end = lines.index("")
    head, *rows = (re.split("  +", line) for line in lines[:end])
    notes = dict(line.split(": ") for line in lines[end + 1 :])
    assert head == ["name", "columns", "cells", "build", "fill", "group", "can be won", "engine"]
    assert [row[0] for row in rows] == list(games)
    table = {row[0]: row[1:] for row in rows}
    assert table["bakers_game"] == ["4x7 + 4x6", "4", "same_suit", "any", "full", "75.01 %", "same suit"]
    assert table["freecell"][-2:] == ["99.999 %", "alternate colour"]
    assert [table[name][-1] for name in ("good_measure", "spanish_patience")] == ["no cells", "general"]
    assert "bakers_game" not in notes
    assert notes["eight_off"] == "cards dealt to cells a c e g"
    assert notes["good_measure"] == "kings dealt down, 2 aces dealt home"
    assert max(map(len, lines)) <= 120


def test_games_as_json(capsys: Capture) -> None:
    _, lines, _ = run(capsys, "games", "--json")
    found = [json.loads(line) for line in lines]
    assert [game["name"] for game in found] == list(games)
    for game in found:
        assert Rules(**game) == games[game["name"]]
