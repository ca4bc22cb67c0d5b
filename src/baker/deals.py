"""Deals: boards to play from, made from numbers, seeds, dates and texts."""

from __future__ import annotations

import datetime
import sys
from collections.abc import Iterable
from itertools import islice
from typing import Any, NamedTuple, NoReturn, Self, SupportsIndex

from baker._core import Board, deck_microsoft, deck_random
from baker.base_rank import (
    Foundations,
    cards_by_number,
    cards_home,
    find_base_rank,
    foundations_text,
    numbers_of,
)
from baker.board_forms import board_parts, decode_board, game_of_board
from baker.board_text import (
    EMPTY,
    NOTHING_HOME,
    DealError,
    cells_of,
    columns_of,
    draw_board,
    find_fault,
    game_comment,
    missing_cards,
    read_board,
    write_board,
)
from baker.cards import CARDS, RANKS, Card, CardError
from baker.checks import plain_text, shown, whole, yes_or_no
from baker.layouts import dealer_of, deck_pysol, laid_out_by_kpat, laid_out_by_pysol
from baker.origins import (
    Kind,
    Origin,
    code_in,
    day_of,
    read_code,
    seed_of_day,
    tried_seeds,
    write_code,
    write_code_with_game,
)
from baker.rules import GAMES, Rules, RulesError, rules_of
from baker.solver import Limit, Limits, Solution, StopEvent, Verdict, solve
from baker.values import Value

_put = object.__setattr__

MICROSOFT_LAST = 2**33 - 1
KPAT_LAST = 2**31 - 1
PYSOL_LAST = 10**20
# Of PySol's numbers those up to this one are Microsoft's.
_PYSOL_MICROSOFT_LAST = 32_000
SEED_LAST = 2**64 - 1
MOST_TRIES = 10_000


class Deal(Value):
    """A board to play from, which is the start of a game or any position of it: the columns, cells and foundations.

    Each column is a sequence of cards, or a text of cards with blanks between, the available card last. Cells that
    are not given are empty. `foundations` says how many clubs, diamonds, hearts and spades are home.

    In games with a beak, such as Penguin, `base_rank` is the rank that goes home first. If it is not given, the missing
    cards tell it; where no card is home it is the rank of the first card of the first column that has one.

    >>> deal = Deal.random(1, "penguin")
    >>> deal.columns[0][0], deal.base_rank, deal.foundations
    (Card('5S'), 5, (1, 1, 1, 0))

    >>> deal = Deal(["JS KS", "", "", "QS", "", "", "", ""], foundations=(13, 13, 13, 10))
    >>> deal.columns[0], deal.cells, deal.foundations
    ((Card('JS'), Card('KS')), (None, None, None, None), (13, 13, 13, 10))

    Deals are immutable; two are equal if the same cards lie at the same places under equal rules.

    Raises `DealError`, a `ValueError`, if the cards are not those of the deck or the places not those of the game,
    TypeError if something is not what it should be.
    """

    __slots__ = ("_board", "_origin", "base_rank", "rules")

    # The cards, by their numbers from the base rank on; nobody plays on this board.
    _board: Board
    base_rank: int
    """The rank that goes home first: 1, the ace, but in games with a beak that of the first card dealt, 1 to 13."""
    rules: Rules
    # What the deal was made from; it is not compared.
    _origin: Origin | None

    # A deal is made here and not in `__init__`, which could be called again.
    def __new__(
        cls,
        columns: Iterable[str | Iterable[Card | str]],
        cells: Iterable[Card | str | None] | None = None,
        foundations: Iterable[SupportsIndex] | None = None,
        rules: Rules | str = "bakers_game",
        base_rank: SupportsIndex | None = None,
    ) -> Self:
        rules = rules_of(rules)
        home = NOTHING_HOME if foundations is None else _home(foundations, rules)
        try:
            lists = [[_index(card) for card in _cards(column)] for column in _items("columns", columns)]
            held = [EMPTY if cell is None else _index(cell) for cell in _items("cells", () if cells is None else cells)]
        except CardError as error:
            raise DealError(str(error)) from None
        if len(lists) != len(rules.columns):
            raise DealError(f"the board has {len(lists)} columns: expected {len(rules.columns)}, as {rules.name} has")
        if len(held) > rules.cells:
            raise DealError(f"the board has {len(held)} cells: expected at most {rules.cells}, as {rules.name} has")
        base = _base_rank(base_rank, lists, held, home, rules)
        numbers = [numbers_of(cards, base, rules.ranks) for cards in lists]
        cells_numbers = numbers_of(held, base, rules.ranks).ljust(rules.cells, bytes([EMPTY]))
        try:
            board = Board(rules, numbers, cells_numbers, home)
        except ValueError:
            raise _fault(lists, held, home, base, rules) from None
        return cls._of(board, base, rules, None)

    @classmethod
    def _of(cls, board: Board, base_rank: int, rules: Rules, origin: Origin | None) -> Self:
        deal = object.__new__(cls)
        _put(deal, "_board", board)
        _put(deal, "base_rank", base_rank)
        _put(deal, "rules", rules)
        _put(deal, "_origin", origin)
        return deal

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
    def _cards(self) -> tuple[Card, ...]:
        return cards_by_number(self.base_rank, self.rules.ranks)

    @property
    def number(self) -> int | None:
        """The Microsoft number that the deal was made from by `microsoft`, or None; it is not compared."""
        kind, number = self._origin or (None, None)
        return number if kind is Kind.MICROSOFT else None

    @property
    def seed(self) -> int | None:
        """The seed from which `random` makes the same deal if it was made from one, or from a day; it is not compared.

        >>> Deal.random(42).seed, Deal.microsoft(617).seed
        (42, None)
        """
        match self._origin:
            case (Kind.SEED, seed):
                return seed
            case (Kind.DAY, day):
                return seed_of_day(day)
        return None

    @property
    def code(self) -> str | None:
        """A short text that `from_code`, `parse` and the command line read; it is not compared.

        It is ``ms617``, ``seed42``, ``daily2026-02-28``, ``kpat617``, ``pysol617`` or ``pysolms617`` after what the
        deal was made from, with the rules as `Rules.format` writes them and a colon in front if they are not those of
        Baker's Game. Positions and boards read from a text have no code: None.

        >>> Deal.microsoft(617).code, Deal.random(7, "seahaven_towers").code
        ('ms617', 'seahaven_towers:seed7')
        >>> Deal.microsoft(617, Deal.microsoft(617).rules.replace(cells=3)).code
        'bakers_game cells=3:ms617'
        """
        return None if self._origin is None else write_code_with_game(self._origin, self.rules)

    def to_board(self) -> Board:
        """A board of its own, as the engines take it, with no moves behind it."""
        return self._board.copy()

    @classmethod
    def microsoft(cls, number: int, rules: Rules | str = "bakers_game") -> Deal:
        """The deal of a number of Microsoft FreeCell, 1 to 2^33 - 1, laid out as the game asks for.

        Numbers of 2^31 and more are dealt as FreeCell Pro and PySol FC deal them. In games that are dealt like
        FreeCell, Baker's Game among them, other programs show the same board for a number. Elsewhere they may lay out
        the same deck in their own way: Baker's Dozen 617 is another board here, in KPat and in PySol FC. `kpat` and
        `pysol` deal as these do.

        >>> print(Deal.microsoft(617).format())
        7D TD TH KD 4C 4S JD
        AD 7S QC 5H QS TS KS
        5C QD 3H 9S 9C 2H KC
        3S AC 9D 3C 9H 5D 4H
        5S 6D 6S 8S 7C JC
        8C 8H 8D 7H 6H 6C
        2D AS 3D 4D 2C JH
        AH KH TC JS 2S QH

        Raises `DealError` if the number is out of range or the game is not played with a deck of 52 cards.
        """
        rules = rules_of(rules)
        number = check_number(number, rules)
        return _dealt(deck_microsoft(number), rules, (Kind.MICROSOFT, number))

    @classmethod
    def kpat(cls, number: int, rules: Rules | str = "bakers_game") -> Deal:
        """The deal of a number of KPat, 1 to 2^31 - 1, laid out as KPat does.

        The deck is that of the Microsoft number. Boards differ from those of `microsoft` in Eight Off, Fore Cell and
        Seahaven Towers, where KPat fills the cells first, from the left, and in Baker's Dozen and its kin, where each
        king changes places with the lowest card of its column that is not a king: here it goes down, and the cards
        below it move up. KPat does that in Portuguese Solitaire, Spanish Patience and Castles of Spain as well.

        >>> Deal.kpat(617) == Deal.microsoft(617), Deal.kpat(3, "bakers_dozen") == Deal.microsoft(3, "bakers_dozen")
        (True, False)

        Raises `DealError` if the number is out of range or KPat has no game of that layout.
        """
        rules = rules_of(rules)
        number = whole("number", number)
        if not 1 <= number <= KPAT_LAST:
            raise DealError(f"no deal of KPat has the number {shown(number)}: expected 1 to {KPAT_LAST} (2^31 - 1)")
        return deal_of(laid_out_by_kpat(deck_microsoft(number), rules), 1, rules, (Kind.KPAT, number))

    @classmethod
    def pysol(cls, number: int | str, rules: Rules | str = "bakers_game") -> Deal:
        """The deal of a number of PySol FC, 1 to 10^20, laid out as PySol does.

        Numbers up to 32,000 and those that PySol writes with the letters "ms", such as ``"ms100000"``, are Microsoft's;
        the others have decks of their own. Boards of Microsoft numbers differ from those of `microsoft` in Baker's
        Dozen, which PySol deals from the other end of the deck, and where each king changes places with the lowest
        card of its column that is not a king. The decks are those of the package pysol-cards 0.24.

        >>> Deal.pysol(617) == Deal.microsoft(617) == Deal.pysol("ms617")
        True
        >>> Deal.pysol(100_000) == Deal.microsoft(100_000)
        False

        Raises `DealError` if the number is out of range or no number, or the game is not laid out like one of those
        that PySol is known to deal: Baker's Game, FreeCell, Eight Off, Seahaven Towers, Fore Cell and Baker's Dozen.
        """
        rules = rules_of(rules)
        if isinstance(number, str):
            return _from_origin(*read_code(f"pysol{plain_text('number', number)}", rules))
        number = whole("number", number)
        if not 1 <= number <= PYSOL_LAST:
            raise DealError(f"no deal of PySol has the number {shown(number)}: expected 1 to {PYSOL_LAST} (10^20)")
        deck = deck_microsoft(number) if number <= _PYSOL_MICROSOFT_LAST else deck_pysol(number)
        return deal_of(laid_out_by_pysol(deck, rules), 1, rules, (Kind.PYSOL, number))

    @classmethod
    def random(cls, seed: int, rules: Rules | str = "bakers_game") -> Deal:
        """The deal of a seed, 0 to 2^64 - 1; every deck is as likely as any other, and a seed always deals the same.

        The generator is SplitMix64. Its state s starts as the seed; each draw adds 0x9E3779B97F4A7C15 to s and is
        z ^ (z >> 31), where z = (y ^ (y >> 27)) * 0x94D049BB133111EB and y = (s ^ (s >> 30)) * 0xBF58476D1CE4E5B9,
        all modulo 2^64. The deck starts in the order AC AD AH AS 2C .. KS. For n from the number of cards down to 2,
        draw until the draw is less than 2^64 - (2^64 mod n), then swap the card at place n - 1 with that at
        place (draw mod n), places counted from 0. The deck is dealt from its first card on.

        >>> Deal.random(1) == Deal.random(1), Deal.random(1) == Deal.random(2)
        (True, False)

        Raises `DealError` if the seed is out of range.
        """
        rules = rules_of(rules)
        seed = _check_seed(seed)
        return _random(seed, rules, (Kind.SEED, seed))

    @classmethod
    def daily(cls, date: datetime.date | str, rules: Rules | str = "bakers_game", *, solvable: bool = False) -> Deal:
        """The deal of a day, the same for everyone; the day is a date or its ISO text.

        Its seed for `random` is ``0x62616B6572 << 24 | date.toordinal()``: the letters of "baker", then the day.

        >>> import datetime
        >>> Deal.daily("2026-02-28") == Deal.daily(datetime.date(2026, 2, 28))
        True

        With ``solvable=True`` it is the first that can be won of the deals that `solvable` tries for that seed, and its
        own seed is in its `seed` and its `code`. It is the same for everyone and for ever, because no deal is passed
        over that is not proved to be impossible: each is searched to its end, in the memory that `solve` allows, and
        where that is not enough there is no deal.

        >>> Deal.daily("2026-02-28", solvable=True).code
        'seed1077374531497201116'

        Raises `DealError` if the text is not a date; with ``solvable=True`` also if a deal cannot be decided, or if ten
        thousand cannot be won.
        """
        rules = rules_of(rules)
        day = day_of(date).toordinal()
        seed = seed_of_day(day)
        if not yes_or_no("solvable", solvable):
            return _random(seed, rules, (Kind.DAY, day))
        return _first_winnable(seed, rules, MOST_TRIES, {}, pass_over=False).deal

    @classmethod
    def solvable(
        cls,
        seed: int,
        rules: Rules | str = "bakers_game",
        *,
        max_tries: int | None = MOST_TRIES,
        max_nodes: int | None = None,
        max_seconds: float | None = None,
        max_memory: int | None = None,
        limits: Limits | None = None,
        stop: StopEvent | None = None,
    ) -> Solvable:
        """The first deal that is proved to be winnable among those tried for a seed, with the moves that win it.

        The deals tried are those of the seeds that SplitMix64, as `random` describes it, draws when it is started at
        the first number that it draws from `seed`. So other seeds give other deals. Each is searched within the limits
        of `solve`; one that they leave undecided is passed over, as are those that cannot be won.

        >>> deal, tries, solution = Deal.solvable(5, "seahaven_towers")
        >>> deal.code, tries, len(solution.moves)
        ('seahaven_towers:seed18074882946671919669', 1, 77)

        Raises `DealError` if the seed is out of range, or if `max_tries` deals did not do; with ``max_tries=None`` it
        goes on for ever where no deal can be won. Also if it was stopped by `stop`, as in `solve`. Raises ValueError if
        a limit is not positive.
        """
        rules = rules_of(rules)
        options: dict[str, Any] = {"max_nodes": max_nodes, "max_seconds": max_seconds, "max_memory": max_memory}
        options |= {"limits": limits, "stop": stop}
        return _first_winnable(_check_seed(seed), rules, max_tries, options, pass_over=True)

    @classmethod
    def from_code(cls, code: str, rules: Rules | str = "bakers_game") -> Deal:
        """The deal of a `code`, or of a number alone, which is Microsoft's; of `rules` if the code names no game.

        >>> Deal.from_code("freecell:ms11982")
        Deal.microsoft(11982, 'freecell')
        >>> Deal.from_code("daily2026-02-28", "eight_off").code
        'eight_off:daily2026-02-28'

        Raises `DealError` if there is no such deal, `RulesError` if there is no such game.
        """
        return _from_origin(*read_code(plain_text("code", code), rules))

    @classmethod
    def parse(cls, text: str | bytes, rules: Rules | str | None = None) -> Deal:
        """The board that a text shows, at the start of a game or in the middle of it; or the deal of a `code`.

        The text has one line for each column, the available card last: ``KS TH 4d`` or ``: KS TH 4d``, and ``:``
        alone for an empty column. A line ``Freecells: KS - - 4D`` shows the cells (``-`` is an empty one, those left
        out are empty), a line ``Foundations: C-0 D-A H-10 S-K`` the highest card of each suit that is home (0 or left
        out: none). Cards are written as `Card` reads them. ``#`` starts a comment. Empty lines are skipped, but those
        between two columns are empty columns if just so many are missing.

        In games with a beak foundations may begin with any rank. The highest cards that are home and those that are
        missing tell which, `base_rank`: ``Foundations: C-T D-T S-T`` if the beak is the ten of hearts.

        What `str` of a deal writes, what Freecell Solver prints with its option -p and the JSON of Solvitaire are read
        too. Bytes are UTF-8 or UTF-16. ``docs/formats.md`` has an example of each.

        Without `rules` the board is of the game that its comment ``# game: freecell`` names, as `format` writes it,
        and of Baker's Game without one. `rules` that are given hold, whatever the comment says.

        >>> from baker import Rules
        >>> small = Rules(name="small", columns=(6, 6), cells=1, ranks=3)
        >>> deal = Deal.parse('''Foundations: C-3 D-3 H-A   # clubs and diamonds are done
        ... Freecells: 2H
        ... 3S 2S 3H AS
        ... :''', small)
        >>> deal.columns, deal.cells, deal.foundations
        (((Card('3S'), Card('2S'), Card('3H'), Card('AS')), ()), (Card('2H'),), (3, 3, 1, 0))
        >>> Deal.parse(Deal.microsoft(617, "freecell").format()).rules.name
        'freecell'

        Raises `DealError` with the line, the column and the token if the text shows no board of the game.
        """
        text = decode_board(text)
        if code := code_in(text):
            try:
                return cls.from_code(code, "bakers_game" if rules is None else rules)
            except (DealError, RulesError) as error:
                raise DealError(str(error), line=1, column=1, token=code) from None
        rules = rules_of((game_of_board(text) or "bakers_game") if rules is None else rules)
        return deal_of(*read_board(board_parts(text, rules), rules), rules, None)

    def format(self) -> str:
        """The board as a text that `parse` reads back, and other programs such as fc-solve read too.

        A ``Foundations:`` line comes first if cards are home, then a ``Freecells:`` line if cards are in cells, then
        one line for each column; an empty column is ``:``. If it is not Baker's Game, a comment comes last that names
        the game or, for rules without a name, what they are: ``# game: freecell cells=3``.

        >>> print(Deal.random(1, "eight_off").format().splitlines()[0])
        Freecells: 8C - JC - 9H - QD -
        >>> print(Deal.random(1, "eight_off").format().splitlines()[-1])
        # game: eight_off
        """
        board = write_board(self._board, self._cards)
        return "\n".join(filter(None, [board, game_comment(self.rules)]))

    def __str__(self) -> str:
        """The board for people: cells and foundations in the first rows, the columns from top to bottom."""
        return draw_board(self._board, self._cards)

    def __repr__(self) -> str:
        rules = repr(self.rules.name) if GAMES.get(self.rules.name) == self.rules else repr(self.rules)
        if self._origin is None:
            board = write_board(self._board, self._cards)
            return f"Deal.parse({board!r}, {rules})"
        kind, number = self._origin
        match kind:
            case Kind.DAY:
                return f"Deal.daily({str(datetime.date.fromordinal(number))!r}, {rules})"
            case Kind.PYSOL_MICROSOFT:
                return f"Deal.pysol('ms{number}', {rules})"
        return f"Deal.{_METHODS[kind]}({number}, {rules})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Deal):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self._board.key(), self.base_rank, self.rules

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"deals are immutable: cannot set {name}")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"deals are immutable: cannot delete {name}")

    def __reduce__(self) -> tuple[object, ...]:
        if self._origin is not None:
            return Deal.from_code, (write_code(self._origin), self.rules)
        board = self._board
        columns, cells = tuple(map(bytes, board.columns())), bytes(board.cells())
        return _rebuilt, (columns, cells, board.foundations(), self.base_rank, self.rules)


class Solvable(NamedTuple):
    """A deal that can be won, how many deals were tried until it was found, and the proof."""

    deal: Deal
    tries: int
    """The deals that were tried, this one included."""
    solution: Solution
    """The answer of `solve`, with the moves that win."""


_METHODS = {Kind.MICROSOFT: "microsoft", Kind.SEED: "random", Kind.KPAT: "kpat", Kind.PYSOL: "pysol"}


def check_number(number: int, rules: Rules) -> int:
    """The number, if a Microsoft deal has it and the game can be dealt from that, else `DealError`."""
    number = whole("number", number)
    if not 1 <= number <= MICROSOFT_LAST:
        raise DealError(f"no Microsoft deal has the number {shown(number)}: expected 1 to {MICROSOFT_LAST} (2^33 - 1)")
    if rules.ranks != 13:
        raise DealError(f"Microsoft deals have 13 ranks, the deck of {rules.name} has {rules.ranks}: use a seed")
    return number


def _check_seed(seed: int) -> int:
    seed = whole("seed", seed)
    if not 0 <= seed <= SEED_LAST:
        raise DealError(f"the seed {shown(seed)} is out of range: expected 0 to {SEED_LAST} (2^64 - 1)")
    return seed


def _random(seed: int, rules: Rules, origin: Origin) -> Deal:
    return _dealt(deck_random(seed, rules.ranks), rules, origin)


def _dealt(deck: bytes, rules: Rules, origin: Origin) -> Deal:
    """The deck laid out as the rules say."""
    return deal_of(dealer_of(rules).deal(deck), deck[0] // 4 + 1 if rules.beak else 1, rules, origin)


def _from_origin(origin: Origin, rules: Rules) -> Deal:
    """The deal made once more."""
    kind, number = origin
    match kind:
        case Kind.MICROSOFT:
            return Deal.microsoft(number, rules)
        case Kind.SEED:
            return Deal.random(number, rules)
        case Kind.DAY:
            return Deal.daily(datetime.date.fromordinal(number), rules)
        case Kind.KPAT:
            return Deal.kpat(number, rules)
        case Kind.PYSOL:
            return Deal.pysol(number, rules)
        case Kind.PYSOL_MICROSOFT:
            deck = deck_microsoft(check_number(number, rules))
            return deal_of(laid_out_by_pysol(deck, rules), 1, rules, origin)


def _first_winnable(
    seed: int, rules: Rules, max_tries: int | None, options: dict[str, Any], *, pass_over: bool
) -> Solvable:
    """The first deal tried for a seed that can be won; one that is not decided is passed over, or an error."""
    if max_tries is not None:
        max_tries = min(whole("max_tries", max_tries), sys.maxsize)
        if max_tries < 1:
            raise ValueError(f"max_tries is {shown(max_tries)}: expected a positive number")
    for tries, tried in enumerate(islice(tried_seeds(seed), max_tries), 1):
        deal = Deal.random(tried, rules)
        solution = solve(deal, **options)
        if solution.verdict is Verdict.SOLVED:
            return Solvable(deal, tries, solution)
        if solution.limit is Limit.STOPPED:
            raise DealError(f"stopped before one of {tries} deals of {rules.name} was found to be winnable")
        if solution.verdict is Verdict.UNDECIDED and not pass_over:
            raise DealError(
                f"the deal of seed {tried} is undecided (limit: {solution.limit}): no other may stand for it"
            )
    raise DealError(f"none of {max_tries} deals of {rules.name} for the seed {seed} was found to be winnable")


def deal_of(board: Board, base_rank: int, rules: Rules, origin: Origin | None) -> Deal:
    """The deal of a board of these rules, which nobody plays on."""
    return Deal._of(board, base_rank, rules, origin)


def _rebuilt(columns: tuple[bytes, ...], cells: bytes, foundations: Foundations, base_rank: int, rules: Rules) -> Deal:
    """The deal of a pickle."""
    if not isinstance(rules, Rules) or not all(type(cards) is bytes for cards in (*columns, cells)):
        raise TypeError("the pickle is not that of a deal")
    try:
        board = Board(rules, columns, cells, foundations)
        _check_base_rank(base_rank, rules)
    except ValueError as error:
        raise DealError(f"the pickle is not that of a deal: {error}") from None
    return deal_of(board, base_rank, rules, None)


def _items(name: str, items: object) -> list[Any]:
    """What there is to iterate over, but not more than a deck and one."""
    if not isinstance(items, Iterable) or isinstance(items, str | bytes):
        raise TypeError(f"{name} is {shown(items)}: expected a list")
    return list(islice(items, 4 * len(RANKS) + 1))


def _cards(column: object) -> list[Any]:
    return plain_text("a column", column).split() if isinstance(column, str) else _items("a column", column)


def _index(card: Card | str) -> int:
    return card.index if isinstance(card, Card) else Card(card).index


def _home(foundations: object, rules: Rules) -> Foundations:
    items = _items("foundations", foundations)
    try:
        counts = [whole("foundations", count) for count in items]
    except TypeError:
        counts = []
    if len(counts) != 4 or not all(0 <= count <= rules.ranks for count in counts):
        expected = f"expected four counts of cards, each 0 to {rules.ranks}"
        raise DealError(f"the foundations are {shown(tuple(items))}: {expected}")
    return counts[0], counts[1], counts[2], counts[3]


def _base_rank(
    given: SupportsIndex | None, columns: list[list[int]], cells: list[int], home: Foundations, rules: Rules
) -> int:
    """The base rank that is given, or that the cards tell."""
    found = {card for cards in (*columns, cells) for card in cards}
    told = find_base_rank(rules, columns, found, lambda _: home)
    if given is None:
        return told
    base_rank = _check_base_rank(given, rules)
    if not any(home) and base_rank != told:
        # Its text would be read as another board.
        raise DealError(f"the base rank is {base_rank}: expected {told}, that of the first card, as no card is home")
    return base_rank


def _check_base_rank(base_rank: SupportsIndex, rules: Rules) -> int:
    rank = whole("base_rank", base_rank)
    last = rules.ranks if rules.beak else 1
    if not 1 <= rank <= last:
        raise DealError(f"the base rank is {shown(rank)}: expected {f'1 to {last}' if rules.beak else '1, the ace'}")
    return rank


def _fault(columns: list[list[int]], cells: list[int], home: Foundations, base_rank: int, rules: Rules) -> DealError:
    """Why the cards are not the deck of the game."""
    piles = [*columns, cells]
    for pile in piles:
        for card in pile:
            if 4 * rules.ranks <= card != EMPTY:
                return DealError(f"{CARDS[card]} is not in the deck, which has {rules.ranks} ranks")
    at_home = set(cards_home(home, base_rank, rules.ranks))
    if fault := find_fault(piles, at_home):
        names = [*(f"in column {number}" for number in range(1, len(columns) + 1)), "in a cell"]
        before = f"on the foundations ({foundations_text(home, cards_by_number(base_rank, rules.ranks))})"
        if fault.before is not None:
            before = names[fault.before[0]]
        return DealError(f"{CARDS[fault.card]} is {before} and again {names[fault.place[0]]}: expected each card once")
    return DealError(f"{missing_cards(at_home.union(*piles), rules)}: expected each card of the deck once")
