"""The judge: the rules of the games once more, as plainly as possible.

Everything here is slow and literal on purpose, and shares no code with the package: what the tests
compare must not fail in the same way on both sides.

Cards are pairs ``(rank, suit)``, rank 1 (ace) to 13, suit 0 to 3 in the order of ``SUITS``.  The king
of a reduced deck is its highest rank.  Places of a move are numbers: columns from 0, cells from 16,
the foundations 24.
"""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

RANKS = "A23456789TJQK"
SUITS = "CDHS"
RED_SUITS = (1, 2)
FIRST_CELL = 16
FOUNDATION = 24

Card = tuple[int, int]


@dataclass(frozen=True)
class Rules:
    """What a rule set says; the words are those of the table of rules."""

    columns: tuple[int, ...]
    cells: int = 0
    filled: tuple[int, ...] = ()
    build: str = "same_suit"
    fill: str = "any"
    group: str = "full"
    kings_down: bool = False
    aces_out: int = 0
    beak: bool = False
    ranks: int = 13


BAKERS_COLUMNS = (7, 7, 7, 7, 6, 6, 6, 6)

GAMES = {
    "bakers_game": Rules(BAKERS_COLUMNS, cells=4),
    "kings_only_bakers_game": Rules(BAKERS_COLUMNS, cells=4, fill="kings"),
    "relaxed_bakers_game": Rules(BAKERS_COLUMNS, cells=4, group="unlimited"),
    "freecell": Rules(BAKERS_COLUMNS, cells=4, build="alternate_color"),
    "eight_off": Rules((6,) * 8, cells=8, filled=(0, 2, 4, 6), fill="kings"),
    "seahaven_towers": Rules((5,) * 10, cells=4, filled=(1, 2), fill="kings"),
    "penguin": Rules((7,) * 7, cells=7, fill="kings", group="unlimited", beak=True),
    "fore_cell": Rules((6,) * 8, cells=4, filled=(0, 1, 2, 3), build="alternate_color", fill="kings"),
    "same_suit_fore_cell": Rules((6,) * 8, cells=4, filled=(0, 1, 2, 3), fill="kings"),
    "bakers_dozen": Rules((4,) * 13, build="any_suit", fill="none", group="single", kings_down=True),
    "portuguese_solitaire": Rules((4,) * 13, build="any_suit", fill="kings", group="single"),
    "bakers_dozen_different_suit": Rules(
        (4,) * 13, build="different_suit", fill="none", group="single", kings_down=True
    ),
    "good_measure": Rules((5,) * 10, build="any_suit", fill="none", group="single", kings_down=True, aces_out=2),
    "spanish_patience": Rules((4,) * 13, build="any_suit", fill="any", group="single"),
    "castles_of_spain": Rules((4,) * 13, build="alternate_color", fill="any", group="single"),
}


class Position(NamedTuple):
    """A board: columns with the available card last, cells (``None`` is empty), cards home of each suit."""

    columns: tuple[tuple[Card, ...], ...]
    cells: tuple[Card | None, ...]
    home: tuple[int, ...] = (0, 0, 0, 0)


class Move(NamedTuple):
    source: int
    target: int
    length: int = 1


# Cards and positions as text


def card(text: str) -> Card:
    """The card of a text such as ``TH``."""
    return RANKS.index(text[0]) + 1, SUITS.index(text[1])


def card_text(card: Card) -> str:
    return RANKS[card[0] - 1] + SUITS[card[1]]


def cards(text: str) -> list[Card]:
    """The cards of a text such as ``AC TH 2S``."""
    return [card(word) for word in text.split()]


def position(columns: Iterable[str], cells: str = "", home: tuple[int, ...] = (0, 0, 0, 0)) -> Position:
    """A position of texts; ``-`` is an empty cell."""
    return Position(
        tuple(tuple(cards(column)) for column in columns),
        tuple(None if word == "-" else card(word) for word in cells.split()),
        home,
    )


# The deal


def full_deck(ranks: int = 13) -> list[Card]:
    """AC AD AH AS 2C .. KS."""
    return [(rank, suit) for rank in range(1, ranks + 1) for suit in range(4)]


def microsoft_draws(number: int) -> Iterator[int]:
    """The random numbers of a deal; the ranges above 2^31 are those of the other FreeCell programs."""
    state = number % 2**32
    while True:
        state = (state * 214013 + 2531011) % 2**32
        if number < 2**31:
            yield state // 2**16 % 2**15
        elif number < 2**32:
            yield state // 2**16 % 2**15 + 2**15
        else:
            yield state // 2**16 + 1


def microsoft_deck(number: int) -> list[Card]:
    """The deck of a Microsoft number in the order of dealing."""
    rest = full_deck()
    deck = []
    for draw in itertools.islice(microsoft_draws(number), 52):
        index = draw % len(rest)
        deck.append(rest[index])
        rest[index] = rest[-1]
        rest.pop()
    return deck


def deal(deck: Sequence[Card], rules: Rules) -> Position:
    """The board of a deck: aces out, then the columns row by row, then the cells, then kings down."""
    deck = list(deck)
    home = [0, 0, 0, 0]
    if rules.beak:
        # Count the ranks from that of the first card; the other three of that rank are out.
        beak = deck[0]
        deck = [((rank - beak[0]) % rules.ranks + 1, suit) for rank, suit in deck]
        out = [(1, suit) for suit in range(4) if suit != beak[1]]
    else:
        out = [card for card in deck if card[0] == 1][: rules.aces_out]
    for ace in out:
        deck.remove(ace)
        home[ace[1]] = 1
    columns: list[list[Card]] = [[] for _ in rules.columns]
    for row in range(max(rules.columns)):
        for column, length in zip(columns, rules.columns, strict=True):
            if row < length:
                column.append(deck.pop(0))
    cells: list[Card | None] = [None] * rules.cells
    for cell in rules.filled:
        cells[cell] = deck.pop(0)
    assert not deck, "the rules deal fewer cards than the deck has"
    if rules.kings_down:
        for column in columns:
            kings = [card for card in column if card[0] == rules.ranks]
            column[:] = kings + [card for card in column if card[0] != rules.ranks]
    return Position(tuple(map(tuple, columns)), tuple(cells), tuple(home))


def microsoft(number: int, rules: Rules) -> Position:
    return deal(microsoft_deck(number), rules)


# The rules of play


def builds(card: Card, on: Card, build: str) -> bool:
    """True if `card` may be built on the card `on`."""
    if card[0] + 1 != on[0]:
        return False
    if build == "same_suit":
        return card[1] == on[1]
    if build == "alternate_color":
        return (card[1] in RED_SUITS) != (on[1] in RED_SUITS)
    if build == "different_suit":
        return card[1] != on[1]
    assert build == "any_suit"
    return True


def is_run(cards: Sequence[Card], build: str) -> bool:
    return all(builds(lower, upper, build) for upper, lower in itertools.pairwise(cards))


def may_fill(card: Card, rules: Rules) -> bool:
    """True if `card` may go to an empty column (at the head of a run or alone)."""
    return rules.fill == "any" or (rules.fill == "kings" and card[0] == rules.ranks)


def longest_group(position: Position, rules: Rules, target: int) -> int:
    """How many cards one move may carry to the column `target`."""
    free = position.cells.count(None)
    if rules.group == "single":
        return 1
    if rules.group == "cells":
        return free + 1
    if rules.group == "unlimited":
        return 13
    assert rules.group == "full"
    if rules.fill != "any":
        return free + 1
    # The source is not empty, so only the target has to be left out.
    empty = sum(not column for number, column in enumerate(position.columns) if number != target)
    return int((free + 1) * 2**empty)


def group_of(position: Position, move: Move) -> tuple[Card, ...] | None:
    """The cards that a move would carry, or `None` if its source does not hold so many."""
    source, _, count = move
    if count < 1:
        return None
    if 0 <= source < len(position.columns):
        column = position.columns[source]
        return column[-count:] if count <= len(column) else None
    if FIRST_CELL <= source < FIRST_CELL + len(position.cells):
        card = position.cells[source - FIRST_CELL]
        return (card,) if card is not None and count == 1 else None
    return None


def fault(position: Position, rules: Rules, move: Move) -> str | None:
    """Why a move is illegal, or `None` if it is legal: the rules as a list of questions."""
    source, target, count = move
    group = group_of(position, move)
    if group is None:
        return "there are not so many cards to move"
    if source == target:
        return "source and target are the same place"
    if target == FOUNDATION:
        if count > 1:
            return "cards go home one by one"
        rank, suit = group[0]
        return None if position.home[suit] + 1 == rank else "the card is not the next of its suit"
    if FIRST_CELL <= target < FIRST_CELL + len(position.cells):
        if source >= FIRST_CELL:
            return "no card goes from cell to cell"
        if count > 1:
            return "a cell holds one card"
        return "the cell is taken" if position.cells[target - FIRST_CELL] is not None else None
    if not 0 <= target < len(position.columns):
        return "there is no such target"
    if not is_run(group, rules.build):
        return "the cards are no run"
    if count > longest_group(position, rules, target):
        return "the group is too long"
    column = position.columns[target]
    if column:
        return None if builds(group[0], column[-1], rules.build) else "the card cannot be built there"
    return None if may_fill(group[0], rules) else "the card may not fill an empty column"


def places(position: Position) -> list[int]:
    """Columns and cells in order."""
    return [*range(len(position.columns)), *range(FIRST_CELL, FIRST_CELL + len(position.cells))]


def legal_moves(position: Position, rules: Rules) -> list[Move]:
    """All legal moves by source, then target (foundations, columns, cells), then count.

    The same as asking `fault` about every move that can be written down, only faster.
    """
    columns, cells, home = position
    bounds = [longest_group(position, rules, target) for target in range(len(columns))]
    moves = []
    for source in places(position):
        if source < FIRST_CELL:
            column = columns[source]
            run = column[-1:]
            while len(run) < len(column) and builds(run[0], column[-len(run) - 1], rules.build):
                run = column[-len(run) - 1 :]
        else:
            held = cells[source - FIRST_CELL]
            run = () if held is None else (held,)
        if not run:
            continue
        rank, suit = run[-1]
        if home[suit] + 1 == rank:
            moves.append(Move(source, FOUNDATION))
        for target, onto in enumerate(columns):
            if target == source:
                continue
            for count in range(1, min(len(run), bounds[target]) + 1):
                head = run[-count]
                if builds(head, onto[-1], rules.build) if onto else may_fill(head, rules):
                    moves.append(Move(source, target, count))
        if source < FIRST_CELL:
            moves += [Move(source, FIRST_CELL + cell) for cell, held in enumerate(cells) if held is None]
    return moves


def apply(position: Position, move: Move) -> Position:
    """The position after a legal move."""
    group = group_of(position, move)
    assert group is not None
    taken = _without(position, move.source, move.length)
    return _with(taken, move.target, group)


def undo(position: Position, move: Move, group: Sequence[Card]) -> Position:
    """The position before a move that carried `group`."""
    back = Move(move.target, move.source, move.length)
    if move.target == FOUNDATION:
        home = list(position.home)
        home[group[0][1]] -= 1
        position = position._replace(home=tuple(home))
    else:
        position = _without(position, back.source, back.length)
    return _with(position, back.target, group)


def _without(position: Position, place: int, count: int) -> Position:
    if place >= FIRST_CELL:
        cells = list(position.cells)
        cells[place - FIRST_CELL] = None
        return position._replace(cells=tuple(cells))
    columns = list(position.columns)
    columns[place] = columns[place][:-count]
    return position._replace(columns=tuple(columns))


def _with(position: Position, place: int, group: Sequence[Card]) -> Position:
    if place == FOUNDATION:
        home = list(position.home)
        home[group[0][1]] += 1
        return position._replace(home=tuple(home))
    if place >= FIRST_CELL:
        cells = list(position.cells)
        cells[place - FIRST_CELL] = group[0]
        return position._replace(cells=tuple(cells))
    columns = list(position.columns)
    columns[place] += tuple(group)
    return position._replace(columns=tuple(columns))


def is_won(position: Position) -> bool:
    return not any(position.columns) and all(card is None for card in position.cells)


def perft(position: Position, rules: Rules, depth: int) -> int:
    """How many sequences of `depth` legal moves the position has."""
    if depth == 0:
        return 1
    moves = legal_moves(position, rules)
    if depth == 1:
        return len(moves)
    return sum(perft(apply(position, move), rules, depth - 1) for move in moves)


def perft_by_move(position: Position, rules: Rules, depth: int) -> dict[Move, int]:
    """`perft` for each first move apart."""
    return {move: perft(apply(position, move), rules, depth - 1) for move in legal_moves(position, rules)}


# Solutions


class ReplayError(AssertionError):
    """A sequence of moves that is not a solution, and why."""


def move_from_json(move: Sequence[str | int]) -> Move:
    """A move of a form such as ``["t0", "c1", 1]`` or ``["c1", "f", 1]``."""

    def place(text: str | int) -> int:
        text = str(text)
        if text == "f":
            return FOUNDATION
        return {"t": 0, "c": FIRST_CELL}[text[0]] + int(text[1:])

    source, target, count = move
    return Move(place(source), place(target), int(count))


def replay(position: Position, rules: Rules, moves: Iterable[Sequence[str | int]]) -> None:
    """Plays the moves, numbers or in JSON form, to the end; `ReplayError` unless all are legal and the game is won."""
    for number, given in enumerate(moves, 1):
        move = move_from_json(given) if isinstance(given[0], str) else Move(*map(int, given))
        reason = fault(position, rules, move)
        if reason is not None:
            raise ReplayError(f"move {number}, {tuple(given)}: {reason}\n{board_text(position)}")
        position = apply(position, move)
    if not is_won(position):
        raise ReplayError(f"the game is not won after the last move\n{board_text(position)}")


def board_text(position: Position) -> str:
    lines = [" ".join(map(card_text, column)) or "(empty)" for column in position.columns]
    lines.append("cells " + " ".join("-" if card is None else card_text(card) for card in position.cells))
    lines.append("home " + " ".join(f"{suit}-{count}" for suit, count in zip(SUITS, position.home, strict=True)))
    return "\n".join(lines)


# The verdict


def decide(position: Position, rules: Rules, limit: int | None = None) -> bool | None:
    """True if the game can be won, False if not, None if more than `limit` positions would have to be seen."""
    return explore(position, rules, limit)[0]


# A whole position in a small form: the columns as byte strings, sorted; the cards in cells, sorted; cards home.
Packed = tuple[tuple[bytes, ...], bytes, tuple[int, ...]]


def explore(position: Position, rules: Rules, limit: int | None = None) -> tuple[bool | None, int]:
    """The verdict of `decide` and the number of different positions seen.

    Every position that can be reached is visited once; nothing is left out but the order of the columns
    and of the cells.  Home moves are choices like all others.  Where groups are only a shorthand for
    single moves, single moves are enough; with `unlimited` the groups move as well.
    """
    successors = _successors_under(rules)
    start = (
        tuple(sorted(bytes(map(_number, column)) for column in position.columns)),
        bytes(sorted(_number(card) for card in position.cells if card is not None)),
        tuple(position.home),
    )
    seen = {start}
    unvisited = [start]
    while unvisited:
        packed = unvisited.pop()
        columns, cells, _ = packed
        if not cells and not any(columns):
            return True, len(seen)
        for successor in successors(packed, len(position.cells)):
            if successor not in seen:
                if len(seen) == limit:
                    return None, len(seen)
                seen.add(successor)
                unvisited.append(successor)
    return False, len(seen)


def _number(card: Card) -> int:
    return card[0] * 4 + card[1]


def _successors_under(rules: Rules) -> Callable[[Packed, int], Iterator[Packed]]:
    numbers = range(4, 56)
    # The cards that may be built on a card, and those that may fill an empty column.
    builders = {
        upper: {lower for lower in numbers if builds(divmod(lower, 4), divmod(upper, 4), rules.build)}
        for upper in numbers
    }
    fillers = {number for number in numbers if may_fill(divmod(number, 4), rules)}

    def longest(column: bytes) -> int:
        """How many cards of a column may move at once."""
        if rules.group != "unlimited":
            return min(1, len(column))
        length = 1
        while length < len(column) and column[-length] in builders[column[-length - 1]]:
            length += 1
        return length if column else 0

    def takes(column: bytes, card: int) -> bool:
        return card in (builders[column[-1]] if column else fillers)

    def successors(packed: Packed, cell_count: int) -> Iterator[Packed]:
        columns, cells, home = packed
        for source, column in enumerate(columns):
            for length in range(1, longest(column) + 1):
                group = column[-length:]
                after = list(columns)
                after[source] = column[:-length]
                for target, onto in enumerate(columns):
                    if target != source and takes(onto, group[0]):
                        yield _replaced(after, target, onto + group), cells, home
                if length == 1:
                    if len(cells) < cell_count:
                        yield tuple(sorted(after)), bytes(sorted(cells + group)), home
                    rank, suit = divmod(group[0], 4)
                    if home[suit] + 1 == rank:
                        yield tuple(sorted(after)), cells, (*home[:suit], rank, *home[suit + 1 :])
        for cell, card in enumerate(cells):
            rest = cells[:cell] + cells[cell + 1 :]
            for target, onto in enumerate(columns):
                if takes(onto, card):
                    yield _replaced(columns, target, onto + bytes([card])), rest, home
            rank, suit = divmod(card, 4)
            if home[suit] + 1 == rank:
                yield columns, rest, (*home[:suit], rank, *home[suit + 1 :])

    return successors


def _replaced(columns: Sequence[bytes], target: int, column: bytes) -> tuple[bytes, ...]:
    return tuple(sorted((*columns[:target], column, *columns[target + 1 :])))
