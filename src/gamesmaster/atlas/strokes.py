"""Lines drawn over the map for what the shapes cannot show: crossings, passages, canals, ways off the board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from shapely import line_merge, union_all
from shapely.geometry import LineString, Point
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from gamesmaster.atlas.folder import EdgeRow, Folder
from gamesmaster.atlas.ground import polygons
from gamesmaster.atlas.settings import Stroke
from gamesmaster.atlas.sheet import Sheet
from gamesmaster.errors import BadBoard, nearest
from gamesmaster.pictures.shapes.values import Arc, Link, arc_of, arc_points

_REACH = (60.0, 40.0, 24.0, 12.0)  # page units that a crossing reaches into each side, as far as it goes
_THICK = 12.0  # page units about a drawn line
_STUB = 160.0  # page units of a line that leaves the frame


def make_links(folder: Folder, areas: Mapping[str, BaseGeometry], sheet: Sheet) -> Iterator[Link]:
    """Every row of `edges.csv`, drawn if it asks to be, and the strokes of `board.toml`."""
    for row in folder.edges:
        path, path2 = _paths(row, areas, sheet)
        yield Link(row.a, row.b, row.ways, row.op, row.draw, path, path2, row.reason)
    for number, stroke in enumerate(folder.settings.strokes):
        where = f"{folder.path / 'board.toml'}, $.strokes[{number}]"
        for key in (stroke.a, stroke.b, *(key for pair in stroke.along for key in pair)):
            if key not in areas:
                raise BadBoard(f"no province {key!r} on the map", where=where, hint=nearest(key, areas))
        path = _along(stroke, areas, where) if stroke.along else line([sheet.point(*at) for at in stroke.points])
        yield Link(stroke.a, stroke.b, (), "+", stroke.kind, path, (), stroke.reason)


def _along(stroke: Stroke, areas: Mapping[str, BaseGeometry], where: str) -> Arc:
    """The borders of the pairs, joined into one line."""
    borders = [areas[a].boundary.intersection(areas[b].boundary) for a, b in stroke.along]
    parts = [part for border in borders for part in getattr(border, "geoms", [border])]
    joined = line_merge(union_all([part for part in parts if part.geom_type == "LineString"]))
    if joined.geom_type != "LineString" or joined.is_empty:
        raise BadBoard("these borders do not lie end to end", where=f"{where}.along")
    return line(joined.coords)


def line(points: Iterable[Sequence[float]]) -> Arc:
    """A line in whole page units, without points that repeat the one before."""
    whole = [(round(point[0]), round(point[1])) for point in points]
    return arc_of([point for point, before in zip(whole, [None, *whole], strict=False) if point != before])


def drawn_lines(links: Iterable[Link]) -> list[BaseGeometry]:
    """What the drawn links cover, for names to keep clear of."""
    paths = [path for link in links for path in (link.path, link.path2) if path]
    return [LineString(arc_points(path)).buffer(_THICK) for path in paths]


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
