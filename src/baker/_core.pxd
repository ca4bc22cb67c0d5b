"""The position, the moves and the move generator: what every engine shares.

A position is one flat struct, so a copy is an assignment and no pointer is
ever followed.  Cards are numbers, ``(rank - 1) * 4 + suit`` with suits in the
order clubs, diamonds, hearts, spades; ``NO_CARD`` marks an empty cell.
"""

from libc.stdint cimport uint8_t, uint16_t, uint64_t


cdef enum:
    MAX_COLUMNS = 16
    MAX_CELLS = 8
    MAX_CARDS = 52
    SUITS = 4
    NO_CARD = 255
    # Places of a move: columns from 0, cells from 16, then the foundations.
    CELL_0 = 16
    FOUNDATION = 24
    # 16 columns and 8 cells to 16 columns, 8 cells and a foundation, and up to 13 run lengths
    # to a column: no position comes near this.
    MAX_MOVES = 4096

cdef enum Build:
    SAME_SUIT
    ALTERNATE_COLOR
    ANY_SUIT
    DIFFERENT_SUIT

cdef enum Fill:
    FILL_ANY
    FILL_KINGS
    FILL_NONE

cdef enum Group:
    GROUP_SINGLE
    GROUP_CELLS
    GROUP_FULL
    GROUP_UNLIMITED

# What the moves depend on; how the deal was laid out is no longer of interest.
ctypedef struct RuleTable:
    uint8_t ranks
    uint8_t columns
    uint8_t cells
    uint8_t build
    uint8_t fill
    uint8_t group

ctypedef struct Position:
    uint8_t length[MAX_COLUMNS]
    uint8_t column[MAX_COLUMNS][MAX_CARDS]
    uint8_t cell[MAX_CELLS]
    uint8_t home[SUITS]

# count << 10 | target << 5 | source
ctypedef uint16_t MoveCode

cdef inline MoveCode move_code(int source, int target, int count) noexcept nogil:
    return <MoveCode>(count << 10 | target << 5 | source)

cdef inline int move_source(MoveCode move) noexcept nogil:
    return move & 31

cdef inline int move_target(MoveCode move) noexcept nogil:
    return move >> 5 & 31

cdef inline int move_count(MoveCode move) noexcept nogil:
    return move >> 10

# True if the card may be built on the other; the parity of its two suit bits is a card's colour.
cdef inline bint fits(int build, int card, int on) noexcept nogil:
    cdef int suits = (card ^ on) & 3
    if (card >> 2) + 1 != on >> 2:
        return False
    if build == SAME_SUIT:
        return suits == 0
    if build == ALTERNATE_COLOR:
        return suits == 1 or suits == 2
    return build == ANY_SUIT or suits != 0

# Writes every legal move to `moves` (MAX_MOVES of room), in the documented order; returns how many.
cdef int generate(const RuleTable* rules, const Position* position, MoveCode* moves) noexcept nogil

# True if the move is legal; reads nothing outside the position whatever the code.
cdef bint legal(const RuleTable* rules, const Position* position, MoveCode move) noexcept nogil

# Plays a legal move; returns the card that moved (the lowest-lying one of a group), which `unplay` needs.
cdef int play(Position* position, MoveCode move) noexcept nogil

cdef void unplay(Position* position, MoveCode move, int card) noexcept nogil

cdef bint won(const RuleTable* rules, const Position* position) noexcept nogil

# Deck order of a Microsoft number (1 to 2^33 - 1) into 52 bytes.
cdef void shuffle_microsoft(uint64_t number, uint8_t* deck) noexcept nogil

# True if the card may go home next and no win is lost by it; it need not be available.
cdef bint safe_home(const RuleTable* rules, const Position* position, int card) noexcept nogil

# The first safe move to the foundations, 0 (never a move) if there is none.
cdef MoveCode safe_home_move(const RuleTable* rules, const Position* position) noexcept nogil

cdef class Dealer:
    cdef RuleTable rules
    cdef uint8_t places[MAX_CARDS]      # where each card dealt goes: a column, or a cell from CELL_0
    cdef int deck_size
    cdef int aces_out
    cdef bint kings_down
    cdef bint beak

# The position of a deck of as many cards as the dealer's rules have.
cdef void deal_deck(Dealer dealer, const uint8_t* deck, Position* position) noexcept nogil

# The position of a Microsoft number, which must be from 1 to 2^33 - 1; the dealer's deck must have 52 cards.
cdef void deal_number(Dealer dealer, uint64_t number, Position* position) noexcept nogil

ctypedef struct UndoRecord:
    MoveCode move
    uint8_t card

cdef class Board:
    cdef RuleTable rules
    cdef Position position
    cdef UndoRecord* undo
    cdef Py_ssize_t depth
    cdef Py_ssize_t room
    cdef int set_up(self, const RuleTable* table, columns, cells, foundations) except -1
    cdef int record(self, MoveCode move) except -1
    cdef list packed_columns(self)

cdef class MoveTable:
    cdef object make
    cdef list known         # by count, then by places
    cdef object find(self, MoveCode code)
