"""Arrays that grow within a limit."""

from libc.stdint cimport int32_t
from libc.stdlib cimport realloc

cdef enum:
    MOST = 1 << 30              # items of an array: their numbers have 32 bits

# Bytes that a search holds, and may hold.
ctypedef struct Memory:
    size_t used
    size_t limit

cdef inline void* resize(Memory* memory, void* block, size_t old, size_t new) noexcept nogil:
    """realloc from `old` to `new` bytes; NULL, and the block unharmed, where memory is out.

    Old and new block may both be held while one grows, so both must be within the limit.
    """
    cdef void* grown
    if memory.used + new > memory.limit:
        return NULL
    grown = realloc(block, new)
    if grown:
        memory.used += new - old
    return grown

cdef inline bint double_room(Memory* memory, void** array, int32_t* room, size_t item) noexcept nogil:
    """Twice the room of an array of items of so many bytes; False, and the array unharmed, where memory is out."""
    cdef size_t size = room[0] * item
    cdef void* grown
    if room[0] > MOST // 2:
        return False
    grown = resize(memory, array[0], size, 2 * size)
    if not grown:
        return False
    array[0] = grown
    room[0] *= 2
    return True
