"""Lines drawn over the map for what the shapes cannot show: crossings, passages, canals, ways off the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from gamesmaster.atlas.folder import EdgeRow, Folder
from gamesmaster.atlas.ground import polygons
from gamesmaster.atlas.sheet import Sheet
from gamesmaster.pictures.shapes import Arc, Link, arc_of

_REACH = (60.0, 40.0, 24.0, 12.0)  # page units that a crossing reaches into each side, as far as it goes
_STUB = 160.0  # page units of a line that leaves the frame


def make_links(folder: Folder, areas: Mapping[str, BaseGeometry], sheet: Sheet) -> Iterator[Link]:
    """Every row of `edges.csv`, drawn if it asks to be, and the strokes of `board.toml`."""
    for row in folder.edges:
        path, path2 = _paths(row, areas, sheet)
        yield Link(row.a, row.b, row.ways, row.op, row.draw, path, path2, row.reason)
    for stroke in folder.settings.strokes:
        path = line([sheet.point(*point) for point in stroke.points])
        yield Link(stroke.a, stroke.b, (), "+", stroke.kind, path, (), stroke.reason)


def line(points: Iterable[Sequence[float]]) -> Arc:
    """A line in whole page units, without points that repeat the one before."""
    whole = [(round(point[0]), round(point[1])) for point in points]
    return arc_of([point for point, before in zip(whole, [None, *whole], strict=False) if point != before])


def _paths(row: EdgeRow, areas: Mapping[str, BaseGeometry], sheet: Sheet) -> tuple[Arc, Arc]:
    if not row.draw or row.a not in areas or row.b not in areas:
        return (), ()
    a, b = areas[row.a], areas[row.b]
    if row.draw == "offboard":
        return _leaving(a, sheet), _leaving(b, sheet)
    return _crossing(a, b), ()


def _crossing(a: BaseGeometry, b: BaseGeometry) -> Arc:
    """From one area to the other where they come nearest, reaching a little into both."""
    p, q = nearest_points(a, b)
    if p.distance(q) < 1:  # they touch: across the middle of their border
        border = a.intersection(b)
        middle = (border if not border.is_empty else p).interpolate(0.5, normalized=True) if border.length else p
        p = q = nearest_points(border if border.length else p, middle)[0]
    return line([(end.x, end.y) for end in (_inward(p, q, a), _inward(q, p, b))])


def _inward(edge: Point, other: Point, area: BaseGeometry) -> Point:
    """A point some way into the area from its edge, straight on from the other side if there is one."""
    goal = Point(2 * edge.x - other.x, 2 * edge.y - other.y) if edge.distance(other) >= 1 else _middle(area)
    far = max(edge.distance(goal), 1e-9)
    for reach in _REACH:
        spot = Point(edge.x + (goal.x - edge.x) / far * reach, edge.y + (goal.y - edge.y) / far * reach)
        if area.contains(spot):
            return spot
    return edge


def _middle(area: BaseGeometry) -> Point:
    return max(polygons(area), key=lambda polygon: polygon.area).representative_point()


def _leaving(area: BaseGeometry, sheet: Sheet) -> Arc:
    """From inside a water straight out over the edge of the frame that it lies along, at the middle of that edge."""
    width, height = sheet.size
    water = max(polygons(area), key=lambda polygon: polygon.area)
    sides = (
        (LineString([(0, height), (width, height)]), (0.0, -1.0)),
        (LineString([(0, 0), (0, height)]), (1.0, 0.0)),
        (LineString([(width, 0), (width, height)]), (-1.0, 0.0)),
        (LineString([(0, 0), (width, 0)]), (0.0, 1.0)),
    )
    touching = [(water.boundary.intersection(side), inward) for side, inward in sides]
    along, (dx, dy) = max(touching, key=lambda found: found[0].length)
    edge = max(getattr(along, "geoms", [along]), key=lambda part: part.length).interpolate(0.5, normalized=True)
    return line([(edge.x + dx * _STUB, edge.y + dy * _STUB), (edge.x, edge.y)])
