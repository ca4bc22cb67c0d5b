"""From the moves of a win to moves that can be played one by one.

A node says from which other it came, and by which move.  If cards were put aside before that move, the search goes
through those of its parent once more until it meets the node again (`search.pyx`).  Here each move is played on the
real position, a run in as many moves as the rules ask for.  The search has made all safe home moves after it.
"""

from baker._core cimport FOUNDATION, NO_CARD, MoveCode, move_source, safe_home_move
from baker.engines.alternate_color.columns cimport card_of, parent_of
from baker.engines.alternate_color.nodes cimport HOME, INTO_CELL, INTO_COLUMN, NO_MOVE
from baker.engines.lib.replay cimport TO_CARD, TO_CELL, TO_COLUMN, TO_FOUNDATION, Line, line_move, line_play


cdef bint play_safe_home_moves(Line* line) noexcept nogil:
    cdef MoveCode code = safe_home_move(&line.rules, &line.position)
    while code:
        if not line_play(line, move_source(code), FOUNDATION, 1):
            return False
        code = safe_home_move(&line.rules, &line.position)
    return True


cdef bint play_move(Line* line, int code, int kind) noexcept nogil:
    if kind == NO_MOVE:
        return True
    if kind == HOME:
        return line_move(line, card_of(code), TO_FOUNDATION, NO_CARD)
    if kind == INTO_CELL:
        return line_move(line, card_of(code), TO_CELL, NO_CARD)
    if kind == INTO_COLUMN:
        return line_move(line, card_of(code), TO_COLUMN, NO_CARD)
    return line_move(line, card_of(code), TO_CARD, card_of(parent_of(code, kind)))
