"""The geometry of orders: where each unit is, where it would go, and the line between.

A line bows to the right of its direction, so that two units that meet head on are seen as two arrows side by side.
Where possible, a line passes units and names in its way on either side (`bows.py`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import dist
from typing import NamedTuple

from gamesmaster.board import Board, Location, Position, Terrain, Unit
from gamesmaster.orders import Order, Verb
from gamesmaster.pictures.curves import Curve, Point, join, pulls_of, through
from gamesmaster.pictures.map.pieces import Stand
from gamesmaster.pictures.orders.bows import Things, letters_of
from gamesmaster.pictures.orders.model import DrawnOrder
from gamesmaster.pictures.shapes.values import NOWHERE, Arc, Layout, Link, Spot, arc_points
from gamesmaster.pictures.style import Sizes
from gamesmaster.rules import Cause, Result

RIM = 0.6
"""From the middle of a unit to where lines begin and end, for a sign with a side of 1."""
STAR = 0.8
"""From the middle of a unit that is dislodged to the points of the star about it, for a sign with a side of 1."""


_ASIDE, _LEAST_ASIDE, _MOST_ASIDE = 0.4, 0.5, 3.0
"""The bounds for pulling a line aside: a share of its length, and the least and the most, in sides of a sign."""

_JOINTS = 5
"""Points on the line of a move, side by side, where its supports may join it."""


@dataclass(frozen=True, slots=True)
class Way:
    """The line of a move: from one place to another, over the fleets that carry it, with the part that is visible.

    `joint` is where a support of the move ends, `free` how much room there is for several of them side by side.
    """

    curve: Curve
    start: Spot
    goal: Spot
    carriers: tuple[Spot, ...]
    rims: tuple[float, float]
    joint: float
    free: float

    @property
    def first(self) -> float:
        """The parameter at which it comes out from beneath its unit."""
        return self.curve.leaves(middle(self.start), self.rims[0])

    def last(self, short: float = 0.0) -> float:
        """Return the parameter at the rim of its destination, or at the distance `short` before it."""
        return max(self.curve.enters(middle(self.goal), self.rims[1] + short), self.first)


class Lead(NamedTuple):
    """The line of a support: how bad what it runs over is, the line, the point where it ends.

    `joint` numbers the points on a move's line at which supports join it.
    """

    cost: float
    curve: Curve
    end: Point
    joint: int


def middle(spot: Spot) -> Point:
    """Return the middle of a spot."""
    return spot.x, spot.y


def spots_at(layout: Layout, at: Location) -> tuple[Spot, ...]:
    """Return the places for units at a location; none where the layout does not know it."""
    spots = layout.places.get(at.province, NOWHERE).spots
    return spots.get(at.coast) or spots.get("", ())


def spots_of(stands: Iterable[Stand]) -> dict[int, Spot]:
    """Map each unit's number to its spot; units aboard or hidden beside another have the spot of that one."""
    return {unit.number: s.spot for s in stands for unit in (*s.hidden, *s.cargo, s.unit)}


class Page(NamedTuple):
    """What lies on a page before any order is drawn."""

    layout: Layout
    links: Sequence[Link]
    sizes: Sizes


class Ways:
    """The page as the orders see it: `stand` maps the number of each unit to its place."""

    def __init__(
        self, board: Board, page: Page, position: Position, orders: Sequence[DrawnOrder], stands: Iterable[Stand]
    ) -> None:
        layout, links, sizes = page
        self.board, self.layout, self.position, self.sizes = board, layout, position, sizes
        self.size = sizes.sign
        self.stand = {number: self._fit(spot) for number, spot in spots_of(stands).items()}
        self._standing = {middle(spot) for spot in self.stand.values()}
        self._things = Things(layout, self.stand.values(), sizes.order)
        self.letters = letters_of(layout, self.size)
        self._links = {frozenset((link.a, link.b)): link for link in links if link.kind == "offboard"}
        self._moves: dict[tuple[str, str], DrawnOrder] = {}
        for one in sorted(orders, key=lambda one: one.void):
            if one.verb is Verb.MOVE and one.order and one.order.to and one.at:
                self._moves.setdefault((one.at.province, one.order.to.province), one)
        self._convoys = [o for o in orders if o.verb is Verb.CONVOY and o.unit and not o.void]
        self._beaten = {spot[:2] for o in orders if o.dislodged and (spot := self.spot(o.unit, o.at))}
        self._goals: dict[tuple[str, str], Spot] = {}
        self._ways: dict[tuple[str, str], Way | None] = {}
        self._joints: dict[tuple[str, str], set[int]] = {}

    # -- places ------------------------------------------------------------------------------------------------------

    def spot(self, unit: Unit | None, at: Location | None) -> Spot | None:
        """Return the spot of a unit, or the spot that a missing unit would have."""
        if unit and unit.number in self.stand:
            return self.stand[unit.number]
        row = spots_at(self.layout, at) if at and at.province in self.board.index else ()
        return self._fit(row[0]) if row else None

    def _fit(self, spot: Spot) -> Spot:
        """Return a spot as wide as the sign that is drawn in it."""
        return Spot(spot.x, spot.y, min(spot.room, round(self.sizes.sign)))

    def helped_unit(self, order: Order) -> Unit | None:
        """Return the unit that a support or a convoy is for: of several in a place, one of the kind that is named."""
        here = [u for u in self.position.units if order.of and u.at.province == order.of.province]
        return next((u for u in here if u.kind == order.of_kind), here[0] if here else None)

    def goal(self, start: Spot, whence: str, to: Location) -> Spot | None:
        """Return the spot of a unit that moves to a location, a free one in a box; None if it is not on the page."""
        row = [self._fit(s) for s in (spots_at(self.layout, to) if to.province in self.board.index else ())]
        if not row or self.board.province(to.province).terrain is not Terrain.BOX:
            return row[0] if row else None
        key = whence, to.province
        if key not in self._goals:
            taken = {*self.stand.values(), *self._goals.values()}
            free = [s for s in row if s not in taken] or row
            self._goals[key] = min(free, key=lambda s: (dist(middle(s), middle(start)), s))
        return self._goals[key]

    # -- lines -------------------------------------------------------------------------------------------------------

    def move(self, one: DrawnOrder) -> Way | None:
        """Return the line of a move or a retreat; None where the page does not know its places."""
        if one.order is None or one.order.to is None or one.at is None:
            return None
        start = self.spot(one.unit, one.at)
        if start is None:
            return None
        stops = [] if one.verb is Verb.RETREAT else carriers(self.board, one, self._convoys)
        chain = [(stop.at.province, spot) for stop in stops if stop.at and (spot := self.spot(stop.unit, stop.at))]
        return self._way(start, one.at.province, one.order.to, chain)

    def supported_way(self, order: Order) -> Way | None:
        """Return the line of the move that a support or a convoy is for, whether that move was ordered or not."""
        if order.of is None or order.to is None:
            return None
        key = order.of.province, order.to.province
        if key not in self._ways:
            start = self.spot(self.helped_unit(order), order.of)
            way = self.move(self._moves[key]) if key in self._moves else None
            if way is None and start:
                way = self._way(start, order.of.province, order.to, [])
            self._ways[key] = way
        return self._ways[key]

    def helping(self, start: Spot, order: Order, radius: float) -> Lead | None:
        """Return the line of a support or a convoy, from its unit to `radius` before the line of the supported move.

        It ends at the middle of the move's line, several lines side by side, or elsewhere if names are in the way.
        None if the page does not show the move's places.
        """
        way = self.supported_way(order)
        if way is None or order.of is None or order.to is None:
            return None
        taken = self._joints.setdefault((order.of.province, order.to.province), set())
        lead = _best(self._leads(start, way, list(self._reaches(way, taken)), radius))
        taken.add(lead.joint)
        return lead

    def helping_to_hold(self, start: Spot, helped: Spot, radius: float) -> Lead:
        """Return the line of a support to hold: from its unit to a ring about the other one, or to a side of that."""
        return _best(self._leads_to_hold(start, helped, radius))

    def _leads(self, start: Spot, way: Way, reaches: Iterable[tuple[int, float]], radius: float) -> Iterator[Lead]:
        """Yield lines from a unit to a move's line, the best first."""
        joints = [(number, way.curve.at(way.curve.after(way.joint + reach))) for number, reach in reaches]
        for number, point in joints:
            yield self._lead(start, point, radius, number)
        for number, point in joints[:2]:
            for begin in _sides(start, RIM * start.room, point):
                yield self._free(begin, point, (0.0, 0.0), number)

    def _leads_to_hold(self, start: Spot, helped: Spot, radius: float) -> Iterator[Lead]:
        """Yield lines from a unit to a ring around another, the best first."""
        a, b = middle(start), middle(helped)
        yield self._lead(start, b, radius)
        pairs = [(x, y) for x in _sides(start, RIM * start.room, b) for y in _sides(helped, radius, a)]
        for begin, end in sorted(pairs, key=lambda pair: dist(*pair)):
            yield self._free(begin, end, (0.0, 0.0))

    def _reaches(self, way: Way, taken: Collection[int]) -> Iterator[tuple[int, float]]:
        """Yield the shifts from its joint by which another support may join a move: free numbers, nearest first."""
        step = min(0.3 * self.size, way.free / 4)
        free = [number for number in range(_JOINTS) if number not in taken] or [_JOINTS]
        most = 0.5 * way.free
        for number in free:
            shift = (number + 1) // 2 * (1 if number % 2 else -1) * step
            if abs(shift) <= most or number == free[0]:
                yield number, max(-most, min(most, shift))

    def end(self, way: Way, *, stopped: bool) -> float:
        """Return the parameter at which the arrow of a move ends: beside letters, and before a bar if it is stopped.

        In an empty place it may end in the place itself; at a dislodged unit it ends outside its star.
        """
        star = (STAR - RIM) * way.goal.room if middle(way.goal) in self._beaten else 0.0
        end = way.last(star + (0.12 * self.size if stopped else 0.0))
        inside = end if middle(way.goal) in self._standing else float(len(way.curve.pieces))
        return max(self.letters.past(way.curve, end, inside, bar=stopped), way.first)

    def _lead(self, start: Spot, end: Point, radius: float, joint: int = 0) -> Lead:
        """Return a line from the rim of a unit that ends at the distance `radius` from a point."""
        a, length = middle(start), dist(middle(start), end)
        lead = self._free(a, end, (RIM * start.room, radius), joint)
        curve, rim = lead.curve, min(RIM * start.room, length * 0.45)
        return lead._replace(curve=curve.part(curve.leaves(a, rim), curve.enters(end, min(radius, length * 0.45))))

    def _free(self, begin: Point, end: Point, rims: tuple[float, float], joint: int = 0) -> Lead:
        """Return a line between two points, past all that can be passed."""
        aside = self._aside(dist(begin, end))
        cost, piece = self._things.line((begin, end), (0.0, 0.0), (-aside, aside), rims)
        return Lead(cost + self.letters.cover(end), Curve((piece,)), end, joint)

    def _way(self, start: Spot, whence: str, to: Location, chain: list[tuple[str, Spot]]) -> Way | None:
        goal = self.goal(start, whence, to)
        if goal is None:
            return None
        stops = [(whence, start), *chain, (to.province, goal)]
        taken = self._standing | {middle(spot) for _, spot in chain}
        rims = _rims(start, stops[1][1], taken)[0], _rims(stops[-2][1], goal, taken)[1]
        legs = around(self._links, [(province, middle(spot)) for province, spot in stops])
        if legs:
            curve = join(map(through, legs))
        elif chain:
            curve = self._over_fleets([middle(spot) for _, spot in stops])
        else:
            curve = self._bow(start, goal, meets=(to.province, whence) in self._moves)
        joint, free = _joint(curve, middle(start), middle(goal), rims, last=bool(chain or legs))
        return Way(curve, start, goal, tuple(s for _, s in chain), rims, joint, free)

    def _bow(self, start: Spot, goal: Spot, *, meets: bool) -> Curve:
        """Return the bow of a move, to the right; to the left only to pass something, without a move against it."""
        a, b = middle(start), middle(goal)
        least = 0.23 * self.size
        wish = max(least, min(0.15 * dist(a, b), 1.33 * self.size))
        most = max(2 * wish, self._aside(dist(a, b)))
        bounds = least if meets else -most, most
        return Curve((self._things.line((a, b), (wish, wish), bounds, _rims(start, goal, self._standing))[1],))

    def _over_fleets(self, points: Sequence[Point]) -> Curve:
        """Return the line of a convoy: smooth, but for where it passes something."""
        pieces, rim = [], RIM * self.size
        for piece in through(points).pieces:
            a, b, wish = piece[0], piece[3], pulls_of(piece)
            aside = self._aside(dist(a, b))
            bounds = min(-aside, *wish), max(aside, *wish)
            pieces.append(self._things.line((a, b), wish, bounds, (rim, rim))[1])
        return Curve(tuple(pieces))

    def _aside(self, length: float) -> float:
        """Return how far a line of this length may be bent aside."""
        return max(_LEAST_ASIDE * self.size, min(_ASIDE * length, _MOST_ASIDE * self.size))


def _sides(spot: Spot, radius: float, other: Point) -> list[Point]:
    """Return the three points nearest to another, of those left, right, above and below a unit at this distance."""
    x, y = middle(spot)
    points = (x - radius, y), (x + radius, y), (x, y - radius), (x, y + radius)
    return sorted(points, key=lambda point: dist(point, other))[:3]


def _best(leads: Iterable[Lead]) -> Lead:
    """Return the first line that runs over nothing, or else the one that does so least."""
    tried = []
    for lead in leads:
        if not lead.cost:
            return lead
        tried.append(lead)
    return min(tried, key=lambda lead: lead.cost)


def _rims(start: Spot, goal: Spot, taken: Collection[Point]) -> tuple[float, float]:
    """Return the distances from the middles of two spots at which the line between them begins and ends.

    They are less for spots so close that no line would be left: at the goal first, if it is empty.
    """
    most = 0.62 * dist(middle(start), middle(goal))
    begin, end = RIM * start.room, RIM * goal.room
    if begin + end > most and middle(goal) not in taken:
        end = max(0.2 * goal.room, most - begin)
    share = min(1.0, most / (begin + end))
    return begin * share, end * share


def _joint(curve: Curve, start: Point, goal: Point, rims: tuple[float, float], *, last: bool) -> tuple[float, float]:
    """Return where on a move's line a support joins it, and the room around.

    This is in the middle of the line, or of its last leg.
    """
    ways = {t: way for t, _, way in curve.samples}
    begin = ways[float(len(curve.pieces) - 1)] if last else 0.0
    begin, end = begin + rims[0], curve.length - rims[1]
    return (begin + end) / 2, max(0.0, (end - begin) * 0.6)


_CARRIED = (Cause.CAME_BY_SEA, Cause.CONVOY_BROKEN, Cause.CONVOY_SILENCED)


def carriers(board: Board, one: DrawnOrder, convoys: Sequence[DrawnOrder]) -> list[DrawnOrder]:
    """Return the convoy orders whose fleets carry a move, in order; none for a move by land, or without a chain.

    Rulings do not name a route, so the shortest chain of the successful fleets is drawn, or else of all that tried.
    """
    if one.void or one.order is None or one.order.to is None or one.at is None:
        return []
    if one.cause is Cause.CAME or not (one.cause in _CARRIED or _by_sea(board, one, one.order)):
        return []
    a, b = one.at.province, one.order.to.province
    fleets = [o for o in convoys if o.order and o.at and o.at.province in board.index and _helps(o.order, a, b)]
    standing = [o for o in fleets if o.result is not Result.DISRUPTED]
    named = [o for o in standing if o.at and o.at.province in one.order.route]
    for group in (named, standing, fleets):
        waters = {board.index[o.at.province]: o for o in group if o.at}
        if chain := _shortest(board, set(waters), a, b):
            return [waters[water] for water in chain]
    return []


def _by_sea(board: Board, one: DrawnOrder, order: Order) -> bool:
    """Return whether this move must go by convoy, or was ordered to."""
    unit, to = one.unit, order.to
    if order.via or unit is None or to is None or unit.kind not in board.ways or to.province not in board.index:
        return order.via
    here = board.location_index.get(unit.at)
    return here is not None and board.index[to.province] not in board.reach(unit.kind, here)


def _helps(order: Order, a: str, b: str) -> bool:
    return order.of is not None and order.to is not None and (order.of.province, order.to.province) == (a, b)


def _shortest(board: Board, group: set[int], a: str, b: str) -> list[int]:
    """Return the fewest waters of a group, in order, that join two shores; none if they do not."""
    start, end = board.index.get(a, -1), board.index.get(b, -1)
    if start < 0 or end < 0:
        return []
    chains = [[water] for water in sorted(board.waters[start] & group)]
    seen = {chain[0] for chain in chains}
    for chain in chains:
        if chain[-1] in board.waters[end]:
            return chain
        ahead = sorted((board.shores[chain[-1]] & group) - seen)
        seen.update(ahead)
        chains += [[*chain, water] for water in ahead]
    return []


# -- out of the frame ------------------------------------------------------------------------------------------------


def around(links: Mapping[frozenset[str], Link], stops: Sequence[tuple[str, Point]]) -> list[list[Point]]:
    """Return the points of a line over stops (province and point) that leaves the frame and comes in again elsewhere.

    One list for each part of the line; none if it never leaves.  `links` are those out of the frame, by their ends.
    """
    parts: list[list[Point]] = [[stops[0][1]]]
    for (a, here), (b, there) in pairwise(stops):
        link = links.get(frozenset((a, b)))
        if link:
            out, back = (link.path, link.path2) if link.a == a else (link.path2, link.path)
            parts[-1] += _from(here, out)
            parts.append(_from(there, back)[::-1])
        parts[-1].append(there)
    return parts if len(parts) > 1 else []


def _from(point: Point, arc: Arc) -> list[Point]:
    """Return the points of a line, beginning with the end that is nearer to a point."""
    points: list[Point] = list(arc_points(arc))
    return points if not points or dist(points[0], point) <= dist(points[-1], point) else points[::-1]
