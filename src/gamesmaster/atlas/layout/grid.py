"""The page as a grid of cells: whose each cell is, and what already lies there.

Everything placed is covered by rectangles of whole cells, so that all comparisons are between whole numbers and come
out the same on every machine.  Arrays of cells are indexed [row, column].
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
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
    """The cells that a box around a point covers, all page units."""
    return (
        math.floor((x - half_x) / CELL),
        math.floor((y - half_y) / CELL),
        math.ceil((x + half_x) / CELL),
        math.ceil((y + half_y) / CELL),
    )


def square(side: float) -> Rect:
    """The cells that a square around the origin covers."""
    return rect_around(0, 0, side / 2, side / 2)


def moved(rects: Iterable[Rect], column: int, row: int) -> list[Rect]:
    """Rectangles shifted."""
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
            inside = self._covered(shape, window)
            part = self.owner[window.slices]
            part[inside & (part == NOBODY)] = number
        self.land: Bools = np.array([*land, False], dtype=np.bool_)[self.owner]

    def window(self, bounds: Sequence[float], reach: int = 0) -> Window:
        """The cells around bounds in page units (x0, y0, x1, y1), and `reach` cells more on each side."""
        x0, y0, x1, y1 = (0.0, 0.0, 0.0, 0.0) if any(map(math.isnan, bounds)) else bounds
        return Window(
            _within(math.floor(y0 / CELL) - reach, self.rows),
            _within(math.floor(x0 / CELL) - reach, self.columns),
            _within(math.ceil(y1 / CELL) + reach, self.rows),
            _within(math.ceil(x1 / CELL) + reach, self.columns),
        )

    def _covered(self, shape: BaseGeometry, window: Window) -> Bools:
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
        self.taken[window.slices] += self._covered(wide, window).astype(np.int16)

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
        """The sum over the rectangle moved to every row and column (ranges of step 1)."""
        c0, r0, c1, r1 = rect
        t = self.table
        low, high = slice(rows.start + r0, rows.stop + r0), slice(rows.start + r1, rows.stop + r1)
        left, right = slice(columns.start + c0, columns.stop + c0), slice(columns.start + c1, columns.stop + c1)
        found: Ints = t[high, right] - t[low, right] - t[high, left] + t[low, left]
        return found

    def at(self, rect: Rect, rows: Ints, columns: Ints) -> Ints:
        """The sum over the rectangle moved to these places, cut off at the edge of the field."""
        height, width = self.table.shape
        r0, r1 = (np.clip(rows + rect[k], 0, height - 1) for k in (1, 3))
        c0, c1 = (np.clip(columns + rect[k], 0, width - 1) for k in (0, 2))
        t = self.table
        found: Ints = t[r1, c1] - t[r0, c1] - t[r1, c0] + t[r0, c0]
        return found
