"""Makes the line that wins shorter.

Where a card, or a run, moves twice the two moves are made one, at the time of the second or else of the first; if it
comes back to where it was, both are left out.

**Lemma G4** (joined moves). Let a run move from A to B and later from B to C, with no move of its cards and none of
what lies below it in between. If the moves in between are legal, and move the same card with as many on it, when the
run stays on A, or goes to C at once, and if so is its one move, then the position after the second move is the same as
before; so the rest of the line is legal. The same holds if C is A and the run stays there.
Proof: a card that has moved lies on one of the next higher rank, or at the bottom of a column; so the moved cards of a
column follow each other in falling ranks above those that never moved, and their order is that of their ranks. Hence a
position is known by which cards lie in each place. In this the two lines differ by the place of the run alone, as long
as each move takes the same cards. It does: its lowest card is the same and so is the number of cards; those above it
are the same but for the run, and with the run, or without it, the number would be another. At the end the run is in C
in both. If it was to stay on A or to come to C early, a card put there meanwhile would lie on the run in one line and
under it in the other, which their ranks forbid.
"""

from libc.stdint cimport uint32_t

from baker._core cimport (
    FOUNDATION, MoveCode, Position, RuleTable, legal, move_code, move_count, move_source, move_target, play,
)

cdef enum:
    REACH = 256                 # steps from one move of a card to the next that may be joined with it


cdef inline bint replay(const RuleTable* rules, Position* position, MoveCode move, int card) noexcept nogil:
    """Play the move if it is legal and moves that card."""
    return legal(rules, position, move) and play(position, move) == card


cdef bint replay_steps(const Shortener* shortener, Position* position, uint32_t first, uint32_t end) noexcept nogil:
    """Play the steps from `first` up to `end`; False at one that is not legal or would move another card."""
    cdef uint32_t i
    for i in range(first, end):
        if shortener.steps[i].move and not replay(
            shortener.rules, position, shortener.steps[i].move, shortener.steps[i].card
        ):
            return False
    return True


cdef uint32_t next_of_card(const Shortener* shortener, uint32_t first) noexcept nogil:
    """The step that moves the card of a step on, it and the same cards on it; `first` if it is none nearby."""
    cdef int place = move_target(shortener.steps[first].move)
    cdef int count = move_count(shortener.steps[first].move)
    cdef int above = 0
    cdef MoveCode move
    cdef uint32_t i
    for i in range(first + 1, min(first + REACH, shortener.count)):
        move = shortener.steps[i].move
        if move == 0:
            continue
        if move_source(move) == place:
            if above == 0:
                return i if move_count(move) == count else first
            above -= move_count(move)
            if above < 0:
                return first
        elif move_target(move) == place:
            above += move_count(move)
    return first


cdef void join(Shortener* shortener, uint32_t first) noexcept nogil:
    """Make one step (G4) of a step and the next of its card, or none if it comes back, where the line allows that."""
    cdef uint32_t last = next_of_card(shortener, first)
    cdef Step* one = &shortener.steps[first]
    cdef Step* two = &shortener.steps[last]
    cdef int source = move_source(one.move)
    cdef int target = move_target(two.move)
    cdef MoveCode joined = 0
    cdef Position position
    if first == last:
        return
    if source != target:
        joined = move_code(source, target, move_count(one.move))
    position = shortener.here
    if replay_steps(shortener, &position, first + 1, last) and (
        joined == 0 or replay(shortener.rules, &position, joined, one.card)
    ):
        one.move = 0
        two.move = joined
        shortener.is_shorter = True
        return
    if joined:
        position = shortener.here
        if replay(shortener.rules, &position, joined, one.card) and replay_steps(shortener, &position, first + 1, last):
            one.move = joined
            two.move = 0
            shortener.is_shorter = True


cdef void close_gaps(Shortener* shortener) noexcept nogil:
    """Take out the steps that were joined with others."""
    cdef uint32_t i
    cdef uint32_t count = 0
    for i in range(shortener.count):
        if shortener.steps[i].move:
            shortener.steps[count] = shortener.steps[i]
            count += 1
    shortener.count = count


cdef void begin_pass(Shortener* shortener) noexcept nogil:
    shortener.is_shorter = False
    shortener.here = shortener.start[0]
    shortener.tried = 0


cdef void shorten_begin(
    Shortener* shortener, const RuleTable* rules, const Position* start, Step* steps, uint32_t count,
) noexcept nogil:
    shortener.rules = rules
    shortener.start = start
    shortener.steps = steps
    shortener.count = count
    begin_pass(shortener)


cdef bint shorten(Shortener* shortener, int64_t tries) noexcept nogil:
    cdef Step* step
    for _ in range(tries):
        if shortener.tried == shortener.count:
            close_gaps(shortener)
            if not shortener.is_shorter:
                return True
            begin_pass(shortener)
            continue
        step = &shortener.steps[shortener.tried]
        if step.move and move_target(step.move) != FOUNDATION:
            join(shortener, shortener.tried)
        if step.move:
            play(&shortener.here, step.move)
        shortener.tried += 1
    return False
