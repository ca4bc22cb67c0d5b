"""Deal, play and decide open solitaires: Baker's Game, FreeCell, Eight Off, Baker's Dozen and their kin."""

from baker.batch import Solutions, solve_many
from baker.boards import DealError
from baker.cards import Card, CardError, Suit
from baker.deals import Deal
from baker.game import Game, IllegalMoveError, Move, perft
from baker.rules import GAMES as games
from baker.rules import Build, Fill, Group, Rules, RulesError
from baker.solver import Limit, Solution, Verdict, solve
from baker.survey import Survey, SurveyError

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
    "Limit",
    "Move",
    "Rules",
    "RulesError",
    "Solution",
    "Solutions",
    "Suit",
    "Survey",
    "SurveyError",
    "Verdict",
    "games",
    "perft",
    "solve",
    "solve_many",
]
