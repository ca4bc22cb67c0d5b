"""The search that decides games without cells in which an emptied column takes kings at most.

Baker's Dozen, Good Measure, their forms with other rules of building and Portuguese Solitaire are one game to it.
`seatings.pyx` has the terms and says why states and products stand for positions.

**Two games.** The *game of counts* (N2) is played on states.  It is small, most lost deals are lost in it, and its
plans are good guides.  The *exact game* is played on settled products, with three kinds of steps: a card goes home, a
card is dug, and a *look* at a loose card that is bare in some positions of the product and covered in others.  A look
keeps those in which it is bare, so that it can be shifted from there on.

**Lemma N4** (lone cards stay).  Where nothing may fill an empty column, a card alone in its column need not be dug.
Where kings fill columns the same holds once there is an empty column for each king that has cards under it.  Proof:
let P arise from Q by a move of the lone card b onto another card.  Q follows a line that wins from P, with b left
where it is: its bare cards are those of P and perhaps the one that b lies on.  Moves of b to a card are left out, its
move home is made, every other move is made as in P.  That line digs one lone card less; go on until none is left.
Where kings fill columns Q has one empty column less than P.  The only moves that need one are the first of each king
with cards under it (N1).  There are enough for them, and that stays so: such a move takes a column and leaves a king
less to come, and no other move fills one.

**Lemma N5** (safe cards go home).  A rank is *safe* if each card of the ranks below is home, or next to go home, or
stays in its column by N1 or N4 until it goes home.  If a position can be won and a bare card x of a safe rank is
next, then the position with x home can be won; it is H1 with cards left out of account that never need a place.
Proof: follow a line from P that wins without digging lone cards in Q, which is P with a set E of cards sent home, x
at first.  E has only cards of safe ranks, and with a card all cards on it.  A move of a card in E is left out.  A
move onto a card in E is of a card y of the rank below.  It is not home and does not stay in its column, so it was
next from the start.  Nothing lies on it in P, so nothing does in Q: there it goes home, and joins E.  Every other
move can be made in Q, where cards on targets are no more and empty columns no fewer.  With building by suit every
rank is safe, for the one card that could lie on x is home when x can go.

Of several safe cards the lowest goes first.  It is bare in every position of its state, so that sending it home costs
a product no seatings.  Proof: with building by suit nothing can lie on it.  Else let a loose card lie on a card of
its rank.  Its own rank is below, so it is home, next or stays; being loose it is next.  It was not chosen, so no card
of its rank is bare, and a loose card lies on it that is next for the same reasons, and so on down to the aces, on
which nothing lies.

**Lemma N6** (the exact game).  A settled product without safe moves has a position that can be won exactly if some
step leads to such a product.  Proof: what a step leads to is reached by real moves (N3, N5).  For the converse take a
position of the product and a line that wins from it, without lone digs (N4).  Look at the first move that leads out
of the product.  A dig or a home move is a step: it is there by counts (N2), and plays the card in this position as in
all others in which it is bare.  What comes of it can still be won after safe moves (N5) and is not lost by settling.
Otherwise it is a shift of a card c.  Its own rank and the next have a bare card.  It is no king, which would change
nothing (N1).  It is not exposable, as the product is settled; and the seating it leads to is not in the product, so
that the rank of c does not have all seatings.  So there is a look at c, and it keeps the position before the shift.

**Lemma N7** (no step comes twice).  The exact game has no cycles.  Proof: digs and home moves are counted by the key.
A look at c, of rank r, leaves the ranks below r - 1 as they were, and fewer seatings of rank r - 1: settling adds
some back, but not all, or c would have been exposable.  So of two products of one state on a path the later has at
the lowest rank in which they differ a proper part of the seatings of the earlier.  Narrowing (N8) and settling again
cannot undo it: from the lowest rank on each rank has a part of what it had, as it was closed under the same shifts,
up to the first rank that has less.  So a search that tries all steps comes to an end, with noise on their order or
without.  Each run may do more nodes than the last, and keeps all that is known to be lost, so restarts change
nothing.

**Lemma N8** (lost products).  A product is *lost* if none of its positions can be won.  (a) A product that lies in a
lost one is lost.  (b) If it lies in a lost one D but for one rank, what it has there in common with D may be left
out: it is *narrowed*.  (c) If a lost product E lies in D but for one rank, the seatings of D of that rank may be
added to E: they are *joined*.  (d) If the narrowed product lies in a lost one E, the product itself lies in the one
that has at that rank the seatings of D or E, and at all others those of D and E, and it is lost.  Proof: (a) is
plain.  (b) The positions left out have seatings of D at every rank.  (c) A position of what comes of it has at that
rank a seating of E, and then lies in E, or one of D, and then lies in D.  (d) A position of the lost product lies in
E or in D in the same way; and the product before narrowing lies at all other ranks in D and in E, and at that rank in
one or the other.

**Lemma N9** (why it is lost).  Let all steps from a product X be lost.  Then every product L of its state is lost in
which each position fulfils this: (a) each dig or home move by counts can either not be made, or leads, after safe
moves, into a lost product; (b) for each card looked at, it is covered, or all shifts of it lead into a lost product;
(c) each shift of another card but a king leads to a position of L, or the card is covered in all of L.  Proof: let a
position of L be won by a line.  Its first move that leads out of L is no dig or home move, by (a) and N5, no shift as
in (b), as what comes of those is lost, and no other, by (c) and N1.

`go_back` and `explain` find, rank by rank, the positions with (a) and (b); `make_candidate` does so for a move that
no position of X allows.  `close_loss` takes seatings out until (c) holds.  X itself is never cut: it is settled, so
shifts of exposable cards stay in it; a card that no position of X lays bare may be taken to be covered; and any other
card has a look, or its rank all seatings.  If L is every position of the state, no position of it can be won: the
state is marked lost like one lost by counts, and plans through it are void.

**Restarts.**  After some hundred nodes, then ever more, the search begins again with some noise on the order of moves
(N7).
"""

cimport cython
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from baker.engines.no_cells.path cimport (
    DIG, HOME, KIND_SHIFT, LOOK, MOVE_BITS, MOVE_MASK, Frame, Kind, move_card, move_kind,
)
from baker.engines.no_cells.moves cimport Builder, build_moves, free_builder, make_builder
from baker._core cimport FILL_ANY, GROUP_UNLIMITED, MAX_CARDS, SUITS, MoveCode, Position, RuleTable
from baker.engines.base cimport BROKEN, IMPOSSIBLE, OUT_OF_MEMORY, OUT_OF_NODES, RUNNING, SOLVED, Engine, Status
from baker.engines.lib.memory cimport Memory, Room, array_double, array_make, memory_freed, memory_grow, memory_resize
from baker.engines.lib.restarts cimport Restarts, random_begin, random_next, restarts_begin, restarts_pass
from baker.engines.no_cells.seatings cimport (
    CARD_BITS, LEVELS, PER_RANK, Layout, Product, Seatings, State, all_seatings, bare_seatings, can_bare, can_seat,
    count_home, count_of, digs, go_back, home_moves, keep_bare, lawful, loose_at, play_dig, play_home, play_safe,
    product_dig, product_home, product_safe, ranks_with_bare, read_layout, safe_card, seats_at, settle, start_product,
)
from baker.engines.lib.card_sets cimport Cards, card_bit, trailing_zeros, trailing_zeros_32

cdef enum:
    DEPTH = 2 * MAX_CARDS + 2   # every move digs a card or sends it home
    STATE_MOVES = 20            # 4 home moves and 16 digs
    FIRST_BITS = 10             # of the number of entries
    FIRST_FRAMES = 64
    FIRST_LOSSES = 64
    NONE = 0                    # no lost product
    SCANS = 16                  # lost products that may be looked at in the time of a node
    # The word of an entry: the key of its state, a move and what is known of it.
    MOVE_SHIFT = 49
    KNOWN_SHIFT = 57
    # Scores of moves, added to make them positive.
    BASE_SCORE = 4096
    PLANNED_SCORE = 2048
    HOME_SCORE = 1000
    LONE_PROMISE = -5
    # Restarts.
    FIRST_STRETCH = 300         # nodes before the first
    NOISE = 5                   # what each adds to the noise on scores
    MOST_NOISE = 40

cdef uint64_t KEY = (<uint64_t>1 << MOVE_SHIFT) - 1
cdef uint64_t HASH_FACTOR = 0x9E3779B97F4A7C15      # 2^64 by the golden ratio

# What is known of a state.
cdef enum Known:
    OPEN
    LOST                        # so is every position of it
    PLANNED                     # by counts it can be won, with the move of the entry
    WON

ctypedef struct Entry:
    uint64_t word               # 0 where the place is free
    uint32_t epoch              # of the plan
    int32_t first_loss          # its first lost product, or NONE

# A product of which every position is lost; `next` is another of the same state.
ctypedef struct Loss:
    Seatings seatings[LEVELS]
    int32_t next

# A lost product that another was narrowed by, and the rank whose seatings lost some.
ctypedef struct Narrowing:
    Seatings seatings[LEVELS]
    int32_t rank

# A state on the path of the game of counts.
ctypedef struct CountFrame:
    State state
    int32_t move
    int32_t move_count
    int32_t moves[STATE_MOVES]

cdef enum Phase:
    ENTER                       # the candidate
    COUNT                       # the game of counts from the candidate
    CHOOSE                      # a move

ctypedef struct Search:
    Layout layout
    bint use_lone               # which dominances are used
    bint use_safe
    bint use_counts
    int64_t nodes
    int64_t most_nodes
    Phase phase
    Product candidate           # the product to be entered
    Cards candidate_exposable
    Seatings lost[LEVELS]       # a lost product, which holds the candidate, of its state
    # The game of counts.
    Known known
    int count_depth
    CountFrame count_path[DEPTH]
    # The path.
    Frame* frames
    int32_t depth
    Room frame_room
    Narrowing* narrowings
    int32_t narrowing_count
    Room narrowing_room
    # What is known of states.
    Entry* entries
    int entry_bits
    int64_t entry_count
    Loss* losses                # the first one is not used
    int32_t loss_count
    Room loss_room
    int32_t unused_loss
    int64_t scans
    # Plans are good if nothing was found to be lost since.
    uint32_t epoch
    uint32_t first_epoch        # of this run
    Restarts restarts
    uint64_t random
    Memory* memory
    Builder builder


# States

cdef inline Entry* entry_find(const Search* search, uint64_t key) noexcept nogil:
    """The entry of a state, or the free place for it."""
    cdef uint64_t mask = (<uint64_t>1 << search.entry_bits) - 1
    cdef uint64_t i = key * HASH_FACTOR >> (64 - search.entry_bits)
    while search.entries[i].word and search.entries[i].word & KEY != key:
        i = (i + 1) & mask
    return &search.entries[i]


cdef inline Known entry_known(const Entry* entry) noexcept nogil:
    """What its word says of the state; OPEN where there is none."""
    return <Known>(entry.word >> KNOWN_SHIFT)


cdef inline int32_t entry_move(const Entry* entry) noexcept nogil:
    """The move of its plan: kind and card."""
    return <int32_t>(entry.word >> MOVE_SHIFT & MOVE_MASK)


cdef bint entries_double(Search* search) noexcept nogil:
    """Twice the room; False if memory is out."""
    cdef size_t size = sizeof(Entry) << search.entry_bits
    cdef Entry* old = search.entries
    cdef Entry* grown = <Entry*>memory_grow(search.memory, NULL, 0, 2 * size)
    cdef int64_t i
    if not grown:
        return False
    memset(grown, 0, 2 * size)
    search.entries = grown
    search.entry_bits += 1
    for i in range(<int64_t>1 << (search.entry_bits - 1)):
        if old[i].word:
            entry_find(search, old[i].word & KEY)[0] = old[i]
    free(old)
    memory_freed(search.memory, size)
    return True


cdef inline Entry* entry_note(Search* search, uint64_t key, Known known, int32_t move) noexcept nogil:
    """The entry of a state, with what is known now; NULL if memory is out."""
    cdef Entry* entry = entry_find(search, key)
    if not entry.word:
        if 4 * search.entry_count >= <int64_t>3 << search.entry_bits:
            if not entries_double(search):
                return NULL
            entry = entry_find(search, key)
        search.entry_count += 1
        entry.first_loss = NONE
    entry.word = key | <uint64_t>(move & MOVE_MASK) << MOVE_SHIFT | <uint64_t>known << KNOWN_SHIFT
    entry.epoch = search.epoch
    return entry


cdef inline void play_move(const Layout* layout, State* state, int32_t move) noexcept nogil:
    """A move by counts, and what is safe after it."""
    if move_kind(move) == HOME:
        play_home(layout, state, move_card(move))
    else:
        play_dig(layout, state, move_card(move))
    play_safe(layout, state)


cdef bint is_good(Search* search, const State* start) noexcept nogil:
    """Whether the plan for a state leads through no state that was found to be lost since."""
    cdef State state = start[0]
    cdef Entry* passed[DEPTH]
    cdef Entry* entry
    cdef int i
    cdef int n = 0
    while state.home != search.layout.deck:
        entry = entry_find(search, state.key)
        if entry_known(entry) != PLANNED or entry.epoch < search.first_epoch:
            return False
        if entry.epoch == search.epoch:
            break
        passed[n] = entry
        n += 1
        play_move(&search.layout, &state, entry_move(entry))
    for i in range(n):
        passed[i].epoch = search.epoch
    return True


cdef inline Known known_of(Search* search, const State* state) noexcept nogil:
    """What is known of a state; WON means by counts."""
    cdef const Entry* entry
    cdef Known known
    if state.home == search.layout.deck:
        return WON
    entry = entry_find(search, state.key)
    known = entry_known(entry)
    if known == PLANNED:
        if entry.epoch == search.epoch or (entry.epoch >= search.first_epoch and is_good(search, state)):
            return WON
        return OPEN
    return known


# Moves

cdef inline uint32_t draw_noise(Search* search, uint32_t below) noexcept nogil:
    """A number less than `below`."""
    return <uint32_t>((random_next(&search.random) >> 32) * below >> 32)


cdef inline int32_t scored(int score, Kind kind, int card) noexcept nogil:
    """A move with its score above it, so that the better of two moves is the larger."""
    return (score + BASE_SCORE) << MOVE_BITS | kind << KIND_SHIFT | card


cdef inline int32_t take_best(int32_t* moves, int32_t* count) noexcept nogil:
    """Take the move with the highest score off a list."""
    cdef int32_t best = 0
    cdef int32_t move
    cdef int i
    for i in range(1, count[0]):
        if moves[i] > moves[best]:
            best = i
    move = moves[best]
    count[0] -= 1
    moves[best] = moves[count[0]]
    return move


cdef inline int list_moves(Search* search, const State* state, int32_t* moves) noexcept nogil:
    """The moves from a state by counts, with their scores."""
    cdef const Layout* layout = &search.layout
    cdef Cards bits
    cdef int card, suit, score, promise
    cdef int gone[SUITS]
    cdef int n = 0
    bits = home_moves(state)
    while bits:
        card = trailing_zeros(bits)
        bits &= bits - 1
        if not layout.any_suit and not can_bare(layout, state, card):
            continue    # N2
        score = HOME_SCORE - (card >> 2)
        if search.restarts.noise and draw_noise(search, 4) == 0:
            score = draw_noise(search, MOST_NOISE)
        moves[n] = scored(score, HOME, card)
        n += 1
    for suit in range(SUITS):
        gone[suit] = PER_RANK * count_home(state, suit)
    bits = digs(layout, state)
    while bits:
        card = trailing_zeros(bits)
        bits &= bits - 1
        if not layout.any_suit and not (can_bare(layout, state, card) and can_seat(layout, state, card)):
            continue    # N2
        promise = LONE_PROMISE if card_bit(card) & layout.bottom else 0
        for suit in range(SUITS):
            promise = max(promise, layout.promise[card][suit] + gone[suit])
        score = 2 * promise + count_of(state, (card >> 2) + 1)
        if search.restarts.noise:
            score += draw_noise(search, search.restarts.noise)
        moves[n] = scored(score, DIG, card)
        n += 1
    return n


# The game of counts

cdef inline Status push_count_frame(Search* search) noexcept nogil:
    """Put the state that was written behind the path on it."""
    cdef CountFrame* here = &search.count_path[search.count_depth]
    if search.nodes >= search.most_nodes:
        return OUT_OF_NODES
    search.count_depth += 1
    search.nodes += 1
    here.move_count = list_moves(search, &here.state, here.moves)
    return RUNNING


cdef Status play_counts(Search* search, int64_t end) noexcept nogil:
    """Go on until the path is empty and `search.known` tells the answer, or `end` nodes are reached."""
    cdef CountFrame* here
    cdef CountFrame* after
    cdef Known known
    if search.restarts.next < end:
        end = search.restarts.next
    while search.count_depth:
        here = &search.count_path[search.count_depth - 1]
        if here.move_count == 0:
            # N2: all its moves are lost.
            if not entry_note(search, here.state.key, LOST, 0):
                return OUT_OF_MEMORY
            search.count_depth -= 1
            continue
        if search.nodes >= end:
            return RUNNING
        here.move = take_best(here.moves, &here.move_count)
        after = &search.count_path[search.count_depth]
        after.state = here.state
        play_move(&search.layout, &after.state, here.move)
        known = known_of(search, &after.state)
        if known == WON:
            while search.count_depth:
                here = &search.count_path[search.count_depth - 1]
                if not entry_note(search, here.state.key, PLANNED, here.move):
                    return OUT_OF_MEMORY
                search.count_depth -= 1
            search.known = WON
            return RUNNING
        if known == OPEN and push_count_frame(search) != RUNNING:
            return OUT_OF_NODES
    search.known = LOST
    return RUNNING


# Lost products

cdef inline int rank_over(const Seatings* seatings, const Seatings* other) noexcept nogil:
    """The only rank with seatings that the other product does not have; -1 if there is none, -2 if there are more."""
    cdef int rank
    cdef uint32_t ranks = 0
    # All ranks, without a branch.
    for rank in range(LEVELS):
        ranks |= <uint32_t>((seatings[rank] & ~other[rank]) != 0) << rank
    if ranks == 0:
        return -1
    return -2 if ranks & (ranks - 1) else trailing_zeros_32(ranks)


cdef bint is_whole(const Search* search, const State* state, const Seatings* seatings) noexcept nogil:
    """Whether a product has every position of the state."""
    cdef int rank
    for rank in range(search.layout.ranks - 1):
        if seatings[rank] != all_seatings(&search.layout, state, rank):
            return False
    return True


cdef void fill_seatings(const Search* search, const State* state, Seatings* seatings) noexcept nogil:
    """All positions of a state."""
    cdef int rank
    for rank in range(search.layout.ranks - 1):
        seatings[rank] = all_seatings(&search.layout, state, rank)
    for rank in range(search.layout.ranks - 1, LEVELS):
        # Ranks that the deck does not have are the same in all products.
        seatings[rank] = ~<Seatings>0


cdef void join_losses(Search* search, int32_t first, Seatings* seatings) noexcept nogil:
    """Add to a lost product what the others of its state, from `first` on, tell of it (N8 (c))."""
    cdef const Loss* one
    cdef int32_t number
    cdef int rank
    cdef bint again = True
    while again:
        again = False
        number = first
        while number != NONE:
            search.scans += 1
            one = &search.losses[number]
            rank = rank_over(seatings, one.seatings)
            if rank >= 0 and one.seatings[rank] & ~seatings[rank]:
                seatings[rank] |= one.seatings[rank]
                again = True
            number = one.next


cdef void drop_losses(Search* search, int32_t* link, const Seatings* seatings) noexcept nogil:
    """Take the products that a larger one holds out of a list."""
    cdef Loss* one
    cdef int32_t number
    while link[0] != NONE:
        number = link[0]
        one = &search.losses[number]
        if rank_over(one.seatings, seatings) == -1:
            # N8 (a).
            link[0] = one.next
            one.next = search.unused_loss
            search.unused_loss = number
        else:
            link = &one.next


cdef int32_t take_loss(Search* search) noexcept nogil:
    """The number of a loss that is not in use; NONE if memory is out."""
    cdef int32_t number = search.unused_loss
    if number != NONE:
        search.unused_loss = search.losses[number].next
        return number
    if search.loss_count == search.loss_room.asked and not array_double(
        search.memory, <void**>&search.losses, &search.loss_room, sizeof(Loss)
    ):
        return NONE
    search.loss_count += 1
    return search.loss_count - 1


cdef bint add_loss(Search* search, const State* state, Seatings* seatings) noexcept nogil:
    """Note a lost product, made larger by what is known; False if memory is out."""
    cdef Entry* entry = entry_find(search, state.key)
    cdef int32_t number
    if not entry.word:
        entry = entry_note(search, state.key, OPEN, 0)
        if not entry:
            return False
    join_losses(search, entry.first_loss, seatings)
    if is_whole(search, state, seatings):
        # N9: no position of the state can be won.
        entry.word = state.key | <uint64_t>LOST << KNOWN_SHIFT
        search.epoch += 1
    drop_losses(search, &entry.first_loss, seatings)
    number = take_loss(search)
    if number == NONE:
        return False
    memcpy(search.losses[number].seatings, seatings, sizeof(search.losses[number].seatings))
    search.losses[number].next = entry.first_loss
    entry.first_loss = number
    return True


cdef void widen(Search* search, int32_t base, Seatings* seatings) noexcept nogil:
    """Of a product whose narrowed form lies in this lost one, make the lost one that it lies in itself (N8 (d))."""
    cdef const Narrowing* narrowing
    cdef int32_t k
    cdef int rank
    for k in range(search.narrowing_count - 1, base - 1, -1):
        narrowing = &search.narrowings[k]
        for rank in range(LEVELS):
            if rank == narrowing.rank:
                seatings[rank] |= narrowing.seatings[rank]
            else:
                seatings[rank] &= narrowing.seatings[rank]


cdef bint add_narrowing(Search* search, const Seatings* seatings, int rank) noexcept nogil:
    """Note that the candidate is narrowed by a lost product; False if memory is out."""
    if search.narrowing_count == search.narrowing_room.asked and not array_double(
        search.memory, <void**>&search.narrowings, &search.narrowing_room, sizeof(Narrowing)
    ):
        return False
    memcpy(search.narrowings[search.narrowing_count].seatings, seatings, sizeof(search.narrowings[0].seatings))
    search.narrowings[search.narrowing_count].rank = rank
    search.narrowing_count += 1
    return True


cdef Status narrow_candidate(Search* search, bint* is_lost) noexcept nogil:
    """Leave out of the candidate what is known to be lost; if that is all, `search.lost` holds it."""
    cdef Seatings* seatings = search.candidate.seatings
    cdef const Loss* one
    cdef int32_t base = search.narrowing_count
    cdef int32_t first = entry_find(search, search.candidate.state.key).first_loss
    cdef int32_t number
    cdef int rank
    cdef bint again = True
    is_lost[0] = False
    while again:
        again = False
        number = first
        while number != NONE:
            search.scans += 1
            one = &search.losses[number]
            rank = rank_over(seatings, one.seatings)
            if rank == -1:
                # N8 (a).
                memcpy(search.lost, one.seatings, sizeof(search.lost))
                widen(search, base, search.lost)
                search.narrowing_count = base
                is_lost[0] = True
                return RUNNING
            if rank >= 0 and seatings[rank] & one.seatings[rank]:
                if not add_narrowing(search, one.seatings, rank):
                    return OUT_OF_MEMORY
                # N8 (b).
                seatings[rank] &= ~one.seatings[rank]
                again = True
            number = one.next
    return RUNNING


cdef inline Seatings kept_inside(
    const Layout* layout, const State* state, int card, Seatings seatings, Seatings among,
) noexcept nogil:
    """Those among some seatings of a card's rank from which no shift of it leads out of `seatings`."""
    cdef int rank = card >> 2
    cdef int low = loose_at(state, rank)
    cdef int high = seats_at(state, rank)
    cdef Seatings allowed = lawful(layout, low, high)
    cdef Seatings result = 0
    cdef int i
    while among:
        i = trailing_zeros_32(among)
        among &= among - 1
        if not layout.table.shifted[low][high][card & 3][i] & allowed & ~seatings:
            result |= <Seatings>1 << i
    return result


cdef void explain_look(Search* search, Frame* frame, int card) noexcept nogil:
    """What the loss of the candidate, which comes of a look at the card, says about the product before (N9 (b))."""
    cdef const Layout* layout = &search.layout
    cdef const State* state = &frame.product.state
    cdef int rank = card >> 2
    cdef int i
    for i in range(layout.ranks - 1):
        if i == rank:
            frame.lost[i] &= kept_inside(layout, state, card, search.lost[i], all_seatings(layout, state, i))
        elif i == rank - 1:
            frame.lost[i] &= search.lost[i] | ~bare_seatings(layout, state, card)
        else:
            frame.lost[i] &= search.lost[i]


cdef void explain_move(Search* search, Frame* frame, int card, bint is_dug) noexcept nogil:
    """What the loss of the candidate, which comes of playing the card, says about the product before (N9 (a))."""
    cdef const Layout* layout = &search.layout
    cdef State passed[MAX_CARDS + 2]
    cdef int played[MAX_CARDS + 2]
    cdef Seatings result[LEVELS]
    cdef int rank, i
    cdef int n = 0
    passed[0] = frame.product.state
    while card >= 0:
        played[n] = card
        passed[n + 1] = passed[n]
        n += 1
        if n == 1 and is_dug:
            play_dig(layout, &passed[n], card)
        else:
            play_home(layout, &passed[n], card)
        card = safe_card(layout, &passed[n])
    for i in range(n - 1, -1, -1):
        go_back(layout, &passed[i], &passed[i + 1], played[i], i == 0 and is_dug, search.lost, result)
        memcpy(search.lost, result, sizeof(result))
    for rank in range(layout.ranks - 1):
        frame.lost[rank] &= search.lost[rank]


cdef inline void explain(Search* search) noexcept nogil:
    """Draw from the loss of the candidate what it says about the product on the path before it."""
    cdef Frame* frame = &search.frames[search.depth - 1]
    cdef int card = move_card(frame.move)
    if move_kind(frame.move) == LOOK:
        explain_look(search, frame, card)
    else:
        explain_move(search, frame, card, move_kind(frame.move) == DIG)


cdef inline bint close_at(const Layout* layout, Frame* frame, int card) noexcept nogil:
    """Take out of the lost product seatings from which a shift of the card leads out of it; whether there were any."""
    cdef const State* state = &frame.product.state
    cdef Seatings* lost = frame.lost
    cdef int rank = card >> 2
    cdef bint may_lie_under = rank and loose_at(state, rank - 1)
    cdef Seatings bare = 0
    cdef Seatings kept
    if may_lie_under:
        bare = bare_seatings(layout, state, card)
        if not lost[rank - 1] & bare:
            # N9 (c): it is covered in all that are left.
            return False
    kept = kept_inside(layout, state, card, lost[rank], lost[rank])
    if kept == lost[rank]:
        return False
    if may_lie_under and not frame.exposable & card_bit(card) and not frame.product.seatings[rank - 1] & bare:
        # It is covered in every position of the product.
        lost[rank - 1] &= ~bare
    else:
        lost[rank] = kept
    return True


cdef void close_loss(Search* search, Frame* frame) noexcept nogil:
    """Make the lost product such that no shift leads out of it that was not looked at (N9 (c))."""
    cdef const State* state = &frame.product.state
    cdef Cards ranks = ranks_with_bare(state)
    # N1: shifts of kings change nothing.
    cdef Cards shifts = state.loose & ranks & ranks >> CARD_BITS & ~(frame.looked | search.layout.kings)
    cdef Cards bits
    cdef bint again = True
    while again:
        again = False
        bits = shifts
        while bits:
            if close_at(&search.layout, frame, trailing_zeros(bits)):
                again = True
            bits &= bits - 1


# The path

cdef inline void list_looks(Search* search, Frame* frame) noexcept nogil:
    """Add the looks: at loose cards that are bare in some positions of the product, and could be shifted then.

    No others are needed (N6): an ace is never covered, a king changes nothing, and what is exposable, or of a rank
    that has all seatings, leads nowhere else.
    """
    cdef const Layout* layout = &search.layout
    cdef const State* state = &frame.product.state
    cdef Cards ranks = ranks_with_bare(state)
    cdef Cards bits = state.loose & ranks & ranks >> CARD_BITS & ~(frame.exposable | layout.kings)
    cdef int card, rank
    frame.looked = 0
    while bits:
        card = trailing_zeros(bits)
        bits &= bits - 1
        rank = card >> 2
        if frame.product.seatings[rank] == all_seatings(layout, state, rank):
            continue    # N6
        if frame.product.seatings[rank - 1] & bare_seatings(layout, state, card):
            frame.moves[frame.move_count] = scored(0, LOOK, card)
            frame.move_count += 1
            frame.looked |= card_bit(card)


cdef Status push_frame(Search* search, int32_t narrowings) noexcept nogil:
    """Put the candidate on the path."""
    cdef Frame* frame
    cdef const Entry* entry
    cdef int i
    if search.nodes >= search.most_nodes:
        return OUT_OF_NODES
    if search.depth == search.frame_room.asked and not array_double(
        search.memory, <void**>&search.frames, &search.frame_room, sizeof(Frame)
    ):
        return OUT_OF_MEMORY
    frame = &search.frames[search.depth]
    search.depth += 1
    search.nodes += 1
    frame.product = search.candidate
    frame.exposable = search.candidate_exposable
    frame.narrowings = narrowings
    frame.is_narrowed = search.narrowing_count > narrowings
    if frame.is_narrowed:
        memcpy(frame.narrowed, search.candidate.seatings, sizeof(frame.narrowed))
        frame.exposable = settle(&search.layout, &frame.product)
    frame.move_count = list_moves(search, &frame.product.state, frame.moves)
    entry = entry_find(search, frame.product.state.key)
    if entry_known(entry) == PLANNED:
        for i in range(frame.move_count):
            if frame.moves[i] & MOVE_MASK == entry_move(entry):
                frame.moves[i] += PLANNED_SCORE << MOVE_BITS
    list_looks(search, frame)
    fill_seatings(search, &frame.product.state, frame.lost)
    search.phase = CHOOSE
    return RUNNING


cdef Status enter(Search* search, Known known) noexcept nogil:
    """Take up the candidate, of whose state this is known."""
    cdef int32_t narrowings = search.narrowing_count
    cdef bint is_lost = True
    cdef Status status
    if search.candidate.state.home == search.layout.deck:
        return SOLVED
    search.phase = CHOOSE
    if known == LOST:
        # N2. Nothing to explain: no position would do better.
        return RUNNING if search.depth else IMPOSSIBLE
    status = narrow_candidate(search, &is_lost)
    if status != RUNNING:
        return status
    if not is_lost:
        return push_frame(search, narrowings)
    if search.depth == 0:
        return IMPOSSIBLE
    explain(search)
    return RUNNING


cdef bint make_candidate(Search* search, Frame* frame) noexcept nogil:
    """Make the move of the frame; False if no position of its product allows it, which is noted."""
    cdef const Layout* layout = &search.layout
    cdef const State* state = &frame.product.state
    cdef Product* candidate = &search.candidate
    cdef int card = move_card(frame.move)
    cdef int rank = card >> 2
    cdef int suit
    cdef Seatings bare
    candidate[0] = frame.product
    if rank:
        bare = bare_seatings(layout, state, card)
        if not frame.product.seatings[rank - 1] & bare:
            # N9 (a): where the card is covered it cannot be played.
            frame.lost[rank - 1] &= ~bare
            return False
    if move_kind(frame.move) == HOME:
        product_home(layout, candidate, card)
    elif move_kind(frame.move) == LOOK:
        keep_bare(layout, candidate, card)
    elif not product_dig(layout, candidate, card):
        # N9 (a): where all cards that take it are covered it cannot be dug.
        for suit in range(SUITS):
            if lawful(layout, 1 << (card & 3), 1 << suit):
                frame.lost[rank] &= ~bare_seatings(layout, state, (rank + 1) * SUITS + suit)
        return False
    search.candidate_exposable = product_safe(layout, candidate)
    return True


cdef Status close_frame(Search* search) noexcept nogil:
    """Take a product off the path whose steps are all lost (N6); what it explains goes to `search.lost`."""
    cdef Frame* frame = &search.frames[search.depth - 1]
    cdef const State* state = &frame.product.state
    cdef int rank
    close_loss(search, frame)
    for rank in range(search.layout.ranks - 1):
        if frame.product.seatings[rank] & ~frame.lost[rank]:
            return BROKEN
    if not add_loss(search, state, frame.lost):
        return OUT_OF_MEMORY
    if frame.is_narrowed:
        widen(search, frame.narrowings, frame.lost)
        search.narrowing_count = frame.narrowings
        if not add_loss(search, state, frame.lost):
            return OUT_OF_MEMORY
    memcpy(search.lost, frame.lost, sizeof(search.lost))
    search.depth -= 1
    if search.depth == 0:
        return IMPOSSIBLE
    explain(search)
    return RUNNING


cdef Status choose(Search* search) noexcept nogil:
    """Go on from the end of the path."""
    cdef Frame* frame = &search.frames[search.depth - 1]
    if frame.move_count == 0:
        return close_frame(search)
    frame.move = take_best(frame.moves, &frame.move_count)
    if make_candidate(search, frame):
        search.phase = ENTER
    return RUNNING


cdef void restart(Search* search) noexcept nogil:
    """Begin at the start again; plans are made anew, all that is known to be lost stays so (N7)."""
    search.depth = 0
    search.count_depth = 0
    search.narrowing_count = 0
    search.epoch += 1
    search.first_epoch = search.epoch
    start_product(&search.layout, &search.candidate)
    search.candidate_exposable = product_safe(&search.layout, &search.candidate)
    search.phase = ENTER


cdef Status advance(Search* search, int64_t budget) noexcept nogil:
    """Search on until the answer is known or so many nodes and steps are done, or fewer if they take long."""
    cdef int64_t end = search.nodes + budget
    cdef int64_t scans_end = search.scans + SCANS * budget
    cdef Status status = RUNNING
    cdef Known known
    while status == RUNNING and budget > 0 and search.nodes < end and search.scans < scans_end:
        budget -= 1
        if search.nodes >= search.restarts.next:
            restarts_pass(&search.restarts, search.nodes, 0)
            restart(search)
        if search.phase == CHOOSE:
            status = choose(search)
        elif search.phase == COUNT:
            status = play_counts(search, end)
            if status == RUNNING and search.count_depth == 0:
                status = enter(search, search.known)
        else:
            known = known_of(search, &search.candidate.state)
            if known == OPEN and search.use_counts:
                search.count_path[0].state = search.candidate.state
                status = push_count_frame(search)
                search.phase = COUNT
            else:
                status = enter(search, known)
    return status


cdef bint allocate(Search* search, Memory* memory) noexcept nogil:
    """Make every array at its first size; False if there is no memory for it."""
    memset(memory, 0, sizeof(Memory))
    search.memory = memory
    search.entry_bits = FIRST_BITS
    search.entries = <Entry*>memory_resize(memory, NULL, 0, sizeof(Entry) << FIRST_BITS)
    if not (
        search.entries
        and array_make(memory, <void**>&search.frames, &search.frame_room, FIRST_FRAMES, sizeof(Frame))
        and array_make(memory, <void**>&search.narrowings, &search.narrowing_room, FIRST_LOSSES, sizeof(Narrowing))
        and array_make(memory, <void**>&search.losses, &search.loss_room, FIRST_LOSSES, sizeof(Loss))
        and make_builder(&search.builder, memory)
    ):
        return False
    memory.first = memory.held
    return True


cdef void release(Search* search) noexcept nogil:
    """Free every array, whether there is one or not."""
    free(search.entries)
    free(search.frames)
    free(search.narrowings)
    free(search.losses)
    free_builder(&search.builder)
    memset(&search.builder, 0, sizeof(Builder))
    search.entries = NULL
    search.frames = NULL
    search.narrowings = NULL
    search.losses = NULL


cdef Status begin(Search* search, const RuleTable* rules, const Position* position) noexcept nogil:
    """Take up a position."""
    cdef Entry* entries
    read_layout(&search.layout, rules, position, search.use_lone, search.use_safe)
    search.nodes = 0
    search.scans = 0
    if search.entry_bits > FIRST_BITS:
        # Few entries are quick to clear, and stay in the processor's cache.
        entries = <Entry*>memory_resize(
            search.memory, search.entries, sizeof(Entry) << search.entry_bits, sizeof(Entry) << FIRST_BITS
        )
        if not entries:
            return OUT_OF_MEMORY
        search.entries = entries
        search.entry_bits = FIRST_BITS
    memset(search.entries, 0, sizeof(Entry) << FIRST_BITS)
    search.entry_count = 0
    search.loss_count = 1
    search.unused_loss = NONE
    search.epoch = 0
    restarts_begin(&search.restarts, FIRST_STRETCH, NOISE, MOST_NOISE)
    random_begin(&search.random)
    restart(search)
    return RUNNING


@cython.final
cdef class NoCellsEngine(Engine):
    """Decides games without cells in which an emptied column takes kings or nothing."""

    cdef Search search
    cdef RuleTable rules
    cdef Position position

    def __cinit__(self):
        memset(&self.search, 0, sizeof(Search))
        self.search.use_lone = self.search.use_safe = self.search.use_counts = True
        if not allocate(&self.search, &self.account):
            raise MemoryError

    def __dealloc__(self):
        release(&self.search)

    def switch(self, *, bint lone=True, bint safe=True, bint counts=True):
        """Do without lone cards that stay, safe cards that go home, or the game of counts; for tests.

        Raises RuntimeError if a thread searches.
        """
        self.hold()
        self.search.use_lone = lone
        self.search.use_safe = safe
        self.search.use_counts = counts
        self.in_use = False

    cdef bint decides(self, const RuleTable* rules) noexcept nogil:
        return rules.cells == 0 and rules.fill != FILL_ANY and rules.group != GROUP_UNLIMITED

    cdef bint renew(self) noexcept nogil:
        release(&self.search)
        return allocate(&self.search, &self.account)

    cdef Status take_up(self, const RuleTable* rules, const Position* position, int64_t max_nodes) noexcept nogil:
        self.search.most_nodes = max_nodes
        self.rules = rules[0]
        self.position = position[0]
        return begin(&self.search, &self.rules, &self.position)

    cdef Status go_on(self, int64_t effort) noexcept nogil:
        return advance(&self.search, effort)

    cdef Status build(self, int64_t effort) noexcept nogil:
        # One pass over the path, however hard it was to find.
        return build_moves(
            &self.search.builder, &self.search.layout, self.search.frames, self.search.depth,
            &self.rules, &self.position,
        )

    cdef const MoveCode* codes(self, int* count) noexcept nogil:
        count[0] = self.search.builder.line.count
        return self.search.builder.line.moves

    cdef int64_t count_nodes(self) noexcept nogil:
        return self.search.nodes
