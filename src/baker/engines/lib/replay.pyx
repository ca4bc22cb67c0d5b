"""Lines of play on the real position: what a search has found as the moves of the game."""

from libc.stdlib cimport free

from baker._core cimport (
    CELL_0, FILL_ANY, FOUNDATION, GROUP_CELLS, GROUP_FULL, GROUP_UNLIMITED, MAX_CELLS, NO_CARD,
    MoveCode, Position, RuleTable, legal, move_code, play,
)
from baker.engines.base cimport BROKEN, OUT_OF_MEMORY, RUNNING
from baker.engines.lib.memory cimport Memory, array_double, array_make

cdef enum:
    FIRST_MOVES = 256


cdef bint line_make(Line* line, Memory* memory) noexcept nogil:
    line.memory = memory
    line.count = 0
    return array_make(memory, <void**>&line.moves, &line.room, FIRST_MOVES, sizeof(MoveCode))


cdef void line_free(Line* line) noexcept nogil:
    free(line.moves)


cdef void line_begin(Line* line, const RuleTable* rules, const Position* position) noexcept nogil:
    line.rules = rules[0]
    line.position = position[0]
    line.count = 0
    line.status = RUNNING


cdef bint line_play(Line* line, int source, int target, int count) noexcept nogil:
    cdef MoveCode move = move_code(source, target, count)
    if not legal(&line.rules, &line.position, move):
        line.status = BROKEN
        return False
    if line.count == line.room.asked and not array_double(
        line.memory, <void**>&line.moves, &line.room, sizeof(MoveCode)
    ):
        line.status = OUT_OF_MEMORY
        return False
    line.moves[line.count] = move
    line.count += 1
    play(&line.position, move)
    return True


cdef bint line_carry(Line* line, int source, int target, int count) noexcept nogil:
    """Move a run between columns, in as many moves as the rules ask for."""
    cdef const RuleTable* rules = &line.rules
    cdef const Position* position = &line.position
    cdef int i, free_cells = 0, columns = 0, spare = -1, limit, half
    cdef int used[MAX_CELLS]
    for i in range(rules.cells):
        if position.cell[i] == NO_CARD:
            used[free_cells] = CELL_0 + i
            free_cells += 1
    if rules.fill == FILL_ANY:
        for i in range(rules.columns):
            if position.length[i] == 0 and i != target and i != source:
                spare = i
                columns += 1
    limit = 1
    if rules.group == GROUP_CELLS:
        limit = free_cells + 1
    elif rules.group == GROUP_FULL:
        limit = (free_cells + 1) << columns
    elif rules.group == GROUP_UNLIMITED:
        limit = count
    if count <= limit:
        return line_play(line, source, target, count)
    if count <= free_cells + 1:
        for i in range(count - 1):
            if not line_play(line, source, used[i], 1):
                return False
        if not line_play(line, source, target, 1):
            return False
        for i in range(count - 2, -1, -1):
            if not line_play(line, used[i], target, 1):
                return False
        return True
    if columns == 0:
        line.status = BROKEN
        return False
    half = (free_cells + 1) << (columns - 1)
    if half > count - 1:
        half = count - 1
    return (
        line_carry(line, source, spare, half)
        and line_carry(line, source, target, count - half)
        and line_carry(line, spare, target, half)
    )


cdef bint line_move(Line* line, int card, Target target, int on) noexcept nogil:
    cdef const RuleTable* rules = &line.rules
    cdef const Position* position = &line.position
    cdef int source = -1
    cdef int place = FOUNDATION if target == TO_FOUNDATION else -1
    cdef int count = 1
    cdef int i, k
    for i in range(rules.cells):
        if position.cell[i] == card:
            source = CELL_0 + i
        elif target == TO_CELL and place < 0 and position.cell[i] == NO_CARD:
            place = CELL_0 + i
    for i in range(rules.columns):
        if position.length[i] == 0:
            if target == TO_COLUMN and place < 0:
                place = i
            continue
        if target == TO_CARD and position.column[i][position.length[i] - 1] == on:
            place = i
        if source < 0:
            for k in range(position.length[i]):
                if position.column[i][k] == card:
                    source = i
                    count = position.length[i] - k
    if source < 0 or place < 0:
        line.status = BROKEN
        return False
    return line_carry(line, source, place, count)
