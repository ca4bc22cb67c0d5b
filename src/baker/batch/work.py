"""What a worker gets and gives back: a batch of deals, and the engines' answers."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from baker._core import Board
from baker.deals import Deal, check_number
from baker.engines.base import Engine, Stop
from baker.engines.choice import borrow, engine_for, give_back
from baker.game import Game
from baker.layouts import dealer_of
from baker.rules import Rules
from baker.solver import NEVER, Answer, EngineLimits

AnyDeal = int | Deal | Game
# A deal as a worker gets it.
Item = int | tuple[Rules, Board]


@dataclass(frozen=True, slots=True)
class Order:
    """What is asked of each deal.

    `rules` are those of deals that are numbers; if `only_these`, other deals must have them too.
    """

    rules: Rules
    only_these: bool
    moves: bool
    limits: EngineLimits

    def item(self, deal: AnyDeal) -> Item:
        """A deal as a worker gets it, as it is now.

        Raises `DealError` or TypeError if it is not a deal, ValueError if it has other rules than it must have.
        """
        if not isinstance(deal, Deal | Game):
            try:
                return check_number(deal, self.rules)
            except TypeError:
                raise TypeError(f"expected the number of a deal, a Deal or a Game, not {type(deal).__name__}") from None
        if self.only_these and deal.rules != self.rules:
            raise ValueError(
                f"a {type(deal).__name__} under the rules of {deal.rules.name}, but rules is {self.rules.name}: leave "
                "rules out to decide each by its own, or give Game(deal, rules)"
            )
        return deal.rules, deal.to_board()


@dataclass(frozen=True, slots=True)
class Batch:
    """Deals for one worker, small to pickle: Microsoft numbers under `rules`, and positions under their own."""

    deals: range | list[Item]
    rules: Rules
    moves: bool
    limits: EngineLimits

    def decide(self, stop: Stop) -> list[Answer]:
        if isinstance(self.deals, range):
            first, step, count = self.deals.start, self.deals.step, len(self.deals)
            engine = borrow(engine_for(self.rules))
            answers = engine.decide_numbers(dealer_of(self.rules), first, step, count, self.moves, *self.limits, stop)
            give_back(engine)
            return answers
        answers = []
        for kind, group in groupby(self._boards(self.deals), key=itemgetter(0)):
            engine = borrow(kind)
            answers += engine.decide_boards([board for _, board in group], self.moves, *self.limits, stop)
            give_back(engine)
        return answers

    def _boards(self, deals: list[Item]) -> Iterator[tuple[type[Engine], Board]]:
        for deal in deals:
            if isinstance(deal, int):
                yield engine_for(self.rules), dealer_of(self.rules).board(deal)
            else:
                rules, board = deal
                yield engine_for(rules), board


class Answers(NamedTuple):
    """What came of a batch, and how long it took."""

    answers: list[Answer]
    seconds: float


def decide(batch: Batch, stop: Stop = NEVER) -> Answers:
    """What the workers do."""
    start = time.perf_counter()
    return Answers(batch.decide(stop), time.perf_counter() - start)
