"""The comment that names the game of a board: ``# game: freecell cells=3``."""

from __future__ import annotations

import re

from baker.board_text import DealError
from baker.rules import Rules, RulesError

_GAME_LINE = re.compile(r"^[ \t]*+#[ \t]*+game[ \t]*+:[ \t]*+(.*)$", re.IGNORECASE | re.MULTILINE)


def game_line(rules: Rules) -> str:
    """The comment for a board of a game. It belongs after the board: Freecell Solver takes no comment before it.

    >>> from baker import games
    >>> game_line(games["freecell"].replace(cells=3))
    '# game: freecell cells=3'
    """
    return f"# game: {rules.format()}"


def read_game_line(text: str) -> Rules | None:
    """The rules that the text of a board names, or None if it names none.

    Raises `DealError` with the line if no game has the name, or its rules cannot be.
    """
    found = _GAME_LINE.search(text)
    if found is None:
        return None
    try:
        return Rules.parse(found[1])
    except RulesError as error:
        line = text.count("\n", 0, found.start(1)) + 1
        column = found.start(1) - text.rfind("\n", 0, found.start(1))
        raise DealError(str(error), line=line, column=column, token=found[1].strip()) from None
