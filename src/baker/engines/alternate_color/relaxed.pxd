"""The relaxed game: what is left of alternate-colour play if loose cards may be rearranged at will."""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t

from baker._core cimport MAX_CARDS, MAX_COLUMNS, SUITS
from baker.engines.alternate_color.columns cimport Columns, Safety
from baker.engines.lib.memory cimport Memory, Room
from baker.engines.lib.card_sets cimport Cards

cdef enum:
    MOST_MOVES = MAX_COLUMNS + SUITS    # of a class: each column is dug, each suit goes home
    MOST_FRAMES = 2 * MAX_CARDS + 1     # cards leave their places once, and go home once
    STATE_BITS = 2
    COUNT_BITS = 28

cdef enum ClassState:
    UNKNOWN
    DEAD                    # cannot be won, even in the relaxed game
    ALIVE                   # can be won in the relaxed game
    NO_ROOM                 # memory is out

# What is known of a class of positions.
ctypedef struct Class:
    uint64_t key
    uint32_t stamp          # the number of the deal << STATE_BITS | state
    uint32_t count          # for the search: the number of its phase << COUNT_BITS | positions found in it

# A table of classes by their keys, with the classes themselves in its slots: with the classes in an array of their own
# behind the index of `lib` the memory, and so the nodes of deals that it leaves undecided, would be others.
ctypedef struct Classes:
    Memory* memory
    Class* slots
    uint64_t mask
    Room room
    int64_t used
    uint32_t deal

ctypedef struct Frame:
    uint64_t key
    Cards top
    Cards next
    Cards loose
    uint8_t moves[MOST_MOVES]   # a card goes home, or is dug
    int8_t count
    int8_t tried

ctypedef struct Relaxed:
    Classes classes
    uint64_t start
    int depth
    Frame frames[MOST_FRAMES]
    const Safety* safety

cdef inline uint64_t hash_class(uint64_t key) noexcept nogil:
    key ^= key >> 32
    key *= <uint64_t>0xD6E8FEB86659FD93
    return key ^ key >> 32

cdef inline ClassState class_state(const Class* found) noexcept nogil:
    return <ClassState>(found.stamp & ((1 << STATE_BITS) - 1))

cdef inline uint32_t class_add(Class* found, uint32_t phase) noexcept nogil:
    """Count one position more of a class in this phase, and say how many there are."""
    if found.count >> COUNT_BITS != phase:
        found.count = phase << COUNT_BITS
    found.count += 1
    return found.count & ((1 << COUNT_BITS) - 1)

# Allocate; False if memory is out.  `memory` must live as long as the table.
cdef bint classes_make(Classes* classes, Memory* memory) noexcept nogil

# Forget all classes.
cdef void classes_clear(Classes* classes) noexcept nogil

# The class with this key, new if it was not known; NULL if memory is out.  Any other such call may move it.
cdef Class* classes_find(Classes* classes, uint64_t key) noexcept nogil

# Take up a class, which is then decided by `relaxed_go_on`; what is known already comes back.
cdef ClassState relaxed_begin(
    Relaxed* relaxed, const Columns* columns, Cards top, Cards next, Cards loose,
) noexcept nogil

# Go on for at most `budget` classes, which are counted down; UNKNOWN if that takes more of them.
cdef ClassState relaxed_go_on(Relaxed* relaxed, const Columns* columns, int64_t* budget) noexcept nogil
