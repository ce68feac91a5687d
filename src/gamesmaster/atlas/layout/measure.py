"""Measures what a layout lacks on the finished places; it works for any layout, however it was made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Literal

import shapely
from shapely.affinity import rotate
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.layout.text import Placing, Sizes
from gamesmaster.pictures import NOWHERE, Label, Place, Spot

INSIDE = 0.6  # of a unit's square must lie in its province
TOUCH = 1.0  # page units that boxes may reach into each other: whole numbers are rounded
SHARED = 0.36  # of a second unit's side that may lie on the first

Lack = Literal["code", "spot", "coast", "centre", "extra", "room", "inside", "overlap", "frame"]


@dataclass(frozen=True, slots=True)
class Shortfall:
    """Something that a province should have and has not.

    `what` is the thing, `amount` how much is lacking: a number of places, page units of a unit's room below the least,
    or a share of a square; `text` says it in words.
    """

    province: str
    what: Lack
    amount: float
    text: str

    def __str__(self) -> str:
        return f"{self.province}: {self.text}"


def shortfalls(
    places: Mapping[str, Placing], laid: Mapping[str, Place], frame: tuple[int, int], sizes: Sizes
) -> list[Shortfall]:
    """Return what the places lack, by province, then what overlaps or leaves the frame."""
    found = [
        lack
        for key in sorted(places)
        if places[key].playable
        for lack in chain(_missing(key, places[key], laid.get(key, NOWHERE)), _tightness(key, places[key], laid, sizes))
    ]
    return found + list(_overlaps(laid, frame))


def _missing(key: str, placing: Placing, place: Place) -> Iterator[Shortfall]:
    if not any(label.role == "code" for label in place.labels):
        yield Shortfall(key, "code", 1, f"no room for the code {placing.code}")
    spots = len(place.spots.get("", ()))
    if spots < placing.spots:
        yield Shortfall(key, "spot", placing.spots - spots, f"room for {spots} of {placing.spots} units")
    for coast in sorted(placing.coasts):
        if not place.spots.get(coast):
            yield Shortfall(key, "coast", 1, f"no room for a unit on the coast {coast}")
    if placing.centre and place.centre is None:
        yield Shortfall(key, "centre", 1, "no room for the mark of the supply centre")
    extras = len(place.extras)
    if extras < placing.extras:
        yield Shortfall(key, "extra", placing.extras - extras, f"room for {extras} of {placing.extras} small marks")


def _tightness(key: str, placing: Placing, laid: Mapping[str, Place], sizes: Sizes) -> Iterator[Shortfall]:
    place = laid.get(key, NOWHERE)
    spots = [spot for row in place.spots.values() for spot in row]
    least = min((row[0].room for row in place.spots.values() if row), default=sizes.room_least)
    if least < sizes.room_least:
        text = f"the side of its units is {least} page units; {sizes.room_least} is the least that is easy to read"
        yield Shortfall(key, "room", sizes.room_least - least, text)
    for spot in spots:
        share = inside(placing.shape, spot)
        if share < INSIDE - 0.03:
            yield Shortfall(key, "inside", round(INSIDE - share, 2), f"a unit lies only {share:.0%} in the province")


def inside(shape: BaseGeometry, spot: Spot) -> float:
    """Return the share of a unit's square that lies in the shape."""
    square = spot_box(spot)
    return float(shape.intersection(square).area / square.area)


def spot_box(spot: Spot) -> Polygon:
    """Return a unit's square."""
    half = spot.room / 2
    return box(spot.x - half, spot.y - half, spot.x + half, spot.y + half)


def label_box(label: Label) -> Polygon:
    """Return the room of a line of text, turned as it is."""
    (x, y), half_x, half_y = label.at, label.width / 2, label.height / 2
    return rotate(box(x - half_x, y - half_y, x + half_x, y + half_y), label.turn, origin=(x, y))


def things(place: Place) -> Iterator[tuple[str, Polygon]]:
    """Yield everything in a place that takes room: its word ("first", "second", ...) and its box."""
    for coast, spots in place.spots.items():
        for n, spot in enumerate(spots):
            yield (
                "first" if n == 0 and not coast else "second" if n == 1 and len(spots) == 2 else "spot",
                spot_box(spot),
            )
    for spot in place.extras:
        yield "extra", spot_box(spot)
    if place.centre:
        x, y, r = place.centre
        yield "centre", box(x - r, y - r, x + r, y + r)
    for label in place.labels:
        yield "label", label_box(label)


def _overlaps(laid: Mapping[str, Place], frame: tuple[int, int]) -> Iterator[Shortfall]:
    found = [(key, what, shape) for key in sorted(laid) for what, shape in things(laid[key])]
    if not found:
        return
    shapes = [shape for _, _, shape in found]
    page = box(0, 0, *frame).buffer(TOUCH)
    for key, what, shape in found:
        if not page.contains(shape):
            yield Shortfall(key, "frame", 1, f"its {what} leaves the frame")
    lines = [
        (key, shapely.LineString([nearest_on(label, label.leader), label.leader]))
        for key in sorted(laid)
        for label in laid[key].labels
        if label.leader
    ]
    tree = shapely.STRtree(shapes)
    for i, j in sorted(map(tuple, tree.query(shapes, predicate="intersects").T.tolist())):
        (a, what_a, shape_a), (b, what_b, shape_b) = found[i], found[j]
        if i >= j or shape_a.intersection(shape_b.buffer(-TOUCH, join_style="mitre")).is_empty:
            continue
        if a == b and {what_a, what_b} == {"first", "second"} and _overlap(shape_a, shape_b) <= SHARED:
            continue
        yield Shortfall(a, "overlap", 1, f"its {what_a} overlaps the {what_b} of {b}")
    for key, line in lines:
        for j in sorted(tree.query(line, predicate="crosses").tolist()):
            b, what, shape = found[j]
            if line.intersection(shape).length > TOUCH:
                yield Shortfall(key, "overlap", 1, f"the line from its code crosses the {what} of {b}")


def nearest_on(label: Label, point: tuple[int, int]) -> tuple[float, float]:
    """Return the place on a level label's edge that is nearest to a point outside it."""
    (x, y), half_x, half_y = label.at, label.width / 2, label.height / 2
    return min(max(point[0], x - half_x), x + half_x), min(max(point[1], y - half_y), y + half_y)


def _overlap(a: Polygon, b: Polygon) -> float:
    """Return how far two squares overlap, as a share of the side of the smaller."""
    ax0, ay0, ax1, ay1 = a.bounds
    bx0, by0, bx1, by1 = b.bounds
    depth = min(min(ax1, bx1) - max(ax0, bx0), min(ay1, by1) - max(ay0, by0))
    return float(max(depth, 0.0) / min(ax1 - ax0, bx1 - bx0))
