"""Cells: every point of the map given to the province whose anchor is nearest, with borders as a hand would draw them.

The straight cells of a Voronoi diagram are joined by province, their borders rounded off, and the whole plane then
pulled about by a smooth, gentle and always equal displacement: it can neither tear borders apart nor make them cross.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence

import numpy as np
import shapely
from shapely.geometry import MultiPoint, Polygon
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.ground import Coordinates
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
