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
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from baker._core cimport (
    ALTERNATE_COLOR, GROUP_UNLIMITED, MAX_CELLS, MAX_COLUMNS, SUITS, MoveCode, Position, RuleTable, won,
)
from baker.engines.alternate_color.columns cimport (
    NO_CODE, Columns, Safety, builders, class_key, covered_cards, rank_of, read_columns, read_safety,
)
from baker.engines.alternate_color.moves cimport play_move, play_safe_home_moves
from baker.engines.alternate_color.nodes cimport (
    AFTER, HOME, INTO_CELL, INTO_COLUMN, LAST, NO_MOVE, ON_0, Node, card_below, end_cards, is_same, lift, node_hash,
    put_down, run_length, send_home, send_home_safely,
)
from baker.engines.alternate_color.relaxed cimport (
    ALIVE, DEAD, NO_ROOM, UNKNOWN, Class, ClassState, Relaxed, classes_clear, classes_find, classes_make, class_add,
    class_state, relaxed_begin, relaxed_go_on,
)
from baker.engines.alternate_color.values cimport Weights, value_of
from baker.engines.base cimport BROKEN, IMPOSSIBLE, OUT_OF_MEMORY, OUT_OF_NODES, RUNNING, SOLVED, Engine, Status
from baker.engines.lib.bucket_queue cimport (
    MOST_BUCKETS, NO_ITEM, BucketQueue, queue_clear, queue_drop_first, queue_first, queue_push,
)
from baker.engines.lib.card_sets cimport Cards, card_bit, count_few, leading_zeros_32, trailing_zeros
from baker.engines.lib.hash_index cimport (
    Index, index_add, index_clear, index_double, index_is_half_full, index_make, index_put, slot_is_used, slot_may_hold,
    slot_number,
)
from baker.engines.lib.memory cimport Memory, Room, array_double, array_make, memory_ask, memory_resize, room_open
from baker.engines.lib.replay cimport Line, line_begin, line_free, line_make

cdef enum:
    BUCKETS = MOST_BUCKETS
    CHUNK_BITS = 12
    CHUNK = 1 << CHUNK_BITS
    FIRST_SLOTS = 1 << 13
    FIRST_CHUNKS = 64
    MAX_ASIDE = MAX_CELLS + MAX_COLUMNS
    EFFORT = 8              # cards put aside that may take as long as a node
    START = -2              # in place of the number of a node: the start

# A card put aside, where, and the position then.
ctypedef struct Aside:
    Node node
    int card
    int kind
    int below               # the card that lay below it, or NO_CODE

ctypedef struct Phase:
    int64_t nodes           # before the next phase
    Weights weights
    bint narrow
    bint prune              # whether dead classes are left out
    int crowd               # how far a position is put off when the count of its class doubles

ctypedef struct Search:
    Memory* memory
    Columns columns
    Safety safety
    Relaxed relaxed
    int64_t nodes
    int64_t most_nodes
    # The phase.
    int number
    Phase phase
    int64_t phase_end
    bint relaxing           # the relaxed game is played from here:
    int32_t here            # a node, or START
    bint often_lost         # deals of these rules are, so the relaxed game of the start comes first
    bint start_alive        # the class of the start is
    Node start
    # Nodes, in chunks that never move.
    Node** chunks
    Room chunk_room         # of the array of chunks
    Room chunk_count
    int32_t count
    Index index
    BucketQueue queue
    # Cards put aside from one or two columns, one after the other.
    Aside aside[MAX_ASIDE]
    int aside_count
    int64_t effort          # how many cards have been put aside
    # The line that wins.
    const Node* sought      # the node to find the moves of
    RuleTable rules
    Position position
    Line line


cdef inline Node* node_at(const Search* search, int32_t number) noexcept nogil:
    return &search.chunks[number >> CHUNK_BITS][number & (CHUNK - 1)]


# Nodes

cdef bint grow_index(Search* search) noexcept nogil:
    """Room for twice as many nodes in the index; False if memory is out."""
    cdef int32_t number
    cdef bint emptied
    if not index_double(&search.index, search.memory, &emptied):
        return False
    for number in range(search.count if emptied else 0):
        index_add(&search.index, node_hash(node_at(search, number)), number)
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


cdef inline int32_t take_node(Search* search) noexcept nogil:
    """The most promising node, or NO_ITEM."""
    cdef int32_t number = queue_first(&search.queue, BUCKETS)
    if number != NO_ITEM:
        queue_drop_first(&search.queue, node_at(search, number).waiting)
    return number


cdef inline Status propose(Search* search, Node* node) noexcept nogil:
    """Make the safe home moves of a new node, which lies behind the last one, and keep it if it is new.

    SOLVED if it is a win, which then is the last node.
    """
    cdef Index* index = &search.index
    cdef uint64_t h, i
    cdef int value
    cdef Class* found
    send_home_safely(&search.columns, &search.safety, node)
    h = node_hash(node)
    i = h & index.mask
    # A1: a position that is kept already needs no second node.
    while slot_is_used(index, i):
        if slot_may_hold(index, i, h) and is_same(node, node_at(search, slot_number(index, i))):
            return RUNNING
        i = (i + 1) & index.mask
    value = value_of(&search.columns, &search.phase.weights, node)
    if search.phase.crowd:
        found = classes_find(&search.relaxed.classes, class_key(node.top, node.next))
        if not found:
            return OUT_OF_MEMORY
        if search.phase.prune and class_state(found) == DEAD:
            return RUNNING  # A8
        value += search.phase.crowd * (31 - leading_zeros_32(class_add(found, search.number)))
    index_put(index, i, h, search.count)
    node.waiting = queue_push(&search.queue, BUCKETS, max(0, value), search.count)
    search.count += 1
    if search.count & (CHUNK - 1) == 0 and search.count >> CHUNK_BITS == search.chunk_count.asked:
        if not add_chunk(search):
            return OUT_OF_MEMORY
    if index_is_half_full(index, search.count) and not grow_index(search):
        return OUT_OF_MEMORY
    return RUNNING if node.next else SOLVED


# Moves

cdef inline Status propose_move(Search* search, const Node* here, int32_t number, int card, int kind) noexcept nogil:
    """Propose the position after a move, or see whether it is the one that is sought, which is SOLVED then."""
    cdef Node* node = node_at(search, search.count)
    node[0] = here[0]
    node.parent = number
    node.card = <uint8_t>card
    node.kind = <uint8_t>kind
    if kind & LAST == HOME:
        send_home(&search.columns, node, card)
    elif kind & LAST != NO_MOVE:
        lift(&search.columns, node, card)
        put_down(node, card, kind & LAST)
    if search.sought:
        if node.card != search.sought.card or node.kind != search.sought.kind:
            return RUNNING
        send_home_safely(&search.columns, &search.safety, node)
        return SOLVED if is_same(node, search.sought) else RUNNING
    return propose(search, node)


cdef inline Status move_each(
    Search* search, const Node* here, int32_t number, Cards cards, int kind
) noexcept nogil:
    """Propose the positions after one of the cards has been moved."""
    cdef Status status
    while cards:
        status = propose_move(search, here, number, trailing_zeros(cards), kind)
        if status != RUNNING:
            return status
        cards &= cards - 1
    return RUNNING


# Cards put aside

cdef inline Status build_on(
    Search* search, const Node* here, int32_t number, int parent, Cards cards
) noexcept nogil:
    """Propose the positions after one of the cards has been built on a parent, for which cards were put aside."""
    cdef int side = parent & 1
    return move_each(search, here, number, cards & builders(card_bit(parent), side), AFTER | ON_0 + side)


cdef Status use_column(Search* search, int32_t number) noexcept nogil:
    """Propose the positions after one move for which the cards of a column have been put aside: case 2 of A5."""
    cdef const Columns* columns = &search.columns
    cdef const Aside* aside = &search.aside[search.aside_count - 1]
    cdef const Node* here = &aside.node
    cdef Cards ends = end_cards(here)
    cdef Cards cards = ends | here.cell
    cdef int below = aside.below
    cdef int side
    cdef Status status = RUNNING
    if below == NO_CODE:
        return propose_move(search, here, number, aside.card, AFTER | NO_MOVE)
    if here.next & card_bit(below):
        status = propose_move(search, here, number, below, AFTER | HOME)
    for side in range(2):
        if status == RUNNING and builders(ends, side) & card_bit(below):
            status = propose_move(search, here, number, below, AFTER | ON_0 + side)
    if status == RUNNING:
        # The card that lay there does not go back (A5).
        status = build_on(search, here, number, below, cards & ~card_bit(aside.card))
    if status == RUNNING and aside.kind == INTO_COLUMN:
        status = build_on(search, here, number, aside.card, cards)
    if status == RUNNING and here.used < columns.cells and here.open > here.based:
        # A1: a base does not go into another column.
        if columns.fillers & ~here.base & card_bit(below):
            status = propose_move(search, here, number, below, AFTER | INTO_COLUMN)
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
        put_down(&aside.node, card, kind)
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
    cdef Cards ends = end_cards(here) & ~(here.top & search.columns.stuck)  # A2
    cdef int card
    cdef Status status = RUNNING
    search.aside_count = 0
    while ends and status == RUNNING:
        card = trailing_zeros(ends)
        ends &= ends - 1
        status = clear_column(search, here, number, card, ends, NULL)
    return status


# All moves of a node

cdef inline Status move_runs(
    Search* search, const Node* here, int32_t number, Cards cards, Cards covered, int kind, int longest
) noexcept nogil:
    """Propose the positions after one of the cards has been moved with what lies on it, up to `longest` cards (A4)."""
    cdef int card
    cdef Status status
    while cards:
        card = trailing_zeros(cards)
        cards &= cards - 1
        if run_length(here, covered, card) <= longest:
            status = propose_move(search, here, number, card, kind)
            if status != RUNNING:
                return status
    return RUNNING


cdef Status expand(Search* search, int32_t number) noexcept nogil:
    """Propose all positions one move away: in a narrow phase some of them, else those of A5."""
    cdef const Columns* columns = &search.columns
    cdef Node here = node_at(search, number)[0]
    cdef bint narrow = search.phase.narrow
    cdef Cards in_columns = here.top | here.on[0] | here.on[1] | here.base
    cdef Cards covered = covered_cards(here.on[0], here.on[1])
    cdef Cards ends = in_columns & ~covered
    cdef Cards stuck = here.top & columns.stuck
    cdef Cards cards
    cdef int cells = columns.cells - here.used
    cdef int empty = here.open - here.based
    cdef int on_parent = cells + 1
    cdef int into_column = on_parent
    cdef int side
    cdef Status status
    if columns.any_fill:
        on_parent <<= empty
        into_column = on_parent >> 1
    status = move_each(search, &here, number, here.next & (here.cell | ends), HOME)
    for side in range(2):
        if status == RUNNING:
            cards = builders(ends, side) & (in_columns | here.cell) & ~stuck  # A2
            status = move_runs(search, &here, number, cards, covered, ON_0 + side, on_parent)
    if status == RUNNING and cells and narrow:
        status = move_each(search, &here, number, here.top & ends & ~stuck, INTO_CELL)  # A2
    if status == RUNNING and empty:
        cards = here.cell
        if narrow:
            cards |= here.top
        elif cells:
            cards |= ends & ~here.base  # A1; without a cell it is put aside there (A5).
        status = move_runs(search, &here, number, cards & columns.fillers, covered, INTO_COLUMN, into_column)
    return clear_columns(search, number, &here) if status == RUNNING and not narrow else status


# Phases

cdef void choose_phase(Phase* phase, int number) noexcept nogil:
    """The phases one after the other.  All numbers were found by trying them on deals."""
    cdef Weights digging = Weights(
        home=36, left=28, used=32, empty=44, above_next=21, wrong=6, above_second=-3, tight=14, based=-12, covered=0,
        buried=-15, above_third=-4, no_column=9, no_cell=0, few_cells=5, built=15,
    )
    cdef Weights homeward = Weights(
        home=54, left=51, used=25, empty=83, above_next=16, wrong=1, above_second=13, tight=6, based=-33, covered=11,
        buried=-31, above_third=-20, no_column=37, no_cell=36, few_cells=7, built=24,
    )
    cdef Weights mixed = Weights(
        home=33, left=18, used=36, empty=37, above_next=9, wrong=14, above_second=3, tight=8, based=3, covered=0,
        buried=3, above_third=0, no_column=0, no_cell=2, few_cells=-2, built=-3,
    )
    if number == 0:
        phase[0] = Phase(nodes=200, weights=digging, narrow=True, prune=False, crowd=10)
    elif number == 1:
        phase[0] = Phase(nodes=300, weights=homeward, narrow=True, prune=False, crowd=0)
    elif number == 2:
        phase[0] = Phase(nodes=600, weights=mixed, narrow=True, prune=False, crowd=40)
    elif number == 3:
        phase[0] = Phase(nodes=3000, weights=digging, narrow=True, prune=False, crowd=120)
    elif number == 4:
        phase[0] = Phase(nodes=20000, weights=digging, narrow=True, prune=True, crowd=80)
    else:
        phase[0] = Phase(nodes=<int64_t>1 << 62, weights=mixed, narrow=False, prune=True, crowd=250)


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


# The search

cdef inline ClassState look_ahead(Search* search, const Node* node) noexcept nogil:
    """Begin the relaxed game from a node."""
    return relaxed_begin(
        &search.relaxed, &search.columns, node.top, node.next, node.cell | node.on[0] | node.on[1] | node.base
    )


cdef ClassState go_on_relaxed(Search* search, int64_t budget) noexcept nogil:
    """Go on with the relaxed game, each class of which is a node."""
    cdef int64_t before = budget
    cdef ClassState state = relaxed_go_on(&search.relaxed, &search.columns, &budget)
    search.nodes += before - budget
    search.phase_end += before - budget
    return state


cdef Status take_up_node(Search* search, ClassState* state) noexcept nogil:
    """Take the next node, or begin the next phase if there is none, and look at its class if the phase prunes."""
    state[0] = ALIVE
    search.here = take_node(search) if search.nodes < search.phase_end else NO_ITEM
    if search.here != NO_ITEM:
        if search.phase.prune:
            state[0] = look_ahead(search, node_at(search, search.here))
        return RUNNING
    if search.nodes < search.phase_end and not search.phase.narrow:
        return IMPOSSIBLE  # A6
    return begin_phase(search, search.number + 1)


cdef Status run(Search* search, int64_t budget) noexcept nogil:
    """Search on until the answer is known or `budget` nodes are done, or fewer if they take long."""
    cdef int64_t end = search.nodes + budget
    cdef int64_t effort_end = search.effort + EFFORT * budget
    cdef ClassState state
    cdef Status status = RUNNING
    while status == RUNNING and search.nodes < end and search.effort < effort_end:
        if search.relaxing:
            state = go_on_relaxed(search, min(end, search.most_nodes) - search.nodes)
            if state == UNKNOWN and search.nodes >= search.most_nodes:
                return OUT_OF_NODES
        elif (search.phase.prune or search.often_lost) and not search.start_alive:
            search.here = START
            state = look_ahead(search, &search.start)
        else:
            status = take_up_node(search, &state)
            if search.here == NO_ITEM:
                continue
        search.relaxing = state == UNKNOWN
        if state == NO_ROOM:
            return OUT_OF_MEMORY
        if search.here == START:
            if state == DEAD:
                return IMPOSSIBLE  # A8
            search.start_alive = state == ALIVE
        elif state == ALIVE:
            # A8: a node whose class is dead is left out.
            if search.nodes >= search.most_nodes:
                return OUT_OF_NODES
            search.nodes += 1
            status = expand(search, search.here)
    return status


cdef void read_start(Search* search) noexcept nogil:
    """Read the position that is to be decided."""
    cdef Columns* columns = &search.columns
    cdef Node* start = &search.start
    cdef Cards bits
    read_columns(columns, &search.rules, &search.position)
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
    start.home = <int8_t>(SUITS * columns.ranks)
    start.parent = -1
    bits = start.next
    while bits:
        start.home -= <int8_t>(columns.ranks - rank_of(trailing_zeros(bits)))
        bits &= bits - 1


cdef Status begin(Search* search) noexcept nogil:
    """Take up a position; what an earlier search left is overwritten or out of date by its generation."""
    read_start(search)
    classes_clear(&search.relaxed.classes)
    search.relaxed.safety = &search.safety
    search.sought = NULL
    search.effort = 0
    search.nodes = 0
    search.start_alive = False
    search.often_lost = not search.columns.any_fill or search.columns.cells < 4
    return begin_phase(search, 0)


# The moves of a win

cdef void find_aside(Search* search, const Node* node) noexcept nogil:
    """Find the cards that were put aside before the last move that has led to a node."""
    search.sought = node
    clear_columns(search, node.parent, node_at(search, node.parent))
    search.sought = NULL


cdef bint play_node(Search* search, const Node* node) noexcept nogil:
    """Make the moves that lead to a node from its parent."""
    cdef Line* line = &search.line
    cdef int k
    if node.kind & AFTER:
        find_aside(search, node)
        for k in range(search.aside_count):
            if not play_move(line, search.aside[k].card, search.aside[k].kind):
                return False
    return play_move(line, node.card, node.kind & LAST) and play_safe_home_moves(line)


cdef int32_t turn_path(Search* search) noexcept nogil:
    """Let each node on the path to the last one have the next one `waiting`; the first after the start, or -1."""
    cdef int32_t number = search.count - 1
    cdef int32_t next_one = -1
    cdef Node* node
    while number > 0:
        node = node_at(search, number)
        node.waiting = next_one
        next_one = number
        number = node.parent
    return next_one


cdef Status play_path(Search* search) noexcept nogil:
    """Play the line that leads to the last node."""
    cdef int32_t number = turn_path(search)
    cdef Line* line = &search.line
    line_begin(line, &search.rules, &search.position)
    if not play_safe_home_moves(line):
        return line.status
    while number >= 0:
        if not play_node(search, node_at(search, number)):
            return line.status
        number = node_at(search, number).waiting
    return SOLVED if won(&line.rules, &line.position) else BROKEN


# Memory, and the engine

cdef bint allocate(Search* search, Memory* memory) noexcept nogil:
    """Make every array at its first size; False if there is no memory for it."""
    memset(memory, 0, sizeof(Memory))
    search.memory = memory
    read_safety(&search.safety)
    if not array_make(memory, <void**>&search.chunks, &search.chunk_room, FIRST_CHUNKS, sizeof(Node*)):
        return False
    search.chunks[0] = <Node*>memory_resize(memory, NULL, 0, CHUNK * sizeof(Node))
    if not search.chunks[0]:
        return False
    room_open(memory, &search.chunk_count, 1, 1)
    if not (
        index_make(&search.index, memory, FIRST_SLOTS)
        and line_make(&search.line, memory)
        and classes_make(&search.relaxed.classes, memory)
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
        return play_path(&self.search)

    cdef const MoveCode* codes(self, int* count) noexcept nogil:
        count[0] = self.search.line.count
        return self.search.line.moves

    cdef int64_t count_nodes(self) noexcept nogil:
        return self.search.nodes
