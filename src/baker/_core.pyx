"""Shuffles, the position, legal moves and their undoing, compiled.

This layer validates, raises and owns the memory; what lies above it is convenience.  Whatever
arguments its Python functions get, no C array is read or written outside its bounds.

**Lemma H1** (safe home moves).  Let c be a card that its foundation takes next.  If every card that is
not home and could ever come to lie on c, on c itself or on other such cards, is the next one that its
own foundation takes, then a game that can be won before c goes home can be won after it.

Proof: take a line of moves that wins with c left where it is.  Send c home and follow the line, with
the cards D that are home early taken off the board; at first D is c alone.  In the line's position only
cards of D ever lie on a card of D, so the end of each column is in D and the rest of the column, the
cells and the empty places are there in ours too, with at least as many free.  Now the line moves a run.
What part of it is in D is home already and is left out; if nothing else remains, skip the move.  A move
home, to a cell, to an empty column or onto a card not in D is possible for us as well: the target is
the same, the run no longer, the free places no fewer.  A move onto a card of D brings cards that could
come to lie on c; each is the next on its foundation if it is not home, so we send them home from the
last one on, and they join D.  When the line has won, all cards are home.  Nothing here depends on which
cards fill empty columns, nor on the groups.

What could come to lie on c depends on how columns are built.  Let r be the rank of c.  In the same suit
it is one card, which is home already: every c is safe.  In any or a different suit c is safe when every
foundation has come to r - 2: the cards of rank r - 1 are next or home, and what goes on those is home.
In alternate colours it is when both foundations of the other colour have come to r - 1; or when both
have come to r - 2 and the other foundation of its own colour to r - 3, so that the cards of ranks r - 1
and r - 2 that could lie on c are next or home, and what goes on them is home.
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from cpython.long cimport PyLong_AsLongAndOverflow
from cpython.mem cimport PyMem_Free, PyMem_RawFree, PyMem_RawRealloc, PyMem_Realloc
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from operator import index as as_int

cdef enum:
    NODES_PER_SLICE = 65536
    MOST_DEPTH = 1_000_000      # of `perft`: what it holds grows with the depth
    # A move code is a count and a pair of places, as `move_code` has them.
    PLACE_PAIRS = 1 << 10
    COUNTS = 1 << 6

cdef uint64_t MOST_NUMBER = (<uint64_t>1 << 33) - 1

cdef dict BUILDS = {
    "same_suit": SAME_SUIT,
    "alternate_color": ALTERNATE_COLOR,
    "any_suit": ANY_SUIT,
    "different_suit": DIFFERENT_SUIT,
}
cdef dict FILLS = {"any": FILL_ANY, "kings": FILL_KINGS, "none": FILL_NONE}
cdef dict GROUPS = {
    "single": GROUP_SINGLE,
    "cells": GROUP_CELLS,
    "full": GROUP_FULL,
    "unlimited": GROUP_UNLIMITED,
}


# --- Shuffles -----------------------------------------------------------------------------------


cdef void shuffle_microsoft(uint64_t number, uint8_t* deck) noexcept nogil:
    cdef uint8_t rest[MAX_CARDS]
    # The published recurrence is taken modulo 2^31; the bit above it serves the longest numbers only.
    cdef uint32_t state = <uint32_t>number
    cdef uint32_t draw
    cdef int i, left
    for i in range(MAX_CARDS):
        rest[i] = <uint8_t>i
    for i in range(MAX_CARDS):
        state = state * 214013 + 2531011
        draw = state >> 16
        if number >> 32:
            draw += 1
        elif number >> 31:
            draw |= 0x8000
        else:
            draw &= 0x7FFF
        left = MAX_CARDS - i
        draw %= <uint32_t>left
        deck[i] = rest[draw]
        rest[draw] = rest[left - 1]


cdef uint64_t splitmix64(uint64_t* state) noexcept nogil:
    cdef uint64_t z
    state[0] += <uint64_t>0x9E3779B97F4A7C15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef void shuffle_random(uint64_t seed, int cards, uint8_t* deck) noexcept nogil:
    cdef uint64_t state = seed
    cdef uint64_t draw, excess
    cdef uint8_t card
    cdef int i, left
    for i in range(cards):
        deck[i] = <uint8_t>i
    for left in range(cards, 1, -1):
        # The last 2^64 mod left draws would favour the first cards.
        excess = (<uint64_t>0 - <uint64_t>left) % <uint64_t>left
        draw = splitmix64(&state)
        while draw > ~excess:
            draw = splitmix64(&state)
        i = <int>(draw % <uint64_t>left)
        card = deck[i]
        deck[i] = deck[left - 1]
        deck[left - 1] = card


def deck_microsoft(number):
    """The 52 card indices of a Microsoft deal number, in the order in which they are dealt.

    Numbers from 2^31 up to 2^33 - 1 follow the convention of PySol and Freecell Solver.

    >>> list(deck_microsoft(1)[:8])
    [41, 5, 34, 40, 17, 26, 24, 18]

    Raises ValueError if the number is not between 1 and 2^33 - 1.
    """
    cdef uint8_t deck[MAX_CARDS]
    shuffle_microsoft(read_big(number, 1, MOST_NUMBER, "deal number"), deck)
    return <bytes>deck[:MAX_CARDS]


def deck_random(seed, ranks=13):
    """The card indices of a deck of `ranks` ranks, shuffled; the same for a seed for ever.

    Draws come from the generator splitmix64 started at the seed.  The deck starts in the order of the
    indices; from the last place down to the second, the card there changes places with the one at
    index (draw mod n), where n is the number of places up to and with this one.  Draws of
    2^64 - (2^64 mod n) and above are passed over, so every order is equally likely.

    >>> list(deck_random(1, 2))
    [4, 3, 2, 7, 5, 6, 0, 1]

    Raises ValueError if the seed is not between 0 and 2^64 - 1 or the ranks are not between 1 and 13.
    """
    cdef uint8_t deck[MAX_CARDS]
    cdef uint64_t start = read_big(seed, 0, ~<uint64_t>0, "seed")
    cdef int cards = <int>read_big(ranks, 1, MAX_CARDS // SUITS, "ranks") * SUITS
    shuffle_random(start, cards, deck)
    return <bytes>deck[:cards]


# --- Moves --------------------------------------------------------------------------------------


cdef inline int group_limit(const RuleTable* rules, const Position* position, bint to_empty) noexcept nogil:
    """How many cards of a run one move may carry; the target column never helps."""
    cdef int free = 1
    cdef int i
    if rules.group == GROUP_SINGLE:
        return 1
    if rules.group == GROUP_UNLIMITED:
        return MAX_CARDS
    for i in range(rules.cells):
        free += position.cell[i] == NO_CARD
    if rules.group == GROUP_FULL and rules.fill == FILL_ANY:
        for i in range(rules.columns):
            if position.length[i] == 0:
                free <<= 1
        if to_empty:
            free >>= 1
    return free


cdef inline int run_length(const RuleTable* rules, const Position* position, int column) noexcept nogil:
    """How many cards at the end of a column that is not empty are built on one another."""
    cdef const uint8_t* cards = position.column[column]
    cdef int i = position.length[column] - 1
    cdef int end = i
    while i > 0 and fits(rules.build, cards[i], cards[i - 1]):
        i -= 1
    return end - i + 1


cdef int generate(const RuleTable* rules, const Position* position, MoveCode* moves) noexcept nogil:
    cdef int limit = group_limit(rules, position, False)
    cdef int limit_empty = group_limit(rules, position, True)
    cdef int total = 0
    cdef int source, target, length, last, longest, count, end
    cdef const uint8_t* cards
    for source in range(rules.columns):
        length = position.length[source]
        if length == 0:
            continue
        cards = position.column[source]
        last = cards[length - 1]
        if position.home[last & 3] == last >> 2:
            moves[total] = move_code(source, FOUNDATION, 1)
            total += 1
        longest = 1 if limit == 1 else run_length(rules, position, source)
        for target in range(rules.columns):
            if target == source:
                continue
            if position.length[target]:
                # Ranks in a run rise by one, so only one length can fit.
                end = position.column[target][position.length[target] - 1]
                count = (end >> 2) - (last >> 2)
                if 0 < count <= longest and count <= limit and fits(rules.build, cards[length - count], end):
                    moves[total] = move_code(source, target, count)
                    total += 1
            elif rules.fill == FILL_ANY:
                for count in range(1, min(longest, limit_empty) + 1):
                    moves[total] = move_code(source, target, count)
                    total += 1
            elif rules.fill == FILL_KINGS:
                count = rules.ranks - (last >> 2)
                if count <= longest and count <= limit_empty:
                    moves[total] = move_code(source, target, count)
                    total += 1
        for target in range(rules.cells):
            if position.cell[target] == NO_CARD:
                moves[total] = move_code(source, CELL_0 + target, 1)
                total += 1
    for source in range(rules.cells):
        last = position.cell[source]
        if last == NO_CARD:
            continue
        if position.home[last & 3] == last >> 2:
            moves[total] = move_code(CELL_0 + source, FOUNDATION, 1)
            total += 1
        for target in range(rules.columns):
            if lands(rules, position, last, target):
                moves[total] = move_code(CELL_0 + source, target, 1)
                total += 1
    return total


cdef inline bint lands(const RuleTable* rules, const Position* position, int card, int column) noexcept nogil:
    """True if the card may go on the end of the column, or into it if it is empty."""
    if position.length[column]:
        return fits(rules.build, card, position.column[column][position.length[column] - 1])
    return rules.fill == FILL_ANY or (rules.fill == FILL_KINGS and card >> 2 == rules.ranks - 1)


cdef bint legal(const RuleTable* rules, const Position* position, MoveCode move) noexcept nogil:
    cdef int source = move_source(move)
    cdef int target = move_target(move)
    cdef int count = move_count(move)
    cdef int card
    if count == 0 or source == target:
        return False
    if source < rules.columns:
        if count > position.length[source]:
            return False
        card = position.column[source][position.length[source] - count]
    elif CELL_0 <= source < CELL_0 + rules.cells and count == 1:
        card = position.cell[source - CELL_0]
        if card == NO_CARD:
            return False
    else:
        return False
    if target < rules.columns:
        if count > 1:
            if count > run_length(rules, position, source):
                return False
            if count > group_limit(rules, position, position.length[target] == 0):
                return False
        return lands(rules, position, card, target)
    if count > 1:
        return False
    if target == FOUNDATION:
        return position.home[card & 3] == card >> 2
    return (
        source < CELL_0
        and CELL_0 <= target < CELL_0 + rules.cells
        and position.cell[target - CELL_0] == NO_CARD
    )


cdef int play(Position* position, MoveCode move) noexcept nogil:
    cdef int source = move_source(move)
    cdef int target = move_target(move)
    cdef int count = move_count(move)
    cdef const uint8_t* cards
    cdef int card, i
    if source < CELL_0:
        position.length[source] -= <uint8_t>count
        cards = position.column[source] + position.length[source]
    else:
        cards = &position.cell[source - CELL_0]
    card = cards[0]
    if target < CELL_0:
        for i in range(count):
            position.column[target][position.length[target] + i] = cards[i]
        position.length[target] += <uint8_t>count
    elif target < FOUNDATION:
        position.cell[target - CELL_0] = <uint8_t>card
    else:
        position.home[card & 3] += 1
    if source >= CELL_0:
        position.cell[source - CELL_0] = NO_CARD
    return card


cdef void unplay(Position* position, MoveCode move, int card) noexcept nogil:
    cdef int source = move_source(move)
    cdef int target = move_target(move)
    cdef int count = move_count(move)
    cdef const uint8_t* cards
    cdef int i
    if target < CELL_0 and source < CELL_0:
        position.length[target] -= <uint8_t>count
        cards = position.column[target] + position.length[target]
        for i in range(count):
            position.column[source][position.length[source] + i] = cards[i]
        position.length[source] += <uint8_t>count
        return
    if target < CELL_0:
        position.length[target] -= 1
    elif target < FOUNDATION:
        position.cell[target - CELL_0] = NO_CARD
    else:
        position.home[card & 3] -= 1
    if source < CELL_0:
        position.column[source][position.length[source]] = <uint8_t>card
        position.length[source] += 1
    else:
        position.cell[source - CELL_0] = <uint8_t>card


cdef bint won(const RuleTable* rules, const Position* position) noexcept nogil:
    cdef int suit
    for suit in range(SUITS):
        if position.home[suit] != rules.ranks:
            return False
    return True


cdef bint safe_home(const RuleTable* rules, const Position* position, int card) noexcept nogil:
    # H1.
    cdef const uint8_t* home = &position.home[0]
    cdef int rank = (card >> 2) + 1
    cdef int suit = card & 3
    cdef int i
    if home[suit] != rank - 1:
        return False
    if rules.build == SAME_SUIT:
        return True
    if rules.build == ALTERNATE_COLOR:
        # Clubs and spades are 0 and 3, diamonds and hearts 1 and 2: 3 - suit is the other of its colour.
        i = min(home[suit ^ 1], home[suit ^ 2])
        return i >= rank - 1 or (i == rank - 2 and home[3 - suit] >= rank - 3)
    for i in range(SUITS):
        if home[i] < rank - 2:
            return False
    return True


cdef MoveCode safe_home_move(const RuleTable* rules, const Position* position) noexcept nogil:
    cdef int i
    for i in range(rules.columns):
        if position.length[i] and safe_home(rules, position, position.column[i][position.length[i] - 1]):
            return move_code(i, FOUNDATION, 1)
    for i in range(rules.cells):
        if position.cell[i] != NO_CARD and safe_home(rules, position, position.cell[i]):
            return move_code(CELL_0 + i, FOUNDATION, 1)
    return 0


# --- Counting lines of play ---------------------------------------------------------------------


# One move of the line that is being counted, and where the moves of its position begin and end.
ctypedef struct PerftFrame:
    Py_ssize_t next
    Py_ssize_t end
    MoveCode move
    uint8_t card

ctypedef struct Perft:
    RuleTable rules
    Position position
    PerftFrame* frames
    MoveCode* moves
    Py_ssize_t depth
    Py_ssize_t level
    Py_ssize_t frame_room
    Py_ssize_t move_room
    uint64_t total


cdef bint perft_enter(Perft* perft) noexcept nogil:
    """Opens the position reached at `level`; False if there is no memory for it."""
    cdef Py_ssize_t level = perft.level
    cdef Py_ssize_t start = perft.frames[level - 1].end if level else 0
    cdef void* grown
    if level == perft.frame_room:
        grown = PyMem_RawRealloc(perft.frames, 2 * (level + 8) * sizeof(PerftFrame))
        if grown == NULL:
            return False
        perft.frames = <PerftFrame*>grown
        perft.frame_room = 2 * (level + 8)
    if perft.move_room - start < MAX_MOVES:
        grown = PyMem_RawRealloc(perft.moves, 2 * (start + MAX_MOVES) * sizeof(MoveCode))
        if grown == NULL:
            return False
        perft.moves = <MoveCode*>grown
        perft.move_room = 2 * (start + MAX_MOVES)
    perft.frames[level].next = start
    perft.frames[level].end = start + generate(&perft.rules, &perft.position, perft.moves + start)
    return True


cdef int perft_advance(Perft* perft, int nodes) noexcept nogil:
    """Goes on for `nodes` moves; 0 when all is counted, 1 if there is more to do, -1 if memory ran out."""
    cdef PerftFrame* frame
    while nodes > 0:
        frame = &perft.frames[perft.level]
        if perft.level == perft.depth - 1:
            # Moves of the last level are counted, not played.
            perft.total += <uint64_t>(frame.end - frame.next)
            frame.next = frame.end
        if frame.next < frame.end:
            frame.move = perft.moves[frame.next]
            frame.next += 1
            frame.card = <uint8_t>play(&perft.position, frame.move)
            perft.level += 1
            if not perft_enter(perft):
                return -1
            nodes -= 1
        elif perft.level:
            perft.level -= 1
            frame = &perft.frames[perft.level]
            unplay(&perft.position, frame.move, frame.card)
        else:
            return 0
    return 1


# --- The border ---------------------------------------------------------------------------------


cdef int read_code(object code) except? -1:
    """The move code, or -1 for a number that cannot be one.  Raises TypeError if it is no integer."""
    cdef int overflow = 0
    cdef long value = PyLong_AsLongAndOverflow(as_int(code), &overflow)
    return <int>value if 0 <= value <= 0xFFFF else -1


cdef int read_number(object value, int low, int high, str what, int which=-1) except -1:
    """A number within bounds; `what` is it, and `which` of several."""
    number = value if type(value) is int else as_int(value)
    cdef int overflow = 0
    cdef long small = PyLong_AsLongAndOverflow(number, &overflow)
    if overflow or not low <= small <= high:
        raise ValueError(f"{what}{f' {which}' if which >= 0 else ''}: expected {low} to {high}, got {number}")
    return <int>small


cdef uint64_t read_big(object value, uint64_t low, uint64_t high, str what) except? 0:
    """As `read_number`, for more than an int holds."""
    cdef uint64_t big = 0
    cdef bint fits_in = True
    number = as_int(value)
    try:
        # As C reads it: a subclass of int may compare as it likes.
        big = number
    except OverflowError:
        fits_in = False
    if not fits_in or not low <= big <= high:
        raise ValueError(f"{what} {number}: expected {low} to {high}")
    return big


cdef int read_choice(object value, dict choices, str what) except -1:
    chosen = choices.get(str(value))
    if chosen is None:
        raise ValueError(f"{what}: expected one of {', '.join(choices)}, got {value!r}")
    return chosen


cdef int read_rules(object rules, RuleTable* table) except -1:
    table.ranks = <uint8_t>read_number(rules.ranks, 1, MAX_CARDS // SUITS, "ranks")
    table.columns = <uint8_t>read_number(len(rules.columns), 1, MAX_COLUMNS, "columns of the rules")
    table.cells = <uint8_t>read_number(rules.cells, 0, MAX_CELLS, "cells of the rules")
    table.build = <uint8_t>read_choice(rules.build, BUILDS, "build")
    table.fill = <uint8_t>read_choice(rules.fill, FILLS, "fill")
    table.group = <uint8_t>read_choice(rules.group, GROUPS, "group")
    return 0


cdef int read_card(object value, int ranks, uint64_t* seen) except -1:
    """A card that is not among those seen, one bit each; then it is."""
    cdef int card = read_number(value, 0, ranks * SUITS - 1, "card")
    if seen[0] >> card & 1:
        raise ValueError(f"card {card} is there twice")
    seen[0] |= <uint64_t>1 << card
    return card


@cython.final
cdef class Dealer:
    """Deals decks under the rules of one game.

    `rules` is a `baker.rules.Rules`.  Raises ValueError if they cannot be dealt.
    """

    def __cinit__(self, rules):
        cdef int lengths[MAX_COLUMNS]
        cdef int row, column, cell, cards
        cdef int k = 0
        cdef uint32_t seen = 0
        cdef tuple columns = tuple(rules.columns)
        cdef tuple filled = tuple(rules.filled)
        read_rules(rules, &self.rules)
        self.kings_down = rules.kings_down
        self.beak = rules.beak
        self.aces_out = SUITS - 1 if self.beak else read_number(rules.aces_out, 0, SUITS, "aces out")
        self.deck_size = self.rules.ranks * SUITS
        read_number(len(columns), self.rules.columns, self.rules.columns, "columns")
        read_number(len(filled), 0, self.rules.cells, "cells that are filled")
        cards = len(filled) + self.aces_out
        for column in range(self.rules.columns):
            lengths[column] = read_number(columns[column], 0, MAX_CARDS, "cards of a column")
            cards += lengths[column]
        read_number(cards, self.deck_size, self.deck_size, "cards of the deal")
        for row in range(MAX_CARDS):
            for column in range(self.rules.columns):
                if row < lengths[column]:
                    self.places[k] = <uint8_t>column
                    k += 1
        for number in filled:
            cell = read_number(number, 0, self.rules.cells - 1, "a cell that is filled")
            if seen >> cell & 1:
                raise ValueError(f"cell {cell} is filled twice")
            seen |= <uint32_t>1 << cell
            self.places[k] = <uint8_t>(CELL_0 + cell)
            k += 1

    def board(self, number):
        """The `Board` of a Microsoft number.

        Raises ValueError if it is not between 1 and 2^33 - 1, or the deck of the rules has not 52 cards.
        """
        cdef uint8_t deck[MAX_CARDS]
        cdef Board board = Board.__new__(Board)
        if self.deck_size != MAX_CARDS:
            raise ValueError(f"a deck of {self.deck_size} cards: expected {MAX_CARDS}, as Microsoft deals have")
        shuffle_microsoft(read_big(number, 1, MOST_NUMBER, "deal number"), deck)
        deal_deck(self, deck, &board.position)
        board.rules = self.rules
        return board

    def deal(self, bytes deck not None):
        """The `Board` of the cards of a deck, in the order in which they are dealt.

        Raises ValueError if they are not the deck of the rules.
        """
        cdef Board board = Board.__new__(Board)
        cdef const uint8_t* cards = <const uint8_t*><const char*>deck
        cdef uint64_t seen = 0
        cdef int k
        read_number(len(deck), self.deck_size, self.deck_size, "cards of the deck")
        for k in range(self.deck_size):
            read_card(cards[k], self.rules.ranks, &seen)
        deal_deck(self, cards, &board.position)
        board.rules = self.rules
        return board


cdef void clear(Position* position) noexcept nogil:
    memset(position, 0, sizeof(Position))
    memset(position.cell, NO_CARD, sizeof(position.cell))


cdef void deal_deck(Dealer dealer, const uint8_t* deck, Position* position) noexcept nogil:
    cdef int k, card, place
    cdef int dealt = 0
    cdef int aces = dealer.aces_out
    cdef int base = deck[0] & ~3 if dealer.beak else 0
    clear(position)
    for k in range(dealer.deck_size):
        card = deck[k] - base
        if card < 0:
            card += dealer.deck_size
        if card < SUITS and aces and not (dealer.beak and k == 0):
            aces -= 1
            position.home[card] = 1
            continue
        place = dealer.places[dealt]
        dealt += 1
        if place >= CELL_0:
            position.cell[place - CELL_0] = <uint8_t>card
        else:
            position.column[place][position.length[place]] = <uint8_t>card
            position.length[place] += 1
    if dealer.kings_down:
        for place in range(dealer.rules.columns):
            put_kings_down(&position.column[place][0], position.length[place], dealer.deck_size - SUITS)


cdef void put_kings_down(uint8_t* column, int length, int kings) noexcept nogil:
    """Put the cards from `kings` on at the bottom of a column; they and the others keep their order."""
    cdef uint8_t others[MAX_CARDS]
    cdef int down = 0
    cdef int rest = 0
    cdef int k
    for k in range(length):
        if column[k] >= kings:
            column[down] = column[k]
            down += 1
        else:
            others[rest] = column[k]
            rest += 1
    memcpy(column + down, others, rest)


cdef void deal_number(Dealer dealer, uint64_t number, Position* position) noexcept nogil:
    cdef uint8_t deck[MAX_CARDS]
    shuffle_microsoft(number, deck)
    deal_deck(dealer, deck, position)


@cython.final
cdef class Board:
    """A position under a rule set, and the moves that led to it.

    Cards are indices, ``(rank - 1) * 4 + suit`` in the suit order clubs, diamonds, hearts, spades; 255
    is an empty cell.  A move is a code, ``count << 10 | target << 5 | source``, where places are the
    columns from 0, the cells from 16, and 24 for the foundations.

    `rules` is a `baker.rules.Rules`; `columns` and `cells` are sequences of cards, the available card
    of a column last; `foundations` says how many cards of each suit are home.

    Methods may be called from several threads: each is one step, and two threads that play on one
    board see each other's moves.  `perft` lets other threads run, counting on a copy of the position.

    Raises ValueError if these do not add up to one deck under the rules, TypeError if they are not
    sequences of integers.
    """

    def __init__(self, rules, columns, cells, foundations):
        cdef RuleTable table
        read_rules(rules, &table)
        self.set_up(&table, columns, cells, foundations)

    cdef int set_up(self, const RuleTable* table, columns, cells, foundations) except -1:
        """Take up a position; all is read before anything changes."""
        cdef Position position
        cdef uint64_t seen = 0
        cdef tuple cards
        cdef int i, j
        clear(&position)
        # Tuples: what is counted here cannot change while it is read.
        columns = tuple(columns)
        cells = tuple(cells)
        foundations = tuple(foundations)
        read_number(len(columns), table.columns, table.columns, "columns")
        read_number(len(cells), table.cells, table.cells, "cells")
        read_number(len(foundations), SUITS, SUITS, "foundations")
        for i in range(SUITS):
            position.home[i] = <uint8_t>read_number(foundations[i], 0, table.ranks, "foundation", i)
            for j in range(position.home[i]):
                seen |= <uint64_t>1 << (j * SUITS + i)
        for i in range(table.columns):
            cards = tuple(columns[i])
            position.length[i] = <uint8_t>read_number(len(cards), 0, MAX_CARDS, "cards in column", i)
            for j in range(position.length[i]):
                position.column[i][j] = <uint8_t>read_card(cards[j], table.ranks, &seen)
        for i in range(table.cells):
            card = as_int(cells[i])
            if card != NO_CARD:
                position.cell[i] = <uint8_t>read_card(card, table.ranks, &seen)
        if seen != (<uint64_t>1 << table.ranks * SUITS) - 1:
            missing = [str(card) for card in range(table.ranks * SUITS) if not seen >> <int>card & 1]
            raise ValueError(f"missing cards: {', '.join(missing)}")
        self.rules = table[0]
        self.position = position
        self.depth = 0
        return 0

    def __reduce__(self):
        """The position and the rules; the moves behind it are not kept."""
        cdef RuleTable* rules = &self.rules
        table = bytes((rules.ranks, rules.columns, rules.cells, rules.build, rules.fill, rules.group))
        columns = tuple([bytes(cards) for cards in self.columns()])
        return rebuild_board, (table, columns, bytes(self.cells()), bytes(self.foundations()))

    def __dealloc__(self):
        PyMem_Free(self.undo)

    def legal_moves(self):
        """The codes of all legal moves.

        They come by source (columns from the left, then cells), then by target (foundations, columns,
        cells), then by count.
        """
        cdef MoveCode moves[MAX_MOVES]
        cdef int total = generate(&self.rules, &self.position, moves)
        cdef int i
        return [moves[i] for i in range(total)]

    def is_legal(self, code):
        """True if the code is a legal move; any integer may be asked about."""
        cdef int move = read_code(code)
        return move >= 0 and legal(&self.rules, &self.position, <MoveCode>move)

    def push(self, code):
        """Plays a move.  Raises ValueError if it is not legal; the position is then as before."""
        cdef int move = read_code(code)
        if move < 0 or not legal(&self.rules, &self.position, <MoveCode>move):
            raise ValueError(f"illegal move code {code}")
        self.record(<MoveCode>move)

    cdef int record(self, MoveCode move) except -1:
        """Plays a legal move."""
        cdef void* grown
        if self.depth == self.room:
            grown = PyMem_Realloc(self.undo, 2 * (self.room + 32) * sizeof(UndoRecord))
            if grown == NULL:
                raise MemoryError
            self.undo = <UndoRecord*>grown
            self.room = 2 * (self.room + 32)
        self.undo[self.depth].card = <uint8_t>play(&self.position, move)
        self.undo[self.depth].move = move
        self.depth += 1
        return 0

    def pop(self):
        """Takes back the last move; returns its code.  Raises IndexError if there is none."""
        if self.depth == 0:
            raise IndexError("no move to take back")
        self.depth -= 1
        unplay(&self.position, self.undo[self.depth].move, self.undo[self.depth].card)
        return self.undo[self.depth].move

    def last(self):
        """The code of the last move.  Raises IndexError if there is none."""
        if self.depth == 0:
            raise IndexError("no move was played")
        return self.undo[self.depth - 1].move

    def history(self):
        """The codes of the moves played, the first one first."""
        cdef Py_ssize_t i
        return tuple([self.undo[i].move for i in range(self.depth)])

    def autoplay(self):
        """Plays safe moves to the foundations until there are no more; returns their codes."""
        cdef list moves = []
        cdef MoveCode move = safe_home_move(&self.rules, &self.position)
        while move:
            self.record(move)
            moves.append(move)
            move = safe_home_move(&self.rules, &self.position)
        return moves

    @property
    def is_won(self):
        """True if every card is home."""
        return won(&self.rules, &self.position)

    def columns(self):
        """The cards of each column, the available one last."""
        cdef int i
        return tuple([
            tuple(<bytes>self.position.column[i][:self.position.length[i]]) for i in range(self.rules.columns)
        ])

    def cells(self):
        """The card in each cell, 255 where it is empty."""
        return tuple(<bytes>self.position.cell[:self.rules.cells])

    def foundations(self):
        """How many cards of each suit are home."""
        return tuple(<bytes>self.position.home[:SUITS])

    def copy(self):
        """A board of its own with the same position and the same moves behind it."""
        cdef Board board = Board.__new__(Board)
        board.rules = self.rules
        board.position = self.position
        if self.depth:
            board.undo = <UndoRecord*>PyMem_Realloc(NULL, self.depth * sizeof(UndoRecord))
            if board.undo == NULL:
                raise MemoryError
            memcpy(board.undo, self.undo, self.depth * sizeof(UndoRecord))
            board.room = board.depth = self.depth
        return board

    def __copy__(self):
        return self.copy()

    def __deepcopy__(self, memo):
        return self.copy()

    def without_history(self):
        """A board of its own with the same position and no moves behind it."""
        cdef Board board = Board.__new__(Board)
        board.rules = self.rules
        board.position = self.position
        return board

    def key(self):
        """The position as bytes, equal for two boards of one rule set only if they look the same."""
        return b"".join([*self.packed_columns(), self.position.cell[:self.rules.cells], self.position.home[:SUITS]])

    def canonical_key(self):
        """The position as bytes, equal also for boards that differ only in the order of columns or cells."""
        cells = bytes(sorted(<bytes>self.position.cell[:self.rules.cells]))
        return b"".join([*sorted(self.packed_columns()), cells, self.position.home[:SUITS]])

    cdef list packed_columns(self):
        cdef int i
        return [
            bytes((self.position.length[i],)) + <bytes>self.position.column[i][:self.position.length[i]]
            for i in range(self.rules.columns)
        ]

    def perft(self, depth):
        """How many lines of exactly `depth` legal moves there are from here.

        Ctrl-C is heeded.  Raises ValueError if the depth is not between 0 and 1,000,000.
        """
        cdef Perft perft
        cdef int status = 1
        cdef int levels = read_number(depth, 0, MOST_DEPTH, "depth")
        memset(&perft, 0, sizeof(Perft))
        if levels == 0:
            return 1
        perft.rules = self.rules
        perft.position = self.position
        perft.depth = levels
        try:
            if not perft_enter(&perft):
                raise MemoryError
            while status > 0:
                with nogil:
                    status = perft_advance(&perft, NODES_PER_SLICE)
                PyErr_CheckSignals()
            if status < 0:
                raise MemoryError
            return perft.total
        finally:
            PyMem_RawFree(perft.frames)
            PyMem_RawFree(perft.moves)


def rebuild_board(bytes rules not None, columns, cells, foundations):
    """The `Board` of a pickle.  Raises ValueError or TypeError if it is not one of a board."""
    cdef RuleTable table
    cdef Board board = Board.__new__(Board)
    cdef list most = [MAX_CARDS // SUITS, MAX_COLUMNS, MAX_CELLS, DIFFERENT_SUIT, FILL_NONE, GROUP_UNLIMITED]
    cdef int k
    read_number(len(rules), len(most), len(most), "rules")
    for k in range(len(most)):
        read_number(rules[k], 1 if k < 2 else 0, most[k], "rule", k)
    table.ranks, table.columns, table.cells = rules[0], rules[1], rules[2]
    table.build, table.fill, table.group = rules[3], rules[4], rules[5]
    board.set_up(&table, columns, cells, foundations)
    return board


@cython.final
cdef class MoveTable:
    """The objects that stand for moves, one for each code; `make` makes them when they are first asked for.

    Solutions are read by the million, so this is a table, not a dictionary.
    """

    def __cinit__(self, make not None):
        self.make = make
        self.known = [None] * COUNTS

    cdef object find(self, MoveCode code):
        cdef list moves = self.known[move_count(code)]
        if moves is None:
            moves = self.known[move_count(code)] = [None] * PLACE_PAIRS
        move = moves[code % PLACE_PAIRS]
        if move is None:
            move = moves[code % PLACE_PAIRS] = self.make(code)
        return move

    def __getitem__(self, code):
        cdef int move = read_code(code)
        if move < 0:
            raise IndexError(f"{code} is no move code")
        return self.find(<MoveCode>move)

    def read(self, bytes codes not None):
        """The tuple of the moves whose codes stand one after the other, in two bytes each as the machine has them."""
        cdef Py_ssize_t count = len(codes) // <Py_ssize_t>sizeof(MoveCode)
        cdef const MoveCode* code = <const MoveCode*><const char*>codes
        cdef tuple moves = PyTuple_New(count)
        cdef Py_ssize_t k
        for k in range(count):
            move = self.find(code[k])
            Py_INCREF(move)
            PyTuple_SET_ITEM(moves, k, move)
        return moves
