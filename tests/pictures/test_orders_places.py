"""Orders in unusual places: ways out of the frame, oceans where units lie together, units close to each other."""

from __future__ import annotations

from math import dist

import pytest

from gamesmaster.board import Location, Position, Unit
from gamesmaster.orders import Order, Verb
from gamesmaster.pictures.map.pieces import arrange
from gamesmaster.pictures.orders.model import Planned
from gamesmaster.pictures.orders.overlay import draw_orders
from gamesmaster.pictures.orders.ways import RIM, spots_of
from gamesmaster.pictures.shapes.values import Layout, Least, Place, Shapes, Spot
from gamesmaster.rules import Cause, Result, Ruling

from .overlay import STANDARD, centre, nearest_to, overlay, parts
from .small import small_board, small_position, small_shapes

BOARD, SHAPES, POSITION = small_board(), small_shapes(), small_position()
WIDE = SHAPES.layouts["wide"]


def going(unit: Unit, to: str) -> Ruling:
    """A move that came."""
    order = Order(Verb.MOVE, unit.kind, unit.at, Location(to))
    return Ruling(unit.power, unit, order, "", Result.SUCCEEDS, Cause.CAME)


def units(kind: str, at: str) -> list[Unit]:
    """The units of a kind in a province."""
    return [unit for unit in POSITION if unit.kind == kind and unit.at.province == at]


def test_out_of_the_frame() -> None:
    """A move by a way off the map leaves by one stub and comes in again by the other, whichever way it goes."""
    (sailor,) = units("F", "SKE")
    one = overlay(draw_orders(BOARD, SHAPES, POSITION, [going(sailor, "OCE")]))[str(sailor.number)]
    out, back = parts(one.strokes["M"][0])
    assert dist(out[-1], (3480, 3020)) < 2
    assert dist(back[0], (-20, 2860)) < 2
    assert nearest_to((3430, 2900), out) < 2
    assert nearest_to((100, 2800), back) < 2


def test_support_of_a_move_out_of_the_frame() -> None:
    """The support of such a move joins the part that comes in."""
    (sailor,), helper = units("F", "SKE"), units("F", "OCE")[4]
    support = Order(Verb.SUPPORT, "F", helper.at, Location("OCE"), sailor.at, "F")
    rulings = [going(sailor, "OCE"), Ruling("Blue", helper, support, "", Result.SUCCEEDS, Cause.GIVEN)]
    found = overlay(draw_orders(BOARD, SHAPES, POSITION, rulings))
    joint = centre(found[str(helper.number)].line("F"))
    assert nearest_to(joint, list(parts(found[str(sailor.number)].strokes["M"][0]))[1]) < 2


def test_together_in_an_ocean() -> None:
    """Units that go to an ocean come to spots of their own, where nobody lies; those in it start from their own."""
    movers = [*units("F", "WES"), *units("F", "SKE")]
    leaver = units("F", "OCE")[2]
    rulings = [*(going(unit, "OCE") for unit in movers), going(leaver, "WES")]
    shapes = Shapes(SHAPES.board, SHAPES.size, SHAPES.km, SHAPES.least, (), {}, SHAPES.layouts)
    found = overlay(draw_orders(BOARD, shapes, POSITION, rulings))
    spots = spots_of(arrange(WIDE, POSITION, {}))
    where = spots[leaver.number]
    start = found[str(leaver.number)].line("M")[0]
    assert abs(dist(start, (where.x, where.y)) - RIM * where.room) < 2
    tips = [found[str(unit.number)].line("F")[0] for unit in movers]
    free = [spot for spot in WIDE["OCE"].spots[""] if spot not in spots.values()]
    goals = [min(free, key=lambda spot, tip=tip: dist(tip, (spot.x, spot.y))) for tip in tips]  # type: ignore[misc]
    assert len(set(goals)) == len(movers)
    for tip, goal in zip(tips, goals, strict=True):
        assert abs(dist(tip, (goal.x, goal.y)) - RIM * goal.room) < 2


def test_support_of_one_of_several() -> None:
    """A support in place is drawn to the unit of the kind that it names, where several lie together."""
    army = Unit(40, "A", "Red", Location("OCE"))
    position = Position((*POSITION.units, army))
    (helper,) = units("F", "WES")
    order = Order(Verb.SUPPORT, "F", helper.at, None, army.at, "A")
    found = overlay(draw_orders(BOARD, SHAPES, position, [Planned("Red", helper, order)]))
    ring = list(parts(found[str(helper.number)].strokes["S"][0]))[1]
    spot = spots_of(arrange(WIDE, position, {}))[40]
    assert centre(ring) == pytest.approx((spot.x, spot.y), abs=1)


def test_close_to_each_other() -> None:
    """Between units that nearly touch there is still an arrow to be seen, and it points the right way."""
    places = {"PAR": Place({"": (Spot(1000, 1000, 84),)}), "BUR": Place({"": (Spot(1090, 1000, 84),)})}
    shapes = Shapes("Diplomacy", (4000, 3000), 1, Least(1, 1, 1), (), {}, {"wide": Layout(places)})
    unit = Unit(1, "A", "France", Location("PAR"))
    for ruling in (
        going(unit, "BUR"),
        Ruling("France", unit, going(unit, "BUR").order, "", Result.BOUNCES, Cause.STOOD_OFF),
    ):
        one = overlay(draw_orders(STANDARD.board, shapes, Position((unit,)), [ruling]))["1"]
        line, tip = one.line("M"), one.line("F")[0]
        assert line[0][0] < tip[0]
        assert 1000 < line[0][0] < tip[0] < 1090
        assert abs(dist(line[0], (1000, 1000)) - 0.62 * 90 * RIM / (RIM + 0.2)) < 2


def test_an_army_aboard() -> None:
    """A unit aboard another starts from where that one is drawn."""
    fleet = Unit(1, "F", "Red", Location("WES"))
    army = Unit(2, "A", "Red", Location("WES"), aboard=1)
    position = Position((fleet, army))
    found = overlay(draw_orders(BOARD, SHAPES, position, [going(army, "ALB"), going(fleet, "SOU")]))
    spot = WIDE["WES"].spots[""][0]
    for one in found.values():
        assert abs(dist(one.line("M")[0], (spot.x, spot.y)) - RIM * spot.room) < 2
