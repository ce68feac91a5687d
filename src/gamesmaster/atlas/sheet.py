"""The sheet: areas of the map laid out in page units, magnified where the designer says so, and made into shapes.

Everything is done to shared vertices alike, so neighbours still share their borders exactly.  Lines are drawn over the
map for what the shapes cannot show: crossings, passages, canals, ways off the board.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import shapely
from shapely import line_merge, union_all
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from gamesmaster.atlas.folder import Folder, Row
from gamesmaster.atlas.ground import Coordinates, Ground, polygons
from gamesmaster.atlas.partition import BLANK, Partition, Topology, topology
from gamesmaster.atlas.settings import PAGE, Lens, Settings, Stroke
from gamesmaster.board import Board, Location, Terrain
from gamesmaster.errors import BadBoard, nearest
from gamesmaster.pictures import Arc, Backdrop, Layout, Least, Link, ProvinceShape, Ring, Shapes, arc_of, arc_points

WATERS = (Terrain.SEA, Terrain.ISLANDS, Terrain.BOX)
_PITCH = 12.0  # page units: straight lines are followed at this step through a lens
_REACH = (60.0, 40.0, 24.0, 12.0)  # page units that a crossing reaches into each side, as far as it goes
_THICK = 12.0  # page units about a drawn line
_STUB = 160.0  # page units of a line that leaves the frame


@dataclass(frozen=True, slots=True)
class Sheet:
    """From metres of the projection to page units."""

    settings: Settings
    flat: Callable[[float, float], tuple[float, float]]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the frame in page units."""
        _, south, _, north = self.settings.frame
        return PAGE, round((north - south) * 1000 / self.settings.unit)

    def page(self, points: Coordinates) -> Coordinates:
        """Convert points in metres to page units; y grows downwards."""
        for lens, middle in zip(self.settings.drawing.lenses, self.middles(), strict=True):
            points = magnify(points, middle, lens)
        west, _, _, north = self.settings.frame
        unit = self.settings.unit
        return np.column_stack([(points[:, 0] - 1000 * west) / unit, (1000 * north - points[:, 1]) / unit])

    def middles(self) -> list[Coordinates]:
        """Return the middle of each lens, as the lenses before it show it."""
        seen: list[Coordinates] = []
        for number, lens in enumerate(self.settings.drawing.lenses):
            at = np.array([self.flat(*lens.at)])
            for before, middle in zip(self.settings.drawing.lenses[:number], seen, strict=True):
                at = magnify(at, middle, before)
            seen.append(at[0])
        return seen

    def to_page(self, geometry: BaseGeometry) -> BaseGeometry:
        """Return a geometry in page units."""
        return shapely.transform(shapely.segmentize(geometry, _PITCH * self.settings.unit), self.page)

    def point(self, east: float, north: float) -> tuple[float, float]:
        """Return a point of the globe in page units."""
        ((x, y),) = self.page(np.array([self.flat(east, north)]))
        return float(x), float(y)


def magnify(points: Coordinates, middle: Coordinates, lens: Lens) -> Coordinates:
    """Enlarge the area around the middle of a lens and compress its rim; points beyond it do not move.

    At distance t (in radii) from the middle a point moves to f t / (1 + (f - 1) t), f being the factor: f times as far
    at the middle, growing with t all the way, so no two points change places, and 1/f as fast at the rim.
    """
    away = points - middle
    t = np.minimum(np.hypot(away[:, 0], away[:, 1]) / (1000 * lens.radius), 1.0)
    return middle + away * (lens.factor / (1 + (lens.factor - 1) * t))[:, None]


def draw_areas(sheet: Sheet, areas: Mapping[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """Return the areas in whole page units, cut to the frame and simplified; areas that vanish are left out."""
    frame = box(0, 0, *sheet.size)
    placed = {key: _whole(shapely.intersection(sheet.to_page(area), frame)) for key, area in areas.items()}
    keys = [key for key, area in placed.items() if not area.is_empty]
    simple = shapely.coverage_simplify([placed[key] for key in keys], sheet.settings.drawing.detail)
    rounded = shapely.transform(np.asarray(simple, dtype=object), np.rint)
    return {key: area for key, area in zip(keys, rounded, strict=True) if not area.is_empty}


def solid(areas: Mapping[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """Return the areas fit to be measured and cut: rounding may have laid a narrow inlet's two shores on each other."""
    return {key: _whole(shapely.make_valid(area, method="structure")) for key, area in areas.items()}


def draw_lakes(sheet: Sheet, ground: Ground) -> list[Polygon]:
    """Return the lakes that are only drawn, in whole page units."""
    frame = box(0, 0, *sheet.size)
    lakes = [
        shapely.simplify(sheet.to_page(lake).intersection(frame), sheet.settings.drawing.detail)
        for lake in ground.lakes
    ]
    return [polygon for lake in lakes for polygon in polygons(shapely.transform(lake, np.rint)) if polygon.area > 0]


def _whole(geometry: BaseGeometry) -> BaseGeometry:
    """Return only the polygons of a geometry (cutting may leave points and lines on the frame)."""
    found: Sequence[Polygon] = polygons(geometry)
    return found[0] if len(found) == 1 else MultiPolygon(list(found))


def shore(board: Board, coast: Location, areas: Mapping[str, BaseGeometry]) -> BaseGeometry:
    """Return where a fleet on this coast lies: along the waters that it reaches, or else along any neighbour."""
    near = [edge.b.province for edge in board.edges if edge.a == coast and edge.b.province in areas]
    waters = [key for key in near if board.province(key).terrain in WATERS]
    area = areas[coast.province]
    found = shapely.union_all([area.intersection(areas[key]) for key in waters or near])
    return area.representative_point() if found.is_empty else found


def make_links(folder: Folder, areas: Mapping[str, BaseGeometry], sheet: Sheet) -> Iterator[Link]:
    """Yield a link for every row of `edges.csv` (it says how it is drawn), and for every stroke of `board.toml`."""
    for row in folder.edges:
        path: Arc = ()
        path2: Arc = ()
        if row.draw == "offboard" and {row.a, row.b} <= areas.keys():
            path, path2 = _leaving(areas[row.a], sheet), _leaving(areas[row.b], sheet)
        elif row.draw and {row.a, row.b} <= areas.keys():
            path = crossing(areas[row.a], areas[row.b])
        yield Link(row.a, row.b, row.ways, row.op, row.draw, path, path2, row.reason)
    for number, stroke in enumerate(folder.settings.strokes):
        where = f"{folder.path / 'board.toml'}, $.strokes[{number}]"
        for key in (stroke.a, stroke.b, *(key for pair in stroke.along for key in pair)):
            if key not in areas:
                raise BadBoard(f"no province {key!r} on the map", where=where, hint=nearest(key, areas))
        path = _along(stroke, areas, where) if stroke.along else line([sheet.point(*at) for at in stroke.points])
        yield Link(stroke.a, stroke.b, (), "+", stroke.kind, path, (), stroke.reason)


def _along(stroke: Stroke, areas: Mapping[str, BaseGeometry], where: str) -> Arc:
    """Return the borders of the pairs, joined into one line."""
    borders = [areas[a].boundary.intersection(areas[b].boundary) for a, b in stroke.along]
    parts = [part for border in borders for part in getattr(border, "geoms", [border])]
    joined = line_merge(union_all([part for part in parts if part.geom_type == "LineString"]))
    if joined.geom_type != "LineString" or joined.is_empty:
        raise BadBoard("these borders do not lie end to end", where=f"{where}.along")
    return line(joined.coords)


def line(points: Iterable[Sequence[float]]) -> Arc:
    """Return a line in whole page units, without points that repeat the one before."""
    whole = [(round(point[0]), round(point[1])) for point in points]
    return arc_of([point for point, before in zip(whole, [None, *whole], strict=False) if point != before])


def drawn_lines(links: Iterable[Link]) -> list[BaseGeometry]:
    """Return the area of the drawn links, which names must not cover."""
    paths = [path for link in links for path in (link.path, link.path2) if path]
    return [LineString(arc_points(path)).buffer(_THICK) for path in paths]


def crossing(a: BaseGeometry, b: BaseGeometry) -> Arc:
    """Return a line between two areas where they are nearest to each other, reaching a little into both."""
    p, q = nearest_points(a, b)
    if p.distance(q) < 1:  # they touch: across the middle of their border
        border = a.intersection(b)
        middle = (border if not border.is_empty else p).interpolate(0.5, normalized=True) if border.length else p
        p = q = nearest_points(border if border.length else p, middle)[0]
    return line([(end.x, end.y) for end in (_inward(p, q, a), _inward(q, p, b))])


def _inward(edge: Point, other: Point, area: BaseGeometry) -> Point:
    """Return a point some way into the area from its edge, straight on from the other side if there is one."""
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
    """Return a line from inside a water straight out over its edge of the frame, at the middle of that edge."""
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


def sheet_areas(folder: Folder, ground: Ground, parts: Partition) -> dict[str, BaseGeometry]:
    """Return all areas in page units.  Islands that belong to nobody are dropped if they are smaller than the least."""
    least = folder.settings.thresholds.island * 1e6
    kept = {k: area for k, area in parts.areas.items() if not k.startswith(BLANK) or area.area >= least}
    return draw_areas(Sheet(folder.settings, ground.flat), kept)


def make_shapes(
    folder: Folder,
    ground: Ground,
    parts: Partition,
    areas: Mapping[str, BaseGeometry],
    layouts: Mapping[str, Layout],
    links: tuple[Link, ...],
) -> Shapes:
    """Return the shapes of a board from its areas in page units (`sheet_areas`), with all things placed and drawn."""
    settings, sheet = folder.settings, Sheet(folder.settings, ground.flat)
    drawn = topology(areas)
    isles, loose = _isles(folder, parts, areas)
    arcs = [line(arc.points) for arc in drawn.arcs]
    lakes = [line(ring.coords) for lake in draw_lakes(sheet, ground) for ring in (lake.exterior, *lake.interiors)]
    least, contacts = settings.thresholds, _contacts(parts, areas)
    return Shapes(
        board=settings.name,
        size=sheet.size,
        km=round(settings.unit / 1000, 4),
        least=Least(land=least.border, shore=least.coast, sea=least.border),
        arcs=(*arcs, *lakes),
        provinces={
            row.id: ProvinceShape(
                rings=drawn.rings[row.id],
                contact=dict(sorted(contacts[row.id].items())),
                isles=_rings(drawn, isles[row.id]),
                out=_out(row, parts),
            )
            for row in folder.rows
            if row.id in areas
        },
        layouts=layouts,
        backdrop=Backdrop(
            land=_rings(drawn, [key for key in loose if parts.sides[key] == "land"]),
            lakes=(
                *_rings(drawn, [key for key in loose if parts.sides[key] == "sea"]),
                *((len(arcs) + number,) for number in range(len(lakes))),
            ),
        ),
        links=links,
        credit=settings.credit,
    )


def _rings(drawn: Topology, keys: list[str]) -> tuple[Ring, ...]:
    return tuple(ring for key in keys for ring in drawn.rings[key])


def _out(row: Row, parts: Partition) -> Literal["", "land", "sea"]:
    if row.playable:
        return ""
    return "sea" if row.kind == "lake" else parts.sides[row.id]


def _contacts(parts: Partition, areas: Mapping[str, BaseGeometry]) -> dict[str, dict[str, float]]:
    """Map province and neighbour to the kilometres of their border, as measured before the page's lenses."""
    of: dict[str, dict[str, float]] = defaultdict(dict)
    for (a, b), metres in parts.contacts().items():
        if not a.startswith(BLANK) and not b.startswith(BLANK) and a in areas and b in areas:
            of[a][b] = of[b][a] = max(round(metres / 1000, 1), 0.1)
    return of


def _isles(
    folder: Folder, parts: Partition, areas: Mapping[str, BaseGeometry]
) -> tuple[dict[str, list[str]], list[str]]:
    """Return the land without an owner: the pieces in the waters of islands provinces, by province, and the others."""
    isles: dict[str, list[str]] = defaultdict(list)
    loose = []
    for key in areas:
        if key.startswith(BLANK):
            around = _around(key, parts) if parts.sides[key] == "land" else ""
            kinds = {row.id: row.kind for row in folder.rows}
            if around and kinds.get(around) == "islands":
                isles[around].append(key)
            else:
                loose.append(key)
    return isles, loose


def _around(key: str, parts: Partition) -> str:
    """Return the area that this one shares the longest border with."""
    shared: dict[str, float] = defaultdict(float)
    for arc in parts.borders.arcs:
        if key in (arc.left, arc.right):
            shared[arc.right if arc.left == key else arc.left] += LineString(arc.points).length
    return max(sorted(shared), key=shared.__getitem__, default="")
