"""The columns as the same-suit search finds them, and what sets of cards mean to it.

The bit of a card is its number, (rank - 1) * 4 + suit, so the only card that can be built on a card is four bits down,
its parent four bits up.
"""

from libc.stdint cimport int8_t

from baker._core cimport MAX_CARDS, MAX_COLUMNS, Position, RuleTable
from baker.engines.lib.card_sets cimport Cards

# The columns as the search finds them.  A column is a pile of *layers*: a layer is a card that
# does not lie on its parent, with the run lying in place on it.  The top layers name the depth of
# every column, so all tables are indexed by card.
ctypedef struct Columns:
    Cards deck                      # every card of the deck
    Cards kings
    int king_shift
    Cards bottom                    # the lowest card of each column
    int cells
    int count                       # columns
    Cards under[MAX_CARDS]          # the card and all below it in its column; 0 for a card in a cell or at home
    # What changes when the top layer, named by its card, is taken away with its card:
    Cards pop_original[MAX_CARDS]   # original cards that leave or turn loose (exclusive or)
    Cards pop_top[MAX_CARDS]
    Cards pop_run[MAX_CARDS]        # the run that lies in place on the layer then on top
    int8_t pop_count[MAX_CARDS]     # how many cards of pop_original
    int8_t pop_empty[MAX_CARDS]     # 1 where the column runs out of original cards
    int8_t below[MAX_CARDS]         # the layer under a layer, if there is one
    int8_t layer[MAX_CARDS]         # the layer that a card belongs to
    int8_t height[MAX_CARDS]        # place in the column, from 1 at the bottom
    int8_t column[MAX_CARDS]
    Cards pile[MAX_COLUMNS]         # the cards of each column
    # The start.
    Cards top
    Cards original
    Cards placed
    int originals
    int placed_count
    int empty

cdef inline int count_suits(Cards rank) noexcept nogil:
    """How many of the lowest four bits are set."""
    return <int>(<Cards>0x4332322132212110 >> (rank & 15) * 4 & 7)

cdef inline Cards home_cards(Cards deck, Cards original) noexcept nogil:
    """Cards that are home once all that can go has gone: no original card of the suit is at or below them."""
    cdef Cards blocked = original
    blocked |= blocked << 4
    blocked |= blocked << 8
    blocked |= blocked << 16
    blocked |= blocked << 32
    return deck & ~blocked

cdef inline int run_length(Cards attached, int card) noexcept nogil:
    """Cards in the run that starts at `card`: the card and those lying in order on it."""
    cdef int n = 1
    card -= 4
    while card >= 0 and attached >> card & 1:
        n += 1
        card -= 4
    return n

cdef inline Cards run_on(Cards attached, Cards card) noexcept nogil:
    """The run that lies on a card."""
    cdef Cards run = 0
    card >>= 4
    while card & attached:
        run |= card
        card >>= 4
    return run

cdef void read_columns(Columns* columns, const RuleTable* rules, const Position* position) noexcept nogil
