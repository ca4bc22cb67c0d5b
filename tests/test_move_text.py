"""Moves as other programs write them."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from baker import Deal, Game, IllegalMoveError, InvalidMoveError, Move, Rules, games
from baker.moves import read_move

RECORDED = {
    heading: moves.split()
    for heading, _, moves in (
        line.partition(": ")
        for line in (Path(__file__).parent / "data/fc_solve_solutions.txt").read_text().splitlines()[1:]
    )
}
FC_SOLVE = shutil.which("fc-solve")
needs_fc_solve = pytest.mark.skipif(FC_SOLVE is None, reason="needs fc-solve (Debian: apt install freecell-solver-bin)")


def replay(deal: Deal, moves: list[str], *, supermoves: bool = False) -> Game:
    game = Game(deal)
    for text in moves:
        game.push(game.parse_move(text, supermoves=supermoves))
    return game


def solve_with_fc_solve(deal: Deal, name: str, *options: str) -> list[str]:
    """The moves of its solution, one a text; none if it finds none."""
    assert FC_SOLVE is not None
    command = [FC_SOLVE, "-g", name, "-mi", "200000", *options, "-m"]
    output = subprocess.run(command, input=deal.format() + "\n", capture_output=True, text=True, check=True).stdout
    solution, solved, _ = output.partition("This game is solveable")
    if "-snx" in options:
        return solution.split()[1:] if solved else []
    return [line for line in solution.splitlines() if line.startswith("Move")] if solved else []


def test_recorded_solutions_of_fc_solve_win() -> None:
    assert [int(heading.split()[1]) for heading in RECORDED if heading.startswith("freecell ")] == [*range(1, 101)]
    for heading, moves in RECORDED.items():
        name, number = heading.split()
        assert replay(Deal.microsoft(int(number), name), moves).is_won, heading
    # Every form that is special to it occurs.
    texts = {text for moves in RECORDED.values() for text in moves}
    for form in (r"..v[2-9a-d]", "k[1-8h]", "[1-8]k", "10[1-9]", "[1-9]10", "[a-d]10", "10[a-d]", "10h"):
        assert any(re.fullmatch(form, text) for text in texts), form


@needs_fc_solve
@pytest.mark.parametrize(
    ("name", "alien", "preset", "solved"),
    [
        ("freecell", "freecell", "as", 20),
        ("bakers_game", "bakers_game", "as", 15),
        ("kings_only_bakers_game", "ko_bakers_game", "as", 3),
        ("eight_off", "eight_off", "eo", 20),
        ("seahaven_towers", "seahaven", "eo", 15),
        ("fore_cell", "forecell", "as", 10),
    ],
)
def test_solutions_of_fc_solve_win(name: str, alien: str, preset: str, solved: int) -> None:
    found = 0
    for number in range(101, 121):
        deal = Deal.microsoft(number, name)
        moves = solve_with_fc_solve(deal, alien, "-l", preset, "-snx")
        if moves:
            found += 1
            assert replay(deal, moves).is_won
    assert found >= solved
    moves = solve_with_fc_solve(Deal.microsoft(1, "freecell"), "freecell", "-l", "as")
    assert replay(Deal.microsoft(1, "freecell"), moves).is_won


TWELVE = Rules(name="twelve", columns=(12, *[4] * 10, 0), cells=8, build="any_suit")


@pytest.mark.parametrize(
    ("text", "readings"),
    [
        ("26", [(1, 5, None)]),
        ("23v5", [(1, 2, 5)]),
        ("23va", [(1, 2, 10)]),
        ("23x10", [(1, 2, 10)]),
        ("23v1f", [(1, 2, 31)]),
        ("10-3vd", [(9, 2, 13)]),
        ("k1", [(23, 0, None)]),
        ("i1", [(23, 0, None)]),
        ("1-k", [(0, 23, None)]),
        ("d10", [(19, 9, None)]),
        ("10h", [(9, 24, None)]),
        ("10k", [(9, 23, None)]),
        ("1010", [(9, 9, None)]),
        ("110", [(0, 9, None)]),
        ("103", [(9, 2, None)]),
        ("112", [(0, 11, None), (10, 1, None)]),
        ("112v2", [(0, 11, 2), (10, 1, 2)]),
        ("1612", [(15, 11, None)]),
        ("Move a card from stack 6 to freecell 0", [(6, 16, 1)]),
        ("Move 2 cards from stack 6 to stack 10", [(6, 10, 2)]),
        ("Move 1 cards from stack 1 to stack 0", [(1, 0, 1)]),
        ("Move a card from freecell 7 to the foundations", [(23, 24, 1)]),
    ],
)
def test_what_a_text_may_mean(text: str, readings: list[tuple[int, int, int | None]]) -> None:
    assert read_move(text) == readings
    assert read_move(f" {text.upper()}\n") == readings


@pytest.mark.parametrize(
    "text",
    [
        *("1", "170", "23v", "23v0", "23vg", "23x5v5", "01", "j1", "1j", "0h", "1-0", "12345", "1--2", "-12"),
        "Move a card from stack 16 to freecell 0",
        "Move a card from stack 0 to freecell 8",
        "Move the sequence on top of Stack 1 to the foundations",
    ],
)
def test_texts_that_are_no_moves(text: str) -> None:
    with pytest.raises(InvalidMoveError, match="is not a move: expected one such as 26"):
        read_move(text)


def test_what_is_legal_decides() -> None:
    columns = ["TS", "KC", *[""] * 7, "QS", "JS", "KS"]
    game = Game(Deal(columns, foundations=(12, 13, 13, 9), rules=TWELVE))
    assert str(game.parse_move("111")) == "1-11"
    with pytest.raises(IllegalMoveError, match="'112': as 1-12x3 column 1 has only 1 of 3 cards, and as 11-2x2 column"):
        game.parse_move("112")
    columns[1], columns[11] = columns[11], columns[1]
    columns[2:4] = ["KS", "KC"]
    columns[1] = columns[11] = ""
    game = Game(Deal(columns, foundations=(12, 13, 13, 9), rules=TWELVE))
    with pytest.raises(InvalidMoveError, match="'112' is unclear: 1-12 and 11-2 are both legal, expected one of them"):
        game.push("112")
    assert game.push("11-2") == Move(10, 1)
    assert game.push("112") == Move(0, 11)


def test_a_move_into_an_empty_column_is_one_card_or_as_many_as_can_go() -> None:
    board = "\n".join(["Foundations: C-K D-K H-K S-8", "Freecells: 9S", ": KS QS JS TS", *[":"] * 7])
    game = Game(Deal.parse(board, "bakers_game"))
    assert game.parse_move("12") == Move(0, 1)
    assert game.parse_move("12", supermoves=True) == Move(0, 1, 4)
    assert game.parse_move("12v3", supermoves=True) == Move(0, 1, 3)
    game.push("ah")
    assert game.parse_move("1h", supermoves=True) == Move(0, 24)
    kings = Game(Deal.parse(board, "kings_only_bakers_game"))
    assert kings.parse_move("12", supermoves=True) == Move(0, 1, 4)
    tight = Game(Deal.parse(board.replace("QS JS TS", "QS TS").replace("9S", "9S JS"), games["bakers_game"]))
    assert tight.parse_move("12", supermoves=True) == Move(0, 1)
