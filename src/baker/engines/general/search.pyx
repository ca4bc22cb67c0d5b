"""The search for rule sets that have no engine of their own; it is right for all rules.

Depth first over the legal moves, made and taken back on the real position, so that the path from the start is a line of
legal moves. A *node* is a position without a safe home move: these are made at once (H1). A *line* from a node is moves
of choice, each with the safe home moves after it. A node that can be won has a line that wins: the line that the proof
of H1 follows makes no more moves that are not home moves, and as many home moves as there are cards to go home, so what
is left after a move of choice and its safe home moves is shorter (induction).

**Lemma G1** (the order of places). Positions that differ only in the order of columns or of cells can be won alike.
Proof: no rule asks which column or cell it is, so renaming the places turns every line of the one into a line of the
other. A position is therefore kept once, as a key with columns and cells in an order of its own; keys are compared
whole, a hash only says where to look. Of several moves to the same position up to that order one is tried: into the
first free cell, into the first empty column. A whole column that moves to an empty one leaves the position as it is.

**Lemma G2** (a card that has just moved). Let a single card c have moved from node P to node X, no card having gone
home since, and let its next move lead to Y. Then Y is P, or P has a move of c to Y that G2 does not leave out; up to
the order of places. Proof: P and X differ in c only. If the target of c is the place it has left in P, or both are
cells, or both columns without another card, Y is P. Any other target is in P as it is in X, for what c has left and
where it lies are other places, and a single card is a legal group; so the move to it is legal in P. It is not left out
there: that would need c to have moved to P last, but then the move of c from P to X would have been left out.

**Lemma G3** (what is finished). A node is *finished* if it was left for good after all its moves. When the start is
finished it cannot be won. Proof: if it can be won, then at every restart, and at the end, there is a line that wins
and has no finished node. There is at first. Let W be such a line of the last restart, let M be the nodes met since, and
X the last one of W in M; Y comes after it in W, and the rest of W from Y on is neither in M nor finished. If X is on
the path, the path up to X and the rest of W is such a line now. Else X is finished, so its move to Y was left out: any
other leads to a node that was finished before or is met. So is the one tried in its place by G1; hence it was left out
by G2, and there is the node P before X of which G2 speaks. Y is not P, for P is met and Y is not. So P has a move to Y
that is not left out by G2. Thus P is not finished, but on the path, and the path up to P and the rest of W from Y on is
such a line. If the path is empty, all that is met is finished and there is no such X; but the start is met, and in W.

So what is finished stays known at a restart; the others that were met are on the path, and are forgotten. Depth first
is slow to leave a line that began badly: hence the restarts, with noise on the ratings.

**The order.** The move after which the position is rated best is tried first. The rating counts how many cards are
home, lie above lower ones or above one that goes home next, are in cells, and how many columns are empty.

The moves of a win are made fewer by `moves` (G4).
"""

cimport cython
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy, memset

from baker._core cimport (
    ALTERNATE_COLOR, CELL_0, FILL_NONE, FOUNDATION, MAX_CARDS, MAX_COLUMNS, MAX_MOVES, NO_CARD, SAME_SUIT, SUITS,
    MoveCode, Position, RuleTable, fits, generate, move_count, move_source, move_target, play, safe_home_move, unplay,
    won,
)
from baker.engines.base cimport IMPOSSIBLE, OUT_OF_MEMORY, OUT_OF_NODES, RUNNING, SOLVED, Engine, Status
from baker.engines.general.moves cimport Shortener, Step, shorten, shorten_begin
from baker.engines.lib.memory cimport Memory, memory_freed, memory_grow
from baker.engines.lib.restarts cimport ANY_NOISE, Restarts, restarts_begin, restarts_pass

cdef enum:
    CHUNK_BITS = 16
    CHUNK = 1 << CHUNK_BITS     # bytes of a piece of the key store
    MAX_CHUNKS = 1 << 16        # the addresses of keys have 32 bits
    MAX_KEY = 128               # more than any key has; the longest take 16 + 16 * 14 + 3 * 52 bits
    FIRST_SLOTS = 1024
    NOWHERE = 255
    FORGOTTEN = 0x80            # set in the size of a key whose position was left unfinished
    FIRST_STRETCH = 100         # nodes before the first restart
    NOISE = 4                   # what each adds to the noise on ratings
    # Weights of the rating of a position, the lower the better.
    PER_HOME = 6                # less for a card that is home
    PER_BLOCK = 4               # more for a card that lies above a lower one of its column
    PER_COVER = 4               # more for a card above one that goes home next
    PER_BUILT = 1               # less for a card built on the one below
    PER_CELL = 6                # more for a card in a cell
    KING = 4                    # less for a king at the bottom of a column
    FREE = 8                    # less for an empty column
    EMPTY = 6                   # more for one that stays empty
    NODE_EFFORT = 8             # a node takes so much longer than in the other engines

# What comes of entering a position; NO_ROOM and NO_NODES only say what is out.
cdef enum Entered:
    NEW
    KNOWN
    WON
    NO_ROOM
    NO_NODES

# A position on the path: how many steps lead to it, and which of its moves are still to be tried.
ctypedef struct Frame:
    uint32_t key                # the address of its key
    uint32_t steps
    uint32_t next
    uint32_t end

# `address` is 0 in a free slot; no key lies at address 0.
ctypedef struct Slot:
    uint32_t hash
    uint32_t address

ctypedef struct Key:
    uint8_t size
    uint8_t data[MAX_KEY]

ctypedef struct Search:
    RuleTable rules
    Position position
    Memory* memory
    int64_t nodes
    int64_t most_nodes
    Restarts restarts
    uint64_t random
    # The path.
    Step* steps
    MoveCode* codes             # the moves of a win
    uint32_t step_count
    uint32_t step_room
    Frame* frames
    uint32_t frame_count
    uint32_t frame_room
    MoveCode* moves
    uint32_t move_room
    # The set of keys.
    Slot* slots
    uint32_t slot_count
    uint32_t key_count
    uint8_t** chunks
    uint32_t chunk_count
    uint32_t chunk_room
    uint32_t chunk_used         # bytes used of the last chunk
    # The start, to which keys refer.
    Position start
    uint8_t started[MAX_CARDS]  # the column that a card was at the bottom of, or NOWHERE
    int depth_bits
    Shortener shortener         # of the line that wins; it has no steps before that is found


# Keys

ctypedef struct BitWriter:
    uint8_t* data
    uint64_t bits
    int count


cdef inline void put(BitWriter* writer, int value, int count) noexcept nogil:
    """Write a value of so many bits behind what is there."""
    writer.bits |= <uint64_t>value << writer.count
    writer.count += count
    while writer.count >= 8:
        writer.data[0] = writer.bits & 0xFF
        writer.data += 1
        writer.bits >>= 8
        writer.count -= 8


cdef inline void put_built(Search* search, BitWriter* writer, int column, int first) noexcept nogil:
    """The cards of a column from `first` on: each is built on the one before, so its suit is enough."""
    cdef const uint8_t* cards = &search.position.column[column][0]
    cdef int i
    for i in range(first, search.position.length[column]):
        put(writer, 1, 1)
        if search.rules.build == ALTERNATE_COLOR:
            put(writer, (cards[i] & 3) >> 1, 1)
        elif search.rules.build != SAME_SUIT:
            put(writer, cards[i] & 3, 2)
    put(writer, 0, 1)


cdef void make_key(Search* search, Key* key) noexcept nogil:
    """The position up to the order of columns and cells (G1), in as many bits as it takes.

    A column is what is left of a column of the start, then cards that were built on it; or it has begun
    with a card put into an empty column.  The first sort comes in the order of the start, the second
    in the order of their bottom cards.  The cards in cells are those that are nowhere else.
    """
    cdef const Position* position = &search.position
    cdef const uint8_t* cards
    cdef uint8_t column_of[MAX_COLUMNS]
    cdef uint8_t begun[MAX_COLUMNS]
    cdef int begun_count = 0
    cdef int i, j, column, depth
    cdef BitWriter writer
    writer.data = key.data
    writer.bits = 0
    writer.count = 0
    memset(column_of, NOWHERE, sizeof(column_of))
    for column in range(search.rules.columns):
        if position.length[column] == 0:
            continue
        i = position.column[column][0]
        if search.started[i] != NOWHERE:
            column_of[search.started[i]] = <uint8_t>column
            continue
        j = begun_count
        while j > 0 and position.column[begun[j - 1]][0] > i:
            begun[j] = begun[j - 1]
            j -= 1
        begun[j] = <uint8_t>column
        begun_count += 1
    if search.rules.cells:
        for i in range(SUITS):
            put(&writer, position.home[i], 4)
    for i in range(search.rules.columns):
        if search.start.length[i] == 0:
            continue
        column = column_of[i]
        if column == NOWHERE:
            put(&writer, 0, search.depth_bits)
            continue
        cards = &position.column[column][0]
        depth = 0
        while (
            depth < position.length[column] and depth < search.start.length[i]
            and cards[depth] == search.start.column[i][depth]
        ):
            depth += 1
        put(&writer, depth, search.depth_bits)
        put_built(search, &writer, column, depth)
    for i in range(begun_count):
        put(&writer, 1, 1)
        put(&writer, position.column[begun[i]][0], 6)
        put_built(search, &writer, begun[i], 1)
    put(&writer, 0, 8)
    key.size = <uint8_t>(writer.data - key.data)


cdef uint32_t hash_key(const Key* key) noexcept nogil:
    cdef uint64_t h = key.size
    cdef uint64_t word
    cdef int i
    for i in range(0, key.size, 8):
        word = 0
        memcpy(&word, key.data + i, min(8, key.size - i))
        h = (h ^ word) * <uint64_t>0x9E3779B97F4A7C15
        h ^= h >> 29
    h *= <uint64_t>0xBF58476D1CE4E5B9
    return <uint32_t>(h >> 32)


cdef bint grow_slots(Search* search) noexcept nogil:
    """Twice as many slots, or the first ones; False if memory is out."""
    cdef uint32_t count = 2 * search.slot_count if search.slot_count else FIRST_SLOTS
    cdef size_t old_size = search.slot_count * sizeof(Slot)
    cdef uint32_t i, j
    cdef Slot* slots
    if count == 0:
        return False
    slots = <Slot*>memory_grow(search.memory, NULL, 0, count * sizeof(Slot))
    if slots == NULL:
        return False
    memset(slots, 0, count * sizeof(Slot))
    for i in range(search.slot_count):
        if search.slots[i].address:
            j = search.slots[i].hash & (count - 1)
            while slots[j].address:
                j = (j + 1) & (count - 1)
            slots[j] = search.slots[i]
    free(search.slots)
    memory_freed(search.memory, old_size)
    search.slots = slots
    search.slot_count = count
    return True


cdef uint32_t store_key(Search* search, const Key* key) noexcept nogil:
    """Puts the key where it stays; returns its address, 0 if there is no room."""
    cdef uint32_t size = key.size + 1
    cdef uint32_t room = search.chunk_room
    cdef uint8_t* chunk
    cdef void* grown
    if search.chunk_count == 0 or search.chunk_used + size > CHUNK:
        if search.chunk_count == MAX_CHUNKS:
            return 0
        if search.chunk_count == room:
            grown = memory_grow(search.memory, search.chunks, room * sizeof(void*), (2 * room + 4) * sizeof(void*))
            if grown == NULL:
                return 0
            search.chunks = <uint8_t**>grown
            search.chunk_room = 2 * room + 4
        chunk = <uint8_t*>memory_grow(search.memory, NULL, 0, CHUNK)
        if chunk == NULL:
            return 0
        search.chunks[search.chunk_count] = chunk
        search.chunk_count += 1
        search.chunk_used = 1 if search.chunk_count == 1 else 0
    room = search.chunk_used
    memcpy(search.chunks[search.chunk_count - 1] + room, key, size)
    search.chunk_used += size
    return (search.chunk_count - 1) << CHUNK_BITS | room


cdef inline Key* key_at(Search* search, uint32_t address) noexcept nogil:
    """The key stored at an address."""
    return <Key*>(search.chunks[address >> CHUNK_BITS] + (address & (CHUNK - 1)))


cdef Entered add_key(Search* search, uint32_t* address) noexcept nogil:
    """NEW if the position was not known before, or was forgotten; it is known now, and its key at `address`."""
    cdef Key key
    cdef Key* stored
    cdef uint32_t h, i
    make_key(search, &key)
    h = hash_key(&key)
    if search.key_count >= search.slot_count / 4 * 3 and not grow_slots(search):
        return NO_ROOM
    i = h & (search.slot_count - 1)
    while search.slots[i].address:
        if search.slots[i].hash == h:
            address[0] = search.slots[i].address
            stored = key_at(search, address[0])
            if (stored.size & ~FORGOTTEN) == key.size and memcmp(stored.data, key.data, key.size) == 0:
                if stored.size & FORGOTTEN == 0:
                    return KNOWN
                stored.size = key.size
                return NEW
        i = (i + 1) & (search.slot_count - 1)
    address[0] = store_key(search, &key)
    if address[0] == 0:
        return NO_ROOM
    search.slots[i].address = address[0]
    search.slots[i].hash = h
    search.key_count += 1
    return NEW


# Moves

cdef int rate_column(const RuleTable* rules, const Position* position, int column) noexcept nogil:
    """What a column adds to the rating of a position."""
    cdef const uint8_t* cards = position.column[column]
    cdef int length = position.length[column]
    cdef int rating = 0
    cdef int below = -1
    cdef int lowest = MAX_CARDS
    cdef int i, rank
    if length == 0:
        return EMPTY if rules.fill == FILL_NONE else -FREE
    for i in range(length):
        rank = cards[i] >> 2
        if rank > lowest:
            rating += PER_BLOCK
        else:
            lowest = rank
        if rank == position.home[cards[i] & 3]:
            rating += PER_COVER * (length - 1 - i)
        if rank + 1 == below and fits(rules.build, cards[i], cards[i - 1]):
            rating -= PER_BUILT
        below = rank
    if cards[0] >> 2 == rules.ranks - 1:
        rating -= KING
    return rating


cdef int rate(const RuleTable* rules, const Position* position, int* columns) noexcept nogil:
    """How far a position seems to be from a win.  It decides only which move is tried first."""
    cdef int rating = 0
    cdef int i
    for i in range(SUITS):
        rating -= PER_HOME * position.home[i]
    for i in range(rules.columns):
        columns[i] = rate_column(rules, position, i)
        rating += columns[i]
    for i in range(rules.cells):
        if position.cell[i] != NO_CARD:
            rating += PER_CELL
    return rating


cdef int rate_move(Search* search, MoveCode move, int before, const int* columns) noexcept nogil:
    """The rating of the position after a move; that before it, and what its columns add to it, is known."""
    cdef const RuleTable* rules = &search.rules
    cdef Position* position = &search.position
    cdef int source = move_source(move)
    cdef int target = move_target(move)
    cdef int rating = before
    cdef int other[MAX_COLUMNS]
    cdef int card = play(position, move)
    if target == FOUNDATION:
        rating = rate(rules, position, other)
    else:
        if source < CELL_0:
            rating += rate_column(rules, position, source) - columns[source]
        else:
            rating -= PER_CELL
        if target < CELL_0:
            rating += rate_column(rules, position, target) - columns[target]
        else:
            rating += PER_CELL
    unplay(position, move, card)
    return rating


cdef inline uint32_t next_random(Search* search) noexcept nogil:
    """A linear congruential generator: that of `lib.restarts` would change the nodes and moves of every deal."""
    search.random = search.random * <uint64_t>6364136223846793005 + <uint64_t>1442695040888963407
    return <uint32_t>(search.random >> 33)


cdef int filter_moves(const Search* search, MoveCode* moves, int total, MoveCode before) noexcept nogil:
    """Keeps the moves worth trying; returns how many.

    `before` is the move just made, 0 if there is none or cards have gone home since.
    """
    cdef const Position* position = &search.position
    cdef int moved = move_target(before) if move_count(before) == 1 else NOWHERE
    cdef int empty = NOWHERE
    cdef int cell = NOWHERE
    cdef int kept = 0
    cdef int i, source, target, count
    for i in range(search.rules.columns):
        if position.length[i] == 0:
            empty = i
            break
    for i in range(search.rules.cells):
        if position.cell[i] == NO_CARD:
            cell = CELL_0 + i
            break
    for i in range(total):
        source = move_source(moves[i])
        target = move_target(moves[i])
        count = move_count(moves[i])
        if source == moved and count == 1:
            continue  # G2
        if CELL_0 <= target < FOUNDATION and target != cell:
            continue  # G1
        if target < CELL_0 and position.length[target] == 0:
            if target != empty or (source < CELL_0 and count == position.length[source]):
                continue  # G1
        moves[kept] = moves[i]
        kept += 1
    return kept


cdef int choose(Search* search, MoveCode* moves, MoveCode before) noexcept nogil:
    """Writes the moves worth trying, the most promising first; returns how many."""
    cdef int total = generate(&search.rules, &search.position, moves)
    cdef int kept = filter_moves(search, moves, total, before)
    cdef int ratings[MAX_MOVES]
    cdef int columns[MAX_COLUMNS]
    cdef int i, j, here, rating
    cdef MoveCode move
    if kept < 2:
        return kept
    here = rate(&search.rules, &search.position, columns)
    for i in range(kept):
        move = moves[i]
        rating = rate_move(search, move, here, columns)
        if search.restarts.noise:
            rating += <int>(next_random(search) % search.restarts.noise)
        j = i
        while j > 0 and ratings[j - 1] > rating:
            ratings[j] = ratings[j - 1]
            moves[j] = moves[j - 1]
            j -= 1
        ratings[j] = rating
        moves[j] = move
    return kept


# The search

cdef void* make_room(Search* search, void* block, uint32_t* room, uint64_t needed, size_t size) noexcept nogil:
    """The array with room for so many items of `size` bytes; NULL, and the array unharmed, if memory is out."""
    cdef uint64_t count = needed + needed / 2 + 64
    cdef void* grown
    if needed <= room[0]:
        return block
    if count > <uint32_t>-1:
        return NULL
    grown = memory_grow(search.memory, block, room[0] * size, count * size)
    if grown:
        room[0] = <uint32_t>count
    return grown


cdef bint step(Search* search, MoveCode move) noexcept nogil:
    """Make a move and note it on the path; False if memory is out."""
    cdef void* grown = make_room(search, search.steps, &search.step_room, <uint64_t>search.step_count + 1, sizeof(Step))
    if grown == NULL:
        return False
    search.steps = <Step*>grown
    search.steps[search.step_count].card = <uint8_t>play(&search.position, move)
    search.steps[search.step_count].move = move
    search.step_count += 1
    return True


cdef void step_back(Search* search, uint32_t count) noexcept nogil:
    """Takes back all but so many steps."""
    while search.step_count > count:
        search.step_count -= 1
        unplay(&search.position, search.steps[search.step_count].move, search.steps[search.step_count].card)


cdef Entered enter(Search* search) noexcept nogil:
    """Takes up the position: sends home what is safe and, if the position is NEW, lists its moves."""
    cdef MoveCode before = search.steps[search.step_count - 1].move if search.step_count else 0
    cdef MoveCode move = safe_home_move(&search.rules, &search.position)
    cdef uint32_t address
    cdef uint32_t start = search.frames[search.frame_count - 1].end if search.frame_count else 0
    cdef Entered entered
    cdef Frame* frame
    cdef void* grown
    if move:
        before = 0
    while move:  # H1
        if not step(search, move):
            return NO_ROOM
        move = safe_home_move(&search.rules, &search.position)
    if won(&search.rules, &search.position):
        return WON
    entered = add_key(search, &address)
    if entered != NEW:
        return entered  # G1, G3
    if search.nodes >= search.most_nodes:
        return NO_NODES
    grown = make_room(search, search.moves, &search.move_room, <uint64_t>start + MAX_MOVES, sizeof(MoveCode))
    if grown == NULL:
        return NO_ROOM
    search.moves = <MoveCode*>grown
    grown = make_room(search, search.frames, &search.frame_room, <uint64_t>search.frame_count + 1, sizeof(Frame))
    if grown == NULL:
        return NO_ROOM
    search.frames = <Frame*>grown
    frame = &search.frames[search.frame_count]
    frame.key = address
    frame.steps = search.step_count
    frame.next = start
    frame.end = start + <uint32_t>choose(search, search.moves + start, before)
    search.frame_count += 1
    search.nodes += 1
    return NEW


cdef Status status_of(Entered entered) noexcept nogil:
    """What entering a position means for the search."""
    if entered == WON:
        return SOLVED
    if entered == NO_NODES:
        return OUT_OF_NODES
    return OUT_OF_MEMORY if entered == NO_ROOM else RUNNING


cdef Status restart(Search* search) noexcept nogil:
    """Begin anew with more noise; what was finished stays known (G3)."""
    cdef uint32_t i
    for i in range(search.frame_count):
        key_at(search, search.frames[i].key).size |= FORGOTTEN
    search.frame_count = 0
    step_back(search, 0)
    # One more, so that a stretch of a single node grows too.
    restarts_pass(&search.restarts, search.nodes, 1)
    return status_of(enter(search))


cdef Status advance(Search* search, int64_t tries) noexcept nogil:
    """Search on until the answer is known or so many moves were tried."""
    cdef Frame* frame
    cdef Status status
    for _ in range(tries):
        if search.frame_count == 0:
            return IMPOSSIBLE  # G3
        if search.nodes >= search.restarts.next:
            status = restart(search)
            if status != RUNNING:
                return status
            continue
        frame = &search.frames[search.frame_count - 1]
        step_back(search, frame.steps)
        if frame.next == frame.end:
            search.frame_count -= 1
            continue
        frame.next += 1
        if not step(search, search.moves[frame.next - 1]):
            return OUT_OF_MEMORY
        status = status_of(enter(search))
        if status != RUNNING:
            return status
    return RUNNING


cdef Status begin(Search* search) noexcept nogil:
    """Take up the position as the start."""
    cdef int deepest = 0
    cdef int i
    search.start = search.position
    memset(search.started, NOWHERE, sizeof(search.started))
    for i in range(search.rules.columns):
        deepest = max(deepest, search.position.length[i])
        if search.position.length[i]:
            search.started[search.position.column[i][0]] = <uint8_t>i
    while deepest >> search.depth_bits:
        search.depth_bits += 1
    return status_of(enter(search))


cdef void release(Search* search) noexcept nogil:
    """Free every array, whether there is one or not."""
    cdef uint32_t i
    for i in range(search.chunk_count):
        free(search.chunks[i])
    free(search.chunks)
    free(search.slots)
    free(search.moves)
    free(search.frames)
    free(search.steps)
    free(search.codes)
    memset(search, 0, sizeof(Search))


@cython.final
cdef class GeneralEngine(Engine):
    """Decides games of any rules."""

    cdef Search search
    cdef uint32_t first_stretch

    def __cinit__(self):
        memset(&self.search, 0, sizeof(Search))
        self.first_stretch = FIRST_STRETCH

    def __dealloc__(self):
        release(&self.search)

    def switch(self, *, uint32_t stretch=FIRST_STRETCH):
        """Set how many nodes come before the first restart.  No verdict depends on it; this is for tests."""
        self.first_stretch = stretch

    cdef bint decides(self, const RuleTable* rules) noexcept nogil:
        return True

    cdef bint renew(self) noexcept nogil:
        release(&self.search)
        memset(&self.account, 0, sizeof(Memory))
        return True

    cdef Status take_up(self, const RuleTable* rules, const Position* position, int64_t max_nodes) noexcept nogil:
        cdef size_t limit = self.account.limit
        self.renew()
        self.account.limit = limit
        self.search.memory = &self.account
        self.search.most_nodes = max_nodes
        self.search.rules = rules[0]
        self.search.position = position[0]
        restarts_begin(&self.search.restarts, self.first_stretch, NOISE, ANY_NOISE)
        return begin(&self.search)

    cdef Status go_on(self, int64_t effort) noexcept nogil:
        return advance(&self.search, effort // NODE_EFFORT + 1)

    cdef Status build(self, int64_t effort) noexcept nogil:
        cdef Search* search = &self.search
        cdef uint32_t i
        if not search.shortener.steps:
            shorten_begin(&search.shortener, &search.rules, &search.start, search.steps, search.step_count)
        if not shorten(&search.shortener, effort // NODE_EFFORT + 1):
            return RUNNING
        search.step_count = search.shortener.count
        search.codes = <MoveCode*>memory_grow(search.memory, NULL, 0, (search.step_count + 1) * sizeof(MoveCode))
        if search.codes == NULL:
            return OUT_OF_MEMORY
        for i in range(search.step_count):
            search.codes[i] = search.steps[i].move
        return SOLVED

    cdef const MoveCode* codes(self, int* count) noexcept nogil:
        count[0] = <int>self.search.step_count
        return self.search.codes

    cdef int64_t count_nodes(self) noexcept nogil:
        return self.search.nodes
