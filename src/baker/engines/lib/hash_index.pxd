"""An index, by hash, of what has a number in an array: open addressing, emptied by a new generation.

To look something up:

    i = hash & index.mask
    while is_used(index, i):
        if may_hold(index, i, hash) and ... what is number_in(index, i):
            ... found
        i = (i + 1) & index.mask
    ... `i` is the slot where it belongs
"""

from libc.stdint cimport uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from baker.engines.lib.memory cimport Memory, resize

cdef enum:
    GENERATIONS = 1 << 20

ctypedef struct Index:
    uint64_t* slots             # generation (20 bits), bits of the hash (12), number (32)
    uint64_t mask               # one less than how many slots there are
    uint64_t generation

cdef inline bint is_used(const Index* index, uint64_t slot) noexcept nogil:
    return index.slots[slot] >> 44 == index.generation

cdef inline bint may_hold(const Index* index, uint64_t slot, uint64_t hash) noexcept nogil:
    """True if a used slot holds the number of something with the same hash, as far as it tells."""
    return index.slots[slot] >> 32 == (index.generation << 12 | hash >> 52)

cdef inline uint32_t number_in(const Index* index, uint64_t slot) noexcept nogil:
    return <uint32_t>index.slots[slot]

cdef inline void put(Index* index, uint64_t slot, uint64_t hash, uint32_t number) noexcept nogil:
    index.slots[slot] = (index.generation << 12 | hash >> 52) << 32 | number

cdef inline void add(Index* index, uint64_t hash, uint32_t number) noexcept nogil:
    """Put a number that is not there into the first slot that is free for its hash."""
    cdef uint64_t i = hash & index.mask
    while is_used(index, i):
        i = (i + 1) & index.mask
    put(index, i, hash, number)

cdef inline bint is_half_full(const Index* index, uint64_t count) noexcept nogil:
    return 2 * count > index.mask

cdef inline void clear(Index* index) noexcept nogil:
    index.generation += 1
    if index.generation == GENERATIONS:
        memset(index.slots, 0, (index.mask + 1) * sizeof(uint64_t))
        index.generation = 1

cdef inline bint make_index(Index* index, Memory* memory, uint64_t slots) noexcept nogil:
    """Make an index, or replace it by a larger one, of so many slots, all free; False if memory is out."""
    cdef size_t old = (index.mask + 1) * sizeof(uint64_t) if index.slots else 0
    cdef uint64_t* made = <uint64_t*>resize(memory, NULL, 0, slots * sizeof(uint64_t))
    if not made:
        return False
    memset(made, 0, slots * sizeof(uint64_t))
    free(index.slots)
    memory.used -= old
    index.slots = made
    index.mask = slots - 1
    index.generation = 1
    return True
