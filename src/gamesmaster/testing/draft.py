"""A Problem while it is drawn: rows with names for their cells, a board of waters and shores."""

from __future__ import annotations

from random import Random

from gamesmaster.judge import kernel as k
from gamesmaster.judge.problem import NOBODY, Problem

UNIT, HALF, BOAT = 4, 2, 1
"""Weights: a unit, an attack at half strength, a boat (which stands with a unit's weight)."""


class DraftRow:
    """A row while it is written; at first a unit that holds."""

    def __init__(self, number: int, at: int, owner: int) -> None:
        self.number, self.at, self.owner = number, at, owner
        self.kind, self.to, self.whence, self.about = k.HOLD, at, at, 0
        self.force = self.stay = UNIT
        self.flags = 0

    def goal(self) -> int:
        """Where a support for it must be directed."""
        return self.to if self.kind == k.MOVE else self.at

    def move(self, to: int, flags: int = 0) -> None:
        """Order it to go."""
        self.kind, self.to = k.MOVE, to
        self.flags |= flags

    def support(self, helped: DraftRow) -> None:
        """Order it to help another row in whatever that was ordered to do."""
        self.kind, self.to, self.about = k.SUPPORT, helped.goal(), helped.number

    def convoy(self, army: DraftRow) -> None:
        """Order it to carry an army."""
        self.kind, self.about = k.CONVOY, army.number

    def cells(self) -> tuple[int, ...]:
        """The cells, in the order of the columns."""
        return (
            self.kind, self.at, self.to, self.whence, self.about, self.owner, self.force, self.stay, self.flags
        )  # fmt: skip


class Draft:
    """Rows so far, and pairs of provinces that a convoy passes between."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.rows: list[DraftRow] = []
        self.links: set[tuple[int, int]] = set()
        self.size = 0

    def chance(self, percent: int) -> bool:
        """Throw for it."""
        return self.rng.randrange(100) < percent

    def add(self, at: int, owner: int) -> DraftRow:
        """Put a unit somewhere."""
        row = DraftRow(len(self.rows) + 1, at, owner)
        self.rows.append(row)
        self.size = max(self.size, at + 1)
        return row

    def join(self, water: int, other: int, both_waters: bool) -> None:
        """Let convoys pass between a water and a shore, or another water."""
        self.links.add((other, water))
        if both_waters:
            self.links.add((water, other))

    def problem(self) -> Problem:
        """The Problem, with one of the rules for contested places and for paradoxes."""
        rng = self.rng
        blank = (k.HOLD, 0, 0, 0, 0, NOBODY, 0, 0, 0)
        columns = zip(blank, *(row.cells() for row in self.rows), strict=True)
        link = bytearray(self.size * self.size)
        for a, b in self.links:
            link[a * self.size + b] = 1
        return Problem(
            rows=k.Rows(*(list(cells) for cells in columns)),
            size=self.size,
            link=bytes(link),
            contest=rng.choice([k.UNLESS_HEAD_ON, k.UNLESS_HEAD_ON, k.UNLESS_HEAD_ON, k.NEVER, k.ALWAYS]),
            knot=rng.choice([k.SZYKMAN, k.SZYKMAN, k.ALL_HOLD]),
        )
