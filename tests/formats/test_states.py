"""States and orders in the forms of other programs: the package `diplomacy`, its ports, and godip."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from gamesmaster.errors import GamesmasterError
from gamesmaster.formats import Query
from gamesmaster.formats.saved_games import OF_THE_PACKAGE
from gamesmaster.variant import find_variant

SAVED = Path(__file__).parents[1] / "data" / "saved_game.json"
RETREAT = {
    "timestamp": 1706400000000000,
    "zobrist_hash": "1919110489198082658",
    "note": "",
    "name": "F1907R",
    "units": {"ENGLAND": ["A HOL", "*F NTH"], "RUSSIA": ["F SKA"], "FRANCE": []},
    "retreats": {"ENGLAND": {"F NTH": ["EDI", "YOR"]}, "RUSSIA": {}, "FRANCE": {}},
    "centers": {"ENGLAND": ["LON"], "RUSSIA": ["STP"], "FRANCE": []},
    "homes": {"ENGLAND": ["EDI", "LON", "LVP"]},
    "influence": {"ENGLAND": ["HOL", "LON"]},
    "civil_disorder": {"ENGLAND": 1, "RUSSIA": 0},
    "builds": {"ENGLAND": {"count": 0, "homes": []}},
}


def answer(data: object, **options: Any) -> dict[str, Any]:
    """The answer to a request, as it would be read from a file."""
    found: dict[str, Any] = json.loads(
        json.dumps(Query(json.loads(json.dumps(data)), find_variant, **options).answer())
    )
    return found


def test_the_state_of_a_phase() -> None:
    """What `get_state` gives is a request: the starred unit is the one under `retreats`, and retreats by order."""
    found = answer({**RETREAT, "orders": {"ENGLAND": ["F NTH R EDI"], "RUSSIA": None}})
    assert found["next"]["units"] == {"England": ["A HOL", "F EDI"], "Russia": ["F SKA"]}
    assert found["next"]["phase"] == "W1907A"
    (gone,) = (event for event in answer(RETREAT)["events"] if event["kind"] == "disbanded")
    assert (gone["power"], gone["province"]) == ("England", "NTH")


def test_every_phase_of_a_saved_game() -> None:
    """The state of each phase and its orders lead to the next state, whether or not the phase's own frame is there."""
    phases = json.loads(SAVED.read_text(encoding="utf-8"))["phases"]
    for phase, following in pairwise(phases):
        for request in ({**phase["state"], "orders": phase["orders"]}, phase):
            found = answer(request, rulebook=OF_THE_PACKAGE)["next"]
            assert found["phase"] == following["name"]
            standing = {
                power.capitalize(): sorted(unit for unit in units if not unit.startswith("*"))
                for power, units in following["state"]["units"].items()
            }
            assert found["units"] == {power: units for power, units in standing.items() if units}


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("S1901M", "S1901M"),
        ("F1901R", "F1901R"),
        ("W1901A", "W1901A"),
        ("SPRING 1901 MOVEMENT", "S1901M"),
        ("FALL 1902 RETREATS", "F1902R"),
        ("WINTER 1901 ADJUSTMENTS", "W1901A"),
        ("FORMING", "S1901M"),
    ],
)
def test_names_of_phases(name: str, code: str) -> None:
    """Phases by their codes and by their long names; a game that is forming is at its first phase."""
    assert Query({**RETREAT, "name": name}, find_variant).state.phase.code == code


@pytest.mark.parametrize(
    "orders",
    [
        {"PAR": "- BUR", "MAR": "S A PAR - BUR", "BRE": "H"},
        {"A PAR": "- BUR", "A MAR": "S A PAR - BUR", "F BRE": "H"},
        {"Paris": "A PAR - BUR", "Marseilles": "A MAR S A PAR - BUR", "Brest": "F BRE H"},
        {"par": "A Paris - Burgundy", "mar": "supports Par to Bur", "bre": "holds"},
        {"par": ["Move", "bur"], "mar": ["Support", "par", "bur"], "bre": ["Hold"]},
        {"ORDER 1": "A PAR - BUR", "ORDER 2": "A MAR S A PAR - BUR", "INVALID 3": "F BRE H"},
        {"PAR": "(FRA AMY PAR) MTO BUR", "MAR": "(FRA AMY MAR) SUP (FRA AMY PAR) MTO BUR", "BRE": "F BRE HOLD"},
    ],
)
def test_orders_by_place(orders: dict[str, Any]) -> None:
    """An object of orders is read as a list: each for the unit in its place, unless the order names that itself."""
    found = answer({"orders": {"France": orders}})
    assert [one["result"] for one in found["orders"]] == ["succeeds", "succeeds", "holds"]
    assert found["next"]["units"]["France"] == ["A BUR", "A MAR", "F BRE"]


def test_orders_by_place_in_other_phases() -> None:
    """Retreats, builds and removals, too, and convoys and supports in place."""
    for order in ("R EDI", "- EDI", ["Move", "edi"]):
        found = answer({**RETREAT, "orders": {"ENGLAND": {"NTH": order}}})
        assert found["next"]["units"]["England"] == ["A HOL", "F EDI"]
    assert not answer({**RETREAT, "orders": {"ENGLAND": {"NTH": ["Disband"]}}})["next"]["units"]["England"][1:]
    winter = {"phase": "W1901A", "units": {"England": ["F NTH"], "France": ["A BUR", "A GAS"]}}
    owned = {**winter, "centers": {"England": ["LON", "LVP"], "France": ["PAR"]}}
    for builds in ({"LON": ["Build", "Fleet"]}, {"LON": "Build F"}, {"ORDER 1": "F LON B"}, {"LON": "F LON B"}):
        found = answer({**owned, "orders": {"England": builds, "France": {"gas": ["Disband"]}}})
        assert found["next"]["units"] == {"England": ["F LON", "F NTH"], "France": ["A BUR"]}
    sea = {"units": {"England": ["A LON", "F NTH", "F EDI"]}}
    carried = {"lon": ["MoveViaConvoy", "nwy"], "nth": ["Convoy", "lon", "nwy"], "edi": ["Support", "nth", "nth"]}
    rulings = answer({**sea, "orders": {"England": carried}})["orders"]
    assert [one["cause"] for one in rulings] == ["came_by_sea", "available", "given"]


def test_units_in_any_spelling() -> None:
    """A position may be written as its orders are."""
    units = {"France": ["Army Paris", "Fleet Brest"], "Russia": ["f stp-sc", "a mos"]}
    found = answer({"units": units, "centers": {"France": ["Paris"]}, "orders": {"France": ["Army Paris - Burgundy"]}})
    assert found["next"]["units"] == {"France": ["A BUR", "F BRE"], "Russia": ["A MOS", "F STP/SC"]}
    assert found["next"]["centers"] == {"France": ["PAR"]}


def test_a_star_beside_our_own_list() -> None:
    """A starred unit that `dislodged` lists is told of twice, and there once."""
    beaten = {"England": [{"unit": "Fleet North Sea", "from": "SKA", "retreats": ["EDI"]}]}
    units = {"England": ["*F NTH"], "Russia": ["F SKA"]}
    numbers = {"England": [7], "Russia": [3]}
    request = {"phase": "F1907R", "units": units, "dislodged": beaten, "numbers": numbers}
    state = Query(request, find_variant).state
    assert [(str(out.unit), out.unit.number) for out in state.position.dislodged] == [("F NTH", 7)]
    assert [str(unit) for unit in state.position.units] == ["F SKA"]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({**RETREAT, "name": "COMPLETED"}, r"the game is over \(COMPLETED\)"),
        ({**RETREAT, "rules": ["BUILD_ANY"]}, r"\$\.rules: a game with BUILD_ANY"),
        ({**RETREAT, "retreat": {}}, r"\$\.retreat: this key is not known here"),
        ({**RETREAT, "retreats": {"ENGLAND": ["EDI"]}}, r"\$\.retreats\.ENGLAND"),
        ({**RETREAT, "units": {"ENGLAND": ["A HLO"]}}, r"\$\.units\.ENGLAND: 'A HLO': no province 'HLO'"),
        (
            {**RETREAT, "units": {"ENGLAND": ["HOL"]}},
            r"\$\.units\.ENGLAND: 'HOL' does not say .*did you mean A HOL or F HOL",
        ),
        (
            {"phase": "F1907R", "units": {"England": ["*F NTH"]}},
            r"\$\.units\.England: '\*F NTH' is dislodged, but nothing says",
        ),
        ({"units": {"France": ["F PAR"]}}, r"F PAR: a unit of this kind cannot lie there \(did you mean A PAR\?\)"),
        ({"units": {"Russia": ["F STP"]}}, r"did you mean A STP or F STP/NC or F STP/SC\?"),
        ({"orders": {"France": {"Prs": "- BUR"}}}, r"\$\.orders: 'Prs': no province 'Prs'"),
        ({"orders": {"France": {"PAR": 5}}}, r"\$\.orders\.France\.PAR"),
        ({"phases": [], "map": "standard"}, r"a saved game, not a phase \(`gamesmaster replay`"),
    ],
)
def test_what_is_refused(data: object, said: str) -> None:
    """A refusal names the place and the nearest right thing."""
    with pytest.raises(GamesmasterError, match=said):
        answer(data)
