"""Plane geometry for the linter: boxes that may be turned, and points in provinces."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from math import cos, hypot, radians, sin

from gamesmaster.pictures.shapes import Label, Point

Corner = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the page, by its corners in turn."""

    corners: tuple[Corner, Corner, Corner, Corner]

    def bounds(self) -> tuple[float, float, float, float]:
        """Least x, least y, most x, most y."""
        xs, ys = zip(*self.corners, strict=True)
        return min(xs), min(ys), max(xs), max(ys)

    def depth(self, other: Box) -> float:
        """How far the two reach into each other: the least shift that would part them; negative if they are apart."""
        return min(_shared(self.corners, other.corners, axis) for box in (self, other) for axis in box.axes())

    def axes(self) -> Iterator[Corner]:
        """Directions of its sides, of length 1."""
        for (x, y), (u, v) in pairwise(self.corners[:3]):
            length = hypot(u - x, v - y) or 1
            yield (u - x) / length, (v - y) / length

    def within(self, size: Point, slack: float) -> bool:
        """Does it lie in a frame of this width and height, but for so much?"""
        return all(-slack <= x <= size[0] + slack and -slack <= y <= size[1] + slack for x, y in self.corners)


def box(middle: Point, width: float, height: float, turn: float = 0) -> Box:
    """A rectangle about its middle, turned so many degrees clockwise."""
    c, s = cos(radians(turn)), sin(radians(turn))
    halves = [(dx * width / 2, dy * height / 2) for dx, dy in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    a, b, d, e = [(middle[0] + dx * c - dy * s, middle[1] + dx * s + dy * c) for dx, dy in halves]
    return Box((a, b, d, e))


def label_box(label: Label) -> Box:
    """The room that a line of text takes."""
    return box(label.at, label.width, label.height, label.turn)


def overlapping(boxes: Sequence[Box]) -> Iterator[tuple[int, int, float]]:
    """Pairs of boxes that reach into each other, by number, the lower first, and how far."""
    bounds = [b.bounds() for b in boxes]
    order = sorted(range(len(boxes)), key=bounds.__getitem__)
    for at, i in enumerate(order):
        _, top, right, bottom = bounds[i]
        for j in islice(order, at + 1, None):
            if bounds[j][0] >= right:
                break
            if bounds[j][1] < bottom and bounds[j][3] > top and (depth := boxes[i].depth(boxes[j])) > 0:
                yield min(i, j), max(i, j), depth


def inside(point: Point, rings: Iterable[Sequence[Point]]) -> bool:
    """Is the point in this area, by the even-odd rule?

    >>> square = [(0, 0), (10, 0), (10, 10), (0, 10)]
    >>> inside((5, 5), [square]), inside((15, 5), [square]), inside((5, 5), [square, [(4, 4), (6, 4), (5, 8)]])
    (True, False, False)
    """
    x, y = point
    odd = False
    for ring in rings:
        u, v = ring[-1]
        for p, q in ring:
            if (q > y) != (v > y) and x < (u - p) * (y - q) / (v - q) + p:
                odd = not odd
            u, v = p, q
    return odd


def _shared(ours: Iterable[Corner], theirs: Iterable[Corner], axis: Corner) -> float:
    a = [x * axis[0] + y * axis[1] for x, y in ours]
    b = [x * axis[0] + y * axis[1] for x, y in theirs]
    return min(max(a), max(b)) - max(min(a), min(b))
