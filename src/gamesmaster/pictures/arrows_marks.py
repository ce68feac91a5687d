"""The marks at the ends of curves and about units, as SVG path data: heads, bars, crosses, rings, stars.

Sizes are page units; a heading is a step of length 1.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from math import ceil, cos, pi, sin

from gamesmaster.pictures.arrows import Curve, Point, numbers


def head(tip: Point, heading: Point, length: float) -> str:
    """An arrow head, to be filled: its point, and barbs a little behind its back."""
    (x, y), (dx, dy) = tip, heading
    half = length * 0.48
    back = x - dx * length, y - dy * length
    notch = x - dx * length * 0.72, y - dy * length * 0.72
    left, right = (back[0] + dy * half, back[1] - dx * half), (back[0] - dy * half, back[1] + dx * half)
    return polygon((tip, left, notch, right))


def bar(middle: Point, heading: Point, width: float) -> str:
    """A line across the way of a curve."""
    (x, y), (dx, dy) = middle, heading
    half = width / 2
    return line(((x - dy * half, y + dx * half), (x + dy * half, y - dx * half)))


def cross(middle: Point, reach: float) -> str:
    """Two strokes that cross out what is beneath."""
    x, y = middle
    return line(((x - reach, y - reach), (x + reach, y + reach))) + line(
        ((x + reach, y - reach), (x - reach, y + reach))
    )


def plus(middle: Point, reach: float) -> str:
    """A plus sign."""
    x, y = middle
    return line(((x - reach, y), (x + reach, y))) + line(((x, y - reach), (x, y + reach)))


def slashes(middle: Point, heading: Point, size: float) -> str:
    """Two short strokes aslant across a line: here it is cut."""
    (x, y), (dx, dy) = middle, heading
    words = ""
    for shift in (-0.22, 0.22):
        cx, cy = x + dx * shift * size, y + dy * shift * size
        tx, ty = (dx * 0.35 - dy) * size / 2, (dy * 0.35 + dx) * size / 2
        words += line(((cx - tx, cy - ty), (cx + tx, cy + ty)))
    return words


def zigzag(curve: Curve, step: float, swing: float) -> str:
    """A curve drawn as a zigzag: a turn every `step`, `swing` to either side of it."""
    turns = max(2, ceil(curve.length / step))
    points: list[Point] = []
    for k in range(turns + 1):
        t = curve.after(curve.length * k / turns)
        (x, y), (dx, dy) = curve.at(t), curve.heading(t)
        side = 0 if k in (0, turns) else swing if k % 2 else -swing
        points.append((x - dy * side, y + dx * side))
    return line(points)


def ring(middle: Point, radius: float) -> str:
    """A circle."""
    x, y, r = round(middle[0]), round(middle[1]), round(radius)
    return f"M{x - r} {y}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0z"


def burst(middle: Point, radius: float, rays: int = 14) -> str:
    """A star of many short rays around what is in it."""
    points = []
    for k in range(2 * rays):
        reach = radius * (1.22 if k % 2 else 1.0)
        angle = pi * k / rays
        points.append((middle[0] + reach * cos(angle), middle[1] + reach * sin(angle)))
    return polygon(points)


def square(middle: Point, reach: float) -> str:
    """A square with sides parallel to the page's."""
    x, y, side = round(middle[0] - reach), round(middle[1] - reach), round(2 * reach)
    return f"M{x} {y}h{side}v{side}h{-side}z"


def line(points: Iterable[Point]) -> str:
    """An open line through points, in whole units."""
    (x, y), *others = ((round(px), round(py)) for px, py in points)
    steps = ((bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise([(x, y), *others]))
    return f"M{x} {y}l{numbers(steps)}"


def polygon(points: Iterable[Point]) -> str:
    """A closed line through points."""
    return f"{line(points)}z"
