"""Between the plain values of the judge and those of the package."""

import dataclasses

import baker
from judge import reference
from judge.reference import Card, Position


def to_rules(rules: reference.Rules, name: str = "test") -> baker.Rules:
    return baker.Rules(name=name, **dataclasses.asdict(rules))


def to_deal(position: Position, rules: baker.Rules) -> baker.Deal:
    return baker.Deal(
        [" ".join(map(reference.card_text, column)) for column in position.columns],
        [None if card is None else reference.card_text(card) for card in position.cells],
        position.home,
        rules,
        1,
    )


def to_move(move: reference.Move) -> baker.Move:
    return baker.Move(*move)


def from_move(move: baker.Move) -> reference.Move:
    return reference.Move(move.source, move.target, move.count)


def from_card(card: baker.Card, board: baker.Game | baker.Deal) -> Card:
    """The judge renames the ranks so that the base rank is the ace."""
    return (card.rank - board.base_rank) % board.rules.ranks + 1, int(card.suit)


def from_board(board: baker.Game | baker.Deal) -> Position:
    return Position(
        tuple(tuple(from_card(card, board) for card in column) for column in board.columns),
        tuple(None if card is None else from_card(card, board) for card in board.cells),
        board.foundations,
    )
