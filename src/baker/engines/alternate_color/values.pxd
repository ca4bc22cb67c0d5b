"""What a position of the alternate-colour search seems to be worth: a sum of weights, the lower the better.

A header and no module, so that it is compiled into the search: each new position is valued.
"""

from baker._core cimport SUITS
from baker.engines.alternate_color.columns cimport Columns, covered_cards, following, rank_of
from baker.engines.alternate_color.nodes cimport Node
from baker.engines.lib.card_sets cimport Cards, card_bit, trailing_zeros

cdef enum:
    MIDDLE = 3500           # the value from which the weights are added and subtracted

# Those of `home` and `empty` are subtracted.
ctypedef struct Weights:
    int home                # for each card at home
    int left                # for each original card
    int used                # for each card in a cell
    int empty               # for each empty column
    int above_next          # for each original card above the one that goes home next in its suit
    int wrong               # for each original card above a lower card of its column
    int above_second        # the same as `above_next` for the one that goes home after that
    int tight               # for each place that lacks two, a free cell being one and an empty column two
    int based               # for each loose card at the bottom of a column
    int covered             # if the card that goes home next is loose but covered
    int buried              # if it is original
    int above_third         # the same as `above_next` for the third that goes home
    int no_column           # if no column is empty
    int no_cell             # if no cell is free
    int few_cells           # if at most one cell is free
    int built               # for each loose card on its parent

cdef inline int count_above(const Columns* columns, const Node* node, int card) noexcept nogil:
    """How many original cards lie above an original card."""
    return columns.height[trailing_zeros(node.top & columns.pile[card])] - columns.height[card]

cdef inline int value_of_next(const Columns* columns, const Weights* weights, const Node* node) noexcept nogil:
    """What lies above the three cards of each suit that go home next."""
    cdef Cards loose = node.cell | node.on[0] | node.on[1] | node.base
    cdef Cards covered = covered_cards(node.on[0], node.on[1])
    cdef Cards bits = node.next
    cdef int value = 0
    cdef int card, rank
    while bits:
        card = trailing_zeros(bits)
        bits &= bits - 1
        rank = rank_of(card)
        if not loose & card_bit(card):
            value += weights.above_next * count_above(columns, node, card) + weights.buried
        elif covered & card_bit(card):
            value += weights.covered
        if rank + 1 < columns.ranks:
            card = following(card)
            if not loose & card_bit(card):
                value += weights.above_second * count_above(columns, node, card)
            if rank + 2 < columns.ranks:
                card = following(card)
                if not loose & card_bit(card):
                    value += weights.above_third * count_above(columns, node, card)
    return value

cdef inline int value_of(const Columns* columns, const Weights* weights, const Node* node) noexcept nogil:
    cdef int cells = columns.cells - node.used
    cdef int empty = node.open - node.based
    cdef int room = cells + 2 * empty
    cdef int built = SUITS * columns.ranks - node.home - node.left - node.used - node.based
    cdef int value = MIDDLE
    value += (
        weights.left * node.left + weights.used * node.used + weights.wrong * node.wrong
        + weights.based * node.based + weights.built * built
        - weights.home * node.home - weights.empty * empty
        + value_of_next(columns, weights, node)
    )
    if room <= 1:
        value += weights.tight * (2 - room)
    if empty == 0:
        value += weights.no_column
    if cells <= 1:
        value += weights.few_cells
        if cells == 0:
            value += weights.no_cell
    return value
