"""Columns: lines whose parts stand below each other, with spaces or tabs between, as the rows of a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

LEAST_ROWS = 2
MOST_COLUMNS = 8
_PART = re.compile(r"\S+(?: \S+)*")


def columns_of(lines: Sequence[str]) -> dict[int, tuple[str, ...]]:
    """Return the cells of each line that is a row of such a table, by the number of the line.

    Every row has the same columns; an empty cell has no text.
    """
    found: dict[int, tuple[str, ...]] = {}
    for filled, numbered in groupby(enumerate(lines), key=lambda line: bool(line[1].strip())):
        if filled:
            found |= dict(_rows(list(numbered)))
    return found


def _rows(block: list[tuple[int, str]]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows of a table that all lines of a block make, but for lines with one part above it."""
    parts = {at: [(m.start(), m[0]) for m in _PART.finditer(line.expandtabs(8))] for at, line in block}
    while block and len(parts[block[0][0]]) == 1:
        block = block[1:]
    starts = max(([start for start, _ in parts[at]] for at, _ in block), key=len, default=[])
    if len(block) < LEAST_ROWS or not 1 < len(starts) <= MOST_COLUMNS:
        return
    placed = {at: _placed(parts[at], starts) for at, _ in block}
    if all(placed.values()):
        for at, cells in placed.items():
            yield at, tuple(cells)


def _placed(parts: list[tuple[int, str]], starts: list[int]) -> list[str]:
    """Return the parts of a line in their columns; none if one begins elsewhere, or nothing is beside another."""
    cells = [""] * len(starts)
    for start, text in parts:
        column = next((number for number, known in enumerate(starts) if abs(known - start) <= 1), None)
        if column is None:
            return []
        cells[column] = text
    return cells if len(parts) > 1 else []
