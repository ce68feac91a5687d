"""Emergency builds: a unit more and another place to build, while some of the homeland is lost (NNH-5)."""

from __future__ import annotations

import pytest

from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadFile
from gamesmaster.judge import balance, sites
from gamesmaster.mechanics import make_mechanic
from gamesmaster.rules import Rules
from gamesmaster.testing import check_variant
from gamesmaster.variant import find_variant

VARIANT = find_variant("1900")
RULES = Rules.of(VARIANT)


@pytest.mark.parametrize(
    ("owned", "spare", "siberia"),
    [
        ("MOS SEV STP WAR", 3, False),
        ("MOS SEV STP", 3, True),
        ("MOS SWE", 2, True),
        ("SWE RUM", 1, False),  # nothing of the homeland is left
    ],
)
def test_an_emergency(owned: str, spare: int, siberia: bool) -> None:
    """With some of its four home centres, and not all, Russia feeds one unit more, and builds in Siberia too."""
    position = Position(units_from({"Russia": ["A UKR"]}), dict.fromkeys(owned.split(), "Russia"))
    assert balance(RULES, position)["Russia"] == spare
    assert ("SIB" in sites(RULES, position, "Russia")) is siberia
    assert "SIB" not in sites(RULES, position, "Germany")


def test_siberia_must_be_empty() -> None:
    """Nobody builds where a unit is."""
    position = Position(units_from({"Russia": ["A UKR"], "Turkey": ["A SIB"]}), {"MOS": "Russia"})
    assert "SIB" not in sites(RULES, position, "Russia")


def test_what_a_file_may_say() -> None:
    """A number of units within reason."""
    with pytest.raises(BadFile, match="0 to 100 units"):
        make_mechanic({"name": "emergency-builds", "power": "Russia", "places": ["SIB"], "units": 101}, "test")


@pytest.mark.bulk
def test_the_variant_conforms() -> None:
    """Random games of Nineteen Hundred break no promise."""
    assert check_variant(VARIANT, phases=30) == []
