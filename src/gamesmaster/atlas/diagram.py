"""Diagrams: a map of a board without geography, from its borders alone.

The neighbours are a graph.  As much of it as can be drawn in a plane is cut into triangles and laid out by springs
(Tutte's embedding, in which no two lines cross), stiffer beside triangles and provinces that are larger than others.
Each province then takes its share of every triangle, so that two provinces touch exactly where they are neighbours.
Borders that no plane holds are drawn as lines between the provinces.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import ceil, pi
from operator import itemgetter

import networkx as nx
import numpy as np
import shapely
from numpy.typing import NDArray
from scipy.sparse import csc_array
from scipy.sparse.linalg import splu
from scipy.spatial import Delaunay
from shapely.geometry import Polygon, box
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.layout import Placing, lay_out_all
from gamesmaster.atlas.partition import BLANK, Topology, around, draw_arc, topology
from gamesmaster.atlas.sheet import crossing, drawn_lines, line, shore, solid
from gamesmaster.board import ARMY, FLEET, Board, Location, Province, Terrain
from gamesmaster.pictures import Backdrop, Layout, Least, Link, LinkKind, ProvinceShape, Shapes

SIZE = (4000, 3000)
"""Width and height of a diagram in page units; of a large board it is larger, so that signs and names find room."""
_USUAL, _LARGEST = 80, 2.5  # provinces that fit on such a page, and how many times larger its sides may be
_MARGIN = 40.0  # page units between the outermost places and the frame
_ROUNDS, _MOST_ROUNDS = 40, 90  # times that the springs are set anew; more while triangles are too small to be drawn
_EASE, _HARD = (0.15, 1e-3), (0.1, 1e-12)  # how much each time, and at most: more would overshoot
_DENSE = 4  # borders a province of which a plane holds too few
_SMALL, _TINY = 0.02, 0.003  # shares of a province that is let out of those around it, or that nobody could see
_MOST_OPENED = 5  # times that provinces are let out
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
    """Return shapes for a board, drawn from its borders alone.  The same board gives the same shapes."""
    larger = min(max(1.0, (len(board.provinces) / _USUAL) ** 0.5), _LARGEST)
    size = round(SIZE[0] * larger), round(SIZE[1] * larger)
    drawn = _rounded(topology(_areas(board, size)))
    whole = solid({key: drawn.area(key) for key in drawn.rings})
    links = tuple(_links(board, drawn, whole))
    lines = drawn_lines(links)
    if len(lines) > _DENSE * len(whole):
        lines = []  # they would leave names no room
    placings = {p.id: _placing(board, p, whole) for p in board.provinces}
    layouts = {name: Layout(laid) for name, (laid, _) in lay_out_all(placings, size, lines, hasty=True).items()}
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
        size=size,
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
    """Triangles between places: provinces by their ids, and places of nobody."""

    triangles: list[tuple[str, str, str]] = field(default_factory=list)
    points: set[str] = field(default_factory=set)  # places of nobody in which provinces meet
    rim: Walk = field(default_factory=list)  # the places on the frame
    size: tuple[int, int] = SIZE
    room: dict[str, float] = field(default_factory=dict)  # how large a province shall be
    owner: dict[str, str] = field(default_factory=dict)  # what has the places of nobody with room


def _areas(board: Board, size: tuple[int, int]) -> dict[str, BaseGeometry]:
    """Return the area of each province, and of what belongs to nobody: land, water.

    Areas meet at as many borders as leave room for all provinces; if none do, areas lie apart.
    """
    graph = _graph(board)
    share, mesh, places = max(_meshes(board, graph, size), key=itemgetter(0), default=(0.0, _Mesh(), {}))
    return _shares(mesh, places) if share > _TINY else _islands(board, graph, size)


def _meshes(board: Board, graph: nx.Graph, size: tuple[int, int]) -> Iterator[tuple[float, _Mesh, dict[str, Floats]]]:
    """Yield meshes and their places, each with the share of its smallest province, until one has room for all."""
    dense = graph.number_of_edges() > _DENSE * len(graph)
    for hold in (_nearest,) if dense else (_most, _nearest) if len(graph) > 2 else ():
        held = hold(graph)
        for _ in range(_MOST_OPENED):
            mesh = _mesh(board, _embedding(held), size)
            places, shares = _places(mesh)
            least = min(shares.values())
            yield least, mesh, places
            if least > _SMALL:
                return
            if not _open(held, [key for key, share in shares.items() if share <= _SMALL], places):
                break


def _islands(board: Board, graph: nx.Graph, size: tuple[int, int]) -> dict[str, BaseGeometry]:
    """Return equal areas in rows with water between them, near those that they border on."""
    graph.add_nodes_from(province.id for province in board.provinces)
    at = nx.spring_layout(graph, seed=1, iterations=200)
    rows = ceil((0.6 * len(graph)) ** 0.5)
    lines = np.array_split(sorted(graph, key=lambda key: float(at[key][1])), rows)
    wide, high = size[0] / max(map(len, lines)), size[1] / rows
    areas = {
        str(key): box((x + 0.15) * wide, (y + 0.15) * high, (x + 0.85) * wide, (y + 0.85) * high)
        for y, keys in enumerate(lines)
        for x, key in enumerate(sorted(keys, key=lambda key: float(at[key][0])))
    }
    return areas | {f"{BLANK}sea": box(0, 0, *size).difference(shapely.union_all(list(areas.values())))}


def _mesh(board: Board, plane: nx.PlanarEmbedding, size: tuple[int, int]) -> _Mesh:
    """Return the triangles of the plane part of a board's graph."""
    walks = sorted(_faces(plane), key=len, reverse=True)
    part_of = {key: n for n, part in enumerate(nx.connected_components(plane)) for key in part}
    outsides = {part_of[walk[0]]: walk for walk in reversed(walks)}
    walks = [walk for walk in walks if walk is not outsides[part_of[walk[0]]]]
    seas = frozenset(p.id for p in board.provinces if p.terrain in (Terrain.SEA, Terrain.BOX))
    room = {p.id: 1.3 if p.id in seas else 1 + 0.2 * len(p.coasts) for p in board.provinces}
    mesh = _Mesh(room=room, size=size)
    shut = [p.id for p in board.provinces if p.id not in plane]
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


def _most(graph: nx.Graph) -> nx.Graph:
    """Return as many borders as a plane holds; those between close neighbours come first.

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
    return best


def _nearest(graph: nx.Graph) -> nx.Graph:
    """Return the borders between provinces that lie beside each other where springs alone hold them."""
    at, keys, held = nx.spring_layout(graph, seed=1, iterations=200), list(graph), nx.Graph()
    held.add_nodes_from(keys)
    for corners in Delaunay(np.array([at[key] for key in keys])).simplices:
        held.add_edges_from(edge for edge in combinations([keys[n] for n in corners], 2) if graph.has_edge(*edge))
    for key in nx.isolates(held.copy()):
        held.add_edge(key, min(graph[key], key=lambda other: float(np.linalg.norm(at[key] - at[other]))))
    return held


def _open(held: nx.Graph, small: Iterable[str], at: Mapping[str, Floats]) -> bool:
    """Take away a border around each group of small provinces, which others shut in; return whether any is taken.

    A group that only one province joins to the rest is parted from it.
    """
    before: int = held.number_of_edges()
    for group in list(nx.connected_components(held.subgraph(small))):
        rim = set(nx.node_boundary(held, group))
        if len(rim) > 1:
            walls = sorted(map(sorted, held.subgraph(rim).edges))
            held.remove_edges_from(sorted(walls, key=lambda wall: np.linalg.norm(at[wall[0]] - at[wall[1]]))[-1:])
        elif len(group) > 2:
            held.remove_edges_from(list(nx.edge_boundary(held, group)))
    return bool(held.number_of_edges() < before)


def _embedding(held: nx.Graph) -> nx.PlanarEmbedding:
    """Return a planar embedding in which blocks that meet in one province lie side by side, none within another."""
    turns: dict[str, list[str]] = defaultdict(list)
    for edges in nx.biconnected_component_edges(held):
        block = nx.check_planarity(nx.Graph(edges))[1]
        size = {step: len(walk) for walk in _faces(block) for step in around(walk)}
        for key in block:
            near = list(block.neighbors_cw_order(key))
            cut = 1 + max(range(len(near)), key=lambda n: size[key, near[n]])
            turns[key] += near[cut:] + near[:cut]
    plane = nx.PlanarEmbedding()
    plane.set_data(turns)
    return plane


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


def _places(mesh: _Mesh) -> tuple[dict[str, Floats], dict[str, float]]:
    """Return a point for every place: the rim on the frame, the rest where the springs hold it.

    Also return the share of the page that each province has, where 1 is due to it; 0 if it has triangles too flat to be
    drawn.
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
    shares = np.zeros(len(keys))
    ease, bound = _EASE
    for rounds in range(_MOST_ROUNDS):
        if rounds >= _ROUNDS and _heights(found, triangles).min() > _FLAT:
            break
        if rounds == _ROUNDS:
            stiff, (ease, bound) = np.ones(len(sides)), _HARD
        at[rim:] = _settle(sides, stiff, at, rim)
        areas = _triangle_areas(at, triangles)
        have = np.bincount(triangles.ravel(), np.repeat(areas / 3, 3), len(keys))
        share = have / have.sum() * room.sum() / room
        quality = min(areas.min(), _LEAST), share[room >= 1].min()
        if quality > best and areas.sum() < 1.001 * whole:  # else some triangles lie over others, by rounding
            best, found, shares = quality, at.copy(), share
        ample = areas / areas.sum() * wish.sum() / wish * share[triangles].min(axis=1)
        crowd = np.clip(ample, bound, 1e3) ** ease
        stiff = stiff * np.prod(np.append(crowd, 1.0)[beside], axis=1)
    shares[triangles[_heights(found, triangles) <= _FLAT]] = 0.0
    return dict(zip(keys, found, strict=True)), {key: float(shares[index[key]]) for key in mesh.room if key in index}


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


def _heights(at: Floats, triangles: NDArray[np.int64]) -> Floats:
    """Return the height of each triangle over its longest side."""
    corners = at[triangles]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    return np.asarray(2 * _triangle_areas(at, triangles) / np.maximum(sides.max(axis=1), 1e-9))


# -- areas -------------------------------------------------------------------------------------------------------------


def _shares(mesh: _Mesh, at: Mapping[str, Floats]) -> dict[str, BaseGeometry]:
    """Return what each province gets of its triangles, and what nobody gets."""
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
