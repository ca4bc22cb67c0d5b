"""Penguin's boards have their real ranks, whichever rank goes home first."""

import pickle
import random
from itertools import chain

import pytest

from baker import Card, Deal, DealError, Game, IllegalMoveError, Move, Rules, Verdict, games, solve

SMALL = Rules(name="small", columns=(6, 5, 6), cells=1, fill="kings", group="unlimited", beak=True, ranks=5)


def deals() -> dict[int, Deal]:
    """A deal for each base rank."""
    by_rank: dict[int, Deal] = {}
    for number in range(1, 200):
        deal = Deal.microsoft(number, "penguin")
        by_rank.setdefault(deal.base_rank, deal)
    return dict(sorted(by_rank.items()))


DEALS = deals()


def test_every_rank_is_a_base_rank() -> None:
    assert list(DEALS) == list(range(1, 14))


@pytest.mark.parametrize("deal", DEALS.values(), ids=DEALS)
def test_the_cards_are_those_that_are_dealt(deal: Deal) -> None:
    """The deck in the order of the deal, the three cards of the beak's rank left out."""
    assert deal.number is not None
    plain = Deal.microsoft(deal.number).columns
    deck = [plain[column][row] for row in range(7) for column in range(8) if row < len(plain[column])]
    beak = deck[0]
    deck = [card for card in deck if card is beak or card.rank != beak.rank]
    assert deal.columns == tuple(tuple(deck[column::7]) for column in range(7))
    assert deal.base_rank == beak.rank
    assert deal.foundations == tuple(int(suit != beak.suit) for suit in range(4))


@pytest.mark.slow
@pytest.mark.parametrize("deal", DEALS.values(), ids=DEALS)
def test_boards_are_read_as_they_are_written(deal: Deal) -> None:
    """At the start, in the middle, and when all cards are home."""
    solution = solve(deal)
    games_played = [(Game(deal), list(solution.moves))]
    rng = random.Random(deal.base_rank)
    for _ in range(3):
        game = Game(deal)
        moves: list[Move] = []
        while game.legal_moves and len(moves) < 60:
            moves.append(game.push(rng.choice(list(game.legal_moves))))
        games_played.append((Game(deal), moves))
    for game, moves in games_played:
        for move in (None, *moves):
            if move:
                game.push(move)
            position = game.position
            cards = [*chain.from_iterable(position.columns), *filter(None, position.cells)]
            assert len(set(cards)) + sum(position.foundations) == 52
            assert (position.columns, position.cells, position.base_rank) == (game.columns, game.cells, deal.base_rank)
            for text in (position.format(), str(position)):
                assert Deal.parse(text, "penguin") == position
            parts = position.columns, position.cells, position.foundations, position.rules
            assert Deal(*parts, position.base_rank) == position == pickle.loads(pickle.dumps(position))
            if any(0 < count < 13 for count in position.foundations):
                assert Deal(*parts) == position
    assert games_played[0][0].is_won


def test_a_real_board_is_read_solved_and_drawn() -> None:
    text = DEALS[10].format()
    suit = DEALS[10].columns[0][0].suit.letter
    home = " ".join(f"{letter}-T" for letter in "CDHS" if letter != suit)
    board = "\n".join([f"Foundations: {home}", *text.splitlines()[1:]])
    deal = Deal.parse(board, "penguin")
    assert deal == DEALS[10]
    assert deal.base_rank == 10
    assert str(deal.columns[0][0]) == f"T{suit}"
    assert all(f"{letter}-{'0' if letter == suit else 'T'}" in str(deal) for letter in "CDHS")
    solution = solve(deal)
    assert solution.verdict is Verdict.SOLVED
    game = Game(deal)
    for move in solution.moves:
        game.push(move)
    assert game.is_won


def test_deals_with_other_real_cards_differ() -> None:
    """Boards that are the same but for the names of the ranks."""
    deal = DEALS[10]
    renamed = [[Card.of((card.rank - 10) % 13 + 1, card.suit) for card in column] for column in deal.columns]
    other = Deal(renamed, None, deal.foundations, deal.rules)
    assert other.base_rank == 1
    assert other != deal
    assert Game(other) != Game(deal)
    assert len({other, deal}) == 2
    assert solve(other).moves == solve(deal).moves


def test_reasons_name_real_cards() -> None:
    rows = ("KC TC 8D", "AD", "9C QD")
    home = (0, 0, 0, 0)
    cards = {Card(text) for text in " ".join(rows).split()}
    rest = [card for card in map(Card.from_index, range(52)) if card not in cards]
    rules = games["penguin"].replace(columns=(13, 12, 12, 12))
    game = Game(Deal([*rows, rest], None, home, rules, 13))
    for move, reason in (
        ("12", "8D does not go on AD"),
        ("31", "QD does not go on 8D"),
        ("1h", "8D cannot go home before KD"),
    ):
        with pytest.raises(IllegalMoveError, match=reason):
            game.push(move)


def test_ranks_go_round_the_corner_but_nothing_goes_on_the_base_rank() -> None:
    # Base rank Q: the jack plays the king, the ace goes on the deuce, the king on the ace, the queen on the king.
    columns = ["QC 2H", "AH", "KH", "JH"]
    used = {Card(text) for text in " ".join(columns).split()}
    home = [card for card in map(Card.from_index, range(52)) if card not in used]
    rules = games["penguin"].replace(columns=(13, 12, 12, 12))
    columns[3] = " ".join(map(str, [*home, Card("JH")]))
    game = Game(Deal(columns, None, (0, 0, 0, 0), rules))
    assert game.base_rank == 12
    game.push("21")
    game.push("31")
    assert [str(card) for card in game.columns[0]] == ["QC", "2H", "AH", "KH"]
    with pytest.raises(IllegalMoveError, match="only a card of rank J goes into an empty column, not KH"):
        game.push("12")
    game.push("42")
    assert game.columns[1] == (Card("JH"),)


@pytest.mark.parametrize(
    ("tops", "columns", "base_rank", "foundations"),
    [
        # Complete suits tell by their highest card; then nothing else need.
        ("C-2 D-2 H-2 S-2", [":", ":", ":"], 3, (5, 5, 5, 5)),
        ("C-2 D-2 H-2 S-0", ["3S", "4S 5S", "AS 2S"], 3, (5, 5, 5, 0)),
        # The three that are home go round the corner.
        ("C-A D-0 H-4 S-4", ["4D 5D", ":", "2C 3C AD 2D 3D 5H AH 2H 3H 5S AS 2S 3S"], 4, (3, 0, 1, 1)),
    ],
)
def test_which_rank_is_first(tops: str, columns: list[str], base_rank: int, foundations: tuple[int, ...]) -> None:
    deal = Deal.parse("\n".join([f"Foundations: {tops}", *columns]), SMALL)
    assert (deal.base_rank, deal.foundations) == (base_rank, foundations)
    assert Deal.parse(deal.format(), SMALL) == deal


def test_where_no_card_is_home_the_first_card_tells() -> None:
    deal = Deal.parse(":\n4D 5D AC 2C 3C AD 2D 3D 4C 5C\n4H 5H AH 2H 3H 4S 5S AS 2S 3S", SMALL)
    assert deal.base_rank == 4
    assert Deal.parse(deal.format(), SMALL) == deal
    with pytest.raises(DealError, match="the base rank is 2: expected 4, that of the first card, as no card is home"):
        Deal(deal.columns, None, None, SMALL, 2)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("TC", "", "TC is missing"),
        ("Foundations: C-J", "Foundations: C-Q", r"QC is also on the foundations \(C-Q D-0 H-J S-J\)"),
        ("C-J ", "", "JC is missing"),
    ],
)
def test_boards_that_contradict_themselves(old: str, new: str, message: str) -> None:
    text = Deal.microsoft(1, "penguin").format()
    assert text.startswith("Foundations: C-J D-0 H-J S-J\nJD")
    text = text.replace(old, new, 1)
    with pytest.raises(DealError, match=message):
        Deal.parse(text, "penguin")


def test_base_ranks_that_there_are_not() -> None:
    deal = DEALS[10]
    parts = deal.columns, deal.cells, deal.foundations
    for wrong in (0, 14, -1):
        with pytest.raises(DealError, match=f"the base rank is {wrong}: expected 1 to 13"):
            Deal(*parts, deal.rules, wrong)
    with pytest.raises(DealError, match="again in column"):
        Deal(*parts, deal.rules, 11)
    with pytest.raises(DealError, match="the base rank is 10: expected 1, the ace"):
        Game(deal, deal.rules.replace(beak=False, columns=(7, 7, 7, 7, 8, 8, 8)))
    with pytest.raises(TypeError):
        Deal(*parts, deal.rules, 10.0)  # type: ignore[arg-type]
    assert Deal.microsoft(10).base_rank == 1
