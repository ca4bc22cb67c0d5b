from typing import final

from baker.engines.base import Engine

@final
class GeneralEngine(Engine):
    def switch(self, *, stretch: int = ...) -> None: ...
