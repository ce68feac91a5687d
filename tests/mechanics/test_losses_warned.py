"""Warnings that come with orders by which a unit is lost, though nobody else does anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from gamesmaster.board import Dislodged, Location, Position, units_from
from gamesmaster.judge import corroborate
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant

M, R = PhaseKind.MOVEMENT, PhaseKind.RETREATS
STARVING: Mapping[str, object] = {"army-fleet": {"2": 3}}
TABOO: Mapping[str, object] = {"taboo": {"whole": ["120"], "cursed": {}}}
RAW: Mapping[str, object] = {"boats": {"raw": {"36": "Gordon"}}}

Texts = Mapping[str, Sequence[str]]
CASES: dict[str, tuple[str, Texts, Mapping[str, object], Texts, list[str]]] = {
    "an army aboard in its last season": (
        "1000ad[af_module=yes]", {"Vikings": ["A/F SNS"]}, STARVING, {"Vikings": ["A/F SNS H"]},
        ["A/F SNS H lets the army aboard starve: this is the last season to put it ashore [AFM-4.b]"],
    ),
    "wherever it sails": (
        "1000ad[af_module=yes]", {"Vikings": ["A/F SNS"]}, STARVING, {"Vikings": ["A/F SNS - ENC"]},
        ["A/F SNS - ENC lets the army aboard starve: this is the last season to put it ashore [AFM-4.b]"],
    ),
    "and if nothing is ordered": (
        "1000ad[af_module=yes]", {"Vikings": ["A/F SNS"]}, STARVING, {"Vikings": []},
        ["A/F SNS has no order and will hold [STD-4.c]",
         "A/F SNS lets the army aboard starve: this is the last season to put it ashore [AFM-4.b]"],
    ),
    "not in the season before": (
        "1000ad[af_module=yes]", {"Vikings": ["A/F SNS"]}, {"army-fleet": {"2": 2}}, {"Vikings": ["A/F SNS H"]}, [],
    ),
    "a step onto taboo ground": (
        "indianomacy", {"Illinois": ["W 67"]}, TABOO, {"Illinois": ["W 67 - 120"]},
        ["W 67 - 120 breaks a taboo: the unit is lost, and its power cursed [IND-5.b]"],
    ),
    "two that stand each other off break none": (
        "indianomacy", {"Illinois": ["W 67", "W 59"]}, TABOO, {"Illinois": ["W 67 - 120", "W 59 - 120"]},
        ["W 67 - 120 is stood off by W 59 (Erie, Illinois) (1 against 1) [STD-6.a]",
         "W 59 - 120 is stood off by W 67 (Shawnee, Illinois) (1 against 1) [STD-6.a]"],
    ),
    "a boat built inland that nobody carries": (
        "scottomacy", {"Gordon": ["A 36"]}, RAW, {"Gordon": ["A 36 H"]},
        ["A 36 H loses the boats there, which nobody carries to where they can lie [SCO-10.g]"],
    ),
    "of what others lose by giving no orders nothing is told": (
        "1000ad[af_module=yes]", {"Vikings": ["A/F SNS"], "British": ["A Yor"]}, STARVING, {"British": ["A Yor H"]}, [],
    ),
    "of what others may lose nothing is told": (
        "indianomacy", {"Illinois": ["W 67"], "Iroquois": ["W 59"]}, TABOO, {"Iroquois": ["W 59 H"]}, [],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_moves(name: str) -> None:
    """Each set of orders brings the warnings written down for it."""
    variant, units, state, orders, wanted = CASES[name]
    rules = Rules.of(find_variant(variant))
    position = Position(units_from(units, 1, rules.board.forms), state=state)
    assert [f"{w} [{w.clause}]" for w in corroborate(rules, M, position, orders)] == wanted


def test_a_retreat_to_a_coast_destroys_the_army_aboard() -> None:
    """Conquest's loaded fleets may flee to a coast, and their armies are lost there (CNW-6.e); at sea they are not."""
    rules = Rules.of(find_variant("conquest2"))
    fleet, army = units_from({"England": ["A/F VIS"]}, 1, rules.board.forms)
    if fleet.aboard:
        fleet, army = army, fleet
    retreats = (Location("VIR"), Location("GRB"))
    beaten = (Dislodged(fleet, "SAR", retreats), Dislodged(army, "SAR", retreats))
    position = Position(units_from({"Spain": ["F VIS"]}, 9), dislodged=beaten)

    def told(order: str) -> list[str]:
        return [f"{w} [{w.clause}]" for w in corroborate(rules, R, position, {"England": [order]}) if w.loss]

    lost = "loses the army aboard, which cannot stay in a fleet that retreats to a coast [CNW-6.e]"
    assert told("A/F VIS - VIR") == [f"A/F VIS - VIR {lost}"]
    assert told("A/F VIS - GRB") == []
