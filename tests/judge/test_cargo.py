"""Who is aboard of whom, over columns."""

from __future__ import annotations

from gamesmaster.judge.engine.cargo import find_loads, put_ashore, row_of, take_along

NUMBER, ABOARD, GONE = [0, 11, 12, 13, 21, 22, 23, 24], [0, 0, 0, 0, 11, 12, 13, 14], [0, 0, 0, 1, 0, 1, 0, 0]
"""Three carriers, of which one has lost its load and one is gone from under it, and one whose carrier is not there."""


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
