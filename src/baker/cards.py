"""Cards and suits, and how they are written."""

from __future__ import annotations

from enum import IntEnum
from typing import NoReturn

from baker.checks import plain_text, shown, whole
from baker.values import Value

RANKS = "A23456789TJQK"


class Suit(IntEnum):
    """One of the four suits, in the order of the alphabet.

    >>> Suit.HEARTS.letter, Suit.HEARTS.symbol, Suit.HEARTS.is_red
    ('H', '♥', True)
    """

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """The initial: ``C``, ``D``, ``H`` or ``S``."""
        return "CDHS"[self]

    @property
    def symbol(self) -> str:
        """The Unicode sign: ``♣``, ``♦``, ``♥`` or ``♠``."""
        return "♣♦♥♠"[self]

    @property
    def is_red(self) -> bool:
        """Whether it is diamonds or hearts."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)


class CardError(ValueError):
    """A text that names no card."""


class Card(Value):
    """The card that a text names: a rank ``A 2..9 T J Q K`` and a suit ``C D H S`` or its Unicode sign.

    Any case, and either order of rank and suit. A rank may be its number, 1 to 13, and ten may be 0. There are 52
    cards, each a single immutable object, so they may be compared with ``is``. They sort by rank, then by suit.

    >>> Card("TH"), Card("10h"), Card("♥T")
    (Card('TH'), Card('TH'), Card('TH'))
    >>> Card("TH").rank, Card("TH").suit.name, str(Card("TH"))
    (10, 'HEARTS', 'TH')

    Raises `CardError`, a `ValueError`, if the text names no card.
    """

    __slots__ = ("index", "rank", "suit")

    index: int
    """The number of the card, ``(rank - 1) * 4 + suit``, from 0 to 51."""
    rank: int
    """From 1, the ace, to 13, the king."""
    suit: Suit

    def __new__(cls, text: str) -> Card:
        if not isinstance(text, str):
            raise TypeError(f"a card is made from a text such as 'TH', not from {type(text).__name__}")
        text = plain_text("card", text)
        card = _BY_TEXT.get(text)
        if card is None:
            raise CardError(f"unknown card {quote(text)}: expected a rank A 2-9 T J Q K and a suit C D H S, such as TH")
        return card

    @staticmethod
    def of(rank: int, suit: Suit) -> Card:
        """The card of a rank, 1 to 13, and a suit.

        >>> Card.of(10, Suit.HEARTS)
        Card('TH')

        Raises `CardError` if there is no such rank or suit.
        """
        rank, place = whole("rank", rank), whole("suit", suit)
        if not (1 <= rank <= 13 and 0 <= place <= 3):
            found = f"rank {shown(rank)} and suit {shown(place)}"
            raise CardError(f"no card has {found}: expected a rank 1 to 13 and a suit 0 to 3")
        return CARDS[(rank - 1) * 4 + place]

    @staticmethod
    def from_index(index: int) -> Card:
        """The card of a number: 0 to 3 are the aces of clubs, diamonds, hearts and spades, 51 is the king of spades.

        >>> Card.from_index(38)
        Card('TH')

        Raises `CardError` if the number is not one from 0 to 51.
        """
        index = whole("index", index)
        if not 0 <= index <= 51:
            raise CardError(f"no card has the index {shown(index)}: expected 0 to 51")
        return CARDS[index]

    def __str__(self) -> str:
        return RANKS[self.rank - 1] + self.suit.letter

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __repr__(self) -> str:
        return f"Card('{self}')"

    # Equality is identity; the hash is the same in every run, so that sets of cards keep their order.
    def __hash__(self) -> int:
        return self.index

    def __lt__(self, other: object) -> bool:
        return self.index < other.index if isinstance(other, Card) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self.index <= other.index if isinstance(other, Card) else NotImplemented

    def __gt__(self, other: object) -> bool:
        return self.index > other.index if isinstance(other, Card) else NotImplemented

    def __ge__(self, other: object) -> bool:
        return self.index >= other.index if isinstance(other, Card) else NotImplemented

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"cards are immutable: cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"cards are immutable: cannot delete {name}")

    def __reduce__(self) -> tuple[object, ...]:
        return Card.from_index, (self.index,)


def quote(text: str) -> str:
    """The text as an error message quotes it: escaped, and cut short where it is long."""
    return repr(text) if len(text) <= 24 else f"{text[:20]!r}..."


def _make(index: int) -> Card:
    card = object.__new__(Card)
    object.__setattr__(card, "index", index)
    object.__setattr__(card, "rank", index // 4 + 1)
    object.__setattr__(card, "suit", Suit(index % 4))
    return card


CARDS = tuple(_make(index) for index in range(52))

# Every spelling of a rank and of a suit; Unicode case mapping would let strangers such as the long s in.
RANK_OF = {
    spelling: rank for rank, letter in enumerate(RANKS, 1) for spelling in (letter, letter.lower(), str(rank))
} | {"0": 10}
SUIT_OF = {
    spelling + selector: suit
    for suit, letter, black, white in zip(Suit, "CDHS", "♣♦♥♠", "♧♢♡♤", strict=True)
    for spelling in (letter, letter.lower(), black, white)
    # A sign may be followed by a wish to be shown as a plain character or as a picture.
    for selector in (("", "\ufe0e", "\ufe0f") if spelling in (black, white) else ("",))
}
_BY_TEXT = {
    text: Card.of(rank, suit)
    for rank_text, rank in RANK_OF.items()
    for suit_text, suit in SUIT_OF.items()
    for text in (rank_text + suit_text, suit_text + rank_text)
}
