"""The builder of moves from a path of products."""

from libc.stdint cimport int32_t, uint8_t, uint16_t

from baker.engines.no_cells.path cimport Frame
from baker._core cimport Position, RuleTable
from baker.engines.base cimport Status
from baker.engines.lib.replay cimport Line
from baker.engines.lib.memory cimport Memory, Room
from baker.engines.no_cells.seatings cimport LEVELS, Layout, Product

# What is done on the path, and the product that comes of it before it is settled.
ctypedef struct Step:
    Product product
    uint8_t kind
    uint8_t card
    uint8_t settled             # how it goes on
    int32_t frame

# A move of a card from one place to another; a place is a card, or one of those of the builder.
ctypedef struct Shift:
    uint8_t card
    uint8_t start
    uint8_t target

ctypedef struct Builder:
    Memory* memory
    Step* steps
    int32_t step_count
    Room step_room
    Shift* shifts
    int32_t shift_count
    Room shift_room
    uint16_t seats[LEVELS]      # of each rank the seating while the path is followed back
    Line line

# Allocate; False if memory is out.  `memory` must live as long as the builder.
cdef bint make_builder(Builder* builder, Memory* memory) noexcept nogil
cdef void free_builder(Builder* builder) noexcept nogil

# Builds the moves of a won path, which are then those of builder.line.  BROKEN would be an error of the search.
cdef Status build_moves(
    Builder* builder, const Layout* layout, const Frame* frames, int depth,
    const RuleTable* rules, const Position* position,
) noexcept nogil
