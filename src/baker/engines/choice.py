"""Which engine decides which rules, and engines kept for another time."""

from __future__ import annotations

from baker.engines.alternate_color.search import AlternateColorEngine
from baker.engines.base import Engine
from baker.engines.general.search import GeneralEngine
from baker.engines.no_cells.search import NoCellsEngine
from baker.engines.same_suit.search import SameSuitEngine
from baker.rules import Build, Fill, Group, Rules

# An engine that holds more bytes than this is not kept for another time.
_IDLE_MEMORY = 16 << 20

ENGINES: dict[type[Engine], str] = {
    SameSuitEngine: "same suit",
    NoCellsEngine: "no cells",
    AlternateColorEngine: "alternate colour",
    GeneralEngine: "general",
}
"""The engines, and what they are called."""

# Engines that are not in use; making one costs more than many a search.
_idle: dict[type[Engine], list[Engine]] = {kind: [] for kind in ENGINES}


def engine_for(rules: Rules) -> type[Engine]:
    """The engine that decides games of these rules."""
    bounded = rules.group is not Group.UNLIMITED
    if rules.build is Build.SAME_SUIT and (rules.fill is Fill.KINGS or (rules.fill is Fill.ANY and bounded)):
        return SameSuitEngine
    if rules.cells == 0 and rules.fill is not Fill.ANY and bounded:
        return NoCellsEngine
    if rules.build is Build.ALTERNATE_COLOR and bounded:
        return AlternateColorEngine
    return GeneralEngine


def borrow(kind: type[Engine]) -> Engine:
    """An engine of a kind, for use by one thread."""
    try:
        return _idle[kind].pop()
    except IndexError:
        return kind()


def give_back(engine: Engine) -> None:
    """Keep a borrowed engine for another time."""
    if engine.memory <= _IDLE_MEMORY:
        _idle[type(engine)].append(engine)
