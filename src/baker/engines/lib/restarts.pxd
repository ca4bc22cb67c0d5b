"""Restarts: when a search begins again at the start, and with how much noise on its order.

A search that took a wrong turn early may be long in coming back. So it begins again after a stretch of nodes, each 1.3
times as long as the last, with more noise each time; what it has proved stays known. The stretches grow without end, so
a search that can end does.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t

cdef enum:
    ANY_NOISE = 1 << 30         # no cap on the noise

# Counted in nodes from the start of the search.
ctypedef struct Restarts:
    int64_t next                # the node count at which the search begins again
    int64_t stretch             # nodes from the last restart to that one
    uint32_t noise              # what the next moves are rated with: a number below it is added
    uint32_t step               # what a restart adds to the noise,
    uint32_t cap                # as long as it is below this

cdef inline void restarts_begin(Restarts* restarts, int64_t stretch, uint32_t step, uint32_t cap) noexcept nogil:
    """No noise, and `stretch` nodes before the first restart."""
    restarts.next = stretch
    restarts.stretch = stretch
    restarts.noise = 0
    restarts.step = step
    restarts.cap = cap

cdef inline void restarts_pass(Restarts* restarts, int64_t nodes, int64_t more) noexcept nogil:
    """The search begins again at this node count; the stretch grows by three tenths, rounded down, and `more`."""
    restarts.stretch += restarts.stretch * 3 // 10 + more
    restarts.next = nodes + restarts.stretch
    if restarts.noise < restarts.cap:
        restarts.noise += restarts.step

cdef inline void random_begin(uint64_t* random) noexcept nogil:
    """Seed a generator, always alike: a search must not depend on what came before it."""
    random[0] = 88172645463325252

cdef inline uint64_t random_next(uint64_t* random) noexcept nogil:
    """The next number of a generator: xorshift of 64 bits, with the seed of G. Marsaglia, "Xorshift RNGs", 2003."""
    random[0] ^= random[0] << 13
    random[0] ^= random[0] >> 7
    random[0] ^= random[0] << 17
    return random[0]
