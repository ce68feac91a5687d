"""Diagrams: a map of a board without geography, from its borders alone.

The neighbours are a graph.  As much of it as can be drawn in a plane is cut into triangles and laid out by springs
(Tutte's embedding, in which no two lines cross), stiffer beside triangles and provinces that are larger than others.
Each province then takes its share of every triangle, so that two provinces touch exactly where they are neighbours.
Borders that no plane holds are drawn as lines between the provinces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import pi

import networkx as nx
import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu
from shapely.geometry import Polygon
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.layout import Placing, lay_out_all
from gamesmaster.atlas.partition import BLANK, Topology, around, draw_arc, topology
from gamesmaster.atlas.sheet import crossing, drawn_lines, line, shore, solid
from gamesmaster.board import ARMY, FLEET, Board, Location, Province, Terrain
from gamesmaster.errors import BadBoard
from gamesmaster.pictures import Backdrop, Layout, Least, Link, LinkKind, ProvinceShape, Shapes

SIZE = (4000, 3000)
"""Width and height of a diagram in page units; of a large board it is larger, so that signs and names find room."""
_USUAL, _LARGEST = 80, 2.5  # provinces that fit on such a page, and how many times larger its sides may be
_MARGIN = 40.0  # page units between the outermost places and the frame
_ROUNDS, _MOST_ROUNDS = 40, 320  # times that the springs are set anew; more while triangles are too small to be drawn
_EASE = 0.15  # how much each time: more would overshoot
_LEAST_RIM = 16  # places on the frame
_LEAST, _FLAT = 60.0, 0.1  # of a triangle: square page units that are enough, and the height below which it is a line
_SMOOTH, _WIGGLE = 14, 0.8
_LONG_FACE = 6  # provinces around a gap that is left empty, rather than one point in which all of them meet
_VOID = 0.12  # room of a place that belongs to nobody, where a province has 1
_UNIT = 0.1  # what a contact is written as, for a page unit
_REASON = "as the borders of the board are"

Floats = NDArray[np.float64]
Walk = list[str]


def draw_diagram(board: Board) -> Shapes:
    """Return shapes for a board, drawn from its borders alone.  The same board gives the same shapes.

    Raises `BadBoard` for a board on which fewer than three provinces have a border, or whose borders leave a part of it
    no room on the page.
    """
    mesh = _mesh(board)
    places = _places(mesh)
    if places is None:
        raise BadBoard("its borders leave some provinces no room on the page of a diagram", where=board.name)
    areas = _areas(mesh, places)
    drawn = _rounded(topology(areas))
    whole = solid({key: drawn.area(key) for key in drawn.rings})
    links = tuple(_links(board, drawn, whole))
    lines = drawn_lines(links)
    placings = {p.id: _placing(board, p, whole) for p in board.provinces}
    layouts = {name: Layout(laid) for name, (laid, _) in lay_out_all(placings, mesh.size, lines, hasty=True).items()}
    contacts = _contacts(drawn)
    shapes = {
        p.id: ProvinceShape(
            rings=drawn.rings[p.id],
            contact=dict(sorted(contacts[p.id].items())),
            out="land" if p.terrain is Terrain.IMPASSABLE else "",
        )
        for p in board.provinces
    }
    return Shapes(
        board=board.name,
        size=mesh.size,
        km=1.0,
        least=Least(0.1, 0.1, 0.1),
        arcs=tuple(line(arc.points) for arc in drawn.arcs),
        provinces=shapes,
        layouts=layouts,
        backdrop=Backdrop(land=drawn.rings.get(f"{BLANK}land", ()), lakes=drawn.rings.get(f"{BLANK}sea", ())),
        links=links,
        diagram=True,
    )


# -- the graph and its triangles ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Mesh:
    """Triangles between places: provinces by their ids, and places of nobody.

    A place of nobody is one of the `points` in which provinces meet, or has room, whose `owner` is an impassable
    province or what is only drawn.  `rim` are the places on the frame; `room` is how large a province shall be.
    """

    triangles: list[tuple[str, str, str]] = field(default_factory=list)
    points: set[str] = field(default_factory=set)
    rim: Walk = field(default_factory=list)
    provinces: tuple[str, ...] = ()
    size: tuple[int, int] = SIZE
    room: dict[str, float] = field(default_factory=dict)
    owner: dict[str, str] = field(default_factory=dict)


def _mesh(board: Board) -> _Mesh:
    """Return the triangles of the plane part of a board's graph."""
    graph = _graph(board)
    if len(graph) < 3:
        raise BadBoard("a diagram needs three provinces with borders", where=board.name)
    plane = _plane(graph)
    walks = sorted(_faces(plane), key=len, reverse=True)
    part_of = {key: n for n, part in enumerate(nx.connected_components(plane)) for key in part}
    outsides = {part_of[walk[0]]: walk for walk in reversed(walks)}
    walks = [walk for walk in walks if walk is not outsides[part_of[walk[0]]]]
    seas = frozenset(p.id for p in board.provinces if p.terrain in (Terrain.SEA, Terrain.BOX))
    larger = min(max(1.0, (len(graph) / _USUAL) ** 0.5), _LARGEST)
    room = {p.id: 1.3 if p.id in seas else 1 + 0.2 * len(p.coasts) for p in board.provinces}
    mesh = _Mesh(provinces=tuple(graph), room=room, size=(round(SIZE[0] * larger), round(SIZE[1] * larger)))
    shut = [p.id for p in board.provinces if p.terrain is Terrain.IMPASSABLE]
    for number, walk in enumerate(walks):
        middle = shut.pop(0) if shut else f"{BLANK}{number}"
        wet = 2 * sum(key in seas for key in walk) > len(walk)
        if middle[0] != BLANK or len(walk) >= _LONG_FACE or len(set(walk)) < len(walk):
            _fill_ring(mesh, walk, middle, wet=wet)
        else:
            mesh.points.add(middle)
            mesh.triangles += [(a, b, middle) for a, b in around(walk)]
    mesh.rim = _fill_ring(mesh, _joined(mesh, list(outsides.values())), "", wet=True, owners=shut)
    return mesh


def _joined(mesh: _Mesh, outsides: list[Walk]) -> Walk:
    """Return one walk around the parts of a board, each joined to the largest by a place of nobody."""
    outsides.sort(key=len)
    whole = outsides.pop()
    for number, walk in enumerate(outsides, 1):
        mesh.owner[bridge := f"{BLANK}bridge{number}"] = f"{BLANK}sea"
        at = number * len(whole) // (len(outsides) + 1)
        whole = [*whole[: at + 1], bridge, *walk, walk[0], bridge, *whole[at:]]
    return whole


def _fill_ring(mesh: _Mesh, walk: Walk, middle: str, *, wet: bool, owners: Sequence[str] = ()) -> Walk:
    """Fill a face with a ring of blank cells, one for each of its corners, around a middle; return the ring.

    Without a middle the face is the outside of the board.
    """
    name, times = middle or f"{BLANK}rim", 1 if middle else -(-_LEAST_RIM // len(walk))
    ring = [f"{BLANK}{name}.{n}" for n in range(len(walk) * times)]
    for n, own in enumerate(owners):
        ring[n * len(ring) // len(owners)] = own
    nobody = f"{BLANK}{'sea' if wet else 'land'}"
    mesh.owner |= dict.fromkeys((*ring, middle), middle if middle[:1] not in ("", BLANK) else nobody)
    mesh.owner |= {own: own for own in owners}
    steps = list(around(ring))
    for n, (a, b) in enumerate(around(walk)):
        mesh.triangles.append((a, b, ring[n * times]))
        mesh.triangles += [(b, d, c) for c, d in steps[n * times : (n + 1) * times]]
    if middle:
        mesh.triangles += [(c, d, middle) for c, d in steps]
    return ring


def _graph(board: Board) -> nx.Graph:
    """Return the neighbours as a graph."""
    graph = nx.Graph()
    for number, near in enumerate(board.neighbours):
        graph.add_edges_from((board.provinces[number].id, board.provinces[other].id) for other in sorted(near))
    return graph


def _plane(graph: nx.Graph) -> nx.PlanarEmbedding:
    """Return a planar embedding of as many borders as possible; those between close neighbours come first.

    Where four provinces meet in a point, one of the two borders across it may shut a part of the board in.  So such
    borders come last, unless more are held without that.
    """
    edges = sorted((min(edge), max(edge)) for edge in graph.edges)
    shared = {edge: set(graph[edge[0]]) & set(graph[edge[1]]) for edge in edges}
    edges.sort(key=lambda edge: -len(shared[edge]))
    across = {
        edge
        for edge, ends in shared.items()
        if len(ends) == 2 and graph.has_edge(*ends) and min(len(graph[key]) for key in (*edge, *ends)) > 3
    }
    best = nx.Graph()
    for order in (sorted(edges, key=across.__contains__), edges):
        held = nx.Graph()
        held.add_nodes_from(graph)
        if best.number_of_edges() < len(edges):
            _hold(held, order)
        best = max(best, held, key=nx.Graph.number_of_edges)
    _part(best, [edge for edge in edges if not shared[edge]], graph)
    return nx.check_planarity(best)[1]


def _part(held: nx.Graph, loose: list[tuple[str, str]], graph: nx.Graph) -> None:
    """Take apart layers of a board, most borders between which no plane holds: one would shut the other in."""
    core = nx.restricted_view(held, [], [edge for edge in loose if held.has_edge(*edge)])
    parts = [part for part in nx.connected_components(core) if len(part) > 2]
    part_of = {key: n for n, part in enumerate(parts) for key in part}
    between: dict[frozenset[int], list[tuple[str, str]]] = defaultdict(list)
    for a, b in graph.edges:
        if a in part_of and b in part_of and part_of[a] != part_of[b]:
            between[frozenset((part_of[a], part_of[b]))].append((a, b))
    for edges in between.values():
        lines = [edge for edge in edges if not held.has_edge(*edge)]
        if 2 * len(lines) > len(edges):
            held.remove_edges_from(edges)


def _hold(held: nx.Graph, edges: list[tuple[str, str]], *, too_many: bool = False) -> bool:
    """Add the edges that leave the graph planar, in their order, and return whether all do.

    Many are tried at a time, since few do not; `too_many` says that not all can be added.
    """
    if not too_many:
        held.add_edges_from(edges)
        if nx.check_planarity(held)[0]:
            return True
        held.remove_edges_from(edges)
    half = len(edges) // 2
    if half:
        _hold(held, edges[half:], too_many=_hold(held, edges[:half]))
    return False


def _faces(embedding: nx.PlanarEmbedding) -> Iterator[Walk]:
    seen: set[tuple[str, str]] = set()
    for a, b in sorted(embedding.edges):
        if (a, b) not in seen:
            yield embedding.traverse_face(a, b, mark_half_edges=seen)


# -- where things lie --------------------------------------------------------------------------------------------------


def _places(mesh: _Mesh) -> dict[str, Floats] | None:
    """Return a point for every place: the rim on the frame, the rest where the springs hold it.

    Return None if the springs leave triangles too small to be drawn.
    """
    keys = list(dict.fromkeys((*mesh.rim, *(key for triangle in mesh.triangles for key in triangle))))
    index = {key: n for n, key in enumerate(keys)}
    triangles = np.array([[index[key] for key in triangle] for triangle in mesh.triangles])
    room = np.array([_VOID if key[0] == BLANK else mesh.room[key] for key in keys])
    sides = np.unique(
        np.sort(np.vstack([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1), axis=0
    )
    at = np.zeros((len(keys), 2))
    rim = len(mesh.rim)
    wish = (room / np.bincount(triangles.ravel()))[triangles].sum(axis=1)
    beside = _beside(triangles, sides)
    at[:rim] = _frame(rim, mesh.size)
    whole = Polygon(at[:rim]).area
    stiff, best, found = np.ones(len(sides)), (0.0, 0.0), at.copy()
    for rounds in range(_MOST_ROUNDS):
        if rounds >= _ROUNDS and _least_height(found, triangles) > _FLAT:
            break
        at[rim:] = _settle(sides, stiff, at, rim)
        areas = _triangle_areas(at, triangles)
        have = np.bincount(triangles.ravel(), np.repeat(areas / 3, 3), len(keys))
        share = have / have.sum() * room.sum() / room
        quality = min(areas.min(), _LEAST), share[room >= 1].min()
        if quality > best and areas.sum() < 1.001 * whole:  # else some triangles lie over others, by rounding
            best, found = quality, at.copy()
        ample = areas / areas.sum() * wish.sum() / wish * share[triangles].min(axis=1)
        crowd = np.clip(ample, 1e-3, 1e3) ** _EASE
        stiff = stiff * np.prod(np.append(crowd, 1.0)[beside], axis=1)
    return dict(zip(keys, found, strict=True)) if _least_height(found, triangles) > _FLAT else None


def _beside(triangles: NDArray[np.int64], sides: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the numbers of the two triangles at each side, -1 if there is only one."""
    of: dict[tuple[int, int], list[int]] = defaultdict(list)
    for n, (a, b, c) in enumerate(np.sort(triangles, axis=1).tolist()):
        for side in ((a, b), (b, c), (a, c)):
            of[side].append(n)
    return np.array([(*of[a, b], -1)[:2] for a, b in sides.tolist()])


def _frame(count: int, size: tuple[int, int]) -> Floats:
    """Return points on a rounded rectangle, in order."""
    turns = np.array([2 * pi * n / count for n in range(count)])
    round_x, round_y = (np.sign(f(turns)) * np.abs(f(turns)) ** 0.6 for f in (np.cos, np.sin))
    middle = np.array(size) / 2
    return middle + np.column_stack([round_x, round_y]) * (middle - _MARGIN)


def _settle(sides: NDArray[np.int64], stiff: Floats, at: Floats, rim: int) -> Floats:
    """Return the final points of the free places: each in the weighted middle of its neighbours."""
    a, b = np.vstack([sides, sides[:, ::-1]]).T - rim
    pull, free = np.tile(stiff, 2), len(at) - rim
    held, outer = (a >= 0) & (b >= 0), (a >= 0) & (b < 0)
    total = np.bincount(a[a >= 0], pull[a >= 0], free)
    entries = np.concatenate([-pull[held], total])
    rows, columns = (np.concatenate([end[held], np.arange(free)]) for end in (a, b))
    push = [np.bincount(a[outer], pull[outer] * at[b[outer] + rim, axis], free) for axis in (0, 1)]
    return np.asarray(splu(csc_array((entries, (rows, columns)), shape=(free, free))).solve(np.column_stack(push)))


def _triangle_areas(at: Floats, triangles: NDArray[np.int64]) -> Floats:
    a, b, c = (at[triangles[:, n]] for n in range(3))
    return np.abs((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (b[:, 1] - a[:, 1]) * (c[:, 0] - a[:, 0])) / 2


def _least_height(at: Floats, triangles: NDArray[np.int64]) -> float:
    """Return the height of the flattest triangle over its longest side."""
    corners = at[triangles]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    return float((2 * _triangle_areas(at, triangles) / sides.max(axis=1)).min())


# -- areas -------------------------------------------------------------------------------------------------------------


def _areas(mesh: _Mesh, at: Mapping[str, Floats]) -> dict[str, BaseGeometry]:
    """Return the area of each province, and of what belongs to nobody: land, water."""
    pieces: dict[str, list[Polygon]] = defaultdict(list)
    for met in (False, True):  # by a point in which provinces meet, the last corner, or in the middle
        triangles = [triangle for triangle in mesh.triangles if (triangle[2] in mesh.points) == met]
        corners = np.array([[at[key] for key in triangle] for triangle in triangles]).reshape(-1, 3, 2)
        middle = corners[:, 2] if met else corners.mean(axis=1)
        ends = (corners + np.roll(corners, -1, axis=1)) / 2
        for n in range(2 if met else 3):
            outline = [corners[:, n], ends[:, 0 if met else n], middle, *([] if met else [ends[:, n - 1]])]
            shares = shapely.polygons(np.round(np.stack(outline, axis=1), 3))
            for triangle, share in zip(triangles, shares, strict=True):
                pieces[mesh.owner.get(triangle[n], triangle[n])].append(share)
    return {key: shapely.coverage_union_all(found) for key, found in sorted(pieces.items())}


def _rounded(drawn: Topology) -> Topology:
    """Return the topology with borders that look drawn by hand, in whole page units."""
    lines = [draw_arc(arc, 1.0, _SMOOTH, _WIGGLE) for arc in drawn.arcs]
    arcs = (
        arc._replace(points=tuple((float(round(x)), float(round(y))) for x, y in points))
        for arc, points in zip(drawn.arcs, lines, strict=True)
    )
    return Topology(tuple(arcs), drawn.rings)


def _contacts(drawn: Topology) -> dict[str, dict[str, float]]:
    """Return for each province how long it touches each neighbour."""
    of: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for arc in drawn.arcs:
        if arc.right and BLANK not in (arc.left[0], arc.right[0]):
            for a, b in ((arc.left, arc.right), (arc.right, arc.left)):
                of[a][b] = round(of[a][b] + max(arc.length * _UNIT, 1.0), 1)
    return of


# -- what is drawn on it -----------------------------------------------------------------------------------------------


def _placing(board: Board, province: Province, areas: Mapping[str, BaseGeometry]) -> Placing:
    area = areas[province.id]
    shut = province.terrain is Terrain.IMPASSABLE
    return Placing(
        shape=area,
        code=province.abbr,
        name=province.name,
        water=province.terrain in (Terrain.SEA, Terrain.BOX),
        playable=not shut,
        centre=province.centre,
        coasts={coast: shore(board, Location(province.id, coast), areas) for coast in province.coasts},
        spots=30 if province.terrain is Terrain.BOX else 2,
    )


def _links(board: Board, drawn: Topology, areas: Mapping[str, BaseGeometry]) -> Iterator[Link]:
    """Yield a link for each border that the areas do not show, and for each contact without a border."""
    contacts = _contacts(drawn)
    land = {p.id: p.terrain in (Terrain.INLAND, Terrain.COAST) for p in board.provinces}
    edges: dict[str, set[frozenset[str]]] = defaultdict(set)
    for edge in board.edges:
        edges[edge.way].add(frozenset((edge.a.province, edge.b.province)))
    joined = {frozenset((a, b)) for a, touched in contacts.items() for b in touched}.union(*edges.values())
    order = {p.id: n for n, p in enumerate(board.provinces) if p.terrain is not Terrain.IMPASSABLE}
    pairs = (sorted(pair, key=order.__getitem__) for pair in joined if len(pair) == 2 and pair <= order.keys())
    for a, b in sorted(pairs, key=lambda pair: [order[key] for key in pair]):
        pair, touch, ashore = frozenset((a, b)), b in contacts[a], land[a] and land[b]
        sea = any(not land[key] for key in contacts[a].keys() & contacts[b].keys())
        shown = {ARMY: touch and ashore, FLEET: touch and (sea or not ashore)}
        wrong: dict[bool, list[str]] = defaultdict(list)
        for kind, way in board.ways.items():
            passes = pair in edges[way]
            if passes != shown.get(kind, touch) and (passes or kind == ARMY or not ashore):
                wrong[passes].append(way)
        for passes, ways in wrong.items():
            kind_drawn: LinkKind = "" if touch or not passes else "land" if ashore else "arrow"
            path = crossing(areas[a], areas[b]) if kind_drawn else ()
            yield Link(a, b, tuple(ways), "+" if passes else "-", kind_drawn, path, (), _REASON)
