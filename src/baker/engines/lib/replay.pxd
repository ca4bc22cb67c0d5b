"""Lines of play on the real position: what a search has found as the moves of the game."""

from libc.stdint cimport int32_t

from baker._core cimport MoveCode, Position, RuleTable
from baker.engines.base cimport Status
from baker.engines.lib.memory cimport Memory, Room

cdef enum Target:
    TO_CELL
    TO_COLUMN               # an empty one
    TO_CARD
    TO_FOUNDATION

# A position and the moves that have led to it, each checked by the rules of the game.
ctypedef struct Line:
    Memory* memory
    RuleTable rules
    Position position
    MoveCode* moves
    int32_t count
    Room room
    Status status           # why a move was not made: OUT_OF_MEMORY, or BROKEN if it is not legal

# Allocate; False if memory is out.  `memory` must live as long as the line.
cdef bint line_make(Line* line, Memory* memory) noexcept nogil
cdef void line_free(Line* line) noexcept nogil

# Take up a position.
cdef void line_begin(Line* line, const RuleTable* rules, const Position* position) noexcept nogil

# Play one move of the game.  This and the others return False, and the status is set, if it cannot be made.
cdef bint line_play(Line* line, int source, int target, int count) noexcept nogil

# Move a card with what lies on it, the run split into as many moves as the rules ask for; `on` is the card it goes
# onto with TO_CARD.
cdef bint line_move(Line* line, int card, Target target, int on) noexcept nogil
