"""Tables of cards and columns for the alternate-colour search."""

from libc.stdint cimport int8_t
from libc.string cimport memset

from baker._core cimport FILL_ANY, FILL_KINGS, FILL_NONE, MAX_CARDS, NO_CARD, SUITS, Position, RuleTable
from baker.engines.lib.card_sets cimport Cards, card_bit

# The cards of a column, the lowest first, and of each whether it lies above a lower card.
ctypedef struct Pile:
    int length
    int8_t code[MAX_CARDS]
    int8_t wrong[MAX_CARDS]


cdef inline int encode(int card) noexcept nogil:
    """The code of a card of the core."""
    return code_of(card >> 2, card & 3)


cdef inline bint in_order(int code, int below) noexcept nogil:
    return code >> LADDER_BITS == below >> LADDER_BITS and rank_of(code) + 1 == rank_of(below)


cdef void read_safety(Safety* safety) noexcept nogil:
    cdef int code, other, rank
    cdef bint same_color
    memset(safety, 0, sizeof(Safety))
    for code in range(CODES):
        rank = rank_of(code)
        for other in range(CODES):
            # Two cards have the same colour if ladder and rank differ both or neither by an odd number.
            same_color = not ((code >> LADDER_BITS ^ other >> LADDER_BITS ^ code >> 1 ^ other >> 1) & 1)
            if not same_color and rank_of(other) < rank:
                safety.lower[code] |= card_bit(other)
            if rank_of(other) < rank - (2 if same_color else 1):
                safety.lowest[code] |= card_bit(other)


cdef void read_rules(Columns* columns, const RuleTable* rules) noexcept nogil:
    cdef int suit
    columns.ranks = rules.ranks
    columns.count = rules.columns
    columns.cells = rules.cells
    columns.any_fill = rules.fill == FILL_ANY
    if rules.fill == FILL_ANY:
        columns.fillers = ALL_CARDS
    elif rules.fill == FILL_KINGS:
        for suit in range(SUITS):
            columns.fillers |= card_bit(code_of(rules.ranks - 1, suit))


cdef void read_pile(Columns* columns, const Position* position, int column, Pile* pile) noexcept nogil:
    """Read the cards of a column, and where each lies in it."""
    cdef Cards all_cards = 0
    cdef int lowest_rank = LEVELS
    cdef int code, k
    pile.length = position.length[column]
    for k in range(pile.length):
        code = encode(position.column[column][k])
        pile.code[k] = <int8_t>code
        pile.wrong[k] = lowest_rank < rank_of(code)
        lowest_rank = min(lowest_rank, rank_of(code))
        all_cards |= card_bit(code)
    for k in range(pile.length):
        code = pile.code[k]
        columns.pile[code] = all_cards
        columns.height[code] = <int8_t>(k + 1)
        columns.below[code] = pile.code[k - 1] if k else NO_CODE


cdef int expose(const Columns* columns, const Pile* pile, int left, Exposed* exposed) noexcept nogil:
    """Add what turns out if only the lowest `left` cards of a column still lie there; how many are original then."""
    while left > 1 and in_order(pile.code[left - 1], pile.code[left - 2]):
        left -= 1
        exposed.on[pile.code[left - 1] & 1] |= card_bit(pile.code[left])
        exposed.wrong += pile.wrong[left]
        exposed.left += 1
    if left == 1 and columns.fillers & card_bit(pile.code[0]):
        left = 0
        exposed.base = card_bit(pile.code[0])
        exposed.based = 1
        exposed.left += 1
    if left:
        exposed.top |= card_bit(pile.code[left - 1])
    else:
        exposed.open = columns.fillers != 0
    return left


cdef void read_column(Columns* columns, const Position* position, int column) noexcept nogil:
    cdef Pile pile
    cdef Exposed start
    cdef Exposed* exposed
    cdef int k, left
    read_pile(columns, position, column, &pile)
    for k in range(pile.length):
        exposed = &columns.exposed[pile.code[k]]
        exposed.top = card_bit(pile.code[k])
        exposed.left = 1
        exposed.wrong = pile.wrong[k]
        expose(columns, &pile, k, exposed)
    memset(&start, 0, sizeof(Exposed))
    left = expose(columns, &pile, pile.length, &start)
    columns.top |= start.top
    columns.on[0] |= start.on[0]
    columns.on[1] |= start.on[1]
    columns.base |= start.base
    columns.open += start.open
    columns.left += left
    for k in range(left):
        columns.wrong += pile.wrong[k]


cdef void read_columns(Columns* columns, const RuleTable* rules, const Position* position) noexcept nogil:
    cdef int column, suit, k
    memset(columns, 0, sizeof(Columns))
    read_rules(columns, rules)
    for suit in range(SUITS):
        if position.home[suit] < rules.ranks:
            columns.next |= card_bit(code_of(position.home[suit], suit))
    for k in range(rules.cells):
        if position.cell[k] != NO_CARD:
            columns.cell |= card_bit(encode(position.cell[k]))
    for column in range(rules.columns):
        if position.length[column] and rules.fill == FILL_NONE:
            columns.stuck |= card_bit(encode(position.column[column][0]))
        read_column(columns, position, column)
