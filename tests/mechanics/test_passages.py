"""A railway on which armies go far, and a canal with a keeper (ASI-5, ASI-6, STD-18)."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gamesmaster.batches import supports
from gamesmaster.board import Position, units_from
from gamesmaster.errors import BadFile
from gamesmaster.judge import LegalOrders, adjudicate, legal_orders
from gamesmaster.mechanics import Canal, Railway
from gamesmaster.mechanics.passages import PassageCause
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.rules import Ahead, ReportMechanic, Result, Rules, Ruling
from gamesmaster.testing import check_variant
from gamesmaster.variant import find_variant, lint_variant
from tests.scenarios.setup import with_ends

VARIANT = find_variant("asia1870")
RULES = Rules.of(VARIANT)


def told(units: Mapping[str, list[str]], orders: Mapping[str, list[str]]) -> dict[str, Ruling]:
    """The rulings on the orders given."""
    done = adjudicate(RULES, PhaseKind.MOVEMENT, Position(units_from(units)), orders)
    return {ruling.given: ruling for ruling in done.rulings if ruling.given}


def goals(units: Mapping[str, list[str]], at: str) -> set[str]:
    """The provinces to which the unit in a place may legally move."""
    position = Position(units_from(units))
    (unit,) = (unit for unit in position.units if unit.at.province == at)
    return {str(o.to) for o in LegalOrders(RULES, position).of_unit(unit) if o.verb is Verb.MOVE}


def test_a_train_stops_at_no_foreign_unit() -> None:
    """Trains pass own units, and neither pass nor reach those of others; neighbours are attacked on foot."""
    beside = {"ODE", "BAK", "BOK", "ORE", "PRM"}
    assert goals({"Russia": ["A MOS", "A OMS"]}, "MOS") == beside | {"OMS", "KRA", "IRK", "VLA"}
    assert goals({"Russia": ["A MOS"], "China": ["A KRA"]}, "MOS") == beside | {"OMS"}
    assert goals({"Russia": ["A VLA"], "China": ["A KRA"]}, "VLA") == {"IRK", "MAN", "SEO"}
    assert goals({"China": ["A IRK"]}, "IRK") == {"VLA", "MAN", "MON", "KRA"}
    found = told({"Russia": ["A MOS"], "China": ["A KRA"]}, {"Russia": ["A Mos - Vla"]})["A Mos - Vla"]
    assert (found.result, found.cause, found.clause) == (Result.VOID, PassageCause.LINE_BLOCKED, "ASI-5.b")


def test_a_blocked_train_is_not_offered_help() -> None:
    """Nobody may order a support for a move by rail that another power's unit blocks (ASI-5.b)."""
    for blocked, offered in (({}, True), ({"China": ["A KRA"]}, False)):
        position = Position(units_from({"Russia": ["A MOS", "A MAN"], **blocked}))
        helper = next(unit for unit in position.units if unit.at.province == "MAN")
        orders = map(RULES.notation.write, LegalOrders(RULES, position).of_unit(helper))
        assert ("A Man S A Mos - Vla" in orders) is offered


def test_trains_meet_and_bounce() -> None:
    """Two trains do not change places, and one that is stood off stays where it was."""
    found = told({"Russia": ["A MOS", "A VLA"]}, {"Russia": ["A Mos - Vla", "A Vla - Mos"]})
    assert {ruling.result for ruling in found.values()} == {Result.BOUNCES}
    units = {"Russia": ["A MOS"], "China": ["A MON"]}
    found = told(units, {"Russia": ["A Mos - Kra"], "China": ["A Mon - Kra"]})
    assert {ruling.result for ruling in found.values()} == {Result.BOUNCES}


def test_the_canal_has_a_keeper() -> None:
    """The power with a unit in Egypt passes, and nobody else; the way by Egypt is open to all."""
    assert goals({"Turkey": ["F MED", "A EGY"]}, "MED") >= {"RED", "SYR"}
    assert "RED" not in goals({"Turkey": ["F MED"], "Britain": ["F EGY"]}, "MED")
    alone = goals({"Turkey": ["F MED"]}, "MED")
    assert "EGY" in alone
    assert "RED" not in alone
    found = told({"Turkey": ["F MED"]}, {"Turkey": ["F Med - Red"]})["F Med - Red"]
    assert (found.result, found.cause, found.clause) == (Result.VOID, PassageCause.NOT_THE_KEEPER, "ASI-6.a")
    units = {"Turkey": ["F MED"], "Britain": ["F RED"]}
    assert told(units, {"Turkey": ["F Med S F Red"]})["F Med S F Red"].cause is PassageCause.NOT_THE_KEEPER


def test_the_owner_of_a_strait_passes() -> None:
    """With `by = "owner"` whoever owns the centre passes, whoever stands there; without an owner nobody (STD-18.a)."""
    strait = {"name": "canal", "edges": [["AEG", "CON"]], "keeper": "CON", "by": "owner"}
    rules = Rules.of(with_ends(find_variant("standard"), mechanics=[strait]))
    for owner in ("Turkey", "Italy", ""):
        position = Position(units_from({"Turkey": ["F AEG"]}), {"CON": owner} if owner else {})
        reached = {str(order.to) for order in LegalOrders(rules, position).of_unit(position.units[0])}
        assert ("CON" in reached) is (owner == "Turkey")
        done = adjudicate(rules, PhaseKind.MOVEMENT, position, {"Turkey": ["F Aeg - Con", "F Aeg - Smy"]})
        (told,) = [ruling for ruling in done.rulings if ruling.given == "F Aeg - Con"]
        assert (told.cause is PassageCause.NOT_THE_OWNER, told.clause == "STD-18.a") == ((owner != "Turkey",) * 2)
        hooks = rules.hooks(ReportMechanic.report_lines)
        lines = [
            (line.power, line.text, line.clause) for hook in hooks for line in hook(rules, position, Ahead(iter(())))
        ]
        assert lines == ([(owner, "keeps the canal from Con", "STD-18.a")] if owner else [])


@pytest.mark.parametrize(("keeper", "open_"), [("Turkey", True), ("Russia", False)])
def test_who_retreats_through_the_canal(keeper: str, open_: bool) -> None:
    """The keeper's fleet may; another's may not."""
    units = {"Turkey": ["F RED"], "Britain": ["F GOA", "F ADE"]}
    units[keeper] = [*units.get(keeper, []), "F EGY"]
    orders = {"Britain": ["F Goa - Red", "F Ade S F Goa - Red"]}
    (beaten,) = adjudicate(RULES, PhaseKind.MOVEMENT, Position(units_from(units)), orders).position.dislodged
    assert ("MED" in {at.province for at in beaten.retreats}) is open_


def test_the_ledger_names_who_holds_a_passage() -> None:
    """Units on the line of another power's railway, and the keeper of the canal."""
    position = Position(units_from({"China": ["A IRK"], "Turkey": ["F EGY"], "Russia": ["A MOS"]}))
    hooks = RULES.hooks(ReportMechanic.report_lines)
    lines = [line for hook in hooks for line in hook(RULES, position, Ahead(iter(())))]
    assert [(line.heading, line.text, line.power, line.province, line.clause) for line in lines] == [
        ("Railway", "closes the line in Irk", "China", "IRK", "ASI-5.b"),
        ("Canal", "keeps the canal from Egy", "Turkey", "EGY", "ASI-6.a"),
    ]


def test_where_they_do_not_fit() -> None:
    """A kind has ways of its own once; a railway needs a board in sight; a canal joins neighbours; batches refuse."""
    with pytest.raises(BadFile, match="kind of unit already"):
        with_ends(VARIANT, mechanics=[{"name": "unit-kind", "kind": "A", "reach": 2}])
    with pytest.raises(BadFile, match="ways of its own"):
        Railway(("MOS", "PRM")).extend_board(RULES.board)
    hidden = with_ends(find_variant("fog"), mechanics=[{"name": "railway", "line": ["MOS", "WAR"]}])
    assert "a railway needs a board that everybody sees" in "\n".join(map(str, lint_variant(hidden)))
    assert [finding.code for finding in Canal((("MOS", "ADE"),), "EGY").lint(RULES, ())] == ["no-border"]
    owned = Canal((("MED", "RED"),), "MED", "owner")
    assert [finding.code for finding in owned.lint(RULES, ())] == ["no-centre"]
    reasons = " ".join(supports(VARIANT).why_not)
    assert "batches have no railways" in reasons
    assert "batches have no canals with keepers" in reasons


def test_everybody_may_ride_unless_powers_are_named() -> None:
    """A line of France's, open to all: Germany's army goes from end to end."""
    open_to_all = with_ends(find_variant("standard"), mechanics=[{"name": "railway", "line": ["BRE", "PAR", "MUN"]}])
    rules, position = Rules.of(open_to_all), Position(units_from({"Germany": ["A MUN"]}))
    assert "BRE" in {str(order.to) for order in legal_orders(rules, position, position.units[0])}


def test_the_variant_conforms() -> None:
    """Random games of Asia 1870 break no promise."""
    assert check_variant(VARIANT, phases=15) == []
