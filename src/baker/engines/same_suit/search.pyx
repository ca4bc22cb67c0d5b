"""The search that decides same-suit games in which an emptied column takes any card, or kings.

Baker's Game with any number of cells, its kings-only form, Eight Off, Seahaven
Towers and same-suit Fore Cell are one game to it; so is Penguin, whose runs move whole.

**Why classes of positions suffice.**  A card has one parent, the next higher of
its suit, so sending a card home never hurts: the only card that could have been
built on it is home already.  Call a card *original* while it lies where the
search found it with only original cards below, *loose* once it has moved (a
card in place on its parent counts as loose as soon as everything above it is
gone).  A move of a loose card can be taken back; only *digs* (an original card
leaves its column) and home moves change a position for good.  The search
therefore runs over classes of positions with the same original cards, and since
every step lowers the number of original cards, or commits a column for good,
there are no cycles and a set of visited classes is all a proof of impossibility
needs.

**The state.**  `placed` is the set of loose cards that occupy a *place*: a cell,
or a column without original cards.  The other loose cards lie on their parents
(`attached`).  A placed card with something on it is a *head* and is in a
column; the rest are *single*, and which of them are in cells and which in
columns is not part of the state:

  Lemma S1.  Every distribution of the singles over the cells and the columns
  without heads can be reached, but for one pinned card.  Proof: while a place
  is free any single may move to it (when only kings fill columns: kings; the
  others are in cells anyway).  With no place free the last one taken could have
  been any of them.  Putting a card on a single commits that single to a
  column, the others stay undecided.  The exception: with one place free, the
  only card on a head is lifted into it; that head certainly stands in a
  column until a place is free again.  It is the `pin`.

With no free place, joining two singles is the one arrangement that cannot be
taken back, so it is a step of the search and never done in the normal form.

  Lemma S2.  Without an empty column the original cards alone name the class.
  Proof: nothing can be put on a card in a cell, and every card that can lie on
  its parent, an original card or one in a run on it, can be put there and be
  lifted again.

  Lemma S3.  The same holds when only kings fill columns and there is a column
  for every loose king.  Proof: then nothing competes for columns: each king has
  one, all other singles are in cells, and every card that can lie on its parent
  can be put there and be lifted again.

  Lemma S4.  With no free place the only steps are an exposed card onto an
  exposed parent, the joining of two singles and, where only kings fill columns,
  an exposed king into a column that no king needs.  Proof: every other move of a
  card needs a place.

**Steps go down to the next gain.**  A *gain* is a home move, a card onto its
parent, a column emptied, a king into an empty column.

  Lemma S5.  A class can be won exactly when one of these successors can: an
  arrangement of its loose cards, then digs into free places of only the cards
  above some card c and above its parent p, then one gain (c home, c onto p, a
  column emptied).  Proof: let g be the first gain of a winning line.  Make the
  line's moves of loose cards first, which only have more places free; of its
  digs keep those g needs, which fit as they did in the line; make g; make the
  digs left out, whose cards are bare and whose places are free.  The position
  of the line after g is reached, so the successor can be won.

Stopping early, with the cards dug so far displaced, is always allowed: deeper
digs start from there.

**Walks.**  Where the class is not named by its original cards alone (S2, S3) and a
place is free (S4), steps from the normal form may miss some.  Such a node is kept, and if the
search ends without a win the arrangements of every kept node are walked, those
with the fewest free places first, and steps taken from them.  Nothing is
called impossible before that is done.

Most arrangements add nothing.  Call a single *idle* if it could be put on its
parent, which is the top of a column of original cards or lies in a run, and its
child is not an original card that could be dug onto it: one under no more cards
than there could ever be free places.  Where only kings fill columns every single
with such a parent is idle, for nothing can be put on it in a cell.

  Lemma S6.  Steps need be taken only from arrangements without an idle single.
  Proof: let A have some, and let M be A with these put on their parents, again
  and again until there is none.  No head comes or goes by that.  A step of A digs
  cards that have nothing on them in A; M can lift what lies on them into the
  places it takes in A, dig the same cards and make the same gain, since no idle
  single is the parent the gain needs.  Lifting the rest of what was put on
  then gives the position to which the step of A leads: the places suffice, and
  no pin arises, for none of it lies on a placed card.  So if A's step leads to
  a win, M's does.

  Lemma S7.  All of these are met by a walk that does not lift the tail of a run
  on original cards if its child is an original card too deep to be dug onto it;
  unless only kings fill columns, it does lift it if the run is longer than one
  card and a column is open.  Proof: without idle singles the tail lies in the
  end on its parent again, in that run or in a part of it that stands in a column
  of its own.  In the first case leave out that it was lifted and put back:
  nothing lay on it or took its place, and more places stay free.  In the second
  there are two such cards or more, and no king among them; put off lifting them
  until just before the first of them is put on another, when a column is open.

**Where runs move whole** (`whole`) an original card moves onto its exposed parent,
or as a king into an empty column, with the run that lies on it, and that takes
no free place.  The search does this only where kings fill columns.  Then no
other move is new: a loose card that is no king lies on its only parent or, with
nothing on it, in a cell, and a loose king with its run only changes columns.  So
the arrangements of a class and the ways between them are those of single moves.
A king put with its run into a column, its own or one that another king has left
for a cell, counts as a gain.

  S1 holds: if the run takes the last free place, the king that went to the
  cell for it could have been any single.  S2, S3 and S7 speak of arrangements
  alone.  In S4 "an exposed card" becomes "a top with the run on it".
  S5: moves of loose cards and digs before the first gain g are single moves, as
  a run that moves whole makes a gain.  So what g needs is dug as in the proof, and
  only the run on the card c that moves may stay; where the line had lifted
  cards of it, lift them afterwards with the digs left out: their places are free.
  S6: what M has put on c goes with it, whole, and is lifted then; a head keeps
  what lay on it in A, so no pin arises.

  Lemma S8.  When a top can go, with what lies on it, onto an exposed parent that
  is no single or, where runs move whole, a king with its run into a column of its
  own, digging on in that column adds nothing.  Proof: a line that digs the card
  and its run into places is followed after the move by lifting the same cards.
  The parent is no head, so no pin comes of it; and a king with a column of its own
  has not to make way for another (S3).  A king that takes a column from another
  may have to: the last card lifted off it would pin it.  There the search digs on
  as well.

**The normal form** of a class is the arrangement that `settle` comes to.

  Lemma S9.  What `settle` does leads to an arrangement of the same class.  Proof: by
  its five rules.  (1) An original card alone in its column becomes a loose one
  there.  With a place free it could leave for that and come back (a king, where
  only kings fill columns); with something on it, it is a head, which stands in a
  column anyway; with a column for each loose king nothing tells the two apart
  (S3).  (2) A single goes onto its parent, which is no placed card; it can be
  lifted again into the place that it leaves, and no pin comes of it.  (3) With a
  place free a single goes onto a single in a column.  Lifted again it leaves a
  place free, so that there is no pin; with a column for each loose king a pin
  means nothing.  (4) A head goes with its run onto its parent, as many cards as can
  move as a group; going back into the column it left, it can use the same places
  and columns but that one.  If the parent is a single and no column is open, the
  run is lifted into the free places, the parent goes into the column and the
  run onto it; the way back takes as many places.  (5) A run in a column, of no more
  cards than there are free places, is lifted and a chain of singles, at least as
  long, stands there instead.  The chain frees one place for each of its cards but
  the first, so the way back has at least as many free places as the chain has
  cards.

  Lemma S10.  From a node that `needs_walk` says needs none no step is missed.  Proof:
  without a free place: S4.  Without an empty column: S2.  With nothing attached no
  card can be lifted, and the normal form has left nothing to be put on.  With one
  free place a walk can only lift one tail t into it: a card laid bare so takes t
  alone, and so the one thing to gain is that the child of t is dug onto it where t
  stands in a column.  Where only kings fill columns it does not.  There, without a
  head, every other arrangement has an idle single (S6).  With fewer loose kings than
  columns: S3.  With as many, S3 holds until an original king competes for a column,
  which it can before the next gain only if the cards above it and it itself fit
  into the free places but one, which the king that makes way needs.  (Where runs
  move whole the cards in place on it go with it.)

  Lemma S11.  The steps of `steps_to_gains` from an arrangement are all that S5 asks
  for.  Proof: going down a column, let N be the cards dug, x the top then and y the
  card laid bare, x or the tail of the run on it.  Some gain is next.  A home move:
  y goes home, for a card of N would have when it was bare; a stop (`gains`).  A card
  onto its parent: if it is a placed card or one of N that goes onto y, a stop; if it
  is x, one of the three steps, onto a parent that is exposed, may stand in an open
  column, or is buried in another column (in the same column the parent lies deeper,
  and x is one of N when it is laid bare); if one of N or a single goes onto another
  in an open column, a stop; if a card of another column goes onto one of N, that is
  a step from the other column, with its parent buried.  A column emptied: N was all
  of it, or x is its last card and may leave with its run; a stop.  A king into a
  column: it is x, or one of N; a step or a stop.  Beside gains, an open column may
  let a run on x move as a group, with fewer places than its cards need one by one;
  a stop.  Where none of these is, the next gain needs deeper digs in this column or
  comes from another.

  Lemma S12.  Restarts lose nothing: a class that was entered and is not on the stack
  is lost or kept for a walk.  Proof: steps lower the number of original cards or
  commit a column, so no class comes again below itself, and a class leaves the
  stack only after all its steps.  Those on the stack are marked as forgotten, and
  are entered again when they are met.

  Lemma S13.  From an arrangement with a pin only the step onto the lifted tail t is
  new.  Proof: no place is free, so a step puts an exposed card onto an exposed
  parent (S4).  Onto any card but t and the pinned one it can be made with t where it
  lay; onto the pinned card only t itself can go.
"""

cimport cython
from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

from baker._core cimport (
    FILL_ANY, FILL_KINGS, GROUP_UNLIMITED, MAX_CELLS, MAX_COLUMNS, SAME_SUIT, MoveCode, Position, RuleTable,
)
from baker.engines.base cimport IMPOSSIBLE, OUT_OF_MEMORY, OUT_OF_NODES, RUNNING, SOLVED, Engine, Status
from baker.engines.lib.hash_index cimport (
    Index, index_add, index_clear, index_double, index_is_half_full, index_make, index_put, slot_is_used, slot_may_hold,
    slot_number,
)
from baker.engines.lib.memory cimport Memory, Room, array_double, array_make, memory_freed, memory_grow
from baker.engines.lib.restarts cimport (
    ANY_NOISE, Restarts, random_begin, random_next, restarts_begin, restarts_pass,
)
from baker.engines.same_suit.columns cimport Columns, count_suits, read_columns, run_on
from baker.engines.same_suit.moves cimport Builder, advance_moves, begin_moves, free_builder, make_builder
from baker.engines.same_suit.state cimport (
    Loose, State, dig, group_limit, look, look_again, needs_walk, pop, send_home, settle, stuck, within_reach,
)
from baker.engines.lib.card_sets cimport Cards, card_bit, count_cards, count_few, trailing_zeros

cdef enum:
    PIN_SHIFT = 52              # above the cards of a placed set: the pinned card, plus one
    STEPS = 512                 # room for the steps from one arrangement: three a layer and one a pair at most
    FIRST_SLOTS = 4096
    FIRST_FRAMES = 64
    FIRST_ENTERED = 1024
    FIRST_ARRANGED = 1024
    FREE_MAX = MAX_CELLS + MAX_COLUMNS
    # Weights of the order in which steps are tried.
    PER_HOME = 10
    PER_ORIGINAL = 7
    PER_FREE = 14
    # Of restarts.
    FIRST_STRETCH = 100         # nodes before the first
    NOISE = 30                  # what each adds to the noise on scores
    ROOMY = 14                  # columns and cells from which on restarts pay, where kings fill columns

cdef Cards ALL_BUT_PIN = (<Cards>1 << PIN_SHIFT) - 1
cdef int64_t NEVER = <int64_t>1 << 62
# Set in `placed` of an entered class: its tops name it, or it was left unfinished.
cdef Cards BY_TOPS = <Cards>1 << 62
cdef Cards FORGOTTEN = <Cards>1 << 63

ctypedef struct Step:
    State state
    Loose loose
    Cards key                   # what names the class besides its tops
    uint64_t hash
    int score
    int32_t sorted              # of the steps from one node, the number of the one to take in this one's turn

# A class that was entered: the key by which it is found again, and how it was reached.
ctypedef struct Node:
    Cards top
    Cards placed                # with the pin above, and the bits BY_TOPS and FORGOTTEN
    int32_t parent
    int32_t kept                # the next node to walk with as many free places

ctypedef struct Frame:
    int32_t node
    int32_t base                # where the steps from this node begin
    int32_t next
    int32_t end

ctypedef struct Search:
    Columns columns
    bint kings_fill
    bint whole                  # runs move whole, whatever is free; only where kings fill columns
    int64_t nodes
    int64_t most_nodes
    # Steps waiting to be taken, those of the deepest node last.
    Step* steps
    int32_t step_count
    Room step_room
    Frame* frames
    int32_t depth
    Room frame_room
    # Classes entered.
    Node* entered
    int32_t entered_count
    Room entered_room
    Index index
    Restarts restarts
    uint64_t random
    int32_t kept[FREE_MAX + 1]  # heads of the lists of nodes to walk
    # The arrangements of the node that is walked.
    bint walking
    int32_t walk_node
    Cards reach                 # original cards that may be dug onto a single
    State walk_state
    Loose walk_loose
    Cards* arranged             # placed sets with the pin above
    int32_t arranged_count
    int32_t arranged_next
    Room arranged_room
    Index arranged_index
    Memory* memory
    # The moves of a win.
    Builder builder
    bint traced


# Classes entered

cdef inline Cards placed_key(Cards placed, int pin) noexcept nogil:
    return placed | <Cards>(pin + 1) << PIN_SHIFT


cdef inline uint64_t hash_key(Cards top, Cards key) noexcept nogil:
    cdef uint64_t x = top * <uint64_t>0x9E3779B97F4A7C15 ^ key
    x ^= x >> 32
    x *= <uint64_t>0xD6E8FEB86659FD93
    return x ^ x >> 32


cdef inline bint is_named_by_tops(
    bint kings_fill, const Columns* columns, const State* state, Cards cards
) noexcept nogil:
    """True if the original cards name the class (S2, S3), in which these cards are loose."""
    return state.empty == 0 or (kings_fill and count_suits(cards >> columns.king_shift) <= state.empty)


cdef inline void name(Step* step, bint by_tops) noexcept nogil:
    """Set the key and the hash of a step from what its class is to be called by."""
    step.key = BY_TOPS if by_tops else placed_key(step.state.placed, step.state.pin)
    step.hash = hash_key(step.state.top, step.key)


cdef inline bint is_entered(const Search* search, const Step* step) noexcept nogil:
    cdef const Index* index = &search.index
    cdef uint64_t i = step.hash & index.mask
    cdef Cards mask = BY_TOPS | FORGOTTEN if step.key == BY_TOPS else ~<Cards>0
    cdef const Node* node
    while slot_is_used(index, i):
        if slot_may_hold(index, i, step.hash):
            node = &search.entered[slot_number(index, i)]
            if node.top == step.state.top and node.placed & mask == step.key:
                return True
        i = (i + 1) & index.mask
    return False


cdef bint grow_index(Search* search) noexcept nogil:
    cdef const Node* node
    cdef int32_t i
    cdef bint emptied
    if not index_double(&search.index, search.memory, &emptied):
        return False
    for i in range(search.entered_count if emptied else 0):
        node = &search.entered[i]
        index_add(&search.index, hash_key(node.top, BY_TOPS if node.placed & BY_TOPS else node.placed), i)
    return True


cdef bint enter(Search* search, const Step* step, int32_t parent) noexcept nogil:
    """Note a class that has not been entered before; False if memory is out."""
    cdef Node* node
    if search.entered_count == search.entered_room.asked and not array_double(
        search.memory, <void**>&search.entered, &search.entered_room, sizeof(Node)
    ):
        return False
    if index_is_half_full(&search.index, search.entered_count) and not grow_index(search):
        return False
    node = &search.entered[search.entered_count]
    node.top = step.state.top
    node.placed = placed_key(step.state.placed, step.state.pin) | step.key & BY_TOPS
    node.parent = parent
    node.kept = -1
    index_add(&search.index, step.hash, search.entered_count)
    search.entered_count += 1
    return True


cdef void recall(const Search* search, int32_t number, State* state) noexcept nogil:
    """The state of an entered class, from its key."""
    cdef const Columns* columns = &search.columns
    cdef const Node* node = &search.entered[number]
    cdef Cards bits = node.top
    cdef int card
    state.top = node.top
    state.placed = node.placed & ALL_BUT_PIN
    state.pin = <int16_t>(<int>(node.placed >> PIN_SHIFT & 63) - 1)
    state.original = 0
    state.originals = 0
    state.placed_count = <int16_t>count_cards(state.placed)
    state.empty = <int16_t>(columns.count - count_cards(node.top))
    while bits:
        card = trailing_zeros(bits)
        bits &= bits - 1
        state.original |= columns.under[card]
        state.originals += columns.height[card]


# Steps
#
# `kings_fill` and `whole` are those of the search; they are arguments because the functions of `state.pxd` have no
# search.  `is_open` is a constant in each call of `steps_to_gains`, which so becomes two loops.  One loop for both
# would take 10.5 % more instructions in Baker's Game, 6.7 % in Seahaven Towers and Penguin.

cdef inline State* new_step(Search* search, const State* state, Cards placed, int added, int pin) noexcept nogil:
    """A copy of the state to dig in; `take_step` then settles it."""
    cdef State* copy = &search.steps[search.step_count].state
    copy[0] = state[0]
    copy.placed = placed
    copy.placed_count += added
    copy.pin = <int16_t>pin
    return copy


cdef void take_step(bint kings_fill, bint whole, Search* search, int base) noexcept nogil:
    """Settle the new step; keep it unless it leads nowhere or to a class that is known."""
    cdef const Columns* columns = &search.columns
    cdef Step* step = &search.steps[search.step_count]
    cdef State* state = &step.state
    cdef Step* other
    cdef Cards home = send_home(columns, state)
    cdef Cards cards = columns.deck & ~home & ~state.original
    cdef Cards lone = state.top & columns.bottom
    cdef bint by_tops
    cdef int i
    if kings_fill:
        lone &= columns.kings
    # S2, S3.  Where no column is about to lose its last original card the tops are those of the normal form.
    by_tops = not lone and is_named_by_tops(kings_fill, columns, state, cards)
    if by_tops:
        name(step, True)
        if is_entered(search, step):
            return
    if not settle(kings_fill, columns, state, &step.loose, cards):
        return
    if stuck(kings_fill, whole, columns, state, &step.loose):
        return                  # S4
    if not by_tops:
        name(step, is_named_by_tops(kings_fill, columns, state, step.loose.cards))
        if is_entered(search, step):
            return
    for i in range(base, search.step_count):
        other = &search.steps[i]
        if other.state.top == state.top and other.key == step.key:
            return
    step.score = PER_ORIGINAL * state.originals - PER_HOME * count_cards(home) - PER_FREE * step.loose.free
    if search.restarts.noise:
        step.score += <int>(<uint32_t>random_next(&search.random) % search.restarts.noise)
    search.step_count += 1


cdef inline void step_pop(
    bint kings_fill, bint whole, Search* search, int base,
    const State* state, int card, Cards placed, int added, int pin,
) noexcept nogil:
    """The step that takes away one layer more."""
    pop(&search.columns, new_step(search, state, placed, added, pin), card)
    take_step(kings_fill, whole, search, base)


cdef inline void steps_full(
    bint kings_fill, bint whole, Search* search, int base, const State* state, const Loose* loose
) noexcept nogil:
    """Steps with no free place, but for joins: tops onto exposed parents, kings into empty columns (S4)."""
    cdef const Columns* columns = &search.columns
    cdef Cards parents = state.top | loose.attached
    # What can leave its column: a top with a run on it only where runs move whole.
    cdef Cards movable = state.top if whole else state.top & ~(loose.attached << 4)
    cdef Cards bits
    cdef int card
    if loose.heads + (state.pin >= 0) < state.empty:
        parents |= loose.single & columns.kings if kings_fill else loose.single
    bits = movable & parents >> 4
    while bits:
        card = trailing_zeros(bits)
        bits &= bits - 1
        step_pop(kings_fill, whole, search, base, state, card, state.placed, 0, state.pin)
    if kings_fill and loose.kings < state.empty:
        bits = movable & columns.kings
        while bits:
            card = trailing_zeros(bits)
            bits &= bits - 1
            step_pop(kings_fill, whole, search, base, state, card, state.placed | card_bit(card), 1, -1)


cdef inline void steps_joining(
    bint kings_fill, bint whole, Search* search, int base, const State* state, const Loose* loose
) noexcept nogil:
    """With no free place: join a pair of singles, which commits a column for good (S4)."""
    cdef Cards pairs = loose.single & loose.single << 4
    if loose.heads + (state.pin >= 0) >= state.empty:
        return
    if kings_fill:
        pairs &= search.columns.kings
    while pairs:
        new_step(search, state, state.placed & ~((pairs & -pairs) >> 4), -1, -1)
        take_step(kings_fill, whole, search, base)
        pairs &= pairs - 1


# A column that is dug down from its top, in one arrangement.
ctypedef struct Dig:
    int start                   # its top before
    int top                     # and now
    Cards exposed               # cards that the top can be put on, but for singles
    Cards top_bit
    Cards run                   # what lies on the top
    int lift                    # how many cards these are
    Cards dug                   # the cards dug so far
    int digs                    # how many these are
    int count                   # and how many free places they take

# What all digs from one arrangement have in common.
ctypedef struct Ground:
    const State* state
    const Loose* loose
    int free_places
    int open_columns
    bint king_column            # a king dug up may have a column of its own, which takes no free place
    Cards seats                 # the cards that may stand in an open column to be built on
    Cards gains                 # what is a gain when it is laid bare: the next card home, the parent of a placed one


cdef inline State* dug_state(
    Search* search, const Ground* ground, const Dig* here, Cards more, int count
) noexcept nogil:
    """A new step in which the cards above the top have been dug, and `count` cards more are placed."""
    cdef State* state = new_step(search, ground.state, ground.state.placed | here.dug | more, here.digs + count, -1)
    dig(&search.columns, state, here.start, here.top)
    return state


cdef inline void step_to_buried(
    bint kings_fill, bint whole, Search* search, int base, const Ground* ground, const Dig* here, int room
) noexcept nogil:
    """The steps of the top onto its parent that lies under other cards of another column, for which there is `room`."""
    cdef const Columns* columns = &search.columns
    cdef int parent = here.top + 4
    cdef Cards cover = ground.state.top & columns.pile[columns.column[parent]]
    cdef int cover_top = trailing_zeros(cover)
    cdef Cards run = run_on(ground.loose.attached, cover)
    cdef Cards placed
    cdef int cost
    cdef State* there
    if columns.column[parent] == columns.column[here.top]:
        return                  # S11: it lies deeper
    cost = columns.height[cover_top] - columns.height[parent] + count_few(run)
    if cost > room:
        return
    placed = columns.under[cover_top] ^ columns.under[parent] | run
    there = dug_state(search, ground, here, placed, cost)
    pop(columns, there, here.top)
    dig(columns, there, cover_top, columns.layer[parent])
    take_step(kings_fill, whole, search, base)
    if cost < room and card_bit(parent) & ground.seats:
        # The parent itself goes into a free column first.
        there = dug_state(search, ground, here, placed | card_bit(parent), cost + 1)
        pop(columns, there, here.top)
        dig(columns, there, cover_top, columns.layer[parent])
        if columns.layer[parent] == parent:
            pop(columns, there, parent)
        take_step(kings_fill, whole, search, base)


cdef inline void step_into_column(
    bint kings_fill, bint whole, Search* search, int base, const Ground* ground, const Dig* here
) noexcept nogil:
    """The step of a top and the run on it, as a group, into an open column."""
    if kings_fill:
        if not (ground.king_column and here.top_bit & search.columns.kings and here.lift <= ground.free_places):
            return
    elif 1 + here.lift > group_limit(kings_fill, ground.free_places - 1, ground.open_columns - 1):
        return
    step_pop(kings_fill, whole, search, base, ground.state, here.top, ground.state.placed | here.top_bit, 1, -1)


cdef inline bint steps_to_parent(
    bint kings_fill, bint whole, bint is_open, Search* search, int base, const Ground* ground, const Dig* here
) noexcept nogil:
    """The steps of the top onto its parent, wherever that is; True if digging on adds nothing (S8)."""
    cdef const Columns* columns = &search.columns
    cdef const State* state = ground.state
    cdef Cards parent = here.top_bit << 4
    # What lies on the top needs free places to move with it, unless runs move whole.
    cdef int taken = here.count + (0 if whole else here.lift)
    cdef State* there
    cdef bint moved
    if parent & here.exposed:
        moved = taken <= ground.free_places or (
            is_open and here.digs == 0
            and 1 + here.lift <= group_limit(kings_fill, ground.free_places, ground.open_columns)
        )
        if moved:
            pop(columns, dug_state(search, ground, here, 0, 0), here.top)
            take_step(kings_fill, whole, search, base)
        if parent & state.top & ground.seats and taken < ground.free_places:
            there = dug_state(search, ground, here, parent, 1)
            pop(columns, there, here.top)
            pop(columns, there, here.top + 4)
            take_step(kings_fill, whole, search, base)
        return moved
    if is_open and parent & (ground.loose.single | here.dug) & ground.seats:
        if taken <= ground.free_places or (
            here.digs == 0 and 1 + here.lift <= group_limit(kings_fill, ground.free_places, ground.open_columns - 1)
        ):
            pop(columns, dug_state(search, ground, here, 0, 0), here.top)
            take_step(kings_fill, whole, search, base)
    elif parent & state.original and taken < ground.free_places:
        step_to_buried(kings_fill, whole, search, base, ground, here, ground.free_places - taken)
    return False


cdef inline bint is_gain_near(
    bint kings_fill, bint is_open, const Columns* columns, const Ground* ground, const Dig* here, Cards layer
) noexcept nogil:
    """True if a gain is laid bare, or one may come from the cards just dug, which are `layer` (S11)."""
    cdef Cards singles = ground.loose.single | here.dug
    if (here.run & -here.run if here.run else here.top_bit) & (ground.gains | here.dug << 4):
        return True
    if columns.height[here.top] == 1:
        if kings_fill:
            if here.top_bit & columns.kings:
                return True
        elif here.count + 1 + here.lift <= ground.free_places:
            return True
    if not is_open:
        return False
    if layer & ((singles & ground.seats) >> 4 | singles << 4 & ground.seats):
        return True
    if kings_fill:
        return ground.king_column and layer & columns.kings != 0
    return here.run != 0


cdef inline void dig_column(
    bint kings_fill, bint whole, bint is_open, Search* search, int base, const Ground* ground, Dig* here
) noexcept nogil:
    """Steps down one column, layer by layer, to its next gain (S11)."""
    cdef const Columns* columns = &search.columns
    cdef Cards layer
    while True:
        if whole and is_open and here.lift and here.top_bit & columns.kings and (
            ground.king_column or here.count < ground.free_places
        ):
            # A king with its run, whole into a column of its own or into one that another king leaves for a cell.
            pop(columns, dug_state(search, ground, here, here.top_bit, 1), here.top)
            take_step(kings_fill, whole, search, base)
            if ground.king_column:
                return          # S8
        if steps_to_parent(kings_fill, whole, is_open, search, base, ground, here):
            return              # S8
        layer = here.run | here.top_bit
        here.dug |= layer
        here.digs += 1 + here.lift
        here.count += 1 + here.lift
        if ground.king_column and here.top_bit & columns.kings:
            here.count -= 1
        if here.count > ground.free_places:
            return
        here.run = columns.pop_run[here.top]
        here.lift = columns.pop_count[here.top] - 1
        if columns.pop_empty[here.top]:
            # The column is empty, which is a gain.
            pop(columns, dug_state(search, ground, here, 0, 0), here.top)
            take_step(kings_fill, whole, search, base)
            return
        here.top = columns.below[here.top]
        here.top_bit = card_bit(here.top)
        if is_gain_near(kings_fill, is_open, columns, ground, here, layer):
            dug_state(search, ground, here, 0, 0)
            take_step(kings_fill, whole, search, base)
            return


cdef inline void steps_to_gains(
    bint kings_fill, bint whole, bint is_open, Search* search, int base, const State* state, const Loose* loose
) noexcept nogil:
    """Steps down to the next gain from one arrangement (S5, S11); needs a free place.

    The run on a column is lifted to dig below it.  `is_open` says whether there is a column that holds no head.
    """
    cdef const Columns* columns = &search.columns
    cdef Cards home = columns.deck & ~loose.cards & ~state.original
    cdef Cards tops = state.top
    cdef Ground ground
    cdef Dig here
    ground.state = state
    ground.loose = loose
    ground.free_places = loose.free
    ground.open_columns = state.empty - loose.heads
    ground.king_column = is_open and kings_fill and state.empty > loose.kings
    ground.seats = 0
    if is_open:
        ground.seats = columns.kings if kings_fill else columns.deck
    ground.gains = (home << 4 | 15) & ~home | state.placed << 4
    while tops:
        here.top_bit = tops & -tops
        tops ^= here.top_bit
        here.start = trailing_zeros(here.top_bit)
        here.top = here.start
        here.run = run_on(loose.attached, here.top_bit)
        here.lift = count_few(here.run)
        here.exposed = state.top ^ here.top_bit | loose.attached & ~here.run
        here.dug = 0
        here.digs = 0
        here.count = 0
        if not whole and here.lift and is_open:
            step_into_column(kings_fill, whole, search, base, &ground, &here)
        dig_column(kings_fill, whole, is_open, search, base, &ground, &here)


cdef inline void steps_with_room(
    bint kings_fill, bint whole, Search* search, int base, const State* state, const Loose* loose
) noexcept nogil:
    """Steps from one arrangement with a free place."""
    if state.empty > loose.heads:
        steps_to_gains(kings_fill, whole, True, search, base, state, loose)
    else:
        steps_to_gains(kings_fill, whole, False, search, base, state, loose)


cdef inline void steps_from(
    bint kings_fill, bint whole, Search* search, int base, const State* state, const Loose* loose
) noexcept nogil:
    """All steps from the normal form of a class."""
    if loose.free == 0:
        steps_full(kings_fill, whole, search, base, state, loose)
        steps_joining(kings_fill, whole, search, base, state, loose)
    else:
        steps_with_room(kings_fill, whole, search, base, state, loose)


# Walks

cdef bint arrange(Search* search, Cards placed, int pin) noexcept nogil:
    """Add an arrangement to the walk unless it is there; False if memory is out."""
    cdef Index* index = &search.arranged_index
    cdef Cards key = placed_key(placed, pin)
    cdef uint64_t h = hash_key(key, 0)
    cdef uint64_t i = h & index.mask
    cdef int32_t k
    cdef bint emptied
    while slot_is_used(index, i):
        if slot_may_hold(index, i, h) and search.arranged[slot_number(index, i)] == key:
            return True
        i = (i + 1) & index.mask
    if search.arranged_count == search.arranged_room.asked and not array_double(
        search.memory, <void**>&search.arranged, &search.arranged_room, sizeof(Cards)
    ):
        return False
    search.arranged[search.arranged_count] = key
    index_put(index, i, h, search.arranged_count)
    search.arranged_count += 1
    if index_is_half_full(index, search.arranged_count):
        if not index_double(index, search.memory, &emptied):
            return False
        for k in range(search.arranged_count if emptied else 0):
            index_add(index, hash_key(search.arranged[k], 0), k)
    return True


cdef bint start_walk(bint kings_fill, Search* search, int32_t number) noexcept nogil:
    """Begin to walk the arrangements of a kept node."""
    cdef State* state = &search.walk_state
    cdef Loose* loose = &search.walk_loose
    cdef Cards roots
    recall(search, number, state)
    look_again(kings_fill, &search.columns, state, loose)
    search.reach = 0
    if not kings_fill:
        # S6, S7.  No arrangement puts these on their parents, and what another card is dug onto takes a place more.
        roots = loose.cards & ~((loose.cards | state.top) >> 4)
        search.reach = within_reach(
            &search.columns, state, search.columns.cells + state.empty - count_cards(roots) - 1
        )
    search.walking = True
    search.walk_node = number
    search.arranged_count = 0
    search.arranged_next = 0
    index_clear(&search.arranged_index)
    return arrange(search, state.placed, state.pin)


cdef bint walk_on(bint kings_fill, bint whole, Search* search) noexcept nogil:
    """Note the neighbours of the next arrangement of the walk and its steps; False if memory is out."""
    cdef const Columns* columns = &search.columns
    cdef State* state = &search.walk_state
    cdef Loose* loose = &search.walk_loose
    cdef Cards key = search.arranged[search.arranged_next]
    cdef Cards parents, bits, child, hung
    cdef int card, open_columns
    search.arranged_next += 1
    state.placed = key & ALL_BUT_PIN
    state.placed_count = <int16_t>count_cards(state.placed)
    state.pin = <int16_t>(<int>(key >> PIN_SHIFT) - 1)
    look(kings_fill, columns, state, loose)
    open_columns = state.empty - loose.heads - (state.pin >= 0)
    # A single onto its parent.
    parents = state.top | loose.attached
    if open_columns > 0:
        parents |= loose.single & columns.kings if kings_fill else loose.single
    if state.pin >= 0:
        parents |= card_bit(state.pin)
    bits = loose.single & parents >> 4
    while bits:
        if not arrange(search, state.placed & ~(bits & -bits), -1):
            return False
        bits &= bits - 1
    # The tail of a run into a free place, but for those of S7.
    if state.pin < 0 and loose.free >= 1:
        hung = loose.attached & state.top >> 4
        if kings_fill or open_columns <= 0:
            child = hung
            while child:
                child = child >> 4 & loose.attached
                hung |= child
        bits = loose.attached & ~(loose.attached << 4) & ~(hung & (state.original & ~search.reach) << 4)
        while bits:
            card = trailing_zeros(bits)
            bits &= bits - 1
            if not arrange(
                search, state.placed | card_bit(card),
                card + 4 if loose.free == 1 and state.placed >> (card + 4) & 1 else -1,
            ):
                return False
    if state.pin >= 0:
        # S13: a tail was lifted off the pinned card; its child may be dug onto it.
        if not kings_fill and open_columns > 0 and state.pin >= 8:
            child = card_bit(state.pin - 8)
            if child & state.top & ~(loose.attached << 4):
                step_pop(kings_fill, whole, search, 0, state, state.pin - 8, state.placed, 0, state.pin)
    elif search.arranged_next > 1 and not loose.single & (state.top | loose.attached) >> 4 & ~(search.reach << 4):
        # Those of the first were taken when the class was entered; the others by S6.
        if loose.free == 0:
            steps_full(kings_fill, whole, search, 0, state, loose)
        else:
            steps_with_room(kings_fill, whole, search, 0, state, loose)
    return True


# The search

cdef void sort_steps(Search* search, int base) noexcept nogil:
    """Order the steps from `base` on by score; equal scores stay as they came."""
    cdef Step* steps = search.steps
    cdef int i, j
    for i in range(base, search.step_count):
        j = i
        while j > base and steps[steps[j - 1].sorted].score > steps[i].score:
            steps[j].sorted = steps[j - 1].sorted
            j -= 1
        steps[j].sorted = i


cdef bint reserve_steps(Search* search) noexcept nogil:
    """Make room for the steps from one more arrangement; False if memory is out."""
    return search.step_count + STEPS <= search.step_room.asked or array_double(
        search.memory, <void**>&search.steps, &search.step_room, sizeof(Step)
    )


cdef bint push_frame(Search* search, int32_t number, int32_t base) noexcept nogil:
    """Put the steps from `base` on, sorted, on the stack; False if memory is out."""
    cdef Frame* frame
    if search.depth == search.frame_room.asked and not array_double(
        search.memory, <void**>&search.frames, &search.frame_room, sizeof(Frame)
    ):
        return False
    sort_steps(search, base)
    frame = &search.frames[search.depth]
    search.depth += 1
    frame.node = number
    frame.base = base
    frame.next = base
    frame.end = search.step_count
    return True


cdef inline Status visit(bint kings_fill, bint whole, Search* search, const Step* step, int32_t parent) noexcept nogil:
    """Enter the class of a step and put its own steps on the stack.

    `step` must not lie in the array of steps, which may move.
    """
    cdef int32_t base = search.step_count
    cdef int32_t number = search.entered_count
    if not enter(search, step, parent):
        return OUT_OF_MEMORY
    if not step.state.original:
        return SOLVED
    search.nodes += 1
    if not reserve_steps(search):
        return OUT_OF_MEMORY
    steps_from(kings_fill, whole, search, base, &step.state, &step.loose)
    if needs_walk(kings_fill, whole, &search.columns, &step.state, &step.loose):
        search.entered[number].kept = search.kept[step.loose.free]
        search.kept[step.loose.free] = number
    if search.step_count > base and not push_frame(search, number, base):
        return OUT_OF_MEMORY
    return RUNNING


cdef inline Status restart(bint kings_fill, bint whole, Search* search) noexcept nogil:
    """Begin again at the start with another order of steps.

    A search that took a wrong turn early may be long in coming back.  The classes that are done stay
    entered: they are proved to be lost, or kept for a walk (S12).  Those on the stack are not done and are forgotten.
    """
    cdef Step first
    cdef int32_t k
    for k in range(search.depth):
        search.entered[search.frames[k].node].placed |= FORGOTTEN
    search.depth = 0
    search.step_count = 0
    restarts_pass(&search.restarts, search.nodes, 0)
    recall(search, 0, &first.state)
    look_again(kings_fill, &search.columns, &first.state, &first.loose)
    name(&first, is_named_by_tops(kings_fill, &search.columns, &first.state, first.loose.cards))
    return visit(kings_fill, whole, search, &first, -1)


cdef Status run(bint kings_fill, bint whole, bint is_last, Search* search, int64_t budget) noexcept nogil:
    """Search on until the answer is known or `budget` nodes and arrangements are done.

    `is_last` says that no more nodes may be taken, which only what is left of the last one can do without.
    """
    cdef Frame* frame
    cdef Step step
    cdef Status status
    cdef int32_t number
    cdef int k
    while budget > 0:
        if search.depth:
            frame = &search.frames[search.depth - 1]
            if frame.next == frame.end:
                search.step_count = frame.base
                search.depth -= 1
                continue
            if search.nodes >= search.restarts.next:
                if is_last:
                    return OUT_OF_NODES
                status = restart(kings_fill, whole, search)
                if status != RUNNING:
                    return status
                budget -= 1
                continue
            step = search.steps[search.steps[frame.next].sorted]
            frame.next += 1
            if is_entered(search, &step):
                continue
            if is_last and step.state.original:
                return OUT_OF_NODES
            status = visit(kings_fill, whole, search, &step, frame.node)
            if status != RUNNING:
                return status
            budget -= 1
        elif search.walking:
            if search.arranged_next == search.arranged_count:
                search.walking = False
                continue
            search.step_count = 0
            if not reserve_steps(search) or not walk_on(kings_fill, whole, search):
                return OUT_OF_MEMORY
            budget -= 1
            if search.step_count and not push_frame(search, search.walk_node, 0):
                return OUT_OF_MEMORY
        else:
            for k in range(FREE_MAX + 1):
                if search.kept[k] >= 0:
                    break
            else:
                return IMPOSSIBLE
            number = search.kept[k]
            search.kept[k] = search.entered[number].kept
            search.restarts.next = NEVER
            if search.entered[number].placed & FORGOTTEN:
                continue        # S12: it has been entered again
            if not start_walk(kings_fill, search, number):
                return OUT_OF_MEMORY
    return RUNNING


cdef Status begin(Search* search, const RuleTable* rules, const Position* position) noexcept nogil:
    """Take up a position; what an earlier search left is overwritten or out of date by its generation."""
    cdef Step first
    cdef State* state = &first.state
    cdef Cards home, cards
    cdef int k
    read_columns(&search.columns, rules, position)
    search.kings_fill = rules.fill == FILL_KINGS
    search.whole = rules.group == GROUP_UNLIMITED
    search.nodes = 0
    # Restarts pay where most deals can be won but some wins are hard to find.
    restarts_begin(&search.restarts, FIRST_STRETCH, NOISE, ANY_NOISE)
    if not search.kings_fill or rules.columns + rules.cells < ROOMY:
        search.restarts.next = NEVER
    random_begin(&search.random)
    search.depth = 0
    search.step_count = 0
    search.entered_count = 0
    search.walking = False
    search.traced = False
    for k in range(FREE_MAX + 1):
        search.kept[k] = -1
    index_clear(&search.index)
    state.top = search.columns.top
    state.original = search.columns.original
    state.placed = search.columns.placed
    state.originals = <int16_t>search.columns.originals
    state.placed_count = <int16_t>search.columns.placed_count
    state.empty = <int16_t>search.columns.empty
    state.pin = -1
    home = send_home(&search.columns, state)
    cards = search.columns.deck & ~home & ~state.original
    if not settle(search.kings_fill, &search.columns, state, &first.loose, cards):
        return IMPOSSIBLE
    name(&first, is_named_by_tops(search.kings_fill, &search.columns, state, first.loose.cards))
    return visit(search.kings_fill, search.whole, search, &first, -1)


cdef bint trace_path(Search* search) noexcept nogil:
    """Hand the path to the win over to the builder of its moves; False if memory is out."""
    cdef Cards* path
    cdef int32_t number = search.entered_count - 1
    cdef int steps = 0, k
    cdef size_t size
    cdef bint begun
    while number >= 0:
        steps += 1
        number = search.entered[number].parent
    size = steps * sizeof(Cards)
    path = <Cards*>memory_grow(search.memory, NULL, 0, size)
    if not path:
        return False
    number = search.entered_count - 1
    for k in range(steps - 1, -1, -1):
        path[k] = search.entered[number].top
        number = search.entered[number].parent
    begun = begin_moves(&search.builder, &search.columns, path, steps)
    free(path)
    memory_freed(search.memory, size)
    return begun


cdef bint allocate(Search* search, Memory* memory) noexcept nogil:
    """Make every array at its first size; False if there is no memory for it."""
    memset(memory, 0, sizeof(Memory))
    search.memory = memory
    if not (
        array_make(memory, <void**>&search.steps, &search.step_room, 2 * STEPS, sizeof(Step))
        and array_make(memory, <void**>&search.frames, &search.frame_room, FIRST_FRAMES, sizeof(Frame))
        and array_make(memory, <void**>&search.entered, &search.entered_room, FIRST_ENTERED, sizeof(Node))
        and array_make(memory, <void**>&search.arranged, &search.arranged_room, FIRST_ARRANGED, sizeof(Cards))
        and index_make(&search.index, memory, FIRST_SLOTS)
        and index_make(&search.arranged_index, memory, 2 * FIRST_ARRANGED)
        and make_builder(&search.builder, memory)
    ):
        return False
    memory.first = memory.held
    return True


cdef void release(Search* search) noexcept nogil:
    """Free every array, whether there is one or not."""
    free(search.steps)
    free(search.frames)
    free(search.entered)
    free(search.index.slots)
    free(search.arranged)
    free(search.arranged_index.slots)
    free_builder(&search.builder)
    memset(search, 0, sizeof(Search))


@cython.final
cdef class SameSuitEngine(Engine):
    """Decides same-suit games in which kings or any cards fill empty columns."""

    cdef Search search
    cdef RuleTable rules
    cdef Position position

    def __cinit__(self):
        memset(&self.search, 0, sizeof(Search))
        if not allocate(&self.search, &self.account):
            raise MemoryError

    def __dealloc__(self):
        release(&self.search)

    cdef bint decides(self, const RuleTable* rules) noexcept nogil:
        return rules.build == SAME_SUIT and (
            rules.fill == FILL_KINGS or (rules.fill == FILL_ANY and rules.group != GROUP_UNLIMITED)
        )

    cdef bint renew(self) noexcept nogil:
        release(&self.search)
        return allocate(&self.search, &self.account)

    cdef Status take_up(self, const RuleTable* rules, const Position* position, int64_t max_nodes) noexcept nogil:
        self.search.most_nodes = max_nodes
        self.rules = rules[0]
        self.position = position[0]
        return begin(&self.search, &self.rules, &self.position)

    cdef Status go_on(self, int64_t effort) noexcept nogil:
        cdef Search* search = &self.search
        cdef int64_t nodes = search.most_nodes - search.nodes
        return run(search.kings_fill, search.whole, nodes == 0, search, min(nodes, effort) if nodes else effort)

    cdef Status build(self, int64_t effort) noexcept nogil:
        if not self.search.traced:
            self.search.traced = True
            if not trace_path(&self.search):
                return OUT_OF_MEMORY
        return advance_moves(&self.search.builder, &self.search.columns, &self.rules, &self.position, effort)

    cdef const MoveCode* codes(self, int* count) noexcept nogil:
        count[0] = self.search.builder.line.count
        return self.search.builder.line.moves

    cdef int64_t count_nodes(self) noexcept nogil:
        return self.search.nodes
