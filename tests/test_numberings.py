"""Deals by the numbers of other programs."""

import itertools
import random
from collections.abc import Sequence
from typing import Any

import pytest

from baker import Card, Deal, DealError, Rules, Verdict, games, solve
from baker.deals import KPAT_LAST, MICROSOFT_LAST, PYSOL_LAST

# Our names of the games, and those of pysol-cards.
PYSOL_NAMES = {
    "bakers_game": "bakers_game",
    "kings_only_bakers_game": "ko_bakers_game",
    "freecell": "freecell",
    "eight_off": "eight_off",
    "seahaven_towers": "seahaven_towers",
    "fore_cell": "forecell",
    "bakers_dozen": "bakers_dozen",
}
NUMBERS = [
    *range(1, 1001),
    *range(31_950, 32_051),
    *[65_535, 65_536, 10**6, 2**31 - 2, 2**31 - 1, 2**31, 2**31 + 1, 3_000_000_000, 2**32 - 1, 2**32, 2**32 + 1],
    *[6_000_000_000, 2**33 - 2, 2**33 - 1],
]


def peers_board(name: str, number: int, deals: str) -> str:
    deal_game = pytest.importorskip("pysol_cards.deal_game")
    cards = pytest.importorskip("pysol_cards.cards")
    random_base = pytest.importorskip("pysol_cards.random_base")
    game = deal_game.Game(PYSOL_NAMES[name], number, getattr(random_base.RandomBase, deals))
    text: str = game.calc_layout_string(cards.CardRenderer(print_ts=number % 2))
    return text


@pytest.mark.slow
@pytest.mark.parametrize("name", PYSOL_NAMES)
def test_pysol_numbers_deal_as_pysol_cards(name: str) -> None:
    draws = random.Random(1)
    long_numbers = [2**33, 2**64 - 1, 2**64, PYSOL_LAST - 1, PYSOL_LAST]
    for number in [*NUMBERS, *long_numbers, *[draws.randrange(32_001, PYSOL_LAST) for _ in range(500)]]:
        assert Deal.pysol(number, name) == Deal.parse(peers_board(name, number, "DEALS_PYSOLFC"), name), number


@pytest.mark.slow
@pytest.mark.parametrize("name", PYSOL_NAMES)
def test_microsoft_numbers_of_pysol_deal_as_pysol_cards(name: str) -> None:
    for number in NUMBERS:
        theirs = Deal.parse(peers_board(name, number, "DEALS_MS"), name)
        assert Deal.pysol(f"ms{number}", name) == theirs, number
        assert (Deal.microsoft(number, name) == theirs) == (name != "bakers_dozen"), number


def test_games_laid_out_alike_have_the_same_pysol_board() -> None:
    for name, other in (
        ("bakers_dozen", "bakers_dozen_different_suit"),
        ("fore_cell", "same_suit_fore_cell"),
        ("bakers_game", "relaxed_bakers_game"),
    ):
        assert str(Deal.pysol(40_000, name)) == str(Deal.pysol(40_000, other))
    three_cells = games["bakers_game"].replace(cells=3)
    assert Deal.pysol(40_000, three_cells).columns == Deal.pysol(40_000).columns


@pytest.mark.parametrize("number", [0, -1, PYSOL_LAST + 1])
def test_pysol_numbers_out_of_range(number: int) -> None:
    with pytest.raises(DealError, match=f"no deal of PySol has the number {number}: expected 1 to {10**20}"):
        Deal.pysol(number)


@pytest.mark.parametrize("text", ["ms0", f"ms{MICROSOFT_LAST + 1}", "", "ms", "x1", "1-2", "daily1"])
def test_texts_that_are_no_pysol_number(text: str) -> None:
    with pytest.raises(DealError, match="expected"):
        Deal.pysol(text)


@pytest.mark.parametrize("name", ["penguin", "good_measure", "portuguese_solitaire", "spanish_patience"])
def test_games_that_pysol_is_not_known_to_deal(name: str) -> None:
    with pytest.raises(DealError, match=f"PySol has no game laid out like {name}: expected the layout of bakers_game"):
        Deal.pysol(1, name)
    with pytest.raises(DealError, match="PySol has no game laid out like"):
        Deal.pysol("ms1", name)


# KPat


def plain_deck(number: int) -> list[Card]:
    """The Microsoft deck, from a game of one column."""
    return list(Deal.microsoft(number, Rules(name="one column", columns=(52,))).columns[0])


def kings_swapped(column: Sequence[Card]) -> list[Card]:
    """The column after its kings, from the bottom up, have changed places with the cards at places 0, 1, 2, 3."""
    cards = list(column)
    kings = [card for card in cards if card.rank == 13]
    for bottom, king in enumerate(kings):
        place = cards.index(king)
        cards[place], cards[bottom] = cards[bottom], cards[place]
    return cards


def test_bakers_dozen_of_kpat() -> None:
    same = []
    for number in range(1, 2001):
        deck = plain_deck(number)
        deal = Deal.kpat(number, "bakers_dozen")
        assert [list(column) for column in deal.columns] == [kings_swapped(deck[column::13]) for column in range(13)]
        same.append(deal == Deal.microsoft(number, "bakers_dozen"))
    # As its users count them, and so are these three, which nobody wins there.
    assert sum(same) == 191
    for number in (89, 1143, 1298):
        assert solve(Deal.kpat(number, "bakers_dozen")).verdict is Verdict.IMPOSSIBLE
        assert solve(Deal.microsoft(number, "bakers_dozen")).verdict is Verdict.SOLVED


@pytest.mark.parametrize("name", ["portuguese_solitaire", "spanish_patience", "castles_of_spain"])
def test_kpat_moves_kings_down_in_the_kin_of_bakers_dozen(name: str) -> None:
    for number in range(1, 100):
        assert Deal.kpat(number, name).columns == Deal.kpat(number, "bakers_dozen").columns


@pytest.mark.parametrize("name", ["bakers_game", "kings_only_bakers_game", "relaxed_bakers_game", "freecell"])
def test_kpat_deals_eight_columns_as_everybody(name: str) -> None:
    for number in [*range(1, 100), KPAT_LAST]:
        assert Deal.kpat(number, name) == Deal.microsoft(number, name)


@pytest.mark.parametrize(("name", "filled"), [("eight_off", 4), ("fore_cell", 4), ("seahaven_towers", 2)])
def test_kpat_fills_the_cells_first(name: str, filled: int) -> None:
    columns = len(games[name].columns)
    for number in range(1, 100):
        deck = plain_deck(number)
        deal = Deal.kpat(number, name)
        assert list(deal.cells) == deck[:filled] + [None] * (games[name].cells - filled)
        assert [list(column) for column in deal.columns] == [deck[filled + i :: columns] for i in range(columns)]


@pytest.mark.parametrize("number", [0, -1, 2**31])
def test_kpat_numbers_out_of_range(number: int) -> None:
    with pytest.raises(DealError, match=f"no deal of KPat has the number {number}: expected 1 to {2**31 - 1}"):
        Deal.kpat(number)


@pytest.mark.parametrize("rules", ["penguin", "good_measure", Rules(name="own", columns=(13, 13, 13, 13))])
def test_games_that_kpat_does_not_deal(rules: Rules | str) -> None:
    with pytest.raises(DealError, match="KPat has no game laid out like "):
        Deal.kpat(1, rules)


@pytest.mark.parametrize("number", [617.0, None, True, b"617"])
def test_numbers_are_whole_numbers(number: Any) -> None:
    for deal in (Deal.microsoft, Deal.kpat, Deal.pysol, Deal.random, Deal.solvable):
        with pytest.raises(TypeError, match=r"(number|seed) is .*: expected a whole number"):
            deal(number)


def test_numbers_of_any_length() -> None:
    for deal in (Deal.microsoft, Deal.kpat, Deal.pysol, Deal.random, Deal.solvable):
        with pytest.raises(DealError, match="expected"):
            deal(10**5000)


def test_numbers_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    for deal, number in itertools.product((Deal.microsoft, Deal.kpat, Deal.pysol, Deal.random), (617, 10**6)):
        made = deal(numpy.int64(number))
        assert made == deal(number)
        assert repr(made) == repr(deal(number))
