"""The path of the search, which the builder of its moves reads."""

from libc.stdint cimport int32_t

from baker.engines.no_cells.seatings cimport LEVELS, Product, Seatings
from baker.engines.lib.card_sets cimport Cards

cdef enum:
    MOVES = 64                  # 4 home moves and 16 digs at most, and 4 looks for each rank between the ends
    # A move is a card and its kind, with a score above them while it is on a list.
    KIND_SHIFT = 6
    CARD_MASK = (1 << KIND_SHIFT) - 1
    MOVE_BITS = 8
    MOVE_MASK = (1 << MOVE_BITS) - 1

cdef enum Kind:
    HOME
    DIG
    LOOK                        # a loose card is found bare

# A product on the path, and what is left to try from it.
ctypedef struct Frame:
    Product product             # settled
    Cards exposable
    Cards looked                # cards with a look
    bint is_narrowed            # whether seatings known to be lost were left out,
    Seatings narrowed[LEVELS]   # and what was left before it was settled again
    Seatings lost[LEVELS]       # a product that is lost as far as the moves tried tell
    int32_t narrowings          # where the products that it was narrowed by begin
    int32_t move                # the one that is being tried
    int32_t move_count
    int32_t moves[MOVES]

cdef inline int move_card(int32_t move) noexcept nogil:
    """The card that is played or looked at."""
    return move & CARD_MASK

cdef inline Kind move_kind(int32_t move) noexcept nogil:
    """What is done with it."""
    return <Kind>((move & MOVE_MASK) >> KIND_SHIFT)
