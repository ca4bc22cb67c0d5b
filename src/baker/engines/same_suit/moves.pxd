"""The builder of moves from a path of classes."""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t

from baker._core cimport MAX_CARDS, Position, RuleTable
from baker.engines.base cimport Status
from baker.engines.lib.bucket_queue cimport BucketQueue
from baker.engines.lib.hash_index cimport Index
from baker.engines.lib.replay cimport Line
from baker.engines.lib.memory cimport Memory, Room
from baker.engines.same_suit.columns cimport Columns
from baker.engines.lib.card_sets cimport Cards

cdef enum:
    BUCKETS = 512

# Loose cards in cells and columns; enough to know every move that matters.
ctypedef struct Arrangement:
    Cards top               # names the depth of each column, as in the search
    Cards placed            # loose cards that do not lie on their parents
    Cards based             # those of them at the bottom of a column
    int32_t parent          # the arrangement it was reached from
    int32_t waiting         # the next in its bucket
    int16_t cost            # moves so far, home moves not counted
    int16_t left            # estimate of the moves to come
    uint8_t card            # the move that led here
    uint8_t kind
    uint8_t tried           # its likely moves are
    uint8_t expanded
    uint8_t quiet           # no card went home after it

ctypedef struct Builder:
    Memory* memory
    Arrangement* arrangements
    int32_t count
    Room room
    Index index
    # Arrangements to expand, by cost + left: first and last of each list.
    BucketQueue queue
    # Of each layer, by its card: the step of the path that takes it away, and what it adds to `left`.
    int32_t step[MAX_CARDS]
    uint8_t weight[MAX_CARDS]
    Line line

# Allocate; False if memory is out.  `memory` must live as long as the builder.
cdef bint make_builder(Builder* builder, Memory* memory) noexcept nogil
cdef void free_builder(Builder* builder) noexcept nogil

# Takes up a won path: `path[0]` has the top layers at the start, the last one has none.  False if memory is out.
cdef bint begin_moves(Builder* builder, const Columns* columns, const Cards* path, int steps) noexcept nogil

# Goes on for so many arrangements.  Once built, the moves are in builder.line; BROKEN would be an error of the search.
cdef Status advance_moves(
    Builder* builder, const Columns* columns, const RuleTable* rules, const Position* position, int64_t effort,
) noexcept nogil
