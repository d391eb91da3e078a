"""Tables of the model card, as Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def row(cells: Sequence[object]) -> str:
    """A row of a table."""
    return f"| {' | '.join(map(str, cells))} |\n"


def head(*cells: str) -> str:
    """The first lines of a table with these headings."""
    return row(cells) + "|---" * len(cells) + "|\n"
