"""The compiled border: whatever comes in, what comes out is right or an error, and memory is whole."""

import copy
import doctest
import pickle
import random
import sys
import threading
from collections.abc import Iterator
from itertools import islice, product

import pytest
from strange import Liar

from baker._core import Board, Dealer, MoveTable, deck_microsoft, deck_random, rebuild_board
from baker.rules import GAMES, Build, Fill, Group, Rules

EMPTY = 255
FOUNDATION = 24


def dealt(rules: Rules, seed: int) -> Board:
    """A random deck dealt row by row; kings and aces stay where they fall."""
    deck = list(deck_random(seed, rules.ranks))
    columns: list[list[int]] = [[] for _ in rules.columns]
    cells = [EMPTY] * rules.cells
    for cell in rules.filled:
        cells[cell] = deck.pop()
    for i, card in enumerate(deck):
        columns[i % len(columns)].append(card)
    return Board(rules, columns, cells, [0] * 4)


def layout(columns: int, ranks: int) -> tuple[int, ...]:
    return tuple(4 * ranks // columns + (i < 4 * ranks % columns) for i in range(columns))


def random_rules(rng: random.Random) -> Rules:
    ranks = rng.randint(1, 13)
    return Rules(
        name="random",
        columns=layout(rng.randint(1, 16), ranks),
        cells=rng.randint(0, 8),
        build=rng.choice(list(Build)),
        fill=rng.choice(list(Fill)),
        group=rng.choice(list(Group)),
        ranks=ranks,
    )


def random_boards(seed: int) -> Iterator[Board]:
    """Boards of all sorts of rules in the course of random play."""
    rng = random.Random(seed)
    while True:
        board = dealt(random_rules(rng), rng.getrandbits(64))
        for _ in range(rng.randint(0, 40)):
            moves = board.legal_moves()
            if not moves:
                break
            # Home moves are not taken when others are left: boards stay full of cards.
            board.push(rng.choice([code for code in moves if code >> 5 & 31 != FOUNDATION] or moves))
        yield board


# Shuffles


def test_microsoft_deck_of_deal_one() -> None:
    names = ["A23456789TJQK"[card >> 2] + "CDHS"[card & 3] for card in deck_microsoft(1)]
    assert " ".join(names[:16]) == "JD 2D 9H JC 5D 7H 7C 5H KD KC 9S 5S AD QC KH 3H"
    assert sorted(deck_microsoft(1)) == list(range(52))


@pytest.mark.parametrize("number", [0, -1, 2**33, 2**70])
def test_microsoft_numbers_out_of_range(number: int) -> None:
    with pytest.raises(ValueError, match="expected 1 to 8589934591"):
        deck_microsoft(number)


def test_microsoft_decks_are_those_of_pysol() -> None:
    cards = pytest.importorskip("pysol_cards.cards")
    deals = pytest.importorskip("pysol_cards.deal_game")
    numbering = pytest.importorskip("pysol_cards.random_base").RandomBase.DEALS_MS
    rng = random.Random(1)
    edges = [1, 32000, 2**31 - 1, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 2**33 - 1]
    for number in [*edges, *(rng.randrange(1, 2**33) for _ in range(200))]:
        game = deals.Game("bakers_game", number, numbering)
        lines = [line.split() for line in game.calc_layout_string(cards.CardRenderer(True)).strip().split("\n")]
        deck = [lines[i % 8][i // 8] for i in range(52)]
        assert [deck_text(card) for card in deck_microsoft(number)] == deck, number


def deck_text(card: int) -> str:
    return "A23456789TJQK"[card >> 2] + "CDHS"[card & 3]


def splitmix64(state: int) -> Iterator[int]:
    while True:
        state = (state + 0x9E3779B97F4A7C15) % 2**64
        z = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ z >> 27) * 0x94D049BB133111EB % 2**64
        yield z ^ z >> 31


def test_splitmix64_is_the_published_generator() -> None:
    # The first outputs of the reference implementation for the seed 1234567.
    assert list(islice(splitmix64(1234567), 3)) == [6457827717110365317, 3203168211198807973, 9817491932198370423]


def test_random_decks_are_as_described() -> None:
    rng = random.Random(2)
    for ranks in range(1, 14):
        for seed in (0, 1, 2**64 - 1, rng.getrandbits(64), rng.getrandbits(64)):
            draws = splitmix64(seed)
            deck = list(range(4 * ranks))
            for places in range(4 * ranks, 1, -1):
                draw = next(draw for draw in draws if draw < 2**64 - 2**64 % places)
                deck[places - 1], deck[draw % places] = deck[draw % places], deck[places - 1]
            assert list(deck_random(seed, ranks)) == deck
    assert deck_random(7) == deck_random(7, 13)


@pytest.mark.parametrize(("seed", "ranks"), [(-1, 13), (2**64, 13), (1, 0), (1, 14), (1, 2**40)])
def test_random_decks_out_of_range(seed: int, ranks: int) -> None:
    with pytest.raises(ValueError, match="expected"):
        deck_random(seed, ranks)


def test_examples_of_the_shuffles() -> None:
    for function in (deck_microsoft, deck_random):
        (examples,) = doctest.DocTestFinder().find(function, globs={function.__name__: function})
        assert examples.examples
        assert doctest.DocTestRunner().run(examples).failed == 0


# The board that is given


TINY = Rules(name="tiny", columns=(3, 3, 2), cells=2, ranks=2)


def test_a_board_gives_back_what_it_got() -> None:
    board = Board(TINY, [[7, 6], [], [5, 4, 3]], [EMPTY, 2], [1, 1, 0, 0])
    assert board.columns() == ((7, 6), (), (5, 4, 3))
    assert board.cells() == (EMPTY, 2)
    assert board.foundations() == (1, 1, 0, 0)


@pytest.mark.parametrize(
    ("columns", "cells", "foundations", "message"),
    [
        ([[0, 1, 2, 3], [4, 5, 6, 7]], [EMPTY] * 2, [0] * 4, "columns: expected 3"),
        ([[0, 1, 2, 3], [4, 5, 6, 7], [], []], [EMPTY] * 2, [0] * 4, "columns: expected 3"),
        ([[0, 1, 2, 3], [4, 5, 6, 7], []], [EMPTY], [0] * 4, "cells: expected 2"),
        ([[0, 1, 2, 3], [4, 5, 6, 7], []], [EMPTY] * 3, [0] * 4, "cells: expected 2"),
        ([[0, 1, 2, 3], [4, 5, 6, 7], []], [EMPTY] * 2, [0] * 3, "foundations: expected 4"),
        ([[0, 1, 2, 3], [4, 5, 6, 7], []], [EMPTY] * 2, [0, 0, 0, 3], "foundation 3: expected 0 to 2"),
        ([[0, 1, 2, 3], [4, 5, 6, 7], []], [EMPTY] * 2, [-1, 0, 0, 0], "foundation 0: expected 0 to 2"),
        ([[0, 1, 2, 3], [4, 5, 6, 7], []], [EMPTY] * 2, [1, 0, 0, 0], "card 0 is there twice"),
        ([[0, 1, 2, 3], [4, 5, 6, 7], []], [EMPTY, 3], [0] * 4, "card 3 is there twice"),
        ([[0, 1, 2, 3], [4, 5, 6, 6], []], [EMPTY] * 2, [0] * 4, "card 6 is there twice"),
        ([[0, 1, 2, 3], [4, 5, 6, 8], []], [EMPTY] * 2, [0] * 4, "card: expected 0 to 7, got 8"),
        ([[0, 1, 2, 3], [4, 5, 6, -1], []], [EMPTY] * 2, [0] * 4, "card: expected 0 to 7, got -1"),
        ([[0, 1, 2, 3], [4, 5, 6, EMPTY], []], [EMPTY] * 2, [0] * 4, "card: expected 0 to 7, got 255"),
        ([[0, 1, 2, 3], [4, 5, 6], []], [EMPTY, 2**80], [0] * 4, "expected 0 to 7"),
        ([[0, 1, 2], [4, 5, 6], []], [EMPTY] * 2, [0] * 4, "missing cards: 3, 7"),
        ([[*range(53)], [], []], [EMPTY] * 2, [0] * 4, "cards in column 0: expected 0 to 52"),
    ],
)
def test_boards_that_are_refused(
    columns: list[list[int]], cells: list[int], foundations: list[int], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Board(TINY, columns, cells, foundations)


class Loose:
    """Rules that nobody has checked."""

    def __init__(self, **changes: object) -> None:
        self.ranks: object = 2
        self.columns: object = (3, 3, 2)
        self.cells: object = 2
        self.build: object = "same_suit"
        self.fill: object = "any"
        self.group: object = "full"
        self.__dict__.update(changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"ranks": 0},
        {"ranks": 14},
        {"ranks": 2**40},
        {"columns": ()},
        {"columns": (0,) * 17},
        {"cells": -1},
        {"cells": 9},
        {"build": "up"},
        {"build": None},
        {"fill": 1},
        {"group": "half"},
    ],
)
def test_rules_that_are_refused(changes: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="expected"):
        Board(Loose(**changes), [[0, 1, 2, 3], [4, 5, 6, 7], []], [EMPTY] * 2, [0] * 4)  # type: ignore[arg-type]


def dealer_rules(**changes: object) -> Rules:
    """Rules of a whole deck that nobody has checked."""
    whole = {"ranks": 13, "columns": (13,) * 4, "filled": (), "aces_out": 0, "kings_down": False, "beak": False}
    return Loose(**(whole | changes))  # type: ignore[return-value]


class Lengths:
    """Rules with other columns each time they are asked."""

    def __init__(self) -> None:
        self.rules = dealer_rules()
        self.answers = iter([(26, 26), (4,) * 13, (52,)])

    def __getattr__(self, name: str) -> object:
        return next(self.answers) if name == "columns" else getattr(self.rules, name)


@pytest.mark.parametrize(
    "rules",
    [
        dealer_rules(columns=(Liar(50),) * 8),
        dealer_rules(columns=(Liar(-50),) * 8),
        dealer_rules(columns=(60, -8)),
        dealer_rules(columns=(25, 25), filled=(1, 1)),
        dealer_rules(columns=(25, 25), filled=(Liar(900), Liar(2))),
        dealer_rules(columns=(25, 25), filled=(Liar(1), Liar(1))),
        dealer_rules(columns=(50,), cells=0, filled=(0, 1)),
        dealer_rules(columns=(0,) * 17),
        dealer_rules(columns=()),
        dealer_rules(aces_out=Liar(200)),
        dealer_rules(ranks=12),
        Lengths(),
    ],
    ids=lambda rules: str(vars(rules).get("columns")),
)
def test_rules_that_are_not_dealt(rules: Rules) -> None:
    with pytest.raises(ValueError, match="expected|twice"):
        Dealer(rules)


def test_numbers_that_lie_are_read_as_they_are() -> None:
    dealer = Dealer(dealer_rules(columns=(Liar(13),) * 4))
    assert dealer.board(Liar(7)).key() == Dealer(dealer_rules()).board(7).key()
    assert deck_random(Liar(7), Liar(5)) == deck_random(7, 5)
    for call in (
        lambda: dealer.board(Liar(0)),
        lambda: dealer.board(Liar(2**40)),
        lambda: deck_microsoft(Liar(-1)),
        lambda: deck_random(Liar(2**64)),
        lambda: deck_random(1, Liar(14)),
    ):
        with pytest.raises(ValueError, match="expected"):
            call()


def test_a_dealer_and_a_table_are_whole_from_the_start() -> None:
    with pytest.raises(TypeError):
        Dealer.__new__(Dealer)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        MoveTable.__new__(MoveTable)  # type: ignore[call-arg]
    table = MoveTable(str)
    assert (table[0], table[65535]) == ("0", "65535")
    for code in (-1, 65536, 2**80):
        with pytest.raises(IndexError, match="no move code"):
            table[code]
    assert table.read(b"\x01\x00\x02") == (str(int.from_bytes(b"\x01\x00", sys.byteorder)),)


@pytest.mark.parametrize("strange", [None, 1, "KS", 1.5, [None], [[0.0]], [["KS"], [], []]])
def test_strange_columns(strange: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        Board(TINY, strange, [EMPTY] * 2, [0] * 4)  # type: ignore[arg-type]


def test_a_board_that_was_never_set_up_is_empty() -> None:
    board = Board.__new__(Board)
    assert board.columns() == () == board.cells()
    assert board.legal_moves() == [] == board.autoplay()
    assert board.perft(3) == 0
    assert not any(board.is_legal(code) for code in range(65536))
    assert board.copy().key() == board.key()


def test_a_second_set_up_that_fails_changes_nothing() -> None:
    board = dealt(TINY, 1)
    key = board.key()
    with pytest.raises(ValueError, match="missing"):
        board.__init__(TINY, [[], [], []], [EMPTY] * 2, [0] * 4)
    assert board.key() == key


def test_sequences_that_change_while_they_are_read() -> None:
    columns: list[list[int]] = [[0, 1, 2, 3], [4, 5, 6, 7], []]

    class Shrinking:
        def __index__(self) -> int:
            columns[0].clear()
            columns.clear()
            return 0

    columns[0][0] = Shrinking()  # type: ignore[call-overload]
    board = Board(TINY, columns, [EMPTY] * 2, [0] * 4)
    assert board.columns() == ((0, 1, 2, 3), (4, 5, 6, 7), ())


def test_a_board_of_a_pickle_is_the_same_position_without_history() -> None:
    board = dealt(TINY, 1)
    board.push(board.legal_moves()[0])
    again = pickle.loads(pickle.dumps(board))
    assert (again.key(), again.history()) == (board.key(), ())
    assert again.legal_moves() == board.legal_moves()
    for same in (copy.copy(board), copy.deepcopy(board)):
        assert (same.key(), same.history()) == (board.key(), board.history())


def test_a_forged_pickle_of_a_board_is_refused() -> None:
    _, (rules, columns, cells, home) = dealt(TINY, 1).__reduce__()
    assert rebuild_board(rules, columns, cells, home).key() == dealt(TINY, 1).key()
    for forged in (b"", rules[:-1], rules + b"\0", *(rules[:k] + b"\xff" + rules[k + 1 :] for k in range(6))):
        with pytest.raises(ValueError, match="expected"):
            rebuild_board(forged, columns, cells, home)
    for wrong in ((), columns[:-1], (*columns[:-1], b""), (*columns[:-1], b"\xff")):
        with pytest.raises(ValueError, match=r"expected|missing|twice"):
            rebuild_board(rules, wrong, cells, home)


# Moves


def test_every_code_is_a_legal_move_or_refused() -> None:
    for board in islice(random_boards(3), 12):
        key = board.key()
        legal = set(board.legal_moves())
        for code in range(65536):
            if code in legal:
                board.push(code)
                assert board.pop() == code
                continue
            assert not board.is_legal(code)
            # Half a million times: the context manager of pytest would take most of the time.
            try:
                board.push(code)
            except ValueError:
                continue
            pytest.fail(f"{code} was played")
        assert board.key() == key


@pytest.mark.parametrize("code", [-1, 65536, 2**31, 2**63, -(2**63), 2**200])
def test_numbers_that_are_no_codes(code: int) -> None:
    board = dealt(GAMES["bakers_game"], 1)
    assert not board.is_legal(code)
    with pytest.raises(ValueError, match="illegal"):
        board.push(code)


@pytest.mark.parametrize("code", [None, "26", 1.0, object(), [1]])
def test_objects_that_are_no_codes(code: object) -> None:
    board = dealt(GAMES["bakers_game"], 1)
    with pytest.raises(TypeError):
        board.push(code)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        board.is_legal(code)  # type: ignore[arg-type]


def order(code: int) -> tuple[int, int, int]:
    source, target, count = code & 31, code >> 5 & 31, code >> 10
    return source, -1 if target == FOUNDATION else target, count


def test_moves_come_in_order_once_each() -> None:
    for board in islice(random_boards(4), 300):
        moves = board.legal_moves()
        assert moves == sorted(set(moves), key=order)


def test_group_bounds() -> None:
    # 6C..2C on one column, 7C on another; AC in a cell, two cells free, two columns empty.
    rules = Rules(name="groups", columns=(7, 7, 7, 7), cells=3, build=Build.SAME_SUIT, ranks=7)
    columns = [[20, 16, 12, 8, 4], [25, 26, 27, 21, 22, 23, 17, 18, 19, 13, 14, 15, 9, 10, 11, 5, 6, 7, 1, 2, 3, 24]]
    for group, fill, onto, into in [
        ("single", "any", [], [1]),
        ("cells", "any", [], [1, 2, 3]),
        ("full", "any", [5], [1, 2, 3, 4, 5]),
        ("full", "kings", [], []),
        ("full", "none", [], []),
        ("unlimited", "any", [5], [1, 2, 3, 4, 5]),
        ("unlimited", "kings", [5], []),
    ]:
        board = Board(rules.replace(group=group, fill=fill), [*columns, [], []], [0, EMPTY, EMPTY], [0] * 4)
        moves = board.legal_moves()
        assert [code >> 10 for code in moves if code & 1023 == 1 << 5 | 0] == onto, (group, fill)
        assert [code >> 10 for code in moves if code & 1023 == 2 << 5 | 0] == into, (group, fill)


def test_random_play_and_back() -> None:
    for board in islice(random_boards(5), 100):
        codes = board.history()
        keys = []
        for code in reversed(codes):
            assert board.last() == code
            keys.append(board.key())
            assert board.pop() == code
        assert board.history() == ()
        for code in codes:
            board.push(code)
            assert board.key() == keys.pop()
        assert board.history() == codes


def test_nothing_to_take_back() -> None:
    board = dealt(TINY, 1)
    with pytest.raises(IndexError, match="no move to take back"):
        board.pop()
    with pytest.raises(IndexError, match="no move was played"):
        board.last()


def test_a_long_game() -> None:
    rules = Rules(name="to and fro", columns=(4, 0), ranks=1)
    board = Board(rules, [[0], []], [], [0, 1, 1, 1])
    key = board.key()
    to, fro = 1 << 10 | 1 << 5 | 0, 1 << 10 | 0 << 5 | 1
    for _ in range(20_000):
        board.push(to)
        board.push(fro)
    assert board.copy().history() == board.history() == (to, fro) * 20_000
    for _ in range(20_000):
        assert (board.pop(), board.pop()) == (fro, to)
    assert board.key() == key


def test_a_copy_is_independent() -> None:
    board = dealt(GAMES["freecell"], 3)
    board.push(board.legal_moves()[0])
    twin = board.copy()
    assert (twin.key(), twin.history()) == (board.key(), board.history())
    twin.push(twin.legal_moves()[0])
    twin.pop()
    twin.pop()
    assert twin.key() != board.key()
    assert len(board.history()) == 1


def test_canonical_keys_forget_order_and_nothing_else() -> None:
    rng = random.Random(6)
    rules = Rules(name="keys", columns=layout(5, 5), cells=3, build=Build.ANY_SUIT, ranks=5)
    board = dealt(rules, 5)
    for _ in range(10):
        board.push(rng.choice(board.legal_moves()))
    columns, cells = list(board.columns()), list(board.cells())
    for _ in range(20):
        rng.shuffle(columns)
        rng.shuffle(cells)
        other = Board(rules, columns, cells, board.foundations())
        assert other.canonical_key() == board.canonical_key()
        assert (other.key() == board.key()) == (other.columns() == board.columns() and other.cells() == board.cells())
        code = rng.choice(other.legal_moves())
        other.push(code)
        same = sorted(other.columns()) == sorted(columns) and sorted(other.cells()) == sorted(cells)
        assert (other.canonical_key() == board.canonical_key()) == same


def test_won() -> None:
    board = Board(TINY, [[], [7], []], [EMPTY] * 2, [2, 2, 2, 1])
    assert not board.is_won
    assert board.autoplay() == [1 << 10 | FOUNDATION << 5 | 1]
    assert board.is_won
    assert board.legal_moves() == []
    board.pop()
    assert board.columns() == ((), (7,), ())


def goes_on(build: Build, card: int, on: int) -> bool:
    """Whether the card may be built on the other, from the words of the rules."""
    suit, other = card % 4, on % 4
    by_suit = {
        Build.SAME_SUIT: suit == other,
        Build.ALTERNATE_COLOR: (suit in (1, 2)) != (other in (1, 2)),
        Build.ANY_SUIT: True,
        Build.DIFFERENT_SUIT: suit != other,
    }
    return card // 4 + 1 == on // 4 and by_suit[build]


def is_safe(build: Build, home: tuple[int, ...], card: int) -> bool:
    """Whether each card that could come to lie on this one is home or next, and each that could lie on those."""
    lower = [card // 4 * 4 - 4 + suit for suit in range(4)] if card >= 4 else []
    could_lie_on_it = [other for other in lower if goes_on(build, other, card) and home[other % 4] <= other // 4]
    return all(home[other % 4] == other // 4 and is_safe(build, home, other) for other in could_lie_on_it)


@pytest.mark.parametrize("build", Build)
def test_what_is_safe_at_home(build: Build) -> None:
    rules = Rules(name="safe", columns=(20, 0), build=build, fill=Fill.NONE, ranks=5)
    answers = set()
    for home in product(range(6), repeat=4):
        left = [card for card in range(20) if card // 4 >= home[card % 4]]
        for suit in range(4):
            if home[suit] == 5:
                continue
            card = home[suit] * 4 + suit
            board = Board(rules, [[card], [other for other in left if other != card]], [], home)
            # The left column comes first.
            safe = board.autoplay()[:1] == [1 << 10 | FOUNDATION << 5 | 0]
            assert safe == is_safe(build, home, card), (home, card)
            answers.add(safe)
    assert answers == ({True} if build is Build.SAME_SUIT else {True, False})


# Counting lines of play


def count_lines(board: Board, depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for code in board.legal_moves():
        board.push(code)
        total += count_lines(board, depth - 1)
        board.pop()
    return total


def test_perft_counts_what_play_counts() -> None:
    for board in islice(random_boards(7), 40):
        key = board.key()
        for depth in range(3):
            assert board.perft(depth) == count_lines(board, depth)
        assert board.key() == key


def test_perft_far_down_a_narrow_game() -> None:
    # The two of clubs can only go to and fro between two threes: one line, however long.
    rules = Rules(name="narrow", columns=(6, 6), build=Build.ANY_SUIT, fill=Fill.NONE, ranks=3)
    board = Board(rules, [[0, 8, 4], [1, 2, 3, 5, 6, 7, 10, 11, 9]], [], [0] * 4)
    assert len(board.legal_moves()) == 1
    assert board.perft(200_000) == 1


def test_perft_bounds() -> None:
    board = dealt(TINY, 1)
    for depth in (-1, 10**6 + 1, 2**63, 2**80, Liar(-7)):
        with pytest.raises(ValueError, match="depth: expected 0 to 1000000"):
            board.perft(depth)
    with pytest.raises(TypeError):
        board.perft("2")  # type: ignore[arg-type]


# Threads


def test_one_board_in_many_threads_keeps_its_cards() -> None:
    board = dealt(GAMES["eight_off"], 9)
    counts = []

    def play(seed: int) -> None:
        rng = random.Random(seed)
        for _ in range(2000):
            try:
                if rng.random() < 0.5:
                    board.push(rng.choice(board.legal_moves()))
                else:
                    board.pop()
            except (ValueError, IndexError):
                pass
            if rng.random() < 0.01:
                counts.append(board.perft(2))

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cards = [card for column in board.columns() for card in column]
    cards += [card for card in board.cells() if card != EMPTY]
    cards += [rank * 4 + suit for suit, count in enumerate(board.foundations()) for rank in range(count)]
    assert sorted(cards) == list(range(52))
    assert counts
