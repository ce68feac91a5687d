"""The page as a grid of cells: whose each cell is, what already lies there, and where a thing fits in a province.

Everything placed is covered by rectangles of whole cells, so that all comparisons are between whole numbers and come
out the same on every machine.  Arrays of cells are indexed [row, column].
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import shapely
from shapely.geometry.base import BaseGeometry

CELL = 4  # page units
GAP = 1  # cells kept free around everything placed
RIM = 2  # cells kept free along the frame

Rect: TypeAlias = tuple[int, int, int, int]
"""First column and row, last column and row plus one, in cells."""

Ints: TypeAlias = npt.NDArray[np.int32]
Bools: TypeAlias = npt.NDArray[np.bool_]
Floats: TypeAlias = npt.NDArray[np.float64]

NOBODY = -1


class Window(NamedTuple):
    """A part of the grid: its first row and column, and the ends plus one."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def slices(self) -> tuple[slice, slice]:
        """For indexing arrays of the whole grid."""
        return slice(self.top, self.bottom), slice(self.left, self.right)


def rect_around(x: float, y: float, half_x: float, half_y: float) -> Rect:
    """Return the cells that a box around a point covers, all page units."""
    return (
        math.floor((x - half_x) / CELL),
        math.floor((y - half_y) / CELL),
        math.ceil((x + half_x) / CELL),
        math.ceil((y + half_y) / CELL),
    )


def square(side: float) -> Rect:
    """Return the cells that a square around the origin covers."""
    return rect_around(0, 0, side / 2, side / 2)


def shift(rects: Iterable[Rect], column: int, row: int) -> list[Rect]:
    """Return the rectangles, shifted."""
    return [(a + column, b + row, c + column, d + row) for a, b, c, d in rects]


class Ground:
    """The whole page.

    `owner` holds for each cell the number of the province in which its middle lies, or `NOBODY`; `land` tells where
    that is land in play; `taken` counts the things that lie there or within the gap around them, what is `barred`
    for good included.
    """

    def __init__(
        self,
        shapes: Sequence[BaseGeometry],
        land: Sequence[bool],
        frame: tuple[int, int],
        obstacles: Iterable[BaseGeometry] = (),
    ) -> None:
        self.hasty = False
        self.columns, self.rows = frame[0] // CELL, frame[1] // CELL
        self.owner: npt.NDArray[np.int16] = np.full((self.rows, self.columns), NOBODY, dtype=np.int16)
        self.barred: npt.NDArray[np.int16] = np.ones((self.rows, self.columns), dtype=np.int16)
        self.barred[RIM:-RIM, RIM:-RIM] = 0
        for number, shape in enumerate(shapes):
            window = self.window(shape.bounds)
            part = self.owner[window.slices]
            part[self._cells_in(shape, window, part == NOBODY)] = number
        self.land: Bools = np.array([*land, False], dtype=np.bool_)[self.owner]
        for wide in (obstacle.buffer(CELL) for obstacle in obstacles):
            window = self.window(wide.bounds)
            part = self.barred[window.slices]
            part += self._cells_in(wide, window, part == 0)
        self.clear()
        self.fields = [Field(self, number, self.window(shape.bounds, REACH)) for number, shape in enumerate(shapes)]

    def clear(self) -> None:
        """Take up all things that were laid down."""
        self.taken = self.barred.copy()

    def window(self, bounds: Sequence[float], reach: int = 0) -> Window:
        """Return the cells around bounds in page units (x0, y0, x1, y1), and `reach` cells more on each side."""
        x0, y0, x1, y1 = (0.0, 0.0, 0.0, 0.0) if any(map(math.isnan, bounds)) else bounds
        return Window(
            _within(math.floor(y0 / CELL) - reach, self.rows),
            _within(math.floor(x0 / CELL) - reach, self.columns),
            _within(math.ceil(y1 / CELL) + reach, self.rows),
            _within(math.ceil(x1 / CELL) + reach, self.columns),
        )

    def _cells_in(self, shape: BaseGeometry, window: Window, among: Bools) -> Bools:
        """Return which cells of a window have their middle in a shape, of those that are `among` the eligible."""
        rows, columns = np.nonzero(among)
        found = np.zeros(among.shape, dtype=np.bool_)
        shapely.prepare(shape)
        x, y = ((cells + start + 0.5) * CELL for cells, start in ((columns, window.left), (rows, window.top)))
        found[rows, columns] = shapely.contains_xy(shape, x, y)
        return found

    def put(self, rects: Iterable[Rect], times: int = 1) -> None:
        """Lay things down, each with the gap around it; `times` -1 takes them up again."""
        for c0, r0, c1, r1 in rects:
            self.taken[max(0, r0 - GAP) : r1 + GAP, max(0, c0 - GAP) : c1 + GAP] += times


def _within(number: int, size: int) -> int:
    return min(max(number, 0), size)


class Sums:
    """Sums of a field of cells over any rectangle, at once for many places (a summed-area table)."""

    def __init__(self, cells: Bools) -> None:
        self.table: Ints = np.zeros((cells.shape[0] + 1, cells.shape[1] + 1), dtype=np.int32)
        np.cumsum(np.cumsum(cells, axis=0, dtype=np.int32), axis=1, out=self.table[1:, 1:])

    def everywhere(self, rect: Rect, rows: range, columns: range) -> Ints:
        """Return the sum over the rectangle moved to every row and column (ranges of step 1)."""
        c0, r0, c1, r1 = rect
        t = self.table
        low, high = slice(rows.start + r0, rows.stop + r0), slice(rows.start + r1, rows.stop + r1)
        left, right = slice(columns.start + c0, columns.stop + c0), slice(columns.start + c1, columns.stop + c1)
        found: Ints = t[high, right] - t[low, right] - t[high, left] + t[low, left]
        return found

    def at(self, rect: Rect, rows: Ints, columns: Ints) -> Ints:
        """Return the sum over the rectangle moved to these places, cut off at the edge of the field."""
        return self.between(rows + rect[1], columns + rect[0], rows + rect[3], columns + rect[2])

    def between(self, top: Ints, left: Ints, bottom: Ints, right: Ints) -> Ints:
        """Return the sum over each rectangle with these sides, cut off at the edge of the field."""
        height, width = self.table.shape
        r0, r1 = (np.minimum(np.maximum(rows, 0), height - 1) * width for rows in (top, bottom))
        c0, c1 = (np.minimum(np.maximum(columns, 0), width - 1) for columns in (left, right))
        t = self.table.ravel()
        found: Ints = t[r1 + c1] - t[r0 + c1] - t[r1 + c0] + t[r0 + c0]
        return found


# -- one province on the grid ------------------------------------------------------------------------------------------


REACH = 40  # cells beyond the province that its units may lean over
MOST = 100  # places tried for a thing, spread evenly over all where it fits
SLACK = (2, 4, 7)  # cells of air around a thing that are worth having
_MIDDLE = (-1, -1, 1, 1)


@dataclass(frozen=True, slots=True)
class Fits:
    """Places where some rectangles fit, in cells from the window's corner: the cell corner they are moved to.

    `share` is how much of them lies in the province, `tight` how cramped they are there (0 ample, 1 not at all).
    """

    columns: Ints
    rows: Ints
    share: Floats
    tight: Floats


class Field:
    """A province and the ground about it: `look` takes in what lies there now."""

    def __init__(self, ground: Ground, number: int, window: Window) -> None:
        self.window, self._ground = window, ground
        self.own: Bools = ground.owner[window.slices] == number
        self.look()

    def look(self) -> Field:
        """Take in what lies on the ground now, and return the field."""
        self._found: dict[tuple[tuple[Rect, ...], float], Fits | None] = {}
        for known in ("_open", "_taken"):
            self.__dict__.pop(known, None)
        return self

    @cached_property
    def _open(self) -> Sums:
        left, top, right, bottom = self._bounds
        free = self._ground.taken[self.window.slices] == 0
        return Sums((self.own & free)[top:bottom, left:right])

    @cached_property
    def _taken(self) -> Sums:
        return Sums(self._ground.taken[self.window.slices] > 0)

    @cached_property
    def _own(self) -> Sums:
        return Sums(self.own)

    @cached_property
    def _foreign(self) -> Sums:
        return Sums(self._ground.land[self.window.slices] & ~self.own)

    @cached_property
    def _bounds(self) -> Rect:
        """The cells of the window around those of the province."""
        rows, columns = (np.flatnonzero(self.own.any(axis=axis)) for axis in (1, 0))
        return (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1) if len(rows) else (0, 0, 0, 0)

    @cached_property
    def area(self) -> int:
        """Cells of the province."""
        return int(self.own.sum())

    @cached_property
    def scale(self) -> float:
        """The side of a square as large as the province, in cells."""
        return math.sqrt(max(self.area, 1))

    @cached_property
    def middle(self) -> tuple[float, float]:
        """The visual middle, column and row: far from the borders, not far from the centre of gravity."""
        rows, columns = np.nonzero(self.own)
        if not len(rows):
            return self.own.shape[1] / 2, self.own.shape[0] / 2
        stride = max(1, len(rows) // 4000)
        at_rows, at_columns = rows[::stride].astype(np.int32), columns[::stride].astype(np.int32)
        clear = self._clearance()[at_rows, at_columns]
        away = np.hypot(at_rows - at_rows.mean(), at_columns - at_columns.mean())
        best = int(np.argmin(np.round(away - 1.1 * clear, 6)))
        return float(at_columns[best]), float(at_rows[best])

    def _clearance(self) -> Ints:
        """Return, for each cell, half the side of the largest square around it within the province; -1 outside."""
        left, top, right, bottom = self._bounds
        clear = np.full(self.own.shape, -1, dtype=np.int32)
        part = np.pad(self.own[top:bottom, left:right], 1)
        while part.any():
            clear[top:bottom, left:right] += part[1:-1, 1:-1]
            tall = part[:-2] & part[1:-1] & part[2:]
            part[1:-1, 1:-1] = tall[:, :-2] & tall[:, 1:-1] & tall[:, 2:]
        return clear

    @cached_property
    def axis(self) -> tuple[float, float]:
        """Angle of the long axis, degrees clockwise (-90 to 90), and how many times the short one it is."""
        if self.area < 9:
            return 0.0, 1.0
        down, across = self.own.sum(axis=1), self.own.sum(axis=0)
        y, x = (np.arange(len(sums)) - np.arange(len(sums)) @ sums / self.area for sums in (down, across))
        xx, yy, xy = (float(each) / self.area for each in (x * x @ across, y * y @ down, y @ (self.own @ x)))
        root = math.hypot((xx - yy) / 2, xy)
        large, small = (xx + yy) / 2 + root, max((xx + yy) / 2 - root, 1e-9)
        return math.degrees(math.atan2(2 * xy, xx - yy)) / 2, math.sqrt(large / small)

    def fits(self, rects: Sequence[Rect], inside: float) -> Fits | None:
        """Return where these rectangles are clear of all that is taken, with this share of them inside.

        None for nowhere.
        """
        key = (tuple(rects), inside)
        if key not in self._found:
            self._found[key] = self._search(rects, inside)
        return self._found[key]

    def _search(self, rects: Sequence[Rect], inside: float) -> Fits | None:
        height, width = self.own.shape
        around = hull(rects)
        low, high = hull([around, _MIDDLE])[:2], hull([around, _MIDDLE])[2:]
        held = around if inside == 1 else _MIDDLE  # of a thing partly inside, the middle must be in the province
        left, top, right, bottom = self._bounds
        rows = range(max(-low[1], top - held[1]), min(height - high[1], bottom - held[3]) + 1)
        columns = range(max(-low[0], left - held[0]), min(width - high[0], right - held[2]) + 1)
        if not rows or not columns:
            return None
        good = np.ones((len(rows), len(columns)), dtype=np.bool_)
        own, total = np.zeros(good.shape, dtype=np.int32), 0
        for rect in rects:
            size = (rect[2] - rect[0]) * (rect[3] - rect[1])
            total += size
            if inside == 1:
                good &= self._open.everywhere(shift([rect], -left, -top)[0], rows, columns) == size
            else:
                good &= self._taken.everywhere(rect, rows, columns) == 0
                own += self._own.everywhere(rect, rows, columns)
        if inside < 1:
            good &= own >= math.ceil(inside * total - 1e-9)
            good &= self._own.everywhere(_MIDDLE, rows, columns) == 4
        at_rows, at_columns = spread(good, (rows.start + low[1], columns.start + low[0]))
        if not len(at_rows):
            return None
        share = own[at_rows, at_columns] / total if inside < 1 else np.ones(len(at_rows))
        at_rows, at_columns = at_rows + rows.start, at_columns + columns.start
        return Fits(at_columns, at_rows, share, self._tight(around, at_rows, at_columns))

    def _tight(self, rect: Rect, rows: Ints, columns: Ints) -> Floats:
        cramped = np.zeros(len(rows))
        ((left, top, right, bottom),) = shift([rect], -self._bounds[0], -self._bounds[1])
        for air in SLACK:
            wide = (left - air, top - air, right + air, bottom + air)
            cramped += self._open.at(wide, rows, columns) < (wide[2] - wide[0]) * (wide[3] - wide[1])
        return cramped / len(SLACK)

    def on_foreign_land(self, rects: Sequence[Rect], rows: Ints, columns: Ints) -> Floats:
        """Return the share of the rectangles on other provinces' land in play, at each of these places."""
        total = sum((r[2] - r[0]) * (r[3] - r[1]) for r in rects)
        return np.asarray(sum(self._foreign.at(r, rows, columns) for r in rects) / total)

    def distance(self, geometry: BaseGeometry, rows: Ints, columns: Ints) -> Floats:
        """Return the distance of these places from a thing on the page, in cells."""
        points = shapely.points((columns + self.window.left) * CELL, (rows + self.window.top) * CELL)
        return np.asarray(np.round(shapely.distance(points, geometry) / CELL, 6))


def hull(rects: Sequence[Rect]) -> Rect:
    """Return the least rectangle around them all."""
    left, top, right, bottom = zip(*rects, strict=True)
    return min(left), min(top), max(right), max(bottom)


def spread(good: Bools, before: tuple[int, int] = (0, 0)) -> tuple[Ints, Ints]:
    """Return the rows and columns of at most about `MOST` true cells, spread evenly.

    `before` is the number of rows and of columns that were cut off in front.
    """
    stride = 1
    while (found := good[tuple(slice((stride // 2 - cut) % stride, None, stride) for cut in before)]).sum() > MOST:
        stride += 1
    rows, columns = np.nonzero(found)
    if stride > 1 and len(rows) < MOST // 4:  # thin shapes slip through a coarse sieve
        rows, columns = np.nonzero(good)
        every = -(-len(rows) // MOST)
        return rows[::every].astype(np.int32), columns[::every].astype(np.int32)
    first = [(stride // 2 - cut) % stride for cut in before]
    return (rows * stride + first[0]).astype(np.int32), (columns * stride + first[1]).astype(np.int32)
