"""The folder a board is made from: `board.toml` and three tables, read with every fault named by file, row and column.

`board.toml` says which coastline, in what projection and frame, and how the drawing is finished; `provinces.csv` has a
row for each province with its anchors (points of longitude and latitude that belong to it); `edges.csv` adds and takes
away borders, each with a reason; `coasts.csv` says what a fleet reaches from each of several coasts.
"""

from __future__ import annotations

import csv
import io
import math
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeVar, overload

from gamesmaster.atlas.settings import Settings
from gamesmaster.board import Location
from gamesmaster.errors import BadBoard, NotFound, nearest
from gamesmaster.pictures import LinkKind
from gamesmaster.schemas import validate

MOST_ROWS = 5_000
MOST_POINTS = 400  # anchors of one province
LONGEST = 20_000  # characters of one cell
_WORD = re.compile(r"[A-Za-z0-9]{1,16}")
Default = TypeVar("Default")
Side = Literal["land", "sea"]
KINDS = ("land", "sea", "islands", "box", "impassable", "lake")
OUT_OF_PLAY = ("impassable", "lake")
WAYS = {"army": ("army",), "fleet": ("fleet",), "both": ("army", "fleet")}
DRAWN: tuple[LinkKind, ...] = ("", "land", "arrow", "canal", "offboard")
LARGEST = 1024 * 1024  # bytes of a table or of board.toml


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: its cells by column, and where it stands."""

    path: Path
    number: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        """Return the cell of a column, or "" if the table has no such column."""
        return self.cells.get(column, "")

    def fault(self, column: str, what: str, hint: str = "") -> BadBoard:
        """Return a complaint about one cell."""
        return BadBoard(what, where=f"{self.path}, row {self.number}, column {column}", hint=hint)

    def text(self, column: str) -> str:
        """Return a cell that may not be empty."""
        if not self[column]:
            raise self.fault(column, "this must not be empty")
        return self[column]

    def word(self, column: str, default: str = "") -> str:
        """Return a cell of 1 to 16 letters and digits."""
        word = self[column] or default
        if not _WORD.fullmatch(word):
            raise self.fault(column, f"expected 1 to 16 letters and digits here, not {word[:40]!r}")
        return word

    @overload
    def choice(self, column: str, known: Sequence[str]) -> str: ...
    @overload
    def choice(self, column: str, known: Sequence[str], *, default: Default) -> str | Default: ...
    def choice(self, column: str, known: Sequence[str], *, default: object = ...) -> object:
        """Return a cell that holds one of a few words; an empty one gives the default, if there is any."""
        cell = self[column]
        if not cell and default is not ...:
            return default
        if cell not in known:
            wanted = ", ".join(word or "(empty)" for word in known)
            raise self.fault(column, f"no {column} {cell[:40]!r}", nearest(cell, known) or f"known: {wanted}")
        return cell

    def points(self, column: str) -> tuple[tuple[float, float], ...]:
        """Return at least one point, as longitude and latitude in degrees, from "4.35 50.85; 4.4 51.2"."""
        texts = [text.split() for text in self.text(column).split(";") if text.strip()]
        if not 0 < len(texts) <= MOST_POINTS:
            raise self.fault(column, f"1 to {MOST_POINTS} points are needed here, not {len(texts)}")
        return tuple(self._point(column, text) for text in texts)

    def _point(self, column: str, words: list[str]) -> tuple[float, float]:
        try:
            east, north = map(float, words)
        except ValueError:
            raise self.fault(
                column, f"{' '.join(words)[:40]!r} is not a point: expected longitude and latitude"
            ) from None
        if not (math.isfinite(east) and math.isfinite(north) and abs(east) <= 180 and abs(north) <= 90):
            raise self.fault(column, f"{east} {north} is not on the globe: longitude comes first, then latitude")
        return east, north


def read_table(path: Path, limit: int, needed: Sequence[str], more: Sequence[str] = ()) -> tuple[Line, ...]:
    """Return the rows of a CSV file with a line of headings: `needed` columns and some of `more`; others are a fault.

    Cells are stripped; empty rows are skipped.  Raises `NotFound` or `BadBoard`.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise NotFound(f"no file {path}") from None
    if len(data) > limit:
        raise BadBoard(f"larger than {limit} bytes", where=str(path))
    try:
        rows = list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), strict=True))
    except (UnicodeDecodeError, csv.Error) as fault:
        raise BadBoard(f"not a table in CSV (UTF-8): {fault}", where=str(path)) from None
    columns = tuple(cell.strip() for cell in rows[0]) if rows else ()
    _check_columns(path, columns, needed, more)
    if len(rows) > MOST_ROWS:
        raise BadBoard(f"more than {MOST_ROWS} rows", where=str(path))
    return tuple(_line(path, number, columns, row) for number, row in enumerate(rows[1:], 2) if any(row))


def _check_columns(path: Path, columns: Sequence[str], needed: Sequence[str], more: Sequence[str]) -> None:
    known = (*needed, *more)
    for column in needed:
        if column not in columns:
            raise BadBoard(f"no column {column}", where=f"{path}, row 1", hint=f"columns: {', '.join(known)}")
    for column in columns:
        if column not in known:
            raise BadBoard(f"no column {column!r} is known here", where=f"{path}, row 1", hint=nearest(column, known))


def _line(path: Path, number: int, columns: Sequence[str], row: Sequence[str]) -> Line:
    if len(row) > len(columns):
        extra = f"{len(row)} cells in a table of {len(columns)} columns"
        raise BadBoard(extra, where=f"{path}, row {number}", hint='put a cell that contains a comma in "quotes"')
    line = Line(path, number, {column: cell.strip() for column, cell in zip(columns, row, strict=False)})
    for column, cell in line.cells.items():
        if len(cell) > LONGEST or any(ord(char) < 32 for char in cell):
            raise line.fault(column, "too long, or with characters that are not text")
    return line


@dataclass(frozen=True, slots=True)
class Row:
    """A province as the designer writes it."""

    id: str
    name: str
    abbr: str
    kind: str  # land, sea, islands or box; or out of play: impassable, or a lake cut out of the land
    side: Side | None  # what its cell is cut out of; None leaves that to the kind, out of play to the first anchor
    centre: bool
    home: str
    aliases: tuple[str, ...]
    convoy: bool | None  # fleets there carry armies; None leaves that to the kind
    anchors: tuple[tuple[float, float], ...]

    @property
    def playable(self) -> bool:
        """True if it is part of the board."""
        return self.kind not in OUT_OF_PLAY


@dataclass(frozen=True, slots=True)
class EdgeRow:
    """A border added ("+") or taken away ("-"), for some ways of travel, and why.

    `convoy` is false where fleets pass and convoys do not; `draw` is how the map shows it (`DRAWN`).
    """

    a: str
    b: str
    op: Literal["+", "-"]
    ways: tuple[str, ...]
    convoy: bool
    draw: LinkKind
    reason: str


@dataclass(frozen=True, slots=True)
class CoastRow:
    """One coast of a province and the places a fleet reaches from it, with their coast where they have several."""

    province: str
    coast: str
    neighbours: tuple[str, ...]
    at: tuple[float, float] | None = None  # where a fleet is drawn on the globe; None leaves that to the map
    aliases: tuple[str, ...] = ()  # other letters for the coast

    @property
    def location(self) -> Location:
        """The coast as a place on the board."""
        return Location(self.province, self.coast)


@dataclass(frozen=True, slots=True)
class Folder:
    """Everything a board is made from."""

    path: Path
    settings: Settings
    rows: tuple[Row, ...]
    edges: tuple[EdgeRow, ...]
    coasts: tuple[CoastRow, ...]

    @property
    def coastline(self) -> Path:
        """The GeoJSON file of the coast."""
        return self.path / self.settings.coastline


def read_folder(path: Path) -> Folder:
    """Return the source of a board in this folder.

    Raises `NotFound` or `BadBoard` with the file, the row and the column.
    """
    settings = _settings(path / "board.toml")
    rows = _rows(read_table(path / "provinces.csv", LARGEST, ("id", "name", "kind", "points"), _PROVINCE_COLUMNS))
    known = tuple(row.id for row in rows)
    edges = _edges(_optional(path / "edges.csv", ("a", "b", "op", "who", "reason"), ("convoy", "draw")), known)
    coasts = _coasts(_optional(path / "coasts.csv", ("province", "coast", "neighbours"), ("at", "aliases")), known)
    return Folder(path, settings, rows, edges, coasts)


_PROVINCE_COLUMNS = ("abbr", "side", "centre", "home", "aliases", "convoy")


def _settings(path: Path) -> Settings:
    try:
        text = path.read_bytes()
    except FileNotFoundError:
        raise NotFound(
            f"no {path.name} in {path.parent}", hint="`gamesmaster board new` starts a folder to make a board from"
        ) from None
    if len(text) > LARGEST:
        raise BadBoard(f"larger than {LARGEST} bytes", where=str(path))
    try:
        data = tomllib.loads(text.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as fault:
        raise BadBoard(f"not TOML: {fault}", where=str(path)) from None
    return validate(Settings, data, BadBoard, str(path))


def _optional(path: Path, needed: tuple[str, ...], more: tuple[str, ...]) -> tuple[Line, ...]:
    return read_table(path, LARGEST, needed, more) if path.exists() else ()


def _rows(lines: Iterable[Line]) -> tuple[Row, ...]:
    rows: dict[str, Row] = {}
    for line in lines:
        row = Row(
            id=line.word("id"),
            name=line.text("name"),
            abbr=line.word("abbr", default=line["id"]),
            kind=line.choice("kind", KINDS),
            side=line.choice("side", ("land", "sea"), default=None),  # type: ignore[arg-type]
            centre=line.choice("centre", ("1", "0"), default="0") == "1",
            home=line["home"],
            aliases=tuple(filter(None, (a.strip() for a in line["aliases"].split(";")))),
            convoy={"1": True, "0": False}.get(line.choice("convoy", ("1", "0"), default="")),
            anchors=line.points("points"),
        )
        if row.id in rows:
            raise line.fault("id", f"province {row.id} is listed twice")
        rows[row.id] = row
    return tuple(rows.values())


def _edges(lines: Iterable[Line], known: Sequence[str]) -> tuple[EdgeRow, ...]:
    rows = []
    for line in lines:
        a, b = (_place(line, column, known) for column in ("a", "b"))
        if a == b:
            raise line.fault("b", f"{a} cannot border itself")
        op = line.choice("op", ("+", "-"))
        ways = WAYS[line.choice("who", tuple(WAYS))]
        convoy = line.choice("convoy", ("1", "0"), default="1") == "1"
        draw = line.choice("draw", DRAWN, default="")
        rows.append(EdgeRow(a, b, op, ways, convoy, draw, line.text("reason")))  # type: ignore[arg-type]
    return tuple(rows)


def _coasts(lines: Sequence[Line], known: Sequence[str]) -> tuple[CoastRow, ...]:
    rows = []
    own = {(line["province"], line["coast"].upper()) for line in lines}
    for line in lines:
        province = _place(line, "province", known)
        neighbours = tuple(line["neighbours"].split())
        for word in neighbours:
            if word.partition("/")[0] not in known:
                raise line.fault("neighbours", f"no province {word}", nearest(word, known))
        at = line.points("at")[0] if line["at"] else None
        aliases = tuple(line["aliases"].upper().split())
        for alias in aliases:
            if not re.fullmatch("[A-Z]{1,4}", alias) or (province, alias) in own:
                raise line.fault("aliases", f"{alias[:40]} cannot be another name for a coast of {province}")
            own.add((province, alias))
        rows.append(CoastRow(province, line.word("coast").upper(), neighbours, at, aliases))
    return tuple(rows)


def _place(line: Line, column: str, known: Sequence[str]) -> str:
    word = line.word(column)
    if word not in known:
        raise line.fault(column, f"no province {word!r} in provinces.csv", nearest(word, known))
    return word
