"""Where the deals of a run come from: a range, a list, or another iterable that a thread of its own reads."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from baker.batch.threads import Bell, Worker
from baker.batch.work import AnyDeal, Item

# Deals as they were given, and as a worker gets them; or one, and why it cannot be decided; or none, and the error
# of the iterable that should have more.
Given = tuple[Sequence[AnyDeal], range | list[Item] | BaseException]

FIRST_SIZE = 16
"""How many deals the first batches have."""
# How long the end of a run waits for the reader of an iterable, which may be waiting itself.
_READER_SECONDS = 0.1


class Source(Protocol):
    """Deals, taken some at a time by one thread at a time."""

    def take(self, size: int, look_ahead: int, in_part: bool) -> Given | None:
        """The next `size` deals, or fewer; None if there are not as many now, or, if `in_part`, none at all."""

    @property
    def is_over(self) -> bool:
        """Whether nothing more comes."""

    def close(self) -> None:
        """Read no more."""


class Numbers:
    """The numbers of a range."""

    def __init__(self, numbers: range) -> None:
        self._left = numbers

    def take(self, size: int, look_ahead: int, in_part: bool) -> Given | None:
        if not self._left:
            return None
        # Towards the end batches get smaller, so that all workers come to it together.
        size = min(size, max(FIRST_SIZE, len(self._left) // look_ahead))
        part, self._left = self._left[:size], self._left[size:]
        return part, part

    @property
    def is_over(self) -> bool:
        return not self._left

    def close(self) -> None:
        self._left = range(0)


class Items:
    """The deals of an iterable that does not keep its reader waiting."""

    def __init__(self, deals: Iterable[AnyDeal], item: Callable[[AnyDeal], Item]) -> None:
        self._deals: Iterator[AnyDeal] = iter(deals)
        self._item = item
        # Read, but not taken.  One thread appends while another takes.
        self._read: deque[tuple[AnyDeal, Item | Exception]] = deque()
        self._failure: BaseException | None = None
        self._is_read = False

    def take(self, size: int, look_ahead: int, in_part: bool) -> Given | None:
        while len(self._read) < size and not self._is_read:
            self._read_one()
        return self._cut(size)

    @property
    def is_over(self) -> bool:
        return self._is_read and not self._read and self._failure is None

    def close(self) -> None:
        self._is_read = True
        self._read.clear()
        self._failure = None

    def _read_one(self, caught: type[BaseException] = Exception) -> None:
        try:
            deal = next(self._deals)
        except StopIteration:
            self._is_read = True
            return
        except caught as error:
            self._failure = error
            self._is_read = True
            return
        try:
            self._read.append((deal, self._item(deal)))
        except Exception as error:  # whatever it is, it comes in its turn
            self._read.append((deal, error))

    def _cut(self, size: int) -> Given | None:
        given: list[AnyDeal] = []
        part: list[Item] = []
        while self._read and len(part) < size:
            deal, item = self._read[0]
            if isinstance(item, Exception):
                if part:
                    break
                self._read.popleft()
                return [deal], item
            self._read.popleft()
            given.append(deal)
            part.append(item)
        if part:
            return given, part
        if self._is_read and not self._read and self._failure is not None:
            failure, self._failure = self._failure, None
            return [], failure
        return None


class ReadAhead(Items):
    """The deals of an iterable that may keep its reader waiting: a thread reads it, some deals ahead.

    Where no thread can be started, deals are read one at a time by whoever takes them.
    """

    def __init__(self, deals: Iterable[AnyDeal], item: Callable[[AnyDeal], Item], bell: Bell) -> None:
        super().__init__(deals, item)
        self._bell = bell
        # Entered by those who take deals: a lock that an interrupt cannot leave held (see `Bell`).
        self._lock = threading.RLock()
        # Of the reader, where no interrupt comes.
        self._room = threading.Condition(self._lock)
        self._most = 2 * FIRST_SIZE
        # How many deals somebody waits for; 0 if nobody does.
        self._wanted = 0
        self._reader: Worker | None = None
        self._can_start = True
        self._is_closed = False

    def take(self, size: int, look_ahead: int, in_part: bool) -> Given | None:
        if not self._has_reader():
            return super().take(1, look_ahead, in_part)
        # First this, then a look: the reader does it the other way round, so one of the two sees the other.
        self._wanted = 1 if in_part else size
        if not (in_part or self._is_read or len(self._read) >= size):
            return None
        given = self._cut(size)
        with self._lock:
            self._most = max(2 * size, 2 * FIRST_SIZE)
            self._room.notify()
        return given

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            self._room.notify()
        super().close()
        if self._reader is not None:
            self._reader.end(_READER_SECONDS)

    def _has_reader(self) -> bool:
        if self._reader is None and self._can_start:
            reader = Worker(self._read_all)
            self._can_start = reader.try_start()
            self._reader = reader if self._can_start else None
        return self._reader is not None

    def _read_all(self) -> None:
        while not (self._is_read or self._is_closed):
            if len(self._read) >= self._most:
                with self._room:
                    while len(self._read) >= self._most and not self._is_closed:
                        self._room.wait()
                continue
            # What else an iterable may raise, such as SystemExit, is for those who read the answers.
            self._read_one(BaseException)
            if self._is_read or 0 < self._wanted <= len(self._read):
                self._wanted = 0
                self._bell.ring()
        # A generator ends in the thread that it ran in.
        self._deals = iter(())
