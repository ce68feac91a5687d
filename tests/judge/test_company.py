"""Units that lie together, over columns: who is aboard of whom, and who is meant where several might be."""

from __future__ import annotations

import pytest

from gamesmaster.engine import HOLD, MOVE, SUPPORT, row_of
from gamesmaster.engine.company import (
    ANY,
    find_loads,
    first_alike,
    is_meant,
    power_helped,
    put_ashore,
    row_helped,
    take_along,
)

NUMBER, ABOARD, GONE = [0, 11, 12, 13, 21, 22, 23, 24], [0, 0, 0, 0, 11, 12, 13, 14], [0, 0, 0, 1, 0, 1, 0, 0]
"""Three carriers, of which one has lost its load and one is gone from under it, and one whose carrier is not there."""

OWNER, KINDS, CARRIED, LOST = [0, 1, 2, 1, 1, 1, 2], [0, 5, 7, 7, 7, 7, 7], [0, 0, 0, 9, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0]
"""Six units in one place: the first power's are one of kind 5, and of kind 7 one aboard, one gone, and one more."""


def test_a_row_is_found_by_its_number() -> None:
    """The first that has it, and none if none has."""
    assert [row_of(7, NUMBER, number) for number in (11, 24, 14)] == [1, 7, 0]
    assert row_of(7, ABOARD, 12) == 5


def test_loads_are_those_who_are_left_aboard_of_who_is_left() -> None:
    """Neither who is gone nor whose carrier is gone is noted."""
    load = [9] * 8
    find_loads(7, NUMBER, ABOARD, GONE, load)
    assert load[1:] == [4, 0, 0, 0, 0, 0, 0]


def test_who_is_aboard_goes_along() -> None:
    """With a carrier that is gone, and no other."""
    gone = GONE.copy()
    take_along(7, NUMBER, ABOARD, gone)
    assert gone == [0, 0, 0, 1, 0, 1, 1, 0]


def test_who_is_aboard_stands_where_the_carrier_is_gone() -> None:
    """Or is not on the board at all."""
    aboard = ABOARD.copy()
    put_ashore(7, NUMBER, aboard, GONE)
    assert aboard == [0, 0, 0, 0, 11, 12, 0, 0]


@pytest.mark.parametrize(
    ("power", "kind", "first"), [(1, 5, 1), (1, 7, 5), (1, ANY, 1), (2, 7, 2), (2, ANY, 2), (2, 5, 0), (3, ANY, 0)]
)
def test_the_first_of_its_kind_is_meant(power: int, kind: int, first: int) -> None:
    """Of its power, if it stands there itself; where no kind is named any will do (CNW-5.a)."""
    assert first_alike(range(1, 7), power, kind, OWNER, KINDS, CARRIED, LOST) == first
    assert first_alike([6], power, kind, OWNER, KINDS, CARRIED, LOST) == (6 if power == 2 and kind != 5 else 0)


@pytest.mark.parametrize(("other", "meant"), [(1, True), (2, True), (3, True), (5, True), (6, False)])
def test_where_several_lie_an_order_means_the_first_or_who_is_aboard(other: int, meant: bool) -> None:
    """From beside them as from among them."""
    for here in (1, 4):
        assert is_meant(other, here, 4, True, range(1, 7), OWNER, KINDS, CARRIED, LOST) == meant


def test_elsewhere_what_lies_with_a_unit_is_not_meant() -> None:
    """An order that names the unit's own place means that unit, or what it carries."""
    assert not is_meant(3, 4, 4, False, (), OWNER, KINDS, CARRIED, LOST)
    assert is_meant(3, 1, 4, False, (), OWNER, KINDS, CARRIED, LOST)


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
