"""Problems and their outcomes, as ordinary Python runs them: on lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gamesmaster.judge.kernel import SZYKMAN, UNLESS_HEAD_ON, Outcome, Rows, Work, solve

NOBODY = -1
"""The owner of row 0: no power's number, nor a neutral's."""


class Problem(NamedTuple):
    """What the kernel is given: rows 1..n on a board of `size` provinces with its table of convoy links."""

    rows: Rows
    size: int
    link: Sequence[int]
    contest: int = UNLESS_HEAD_ON
    knot: int = SZYKMAN

    def solve(self) -> Outcome:
        """Decide it; the problem is left as it was."""
        rows, size, link, contest, knot = self
        length = len(rows.kind)
        out = Outcome(*[[0] * length for _ in range(7)])
        work = Work([0] * size, [0] * size, *[[0] * length for _ in range(10)])
        solve(length - 1, rows, out, work, size, link, contest, knot)
        return out
