"""An index, by hash, of what has a number in an array: open addressing, emptied by a new generation.

To look something up:

    i = hash & index.mask
    while slot_is_used(index, i):
        if slot_may_hold(index, i, hash) and ... what is slot_number(index, i):
            ... found
        i = (i + 1) & index.mask
    ... `i` is the slot where it belongs
"""

from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from baker.engines.lib.memory cimport MOST, Memory, Room, memory_ask, memory_resize, room_open

cdef enum:
    GENERATIONS = 1 << 20

ctypedef struct Index:
    uint64_t* slots             # generation (20 bits), bits of the hash (12), number (32)
    uint64_t mask               # one less than how many slots there are
    uint64_t generation
    Room room                   # in numbers, half as many as slots

cdef inline bint slot_is_used(const Index* index, uint64_t slot) noexcept nogil:
    return index.slots[slot] >> 44 == index.generation

cdef inline bint slot_may_hold(const Index* index, uint64_t slot, uint64_t hash) noexcept nogil:
    """True if a used slot holds the number of something with the same hash, as far as it tells."""
    return index.slots[slot] >> 32 == (index.generation << 12 | hash >> 52)

cdef inline uint32_t slot_number(const Index* index, uint64_t slot) noexcept nogil:
    return <uint32_t>index.slots[slot]

cdef inline void index_put(Index* index, uint64_t slot, uint64_t hash, uint32_t number) noexcept nogil:
    index.slots[slot] = (index.generation << 12 | hash >> 52) << 32 | number

cdef inline void index_add(Index* index, uint64_t hash, uint32_t number) noexcept nogil:
    """Put a number that is not there into the first slot that is free for its hash."""
    cdef uint64_t i = hash & index.mask
    while slot_is_used(index, i):
        i = (i + 1) & index.mask
    index_put(index, i, hash, number)

cdef inline bint index_is_half_full(const Index* index, int32_t count) noexcept nogil:
    return count >= index.room.asked

cdef inline void index_clear(Index* index) noexcept nogil:
    index.generation += 1
    if index.generation == GENERATIONS:
        memset(index.slots, 0, (index.mask + 1) * sizeof(uint64_t))
        index.generation = 1

cdef inline bint index_replace(Index* index, Memory* memory, size_t count) noexcept nogil:
    """Replace the slots, if any, by so many free ones; False if there is no memory for them."""
    cdef uint64_t* slots = <uint64_t*>memory_resize(memory, NULL, 0, count * sizeof(uint64_t))
    if not slots:
        return False
    memset(slots, 0, count * sizeof(uint64_t))
    if index.slots:
        free(index.slots)
        memory.held -= (index.mask + 1) * sizeof(uint64_t)
    index.slots = slots
    index.mask = count - 1
    index.generation = 1
    return True

cdef inline bint index_make(Index* index, Memory* memory, int32_t slots) noexcept nogil:
    """An index kept from one search to the next; False if there is no memory for it."""
    if not index_replace(index, memory, slots):
        return False
    room_open(memory, &index.room, slots // 2, slots // 2)
    return True

cdef inline bint index_double(Index* index, Memory* memory, bint* emptied) noexcept nogil:
    """Twice the room; False if memory is out.  `emptied` says whether all that was put in must be put again."""
    cdef size_t size = 2 * <size_t>index.room.asked * sizeof(uint64_t)
    if index.room.asked > MOST // 2 or not memory_ask(memory, size, 2 * size):
        return False
    index.room.asked *= 2
    emptied[0] = index.room.held < index.room.asked
    if not emptied[0]:
        return True
    index.room.held = index.room.asked
    return index_replace(index, memory, 2 * <size_t>index.room.asked)
