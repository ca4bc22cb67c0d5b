"""Reads the columns of a position for the same-suit search."""

from libc.stdint cimport int8_t
from libc.string cimport memset

from baker._core cimport MAX_CARDS, NO_CARD, SUITS, Position, RuleTable
from baker.engines.lib.card_sets cimport Cards, card_bit


cdef void read_columns(Columns* columns, const RuleTable* rules, const Position* position) noexcept nogil:
    """Fill the tables of a position, in mid-game as well as dealt."""
    cdef int i, k, card, below, layer, next_layer, next_height
    cdef int layer_of[MAX_CARDS + 1]        # height of the layer that the card at a height belongs to
    cdef Cards under
    memset(columns, 0, sizeof(Columns))
    columns.deck = (<Cards>1 << rules.ranks * SUITS) - 1
    columns.king_shift = (rules.ranks - 1) * SUITS
    columns.kings = <Cards>15 << columns.king_shift
    columns.cells = rules.cells
    columns.count = rules.columns
    for i in range(rules.cells):
        if position.cell[i] != NO_CARD:
            columns.placed |= card_bit(position.cell[i])
            columns.placed_count += 1
    for i in range(rules.columns):
        under = 0
        layer_of[0] = 0
        for k in range(1, position.length[i] + 1):
            card = position.column[i][k - 1]
            under |= card_bit(card)
            columns.under[card] = under
            columns.height[card] = k
            columns.column[card] = i
            layer_of[k] = k
            columns.layer[card] = <int8_t>card
            if k > 1:
                below = position.column[i][k - 2]
                if below == card + SUITS:
                    layer_of[k] = layer_of[k - 1]
                    columns.layer[card] = columns.layer[below]
        columns.pile[i] = under
        if under:
            columns.bottom |= card_bit(position.column[i][0])
        for k in range(1, position.length[i] + 1):
            if layer_of[k] != k:
                continue
            card = position.column[i][k - 1]
            next_height = layer_of[k - 1]
            columns.pop_top[card] = card_bit(card)
            columns.pop_original[card] = columns.under[card]
            columns.pop_count[card] = <int8_t>(k - next_height)
            if next_height == 0:
                columns.pop_empty[card] = 1
                continue
            next_layer = position.column[i][next_height - 1]
            columns.below[card] = <int8_t>next_layer
            below = position.column[i][k - 2]
            columns.pop_top[card] ^= card_bit(next_layer)
            columns.pop_original[card] ^= columns.under[next_layer]
            columns.pop_run[card] = columns.under[below] ^ columns.under[next_layer]
        if position.length[i] == 0:
            columns.empty += 1
            continue
        layer = position.column[i][layer_of[position.length[i]] - 1]
        columns.top |= card_bit(layer)
        columns.original |= columns.under[layer]
        columns.originals += columns.height[layer]
