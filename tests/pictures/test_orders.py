"""Orders drawn: every verb, result and cause by its own kind of line, at the right place."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import dist

import pytest

from gamesmaster.board import Dislodged, Location, Position, Unit, units_from
from gamesmaster.judge import adjudicate
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.pictures import Look
from gamesmaster.pictures.map.pieces import arrange
from gamesmaster.pictures.orders.model import Planned, plan
from gamesmaster.pictures.orders.overlay import Beneath, draw_orders
from gamesmaster.pictures.orders.ways import RIM
from gamesmaster.pictures.shapes.values import Label, Layout, Place, Spot
from gamesmaster.rules import Cause, Result, Ruling

from .overlay import (
    ROOM,
    RULES,
    STANDARD,
    Drawn,
    centre,
    drawn,
    movement,
    nearest_to,
    overlay,
    parts,
    place,
    played,
    standard_grid,
)

NEAR = RIM * ROOM
"""How far from the middle of a unit its lines begin."""


def tip(one: Drawn) -> tuple[float, float]:
    """The point of an arrow's head."""
    return one.line("F")[0]


def middle(points: list[tuple[float, float]]) -> tuple[float, float]:
    """The middle between the ends of a line, or of a ring."""
    return (points[0][0] + points[-1][0]) / 2, (points[0][1] + points[-1][1]) / 2


def test_a_move_that_comes() -> None:
    """A move is a solid line from the rim of its unit to the rim of the place it goes to, with a head."""
    one = played({"France": ["A PAR"]}, {"France": ["A Par - Bur"]})["A Par - Bur"]
    assert one.classes == ("move", "succeeds", "came")
    assert set(one.strokes) == {"H", "M", "F"}
    assert dist(one.line("M")[0], place("PAR")) == pytest.approx(NEAR, abs=2)
    assert dist(tip(one), place("BUR")) == pytest.approx(NEAR, abs=2)
    assert all(dist(point, place("BUR")) > NEAR - 2 for point in one.line("M"))


def test_a_move_to_a_coast() -> None:
    """A fleet's arrow ends at the spot of the coast that it goes to."""
    one = played({"France": ["F MAO"]}, {"France": ["F Mao - Spa/SC"]})["F Mao - Spa/SC"]
    assert dist(tip(one), place("SPA", "SC")) == pytest.approx(NEAR, abs=2)


def test_a_move_that_bounces() -> None:
    """A bounce ends short of the goal, in a bar across its way."""
    units = {"France": ["A PAR"], "Germany": ["A MUN"]}
    found = played(units, {"France": ["A Par - Bur"], "Germany": ["A Mun - Bur"]})
    for one in found.values():
        assert one.classes == ("move", "bounces", "stood-off")
        assert NEAR + 2 < dist(tip(one), place("BUR")) < NEAR + ROOM / 2
        left, right = one.line("B")
        assert dist(left, place("BUR")) == pytest.approx(dist(right, place("BUR")), abs=8)
        assert dist(middle([left, right]), place("BUR")) < dist(tip(one), place("BUR"))


def test_head_on() -> None:
    """Units that go to each other's places get two arrows, side by side all the way."""
    units = {"France": ["A BUR"], "Germany": ["A MUN"]}
    found = played(units, {"France": ["A Bur - Mun"], "Germany": ["A Mun - Bur"]})
    one, other = found["A Bur - Mun"].line("M"), found["A Mun - Bur"].line("M")
    halves = [points[len(points) // 8 : -len(points) // 8] for points in (one, other)]
    assert min(nearest_to(point, other) for point in halves[0]) > 0.3 * ROOM


@pytest.mark.parametrize("what", ["unit", "code"])
def test_what_is_in_the_way(what: str) -> None:
    """A move passes beside a unit, or the code of a province, that lies where its line would usually run."""
    shapes, units = standard_grid(), {"France": ["A PAR"], "Germany": ["F KIE"]}
    position, rulings = movement(units, {"France": ["A Par - Bur"]})
    usual = overlay(draw_orders(STANDARD.board, shapes, position, rulings))["1"].line("M")
    x, y = map(round, usual[len(usual) // 2])
    here, there = Place({"": (Spot(x, y, ROOM),)}), Place({"": ()}, labels=(Label("Kie", "code", (x, y), 34, 60),))
    moved = {**shapes.layouts["wide"], "KIE": here if what == "unit" else there}
    shapes = replace(shapes, layouts={"wide": Layout(moved)})
    line = overlay(draw_orders(STANDARD.board, shapes, position, rulings))["1"].line("M")
    assert nearest_to((x, y), usual) < 1
    assert nearest_to((x, y), line) > (NEAR if what == "unit" else 34 * 0.5) - 2


# -- supports --------------------------------------------------------------------------------------------------------


def test_supports_join_the_move() -> None:
    """Supports end in round joints in the middle of the arrow that they help, side by side."""
    units = {"France": ["A PAR", "A MAR", "A GAS"], "Germany": ["A BUR"]}
    orders = {"France": ["A Par - Bur", "A Mar S A Par - Bur", "A Gas S A Par - Bur"]}
    found = played(units, orders)
    arrow = found["A Par - Bur"].line("M")
    joints = []
    for text in orders["France"][1:]:
        one = found[text]
        assert one.classes == ("support", "succeeds", "given")
        assert set(one.strokes) == {"I", "S", "F"}
        ring = one.line("F")
        joint = centre(ring)
        assert nearest_to(joint, arrow) < 2
        assert 0.3 < dist(joint, place("PAR")) / dist(place("PAR"), place("BUR")) < 0.7
        assert dist(one.line("S")[-1], joint) < 0.15 * ROOM
        unit = place("MAR" if "Mar" in text else "GAS")
        assert dist(one.line("S")[0], unit) == pytest.approx(NEAR, abs=2)
        joints.append(joint)
    assert dist(*joints) > 0.2 * ROOM


def test_support_to_hold() -> None:
    """A support in place ends in a ring about the unit that it helps."""
    one = played({"France": ["A PAR", "A BUR"]}, {"France": ["A Par S A Bur"]})["A Par S A Bur"]
    line, ring = parts(one.strokes["S"][0])
    assert centre(ring) == pytest.approx(place("BUR"), abs=1)
    assert dist(line[-1], place("BUR")) == pytest.approx(dist(ring[0], place("BUR")), abs=2)
    assert dist(ring[0], place("BUR")) > ROOM / 2


def test_a_cut_support() -> None:
    """A support that is cut is a broken line with a mark across it and an open joint."""
    units = {"France": ["A PAR", "A MAR"], "Italy": ["A PIE"]}
    found = played(units, {"France": ["A Par - Bur", "A Mar S A Par - Bur"], "Italy": ["A Pie - Mar"]})
    one = found["A Mar S A Par - Bur"]
    assert one.classes == ("support", "cut", "cut-by-attack")
    assert set(one.strokes) == {"I", "C", "S", "O"}
    broken = one.line("C")
    assert nearest_to(broken[len(broken) // 2], one.line("S")) < 0.2 * ROOM


def test_a_support_cut_in_place() -> None:
    """A support in place that is cut keeps its ring, broken too."""
    units = {"France": ["A PAR", "A BUR"], "Germany": ["A PIC"]}
    found = played(units, {"France": ["A Par S A Bur"], "Germany": ["A Pic - Par"]})
    assert set(found["A Par S A Bur"].strokes) == {"I", "C", "S"}


# -- convoys ---------------------------------------------------------------------------------------------------------

FLEETS = {"England": ["A LON", "F NTH", "F NWG"]}
CONVOY = ["A Lon - Nwy", "F Nth C A Lon - Nwy"]


def test_a_convoy_along_its_route() -> None:
    """A convoyed move runs through its fleets, in order, thin over each of them; each bears a wave."""
    units = {"England": ["A LON", "F ENG", "F MAO"]}
    orders = ["A Lon - Por", "F Eng C A Lon - Por", "F Mao C A Lon - Por"]
    found = played(units, {"England": orders})
    army = found["A Lon - Por"]
    assert army.classes == ("move", "succeeds", "came-by-sea")
    thread = army.line("T")
    passed = []
    for fleet in ("ENG", "MAO"):
        ways = [dist(point, place(fleet)) for point in thread]
        assert nearest_to(place(fleet), thread) < 4
        assert all(dist(point, place(fleet)) > NEAR - 4 for point in army.line("M"))
        passed.append(ways.index(min(ways)))
    assert passed == sorted(passed)
    assert len(list(parts(army.strokes["M"][0]))) == 3
    for text in orders[1:]:
        assert found[text].classes == ("convoy", "succeeds", "available")
        assert set(found[text].strokes) == {"I", "S"}


def test_a_convoy_goes_by_the_waters_named() -> None:
    """Of two chains, a move whose order names its waters is drawn through those."""
    units = {"England": ["A WAL", "F ENG", "F IRI"], "France": ["F MAO"]}
    orders = {
        "England": ["A Wal - Por via Iri, Mao", "F Eng C A Wal - Por", "F Iri C A Wal - Por"],
        "France": ["F Mao C A Wal - Por"],
    }
    army = next(one for one in played(units, orders).values() if "T" in one.strokes)
    assert nearest_to(place("IRI"), army.line("T")) < 4
    assert nearest_to(place("ENG"), army.line("T")) > ROOM


def test_an_unused_convoy_has_not_failed() -> None:
    """A fleet that stood ready, though the army went over another, is drawn like one that carried it."""
    units = {"England": ["A LON", "F NTH", "F ENG"]}
    found = played(units, {"England": ["A Lon - Bel", "F Nth C A Lon - Bel", "F Eng C A Lon - Bel"]})
    one, other = found["F Nth C A Lon - Bel"], found["F Eng C A Lon - Bel"]
    assert one.classes == other.classes == ("convoy", "succeeds", "available")
    assert set(one.strokes) == set(other.strokes)


def test_a_disrupted_convoy() -> None:
    """When a fleet is lost its army's way turns to zigzag; the fleet has a torn wave and stands in a star."""
    units = {"England": ["A LON", "F NTH"], "Germany": ["F HEL", "F SKA"]}
    orders = {"England": CONVOY, "Germany": ["F Hel - Nth", "F Ska S F Hel - Nth"]}
    found = played(units, orders)
    army, fleet = found["A Lon - Nwy"], found["F Nth C A Lon - Nwy"]
    assert army.classes == ("move", "no-convoy", "convoy-broken")
    assert set(army.strokes) == {"H", "S"}
    zigzag = next(parts(army.strokes["S"][0]))
    turns = [(b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) for a, b, c in triples(zigzag)]
    assert len(turns) > 10
    assert sum((a > 0) != (b > 0) for a, b in pairwise(turns)) > len(turns) * 0.8
    assert nearest_to(place("NTH"), zigzag) < 0.15 * ROOM
    assert fleet.classes == ("convoy", "disrupted", "carrier-lost", "dislodged")
    assert set(fleet.strokes) == {"I", "S", "D"}
    assert min(dist(point, place("NTH")) for point in fleet.line("D")) > ROOM / 2


def triples(points: list[tuple[float, float]]) -> list[tuple[tuple[float, float], ...]]:
    """Every three points in a row."""
    return list(zip(points, points[1:], points[2:], strict=False))


def test_support_of_a_convoyed_move() -> None:
    """The support of a move by sea joins its last leg, clear of the fleet."""
    units = {"England": ["A LON", "F NTH", "F SKA"]}
    found = played(units, {"England": [*CONVOY, "F Ska S A Lon - Nwy"]})
    joint = middle(found["F Ska S A Lon - Nwy"].line("F")[:2])
    assert nearest_to(joint, found["A Lon - Nwy"].line("M")) < 2
    assert dist(joint, place("NTH")) > NEAR


# -- those that stay, or come to nothing -----------------------------------------------------------------------------


def test_holding() -> None:
    """A unit that holds has a bar beneath it; only dotted where nobody ordered it."""
    found = played({"France": ["A PAR", "A BUR"]}, {"France": ["A Par H"]})
    assert set(found["A Par H"].strokes) == {"I", "S"}
    assert found["A Bur"].classes == ("hold", "holds", "unordered")
    assert set(found["A Bur"].strokes) == {"V"}
    for one, kind, where in ((found["A Par H"], "S", "PAR"), (found["A Bur"], "V", "BUR")):
        x, y = middle(one.line(kind))
        assert x == place(where)[0]
        assert ROOM * 0.4 < y - place(where)[1] < ROOM * 0.6


def test_what_is_void_is_only_dotted() -> None:
    """Orders that were not carried out are thin dotted lines and nothing else, whatever their verb."""
    units = {"France": ["A PAR", "A MAR", "F BRE", "A GAS"], "England": ["A LON"]}
    orders = ["A Par - Rom", "A Mar S A Bur", "F Bre C A Par - Lon", "A Gas S A Mar - Bur"]
    found = played(units, {"France": orders, "England": ["A Lon - Bre"]})
    for text in orders:
        assert "void" in found[text].classes
        assert set(found[text].strokes) <= {"V", "J"}, text
    assert found["A Par - Rom"].strokes["V"]
    assert nearest_to(place("ROM"), found["A Par - Rom"].line("V")) == pytest.approx(NEAR, abs=3)
    assert found["A Gas S A Mar - Bur"].strokes["V"]


def test_nonsense() -> None:
    """What cannot be read has a group with the player's words and the reason, harmless, and nothing drawn."""
    position, rulings = movement({"France": ["A PAR"]}, {"France": ["<script>alert('1') & \"x\"", "F Rom H"]})
    text = draw_orders(STANDARD.board, standard_grid(), position, rulings)
    assert "<script" not in text
    found = overlay(text)
    assert found["x"].title.startswith('France: "<script>alert(\'1\') & "x"". Void: it cannot be read: ')
    assert found["x"].strokes == {}
    assert found["x-2"].classes == ("hold", "void", "no-unit")


def test_a_dislodged_unit() -> None:
    """A dislodged unit stands in a star, over the line of its own order."""
    units = {"France": ["A PAR", "A MAR"], "Germany": ["A BUR"]}
    orders = {"France": ["A Par - Bur", "A Mar S A Par - Bur"], "Germany": ["A Bur - Mun"]}
    found = played({**units, "Italy": ["A MUN"]}, orders)
    one = found["A Bur - Mun"]
    assert one.classes == ("move", "bounces", "resisted", "dislodged")
    star = one.line("D")
    assert all(0.6 * ROOM < dist(point, place("BUR")) < 0.85 * ROOM for point in star)
    assert list(found)[-1] == "A Bur - Mun"


# -- retreats and adjustments ----------------------------------------------------------------------------------------


def test_an_arrow_ends_outside_the_star_of_a_dislodged_unit() -> None:
    """The head of an arrow that dislodges a unit is seen whole: it lies outside the star about that unit."""
    units = {"France": ["A PAR", "A MAR"], "Germany": ["A BUR"]}
    found = played(units, {"France": ["A Par - Bur", "A Mar S A Par - Bur"], "Germany": ["A Bur H"]})
    star = max(dist(place("BUR"), point) for point in found["A Bur H"].line("D"))
    assert min(dist(place("BUR"), point) for point in found["A Par - Bur"].line("F")) >= star - 2


def test_retreats() -> None:
    """A retreat is dotted from the dislodged unit's own spot; two that meet end in bars; who disbands is struck out."""
    out = units_from({"Austria": ["A VIE", "A TRI", "A BUD"]}, 10)
    places = (Location("BOH"), Location("TYR"))
    waiting = (Dislodged(out[0], "GAL", places), Dislodged(out[1], "VEN", places), Dislodged(out[2], "RUM"))
    position = Position(units_from({"Russia": ["A VIE"], "Italy": ["A TRI"], "Turkey": ["A BUD"]}), dislodged=waiting)
    apart = {"Austria": ["A Vie - Boh", "A Tri - Tyr"]}
    found = drawn(position, adjudicate(RULES, PhaseKind.RETREATS, position, apart).rulings)
    one = found["A Vie - Boh"]
    assert one.classes == ("retreat", "succeeds", "retreated")
    assert set(one.strokes) == {"H", "R", "F"}
    spot = standard_grid().layouts["wide"]["VIE"].spots[""][1]
    assert dist(one.line("R")[0], (spot.x, spot.y)) == pytest.approx(NEAR, abs=2)
    assert dist(tip(one), place("BOH")) == pytest.approx(NEAR, abs=2)
    assert found["A Bud D"].classes == ("disband", "succeeds", "disbanded")
    spot = standard_grid().layouts["wide"]["BUD"].spots[""][1]
    assert middle(found["A Bud D"].line("X")[:2]) == (spot.x, spot.y)
    together = {"Austria": ["A Vie - Tyr", "A Tri - Tyr"]}
    met = drawn(position, adjudicate(RULES, PhaseKind.RETREATS, position, together).rulings)
    assert met["A Vie - Tyr"].classes == ("retreat", "bounces", "collided")
    assert set(met["A Vie - Tyr"].strokes) == {"H", "R", "F", "B"}


def test_adjustments() -> None:
    """A unit to come has a ring and a plus in its place, one that goes is struck out; a waive draws nothing."""
    position = Position(units_from({"Italy": ["A ROM", "A NAP"]}), {"PAR": "France", "BRE": "France", "MAR": "France"})
    orders = {"France": ["Build A Par", "Build F Rom", "Waive"], "Italy": ["Remove A Rom"]}
    rulings = adjudicate(RULES, PhaseKind.ADJUSTMENTS, position, orders).rulings
    found = drawn(position, rulings)
    assert found["Build A Par"].classes == ("build", "succeeds", "built")
    assert centre(found["Build A Par"].line("N")) == pytest.approx(place("PAR"), abs=1)
    assert found["Build F Rom"].classes == ("build", "void", "occupied")
    assert set(found["Build F Rom"].strokes) == {"V"}
    assert found["Waive"].strokes == {}
    assert found["Remove A Rom"].classes == ("remove", "succeeds", "removed")
    assert nearest_to(place("ROM"), found["Remove A Rom"].line("X")) < 1
    assert set(found["Remove A Nap"].strokes) == {"H", "X"}


def test_the_unit_to_come() -> None:
    """The picture's own sign is drawn where a unit is built, or is to be, and nowhere else."""
    position = Position(owners={"PAR": "France", "BRE": "France"})
    rulings = adjudicate(RULES, PhaseKind.ADJUSTMENTS, position, {"France": ["Build A Par", "Build F Rom"]}).rulings
    coming = plan(position, {"France": [Order(Verb.BUILD, "F", Location("BRE"))]})
    for drawables, unit, where in ((rulings, "A PAR", place("PAR")), (coming, "F BRE", place("BRE"))):
        asked: list[tuple[str, Spot]] = []
        stands = arrange(standard_grid().layouts["wide"], position, {})

        def sign(unit: Unit, spot: Spot, asked: list[tuple[str, Spot]] = asked) -> str:
            asked.append((str(unit), spot))
            return "<circle r='1'/>"

        text = draw_orders(STANDARD.board, standard_grid(), position, drawables, beneath=Beneath(stands, sign))
        assert [(unit, (spot.x, spot.y)) for unit, spot in asked] == [(unit, where)]
        assert text.count("<circle") == 1
        assert "<style>" not in text


# -- orders not yet decided, and names -------------------------------------------------------------------------------


def test_planned_orders() -> None:
    """Before the phase is decided the same lines are drawn, without a result."""
    position = Position(units_from({"France": ["A PAR", "A MAR"], "England": ["F ENG", "A LON"]}))
    move = Order(Verb.MOVE, "A", Location("PAR"), Location("BUR"))
    support = Order(Verb.SUPPORT, "A", Location("MAR"), Location("BUR"), Location("PAR"), "A")
    ferry = Order(Verb.CONVOY, "F", Location("ENG"), Location("BRE"), Location("LON"), "A")
    ferried = Order(Verb.MOVE, "A", Location("LON"), Location("BRE"))
    planned = plan(position, {"France": [move, support], "England": [ferry, ferried]})
    assert [p.unit and p.unit.number for p in planned] == [1, 2, 3, 4]
    found = drawn(position, planned)
    assert {one.classes[1] for one in found.values()} == {"planned"}
    assert set(found["A Par - Bur"].strokes) == {"H", "M", "F"}
    assert set(found["A Mar S A Par - Bur"].strokes) == {"I", "S", "F"}
    assert nearest_to(place("ENG"), found["A Lon - Bre"].line("T")) < 4


def test_planned_orders_for_nobody() -> None:
    """An order for a unit that is not there, or another's, has no unit; of two in a place the power's own is meant."""
    out = units_from({"Austria": ["A VIE"]}, 5)[0]
    position = Position(units_from({"Russia": ["A VIE"]}), dislodged=(Dislodged(out),))
    orders = [Order(Verb.RETREAT, "A", Location("VIE"), Location("BOH")), Order(Verb.HOLD, "A", Location("ROM"))]
    first, second = plan(position, {"Austria": orders})
    assert first.unit == out
    assert second.unit is None
    assert drawn(position, [first])["A Vie - Boh"].classes == ("retreat", "planned")


def test_keys_and_ids() -> None:
    """A group is named after its unit, a second order for it after both; ids begin with the prefix."""
    position, rulings = movement({"France": ["A PAR"]}, {"France": ["A Par - Bur", "A Par - Pic", "F Tri H"]})
    text = draw_orders(
        STANDARD.board, standard_grid(), position, rulings, Look(style="dark", layout="narrow", prefix="m1-")
    )
    assert 'id="m1-orders"' in text
    assert set(overlay(text)) == {"1", "1-2", "x"}
    assert text.count(' id="m1-') == 4


def test_places_that_the_page_does_not_know() -> None:
    """Orders for places without a spot, or not on the board at all, are told but not drawn."""
    position = Position(units_from({"France": ["A PAR"]}))
    nowhere = Order(Verb.MOVE, "A", Location("PAR"), Location("ATLANTIS"))
    helping = Order(Verb.SUPPORT, "A", Location("PAR"), Location("ATLANTIS"), Location("MU"), "A")
    rulings = [
        Ruling("France", position.units[0], order, "", Result.VOID, Cause.NOT_ADJACENT) for order in (nowhere, helping)
    ]
    found = overlay(draw_orders(STANDARD.board, standard_grid(), position, rulings))
    assert [one.strokes for one in found.values()] == [{}, {}]
    assert "ATLANTIS" in found["1"].title
    bare = replace(standard_grid(), layouts={"wide": Layout()})
    found = overlay(draw_orders(STANDARD.board, bare, position, [Planned("France", position.units[0], nowhere)]))
    assert found["1"].strokes == {}


@pytest.mark.parametrize("verb", [Verb.MOVE, Verb.SUPPORT, Verb.CONVOY])
def test_from_a_place_to_itself(verb: Verb) -> None:
    """A move to where the unit stands, and help for one, are drawn without a fault."""
    position = Position(units_from({"France": ["A PAR", "F ENG"]}))
    paris = Location("PAR")
    order = (
        Order(verb, "A", paris, paris) if verb is Verb.MOVE else Order(verb, "F", Location("ENG"), paris, paris, "A")
    )
    unit = position.units[0 if verb is Verb.MOVE else 1]
    for result in (Result.VOID, Result.SUCCEEDS, Result.BOUNCES, Result.NO_CONVOY, Result.CUT):
        ruling = Ruling("France", unit, order, "", result, Cause.NOWHERE)
        assert len(overlay(draw_orders(STANDARD.board, standard_grid(), position, [ruling]))) == 1
