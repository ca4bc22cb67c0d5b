"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def table(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """One that reads well as text, too."""
    rows = [headings, *rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rows.insert(1, tuple("-" * width for width in widths))
    padded = (" | ".join(map(str.ljust, row, widths)) for row in rows)
    return "\n".join(f"| {row} |" for row in padded)
