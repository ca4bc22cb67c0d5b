from typing import final

from baker.engines.base import Engine

@final
class AlternateColorEngine(Engine): ...
