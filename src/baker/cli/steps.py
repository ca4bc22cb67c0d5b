"""Moves in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from baker.cards import Card
from baker.deals import Deal
from baker.moves import Move
from baker.places import FIRST_CELL, FOUNDATION, Place


def steps(deal: Deal, moves: Sequence[Move]) -> Iterator[str]:
    """The moves played out, one a line, but moves home that follow each other in one."""
    piles: dict[int, list[Card]] = {place: list(cards) for place, cards in enumerate(deal.columns)}
    piles |= {place: [card] if card else [] for place, card in enumerate(deal.cells, FIRST_CELL)}
    piles[FOUNDATION] = []
    width = 2 * len(str(len(moves))) + 4
    number = 1
    for home, group in groupby(moves, lambda move: move.is_home):
        if home:
            cards = [_carry(piles, move) for move in group]
            numbers = f"{number}-{number + len(cards) - 1}" if len(cards) > 1 else str(number)
            yield f"{numbers + '.':>{width}}  home   {' '.join(cards)}"
            number += len(cards)
        else:
            for move in group:
                where = f"from {_place(move.source)} {_destination(piles, move)}"
                yield f"{f'{number}.':>{width}}  {move!s:<5}  {_carry(piles, move)} {where}"
                number += 1


def _carry(piles: dict[int, list[Card]], move: Move) -> str:
    """The cards that a move has carried."""
    source = piles[move.source]
    cards = source[-move.count :]
    del source[-move.count :]
    piles[move.target] += cards
    return " ".join(map(str, cards))


def _destination(piles: dict[int, list[Card]], move: Move) -> str:
    place = _place(move.target)
    if not move.target.is_column:
        return f"to {place}"
    column = piles[move.target]
    return f"onto {column[-1]} in {place}" if column else f"to the empty {place}"


def _place(place: Place) -> str:
    return f"{'column' if place.is_column else 'cell'} {place}"
