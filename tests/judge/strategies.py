"""Hypothesis strategies: rules, decks and positions for the judge and the package alike."""

import random

from hypothesis import strategies as st

from judge import reference
from judge.boards import arrange, random_play, shuffled_deck
from judge.compiled import BUILDS, FILLS
from judge.reference import GAMES, Position, Rules

GROUPS = ("single", "cells", "full", "unlimited")


def layout(cards: int, columns: int) -> tuple[int, ...]:
    """Cards dealt row by row to so many columns."""
    return tuple(len(range(column, cards, columns)) for column in range(columns))


@st.composite
def rules(
    draw: st.DrawFn,
    ranks: st.SearchStrategy[int] = st.integers(1, 13),  # noqa: B008
    columns: st.SearchStrategy[int] = st.integers(1, 16),  # noqa: B008
    cells: st.SearchStrategy[int] = st.integers(0, 8),  # noqa: B008
) -> Rules:
    """Rule sets of every kind."""
    rank_count, column_count, cell_count = draw(ranks), draw(columns), draw(cells)
    filled = draw(st.lists(st.integers(0, cell_count - 1), unique=True)) if cell_count else []
    filled = filled[: 4 * rank_count]
    aces_out = draw(st.integers(0, min(4, 4 * rank_count - len(filled)))) if draw(st.booleans()) else 0
    return Rules(
        layout(4 * rank_count - len(filled) - aces_out, column_count),
        cells=cell_count,
        filled=tuple(filled),
        build=draw(st.sampled_from(BUILDS)),
        fill=draw(st.sampled_from(FILLS)),
        group=draw(st.sampled_from(GROUPS)),
        kings_down=draw(st.booleans()),
        aces_out=aces_out,
        ranks=rank_count,
    )


small_rules = rules(ranks=st.integers(1, 6), columns=st.integers(1, 6), cells=st.integers(0, 4))
named_rules = st.sampled_from(list(GAMES.values()))


def decks(ranks: int) -> st.SearchStrategy[list[reference.Card]]:
    """Decks in any order; large ones are shuffled from a seed, for permutations of them are slow to draw."""
    if ranks <= 7:
        return st.permutations(reference.full_deck(ranks))
    return st.integers(0, 2**32 - 1).map(lambda seed: shuffled_deck(ranks, seed))


@st.composite
def deals(draw: st.DrawFn, of: st.SearchStrategy[Rules] = named_rules | rules()) -> tuple[Position, Rules]:  # noqa: B008
    """A board as it is dealt and its rules."""
    drawn = draw(of)
    return reference.deal(draw(decks(drawn.ranks)), drawn), drawn


@st.composite
def positions(draw: st.DrawFn, of: st.SearchStrategy[Rules] = named_rules | rules()) -> tuple[Position, Rules]:  # noqa: B008
    """A board that random play has led to and its rules."""
    board, drawn = draw(deals(of))
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    return random_play(board, drawn, draw(st.integers(0, 80)), rng, homeward=draw(st.booleans())), drawn


@st.composite
def arranged_positions(draw: st.DrawFn, of: st.SearchStrategy[Rules] = named_rules | rules()) -> tuple[Position, Rules]:  # noqa: B008
    """A board full of runs, with empty columns and free cells, which play would seldom lead to, and its rules."""
    drawn = draw(of)
    return arrange(drawn, random.Random(draw(st.integers(0, 2**32 - 1)))), drawn
