"""A survey and its hardest deals: `python examples/survey.py DIRECTORY`. Needs `pyarrow`."""

import sys

from baker import Survey


def hardest(directory: str, deals: int = 2000) -> list[tuple[int, int]]:
    """The numbers and nodes of the five deals that took the longest search."""
    survey = Survey(directory, "seahaven_towers", range(1, deals + 1))
    survey.run()
    rows = survey.table(["number", "nodes"]).sort_by([("nodes", "descending")]).slice(0, 5).to_pylist()
    return [(row["number"], row["nodes"]) for row in rows]


if __name__ == "__main__":
    for number, nodes in hardest(sys.argv[1]):
        print(f"deal {number}: {nodes} nodes")
