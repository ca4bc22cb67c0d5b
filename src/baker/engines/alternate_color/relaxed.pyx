"""The relaxed game, whose losses are losses of the real one.

A *class* of positions is named by what cannot be taken back: the original cards that are left and the cards at home.
The relaxed game is played on classes.  A card is *dug*, that is a top original card leaves its place but not for home,
or a card goes home; and the move is allowed if the loose cards can be *arranged* so that it can be made: each in a
cell, at the bottom of a column without original cards that it may fill, or on a card it can be built on, no matter
whether they could be brought there.  A card that is dug needs a place too, in another column, and nothing lies on it.
A card that goes home has a place until then, and nothing lies on it.

**Lemma A7** (the name of a class).  The top original cards and the cards that go home next, and so the key that
`class_key` makes of them, tell a class from all others.  Proof: the tops tell how many original cards each column has;
a card is home if it is lower than the next of its suit, or if its suit has none.  Of the cards of a suit in the union
of both sets, the next one is the lowest, as lower ones are home; the key says whether it is a top card as well, and all
others are top cards.

**Lemma A8** (losses of the relaxed game).  If a position can be won, its class can be won in the relaxed game; so a
position of a lost class, which is *dead*, can be left out.  Proof: take a line as in A2 of single moves and see which
class each position has.  A move of a loose card that does not go home leaves the class as it is.  Where a top card has
been moved, nothing lies on it, nor on the cards of the column it has left: as it lies now, it and the loose cards are
arranged as the relaxed move asks.  Where a card is about to go home, nothing lies on it, and the loose cards are
arranged as they lie.  The lowest cards that A2 keeps in their columns are never dug.

A move takes a card from its place or sends one home, both for good.  So the game has no cycles, a class is dead when
all its moves lead to dead ones, and what has been found of it holds for the whole deal.

**Lemma A9** (safe home moves).  If a class can be won and a card c that is safe (`Safety`) can go home, the class that
comes of it can be won.  Proof: as for H1.  Follow the line that wins, with the cards D home early; at first D is c
alone.  Our columns are those of the line without D; cards that lay below one of D may be loose sooner, where they lie
in order in their column, and are arranged so.  After each of our moves the loose cards have an arrangement, the one
that allowed it, without the card that went home.  Before we copy a move, let Z be the cards not in D that lie on one of
D in the arrangement of the line, or on others of Z.  They are not home, and could come to lie on c or on others like
it, so all go home next.  In our own arrangement only cards like these can lie on one of Z.  Send them and Z home from
the last one on: each has a place there and nothing on it, which is what a home move asks.  They join D.  Now nothing
lies on D in the arrangement of the line: without D it allows our copy of the move, unless that is of a card in D, and
is skipped.

**Places.**  On each ladder, from the kings down, the places a level offers are its cards: the top original cards, and
those of its loose cards that have a place.  A loose card in a cell is *unplaced* and offers none.

**Lemma A10** (placing by levels).  Without columns, the fewest cards stay unplaced if each level places as many as it
can, those that offer places first.  Proof: more places for a level never do harm, as they need not be used.  Placing
one card more leaves one less on its own level, and if that card offers a place, one place more to the next level.  If
not, as it is the one that moves, it offers none wherever it is.

**Lemma A11** (columns).  A column without original cards takes one unplaced card off every level of a *run*: levels one
below the other that have unplaced cards.  If any card fills a column, a run may begin anywhere, else at the kings
alone.  It goes on to a level without any, or to one where only the card that moves is unplaced, which it includes.
Taking the longest run each time leaves the fewest unplaced.  Proof: a card at the bottom of a column offers its place
to the level below, which lets one more card be placed there; that does the same for the next level, down to one where
no card needs the place, or where the card that moves takes it and offers none.  So a column takes most if its run
begins as high as it can.

Cut the levels with unplaced cards into *stretches*, longest runs.  In a stretch cut those with two unplaced cards, as
many as there can be, into *inner* stretches, which end at a level with one or below the card that moves; one run at
most goes from one inner stretch on to the next.  Let e columns take from one stretch, and both cards of some level in m
of its inner stretches.  To each of these come two runs, and to all but the first a run that was in none before it; so m
< e, and what is taken is at most the stretch once and e - 1 of its inner stretches.  So much is taken by runs that
begin at their tops, the longer ones first, and no inner stretch is longer than its own.  So the longest run each time
is best, over all stretches.  With kings alone a ladder has one stretch, at its top, and one inner stretch, at the top
of that.

What remains unplaced has to fit into the cells.  If any card fills a column, each takes one card at least.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from baker._core cimport SUITS
from baker.engines.alternate_color.columns cimport (
    LADDER, LADDER_BITS, LEVELS, NO_CODE, SIDE_0, Columns, Exposed, class_key, following, is_safe, rank_of, suit_of,
)
from baker.engines.lib.memory cimport MOST, Memory, array_make, memory_ask, memory_resize
from baker.engines.lib.card_sets cimport Cards, card_bit, trailing_zeros

cdef enum:
    DIG = 128               # flag of a move
    FIRST_CLASSES = 4096
    DEALS = 1 << 30
    # What a move seems to be worth: a home move most of all, a dig by the best card it comes nearer to.
    HOME_VALUE = 500
    COST_VALUE = 8          # for each unplaced card
    DIG_VALUE = 40
    RANK_VALUE = 6          # for each rank that the card beneath is above its foundation
    DEPTH_VALUE = 4         # for each card that it lies deeper

# The places on the ladders.
ctypedef struct Ladders:
    int8_t loose[2][LEVELS]     # cards that need a place
    int8_t top[2][LEVELS]       # original cards that offer one
    int8_t places[2][LEVELS]    # offered by the level above
    int8_t above[2][LEVELS]     # unplaced cards of the levels above
    int8_t below[2][LEVELS + 1][3]  # unplaced cards of the levels below, for each number of places offered to them
    int8_t total[2]             # unplaced cards of each ladder


# Classes

cdef bint classes_make(Classes* classes, Memory* memory) noexcept nogil:
    classes.memory = memory
    classes.mask = FIRST_CLASSES - 1
    classes.used = 0
    classes.deal = 0
    if not array_make(memory, <void**>&classes.slots, &classes.room, FIRST_CLASSES, sizeof(Class)):
        return False
    memset(classes.slots, 0, FIRST_CLASSES * sizeof(Class))
    return True


cdef void classes_clear(Classes* classes) noexcept nogil:
    classes.used = 0
    classes.deal += 1
    if classes.deal == DEALS:
        memset(classes.slots, 0, (classes.mask + 1) * sizeof(Class))
        classes.deal = 1


cdef bint classes_grow(Classes* classes) noexcept nogil:
    """Room for twice as many classes; False if memory is out."""
    cdef size_t room = <size_t>classes.room.asked
    cdef Memory* memory = classes.memory
    cdef Class* slots
    cdef Class* old = classes.slots
    cdef uint64_t i, k
    if room > MOST // 2 or not memory_ask(memory, room * sizeof(Class), 2 * room * sizeof(Class)):
        return False
    classes.room.asked *= 2
    if classes.room.held >= classes.room.asked:
        return True
    slots = <Class*>memory_resize(memory, NULL, 0, 2 * room * sizeof(Class))
    if not slots:
        return False
    classes.room.held = classes.room.asked
    memset(slots, 0, 2 * room * sizeof(Class))
    classes.mask = 2 * room - 1
    for k in range(room):
        if old[k].stamp >> STATE_BITS == classes.deal:
            i = hash_class(old[k].key) & classes.mask
            while slots[i].stamp:
                i = (i + 1) & classes.mask
            slots[i] = old[k]
    classes.slots = slots
    free(old)
    memory.held -= room * sizeof(Class)
    return True


cdef Class* classes_find(Classes* classes, uint64_t key) noexcept nogil:
    cdef uint64_t i = hash_class(key) & classes.mask
    cdef Class* slot
    while classes.slots[i].stamp >> STATE_BITS == classes.deal:
        if classes.slots[i].key == key:
            return &classes.slots[i]
        i = (i + 1) & classes.mask
    if 2 * classes.used >= classes.room.asked:
        if not classes_grow(classes):
            return NULL
        return classes_find(classes, key)
    classes.used += 1
    slot = &classes.slots[i]
    slot.key = key
    slot.stamp = classes.deal << STATE_BITS
    slot.count = 0
    return slot


cdef bint classes_note(Classes* classes, uint64_t key, ClassState state) noexcept nogil:
    """Note what was found of a class; False if memory is out."""
    cdef Class* found = classes_find(classes, key)
    if not found:
        return False
    found.stamp = classes.deal << STATE_BITS | <uint32_t>state
    return True


# Places

cdef inline int two_bits(uint32_t pairs, int level) noexcept nogil:
    return pairs >> 2 * level & 3


cdef inline uint32_t count_pairs(uint32_t cards) noexcept nogil:
    """How many cards each level has, in two bits a level."""
    return (cards & <uint32_t>SIDE_0) + (cards >> 1 & <uint32_t>SIDE_0)


cdef void read_ladders(Ladders* ladders, const Columns* columns, Cards loose, Cards top) noexcept nogil:
    """Place by levels (A10), and note what is unplaced above and below each level."""
    cdef uint32_t loose_pairs, top_pairs
    cdef int ladder, level, places, unplaced, needed, offered, placed
    for ladder in range(2):
        loose_pairs = count_pairs(<uint32_t>(loose >> LADDER * ladder))
        top_pairs = count_pairs(<uint32_t>(top >> LADDER * ladder))
        places = 0
        unplaced = 0
        for level in range(columns.ranks - 1, -1, -1):
            needed = two_bits(loose_pairs, level)
            offered = two_bits(top_pairs, level)
            ladders.loose[ladder][level] = <int8_t>needed
            ladders.top[ladder][level] = <int8_t>offered
            ladders.places[ladder][level] = <int8_t>places
            ladders.above[ladder][level] = <int8_t>unplaced
            placed = min(needed, places)
            unplaced += needed - placed
            places = offered + placed
        ladders.total[ladder] = <int8_t>unplaced
        for places in range(3):
            ladders.below[ladder][0][places] = 0
        for level in range(columns.ranks):
            needed = ladders.loose[ladder][level]
            offered = ladders.top[ladder][level]
            for places in range(3):
                placed = min(needed, places)
                ladders.below[ladder][level + 1][places] = <int8_t>(
                    needed - placed + ladders.below[ladder][level][offered + placed]
                )


cdef int unplaced_to_dig(const Ladders* ladders, int code) noexcept nogil:
    """How many cards are unplaced (A10), columns aside, when a top card is dug."""
    cdef int ladder = code >> LADDER_BITS
    cdef int level = rank_of(code)
    cdef int needed = ladders.loose[ladder][level]
    cdef int places = ladders.places[ladder][level]
    cdef int placed = min(needed, places)
    return (
        ladders.above[ladder][level] + needed - placed + (places <= needed)
        + ladders.below[ladder][level][ladders.top[ladder][level] - 1 + placed] + ladders.total[ladder ^ 1]
    )


cdef int unplaced_to_go_home(const Ladders* ladders, int code, bint is_loose) noexcept nogil:
    """The same when a card goes home."""
    cdef int ladder = code >> LADDER_BITS
    cdef int level = rank_of(code)
    cdef int needed = ladders.loose[ladder][level] - is_loose
    cdef int places = ladders.places[ladder][level]
    cdef int placed = min(needed, places)
    return (
        ladders.above[ladder][level] + needed - placed + (is_loose and places <= needed)
        + ladders.below[ladder][level][ladders.top[ladder][level] - (not is_loose) + placed]
        + ladders.total[ladder ^ 1]
    )


cdef inline int read_unplaced(
    int8_t[2][LEVELS] unplaced, const Columns* columns, Cards needing, Cards offering, Cards top
) noexcept nogil:
    """Place by levels (A10), without columns: the unplaced cards of each level, and how many there are."""
    cdef uint32_t need_pairs, offer_pairs, top_pairs
    cdef int ladder, level, places, needed, placed, total = 0
    for ladder in range(2):
        need_pairs = count_pairs(<uint32_t>(needing >> LADDER * ladder))
        offer_pairs = count_pairs(<uint32_t>((needing & offering) >> LADDER * ladder))
        top_pairs = count_pairs(<uint32_t>(top >> LADDER * ladder))
        places = 0
        for level in range(columns.ranks - 1, -1, -1):
            needed = two_bits(need_pairs, level)
            placed = min(needed, places)
            unplaced[ladder][level] = <int8_t>(needed - placed)
            total += needed - placed
            places = two_bits(top_pairs, level) + min(two_bits(offer_pairs, level), placed)
    return total


cdef inline int take_longest_run(int8_t[2][LEVELS] unplaced, const Columns* columns, int moving) noexcept nogil:
    """Let a column take the longest run (A11) that is left; how many cards that places.

    `moving` is the card that moves, if that offers no place to the level below, else NO_CODE.
    """
    cdef int ladder, level, length, first, moving_level
    cdef int longest = 0
    cdef int best_ladder = 0
    cdef int best_first = 0
    for ladder in range(2):
        length = 0
        first = 0
        moving_level = rank_of(moving) if ladder == moving >> LADDER_BITS else -1
        for level in range(columns.ranks - 1, -1, -1):
            if unplaced[ladder][level] == 0:
                length = 0
            else:
                if length == 0:
                    first = level
                length += 1
                if length > longest:
                    longest = length
                    best_ladder = ladder
                    best_first = first
                if level == moving_level and unplaced[ladder][level] == 1:
                    length = 0
            if length == 0 and not columns.any_fill:
                break
    for level in range(best_first, best_first - longest, -1):
        unplaced[best_ladder][level] -= 1
    return longest


cdef bint fits_with_columns(
    const Columns* columns, Cards needing, Cards offering, Cards top, int empty
) noexcept nogil:
    """Whether the cards that need a place find one, `empty` columns included (A11).

    At most one of them, the card that moves, offers none to the level below.
    """
    cdef int8_t unplaced[2][LEVELS]
    cdef int total = read_unplaced(unplaced, columns, needing, offering, top)
    cdef int moving = trailing_zeros(needing & ~offering) if needing & ~offering else NO_CODE
    cdef int placed
    while total > columns.cells and empty > 0:
        empty -= 1
        placed = take_longest_run(unplaced, columns, moving)
        if placed == 0:
            return False
        total -= placed
    return total <= columns.cells


cdef inline bint can_dig(
    const Columns* columns, const Ladders* ladders, const Frame* here, int empty, int code, int* unplaced,
) noexcept nogil:
    """Whether a top card can be dug, and how many cards are then unplaced, columns aside."""
    cdef Cards bit = card_bit(code)
    unplaced[0] = unplaced_to_dig(ladders, code)
    # A11: each column takes one unplaced card at least.
    if unplaced[0] <= columns.cells or (columns.any_fill and unplaced[0] - empty <= columns.cells):
        return True
    return empty > 0 and fits_with_columns(columns, here.loose | bit, here.loose, here.top & ~bit, empty)


cdef inline bint can_go_home(
    const Columns* columns, const Ladders* ladders, const Frame* here, int empty, int code
) noexcept nogil:
    """Whether a card that goes home next can go there, the loose cards being arranged for it."""
    cdef Cards bit = card_bit(code)
    cdef int unplaced = unplaced_to_go_home(ladders, code, (here.loose & bit) != 0)
    # A11: each column takes one unplaced card at least.
    if unplaced <= columns.cells or (columns.any_fill and unplaced - empty <= columns.cells):
        return True
    return empty > 0 and fits_with_columns(columns, here.loose, here.loose & ~bit, here.top & ~bit, empty)


# The game

cdef inline void expose(const Columns* columns, Frame* here, int code) noexcept nogil:
    """An original card leaves its place."""
    cdef const Exposed* exposed = &columns.exposed[code]
    here.top ^= exposed.top
    here.loose |= exposed.on[0] | exposed.on[1] | exposed.base


cdef inline void send_home(const Columns* columns, Frame* here, int code) noexcept nogil:
    """A card goes home."""
    cdef Cards bit = card_bit(code)
    here.next ^= bit
    if rank_of(code) + 1 < columns.ranks:
        here.next |= card_bit(following(code))
    if here.loose & bit:
        here.loose ^= bit
    else:
        expose(columns, here, code)


cdef inline int count_empty(const Columns* columns, Cards top) noexcept nogil:
    """How many columns have no original card; none counts if nothing may fill it."""
    cdef int empty = columns.count
    if not columns.fillers:
        return 0
    while top:
        empty -= 1
        top &= top - 1
    return empty


cdef int value_of_dig(const Columns* columns, const int8_t* next_ranks, int code) noexcept nogil:
    """How soon the best card beneath goes home."""
    cdef int best = 0
    cdef int depth = 0
    cdef int distant
    cdef int below = columns.below[code]
    while below != NO_CODE:
        distant = RANK_VALUE * (rank_of(below) - next_ranks[suit_of(below)])
        best = max(best, DIG_VALUE - distant - DEPTH_VALUE * depth)
        depth += 1
        below = columns.below[below]
    return best


cdef inline void sort_moves(Frame* here, int* values) noexcept nogil:
    """Sort moves by their values, the highest first."""
    cdef int value, i, k
    cdef uint8_t move
    for i in range(1, here.count):
        value = values[i]
        move = here.moves[i]
        k = i
        while k > 0 and values[k - 1] < value:
            values[k] = values[k - 1]
            here.moves[k] = here.moves[k - 1]
            k -= 1
        values[k] = value
        here.moves[k] = move


cdef void list_moves(const Columns* columns, const Ladders* ladders, Frame* here, int empty) noexcept nogil:
    """The moves of a class, the most promising first."""
    cdef int values[MOST_MOVES]
    cdef int8_t next_ranks[SUITS]
    cdef Cards bits
    cdef int code, suit, unplaced
    for suit in range(SUITS):
        next_ranks[suit] = <int8_t>columns.ranks
    bits = here.next
    while bits:
        code = trailing_zeros(bits)
        bits &= bits - 1
        next_ranks[suit_of(code)] = <int8_t>rank_of(code)
    here.count = 0
    here.tried = 0
    bits = here.next & (here.loose | here.top)
    while bits:
        code = trailing_zeros(bits)
        bits &= bits - 1
        if can_go_home(columns, ladders, here, empty, code):
            values[here.count] = HOME_VALUE - rank_of(code)
            here.moves[here.count] = <uint8_t>code
            here.count += 1
    # A2: the lowest card of a column that nothing fills is not dug.
    bits = here.top & ~columns.stuck
    while bits:
        code = trailing_zeros(bits)
        bits &= bits - 1
        if can_dig(columns, ladders, here, empty, code, &unplaced):
            values[here.count] = value_of_dig(columns, next_ranks, code) - COST_VALUE * (unplaced - empty)
            here.moves[here.count] = <uint8_t>(code | DIG)
            here.count += 1
    sort_moves(here, values)


cdef ClassState enter_class(Relaxed* relaxed, const Columns* columns) noexcept nogil:
    """Take up the class in the frame above the stack; it is UNKNOWN and on the stack, or its state is known."""
    cdef Frame* here = &relaxed.frames[relaxed.depth]
    cdef Ladders ladders
    cdef Cards bits
    cdef int code, empty
    cdef Class* found
    cdef bint again = True
    while again:
        again = False
        if not here.next:
            return ALIVE
        read_ladders(&ladders, columns, here.loose, here.top)
        empty = count_empty(columns, here.top)
        bits = here.next & (here.loose | here.top)
        while bits:
            code = trailing_zeros(bits)
            bits &= bits - 1
            # A9: no other move is looked at.
            if is_safe(relaxed.safety, here.next, code) and can_go_home(
                columns, &ladders, here, empty, code
            ):
                send_home(columns, here, code)
                again = True
                break
    # A8: what is known of a class need not be found again.
    here.key = class_key(here.top, here.next)
    found = classes_find(&relaxed.classes, here.key)
    if not found:
        return NO_ROOM
    if class_state(found) != UNKNOWN:
        return class_state(found)
    list_moves(columns, &ladders, here, empty)
    relaxed.depth += 1
    return UNKNOWN


cdef ClassState finish(Relaxed* relaxed, ClassState state) noexcept nogil:
    """Note the state on the class that was taken up, and with ALIVE on those that led there."""
    if state == ALIVE:
        while relaxed.depth:
            relaxed.depth -= 1
            if not classes_note(&relaxed.classes, relaxed.frames[relaxed.depth].key, ALIVE):
                return NO_ROOM
    if state != UNKNOWN and state != NO_ROOM and not classes_note(&relaxed.classes, relaxed.start, state):
        return NO_ROOM
    return state


cdef ClassState relaxed_begin(
    Relaxed* relaxed, const Columns* columns, Cards top, Cards next, Cards loose,
) noexcept nogil:
    cdef Frame* first = &relaxed.frames[0]
    cdef Class* found
    relaxed.depth = 0
    relaxed.start = class_key(top, next)
    found = classes_find(&relaxed.classes, relaxed.start)
    if not found:
        return NO_ROOM
    if class_state(found) != UNKNOWN:
        return class_state(found)
    first.top = top
    first.next = next
    first.loose = loose
    return finish(relaxed, enter_class(relaxed, columns))


cdef ClassState relaxed_go_on(Relaxed* relaxed, const Columns* columns, int64_t* budget) noexcept nogil:
    cdef Frame* here
    cdef Frame* there
    cdef ClassState state
    cdef int code
    while True:
        if relaxed.depth == 0:
            return finish(relaxed, DEAD)
        here = &relaxed.frames[relaxed.depth - 1]
        if here.tried == here.count:
            # A8: all its moves lead to dead classes.
            if not classes_note(&relaxed.classes, here.key, DEAD):
                return NO_ROOM
            relaxed.depth -= 1
            continue
        if budget[0] <= 0:
            return UNKNOWN
        there = &relaxed.frames[relaxed.depth]
        there.top = here.top
        there.next = here.next
        there.loose = here.loose
        code = here.moves[here.tried] & ~DIG
        if here.moves[here.tried] & DIG:
            there.loose |= card_bit(code)
            expose(columns, there, code)
        else:
            send_home(columns, there, code)
        here.tried += 1
        budget[0] -= 1
        state = enter_class(relaxed, columns)
        if state == ALIVE or state == NO_ROOM:
            return finish(relaxed, state)
