"""Curves on the page: bows between two places, and smooth lines through many.

Lengths are page units, y grows downwards; a curve's parameter runs from 0 to the number of its pieces.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import dist, hypot

Point = tuple[float, float]
Piece = tuple[Point, Point, Point, Point]
Pulls = tuple[float, float]
"""The offsets of a line from the straight one between two points, after a third and after two thirds of its way."""

_LEAST = 1e-6
_SHARES = tuple(
    (u, (1 - u) ** 3, 3 * u * (1 - u) ** 2, 3 * u * u * (1 - u), u**3) for u in (k / 16 for k in range(1, 17))
)
"""The samples of a piece, from which lengths are measured: parameter, and the shares of its four points."""


@dataclass(frozen=True)
class Curve:
    """Cubic Bézier pieces, end to end; where one begins elsewhere than the last ended, the curve has a gap."""

    pieces: tuple[Piece, ...]

    # -- points ------------------------------------------------------------------------------------------------------

    def at(self, t: float) -> Point:
        """Return the point at a parameter."""
        i = min(max(int(t), 0), len(self.pieces) - 1)
        return _point(self.pieces[i], t - i)

    def heading(self, t: float) -> Point:
        """Return the direction of the curve at a parameter, as a step of length 1."""
        i = min(max(int(t), 0), len(self.pieces) - 1)
        u, (a, b, c, d) = t - i, self.pieces[i]
        p, q, r = (1 - u) ** 2, 2 * u * (1 - u), u * u
        x = p * (b[0] - a[0]) + q * (c[0] - b[0]) + r * (d[0] - c[0])
        y = p * (b[1] - a[1]) + q * (c[1] - b[1]) + r * (d[1] - c[1])
        if not (x or y):
            x, y = d[0] - a[0], d[1] - a[1]
        length = hypot(x, y) or 1.0
        return x / length, y / length

    @cached_property
    def samples(self) -> tuple[tuple[float, Point, float], ...]:
        """Points along the curve, each with its parameter and its way from the beginning; gaps have no length."""
        found = [(0.0, self.pieces[0][0], 0.0)]
        for i, ((ax, ay), (bx, by), (cx, cy), (dx, dy)) in enumerate(self.pieces):
            x, y, way = ax, ay, found[-1][2]
            for u, p, q, r, s in _SHARES:  # this is where drawing spends most of its time
                px, py = x, y
                x, y = p * ax + q * bx + r * cx + s * dx, p * ay + q * by + r * cy + s * dy
                way += hypot(x - px, y - py)
                found.append((i + u, (x, y), way))
        return tuple(found)

    @property
    def length(self) -> float:
        """Its length."""
        return self.samples[-1][2]

    def after(self, way: float) -> float:
        """Return the parameter at this length from the beginning, within the curve."""
        for (t0, _, w0), (t1, _, w1) in pairwise(self.samples):
            if w1 >= way:
                return t0 + (t1 - t0) * (max(way - w0, 0) / (w1 - w0) if w1 > w0 else 0)
        return float(len(self.pieces))

    def way(self, t: float) -> float:
        """Return its length up to a parameter."""
        for (t0, _, w0), (t1, _, w1) in pairwise(self.samples):
            if t1 >= t:
                return w0 + (w1 - w0) * (t - t0) / (t1 - t0)
        return self.length

    # -- parts -------------------------------------------------------------------------------------------------------

    def leaves(self, centre: Point, radius: float) -> float:
        """Return the parameter where it first comes out of a circle around its beginning; half way if it never does."""
        return _crossing(self.samples, centre, radius, len(self.pieces) / 2)

    def enters(self, centre: Point, radius: float) -> float:
        """Return the parameter where it last comes into a circle around its end; half way if it never is outside."""
        return _crossing(self.samples[::-1], centre, radius, len(self.pieces) / 2)

    def part(self, start: float, end: float) -> Curve:
        """Return the curve between two parameters; never quite nothing."""
        start = min(max(start, 0.0), len(self.pieces) - _LEAST)
        end = max(end, start + _LEAST)
        found = []
        for i, piece in enumerate(self.pieces):
            a, b = max(start - i, 0.0), min(end - i, 1.0)
            if a < b:
                found.append(piece if (a, b) == (0.0, 1.0) else _split(_split(piece, b)[0], a / b)[1])
        return Curve(tuple(found))

    def outside(self, circles: Sequence[tuple[Point, float]]) -> tuple[tuple[float, float], ...]:
        """Return the stretches of the curve outside all circles (middle and radius), by their ends' parameters."""
        found: list[tuple[float, float]] = []
        begin, (t0, point, _) = 0.0, self.samples[0]
        depth = _depth(point, circles)
        for t, point, _ in self.samples[1:]:
            deeper = _depth(point, circles)
            if (depth > 0) != (deeper > 0):
                edge = t0 + (t - t0) * depth / (depth - deeper)
                if deeper > 0:
                    found.append((begin, edge))
                begin = edge
            t0, depth = t, deeper
        return (*found, (begin, t0)) if depth <= 0 else tuple(found)

    # -- as text -----------------------------------------------------------------------------------------------------

    @property
    def data(self) -> str:
        """It as SVG path data, in whole units."""
        words: list[str] = []
        here: tuple[int, int] | None = None
        for piece in self.pieces:
            (x, y), *others = ((round(x), round(y)) for x, y in piece)
            if here != (x, y):
                words.append(f"M{x} {y}")
            words.append("c" + numbers((px - x, py - y) for px, py in others))
            here = others[-1]
        return "".join(words)


def _point(piece: Piece, u: float) -> Point:
    a, b, c, d = piece
    v = 1 - u
    p, q, r, s = v * v * v, 3 * v * v * u, 3 * v * u * u, u * u * u
    return p * a[0] + q * b[0] + r * c[0] + s * d[0], p * a[1] + q * b[1] + r * c[1] + s * d[1]


def away(point: Point, a: Point, b: Point) -> float:
    """Return the distance of a point from a straight line between two others."""
    (px, py), (ax, ay), (dx, dy) = point, a, (b[0] - a[0], b[1] - a[1])
    square = dx * dx + dy * dy
    along = min(1.0, max(0.0, ((px - ax) * dx + (py - ay) * dy) / square)) if square else 0.0
    return hypot(px - ax - along * dx, py - ay - along * dy)


def _mix(a: Point, b: Point, u: float) -> Point:
    return a[0] + (b[0] - a[0]) * u, a[1] + (b[1] - a[1]) * u


def _split(piece: Piece, u: float) -> tuple[Piece, Piece]:
    a, b, c, d = piece
    ab, bc, cd = _mix(a, b, u), _mix(b, c, u), _mix(c, d, u)
    abc, bcd = _mix(ab, bc, u), _mix(bc, cd, u)
    middle = _mix(abc, bcd, u)
    return (a, ab, abc, middle), (middle, bcd, cd, d)


def _depth(point: Point, circles: Sequence[tuple[Point, float]]) -> float:
    """Return how deep a point is within one of the circles; negative outside."""
    return max((radius - dist(point, centre) for centre, radius in circles), default=-1.0)


def _crossing(samples: Sequence[tuple[float, Point, float]], centre: Point, radius: float, missing: float) -> float:
    """Return the parameter where samples that begin near a centre come out of the circle around it."""
    before, inner = samples[0][0], dist(samples[0][1], centre)
    for t, point, _ in samples:
        outer = dist(point, centre)
        if outer >= radius:
            return before + (t - before) * (max(radius - inner, 0) / (outer - inner) if outer > inner else 0)
        before, inner = t, outer
    return missing


# -- curves ----------------------------------------------------------------------------------------------------------


def pull_aside(a: Point, b: Point, pulls: Pulls) -> Piece:
    """Return a curve from `a` to `b`, bent to its right by two pulls, one near each end."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = hypot(dx, dy) or 1.0
    (x, y), (first, second) = (-dy / length, dx / length), pulls
    c = a[0] + dx / 3 + x * first, a[1] + dy / 3 + y * first
    return a, c, (b[0] - dx / 3 + x * second, b[1] - dy / 3 + y * second), b


def pulls_of(piece: Piece) -> Pulls:
    """Return the offsets of a piece from the straight line."""
    a, c, d, b = piece
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = hypot(dx, dy) or 1.0
    first, second = (((y - a[1]) * dx - (x - a[0]) * dy) / length for x, y in (c, d))
    return first, second


def through(points: Sequence[Point]) -> Curve:
    """Return a smooth curve through points. Equal neighbours count once, and there must be two different points."""
    row = [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]
    if len(row) < 2:
        row = [row[0], (row[0][0] + 1, row[0][1])]
    ways = [max(dist(a, b), 1e-9) for a, b in pairwise(row)]
    slopes = [_slope(row, ways, i) for i in range(len(row))]
    pieces = []
    for i, ((ax, ay), (bx, by)) in enumerate(pairwise(row)):
        third = ways[i] / 3
        (sx, sy), (ex, ey) = slopes[i], slopes[i + 1]
        pieces.append(
            ((ax, ay), (ax + sx * third, ay + sy * third), (bx - ex * third, by - ey * third), (bx, by)),
        )
    return Curve(tuple(pieces))


def _slope(row: Sequence[Point], ways: Sequence[float], i: int) -> Point:
    """Return the direction in which a smooth curve passes its i-th point: the nearer neighbour counts for more."""
    if i == 0 or i == len(row) - 1:
        k = min(i, len(row) - 2)
        return (row[k + 1][0] - row[k][0]) / ways[k], (row[k + 1][1] - row[k][1]) / ways[k]
    (x0, y0), (x, y), (x1, y1) = row[i - 1 : i + 2]
    before, after = ways[i - 1], ways[i]
    sx = (x - x0) / before * after + (x1 - x) / after * before
    sy = (y - y0) / before * after + (y1 - y) / after * before
    length = hypot(sx, sy)
    return (sx / length, sy / length) if length > 1e-9 else (0.0, 0.0)


def join(curves: Iterable[Curve]) -> Curve:
    """Return several curves as one, with the gaps between them."""
    return Curve(tuple(piece for curve in curves for piece in curve.pieces))


def numbers(pairs: Iterable[tuple[int, int]]) -> str:
    """Return numbers as path data: a minus sign separates them as well as a space does."""
    text = ""
    for number in (n for pair in pairs for n in pair):
        text += f"{'' if not text or number < 0 else ' '}{number}"
    return text
