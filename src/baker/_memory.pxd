"""Arrays that grow within a limit."""

from libc.stdlib cimport realloc

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
