"""Borders: read off the shapes, then corrected by the designer's tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from gamesmaster.atlas.folder import CoastRow, Folder, Row
from gamesmaster.atlas.partition import Partition
from gamesmaster.board import Board, Closure, Edge, Location, Province, Terrain
from gamesmaster.errors import BadBoard, nearest

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Borders:
    """Pairs of provinces by way of travel, as the shapes say and as the tables leave them.

    `idle` tells the rows of `edges.csv` that change nothing.
    """

    drawn: Mapping[str, frozenset[Pair]]
    settled: Mapping[str, frozenset[Pair]]
    idle: tuple[str, ...] = ()


def find_borders(folder: Folder, parts: Partition) -> Borders:
    """Read the borders off the shapes and apply `edges.csv`."""
    drawn = _find_contacts(folder, parts)
    settled = {way: set(pairs) for way, pairs in drawn.items()}
    idle = []
    for number, row in enumerate(folder.edges, 2):
        pair = (min(row.a, row.b), max(row.a, row.b))
        repeats = all((pair in drawn[way]) == (row.op == "+") for way in row.ways)
        if repeats and row.convoy and not row.draw and not _doubtful(pair, folder, parts):
            idle.append(f"edges.csv, row {number}: {row.a} {row.op} {row.b} changes nothing")
        for way in row.ways:
            (settled[way].add if row.op == "+" else settled[way].discard)(pair)
    return Borders(_frozen(drawn), _frozen(settled), tuple(idle))


def _doubtful(pair: Pair, folder: Folder, parts: Partition) -> bool:
    """Return whether the contact of the two is so short or long that a small change would decide their border.

    A row then makes it certain.
    """
    least = folder.settings.thresholds
    low, high = sorted((least.border, least.coast))
    return 0.5 * low <= parts.contacts().get(pair, 0.0) / 1000 <= 1.5 * high


def _frozen(ways: Mapping[str, set[Pair]]) -> dict[str, frozenset[Pair]]:
    return {way: frozenset(pairs) for way, pairs in ways.items()}


def _find_contacts(folder: Folder, parts: Partition) -> dict[str, set[Pair]]:
    """Return, for each way of travel, the pairs of provinces that touch.

    Armies: land and land. Fleets: water and water, water and shore, and two shores that meet at a water.
    """
    least, rows = folder.settings.thresholds, {row.id: row for row in folder.rows if row.playable}
    army: set[Pair] = set()
    fleet: set[Pair] = set()
    for (a, b), length in parts.contacts().items():
        if a not in rows or b not in rows:
            continue
        lands = (_land(rows[a]), _land(rows[b]))
        enough = least.border if lands[0] == lands[1] else least.coast
        if length >= 1000 * enough:
            (army if all(lands) else fleet).add((a, b))
    near: dict[str, set[str]] = defaultdict(set)
    for a, b in fleet:
        near[a].add(b)
        near[b].add(a)
    coastal = {
        (a, b)
        for a, b in army
        if any(
            parts.frontier(a, water).distance(parts.frontier(b, water)) <= 1000 * least.join
            for water in near[a] & near[b]
            if not _land(rows[water])
        )
    }
    return {"army": army, "fleet": fleet | coastal}


def _land(row: Row) -> bool:
    return row.kind == "land"


def make_board(folder: Folder, borders: Borders) -> Board:
    """Return the board: provinces in the order of the file, edges by the order of their provinces.

    Provinces out of play are left out.  Land with a fleet border is coast, other land is inland.
    """
    rows = [row for row in folder.rows if row.playable]
    coasts = _coasts(folder, borders)
    wet = {place for pair in borders.settled["fleet"] for place in pair}
    provinces = tuple(_province(row, wet=row.id in wet, coasts=coasts.get(row.id, {})) for row in rows)
    closures = tuple(_closure(folder, number) for number in range(len(folder.settings.closures)))
    return Board(folder.settings.name, provinces, tuple(_edges(folder, borders, coasts)), closures)


def _closure(folder: Folder, number: int) -> Closure:
    entry = folder.settings.closures[number]
    if entry.province not in (ids := [row.id for row in folder.rows]):
        where = f"{folder.path / 'board.toml'}, $.closures[{number}].province"
        raise BadBoard(f"no province {entry.province!r}", where=where, hint=nearest(entry.province, ids))
    return Closure(entry.province, frozenset(entry.kinds), frozenset(entry.powers), entry.reason)


def _province(row: Row, *, wet: bool, coasts: Mapping[str, CoastRow]) -> Province:
    land = Terrain.COAST if wet else Terrain.INLAND
    terrain = land if row.kind == "land" else Terrain(row.kind)
    return Province(
        id=row.id,
        name=row.name,
        abbr=row.abbr,
        terrain=terrain,
        centre=row.centre,
        home=row.home or None,
        coasts=tuple(coasts),
        aliases=row.aliases,
        convoy=row.convoy if row.convoy is not None else terrain in (Terrain.SEA, Terrain.BOX),
        coast_aliases=tuple((alias, coast) for coast, entry in coasts.items() for alias in entry.aliases),
    )


def _coasts(folder: Folder, borders: Borders) -> dict[str, dict[str, CoastRow]]:
    """Map each province to its coasts and their rows. Raise `BadBoard` unless the rows cover its fleet borders."""
    of: dict[str, dict[str, CoastRow]] = defaultdict(dict)
    for row in folder.coasts:
        of[row.province][row.coast] = row
    for key, coasts in of.items():
        neighbours = {word.partition("/")[0] for row in coasts.values() for word in row.neighbours}
        real = {b if a == key else a for a, b in borders.settled["fleet"] if key in (a, b)}
        if neighbours != real:
            missing, extra = sorted(real - neighbours), sorted(neighbours - real)
            words = [f"{' '.join(missing)} on no coast"] * bool(missing) + [f"{' '.join(extra)} out of reach"] * bool(
                extra
            )
            raise BadBoard(f"the coasts of {key}: {', '.join(words)}", where=str(folder.path / "coasts.csv"))
    return of


def _edges(folder: Folder, borders: Borders, coasts: Mapping[str, Mapping[str, CoastRow]]) -> Iterator[Edge]:
    order = {row.id: number for number, row in enumerate(folder.rows)}
    shut = {(min(r.a, r.b), max(r.a, r.b)): r.reason for r in folder.edges if r.op == "+" and not r.convoy}
    for way, pairs in borders.settled.items():
        ends = [
            (end, (min(pair), max(pair)))
            for pair in pairs
            for end in _ends(min(pair, key=order.__getitem__), max(pair, key=order.__getitem__), way, coasts)
        ]
        for (here, there), pair in sorted(ends, key=lambda found: [(order[p], coast) for p, coast in found[0]]):
            reason = shut.get(pair, "") if way == "fleet" else ""
            yield Edge(way, here, there, convoy=not reason, reason=reason)
            yield Edge(way, there, here, convoy=not reason, reason=reason)


def _ends(a: str, b: str, way: str, coasts: Mapping[str, Mapping[str, CoastRow]]) -> list[tuple[Location, Location]]:
    """Return the pairs of locations that a border joins: for fleets, each coast that reaches the other side."""
    if way != "fleet":
        return [(Location(a), Location(b))]
    return [
        (x, y)
        for x in _locations(a, coasts)
        for y in _locations(b, coasts)
        if _reach(x, y, coasts) and _reach(y, x, coasts)
    ]


def _locations(key: str, coasts: Mapping[str, Mapping[str, CoastRow]]) -> list[Location]:
    return [Location(key, coast) for coast in sorted(coasts[key])] if key in coasts else [Location(key)]


def _reach(here: Location, there: Location, coasts: Mapping[str, Mapping[str, CoastRow]]) -> bool:
    if not here.coast:
        return True
    words = coasts[here.province][here.coast].neighbours
    return str(there) in words or there.province in words
