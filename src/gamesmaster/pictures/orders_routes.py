"""The ways of moves that do not go straight: over the fleets of a convoy, and out of the frame and in again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import dist

from gamesmaster.board import Board
from gamesmaster.judge import Cause, Result
from gamesmaster.orders import Order
from gamesmaster.pictures.arrows import Point
from gamesmaster.pictures.orders_told import Told
from gamesmaster.pictures.shapes import Arc, Link, arc_points

_CARRIED = (Cause.CAME_BY_SEA, Cause.CONVOY_BROKEN, Cause.CONVOY_SILENCED)


def carriers(board: Board, one: Told, convoys: Sequence[Told]) -> list[Told]:
    """The convoy orders over whose fleets a move goes, in order; none for a move by land, or without a chain.

    Rulings do not name a route: drawn is the shortest chain of the fleets that stood, or else of all that tried.
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


def _by_sea(board: Board, one: Told, order: Order) -> bool:
    """Must this move go by convoy, or was it ordered to?"""
    unit, to = one.unit, order.to
    if order.via or unit is None or to is None or unit.kind not in board.ways or to.province not in board.index:
        return order.via
    here = board.location_index.get(unit.at)
    return here is not None and board.index[to.province] not in board.reach(unit.kind, here)


def _helps(order: Order, a: str, b: str) -> bool:
    return order.of is not None and order.to is not None and (order.of.province, order.to.province) == (a, b)


def _shortest(board: Board, group: set[int], a: str, b: str) -> list[int]:
    """The fewest waters of a group, in order, that join two shores; none if they do not."""
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
    """The points of a line over stops (province and point) that leaves the frame and comes in again elsewhere.

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
    """The points of a line, beginning with the end that is nearer to a point."""
    points: list[Point] = list(arc_points(arc))
    return points if not points or dist(points[0], point) <= dist(points[-1], point) else points[::-1]
