from typing import final

from baker._engine import Engine

@final
class AnySuitEngine(Engine):
    def switch(self, *, lone: bool = True, safe: bool = True, counts: bool = True) -> None: ...
