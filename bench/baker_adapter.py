"""Runs baker over Microsoft deals: baker_adapter.py (verdict | moves) (solve | solve_many) RULE_SET FIRST LAST."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from time import process_time_ns

from measuring import LOST, UNDECIDED, WON, Decision, Run, peak_memory, report
from rule_sets import RULE_SETS

from baker import Deal, Rules, Verdict, solve, solve_many

_WORDS = {Verdict.SOLVED: WON, Verdict.IMPOSSIBLE: LOST, Verdict.UNDECIDED: UNDECIDED}


def one_by_one(numbers: range, rules: Rules, with_moves: bool) -> None:
    """The deals made beforehand, a call of `solve` for each."""

    def decide(deal: Deal) -> Decision:
        solution = solve(deal, moves=with_moves)
        return _WORDS[solution.verdict], solution.nodes, len(solution.moves)

    report(version("baker"), [Deal.microsoft(number, rules) for number in numbers], decide)


def all_at_once(numbers: range, rules: Rules, with_moves: bool) -> None:
    """One call of `solve_many`, in one thread, dealing included.

    The CPU time of the whole is shared among the deals in proportion to the time that each took by the clock.
    """
    list(solve_many(numbers[:1], rules=rules, moves=with_moves, threads=1))
    start = process_time_ns()
    solutions = list(solve_many(numbers, rules=rules, moves=with_moves, threads=1))
    total = process_time_ns() - start
    clock = sum(solution.seconds for solution in solutions)
    run = Run(
        version=version("baker"),
        nanoseconds=[round(total * solution.seconds / clock) for solution in solutions],
        verdicts=[_WORDS[solution.verdict] for solution in solutions],
        nodes=[solution.nodes for solution in solutions],
        moves=[len(solution.moves) for solution in solutions],
        peak=peak_memory(),
    )
    json.dump(run, sys.stdout)


def main() -> None:
    answer, function, rule_set, first, last = sys.argv[1:]
    run = {"solve": one_by_one, "solve_many": all_at_once}[function]
    run(range(int(first), int(last) + 1), RULE_SETS[rule_set], answer == "moves")


if __name__ == "__main__":
    main()
