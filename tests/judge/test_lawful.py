"""Which orders to help others are lawful, over columns."""

from __future__ import annotations

import pytest

from gamesmaster.engine.convoys import Crossings, group_waters, scratch, touches_both
from gamesmaster.engine.support_rules import is_first_crossing, may_convoy, may_support
from gamesmaster.rules import Rules, choices, seas
from gamesmaster.variant import find_variant

STANDARD = Rules.of(find_variant("standard"))
PLACE = STANDARD.board.index
SEAS, SIZE = seas(STANDARD), len(STANDARD.board.provinces)


def joined(*waters: str) -> Crossings:
    """Fleets in these waters of the standard board, as groups."""
    fleet = [PLACE[water] for water in waters]
    found = Crossings([0] * SIZE, [0] * (len(fleet) + 2), list(fleet), [0] * (SIZE * (len(fleet) + 1)), [0])
    group_waters(SEAS, fleet, len(fleet), found)
    return found


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
    if touches_both(SEAS.link, SIZE, a, b, at):
        assert needed == (a != b)


def test_a_crossing_counts_once() -> None:
    """Two groups that join the same shores offer them by the first; nobody goes where he is."""
    crossings = joined("HEL", "SKA")
    assert crossings.groups[0] == 2
    a, one, touching = PLACE["DEN"], PLACE["SWE"], [1, 2]
    assert is_first_crossing(crossings, SIZE, a, one, touching, 1)
    assert not is_first_crossing(crossings, SIZE, a, a, touching, 0)
    twice = joined("SKA", "BAL")
    assert [is_first_crossing(twice, SIZE, a, one, touching, nth) for nth in (0, 1)] == [True, False]
