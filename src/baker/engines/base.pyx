"""What all engines have in common: the border to Python, and whole batches of deals decided without it."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from baker._core cimport Board, Dealer, MoveCode, Position, RuleTable, deal_number

cdef extern from "Python.h" nogil:
    # As they are: what they raise stays set until `raise_pending`.
    int PyErr_CheckSignals() noexcept
    void* PyErr_Occurred() noexcept
    void PyErr_SetObject(object, object) noexcept

cdef enum:
    SLICE = 1 << 14             # nodes between two looks at the clock and at the stop sign
    NO_LIMIT = 0
    LIMIT_NODES = 1
    LIMIT_SECONDS = 2
    LIMIT_MEMORY = 3
    LIMIT_STOPPED = 4

# What lies on a table, and what is played there.
ctypedef struct Table:
    RuleTable rules
    Position position

# The answer for one deal.
ctypedef struct Outcome:
    Status status               # RUNNING if a limit was hit
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


cdef bint decide(
    Engine engine, const Table* table, const Limits* limits, Record* record, Stop stop, Outcome* outcome,
) noexcept nogil:
    """Decide one position; False if it was told to stop, by `stop` or by a signal, whose exception is then set."""
    cdef double start = clock()
    cdef int64_t budget = SLICE
    cdef Status status = engine.begin(&table.rules, &table.position, limits.memory)
    outcome.limit = NO_LIMIT
    outcome.move_count = 0
    outcome.first_move = 0
    while status == RUNNING:
        if limits.nodes:
            budget = limits.nodes - engine.count_nodes()
            if budget <= 0:
                outcome.limit = LIMIT_NODES
                break
            if budget > SLICE:
                budget = SLICE
        if limits.seconds > 0 and clock() - start >= limits.seconds:
            outcome.limit = LIMIT_SECONDS
            break
        status = engine.go_on(budget)
        if status == RUNNING and (stop.is_set or interrupted(stop)):
            return False
        if status == RUNNING and stop.is_asked:
            outcome.limit = LIMIT_STOPPED
            break
    if status == SOLVED and limits.moves:
        status = engine.build(SLICE)
        while status == RUNNING:
            if stop.is_set or interrupted(stop):
                return False
            if stop.is_asked:
                outcome.limit = LIMIT_STOPPED
                break
            if limits.seconds > 0 and clock() - start >= limits.seconds:
                outcome.limit = LIMIT_SECONDS
                break
            status = engine.build(SLICE)
        if status == SOLVED and not note_moves(engine, record, outcome):
            status = OUT_OF_MEMORY
    if status == OUT_OF_MEMORY:
        outcome.limit = LIMIT_MEMORY
    outcome.status = status
    outcome.nodes = engine.count_nodes()
    outcome.seconds = clock() - start
    return True


cdef list decide_batch(
    Engine engine, Table* tables, Dealer dealer, uint64_t first, int64_t step, Py_ssize_t count,
    Limits limits, Stop stop,
):
    """Decide the positions of `tables`, or if that is NULL the deals of so many numbers.

    The list ends early at `stop.set`; all that the event of `stop` leaves is undecided.
    """
    cdef Outcome* outcomes = <Outcome*>malloc((count + 1) * sizeof(Outcome))
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
                    deal_number(dealer, first + <uint64_t>(done * step), &dealt.position)
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
    cdef Status begin(self, const RuleTable* rules, const Position* position, size_t max_memory) noexcept nogil:
        """Take up a position, with no more memory held than `max_memory` and what may be kept."""
        if self.count_memory() > KEPT_MEMORY or self.count_memory() > max_memory:
            if not self.renew() or self.count_memory() > max_memory:
                return OUT_OF_MEMORY
        return self.take_up(rules, position, max_memory)

    cdef Status take_up(self, const RuleTable* rules, const Position* position, size_t max_memory) noexcept nogil:
        return BROKEN

    cdef bint renew(self) noexcept nogil:
        return False

    cdef Status go_on(self, int64_t nodes) noexcept nogil:
        return BROKEN

    cdef Status build(self, int64_t effort) noexcept nogil:
        return BROKEN

    cdef const MoveCode* codes(self, int* count) noexcept nogil:
        count[0] = 0
        return NULL

    cdef int64_t count_nodes(self) noexcept nogil:
        return 0

    cdef size_t count_memory(self) noexcept nogil:
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
        return self.count_memory()

    def decide_boards(
        self, list boards not None, bint moves, int64_t max_nodes, double max_seconds, size_t max_memory,
        Stop stop not None,
    ):
        """The answers for boards, in their order, found with the GIL released.

        Each is (status, limit, nodes, seconds, codes of the moves in two bytes each); limits of 0 are none. The list
        ends early if `stop` is set meanwhile; what its event ends is undecided. Raises RuntimeError if another thread
        is in here.
        """
        cdef Py_ssize_t count = len(boards)
        cdef Table* tables = <Table*>malloc((count + 1) * sizeof(Table))
        cdef Board board
        cdef Py_ssize_t k
        if not tables:
            raise MemoryError
        try:
            for k in range(count):
                board = <Board?>boards[k]
                if board.rules.columns == 0:
                    raise ValueError("a board that was never set up")
                tables[k].rules = board.rules
                tables[k].position = board.position
            return decide_batch(
                self, tables, None, 0, 0, count, Limits(moves, max_nodes, max_seconds, max_memory), stop
            )
        finally:
            free(tables)

    def decide_numbers(
        self, Dealer dealer not None, first, step, Py_ssize_t count,
        bint moves, int64_t max_nodes, double max_seconds, size_t max_memory, Stop stop not None,
    ):
        """As `decide_boards`, for the deals of so many Microsoft numbers, from `first` on by `step`, dealt in here.

        Raises ValueError if one of them is not between 1 and 2^33 - 1.
        """
        cdef Py_ssize_t k
        for k in (0, count - 1):
            number = first + step * k
            if count < 0 or (count and not 1 <= number < 1 << 33):
                raise ValueError(f"{count} deals from number {first} on by {step}")
        return decide_batch(
            self, NULL, dealer, first, step, count, Limits(moves, max_nodes, max_seconds, max_memory), stop
        )
