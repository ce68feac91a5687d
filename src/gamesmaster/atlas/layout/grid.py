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
    that is land in play; `taken` counts the things that lie there or within the gap around them.
    """

    def __init__(self, shapes: Sequence[BaseGeometry], land: Sequence[bool], frame: tuple[int, int]) -> None:
        self.columns, self.rows = frame[0] // CELL, frame[1] // CELL
        self.owner: npt.NDArray[np.int16] = np.full((self.rows, self.columns), NOBODY, dtype=np.int16)
        self.taken: npt.NDArray[np.int16] = np.ones((self.rows, self.columns), dtype=np.int16)
        self.taken[RIM:-RIM, RIM:-RIM] = 0
        for number, shape in enumerate(shapes):
            window = self.window(shape.bounds)
            inside = self._cells_in(shape, window)
            part = self.owner[window.slices]
            part[inside & (part == NOBODY)] = number
        self.land: Bools = np.array([*land, False], dtype=np.bool_)[self.owner]

    def window(self, bounds: Sequence[float], reach: int = 0) -> Window:
        """Return the cells around bounds in page units (x0, y0, x1, y1), and `reach` cells more on each side."""
        x0, y0, x1, y1 = (0.0, 0.0, 0.0, 0.0) if any(map(math.isnan, bounds)) else bounds
        return Window(
            _within(math.floor(y0 / CELL) - reach, self.rows),
            _within(math.floor(x0 / CELL) - reach, self.columns),
            _within(math.ceil(y1 / CELL) + reach, self.rows),
            _within(math.ceil(x1 / CELL) + reach, self.columns),
        )

    def _cells_in(self, shape: BaseGeometry, window: Window) -> Bools:
        rows, columns = window.bottom - window.top, window.right - window.left
        x = (np.arange(window.left, window.right) + 0.5) * CELL
        y = (np.arange(window.top, window.bottom) + 0.5) * CELL
        shapely.prepare(shape)
        found = shapely.contains_xy(shape, np.tile(x, rows), np.repeat(y, columns))
        return np.asarray(found, dtype=np.bool_).reshape(rows, columns)

    def bar(self, obstacle: BaseGeometry) -> None:
        """Keep an obstacle clear for good."""
        wide = obstacle.buffer(CELL)
        window = self.window(wide.bounds)
        self.taken[window.slices] += self._cells_in(wide, window).astype(np.int16)

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
        r0, r1 = np.clip(top, 0, height - 1), np.clip(bottom, 0, height - 1)
        c0, c1 = np.clip(left, 0, width - 1), np.clip(right, 0, width - 1)
        t = self.table
        found: Ints = t[r1, c1] - t[r0, c1] - t[r1, c0] + t[r0, c0]
        return found


# -- one province on the grid ------------------------------------------------------------------------------------------


REACH = 40  # cells beyond the province that its units may lean over
MOST = 100  # places tried for a thing, spread evenly over all where it fits
SLACK = (2, 4, 7)  # cells of air around a thing that are worth having


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
    """A province and the ground about it, as it stands now: made anew when neighbours have changed."""

    def __init__(self, ground: Ground, number: int, window: Window) -> None:
        self.window = window
        owner, taken = ground.owner[window.slices], ground.taken[window.slices]
        self.own: Bools = owner == number
        self.free: Bools = taken == 0
        self._own, self._taken = Sums(self.own), Sums(~self.free)
        self._foreign = Sums(ground.land[window.slices] & ~self.own)
        self._found: dict[tuple[tuple[Rect, ...], float], Fits | None] = {}

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
        clear = self.clearance(at_rows, at_columns)
        away = np.hypot(at_rows - at_rows.mean(), at_columns - at_columns.mean())
        best = int(np.argmin(np.round(away - 1.1 * clear, 6)))
        return float(at_columns[best]), float(at_rows[best])

    def clearance(self, rows: Ints, columns: Ints) -> Ints:
        """Return, for each of these cells, half the side of the largest square around it within the province."""
        low, high = np.zeros_like(rows), np.full_like(rows, 256)
        for _ in range(9):
            half = (low + high) // 2
            square = self._own.between(rows - half, columns - half, rows + half + 1, columns + half + 1)
            fits = square == (2 * half + 1) ** 2
            low, high = np.where(fits, half, low), np.where(fits, high, half)
        return low

    @cached_property
    def axis(self) -> tuple[float, float]:
        """Angle of the long axis, degrees clockwise (-90 to 90), and how many times the short one it is."""
        rows, columns = np.nonzero(self.own)
        if len(rows) < 9:
            return 0.0, 1.0
        x, y = columns - columns.mean(), rows - rows.mean()
        xx, yy, xy = float((x * x).mean()), float((y * y).mean()), float((x * y).mean())
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
        low, high = hull([*rects, (-1, -1, 1, 1)])[:2], hull([*rects, (-1, -1, 1, 1)])[2:]
        rows, columns = range(-low[1], height + 1 - high[1]), range(-low[0], width + 1 - high[0])
        if not rows or not columns:
            return None
        total = sum((r[2] - r[0]) * (r[3] - r[1]) for r in rects)
        own = sum(self._own.everywhere(r, rows, columns) for r in rects)
        good = np.asarray(own >= math.ceil(inside * total - 1e-9))
        if inside < 1:  # even then, a thing's middle must be in the province
            good &= self._own.everywhere((-1, -1, 1, 1), rows, columns) == 4
        for rect in rects:
            good &= self._taken.everywhere(rect, rows, columns) == 0
        at_rows, at_columns = spread(good)
        if not len(at_rows):
            return None
        share = np.asarray(own)[at_rows, at_columns] / total
        at_rows, at_columns = at_rows + rows.start, at_columns + columns.start
        return Fits(at_columns, at_rows, share, self._tight(hull(rects), at_rows, at_columns))

    def _tight(self, rect: Rect, rows: Ints, columns: Ints) -> Floats:
        cramped = np.zeros(len(rows))
        for air in SLACK:
            wide = (rect[0] - air, rect[1] - air, rect[2] + air, rect[3] + air)
            all_in = self._own.at(wide, rows, columns) == (wide[2] - wide[0]) * (wide[3] - wide[1])
            cramped += ~(all_in & (self._taken.at(wide, rows, columns) == 0))
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
    return min(r[0] for r in rects), min(r[1] for r in rects), max(r[2] for r in rects), max(r[3] for r in rects)


def spread(good: Bools) -> tuple[Ints, Ints]:
    """Return the rows and columns of at most about `MOST` true cells, spread evenly."""
    stride = 1
    while (found := good[stride // 2 :: stride, stride // 2 :: stride]).sum() > MOST:
        stride += 1
    rows, columns = np.nonzero(found)
    if stride > 1 and len(rows) < MOST // 4:  # thin shapes slip through a coarse sieve
        rows, columns = np.nonzero(good)
        every = -(-len(rows) // MOST)
        return rows[::every].astype(np.int32), columns[::every].astype(np.int32)
    offset = stride // 2
    return (rows * stride + offset).astype(np.int32), (columns * stride + offset).astype(np.int32)
