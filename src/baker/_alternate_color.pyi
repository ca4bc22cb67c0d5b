from typing import final

from baker._engine import Engine

@final
class AlternateColorEngine(Engine): ...
