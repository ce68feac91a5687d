"""Board files: a board as data, read with every fault named, and written back.

`docs/board-files.md` describes the format; its JSON Schema is `docs/board.schema.json`.  What a file may hold is
bounded, so that a file from a stranger can be read safely; `lint` checks whether the board makes sense.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from gamesmaster import strictjson
from gamesmaster.board.model import Board, Closure, Edge, Location, Province, Terrain
from gamesmaster.errors import BadBoard, nearest

if TYPE_CHECKING:
    from gamesmaster.board.file_models import BoardFile, ExceptionEntry

LARGEST_BOARD = 4 * 1024 * 1024
"""Bytes of a `board.json`; a larger one is refused."""
DEEPEST_BOARD = 8
"""Levels of nesting."""
_PLAIN_WAYS = {"A": "army", "F": "fleet"}


def read_board(source: Path | str | Mapping[str, object], *, where: str = "") -> Board:
    """Return the board in a file (a `Path`), in a JSON text (a `str`) or in data already parsed (a mapping).

    Edges come in the order of the file, each with its way back behind it.  `where` names a text or mapping in
    complaints.  Raises `NotFound` for a missing file, and `BadBoard`, with the JSON path and the nearest valid name,
    for a board that does not fit the format.
    """
    from gamesmaster.board.file_models import BoardFile
    from gamesmaster.schemas import validate

    data, where = strictjson.from_any(source, BadBoard, limit=LARGEST_BOARD, depth=DEEPEST_BOARD, where=where)
    return _Builder(validate(BoardFile, data, BadBoard, where), where).board()


def board_schema() -> dict[str, Any]:
    """Return the JSON Schema of board files."""
    from gamesmaster.board.file_models import BoardFile

    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **BoardFile.model_json_schema()}


class _Builder:
    """Turns a well-formed file into a `Board`, refusing what does not fit together."""

    def __init__(self, file: BoardFile, where: str) -> None:
        self.file, self.where = file, where
        self.places: dict[str, Location] = {}
        self.taken: set[tuple[str, Location, Location]] = set()

    def fault(self, what: str, path: Iterable[str | int], hint: str = "") -> NoReturn:
        from gamesmaster.schemas import place

        raise BadBoard(what, where=place(self.where, tuple(path)), hint=hint)

    def board(self) -> Board:
        provinces = tuple(self.provinces())
        return Board(
            name=self.file.name,
            provinces=provinces,
            edges=tuple(self.edges()),
            closures=tuple(self.closures()),
            ways=dict(self.file.ways),
        )

    def provinces(self) -> Iterable[Province]:
        for number, entry in enumerate(self.file.provinces):
            if entry.id in self.places:
                self.fault(f"province {entry.id} is listed twice", ("provinces", number, "id"))
            if len(set(entry.coasts)) < len(entry.coasts):
                self.fault(f"a coast of {entry.id} is listed twice", ("provinces", number, "coasts"))
            for other, coast in entry.coast_aliases.items():
                if other in entry.coasts or coast not in entry.coasts:
                    where = ("provinces", number, "coast_aliases", other)
                    self.fault(f"{other} cannot be another name for {entry.id}/{coast}", where)
            for coast in ("", *entry.coasts):
                here = Location(entry.id, coast)
                self.places[str(here)] = here
            carries = _carries_by_nature(entry.terrain) if entry.convoy is None else entry.convoy
            yield Province(
                id=entry.id,
                name=entry.name,
                abbr=entry.abbr or entry.id,
                terrain=entry.terrain,
                centre=entry.centre,
                home=entry.home,
                coasts=tuple(entry.coasts),
                aliases=tuple(entry.aliases),
                convoy=carries,
                coast_aliases=tuple(entry.coast_aliases.items()),
            )

    def edges(self) -> Iterable[Edge]:
        from gamesmaster.schemas import MOST_EDGES

        if sum(map(len, self.file.edges.values())) > MOST_EDGES:
            self.fault(f"more than {MOST_EDGES:,} edges", ("edges",))
        exceptions = self.exceptions()
        for way, pairs in self.file.edges.items():
            for number, pair in enumerate(pairs):
                path = ("edges", way, number)
                a, b = (self.place(text, (*path, side)) for side, text in enumerate(pair))
                yield from self.steps(way, a, b, exceptions.pop((way, *pair), None), path)
        for entry, number in exceptions.values():
            self.refuse_exception(entry, number)

    def exceptions(self) -> dict[tuple[str, ...], tuple[ExceptionEntry, int]]:
        found: dict[tuple[str, ...], tuple[ExceptionEntry, int]] = {}
        for number, entry in enumerate(self.file.exceptions):
            key = (entry.way, *entry.edge)
            if key in found:
                self.fault(f"this edge has an exception already, the {found[key][1] + 1}.", ("exceptions", number))
            if entry.convoy and not (entry.one_way or entry.only):
                self.fault("this exception changes nothing", ("exceptions", number))
            found[key] = entry, number
        return found

    def steps(
        self,
        way: str,
        a: Location,
        b: Location,
        exception: tuple[ExceptionEntry, int] | None,
        path: tuple[str | int, ...],
    ) -> Iterable[Edge]:
        if a == b:
            self.fault(f"this edge leads from {a} to itself", path)
        entry = exception and exception[0]
        for start, end in [(a, b)] if entry and entry.one_way else [(a, b), (b, a)]:
            if (way, start, end) in self.taken:
                self.fault(f"the {way} edge {start} - {end} is listed twice", path)
            self.taken.add((way, start, end))
            if entry:
                yield Edge(way, start, end, entry.convoy, frozenset(entry.only), entry.reason)
            else:
                yield Edge(way, start, end)

    def refuse_exception(self, entry: ExceptionEntry, number: int) -> NoReturn:
        path = ("exceptions", number)
        if entry.way not in self.file.edges:
            self.fault(f"no edges for the way {entry.way}", (*path, "way"), nearest(entry.way, self.file.edges))
        for side, text in enumerate(entry.edge):
            self.place(text, (*path, "edge", side))
        a, b = entry.edge
        turned = [b, a] in self.file.edges[entry.way]
        self.fault(f"no {entry.way} edge {a} - {b}", (*path, "edge"), f"it is listed as {b} - {a}" if turned else "")

    def closures(self) -> Iterable[Closure]:
        for number, entry in enumerate(self.file.closures):
            path = ("closures", number)
            self.place(entry.province, (*path, "province"))
            for unknown in (kind for kind in entry.kinds if kind not in self.file.ways):
                self.fault(f"no kind of unit {unknown}", (*path, "kinds"), f"known: {', '.join(self.file.ways)}")
            yield Closure(entry.province, frozenset(entry.kinds), frozenset(entry.powers), entry.reason)

    def place(self, text: str, path: tuple[str | int, ...]) -> Location:
        if text not in self.places:
            self.fault(f"no place {text!r} on this board", path, nearest(text, self.places))
        return self.places[text]


def _carries_by_nature(terrain: Terrain) -> bool:
    return terrain in (Terrain.SEA, Terrain.BOX)


def board_data(board: Board) -> dict[str, Any]:
    """Return the data of a board file, from which `read_board` makes this board again.

    Values that are the defaults of the format are left out.
    """
    edges: dict[str, list[list[str]]] = {}
    exceptions = []
    ways = list(dict.fromkeys(e.way for e in board.edges))
    known = {(e.way, e.a, e.b): e for e in sorted(board.edges, key=lambda e: ways.index(e.way))}
    for key in list(known):
        edge = known.pop(key, None)
        if edge is None:  # the way back of one that is written already
            continue
        back = (edge.way, edge.b, edge.a)
        one_way = known.get(back) != edge._replace(a=edge.b, b=edge.a)
        if not one_way:
            del known[back]
        pair = [str(edge.a), str(edge.b)]
        edges.setdefault(edge.way, []).append(pair)
        if one_way or edge.only or not edge.convoy:
            shut = {} if edge.convoy else {"convoy": False}
            unusual = _drop_empty(one_way=one_way) | shut | _drop_empty(only=sorted(edge.only), reason=edge.reason)
            exceptions.append({"way": edge.way, "edge": pair, **unusual})
    closures = [
        {"province": c.province, **_drop_empty(kinds=sorted(c.kinds), powers=sorted(c.powers), reason=c.reason)}
        for c in board.closures
    ]
    return {
        "format": 1,
        "name": board.name,
        **({"ways": dict(board.ways)} if board.ways != _PLAIN_WAYS else {}),
        "provinces": [_province_data(p) for p in board.provinces],
        "edges": edges,
        **_drop_empty(exceptions=exceptions, closures=closures),
    }


def _province_data(p: Province) -> dict[str, Any]:
    unusual = {} if p.convoy == _carries_by_nature(p.terrain) else {"convoy": p.convoy}
    return {
        "id": p.id,
        "name": p.name,
        **({"abbr": p.abbr} if p.abbr != p.id else {}),
        **_drop_empty(aliases=list(p.aliases)),
        "terrain": p.terrain.value,
        **_drop_empty(centre=p.centre, home=p.home, coasts=list(p.coasts), coast_aliases=dict(p.coast_aliases)),
        **unusual,
    }


def _drop_empty(**values: object) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value}
