"""Corroboration: warnings about orders, before they are played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from gamesmaster.board import Dislodged, Location, Position, units_from
from gamesmaster.errors import NotFound
from gamesmaster.judge import corroborate
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rules
from gamesmaster.variant import find_variant

Units = Mapping[str, Sequence[str]]


def rules() -> Rules:
    """The rules of the standard game."""
    return Rules.of(find_variant("standard"))


def warnings(units: Units, orders: Units) -> list[str]:
    """The warnings about these orders in a movement phase."""
    return [str(w) for w in corroborate(rules(), PhaseKind.MOVEMENT, Position(units_from(units)), orders)]


def test_sound_orders_need_no_warning() -> None:
    """Orders that fit together, with one for each unit, bring no warning."""
    units = {"France": ["A PAR", "A MAR"], "Germany": ["A MUN"]}
    assert warnings(units, {"France": ["A Par - Bur", "A Mar S A Par - Bur"]}) == []


def test_units_without_orders_are_named() -> None:
    """A unit of a power that sent orders, and forgot this one, is named; other powers' units are not (STD-4.c)."""
    units = {"France": ["A PAR", "A MAR"], "Germany": ["A MUN"]}
    assert warnings(units, {"France": ["A Par - Bur"]}) == ["A Mar has no order and will hold"]


def test_impossible_and_unreadable_orders_are_told() -> None:
    """An order that cannot come true, or cannot be read, is told with its reason (STD-4.d, STD-4.f)."""
    units = {"France": ["A PAR", "A MAR"]}
    told = corroborate(
        rules(), PhaseKind.MOVEMENT, Position(units_from(units)), {"France": ["A Par - Lon", "A Mar blesses A Par"]}
    )
    assert [(w.subject, w.clause) for w in told if w.subject[:5] in ("A Par", "A Mar")][:2] == [
        ("A Par - Lon", "STD-4.d"),
        ("A Mar blesses A Par", "STD-4.f"),
    ]
    assert "cannot be read" in told[1].text


def test_a_second_order_for_a_unit_is_told() -> None:
    """Of two different orders for one unit, the one that does not count is told (DATC 4.D.3)."""
    told = warnings({"France": ["A PAR"]}, {"France": ["A Par - Bur", "A Par - Pic"]})
    assert told == ["A Par - Pic comes after another possible order for the same unit"]


@pytest.mark.parametrize(
    ("orders", "wanted"),
    [
        (["A Par H", "A Mar S A Par - Bur"], ["A Mar S A Par - Bur matches no order that was given"]),
        (["A Par - Pic", "A Mar S A Par - Bur"], ["A Mar S A Par - Bur matches no order that was given"]),
        (["A Par - Bur", "A Mar - Gas"], []),
    ],
)
def test_a_support_must_match_its_own_unit(orders: list[str], wanted: list[str]) -> None:
    """A support of a unit of the same power that was ordered otherwise is told (STD-4.e)."""
    assert warnings({"France": ["A PAR", "A MAR"]}, {"France": orders}) == wanted


def test_a_support_in_place_of_a_mover_is_told() -> None:
    """Supporting in place a unit of one's own that moves away is told (STD-7.b)."""
    told = warnings({"France": ["A PAR", "A BUR"]}, {"France": ["A Par - Pic", "A Bur S A Par"]})
    assert told == ["A Bur S A Par is for a unit that was ordered to move"]


def test_nothing_is_said_of_other_powers_secrets() -> None:
    """Supports and convoys of foreign units bring no warning, whatever those were ordered."""
    units = {"France": ["A PAR", "F ENG"], "Germany": ["A MUN"], "England": ["A LON"]}
    assert warnings(units, {"France": ["A Par S A Mun - Bur", "F Eng C A Lon - Bre"]}) == []


def test_a_foreign_unit_whose_orders_are_at_hand_is_matched() -> None:
    """When the helped power's orders are looked over too, a support that fails to match is told."""
    units = {"France": ["A PAR"], "Germany": ["A MUN"]}
    told = warnings(units, {"France": ["A Par S A Mun - Bur"], "Germany": ["A Mun H"]})
    assert told == ["A Par S A Mun - Bur matches no order that was given"]


def test_a_journey_without_its_own_fleets_is_told() -> None:
    """An army sent by sea without a complete chain of fleets ordered to carry it depends on others (STD-4.e)."""
    units = {"England": ["A LON", "F NTH"]}
    assert warnings(units, {"England": ["A Lon - Nwy", "F Nth C A Lon - Nwy"]}) == []
    assert warnings(units, {"England": ["A Lon - Nwy", "F Nth H"]}) == [
        "A Lon - Nwy has no complete chain of your own fleets ordered to convoy it"
    ]


def test_a_power_in_its_own_way_is_told() -> None:
    """A move that only the power's own units hinder is told: a bounce among them, or an attack on one (STD-6.e)."""
    units = {"France": ["A PAR", "A MAR", "A GAS"]}
    told = warnings(units, {"France": ["A Par - Bur", "A Mar - Bur", "A Gas H"]})
    assert told == [
        "A Par - Bur is stood off by A Mar (France) (1 against 1)",
        "A Mar - Bur is stood off by A Par (France) (1 against 1)",
    ]
    told = warnings({"France": ["A PAR", "A GAS"]}, {"France": ["A Par - Gas", "A Gas H"]})
    assert told == ["A Par - Gas may not dislodge a unit of its own power, A Gas (France)"]


def test_unknown_powers_are_refused() -> None:
    """Orders of a power that does not exist are an error that names the nearest."""
    with pytest.raises(NotFound, match="did you mean France"):
        warnings({}, {"Frence": []})


# -- retreats and adjustments ----------------------------------------------------------------------------------------


def test_forgotten_retreats_are_told() -> None:
    """A dislodged unit without an order will disband, and its owner is told (STD-9.e)."""
    one, two = units_from({"Austria": ["F TRI", "A BUD"]})
    position = Position((), {}, (Dislodged(one, "VEN", (Location("ALB"),)), Dislodged(two, "", (Location("SER"),))))
    told = corroborate(rules(), PhaseKind.RETREATS, position, {"Austria": ["A Bud - Ser"]})
    assert [str(w) for w in told] == ["F Tri has no order and will disband"]


def winter(units: list[str], centres: list[str], orders: list[str]) -> list[str]:
    """The warnings about Russia's orders in a Winter."""
    position = Position(units_from({"Russia": units}), dict.fromkeys(centres, "Russia"))
    return [str(w) for w in corroborate(rules(), PhaseKind.ADJUSTMENTS, position, {"Russia": orders})]


def test_builds_left_are_told() -> None:
    """Builds that are neither ordered nor waived are told, as many as there are sites for (STD-10.e)."""
    centres = ["STP", "MOS", "SEV", "SWE"]
    assert winter([], centres, []) == ["Russia leaves 3 builds unused"]
    assert winter([], centres, ["Build A Mos", "Waive"]) == ["Russia leaves 1 build unused"]
    assert winter([], centres, ["Build A Mos", "Waive", "Waive"]) == []


def test_removals_left_to_the_rules_are_told() -> None:
    """Units that the rules will remove because their owner names none are told (STD-10.g)."""
    assert winter(["A MOS", "A SIL"], ["MOS"], []) == ["A Sil will be removed, nothing else being named"]
    assert winter(["A MOS", "A SIL"], ["MOS"], ["Remove A Mos"]) == []
