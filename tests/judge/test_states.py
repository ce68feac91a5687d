"""What mechanics keep, and what is supposed of it where nobody says."""

from __future__ import annotations

from typing import Any

import pytest

from gamesmaster.board import Position
from gamesmaster.errors import BadFile
from gamesmaster.mechanics import MECHANICS
from gamesmaster.rules import BoardMechanic, Rules, StateCheck, state_schemas
from gamesmaster.variant import find_variant

GOOD: dict[str, Any] = {
    "conquest2": {"off-board-supply": {"winters": 1, "deferred": {"England": 1}}},
    "scottomacy": {"army-fleet": {"7": 1}, "reinforcements": {"due": [["England", "A/F", "e"]]}},
    "indianomacy": {"boats": {"lie": {"12": [""]}}, "taboo": {"whole": ["120"], "cursed": {"Iroquois": 2}}},
    "standard": {},
}
BAD: list[tuple[str, Any, str]] = [
    ("conquest2", {"off-board-supply": {"winters": -1, "deferred": {}}}, "greater than or equal to 0"),
    ("conquest2", {"designated-homes": {"winters": 1, "homes": {"Englnd": []}}}, "did you mean England"),
    ("conquest2", {"of-board-supply": {}}, "did you mean off-board-supply"),
    ("scottomacy", {"army-fleet": {"8": 1}}, "no unit '8'"),
    ("scottomacy", {"army-fleet": []}, "dict"),
    ("standard", {"taboo": {}}, "nothing is kept in this variant"),
]


@pytest.mark.parametrize("name", GOOD)
def test_what_may_be_kept(name: str) -> None:
    """A state that mechanics can go on with is let pass, as often as it comes."""
    check = Rules.of(find_variant(name)).derive(StateCheck).check
    check(GOOD[name], [1, 7])
    check(GOOD[name], [1, 7])


@pytest.mark.parametrize(("name", "state", "said"), BAD)
def test_what_cannot_be_kept(name: str, state: Any, said: str) -> None:
    """Any other is refused with its path and the nearest right thing."""
    with pytest.raises(BadFile) as error:
        Rules.of(find_variant(name)).derive(StateCheck).check(state, [1, 7])
    assert "$.state" in str(error.value)
    assert said in str(error.value)


def test_what_is_supposed() -> None:
    """Without word of a state nothing has happened but that Winters are over; no unit is put on the board."""
    rules, position = Rules.of(find_variant("conquest2")), Position()
    for mechanic in rules.mechanics:
        assert isinstance(mechanic, BoardMechanic)
        position = mechanic.resume(rules, 3, position)
    assert position.units == ()
    assert {name: kept["winters"] for name, kept in position.state.items()} == {  # type: ignore[index]
        "off-board-supply": 3,
        "designated-homes": 3,
    }


def test_schemas() -> None:
    """Every mechanic that keeps something says how in JSON Schema."""
    schemas = state_schemas(MECHANICS.values())
    assert schemas["off-board-supply"]["properties"]["winters"]["minimum"] == 0
    assert "army-fleet" in schemas
    assert "weak-borders" not in schemas
