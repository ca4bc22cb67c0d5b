from typing import final

from baker.engines.base import Engine

@final
class SameSuitEngine(Engine): ...
