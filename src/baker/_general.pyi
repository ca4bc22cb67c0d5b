from typing import final

from baker._engine import Engine

@final
class GeneralEngine(Engine):
    def switch(self, *, stretch: int = ...) -> None: ...
