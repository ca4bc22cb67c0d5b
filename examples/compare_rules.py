"""How many deals each number of cells lets win: `python examples/compare_rules.py 1000`."""

import sys
from collections import Counter

from baker import Verdict, games, solve_many


def shares(deals: int) -> dict[int, float]:
    """The share of the first Microsoft deals that can be won, by the number of cells."""
    found = {}
    for cells in range(2, 7):
        rules = games["bakers_game"].replace(cells=cells)
        answers = solve_many(range(1, deals + 1), rules=rules, moves=False)
        counts = Counter(answer.verdict for answer in answers)
        found[cells] = counts[Verdict.SOLVED] / deals
    return found


if __name__ == "__main__":
    for cells, share in shares(int(sys.argv[1]) if len(sys.argv) > 1 else 1000).items():
        print(f"{cells} cells: {share:.1%}")
