"""Arcs: the borders of a map of areas, each kept once and shared by the areas on both sides."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import dist
from typing import NamedTuple

from shapely.geometry import MultiPolygon, Polygon
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.ground import polygons

Vertex = tuple[float, float]
Ring = tuple[int, ...]


class Arc(NamedTuple):
    """A border from one meeting point to the next: its points, the area on its left and on its right ("" outside)."""

    points: tuple[Vertex, ...]
    left: str
    right: str

    @property
    def length(self) -> float:
        """Along the border."""
        return sum(dist(a, b) for a, b in pairwise(self.points))


@dataclass(frozen=True, slots=True)
class Topology:
    """Areas as rings of arcs: n is arc n as it stands, a negative n is arc -1-n backwards."""

    arcs: tuple[Arc, ...]
    rings: Mapping[str, tuple[Ring, ...]]

    def points(self, ring: Ring) -> list[Vertex]:
        """The closed line of a ring, its first point repeated at the end."""
        line: list[Vertex] = []
        for number in ring:
            arc = self.arcs[number].points if number >= 0 else self.arcs[~number].points[::-1]
            line.extend(arc[1:] if line else arc)
        return line

    def area(self, key: str) -> BaseGeometry:
        """An area as a polygon; rings that lie in others are holes."""
        shells = [Polygon(self.points(ring)) for ring in self.rings[key] if len(self.points(ring)) > 3]
        area: BaseGeometry = MultiPolygon()
        for shell in shells:
            area = area.symmetric_difference(shell if shell.is_valid else shell.buffer(0))
        return area


def topology(areas: Mapping[str, BaseGeometry]) -> Topology:
    """Take apart areas that share their borders exactly, vertex by vertex.

    The order of the arcs follows the order of the areas and their rings, so that equal areas give equal arcs.
    """
    rings = {key: [_ring(line) for line in _lines(area)] for key, area in areas.items()}
    rings = {key: [ring for ring in found if len(ring) > 2] for key, found in rings.items()}
    left: dict[tuple[Vertex, Vertex], str] = {}
    for key, found in rings.items():
        for ring in found:
            for a, b in _steps(ring):
                left[a, b] = key
    return _Cutter(left, _meeting_points(left)).cut(rings)


def _lines(area: BaseGeometry) -> Iterator[list[Vertex]]:
    """The rings of an area, shells counter-clockwise and holes clockwise, so that the area lies on their left."""
    for polygon in polygons(area):
        for ring, ccw in ((polygon.exterior, True), *((hole, False) for hole in polygon.interiors)):
            points = [(x, y) for x, y in ring.coords]
            yield points if ring.is_ccw is ccw else points[::-1]


def _ring(line: list[Vertex]) -> list[Vertex]:
    """Without the repeated last point, and without points that repeat the one before."""
    points = [point for point, after in pairwise(line) if point != after]
    first = min(range(len(points)), key=points.__getitem__, default=0)
    return points[first:] + points[:first]


def _steps(ring: list[Vertex]) -> Iterator[tuple[Vertex, Vertex]]:
    yield from zip(ring, [*ring[1:], ring[0]], strict=True)


def _meeting_points(left: Mapping[tuple[Vertex, Vertex], str]) -> set[Vertex]:
    """Where more than two borders meet, or the neighbour changes."""
    around: dict[Vertex, set[Vertex]] = defaultdict(set)
    sides: dict[Vertex, set[frozenset[str]]] = defaultdict(set)
    for (a, b), key in left.items():
        pair = frozenset((key, left.get((b, a), "")))
        for here, there in ((a, b), (b, a)):
            around[here].add(there)
            sides[here].add(pair)
    return {point for point in around if len(around[point]) != 2 or len(sides[point]) > 1}


class _Cutter:
    """Cuts rings at the meeting points and gives each piece its number."""

    def __init__(self, left: Mapping[tuple[Vertex, Vertex], str], nodes: set[Vertex]) -> None:
        self.left, self.nodes = left, nodes
        self.arcs: list[Arc] = []
        self.known: dict[tuple[Vertex, ...], int] = {}

    def cut(self, rings: Mapping[str, list[list[Vertex]]]) -> Topology:
        cut = {key: tuple(tuple(self.pieces(ring)) for ring in found) for key, found in rings.items()}
        return Topology(tuple(self.arcs), cut)

    def pieces(self, ring: list[Vertex]) -> Iterator[int]:
        start = next((i for i, point in enumerate(ring) if point in self.nodes), 0)
        line = [*ring[start:], *ring[: start + 1]]
        piece = [line[0]]
        for point in line[1:]:
            piece.append(point)
            if point in self.nodes:
                yield self.number(tuple(piece))
                piece = [point]
        if len(piece) > 1:
            yield self.number(tuple(piece))

    def number(self, piece: tuple[Vertex, ...]) -> int:
        if piece in self.known:
            return self.known[piece]
        back = piece[::-1]
        if back in self.known:
            return ~self.known[back]
        a, b = piece[0], piece[1]
        self.arcs.append(Arc(piece, self.left[a, b], self.left.get((b, a), "")))
        self.known[piece] = len(self.arcs) - 1
        return len(self.arcs) - 1
