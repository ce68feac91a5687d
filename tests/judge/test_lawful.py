"""Which orders to help others are lawful, over columns."""

from __future__ import annotations

import pytest

from gamesmaster.judge import Rules
from gamesmaster.judge.engine.choices import choices
from gamesmaster.judge.engine.convoys import Crossings, group_waters, scratch, seas, touches_both
from gamesmaster.judge.engine.lawful import (
    ANY,
    first_alike,
    is_first_crossing,
    is_meant,
    may_convoy,
    may_support,
)
from gamesmaster.variant import find_variant

STANDARD = Rules.of(find_variant("standard"))
PLACE = STANDARD.board.index
SEAS, SIZE = seas(STANDARD), len(STANDARD.board.provinces)

OWNER, KINDS, ABOARD, GONE = [0, 1, 2, 1, 1, 1, 2], [0, 5, 7, 7, 7, 7, 7], [0, 0, 0, 9, 0, 0, 0], [0, 0, 0, 0, 1, 0, 0]
"""Six units in one place: the first power's are one of kind 5, and of kind 7 one aboard, one gone, and one more."""


def joined(*waters: str) -> Crossings:
    """Fleets in these waters of the standard board, as groups."""
    fleet = [PLACE[water] for water in waters]
    found = Crossings([0] * SIZE, [0] * (len(fleet) + 2), list(fleet), [0] * (SIZE * (len(fleet) + 1)), [0])
    group_waters(SEAS, fleet, len(fleet), found)
    return found


@pytest.mark.parametrize(
    ("power", "kind", "first"), [(1, 5, 1), (1, 7, 5), (1, ANY, 1), (2, 7, 2), (2, ANY, 2), (2, 5, 0), (3, ANY, 0)]
)
def test_the_first_of_its_kind_is_meant(power: int, kind: int, first: int) -> None:
    """Of its power, if it stands there itself; where no kind is named any will do (CNW-5.a)."""
    assert first_alike(range(1, 7), power, kind, OWNER, KINDS, ABOARD, GONE) == first
    assert first_alike([6], power, kind, OWNER, KINDS, ABOARD, GONE) == (6 if power == 2 and kind != 5 else 0)


@pytest.mark.parametrize(("other", "meant"), [(1, True), (2, True), (3, True), (5, True), (6, False)])
def test_where_several_lie_an_order_means_the_first_or_who_is_aboard(other: int, meant: bool) -> None:
    """From beside them as from among them."""
    for here in (1, 4):
        assert is_meant(other, here, 4, True, range(1, 7), OWNER, KINDS, ABOARD, GONE) == meant


def test_elsewhere_what_lies_with_a_unit_is_not_meant() -> None:
    """An order that names the unit's own place means that unit, or what it carries."""
    assert not is_meant(3, 4, 4, False, (), OWNER, KINDS, ABOARD, GONE)
    assert is_meant(3, 1, 4, False, (), OWNER, KINDS, ABOARD, GONE)


@pytest.mark.parametrize(
    ("other", "to", "meant", "walks", "water", "may"),
    [
        (1, -1, True, False, "", False),  # not itself
        (1, 3, True, True, "", False),
        (2, -1, False, False, "NTH", True),  # in place whoever it is
        (2, 3, False, True, "", False),  # to go only one that the order can mean
        (2, 3, True, True, "NTH", True),  # who walks needs no fleet
        (2, 3, True, False, "", True),  # one that convoys nobody supports any landing
        (2, 3, True, False, "NTH", False),  # but a fleet none that it must carry itself
        (2, 3, True, False, "ENG", True),  # and the one without which there is a way
    ],
)
def test_whom_a_unit_may_support(other: int, to: int, meant: bool, walks: bool, water: str, may: bool) -> None:
    """From London to Norway, with fleets in the North Sea and the Channel (STD-7.a, STD-4.j)."""
    at = PLACE[water] if water else -1
    crossings, a, b = joined("NTH", "ENG"), PLACE["LON"], PLACE["NWY"]
    assert may_support(1, other, to, meant, walks, a, b, at, SEAS, crossings, scratch(SIZE)) == may


@pytest.mark.parametrize(
    ("water", "goal", "needed"),
    [
        ("NTH", "NWY", True),  # it touches both
        ("ENG", "NWY", False),  # superfluous
        ("ENG", "BRE", True),
        ("MAO", "SPA", True),  # by the Channel
        ("ENG", "SPA", True),
        ("NTH", "SPA", False),
        ("NTH", "LON", False),  # nobody goes where he is
    ],
)
def test_whom_a_fleet_may_carry(water: str, goal: str, needed: bool) -> None:
    """From London, with fleets in three waters: only where some route needs the fleet (STD-4.i)."""
    crossings, search = joined("NTH", "ENG", "MAO"), scratch(SIZE)
    a, b, at = PLACE["LON"], PLACE[goal], PLACE[water]
    assert may_convoy(a, b, at, SEAS, crossings, choices(STANDARD), search) == needed
    assert not any(search.found)
    if touches_both(SEAS, a, b, at):
        assert needed == (a != b)


def test_a_crossing_counts_once() -> None:
    """Two groups that join the same shores offer them by the first; nobody goes where he is."""
    crossings = joined("HEL", "SKA")
    assert crossings.groups[0] == 2
    a, both, one = PLACE["DEN"], [PLACE["DEN"]], PLACE["SWE"]
    assert [is_first_crossing(crossings, SIZE, a, one, group) for group in (1, 2)] == [False, True]
    assert not is_first_crossing(crossings, SIZE, a, both[0], 1)
    twice = joined("SKA", "BAL")
    assert [is_first_crossing(twice, SIZE, a, one, group) for group in (1, 2)] == [True, False]
