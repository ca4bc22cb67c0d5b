"""Solutions as values, and the limits that a search is given."""

import copy
import dataclasses
import pickle
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from strange import Forged, Index, Liar

from baker import Deal, Game, Limit, Limits, Move, Solution, Verdict, solve, solve_many

SOLVED = solve(Deal.microsoft(617))
IMPOSSIBLE = solve(Deal.microsoft(10))
UNDECIDED = solve(Deal.microsoft(11982, "freecell"), max_nodes=10)


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("solution", [SOLVED, IMPOSSIBLE, UNDECIDED])
def test_copies(solution: Solution, protocol: int) -> None:
    twin = pickle.loads(pickle.dumps(solution, protocol))
    assert twin == solution
    assert type(twin.verdict) is Verdict
    assert twin.limit is None or type(twin.limit) is Limit
    assert copy.copy(solution) is solution is copy.deepcopy(solution)


@pytest.mark.parametrize(
    ("values", "error", "reason"),
    [
        (("solvable", (), 1, 1.0, None), ValueError, "'solvable' is not a valid Verdict"),
        ((1, (), 1, 1.0, None), TypeError, "verdict is 1: expected a text"),
        (("impossible", (Move(0, 1),), 1, 1.0, None), ValueError, "the verdict is impossible and there are moves"),
        (("solved", (), 1, 1.0, "nodes"), ValueError, "the verdict is solved and a limit was hit"),
        (("undecided", (), 1, 1.0, "days"), ValueError, "'days' is not a valid Limit"),
        (("solved", ("26",), 1, 1.0, None), TypeError, "moves have '26' among them"),
        (("solved", (), True, 1.0, None), TypeError, "nodes is True"),
        (("solved", (), 1, "1", None), TypeError, "seconds is '1': expected a number"),
    ],
)
def test_what_is_no_answer(values: tuple[Any, ...], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        Solution(*values)
    with pytest.raises(error, match=reason):
        pickle.loads(pickle.dumps(Forged(Solution, values)))


def test_pickles_set_no_state() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        pickle.loads(pickle.dumps(Forged(Solution, ("solved", (), 1, 1.0, None), (None, {"verdict": "impossible"}))))


def test_is_solved() -> None:
    assert [solution.is_solved for solution in (SOLVED, IMPOSSIBLE, UNDECIDED)] == [True, False, False]


@pytest.mark.parametrize("solution", [SOLVED, IMPOSSIBLE, UNDECIDED])
def test_no_solution_is_true_or_false(solution: Solution) -> None:
    with pytest.raises(TypeError, match="use is_solved"):
        bool(solution)


def test_repr_fits_into_a_line() -> None:
    for solution in (SOLVED, IMPOSSIBLE, UNDECIDED):
        assert len(repr(solution)) < 80
    assert repr(SOLVED) == f"<Solution: solved in {len(SOLVED.moves)} moves, {SOLVED.nodes} nodes>"
    assert repr(IMPOSSIBLE) == f"<Solution: impossible, {IMPOSSIBLE.nodes} nodes>"
    assert repr(UNDECIDED) == f"<Solution: undecided (limit: nodes), {UNDECIDED.nodes} nodes>"


def test_widths() -> None:
    assert f"{SOLVED.verdict:10}|{UNDECIDED.limit:>6}|{SOLVED.moves[0]:<4}|" == "solved    | nodes|6a  |"


@pytest.mark.parametrize(
    "limit", [0, -1, Liar(0), pytest.param(-(10**5000), id="huge"), 0.0, float("nan"), float("-inf")]
)
def test_limits_that_are_not_positive(limit: float) -> None:
    for name in ("max_nodes", "max_seconds", "max_memory"):
        if name != "max_seconds" and isinstance(limit, float):
            continue
        for ask in (lambda **limits: solve(Deal.microsoft(1), **limits), lambda **limits: solve_many([1], **limits)):
            with pytest.raises(ValueError, match=f"{name} is .*: expected a positive number"):
                ask(**{name: limit})


@pytest.mark.parametrize("limit", ["1G", "nan", b"1", True, [], 1j, Move(0, 1), Verdict.SOLVED])
def test_limits_that_are_no_numbers(limit: Any) -> None:
    for name in ("max_nodes", "max_seconds", "max_memory"):
        with pytest.raises(TypeError, match=f"{name} is .*: expected a (whole )?number"):
            solve(Deal.microsoft(1), **{name: limit})


@pytest.mark.parametrize("name", ["max_nodes", "max_memory"])
def test_fractions_of_what_is_counted(name: str) -> None:
    with pytest.raises(TypeError, match=f"{name} is 1000000.0: expected a whole number"):
        solve(Deal.microsoft(1), **{name: 1e6})  # type: ignore[arg-type]


def test_limits_of_other_types_and_of_any_size() -> None:
    numbers: list[Any] = [10**400, 10**5000, Index(10**6)]
    for name in ("max_nodes", "max_memory"):
        for limit in (*numbers, Liar(10**9)):
            assert solve(Deal.microsoft(617), **{name: limit}).is_solved
    for seconds in (10**400, 10**5000, float("inf"), 1e308, Fraction(100), Decimal(100), Index(100)):
        assert solve(Deal.microsoft(617), max_seconds=seconds).is_solved  # type: ignore[arg-type]
    assert solve(Deal.microsoft(11982, "freecell"), max_nodes=Index(10)).limit is Limit.NODES  # type: ignore[arg-type]


def test_limits_of_numpy() -> None:
    numpy = pytest.importorskip("numpy")
    assert solve(Deal.microsoft(617), max_nodes=numpy.int32(10**6), max_seconds=numpy.float32(100)).is_solved
    with pytest.raises(TypeError, match="max_nodes is "):
        solve(Deal.microsoft(617), max_nodes=numpy.float64(10))


def test_moves_are_asked_for_or_not() -> None:
    with pytest.raises(TypeError, match="moves is 'none': expected True or False"):
        solve(Deal.microsoft(617), moves="none")  # type: ignore[arg-type]


def test_limits_as_one_value() -> None:
    deal = Deal.microsoft(11982, "freecell")
    limits = Limits(nodes=10)
    assert (solve(deal, limits=limits).limit, solve(deal, limits=limits).nodes) == (Limit.NODES, 10)
    assert [answer.limit for answer in solve_many([deal, deal], limits=limits)] == [Limit.NODES, Limit.NODES]
    assert Game(deal).hint(limits=limits) is Verdict.UNDECIDED
    assert solve(deal, limits=Limits(memory=1)).limit is Limit.MEMORY
    assert solve(deal, limits=Limits(seconds=1e-9)).limit is Limit.SECONDS
    assert Deal.solvable(5, limits=Limits(nodes=10**6)).solution.is_solved
    assert pickle.loads(pickle.dumps(limits)) == eval(repr(limits)) == limits


def test_limits_that_are_set_twice_or_are_none() -> None:
    deal = Deal.microsoft(617)
    with pytest.raises(ValueError, match="max_nodes and limits.nodes are both set"):
        solve(deal, max_nodes=10, limits=Limits(nodes=10))
    assert solve(deal, max_nodes=10**6, limits=Limits(seconds=60)).is_solved
    with pytest.raises(TypeError, match="expected Limits"):
        solve(deal, limits=10)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="nodes is 0"):
        Limits(nodes=0)
    with pytest.raises(TypeError, match="memory is '1G'"):
        Limits(memory="1G")  # type: ignore[arg-type]
