"""Filling one province by a plan: what is placed, where each thing may go, and what came of it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.layout.beam import Beam, Item, Kind, Measures, solve
from gamesmaster.atlas.layout.field import Field, Fits
from gamesmaster.atlas.layout.grid import CELL, Floats, Rect, moved, rect_around, square
from gamesmaster.atlas.layout.plan import PITCH, Plan, largest, turns
from gamesmaster.atlas.layout.sizes import Placing, Sizes
from gamesmaster.atlas.layout.text import name_blocks
from gamesmaster.pictures import Disc, Label, Place, Spot
from gamesmaster.pictures.shapes.values import Point

SHORE = 1.6  # sides of a unit's square: farther than that from its coast a unit does not lie, if it can be helped


@dataclass(frozen=True, slots=True)
class Filling:
    """What lies in a province: its place, the cells covered, and what it cost."""

    cost: float
    place: Place
    rects: tuple[Rect, ...]
    needs_code: bool = False


class _Wanted(NamedTuple):
    """A thing to place: its rectangles, how much of it lies in the province at least, and by which coast it lies."""

    kind: Kind
    rects: tuple[Rect, ...]
    inside: float
    coast: str = ""


class Filler:
    """Fills one province as the ground is now."""

    def __init__(self, placing: Placing, sizes: Sizes, field: Field) -> None:
        self.placing, self.sizes, self.field = placing, sizes, field
        self.shores = shores(placing)
        self._items: dict[tuple[_Wanted, int], Item | None] = {}

    def fill(self, plan: Plan) -> Filling | None:
        """The province filled by the plan, or None if something does not fit."""
        items = []
        for wanted in self._wanted(plan):
            item = self._item(wanted, plan.room)
            if item is None:
                return None
            items.append(item)
        beam = solve(items, Measures(plan.room / CELL, self.field.middle, self.field.scale))
        return _read(self.placing, self.sizes, self.field, plan, items, beam) if beam else None

    def _wanted(self, plan: Plan) -> Iterator[_Wanted]:
        """The things to place, the hardest to place first."""
        placing, inside, dropped = self.placing, plan.inside, plan.dropped
        unit = (square(plan.room),)
        yield from (_Wanted("coast", unit, inside, coast) for coast in sorted(placing.coasts))
        if plan.block:
            yield _Wanted("label", plan.block.rects(), 1.0)
        if plan.grid:
            yield _Wanted("grid", (_grid_rect(plan),), inside)
        else:
            yield _Wanted("first", unit, inside)
            yield from [_Wanted("more", unit, inside)] * (placing.spots - 2) * ("more" not in dropped)
        if placing.centre and "centre" not in dropped:
            yield _Wanted("centre", (square(2 * self.sizes.centre),), max(inside, 0.85) if inside >= 0.6 else 0.4)
        if placing.spots > 1 and not plan.grid and "second" not in dropped:
            yield _Wanted("second", (square(plan.second),), inside)
        small = (square(self.sizes.extra_side(plan.room)),)
        yield from [_Wanted("extra", small, inside)] * placing.extras * ("extra" not in dropped)

    def _item(self, wanted: _Wanted, room: int) -> Item | None:
        """The thing with everywhere that it may go; None for nowhere."""
        key = wanted, room if wanted.kind == "coast" else 0
        if key not in self._items:
            fits = self.field.fits(wanted.rects, wanted.inside)
            self._items[key] = (
                None
                if fits is None
                else Item(wanted.kind, wanted.rects, fits, self._cost(wanted, fits, room), wanted.coast)
            )
        return self._items[key]

    def _cost(self, wanted: _Wanted, fits: Fits, room: int) -> Floats:
        """What each place costs by itself: cramped, leaning out, far from where it belongs."""
        field = self.field
        cost: Floats = 0.4 * fits.tight + 5 * (1 - fits.share)
        if wanted.inside < 1:
            cost = cost + 3 * field.on_foreign_land(wanted.rects, fits.rows, fits.columns)
        if wanted.kind == "label":
            away = np.hypot(fits.columns - field.middle[0], fits.rows - field.middle[1])
            cost = cost + 0.3 * fits.tight + 1.2 * away / field.scale
        if wanted.kind == "coast":
            cost = cost + self._off_shore(wanted.coast, fits, room)
        return cost

    def _off_shore(self, coast: str, fits: Fits, room: int) -> Floats:
        """The cost of lying away from the coast, or near another one."""
        shore, others = self.shores[coast]
        away = self.field.distance(shore, fits.rows, fits.columns) / (room / CELL)
        cost: Floats = away + 4 * np.maximum(away - SHORE, 0)
        if others is None:
            return cost
        apart = self.field.distance(others, fits.rows, fits.columns) / self.field.scale
        return cost + 1.5 * (1 - np.minimum(apart, 1))


def shores(placing: Placing) -> dict[str, tuple[BaseGeometry, BaseGeometry | None]]:
    """Each coast's shore without what it shares with other coasts, if anything is left then; and the others' shores."""
    found: dict[str, tuple[BaseGeometry, BaseGeometry | None]] = {}
    for coast, shore in placing.coasts.items():
        others = [other for key, other in sorted(placing.coasts.items()) if key != coast]
        alone = shore.difference(shapely.union_all(others).buffer(2 * CELL))
        found[coast] = (shore if alone.is_empty else alone, None)
    for coast, (shore, _) in list(found.items()):
        rest = [other for key, (other, _) in sorted(found.items()) if key != coast]
        found[coast] = (shore, shapely.union_all(rest) if rest else None)
    return found


def fill_name(placing: Placing, sizes: Sizes, field: Field) -> Filling | None:
    """Land out of play: its name if there is room, and nothing else."""
    if not placing.name or not sizes.name:
        return None
    for block in sorted(name_blocks(placing.name, sizes, largest(field), turns(field)), key=lambda b: b.cost):
        if fits := field.fits(block.rects(), 1.0):
            away = np.hypot(fits.columns - field.middle[0], fits.rows - field.middle[1])
            best = int(np.argmin(np.round(away / field.scale + 0.5 * fits.tight, 6)))
            column, row = int(fits.columns[best]), int(fits.rows[best])
            place = Place({"": ()}, labels=block.labels(_page(field, column, row)))
            rects = moved(block.rects(), column + field.window.left, row + field.window.top)
            return Filling(block.cost, place, tuple(rects))
    return None


def _grid_rect(plan: Plan) -> Rect:
    assert plan.grid
    width, height = (n * (plan.room + PITCH) - PITCH for n in plan.grid)
    return rect_around(0, 0, width / 2, height / 2)


def _read(placing: Placing, sizes: Sizes, field: Field, plan: Plan, items: Sequence[Item], beam: Beam) -> Filling:
    """The search's answer in page units."""
    coasts: dict[str, tuple[Spot, ...]] = {}
    first: list[Spot] = []
    second, extras, more, centre = [], [], [], None
    labels: tuple[Label, ...] = ()
    for item, pick in zip(items, beam.picks[0], strict=True):
        x, y = _page(field, int(item.columns[pick]), int(item.rows[pick]))
        spot = Spot(x, y, plan.second if item.kind == "second" else plan.room)
        if item.kind == "coast":
            coasts[item.name] = (spot,)
        elif item.kind == "label" and plan.block:
            labels = plan.block.labels((x, y))
        elif item.kind == "grid":
            first = _grid_spots(plan, x, y, placing.spots)
        elif item.kind == "first":
            first = [spot]
        elif item.kind == "second":
            second.append(spot)
        elif item.kind == "more":
            more.append(spot)
        elif item.kind == "centre":
            centre = Disc(x, y, sizes.centre)
        else:
            extras.append(Spot(x, y, sizes.extra_side(plan.room)))
    extras.sort(key=lambda s: (math.hypot(s.x - first[0].x, s.y - first[0].y), s))
    place = Place({"": (*first, *second, *more), **coasts}, tuple(extras), centre, labels)
    rects = moved([tuple(map(int, box)) for box in beam.boxes[0]], field.window.left, field.window.top)  # type: ignore[misc]
    needs_code = plan.block is None and "label" not in plan.dropped
    return Filling(round(plan.cost + float(beam.cost[0]), 6), place, tuple(rects), needs_code)


def _page(field: Field, column: int, row: int) -> Point:
    return (column + field.window.left) * CELL, (row + field.window.top) * CELL


def _grid_spots(plan: Plan, x: int, y: int, spots: int) -> list[Spot]:
    """The squares of the grid row by row, the last row in the middle if it is not full."""
    assert plan.grid
    columns, rows = plan.grid
    pitch = plan.room + PITCH
    found = []
    for row in range(rows):
        here = min(columns, spots - row * columns)
        top = y + round((row - (rows - 1) / 2) * pitch)
        found += [Spot(x + round((k - (here - 1) / 2) * pitch), top, plan.room) for k in range(here)]
    return found
