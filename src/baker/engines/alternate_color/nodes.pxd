"""Positions of the alternate-colour search as nodes, and what moves make of them.

A header and no module, so that it is compiled into the search: a move is a few operations on sets.  Cards are codes,
as `columns.pxd` has them.
"""

from libc.stdint cimport int8_t, int32_t, uint8_t, uint64_t

from baker.engines.alternate_color.columns cimport (
    NO_CODE, Columns, Exposed, Safety, covered_cards, following, is_safe, parent_of, rank_of,
)
from baker.engines.lib.card_sets cimport Cards, card_bit, trailing_zeros

cdef enum Kind:
    ON_0                    # onto the parent of side 0
    ON_1
    INTO_CELL
    INTO_COLUMN
    HOME
    NO_MOVE
    # The kind of a node has this bit if cards were put aside before the move, whose kind is in the other bits.
    AFTER = 8
    LAST = 7

ctypedef struct Node:
    Cards top               # original cards on top of their columns
    Cards next              # of each suit, the card that goes home next
    Cards cell
    Cards on[2]             # loose cards on their parent of side 0, of side 1
    Cards base              # loose cards at the bottom of a column
    int32_t parent
    int32_t waiting         # the next in its bucket
    uint8_t card            # the move that led here
    uint8_t kind
    int8_t home             # how many cards are home,
    int8_t left             # are original,
    int8_t wrong            # are original and lie above a lower card of their column,
    int8_t used             # are in cells,
    int8_t based            # are in `base`
    int8_t open             # columns without original cards

cdef inline uint64_t node_hash(const Node* node) noexcept nogil:
    cdef uint64_t x = (node.top | node.base) * <uint64_t>0x9E3779B97F4A7C15
    x ^= (node.on[0] | node.cell | node.base) * <uint64_t>0xC2B2AE3D27D4EB4F
    x ^= (node.on[1] | node.cell | node.base) * <uint64_t>0xD6E8FEB86659FD93 >> 7
    x ^= x >> 32
    x *= <uint64_t>0xD6E8FEB86659FD93
    return x ^ x >> 29

cdef inline bint is_same(const Node* node, const Node* other) noexcept nogil:
    """Whether two positions are the same but for the order of places (A1)."""
    return (
        node.top == other.top and node.cell == other.cell and node.on[0] == other.on[0]
        and node.on[1] == other.on[1] and node.base == other.base
    )

cdef inline void expose(const Columns* columns, Node* node, int card) noexcept nogil:
    """An original card leaves its place."""
    cdef const Exposed* exposed = &columns.exposed[card]
    node.top ^= exposed.top
    node.on[0] |= exposed.on[0]
    node.on[1] |= exposed.on[1]
    node.base |= exposed.base
    node.left -= exposed.left
    node.wrong -= exposed.wrong
    node.open += exposed.open
    node.based += exposed.based

cdef inline void lift(const Columns* columns, Node* node, int card) noexcept nogil:
    """Take a card, and what lies on it, from where it lies."""
    cdef Cards bit = card_bit(card)
    if node.top & bit:
        expose(columns, node, card)
    elif node.cell & bit:
        node.cell ^= bit
        node.used -= 1
    elif node.base & bit:
        node.base ^= bit
        node.based -= 1
    else:
        node.on[0] &= ~bit
        node.on[1] &= ~bit

cdef inline void put_down(Node* node, int card, int kind) noexcept nogil:
    """Put a card that was lifted into a cell or an empty column, or onto a parent."""
    if kind == INTO_CELL:
        node.cell |= card_bit(card)
        node.used += 1
    elif kind == INTO_COLUMN:
        node.base |= card_bit(card)
        node.based += 1
    else:
        node.on[kind] |= card_bit(card)

cdef inline void send_home(const Columns* columns, Node* node, int card) noexcept nogil:
    """Send a card home that goes there next."""
    lift(columns, node, card)
    node.next ^= card_bit(card)
    if rank_of(card) + 1 < columns.ranks:
        node.next |= card_bit(following(card))
    node.home += 1

cdef inline Cards end_cards(const Node* node) noexcept nogil:
    """The last cards of the columns."""
    return (node.top | node.on[0] | node.on[1] | node.base) & ~covered_cards(node.on[0], node.on[1])

cdef inline void send_home_safely(const Columns* columns, const Safety* safety, Node* node) noexcept nogil:
    """Make all safe home moves (H1, A3)."""
    cdef Cards ready = node.next & (node.cell | end_cards(node))
    cdef int card
    while ready:
        card = trailing_zeros(ready)
        ready &= ready - 1
        if is_safe(safety, node.next, card):
            send_home(columns, node, card)
            ready = node.next & (node.cell | end_cards(node))

cdef inline int card_below(const Columns* columns, const Node* node, int card) noexcept nogil:
    """The card below one in a column, or NO_CODE."""
    cdef Cards bit = card_bit(card)
    if node.on[0] & bit:
        return parent_of(card, 0)
    if node.on[1] & bit:
        return parent_of(card, 1)
    return columns.below[card] if node.top & bit else NO_CODE

cdef inline int run_length(const Node* node, Cards covered, int card) noexcept nogil:
    """How many cards there are in the run from a card to the end of its column."""
    cdef int length = 1
    cdef int pair
    while covered & card_bit(card):
        pair = (card & ~1) - 2
        card = pair + (not node.on[card & 1] >> pair & 1)
        length += 1
    return length
