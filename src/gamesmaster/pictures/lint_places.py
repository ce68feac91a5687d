"""Slips in a layout: what is missing, what overlaps, what lies outside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from gamesmaster.board import Board, Finding, Province, Terrain
from gamesmaster.board.lint_finding import error, warning
from gamesmaster.pictures.lint_boxes import Box, box, inside, label_box, overlapping
from gamesmaster.pictures.shapes import NOWHERE, Layout, Place, Point, Shapes, Spot

_SLACK = 1.5  # page units: coordinates are rounded
_MOST = 10_000  # things, and overlaps: a large board has some 1,500 things
_SHARED = 0.36  # how much of a unit's width a second unit of the same province may cover, each way


def lint_places(board: Board, shapes: Shapes) -> Iterator[Finding]:
    """Findings about both layouts: each province in play, then things that are in each other's way."""
    outlines = {key: shapes.outline(key) for key in shapes.provinces}
    for name, layout in shapes.layouts.items():
        for province in board.provinces:
            if province.id in shapes.provinces and province.terrain is not Terrain.IMPASSABLE:
                yield from _lacking(province, layout.get(province.id, NOWHERE), name)
        for key, place in layout.items():
            yield from _astray(key, place, outlines[key], name)
        yield from _in_the_way(layout, shapes.size, name)


def _lacking(province: Province, place: Place, layout: str) -> Iterator[Finding]:
    """What the layout does not say of a province in play, or says wrongly."""
    where = f"{province.id} ({layout})"
    if not place.spots[""]:
        yield error("no-spot", where, "no spot for a unit")
    for coast in province.coasts:
        if not place.spots.get(coast):
            yield error("no-spot", where, f"no spot for a fleet at {province.id}/{coast}")
    for coast in place.spots:
        if coast and coast not in province.coasts:
            yield error(
                "spot-for-no-coast", where, f"a spot for {province.id}/{coast}, a coast that is not on the board"
            )
    codes = [label.text for label in place.labels if label.role == "code"]
    if not codes:
        yield error("no-code", where, f"no label says that this is {province.abbr}")
    for code in codes:
        if code.casefold() not in (province.abbr.casefold(), f"{province.abbr} {province.id}".casefold()):
            yield error("wrong-code", where, f"the label says {code!r}, orders are written with {province.abbr!r}")
    if province.centre != (place.centre is not None):
        lack = (
            "a supply centre without its mark" if province.centre else "the mark of a supply centre, but it is not one"
        )
        yield error("centre-mark", where, lack)


def _astray(key: str, place: Place, outline: list[list[Point]], layout: str) -> Iterator[Finding]:
    """What does not lie in its province: units, centre, ends of leaders; extras are only warned of."""
    where = f"{key} ({layout})"
    spots = [(f"spot {_nth(coast, n)}", spot) for coast, spots in place.spots.items() for n, spot in enumerate(spots)]
    for what, spot in spots:
        if not inside((spot.x, spot.y), outline):
            yield error("spot-outside", where, f"{what} at ({spot.x}, {spot.y}) is not in the province")
    for n, spot in enumerate(place.extras, 1):
        if not inside((spot.x, spot.y), outline):
            yield warning("extra-outside", where, f"small place {n} at ({spot.x}, {spot.y}) is not in the province")
    if place.centre and not inside(place.centre[:2], outline):
        yield error("centre-outside", where, "the mark of the supply centre is not in the province")
    for label in place.labels:
        if label.leader and not inside(label.leader, outline):
            yield error("leader-outside", where, f"the line from the label {label.text!r} does not end in the province")


def _nth(coast: str, number: int) -> str:
    return f"{number + 1} of {coast}" if coast else str(number + 1)


@dataclass(frozen=True, slots=True)
class _Thing:
    """Something drawn: `first` sets a first unit and a coast's apart from later ones."""

    province: str
    kind: str  # label, spot, extra, centre
    name: str
    box: Box
    room: int = 0
    first: bool = True


def _things(layout: Layout) -> Iterator[_Thing]:
    for key, place in layout.items():
        for coast, spots in place.spots.items():
            for n, spot in enumerate(spots):
                yield _Thing(key, "spot", f"spot {_nth(coast, n)} of {key}", _square(spot), spot.room, n == 0)
        for n, spot in enumerate(place.extras, 1):
            yield _Thing(key, "extra", f"small place {n} of {key}", _square(spot))
        if place.centre:
            x, y, r = place.centre
            yield _Thing(key, "centre", f"centre mark of {key}", box((x, y), 2 * r, 2 * r))
        for label in place.labels:
            yield _Thing(key, "label", f"label {label.text!r} of {key}", label_box(label))


def _square(spot: Spot) -> Box:
    return box((spot.x, spot.y), spot.room, spot.room)


def _in_the_way(layout: Layout, size: Point, name: str) -> Iterator[Finding]:
    """Things that overlap each other, or leave the frame."""
    things = list(_things(layout))
    for thing in things:
        if not thing.box.within(size, _SLACK):
            yield error("out-of-frame", f"{thing.province} ({name})", f"{thing.name} leaves the frame")
    if len(things) > _MOST:
        yield error("crowded", name, f"{len(things):,} things to draw: overlaps are looked for among {_MOST:,} at most")
        return
    for i, j, depth in islice(overlapping([thing.box for thing in things]), _MOST):
        a, b = things[i], things[j]
        if depth > _allowed(a, b):
            where = f"{a.province} ({name})" if a.province == b.province else f"{a.province}, {b.province} ({name})"
            level = warning if a.province == b.province and a.kind == b.kind == "spot" else error
            yield level("overlap", where, f"{a.name} and {b.name} overlap by {depth:.0f} units")


def _allowed(a: _Thing, b: _Thing) -> float:
    """How far two things may reach into each other: a second unit a little over the first of its province."""
    if a.province == b.province and a.kind == b.kind == "spot" and not (a.first and b.first):
        return _SHARED * min(a.room, b.room)
    return _SLACK
