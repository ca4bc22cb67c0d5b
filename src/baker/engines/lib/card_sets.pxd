"""Sets of cards in 64 bits; which bit is which card is up to the engine."""

from libc.stdint cimport uint32_t, uint64_t

cdef extern from *:
    int trailing_zeros "__builtin_ctzll"(uint64_t bits) noexcept nogil
    int trailing_zeros_32 "__builtin_ctz"(uint32_t bits) noexcept nogil
    int leading_zeros "__builtin_clzll"(uint64_t bits) noexcept nogil
    int leading_zeros_32 "__builtin_clz"(uint32_t bits) noexcept nogil
    int count_cards "__builtin_popcountll"(uint64_t bits) noexcept nogil

ctypedef uint64_t Cards

cdef inline Cards card_bit(int card) noexcept nogil:
    return <Cards>1 << card

cdef inline int count_few(Cards cards) noexcept nogil:
    """How many cards a small set has."""
    cdef int n = 0
    while cards:
        n += 1
        cards &= cards - 1
    return n
