"""The layout of a map: places for the units, marks and names of every province, so that nothing covers anything else.

Each province is filled by itself first, as handsomely as it allows.  The ones that are too small for that lean over
their borders or have their code outside, joined by a line; they are served first, the ample ones around them last.
Where that leaves somebody short, neighbours are taken up and laid down again in another order, for a bounded number of
rounds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.layout.beam import least
from gamesmaster.atlas.layout.fill import Filler, Filling, Search, fill_name, shores
from gamesmaster.atlas.layout.grid import (
    CELL,
    GAP,
    Bools,
    Floats,
    Ground,
    Ints,
    Rect,
    Sums,
    Window,
    shift,
    spread,
)
from gamesmaster.atlas.layout.measure import shortfalls
from gamesmaster.atlas.layout.text import LAYOUTS, Block, Placing, Sizes, block, steps
from gamesmaster.pictures import NOWHERE, Place, Point

COVERED = 4.0  # cost of a leader that ends under the province's own units, which cover it all
_Reals: TypeAlias = npt.NDArray[np.floating[Any]]

REACHES = (14, 28, 56, 100)  # cells around the province that are looked at, the near ones first
TRIED = 400  # leaders looked at for each reach and size
LONG = 30  # cells of leader that cost 1
ENOUGH = 2.0  # a label that costs no more is taken without looking farther


@dataclass(frozen=True, slots=True)
class _Standing:
    """A label outside, all in cells of the page: its middle, the end of its leader, and what the leader runs over."""

    cost: float
    text: Block
    middle: tuple[int, int]
    end: tuple[int, int]
    line: tuple[Rect, ...]


def with_code(placing: Placing, sizes: Sizes, ground: Ground, number: int, filling: Filling) -> Filling | None:
    """Return the filling with the province's code set nearby; None without room for it."""
    ground.put(filling.rects)
    try:
        found = _search(placing, sizes, ground, number, filling.rects)
    finally:
        ground.put(filling.rects, -1)
    if found is None:
        return None
    at = found.middle[0] * CELL, found.middle[1] * CELL
    end: Point = found.end[0] * CELL + CELL // 2, found.end[1] * CELL + CELL // 2
    place = replace(filling.place, labels=found.text.labels(at, end))
    rects = (*filling.rects, *shift(found.text.rects(), *found.middle), *found.line)
    return Filling(round(filling.cost + found.cost, 6), place, rects)


def _search(placing: Placing, sizes: Sizes, ground: Ground, number: int, mine: Sequence[Rect]) -> _Standing | None:
    best: _Standing | None = None
    *larger, smallest = (
        block([(placing.code, "code", size)], cost=4.0 * (sizes.code - size) / sizes.code)
        for size in steps(sizes.code, sizes.code_least, 4)
    )
    for reach in REACHES:
        view = _View(ground, ground.window(placing.shape.bounds, reach), number, mine)
        last = view.best(smallest)
        if ground.hasty and not last:
            continue
        for found in (*map(view.best, larger), last):
            if found and (best is None or found.cost < best.cost - 1e-6):
                best = found
        if best and best.cost <= ENOUGH:
            break
    return best


class _View:
    """The ground around a province, for labels that would stand there."""

    def __init__(self, ground: Ground, window: Window, number: int, mine: Sequence[Rect]) -> None:
        self.window = window
        owner = ground.owner[window.slices]
        self.taken: Bools = ground.taken[window.slices] > 0
        self.foreign: Bools = ground.land[window.slices] & (owner != number)
        border = np.zeros_like(self.taken)
        border[:, 1:] |= owner[:, 1:] != owner[:, :-1]
        border[1:] |= owner[1:] != owner[:-1]
        self._taken, self._foreign, self._border = Sums(self.taken), Sums(self.foreign), Sums(border)
        own = owner == number
        self.covered = not (own & ~self.taken).any()
        self.closed = self.taken & ~self._near(mine) if self.covered else self.taken
        self.end_rows, self.end_columns = self._ends(own)

    def _near(self, rects: Sequence[Rect]) -> Bools:
        """Return the cells of these rectangles and the gaps around them."""
        near = np.zeros_like(self.taken)
        for c0, r0, c1, r1 in shift(rects, -self.window.left, -self.window.top):
            near[max(0, r0 - GAP) : max(0, r1 + GAP), max(0, c0 - GAP) : max(0, c1 + GAP)] = True
        return near

    def _ends(self, own: Bools) -> tuple[Ints, Ints]:
        """Return the cells in which a leader may end.

        These are the free cells well inside; without any the free cells; all cells if units cover the whole province.
        """
        free = own & ~self.closed
        inner = free.copy()
        inner[2:-2, 2:-2] &= own[:-4, 2:-2] & own[4:, 2:-2] & own[2:-2, :-4] & own[2:-2, 4:]
        return spread(next((cells for cells in (inner, free) if cells.any()), own))

    def best(self, text: Block) -> _Standing | None:
        """Return the best place for a line of text with a clear way to the province."""
        rect = text.rects()[0]
        rows, columns, cost = self._standing(rect)
        if not len(rows) or not len(self.end_rows):
            return None
        end_x: _Reals = self.end_columns + 0.5
        end_y: _Reals = self.end_rows + 0.5
        x = np.clip(end_x[None], (columns + rect[0])[:, None], (columns + rect[2])[:, None])
        y = np.clip(end_y[None], (rows + rect[1])[:, None], (rows + rect[3])[:, None])
        total = np.round(cost[:, None] + np.hypot(x - end_x[None], y - end_y[None]) / LONG, 6)
        order = least(total.ravel(), TRIED)
        for some in filter(len, (order[: TRIED // 5], order[TRIED // 5 :])):
            places, ends = np.unravel_index(some, total.shape)
            at = columns[places], rows[places]
            lines = _sample_lines(x[places, ends], end_x[ends], y[places, ends], end_y[ends])
            clear, crossed, over = self._ways(rect, at, *lines)
            if clear.any():
                cost = np.round(total[places, ends] + 0.7 * over, 6)
                cost[~clear] = np.inf
                k = int(np.argmin(cost))
                cells = {
                    (int(a), int(b)) for a, b in zip(lines[0][k][crossed[k]], lines[1][k][crossed[k]], strict=True)
                }
                end = int(self.end_columns[ends[k]]), int(self.end_rows[ends[k]])
                return self._on_page(float(cost[k]), text, (int(at[0][k]), int(at[1][k])), end, cells)
        return None

    def _ways(self, rect: Rect, at: tuple[Ints, Ints], line_x: Ints, line_y: Ints) -> tuple[Bools, Bools, Floats]:
        """Return for each line: whether it is clear, which samples are off the text, and its share on foreign land."""
        columns, rows = at[0][:, None], at[1][:, None]
        on_text = (line_x >= columns + rect[0]) & (line_x < columns + rect[2])
        on_text &= (line_y >= rows + rect[1]) & (line_y < rows + rect[3])
        height, width = self.taken.shape
        line_x, line_y = np.clip(line_x, 0, width - 1), np.clip(line_y, 0, height - 1)
        clear = ~(self.closed[line_y, line_x] & ~on_text).any(axis=1)
        return np.asarray(clear), ~on_text, np.asarray((self.foreign[line_y, line_x] & ~on_text).mean(axis=1))

    def _on_page(
        self, cost: float, text: Block, at: tuple[int, int], end: tuple[int, int], cells: set[tuple[int, int]]
    ) -> _Standing:
        """Return the text found, in cells of the page."""
        left, top = self.window.left, self.window.top
        line = tuple((a + left, b + top, a + left + 1, b + top + 1) for a, b in sorted(cells))
        return _Standing(
            cost + text.cost + COVERED * self.covered,
            text,
            (at[0] + left, at[1] + top),
            (end[0] + left, end[1] + top),
            line,
        )

    def _standing(self, rect: Rect) -> tuple[Ints, Ints, Floats]:
        """Return rows and columns where the label covers nothing else, and the cost of the ground it covers there."""
        height, width = self.taken.shape
        rows, columns = range(-rect[1], height + 1 - rect[3]), range(-rect[0], width + 1 - rect[2])
        if not rows or not columns:
            return np.zeros(0, dtype=np.int32), np.zeros(0, dtype=np.int32), np.zeros(0)
        clear = np.asarray(self._taken.everywhere(rect, rows, columns) == 0)
        blank = clear & (self._foreign.everywhere(rect, rows, columns) == 0)
        parts = [spread(blank), spread(clear)]
        at_rows = np.concatenate([p[0] for p in parts]) + np.int32(rows.start)
        at_columns = np.concatenate([p[1] for p in parts]) + np.int32(columns.start)
        size = (rect[2] - rect[0]) * (rect[3] - rect[1])
        foreign = self._foreign.at(rect, at_rows, at_columns)
        border = self._border.at(rect, at_rows, at_columns)
        return at_rows, at_columns, np.asarray(2.0 * (foreign > 0) + 4 * foreign / size + 6 * border / size)


def _sample_lines(x0: _Reals, x1: _Reals, y0: _Reals, y1: _Reals) -> tuple[Ints, Ints]:
    """Return columns and rows of the cells along lines as [line, sample], two for each cell of the longest."""
    longest = max(np.abs(x1 - x0).max(), np.abs(y1 - y0).max())
    part = np.linspace(0, 1, 2 * int(longest) + 4)[None]
    x, y = (a[:, None] + (b - a)[:, None] * part for a, b in ((x0, x1), (y0, y1)))
    return np.floor(x + 1e-9).astype(np.int32), np.floor(y + 1e-9).astype(np.int32)


# -- the layout of a map -----------------------------------------------------------------------------------------------


ROUNDS = 2  # of repair
HURT = 0.75  # a province that costs this much more than it would alone is repaired
SEEN_TO = 20  # of them in a round, the worst off first
NEAR = 12  # cells about a province in which things may be in its way
MOST_LIFTED = 5  # neighbours laid anew for one province
EMPTY = Filling(200.0, NOWHERE, ())


def lay_out(
    places: Mapping[str, Placing],
    frame: tuple[int, int],
    sizes: Sizes,
    *,
    obstacles: Iterable[BaseGeometry] = (),
) -> tuple[dict[str, Place], list[str]]:
    """Return a place for every province, by its id, in the order of `places`; and what is missing, in sentences.

    `frame` is the page's width and height; nothing is placed outside it or on `obstacles`, such as drawn links. The
    order of the provinces does not change their places.
    """
    return _laid(places, _ground(places, frame, obstacles), sizes)


def lay_out_all(
    places: Mapping[str, Placing], frame: tuple[int, int], obstacles: Iterable[BaseGeometry], *, hasty: bool = False
) -> dict[str, tuple[dict[str, Place], list[str]]]:
    """Return what `lay_out` returns, by the name of each of the `LAYOUTS`; if `hasty`, crowded codes are given up."""
    ground = _ground(places, frame, obstacles)
    ground.hasty = hasty
    return {name: _laid(places, ground, sizes) for name, sizes in LAYOUTS.items()}


def _ground(places: Mapping[str, Placing], frame: tuple[int, int], obstacles: Iterable[BaseGeometry]) -> Ground:
    """Return the page with its provinces, numbered in the order of their ids."""
    placings = [placing for _, placing in sorted(places.items())]
    return Ground([p.shape for p in placings], [p.playable and not p.water for p in placings], frame, obstacles)


def _laid(places: Mapping[str, Placing], ground: Ground, sizes: Sizes) -> tuple[dict[str, Place], list[str]]:
    table = _Table(places, ground, sizes)
    table.serve()
    for _ in range(ROUNDS):
        if not table.repair():
            break
    table.name_rest()
    laid = {key: table.fillings[table.number[key]].place for key in places}
    return laid, shortfalls(places, laid, sizes)


class _Table:
    """The page being laid."""

    def __init__(self, places: Mapping[str, Placing], ground: Ground, sizes: Sizes) -> None:
        self.keys = sorted(places)
        self.number = {key: n for n, key in enumerate(self.keys)}
        self.placings = [places[key] for key in self.keys]
        self.sizes, self.ground = sizes, ground
        self.shores = [shores(placing) for placing in self.placings]
        ground.clear()
        self.players = [n for n, p in enumerate(self.placings) if p.playable]
        self.fillings = [EMPTY] * len(self.keys)
        self.alone = list(self.fillings)
        self.hopeless: set[tuple[int, float]] = set()

    def serve(self) -> None:
        """Fill every province in play, the hardest first."""
        for number in self.players:
            self.alone[number] = self._best(number)
        for number in self._hardest(self.players):
            alone = self.alone[number]
            self._put(number, alone if self._clear(alone.rects) else self._best(number))

    def repair(self) -> bool:
        """Improve once the provinces that are worse off than they would be alone; return whether any was improved."""
        hurt = [(n, round(self.fillings[n].cost - self.alone[n].cost, 6)) for n in self.players]
        seen_to = sorted((-pain, self.keys[n], n) for n, pain in hurt if pain > HURT and (n, pain) not in self.hopeless)
        bettered = False
        for pain, _, number in seen_to[:SEEN_TO]:
            if self._relay(number):
                bettered = True
            else:
                self.hopeless.add((number, -pain))
        return bettered

    def name_rest(self) -> None:
        """Write the names of places that are out of play where they fit."""
        for number, placing in enumerate(self.placings):
            if not placing.playable:
                filling = fill_name(placing, self.sizes, self.ground.fields[number].look())
                self._put(number, filling or EMPTY)

    # -- one province and its neighbours -----------------------------------------------------------------------------

    def _best(self, number: int) -> Filling:
        """Return the best filling of a province on the ground as it is now."""
        placing, sizes, field = self.placings[number], self.sizes, self.ground.fields[number].look()
        search = Search(Filler(placing, sizes, field, self.shores[number]), hasty=self.ground.hasty)
        return search.best(lambda filling: with_code(placing, sizes, self.ground, number, filling)) or EMPTY

    def _relay(self, number: int) -> bool:
        """Take up a province and those in its way, lay it first, then them; keep that if it is better for them all."""
        neighbours = self._in_the_way(number)
        before = {n: self.fillings[n] for n in (number, *neighbours)}
        for n in before:
            self._put(n, EMPTY)
        for n in (number, *self._hardest(neighbours)):
            self._put(n, self._best(n))
        if sum(self.fillings[n].cost for n in before) < sum(f.cost for f in before.values()) - 0.1:
            return True
        for n in before:
            self._put(n, EMPTY)
        for n, filling in before.items():
            self._put(n, filling)
        return False

    def _in_the_way(self, number: int) -> list[int]:
        """Return the neighbours with things on a province or next to it, those with the most things first."""
        top, left, bottom, right = self.ground.window(self.placings[number].shape.bounds, NEAR)
        near = []
        for other in self.players:
            reaching = sum(
                c0 < right and c1 > left and r0 < bottom and r1 > top for c0, r0, c1, r1 in self.fillings[other].rects
            )
            if reaching and other != number:
                near.append((-reaching, self.keys[other], other))
        return [other for _, _, other in sorted(near)[:MOST_LIFTED]]

    def _hardest(self, numbers: Iterable[int]) -> list[int]:
        return sorted(numbers, key=lambda n: (-self.alone[n].cost, self.keys[n]))

    def _put(self, number: int, filling: Filling) -> None:
        """Lay down what fills a province, in place of what lay there."""
        self.ground.put(self.fillings[number].rects, -1)
        self.ground.put(filling.rects)
        self.fillings[number] = filling

    def _clear(self, rects: Sequence[Rect]) -> bool:
        return not any(np.any(self.ground.taken[r0:r1, c0:c1]) for c0, r0, c1, r1 in rects)
