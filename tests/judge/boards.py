"""Boards at random: shuffled decks, what random play leads to, and arrangements that it does not."""

import random

from judge import reference
from judge.reference import Position, Rules


def shuffled_deck(ranks: int, seed: int) -> list[reference.Card]:
    deck = reference.full_deck(ranks)
    random.Random(seed).shuffle(deck)
    return deck


def random_play(board: Position, rules: Rules, length: int, rng: random.Random, *, homeward: bool) -> Position:
    """The board after so many moves, or where there are none left; `homeward` play empties more columns."""
    for _ in range(length):
        moves = reference.legal_moves(board, rules)
        if not moves:
            break
        home = [move for move in moves if homeward and move.target == reference.FOUNDATION]
        board = reference.apply(board, rng.choice(home or moves))
    return board


def arrange(rules: Rules, rng: random.Random) -> Position:
    """A board full of runs, with empty columns and free cells, which play would seldom lead to."""
    home = tuple(rng.randint(0, rng.choice((1, rules.ranks))) for _ in range(4))
    rest = [card for card in shuffled_deck(rules.ranks, rng.getrandbits(32)) if card[0] > home[card[1]]]
    cells: list[reference.Card | None] = [None] * rules.cells
    for cell in range(rules.cells):
        if rest and rng.random() < 0.4:
            cells[cell] = rest.pop()
    columns: list[list[reference.Card]] = [[] for _ in rules.columns]
    used = rng.sample(columns, rng.randint(1, len(columns)))
    while rest:
        column = rng.choice(used)
        column.append(rest.pop())
        while rng.random() < 0.8:
            builders = [card for card in rest if reference.builds(card, column[-1], rules.build)]
            if not builders:
                break
            column.append(rng.choice(builders))
            rest.remove(column[-1])
    return Position(tuple(map(tuple, columns)), tuple(cells), home)
