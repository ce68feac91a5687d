"""The map cut up: every piece of land and water given to a province.

Cells are cut by the coast.  A piece that holds no anchor of its province (the far shore of a strait that a cell reaches
over) goes to the neighbour it shares the longest border with; an island goes to the land it lies nearest to, if that
is near enough; what is left belongs to nobody.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

import shapely
from shapely.geometry import LineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.cells import anchors_of, cells
from gamesmaster.atlas.folder import Folder, Row, Side
from gamesmaster.atlas.ground import Ground, polygons
from gamesmaster.atlas.settings import Settings
from gamesmaster.atlas.topology import Topology, topology

BLANK = "~"  # names of pieces that belong to nobody begin so


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
