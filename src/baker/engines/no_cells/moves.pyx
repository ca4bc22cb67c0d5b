"""From a path of products to moves that can be played one by one.

The search proves a win by a path of products: sets of positions, each of which can be reached from the start.  Which
of them was meant is found from the end: in the won position no card is loose.

**Lemma N10** (back along the path).  From any position of a product on the path a position of the product before it
can be found that leads to it, without ever having to try another way.  Proof: let the position be of a settled
product.  At each rank settling has added what comes of shifts of exposable cards (N3).  They can be taken back, so
from its seating such shifts lead to one that was there before.  Each needs its card bare; the card is exposable, so
shifts of the rank below lead to that, and so on down to the aces.  They change lower ranks only and stay in the
settled product, so the ranks are done from the highest on.  Now let the position be of the product that a step has
made.  At each rank its seating is what the step makes of some seating of the product before.  A dig has added a card,
which is taken out; what turned loose is original again; for a card that went home from a loose place any seating of
the product that differs by that card alone is right, as ranks do not depend on each other.  A look has made nothing,
nor has narrowing (N8).

**Lemma N11** (moves of one card are joined).  Let a card c move from a to b and then to z, with no move of c or onto
c in between.  If z is a card, and in between neither is it moved, nor does a card leave it or come onto it, c can go
to z at once.  If a is not moved in between and nothing comes onto it, nor a king into the column where c lay at the
bottom, the first move can be left out.  Where z is a, both can.  Proof: the moves in between do not touch c or what c
lies on, as that is covered.  In the first case z was bare all the time, and is covered sooner by c alone; b is bare
instead.  In the second a stays covered and b is bare, and c is bare when it moves.  Nothing else of the position is
changed, so that all other moves can be made as before.

Then all moves are played on the real position, each checked by the rules of the game.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t
from libc.stdlib cimport free
from libc.string cimport memset

from baker.engines.no_cells.path cimport DIG, HOME, Frame, move_card, move_kind
from baker._core cimport MAX_CARDS, NO_CARD, SUITS, Position, RuleTable, won
from baker.engines.base cimport BROKEN, OUT_OF_MEMORY, SOLVED, Status
from baker.engines.lib.replay cimport (
    TO_CARD, TO_COLUMN, TO_FOUNDATION, Line, Target, line_begin, line_free, line_make, line_move,
)
from baker.engines.lib.memory cimport Memory, array_double, array_make
from baker.engines.no_cells.seatings cimport (
    NO_SEATING, SEATINGS, Layout, Product, Seatings, State, bare_seatings, keep_bare, lawful, loose_at, product_dig,
    product_home, safe_card, seat_of, seats_at, settle, shiftable, start_product, suits_at, unseat,
)
from baker.engines.lib.card_sets cimport Cards, card_bit, trailing_zeros, trailing_zeros_32

cdef enum:
    FIRST_STEPS = 64
    FIRST_SHIFTS = 128
    NOTHING = 3                 # a kind of step: the start, or a product that was narrowed
    # Places that are no cards; the bottom of the column that a card was dealt to is NO_CARD.
    HOME_PLACE = 253
    COLUMN_PLACE = 254          # an empty column


cdef bint make_builder(Builder* builder, Memory* memory) noexcept nogil:
    memset(builder, 0, sizeof(Builder))
    builder.memory = memory
    return (
        array_make(memory, <void**>&builder.steps, &builder.step_room, FIRST_STEPS, sizeof(Step))
        and array_make(memory, <void**>&builder.shifts, &builder.shift_room, FIRST_SHIFTS, sizeof(Shift))
        and line_make(&builder.line, memory)
    )


cdef void free_builder(Builder* builder) noexcept nogil:
    free(builder.steps)
    free(builder.shifts)
    line_free(&builder.line)


# The path in single steps

# How the product of a step is settled before the next.
cdef enum Settled:
    NOT_SETTLED
    BY_ITSELF
    IN_FRAME                    # to the product of a frame

cdef bint add_step(Builder* builder, const Product* product, int kind, int card) noexcept nogil:
    """Note a step and the product that it makes; False if memory is out."""
    cdef Step* step
    if builder.step_count == builder.step_room.asked and not array_double(
        builder.memory, <void**>&builder.steps, &builder.step_room, sizeof(Step)
    ):
        return False
    step = &builder.steps[builder.step_count]
    step.product = product[0]
    step.kind = <uint8_t>kind
    step.card = <uint8_t>card
    step.settled = NOT_SETTLED
    builder.step_count += 1
    return True


cdef bint add_steps(Builder* builder, const Layout* layout, Product* product, int kind, int card) noexcept nogil:
    """Note a step and what is safe after it; False if memory is out."""
    if not add_step(builder, product, kind, card):
        return False
    card = safe_card(layout, &product.state)
    while card >= 0:
        product_home(layout, product, card)
        if not add_step(builder, product, HOME, card):
            return False
        card = safe_card(layout, &product.state)
    return True


cdef bint list_steps(Builder* builder, const Layout* layout, const Frame* frames, int depth) noexcept nogil:
    """The path from the start to the win; False if memory is out."""
    cdef Product product
    cdef Step* last
    cdef int i, k, card
    builder.step_count = 0
    start_product(layout, &product)
    if not add_steps(builder, layout, &product, NOTHING, 0):
        return False
    for i in range(depth):
        last = &builder.steps[builder.step_count - 1]
        product = frames[i].product
        if frames[i].is_narrowed:
            last.settled = BY_ITSELF
            for k in range(layout.ranks - 1):
                product.seatings[k] = frames[i].narrowed[k]
            if not add_step(builder, &product, NOTHING, 0):
                return False
            last = &builder.steps[builder.step_count - 1]
            product = frames[i].product
        last.settled = IN_FRAME
        last.frame = i
        card = move_card(frames[i].move)
        if move_kind(frames[i].move) == HOME:
            product_home(layout, &product, card)
        elif move_kind(frames[i].move) == DIG:
            product_dig(layout, &product, card)
        else:
            keep_bare(layout, &product, card)
        if not add_steps(builder, layout, &product, move_kind(frames[i].move), card):
            return False
    return True


# Back from the end

# A way from one seating of a rank to another.
ctypedef struct Way:
    uint8_t before[SEATINGS]    # for each seating that was found, the one it was found from,
    uint8_t suit[SEATINGS]      # and the suit of the card that shifts in between
    uint8_t seating[SEATINGS]   # those of the way, the last one first

cdef bint add_shift(Builder* builder, int card, int target) noexcept nogil:
    """Note a move of a card to a place; False if memory is out."""
    if builder.shift_count == builder.shift_room.asked and not array_double(
        builder.memory, <void**>&builder.shifts, &builder.shift_room, sizeof(Shift)
    ):
        return False
    builder.shifts[builder.shift_count].card = <uint8_t>card
    builder.shifts[builder.shift_count].target = <uint8_t>target
    builder.shift_count += 1
    return True


cdef int find_way(
    const Layout* layout, const State* state, int rank, int movable, int here, Seatings goal, Way* way,
) noexcept nogil:
    """The shortest way of a rank from the seating `here` to one of the goal: how many shifts it takes; -1 for none."""
    cdef int low = loose_at(state, rank)
    cdef int high = seats_at(state, rank)
    cdef Seatings allowed = lawful(layout, low, high)
    cdef Seatings seen = <Seatings>1 << here
    cdef Seatings bits
    cdef uint8_t queue[SEATINGS]
    cdef int first = 0
    cdef int count = 1
    cdef int found = here if goal & seen else -1
    cdef int i, suit, other
    queue[0] = <uint8_t>here
    while found < 0:
        if first == count:
            return -1
        i = queue[first]
        first += 1
        for suit in range(SUITS):
            if not movable >> suit & 1:
                continue
            bits = layout.table.shifted[low][high][suit][i] & allowed & ~seen
            seen |= bits
            while bits:
                other = trailing_zeros_32(bits)
                bits &= bits - 1
                way.before[other] = <uint8_t>i
                way.suit[other] = <uint8_t>suit
                queue[count] = <uint8_t>other
                count += 1
                if found < 0 and goal >> other & 1:
                    found = other
    count = 0
    while found != here:
        way.seating[count] = <uint8_t>found
        count += 1
        found = way.before[found]
    return count


cdef Status reach(
    Builder* builder, const Layout* layout, const Product* product, Cards shifts, int rank, Seatings goal,
) noexcept nogil:
    """Take back shifts until the seating of the rank is one of the goal (N10).

    `product` is settled and `shifts` are the cards that were shifted for it.  Calls itself for the rank below only.
    """
    cdef const State* state = &product.state
    cdef int low = loose_at(state, rank)
    cdef int high = seats_at(state, rank)
    cdef int here = layout.table.number[low][high][layout.table.partial[builder.seats[rank]]]
    cdef Way way
    cdef int steps, i, suit, other, card
    cdef Status status
    if here == NO_SEATING:
        return BROKEN
    steps = find_way(layout, state, rank, suits_at(shifts, rank), here, goal, &way)
    if steps < 0:
        return BROKEN
    for i in range(steps - 1, -1, -1):
        suit = way.suit[way.seating[i]]
        card = rank * SUITS + suit
        if rank:
            status = reach(builder, layout, product, shifts, rank - 1, bare_seatings(layout, state, card))
            if status != SOLVED:
                return status
        other = seat_of(builder.seats[rank], suit) - 1
        if not add_shift(builder, card, (rank + 1) * SUITS + other):
            return OUT_OF_MEMORY
        builder.seats[rank] = layout.table.code[low][high][way.seating[i]]
    return SOLVED


cdef Status undo(
    Builder* builder, const Layout* layout, const Step* step, const Product* before,
) noexcept nogil:
    """Go back from a position of the step's product to one of the product before it (N10)."""
    cdef int card = step.card
    cdef int rank = card >> 2
    cdef int suit = card & 3
    cdef int low, high, code, seats, other
    cdef Cards turned = step.product.state.loose & ~before.state.loose
    cdef Seatings bits
    if step.kind == DIG:
        if rank == layout.ranks - 1:
            if not add_shift(builder, card, COLUMN_PLACE):
                return OUT_OF_MEMORY
        else:
            other = seat_of(builder.seats[rank], suit) - 1
            if not add_shift(builder, card, (rank + 1) * SUITS + other):
                return OUT_OF_MEMORY
    # What turned loose was original before.
    while turned:
        other = trailing_zeros(turned)
        turned &= turned - 1
        if other >> 2 < layout.ranks - 1:
            builder.seats[other >> 2] = <uint16_t>unseat(builder.seats[other >> 2], other & 3)
    if step.kind != HOME:
        return SOLVED
    if not add_shift(builder, card, HOME_PLACE):
        return OUT_OF_MEMORY
    if rank < layout.ranks - 1 and before.state.loose & card_bit(card):
        low = loose_at(&before.state, rank)
        high = seats_at(&before.state, rank)
        bits = before.seatings[rank]
        while bits:
            code = layout.table.code[low][high][trailing_zeros_32(bits)]
            bits &= bits - 1
            seats = unseat(code, suit)
            if seats == builder.seats[rank]:
                builder.seats[rank] = <uint16_t>code
                return SOLVED
        return BROKEN
    return SOLVED


cdef Cards settle_step(
    const Layout* layout, const Frame* frames, const Step* step, Product* settled,
) noexcept nogil:
    """The product after a step as the search went on with it, and the cards that were shifted for that."""
    if step.settled == IN_FRAME:
        settled[0] = frames[step.frame].product
        return shiftable(&settled.state, frames[step.frame].exposable)
    settled[0] = step.product
    if step.settled == NOT_SETTLED:
        return 0
    return shiftable(&settled.state, settle(layout, settled))


cdef Status follow_back(Builder* builder, const Layout* layout, const Frame* frames) noexcept nogil:
    """List the shifts of a line that the path stands for, the last one first."""
    cdef Product settled
    cdef const Step* step
    cdef Cards shifts
    cdef Status status
    cdef int i, rank
    builder.shift_count = 0
    memset(builder.seats, 0, sizeof(builder.seats))
    for i in range(builder.step_count - 1, -1, -1):
        step = &builder.steps[i]
        shifts = settle_step(layout, frames, step, &settled)
        if i < builder.step_count - 1:
            status = undo(builder, layout, &builder.steps[i + 1], &settled)
            if status != SOLVED:
                return status
        # From the highest rank on: what has to be moved out of the way is of lower ones.
        for rank in range(layout.ranks - 2, -1, -1):
            status = reach(builder, layout, &settled, shifts, rank, step.product.seatings[rank])
            if status != SOLVED:
                return status
    return SOLVED


# The line

cdef bint join_shift(Builder* builder, int32_t* count, const Shift* new) noexcept nogil:
    """Join a move with the last one of its card, if nothing that was done since is in the way (N11).

    The card then goes to the new place straight from where it was before: `early`, in place of its last
    move, if the new place was free since; or `late`, if the old place was not needed since.
    """
    cdef Shift* shifts = builder.shifts
    cdef Shift* last
    cdef bint late = True
    cdef bint early = new.target < MAX_CARDS
    cdef int start
    cdef int32_t i, k
    i = count[0] - 1
    while i >= 0 and shifts[i].card != new.card:
        if shifts[i].target == new.card:
            return False
        if new.target in (shifts[i].card, shifts[i].start, shifts[i].target):
            early = False
        i -= 1
    if i < 0:
        return False
    last = &shifts[i]
    start = last.start
    for k in range(i + 1, count[0]):
        if shifts[k].card == start or shifts[k].target == start:
            late = False
        # A king may have gone to the column that the card left empty.
        if start == NO_CARD and shifts[k].target == COLUMN_PLACE:
            late = False
    if early and start != new.target:
        last.target = new.target
        return True
    if not late:
        return False
    for k in range(i + 1, count[0]):
        shifts[k - 1] = shifts[k]
    count[0] -= 1
    if start != new.target:
        shifts[count[0]].card = new.card
        shifts[count[0]].start = <uint8_t>start
        shifts[count[0]].target = new.target
        count[0] += 1
    return True


cdef bint tidy(Builder* builder) noexcept nogil:
    """Join moves of one card; whether there were any to join."""
    cdef Shift one
    cdef Cards moved = 0
    cdef int32_t count = 0
    cdef int32_t i
    for i in range(builder.shift_count):
        one = builder.shifts[i]
        if not moved & card_bit(one.card) or not join_shift(builder, &count, &one):
            builder.shifts[count] = one
            count += 1
        moved |= card_bit(one.card)
    if count == builder.shift_count:
        return False
    builder.shift_count = count
    return True


cdef void put_in_order(Builder* builder, const Layout* layout) noexcept nogil:
    """Turn the list round, and note where each card comes from."""
    cdef uint8_t under[MAX_CARDS]
    cdef Shift* shifts = builder.shifts
    cdef Shift one
    cdef int32_t i
    cdef int32_t last = builder.shift_count - 1
    for i in range(builder.shift_count // 2):
        one = shifts[i]
        shifts[i] = shifts[last - i]
        shifts[last - i] = one
    for i in range(MAX_CARDS):
        under[i] = layout.under[i]
    for i in range(builder.shift_count):
        shifts[i].start = under[shifts[i].card]
        under[shifts[i].card] = shifts[i].target


cdef Status play_line(Builder* builder, const RuleTable* rules, const Position* position) noexcept nogil:
    """Play the moves by the rules of the game."""
    cdef Line* line = &builder.line
    cdef const Shift* one
    cdef Target target
    cdef int32_t i
    line_begin(line, rules, position)
    for i in range(builder.shift_count):
        one = &builder.shifts[i]
        target = TO_CARD
        if one.target == HOME_PLACE:
            target = TO_FOUNDATION
        elif one.target == COLUMN_PLACE:
            target = TO_COLUMN
        if not line_move(line, one.card, target, one.target):
            return line.status
    return SOLVED if won(rules, &line.position) else BROKEN


cdef Status build_moves(
    Builder* builder, const Layout* layout, const Frame* frames, int depth,
    const RuleTable* rules, const Position* position,
) noexcept nogil:
    cdef Status status
    if not list_steps(builder, layout, frames, depth):
        return OUT_OF_MEMORY
    status = follow_back(builder, layout, frames)
    if status != SOLVED:
        return status
    put_in_order(builder, layout)
    while tidy(builder):
        pass
    return play_line(builder, rules, position)
