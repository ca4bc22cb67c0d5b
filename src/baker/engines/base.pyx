"""What all engines have in common: the border to Python, and whole batches of deals decided without it."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport calloc, free, malloc, realloc
from libc.string cimport memcpy
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from baker._core cimport MAX_CARDS, Board, Dealer, MoveCode, Position, RuleTable, deal_number
from baker.engines.lib.memory cimport memory_begin

cdef extern from "Python.h" nogil:
    # As they are: what they raise stays set until `raise_pending`.
    int PyErr_CheckSignals() noexcept
    void* PyErr_Occurred() noexcept
    void PyErr_SetObject(object, object) noexcept

cdef enum:
    SLICE = 256                 # units of work between two looks at the clock and at the stop sign
    SIGNALS = 64                # slices between two looks at signals and at the event, which take the GIL
    # An engine keeps of earlier positions what is no more than so many bytes and than such a part of `max_memory`.
    KEPT_MEMORY = 8 << 20
    KEPT_PART = 16
    NO_LIMIT = 0
    LIMIT_NODES = 1
    LIMIT_SECONDS = 2
    LIMIT_MEMORY = 3
    LIMIT_STOPPED = 4

cdef int64_t MOST_NODES = (<uint64_t>1 << 63) - 1
cdef int64_t MOST_NUMBER = (<int64_t>1 << 33) - 1

# What lies on a table, and what is played there.
ctypedef struct Table:
    RuleTable rules
    Position position

# The answer for one deal.
ctypedef struct Outcome:
    Status status               # RUNNING if nodes or seconds were limited
    int limit
    int64_t nodes
    double seconds
    size_t first_move
    int move_count

ctypedef struct Limits:
    bint moves
    int64_t nodes               # 0 for none, as with the others
    double seconds
    size_t memory

# All moves of a batch, one solution after the other.
ctypedef struct Record:
    MoveCode* codes
    size_t count
    size_t room


cdef class Stop:
    def __init__(self, event=None):
        self.event = event

    def set(self):
        self.is_set = True

    cdef int ask(self) except -1:
        """Look whether the event is set."""
        if self.event is not None and not self.is_asked and self.event.is_set():
            self.is_asked = True
        return 0


cdef inline double clock() noexcept nogil:
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <double>now.tv_sec + 1e-9 * <double>now.tv_nsec


cdef bint interrupted(Stop stop) noexcept with gil:
    """Look at signals and at the event of `stop`; True if one has raised an exception, which stays set."""
    if PyErr_CheckSignals() != 0:
        return True
    try:
        stop.ask()
    except BaseException as error:
        PyErr_SetObject(type(error), error)
        return True
    return False


cdef int raise_pending() except -1:
    """Raise the exception that is set, if any."""
    return -1 if PyErr_Occurred() else 0


cdef bint note_moves(Engine engine, Record* record, Outcome* outcome) noexcept nogil:
    """Copy the moves of a win; False if there is no memory for them."""
    cdef int count
    cdef const MoveCode* codes = engine.codes(&count)
    cdef MoveCode* grown
    cdef size_t room
    if record.count + count > record.room:
        room = 2 * (record.count + count) + 1024
        grown = <MoveCode*>realloc(record.codes, room * sizeof(MoveCode))
        if not grown:
            return False
        record.codes = grown
        record.room = room
    if count:
        memcpy(record.codes + record.count, codes, count * sizeof(MoveCode))
    outcome.first_move = record.count
    outcome.move_count = count
    record.count += count
    return True


cdef inline bint told_to_stop(Stop stop, int* slices) noexcept nogil:
    """Whether `stop` is set or a signal has raised an exception; asked after each slice."""
    slices[0] += 1
    return stop.is_set or (slices[0] % SIGNALS == 0 and interrupted(stop))


cdef inline bint is_late(const Limits* limits, double start) noexcept nogil:
    return limits.seconds > 0 and clock() - start >= limits.seconds


cdef bint decide(
    Engine engine, const Table* table, const Limits* limits, Record* record, Stop stop, Outcome* outcome,
) noexcept nogil:
    """Decide one position; False if it was told to stop, by `stop` or by a signal, whose exception is then set."""
    cdef bint is_ready = engine.make_ready(limits.memory)
    cdef double start = clock()
    cdef int slices = 0
    cdef Status status = OUT_OF_MEMORY
    outcome.limit = NO_LIMIT
    outcome.move_count = 0
    outcome.first_move = 0
    if is_ready:
        status = engine.take_up(&table.rules, &table.position, limits.nodes if limits.nodes else MOST_NODES)
    while status == RUNNING and not stop.is_asked and not is_late(limits, start):
        status = engine.go_on(SLICE)
        if status == RUNNING and told_to_stop(stop, &slices):
            return False
    if status == SOLVED and limits.moves:
        status = engine.build(SLICE)
        while status == RUNNING and not stop.is_asked and not is_late(limits, start):
            if told_to_stop(stop, &slices):
                return False
            status = engine.build(SLICE)
        if status == SOLVED and not note_moves(engine, record, outcome):
            status = OUT_OF_MEMORY
    if status == OUT_OF_MEMORY:
        outcome.limit = LIMIT_MEMORY
    elif status == OUT_OF_NODES:
        outcome.limit = LIMIT_NODES
    elif status == RUNNING:
        outcome.limit = LIMIT_STOPPED if stop.is_asked else LIMIT_SECONDS
    outcome.status = RUNNING if status == OUT_OF_NODES else status
    outcome.nodes = engine.count_nodes() if is_ready else 0
    outcome.seconds = clock() - start
    return True


cdef Limits read_limits(bint moves, int64_t max_nodes, double max_seconds, size_t max_memory) except *:
    if max_nodes < 0 or not max_seconds >= 0:
        raise ValueError(f"limits of {max_nodes} nodes and {max_seconds} seconds: expected 0 or more")
    return Limits(moves, max_nodes, max_seconds, max_memory)


cdef int check_rules(Engine engine, const RuleTable* rules) except -1:
    if not engine.decides(rules):
        raise ValueError(f"rules that {type(engine).__name__} does not decide")
    return 0


cdef list decide_batch(
    Engine engine, Table* tables, Dealer dealer, uint64_t first, int64_t step, Py_ssize_t count,
    Limits limits, Stop stop,
):
    """Decide the positions of `tables`, or if that is NULL the deals of so many numbers.

    The list ends early at `stop.set`; all that the event of `stop` leaves is undecided.
    """
    cdef Outcome* outcomes = <Outcome*>calloc(<size_t>count + 1, sizeof(Outcome))
    cdef Record record = Record(NULL, 0, 0)
    cdef Table dealt
    cdef Py_ssize_t done = 0
    cdef Outcome* one
    cdef list answers = []
    cdef Py_ssize_t k
    if not outcomes:
        raise MemoryError
    try:
        stop.ask()
        engine.hold()
        with nogil:
            while done < count and not stop.is_set:
                if stop.is_asked:
                    outcomes[done] = Outcome(RUNNING, LIMIT_STOPPED, 0, 0, 0, 0)
                    done += 1
                    continue
                if tables == NULL:
                    dealt.rules = dealer.rules
                    deal_number(dealer, first + <uint64_t>done * <uint64_t>step, &dealt.position)
                if not decide(
                    engine, &dealt if tables == NULL else &tables[done], &limits, &record, stop, &outcomes[done]
                ):
                    break
                done += 1
        engine.in_use = False
        raise_pending()
        for k in range(done):
            one = &outcomes[k]
            if one.status == BROKEN:
                raise AssertionError("a won position without moves: please report the deal")
            answers.append((
                <int>one.status, one.limit, one.nodes, one.seconds,
                PyBytes_FromStringAndSize(
                    <char*>(record.codes + one.first_move), one.move_count * <Py_ssize_t>sizeof(MoveCode)
                ) if one.move_count else b"",
            ))
        return answers
    finally:
        free(outcomes)
        free(record.codes)


cdef class Engine:
    cdef bint make_ready(self, size_t max_memory) noexcept nogil:
        """Begin to count the memory of a search; False if there is not even that of the first sizes."""
        cdef size_t kept = max(self.account.first, min(<size_t>KEPT_MEMORY, max_memory // KEPT_PART))
        if self.account.held > kept and not self.renew():
            return False
        memory_begin(&self.account, max_memory)
        return self.account.first <= max_memory

    cdef bint decides(self, const RuleTable* rules) noexcept nogil:
        return False

    cdef Status take_up(self, const RuleTable* rules, const Position* position, int64_t max_nodes) noexcept nogil:
        return BROKEN

    cdef bint renew(self) noexcept nogil:
        return False

    cdef Status go_on(self, int64_t effort) noexcept nogil:
        return BROKEN

    cdef Status build(self, int64_t effort) noexcept nogil:
        return BROKEN

    cdef const MoveCode* codes(self, int* count) noexcept nogil:
        count[0] = 0
        return NULL

    cdef int64_t count_nodes(self) noexcept nogil:
        return 0

    cdef int hold(self) except -1:
        """Refuse a second thread; the one that holds the engine ends with ``in_use = False``."""
        if self.in_use:
            raise RuntimeError("the engine is in use by another thread")
        self.in_use = True
        return 0

    @property
    def memory(self):
        """How many bytes the engine holds."""
        return self.account.held

    def decide_boards(
        self, boards not None, bint moves, int64_t max_nodes, double max_seconds, size_t max_memory, Stop stop not None,
    ):
        """The answers for boards, in their order, found with the GIL released.

        Each is (status, limit, nodes, seconds, codes of the moves in two bytes each). `max_nodes` or `max_seconds` of 0
        is no limit. The list ends early if `stop` is set meanwhile; what its event ends is undecided.

        Raises ValueError if a limit is negative, a board was never set up or has rules that are not this engine's,
        RuntimeError if another thread is in here.
        """
        cdef Limits limits = read_limits(moves, max_nodes, max_seconds, max_memory)
        # A tuple: it cannot change while it is read.
        cdef tuple given = tuple(boards)
        cdef Py_ssize_t count = len(given)
        cdef Table* tables = <Table*>malloc((count + 1) * sizeof(Table))
        cdef Board board
        cdef Py_ssize_t k
        if not tables:
            raise MemoryError
        try:
            for k in range(count):
                board = <Board?>given[k]
                if board.rules.columns == 0:
                    raise ValueError("a board that was never set up")
                check_rules(self, &board.rules)
                tables[k].rules = board.rules
                tables[k].position = board.position
            return decide_batch(self, tables, None, 0, 0, count, limits, stop)
        finally:
            free(tables)

    def decide_numbers(
        self, Dealer dealer not None, int64_t first, int64_t step, Py_ssize_t count,
        bint moves, int64_t max_nodes, double max_seconds, size_t max_memory, Stop stop not None,
    ):
        """As `decide_boards`, for the deals of so many Microsoft numbers, from `first` on by `step`, dealt in here.

        Raises ValueError also if one of the numbers is not between 1 and 2^33 - 1, the step of several is 0, or the
        dealer's deck has not 52 cards.
        """
        cdef Limits limits = read_limits(moves, max_nodes, max_seconds, max_memory)
        last = <object>first + <object>step * (<object>count - 1)
        if (
            count < 0 or (count > 1 and step == 0)
            or (count and not (1 <= first <= MOST_NUMBER and 1 <= last <= MOST_NUMBER))
        ):
            raise ValueError(f"{count} deals from number {first} on by {step}")
        if dealer.deck_size != MAX_CARDS:
            raise ValueError(f"a deck of {dealer.deck_size} cards: expected {MAX_CARDS}, as Microsoft deals have")
        check_rules(self, &dealer.rules)
        return decide_batch(self, NULL, dealer, <uint64_t>first, step, count, limits, stop)
