"""The shape of every engine."""

from libc.stdint cimport int64_t

from baker._core cimport MoveCode, Position, RuleTable

cdef enum Status:
    RUNNING
    SOLVED
    IMPOSSIBLE
    OUT_OF_MEMORY
    # A search that found a win whose moves it cannot build has an error.
    BROKEN

cdef enum:
    KEPT_MEMORY = 8 << 20       # bytes that an engine may hold between two positions

cdef class Engine:
    """A search over one position at a time.

    An engine is a subclass that takes up a position (`take_up`), goes on with it (`go_on`) as long as that
    returns RUNNING, and after a win goes on to build the moves (`build`) until that returns SOLVED; `codes`
    then points to them.  Between two positions it keeps its arrays; `renew` gives them back for new ones of their
    first size, and returns False if there is no memory for these.
    """

    cdef bint in_use

    cdef Status begin(self, const RuleTable* rules, const Position* position, size_t max_memory) noexcept nogil
    cdef Status take_up(self, const RuleTable* rules, const Position* position, size_t max_memory) noexcept nogil
    cdef bint renew(self) noexcept nogil
    cdef Status go_on(self, int64_t nodes) noexcept nogil
    cdef Status build(self, int64_t effort) noexcept nogil
    cdef const MoveCode* codes(self, int* count) noexcept nogil
    cdef int64_t count_nodes(self) noexcept nogil
    cdef size_t count_memory(self) noexcept nogil
    cdef int hold(self) except -1

cdef class Stop:
    """Tells engines at work to stop: `set` at once and without answers, an event by leaving deals undecided.

    The event is anything with a method `is_set`. It is asked with the GIL held, between two slices of a search.
    """

    cdef volatile bint is_set
    cdef volatile bint is_asked  # the event was found set
    cdef object event

    cdef int ask(self) except -1
