"""How lines bow to keep clear of units and names.

A line between two ends is a cubic that is pulled aside after a third and after two thirds of its way.  Of the curves
that differ by one pull, one and only one runs through each point between the ends: so whatever lies there forbids one
stretch of that pull, and the best pull is the one that was wished for, or the nearest end of a stretch.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import cos, dist, hypot, radians, sin
from typing import NamedTuple

from gamesmaster.pictures.arrows import Piece, Point, Pulls, pulled
from gamesmaster.pictures.shapes import Label, Layout, Spot

_OVER_UNIT, _OVER_NAME = 3.0, 1.0
"""How bad it is to run over something; a pull as long as the line is as bad as a name."""

_SIDE = 0.52  # half a unit's side, for a sign with a side of 1
_CAPITALS = 0.3  # half the height of a line of text, for a font of size 1
_STEP = 60  # page units from one point of an outline to the next
_SPARE = 4  # page units by which a line passes more than an outline
_SEEN = 0.6  # of a rim: a line that leaves aslant is seen nearer to its end
_LEAST = 0.02  # of a line's length: so near to its ends no pull moves it
_FARTHER = 2.5  # how much farther than both together one pull may go alone

_BOTH: Pulls = (1.0, 1.0)
_EACH: tuple[Pulls, Pulls] = ((1.0, 0.0), (0.0, 1.0))

_TURNS = (0, 1, 0), (1, 0, 1)
_MANY = 16  # things: a line that passes more is long, and cannot wind its way between them

Ends = tuple[Point, Point]
_Stretch = tuple[float, float, float]
"""From where to where a pull is bad, and how bad."""


class Thing(NamedTuple):
    """Something that lines should not run over: an oblong about a middle.

    `reach` is how far it reaches at most, `half` is half its width, `high` half its height; then how bad it is to run
    over it, and its turn.
    """

    x: float
    y: float
    reach: float
    half: float
    high: float
    weight: float
    cosine: float = 1.0
    sine: float = 0.0


class Things:
    """All that lies on a page: units in their spots, and names and codes, about which lines are so thick."""

    def __init__(self, layout: Layout, spots: Iterable[Spot], thick: float) -> None:
        units = (Thing(x, y, _SIDE * room * 1.5, _SIDE * room, _SIDE * room, _OVER_UNIT) for x, y, room in set(spots))
        names = _names(layout, thick)
        self._row = sorted((*units, *names))
        self._reach = max((thing.reach for thing in self._row), default=0.0)

    def line(self, ends: Ends, wish: Pulls, bounds: Pulls, rims: tuple[float, float]) -> Piece:
        """A line that is pulled aside as wished for, or else so that it runs over as little as can be.

        Its pulls stay within bounds, the least and the most; beneath the rims at its two ends nothing can be seen.
        """
        a, b = ends
        for aside in (max(map(abs, wish)), max(map(abs, bounds))):
            room = Room(ends, self._near(ends, aside), rims)
            if room.open(wish):
                return pulled(a, b, wish)
        return pulled(a, b, room.clear(wish, *bounds))

    def _near(self, ends: Ends, aside: float) -> list[Thing]:
        """What may lie so far aside of the straight line between two ends, but for what has its middle there."""
        (ax, ay), (bx, by) = ends
        length = dist(*ends) or 1.0
        ex, ey = (bx - ax) / length, (by - ay) / length
        reach = aside + self._reach
        top, bottom = min(ay, by) - reach, max(ay, by) + reach
        row = self._row[bisect(self._row, (min(ax, bx) - reach,)) : bisect(self._row, (max(ax, bx) + reach,))]
        return [  # this is looked at for every line, so that names would cost too much
            t
            for t in row
            if top < t[1] < bottom
            and abs((t[1] - ay) * ex - (t[0] - ax) * ey) < aside + t[2]
            and -t[2] < (t[0] - ax) * ex + (t[1] - ay) * ey < length + t[2]
            and t[:2] not in ends
        ]


@lru_cache(maxsize=32)
def _names(layout: Layout, thick: float) -> tuple[Thing, ...]:
    """The names and codes of a layout, from left to right."""
    return tuple(sorted(_name(label, thick) for place in layout.values() for label in place.labels))


def _name(label: Label, thick: float) -> Thing:
    (x, y), turn = label.at, radians(label.turn)
    half, high = (label.width + thick) / 2, _CAPITALS * label.size + thick / 2
    return Thing(x, y, hypot(half, high), half, high, _OVER_NAME, cos(turn), sin(turn))


class Room:
    """What lies between two ends, seen along the straight line from the one to the other.

    Nothing counts that is nearer to an end than its rim.
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
        """The points about a thing: how far aside they lie, and how much each of the pulls moves a line there."""
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
        """Is there nothing in the way of a line pulled so far?"""
        return not any(begin < 0 < end for begin, end, _ in self._stretches(pulls, _BOTH))

    def clear(self, wish: Pulls, least: float, most: float) -> Pulls:
        """The pulls of a line that runs over as little as can be, as near to those that are wished for as can be.

        Both lie between `least` and `most`; where it is of use to change one alone, that one may go farther.
        """
        cost, pulls = self._changed(wish, _BOTH, least - min(wish), most - max(wish))
        if cost and len(self._outlines) <= _MANY:
            tries = [(cost, pulls)]
            tries += [self._one_by_one(start, turns, least, most) for start in (wish, pulls) for turns in _TURNS]
            _, pulls = min(tries)
        return pulls

    def _one_by_one(self, pulls: Pulls, turns: Sequence[int], least: float, most: float) -> tuple[float, Pulls]:
        """The pulls changed by turns, each as is best beside the other; and how bad they are."""
        cost, low = 0.0, min(least, _FARTHER * least)
        for i in turns:
            cost, pulls = self._changed(pulls, _EACH[i], low - pulls[i], _FARTHER * most - pulls[i])
            if not cost:
                break
        return cost, pulls

    def _changed(self, pulls: Pulls, shape: Pulls, low: float, high: float) -> tuple[float, Pulls]:
        """The best change of a shape within bounds: how bad the line still is, and its pulls."""
        bad = [s for s in self._stretches(pulls, shape) if s[0] < high and s[1] > low]
        cost, change = _best(bad, low, high, 1 / self._length)
        return cost, (pulls[0] + change * shape[0], pulls[1] + change * shape[1])

    def _stretches(self, pulls: Pulls, shape: Pulls) -> Iterator[_Stretch]:
        """What each thing forbids: changes of this shape to these pulls."""
        (first, second), (s, t) = pulls, shape
        for weight, outline in self._outlines:
            changes = [(off - first * m - second * n) / (s * m + t * n) for off, m, n in outline]
            yield min(changes) - _SPARE, max(changes) + _SPARE, weight


def _between(low: float, high: float, step: float) -> tuple[float, float]:
    """Which multiples of a step, of those from -1 to 1, lie between two bounds."""
    if abs(step) < 1e-9:
        return (-1.0, 1.0) if low < 0 < high else (1.0, -1.0)
    begin, end = sorted((low / step, high / step))
    return max(-1.0, begin), min(1.0, end)


def _best(bad: Sequence[_Stretch], low: float, high: float, slope: float) -> tuple[float, float]:
    """How bad the best change between two bounds is, and which it is; a change by 1 is as bad as the slope."""
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
