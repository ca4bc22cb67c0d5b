"""What every public call makes of every wrong argument: one of the documented errors, and never another thing.

The table has the calls, with arguments that are right; each argument in turn is replaced by each of the wrong values.
"""

import inspect
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from enum import Enum
from fractions import Fraction
from functools import cache
from typing import Any

import pytest
from strange import Alias, Index, Liar

import baker
from baker import Card, Deal, Game, Limits, Move, Place, Rules, Solution, Suit, Survey, games, perft, solve, solve_many


class Unprintable:
    """What cannot even be shown in an error message."""

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


@cache
def nested() -> list[Any]:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    return deep


# Values, and the kinds of arguments that they may be taken for; taken or refused by a ValueError, that is.
VALUES: dict[str, tuple[Callable[[], Any], set[str]]] = {
    "None": (lambda: None, {"optional"}),
    "True": (lambda: True, {"flag"}),
    "False": (lambda: False, {"flag"}),
    "half": (lambda: 0.5, {"real"}),
    "five": (lambda: 5.0, {"real"}),
    "nan": (lambda: float("nan"), set()),
    "infinite": (lambda: float("inf"), {"real"}),
    "minus infinite": (lambda: float("-inf"), {"real"}),
    "complex": (lambda: 1j, set()),
    "decimal": (lambda: Decimal("0.5"), {"real"}),
    "decimal that is no number": (lambda: Decimal("sNaN"), set()),
    "fraction": (lambda: Fraction(1, 2), {"real"}),
    "zero": (lambda: 0, {"whole", "real"}),
    "minus one": (lambda: -1, {"whole", "real"}),
    "2^31": (lambda: 2**31, {"whole", "real"}),
    "2^63": (lambda: 2**63, {"whole", "real"}),
    "2^64": (lambda: 2**64, {"whole", "real"}),
    "10^400": (lambda: 10**400, {"whole", "real"}),
    "-10^400": (lambda: -(10**400), {"whole", "real"}),
    "too long to print": (lambda: 10**5000, {"whole", "real"}),
    "int that lies": (lambda: Liar(5), {"whole", "real"}),
    "large int that lies": (lambda: Liar(2**70), {"whole", "real"}),
    "index": (lambda: Index(5), {"whole", "real"}),
    "suit": (lambda: Suit.HEARTS, {"whole", "real"}),
    "empty text": (lambda: "", {"text"}),
    "text": (lambda: "x", {"text"}),
    "number in a text": (lambda: "1", {"text"}),
    "NUL": (lambda: "a\0b", {"text"}),
    "surrogate": (lambda: "\ud800", {"text"}),
    "megabyte": (lambda: "K" * 10**6, {"text"}),
    "text that lies": (lambda: Alias("KS"), {"text"}),
    "bytes": (lambda: b"\x01\x02", {"bytes"}),
    "bytearray": (lambda: bytearray(4), {"list"}),
    "empty list": (list, {"list"}),
    "empty tuple": (tuple, {"list"}),
    "list of None": (lambda: [None] * 8, {"list"}),
    "list of numbers": (lambda: [1, 2, 3, 4], {"list"}),
    "list of huge numbers": (lambda: [10**5000] * 4, {"list"}),
    "list of unprintables": (lambda: [Unprintable()] * 8, {"list"}),
    "nested list": (nested, {"list"}),
    "without an end": (lambda: itertools.repeat(1), {"list"}),
    "texts without an end": (lambda: itertools.repeat("KS"), {"list"}),
    "set": (lambda: {1, 2}, {"list"}),
    "dict": (lambda: {1: 2}, {"list"}),
    "object": (object, set()),
    "unprintable": (Unprintable, set()),
    "type": (lambda: int, set()),
    "function": (lambda: print, set()),
    "ellipsis": (lambda: ..., set()),
    "card": (lambda: Card("TH"), set()),
    "move": (lambda: Move(0, 16), {"move"}),
    "rules": (lambda: games["freecell"], {"rules"}),
    "deal": (lambda: Deal.microsoft(617), {"position"}),
    "game": (lambda: Game(Deal.microsoft(617)), {"position"}),
    "solution": (lambda: solve(Deal.microsoft(10)), set()),
}  # fmt: skip


@dataclass(frozen=True)
class Call:
    """A public call, its arguments by name, and the kinds of values that each of them may be."""

    name: str
    function: Callable[..., object]
    arguments: dict[str, tuple[object, str]]
    extra: dict[str, object] = field(default_factory=dict)


SMALL = Rules(name="small", columns=(4, 4, 4), cells=1, filled=(), ranks=3)
# Without a move: the lines that are counted have an end however deep they may be.
WON = Game(Deal(["", "", ""], foundations=(3, 3, 3, 3), rules=SMALL))
LIMITS: dict[str, tuple[object, str]] = {
    "max_nodes": (1000, "whole optional"),
    "max_seconds": (10.0, "real optional"),
    "max_memory": (10**7, "whole optional"),
}
RULES: dict[str, tuple[object, str]] = {"rules": ("bakers_game", "text rules")}
RULE_SET: dict[str, tuple[object, str]] = {
    "name": ("x", "text"),
    "columns": ((26, 25), "list"),
    "cells": (4, "whole"),
    "filled": ((0,), "list"),
    "build": ("same_suit", "text"),
    "fill": ("any", "text"),
    "group": ("full", "text"),
    "kings_down": (False, "flag"),
    "aces_out": (0, "whole"),
    "beak": (False, "flag"),
    "ranks": (13, "whole"),
}


def some_answers(**arguments: Any) -> list[Solution]:
    """The first answers of solve_many, or the first error."""
    if arguments["threads"] is not None and arguments["executor"] is not None:
        arguments["threads"] = None
    solutions = solve_many(**arguments)
    try:
        return list(itertools.islice(solutions, 3))
    finally:
        solutions.close()


CALLS = [
    Call("Card", Card, {"text": ("TH", "text")}),
    Call("Card.of", Card.of, {"rank": (10, "whole"), "suit": (Suit.HEARTS, "whole")}),
    Call("Card.from_index", Card.from_index, {"index": (38, "whole")}),
    Call("Rules", Rules, RULE_SET),
    Call("Rules.replace", Rules(name="y", columns=(26, 26)).replace, RULE_SET),
    Call("Rules.parse", Rules.parse, {"text": ("freecell cells=3", "text")}),
    Call(
        "Deal",
        Deal,
        {
            "columns": (["JS KS", "", "", "QS", "", "", "", ""], "list"),
            "cells": (None, "list optional"),
            "foundations": ((13, 13, 13, 10), "list optional"),
            **RULES,
            "base_rank": (None, "whole optional"),
        },
    ),
    Call("Deal.microsoft", Deal.microsoft, {"number": (617, "whole"), **RULES}),
    Call("Deal.kpat", Deal.kpat, {"number": (617, "whole"), **RULES}),
    Call("Deal.pysol", Deal.pysol, {"number": (617, "whole text"), **RULES}),
    Call("Deal.random", Deal.random, {"seed": (617, "whole"), **RULES}),
    Call("Deal.daily", Deal.daily, {"date": ("2026-02-28", "text"), **RULES, "solvable": (False, "flag")}),
    Call("Deal.solvable", Deal.solvable, {"seed": (5, "whole"), **RULES, "max_tries": (9, "whole optional"), **LIMITS}),
    Call("Deal.from_code", Deal.from_code, {"code": ("ms617", "text"), **RULES}),
    Call("Deal.parse", Deal.parse, {"text": ("ms617", "text bytes"), "rules": (None, "text rules optional")}),
    Call("Game", Game, {"deal": (Deal.microsoft(617), "position"), "rules": ("bakers_game", "text rules optional")}),
    Call("Game.push", lambda move: Game(Deal.microsoft(617)).push(move), {"move": ("6a", "text move")}),
    Call("Game.parse_move", Game(Deal.microsoft(617)).parse_move, {"text": ("6a", "text")}),
    Call("Game.hint", lambda **limits: Game(Deal.microsoft(617)).hint(**limits), LIMITS),
    Call("perft", perft, {"game": (WON, "position"), "depth": (3, "whole")}),
    Call("Move", Move, {"source": (1, "whole"), "target": (5, "whole"), "count": (3, "whole")}),
    Call("Move.parse", Move.parse, {"text": ("26x3", "text")}),
    Call(
        "Limits",
        Limits,
        {"nodes": (9, "whole optional"), "seconds": (9.0, "real optional"), "memory": (9, "whole optional")},
    ),
    Call("Place", Place, {"place": (5, "whole text")}),
    Call("Place.column", Place.column, {"number": (5, "whole")}),
    Call("Place.cell", Place.cell, {"number": (5, "whole")}),
    Call("Move.from_json", Move.from_json, {"value": (["t1", "t5", 3], "list")}),
    Call(
        "Solution",
        Solution,
        {
            "verdict": ("solved", "text"),
            "moves": ((), "list"),
            "nodes": (1, "whole"),
            "seconds": (1.0, "real"),
            "limit": (None, "text optional"),
        },
    ),
    Call(
        "solve_many",
        some_answers,
        {
            "deals": ([617, 10], "list"),
            "rules": ("bakers_game", "text rules optional"),
            "moves": (True, "flag"),
            "threads": (1, "whole optional"),
            "executor": (None, "optional"),
            **LIMITS,
        },
    ),
    Call("solve", solve, {"position": (Deal.microsoft(617), "position"), "moves": (True, "flag"), **LIMITS}),
    Call(
        "Survey",
        Survey,
        {
            "directory": ("no such directory", "text"),
            "rules": ("seahaven_towers", "text rules"),
            "numbers": (range(1, 10), "list"),
            "moves": ("count", "text"),
            "part_size": (10, "whole"),
            **LIMITS,
        },
    ),
]  # fmt: skip
CASES = [(call, name) for call in CALLS for name in call.arguments]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.name)
def test_the_calls_are_right_as_they_are(call: Call) -> None:
    call.function(**{name: value for name, (value, _) in call.arguments.items()})


@pytest.mark.parametrize(("call", "name"), CASES, ids=[f"{call.name}-{name}" for call, name in CASES])
def test_wrong_arguments(call: Call, name: str) -> None:
    right = {other: value for other, (value, _) in call.arguments.items()}
    _, kinds = call.arguments[name]
    wrong = []
    for value, (make, taken_for) in VALUES.items():
        fits = bool(taken_for & set(kinds.split()))
        try:
            call.function(**{**right, name: make()})
        except ValueError as error:
            # Not one of Python's own, which names neither the argument nor what was expected.
            if "Exceeds the limit" in str(error):
                wrong.append(f"{value}: {error}")
        except TypeError as error:
            if "<=" in str(error) or "no repr" in str(error):
                wrong.append(f"{value}: {error}")
        except BaseException as error:
            wrong.append(f"{value}: {type(error).__name__}: {error}")
        else:
            if not fits:
                wrong.append(f"{value}: taken without a word")
    assert not wrong, "\n".join(wrong)


# Calls without arguments, or of classes that are made by other calls.
MADE_BY_OTHERS = {"CompletedSolutions", "Interval", "LegalMoves", "Solutions", "Solvable", "Spread", "Summary"}


def public_calls() -> Iterator[str]:
    """The public calls that take arguments."""
    for name in baker.__all__:
        item = getattr(baker, name)
        if not inspect.isclass(item):
            if callable(item):
                yield name
        elif name not in MADE_BY_OTHERS and not issubclass(item, Exception | Enum):
            yield name
            for method in [method for method in vars(item) if not method.startswith("_")]:
                member = getattr(item, method)
                if callable(member) and set(inspect.signature(member).parameters) - {"self"}:
                    yield f"{name}.{method}"


def test_every_public_call_is_in_the_table() -> None:
    # What a survey does is tried with its files, in its own tests.
    assert {name for name in public_calls() if not name.startswith("Survey.")} == {call.name for call in CALLS}
