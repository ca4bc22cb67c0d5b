"""The relaxed game: what is left of alternate-colour play if loose cards may be rearranged at will."""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint32_t, uint64_t

from baker.engines.alternate_color.columns cimport Columns
from baker.engines.lib.memory cimport Memory, Room
from baker.engines.lib.card_sets cimport Cards

cdef enum Verdict:
    UNKNOWN
    DEAD                    # cannot be won, even in the relaxed game
    ALIVE                   # can be won in the relaxed game
    NO_ROOM                 # memory is out

# What is known of a class of positions.
ctypedef struct Class:
    uint64_t key
    uint32_t stamp          # the number of the deal << 2 | verdict
    uint32_t count          # for the search: the number of its phase << 28 | positions found in it

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
    uint8_t moves[20]       # a card goes home, or is dug
    int8_t count
    int8_t tried

ctypedef struct Relaxed:
    Classes classes
    uint64_t start
    int depth
    # Cards leave their places once, and go home once.
    Frame frames[108]
    const Cards* lower      # as `read_safety` has them
    const Cards* lowest

cdef inline uint64_t hash_class(uint64_t key) noexcept nogil:
    key ^= key >> 32
    key *= <uint64_t>0xD6E8FEB86659FD93
    return key ^ key >> 32

# The class with this key, new if it was not known; NULL if memory is out.  Any other such call may move it.
cdef Class* find_class(Classes* classes, uint64_t key) noexcept nogil

# Allocate; False if memory is out.  `memory` must live as long as the table.
cdef bint make_classes(Classes* classes, Memory* memory) noexcept nogil

# Forget all classes.
cdef void clear_classes(Classes* classes) noexcept nogil

# Take up a class, which is then decided by `decide_relaxed`; what is known already comes back.
cdef Verdict begin_relaxed(
    Relaxed* relaxed, const Columns* columns, Cards top, Cards next, Cards loose,
) noexcept nogil

# Go on for at most `budget` classes, which are counted down; UNKNOWN if that takes more of them.
cdef Verdict decide_relaxed(Relaxed* relaxed, const Columns* columns, int64_t* budget) noexcept nogil
