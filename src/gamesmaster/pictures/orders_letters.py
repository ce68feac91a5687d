"""Where the letters of a map are, for the ends of arrows to stop beside them."""

from __future__ import annotations

from functools import lru_cache
from math import cos, radians, sin

from gamesmaster.pictures.arrows import Curve, Point
from gamesmaster.pictures.shapes import Label, Layout

_HEIGHT = 0.42  # from the middle of a line of capitals to its edge and a little more, for a font of size 1
_HEAD = (0.0, 0.0), (-0.1, 0.0), (-0.16, 0.08), (-0.16, -0.08), (-0.24, 0.0), (-0.32, 0.15), (-0.32, -0.15)
_STOP = (0.08, 0.23), (0.08, 0.12), (0.08, 0.0), (0.08, -0.12), (0.08, -0.23)
"""Points of an arrow's head and of the bar before it: along and across, in parts of a sign's side."""

_STEP, _STEPS = 0.08, 20  # how far an end is shifted at a time, and how often
_LEAST = 0.35  # of an arrow's way: less is not left of it
_CELL = 256  # page units: lines of text are kept by the squares of this size that they touch

_Line = tuple[float, float, float, float, float, float]
"""A line of text: its middle, half its width and height, cosine and sine of its turn."""


class Letters:
    """The lines of text of one layout."""

    def __init__(self, layout: Layout, size: float) -> None:
        self.size = size
        self._cells: dict[tuple[int, int], list[_Line]] = {}
        for place in layout.places.values():
            for label in place.labels:
                self._keep(label)

    def _keep(self, label: Label) -> None:
        (x, y), half, high = label.at, label.width / 2, _HEIGHT * label.size
        if label.turn:
            line = x, y, half, high, cos(radians(label.turn)), sin(radians(label.turn))
            wide = tall = half + high
        else:
            line, wide, tall = (x, y, half, high, 1.0, 0.0), half, high
        for column in range(int((x - wide) // _CELL), int((x + wide) // _CELL) + 1):
            for row in range(int((y - tall) // _CELL), int((y + tall) // _CELL) + 1):
                self._cells.setdefault((column, row), []).append(line)

    def cover(self, point: Point) -> bool:
        """Does a point lie beneath letters?"""
        x, y = point
        for u, v, half, high, c, s in self._cells.get((int(x // _CELL), int(y // _CELL)), ()):
            dx, dy = x - u, y - v
            if abs(dx * c + dy * s) <= half and abs(dy * c - dx * s) <= high:
                return True
        return False

    def end(self, tip: Point, heading: Point, *, bar: bool = False) -> bool:
        """Would the head of an arrow, or the bar before it, lie beneath letters?"""
        (x, y), dx, dy = tip, heading[0] * self.size, heading[1] * self.size
        spread = (*_HEAD, *_STOP) if bar else _HEAD
        return any(self.cover((x + dx * a - dy * b, y + dy * a + dx * b)) for a, b in spread)

    def past(self, curve: Curve, end: float, last: float, *, bar: bool = False) -> float:
        """The parameter at which an arrow ends instead of `end`: as near as it can without a letter over its head.

        It may go on as far as `last`, into the place of a unit that is not there.  Where the way is too short for
        anything else, it ends where it would.
        """
        if not self.end(curve.at(end), curve.heading(end), bar=bar):
            return end
        whole, most = curve.way(end), curve.way(last)
        step = _STEP * self.size
        shifts = sorted((k * step for k in range(-_STEPS, _STEPS + 1) if k), key=abs)
        for way in (whole + shift for shift in shifts if _LEAST * whole <= whole + shift <= most):
            t = curve.after(way)
            if not self.end(curve.at(t), curve.heading(t), bar=bar):
                return t
        return end


@lru_cache(maxsize=32)
def letters_of(layout: Layout, size: float) -> Letters:
    """The lines of text of a layout, as arrows of signs of a size see them."""
    return Letters(layout, size)
