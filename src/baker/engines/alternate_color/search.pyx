"""The search that decides games built down by alternate colour, FreeCell first of all.

Any number of cells and columns, and any filling of empty columns, are one game to it.  The lemmas A1 to A6 are here,
A7 to A11 in `relaxed.pyx`; H1, the safe home moves, is in `baker/_core.pyx`.

**Positions.**  A card is *original* while it lies where the search found it with only original cards below, *loose*
once it has moved.  A top original card that lies in order on the next one counts as loose, and so does one alone in
its column if it could fill an empty one.  A loose card is in a cell, or lies on its parent of side 0 or side 1 (see
`columns.pxd`), or is the *base* of a column without original cards.  The top original cards name the depth of every
column; with the sets `cell`, `on` and `base` they are a `Node`.  A card in none of these sets and not below a top card
is home.

**Lemma A1** (places in any order).  Two positions with the same node can both be won or neither.  A base that goes
into another empty column, and a card from one cell into another, change nothing.  Proof: the node says of every card
what lies on it, and whether it is in a cell, in a column or home.  So the positions differ at most in which cells and
which emptied columns are used.  No rule of the game asks for that, so the same moves win both.  The moves named leave
the node as it is.

**Lemma A2** (lowest cards stay).  If nothing fills an empty column, a position that can be won can be won by single
moves of cards none of which takes the lowest card of a column away but for home.  Proof: take a line of single moves
that wins; any line can be split into these.  Leave out the moves of the lowest card x but the one home.  What the line
puts on x elsewhere is put on x in its column, where x is the last card whenever it is in the line: what lies on x is
the same.  The place that x takes in the line is free in the copy.  The column that the line empties is of no use to it.

**Lemma A3** (safe home moves are no detour).  After a safe home move there is a line no longer than before it, less
that move, and still one as in A2.  Proof: the copy of a line that the proof of H1 makes has the moves of the line, but
for those it skips; a card that goes home early does so instead of the line's own move of that card onto another card
or home, and the line's later home move of it is skipped.  The moves added are home moves.  So safe home moves are made
at once after every move.  `Safety` has what H1 asks for in alternate colours, as sets of cards that must not be next.

**Moves.**  A move of the search is a run onto a card or into an empty column, a card into a cell, or a card home,
followed by all safe home moves.

**Lemma A4** (long runs).  With f cells and e columns empty, a run of f + 1 cards can be moved by single moves; if any
card fills a column, one of (f + 1) * 2^e cards, or of (f + 1) * 2^(e - 1) into one of these columns.  Longer runs may
be left out.  Proof: f cards go into the cells, the next to the target, and the f follow it.  With one column more, half
of the run goes there, the other half to the target, and the first half after it, each by means of the columns that are
left.  Leaving out a run loses nothing, as single cards of it can be moved.

**Cards put aside.**  A card at the end of a column is *put aside* when it goes into a cell, or with no cell free into
an empty column.  It is of no use until a move needs its place, or needs it where it is now.  So a search for a proof
need not stop at every set of cards put aside:

**Lemma A5** (cards put aside).  A position that can be won can be won by a line as in A2 that begins with one of these,
and is no longer than the shortest such line:

1. a card goes home, onto a card, from a cell into a column, or from a column into another though a cell is free;
2. cards of one column are put aside, and then the card below them goes home, onto a card, or into an empty column
   though a cell is free; or a card goes onto that card, or onto the last one put aside if that is in a column; or the
   column is empty;
3. cards of two columns are put aside, and then one of the two cards below them goes onto the other, or onto the last
   card put aside of the other column, if that is in a column.

Proof: take a shortest line as in A2 of single moves, and let g be its first move that puts no card aside or that
empties a column.  There is one, as cards that are put aside do not go home.  Before g only cells and columns that are
empty now are filled, so the cards put aside may be put aside in any order that keeps that of each column.

Of these, g *needs* those above its card, those above the card it goes onto, and that card itself.  The others can be
put aside after g: the line had their places free beside what g takes, and nothing but the card of g is put on a card.

The card of g was not put aside itself, unless it was put aside to get at the card it goes onto, in the same column: it
could have gone to the target of g at once in a shorter line, all other moves being the same.  It does not go back to
where it lay, either, as the line without both moves would be shorter.

If g empties a column, or its card goes home or into an empty column, it needs cards of one column at most.  If its card
goes onto a card p, it needs those above it in its column, and those of the column in which p lay, down to p if p was
put aside, else above p.  That is case 1, 2 or 3, if the cards it needs, those of one column after those of the other,
go into cells while one is free.  If one of them does not, let that move be g instead, the first such move of its column
when no card of other columns has been put aside: its card goes into a column though a cell is free, and those it needs,
above it in its column, do not.  That is case 1 or 2.  So it does not matter which of two columns comes first.

What comes of g is a position of the reordered line, whose rest is shorter and wins.

The positions between are not kept.  The moves that lead through them are found again for the line that wins.

**Lemma A6** (a phase that runs out).  A phase with all moves, cards put aside as in A5, that has expanded all its
positions without a win proves that the start cannot be won.  Proof: suppose it can, and of the positions kept take one
with the shortest line as in A2.  The search has proposed what comes of the first moves of such a line (A5), and made
safe home moves, which leave a line no longer than before (A3).  It was not left out as lost, as it can be won (A8), so
it was kept, now or before (A1).  Then one with a shorter line was kept, which cannot be.

That holds in whatever order positions are expanded.  A narrow phase leaves moves out, so it proves nothing: when it has
no position left, the next phase begins.

**The order.**  Best first: a sum of weights, the lower the better.  What it would drown in is the arrangements of loose
cards of one class (see `relaxed.pyx`), so a position is put off by the logarithm of how many of its class are there
already.

**Phases.**  The landscape is rough, so a search that is not lucky soon begins anew with other weights.  The early
phases are narrow: loose cards do not go into cells, nor loose runs into columns.  Only the last phase has all moves.
"""

cimport cython
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from baker._core cimport (
    ALTERNATE_COLOR, FOUNDATION, GROUP_UNLIMITED, NO_CARD, MoveCode, Position, RuleTable, move_source, safe_home_move,
    won,
)
from baker.engines.base cimport BROKEN, IMPOSSIBLE, OUT_OF_MEMORY, OUT_OF_NODES, RUNNING, SOLVED, Engine, Status
from baker.engines.lib.bucket_queue cimport (
    MOST_BUCKETS, NO_ITEM, BucketQueue, queue_clear, queue_drop_first, queue_first, queue_push,
)
from baker.engines.lib.hash_index cimport (
    Index, index_add, index_clear, index_double, index_is_half_full, index_make, index_put, slot_is_used, slot_may_hold,
    slot_number,
)
from baker.engines.alternate_color.columns cimport (
    CODES, NO_CODE, Columns, Exposed, builders, class_key, covered_cards, following, rank_of, read_columns, read_safety,
    suit_of,
)
from baker.engines.lib.replay cimport (
    TO_CARD, TO_CELL, TO_COLUMN, TO_FOUNDATION, Line, line_begin, line_free, line_make, line_move, line_play,
)
from baker.engines.lib.memory cimport Memory, Room, array_double, array_make, memory_ask, memory_resize, room_open
from baker.engines.alternate_color.relaxed cimport (
    ALIVE, DEAD, NO_ROOM, UNKNOWN, Class, Relaxed, Verdict, begin_relaxed, clear_classes, decide_relaxed, find_class,
    make_classes,
)
from baker.engines.lib.card_sets cimport Cards, card_bit, count_few, leading_zeros_32, trailing_zeros

cdef enum:
    BUCKETS = MOST_BUCKETS
    MIDDLE = 3500           # the value from which the weights are added and subtracted
    CHUNK = 1 << 12
    FIRST_SLOTS = 1 << 13
    FIRST_CHUNKS = 64
    # As many as there are cells and columns.
    MAX_ASIDE = 24
    # Cards put aside that may take as long as a node.
    EFFORT = 8

cdef enum Kind:
    ON_0                    # onto the parent of side 0
    ON_1
    INTO_CELL
    INTO_COLUMN
    HOME
    NONE
    # The kind of a node has this bit if cards were put aside before the move.
    AFTER = 8
    LAST = 7

ctypedef struct Node:
    Cards top               # original cards on top of their columns
    Cards next              # of each suit, the card that goes home next
    Cards cell
    Cards on[2]             # loose cards on their parent of side 0, of side 1
    Cards base              # loose cards at the bottom of a column
    int32_t parent
    int32_t waiting         # the next in its bucket
    uint8_t card            # the move that led here
    uint8_t kind
    int8_t home             # how many cards are home,
    int8_t left             # are original,
    int8_t wrong            # are original and lie above a lower card of their column,
    int8_t used             # are in cells,
    int8_t based            # are in `base`
    int8_t open             # columns without original cards

# A card put aside, where, and the position then.
ctypedef struct Aside:
    Node node
    int card
    int kind
    int below               # the card that lay below it, or NO_CODE

# What the value of a position is made of.
ctypedef struct Weights:
    int home
    int left
    int used
    int empty               # for an empty column
    int above_next          # for each original card above the one that goes home next in its suit
    int wrong
    int above_second        # the same for the one after that
    int tight               # for each place that lacks two, a free cell being one and an empty column two
    int based
    int covered             # if the card that goes home next is loose but covered
    int buried              # if it is original
    int above_third
    int no_column
    int no_cell
    int few_cells           # at most one
    int built               # for each loose card on its parent

ctypedef struct Phase:
    int64_t nodes           # before the next phase
    Weights weights
    bint narrow
    bint prune              # whether dead classes are left out
    int crowd               # how far a position is put off when the number of its class doubles

ctypedef struct Search:
    Memory* memory
    Columns columns
    Cards lower[CODES]
    Cards lowest[CODES]
    Relaxed relaxed
    int64_t nodes
    int64_t most_nodes
    # The phase.
    int number
    Phase phase
    int64_t phase_end
    bint relaxing           # the relaxed game is played from here:
    int32_t here            # a node, or -1 for the start
    bint tight              # losses are frequent
    bint start_alive
    Node start
    # Nodes, in chunks that never move.
    Node** chunks
    Room chunk_room         # of the array of chunks
    Room chunk_count
    int32_t count
    Index index
    BucketQueue queue
    # Cards put aside from one column, one after the other.
    Aside aside[MAX_ASIDE]
    int aside_count
    int64_t effort          # how many cards have been put aside
    # The line that wins.
    const Node* sought      # the node to find the moves of
    RuleTable rules
    Position position
    Line line


cdef inline Node* node_at(const Search* search, int32_t number) noexcept nogil:
    return &search.chunks[number >> 12][number & (CHUNK - 1)]


# Moves

cdef inline void expose(const Columns* columns, Node* node, int card) noexcept nogil:
    """An original card leaves its place."""
    cdef const Exposed* exposed = &columns.exposed[card]
    node.top ^= exposed.top
    node.on[0] |= exposed.on[0]
    node.on[1] |= exposed.on[1]
    node.base |= exposed.base
    node.left -= exposed.left
    node.wrong -= exposed.wrong
    node.open += exposed.open
    node.based += exposed.based


cdef inline void lift(const Columns* columns, Node* node, int card) noexcept nogil:
    """Take a card, and what lies on it, from its place."""
    cdef Cards bit = card_bit(card)
    if node.top & bit:
        expose(columns, node, card)
    elif node.cell & bit:
        node.cell ^= bit
        node.used -= 1
    elif node.base & bit:
        node.base ^= bit
        node.based -= 1
    else:
        node.on[0] &= ~bit
        node.on[1] &= ~bit


cdef inline void send_home(const Columns* columns, Node* node, int card) noexcept nogil:
    lift(columns, node, card)
    node.next ^= card_bit(card)
    if rank_of(card) + 1 < columns.ranks:
        node.next |= card_bit(following(card))
    node.home += 1


cdef inline void place(Node* node, int card, int kind) noexcept nogil:
    if kind == INTO_CELL:
        node.cell |= card_bit(card)
        node.used += 1
    elif kind == INTO_COLUMN:
        node.base |= card_bit(card)
        node.based += 1
    else:
        node.on[kind] |= card_bit(card)


cdef inline Cards free_cards(const Node* node) noexcept nogil:
    """The last cards of the columns."""
    return (node.top | node.on[0] | node.on[1] | node.base) & ~covered_cards(node.on[0], node.on[1])


cdef inline void send_home_safely(const Search* search, Node* node) noexcept nogil:
    """Make all safe home moves (H1, A3)."""
    cdef Cards ready = node.next & (node.cell | free_cards(node))
    cdef int card
    while ready:
        card = trailing_zeros(ready)
        ready &= ready - 1
        if not (node.next & search.lower[card] and node.next & search.lowest[card]):
            send_home(&search.columns, node, card)
            ready = node.next & (node.cell | free_cards(node))


# The value of a position

cdef inline int count_above(const Columns* columns, const Node* node, int card) noexcept nogil:
    """How many original cards lie above an original card."""
    return columns.height[trailing_zeros(node.top & columns.pile[card])] - columns.height[card]


cdef inline int value_of(const Columns* columns, const Weights* weights, const Node* node) noexcept nogil:
    cdef int cells = columns.cells - node.used
    cdef int empty = node.open - node.based
    cdef int room = cells + 2 * empty
    cdef int value = MIDDLE
    cdef int built = 52 - node.home - node.left - node.used - node.based - 4 * (13 - columns.ranks)
    cdef Cards built_or_not = node.cell | node.on[0] | node.on[1] | node.base
    cdef Cards covered = covered_cards(node.on[0], node.on[1])
    cdef Cards bits = node.next
    cdef int card, rank
    value += (
        weights.left * node.left + weights.used * node.used + weights.wrong * node.wrong
        + weights.based * node.based + weights.built * built
        - weights.home * node.home - weights.empty * empty
    )
    while bits:
        card = trailing_zeros(bits)
        bits &= bits - 1
        rank = rank_of(card)
        if not built_or_not & card_bit(card):
            value += weights.above_next * count_above(columns, node, card) + weights.buried
        elif covered & card_bit(card):
            value += weights.covered
        if rank + 1 < columns.ranks:
            card = following(card)
            if not built_or_not & card_bit(card):
                value += weights.above_second * count_above(columns, node, card)
            if rank + 2 < columns.ranks:
                card = following(card)
                if not built_or_not & card_bit(card):
                    value += weights.above_third * count_above(columns, node, card)
    if room <= 1:
        value += weights.tight * (2 - room)
    if empty == 0:
        value += weights.no_column
    if cells <= 1:
        value += weights.few_cells
        if cells == 0:
            value += weights.no_cell
    return value


# Nodes

cdef inline uint64_t hash_node(const Node* node) noexcept nogil:
    cdef uint64_t x = (node.top | node.base) * <uint64_t>0x9E3779B97F4A7C15
    x ^= (node.on[0] | node.cell | node.base) * <uint64_t>0xC2B2AE3D27D4EB4F
    x ^= (node.on[1] | node.cell | node.base) * <uint64_t>0xD6E8FEB86659FD93 >> 7
    x ^= x >> 32
    x *= <uint64_t>0xD6E8FEB86659FD93
    return x ^ x >> 29


cdef inline bint same(const Node* node, const Node* other) noexcept nogil:
    return (
        node.top == other.top and node.cell == other.cell and node.on[0] == other.on[0]
        and node.on[1] == other.on[1] and node.base == other.base
    )


cdef bint grow_index(Search* search) noexcept nogil:
    cdef int32_t number
    cdef bint emptied
    if not index_double(&search.index, search.memory, &emptied):
        return False
    for number in range(search.count if emptied else 0):
        index_add(&search.index, hash_node(node_at(search, number)), number)
    return True


cdef bint add_chunk(Search* search) noexcept nogil:
    """Room for one chunk of nodes more; False if memory is out."""
    cdef Room* count = &search.chunk_count
    if count.asked == search.chunk_room.asked and not array_double(
        search.memory, <void**>&search.chunks, &search.chunk_room, sizeof(Node*)
    ):
        return False
    if not memory_ask(search.memory, 0, CHUNK * sizeof(Node)):
        return False
    if count.asked == count.held:
        search.chunks[count.held] = <Node*>memory_resize(search.memory, NULL, 0, CHUNK * sizeof(Node))
        if not search.chunks[count.held]:
            return False
        count.held += 1
    count.asked += 1
    return True


cdef inline Status propose(Search* search, Node* node) noexcept nogil:
    """Make the safe home moves of a new node, which lies behind the last one, and keep it if it is new.

    SOLVED if it is a win, which then is the last node.
    """
    cdef Index* index = &search.index
    cdef uint64_t h, i
    cdef int value
    cdef Class* found
    send_home_safely(search, node)
    h = hash_node(node)
    i = h & index.mask
    # A1: a position that is kept already needs no second node.
    while slot_is_used(index, i):
        if slot_may_hold(index, i, h) and same(node, node_at(search, slot_number(index, i))):
            return RUNNING
        i = (i + 1) & index.mask
    value = value_of(&search.columns, &search.phase.weights, node)
    if search.phase.crowd:
        found = find_class(&search.relaxed.classes, class_key(node.top, node.next))
        if not found:
            return OUT_OF_MEMORY
        if search.phase.prune and found.stamp & 3 == DEAD:
            return RUNNING  # A8
        if found.count >> 28 != <uint32_t>search.number:
            found.count = <uint32_t>search.number << 28
        found.count += 1
        value += search.phase.crowd * (31 - leading_zeros_32(found.count << 4 >> 4))
    index_put(index, i, h, search.count)
    node.waiting = queue_push(&search.queue, BUCKETS, max(0, value), search.count)
    search.count += 1
    if search.count & (CHUNK - 1) == 0 and search.count >> 12 == search.chunk_count.asked and not add_chunk(search):
        return OUT_OF_MEMORY
    if index_is_half_full(index, search.count) and not grow_index(search):
        return OUT_OF_MEMORY
    return RUNNING if node.next else SOLVED


cdef inline Status move(Search* search, const Node* here, int32_t number, int card, int kind) noexcept nogil:
    """Propose the position after a move, or see whether it is the one that is sought."""
    cdef Node* node = node_at(search, search.count)
    node[0] = here[0]
    node.parent = number
    node.card = <uint8_t>card
    node.kind = <uint8_t>kind
    if kind & LAST == HOME:
        send_home(&search.columns, node, card)
    elif kind & LAST != NONE:
        lift(&search.columns, node, card)
        place(node, card, kind & LAST)
    if search.sought:
        if node.card != search.sought.card or node.kind != search.sought.kind:
            return RUNNING
        send_home_safely(search, node)
        return SOLVED if same(node, search.sought) else RUNNING
    return propose(search, node)


cdef inline int card_below(const Columns* columns, const Node* node, int card) noexcept nogil:
    """The card below one in a column, or NO_CODE."""
    cdef Cards bit = card_bit(card)
    if node.on[0] & bit:
        return (card & ~1) + 2
    if node.on[1] & bit:
        return (card & ~1) + 3
    return columns.below[card] if node.top & bit else NO_CODE


cdef inline Status build_on(
    Search* search, const Node* here, int32_t number, int parent, Cards cards
) noexcept nogil:
    """Propose the positions after one of the cards has been built on a parent."""
    cdef Status status = RUNNING
    cards &= builders(card_bit(parent), parent & 1)
    while cards and status == RUNNING:
        status = move(search, here, number, trailing_zeros(cards), AFTER | ON_0 + (parent & 1))
        cards &= cards - 1
    return status


cdef Status use_column(Search* search, int32_t number) noexcept nogil:
    """Propose the positions after one move for which the cards of a column have been put aside: case 2 of A5."""
    cdef const Columns* columns = &search.columns
    cdef const Aside* aside = &search.aside[search.aside_count - 1]
    cdef const Node* here = &aside.node
    cdef Cards ends = free_cards(here)
    cdef Cards cards = ends | here.cell
    cdef int below = aside.below
    cdef int side
    cdef Status status = RUNNING
    if below == NO_CODE:
        return move(search, here, number, aside.card, AFTER | NONE)
    if here.next & card_bit(below):
        status = move(search, here, number, below, AFTER | HOME)
    for side in range(2):
        if status == RUNNING and builders(ends, side) & card_bit(below):
            status = move(search, here, number, below, AFTER | ON_0 + side)
    if status == RUNNING:
        # The card that lay there does not go back (A5).
        status = build_on(search, here, number, below, cards & ~card_bit(aside.card))
    if status == RUNNING and aside.kind == INTO_COLUMN:
        status = build_on(search, here, number, aside.card, cards)
    if status == RUNNING and here.used < columns.cells and here.open > here.based:
        # A1: a base does not go into another column.
        if columns.fillers & ~here.base & card_bit(below):
            status = move(search, here, number, below, AFTER | INTO_COLUMN)
    return status


cdef Status use_both(Search* search, int32_t number, const Aside* first) noexcept nogil:
    """Propose the positions after one move for which the cards of two columns have been put aside: case 3 of A5."""
    cdef const Aside* second = &search.aside[search.aside_count - 1]
    cdef const Node* here = &second.node
    cdef Cards first_below = card_bit(first.below)
    cdef Cards second_below
    cdef Status status = RUNNING
    if second.below == NO_CODE:
        return RUNNING  # A5: an empty column needs no other column.
    second_below = card_bit(second.below)
    status = build_on(search, here, number, second.below, first_below)
    if status == RUNNING:
        status = build_on(search, here, number, first.below, second_below)
    if status == RUNNING and second.kind == INTO_COLUMN:
        status = build_on(search, here, number, second.card, first_below)
    if status == RUNNING and first.kind == INTO_COLUMN:
        status = build_on(search, here, number, first.card, second_below)
    return status


cdef Status clear_column(
    Search* search, const Node* here, int32_t number, int card, Cards others, const Aside* first
) noexcept nogil:
    """Propose the positions after cards from the end of a column have been put aside, and one move that needs it.

    If `first` is the last card put aside from another column, it must need that as well; if it is NULL,
    `others` are the ends of the columns of which cards are put aside next.
    """
    cdef const Columns* columns = &search.columns
    cdef int bottom = search.aside_count
    cdef Aside* aside
    cdef Cards bits
    cdef int kind
    cdef Status status
    while True:
        if here.used < columns.cells:
            kind = INTO_CELL
        elif here.open > here.based and columns.fillers & ~here.base & card_bit(card):
            kind = INTO_COLUMN  # but for a base (A1)
        else:
            break
        search.effort += 1
        aside = &search.aside[search.aside_count]
        search.aside_count += 1
        aside.card = card
        aside.kind = kind
        aside.below = card_below(columns, here, card)
        aside.node = here[0]
        lift(columns, &aside.node, card)
        place(&aside.node, card, kind)
        status = use_both(search, number, first) if first else use_column(search, number)
        if status != RUNNING:
            return status
        card = aside.below
        if card == NO_CODE:
            break  # A5: an empty column is all they are put aside for.
        here = &aside.node
        # A5: cards of two columns at most, and it does not matter which of them comes first.
        bits = 0 if first else others
        while bits:
            status = clear_column(search, here, number, trailing_zeros(bits), 0, aside)
            if status != RUNNING:
                return status
            bits &= bits - 1
        if here.top & columns.stuck & card_bit(card):
            break  # A2
    search.aside_count = bottom
    return RUNNING


cdef Status clear_columns(Search* search, int32_t number, const Node* here) noexcept nogil:
    """Propose the positions after cards of one or two columns have been put aside, and one move that needs it (A5)."""
    cdef Cards ends = free_cards(here) & ~(here.top & search.columns.stuck)  # A2
    cdef int card
    cdef Status status = RUNNING
    search.aside_count = 0
    while ends and status == RUNNING:
        card = trailing_zeros(ends)
        ends &= ends - 1
        status = clear_column(search, here, number, card, ends, NULL)
    return status


cdef inline int run_length(const Node* node, Cards covered, int card) noexcept nogil:
    """How many cards there are in the run from a card to the end of its column."""
    cdef int length = 1
    cdef int pair
    while covered & card_bit(card):
        pair = (card & ~1) - 2
        card = pair + (not node.on[card & 1] >> pair & 1)
        length += 1
    return length


cdef Status expand(Search* search, int32_t number) noexcept nogil:
    """Propose all positions one move away: in a narrow phase some of them, else those of A5."""
    cdef const Columns* columns = &search.columns
    cdef Node here = node_at(search, number)[0]
    cdef Cards covered = covered_cards(here.on[0], here.on[1])
    cdef Cards in_columns = here.top | here.on[0] | here.on[1] | here.base
    cdef Cards ends = in_columns & ~covered
    cdef Cards bits
    cdef int cells = columns.cells - here.used
    cdef int empty = here.open - here.based
    cdef int on_parent = cells + 1
    cdef int into_column = on_parent
    cdef int card, side
    cdef Status status
    if columns.any_fill:
        on_parent <<= empty
        into_column = on_parent >> 1
    bits = here.next & (here.cell | ends)
    while bits:
        status = move(search, &here, number, trailing_zeros(bits), HOME)
        if status != RUNNING:
            return status
        bits &= bits - 1
    for side in range(2):
        bits = builders(ends, side) & (in_columns | here.cell) & ~(here.top & columns.stuck)  # A2
        while bits:
            card = trailing_zeros(bits)
            bits &= bits - 1
            # A4
            if run_length(&here, covered, card) <= on_parent:
                status = move(search, &here, number, card, ON_0 + side)
                if status != RUNNING:
                    return status
    if cells and search.phase.narrow:
        bits = here.top & ends & ~columns.stuck  # A2
        while bits:
            status = move(search, &here, number, trailing_zeros(bits), INTO_CELL)
            if status != RUNNING:
                return status
            bits &= bits - 1
    if empty:
        bits = here.cell
        if search.phase.narrow:
            bits |= here.top
        elif cells:
            bits |= ends & ~here.base  # A1; without a cell it is put aside there (A5).
        bits &= columns.fillers
        while bits:
            card = trailing_zeros(bits)
            bits &= bits - 1
            # A4
            if run_length(&here, covered, card) <= into_column:
                status = move(search, &here, number, card, INTO_COLUMN)
                if status != RUNNING:
                    return status
    return RUNNING if search.phase.narrow else clear_columns(search, number, &here)


# The search

cdef void choose_phase(Phase* phase, int number) noexcept nogil:
    """The phases one after the other.  All numbers were found by trying them on deals."""
    cdef Weights digging = Weights(36, 28, 32, 44, 21, 6, -3, 14, -12, 0, -15, -4, 9, 0, 5, 15)
    cdef Weights homeward = Weights(54, 51, 25, 83, 16, 1, 13, 6, -33, 11, -31, -20, 37, 36, 7, 24)
    cdef Weights mixed = Weights(33, 18, 36, 37, 9, 14, 3, 8, 3, 0, 3, 0, 0, 2, -2, -3)
    if number == 0:
        phase[0] = Phase(200, digging, True, False, 10)
    elif number == 1:
        phase[0] = Phase(300, homeward, True, False, 0)
    elif number == 2:
        phase[0] = Phase(600, mixed, True, False, 40)
    elif number == 3:
        phase[0] = Phase(3000, digging, True, False, 120)
    elif number == 4:
        phase[0] = Phase(20000, digging, True, True, 80)
    else:
        phase[0] = Phase(<int64_t>1 << 62, mixed, False, True, 250)


cdef Status begin_phase(Search* search, int number) noexcept nogil:
    """Begin anew at the start."""
    cdef Node* node
    choose_phase(&search.phase, number)
    search.number = number
    search.phase_end = search.nodes + search.phase.nodes
    search.count = 0
    search.relaxing = False
    queue_clear(&search.queue, BUCKETS)
    index_clear(&search.index)
    node = node_at(search, 0)
    node[0] = search.start
    return propose(search, node)


cdef inline int32_t take(Search* search) noexcept nogil:
    """The most promising node, or NO_ITEM."""
    cdef int32_t number = queue_first(&search.queue, BUCKETS)
    if number != NO_ITEM:
        queue_drop_first(&search.queue, node_at(search, number).waiting)
    return number


cdef inline Verdict look_ahead(Search* search, const Node* node) noexcept nogil:
    """Begin the relaxed game from a node."""
    return begin_relaxed(
        &search.relaxed, &search.columns, node.top, node.next, node.cell | node.on[0] | node.on[1] | node.base
    )


cdef Status run(Search* search, int64_t budget) noexcept nogil:
    """Search on until the answer is known or so many nodes are done, or fewer if they take long."""
    cdef int64_t end = search.nodes + budget
    cdef int64_t effort_end = search.effort + EFFORT * budget
    cdef int64_t before
    cdef Verdict verdict
    cdef Status status
    while search.nodes < end and search.effort < effort_end:
        verdict = ALIVE
        if search.relaxing:
            budget = min(end, search.most_nodes) - search.nodes
            before = budget
            verdict = decide_relaxed(&search.relaxed, &search.columns, &budget)
            search.nodes += before - budget
            search.phase_end += before - budget
            if verdict == UNKNOWN and search.nodes >= search.most_nodes:
                return OUT_OF_NODES
        elif (search.phase.prune or search.tight) and not search.start_alive:
            search.here = -1
            verdict = look_ahead(search, &search.start)
        else:
            search.here = take(search) if search.nodes < search.phase_end else NO_ITEM
            if search.here < 0:
                if search.nodes < search.phase_end and not search.phase.narrow:
                    return IMPOSSIBLE  # A6
                status = begin_phase(search, search.number + 1)
                if status != RUNNING:
                    return status
                continue
            if search.phase.prune:
                verdict = look_ahead(search, node_at(search, search.here))
        search.relaxing = verdict == UNKNOWN
        if verdict == NO_ROOM:
            return OUT_OF_MEMORY
        if verdict == ALIVE:
            if search.here < 0:
                search.start_alive = True
                continue
            if search.nodes >= search.most_nodes:
                return OUT_OF_NODES
            search.nodes += 1
            status = expand(search, search.here)
            if status != RUNNING:
                return status
        elif verdict == DEAD and search.here < 0:
            return IMPOSSIBLE  # A8; another dead node is left out.
    return RUNNING


cdef Status begin(Search* search) noexcept nogil:
    """Take up a position; what an earlier search left is overwritten or out of date by its generation."""
    cdef Columns* columns = &search.columns
    cdef Node* start = &search.start
    cdef Cards bits
    read_columns(columns, &search.rules, &search.position)
    clear_classes(&search.relaxed.classes)
    search.relaxed.lower = search.lower
    search.relaxed.lowest = search.lowest
    search.sought = NULL
    search.effort = 0
    search.nodes = 0
    search.start_alive = False
    search.tight = not columns.any_fill or columns.cells < 4
    memset(start, 0, sizeof(Node))
    start.top = columns.top
    start.next = columns.next
    start.cell = columns.cell
    start.on[0] = columns.on[0]
    start.on[1] = columns.on[1]
    start.base = columns.base
    start.left = <int8_t>columns.left
    start.wrong = <int8_t>columns.wrong
    start.open = <int8_t>columns.open
    start.used = <int8_t>count_few(start.cell)
    start.based = <int8_t>count_few(start.base)
    start.home = <int8_t>(4 * columns.ranks)
    start.parent = -1
    bits = start.next
    while bits:
        start.home -= <int8_t>(columns.ranks - rank_of(trailing_zeros(bits)))
        bits &= bits - 1
    return begin_phase(search, 0)


# The moves of a win

cdef inline int card_of(int code) noexcept nogil:
    return rank_of(code) << 2 | suit_of(code)


cdef bint play_out(Line* line, int code, int kind) noexcept nogil:
    """Make one move of the search on the real position."""
    if kind == NONE:
        return True
    if kind == HOME:
        return line_move(line, card_of(code), TO_FOUNDATION, NO_CARD)
    if kind == INTO_CELL:
        return line_move(line, card_of(code), TO_CELL, NO_CARD)
    if kind == INTO_COLUMN:
        return line_move(line, card_of(code), TO_COLUMN, NO_CARD)
    return line_move(line, card_of(code), TO_CARD, card_of((code & ~1) + 2 + kind))


cdef bint go_home(Line* line) noexcept nogil:
    """Make all safe home moves on the real position."""
    cdef MoveCode code = safe_home_move(&line.rules, &line.position)
    while code:
        if not line_play(line, move_source(code), FOUNDATION, 1):
            return False
        code = safe_home_move(&line.rules, &line.position)
    return True


cdef bint play_aside(Search* search, const Node* node) noexcept nogil:
    """Make the moves before the last one that has led to a node."""
    cdef int k
    search.sought = node
    clear_columns(search, node.parent, node_at(search, node.parent))
    search.sought = NULL
    for k in range(search.aside_count):
        if not play_out(&search.line, search.aside[k].card, search.aside[k].kind):
            return False
    return True


cdef Status play_line(Search* search) noexcept nogil:
    """Play the line that leads to the last node."""
    cdef int32_t number = search.count - 1
    cdef int32_t parent, following_one = -1
    cdef const Node* node
    cdef Line* line = &search.line
    while number >= 0:
        parent = node_at(search, number).parent
        node_at(search, number).waiting = following_one
        following_one = number
        number = parent
    line_begin(line, &search.rules, &search.position)
    if not go_home(line):
        return line.status
    number = node_at(search, following_one).waiting
    while number >= 0:
        node = node_at(search, number)
        if node.kind & AFTER and not play_aside(search, node):
            return line.status
        if not play_out(line, node.card, node.kind & LAST) or not go_home(line):
            return line.status
        number = node.waiting
    return SOLVED if won(&line.rules, &line.position) else BROKEN


cdef bint allocate(Search* search, Memory* memory) noexcept nogil:
    """Make every array at its first size; False if there is no memory for it."""
    memset(memory, 0, sizeof(Memory))
    search.memory = memory
    read_safety(search.lower, search.lowest)
    if not array_make(memory, <void**>&search.chunks, &search.chunk_room, FIRST_CHUNKS, sizeof(Node*)):
        return False
    search.chunks[0] = <Node*>memory_resize(memory, NULL, 0, CHUNK * sizeof(Node))
    if not search.chunks[0]:
        return False
    room_open(memory, &search.chunk_count, 1, 1)
    if not (
        index_make(&search.index, memory, FIRST_SLOTS)
        and line_make(&search.line, memory)
        and make_classes(&search.relaxed.classes, memory)
    ):
        return False
    memory.first = memory.held
    return True


cdef void release(Search* search) noexcept nogil:
    """Free every array, whether there is one or not."""
    cdef int32_t i
    for i in range(search.chunk_count.held):
        free(search.chunks[i])
    free(search.chunks)
    free(search.index.slots)
    line_free(&search.line)
    free(search.relaxed.classes.slots)
    memset(search, 0, sizeof(Search))


@cython.final
cdef class AlternateColorEngine(Engine):
    """Decides alternate-colour games with single-card rules, whatever fills empty columns."""

    cdef Search search

    def __cinit__(self):
        memset(&self.search, 0, sizeof(Search))
        if not allocate(&self.search, &self.account):
            raise MemoryError

    def __dealloc__(self):
        release(&self.search)

    cdef bint decides(self, const RuleTable* rules) noexcept nogil:
        return rules.build == ALTERNATE_COLOR and rules.group != GROUP_UNLIMITED

    cdef bint renew(self) noexcept nogil:
        release(&self.search)
        return allocate(&self.search, &self.account)

    cdef Status take_up(self, const RuleTable* rules, const Position* position, int64_t max_nodes) noexcept nogil:
        self.search.most_nodes = max_nodes
        self.search.rules = rules[0]
        self.search.position = position[0]
        return begin(&self.search)

    cdef Status go_on(self, int64_t effort) noexcept nogil:
        return run(&self.search, effort)

    cdef Status build(self, int64_t effort) noexcept nogil:
        return play_line(&self.search)

    cdef const MoveCode* codes(self, int* count) noexcept nogil:
        count[0] = self.search.line.count
        return self.search.line.moves

    cdef int64_t count_nodes(self) noexcept nogil:
        return self.search.nodes
