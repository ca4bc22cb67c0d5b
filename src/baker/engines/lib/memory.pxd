"""Arrays that grow within a limit.

An array has *room* for as many items as the search has asked for: its first size, then twice as many each time it is
full. An engine keeps the arrays of one search for the next one, so there may be memory for more items than that; but
only what was asked for counts against the limit. So a search runs out of memory at the same point whatever the engine
did before.
"""

from libc.stdint cimport int32_t
from libc.stdlib cimport realloc

cdef enum:
    MOST = 1 << 30              # items of an array: their numbers have 32 bits
    MOST_ROOMS = 12

# How many items an array has room for.
ctypedef struct Room:
    int32_t first               # when a search begins
    int32_t asked               # now
    int32_t held                # if all the memory of the array is used

# Bytes: those that a search has asked for and may ask for, those of all arrays, and those of all at their first sizes.
ctypedef struct Memory:
    size_t asked
    size_t limit
    size_t held
    size_t first
    Room* rooms[MOST_ROOMS]     # of the arrays that are kept from one search to the next
    int room_count

cdef inline void memory_begin(Memory* memory, size_t limit) noexcept nogil:
    """Begin a search: it has asked for the first sizes."""
    cdef int i
    memory.limit = limit
    memory.asked = memory.first
    for i in range(memory.room_count):
        memory.rooms[i].asked = memory.rooms[i].first

cdef inline bint memory_ask(Memory* memory, size_t old, size_t new) noexcept nogil:
    """Ask for `new` bytes in place of `old` ones; False if that is beyond the limit.

    Both may be held while an array grows, so both must be within the limit.
    """
    if new > memory.limit or memory.asked > memory.limit - new:
        return False
    memory.asked += new - old
    return True

cdef inline void* memory_resize(Memory* memory, void* block, size_t old, size_t new) noexcept nogil:
    """realloc from `old` to `new` bytes, which were asked for; NULL, and the block unharmed, if there are none."""
    cdef void* resized = realloc(block, new)
    if resized:
        memory.held += new - old
    return resized

cdef inline void* memory_grow(Memory* memory, void* block, size_t old, size_t new) noexcept nogil:
    """Ask for memory and resize the block; NULL, and the block unharmed, if memory is out."""
    return memory_resize(memory, block, old, new) if memory_ask(memory, old, new) else NULL

cdef inline void memory_freed(Memory* memory, size_t size) noexcept nogil:
    """A block that `memory_grow` has made was freed."""
    memory.asked -= size
    memory.held -= size

cdef inline void room_open(Memory* memory, Room* room, int32_t first, int32_t held) noexcept nogil:
    """Take up the room of an array that is kept from one search to the next, with memory for `held` items."""
    memory.rooms[memory.room_count] = room
    memory.room_count += 1
    room.first = first
    room.asked = first
    room.held = held

cdef inline bint array_make(Memory* memory, void** array, Room* room, int32_t first, size_t item) noexcept nogil:
    """An array for `first` items of so many bytes, kept from one search to the next; False if there is no memory."""
    array[0] = memory_resize(memory, NULL, 0, <size_t>first * item)
    if not array[0]:
        return False
    room_open(memory, room, first, first)
    return True

cdef inline bint array_double(Memory* memory, void** array, Room* room, size_t item) noexcept nogil:
    """Twice the room of an array of items of so many bytes; False, and the array unharmed, where memory is out."""
    cdef size_t size = <size_t>room.asked * item
    cdef void* grown
    if room.asked > MOST // 2 or not memory_ask(memory, size, 2 * size):
        return False
    if room.held < 2 * room.asked:
        grown = memory_resize(memory, array[0], size, 2 * size)
        if not grown:
            return False
        array[0] = grown
        room.held = 2 * room.asked
    room.asked *= 2
    return True
