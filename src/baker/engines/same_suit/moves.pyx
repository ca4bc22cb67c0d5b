"""From a path of classes to moves that can be played one by one.

The same-suit search proves a win by a path of classes, each named by the depths of
its columns (its top layers).  What is left is to find the moves of loose cards
between them: which card waits in a cell and which in a column, which run goes where.

That is a best-first search over arrangements of the loose cards (`placed`, and
`based`, those of them at the bottom of a column; which column does not matter).
A layer may be moved only in the step of the path that takes it away, home moves
are made at once, and the path guarantees that a line exists, because every
class on it is reached by real moves.  The order is by moves made plus an estimate of the
moves to come: a layer whose cards are not home by the end of the step that takes
it away must be moved at least once.

The moves found are then played on the real position, groups being split where the
rules allow fewer cards at a time, and each is checked by the rules of the game.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from baker._core cimport (
    CELL_0, FILL_KINGS, FOUNDATION, GROUP_UNLIMITED, MAX_CARDS, NO_CARD, SUITS, Position, RuleTable, move_source, won,
)
from baker.engines.base cimport BROKEN, OUT_OF_MEMORY, RUNNING, SOLVED, Status
from baker.engines.lib.bucket_queue cimport NO_ITEM, queue_append, queue_clear, queue_drop_first, queue_first
from baker.engines.lib.hash_index cimport (
    Index, index_clear, index_double, index_make, index_put, slot_is_used, slot_may_hold, slot_number,
)
from baker.engines.lib.replay cimport (
    TO_CARD, TO_CELL, TO_COLUMN, Line, Target, line_begin, line_free, line_make, line_move, line_play,
)
from baker.engines.lib.memory cimport Memory, array_double, array_make
from baker.engines.same_suit.columns cimport Columns, home_cards, run_length, run_on
from baker.engines.lib.card_sets cimport Cards, card_bit, count_cards, count_few, trailing_zeros

cdef enum:
    # What is left to do, in moves: more than it will take, as that leads on to a win soon.
    PER_CARD = 1
    PER_LAYER = 2
    LATER = 8                   # how far behind unlikely moves wait
    FIRST_ARRANGEMENTS = 1024


cdef bint make_builder(Builder* builder, Memory* memory) noexcept nogil:
    memset(builder, 0, sizeof(Builder))
    builder.memory = memory
    return (
        array_make(
            memory, <void**>&builder.arrangements, &builder.room, FIRST_ARRANGEMENTS, sizeof(Arrangement)
        )
        and index_make(&builder.index, memory, 2 * FIRST_ARRANGEMENTS)
        and line_make(&builder.line, memory)
    )


cdef void free_builder(Builder* builder) noexcept nogil:
    free(builder.arrangements)
    line_free(&builder.line)
    free(builder.index.slots)


# Arrangements

cdef inline uint64_t hash_key(Cards top, Cards placed, Cards based) noexcept nogil:
    cdef uint64_t x = top * <uint64_t>0x9E3779B97F4A7C15 ^ placed
    x ^= x >> 31
    x = x * <uint64_t>0xD6E8FEB86659FD93 ^ based
    x ^= x >> 29
    x *= <uint64_t>0x9E3779B97F4A7C15
    return x ^ x >> 32


cdef inline uint64_t find_slot(
    const Builder* builder, uint64_t h, Cards top, Cards placed, Cards based
) noexcept nogil:
    """The slot of an arrangement, or the free one where it belongs."""
    cdef const Index* index = &builder.index
    cdef uint64_t i = h & index.mask
    cdef const Arrangement* other
    while slot_is_used(index, i):
        if slot_may_hold(index, i, h):
            other = &builder.arrangements[slot_number(index, i)]
            if other.top == top and other.placed == placed and other.based == based:
                break
        i = (i + 1) & index.mask
    return i


cdef bint grow(Builder* builder) noexcept nogil:
    """Twice the room; False if memory is out."""
    cdef const Arrangement* one
    cdef uint64_t h
    cdef int32_t i
    cdef bint emptied
    if not (
        array_double(builder.memory, <void**>&builder.arrangements, &builder.room, sizeof(Arrangement))
        and index_double(&builder.index, builder.memory, &emptied)
    ):
        return False
    for i in range(builder.count if emptied else 0):
        one = &builder.arrangements[i]
        h = hash_key(one.top, one.placed, one.based)
        index_put(&builder.index, find_slot(builder, h, one.top, one.placed, one.based), h, i)
    return True


cdef inline void queue(Builder* builder, int32_t number) noexcept nogil:
    """Put an arrangement into the bucket of its promise, behind those that are there."""
    cdef Arrangement* one = &builder.arrangements[number]
    cdef int32_t before = queue_append(&builder.queue, BUCKETS, one.cost + one.left, number)
    one.waiting = NO_ITEM
    if before != NO_ITEM:
        builder.arrangements[before].waiting = number


cdef inline int32_t take(Builder* builder) noexcept nogil:
    """The most promising arrangement, or NO_ITEM."""
    cdef int32_t number = queue_first(&builder.queue, BUCKETS)
    if number != NO_ITEM:
        queue_drop_first(&builder.queue, builder.arrangements[number].waiting)
    return number


cdef inline void dig_out(
    const Builder* builder, const Columns* columns, Arrangement* here, Cards* original, int card
) noexcept nogil:
    """Take away a layer from the columns."""
    original[0] ^= columns.pop_original[card]
    here.top ^= columns.pop_top[card]
    here.left -= builder.weight[card]


cdef inline void come_to_rest(
    const Builder* builder, const Columns* columns, Arrangement* here, Cards original
) noexcept nogil:
    """Make the home moves that there are once these are the original cards."""
    cdef Cards home, leaving, lone
    while True:
        home = home_cards(columns.deck, original)
        leaving = (home << 4 | 15) & here.top
        if not leaving:
            break
        here.quiet = False
        while leaving:
            dig_out(builder, columns, here, &original, trailing_zeros(leaving))
            leaving &= leaving - 1
    # A card alone in its column is at its bottom like any loose one.
    lone = here.top & columns.bottom
    here.top ^= lone
    here.placed = (here.placed | lone) & ~home
    here.based = (here.based | lone) & ~home


cdef inline bint propose(Builder* builder, Arrangement* new) noexcept nogil:
    """Note an arrangement at rest, unless it is known as cheap; False if memory is out."""
    cdef uint64_t h = hash_key(new.top, new.placed, new.based)
    cdef uint64_t slot = find_slot(builder, h, new.top, new.placed, new.based)
    cdef Arrangement* old
    if slot_is_used(&builder.index, slot):
        old = &builder.arrangements[slot_number(&builder.index, slot)]
        if old.cost <= new.cost:
            return True
        # A cheaper way.  The dearer entry stays in its bucket, so a new one takes its place in the index.
        old.expanded = True
    if builder.count == builder.room.asked:
        if not grow(builder):
            return False
        slot = find_slot(builder, h, new.top, new.placed, new.based)
    index_put(&builder.index, slot, h, builder.count)
    new.expanded = False
    new.tried = False
    builder.arrangements[builder.count] = new[0]
    queue(builder, builder.count)
    builder.count += 1
    return True


cdef inline bint move_card(
    Builder* builder, const Columns* columns, const Arrangement* here, int32_t number, Cards original, Cards bit,
    Target kind,
) noexcept nogil:
    """Propose the arrangement after one move; False if memory is out."""
    cdef Arrangement new
    cdef int card = trailing_zeros(bit)
    new.top = here.top
    new.placed = here.placed & ~bit if kind == TO_CARD else here.placed | bit
    new.based = here.based | bit if kind == TO_COLUMN else here.based & ~bit
    new.parent = number
    new.cost = <int16_t>(here.cost + 1)
    new.left = here.left
    new.card = <uint8_t>card
    new.kind = <uint8_t>kind
    new.quiet = True
    if bit & here.top:
        dig_out(builder, columns, &new, &original, card)
        come_to_rest(builder, columns, &new, original)
    return propose(builder, &new)


cdef inline Cards original_cards(
    const Builder* builder, const Columns* columns, Cards tops, Cards* diggable
) noexcept nogil:
    """The cards in the columns with these tops; `diggable` are the tops that the path takes away first."""
    cdef Cards original = 0
    cdef Cards first = 0
    cdef int first_step = 1 << 30
    cdef Cards bit
    cdef int card
    while tops:
        bit = tops & -tops
        tops ^= bit
        card = trailing_zeros(bit)
        original |= columns.under[card]
        if builder.step[card] < first_step:
            first_step = builder.step[card]
            first = 0
        if builder.step[card] == first_step:
            first |= bit
    diggable[0] = first
    return original


cdef inline Cards with_runs(Cards attached, Cards cards) noexcept nogil:
    """Some cards with the runs that lie on them."""
    cdef Cards all_cards = cards
    while cards:
        all_cards |= run_on(attached, cards & -cards)
        cards &= cards - 1
    return all_cards


cdef bint expand(
    Builder* builder, const Columns* columns, bint kings_fill, bint whole, int32_t number
) noexcept nogil:
    """Propose arrangements one move away; False if memory is out.

    The first time these are the moves that most wins are made of: cards onto their parents, and into cells and columns
    what is dug in this step of the path, what lies on it, and singles that a card could go onto.  The arrangement then
    waits for its other moves, a few moves behind.
    """
    # One loop for the three kinds of moves would take 2.7 % more instructions of Eight Off with moves.
    cdef Arrangement here = builder.arrangements[number]
    cdef Cards original, diggable, loose, attached, exposed, movable, bit, bits, in_cells, allowed, likely
    cdef bint is_first = not builder.arrangements[number].tried
    cdef int cells, empty, on_parent, to_empty
    original = original_cards(builder, columns, here.top, &diggable)
    loose = columns.deck & ~home_cards(columns.deck, original) & ~original
    attached = loose & ~here.placed
    in_cells = here.placed & ~here.based
    cells = columns.cells - count_few(in_cells)
    empty = columns.count - count_cards(here.top) - count_few(here.based)
    exposed = here.top | attached | here.based
    if is_first:
        builder.arrangements[number].tried = True
        builder.arrangements[number].expanded = False
        builder.arrangements[number].left += LATER
        queue(builder, number)
    else:
        here.left -= LATER
    movable = loose | diggable
    if here.quiet:
        # Nothing has changed for the card moved last: it could have gone where it goes now at once.
        movable &= ~card_bit(here.card)
    likely = with_runs(attached, diggable)
    # A card without a parent to lie on, or a run of such a card, onto its parent.
    if whole:
        on_parent = MAX_CARDS
    else:
        on_parent = cells + 1 if kings_fill else (cells + 1) << empty
    bits = movable & ~attached & exposed >> 4 if is_first else 0
    while bits:
        bit = bits & -bits
        bits ^= bit
        if bit & in_cells or run_length(attached, trailing_zeros(bit)) <= on_parent:
            if not move_card(builder, columns, &here, number, original, bit, TO_CARD):
                return False
    # A bare card into a cell.
    if cells:
        bits = movable & ~in_cells & ~(attached << 4) & (likely if is_first else ~likely)
        while bits:
            bit = bits & -bits
            bits ^= bit
            if not move_card(builder, columns, &here, number, original, bit, TO_CELL):
                return False
    # A card or a run, or the end of one, into an empty column.
    if empty:
        if whole:
            to_empty = MAX_CARDS
        else:
            to_empty = cells + 1 if kings_fill else (cells + 1) << (empty - 1)
        allowed = columns.kings if kings_fill else columns.deck
        likely |= in_cells & (diggable | here.placed) << 4
        bits = movable & ~here.based & allowed & (likely if is_first else ~likely)
        while bits:
            bit = bits & -bits
            bits ^= bit
            if bit & in_cells or run_length(attached, trailing_zeros(bit)) <= to_empty:
                if not move_card(builder, columns, &here, number, original, bit, TO_COLUMN):
                    return False
    return True


cdef int plan(Builder* builder, const Columns* columns, const Cards* path, int steps) noexcept nogil:
    """Of each layer, the step of the path that takes it away, and its weight; returns the sum of the weights."""
    cdef int step, card, total = 0
    cdef Cards bits, home, original, layer
    cdef Cards before = path[0]
    memset(builder.weight, 0, sizeof(builder.weight))
    for step in range(1, steps):
        original = 0
        bits = path[step]
        while bits:
            original |= columns.under[trailing_zeros(bits)]
            bits &= bits - 1
        home = home_cards(columns.deck, original)
        bits = before & ~path[step]
        while bits:
            card = trailing_zeros(bits)
            bits &= bits - 1
            while not path[step] & card_bit(card):
                builder.step[card] = step
                # The run that lies in place on it goes first, but mostly with it.
                builder.weight[card] = PER_CARD * count_cards(columns.pop_original[card])
                if columns.height[card] > 1 and not home & card_bit(card):
                    builder.weight[card] += PER_LAYER
                total += builder.weight[card]
                if columns.pop_empty[card]:
                    break
                layer = columns.pop_top[card] ^ card_bit(card)
                card = trailing_zeros(layer)
        before = path[step]
    return total


# Moves on the real position

cdef inline int bare_card(const Line* line, int place) noexcept nogil:
    """The card of a cell, or the last one of a column; NO_CARD if there is none."""
    cdef const Position* position = &line.position
    if place >= CELL_0:
        return position.cell[place - CELL_0]
    return position.column[place][position.length[place] - 1] if position.length[place] else NO_CARD


cdef int place_of_bare(const Line* line, int card) noexcept nogil:
    """The place where a card is bare, or -1."""
    cdef int i
    for i in range(line.rules.columns):
        if bare_card(line, i) == card:
            return i
    for i in range(CELL_0, CELL_0 + line.rules.cells):
        if bare_card(line, i) == card:
            return i
    return -1


cdef bint go_home(Line* line, int place) noexcept nogil:
    """Send home the bare card of a place if it can go, and all that can go after it."""
    cdef int card
    while place >= 0:
        card = bare_card(line, place)
        if card == NO_CARD or line.position.home[card & 3] != card >> 2:
            return True
        if not line_play(line, place, FOUNDATION, 1):
            return False
        # What it has laid bare first; then the next one of its suit.
        if not go_home(line, place):
            return False
        place = place_of_bare(line, card + SUITS)
    return True


cdef bint begin_moves(Builder* builder, const Columns* columns, const Cards* path, int steps) noexcept nogil:
    cdef Arrangement start
    index_clear(&builder.index)
    builder.count = 0
    builder.line.count = 0
    queue_clear(&builder.queue, BUCKETS)
    memset(&start, 0, sizeof(Arrangement))
    start.left = <int16_t>plan(builder, columns, path, steps)
    start.top = columns.top
    start.placed = columns.placed
    start.parent = -1
    come_to_rest(builder, columns, &start, columns.original)
    return propose(builder, &start)


cdef Status advance_moves(
    Builder* builder, const Columns* columns, const RuleTable* rules, const Position* position, int64_t effort,
) noexcept nogil:
    cdef bint kings_fill = rules.fill == FILL_KINGS
    cdef bint whole = rules.group == GROUP_UNLIMITED
    cdef int32_t number
    while effort > 0:
        effort -= 1
        number = take(builder)
        if number < 0:
            return BROKEN
        if builder.arrangements[number].expanded:
            continue
        builder.arrangements[number].expanded = True
        if not builder.arrangements[number].top:
            return play_line(builder, rules, position, number)
        if not expand(builder, columns, kings_fill, whole, number):
            return OUT_OF_MEMORY
    return RUNNING


cdef Status play_line(
    Builder* builder, const RuleTable* rules, const Position* position, int32_t number
) noexcept nogil:
    """Play the line that leads to an arrangement without layers."""
    cdef Line* line = &builder.line
    cdef int32_t parent, next_one = -1
    cdef int card, place, made, i
    while number >= 0:
        parent = builder.arrangements[number].parent
        builder.arrangements[number].waiting = next_one
        next_one = number
        number = parent
    line_begin(line, rules, position)
    for place in range(CELL_0 + rules.cells):
        if (place < rules.columns or place >= CELL_0) and not go_home(line, place):
            return line.status
    number = builder.arrangements[next_one].waiting
    while number >= 0:
        card = builder.arrangements[number].card
        made = line.count
        if not line_move(line, card, <Target>builder.arrangements[number].kind, card + SUITS):
            return line.status
        # Only what the moves have laid bare can go home that could not before.
        for i in range(made, line.count):
            if not go_home(line, move_source(line.moves[i])):
                return line.status
        number = builder.arrangements[number].waiting
    return SOLVED if won(rules, &line.position) else BROKEN
