"""Deciding many deals: `solve_many` and the answers that it gives.

A `Run` takes deals from a source (`sources`), makes batches of them (`work`), has workers decide these (`workers`),
and hands the answers out one by one (`run`). `solutions` is the public face.
"""

from baker.batch.solutions import CompletedSolutions, Solutions, solve_many

__all__ = ["CompletedSolutions", "Solutions", "solve_many"]
