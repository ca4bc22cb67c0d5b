"""Deal, play and decide open solitaires: Baker's Game, FreeCell, Eight Off, Baker's Dozen and their kin."""

from baker.batch import Solutions, solve_many
from baker.board_text import DealError
from baker.cards import Card, CardError, Suit
from baker.deals import Deal, Solvable
from baker.game import Game, perft
from baker.moves import IllegalMoveError, Move
from baker.rules import GAMES as games
from baker.rules import Build, Fill, Group, Rules, RulesError
from baker.solver import Limit, Solution, Verdict, solve
from baker.surveys import Interval, Spread, Summary, Survey, SurveyError

__version__: str

__all__ = [
    "Build",
    "Card",
    "CardError",
    "Deal",
    "DealError",
    "Fill",
    "Game",
    "Group",
    "IllegalMoveError",
    "Interval",
    "Limit",
    "Move",
    "Rules",
    "RulesError",
    "Solution",
    "Solutions",
    "Solvable",
    "Spread",
    "Suit",
    "Summary",
    "Survey",
    "SurveyError",
    "Verdict",
    "games",
    "perft",
    "solve",
    "solve_many",
]


def __getattr__(name: str) -> str:
    if name == "__version__":
        from baker.version import installed_version

        return installed_version()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
