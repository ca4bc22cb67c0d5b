"""The shape of every engine."""

from libc.stdint cimport int64_t

from baker._core cimport MoveCode, Position, RuleTable
from baker.engines.lib.memory cimport Memory

cdef enum Status:
    RUNNING
    SOLVED
    IMPOSSIBLE
    OUT_OF_MEMORY
    OUT_OF_NODES
    # A search that found a win whose moves it cannot build has an error.
    BROKEN

cdef class Engine:
    """A search over one position at a time.

    An engine is a subclass that takes up a position (`take_up`), goes on with it (`go_on`) as long as that
    returns RUNNING, and after a win goes on to build the moves (`build`) until that returns SOLVED; `codes`
    then points to them.  It has OUT_OF_NODES where it would need more than `max_nodes`.  `go_on` and `build` return
    after some units of work, each a node or what takes about as long, so that the clock is looked at often enough.

    Between two positions it keeps its arrays; `renew` gives them back for new ones of their first size, and
    returns False if there is no memory for these.  `account` has the bytes of them all.
    """

    cdef bint in_use
    cdef Memory account

    cdef bint make_ready(self, size_t max_memory) noexcept nogil
    cdef bint decides(self, const RuleTable* rules) noexcept nogil
    cdef Status take_up(self, const RuleTable* rules, const Position* position, int64_t max_nodes) noexcept nogil
    cdef bint renew(self) noexcept nogil
    cdef Status go_on(self, int64_t effort) noexcept nogil
    cdef Status build(self, int64_t effort) noexcept nogil
    cdef const MoveCode* codes(self, int* count) noexcept nogil
    cdef int64_t count_nodes(self) noexcept nogil
    cdef int hold(self) except -1

cdef class Stop:
    """Tells engines at work to stop: `set` at once and without answers, an event by leaving deals undecided.

    The event is anything with a method `is_set`. It is asked with the GIL held, between two slices of a search.
    """

    cdef volatile bint is_set
    cdef volatile bint is_asked  # the event was found set
    cdef object event

    cdef int ask(self) except -1
