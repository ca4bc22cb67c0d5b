"""Runs baker over the boards on standard input: baker_adapter.py (verdict | moves) RULE_SET."""

from __future__ import annotations

import sys
from importlib.metadata import version

from measuring import LOST, UNDECIDED, WON, Decision, read_boards, report
from rule_sets import RULE_SETS

from baker import Deal, Verdict, solve

_WORDS = {Verdict.SOLVED: WON, Verdict.IMPOSSIBLE: LOST, Verdict.UNDECIDED: UNDECIDED}


def main() -> None:
    answer, rule_set = sys.argv[1:]
    with_moves = answer == "moves"

    def decide(deal: Deal) -> Decision:
        solution = solve(deal, moves=with_moves)
        return _WORDS[solution.verdict], solution.nodes, len(solution.moves)

    report(version("baker"), [Deal.parse(board, RULE_SETS[rule_set]) for board in read_boards()], decide)


if __name__ == "__main__":
    main()
