"""Positions without cells as counts and as sets of seatings, for the search and the builder of its moves.

`seatings.pyx` has the terms and the proofs of N1 to N3; those of N4 and N5 are in `search.pyx`.
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint32_t, uint64_t

from baker._core cimport MAX_CARDS, MAX_COLUMNS, SAME_SUIT, SUITS, Position, RuleTable
from baker.engines.lib.card_sets cimport Cards, card_bit, leading_zeros, trailing_zeros

cdef enum:
    SUIT_SETS = 16
    BUILDS = 4
    LEVELS = 12                     # the loose cards of each rank but the highest have seatings
    SEATINGS = 24                   # of four cards on four
    PARTIAL = 209                   # of any of the four on any of the four
    CODES = 4096
    NO_SEATING = 255
    CARD_BITS = SUITS               # bits of a rank in a set of cards, and of its count of bare cards
    ALL_SUITS = 15                  # of a rank
    SEAT_BITS = 3                   # bits of a suit in the code of a seating
    SEAT_MASK = 7
    PER_RANK = 3                    # what a rank counts for in the promise of a card

cdef extern from *:
    """
    #define BAKER_ONE_A_RANK UINT64_C(0x1111111111111111)
    """
    const uint64_t ONE_A_RANK "BAKER_ONE_A_RANK"    # one bit of the four of each rank

# A set of seatings of the loose cards of one rank; which bit is which depends on the cards of the two ranks.
ctypedef uint32_t Seatings

# Every way for cards of one rank and suits `s` to lie on cards of the next higher rank and suits `v`.
ctypedef struct SeatTable:
    uint8_t count[SUIT_SETS][SUIT_SETS]
    # For each suit of the lower rank three bits: 0 for none, else the suit of the card that it lies on, plus one.
    uint16_t code[SUIT_SETS][SUIT_SETS][SEATINGS]
    uint8_t partial[CODES]                              # numbers all codes that mean something
    uint8_t number[SUIT_SETS][SUIT_SETS][PARTIAL]       # the bit of a seating
    Seatings lawful[BUILDS][SUIT_SETS][SUIT_SETS]       # those that the rules of building allow
    Seatings bare[SUIT_SETS][SUIT_SETS][SUITS]          # those that leave the card of this suit of `v` bare
    Seatings on[SUIT_SETS][SUIT_SETS][SUITS][SUITS]     # those in which the one suit lies on the other
    Seatings shifted[SUIT_SETS][SUIT_SETS][SUITS][SEATINGS]     # those that come of moving the card of this suit

# What the counts know of a position.
ctypedef struct State:
    Cards top                       # the highest original card of each column
    Cards loose
    Cards home
    uint64_t bare                   # four bits a rank: how many of its cards can be reached and bear nothing
    uint64_t key                    # names the state

# All positions of one state whose seatings are, rank by rank, out of these sets.
ctypedef struct Product:
    State state
    Seatings seatings[LEVELS]

# A position as the search found it.
ctypedef struct Layout:
    const SeatTable* table
    int ranks
    int build
    bint any_suit
    bint kings_fill
    Cards deck
    Cards kings
    Cards bottom                    # the lowest card of each column
    bint lone_stay
    bint safe_go
    uint8_t under[MAX_CARDS]        # the card below in the column, or NO_CARD
    # What changes when a top card leaves its column.
    Cards next_top[MAX_CARDS]
    Cards next_loose[MAX_CARDS]     # cards that turn loose with it: they are in sequence on the next top card
    uint64_t next_bare[MAX_CARDS]
    uint64_t next_key[MAX_CARDS]
    uint64_t home_key[SUITS]
    int16_t promise[MAX_CARDS][SUITS]       # by suit, the best that lies under a card
    # Nothing played.
    int columns
    uint8_t last[MAX_COLUMNS]       # the card at the end of each column, or NO_CARD
    State start


cdef inline int seat_of(int code, int suit) noexcept nogil:
    """The suit of the card that this one lies on, plus one, or 0."""
    return code >> SEAT_BITS * suit & SEAT_MASK


cdef inline int seat(int suit, int on) noexcept nogil:
    """The part of a code that says so."""
    return (on + 1) << SEAT_BITS * suit


cdef inline int unseat(int code, int suit) noexcept nogil:
    """The code without a card."""
    return code & ~(SEAT_MASK << SEAT_BITS * suit)


cdef inline uint64_t one_of(int rank) noexcept nogil:
    """One in the count of bare cards of a rank."""
    return <uint64_t>1 << rank * CARD_BITS


cdef inline int suits_at(Cards cards, int rank) noexcept nogil:
    """The suits of a rank in a set of cards."""
    return <int>(cards >> rank * CARD_BITS & ALL_SUITS)


cdef inline int count_of(const State* state, int rank) noexcept nogil:
    """How many cards of a rank are bare."""
    return <int>(state.bare >> rank * CARD_BITS & ALL_SUITS)


cdef inline int count_home(const State* state, int suit) noexcept nogil:
    """How many cards of a suit are home: as many ranks as the highest of them is worth."""
    cdef Cards cards = state.home & <Cards>ONE_A_RANK << suit
    return (63 - leading_zeros(cards << CARD_BITS | 1)) >> 2


cdef inline Cards reachable(const State* state) noexcept nogil:
    """Top and loose cards."""
    return state.top | state.loose


cdef inline Cards ranks_with_bare(const State* state) noexcept nogil:
    """All cards of the ranks that have a bare card; above the highest rank stand the empty columns for kings."""
    cdef uint64_t any_bit = state.bare | state.bare >> 1 | state.bare >> 2 | state.bare >> 3
    return (any_bit & ONE_A_RANK) * ALL_SUITS


cdef inline Seatings lawful(const Layout* layout, int low, int high) noexcept nogil:
    """The seatings of cards of suits `low` on cards of suits `high` that the rules of building allow."""
    return layout.table.lawful[layout.build][low][high]


cdef inline int loose_at(const State* state, int rank) noexcept nogil:
    """The suits of the loose cards of a rank: `low` in a table of seatings."""
    return suits_at(state.loose, rank)


cdef inline int seats_at(const State* state, int rank) noexcept nogil:
    """The suits of the cards that those of a rank can lie on: `high` in a table of seatings."""
    return suits_at(reachable(state), rank + 1)


cdef inline Seatings all_seatings(const Layout* layout, const State* state, int rank) noexcept nogil:
    """All lawful seatings of a rank."""
    return lawful(layout, loose_at(state, rank), seats_at(state, rank))


cdef inline Seatings bare_seatings(const Layout* layout, const State* state, int card) noexcept nogil:
    """The seatings of the rank below, lawful or not, that leave a card bare; it is no ace."""
    cdef int rank = (card >> 2) - 1
    return layout.table.bare[loose_at(state, rank)][seats_at(state, rank)][card & 3]


cdef inline bint can_bare(const Layout* layout, const State* state, int card) noexcept nogil:
    """Whether some lawful seating leaves the card bare; its rank has a bare card."""
    cdef int rank = card >> 2
    return rank == 0 or (bare_seatings(layout, state, card) & all_seatings(layout, state, rank - 1)) != 0


cdef inline bint can_seat(const Layout* layout, const State* state, int card) noexcept nogil:
    """Whether there is a lawful seating with this card too."""
    cdef int rank = card >> 2
    if rank == layout.ranks - 1:
        return True
    return lawful(layout, loose_at(state, rank) | 1 << (card & 3), seats_at(state, rank)) != 0


cdef inline Cards next_home(const State* state) noexcept nogil:
    """The next card of each suit that is not home, if there is one."""
    return (state.home << CARD_BITS | ALL_SUITS) & ~state.home


cdef inline Cards home_moves(const State* state) noexcept nogil:
    """Cards that can go home as far as the counts tell (N2)."""
    return next_home(state) & reachable(state) & ranks_with_bare(state)


cdef inline int free_columns(const Layout* layout, const State* state) noexcept nogil:
    """How many empty columns kings may fill."""
    return count_of(state, layout.ranks)


cdef inline Cards settlers(const Layout* layout, const State* state) noexcept nogil:
    """Cards that need not leave their columns but to go home: kings at the bottom (N1), and lone cards (N4)."""
    cdef Cards kings
    cdef int open_columns
    if not layout.lone_stay:
        return layout.bottom & layout.kings
    if layout.kings_fill:
        # N4 asks for an empty column for each king with cards under it.
        open_columns = free_columns(layout, state)
        kings = layout.kings & ~(state.home | state.loose | layout.bottom)
        while kings:
            if open_columns == 0:
                return layout.bottom & layout.kings
            open_columns -= 1
            kings &= kings - 1
    return layout.bottom & ~state.loose


cdef inline Cards digs(const Layout* layout, const State* state) noexcept nogil:
    """Top cards that can be dug, as far as the counts tell: they and a card of the next rank can be bare (N2)."""
    cdef Cards ranks = ranks_with_bare(state)
    return state.top & ranks & ranks >> CARD_BITS & ~settlers(layout, state)


cdef inline int safe_card(const Layout* layout, const State* state) noexcept nogil:
    """The lowest card that may go home at once without losing a win (N5), or -1."""
    cdef Cards ready = home_moves(state)
    cdef Cards unsafe
    if not ready or not layout.safe_go:
        return -1
    unsafe = layout.deck & ~(state.home << CARD_BITS | ALL_SUITS)
    if layout.build != SAME_SUIT and unsafe:
        unsafe &= ~settlers(layout, state)
    else:
        unsafe = 0
    if unsafe:
        # N5: a rank is safe up to that of the lowest card that is neither home, nor next, nor stays in its column.
        ready &= (<Cards>2 << (trailing_zeros(unsafe) | 3)) - 1
        if not ready:
            return -1
    return trailing_zeros(ready)


cdef inline void leave_column(const Layout* layout, State* state, int card) noexcept nogil:
    """A top card leaves its column: by counts."""
    state.top ^= card_bit(card) | layout.next_top[card]
    state.loose |= layout.next_loose[card]
    state.bare += layout.next_bare[card]
    state.key += layout.next_key[card]


cdef inline void play_home(const Layout* layout, State* state, int card) noexcept nogil:
    """A card goes home: by counts."""
    cdef Cards bit = card_bit(card)
    cdef uint64_t one = one_of(card >> 2)
    state.bare -= one
    state.home |= bit
    state.key += layout.home_key[card & 3]
    if state.loose & bit:
        state.loose ^= bit
        state.bare += one << CARD_BITS
    else:
        leave_column(layout, state, card)


cdef inline void play_dig(const Layout* layout, State* state, int card) noexcept nogil:
    """A top card is dug: by counts."""
    state.bare -= one_of((card >> 2) + 1)
    state.loose |= card_bit(card)
    leave_column(layout, state, card)


cdef inline void play_safe(const Layout* layout, State* state) noexcept nogil:
    """Send home what is safe there."""
    cdef int card = safe_card(layout, state)
    while card >= 0:
        play_home(layout, state, card)
        card = safe_card(layout, state)


# Fills the tables of a position, in mid-game as well as dealt; the last two switch dominances on.
cdef void read_layout(
    Layout* layout, const RuleTable* rules, const Position* position, bint lone_stay, bint safe_go,
) noexcept nogil

# The position that the search found, as a product.
cdef void start_product(const Layout* layout, Product* product) noexcept nogil

# Adds the positions that come of shifts of exposable cards (N3); returns the exposable cards.
cdef Cards settle(const Layout* layout, Product* product) noexcept nogil

# The loose cards that `settle` has shifted, given what it returned.
cdef Cards shiftable(const State* state, Cards exposable) noexcept nogil

# Keeps the positions in which the card is bare; False if there are none.
cdef bint keep_bare(const Layout* layout, Product* product, int card) noexcept nogil

# Each of these plays the card in all positions in which it is bare; False if there are none, or a dig has no place.
cdef bint product_home(const Layout* layout, Product* product, int card) noexcept nogil
cdef bint product_dig(const Layout* layout, Product* product, int card) noexcept nogil

# Sends home what is safe there, and settles.
cdef Cards product_safe(const Layout* layout, Product* product) noexcept nogil

# Of the positions of the state `before`, in which `card` is dug or sent home to reach `after`, those from which
# this cannot be done or can only lead into the product `lost` of `after` (N9); rank by rank.
cdef void go_back(
    const Layout* layout, const State* before, const State* after, int card, bint dug,
    const Seatings* lost, Seatings* result,
) noexcept nogil
