"""Deal, play and decide open solitaires: Baker's Game, FreeCell, Eight Off, Baker's Dozen and their kin.

Cards, games and deals: `Card` and `Suit`; `Rules` with `Build`, `Fill` and `Group`, and `games`, the rules of every
game that has a name; `Deal`, a board made from a number, a seed, a day or a text, and `Solvable`. What is wrong is a
`CardError`, a `RulesError` or a `DealError`.

Playing: `Game`, with its `LegalMoves`; `Move` and `Place`; `perft`. What cannot be played is an `IllegalMoveError`,
what is no move an `InvalidMoveError`.

Deciding: `solve` gives a `Solution` with its `Verdict`: solved, with moves that win; impossible, as the search was
exhausted; or undecided, and which `Limit` was hit. `Limits` are nodes, seconds and memory as one value. `solve_many`
decides many deals, as `Solutions` in order or as `CompletedSolutions`.

Surveys: `Survey` decides ranges of deals into files, over as many runs as it takes; its `Summary` has `Interval` and
`Spread`. What is wrong with its files is a `SurveyError`.
"""

from importlib import import_module

TYPE_CHECKING = False  # as type checkers do not believe; `typing` takes long to load

if TYPE_CHECKING:
    from baker.batch import CompletedSolutions, Solutions, solve_many
    from baker.board_text import DealError
    from baker.cards import Card, CardError, Suit
    from baker.deals import Deal, Solvable
    from baker.game import Game, LegalMoves, perft
    from baker.moves import IllegalMoveError, InvalidMoveError, Move
    from baker.places import Place
    from baker.rules import GAMES as games
    from baker.rules import Build, Fill, Group, Rules, RulesError
    from baker.solver import Limit, Limits, Solution, Verdict, solve
    from baker.surveys import Interval, Spread, Summary, Survey, SurveyError

    __version__: str

__all__ = [
    "Build",
    "Card",
    "CardError",
    "CompletedSolutions",
    "Deal",
    "DealError",
    "Fill",
    "Game",
    "Group",
    "IllegalMoveError",
    "Interval",
    "InvalidMoveError",
    "LegalMoves",
    "Limit",
    "Limits",
    "Move",
    "Place",
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


# Each is imported when it is first asked for. So the command line has little to load before it handles interrupts.
_MODULES = {
    "batch": ("CompletedSolutions", "Solutions", "solve_many"),
    "board_text": ("DealError",),
    "cards": ("Card", "CardError", "Suit"),
    "deals": ("Deal", "Solvable"),
    "game": ("Game", "LegalMoves", "perft"),
    "moves": ("IllegalMoveError", "InvalidMoveError", "Move"),
    "places": ("Place",),
    "rules": ("Build", "Fill", "Group", "Rules", "RulesError"),
    "solver": ("Limit", "Limits", "Solution", "Verdict", "solve"),
    "surveys": ("Interval", "Spread", "Summary", "Survey", "SurveyError"),
}
_PLACES = {name: (module, name) for module, names in _MODULES.items() for name in names} | {"games": ("rules", "GAMES")}

if not TYPE_CHECKING:  # a checker would take every name for one of ours

    def __getattr__(name):
        if name == "__version__":
            return import_module("baker.version").installed_version()
        if name not in _PLACES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        module, name_there = _PLACES[name]
        try:
            value = globals()[name] = getattr(import_module(f"baker.{module}"), name_there)
        except ImportError as error:
            # So Cython and CPython say that a module does not go into a second interpreter.
            if "interpreter" not in str(error):
                raise
            raise ImportError(
                "baker can be used in one interpreter of a process only, the first that imports it: "
                "to use more processors, give solve_many threads or an executor of processes"
            ) from None
        return value

    def __dir__():
        return sorted({*globals(), *__all__})
