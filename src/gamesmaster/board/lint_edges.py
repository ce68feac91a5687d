"""Slips in the edges of a board: borders, coasts, and what can be reached over them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from gamesmaster.board.lint_finding import Finding, error, warning
from gamesmaster.board.model import FLEET, Board, Edge, Location, Terrain

_MANY = 12  # neighbours: more is odd if it is also thrice the usual number
_WATER = (Terrain.SEA, Terrain.BOX)


def lint_edges(board: Board) -> Iterator[Finding]:
    """Findings about single edges and coasts, then about what they join."""
    yield from _single_edges(board)
    yield from _footing(board)
    yield from _shores(board)
    yield from _coasts(board)
    yield from _degrees(board)
    yield from _parts(board)
    yield from _islands(board)


def _name(edge: Edge) -> str:
    return f"{edge.way} {edge.a} - {edge.b}"


def _single_edges(board: Board) -> Iterator[Finding]:
    known = {(edge.way, edge.a, edge.b) for edge in board.edges}
    for edge in board.edges:
        if edge.a.province == edge.b.province:
            yield error("edge-within-province", _name(edge), "this edge does not leave the province")
        elif (edge.way, edge.b, edge.a) not in known and not edge.reason:
            hint = "list the pair two-way, or as an exception with one_way and a reason"
            yield error("one-sided-edge", _name(edge), "there is no way back, and no reason given why", hint)
        elif (edge.only or not edge.convoy) and not edge.reason and edge.a < edge.b:
            yield warning("unexplained-exception", _name(edge), "this edge is not open to all, and no reason is given")
    for closure in board.closures:
        if not closure.reason:
            yield warning("unexplained-closure", closure.province, "closed to some, and no reason is given")


def _footing(board: Board) -> Iterator[Finding]:
    """Edges that end where no unit of their way may lie."""
    seen: set[tuple[str, Location]] = set()
    for edge in board.edges:
        kinds = [kind for kind, way in board.ways.items() if way == edge.way]
        for end in (edge.a, edge.b):
            if not kinds or (edge.way, end) in seen:
                continue
            seen.add((edge.way, end))
            if not any(board.can_stand(kind, end) for kind in kinds):
                yield _misplaced(board, edge, end)


def _misplaced(board: Board, edge: Edge, end: Location) -> Finding:
    province = board.province(end.province)
    if province.terrain is Terrain.IMPASSABLE:
        return error("impassable-edge", end, f"an edge leads to {province.name}, which is impassable")
    if edge.way != board.ways.get(FLEET):
        if end.coast:
            return error("coast-on-foot", end, f"the edge {_name(edge)} names a coast, but goes by land")
        return error("army-at-sea", end, f"the edge {_name(edge)} leads armies to sea")
    if province.terrain is Terrain.INLAND:
        return error("fleet-inland", end, f"the edge {_name(edge)} leads fleets inland")
    hint = " or ".join(f"{end}/{coast}" for coast in province.coasts)
    return error("bare-coast", end, f"{province.name} has several coasts; a fleet edge must name one", hint)


def _shores(board: Board) -> Iterator[Finding]:
    """Neighbouring coasts that fleets step between and armies do not: mostly a border that was forgotten."""
    fleet_way = board.ways.get(FLEET)
    walked = {(e.a.province, e.b.province) for e in board.edges if e.way != fleet_way}
    for edge in (e for e in board.edges if e.way == fleet_way and e.a < e.b):
        a, b = edge.a.province, edge.b.province
        shores = all(board.province(end).terrain is Terrain.COAST for end in (a, b))
        if shores and not {(a, b), (b, a)} & walked:
            yield warning("land-edge-missing", _name(edge), "fleets step between these shores, armies do not")


def _coasts(board: Board) -> Iterator[Finding]:
    if FLEET not in board.ways:
        return
    reach = _fleet_neighbours(board)
    for province in board.provinces:
        if province.terrain not in (Terrain.COAST, Terrain.ISLANDS):
            if province.coasts:
                yield error("coasts-without-shore", province.id, f"{province.terrain} provinces have no coasts to part")
            continue
        if len(province.coasts) == 1:
            yield warning("single-coast", province.id, "only one coast is listed: it needs no name")
        for location in [Location(province.id, coast) for coast in province.coasts] or [Location(province.id)]:
            terrains = {board.province(p).terrain for p in reach.get(location, ())}
            if not terrains:
                yield error("dry-coast", location, "no fleet can go to or from this coast", "is it inland?")
            elif not terrains.intersection(_WATER):
                yield warning("coast-without-sea", location, "no sea touches this coast")


def _fleet_neighbours(board: Board) -> Mapping[Location, set[str]]:
    near: dict[Location, set[str]] = {}
    for edge in board.edges:
        if edge.way == board.ways[FLEET]:
            near.setdefault(edge.a, set()).add(edge.b.province)
            near.setdefault(edge.b, set()).add(edge.a.province)
    return near


def _degrees(board: Board) -> Iterator[Finding]:
    degrees = [len(near) for near in board.neighbours]
    usual = sorted(degrees)[len(degrees) // 2]
    for province, degree in zip(board.provinces, degrees, strict=True):
        if degree > max(_MANY, 3 * usual):
            yield warning("many-neighbours", province.id, f"{degree} neighbours, where {usual} are usual")
        elif degree == 1 and len(degrees) > 2:
            yield warning("dead-end", province.id, "a single neighbour")


def _parts(board: Board) -> Iterator[Finding]:
    """Provinces that nobody can go to, and parts of the board that do not hang together."""
    entered = {edge.b.province for edge in board.edges if edge.a.province != edge.b.province}
    for province in board.provinces:
        shut = province.terrain is Terrain.IMPASSABLE
        if province.centre and (shut or province.id not in entered):
            yield error("unreachable-centre", province.id, "no unit can ever come to this centre")
        elif not shut and province.id not in entered:
            yield error("unreachable", province.id, "no unit can ever come here")
    near = {board.provinces[i].id: {board.provinces[j].id for j in js} for i, js in enumerate(board.neighbours) if js}
    for part in _components(near, near)[1:]:
        yield error("apart", ", ".join(sorted(part)[:8]), "no border joins this part of the board to the rest")


def _islands(board: Board) -> Iterator[Finding]:
    """Land from which no army gets away: no border, and no water that could carry it."""
    near: dict[str, set[str]] = {}
    for edge in board.edges:
        if edge.way != board.ways.get(FLEET):
            near.setdefault(edge.a.province, set()).add(edge.b.province)
            near.setdefault(edge.b.province, set()).add(edge.a.province)
    land = [p.id for p in board.provinces if p.land]
    for part in _components(land, near)[1:]:
        if not any(board.waters[board.index[province]] for province in part):
            text = "armies cannot leave: no border to the mainland, no water that carries them"
            yield warning("island-without-convoy", ", ".join(sorted(part)[:8]), text)


def _components(all_of: Iterable[str], near: Mapping[str, Collection[str]]) -> list[set[str]]:
    """The sets of provinces joined to each other, the largest first."""
    left = dict.fromkeys(all_of)
    found = []
    while left:
        part, ring = set[str](), [next(iter(left))]
        while ring:
            here = ring.pop()
            if here not in part:
                part.add(here)
                left.pop(here, None)
                ring += near.get(here, ())
        found.append(part)
    return sorted(found, key=len, reverse=True)
