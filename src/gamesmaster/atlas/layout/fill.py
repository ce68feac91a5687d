"""Filling one province: plans of what sizes to try, where each thing may go by a plan, and the way through the plans.

Plans go from the handsomest to what just works, cheapest first, and none is tried that cannot work.  What does not fit
with small units does not fit with larger ones.  So the smallest plan of a `Group` is tried first, and if it fails the
group is left out; where the group's limit lies is found by halving.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from itertools import chain
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.layout.beam import Beam, Item, Kind, Measures, solve
from gamesmaster.atlas.layout.grid import CELL, Field, Fits, Floats, Rect, rect_around, shift, square
from gamesmaster.atlas.layout.text import Block, Placing, Sizes, blocks, name_blocks
from gamesmaster.pictures import Disc, Label, Place, Point, Spot

GRID = 9  # from this number of units on they get a grid
PITCH = 8  # page units between the squares of a grid
OUTSIDE = 9.0  # cost of a code that stands outside its province
LEANING = {1.0: 0.0, 0.85: 3.5, 0.6: 5.5}  # how much of a unit lies inside, and what that costs
STEEPEST = 60  # degrees that a name may be turned

Dropped = frozenset[Literal["extra", "second", "centre", "more", "label"]]


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes to try together."""

    cost: float = field(compare=False)
    room: int  # the side of a unit's square
    second: int  # the side of a second unit's
    block: Block | None  # the text, None if the code stands outside
    inside: float  # the least part of each unit's square that lies in the province
    grid: tuple[int, int] | None = None  # columns and rows of units, where there are many
    dropped: Dropped = frozenset()  # what is not tried at all

    @property
    def codeless(self) -> bool:
        """Whether the province's code must stand outside."""
        return self.block is None and "label" not in self.dropped


def plans(placing: Placing, sizes: Sizes, field: Field) -> Iterator[Plan]:
    """Yield all plans for a playable province, cheapest first."""
    texts: list[tuple[float, Block | None]] = [(block.cost, block) for block in settings(placing, sizes, field)]
    texts.append((OUTSIDE if sizes.name else OUTSIDE - 3, None))
    grids = list(_grids(placing.spots)) if placing.spots >= GRID else [(0.0, None)]
    units = _units(sizes)
    extra = np.add.outer([cost for cost, _ in texts], [cost for cost, _ in grids])
    costs = np.round(np.add.outer([cost for cost, *_ in units], extra.T), 6)
    for place in np.argsort(costs, axis=None, kind="stable"):
        unit, grid, text = np.unravel_index(place, costs.shape)
        _, room, second, inside = units[unit]
        yield Plan(float(costs[unit, grid, text]), room, second, texts[text][1], inside, grids[grid][1])


def settings(placing: Placing, sizes: Sizes, field: Field) -> tuple[Block, ...]:
    """Return every block of text worth trying in a playable province."""
    return blocks(placing.code, placing.name, sizes, largest(field), turns(field))


@lru_cache
def _units(sizes: Sizes) -> tuple[tuple[float, int, int, float], ...]:
    """Return cost, sides of the first and the second unit's square, and the least part inside, for all plans."""
    return tuple(
        (_room_cost(room, sizes) + more + leaning * (room / sizes.room_least) ** 0.75, room, second, inside)
        for room in sizes.rooms()
        for more, second in ((0.0, room), (0.8, _smaller(room)))
        for inside, leaning in LEANING.items()
    )


def _smaller(room: int) -> int:
    """Return the side of a second unit's square that is smaller than the first one's."""
    return round(0.72 * room)


def last_resorts(placing: Placing, sizes: Sizes) -> Iterator[Plan]:
    """Yield plans for a province in which no other plan fits; each leaves out more things than the one before."""
    rooms = sizes.rooms()[-3:]
    drops: tuple[Dropped, ...] = (
        frozenset(),
        frozenset({"extra"}),
        frozenset({"extra", "more", "second"}),
        frozenset({"extra", "more", "second", "centre"}),
        frozenset({"extra", "more", "second", "centre", "label"}),
    )
    for number, dropped in enumerate(drops):
        for inside in (0.6, 0.4, 0.0):
            for room in rooms:
                yield Plan(30.0 + 10 * number + 5 * (1 - inside), room, room, None, inside, None, dropped)


def largest(field: Field) -> float:
    """Return the factor by which a province's name may be larger than usual: large provinces have large names."""
    side = field.scale * CELL
    return 1.5 if side > 900 else 1.3 if side > 600 else 1.15 if side > 380 else 1.0


def turns(field: Field) -> tuple[int, ...]:
    """Return the angles worth trying for a name: along the long axis of a long province."""
    angle, longer = field.axis
    turn = round(angle / 5) * 5
    return (turn,) if longer > 1.5 and 10 <= abs(turn) <= STEEPEST else ()


def _room_cost(room: int, sizes: Sizes) -> float:
    if room >= sizes.room_least:
        return 4.5 * (sizes.room - room) / max(1, sizes.room - sizes.room_least)
    return 12.0 + 14.0 * (1 - room / sizes.room_least)


def _grids(spots: int) -> Iterator[tuple[float, tuple[int, int]]]:
    """Yield columns and rows for this number of units, with their costs: nearly square, few places left over."""
    for columns in range(1, spots + 1):
        rows = math.ceil(spots / columns)
        spare = columns * rows - spots
        if spare < columns and spare <= spots // 8:
            yield 0.25 * abs(math.log(columns / rows / 1.4)) + 0.1 * spare, (columns, rows)


# -- filling one province by a plan ------------------------------------------------------------------------------------


SHORE = 1.6  # sides of a unit's square that a unit may be away from its coast, if possible


@dataclass(frozen=True, slots=True)
class Filling:
    """The things in a province: its place, the cells covered, and the cost."""

    cost: float
    place: Place
    rects: tuple[Rect, ...]
    needs_code: bool = False


Shores: TypeAlias = dict[str, tuple[BaseGeometry, BaseGeometry | None]]
"""By coast: its shore, and those of the others."""


class _Wanted(NamedTuple):
    """A thing to place: its rectangles, how much of it lies in the province at least, and by which coast it lies."""

    kind: Kind
    rects: tuple[Rect, ...]
    inside: float
    coast: str = ""


class Filler:
    """Fills one province as the ground is now."""

    def __init__(self, placing: Placing, sizes: Sizes, field: Field, shores: Shores) -> None:
        self.placing, self.sizes, self.field, self.shores = placing, sizes, field, shores
        self._items: dict[tuple[_Wanted, int], Item | None] = {}

    def possible(self, plan: Plan) -> bool:
        """Return whether the province has the least area that a plan needs."""
        placing, sizes, room = self.placing, self.sizes, plan.room
        units = (placing.spots - 1 + len(placing.coasts)) * room**2 + plan.second**2 * 2 / 3
        mark = (2 * sizes.centre) ** 2 if placing.centre else 0
        needed = 0.7 * ink(plan.block) + 0.9 * units + mark + placing.extras * sizes.extra_side(room) ** 2
        return needed * plan.inside <= self.field.area * CELL * CELL

    def fill(self, plan: Plan) -> Filling | None:
        """Return the province filled by the plan, or None if something does not fit."""
        items = []
        for wanted in self._things(plan):
            item = self._item(wanted, plan.room)
            if item is None:
                return None
            items.append(item)
        beam = solve(items, Measures(plan.room / CELL, self.field.middle, self.field.scale))
        return _read(self.placing, self.sizes, self.field, plan, items, beam) if beam else None

    def _things(self, plan: Plan) -> Iterator[_Wanted]:
        """Yield the things to place, the hardest to place first."""
        placing, inside, dropped = self.placing, plan.inside, plan.dropped
        unit = (square(plan.room),)
        yield from (_Wanted("coast", unit, inside, coast) for coast in sorted(placing.coasts))
        if plan.block:
            yield _Wanted("label", plan.block.rects(), 1.0)
        if plan.grid:
            half_x, half_y = ((n * (plan.room + PITCH) - PITCH) / 2 for n in plan.grid)
            yield _Wanted("grid", (rect_around(0, 0, half_x, half_y),), inside)
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
        """Return the thing with everywhere that it may go; None for nowhere."""
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
        """Return the cost of each place alone: cramped, leaning out, far from where it belongs."""
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
        """Return the cost of lying away from the coast, or near another one."""
        shore, others = self.shores[coast]
        away = self.field.distance(shore, fits.rows, fits.columns) / (room / CELL)
        cost: Floats = away + 4 * np.maximum(away - SHORE, 0)
        if others is None:
            return cost
        apart = self.field.distance(others, fits.rows, fits.columns) / self.field.scale
        return cost + 1.5 * (1 - np.minimum(apart, 1))


def shores(placing: Placing) -> Shores:
    """Return each coast's shore without its parts shared with other coasts, if any is left, and the others' shores."""
    found: Shores = {}
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
            rects = shift(block.rects(), column + field.window.left, row + field.window.top)
            return Filling(block.cost, place, tuple(rects))
    return None


def _read(placing: Placing, sizes: Sizes, field: Field, plan: Plan, items: Sequence[Item], beam: Beam) -> Filling:
    """Return the search's answer in page units."""
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
    rects = shift([tuple(map(int, box)) for box in beam.boxes[0]], field.window.left, field.window.top)  # type: ignore[misc]
    return Filling(float(beam.cost[0]), place, tuple(rects), plan.codeless)


def _page(field: Field, column: int, row: int) -> Point:
    return (column + field.window.left) * CELL, (row + field.window.top) * CELL


def _grid_spots(plan: Plan, x: int, y: int, spots: int) -> list[Spot]:
    """Return the squares of the grid row by row, the last row in the middle if it is not full."""
    assert plan.grid
    columns, rows = plan.grid
    pitch = plan.room + PITCH
    found = []
    for row in range(rows):
        here = min(columns, spots - row * columns)
        top = y + round((row - (rows - 1) / 2) * pitch)
        found += [Spot(x + round((k - (here - 1) / 2) * pitch), top, plan.room) for k in range(here)]
    return found


# -- going through a province's plans, cheapest first, without trying what cannot work ---------------------------------


MOST_CODES = 6  # fillings for which a place for the code is looked for in vain, before a group is given up
MOST_IN_VAIN = 18  # such fillings before all groups are given up, in haste


class Search:
    """The plans of one province on the present ground.

    Plans that differ only in the size of units are a group, known by the one with the smallest; units below the least
    that can be read well make groups of their own.
    """

    def __init__(self, filler: Filler, *, hasty: bool = False) -> None:
        placing, sizes, field = filler.placing, filler.sizes, filler.field
        self.most_in_vain = MOST_IN_VAIN if hasty else math.inf
        self.sizes, self.possible, self.fill = sizes, filler.possible, cache(filler.fill)
        self.plans = chain(filter(filler.possible, plans(placing, sizes, field)), last_resorts(placing, sizes))
        self.shortest = min(settings(placing, sizes, field), key=ink)
        self.failed: set[Plan] = set()

    def best(self, finish: Callable[[Filling], Filling | None]) -> Filling | None:
        """Return the filling by the first plan that works; `finish` puts a code outside the province, if it can."""
        in_vain: dict[Plan, int] = defaultdict(int)
        for plan in self.plans:
            group = self._with(plan, self._rooms(plan)[0])
            if in_vain[group] >= MOST_CODES or (plan.codeless and sum(in_vain.values()) >= self.most_in_vain):
                continue
            if not self._hopeful(plan, group):
                continue
            filling = self.fill(plan)
            if filling is None:
                self.failed.add(group)
            elif group in self.failed and plan.room > self._limit(plan):
                continue
            elif filling.needs_code:
                filling = finish(filling)
                in_vain[group] += filling is None
            if filling:
                return replace(filling, cost=round(plan.cost + filling.cost, 6))
        return None

    def _hopeful(self, plan: Plan, group: Plan) -> bool:
        """Return whether a plan might work: once some have failed, the smallest units and the shortest text must."""
        if self.failed and plan.block:
            shortest = replace(group, block=self.shortest)
            if not self.fill(self._with(shortest, shortest.room, paired=False)):
                return False
        return group not in self.failed or bool(self.fill(group))

    def _limit(self, plan: Plan) -> int:
        """Return the largest room for units that works in a group of which some plan has failed, by halving."""
        sizes = [self._with(plan, room) for room in self._rooms(plan)]
        sizes = [each for each in sizes if each.room <= plan.room or self.possible(each)]
        low, high = 0, len(sizes)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self.fill(sizes[middle]) else (low, middle)
        return sizes[low].room

    def _rooms(self, plan: Plan) -> list[int]:
        """Return the sides of a unit's square in the group of a plan, the smallest first."""
        small = plan.room < self.sizes.room_least
        return [room for room in reversed(self.sizes.rooms()) if (room < self.sizes.room_least) == small]

    def _with(self, plan: Plan, room: int, *, paired: bool = True) -> Plan:
        second = room if paired and plan.second == plan.room else _smaller(room)
        return replace(plan, room=room, second=second)


def ink(block: Block | None) -> int:
    """Return the approximate room that a text takes."""
    return sum(line.width * line.size for line in block.lines) if block else 0
