"""The map cut up: every piece of land and water given to a province.

Every point goes to the province whose anchor is nearest: the straight cells of a Voronoi diagram are joined by
province, their borders rounded off, and the whole plane then pulled about by a smooth, gentle and always equal
displacement, which can neither tear borders apart nor make them cross.

Cells are cut by the coast.  A piece that holds no anchor of its province (the far shore of a strait that a cell reaches
over) goes to the neighbour it shares the longest border with; an island goes to the land it lies nearest to, if that
is near enough; what is left belongs to nobody.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from shapely.geometry import LineString, MultiPoint, Point, Polygon
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.folder import Folder, Row, Side
from gamesmaster.atlas.ground import Coordinates, Ground, polygons
from gamesmaster.atlas.settings import Settings
from gamesmaster.atlas.topology import Arc, Topology, topology

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
    """The cell of each province over the whole frame and beyond it: anchors are (province, point in metres).

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
    lines = [_drawn(arc, unit, smooth, wiggle) for arc in joined.arcs]
    bent = Topology(
        tuple(arc._replace(points=line) for arc, line in zip(joined.arcs, lines, strict=True)), joined.rings
    )
    return {key: bent.area(key) for key in of}


def _drawn(arc: Arc, unit: float, smooth: int, wiggle: float) -> tuple[tuple[float, float], ...]:
    line = np.asarray(arc.points)
    if arc.right:  # the outermost rim stays as it is
        line = _rounded(_evenly(line, _PITCH * unit), smooth)
    return tuple(map(tuple, bend(line / unit, wiggle) * unit))


def _evenly(line: Coordinates, pitch: float) -> Coordinates:
    """The line with points at even distances, its ends where they were."""
    steps = np.hypot(*np.diff(line, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    count = max(int(along[-1] / pitch), 1) + 1
    at = np.linspace(0.0, along[-1], count)
    return np.column_stack([np.interp(at, along, line[:, 0]), np.interp(at, along, line[:, 1])])


def _rounded(line: Coordinates, passes: int) -> Coordinates:
    """Corners rounded off: each point drawn towards the middle of its neighbours, the ends held fast."""
    for _ in range(passes if len(line) > 2 else 0):
        line = line.copy()
        line[1:-1] = line[1:-1] / 2 + (line[:-2] + line[2:]) / 4
    return line


def bend(points: Coordinates, wiggle: float) -> Coordinates:
    """Points in page units, displaced by the sum of the waves times `wiggle`."""
    moved = points.astype(float)
    for length, height, degrees in _WAVES:
        along = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))])
        phase = points @ along * (2 * math.pi / length)
        across = np.array([-along[1], along[0]])
        moved = moved + wiggle * height * np.sin(phase + length)[:, None] * across
    return moved


def anchors_of(rows: Mapping[str, Sequence[tuple[float, float]]]) -> list[tuple[str, tuple[float, float]]]:
    """(province, point) for every anchor, in the order of the file, each point once."""
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
    """Who has what: areas by province, pieces of nobody (`~0`, `~1`, ...), and the side each area is on."""

    areas: Mapping[str, BaseGeometry]
    sides: Mapping[str, Side]
    borders: Topology

    def contacts(self) -> dict[tuple[str, str], float]:
        """Length in metres of the border between each two areas, names in alphabetical order."""
        lengths: dict[tuple[str, str], float] = defaultdict(float)
        for arc in self.borders.arcs:
            if arc.right and arc.left != arc.right:
                lengths[min(arc.left, arc.right), max(arc.left, arc.right)] += arc.length
        return dict(lengths)

    def frontier(self, a: str, b: str) -> BaseGeometry:
        """The border between two areas as lines, empty where they do not touch."""
        lines = [LineString(arc.points) for arc in self.borders.arcs if {arc.left, arc.right} == {a, b}]
        return shapely.union_all(lines)


def partition(folder: Folder, ground: Ground) -> Partition:
    """Cut the ground into provinces."""
    sides = {row.id: row.side or _side(row, ground) for row in folder.rows}
    at = {row.id: [_snapped(ground, *anchor) for anchor in row.anchors] for row in folder.rows}
    pieces = _fragments(_cut(ground, at, sides, folder.settings))
    return _joined(folder, _islands(pieces, folder.settings.thresholds.attach * 1000), sides)


def _side(row: Row, ground: Ground) -> Side:
    if row.kind == "impassable":
        return "land" if ground.land.intersects(Point(ground.flat(*row.anchors[0]))) else "sea"
    return "land" if row.kind in ("land", "lake") else "sea"


def _snapped(ground: Ground, east: float, north: float) -> tuple[float, float]:
    x, y = ground.flat(east, north)
    return round(x / ground.grid) * ground.grid, round(y / ground.grid) * ground.grid


def _cut(
    ground: Ground, at: Mapping[str, list[tuple[float, float]]], sides: Mapping[str, Side], settings: Settings
) -> list[Piece]:
    """Cells cut by the coast, each piece as connected as it lies.

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
    """Pieces without an anchor join the settled neighbour on their side that they border longest, ring by ring."""
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
    """Islands within reach of their own cell's province, or else of any land, join it."""
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


def _joined(folder: Folder, pieces: list[Piece], sides: Mapping[str, Side]) -> Partition:
    of: dict[str, list[Polygon]] = {row.id: [] for row in folder.rows}
    all_sides: dict[str, Side] = dict(sides)
    for number, piece in enumerate(pieces):
        key = piece.key if piece.settled else f"{BLANK}{number}"
        of.setdefault(key, []).append(piece.area)
        all_sides[key] = piece.side
    areas = {key: shapely.coverage_union_all(found) for key, found in of.items() if found}
    return Partition(areas, all_sides, topology(areas))
