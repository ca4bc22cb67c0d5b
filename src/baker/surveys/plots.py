"""Surveys drawn: shares with their intervals, distributions of nodes and moves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from baker.rules import Rules
from baker.surveys.summary import Tallies, summarize, title

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def plot(surveys: Sequence[tuple[Rules, Tallies]]) -> Figure:
    """A matplotlib figure of surveys, each given by its rules and tallies.

    It shows the shares that can be won with their intervals, and the distributions of nodes and of moves.

    Needs matplotlib, which ``baker[plot]`` installs.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise ImportError("plots need matplotlib: pip install 'baker[plot]'") from None

    figure = Figure(figsize=(12, 3 + 0.25 * len(surveys)), layout="constrained")
    shares, nodes, moves = figure.subplots(1, 3)
    for row, (rules, tallies) in enumerate(surveys):
        summary = summarize(rules, tallies)
        if not summary.deals:
            continue
        low, high = (100 * bound for bound in summary.interval)
        middle = 50 * sum(summary.share)
        shares.errorbar(middle, row, xerr=[[middle - low], [high - middle]], fmt="o", capsize=3)
        logarithms = [math.log10(max(1, count)) for count in tallies.nodes]
        nodes.hist(logarithms, weights=list(tallies.nodes.values()), bins=60, histtype="step", label=summary.game)
        if tallies.moves:
            # Bars of equally many whole numbers each.
            shortest, longest = min(tallies.moves), max(tallies.moves)
            bins = range(shortest, longest + 60, (longest - shortest) // 60 + 1)
            lengths, weights = zip(*tallies.moves.items(), strict=True)
            moves.hist(lengths, weights=weights, bins=bins, histtype="step", label=summary.game)
    shares.set_yticks(range(len(surveys)), [title(rules) for rules, _ in surveys])
    shares.set_ylim(len(surveys) - 0.5, -0.5)
    shares.set(xlabel="can be won, % (95 % interval)")
    nodes.set(xlabel="nodes (powers of 10)", ylabel="deals", yscale="log")
    moves.set(xlabel="moves of the solution", ylabel="deals")
    if len(surveys) > 1:
        nodes.legend(fontsize="small")
    return figure
