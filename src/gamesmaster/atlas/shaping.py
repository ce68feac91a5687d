"""From areas on the sheet to shapes: arcs, contacts, what is only drawn, and the borders that need explaining."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Literal

from shapely.geometry import LineString
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.folder import Folder, Row
from gamesmaster.atlas.ground import Ground
from gamesmaster.atlas.partition import BLANK, Partition
from gamesmaster.atlas.sheet import Sheet, draw_areas, draw_lakes
from gamesmaster.atlas.strokes import line
from gamesmaster.atlas.topology import Topology, topology
from gamesmaster.pictures.shapes.values import Backdrop, Layout, Least, Link, ProvinceShape, Ring, Shapes


def sheet_areas(folder: Folder, ground: Ground, parts: Partition) -> dict[str, BaseGeometry]:
    """All areas in page units.  Islands that belong to nobody are dropped if they are smaller than the least."""
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
    """The shapes of a board from its areas in page units (`sheet_areas`), and what was placed and drawn on them."""
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
    """Province -> neighbour -> kilometres along which they touch, as measured before the page's lenses."""
    of: dict[str, dict[str, float]] = defaultdict(dict)
    for (a, b), metres in parts.contacts().items():
        if not a.startswith(BLANK) and not b.startswith(BLANK) and a in areas and b in areas:
            of[a][b] = of[b][a] = max(round(metres / 1000, 1), 0.1)
    return of


def _isles(
    folder: Folder, parts: Partition, areas: Mapping[str, BaseGeometry]
) -> tuple[dict[str, list[str]], list[str]]:
    """Pieces of land that belong to nobody: those in the waters of an islands province, by province, and the others."""
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
    """The area that this one shares the longest border with."""
    shared: dict[str, float] = defaultdict(float)
    for arc in parts.borders.arcs:
        if key in (arc.left, arc.right):
            shared[arc.right if arc.left == key else arc.left] += LineString(arc.points).length
    return max(sorted(shared), key=shared.__getitem__, default="")
