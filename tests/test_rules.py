"""Rules as values: what can be dealt and what not, games by name, rules as a text."""

import copy
import dataclasses
import itertools
import pickle
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strange import Alias, Forged, Index, Liar

import baker
from baker import Build, Fill, Group, Rules, RulesError, games
from baker.rules import read_changes, rules_of

EIGHT = (7, 7, 7, 7, 6, 6, 6, 6)
# name: columns, cells, filled, build, fill, group, kings down, aces out
TABLE: dict[str, tuple[object, ...]] = {
    "bakers_game": (EIGHT, 4, (), "same_suit", "any", "full", False, 0),
    "kings_only_bakers_game": (EIGHT, 4, (), "same_suit", "kings", "full", False, 0),
    "relaxed_bakers_game": (EIGHT, 4, (), "same_suit", "any", "unlimited", False, 0),
    "freecell": (EIGHT, 4, (), "alternate_color", "any", "full", False, 0),
    "eight_off": ((6,) * 8, 8, (0, 2, 4, 6), "same_suit", "kings", "full", False, 0),
    "seahaven_towers": ((5,) * 10, 4, (1, 2), "same_suit", "kings", "full", False, 0),
    "penguin": ((7,) * 7, 7, (), "same_suit", "kings", "unlimited", False, 0),
    "fore_cell": ((6,) * 8, 4, (0, 1, 2, 3), "alternate_color", "kings", "full", False, 0),
    "same_suit_fore_cell": ((6,) * 8, 4, (0, 1, 2, 3), "same_suit", "kings", "full", False, 0),
    "bakers_dozen": ((4,) * 13, 0, (), "any_suit", "none", "single", True, 0),
    "portuguese_solitaire": ((4,) * 13, 0, (), "any_suit", "kings", "single", False, 0),
    "bakers_dozen_different_suit": ((4,) * 13, 0, (), "different_suit", "none", "single", True, 0),
    "good_measure": ((5,) * 10, 0, (), "any_suit", "none", "single", True, 2),
    "spanish_patience": ((4,) * 13, 0, (), "any_suit", "any", "single", False, 0),
    "castles_of_spain": ((4,) * 13, 0, (), "alternate_color", "any", "single", False, 0),
}


def test_named_games() -> None:
    values = {
        name: (r.columns, r.cells, r.filled, r.build, r.fill, r.group, r.kings_down, r.aces_out)
        for name, r in games.items()
    }
    assert values == TABLE
    assert [name for name, game in games.items() if game.beak] == ["penguin"]
    assert {game.ranks for game in games.values()} == {13}
    assert all(name == game.name for name, game in games.items())


def test_the_games_cannot_be_changed() -> None:
    with pytest.raises(TypeError):
        games["bakers_game"] = games["freecell"]  # type: ignore[index]
    with pytest.raises(dataclasses.FrozenInstanceError):
        games["bakers_game"].cells = 5  # type: ignore[misc]


def test_no_two_names_have_the_same_rules() -> None:
    assert len(set(games.values())) == len(TABLE)


def test_equal_if_the_rules_are() -> None:
    bakers_game = games["bakers_game"]
    other = Rules(name="other", columns=EIGHT, cells=4)
    assert other == bakers_game
    assert hash(other) == hash(bakers_game)
    for changes in ({"cells": 3}, {"fill": "kings"}, {"build": "any_suit"}, {"group": "cells"}, {"kings_down": True}):
        assert bakers_game.replace(**changes) != bakers_game


def test_replace() -> None:
    variant = games["bakers_game"].replace(cells=3)
    assert (variant.name, variant.cells, variant.columns) == ("bakers_game", 3, EIGHT)
    assert variant.replace(cells=4) == games["bakers_game"]
    with pytest.raises(TypeError, match="colour"):
        variant.replace(colour=1)


def test_whole_numbers_of_other_types_are_taken_by_value() -> None:
    columns = (Index(n) for n in (5,) * 10)
    rules = Rules(name="x", columns=columns, cells=Index(4), filled=map(Index, [1, 2]), fill="kings", ranks=Index(13))
    assert rules == games["seahaven_towers"]
    assert {type(number) for number in (*rules.columns, *rules.filled, rules.cells, rules.ranks)} == {int}
    assert games["bakers_game"].replace(cells=Index(3)) == games["bakers_game"].replace(cells=3)
    assert games["bakers_game"].replace(columns=range(6, 8), ranks=4, aces_out=3).columns == (6, 7)


def test_integers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    rules = games["bakers_game"].replace(columns=numpy.array([26, 26]), cells=numpy.int64(3))
    assert rules == games["bakers_game"].replace(columns=(26, 26), cells=3)
    assert repr(rules) == "Rules(name='bakers_game', columns=(26, 26), cells=3)"
    for wrong in (numpy.float64(3), numpy.True_):
        with pytest.raises(RulesError, match="cells is "):
            rules.replace(cells=wrong)


def test_subclasses_of_int_and_str_are_taken_for_what_they_are() -> None:
    with pytest.raises(RulesError, match="cells is 9"):
        games["bakers_game"].replace(cells=Liar(9))
    with pytest.raises(RulesError, match="cells is a value of type int: expected a whole number, 0 to 8"):
        games["bakers_game"].replace(cells=10**5000)
    rules = games["bakers_game"].replace(group=Alias("full"))
    assert rules.group is Group.FULL
    assert rules_of(Alias("freecell")) is games["freecell"]


def test_choices_by_value_and_sequences_as_lists() -> None:
    rules = Rules(name="x", columns=[7, 7, 6], filled=[], build="any_suit", fill="none", group="cells", ranks=5)
    assert rules.columns == (7, 7, 6)
    assert (rules.build, rules.fill, rules.group) == (Build.ANY_SUIT, Fill.NONE, Group.CELLS)
    assert type(rules.build) is Build
    assert rules == Rules(name="y", columns=(7, 7, 6), build=Build.ANY_SUIT, fill=Fill.NONE, group=Group.CELLS, ranks=5)


@pytest.mark.parametrize("rules", [*games.values(), Rules(name="it's", columns=(4, 3, 0), aces_out=1, ranks=2)])
def test_text_and_copies(rules: Rules) -> None:
    pickled = [pickle.loads(pickle.dumps(rules, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for twin in (eval(repr(rules)), *pickled):
        assert dataclasses.asdict(twin) == dataclasses.asdict(rules)
        assert type(twin.build) is Build
    assert copy.copy(rules) is rules is copy.deepcopy(rules)


def test_pickles_are_checked() -> None:
    relaxed = games["relaxed_bakers_game"]
    make, values = relaxed.__reduce__()
    (arguments,) = cast(tuple[dict[str, object]], values)
    # A text in place of a member was taken for another group by whoever compares with `is`.
    twin = pickle.loads(pickle.dumps(Forged(make, ({**arguments, "group": Alias("full")},))))
    assert (twin.group, twin == relaxed) == (Group.FULL, False)
    with pytest.raises(RulesError, match="cells is 64"):
        pickle.loads(pickle.dumps(Forged(make, ({**arguments, "cells": 64},))))
    for state in ((None, {"group": "full"}), {"group": "full"}, ["name", (52,)]):
        with pytest.raises(TypeError, match="rules are immutable"):
            pickle.loads(pickle.dumps(Forged(make, (arguments,), state)))


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"columns": (7,) * 8}, "56 cards in the columns, 0 in the cells and 0 on the foundations make 56: exp"),
        ({"columns": (3,) * 17}, "the number of columns is 17: expected a whole number, 1 to 16"),
        ({"columns": ()}, "the number of columns is 0"),
        ({"columns": (53, -1)}, "a column of the deal is 53"),
        ({"columns": (-1, 40, 13)}, "a column of the deal is -1"),
        ({"columns": 52}, "columns is 52: expected whole numbers"),
        ({"columns": "7777666"}, "columns is '7777666'"),
        ({"columns": (26.0, 26.0)}, "columns is "),
        ({"columns": (True, 51)}, "columns is "),
        ({"columns": b"\x1a\x1a"}, "columns is "),
        ({"columns": itertools.repeat(3)}, "the number of columns is 17"),
        ({"columns": None}, "columns is None"),
        ({"cells": 9}, "cells is 9: expected a whole number, 0 to 8"),
        ({"cells": -1}, "cells is -1"),
        ({"cells": "4"}, "cells is '4'"),
        ({"cells": True}, "cells is True"),
        ({"columns": (26, 25), "filled": (4,)}, "filled names cell 4: the game has 4 cells"),
        ({"columns": (26, 25), "filled": (-1,)}, "filled names cell -1"),
        ({"columns": (26, 24), "filled": (1, 1)}, r"filled names a cell twice: \(1, 1\)"),
        ({"filled": (0,)}, "52 cards in the columns, 1 in the cells and 0 on the foundations make 53"),
        ({"aces_out": 1}, "1 on the foundations make 53"),
        ({"aces_out": 5}, "aces_out is 5: expected a whole number, 0 to 4"),
        ({"ranks": 0}, "ranks is 0"),
        ({"ranks": 14}, "ranks is 14: expected a whole number, 1 to 13"),
        ({"ranks": 12}, "make 52: expected 48, the whole deck"),
        ({"build": "same suit"}, "build is 'same suit': expected one of same_suit, alternate_color, any_suit, diff"),
        ({"build": 0}, "build is 0"),
        ({"fill": "queens"}, "fill is 'queens': expected one of any, kings, none"),
        ({"fill": None}, "fill is None"),
        ({"group": []}, r"group is \[\]: expected one of single, cells, full, unlimited"),
        ({"kings_down": 1}, "kings_down is 1: expected True or False"),
        ({"beak": 1}, "beak is 1: expected True or False"),
        ({"beak": True}, "3 on the foundations make 55"),
        ({"beak": True, "aces_out": 1}, "a beak puts three aces out itself"),
        ({"name": ""}, "name is ''"),
        ({"name": None}, "name is None"),
    ],
)
def test_what_cannot_be_dealt_is_refused_with_the_reason(changes: dict[str, Any], reason: str) -> None:
    with pytest.raises(RulesError, match=reason):
        games["bakers_game"].replace(**changes)


def test_small_decks_down_to_one_rank() -> None:
    assert Rules(name="aces", columns=(0,), aces_out=4, ranks=1).columns == (0,)
    assert Rules(name="wide", columns=(1,) * 16, ranks=4).ranks == 4


def test_rules_of_a_name() -> None:
    assert rules_of("eight_off") is games["eight_off"]
    variant = games["eight_off"].replace(fill="any")
    assert rules_of(variant) is variant
    with pytest.raises(TypeError, match="not int"):
        rules_of(3)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("FreeCell", "freecell"),
        ("EIGHT_OFF", "eight_off"),
        ("Baker's Game", "bakers_game"),
        ("Baker\u2019s Dozen", "bakers_dozen"),
        ("seahaven-towers", "seahaven_towers"),
        (" castles of  Spain\n", "castles_of_spain"),
    ],
)
def test_names_as_people_write_them(text: str, name: str) -> None:
    assert rules_of(text) is games[name]


@pytest.mark.parametrize(
    ("name", "guess"),
    [("bakers_gane", "bakers_game"), ("seehaven", "seahaven_towers"), ("Fourcell", "fore_cell")],
)
def test_an_unknown_name_gets_the_closest_one(name: str, guess: str) -> None:
    with pytest.raises(RulesError, match=f"unknown game '{name}': did you mean '{guess}'\\? known are bakers_game, "):
        rules_of(name)


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        # Freecell Solver
        ("bakers_dozen", "bakers_dozen"),
        ("bakers_game", "bakers_game"),
        ("eight_off", "eight_off"),
        ("forecell", "fore_cell"),
        ("freecell", "freecell"),
        ("good_measure", "good_measure"),
        ("ko_bakers_game", "kings_only_bakers_game"),
        ("kings_only_bakers_game", "kings_only_bakers_game"),
        ("seahaven", "seahaven_towers"),
        ("seahaven_towers", "seahaven_towers"),
        # PySol FC
        ("Baker's Game", "bakers_game"),
        ("King Only Baker's Game", "kings_only_bakers_game"),
        ("FreeCell", "freecell"),
        ("ForeCell", "fore_cell"),
        ("Eight Off", "eight_off"),
        ("Seahaven Towers", "seahaven_towers"),
        ("Penguin", "penguin"),
        ("Baker\u2019s Dozen", "bakers_dozen"),
        ("Good Measure", "good_measure"),
        ("Spanish Patience", "spanish_patience"),
        ("Castles in Spain", "castles_of_spain"),
        ("Portuguese Solitaire", "portuguese_solitaire"),
        # Solvitaire
        ("free-cell", "freecell"),
        ("bakers-game", "bakers_game"),
        ("bakers-dozen", "bakers_dozen"),
        ("eight-off", "eight_off"),
        ("fore-cell", "fore_cell"),
        ("fore-cell-same-suit", "same_suit_fore_cell"),
        ("seahaven-towers", "seahaven_towers"),
        ("spanish-patience", "spanish_patience"),
        ("castles-of-spain", "castles_of_spain"),
        # and how people write them
        ("eightoff", "eight_off"),
        (" BAKERS  GAME\n", "bakers_game"),
        ("bakers_dozen_kings_fill", "portuguese_solitaire"),
    ],
)
def test_names_that_other_programs_use(name: str, canonical: str) -> None:
    assert rules_of(name) is games[canonical]


@pytest.mark.parametrize(
    ("name", "base", "changes"),
    [
        ("relaxed_freecell", "freecell", {"group": "unlimited"}),
        ("Relaxed FreeCell", "freecell", {"group": "unlimited"}),
        ("relaxed_seahaven", "seahaven_towers", {"group": "unlimited"}),
        ("eight-off-any-card-spaces", "eight_off", {"fill": "any"}),
        ("free-cell-3-cell", "freecell", {"cells": 3}),
        ("free-cell-7-pile", "freecell", {"columns": (8, 8, 8, 7, 7, 7, 7)}),
    ],
)
def test_games_of_other_programs_that_have_no_name_here(name: str, base: str, changes: dict[str, Any]) -> None:
    rules = rules_of(name)
    assert rules == games[base].replace(**changes) != games[base]
    assert rules.name not in games
    assert rules_of(rules.name) is rules


@pytest.mark.parametrize("name", ["klondike", "double_freecell", "relaxed_bakers_dozen", "simple_simon", "fan"])
def test_an_unknown_game_is_not_taken_for_another_one(name: str) -> None:
    with pytest.raises(RulesError, match=f"unknown game '{name}': known are "):
        rules_of(name)


@pytest.mark.parametrize("name", ["", "xyzzy", "\0\n", pytest.param("Q" * 10**6, id="megabyte")])
def test_an_unknown_name_gets_the_known_ones(name: str) -> None:
    with pytest.raises(RulesError, match="unknown game '.*: known are .*, castles_of_spain$") as caught:
        rules_of(name)
    assert len(str(caught.value)) < 500


CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "build": st.sampled_from(Build),
        "fill": st.sampled_from(Fill),
        "group": st.sampled_from(Group),
        "kings_down": st.booleans(),
    },
)


@given(st.sampled_from(list(games.values())), CHANGES, st.integers(0, 4))
def test_rules_go_through_their_text(game: Rules, changes: dict[str, Any], more_cells: int) -> None:
    rules = game.replace(cells=min(8, game.cells + more_cells), **changes)
    text = rules.format()
    assert Rules.parse(text) == rules
    assert Rules.parse(text.upper()) == rules
    assert (text in games) == (rules in games.values())


@pytest.mark.parametrize(
    ("rules", "text"),
    [
        (rules_of("bakers_dozen_kings_fill"), "portuguese_solitaire"),
        (games["bakers_game"].replace(name="mine", cells=3), "bakers_game cells=3"),
        (games["bakers_game"].replace(build="alternate_color"), "freecell"),
        (games["freecell"].replace(cells=3, fill="kings"), "freecell cells=3 fill=kings"),
        (
            games["eight_off"].replace(columns=(7, 7, 7, 7, 6, 6, 6, 6), filled=()),
            "eight_off columns=7,7,7,7,6,6,6,6 filled=none",
        ),
        (games["penguin"].replace(columns=(13,) * 4, beak=False), "penguin columns=13,13,13,13 beak=no"),
        (
            Rules(name="tiny", columns=(5, 4), aces_out=3, ranks=3),
            "bakers_game columns=5,4 cells=0 aces_out=3 ranks=3",
        ),
    ],
)
def test_text_of_rules(rules: Rules, text: str) -> None:
    assert rules.format() == text
    assert Rules.parse(text) == rules


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("Eight Off cells=8", "eight_off"),
        ("bakers_game columns=4x7,4x6", "bakers_game"),
        ("bakers_game KINGS_DOWN=No  Build=Same_Suit", "bakers_game"),
        ("bakers_game columns=6x8 filled=0,2,1,3", "bakers_game columns=8,8,8,8,8,8 filled=0,2,1,3"),
    ],
)
def test_texts_of_the_same_rules(text: str, same: str) -> None:
    assert Rules.parse(text) == Rules.parse(same)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "unknown game ''"),
        ("cells=3", "unknown game ''"),
        (
            "cells=3 bakers_game",
            "'cells=3 bakers_game' names no game: expected a name and rules, such as bakers_game cells=3",
        ),
        ("bakers_game cell=3", "no rule is called 'cell': did you mean 'cells'\\? known are columns, cells, filled, "),
        ("bakers_game name=x", "no rule is called 'name': known are "),
        ("bakers_game cells=", "cells is '': expected a whole number"),
        ("bakers_game cells=-1", "cells is '-1': expected a whole number"),
        (f"bakers_game cells={'9' * 5000}", "cells is '99999999999999999999'...: expected a whole number"),
        ("bakers_game cells=9", "cells is 9: expected a whole number, 0 to 8"),
        ("bakers_game cells=3 cells=3", "cells is set twice"),
        ("bakers_game fill=king", "fill is 'king': expected one of any, kings, none"),
        ("bakers_game columns=4*7", "columns is '4\\*7': expected whole numbers such as 7,7,6, or none"),
        ("bakers_game columns=7,,7", "columns is '7,,7': expected whole numbers"),
        ("bakers_game columns=99x99,99x99", "the number of columns is 198: expected a whole number, 1 to 16"),
        ("bakers_game beak=maybe", "beak is 'maybe': expected yes or no"),
    ],
)
def test_what_is_no_text_of_rules(text: str, reason: str) -> None:
    with pytest.raises(RulesError, match=reason) as caught:
        Rules.parse(text)
    assert len(str(caught.value)) < 500


def test_a_rule_without_a_value() -> None:
    with pytest.raises(RulesError, match="fill has no value: expected one after =, such as fill=any"):
        read_changes(["fill"])


def test_every_error_is_a_value_error() -> None:
    for error in (baker.CardError, baker.RulesError, baker.DealError):
        assert issubclass(error, ValueError)
