from typing import final

from baker.engines.base import Engine

@final
class NoCellsEngine(Engine):
    def switch(self, *, lone: bool = True, safe: bool = True, counts: bool = True) -> None: ...
