"""Deals: where the cards lie, by number, by seed, by day and from text, and what is said of wrong ones."""

import copy
import datetime
import itertools
import pickle
import re
import shutil
import subprocess
from collections.abc import Callable
from typing import Any, cast

import pytest
from growth import check_linear
from hypothesis import given
from hypothesis import strategies as st
from splitmix import splitmix64
from strange import Forged, Index, Liar

from baker import Card, Deal, DealError, Rules, games

FC_SOLVE = shutil.which("fc-solve")
# Debian's name for it, and the one that its authors give it.
BOARD_GENERATOR = shutil.which("make-microsoft-freecell-board") or shutil.which("pi-make-microsoft-freecell-board")
# Debian builds it for games of ten columns at most.
FC_SOLVE_NAMES = {
    "bakers_game": "bakers_game",
    "kings_only_bakers_game": "ko_bakers_game",
    "freecell": "freecell",
    "eight_off": "eight_off",
    "seahaven_towers": "seahaven",
    "fore_cell": "forecell",
    "good_measure": "good_measure",
}

SMALL = Rules(name="small", columns=(4, 4, 4), cells=2, ranks=3)
SMALL_TEXT = """\
Foundations: C-2 D-A
Freecells: 3S -
3C 3D AS
:
3H 2D 2H 2S AH
"""

DEAL_617 = """\
7D TD TH KD 4C 4S JD
AD 7S QC 5H QS TS KS
5C QD 3H 9S 9C 2H KC
3S AC 9D 3C 9H 5D 4H
5S 6D 6S 8S 7C JC
8C 8H 8D 7H 6H 6C
2D AS 3D 4D 2C JH
AH KH TC JS 2S QH"""


SEED_0 = """\
QH 4S 8H 5D JD QS 5H
TC AC AD 9D 5C 5S 8D
3C 3H 8C 6C 7S KD 4C
JC 2H 2C 4D 6D 8S 9S
4H 9H 7H TD AH KS
7C 2S 2D KC 7D AS
QC KH JH 3S TS 9C
3D TH 6H 6S QD JS"""

SEED_LAST = """\
3H 7H 4S AC 6S 2D KC
KS 5S 4H QH TH 7D AD
QD 5H 9H 7C 4C JC 3D
AS QC TD 6H 8S 8C 2C
4D 5C 6C 2H 6D 3S
TC TS JD KH 9D KD
5D JH JS 3C 2S AH
7S 9C QS 8D 9S 8H"""

DAY = """\
9D 9H 3D 3C QH QC 8D
KC 8S TH JC 7D JS KH
JH 8C 2D 5D TD TC 5C
2H 4C 6D 7S TS 7H 8H
7C 4D 9C KS 2C 9S
JD AC 4H 3H 2S AS
AD 3S 5S 6S KD QS
QD 4S 6C 6H 5H AH"""


# A second account of the shuffles and of the deal, as plain as can be.


def microsoft_deck(number: int) -> list[Card]:
    state = number
    rest = [Card(rank + suit) for rank in "A23456789TJQK" for suit in "CDHS"]
    deck = []
    while rest:
        state = (state * 214013 + 2531011) % 2**31
        chosen = state // 2**16 % len(rest)
        deck.append(rest[chosen])
        rest[chosen] = rest[-1]
        rest.pop()
    return deck


def random_deck(seed: int, ranks: int = 13) -> list[Card]:
    draws = splitmix64(seed)
    deck = [Card.from_index(index) for index in range(4 * ranks)]
    for n in range(len(deck), 1, -1):
        limit = 2**64 - 2**64 % n
        chosen = next(draw for draw in draws if draw < limit) % n
        deck[n - 1], deck[chosen] = deck[chosen], deck[n - 1]
    return deck


def lay_out(deck: list[Card], rules: Rules) -> Deal:
    deck = list(deck)
    foundations = [0, 0, 0, 0]
    aces_out = 3 if rules.beak else rules.aces_out
    base_rank = deck[0].rank if rules.beak else 1
    for ace in [card for card in deck[rules.beak :] if card.rank == base_rank][:aces_out]:
        deck.remove(ace)
        foundations[ace.suit] = 1
    columns: list[list[Card]] = [[] for _ in rules.columns]
    turn = itertools.cycle(range(len(columns)))
    while sum(map(len, columns)) < sum(rules.columns):
        column = next(turn)
        if len(columns[column]) < rules.columns[column]:
            columns[column].append(deck.pop(0))
    if rules.kings_down:
        for column, cards in enumerate(columns):
            kings = [card for card in cards if card.rank % rules.ranks + 1 == base_rank]
            columns[column] = kings + [card for card in cards if card not in kings]
    cells: list[Card | None] = [None] * rules.cells
    for cell in rules.filled:
        cells[cell] = deck.pop(0)
    assert not deck
    return Deal(columns, cells, foundations, rules, base_rank)


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    """Named games, and small ones with columns and cells of all sizes."""
    if draw(st.booleans()):
        return draw(st.sampled_from(sorted(games.values(), key=lambda rules: rules.name)))
    ranks = draw(st.integers(1, 6))
    cells = draw(st.integers(0, 8))
    aces_out = draw(st.integers(0, 4))
    filled = draw(st.permutations(range(cells)))[: draw(st.integers(0, min(cells, 4 * ranks - aces_out)))]
    left = 4 * ranks - aces_out - len(filled)
    cuts = sorted(draw(st.lists(st.integers(0, left), max_size=15)))
    columns = [end - begin for begin, end in itertools.pairwise([0, *cuts, left])]
    return Rules(
        name="drawn",
        columns=tuple(columns),
        cells=cells,
        filled=tuple(filled),
        kings_down=draw(st.booleans()),
        aces_out=aces_out,
        ranks=ranks,
    )


@st.composite
def positions(draw: st.DrawFn) -> Deal:
    """Any position of any game, reachable or not."""
    rules = draw(rule_sets())
    home = [draw(st.integers(0, rules.ranks)) for _ in range(4)]
    deck = [Card.from_index(index) for index in range(4 * rules.ranks)]
    rest: list[Card] = draw(st.permutations([card for card in deck if card.rank > home[card.suit]]))
    held = draw(st.lists(st.booleans(), min_size=rules.cells, max_size=rules.cells))
    cells = [rest.pop() if rest and full else None for full in held]
    cuts = sorted(draw(st.integers(0, len(rest))) for _ in rules.columns[1:])
    columns = [rest[begin:end] for begin, end in itertools.pairwise([0, *cuts, len(rest)])]
    return Deal(columns, cells, home, rules)


# Microsoft numbers


def test_deal_1_of_the_original_program() -> None:
    rows = itertools.zip_longest(*Deal.microsoft(1, "freecell").columns)
    assert [" ".join(str(card) for card in row if card) for row in rows] == [
        "JD 2D 9H JC 5D 7H 7C 5H",
        "KD KC 9S 5S AD QC KH 3H",
        "2S KS 9D QD JS AS AH 3C",
        "4C 5C TS QH 4H AC 4D 7S",
        "3S TD 4S TH 8H 2C JH 7D",
        "6D 8S 8D QS 6C 3D 8C TC",
        "6S 9C 2H 6H",
    ]


@given(st.integers(1, 2**31 - 1))
def test_microsoft_numbers_deal_as_described(number: int) -> None:
    deal = Deal.microsoft(number)
    assert deal == lay_out(microsoft_deck(number), games["bakers_game"])
    assert deal.number == number


PEER_NUMBERS = [
    *[1, 2, 617, 11982, 31999, 32000, 32001, 65535, 65536, 10**6, 2**31 - 2, 2**31 - 1],
    *[2**31, 2**31 + 1, 3_000_000_000, 2**32 - 1, 2**32, 2**32 + 1, 6_000_000_000, 2**33 - 2, 2**33 - 1],
]


@pytest.mark.skipif(BOARD_GENERATOR is None, reason="needs the board generators of Freecell Solver")
def test_agrees_with_the_board_generators() -> None:
    assert BOARD_GENERATOR is not None
    for number in PEER_NUMBERS:
        command = [BOARD_GENERATOR, "-t", str(number)]
        theirs = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        assert Deal.microsoft(number).format() == theirs.rstrip("\n")


@pytest.mark.parametrize("number", [0, -1, 2**33, 10**30])
def test_microsoft_numbers_out_of_range(number: int) -> None:
    with pytest.raises(DealError, match=f"number {number}: expected 1 to 8589934591"):
        Deal.microsoft(number)


def test_microsoft_numbers_have_a_whole_deck() -> None:
    with pytest.raises(DealError, match="13 ranks, the deck of small has 3"):
        Deal.microsoft(1, SMALL)


@pytest.mark.parametrize("number", ["617", 617.0, None])
def test_numbers_and_seeds_are_whole_numbers(number: object) -> None:
    with pytest.raises(TypeError):
        Deal.microsoft(number)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        Deal.random(number)  # type: ignore[arg-type]


# Seeds and days


def test_the_generator_gives_its_published_numbers() -> None:
    assert list(itertools.islice(splitmix64(1234567), 3)) == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
    ]


@given(st.integers(0, 2**64 - 1), st.integers(1, 13))
def test_random_deals_as_documented(seed: int, ranks: int) -> None:
    rules = Rules(name="one column", columns=(4 * ranks,), ranks=ranks)
    assert list(Deal.random(seed, rules).columns[0]) == random_deck(seed, ranks)


def test_a_seed_deals_the_same_for_ever() -> None:
    assert Deal.random(0).format() == SEED_0
    assert Deal.random(2**64 - 1).format() == SEED_LAST
    assert Deal.random(0).number is None


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_out_of_range(seed: int) -> None:
    with pytest.raises(DealError, match=f"seed {seed} is out of range: expected 0 to 18446744073709551615"):
        Deal.random(seed)


def test_every_deck_is_as_likely_as_any_other() -> None:
    rules = Rules(name="aces", columns=(4,), ranks=1)
    counts: dict[Deal, int] = {}
    for seed in range(24_000):
        deal = Deal.random(seed, rules)
        counts[deal] = counts.get(deal, 0) + 1
    assert len(counts) == 24
    # Five standard deviations around the thousand that is due.
    assert all(845 < count < 1155 for count in counts.values())


def test_the_deal_of_a_day() -> None:
    day = datetime.date(2026, 2, 28)
    assert Deal.daily(day) == Deal.random(0x62616B6572 << 24 | day.toordinal())
    assert Deal.daily(day).format() == DAY
    assert Deal.daily("2026-02-28") == Deal.daily(datetime.datetime(2026, 2, 28, 23, 59)) == Deal.daily(day)
    assert Deal.daily(day, "eight_off") == Deal.random(0x62616B6572 << 24 | day.toordinal(), "eight_off")
    assert Deal.daily(datetime.date.min) != Deal.daily(datetime.date.max)


@pytest.mark.parametrize("text", ["", "2026-02-30", "tomorrow", "28.02.2026", "2" * 10**6])
def test_what_is_no_day(text: str) -> None:
    with pytest.raises(DealError, match="'.* is not a date: expected one such as '2026-02-28'"):
        Deal.daily(text)


@pytest.mark.parametrize("value", [None, 20260228, 1.0])
def test_a_day_of_the_wrong_type(value: object) -> None:
    with pytest.raises(TypeError, match=f"date is {value}: expected a date or a text such as '2026-02-28'"):
        Deal.daily(value)  # type: ignore[arg-type]


# Layouts


@pytest.mark.parametrize("name", sorted(games))
def test_every_game_is_laid_out_as_its_rules_say(name: str) -> None:
    for seed in range(50):
        assert Deal.random(seed, name) == lay_out(random_deck(seed), games[name])
        assert Deal.microsoft(seed + 1, name) == lay_out(microsoft_deck(seed + 1), games[name])


@given(st.integers(0, 2**64 - 1), rule_sets())
def test_any_rules_are_laid_out(seed: int, rules: Rules) -> None:
    assert Deal.random(seed, rules) == lay_out(random_deck(seed, rules.ranks), rules)


def test_the_last_cards_of_the_deal_fill_the_cells_in_order() -> None:
    *_, seventh, sixth, fifth, fourth, third, second, last = microsoft_deck(617)
    assert Deal.microsoft(617, "eight_off").cells == (fourth, None, third, None, second, None, last, None)
    assert Deal.microsoft(617, "seahaven_towers").cells == (None, second, last, None)
    assert Deal.microsoft(617, "fore_cell").cells == (fourth, third, second, last)
    backwards = games["fore_cell"].replace(filled=(3, 2, 1, 0))
    assert Deal.microsoft(617, backwards).cells == (last, second, third, fourth)
    assert Deal.microsoft(617, "fore_cell").columns[7][-1] == fifth
    assert Deal.microsoft(617, "fore_cell").columns[6][-1] == sixth
    assert Deal.microsoft(617, "fore_cell").columns[5][-1] == seventh


def test_kings_go_down_and_keep_their_order() -> None:
    rules = games["bakers_dozen"]
    two_kings = 0
    for number in range(1, 200):
        dealt = Deal.microsoft(number, rules.replace(kings_down=False)).columns
        for before, after in zip(dealt, Deal.microsoft(number, rules).columns, strict=True):
            kings = [card for card in before if card.rank == 13]
            assert list(after) == kings + [card for card in before if card.rank < 13]
            two_kings += len(kings) > 1
    assert two_kings > 0


def test_good_measure_starts_with_the_first_two_aces_home() -> None:
    for number in range(1, 100):
        deck = microsoft_deck(number)
        first, second = [card for card in deck if card.rank == 1][:2]
        deal = Deal.microsoft(number, "good_measure")
        assert {suit for suit, count in enumerate(deal.foundations) if count} == {first.suit, second.suit}
        assert sorted([first, second, *itertools.chain(*deal.columns)]) == sorted(deck)


# Deals as values


def test_a_deal_is_immutable() -> None:
    deal = Deal.microsoft(617)
    for name in ("columns", "cells", "foundations", "rules", "number", "_columns", "more"):
        with pytest.raises(AttributeError, match="immutable"):
            setattr(deal, name, ())
        with pytest.raises(AttributeError, match="immutable"):
            delattr(deal, name)
    assert deal == Deal.microsoft(617)


def test_equal_if_the_same_cards_lie_at_the_same_places() -> None:
    deal = Deal.parse(SMALL_TEXT, SMALL)
    twin = Deal(deal.columns, deal.cells, deal.foundations, SMALL)
    assert deal == twin
    assert hash(deal) == hash(twin)
    assert deal != Deal.parse(SMALL_TEXT.replace("3S -", "- 3S"), SMALL)
    assert deal != Deal.parse(SMALL_TEXT.replace("AS\n:\n", "\nAS\n"), SMALL)
    assert deal != Deal.parse(SMALL_TEXT, SMALL.replace(fill="kings"))
    assert deal == Deal.parse(SMALL_TEXT, SMALL.replace(name="another name"))
    assert deal.__eq__(SMALL_TEXT) is NotImplemented


def test_the_number_is_kept_but_not_compared() -> None:
    deal = Deal.microsoft(617)
    read = Deal.parse(deal.format())
    assert (deal.number, read.number) == (617, None)
    assert deal == read
    assert repr(deal) == "Deal.microsoft(617, 'bakers_game')"
    assert repr(Deal.microsoft(617, games["bakers_game"].replace(cells=3))) == (
        "Deal.microsoft(617, Rules(name='bakers_game', columns=(7, 7, 7, 7, 6, 6, 6, 6), cells=3))"
    )
    assert pickle.loads(pickle.dumps(deal)).number == 617


@given(positions())
def test_copies_and_texts_of_any_position_are_equal(deal: Deal) -> None:
    assert Deal(deal.columns, deal.cells, deal.foundations, deal.rules) == deal
    assert Deal.parse(deal.format(), deal.rules) == deal
    assert Deal.parse(deal.format().encode(), deal.rules) == deal
    assert eval(repr(deal)) == deal
    assert copy.copy(deal) == copy.deepcopy(deal) == deal
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert hash(pickle.loads(pickle.dumps(deal))) == hash(deal)


def test_the_board_for_people() -> None:
    assert str(Deal.parse(SMALL_TEXT, SMALL)) == (
        " a  b   h\n3S  -   C-2 D-A H-0 S-0\n\n 1  2  3\n3C    3H\n3D    2D\nAS    2H\n      2S\n      AH"
    )
    without_cells = Rules(name="no cells", columns=(1,) * 12, ranks=3)
    assert str(Deal([""] * 12, foundations=(3, 3, 3, 3), rules=without_cells)) == (
        "C-3 D-3 H-3 S-3\n\n 1  2  3  4  5  6  7  8  9 10 11 12"
    )


@given(positions())
def test_the_board_for_people_shows_every_card(deal: Deal) -> None:
    cards = [card for column in deal.columns for card in column] + [card for card in deal.cells if card]
    shown = re.findall(r"\b[A2-9TJQK][CDHS]\b", str(deal))
    assert sorted(shown) == sorted(map(str, cards))
    assert not any(line != line.rstrip() for line in str(deal).splitlines())


# The constructor


def test_columns_as_texts_or_cards() -> None:
    columns = [line.split() for line in DEAL_617.splitlines()]
    cards = [[Card(text) for text in column] for column in columns]
    assert Deal(columns) == Deal(cards) == Deal(DEAL_617.splitlines()) == Deal(iter(cards)) == Deal.microsoft(617)


def test_cells_that_are_not_given_are_empty() -> None:
    home = (13, 13, 13, 12)
    assert Deal([""] * 8, ["KS"], home) == Deal([[]] * 8, [Card("KS"), None, None, None], home)
    assert Deal(["KS", *[""] * 7], foundations=home).cells == (None,) * 4


def a_position() -> Deal:
    return Deal(["JS KS", "", "", "QS", "", "", "", ""], foundations=(13, 13, 13, 10))


def test_foundations_are_whole_numbers_of_any_type() -> None:
    deal = Deal(["JS KS", "", "", "QS", *[""] * 4], foundations=map(Index, (13, 13, 13, 10)))
    assert deal == a_position()
    assert [type(count) for count in deal.foundations] == [int] * 4
    assert Deal(["JS KS", "", "", "QS", *[""] * 4], foundations=[13, 13, Liar(13), 10]) == deal
    with pytest.raises(DealError, match="expected four counts"):
        Deal([""] * 8, foundations=(13, 13, 13, True))
    numpy = pytest.importorskip("numpy")
    assert Deal(["JS KS", "", "", "QS", *[""] * 4], foundations=numpy.array([13, 13, 13, 10])) == deal
    assert Deal.microsoft(numpy.int64(617)) == Deal.microsoft(617)
    assert type(Deal.microsoft(numpy.int64(617)).number) is int
    assert Deal.random(numpy.uint64(2**64 - 1)) == Deal.random(2**64 - 1)


@pytest.mark.parametrize(
    ("columns", "cells", "foundations", "reason"),
    [
        ("KS QS", None, None, "columns is 'KS QS': expected a list"),
        (8, None, None, "columns is 8: expected a list"),
        ([1] * 8, None, None, "a column is 1: expected a list"),
        ([[None], *[""] * 7], None, None, "not from NoneType"),
        ([[1], *[""] * 7], None, None, "not from int"),
        ([""] * 8, "KS", None, "cells is 'KS': expected a list"),
        ([""] * 8, [1], None, "not from int"),
        ([""] * 8, None, 52, "foundations is 52: expected a list"),
    ],
)
def test_boards_of_the_wrong_types(columns: Any, cells: Any, foundations: Any, reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        Deal(columns, cells, foundations)


@pytest.mark.parametrize("endless", [("KS", None), (None, "KS"), (None, None, 13)])
def test_boards_without_an_end(endless: tuple[Any, ...]) -> None:
    columns, cells, foundations = (*endless, None)[:3]
    with pytest.raises(DealError, match="expected"):
        Deal(
            itertools.repeat(columns) if columns else [""] * 8,
            itertools.repeat(cells) if cells else None,
            itertools.repeat(foundations) if foundations else None,
        )
    with pytest.raises(DealError, match="KS is in column 1 and again in column 1"):
        Deal([itertools.repeat("KS"), *[""] * 7])


def test_copies_are_the_deal_itself() -> None:
    for deal in (Deal.microsoft(617), a_position()):
        assert copy.copy(deal) is deal is copy.deepcopy(deal)


def test_nothing_changes_a_deal() -> None:
    deal = Deal.microsoft(617)
    deal.__init__([""] * 8)  # type: ignore[misc]
    assert deal == Deal.microsoft(617)
    with pytest.raises(AttributeError, match="deals are immutable"):
        pickle.loads(pickle.dumps(Forged(Deal.microsoft, (617,), (None, {"foundations": (13, 13, 13, 13)}))))


def test_pickles_are_checked() -> None:
    make, values = a_position().__reduce__()
    columns, cells, home, base, rules = cast(tuple[Any, Any, Any, Any, Any], values)
    assert pickle.loads(pickle.dumps(Forged(make, values))) == a_position()
    for forged in (
        ((b"", *columns[1:]), cells, home, base, rules),
        (columns[:7], cells, home, base, rules),
        (columns, b"", home, base, rules),
        (columns, cells, (13, 13, 13, 13), base, rules),
        (columns, cells, (13, 13, 13), base, rules),
        (columns, cells, home, 2, rules),
        ((bytes([255]), *columns[1:]), cells, home, base, rules),
    ):
        with pytest.raises(DealError, match="the pickle is not that of a deal"):
            pickle.loads(pickle.dumps(Forged(make, forged)))
    for wrong in (((10**12, *columns[1:]), cells, home, base, rules), (columns, cells, home, base, "bakers_game")):
        with pytest.raises(TypeError, match="the pickle is not that of a deal"):
            pickle.loads(pickle.dumps(Forged(make, wrong)))
    make, _ = Deal.microsoft(617).__reduce__()
    for code in ("ms0", "ms", "seed99999999999999999999", "daily2026-02-30"):
        with pytest.raises(DealError, match="ms|number|seed|date"):
            pickle.loads(pickle.dumps(Forged(make, (code, games["bakers_game"]))))


@pytest.mark.parametrize(
    ("columns", "cells", "foundations", "reason"),
    [
        (["KS"] * 7, None, None, "the board has 7 columns: expected 8, as bakers_game has"),
        (["KS"] * 9, None, None, "the board has 9 columns: expected 8"),
        ([""] * 8, ["KS"] * 5, None, "the board has 5 cells: expected at most 4, as bakers_game has"),
        ([""] * 8, None, (13, 13, 13), r"foundations are \(13, 13, 13\): expected four counts of cards, each 0 to 13"),
        ([""] * 8, None, (13, 13, 13, 14), "expected four counts"),
        ([""] * 8, None, (13, 13, 13, -1), "expected four counts"),
        ([""] * 8, None, (13, 13, 13, "K"), "expected four counts"),
        (["XX"] + [""] * 7, None, None, "unknown card 'XX'"),
        ([""] * 8, ["KX"], None, "unknown card 'KX'"),
        (
            ["KS", *[""] * 7],
            None,
            (13, 13, 13, 13),
            r"KS is on the foundations \(C-K D-K H-K S-K\) and again in column 1",
        ),
        (["", "KS", "KS", *[""] * 5], None, (13, 13, 13, 12), "KS is in column 2 and again in column 3: expected each"),
        (["KS", *[""] * 7], ["KS"], (13, 13, 13, 12), "KS is in column 1 and again in a cell"),
        ([""] * 8, None, (13, 13, 13, 12), "KS is missing: expected each card of the deck once"),
        ([""] * 8, None, (13, 12, 13, 12), "KD KS are missing"),
        ([""] * 8, None, None, "AC AD AH AS 2C and 47 more are missing"),
    ],
)
def test_what_is_no_board(columns: list[str], cells: list[str], foundations: tuple[int, ...], reason: str) -> None:
    with pytest.raises(DealError, match=reason) as caught:
        Deal(columns, cells, foundations)
    assert (caught.value.line, caught.value.column, caught.value.token) == (None, None, None)


def test_a_card_outside_a_small_deck() -> None:
    with pytest.raises(DealError, match="4C is not in the deck, which has 3 ranks"):
        Deal(["4C", "", ""], rules=SMALL)


# Texts


@pytest.mark.parametrize(
    "text",
    [
        SMALL_TEXT.lower(),
        SMALL_TEXT.replace("\n", "\r\n"),
        SMALL_TEXT.replace("\n", "\r"),
        "\ufeff" + SMALL_TEXT,
        "\n\n# a board\n" + SMALL_TEXT.replace("\n", "   # so it is\n\n"),
        "3C 3D AS\n:\n3H 2D 2H 2S AH\nFC: 3S\nFounds: D-A C-2",
        ":3C 3D AS\n  :  \n: 3H 2D 2H 2S AH\nfreecells :3S -\nFOUNDATIONS:S-0\tH-0 D-A C-2",
        "c3 d3 as\n:\nh3 d2 h2 s2 ha\nFreecells: s3\nFoundations: c-2 d-a",
        "3♣ 3♦ A♠\n:\n3♥ 2♢ ♡2 2♤ A♥\ufe0f\nFreecells:  3♠          \nFoundations: ♣-2 ♦-A ",
        "3C\xa03D\t AS \n:\n3H 2D 2H 2S AH\nFreecells: 3S -\nFoundations: C-2 D-A",
    ],
)
def test_texts_of_one_board(text: str) -> None:
    deal = Deal.parse(SMALL_TEXT, SMALL)
    assert deal.columns == (tuple(map(Card, ["3C", "3D", "AS"])), (), tuple(map(Card, ["3H", "2D", "2H", "2S", "AH"])))
    assert deal.cells == (Card("3S"), None)
    assert deal.foundations == (2, 1, 0, 0)
    assert Deal.parse(text, SMALL) == Deal.parse(text.encode(), SMALL) == deal


def test_foundations_in_any_order_and_with_tens() -> None:
    board = "TD JD QD KD\nJS QS KS\n" + ":\n" * 6
    deal = Deal.parse("Foundations: S-10 H-K C-k D-9\n" + board)
    assert deal.foundations == (13, 9, 13, 10)
    assert deal == Deal.parse("Foundations: ♠-t D-9 H-K C-K\n" + board)
    assert deal.format() == "Foundations: C-K D-9 H-K S-T\n" + board.rstrip()


def test_a_won_board() -> None:
    deal = Deal.parse("Foundations: C-K D-K H-K S-K\n" + ":\n" * 8)
    assert deal.format() == "Foundations: C-K D-K H-K S-K\n" + "\n".join(":" * 8)
    assert not any(deal.columns)


def edited(old: str, new: str) -> str:
    assert old in DEAL_617
    return DEAL_617.replace(old, new, 1)


SEAHAVEN = Deal.microsoft(1, "seahaven_towers").format().partition("\n#")[0]

# text, line, column, token, message
MALFORMED: dict[str, tuple[str | bytes, int, int, str, str]] = {
    "empty": ("", 1, 1, "", "the text is empty: expected a board"),
    "blank": (" \n\t\n\n", 1, 1, "", "the text is empty"),
    "only comments": ("# nothing\n#\n", 1, 1, "", "the text is empty"),
    "no bytes": (b"", 1, 1, "", "the text is empty"),
    "unknown card": (edited("QC", "XX"), 2, 7, "XX", "unknown card 'XX': expected a rank"),
    "lone rank": (edited("QC", "Q"), 2, 7, "Q", "unknown card 'Q'"),
    "comma": (edited("QC", "QC,"), 2, 7, "QC,", "unknown card 'QC,'"),
    "dash in a column": (edited("QC", "-"), 2, 7, "-", "unknown card '-'"),
    "doubled": (edited("QC", "7d"), 2, 7, "7d", "7d is already at line 1, column 1: expected each card once"),
    "missing": (edited(" QC", ""), 8, 18, "", "QC is missing: expected each card of the deck once"),
    "many missing": ("KS\n" + ":\n" * 7, 8, 2, "", "AC AD AH AS 2C and 46 more are missing"),
    "few columns": (DEAL_617[:-18], 7, 18, "", "ends after 7 columns: expected 8 columns, as bakers_game has"),
    "many columns": (DEAL_617 + "\n:", 9, 1, ":", "column 9 of the board: expected 8 columns, as bakers_game has"),
    "cards in a ninth column": (DEAL_617 + "\n\n  KS", 10, 3, "KS", "column 9 of the board"),
    "another game": (SEAHAVEN, 10, 1, "KD", "column 9 of the board"),
    "many cells": ("FC: - - 7D - -\n", 1, 14, "-", "'-' is in cell 5: expected at most 4, as bakers_game has"),
    "many cards in cells": ("Freecells: 2C 3C 4C 5C 6C", 1, 24, "6C", "'6C' is in cell 5: expected at most 4"),
    "cell and column": ("FC: JD\n" + DEAL_617, 2, 19, "JD", "JD is already at line 1, column 5"),
    "two lines of cells": ("FC: -\nFreecells: 7D", 2, 1, "Freecells:", "a second line of cells"),
    "contradiction": (DEAL_617 + "\nFounds: C-A", 4, 4, "AC", r"AC is also on the foundations \(C-A D-0 H-0 S-0\)"),
    "contradictions": ("Foundations: H-2 C-A\n" + DEAL_617, 4, 16, "2H", "2H is also on the foundations"),
    "two lines of foundations": (" Founds:\n Founds :\n", 2, 2, "Founds :", "a second line of foundations"),
    "suit home twice": ("Foundations: H-2 C-3 H-2", 1, 22, "H-2", "a second foundation of hearts"),
    "unknown foundation": ("Foundations: H-2 X-3", 1, 18, "X-3", "unknown foundation 'X-3': expected a suit and"),
    "unknown rank home": ("Foundations: H-14", 1, 14, "H-14", "unknown foundation 'H-14'"),
    "card home": ("Foundations: 2H", 1, 14, "2H", "unknown foundation '2H'"),
    "unknown heading": ("Talon: 2H", 1, 1, "Talon:", "unknown heading 'Talon:': expected Foundations:, Freecells:"),
    "form feed": ("7D\x0cTD", 1, 1, "7D\x0cTD", r"unknown card '7D\\x0cTD'"),
    "null": ("\0" * 1000 + "7D", 1, 1, "\0" * 1000 + "7D", r"unknown card '(\\x00){20}'\.\.\.: expected"),
    "lone surrogate": ("7D \ud800", 1, 4, "\ud800", r"unknown card '\\ud800'"),
    "rubbish": (b"\x7fELF\x02\x01", 1, 1, "\x7fELF\x02\x01", r"unknown card '\\x7fELF"),
    "not UTF-8": ("7D ♥T\r\n♦".encode() + b"\xff", 2, 2, r"\xff", r"the byte \\xff is not UTF-8: expected a text"),
    "not UTF-16": ("7D".encode("utf-16-le") + b"\0\xd8", 1, 3, r"\x00", r"the byte \\x00 is not UTF-16"),
}


@pytest.mark.parametrize(("text", "line", "column", "token", "message"), MALFORMED.values(), ids=MALFORMED)
def test_malformed_texts(text: str | bytes, line: int, column: int, token: str, message: str) -> None:
    with pytest.raises(DealError, match=message) as caught:
        Deal.parse(text)
    error = caught.value
    assert (error.line, error.column, error.token) == (line, column, token)
    assert str(error).startswith(f"line {line}, column {column}: ")
    assert ": expected " in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.line, again.column, again.token) == (str(error), line, column, token)


def test_a_card_in_a_cell_of_a_game_without_cells() -> None:
    with pytest.raises(
        DealError, match="line 1, column 12: '2C' is in cell 1: expected at most 0, as bakers_dozen has"
    ):
        Deal.parse("Freecells: 2C", "bakers_dozen")


def test_cards_outside_a_small_deck() -> None:
    with pytest.raises(DealError, match="line 1, column 4: 4C is not in the deck: expected ranks up to 3"):
        Deal.parse("3C 4C", SMALL)
    with pytest.raises(DealError, match="line 1, column 14: foundation 'C-4': expected a deck of 3 ranks"):
        Deal.parse("Foundations: C-4", SMALL)


def test_parse_takes_texts_only() -> None:
    with pytest.raises(TypeError, match="not list"):
        Deal.parse([])  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        lambda size: "7" * size,
        lambda size: "7D " * (size // 3),
        lambda size: "♥ " * (size // 2),
        lambda size: " " * size,
        lambda size: "\n" * size,
        lambda size: ":\n" * (size // 2),
        lambda size: ":" * size,
        lambda size: "#" * size,
        lambda size: "#\n" * (size // 2),
        lambda size: "\t" * size + "7",
        lambda size: "Foundations: " + "H-2 " * (size // 4),
        lambda size: "Freecells:" + "-" * size,
        lambda size: "Freecells:" + " -" * (size // 2),
        lambda size: "f" * size + ":",
        lambda size: b"\0" * size,
        lambda size: b"7" * size + b"\xff",
        lambda size: DEAL_617 + " " * size + "7D",
    ],
    ids=lambda text: repr(text(24)[:12]),
)
def test_long_texts_are_refused_in_a_time_by_their_size(text: Callable[[int], str | bytes]) -> None:
    def parse(size: int) -> None:
        with pytest.raises(DealError) as caught:
            Deal.parse(text(size))
        assert len(str(caught.value)) < 300

    check_linear(parse)


TOKENS = [
    *DEAL_617.split(),
    "10D",
    "-",
    ":",
    "\n",
    "\n",
    "\n",
    "#",
    "Foundations:",
    "Freecells:",
    "H-0",
    "C-A",
    "XX",
    "\x00",
]


@given(
    st.text()
    | st.binary()
    | st.lists(st.sampled_from(TOKENS), max_size=80).map(" ".join)
    | st.tuples(st.integers(0, 160), st.integers(0, 4), st.text(max_size=4)).map(
        lambda edit: DEAL_617[: edit[0]] + edit[2] + DEAL_617[edit[0] + edit[1] :]
    )
)
def test_a_text_is_a_board_or_one_error_with_its_place(text: str | bytes) -> None:
    try:
        deal = Deal.parse(text)
    except DealError as caught:
        error = caught
    else:
        assert Deal.parse(deal.format()) == deal
        return
    assert error.line is not None
    assert error.column is not None
    assert error.token is not None
    if isinstance(text, str):
        line = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))[error.line - 1]
        assert line[error.column - 1 :].startswith(error.token)


# Freecell Solver


def fc_solve(text: str, name: str) -> str:
    """The board as fc-solve prints it when it has read the text."""
    assert FC_SOLVE is not None
    command = [FC_SOLVE, "-g", name, "-p", "-t", "-s", "-i", "-mi", "1"]
    output = subprocess.run(command, input=text, capture_output=True, text=True, timeout=300, check=False).stdout
    found = re.search(r"^Foundations:.*?\n\n", output, re.MULTILINE | re.DOTALL)
    assert found, output
    return found[0]


def places_in_any_order(deal: Deal) -> tuple[object, ...]:
    return sorted(deal.columns), sorted(filter(None, deal.cells)), deal.foundations


@pytest.mark.skipif(FC_SOLVE is None, reason="needs fc-solve")
@pytest.mark.parametrize("name", FC_SOLVE_NAMES)
def test_fc_solve_reads_what_we_write_and_we_what_it_writes(name: str) -> None:
    for seed in range(3):
        deal = Deal.random(seed, name)
        theirs = Deal.parse(fc_solve(deal.format() + "\n", FC_SOLVE_NAMES[name]), name)
        assert places_in_any_order(theirs) == places_in_any_order(deal)


@pytest.mark.skipif(FC_SOLVE is None, reason="needs fc-solve")
def test_fc_solve_reads_positions() -> None:
    for text in (
        "Foundations: C-K D-K H-K S-T\nFreecells: - QS - -\n:\nJS\n:\n:\n:\n:\n:\nKS",
        "Foundations: C-K D-T H-0 S-K\nAH KH 2H QH 3H JH 4H TH\n9H 5H 8H 6H 7H JD QD KD\n:\n:\n:\n:\n:\n:",
    ):
        deal = Deal.parse(text)
        assert deal.format() == text
        theirs = Deal.parse(fc_solve(text + "\n", "bakers_game"))
        assert places_in_any_order(theirs) == places_in_any_order(deal)
