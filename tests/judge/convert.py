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
    )


def to_move(move: reference.Move) -> baker.Move:
    return baker.Move(*move)


def from_move(move: baker.Move) -> reference.Move:
    return reference.Move(move.source, move.target, move.count)


def from_card(card: baker.Card) -> Card:
    return card.rank, int(card.suit)


def from_board(board: baker.Game | baker.Deal) -> Position:
    return Position(
        tuple(tuple(map(from_card, column)) for column in board.columns),
        tuple(None if card is None else from_card(card) for card in board.cells),
        board.foundations,
    )
