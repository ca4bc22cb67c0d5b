"""Moves: their notation, their JSON, and that nothing makes one that cannot be or changes one."""

import copy
import dataclasses
import json
import pickle
from typing import Any

import pytest
from strange import Forged, Index, Liar

from baker import Deal, Game, IllegalMoveError, InvalidMoveError, Move, Place, solve
from baker.moves import move_of, read_move
from baker.places import FIRST_CELL, PLACES

MOVES = [
    (Move(1, 5), "26", ["t1", "t5", 1]),
    (Move(1, 5, 3), "26x3", ["t1", "t5", 3]),
    (Move(2, 16), "3a", ["t2", "c0", 1]),
    (Move(22, 4), "g5", ["c6", "t4", 1]),
    (Move(23, 24), "ih", ["c7", "f", 1]),
    (Move(3, 24), "4h", ["t3", "f", 1]),
    (Move(8, 0), "91", ["t8", "t0", 1]),
    (Move(9, 2), "10-3", ["t9", "t2", 1]),
    (Move(2, 15, 12), "3-16x12", ["t2", "t15", 12]),
    (Move(11, 24), "12-h", ["t11", "f", 1]),
    (Move(16, 9), "a-10", ["c0", "t9", 1]),
]


@pytest.mark.parametrize(("move", "text", "fields"), MOVES)
def test_text_and_json(move: Move, text: str, fields: list[str | int]) -> None:
    assert str(move) == move.text == text
    assert read_move(text) == [(move.source, move.target, move.count if move.count > 1 else None)]
    assert move.to_json() == fields
    assert Move.from_json(json.loads(json.dumps(fields))) == move
    assert eval(repr(move)) == move


@pytest.mark.parametrize("fields", [None, "26", [], ["t1", "t2"], ["t1", "t16", 1], ["c8", "f", 1], ["t1", "t2", "1"],
                                    ["t1", "t2", 0], ["t1", "t2", 53], ["1", "2", 1], {"t1": 1}, ["t1", "t2", True],
                                    ["t1", "t2", 1.0], ["t1", "t2", 10**5000], [["t1"], "t2", 1]])  # fmt: skip
def test_json_that_is_no_move(fields: object) -> None:
    with pytest.raises(ValueError, match="expected a list such as"):
        Move.from_json(fields)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ((-1, 2, 1), "source is -1: expected a place, 0 to 24"),
        ((1, 25, 1), "target is 25: expected a place, 0 to 24"),
        ((25, 1, 1), "source is 25"),
        ((1, 2, 0), "count is 0: expected 1 to 52 cards"),
        ((1, 2, 53), "count is 53"),
        ((2**70, 1, 1), "source is 1180591620717411303424"),
        ((10**5000, 1, 1), "source is a value of type int"),
        ((Liar(25), 1, 1), "source is 25"),
    ],
)
def test_moves_that_cannot_be(fields: tuple[int, int, int], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Move(*fields)


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        (("5", 16), "source is '5': expected a whole number"),
        ((0.5, 1), "source is 0.5"),
        ((1, float("nan")), "target is nan"),
        ((1, True), "target is True"),
        ((1, 2, None), "count is None"),
    ],
)
def test_moves_of_what_is_no_number(fields: tuple[Any, ...], reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        Move(*fields)


def test_whole_numbers_of_other_types_are_taken_by_value() -> None:
    for move in (Move(Index(5), Index(16), Index(1)), Move(Liar(5), Liar(16), Liar(1))):
        assert move == Move(5, 16)
        assert str(move) == "6a"
        assert [type(value) for value in dataclasses.astuple(move)] == [Place, Place, int]


def test_integers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    for kind in (numpy.int64, numpy.uint8):
        move = Move(kind(5), kind(16), kind(1))
        assert move == Move(5, 16)
        assert type(move.source) is Place
    with pytest.raises(TypeError, match="source is "):
        Move(numpy.True_, 16)
    with pytest.raises(TypeError, match="source is "):
        Move(numpy.float64(5), 16)


def test_a_move_has_three_fields() -> None:
    move = Move(1, 5, 3)
    assert dataclasses.asdict(move) == {"source": 1, "target": 5, "count": 3}
    assert Move(**dataclasses.asdict(move)) == move
    assert dataclasses.replace(move, count=2) == Move(1, 5, 2)
    match move:
        case Move(source, target, count):
            assert (source, target, count) == (1, 5, 3)


def test_widths() -> None:
    assert f"{Move(1, 5):<6}|{Move(1, 5, 3):>6}|{Move(9, 16)}" == "26    |  26x3|10-a"


@pytest.mark.parametrize("name", ["source", "count", "code", "text", "other"])
def test_moves_do_not_change(name: str) -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(Move(1, 5), name, 2)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_copies(protocol: int) -> None:
    for move, _, _ in MOVES:
        twin = pickle.loads(pickle.dumps(move, protocol))
        assert (twin, twin.text, twin.code) == (move, move.text, move.code)
        assert copy.copy(move) is move is copy.deepcopy(move)


def test_nothing_changes_the_moves_that_solutions_share() -> None:
    move = solve(Deal.microsoft(617)).moves[0]
    assert move is move_of(move.code)
    # A pickle may call a class again, call `__init__`, or set a state.
    move.__init__(7, 7)  # type: ignore[misc]
    with pytest.raises(dataclasses.FrozenInstanceError):
        pickle.loads(pickle.dumps(Forged(shared_move, (move.code,), (None, {"source": 7}))))
    assert not hasattr(move, "__setstate__")
    assert str(move) == "6a"
    assert (move.source, move.target, move.count) == (5, 16, 1)


def shared_move(code: int) -> Move:
    return move_of(code)


def test_names_of_places() -> None:
    names = list(map(str, PLACES))
    assert names[:FIRST_CELL] == [str(column) for column in range(1, 17)]
    assert "".join(names[FIRST_CELL:]) == "abcdefgih"


@pytest.mark.parametrize("text", ["", "2", "02", "2j", "10", "10-17", "26x0", "26x", "٢٦", "2" * 10**6])
def test_texts_that_are_no_moves(text: str) -> None:
    with pytest.raises(InvalidMoveError, match="is not a move: expected one such as 26"):
        read_move(text)


def test_places_explain_themselves() -> None:
    places = [Place(number) for number in range(25)]
    assert [place for place in places if place.is_column] == [Place.column(number) for number in range(16)]
    assert [place for place in places if place.is_cell] == [Place.cell(number) for number in range(8)]
    assert [place for place in places if place.is_foundations] == [Place.FOUNDATIONS]
    for place in places:
        assert Place(str(place)) is Place(str(place).upper()) is Place(int(place)) is place
        assert eval(repr(place)) is place
        assert pickle.loads(pickle.dumps(place)) is copy.copy(place) is copy.deepcopy(place) is place
        assert f"{place:>3}" == str(place).rjust(3)
        assert json.dumps(place) == str(int(place))


@pytest.mark.parametrize("place", ["", "0", "17", "j", "k", "ab", "1 ", 25, -1, 2**80])
def test_no_such_place(place: str | int) -> None:
    with pytest.raises(ValueError, match="place is"):
        Place(place)
    for number in (-1, 16, 2**80):
        with pytest.raises(ValueError, match="column is"):
            Place.column(number)
        with pytest.raises(ValueError, match="cell is"):
            Place.cell(number)


def test_moves_are_parsed_without_a_game() -> None:
    for move in (Move(1, 5), Move(1, 5, 3), Move(23, 24), Move(9, 16), Move(15, 9, 12)):
        assert Move.parse(str(move)) == eval(repr(move)) == move
    assert (Move.parse("5h").is_home, Move.parse("5a").is_home) == (True, False)
    for text in ("112", "26x53", "26v40", "62 "[:1]):
        with pytest.raises(InvalidMoveError):
            Move.parse(text)


def test_errors_of_moves_have_attributes() -> None:
    game = Game(Deal.microsoft(617))
    with pytest.raises(IllegalMoveError) as caught:
        game.push("64")
    error = pickle.loads(pickle.dumps(caught.value))
    assert (error.text, error.move, str(error)) == ("64", Move(5, 3), str(caught.value))
    assert error.reason.startswith("6C does not go on 4H")
    with pytest.raises(InvalidMoveError, match="is not a move"):
        game.push("64 or so")
