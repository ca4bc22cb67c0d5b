"""The path of the search, which the builder of its moves reads."""

from libc.stdint cimport int32_t

from baker.engines.no_cells.seatings cimport LEVELS, Product, Seatings
from baker.engines.lib.card_sets cimport Cards

cdef enum:
    MOVES = 64                  # 4 home moves and 16 digs at most, and 4 looks for each rank between the ends

cdef enum Kind:
    HOME
    DIG
    LOOK                        # a loose card is found bare

# A product on the path, and what is left to try from it.
ctypedef struct Frame:
    Product product             # settled
    Cards exposable
    Cards looked                # cards with a look
    bint is_shrunk              # whether seatings known to be lost were left out,
    Seatings shrunk[LEVELS]     # and what was left before it was settled again
    Seatings lost[LEVELS]       # a product that is lost as far as the moves tried tell
    int32_t shrinks             # where the products that it was shrunk by begin
    int32_t move                # the one that is being tried
    int32_t count
    int32_t moves[MOVES]

cdef inline int move_card(int32_t move) noexcept nogil:
    return move & 63

cdef inline Kind move_kind(int32_t move) noexcept nogil:
    return <Kind>(move >> 6 & 3)
