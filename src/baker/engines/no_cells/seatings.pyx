"""Positions without cells as counts, and as sets of seatings.

What the search runs on: games without cells in which an emptied column takes kings at most.  One card moves at a
time.

**Terms.**  A card is *original* while it lies where the search found it with only original cards below; the highest
original card of a column is its *top*.  All other cards that are not home are *loose*: they lie on a card of the next
higher rank.  (A top in sequence on the card below it counts as loose at once.  A king in a column of its own that it
was moved to is loose as well.)  Top and loose cards can be *reached*: what lies on them is a run of loose cards.  For
each rank, the loose cards of the rank lie on reachable cards of the next rank, no two on one: that is the *seating*
of the rank.  A card is *bare* if nothing lies on it.  A move of a loose card onto another card is a *shift*.

**Lemma N1** (what names a position).  The *state* says which cards are top, loose and home.  State and seatings
together name the position up to what makes no difference: the order of columns, empty columns that nothing may fill,
and which empty column a king stands in.  Proof: the cards under a top are those of the deal, and a card that is
neither there nor home is loose.  A loose king stands in a column of its own, any other loose card where the seating
of its rank says.  So where all cards lie follows, but for the order of columns.  The rules do not look at that order;
nor at empty columns, except that kings may fill them.  A king that has nothing below it and moves to an empty column,
with what lies on it or before it carries anything, only changes the order.  How many columns are empty follows as
well.

The state also says how many cards of each rank are bare: as many as can be reached, less the loose ones of the rank
below.  It does not say which; the seatings do.  `State.key` numbers the states of a deal: a digit for each column,
how many of its cards have left their places, and one for each suit, how many of its cards went home.

**Lemma N2** (the game of counts).  A *dig*, where a top leaves its column but not for home, needs the card and a card
of the next rank bare, or an empty column for a king.  A move home needs the card bare.  In the game of counts it is
enough that the ranks have a bare card, and that some lawful seating leaves the card bare and, for a dig, that one has
room for it.  Shifts do not exist.  A state that is lost there is lost: no position with it can be won.  Proof: a
shift leaves the state as it is, and of what is dug or sent home nothing comes back.  Where a real dig or home move is
made its cards are bare, so their ranks have a bare card; the seatings of the position are lawful, before and after.
So the move is there by counts, with the state that it leads to, and a line of real moves without its shifts is a line
of the game of counts.  That ends with all cards home if the real line does.  Every move raises the number of cards
dug or home, so the game has no cycles, and a state is lost when all its moves lead to lost ones.

**Products.**  A product is a state with a set of seatings for each rank; it stands for all positions with those.
Every operation works rank by rank, as whether a card is bare depends on the seating of the rank below alone:

  Playing a card keeps the seatings of the rank below that leave it bare, takes it out of the seatings of its rank,
  and in a dig adds it to them on every bare card of the next rank that takes it.

A card is *exposable* if its rank has a bare card and from every seating of the rank below in the product shifts lead
to one that leaves it bare.  `settle` adds what shifts of exposable loose cards lead to, from the lowest rank on.

**Lemma N3** (shifts of exposable cards are free).  If all positions of a product can be reached, so can those that
`settle` adds.  Proof, by rank: let x be exposable and loose, of rank r.  In any position of the product shifts of
exposable cards of rank r - 1 lay x bare; each of them first needs its card bare, which takes shifts of rank r - 2,
and so on down to the aces, on which nothing lies.  None of these shifts moves a card of rank r or a higher one.  Now
x goes onto any bare card of rank r + 1 that takes it.  Then all the others are taken back, the last one first: each
goes back to the card it came from, which has been free since, and needs only cards of its own rank and lower ones
where they were.  So the seating of rank r alone has changed.  Where the building asks for no suit, a card is free in
the next rank and all loose cards of a rank are exposable, every seating can be reached from every other: cards that
have to change places in a circle do so by way of the free one.  There a card is exposable unless what lies on it in
some seating cannot be shifted.

By induction every position of a product that starts from one position can be reached by real moves, and the player
may leave open until later which of them it was.
"""

from libc.stdint cimport int16_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from baker._core cimport (
    ANY_SUIT, FILL_KINGS, NO_CARD, SUITS, Position, RuleTable, fits,
)
from baker.engines.lib.card_sets cimport Cards, card_bit, trailing_zeros_32

cdef enum:
    NO_PROMISE = -1000
    # Of the promise of a card: what it is worth to get to it, less for each rank it has to wait (PER_RANK) and for
    # each card on it.
    WORTH = 20
    PER_CARD = 2

cdef SeatTable seat_table


cdef int taken_seats(int code) noexcept nogil:
    """The suits that are lain on, or -1 if two cards lie on one or the code means nothing."""
    cdef int taken = 0
    cdef int suit, on
    for suit in range(SUITS):
        on = seat_of(code, suit)
        if on > SUITS or (on and taken >> (on - 1) & 1):
            return -1
        if on:
            taken |= 1 << (on - 1)
    return taken


cdef int seated_suits(int code) noexcept nogil:
    """The suits that lie on something."""
    cdef int suit
    cdef int seated = 0
    for suit in range(SUITS):
        if seat_of(code, suit):
            seated |= 1 << suit
    return seated


cdef void add_seating(SeatTable* table, int low, int high, int code) noexcept nogil:
    """Number a seating, and note what is bare and where it is lawful."""
    cdef int n = table.count[low][high]
    cdef Seatings bit = <Seatings>1 << n
    cdef int taken = taken_seats(code)
    cdef int suit, build
    cdef bint is_lawful
    table.code[low][high][n] = <uint16_t>code
    table.number[low][high][table.partial[code]] = <uint8_t>n
    table.count[low][high] += 1
    for suit in range(SUITS):
        if high >> suit & 1 and not taken >> suit & 1:
            table.bare[low][high][suit] |= bit
        if low >> suit & 1:
            table.on[low][high][suit][seat_of(code, suit) - 1] |= bit
    for build in range(BUILDS):
        is_lawful = True
        for suit in range(SUITS):
            if low >> suit & 1 and not fits(build, suit, SUITS + seat_of(code, suit) - 1):
                is_lawful = False
        if is_lawful:
            table.lawful[build][low][high] |= bit


cdef void add_shifts(SeatTable* table, int low, int high) noexcept nogil:
    """Note what comes of each seating by moving one card."""
    cdef int i, code, free, suit, on, other
    for i in range(table.count[low][high]):
        code = table.code[low][high][i]
        free = high & ~taken_seats(code)
        for suit in range(SUITS):
            for on in range(SUITS):
                if low >> suit & 1 and free >> on & 1:
                    other = unseat(code, suit) | seat(suit, on)
                    table.shifted[low][high][suit][i] |= (
                        <Seatings>1 << table.number[low][high][table.partial[other]]
                    )


cdef void make_table(SeatTable* table) noexcept nogil:
    """Fill the table, once for all engines."""
    cdef int code, low, high, taken
    cdef int n = 0
    memset(table, 0, sizeof(SeatTable))
    memset(table.number, NO_SEATING, sizeof(table.number))
    for code in range(CODES):
        taken = taken_seats(code)
        if taken < 0:
            continue
        table.partial[code] = <uint8_t>n
        n += 1
        low = seated_suits(code)
        for high in range(SUIT_SETS):
            if not taken & ~high:
                add_seating(table, low, high, code)
    for low in range(SUIT_SETS):
        for high in range(SUIT_SETS):
            add_shifts(table, low, high)


make_table(&seat_table)


# Reading a position

cdef void read_column(Layout* layout, const uint8_t* cards, int length, uint64_t stride) noexcept nogil:
    """Note what happens when each card leaves the column."""
    cdef int k, card, below, suit, worth, gone
    layout.bottom |= card_bit(cards[0])
    for k in range(length):
        card = cards[k]
        gone = 1
        if k == 0:
            layout.under[card] = NO_CARD
            if layout.kings_fill:
                layout.next_bare[card] = one_of(layout.ranks)
            for suit in range(SUITS):
                layout.promise[card][suit] = NO_PROMISE
        else:
            below = cards[k - 1]
            layout.under[card] = <uint8_t>below
            for suit in range(SUITS):
                layout.promise[card][suit] = <int16_t>(layout.promise[below][suit] - PER_CARD)
            worth = WORTH - PER_RANK * (below >> 2)
            if layout.promise[card][below & 3] < worth:
                layout.promise[card][below & 3] = <int16_t>worth
            layout.next_bare[card] = one_of(below >> 2)
            # Of a run all but its lowest-lying card turn loose.
            while gone < k and fits(layout.build, below, cards[k - gone - 1]):
                layout.next_loose[card] |= card_bit(below)
                below = cards[k - gone - 1]
                gone += 1
            layout.next_top[card] = card_bit(below)
        layout.next_key[card] = stride * <uint64_t>gone


cdef void read_layout(
    Layout* layout, const RuleTable* rules, const Position* position, bint lone_stay, bint safe_go,
) noexcept nogil:
    cdef State* start = &layout.start
    cdef uint64_t stride = 1
    cdef int i, k, length, card
    memset(layout, 0, sizeof(Layout))
    layout.table = &seat_table
    layout.ranks = rules.ranks
    layout.build = rules.build
    layout.any_suit = rules.build == ANY_SUIT
    layout.kings_fill = rules.fill == FILL_KINGS
    layout.lone_stay = lone_stay
    layout.safe_go = safe_go
    layout.deck = card_bit(rules.ranks * SUITS) - 1
    layout.kings = <Cards>ALL_SUITS << (rules.ranks - 1) * SUITS
    layout.columns = rules.columns
    # The product of n + 1 for each column of n cards, and for each suit with n cards to play, is at most
    # (1 + 52 / 16)^16 * 14^4 < 2^49: every state has a number of its own of 49 bits.  They begin at 1.
    start.key = 1
    for i in range(rules.columns):
        length = position.length[i]
        layout.last[i] = NO_CARD
        if length:
            layout.last[i] = position.column[i][length - 1]
            read_column(layout, position.column[i], length, stride)
        stride *= <uint64_t>(length + 1)
    for i in range(SUITS):
        layout.home_key[i] = stride
        stride *= <uint64_t>(rules.ranks - position.home[i] + 1)
        for k in range(position.home[i]):
            start.home |= card_bit(k * SUITS + i)
    for i in range(rules.columns):
        card = layout.last[i]
        if card == NO_CARD:
            if layout.kings_fill:
                start.bare += one_of(rules.ranks)
            continue
        start.bare += one_of(card >> 2)
        while layout.under[card] != NO_CARD and fits(rules.build, card, layout.under[card]):
            start.loose |= card_bit(card)
            card = layout.under[card]
        start.top |= card_bit(card)


# Products

cdef inline Seatings recode(
    const Layout* layout, Seatings seatings, int low, int high, int new_low, int new_high, int clear, int put,
) noexcept nogil:
    """The seatings with a part of each code replaced."""
    cdef const SeatTable* table = layout.table
    cdef Seatings result = 0
    cdef int code
    while seatings:
        code = table.code[low][high][trailing_zeros_32(seatings)] & ~clear | put
        seatings &= seatings - 1
        result |= <Seatings>1 << table.number[new_low][new_high][table.partial[code]]
    return result


cdef inline void appear(const Layout* layout, Product* product, int card) noexcept nogil:
    """The card can be reached: it is the top of its column."""
    cdef State* state = &product.state
    cdef int rank = card >> 2
    cdef int suit = card & 3
    cdef int low, high
    if rank:
        low = loose_at(state, rank - 1)
        if low:
            high = seats_at(state, rank - 1)
            product.seatings[rank - 1] = recode(
                layout, product.seatings[rank - 1], low, high, low, high | 1 << suit, 0, 0
            )
    state.top |= card_bit(card)


cdef inline void reveal(const Layout* layout, Product* product, int card, Cards turning_loose) noexcept nogil:
    """The card is the end of its column; of the run that it ends these cards turn loose."""
    cdef State* state = &product.state
    cdef int rank, suit, below, low, high
    appear(layout, product, card)
    while turning_loose & card_bit(card):
        below = layout.under[card]
        rank = card >> 2
        suit = card & 3
        appear(layout, product, below)
        low = loose_at(state, rank)
        high = seats_at(state, rank)
        product.seatings[rank] = recode(
            layout, product.seatings[rank], low, high, low | 1 << suit, high, 0, seat(suit, below & 3)
        )
        state.top ^= card_bit(card)
        state.loose |= card_bit(card)
        card = below


cdef void start_product(const Layout* layout, Product* product) noexcept nogil:
    cdef int i
    memset(product, 0, sizeof(Product))
    product.state.home = layout.start.home
    for i in range(LEVELS):
        product.seatings[i] = 1
    for i in range(layout.columns):
        if layout.last[i] != NO_CARD:
            reveal(layout, product, layout.last[i], layout.start.loose)
    product.state = layout.start


cdef inline void leave(const Layout* layout, Product* product, int card) noexcept nogil:
    """A top card leaves its column."""
    cdef State* state = &product.state
    state.top ^= card_bit(card)
    state.bare += layout.next_bare[card]
    state.key += layout.next_key[card]
    if layout.under[card] != NO_CARD:
        reveal(layout, product, layout.under[card], layout.next_loose[card])


cdef bint keep_bare(const Layout* layout, Product* product, int card) noexcept nogil:
    cdef int rank = card >> 2
    cdef int low, high
    if rank == 0:
        return True
    low = loose_at(&product.state, rank - 1)
    if low == 0:
        return True
    high = seats_at(&product.state, rank - 1)
    product.seatings[rank - 1] &= layout.table.bare[low][high][card & 3]
    return product.seatings[rank - 1] != 0


cdef bint product_home(const Layout* layout, Product* product, int card) noexcept nogil:
    cdef State* state = &product.state
    cdef Cards bit = card_bit(card)
    cdef int rank = card >> 2
    cdef int suit = card & 3
    cdef int low, high
    if not keep_bare(layout, product, card):
        return False
    if rank:
        low = loose_at(state, rank - 1)
        if low:
            high = seats_at(state, rank - 1)
            product.seatings[rank - 1] = recode(
                layout, product.seatings[rank - 1], low, high, low, high & ~(1 << suit), 0, 0
            )
    state.bare -= one_of(rank)
    state.home |= bit
    state.key += layout.home_key[suit]
    if not state.loose & bit:
        leave(layout, product, card)
        return True
    state.bare += one_of(rank + 1)
    if rank < layout.ranks - 1:
        low = loose_at(state, rank)
        high = seats_at(state, rank)
        product.seatings[rank] = recode(
            layout, product.seatings[rank], low, high, low & ~(1 << suit), high, SEAT_MASK << SEAT_BITS * suit, 0
        )
    state.loose ^= bit
    return True


cdef inline Seatings seat_everywhere(
    const Layout* layout, Seatings seatings, int low, int high, int suit,
) noexcept nogil:
    """The seatings with one more card, on any card that is bare and takes it."""
    cdef const SeatTable* table = layout.table
    cdef int more = low | 1 << suit
    cdef Seatings result = 0
    cdef int i, on, code
    while seatings:
        i = trailing_zeros_32(seatings)
        seatings &= seatings - 1
        code = table.code[low][high][i]
        for on in range(SUITS):
            if table.bare[low][high][on] >> i & 1:
                result |= <Seatings>1 << table.number[more][high][table.partial[code | seat(suit, on)]]
    return result & lawful(layout, more, high)


cdef bint product_dig(const Layout* layout, Product* product, int card) noexcept nogil:
    cdef State* state = &product.state
    cdef int rank = card >> 2
    cdef Seatings seatings
    if not keep_bare(layout, product, card):
        return False
    if rank < layout.ranks - 1:
        seatings = seat_everywhere(
            layout, product.seatings[rank], loose_at(state, rank), seats_at(state, rank), card & 3
        )
        if not seatings:
            return False
        product.seatings[rank] = seatings
    state.bare -= one_of(rank + 1)
    state.loose |= card_bit(card)
    leave(layout, product, card)
    return True


cdef inline Seatings shift_all(
    const Layout* layout, Seatings seatings, int low, int high, int suits,
) noexcept nogil:
    """The seatings, and all that come of them by shifts of the suits."""
    cdef const SeatTable* table = layout.table
    cdef Seatings allowed = lawful(layout, low, high)
    cdef Seatings todo = seatings
    cdef Seatings new
    cdef int i, suit
    while todo:
        i = trailing_zeros_32(todo)
        todo &= todo - 1
        new = 0
        for suit in range(SUITS):
            if suits >> suit & 1:
                new |= table.shifted[low][high][suit][i]
        new &= allowed & ~seatings
        seatings |= new
        todo |= new
    return seatings


cdef inline int exposable_suits(
    const Layout* layout, Seatings seatings, int low, int high, int shifts,
) noexcept nogil:
    """The suits of `high` that can be made bare from any of the seatings on them, if `shifts` can be moved there."""
    cdef const SeatTable* table = layout.table
    cdef Seatings bare
    cdef int suit, other
    cdef int result = 0
    cdef Seatings stuck
    if layout.any_suit and shifts == low:
        return high
    for suit in range(SUITS):
        if not high >> suit & 1:
            continue
        if layout.any_suit:
            # N3: a card is free, and what can be shifted may go there; so only what cannot is in the way.
            stuck = 0
            for other in range(SUITS):
                if (low & ~shifts) >> other & 1:
                    stuck |= table.on[low][high][other][suit]
            if not stuck & seatings:
                result |= 1 << suit
        else:
            bare = seatings & table.bare[low][high][suit]
            if bare == seatings or (bare and shift_all(layout, bare, low, high, shifts) == seatings):
                result |= 1 << suit
    return result


cdef Cards settle(const Layout* layout, Product* product) noexcept nogil:
    cdef const State* state = &product.state
    cdef Cards exposable = 0
    cdef int rank, high, suits, shifts
    cdef int low = 0
    cdef int low_shifts = 0
    cdef Seatings allowed
    for rank in range(layout.ranks):
        high = suits_at(reachable(state), rank)
        if low == 0:
            suits = high
        elif count_of(state, rank) == 0:
            suits = 0
        else:
            suits = exposable_suits(layout, product.seatings[rank - 1], low, high, low_shifts)
        exposable |= <Cards>suits << rank * SUITS
        if rank == layout.ranks - 1:
            break
        low = loose_at(state, rank)
        shifts = low & suits if count_of(state, rank + 1) else 0
        if shifts:
            high = seats_at(state, rank)
            allowed = lawful(layout, low, high)
            if product.seatings[rank] != allowed:
                if layout.any_suit and shifts == low:
                    # N3: any seating can be reached from any other.
                    product.seatings[rank] = allowed
                else:
                    product.seatings[rank] = shift_all(layout, product.seatings[rank], low, high, shifts)
        low_shifts = shifts
    return exposable


cdef Cards shiftable(const State* state, Cards exposable) noexcept nogil:
    return state.loose & exposable & ranks_with_bare(state) >> CARD_BITS


cdef Cards product_safe(const Layout* layout, Product* product) noexcept nogil:
    # On the way nothing has to be settled: the card is bare in every position of the state (N5).
    cdef int card = safe_card(layout, &product.state)
    while card >= 0:
        product_home(layout, product, card)
        card = safe_card(layout, &product.state)
    return settle(layout, product)


# What a loss explains

cdef inline bint leads_into(
    const Layout* layout, const State* before, const State* after, int rank, int i, int code, int dug, Seatings lost,
) noexcept nogil:
    """Whether a seating of the rank, number `i` before, can only become one of the lost ones.

    `code` is what it has become but for the card of suit `dug`, which goes onto any bare card that takes it; -1 for no
    such card.
    """
    cdef const SeatTable* table = layout.table
    cdef const uint8_t* number = table.number[loose_at(after, rank)][seats_at(after, rank)]
    cdef int low, high, on
    if dug < 0:
        return lost >> number[table.partial[code]] & 1
    low = loose_at(before, rank)
    high = seats_at(before, rank)
    for on in range(SUITS):
        if (
            table.bare[low][high][on] >> i & 1
            and fits(layout.build, dug, SUITS + on)
            and not lost >> number[table.partial[code | seat(dug, on)]] & 1
        ):
            return False
    return True


cdef inline Seatings go_back_at(
    const Layout* layout, const State* before, const State* after, int rank, int dug, Seatings todo, Seatings lost,
) noexcept nogil:
    """Those of the seatings `todo` of a rank before that can only become lost ones; `dug` as for `leads_into`."""
    cdef int low = loose_at(before, rank)
    cdef int high = seats_at(before, rank)
    cdef int changed = low ^ loose_at(after, rank)
    cdef int clear = 0
    cdef int put = 0
    cdef int suit, i, code
    cdef Seatings found = 0
    for suit in range(SUITS):
        if not changed >> suit & 1:
            continue
        if low >> suit & 1:
            clear |= SEAT_MASK << SEAT_BITS * suit
        elif suit != dug:
            # It has turned loose.
            put |= seat(suit, layout.under[rank * SUITS + suit] & 3)
    while todo:
        i = trailing_zeros_32(todo)
        todo &= todo - 1
        code = layout.table.code[low][high][i] & ~clear | put
        if leads_into(layout, before, after, rank, i, code, dug, lost):
            found |= <Seatings>1 << i
    return found


cdef void go_back(
    const Layout* layout, const State* before, const State* after, int card, bint dug,
    const Seatings* lost, Seatings* result,
) noexcept nogil:
    cdef int own = card >> 2
    cdef int rank
    cdef Seatings todo, covered
    for rank in range(layout.ranks - 1):
        todo = all_seatings(layout, before, rank)
        if lost[rank] == all_seatings(layout, after, rank):
            result[rank] = todo
            continue
        covered = 0
        if rank == own - 1:
            # N9 (a): where the card is covered it cannot be played.
            covered = todo & ~bare_seatings(layout, before, card)
        elif loose_at(before, rank) == loose_at(after, rank) and seats_at(before, rank) == seats_at(after, rank):
            result[rank] = lost[rank]
            continue
        result[rank] = covered | go_back_at(
            layout, before, after, rank, card & 3 if dug and rank == own else -1, todo ^ covered, lost[rank]
        )
