from collections.abc import Iterable
from typing import Protocol, final

from typing_extensions import disjoint_base

from baker._core import Board, Dealer

_Answer = tuple[int, int, int, float, bytes]

class _Event(Protocol):
    def is_set(self) -> bool: ...

@final
class Stop:
    def __init__(self, event: _Event | None = None) -> None: ...
    def set(self) -> None: ...

@disjoint_base
class Engine:
    @property
    def memory(self) -> int: ...
    def decide_boards(
        self, boards: Iterable[Board], moves: bool, max_nodes: int, max_seconds: float, max_memory: int, stop: Stop
    ) -> list[_Answer]: ...
    def decide_numbers(
        self,
        dealer: Dealer,
        first: int,
        step: int,
        count: int,
        moves: bool,
        max_nodes: int,
        max_seconds: float,
        max_memory: int,
        stop: Stop,
    ) -> list[_Answer]: ...
