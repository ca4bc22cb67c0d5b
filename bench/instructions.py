"""Counts the machine instructions that baker spends on a deal, under valgrind: no other work on the machine shows.

Each figure is the difference of two runs, of which one deals and solves and the other only deals, so that the start of
the interpreter and of the package does not count.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys

from rule_sets import RULE_SETS

from baker import Deal, solve

ANSWERS = ("nothing", "verdict", "moves")


def work(rule_set: str, answer: str, first: int, last: int) -> None:
    """What runs under valgrind."""
    deals = [Deal.microsoft(number, RULE_SETS[rule_set]) for number in range(first, last + 1)]
    # Memory is taken once, by the first search.
    solve(deals[0])
    if answer != "nothing":
        with_moves = answer == "moves"
        for deal in deals:
            solve(deal, moves=with_moves)


def instructions(rule_set: str, answer: str, first: int, last: int) -> int:
    valgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
    python = [sys.executable, __file__, "--work", rule_set, answer, str(first), str(last)]
    environment = {**os.environ, "PYTHONHASHSEED": "0"}
    done = subprocess.run([*valgrind, *python], env=environment, capture_output=True, text=True, check=False)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not collected:
        sys.exit(done.stderr)
    return int(collected[1])


def main() -> None:
    if sys.argv[1:2] == ["--work"]:
        rule_set, answer, first, last = sys.argv[2:]
        work(rule_set, answer, int(first), int(last))
        return
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", nargs="+", choices=RULE_SETS, default=list(RULE_SETS), metavar="GAME",
                        help=f"some of {', '.join(RULE_SETS)} (default: all)")  # fmt: skip
    parser.add_argument("--first", type=int, default=1, help="first Microsoft deal (default: 1)")
    parser.add_argument("--last", type=int, default=1000, help="last Microsoft deal (default: 1000)")
    arguments = parser.parse_args()
    first, last = arguments.first, arguments.last
    if not 1 <= first <= last:
        parser.error("expected 1 <= --first <= --last")
    if not shutil.which("valgrind"):
        sys.exit("valgrind is not installed")
    print(f"Microsoft deals {first:,}-{last:,}, instructions a deal\n")
    print("| game                   | verdict   | with moves |")
    print("| ---------------------- | --------- | ---------- |")
    for rule_set in arguments.games:
        nothing, verdict, moves = (instructions(rule_set, answer, first, last) for answer in ANSWERS)
        deals = last - first + 1
        print(f"| {rule_set:22} | {(verdict - nothing) // deals:9,} | {(moves - nothing) // deals:10,} |", flush=True)


if __name__ == "__main__":
    main()
