"""The state of the same-suit search: a class of positions, its normal form, and what can be told from it at once.

The lemmas are in `search.pyx`.
"""

from libc.stdint cimport int16_t

from baker.engines.same_suit.columns cimport Columns, count_suits, home_cards, run_length
from baker.engines.lib.card_sets cimport Cards, card_bit, count_few, leading_zeros, trailing_zeros

ctypedef struct State:
    Cards top                   # the card that names the top layer of each column
    Cards original
    Cards placed                # S1: which of the singles among them stand in columns is left open
    int16_t originals           # how many original cards
    int16_t placed_count
    int16_t empty               # columns without original cards
    int16_t pin                 # the pinned card, or -1

# What follows from a state.
ctypedef struct Loose:
    Cards cards
    Cards attached
    Cards single
    int free                    # free places
    int heads
    int kings                   # loose kings, counted where only they fill columns

cdef inline void pop(const Columns* columns, State* state, int card) noexcept nogil:
    """Take away the top layer named by `card`."""
    state.original ^= columns.pop_original[card]
    state.top ^= columns.pop_top[card]
    state.originals -= columns.pop_count[card]
    state.empty += columns.pop_empty[card]

cdef inline Cards send_home(const Columns* columns, State* state) noexcept nogil:
    """Send home what can go; returns all cards that are home."""
    cdef Cards home, leaving
    while True:
        home = home_cards(columns.deck, state.original)
        leaving = (home << 4 | 15) & state.top
        if not leaving:
            leaving = state.placed & home
            if leaving:
                state.placed ^= leaving
                state.placed_count -= count_few(leaving)
            return home
        while leaving:
            pop(columns, state, trailing_zeros(leaving))
            leaving &= leaving - 1

cdef inline void look(bint kings_fill, const Columns* columns, const State* state, Loose* loose) noexcept nogil:
    """Derive what follows from `placed`; loose.cards is given."""
    cdef int places = state.empty
    loose.attached = loose.cards & ~state.placed
    if places == 0:
        # Nothing lies on a card in a cell.
        loose.single = state.placed
        loose.heads = 0
    else:
        loose.single = state.placed & ~(loose.attached << 4)
        loose.heads = count_few(state.placed ^ loose.single)
        if kings_fill and loose.kings < places:
            places = loose.kings
    loose.free = columns.cells + places - state.placed_count

cdef inline void take_up(
    bint kings_fill, const Columns* columns, const State* state, Loose* loose, Cards cards
) noexcept nogil:
    """Derive what follows from a state with these loose cards."""
    loose.cards = cards
    if kings_fill:
        loose.kings = count_suits(cards >> columns.king_shift)
    look(kings_fill, columns, state, loose)

cdef inline int group_limit(bint kings_fill, int free_places, int free_columns) noexcept nogil:
    """Cards that can move as a group with so many free places, of which so many may be columns."""
    cdef int columns = free_columns if free_columns < free_places else free_places
    if free_places < 0:
        return 0
    if kings_fill or columns <= 0:
        return free_places + 1
    return (free_places - columns + 1) << columns

cdef inline int single_chain(Cards single, int card) noexcept nogil:
    """Singles in a row from `card` down the suit."""
    cdef int n = 0
    while card >= 0 and single >> card & 1:
        n += 1
        card -= 4
    return n

# The five rules of the normal form, in the order in which they are tried (S9).  Each returns whether it has changed the
# arrangement; what follows from it is then derived again.

cdef inline bint free_lone(
    bint kings_fill, bint every_king, const Columns* columns, State* state, Loose* loose
) noexcept nogil:
    """Original cards alone in their columns turn loose there.

    Without a free place such a card is tied to its column unless something lies on it.
    """
    cdef Cards lone = state.top & columns.bottom
    if not lone:
        return False
    if kings_fill:
        lone &= columns.kings
    if loose.free < 1 and not every_king:
        lone &= loose.attached << 4
    if not lone:
        return False
    state.original ^= lone
    state.top ^= lone
    state.placed |= lone
    state.placed_count += count_few(lone)
    state.originals -= count_few(lone)
    state.empty += count_few(lone)
    take_up(kings_fill, columns, state, loose, loose.cards | lone)
    return True

cdef inline bint attach_singles(bint kings_fill, const Columns* columns, State* state, Loose* loose) noexcept nogil:
    """Singles go onto their parents on columns of original cards and on runs."""
    cdef Cards ready = loose.single & (state.top | loose.attached) >> 4
    if not ready:
        return False
    state.placed ^= ready
    state.placed_count -= count_few(ready)
    look(kings_fill, columns, state, loose)
    return True

cdef inline bint join_singles(bint kings_fill, const Columns* columns, State* state, Loose* loose) noexcept nogil:
    """A single goes onto a single in an open column, that of the longest chain first."""
    cdef Cards pairs = loose.single & loose.single << 4
    cdef Cards bits
    cdef int card, length
    cdef int best = -1
    cdef int longest = 0
    if kings_fill:
        pairs &= columns.kings
    if not pairs:
        return False
    bits = pairs & ~(loose.single >> 4)
    while bits:
        card = trailing_zeros(bits)
        bits &= bits - 1
        length = single_chain(loose.single, card)
        if length > longest:
            longest = length
            best = card
    if best < 0:
        best = 63 - leading_zeros(pairs)
    state.placed &= ~card_bit(best - 4)
    state.placed_count -= 1
    look(kings_fill, columns, state, loose)
    return True

cdef inline bint move_head(
    bint kings_fill, const Columns* columns, State* state, Loose* loose, Cards heads
) noexcept nogil:
    """A head goes with its run onto its parent, if as many cards can move as a group."""
    cdef Cards bits = heads & (state.top | loose.attached | loose.single) >> 4
    cdef int card, parent, length
    while bits:
        card = trailing_zeros(bits)
        bits &= bits - 1
        parent = card + 4
        length = run_length(loose.attached, card)
        if (state.top | loose.attached) >> parent & 1:
            if length > group_limit(kings_fill, loose.free, state.empty - loose.heads):
                continue
        else:
            if kings_fill and not columns.kings >> parent & 1:
                continue
            if length > loose.free and (
                loose.heads >= state.empty
                or length > group_limit(kings_fill, loose.free, state.empty - loose.heads - 1)
            ):
                continue
        state.placed &= ~card_bit(card)
        state.placed_count -= 1
        look(kings_fill, columns, state, loose)
        return True
    return False

cdef inline bint exchange_run(
    bint kings_fill, const Columns* columns, State* state, Loose* loose, Cards heads
) noexcept nogil:
    """A run in a column gives way to a longer chain of singles, or to one as long whose cards are lower."""
    cdef Cards pairs = loose.single & loose.single << 4 & ~(loose.single >> 4)
    cdef Cards parents
    cdef int card, best, length, longest, k
    if kings_fill:
        pairs &= columns.kings
    if not pairs:
        return False
    while heads:
        card = trailing_zeros(heads)
        heads &= heads - 1
        length = run_length(loose.attached, card)
        if length > loose.free:
            continue
        parents = pairs
        while parents:
            best = trailing_zeros(parents)
            parents &= parents - 1
            longest = single_chain(loose.single, best)
            if longest > length or (longest == length and best < card):
                for k in range(1, length):
                    state.placed |= card_bit(card - 4 * k)
                for k in range(1, longest):
                    state.placed &= ~card_bit(best - 4 * k)
                state.placed_count += length - longest
                look(kings_fill, columns, state, loose)
                return True
    return False

cdef inline bint settle(
    bint kings_fill, const Columns* columns, State* state, Loose* loose, Cards cards
) noexcept nogil:
    """Bring a state, of which `cards` are loose, to normal form (S9); False if it does not fit its places."""
    cdef Cards heads
    cdef bint every_king
    take_up(kings_fill, columns, state, loose, cards)
    if loose.free < 0 or loose.heads > state.empty:
        return False
    while True:
        if loose.free > 0:
            state.pin = -1
        # S3: with only kings filling columns and a column for each loose king nothing competes for columns.
        every_king = kings_fill and loose.kings <= state.empty
        if free_lone(kings_fill, every_king, columns, state, loose):
            continue
        if attach_singles(kings_fill, columns, state, loose):
            continue
        if state.empty == 0:
            return True
        if loose.heads < state.empty and (loose.free >= 1 or every_king):
            if join_singles(kings_fill, columns, state, loose):
                continue
        if loose.heads == 0:
            return True
        heads = state.placed & ~loose.single
        if move_head(kings_fill, columns, state, loose, heads):
            continue
        if loose.heads == state.empty and loose.free >= 2:
            if exchange_run(kings_fill, columns, state, loose, heads):
                continue
        return True

cdef inline bint stuck(
    bint kings_fill, bint whole, const Columns* columns, const State* state, const Loose* loose
) noexcept nogil:
    """True if no step leads on: S4 as one expression over sets."""
    cdef Cards parents, movable
    if loose.free > 0 or not state.original:
        return False
    parents = state.top | loose.attached
    if loose.heads + (state.pin >= 0) < state.empty:
        parents |= loose.single & columns.kings if kings_fill else loose.single
    movable = state.top if whole else state.top & ~(loose.attached << 4)
    if (movable | loose.single) & parents >> 4:
        return False
    if kings_fill and movable & columns.kings and loose.kings < state.empty:
        return False
    return True

cdef inline bint needs_walk(
    bint kings_fill, bint whole, const Columns* columns, const State* state, const Loose* loose
) noexcept nogil:
    """True if steps from the normal form alone may miss some (S10)."""
    cdef Cards kings, tails
    cdef int card, top, above
    if loose.free < 1 or not state.empty or not loose.attached:
        return False
    if kings_fill:
        # S6: without a head all arrangements but the normal form have idle singles.
        if loose.free < 2 or not loose.heads:
            return False
        if loose.kings != state.empty:
            return loose.kings > state.empty
        # S10: an original king that can be dug up before the next gain would compete for a column.
        kings = state.original & columns.kings
        while kings:
            card = trailing_zeros(kings)
            kings &= kings - 1
            top = trailing_zeros(state.top & columns.pile[columns.column[card]])
            above = columns.height[top] - columns.height[card]
            if whole and above:
                # The run in place on the king goes with it.
                while columns.below[top] != card:
                    top = columns.below[top]
                above -= count_few(columns.pop_run[top])
            if above + 1 <= loose.free - 1:
                return True
        return False
    if loose.free == 1:
        # S10, the one chance: lift the tail of a run and dig its child, bare on a column, onto it.
        if loose.heads >= state.empty:
            return False
        tails = loose.attached & ~(loose.attached << 4)
        return (tails >> 4 & state.top & ~(loose.attached << 4)) != 0
    return True

cdef inline Cards within_reach(const Columns* columns, const State* state, int room) noexcept nogil:
    """All original cards that lie under no more than `room` others, and some of the layers they belong to."""
    cdef Cards reach = 0
    cdef Cards tops = state.top
    cdef int top, layer
    while tops:
        top = trailing_zeros(tops)
        tops &= tops - 1
        layer = top
        while columns.height[layer] > 1 and columns.height[top] - columns.height[layer] < room:
            layer = columns.below[layer]
        reach |= columns.under[top] ^ (0 if columns.pop_empty[layer] else columns.under[columns.below[layer]])
    return reach

cdef inline void dig(const Columns* columns, State* state, int top, int layer) noexcept nogil:
    """Take away all layers of a column from its top down to `layer`, which is then its top."""
    state.original ^= columns.under[top] ^ columns.under[layer]
    state.top ^= card_bit(top) ^ card_bit(layer)
    state.originals -= columns.height[top] - columns.height[layer]

cdef inline void look_again(
    bint kings_fill, const Columns* columns, const State* state, Loose* loose
) noexcept nogil:
    """All that follows from a state at rest."""
    take_up(
        kings_fill, columns, state, loose, columns.deck & ~state.original & ~home_cards(columns.deck, state.original)
    )
