"""Tables of cards and columns for the alternate-colour search."""

from libc.stdint cimport int8_t
from libc.string cimport memset

from baker._core cimport FILL_ANY, FILL_KINGS, FILL_NONE, MAX_CARDS, NO_CARD, SUITS, Position, RuleTable
from baker.engines.lib.card_sets cimport Cards, card_bit


cdef inline int encode(int card) noexcept nogil:
    return code_of(card >> 2, card & 3)


cdef inline bint in_order(int card, int below) noexcept nogil:
    return card >> 5 == below >> 5 and rank_of(card) + 1 == rank_of(below)


cdef void read_safety(Cards* lower, Cards* lowest) noexcept nogil:
    cdef int code, other, rank
    cdef bint same_color
    for code in range(CODES):
        rank = rank_of(code)
        lower[code] = 0
        lowest[code] = 0
        for other in range(CODES):
            same_color = not ((code >> 5 ^ other >> 5 ^ code >> 1 ^ other >> 1) & 1)
            if not same_color and rank_of(other) < rank:
                lower[code] |= card_bit(other)
            if rank_of(other) < rank - (2 if same_color else 1):
                lowest[code] |= card_bit(other)


cdef void read_columns(Columns* columns, const RuleTable* rules, const Position* position) noexcept nogil:
    cdef int8_t codes[MAX_CARDS]
    cdef int8_t wrong[MAX_CARDS]
    cdef Exposed* exposed
    cdef Exposed start
    cdef Cards pile
    cdef int column, length, height, lowest, suit, code, k, left
    memset(columns, 0, sizeof(Columns))
    columns.ranks = rules.ranks
    columns.count = rules.columns
    columns.cells = rules.cells
    columns.any_fill = rules.fill == FILL_ANY
    for suit in range(SUITS):
        if position.home[suit] < rules.ranks:
            columns.next |= card_bit(code_of(position.home[suit], suit))
        if rules.fill == FILL_KINGS:
            columns.fillers |= card_bit(code_of(rules.ranks - 1, suit))
    if rules.fill == FILL_ANY:
        columns.fillers = <Cards>0x03FFFFFF03FFFFFF
    for k in range(rules.cells):
        if position.cell[k] != NO_CARD:
            columns.cell |= card_bit(encode(position.cell[k]))
    for column in range(rules.columns):
        length = position.length[column]
        if length and rules.fill == FILL_NONE:
            columns.stuck |= card_bit(encode(position.column[column][0]))
        pile = 0
        lowest = CODES
        for k in range(length):
            code = encode(position.column[column][k])
            codes[k] = <int8_t>code
            pile |= card_bit(code)
            wrong[k] = lowest < rank_of(code)
            lowest = min(lowest, rank_of(code))
        for k in range(length):
            code = codes[k]
            columns.pile[code] = pile
            columns.height[code] = <int8_t>(k + 1)
            columns.below[code] = codes[k - 1] if k else NO_CODE
        # From each height down to the original card then on top; the last turn is the start.
        for height in range(1, length + 2):
            if height <= length:
                code = codes[height - 1]
                exposed = &columns.exposed[code]
                exposed.top = card_bit(code)
                exposed.left = 1
                exposed.wrong = wrong[height - 1]
            else:
                exposed = &start
                memset(exposed, 0, sizeof(Exposed))
            left = height - 1
            while left > 1 and in_order(codes[left - 1], codes[left - 2]):
                left -= 1
                exposed.on[codes[left - 1] & 1] |= card_bit(codes[left])
                exposed.wrong += wrong[left]
                exposed.left += 1
            if left == 1 and columns.fillers & card_bit(codes[0]):
                left = 0
                exposed.base = card_bit(codes[0])
                exposed.based = 1
                exposed.left += 1
            if left:
                exposed.top |= card_bit(codes[left - 1])
            else:
                exposed.open = rules.fill != FILL_NONE
        columns.top |= exposed.top
        columns.on[0] |= exposed.on[0]
        columns.on[1] |= exposed.on[1]
        columns.base |= exposed.base
        columns.open += exposed.open
        columns.left += left
        for k in range(left):
            columns.wrong += wrong[k]
