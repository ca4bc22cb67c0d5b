# cython: auto_pickle=False, autotestdict=False
"""The search for rule sets that have no engine of their own: slow, and right for all of them.

Depth first over the legal moves.  A position whose columns or cells are only in another order is
the same position, so each is kept once, as a key with the columns and cells in an order of its own;
keys are compared whole, a hash only says where to look.  Moves are made and taken back on the real
position, so the path from the start is a line of legal moves.  Safe moves home are made at once
(the proof is with `Game.autoplay`), and of several moves to the same position up to that order one is
tried.  Nothing else is left out: when no position is left, none that is won can be reached.
"""

cimport cython
from libc.stdint cimport int16_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcmp, memcpy, memset

from ._core cimport (
    ALTERNATE_COLOR, CELL_0, FOUNDATION, MAX_CARDS, MAX_COLUMNS, MAX_MOVES, NO_CARD, SAME_SUIT, SUITS,
    MoveCode, Position, RuleTable, fits, generate, move_count, move_source, move_target, play,
    safe_home_move, unplay, won,
)
from ._engine cimport IMPOSSIBLE, OUT_OF_MEMORY, RUNNING, SOLVED, Engine, Status
from ._memory cimport Memory, resize

cdef enum:
    CHUNK_BITS = 16
    CHUNK = 1 << CHUNK_BITS     # bytes of a piece of the key store
    MAX_CHUNKS = 1 << 16        # the addresses of keys have 32 bits
    MAX_KEY = 128               # more than any key has; the longest take 16 + 16 * 14 + 3 * 52 bits
    FIRST_SLOTS = 1024
    NOWHERE = 255

# What comes of entering a position; NO_ROOM only says that memory is out.
cdef enum Entered:
    NEW
    KNOWN
    WON
    NO_ROOM

ctypedef struct Step:
    MoveCode move
    uint8_t card

# A position on the path: how many steps lead to it, and which of its moves are still to be tried.
ctypedef struct Frame:
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
    Memory memory
    uint64_t nodes
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


# --- Keys ---------------------------------------------------------------------------------------


ctypedef struct BitWriter:
    uint8_t* data
    uint64_t bits
    int count


cdef inline void put(BitWriter* writer, int value, int count) noexcept nogil:
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
    """The position up to the order of columns and cells, in as many bits as it takes.

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
    cdef uint32_t count = 2 * search.slot_count if search.slot_count else FIRST_SLOTS
    cdef size_t old_size = search.slot_count * sizeof(Slot)
    cdef uint32_t i, j
    cdef Slot* slots
    if count == 0:
        return False
    slots = <Slot*>resize(&search.memory, NULL, 0, count * sizeof(Slot))
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
    search.memory.used -= old_size
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
            grown = resize(&search.memory, search.chunks, room * sizeof(void*), (2 * room + 4) * sizeof(void*))
            if grown == NULL:
                return 0
            search.chunks = <uint8_t**>grown
            search.chunk_room = 2 * room + 4
        chunk = <uint8_t*>resize(&search.memory, NULL, 0, CHUNK)
        if chunk == NULL:
            return 0
        search.chunks[search.chunk_count] = chunk
        search.chunk_count += 1
        search.chunk_used = 1 if search.chunk_count == 1 else 0
    room = search.chunk_used
    memcpy(search.chunks[search.chunk_count - 1] + room, key, size)
    search.chunk_used += size
    return (search.chunk_count - 1) << CHUNK_BITS | room


cdef Entered add_key(Search* search) noexcept nogil:
    """NEW if the position was not known before; it is now."""
    cdef Key key
    cdef const Slot* slot
    cdef uint32_t h, i
    make_key(search, &key)
    h = hash_key(&key)
    if search.key_count >= search.slot_count / 4 * 3 and not grow_slots(search):
        return NO_ROOM
    i = h & (search.slot_count - 1)
    while search.slots[i].address:
        slot = &search.slots[i]
        if slot.hash == h and memcmp(
            search.chunks[slot.address >> CHUNK_BITS] + (slot.address & (CHUNK - 1)), &key, key.size + 1
        ) == 0:
            return KNOWN
        i = (i + 1) & (search.slot_count - 1)
    search.slots[i].address = store_key(search, &key)
    search.slots[i].hash = h
    if search.slots[i].address == 0:
        return NO_ROOM
    search.key_count += 1
    return NEW


# --- Moves --------------------------------------------------------------------------------------


cdef int count_above(const Search* search, int column) noexcept nogil:
    """How many cards lie on the highest card of the column that its foundation takes next; 52 if there is none."""
    cdef const uint8_t* cards = &search.position.column[column][0]
    cdef int length = search.position.length[column]
    cdef int i
    for i in range(length - 1, -1, -1):
        if search.position.home[cards[i] & 3] == cards[i] >> 2:
            return length - 1 - i
    return MAX_CARDS


cdef int value(const Search* search, MoveCode move, const uint8_t* above) noexcept nogil:
    """How promising a move is.  It decides only which one is tried first."""
    cdef const Position* position = &search.position
    cdef int source = move_source(move)
    cdef int target = move_target(move)
    cdef int left, worth
    cdef const uint8_t* cards
    if target == FOUNDATION:
        return 1000
    worth = 0
    if source < CELL_0:
        worth += 60 - 6 * min(above[source], 10)
        left = position.length[source] - move_count(move)
        cards = &position.column[source][0]
        if left == 0:
            worth += 60
        elif fits(search.rules.build, cards[left], cards[left - 1]):
            worth -= 150
    else:
        worth += 100
    if target >= CELL_0:
        return worth - 200
    if position.length[target] == 0:
        return worth - 120 + 4 * move_count(move)
    if above[target] < MAX_CARDS:
        worth -= 60 - 6 * min(above[target], 10)
    return worth + 100


cdef int choose(Search* search, MoveCode* moves) noexcept nogil:
    """Writes the moves worth trying, the most promising first; returns how many."""
    cdef const Position* position = &search.position
    cdef MoveCode all_moves[MAX_MOVES]
    cdef int16_t values[MAX_MOVES]
    cdef uint8_t above[MAX_COLUMNS]
    cdef int total = generate(&search.rules, position, all_moves)
    cdef int chosen = 0
    cdef int empty = NOWHERE
    cdef int cell = NOWHERE
    cdef int i, j, source, target, worth
    for i in range(search.rules.columns):
        above[i] = <uint8_t>count_above(search, i)
        if position.length[i] == 0 and empty == NOWHERE:
            empty = i
    for i in range(search.rules.cells):
        if position.cell[i] == NO_CARD:
            cell = CELL_0 + i
            break
    for i in range(total):
        source = move_source(all_moves[i])
        target = move_target(all_moves[i])
        if CELL_0 <= target < FOUNDATION and target != cell:
            continue
        if target < CELL_0 and position.length[target] == 0:
            if target != empty or (source < CELL_0 and move_count(all_moves[i]) == position.length[source]):
                continue
        worth = value(search, all_moves[i], above)
        j = chosen
        while j > 0 and values[j - 1] < worth:
            values[j] = values[j - 1]
            moves[j] = moves[j - 1]
            j -= 1
        values[j] = <int16_t>worth
        moves[j] = all_moves[i]
        chosen += 1
    return chosen


# --- The search ---------------------------------------------------------------------------------


cdef void* make_room(Search* search, void* block, uint32_t* room, uint64_t needed, size_t size) noexcept nogil:
    """The array with room for so many items of `size` bytes; NULL, and the array unharmed, if memory is out."""
    cdef uint64_t count = needed + needed / 2 + 64
    cdef void* grown
    if needed <= room[0]:
        return block
    if count > <uint32_t>-1:
        return NULL
    grown = resize(&search.memory, block, room[0] * size, count * size)
    if grown:
        room[0] = <uint32_t>count
    return grown


cdef bint step(Search* search, MoveCode move) noexcept nogil:
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
    cdef MoveCode move = safe_home_move(&search.rules, &search.position)
    cdef uint32_t start = search.frames[search.frame_count - 1].end if search.frame_count else 0
    cdef Entered entered
    cdef Frame* frame
    cdef void* grown
    while move:
        if not step(search, move):
            return NO_ROOM
        move = safe_home_move(&search.rules, &search.position)
    if won(&search.rules, &search.position):
        return WON
    entered = add_key(search)
    if entered != NEW:
        return entered
    grown = make_room(search, search.moves, &search.move_room, <uint64_t>start + MAX_MOVES, sizeof(MoveCode))
    if grown == NULL:
        return NO_ROOM
    search.moves = <MoveCode*>grown
    grown = make_room(search, search.frames, &search.frame_room, <uint64_t>search.frame_count + 1, sizeof(Frame))
    if grown == NULL:
        return NO_ROOM
    search.frames = <Frame*>grown
    frame = &search.frames[search.frame_count]
    frame.steps = search.step_count
    frame.next = start
    frame.end = start + <uint32_t>choose(search, search.moves + start)
    search.frame_count += 1
    search.nodes += 1
    return NEW


cdef Status status_of(Entered entered) noexcept nogil:
    if entered == WON:
        return SOLVED
    return OUT_OF_MEMORY if entered == NO_ROOM else RUNNING


cdef Status advance(Search* search, int64_t tries) noexcept nogil:
    cdef Frame* frame
    cdef Status status
    for _ in range(tries):
        if search.frame_count == 0:
            return IMPOSSIBLE
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
cdef class PlainEngine(Engine):
    """Decides games of any rules."""

    cdef Search search

    def __cinit__(self):
        memset(&self.search, 0, sizeof(Search))

    def __dealloc__(self):
        release(&self.search)

    cdef Status begin(self, const RuleTable* rules, const Position* position, size_t max_memory) noexcept nogil:
        release(&self.search)
        self.search.memory.limit = max_memory
        self.search.rules = rules[0]
        self.search.position = position[0]
        return begin(&self.search)

    cdef Status go_on(self, int64_t nodes) noexcept nogil:
        return advance(&self.search, nodes)

    cdef Status build(self, int64_t effort) noexcept nogil:
        cdef Search* search = &self.search
        cdef uint32_t i
        free(search.codes)
        search.codes = <MoveCode*>malloc((search.step_count + 1) * sizeof(MoveCode))
        if search.codes == NULL:
            return OUT_OF_MEMORY
        for i in range(search.step_count):
            search.codes[i] = search.steps[i].move
        return SOLVED

    cdef const MoveCode* codes(self, int* count) noexcept nogil:
        count[0] = <int>self.search.step_count
        return self.search.codes

    cdef int64_t count_nodes(self) noexcept nogil:
        return <int64_t>self.search.nodes

    cdef size_t count_memory(self) noexcept nogil:
        return self.search.memory.used
