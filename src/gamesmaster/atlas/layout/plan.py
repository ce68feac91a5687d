"""Plans: what sizes to try for a province, from the handsomest to what just goes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gamesmaster.atlas.layout.field import Field
from gamesmaster.atlas.layout.grid import CELL
from gamesmaster.atlas.layout.sizes import Placing, Sizes
from gamesmaster.atlas.layout.text import Block, blocks

GRID = 9  # from so many units on they get a grid
PITCH = 8  # page units between the squares of a grid
OUTSIDE = 9.0  # cost of a code that stands outside its province
LEANING = {1.0: 0.0, 0.85: 3.5, 0.6: 5.5}  # how much of a unit lies inside, and what that costs
STEEPEST = 60  # degrees that a name may be turned

Dropped = frozenset[Literal["extra", "second", "centre", "more", "label"]]


@dataclass(frozen=True, slots=True)
class Plan:
    """Sizes to try together.

    `room` and `second` are the sides of a unit's square and of a second unit's; `block` is the text, None if the code
    stands outside; `inside` the least part of each unit's square that lies in the province; `grid` columns and rows of
    units, where there are many; `dropped` what is not tried at all.
    """

    cost: float
    room: int
    second: int
    block: Block | None
    inside: float
    grid: tuple[int, int] | None = None
    dropped: Dropped = frozenset()


def plans(placing: Placing, sizes: Sizes, field: Field) -> list[Plan]:
    """All plans for a playable province, cheapest first."""
    settings = list(blocks(placing.code, placing.name, sizes, largest(field), turns(field)))
    grids = list(_grids(placing.spots)) if placing.spots >= GRID else [(0.0, None)]
    found = [
        Plan(round(room_cost + second_cost + lean_cost + text_cost + grid_cost, 6), room, second, block, inside, grid)
        for room in sizes.rooms()
        for room_cost in [_room_cost(room, sizes)]
        for second_cost, second in ((0.0, room), (0.8, round(0.72 * room)))
        for inside, leaning in LEANING.items()
        for lean_cost in [leaning * (room / sizes.room_least) ** 0.75]
        for grid_cost, grid in grids
        for text_cost, block in [*((b.cost, b) for b in settings), (OUTSIDE if sizes.name else OUTSIDE - 3, None)]
        if _area(room, second, block, placing, sizes) <= field.area * CELL * CELL / inside
    ]
    return sorted(found, key=lambda plan: plan.cost)


def last_resorts(placing: Placing, sizes: Sizes) -> Iterator[Plan]:
    """Plans for a province that nothing fits: less and less in it."""
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
    """How much larger than usual the name of a province may be: ample provinces have ample names."""
    side = field.scale * CELL
    return 1.5 if side > 900 else 1.3 if side > 600 else 1.15 if side > 380 else 1.0


def turns(field: Field) -> tuple[int, ...]:
    """The angles worth trying for a name: along the long axis of a long province."""
    angle, longer = field.axis
    turn = round(angle / 5) * 5
    return (turn,) if longer > 1.5 and 10 <= abs(turn) <= STEEPEST else ()


def _room_cost(room: int, sizes: Sizes) -> float:
    if room >= sizes.room_least:
        return 4.5 * (sizes.room - room) / max(1, sizes.room - sizes.room_least)
    return 12.0 + 14.0 * (1 - room / sizes.room_least)


def _area(room: int, second: int, block: Block | None, placing: Placing, sizes: Sizes) -> float:
    """Room that the things of a plan need at least: a plan that needs more than there is, is not tried."""
    text = sum(line.width * line.size * 0.7 for line in block.lines) if block else 0.0
    units = (placing.spots - 1 + len(placing.coasts)) * room**2 + second**2 * 2 / 3
    mark = (2 * sizes.centre) ** 2 if placing.centre else 0
    return text + 0.9 * units + mark + placing.extras * sizes.extra_side(room) ** 2


def _grids(spots: int) -> Iterator[tuple[float, tuple[int, int]]]:
    """Columns and rows for so many units, and what each costs: nearly square, no places left over."""
    for columns in range(1, spots + 1):
        rows = math.ceil(spots / columns)
        spare = columns * rows - spots
        if spare < columns and spare <= spots // 8:
            yield 0.25 * abs(math.log(columns / rows / 1.4)) + 0.1 * spare, (columns, rows)
