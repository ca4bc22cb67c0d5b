"""From the moves of a win to moves that can be played one by one."""

from baker.engines.lib.replay cimport Line

# Make all safe home moves.  This and the other return False if a move cannot be made, and set the status of the line.
cdef bint play_safe_home_moves(Line* line) noexcept nogil

# Make one move of the search, of a card, given by its code, with what lies on it.
cdef bint play_move(Line* line, int code, int kind) noexcept nogil
