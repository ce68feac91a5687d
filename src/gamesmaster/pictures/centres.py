"""The marks of home centres, as large as the free room about them allows, so that their letters can be read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import cos, hypot, pi, radians, sin

from gamesmaster.board import Board
from gamesmaster.pictures.arrows import away
from gamesmaster.pictures.shapes import Disc, Layout, Point, Shapes

_CLEAR = 2.5  # page units between a mark and letters or units
_OVER = 8  # page units that a mark may lie over a border
_MOST = 1.8  # times as large as it is planned at most

_SHIFTS = [(0, 0), *((round(d * cos(k * pi / 4)), round(d * sin(k * pi / 4))) for d in (5, 10, 15) for k in range(8))]
"""How far a mark may be moved."""

_Box = tuple[float, float, float, float, float]
"""A rectangle: its middle, half its width and height, its turn in degrees."""


def home_discs(board: Board, shapes: Shapes, layout: Layout) -> dict[str, Disc]:
    """Each home centre's mark, grown into the free room about it, and moved a little if that gives it more."""
    boxes = list(_boxes(layout))
    return {
        province.id: _grown(disc, boxes, shapes.outline(province.id))
        for province in board.provinces
        if province.home and province.id in shapes.provinces and province.id in layout.places
        if (disc := layout.places[province.id].centre)
    }


def _grown(disc: Disc, boxes: Sequence[_Box], outline: Sequence[Sequence[Point]]) -> Disc:
    most = disc.r * _MOST
    near = [
        box
        for box in boxes
        if abs(box[0] - disc.x) < box[2] + 200 and abs(box[1] - disc.y) < 400 and box[:2] != disc[:2]
    ]
    inside = _from_border(disc, outline)
    spots = [Disc(disc.x + dx, disc.y + dy, disc.r) for dx, dy in _SHIFTS if hypot(dx, dy) < inside]
    rooms = {spot: min((_apart(spot, box) for box in near), default=most) - _CLEAR for spot in spots}
    best = disc
    for spot, room in sorted(rooms.items(), key=lambda item: -min(item[1], most)):  # the nearest first, if alike
        if room <= best.r:
            break
        radius = int(min(room, most, _OVER + _from_border(spot, outline)))
        if radius > best.r:
            best = Disc(spot.x, spot.y, radius)
    return best


def _boxes(layout: Layout) -> Iterator[_Box]:
    """What lies in a layout: places for units and marks, lines of text, and centres as large as they may grow."""
    for place in layout.places.values():
        if place.centre:
            x, y, r = place.centre
            yield x, y, r * _MOST, r * _MOST, 0.0
        for spot in (*place.extras, *(spot for spots in place.spots.values() for spot in spots)):
            yield spot.x, spot.y, spot.room / 2, spot.room / 2, 0.0
        for label in place.labels:
            yield *label.at, label.width / 2, label.height / 2, label.turn


def _apart(disc: Disc, box: _Box) -> float:
    """How far the middle of a mark is from a box."""
    x, y, half, high, turn = box
    dx, dy, c, s = disc.x - x, disc.y - y, cos(radians(turn)), sin(radians(turn))
    return hypot(max(abs(dx * c + dy * s) - half, 0.0), max(abs(dy * c - dx * s) - high, 0.0))


def _from_border(disc: Disc, outline: Sequence[Sequence[Point]]) -> float:
    """How far its middle is from a border."""
    edges = (edge for ring in outline for edge in pairwise([*ring, ring[0]]))
    return min((away((disc.x, disc.y), a, b) for a, b in edges), default=0.0)
