"""Cards: how they are written, sorted, copied, and that there is one object for each."""

import copy
import itertools
import pickle
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from baker import Card, CardError, Suit

ALL = [Card.from_index(index) for index in range(52)]


def test_index_is_rank_then_suit_in_alphabetical_order() -> None:
    assert " ".join(map(str, ALL)) == (
        "AC AD AH AS 2C 2D 2H 2S 3C 3D 3H 3S 4C 4D 4H 4S 5C 5D 5H 5S 6C 6D 6H 6S 7C 7D 7H 7S 8C 8D 8H 8S "
        "9C 9D 9H 9S TC TD TH TS JC JD JH JS QC QD QH QS KC KD KH KS"
    )
    assert [card.index for card in ALL] == list(range(52))


def test_rank_and_suit() -> None:
    assert (Card("AC").rank, Card("AC").suit) == (1, Suit.CLUBS)
    assert (Card("TH").rank, Card("TH").suit) == (10, Suit.HEARTS)
    assert (Card("KS").rank, Card("KS").suit) == (13, Suit.SPADES)
    assert [(suit.letter, suit.symbol, suit.is_red) for suit in Suit] == [
        ("C", "♣", False),
        ("D", "♦", True),
        ("H", "♥", True),
        ("S", "♠", False),
    ]


@pytest.mark.parametrize("card", ALL, ids=str)
def test_there_is_one_object_for_each_card(card: Card) -> None:
    assert Card(str(card)) is card
    assert Card.of(card.rank, card.suit) is card
    assert eval(repr(card)) is card
    assert copy.copy(card) is copy.deepcopy(card) is card
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(card, protocol)) is card


def test_every_spelling() -> None:
    signs = {Suit.CLUBS: "Cc♣♧", Suit.DIAMONDS: "Dd♦♢", Suit.HEARTS: "Hh♥♡", Suit.SPADES: "Ss♠♤"}
    for card in ALL:
        ranks = {1: ["A", "a"], 10: ["T", "t", "0"], 11: ["J", "j"], 12: ["Q", "q"], 13: ["K", "k"]}
        for rank, sign in itertools.product([*ranks.get(card.rank, []), str(card.rank)], signs[card.suit]):
            assert Card(rank + sign) is Card(sign + rank) is card
    assert Card("Q♥\ufe0f") is Card("♥\ufe0eQ") is Card("QH")


@pytest.mark.parametrize(
    "text",
    [
        *[
            "",
            "T",
            "H",
            "TT",
            "HH",
            "14H",
            "00H",
            "01H",
            "100H",
            "T H",
            " TH",
            "TH ",
            "XH",
            "TX",
            "-",
            "TH\0",
            "10",
            "1",
            "♥",
        ],
        pytest.param("2\u017f", id="long s"),
        pytest.param("\u212aS", id="kelvin"),
        pytest.param("\uff12H", id="wide 2"),
        pytest.param("H\ufe0f2", id="selector after a letter"),
        pytest.param("A" * 10**6, id="megabyte"),
    ],
)
def test_a_text_that_is_no_card(text: str) -> None:
    with pytest.raises(CardError, match="unknown card '.*expected a rank A 2-9 T J Q K and a suit C D H S") as caught:
        Card(text)
    assert len(str(caught.value)) < 200


@given(st.text(alphabet="A23456789TJQK10CDHScdhs♣♦♥♠ -:", max_size=4))
def test_a_text_is_a_card_or_an_error(text: str) -> None:
    try:
        card = Card(text)
    except CardError:
        return
    kept = text.upper().translate(str.maketrans("♣♦♥♠", "CDHS"))
    kept = re.sub("1[0-3]|[01]", lambda number: "TA23456789TJQK"[int(number[0])], kept)
    assert str(card) in (kept, kept[::-1])


def test_what_is_no_text_or_no_number_of_a_card() -> None:
    with pytest.raises(TypeError, match="from int"):
        Card(7)  # type: ignore[arg-type]
    for index in (-1, 52):
        with pytest.raises(CardError, match=f"index {index}: expected 0 to 51"):
            Card.from_index(index)
    for rank, suit in ((0, 0), (14, 0), (1, -1), (1, 4)):
        with pytest.raises(CardError, match=f"rank {rank} and suit {suit}"):
            Card.of(rank, suit)  # type: ignore[arg-type]


def test_cards_sort_by_index_and_compare_with_nothing_else() -> None:
    for one, other in itertools.product(ALL, repeat=2):
        assert (one < other, one <= other, one > other, one >= other, one == other) == (
            one.index < other.index,
            one.index <= other.index,
            one.index > other.index,
            one.index >= other.index,
            one.index == other.index,
        )
    for compare in ("__lt__", "__le__", "__gt__", "__ge__"):
        assert getattr(Card("2C"), compare)(4) is NotImplemented


def test_hash_is_the_same_in_every_run() -> None:
    assert [hash(card) for card in ALL] == list(range(52))


def test_cards_are_immutable() -> None:
    card = Card("TH")
    for name in ("rank", "suit", "index", "color"):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(card, name, 1)
    with pytest.raises(AttributeError, match="immutable"):
        del card.rank
    assert str(card) == "TH"
