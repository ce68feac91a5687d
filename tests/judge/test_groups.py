"""Groups of columns."""

from __future__ import annotations

from typing import NamedTuple

from gamesmaster.engine.groups import each_column, map_columns


class Units(NamedTuple):
    """A group."""

    number: list[int]
    owner: list[int]


class Game(NamedTuple):
    """Columns, and a group of them."""

    tally: list[int]
    units: Units


GAME = Game([3], Units([1, 2], [4, 5]))


def test_columns_of_groups_come_in_their_place() -> None:
    """Those of a group stand where it stands among the others."""
    assert list(each_column(GAME)) == [[3], [1, 2], [4, 5]]


def test_what_is_made_of_columns_has_the_same_groups() -> None:
    """A change of each column leaves the groups and their names."""
    doubled = map_columns(lambda column: [2 * value for value in column], GAME)
    assert doubled == Game([6], Units([2, 4], [8, 10]))
    assert type(doubled.units) is Units
