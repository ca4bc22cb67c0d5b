"""How a deck is laid out for a game: as its rules say, as KPat does and as PySol does; and PySol's own shuffle."""

from __future__ import annotations

import random
from functools import lru_cache

from baker._core import Board, Dealer
from baker.board_text import DealError
from baker.rules import GAMES, Rules


@lru_cache(maxsize=64)
def dealer_of(rules: Rules) -> Dealer:
    """What deals decks under these rules."""
    return Dealer(rules)


def laid_out_by_kpat(deck: bytes, rules: Rules) -> Board:
    """The deck laid out as KPat does: cells are filled first, from the left; kings change places on their way down.

    Raises `DealError` if KPat has no game of that layout.
    """
    _check_layout(rules, "KPat", _KPAT_GAMES)
    filled = len(rules.filled)
    plain = rules.replace(filled=range(filled), kings_down=False)
    board = dealer_of(plain).deal(deck[filled:] + deck[:filled])
    return _with_kings_changed_down(board, rules) if len(rules.columns) == 13 else board


def laid_out_by_pysol(deck: bytes, rules: Rules) -> Board:
    """The deck laid out as PySol does: where kings go down it is dealt from its end, and they change places.

    Raises `DealError` if PySol's layout of the game is not known.
    """
    _check_layout(rules, "PySol", _PYSOL_GAMES)
    if not rules.kings_down:
        return dealer_of(rules).deal(deck)
    board = dealer_of(rules.replace(kings_down=False)).deal(deck[::-1])
    return _with_kings_changed_down(board, rules)


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


def _with_kings_changed_down(board: Board, rules: Rules) -> Board:
    """The board after each king has changed places with the lowest card below it that is not a king."""
    columns = [list(column) for column in board.columns()]
    for cards in columns:
        bottom = 0
        for place, card in enumerate(cards):
            if card >= 48:
                cards[place], cards[bottom] = cards[bottom], card
                bottom += 1
    return Board(rules, columns, board.cells(), board.foundations())


def _shape(rules: Rules) -> tuple[object, ...]:
    """What the rules say about the layout."""
    return rules.columns, rules.filled, rules.kings_down, rules.aces_out, rules.beak


_PYSOL_GAMES = ("bakers_game", "freecell", "eight_off", "seahaven_towers", "fore_cell", "bakers_dozen")
_KPAT_GAMES = (*_PYSOL_GAMES, "portuguese_solitaire", "spanish_patience", "castles_of_spain")


def _check_layout(rules: Rules, program: str, names: tuple[str, ...]) -> None:
    if _shape(rules) not in [_shape(GAMES[name]) for name in names]:
        raise DealError(f"{program} has no game laid out like {rules.name}: expected the layout of {', '.join(names)}")
