"""Binding orders to units: what is remembered of them, several for one unit, borders closed to some."""

from __future__ import annotations

import pytest

from gamesmaster.board import Board, Edge, Location, Position, Province, Terrain, units_from
from gamesmaster.judge import Adjudication, OrderReader, adjudicate
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rules
from gamesmaster.rules import rules as rules_values
from gamesmaster.variant import find_variant

from .conftest import Judge, results, standing


@pytest.fixture
def rules() -> Rules:
    """The standard rules, with nothing remembered."""
    return Rules.of(find_variant("standard"))


def played(rules: Rules, units: dict[str, list[str]], orders: dict[str, list[str]]) -> Adjudication:
    """Adjudicate a movement phase."""
    return adjudicate(rules, PhaseKind.MOVEMENT, Position(units_from(units)), orders)


class TestMemory:
    """What is remembered of an order holds for the units at hand, and for no others."""

    def test_an_order_for_another_kind_of_unit(self, rules: Rules) -> None:
        """STD-5.a: an order that names no kind of unit means an army and a fleet in turn."""
        orders = {"France": ["Gas - Bre", "Bre - Par"]}
        for kind, moved in (("A", {"A PAR"}), ("F", {"F BRE"}), ("A", {"A PAR"})):
            assert standing(played(rules, {"France": [f"{kind} BRE"]}, orders)) == moved

    def test_a_support_for_another_unit(self) -> None:
        """STD-4.d, DATC 4.C.1: a support that was possible is void when its unit is of another kind, or gone."""
        rules = Rules.of(find_variant("standard"), {"kind_mistaken": "void"})
        orders = {"France": ["A Gas S A Bre"]}
        for unit, expected in (
            (["A BRE"], "succeeds: given"),
            (["F BRE"], "void: wrong_kind"),
            (["A BRE"], "succeeds: given"),
            ([], "void: nobody"),
        ):
            assert results(played(rules, {"France": ["A GAS", *unit]}, orders)) == {"A Gas S A Bre": expected}

    def test_a_support_for_another_power(self) -> None:
        """DATC 4.C.6: where the nationality must be named, a support without it holds for one's own units only."""
        rules = Rules.of(find_variant("standard"), {"nation_omitted": "void"})
        orders = {"France": ["A Gas S A Bre"]}
        for power, expected in (("France", "succeeds: given"), ("England", "void: wrong_nation")):
            units = {"France": ["A GAS"]}
            units.setdefault(power, []).append("A BRE")
            assert results(played(rules, units, orders)) == {"A Gas S A Bre": expected}

    def test_it_is_bounded(self, rules: Rules, monkeypatch: pytest.MonkeyPatch) -> None:
        """Texts are forgotten when there are too many, and mean the same when they come again."""
        monkeypatch.setattr(rules_values, "MOST_REMEMBERED", 3)
        readings = rules.derive(OrderReader).parsed_orders[PhaseKind.MOVEMENT]
        for text in ("A Bre - Par", "A Bre - Gas", "A Bre - Pic", "A Bre H", "A Bre - Par"):
            assert len(results(played(rules, {"France": ["A BRE"]}, {"France": [text]}))) == 1
            assert text in readings
            assert len(readings) <= 3
        assert "A Bre - Gas" not in readings


class TestSeveralOrders:
    """DATC 4.D.3: several possible orders for one unit."""

    def test_orders_that_cancel_each_other(self, judge: Judge) -> None:
        """DATC 4.D.3 c: the unit holds, however many orders follow."""
        orders = ["A Par - Bur", "A Par - Pic", "A Par - Bur", "A Par - Gas"]
        done = judge({"France": ["A PAR"]}, {"France": orders}, {"4.D.3": "c"})
        assert [r.cause.name for r in done.rulings] == ["CONTRADICTED"] * 4
        assert standing(done) == {"A PAR"}

    def test_the_last_of_several(self, judge: Judge) -> None:
        """DATC 4.D.3 b: the last possible one counts; an impossible one after it does not."""
        orders = ["A Par - Bur", "A Mar H", "A Par - Pic", "A Par - Gas", "A Par - Lon"]
        done = judge({"France": ["A PAR", "A MAR"]}, {"France": orders}, {"4.D.3": "b"})
        assert [r.cause.name for r in done.rulings] == ["SECOND", "HELD", "SECOND", "CAME", "NOT_ADJACENT"]


def test_a_deduced_move() -> None:
    """DATC 4.E.3 a: a support of one's own unit orders it to move, in this phase and again in another."""
    rules = Rules.of(find_variant("standard"), {"4.E.3": "a"})
    for _ in range(2):
        assert standing(played(rules, {"France": ["A PAR", "A MAR"]}, {"France": ["A Mar S A Par - Bur"]})) == {
            "A BUR",
            "A MAR",
        }


def test_a_move_that_cannot_be_deduced(judge: Judge) -> None:
    """DATC 4.E.3 a: a support does not say which coast its fleet should go to, so no move is deduced from it."""
    done = judge({"France": ["F MAO", "F POR"]}, {"France": ["F Por S F Mao - Spa"]}, {"4.E.3": "a"})
    assert standing(done) == {"F MAO", "F POR"}


def test_two_convoys_that_strike_from_their_last_waters(judge: Judge) -> None:
    """DATC 4.A.4, Brannan's rule: each landing comes from its own fleet's water."""
    units = {"England": ["A LON", "F NTH", "A TUN", "F TYS"], "Germany": ["F BEL"], "Italy": ["F ROM"]}
    orders = {
        "England": ["A Lon - Bel", "F Nth C A Lon - Bel", "A Tun - Rom", "F TyS C A Tun - Rom"],
        "Germany": ["F Bel - Nth"],
        "Italy": ["F Rom - TyS"],
    }
    done = judge(units, orders, {"4.A.4": "fleet"})
    assert {r.given: r.cause.name for r in done.rulings if r.unit and r.unit.kind == "A"} == {
        "A Lon - Bel": "BEATEN_HEAD_ON",
        "A Tun - Rom": "BEATEN_HEAD_ON",
    }


def test_fleets_on_one_coast_do_not_pass(judge: Judge) -> None:
    """STD-5.h: fleets pass each other along different coasts only, even where the coastal crawl is allowed."""
    units = {"Turkey": ["F CON", "F BUL/EC", "F ANK", "F BLA"]}
    orders = {"Turkey": ["F Con - Bul/ec", "F Bul/ec - Con", "F Ank - Bla", "F Bla - Ank"]}
    assert standing(judge(units, orders, {"coastal_crawl": "allowed"})) == {"F CON", "F BUL/EC", "F ANK", "F BLA"}


class TestClosedBorders:
    """Steps that only some powers may take."""

    @pytest.fixture
    def straits(self) -> Rules:
        """Three shores in a row along one sea; only Blue may walk from West to Middle, or from Middle to West."""
        shores = [Province(p, p.title(), p.title(), Terrain.COAST) for p in ("WEST", "MIDDLE", "EAST")]
        sea = Province("SEA", "Sea", "Sea", Terrain.SEA, convoy=True)
        steps = [("army", "WEST", "MIDDLE"), ("army", "MIDDLE", "EAST")]
        steps += [("fleet", p.id, "SEA") for p in shores]
        edges = [
            Edge(way, Location(x), Location(y), only=frozenset({"Blue"} if "WEST" in (x, y) and way == "army" else ()))
            for way, a, b in steps
            for x, y in ((a, b), (b, a))
        ]
        return Rules(Board("straits", (*shores, sea), tuple(edges)), ("Blue", "Red"))

    def test_only_some_may_walk(self, straits: Rules) -> None:
        """A step is closed to the powers that may not take it, whoever took it before with the same words."""
        for power, expected in (("Blue", "succeeds: came"), ("Red", "void: no_passage"), ("Blue", "succeeds: came")):
            done = played(straits, {power: ["A WEST"]}, {power: ["A West - Middle"]})
            assert results(done) == {"A West - Middle": expected}

    def test_a_fleet_may_not_pass(self) -> None:
        """Nor may a fleet, which has no other way."""
        waters = [Province(p, p.title(), p.title(), Terrain.SEA) for p in ("WEST", "EAST")]
        edge = Edge("fleet", Location("WEST"), Location("EAST"), only=frozenset({"Blue"}))
        rules = Rules(Board("canal", tuple(waters), (edge,)), ("Blue", "Red"))
        for power, expected in (("Blue", "succeeds: came"), ("Red", "void: closed")):
            done = played(rules, {power: ["F WEST"]}, {power: ["F West - East"]})
            assert results(done) == {"F West - East": expected}

    def test_who_may_not_walk_may_sail(self, straits: Rules) -> None:
        """STD-8.a: by convoy an army comes where it may not walk, and without one it stays."""
        units = {"Red": ["A WEST", "F SEA"]}
        for convoy, expected in (("F Sea C A West - Middle", "came_by_sea"), ("F Sea H", "no_chain")):
            done = played(straits, units, {"Red": ["A West - Middle", convoy]})
            assert results(done)["A West - Middle"].endswith(expected)

    def test_no_retreat_over_a_closed_border(self, straits: Rules) -> None:
        """STD-9.b: a unit retreats only where it could have moved."""
        for power, open_to in (("Red", []), ("Blue", ["WEST"])):
            other = "Blue" if power == "Red" else "Red"
            units = {power: ["A MIDDLE"], other: ["A EAST", "F SEA"]}
            done = played(straits, units, {other: ["A East - Middle", "F Sea S A East - Middle"]})
            assert [list(map(str, d.retreats)) for d in done.position.dislodged] == [open_to]
