"""Whom help is for where several might be meant, over columns."""

from __future__ import annotations

import pytest

from gamesmaster.judge.engine.helped import power_helped, row_helped
from gamesmaster.judge.engine.kernel import HOLD, MOVE, SUPPORT


@pytest.mark.parametrize(
    ("alike", "power"),
    [
        ([], 1),  # nobody is there: its own
        ([1], 1),  # but itself
        ([2], 2),  # one other power has such a unit
        ([1, 2, 5], 2),  # and another one more
        ([2, 3], 1),  # two others have: its own is meant
        ([3, 4], 1),  # one of the others is its own
        ([4], 1),
    ],
)
def test_whose_unit_is_helped_if_nobody_says(alike: list[int], power: int) -> None:
    """Row 1 helps: its own power's, unless only one other has such a unit there (STD-4.f)."""
    assert power_helped(1, alike, len(alike), [0, 1, 2, 3, 1, 2]) == power


@pytest.mark.parametrize(
    ("rows", "count", "helped"), [([2, 3, 4], 3, 3), ([4, 3], 2, 4), ([2, 5], 2, 2), ([2, 3], 1, 2), ([3], 0, 0)]
)
def test_the_first_that_is_ordered_so_is_helped(rows: list[int], count: int, helped: int) -> None:
    """Help to go to place 7 is for the first that moves there; for the first of all if none does."""
    kind, to = [HOLD, SUPPORT, MOVE, MOVE, MOVE, HOLD], [0, 7, 6, 7, 7, 7]
    assert row_helped(rows, count, kind, to, 7) == helped
