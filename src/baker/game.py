"""Games in progress: legal moves, playing and taking back, and why a move is refused."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import NoReturn

from baker._core import Board
from baker.base_rank import Foundations, cards_by_number
from baker.board_text import cells_of, columns_of
from baker.cards import RANKS, Card, quote
from baker.checks import shown, whole
from baker.deals import Deal, deal_of
from baker.hints import WinningLine
from baker.moves import (
    IllegalMoveError,
    InvalidMoveError,
    Move,
    Reading,
    hyphenated,
    move_of,
    read_move,
)
from baker.places import FIRST_CELL, Place
from baker.rules import Build, Fill, Group, Rules, rules_of
from baker.solver import Limits, Verdict, read_limits, solve

_BUILD_WORDS = {
    Build.SAME_SUIT: "of the same suit",
    Build.ALTERNATE_COLOR: "of the other colour",
    Build.ANY_SUIT: "of any suit",
    Build.DIFFERENT_SUIT: "of another suit",
}
_GROUP_WORDS = {
    Group.SINGLE: "one card",
    Group.CELLS: "as many cards as there are free cells, and one",
    Group.FULL: "as many cards as could be moved one by one",
    Group.UNLIMITED: "whole runs",
}


MOST_DEPTH = 1_000_000
"""Of `perft`, which holds more the deeper it goes."""


class LegalMoves(Collection[Move]):
    """The legal moves of a game as it stands at the moment when they are asked for.

    They come by source, columns before cells; then by target, foundations, columns, cells; then by count. Every empty
    column and every free cell is a target of its own.
    """

    __slots__ = ("_board",)

    def __init__(self, board: Board) -> None:
        self._board = board

    def __len__(self) -> int:
        return len(self._board.legal_moves())

    def __iter__(self) -> Iterator[Move]:
        return map(move_of, self._board.legal_moves())

    def __contains__(self, move: object) -> bool:
        return isinstance(move, Move) and self._board.is_legal(move.code)

    def __repr__(self) -> str:
        return f"<LegalMoves: {' '.join(map(str, self)) or 'none'}>"


class Game:
    """A game that starts from a deal, and the moves played so far.

    It is played by the rules of the deal, or by others that have as many columns; cells that are empty may then differ
    in number.

    >>> game = Game(Deal.microsoft(1))
    >>> len(game.legal_moves)
    34
    >>> game.push("2a")
    Move.parse('2a')
    >>> game.cells[0]
    Card('9C')
    >>> game.pop() in game.legal_moves
    True

    Games are equal if the position and the rules are, whatever led there. A game is hashed by its position, so do not
    play on one that is a key of a dictionary. Several threads may use one game at once, but they play the same game:
    give each its own `copy`.

    Raises `DealError`, a `ValueError`, if the deal cannot be played by the rules.
    """

    __slots__ = ("_board", "_deal", "_line")

    def __init__(self, deal: Deal, rules: Rules | str | None = None) -> None:
        if not isinstance(deal, Deal):
            raise TypeError(f"expected a Deal, not {type(deal).__name__}")
        if rules is not None and (rules := rules_of(rules)) != deal.rules:
            cells = deal.cells if any(deal.cells) else None
            deal = Deal(deal.columns, cells, deal.foundations, rules, deal.base_rank)
        self._deal = deal
        self._board = deal.to_board()
        # What `hint` has found.
        self._line: WinningLine | None = None

    @property
    def deal(self) -> Deal:
        """The deal that the game started from."""
        return self._deal

    @property
    def rules(self) -> Rules:
        """The rules it is played by."""
        return self._deal.rules

    @property
    def position(self) -> Deal:
        """The board as it is now, as a deal to play on from, to write down or to keep."""
        return deal_of(self._board.without_history(), self.base_rank, self.rules, None)

    @property
    def base_rank(self) -> int:
        """The rank that goes home first; see `Deal`."""
        return self._deal.base_rank

    @property
    def _cards(self) -> tuple[Card, ...]:
        return cards_by_number(self.base_rank, self.rules.ranks)

    def to_board(self) -> Board:
        """A board of its own, as the engines take it, with the same position and the same moves behind it."""
        return self._board.copy()

    @property
    def columns(self) -> tuple[tuple[Card, ...], ...]:
        """The cards of each column, the available card last."""
        return columns_of(self._board, self._cards)

    @property
    def cells(self) -> tuple[Card | None, ...]:
        """The card in each cell, or None."""
        return cells_of(self._board, self._cards)

    @property
    def foundations(self) -> Foundations:
        """How many clubs, diamonds, hearts and spades are home."""
        return self._board.foundations()

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves, as a collection that follows the game.

        >>> game = Game(Deal.microsoft(617))
        >>> [str(move) for move in game.legal_moves][:6]
        ['1a', '1b', '1c', '1d', '2a', '2b']
        >>> Move(0, 16) in game.legal_moves
        True
        """
        return LegalMoves(self._board)

    @property
    def history(self) -> tuple[Move, ...]:
        """The moves played, the first one first."""
        return tuple(map(move_of, self._board.history()))

    @property
    def is_won(self) -> bool:
        """Whether every card is home."""
        return self._board.is_won

    @property
    def is_stuck(self) -> bool:
        """Whether the game is not won and no move is left."""
        return not self._board.is_won and not self._board.legal_moves()

    def push(self, move: Move | str) -> Move:
        """Plays a move, given as such or by its text, and returns it.

        Raises `IllegalMoveError` with the reason if the move is not legal, `InvalidMoveError` if the text is not that
        of one move; both are ValueErrors. The game then stays as it was.
        """
        if isinstance(move, str):
            move = self.parse_move(move)
        elif not isinstance(move, Move):
            raise TypeError(f"expected a Move or its text, not {type(move).__name__}")
        try:
            self._board.push(move.code)
        except ValueError:
            raise self._illegal(move) from None
        return move

    def pop(self) -> Move:
        """Takes back the last move and returns it.  Raises IndexError if there is none."""
        return move_of(self._board.pop())

    def peek(self) -> Move:
        """The last move.  Raises IndexError if there is none."""
        return move_of(self._board.last())

    def parse_move(self, text: str, *, supermoves: bool = False) -> Move:
        """The legal move that a text names, written as `Move` writes it or as Freecell Solver does, in either case.

        A count is needed only to carry more than one card into an empty column: onto a card only one count can fit. So
        ``23`` into an empty column is one card, as in what `Move` and Freecell Solver's option -snx write, which add
        the count of more. In the standard notation of FreeCell, as with its option -sn, it is as many cards as can go:
        that is what ``supermoves=True`` reads.

        Freecell Solver writes ``23va`` for ten cards, ``k`` for the eighth cell, and a column of two digits without a
        hyphen, as in ``d10``. If that can be read in two ways, as ``112`` can, it is the one that is legal.

        Raises `InvalidMoveError` if the text is not a move, or both ways to read it are legal, `IllegalMoveError` with
        the reason if the move is not legal; both are ValueErrors.
        """
        moves = [self._move(reading, text, supermoves) for reading in read_move(text)]
        legal = [move for move in moves if self._board.is_legal(move.code)]
        if len(legal) > 1:
            both = " and ".join([hyphenated(move) for move in legal])
            raise InvalidMoveError(f"{quote(text)} is unclear: {both} are both legal, expected one of them")
        if not legal and len(moves) > 1:
            reasons = ", and ".join([f"as {hyphenated(move)} {self._reason(move)}" for move in moves])
            raise IllegalMoveError(quote(text), reasons)
        if not legal:
            raise self._illegal(moves[0])
        return legal[0]

    def _move(self, reading: Reading, text: str, supermoves: bool) -> Move:
        source, target, count = reading
        if count is None:
            count = self._count(source, target, supermoves)
        if count > 52:
            raise IllegalMoveError(quote(text), f"the deck has no {count} cards")
        return Move(source, target, count)

    def autoplay(self) -> tuple[Move, ...]:
        """Plays safe moves to the foundations until there are no more, and returns them.

        A move is safe if it takes no win away: when the game could be won before, it still can. In games built in suit
        every move home is safe. In any or a different suit it is when every card two ranks lower is home. In alternate
        colours it is when all cards of the other colour that are lower are home; or those at least two ranks lower are,
        and of the other suit of its own colour those at least three ranks lower.

        >>> game = Game(Deal.microsoft(1))
        >>> [str(move) for move in game.autoplay()]
        []

        The proof is at the head of ``baker/_core.pyx``, Lemma H1.
        """
        return tuple(map(move_of, self._board.autoplay()))

    def hint(
        self,
        *,
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        max_memory: int | None = None,
        limits: Limits | None = None,
    ) -> Move | Verdict:
        """The next move of a line that wins; without one, the verdict.

        The line is that of one `solve`, and is kept: as long as the game is on it, the hint is its next move, whichever
        free cell or empty column the player has taken. Off the line another one is searched for. So hints never go
        round in circles, and whoever follows them wins in at most as many moves as the line had when it was found.

        The verdict is `Verdict.IMPOSSIBLE` if the game can no longer be won, `Verdict.UNDECIDED` if a limit of the
        search, as `solve` knows them, came first, and `Verdict.SOLVED` if the game is won already.

        Raises TypeError or ValueError if a limit is not a positive number.
        """
        read_limits(max_nodes, max_seconds, max_memory, limits)
        here = self.copy()
        # Another thread may play on or find another line meanwhile; these stay as they are.
        line = here._line
        if line is None or not line.goes_on_from(here._board):
            solution = solve(here, max_nodes=max_nodes, max_seconds=max_seconds, max_memory=max_memory, limits=limits)
            if not solution.moves:
                return solution.verdict
            self._line = line = WinningLine(here._board, [move.code for move in solution.moves])
        return move_of(line.next_code(here._board))

    def copy(self) -> Game:
        """A game of its own with the same position and history."""
        game = object.__new__(Game)
        game._deal = self._deal
        game._board = self._board.copy()
        game._line = self._line
        return game

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        same_ranks = self.rules == other.rules and self.base_rank == other.base_rank
        return same_ranks and self._board.key() == other._board.key()

    def __hash__(self) -> int:
        return hash(self._board.key())

    def __str__(self) -> str:
        """The board for people."""
        return str(self.position)

    def __repr__(self) -> str:
        return f"Game({self.position if self._board.history() else self._deal!r})"

    def __copy__(self) -> Game:
        return self.copy()

    def __deepcopy__(self, memo: object) -> Game:
        return self.copy()

    def __reduce__(self) -> tuple[object, ...]:
        return _replay, (self._deal, self._board.history())

    def __setstate__(self, state: object) -> NoReturn:
        raise TypeError("a game has no state but its deal and its moves")

    def _count(self, source: int, target: int, supermoves: bool) -> int:
        """How many cards a move without a count carries."""
        columns = self._board.columns()
        if source >= len(columns) or target >= len(columns) or not columns[source]:
            return 1
        if columns[target]:
            return max(1, columns[target][-1] // 4 - columns[source][-1] // 4)
        if supermoves:
            for count in range(len(columns[source]), 1, -1):
                if self._board.is_legal(Move(source, target, count).code):
                    return count
        return 1

    def _illegal(self, move: Move) -> IllegalMoveError:
        return IllegalMoveError(str(move), self._reason(move), move)

    def _reason(self, move: Move) -> str:
        """Why a move that is not legal is not."""
        columns, cells, rules = self.columns, self.cells, self.rules
        source, target, count = move.source, move.target, move.count
        for place in (source, target):
            if place.is_column and place >= len(columns):
                return f"there is no column {place}, the last one is {len(columns)}"
            if place.is_cell and place >= FIRST_CELL + len(cells):
                last = f"the last one is {Place.cell(len(cells) - 1)}" if cells else "the game has none"
                return f"there is no cell {place}, {last}"
        if source.is_foundations:
            return "cards stay on the foundations"
        if source is target:
            return "source and target are the same place"
        if source.is_cell and target.is_cell:
            return "cards do not move from cell to cell"
        here = columns[source] if source.is_column else tuple(filter(None, [cells[source - FIRST_CELL]]))
        name = f"{'column' if source.is_column else 'cell'} {source}"
        if count > len(here):
            return f"{name} has only {len(here)} of {count} cards" if here else f"{name} is empty"
        group = here[-count:]
        card = group[0]
        if not target.is_column and count > 1:
            return "only single cards move to cells and foundations"
        if move.is_home:
            home = self.foundations[card.suit]
            return f"{card} cannot go home before {self._cards[4 * home + card.suit]}"
        if target.is_cell:
            return f"cell {target} holds {cells[target - FIRST_CELL]}"
        for upper, lower in pairwise(group):
            if not self._fits(lower, upper):
                return f"{lower} is not built on {upper}: {_build_words(rules)}"
        if columns[target] and not self._fits(card, columns[target][-1]):
            return f"{card} does not go on {columns[target][-1]}: {_build_words(rules)}"
        if not columns[target] and rules.fill is Fill.NONE:
            return "empty columns stay empty"
        if not columns[target] and rules.fill is Fill.KINGS and card.rank != self._cards[-1].rank:
            return f"only a card of rank {RANKS[self._cards[-1].rank - 1]} goes into an empty column, not {card}"
        return f"{count} cards are too many, one move carries {_GROUP_WORDS[rules.group]}"

    def _fits(self, card: Card, on: Card) -> bool:
        """Whether a card may be put on another: the ranks go round the corner, but on the base rank goes nothing."""
        match self.rules.build:
            case Build.SAME_SUIT:
                suits = card.suit is on.suit
            case Build.ALTERNATE_COLOR:
                suits = card.suit.is_red != on.suit.is_red
            case Build.DIFFERENT_SUIT:
                suits = card.suit is not on.suit
            case Build.ANY_SUIT:
                suits = True
        return suits and card.rank % self.rules.ranks + 1 == on.rank != self.base_rank


def _build_words(rules: Rules) -> str:
    return f"expected the next lower rank {_BUILD_WORDS[rules.build]}"


def _replay(deal: Deal, codes: tuple[int, ...]) -> Game:
    game = Game(deal)
    for code in codes:
        game._board.push(code)
    return game


def perft(game: Game, depth: int) -> int:
    """How many lines of exactly `depth` legal moves there are in a game from where it stands.

    The counts check a program that generates moves: two that agree to some depth hardly differ.

    >>> [perft(Game(Deal.microsoft(1, "freecell")), depth) for depth in range(4)]
    [1, 32, 792, 14004]

    Other threads run meanwhile. Raises ValueError if the depth is not between 0 and 1,000,000.
    """
    if not isinstance(game, Game):
        raise TypeError(f"game is {shown(game)}: expected a Game")
    depth = whole("depth", depth)
    if not 0 <= depth <= MOST_DEPTH:
        raise ValueError(f"depth is {shown(depth)}: expected 0 to {MOST_DEPTH}")
    return game._board.perft(depth)
