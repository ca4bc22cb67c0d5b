"""Games: playing, taking back, what moves look like, and why they are refused."""

import copy
import pickle
import random
from collections.abc import Iterator
from typing import Any, cast

import pytest
from strange import Forged

from baker import Card, Deal, DealError
from baker.game import Game, LegalMoves, perft
from baker.moves import IllegalMoveError, InvalidMoveError, Move
from baker.rules import GAMES, Build, Fill, Group, Rules

BAKERS = GAMES["bakers_game"]


def game_of(
    columns: list[str],
    cells: list[str | None],
    home: str,
    build: Build = Build.SAME_SUIT,
    fill: Fill = Fill.ANY,
    group: Group = Group.FULL,
    ranks: int = 13,
) -> Game:
    """A game in progress with as many columns and cells as are given."""
    dealt = (4 * ranks, *[0] * (len(columns) - 1))
    rules = Rules(name="test", columns=dealt, cells=len(cells), build=build, fill=fill, group=group, ranks=ranks)
    foundations = ["0A23456789TJQK".index(rank) for rank in home]
    return Game(Deal(columns, cells, foundations, rules))


def played(name: str, number: int, moves: int) -> Game:
    """A named game some random moves on."""
    rng = random.Random(number)
    game = Game(Deal.microsoft(number, name))
    while len(game.history) < moves and game.legal_moves:
        game.push(rng.choice(tuple(game.legal_moves)))
    return game


def games_played(moves: int = 25) -> Iterator[Game]:
    """Games of every name in progress; those in which the deal leaves no move are passed over."""
    games = (played(name, number, moves) for name in GAMES for number in (1, 2, 3))
    return (game for game in games if game.history)


# Moves as text


def test_text_of_every_legal_move_is_read_back() -> None:
    for game in games_played():
        for move in game.legal_moves:
            assert game.parse_move(str(move)) == move
            assert game.parse_move(f"  {str(move).upper()}\n".replace("X", "x")) == move
            assert Move.from_json(move.to_json()) == move


def test_text_with_needless_hyphen_or_count() -> None:
    game = Game(Deal.microsoft(1))
    assert game.parse_move("1-a") == game.parse_move("1ax1") == game.parse_move("1a")


def test_moves_without_a_count() -> None:
    # Onto a card only one count fits; into an empty column one card goes unless the text says more.
    game = some_game()
    assert game.parse_move("34") == Move(2, 3, 4)
    assert game.parse_move("36") == Move(2, 5)
    assert game.parse_move("36x2") == Move(2, 5, 2)


# Illegal moves


def some_game(build: Build = Build.SAME_SUIT, fill: Fill = Fill.ANY, group: Group = Group.FULL) -> Game:
    """Runs, an empty column, a card in a cell."""
    columns = ["KS KH KD QS QH QD JS JH JD TS TH TD", "KC QC JC", "9C 8C 7C 6C", "TC", "9S 9H 9D 8S 8H 8D", ""]
    return game_of(columns, ["5C", None], "4777", build, fill, group)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "'' is not a move"),
        ("2", "'2' is not a move"),
        ("02", "'02' is not a move"),
        ("2j", "'2j' is not a move"),
        ("10", "'10' is not a move"),
        ("10-17", "'10-17' is not a move"),
        ("26x0", "'26x0' is not a move"),
        ("26x", "'26x' is not a move"),
        ("11x53", "the deck has no 53 cards"),
        ("٢٦", "is not a move"),
        ("2" * 10**6, r"'22222222222222222222'\.\.\. is not a move"),
        ("72", "there is no column 7, the last one is 6"),
        ("2c", "there is no cell c, the last one is b"),
        ("h1", "cards stay on the foundations"),
        ("22", "source and target are the same place"),
        ("ab", "cards do not move from cell to cell"),
        ("61", "column 6 is empty"),
        ("b1", "cell b is empty"),
        ("a3x2", "cell a has only 1 of 2 cards"),
        ("46x2", "column 4 has only 1 of 2 cards"),
        ("3bx2", "only single cards move to cells and foundations"),
        ("3hx2", "only single cards move to cells and foundations"),
        ("2h", "JC cannot go home before 5C"),
        ("3a", "cell a holds 5C"),
        ("56x2", "8D is not built on 8H: expected the next lower rank of the same suit"),
        ("45", "TC does not go on 8D: expected the next lower rank of the same suit"),
        ("34x3", "8C does not go on TC"),
    ],
)
def test_reasons(text: str, reason: str) -> None:
    game = some_game()
    before = game.copy()
    with pytest.raises((IllegalMoveError, InvalidMoveError), match=reason):
        game.push(text)
    assert game == before
    assert game.history == ()


@pytest.mark.parametrize(
    ("changes", "text", "reason"),
    [
        ({"fill": Fill.NONE}, "36", "empty columns stay empty"),
        ({"fill": Fill.KINGS}, "36", "only a card of rank K goes into an empty column, not 6C"),
        (
            {"fill": Fill.KINGS},
            "34",
            "4 cards are too many, one move carries as many cards as could be moved one by one",
        ),
        ({"group": Group.SINGLE}, "34", "4 cards are too many, one move carries one card"),
        ({"group": Group.CELLS}, "34", "4 cards are too many, one move carries as many cards as there are free cells"),
        ({"build": Build.ALTERNATE_COLOR}, "34", "expected the next lower rank of the other colour"),
        ({"build": Build.DIFFERENT_SUIT}, "34", "expected the next lower rank of another suit"),
        ({"build": Build.ANY_SUIT}, "15", "TD does not go on 8D: expected the next lower rank of any suit"),
    ],
)
def test_reasons_by_rules(changes: dict[str, Any], text: str, reason: str) -> None:
    with pytest.raises(IllegalMoveError, match=reason):
        some_game(**changes).push(text)


def test_a_game_without_cells() -> None:
    with pytest.raises(IllegalMoveError, match="there is no cell a, the game has none"):
        Game(Deal.microsoft(1, "bakers_dozen")).push("1a")


def refusal(game: Game, move: Move) -> str:
    """What an illegal move raises; the context manager of pytest is slow, and this is called very often."""
    try:
        game.push(move)
    except IllegalMoveError as error:
        return str(error)
    return pytest.fail(f"{move} was played")


@pytest.mark.slow
def test_every_move_is_legal_or_has_a_reason() -> None:
    for game in [some_game(), *games_played(8)]:
        legal = set(game.legal_moves)
        before = game.copy()
        free = sum(cell is None for cell in game.cells)
        for source in range(25):
            for target in range(25):
                for count in (1, 2, 4, 52):
                    move = Move(source, target, count)
                    if move in legal:
                        continue
                    reason = refusal(game, move)
                    assert reason.startswith(f"illegal move {move}: ")
                    # The last of the reasons is what remains; it must not hide another.
                    if "too many" in reason:
                        assert count > (1 if game.rules.group is Group.SINGLE else free + 1)
                        assert game.rules.group is not Group.UNLIMITED
        assert game == before


@pytest.mark.parametrize("strange", [None, 26, ("t1", "t2"), [1, 2, 1], Card("TH")])
def test_strange_moves(strange: object) -> None:
    game = Game(Deal.microsoft(1))
    with pytest.raises(TypeError, match="expected a Move or its text"):
        game.push(strange)  # type: ignore[arg-type]
    assert strange not in game.legal_moves


# Playing


def test_legal_moves_are_a_view_that_follows_the_game() -> None:
    game = Game(Deal.microsoft(1))
    moves = game.legal_moves
    assert isinstance(moves, LegalMoves)
    first = tuple(moves)
    assert len(first) == len(moves) == len(set(first))
    assert all(move in moves for move in first)
    game.push(first[0])
    assert tuple(moves) != first
    assert Move(0, 24) not in moves
    game.pop()
    assert tuple(moves) == first
    assert repr(moves).startswith("<LegalMoves: 1a 1b 1c 1d ")


def test_play_and_take_back() -> None:
    for game in games_played():
        moves = game.history
        assert len(moves) <= 25
        assert game.deal.columns == Game(game.deal).columns
        again = Game(game.deal)
        for move in moves:
            assert again.push(str(move)) == move == again.peek()
        assert again == game
        assert hash(again) == hash(game)
        assert Game(game.position) == game
        for move in reversed(moves):
            assert game.pop() == move
        assert game == Game(game.deal)
        assert game.position == game.deal
        with pytest.raises(IndexError):
            game.pop()
        with pytest.raises(IndexError):
            game.peek()


def test_columns_cells_foundations() -> None:
    game = some_game()
    assert game.columns[3] == (Card("TC"),)
    assert game.columns[5] == ()
    assert list(game.cells) == [Card("5C"), None]
    assert game.foundations == (4, 7, 7, 7)
    game.push("ah")
    assert list(game.cells) == [None, None]
    assert game.foundations == (5, 7, 7, 7)


def test_won_and_stuck() -> None:
    game = game_of(["KC", "", ""], [None], "QKKK")
    assert not game.is_won
    assert not game.is_stuck
    game.push("1h")
    assert game.is_won
    assert not game.is_stuck
    assert not game.legal_moves
    stuck = game_of(["QC KC", "QD KD", "QH KH QS KS"], [], "JJJJ")
    assert not stuck.is_won
    assert stuck.is_stuck


@pytest.mark.parametrize(
    ("build", "moves"),
    [
        (Build.SAME_SUIT, ["2h", "4h", "3h", "3h"]),
        # The three of hearts may be needed on the four of clubs, and the two of hearts is not home.
        (Build.ALTERNATE_COLOR, ["4h", "3h", "3h"]),
        # It goes on the four of diamonds too.
        (Build.ANY_SUIT, ["4h", "3h"]),
        (Build.DIFFERENT_SUIT, ["4h", "3h"]),
    ],
)
def test_autoplay_plays_what_is_safe(build: Build, moves: list[str]) -> None:
    game = game_of(["2H 4H", "4C", "4D 3S", "4S 3H 2S"], [], "33AA", build, ranks=4)
    assert "2h" in map(str, game.legal_moves)
    assert [str(move) for move in game.autoplay()] == moves
    assert [str(move) for move in game.history] == moves
    assert game.autoplay() == ()


def test_rules_other_than_those_of_the_deal() -> None:
    deal = Deal.microsoft(1)
    assert Game(deal, "bakers_game").deal is deal
    freecell = Game(deal, "freecell")
    assert freecell.rules == GAMES["freecell"]
    assert freecell.columns == Game(deal).columns
    assert freecell != Game(deal)
    assert len(Game(deal, BAKERS.replace(cells=2)).cells) == 2
    assert Game(Deal.microsoft(1, "eight_off"), GAMES["eight_off"].replace(fill=Fill.ANY)).cells[0] is not None
    with pytest.raises(DealError, match="columns"):
        Game(deal, "bakers_dozen")
    with pytest.raises(TypeError, match="expected a Deal"):
        Game("1")  # type: ignore[arg-type]


def test_copies() -> None:
    for game in games_played():
        copies = [game.copy(), copy.copy(game), copy.deepcopy(game), pickle.loads(pickle.dumps(game))]
        for other in copies:
            assert other == game
            assert (other.history, other.deal) == (game.history, game.deal)
            other.pop()
            assert other != game
        assert eval(repr(game)) == game
    assert game != 1


def test_pickles_of_games_are_played_again() -> None:
    make, values = played("freecell", 5, 20).__reduce__()
    deal, moves = cast(tuple[Deal, tuple[int, ...]], values)
    assert pickle.loads(pickle.dumps(Forged(make, values))).history
    for forged in ((*moves[:3], moves[0] ^ 31), (Move(24, 0).code,), (2**70,), (-1,)):
        with pytest.raises(ValueError, match="illegal move code"):
            pickle.loads(pickle.dumps(Forged(make, (deal, forged))))
    with pytest.raises(TypeError, match="expected a Deal"):
        pickle.loads(pickle.dumps(Forged(make, (None, ()))))
    for state in ((None, {"_deal": Deal.microsoft(1)}), {"_deal": Deal.microsoft(1)}):
        with pytest.raises(TypeError, match="a game has no state"):
            pickle.loads(pickle.dumps(Forged(make, (deal, ()), state)))


def test_repr_and_str() -> None:
    game = Game(Deal.microsoft(617))
    assert repr(game) == "Game(Deal.microsoft(617, 'bakers_game'))"
    assert str(game) == str(game.deal)
    game.push("1a")
    assert str(game) == str(game.position) != str(game.deal)


def test_perft_counts_lines_of_moves() -> None:
    game = played("fore_cell", 5, 12)
    history = game.history
    total = 0
    for move in tuple(game.legal_moves):
        game.push(move)
        total += len(game.legal_moves)
        game.pop()
    assert [perft(game, depth) for depth in range(3)] == [1, len(game.legal_moves), total]
    assert game.history == history
    for depth in (-1, 1_000_001, 2**63, 10**5000):
        with pytest.raises(ValueError, match="depth is .*: expected 0 to 1000000"):
            perft(game, depth)
