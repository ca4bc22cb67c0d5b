"""Cards and columns as the alternate-colour search sees them.

A card can only ever lie on a card of the other colour one rank up, so the red cards of even rank and the black ones
of odd rank never meet the others in building: there are two *ladders*.  Here a card is a *code*,
ladder * LADDER + rank * 2 + side, rank 0 for an ace, side 0 for clubs and diamonds and 1 for hearts and spades.  The
two cards of a rank on one ladder are a *level*; the two cards that a card may lie on, its *parents*, are the next one.
"""

from libc.stdint cimport int8_t, uint64_t

from baker._core cimport Position, RuleTable
from baker.engines.lib.card_sets cimport Cards, trailing_zeros

cdef enum:
    LADDER_BITS = 5
    LADDER = 1 << LADDER_BITS       # codes of one ladder, of which those of 13 levels are cards
    CODES = 2 * LADDER
    LEVELS = 13
    NO_CODE = -1
    FIRST_FREE_BIT = 2 * LEVELS     # of the codes of a ladder the first that is no card

# The side 0 bit of each level, and all cards.
cdef extern from *:
    """
    #define BAKER_SIDE_0 UINT64_C(0x5555555555555555)
    #define BAKER_ALL_CARDS UINT64_C(0x03FFFFFF03FFFFFF)
    """
    Cards SIDE_0 "BAKER_SIDE_0"
    Cards ALL_CARDS "BAKER_ALL_CARDS"

# What changes in a column when its top original card leaves.
ctypedef struct Exposed:
    Cards top               # the leaving card, and the original card then on top (exclusive or)
    Cards on[2]             # cards that turn out to lie in order, on a card of that side
    Cards base              # the card that is left alone at the bottom
    int8_t left             # how many original cards are fewer
    int8_t wrong            # how many of those lie above a lower card of their column
    int8_t open             # 1 where the column runs out of original cards
    int8_t based            # 1 where `base` is a card

ctypedef struct Columns:
    int ranks
    int count
    int cells
    bint any_fill
    Cards fillers           # cards that may fill an empty column
    Cards stuck             # the lowest cards of all columns, if there are none
    Exposed exposed[CODES]
    Cards pile[CODES]       # the cards of the column of a card
    int8_t height[CODES]    # the card's place in it, from 1 at the bottom
    int8_t below[CODES]     # the card below it, or NO_CODE
    # The start.
    Cards top
    Cards next
    Cards cell
    Cards on[2]
    Cards base
    int left
    int wrong
    int open

# Of each card the cards that must not be next if it is to be safe to send home (H1): those of one of the two sets.
ctypedef struct Safety:
    Cards lower[CODES]      # cards of the other colour of lower rank
    Cards lowest[CODES]     # those lower by two ranks at least, and cards of its colour lower by three

cdef inline bint is_safe(const Safety* safety, Cards next, int code) noexcept nogil:
    """Whether a card that goes home next is safe to send there."""
    return not (next & safety.lower[code] and next & safety.lowest[code])

cdef inline int rank_of(int code) noexcept nogil:
    """From 0 for an ace: the level as well."""
    return (code & (LADDER - 1)) >> 1

cdef inline int suit_of(int code) noexcept nogil:
    """The suit of a card: its colour, red if ladder and rank are not of the same parity, and its side."""
    if (code >> LADDER_BITS ^ code >> 1) & 1:
        return 1 + (code & 1)
    return 3 * (code & 1)

cdef inline int code_of(int rank, int suit) noexcept nogil:
    return ((rank ^ suit ^ suit >> 1) & 1) << LADDER_BITS | rank << 1 | suit >> 1

cdef inline int card_of(int code) noexcept nogil:
    """The card as the core has it."""
    return rank_of(code) << 2 | suit_of(code)

cdef inline int following(int code) noexcept nogil:
    """The next higher card of the suit."""
    return (code ^ LADDER) + 2

cdef inline int parent_of(int code, int side) noexcept nogil:
    """The parent of a card that is on this side."""
    return (code & ~1) + 2 + side

cdef inline Cards sides(Cards cards) noexcept nogil:
    """The side 0 bit of each level with a card among these."""
    return (cards | cards >> 1) & SIDE_0

cdef inline Cards covered_cards(Cards on_0, Cards on_1) noexcept nogil:
    """The cards that have one of these on them: of `on_0` on the parent of side 0, of `on_1` on that of side 1."""
    return sides(on_0) << 2 | sides(on_1) << 3

cdef inline Cards builders(Cards parents, int side) noexcept nogil:
    """The cards that may be built on those of one side among `parents`."""
    cdef Cards bits = parents >> side & SIDE_0
    return bits >> 2 | bits >> 1

cdef inline uint64_t class_key(Cards top, Cards next) noexcept nogil:
    """The name of a class (A7): its top original cards and next cards, and which of the latter are top cards."""
    cdef Cards bits = top & next
    cdef uint64_t key = top | next
    while bits:
        key |= <uint64_t>1 << (FIRST_FREE_BIT + suit_of(trailing_zeros(bits)))
        bits &= bits - 1
    return key

cdef void read_safety(Safety* safety) noexcept nogil

# Read a position: its cards, its columns, and what changes in these when a card leaves.
cdef void read_columns(Columns* columns, const RuleTable* rules, const Position* position) noexcept nogil
