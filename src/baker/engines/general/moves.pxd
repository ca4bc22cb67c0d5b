"""Makes the line that wins shorter."""

from libc.stdint cimport int64_t, uint8_t, uint32_t

from baker._core cimport MoveCode, Position, RuleTable

# A move, 0 where it was joined with another, and the card that it moves: the lowest of a run.
ctypedef struct Step:
    MoveCode move
    uint8_t card

ctypedef struct Shortener:
    const RuleTable* rules
    const Position* start
    Step* steps
    uint32_t count
    uint32_t tried              # the step to be joined next,
    Position here               # and the position before it
    bint is_shorter             # whether steps were joined in this pass

# Take up a line that is legal from the start. All that is pointed to must live as long as the shortener.
cdef void shorten_begin(
    Shortener* shortener, const RuleTable* rules, const Position* start, Step* steps, uint32_t count,
) noexcept nogil

# Look at so many steps and join them where that can be done; True if nothing more can. The line is `count` of `steps`.
cdef bint shorten(Shortener* shortener, int64_t tries) noexcept nogil
