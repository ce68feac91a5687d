"""The bowing of lines: they pass units and names at the side, and end beside letters.

A line between two ends is a cubic that is pulled aside after a third and after two thirds of its way. Of the curves
that differ by one pull, exactly one runs through each point between the ends: so each thing there forbids one stretch
of that pull, and the best pull is the wanted one, or the nearest end of a stretch.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import cos, dist, hypot, radians, sin
from typing import NamedTuple

from gamesmaster.pictures.curves import Curve, Piece, Point, Pulls, pull_aside
from gamesmaster.pictures.shapes.values import Label, Layout, Spot

_OVER_UNIT, _OVER_NAME = 3.0, 1.0
"""The costs of running over a unit or a name; a pull as long as the line costs as much as a name."""

_SIDE = 0.52  # half a unit's side, for a sign with a side of 1
_CAPITALS = 0.3  # half the height of a line of text, for a font of size 1
_STEP = 60  # page units from one point of an outline to the next
_SPARE = 4  # page units by which a line passes more than an outline
_SEEN = 0.6  # of a rim: a line that leaves aslant is seen nearer to its end
_LEAST = 0.02  # of a line's length: so near to its ends no pull moves it
_FARTHER = 2.5  # how much farther than both together one pull may go alone
_TOGETHER = 3.0  # how far both may go if one does
_BULGE = 1.12  # how far aside a line so pulled comes at most

_BOTH: Pulls = (1.0, 1.0)
_EACH: tuple[Pulls, Pulls] = ((1.0, 0.0), (0.0, 1.0))

_STEPS = 6  # in which one pull is tried from bound to bound
_MANY = 16  # things: a line that passes more is long, and cannot wind its way between them

Ends = tuple[Point, Point]
_Stretch = tuple[float, float, float]
"""From where to where a pull is bad, and how bad."""


class Thing(NamedTuple):
    """Something that lines should not run over: an oblong about a middle."""

    x: float
    y: float
    reach: float  # how far it reaches at most
    half: float  # half its width
    high: float  # half its height
    weight: float  # how bad it is to run over it
    cosine: float = 1.0  # of its turn
    sine: float = 0.0  # likewise


class Things:
    """All things on a page: units in their spots, and names and codes; lines around these are `thick`."""

    def __init__(self, layout: Layout, spots: Iterable[Spot], thick: float) -> None:
        units = (Thing(x, y, _SIDE * room * 1.5, _SIDE * room, _SIDE * room, _OVER_UNIT) for x, y, room in set(spots))
        names = _names(layout, thick)
        self._row = sorted((*units, *names))
        self._reach = max((thing.reach for thing in self._row), default=0.0)

    def line(self, ends: Ends, wish: Pulls, bounds: Pulls, rims: tuple[float, float]) -> tuple[float, Piece]:
        """Return the cost of a line, and the line, bent as wished if that is clear.

        Otherwise it crosses as few things as possible, and the cost measures these.  Its pulls stay within `bounds`,
        the least and the greatest; the parts beneath the rims at its two ends are invisible.
        """
        a, b = ends
        for aside in (max(map(abs, wish)), _BULGE * max(map(abs, bounds))):
            room = Room(ends, self._near(ends, aside), rims)
            if room.open(wish):
                return 0.0, pull_aside(a, b, wish)
        cost, pulls = room.clear(wish, *bounds)
        return cost, pull_aside(a, b, pulls)

    def _near(self, ends: Ends, aside: float) -> list[Thing]:
        """Return the things at most `aside` from the straight line between two ends, except those centred on an end."""
        (ax, ay), (bx, by) = ends
        length = dist(*ends) or 1.0
        ex, ey = (bx - ax) / length, (by - ay) / length
        reach = aside + self._reach
        top, bottom = min(ay, by) - reach, max(ay, by) + reach
        row = self._row[bisect(self._row, (min(ax, bx) - reach,)) : bisect(self._row, (max(ax, bx) + reach,))]
        return [  # this runs for every line, so attribute names would be too slow
            t
            for t in row
            if top < t[1] < bottom
            and abs((t[1] - ay) * ex - (t[0] - ax) * ey) < aside + t[2]
            and -t[2] < (t[0] - ax) * ex + (t[1] - ay) * ey < length + t[2]
            and t[:2] not in ends
        ]


@lru_cache(maxsize=32)
def _names(layout: Layout, thick: float) -> tuple[Thing, ...]:
    """Return the names and codes of a layout, from left to right."""
    return tuple(sorted(_name(label, thick) for place in layout.values() for label in place.labels))


def _name(label: Label, thick: float) -> Thing:
    (x, y), turn = label.at, radians(label.turn)
    half, high = (label.width + thick) / 2, _CAPITALS * label.size + thick / 2
    return Thing(x, y, hypot(half, high), half, high, _OVER_NAME, cos(turn), sin(turn))


class Room:
    """The things between two ends, seen along the straight line from one to the other.

    Things nearer to an end than its rim do not count.
    """

    def __init__(self, ends: Ends, things: Iterable[Thing], rims: tuple[float, float]) -> None:
        a, b = ends
        self._start, self._length = a, dist(a, b) or 1.0
        self._along = (b[0] - a[0]) / self._length, (b[1] - a[1]) / self._length
        begin, end = (max(_SEEN * rim / self._length, _LEAST) for rim in rims)
        self._first, self._last = begin, 1 - end
        seen = ((thing.weight, self._outline(thing)) for thing in things)
        self._outlines = [(weight, points) for weight, points in seen if points]

    def _outline(self, thing: Thing) -> list[tuple[float, float, float]]:
        """Return the points around a thing: their offsets, and how far each pull moves a line there."""
        (ex, ey), first, last = self._along, self._first, self._last
        x, y, _, half, high, _, c, s = thing
        x, y, half_share, high_share = x - self._start[0], y - self._start[1], half / self._length, high / self._length
        u, q = (x * ex + y * ey) / self._length, y * ex - x * ey
        cosine, sine = c * ex + s * ey, s * ex - c * ey
        over, up = half_share * cosine, -high_share * sine
        found = []
        for side in (-1, 1):
            begin, off = u + side * up, q + side * high * cosine
            low, upto = _between(first - begin, last - begin, over)
            many = 1 + int((upto - low) * half / _STEP)
            for k in range(many + 1) if low < upto else ():
                share = low + k * (upto - low) / many
                at = begin + share * over
                rest = 1 - at
                found.append((off + share * half * sine, 3 * at * rest * rest, 3 * at * at * rest))
        return found

    def open(self, pulls: Pulls) -> bool:
        """Return whether nothing is in the way of a line with these pulls."""
        return not any(begin < 0 < end for begin, end, _ in self._stretches(pulls, _BOTH))

    def clear(self, wish: Pulls, least: float, most: float) -> tuple[float, Pulls]:
        """Return the least cost and the pulls with this cost that are nearest to the wish.

        Both are between `least` and `most`; if changing only one helps, it may be farther out.
        """
        cost, pulls = self._best_change(wish, _BOTH, least - min(wish), most - max(wish))
        if not cost or len(self._outlines) > _MANY:
            return cost, pulls
        return min([(cost, pulls), *self._one_by_one(wish, least, most)], key=lambda one: one[0])

    def _one_by_one(self, wish: Pulls, least: float, most: float) -> Iterator[tuple[float, Pulls]]:
        """Yield pairs of pulls with their cost until one costs nothing.

        One pull is set, and the other is the best for it.
        """
        low, high = min(least, _FARTHER * least), _FARTHER * most
        steps = [low + (high - low) * k / _STEPS for k in range(_STEPS + 1)]
        for i in (0, 1):
            other, shape = wish[1 - i], _EACH[1 - i]
            for pull in sorted((wish[i], *steps), key=lambda one: abs(one - wish[i])):
                begin = max(low, _TOGETHER * min(least, 0.0) - pull) - other
                end = min(high, _TOGETHER * most - pull) - other
                cost, pulls = self._best_change((other, pull) if i else (pull, other), shape, begin, end)
                yield cost, pulls
                if not cost:
                    return

    def _best_change(self, pulls: Pulls, shape: Pulls, low: float, high: float) -> tuple[float, Pulls]:
        """Return the best change of a shape within bounds: how bad the line still is, and its pulls."""
        bad = [s for s in self._stretches(pulls, shape) if s[0] < high and s[1] > low]
        cost, change = _best(bad, low, high, 1 / self._length)
        return cost, (pulls[0] + change * shape[0], pulls[1] + change * shape[1])

    def _stretches(self, pulls: Pulls, shape: Pulls) -> Iterator[_Stretch]:
        """Yield the changes of this shape to these pulls that each thing forbids."""
        (first, second), (s, t) = pulls, shape
        for weight, outline in self._outlines:
            changes = [(off - first * m - second * n) / (s * m + t * n) for off, m, n in outline]
            yield min(changes) - _SPARE, max(changes) + _SPARE, weight


def _between(low: float, high: float, step: float) -> tuple[float, float]:
    """Return the multiples of a step, from -1 to 1, between two bounds."""
    if abs(step) < 1e-9:
        return (-1.0, 1.0) if low < 0 < high else (1.0, -1.0)
    begin, end = sorted((low / step, high / step))
    return max(-1.0, begin), min(1.0, end)


def _best(bad: Sequence[_Stretch], low: float, high: float, slope: float) -> tuple[float, float]:
    """Return the cost of the best change between two bounds, and the change.

    A change by 1 costs as much as the slope.
    """
    if low <= 0 <= high and not any(begin < 0 < end for begin, end, _ in bad):
        return 0.0, 0.0
    edges = [(max(begin, low), weight) for begin, _, weight in bad]
    edges += [(end, -weight) for _, end, weight in bad if end < high]
    here, at, least = 0.0, low, (float("inf"), 0.0, 0.0)
    for edge, weight in sorted([*edges, (high, 0.0)]):
        if edge > at or edge == high:
            change = min(max(0.0, at), edge)
            least = min(least, (here + slope * abs(change), here, change))
        here, at = max(0.0, here + weight), edge
    return least[1], least[2]


_LETTER_HEIGHT = 0.42  # from the middle of a line of capitals to its edge and a little more, for a font of size 1
_HEAD = (0.0, 0.0), (-0.1, 0.0), (-0.16, 0.08), (-0.16, -0.08), (-0.24, 0.0), (-0.32, 0.15), (-0.32, -0.15)
_STOP = (0.08, 0.23), (0.08, 0.12), (0.08, 0.0), (0.08, -0.12), (0.08, -0.23)
"""Points of an arrow's head and of the bar before it: along and across, in parts of a sign's side."""

_SHIFT, _SHIFTS = 0.08, 20  # how far an end is shifted at a time, and how often
_LEAST_LEFT = 0.35  # of an arrow's way: less is not left of it
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
        (x, y), half, high = label.at, label.width / 2, _LETTER_HEIGHT * label.size
        if label.turn:
            line = x, y, half, high, cos(radians(label.turn)), sin(radians(label.turn))
            wide = tall = half + high
        else:
            line, wide, tall = (x, y, half, high, 1.0, 0.0), half, high
        for column in range(int((x - wide) // _CELL), int((x + wide) // _CELL) + 1):
            for row in range(int((y - tall) // _CELL), int((y + tall) // _CELL) + 1):
                self._cells.setdefault((column, row), []).append(line)

    def cover(self, point: Point) -> bool:
        """Return whether a point is beneath letters."""
        x, y = point
        for u, v, half, high, c, s in self._cells.get((int(x // _CELL), int(y // _CELL)), ()):
            dx, dy = x - u, y - v
            if abs(dx * c + dy * s) <= half and abs(dy * c - dx * s) <= high:
                return True
        return False

    def end(self, tip: Point, heading: Point, *, bar: bool = False) -> bool:
        """Return whether the head of an arrow, or the bar before it, would lie beneath letters."""
        (x, y), dx, dy = tip, heading[0] * self.size, heading[1] * self.size
        spread = (*_HEAD, *_STOP) if bar else _HEAD
        return any(self.cover((x + dx * a - dy * b, y + dy * a + dx * b)) for a, b in spread)

    def past(self, curve: Curve, end: float, last: float, *, bar: bool = False) -> float:
        """Return the parameter at which an arrow ends instead of `end`: the nearest without a letter over its head.

        It may go on as far as `last`, into the place of a unit that is not there.  Where the way is too short for
        anything else, it ends where it would.
        """
        if not self.end(curve.at(end), curve.heading(end), bar=bar):
            return end
        whole, most = curve.way(end), curve.way(last)
        step = _SHIFT * self.size
        shifts = sorted((k * step for k in range(-_SHIFTS, _SHIFTS + 1) if k), key=abs)
        for way in (whole + shift for shift in shifts if _LEAST_LEFT * whole <= whole + shift <= most):
            t = curve.after(way)
            if not self.end(curve.at(t), curve.heading(t), bar=bar):
                return t
        return end


@lru_cache(maxsize=32)
def letters_of(layout: Layout, size: float) -> Letters:
    """Return the lines of text of a layout, as arrows of signs of a size see them."""
    return Letters(layout, size)
