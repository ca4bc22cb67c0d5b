"""The cards of games whose foundations do not begin with the ace, such as Penguin.

People see real cards. The rules of play, the moves and the engines count ranks from the base rank, the one that goes
home first: the *number* of a card is 4 times its rank so counted, from 0, plus its suit. With base rank 1 that is its
index. Here is the only place where one becomes the other.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import cache

from baker.cards import CARDS, RANKS, Card, Suit
from baker.rules import Rules

Foundations = tuple[int, int, int, int]


@cache
def cards_by_number(base_rank: int, ranks: int) -> tuple[Card, ...]:
    """The cards of a deck of so many ranks, by their numbers."""
    return CARDS[4 * (base_rank - 1) : 4 * ranks] + CARDS[: 4 * (base_rank - 1)]


def numbers_of(cards: Sequence[int], base_rank: int, ranks: int) -> bytes:
    """The numbers of cards given by their indices; what is no card of the deck stays what it is."""
    size, first = 4 * ranks, 4 * (base_rank - 1)
    return bytes([(card - first) % size if card < size else card for card in cards])


def cards_home(foundations: Sequence[int], base_rank: int, ranks: int) -> Iterator[int]:
    """The indices of the cards that are home."""
    cards = cards_by_number(base_rank, ranks)
    return (cards[4 * rank + suit].index for suit, count in enumerate(foundations) for rank in range(count))


def counts_home(tops: Sequence[int], base_rank: int, ranks: int) -> Foundations:
    """How many cards of each suit are home if these are the highest ranks that are, 0 for none."""
    clubs, diamonds, hearts, spades = [(top - base_rank) % ranks + 1 if top else 0 for top in tops]
    return clubs, diamonds, hearts, spades


def foundations_text(foundations: Sequence[int], cards: Sequence[Card]) -> str:
    """The highest card of each suit that is home, as boards show it; `cards` by their numbers."""
    tops = [RANKS[cards[4 * (count - 1)].rank - 1] if count else "0" for count in foundations]
    return " ".join([f"{suit.letter}-{top}" for suit, top in zip(Suit, tops, strict=True)])


def find_base_rank(
    rules: Rules, columns: Sequence[Sequence[int]], found: Collection[int], home: Callable[[int], Foundations]
) -> int:
    """The base rank of a board: 1, or in games with a beak the one that explains best which cards are missing.

    `found` are the indices of the cards on the board; `home` tells how many cards of each suit are home for a base
    rank. Of several that explain it as well it is that of the first card of the first column with a card, as at the
    start of a game; else the lowest.
    """
    if not rules.beak:
        return 1
    missing = set(range(4 * rules.ranks)).difference(found)
    beak = next((column[0] // 4 + 1 for column in columns if column), 1)

    def doubt(base_rank: int) -> tuple[int, bool, int]:
        at_home = cards_home(home(base_rank), base_rank, rules.ranks)
        return len(missing.symmetric_difference(at_home)), base_rank != beak, base_rank

    return min(range(1, rules.ranks + 1), key=doubt)
