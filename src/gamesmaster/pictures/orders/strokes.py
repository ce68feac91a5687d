"""The strokes of each order: what is drawn for a move, a support, a convoy and so on, and for what became of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from math import ceil, cos, pi, sin
from types import MappingProxyType

from gamesmaster.orders import AnyVerb, Verb
from gamesmaster.pictures.curves import Curve, Point, numbers, through
from gamesmaster.pictures.orders.model import DrawnOrder
from gamesmaster.pictures.orders.ways import RIM, STAR, Way, Ways, middle
from gamesmaster.pictures.shapes.values import Spot
from gamesmaster.rules import Result

Stroke = tuple[str, str]
"""A class of the style sheet, and SVG path data."""

_POINTS = 36  # about a ring, at which letters are looked for
_ROUND = tuple((cos(2 * pi * k / _POINTS), sin(2 * pi * k / _POINTS)) for k in range(_POINTS))
_FAILED = (Result.BOUNCES, Result.NO_CONVOY)
_RAYS = 14  # of a star


def strokes(ways: Ways, one: DrawnOrder) -> Iterator[Stroke]:
    """Yield all strokes of an order, from the lowest up; none for one that has no place on the page."""
    spot = ways.spot(one.unit, one.at)
    if spot is None:
        return
    draw = _BY_VERB.get(one.verb) or _BY_WORD.get(one.verb.phrase.drawn)
    if draw:
        yield from draw(ways, one, spot)
    if one.dislodged:
        mark = burst(middle(spot), 0.8 * STAR * spot.room)
        yield "I", mark
        yield "D", mark


# -- moves -----------------------------------------------------------------------------------------------------------


def _move(ways: Ways, one: DrawnOrder, spot: Spot) -> Iterator[Stroke]:
    way = ways.move(one)
    if way is None:
        return
    if one.void:
        yield from _dotted_line(way.curve.part(way.first, way.last()))
    elif one.result is Result.NO_CONVOY:
        curve = way.curve.part(way.first, way.last(0.1 * ways.size))
        broken = zigzag(curve, 0.2 * ways.size, 0.09 * ways.size)
        yield "H", broken
        yield "S", broken
        yield "S", cross(curve.at(len(curve.pieces)), 0.14 * ways.size)
    else:
        yield from _arrow(ways, one, way)


def _arrow(ways: Ways, one: DrawnOrder, way: Way) -> Iterator[Stroke]:
    """Yield a line with a head; before a bar, short of the goal, if the unit did not come there."""
    size, stopped = ways.size, one.result in _FAILED
    end = ways.end(way, stopped=stopped)
    curve = way.curve.part(way.first, end)
    tip, heading = way.curve.at(end), way.curve.heading(end)
    back = curve.after(max(0.0, curve.length - 0.22 * size))
    shaft = curve.part(0, back)
    carriers = [(middle(spot), RIM * spot.room) for spot in way.carriers]
    seen = [shaft.part(*ends).data for ends in shaft.outside(carriers)] if carriers else [shaft.data]
    lines = "".join(seen)  # nothing lies over the fleets that carry the army: they stay legible
    point = head(tip, heading, 0.32 * size)
    stop = bar((tip[0] + heading[0] * 0.08 * size, tip[1] + heading[1] * 0.08 * size), heading, 0.46 * size)
    yield "H", lines + point + (stop if stopped else "")
    if way.carriers:
        yield "T", shaft.data
    yield "R" if one.verb is Verb.RETREAT else "M", lines
    yield "F", point
    if stopped:
        yield "B", stop


# -- supports and convoys --------------------------------------------------------------------------------------------


def _support(ways: Ways, one: DrawnOrder, spot: Spot) -> Iterator[Stroke]:
    """Yield a line to the move that is supported, or to a ring about the unit that is to hold."""
    order = one.order
    if order is None:
        return
    if order.to:
        size = 0.11 * ways.size
        if lead := ways.helping(spot, order, size):
            yield from _helping(ways, one, lead.curve, ring(lead.end, size))
    elif helped := ways.spot(ways.helped_unit(order), order.of):
        radius = (RIM + 0.04) * helped.room
        curve = ways.helping_to_hold(spot, helped, radius).curve
        yield from _helping(ways, one, curve, _open_ring(ways, middle(helped), radius), holds=True)


def _open_ring(ways: Ways, centre: Point, radius: float) -> str:
    """Return a circle with gaps beneath letters; the whole circle if nothing would be left."""
    points = [(centre[0] + radius * x, centre[1] + radius * y) for x, y in _ROUND]
    seen = [not ways.letters.cover(point) for point in points]
    if all(seen) or not any(seen):
        return ring(centre, radius)
    begins = [k for k in range(_POINTS) if seen[k] and not seen[k - 1]]
    runs = [next(n for n in range(1, _POINTS) if not seen[(k + n) % _POINTS]) - 1 for k in begins]
    return "".join(
        arc(points[k], points[(k + n) % _POINTS], radius, n / _POINTS) for k, n in zip(begins, runs, strict=True) if n
    )


def _helping(ways: Ways, one: DrawnOrder, curve: Curve, end: str, *, holds: bool = False) -> Iterator[Stroke]:
    """Yield a support's line and the ring at its end, solid if it was given, broken with a mark if it was cut."""
    if one.void:
        yield from _dotted_line(curve)
        return
    cut = one.result is Result.CUT
    yield "I", curve.data + (end if holds else "")
    if cut:
        half = curve.after(curve.length / 2)
        mark = slashes(curve.at(half), curve.heading(half), 0.34 * ways.size)
        yield "C", curve.data + (end if holds else "")
        yield "I", mark
        yield "S", mark
    else:
        yield "S", curve.data + (end if holds else "")
    if not holds:
        yield "O" if cut else "F", end


def _convoy(ways: Ways, one: DrawnOrder, spot: Spot) -> Iterator[Stroke]:
    """Yield a wave beneath the fleet, broken if the convoy was; a dotted line if the order is void.

    The army's own line shows the way.
    """
    if one.order is None:
        return
    if one.void:
        if lead := ways.helping(spot, one.order, 0.0):
            yield from _dotted_line(lead.curve)
        return
    torn = one.result is Result.DISRUPTED
    mark = _wave(spot, sharp=torn)
    yield "I", mark
    yield "S", mark


def _wave(spot: Spot, *, sharp: bool) -> str:
    """Return a wavy line beneath a unit, or one with sharp teeth."""
    step, rise = spot.room * 0.125, spot.room * (0.11 if sharp else 0.09)
    x, y = spot.x - 3 * step, spot.y + 0.52 * spot.room
    points = [(x + k * step, y + (rise if k % 2 else -rise) * 0.8) for k in range(7)]
    return line(points) if sharp else through(points).data


# -- those that stay -------------------------------------------------------------------------------------------------


def _hold(ways: Ways, one: DrawnOrder, spot: Spot) -> Iterator[Stroke]:
    """Yield a bar beneath the unit; dotted if nobody ordered it, or if the order was none."""
    y, half = spot.y + 0.52 * spot.room, 0.32 * spot.room
    mark = line(((spot.x - half, y), (spot.x + half, y)))
    if one.void or one.order is None:
        yield "V", mark
    else:
        yield "I", mark
        yield "S", mark


def _strike(ways: Ways, one: DrawnOrder, spot: Spot) -> Iterator[Stroke]:
    """Yield a cross over a unit that is taken off."""
    mark = cross(middle(spot), 0.4 * spot.room)
    if one.void:
        yield "V", mark
    else:
        yield "H", mark
        yield "X", mark


def _build(ways: Ways, one: DrawnOrder, spot: Spot) -> Iterator[Stroke]:
    """Yield a plus at the corner of the unit to come; only dotted if none comes."""
    x, y = middle(spot)
    if one.void:
        yield "V", square((x, y), 0.45 * spot.room) + plus((x, y), 0.2 * spot.room)
        return
    corner = x + 0.5 * spot.room, y - 0.5 * spot.room
    yield "N", ring((x, y), 0.68 * spot.room)
    yield "O", ring(corner, 0.24 * spot.room)
    yield "S", plus(corner, 0.13 * spot.room)


def _work(ways: Ways, one: DrawnOrder, spot: Spot) -> Iterator[Stroke]:
    """Yield a plus at the corner of a unit that makes something, struck out if nothing comes of it."""
    corner, size = (spot.x + 0.5 * spot.room, spot.y - 0.5 * spot.room), ways.size
    if one.void:
        yield "V", ring(corner, 0.2 * size) + plus(corner, 0.11 * size)
        return
    yield "O", ring(corner, 0.2 * size)
    yield "S", cross(corner, 0.11 * size) if one.result is Result.FAILS else plus(corner, 0.11 * size)


def _blow(ways: Ways, one: DrawnOrder, spot: Spot) -> Iterator[Stroke]:
    """Yield a minus at the other corner of a unit that destroys something; nothing if there was none."""
    if one.void:
        return
    x, y, half = spot.x - 0.5 * spot.room, spot.y - 0.5 * spot.room, 0.11 * ways.size
    yield "O", ring((x, y), 0.2 * ways.size)
    yield "S", line(((x - half, y), (x + half, y)))


def _dotted_line(curve: Curve) -> Iterator[Stroke]:
    """Yield a thin dotted line: this was ordered, but not carried out."""
    yield "J", curve.data
    yield "V", curve.data


_Draw = Callable[[Ways, DrawnOrder, Spot], Iterator[Stroke]]
_BY_VERB: Mapping[AnyVerb, _Draw] = MappingProxyType({
    Verb.HOLD: _hold,
    Verb.MOVE: _move,
    Verb.SUPPORT: _support,
    Verb.CONVOY: _convoy,
    Verb.RETREAT: _move,
    Verb.DISBAND: _strike,
    Verb.BUILD: _build,
    Verb.REMOVE: _strike,
})  # fmt: skip
_BY_WORD: Mapping[str, _Draw] = MappingProxyType({"work": _work, "blow": _blow})
"""The closed list of signs that verbs of mechanics may be drawn with, where they are not drawn like regular ones."""


def head(tip: Point, heading: Point, length: float) -> str:
    """Return an arrow head, to be filled: its point, and barbs a little behind its back."""
    (x, y), (dx, dy) = tip, heading
    half = length * 0.48
    back = x - dx * length, y - dy * length
    notch = x - dx * length * 0.72, y - dy * length * 0.72
    left, right = (back[0] + dy * half, back[1] - dx * half), (back[0] - dy * half, back[1] + dx * half)
    return polygon((tip, left, notch, right))


def bar(middle: Point, heading: Point, width: float) -> str:
    """Return a line across the way of a curve."""
    (x, y), (dx, dy) = middle, heading
    half = width / 2
    return line(((x - dy * half, y + dx * half), (x + dy * half, y - dx * half)))


def cross(middle: Point, reach: float) -> str:
    """Return two strokes that cross out what is beneath."""
    x, y = middle
    return line(((x - reach, y - reach), (x + reach, y + reach))) + line(
        ((x + reach, y - reach), (x - reach, y + reach))
    )


def plus(middle: Point, reach: float) -> str:
    """Return a plus sign."""
    x, y = middle
    return line(((x - reach, y), (x + reach, y))) + line(((x, y - reach), (x, y + reach)))


def slashes(middle: Point, heading: Point, size: float) -> str:
    """Return two short strokes aslant across a line: here it is cut."""
    (x, y), (dx, dy) = middle, heading
    words = ""
    for shift in (-0.22, 0.22):
        cx, cy = x + dx * shift * size, y + dy * shift * size
        tx, ty = (dx * 0.35 - dy) * size / 2, (dy * 0.35 + dx) * size / 2
        words += line(((cx - tx, cy - ty), (cx + tx, cy + ty)))
    return words


def zigzag(curve: Curve, step: float, swing: float) -> str:
    """Return a curve drawn as a zigzag: a turn every `step`, `swing` to either side of it."""
    turns = max(2, ceil(curve.length / step))
    points: list[Point] = []
    for k in range(turns + 1):
        t = curve.after(curve.length * k / turns)
        (x, y), (dx, dy) = curve.at(t), curve.heading(t)
        side = 0 if k in (0, turns) else swing if k % 2 else -swing
        points.append((x - dy * side, y + dx * side))
    return line(points)


def ring(middle: Point, radius: float) -> str:
    """Return a circle."""
    x, y, r = round(middle[0]), round(middle[1]), round(radius)
    return f"M{x - r} {y}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"


def arc(start: Point, end: Point, radius: float, share: float) -> str:
    """Return a part of a circle, clockwise from one point to another; `share` is its part of the whole circle."""
    x, y, u, v, r = *map(round, (*start, *end)), round(radius)
    return f"M{x} {y}a{r} {r} 0 {int(share > 0.5)} 1 {u - x} {v - y}"


def burst(middle: Point, radius: float) -> str:
    """Return a star of many short rays around a unit."""
    points = []
    for k in range(2 * _RAYS):
        reach = radius * (1.22 if k % 2 else 1.0)
        angle = pi * k / _RAYS
        points.append((middle[0] + reach * cos(angle), middle[1] + reach * sin(angle)))
    return polygon(points)


def square(middle: Point, reach: float) -> str:
    """Return a square with sides parallel to the page's."""
    x, y, side = round(middle[0] - reach), round(middle[1] - reach), round(2 * reach)
    return f"M{x} {y}h{side}v{side}h{-side}z"


def line(points: Iterable[Point]) -> str:
    """Return an open line through points, in whole units."""
    (x, y), *others = ((round(px), round(py)) for px, py in points)
    steps = ((bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise([(x, y), *others]))
    return f"M{x} {y}l{numbers(steps)}"


def polygon(points: Iterable[Point]) -> str:
    """Return a closed line through points."""
    return f"{line(points)}z"
