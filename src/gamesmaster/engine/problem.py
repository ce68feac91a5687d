"""The kernel's input as one value, `Problem`, and what it is solved with in ordinary Python.

>>> from gamesmaster import Rules, adjudicate_movement, find_variant
>>> from gamesmaster.engine.rows import CAME
>>> standard = find_variant("standard")
>>> problem = adjudicate_movement(Rules.of(standard), standard.start, {"France": ["A Par - Bur"]}).problem
>>> problem.solve().state.count(CAME)
1
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import Any, NamedTuple

from gamesmaster.engine.kernel import solve
from gamesmaster.engine.rows import SZYKMAN, UNLESS_HEAD_ON, Outcome, Rows, Work
from gamesmaster.errors import GamesmasterError, install

NOWHERE = -1
"""The number of no province and no location."""

WEIGHT = 4
"""A unit's weight; half of it and a quarter are left for weaker attacks."""

NOBODY = -1
"""The owner of row 0: no power's number, nor a neutral's."""

BY_PLACE, BY_ROW = 2, 10
"""The number of the kernel's scratch columns that go by province, and of those that go by row."""


class Problem(NamedTuple):
    """The kernel's input: rows 1..n on a board of `size` provinces with its table of convoy links."""

    rows: Rows
    size: int
    link: Sequence[int]
    contest: int = UNLESS_HEAD_ON
    knot: int = SZYKMAN

    def solve(self) -> Outcome:
        """Decide it; the problem is left as it was."""
        rows, size, link, contest, knot = self
        length = len(rows.kind)
        zeros = [0] * length
        out = Outcome(*map(list.copy, [zeros] * 7))
        work = Work([0] * size, [0] * size, *map(list.copy, [zeros] * 10))
        solve(length - 1, rows, out, work, size, link, contest, knot)
        return out


def fast(module: str) -> Any:
    """Import what only batches need."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise GamesmasterError(f"batches need {error.name}, which is not installed", hint=install("fast")) from error
