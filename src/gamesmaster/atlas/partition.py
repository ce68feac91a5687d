"""The map cut up: every piece of land and water given to a province.

Every point goes to the province whose anchor is nearest: the straight cells of a Voronoi diagram are joined by
province, their borders rounded off, and the whole plane then pulled about by a smooth, gentle and always equal
displacement, which can neither tear borders apart nor make them cross.

Cells are cut by the coast.  A piece that holds no anchor of its province (the far shore of a strait that a cell reaches
over) goes to the neighbour it shares the longest border with; an island goes to the land it lies nearest to, if that
is near enough; what is left belongs to nobody.  Borders are then kept once, as arcs shared by the areas on both sides.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import dist
from typing import NamedTuple, TypeVar

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPoint, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.folder import Folder, Row, Side
from gamesmaster.atlas.ground import Coordinates, Ground, polygons
from gamesmaster.atlas.settings import Settings

Vertex = tuple[float, float]
Ring = tuple[int, ...]
T = TypeVar("T")


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
        """Return the closed line of a ring, its first point repeated at the end."""
        line: list[Vertex] = []
        for number in ring:
            arc = self.arcs[number].points if number >= 0 else self.arcs[~number].points[::-1]
            line.extend(arc[1:] if line else arc)
        return line

    def area(self, key: str) -> BaseGeometry:
        """Return an area as a polygon; rings within others are holes."""
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
            for a, b in around(ring):
                left[a, b] = key
    return _Cutter(left, _meeting_points(left)).cut(rings)


def _lines(area: BaseGeometry) -> Iterator[list[Vertex]]:
    """Yield the rings of an area, shells counter-clockwise and holes clockwise, so that the area lies on their left."""
    for polygon in polygons(area):
        for ring, ccw in ((polygon.exterior, True), *((hole, False) for hole in polygon.interiors)):
            points = [(x, y) for x, y in ring.coords]
            yield points if ring.is_ccw is ccw else points[::-1]


def _ring(line: list[Vertex]) -> list[Vertex]:
    """Return the ring without the repeated last point and without points that repeat the one before."""
    points = [point for point, after in pairwise(line) if point != after]
    first = min(range(len(points)), key=points.__getitem__, default=0)
    return points[first:] + points[:first]


def around(ring: Sequence[T]) -> Iterator[tuple[T, T]]:
    """Yield each element of a ring with the next."""
    yield from zip(ring, [*ring[1:], ring[0]], strict=True)


def _meeting_points(left: Mapping[tuple[Vertex, Vertex], str]) -> set[Vertex]:
    """Return the points where more than two borders meet, or the neighbour changes."""
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


# -- the map cut up ----------------------------------------------------------------------------------------------------


# Octaves of the displacement: wavelength and height in page units, and the direction of the wave in degrees.  The sum
# of 2 pi height / wavelength stays well below 1, so that the plane is bent but never folded.
_WAVES = (
    (163.0, 4.2, 17.0),
    (149.0, 4.2, 107.0),
    (71.0, 1.7, 61.0),
    (67.0, 1.7, 151.0),
    (31.0, 0.6, 38.0),
    (29.0, 0.6, 128.0),
)
_PITCH = 8.0  # page units between the points of a border
BLANK = "~"  # names of pieces that belong to nobody begin so


def cells(
    anchors: Sequence[tuple[str, tuple[float, float]]], frame: Polygon, unit: float, *, smooth: int, wiggle: float
) -> dict[str, BaseGeometry]:
    """Return the cell of each province over the whole frame and beyond it: anchors are (province, point in metres).

    `unit` is metres to a page unit; `smooth` and `wiggle` are those of `Drawing`.
    """
    if not anchors:
        return {}
    reach = frame.buffer(max(frame.bounds[2] - frame.bounds[0], frame.bounds[3] - frame.bounds[1]), join_style="mitre")
    points = MultiPoint([point for _, point in anchors])
    if len({point for _, point in anchors}) == 1:
        return {anchors[0][0]: reach}
    drawn = shapely.voronoi_polygons(points, extend_to=reach, ordered=True)
    of: dict[str, list[BaseGeometry]] = defaultdict(list)
    for (key, _), cell in zip(anchors, drawn.geoms, strict=True):
        of[key].append(cell)
    joined = topology({key: shapely.coverage_union_all(found) for key, found in of.items()})
    lines = [draw_arc(arc, unit, smooth, wiggle) for arc in joined.arcs]
    bent = Topology(
        tuple(arc._replace(points=line) for arc, line in zip(joined.arcs, lines, strict=True)), joined.rings
    )
    return {key: bent.area(key) for key in of}


def draw_arc(arc: Arc, unit: float, smooth: int, wiggle: float) -> tuple[tuple[float, float], ...]:
    """Return the points of a border as it is drawn: rounded off, and bent a little."""
    line = np.asarray(arc.points)
    if arc.right:  # the outermost rim stays as it is
        line = _round_corners(_evenly(line, _PITCH * unit), smooth)
    return tuple(map(tuple, bend(line / unit, wiggle) * unit))


def _evenly(line: Coordinates, pitch: float) -> Coordinates:
    """Return the line with points at even distances, its ends where they were."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    count = max(int(along[-1] / pitch), 1) + 1
    at = np.linspace(0.0, along[-1], count)
    return np.column_stack([np.interp(at, along, line[:, 0]), np.interp(at, along, line[:, 1])])


def _round_corners(line: Coordinates, passes: int) -> Coordinates:
    """Move each point `passes` times towards the middle of its neighbours; the ends stay where they are."""
    for _ in range(passes if len(line) > 2 else 0):
        line = line.copy()
        line[1:-1] = line[1:-1] / 2 + (line[:-2] + line[2:]) / 4
    return line


def bend(points: Coordinates, wiggle: float) -> Coordinates:
    """Displace points in page units by the sum of the waves times `wiggle`."""
    moved = points.astype(float)
    for length, height, degrees in _WAVES:
        along = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
        phase = points @ along * (2 * math.pi / length)
        across = np.array([-along[1], along[0]])
        moved = moved + wiggle * height * np.sin(phase + length)[:, None] * across
    return moved


def anchors_of(rows: Mapping[str, Sequence[tuple[float, float]]]) -> list[tuple[str, tuple[float, float]]]:
    """Return (province, point) for every anchor, in the order of the file, each point once."""
    first: dict[tuple[float, float], str] = {}
    for key, points in rows.items():
        for at in points:
            first.setdefault(at, key)
    return [(key, at) for at, key in first.items()]


@dataclass(frozen=True, slots=True)
class Piece:
    """A connected piece of land or water, the province it belongs to, and whether that is settled."""

    area: Polygon
    side: Side
    key: str
    settled: bool


@dataclass(frozen=True, slots=True)
class Partition:
    """The division of the map: areas by province, unclaimed pieces (`~0`, `~1`, ...), and the side each area is on."""

    areas: Mapping[str, BaseGeometry]
    sides: Mapping[str, Side]
    borders: Topology

    def contacts(self) -> dict[tuple[str, str], float]:
        """Return the length in metres of each border between two areas, whose names are in alphabetical order."""
        lengths: dict[tuple[str, str], float] = defaultdict(float)
        for arc in self.borders.arcs:
            if arc.right and arc.left != arc.right:
                lengths[min(arc.left, arc.right), max(arc.left, arc.right)] += arc.length
        return dict(lengths)

    def frontier(self, a: str, b: str) -> BaseGeometry:
        """Return the border between two areas as lines, empty where they do not touch."""
        lines = [LineString(arc.points) for arc in self.borders.arcs if {arc.left, arc.right} == {a, b}]
        return shapely.union_all(lines)


def partition(folder: Folder, ground: Ground) -> Partition:
    """Cut the ground into provinces."""
    sides = {row.id: row.side or _side(row, ground) for row in folder.rows}
    at = {row.id: [_snap(ground, *anchor) for anchor in row.anchors] for row in folder.rows}
    pieces = _fragments(_cut(ground, at, sides, folder.settings))
    return _join_pieces(folder, _islands(pieces, folder.settings.thresholds.attach * 1000), sides)


def _side(row: Row, ground: Ground) -> Side:
    if row.kind == "impassable":
        return "land" if ground.land.intersects(Point(ground.flat(*row.anchors[0]))) else "sea"
    return "land" if row.kind in ("land", "lake") else "sea"


def _snap(ground: Ground, east: float, north: float) -> tuple[float, float]:
    x, y = ground.flat(east, north)
    return round(x / ground.grid) * ground.grid, round(y / ground.grid) * ground.grid


def _cut(
    ground: Ground, at: Mapping[str, list[tuple[float, float]]], sides: Mapping[str, Side], settings: Settings
) -> list[Piece]:
    """Cut the cells by the coast and return the connected pieces.

    All lines are brought together before anything is cut, so that land and water share the coast point by point.
    """
    drawing, lines, of_side = settings.drawing, [ground.land.boundary, ground.frame.boundary], {}
    for side, area in (("land", ground.land), ("sea", ground.water)):
        own = anchors_of({key: points for key, points in at.items() if sides[key] == side})
        shapes = cells(own, ground.frame, settings.unit, smooth=drawing.smooth, wiggle=drawing.wiggle)
        rims = shapely.union_all([shape.boundary for shape in shapes.values()])
        lines.append(shapely.intersection(rims, area, grid_size=ground.grid))
        of_side[side] = (list(shapes), shapely.STRtree(list(shapes.values())))
    of: dict[tuple[Side, str], list[Polygon]] = defaultdict(list)
    shapely.prepare(ground.land)
    for face in polygons(shapely.polygonize([shapely.union_all(lines, grid_size=ground.grid)])):
        inside = face.representative_point()
        face_side: Side = "land" if ground.land.contains(inside) else "sea"
        keys, tree = of_side[face_side]
        if keys:
            hits = tree.query(inside, predicate="intersects")
            of[face_side, keys[min(hits, default=tree.nearest(inside))]].append(face)
    anchored = {key: shapely.multipoints(points) for key, points in at.items()}
    return [
        Piece(piece, side, key, bool(piece.distance(anchored[key]) <= ground.grid))
        for (side, key), faces in of.items()
        for piece in polygons(shapely.coverage_union_all(faces))
    ]


def _fragments(pieces: list[Piece]) -> list[Piece]:
    """Join each piece without an anchor to the settled neighbour on its side with the longest border.

    This goes ring by ring, from the settled pieces outwards.
    """
    while True:
        borders = topology({str(number): piece.area for number, piece in enumerate(pieces)})
        shared: dict[int, dict[int, float]] = defaultdict(lambda: defaultdict(float))
        for arc in borders.arcs:
            if arc.right:
                for a, b in ((int(arc.left), int(arc.right)), (int(arc.right), int(arc.left))):
                    if not pieces[a].settled and pieces[b].settled and pieces[a].side == pieces[b].side:
                        shared[a][b] += arc.length
        if not shared:
            return pieces
        pieces = list(pieces)
        homes = {a: pieces[max(near, key=lambda b: (near[b], -b))].key for a, near in shared.items()}
        for a, key in homes.items():
            pieces[a] = replace(pieces[a], key=key, settled=True)


def _islands(pieces: Iterable[Piece], reach: float) -> list[Piece]:
    """Join islands to the province of their own cell if it is within reach, or else to any land within reach."""
    found = list(pieces)
    lands = [piece for piece in found if piece.settled and piece.side == "land"]
    for number, piece in enumerate(found):
        if piece.settled or piece.side == "sea":
            continue
        near = sorted((land.area.distance(piece.area), land.key != piece.key, land.key) for land in lands)
        near = [entry for entry in near if entry[0] <= reach]
        if near:
            own = [entry for entry in near if not entry[1]]
            found[number] = replace(piece, key=(own or near)[0][2], settled=True)
    return found


def _join_pieces(folder: Folder, pieces: list[Piece], sides: Mapping[str, Side]) -> Partition:
    of: dict[str, list[Polygon]] = {row.id: [] for row in folder.rows}
    all_sides: dict[str, Side] = dict(sides)
    for number, piece in enumerate(pieces):
        key = piece.key if piece.settled else f"{BLANK}{number}"
        of.setdefault(key, []).append(piece.area)
        all_sides[key] = piece.side
    areas = {key: shapely.coverage_union_all(found) for key, found in of.items() if found}
    return Partition(areas, all_sides, topology(areas))
