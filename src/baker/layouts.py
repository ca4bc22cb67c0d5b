"""How a deck is laid out for a game: as its rules say, as KPat does and as PySol does; and PySol's own shuffle."""

from __future__ import annotations

import random
from functools import lru_cache
from itertools import accumulate, pairwise

from baker.base_rank import number_of
from baker.board_text import EMPTY, NOTHING_HOME, BoardNumbers, DealError
from baker.rules import GAMES, Rules


def laid_out(deck: bytes, rules: Rules) -> BoardNumbers:
    """The deck laid out as the rules say."""
    home = NOTHING_HOME
    base_rank = 1
    if rules.beak:
        base_rank = deck[0] // 4 + 1
        deck = bytes([number_of(card, base_rank, rules.ranks) for card in deck])
    if rules.beak or rules.aces_out:
        aces = [card for card in deck if card < 4]
        aces = aces[1:] if rules.beak else aces[: rules.aces_out]
        deck = bytes([card for card in deck if card not in aces])
        home = (int(0 in aces), int(1 in aces), int(2 in aces), int(3 in aces))
    columns = _columns(deck, rules)
    if rules.kings_down:
        kings = range(4 * rules.ranks - 4, 4 * rules.ranks)
        columns = tuple([bytes(sorted(column, key=lambda card: card not in kings)) for column in columns])
    cells = bytearray([EMPTY] * rules.cells)
    for cell, card in zip(rules.filled, deck[len(deck) - len(rules.filled) :], strict=True):
        cells[cell] = card
    return columns, bytes(cells), home, base_rank


def laid_out_by_kpat(deck: bytes, rules: Rules) -> BoardNumbers:
    """The deck laid out as KPat does: cells are filled first, from the left; kings change places on their way down.

    Raises `DealError` if KPat has no game of that layout.
    """
    _check_layout(rules, "KPat", _KPAT_GAMES)
    filled = len(rules.filled)
    cells = deck[:filled] + bytes([EMPTY] * (rules.cells - filled))
    columns = _columns(deck[filled:], rules)
    if len(rules.columns) == 13:
        columns = tuple(map(_kings_changed_down, columns))
    return columns, cells, NOTHING_HOME, 1


def laid_out_by_pysol(deck: bytes, rules: Rules) -> BoardNumbers:
    """The deck laid out as PySol does: where kings go down it is dealt from its end, and they change places.

    Raises `DealError` if PySol's layout of the game is not known.
    """
    _check_layout(rules, "PySol", _PYSOL_GAMES)
    if not rules.kings_down:
        return laid_out(deck, rules)
    columns = tuple(map(_kings_changed_down, _columns(deck[::-1], rules)))
    return columns, bytes([EMPTY] * rules.cells), NOTHING_HOME, 1


def deck_pysol(number: int) -> bytes:
    """The deck of a number of PySol FC above 32,000, in the order in which it is dealt.

    The cards in the order of suits C S H D, from ace to king, change places from the last one down: that at place n
    with that at place ``int(random() * (n + 1))``, places counted from 0. The draws are those of Python's
    ``random.Random(number)``, the Mersenne Twister. The deck is dealt from its end.
    """
    draw = random.Random(number).random
    deck = [4 * rank + suit for suit in (0, 3, 2, 1) for rank in range(13)]
    for place in range(51, 0, -1):
        other = int(draw() * (place + 1))
        deck[place], deck[other] = deck[other], deck[place]
    return bytes(reversed(deck))


def _kings_changed_down(column: bytes) -> bytes:
    """The column after each king has changed places with the lowest card below it that is not a king."""
    cards = list(column)
    bottom = 0
    for place, card in enumerate(cards):
        if card >= 48:
            cards[place], cards[bottom] = cards[bottom], card
            bottom += 1
    return bytes(cards)


def _shape(rules: Rules) -> tuple[object, ...]:
    """What the rules say about the layout."""
    return rules.columns, rules.filled, rules.kings_down, rules.aces_out, rules.beak


_PYSOL_GAMES = ("bakers_game", "freecell", "eight_off", "seahaven_towers", "fore_cell", "bakers_dozen")
_KPAT_GAMES = (*_PYSOL_GAMES, "portuguese_solitaire", "spanish_patience", "castles_of_spain")


def _check_layout(rules: Rules, program: str, names: tuple[str, ...]) -> None:
    if _shape(rules) not in [_shape(GAMES[name]) for name in names]:
        raise DealError(f"{program} has no game laid out like {rules.name}: expected the layout of {', '.join(names)}")


@lru_cache
def _order(columns: tuple[int, ...]) -> tuple[list[int], tuple[tuple[int, int], ...]]:
    """Which cards of the deck the columns take, one column after the other, and where each column begins and ends."""
    table: list[list[int]] = [[] for _ in columns]
    card = 0
    for row in range(max(columns)):
        for column, length in zip(table, columns, strict=True):
            if row < length:
                column.append(card)
                card += 1
    ends = accumulate(columns, initial=0)
    return [card for column in table for card in column], tuple(pairwise(ends))


def _columns(deck: bytes, rules: Rules) -> tuple[bytes, ...]:
    """The first cards of the deck, dealt one to each column in turn."""
    order, ends = _order(rules.columns)
    cards = bytes([deck[card] for card in order])
    return tuple([cards[begin:end] for begin, end in ends])
