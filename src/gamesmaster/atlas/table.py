"""Tables in CSV, read with the file, the row and the column named in every complaint."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar, overload

from gamesmaster.errors import BadBoard, NotFound, nearest

MOST_ROWS = 5_000
MOST_POINTS = 400  # anchors of one province
LONGEST = 20_000  # characters of one cell
_WORD = re.compile(r"[A-Za-z0-9]{1,16}")
Default = TypeVar("Default")


@dataclass(frozen=True, slots=True)
class Line:
    """A row of a table: its cells by column, and where it stands."""

    path: Path
    number: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        """The cell, empty where the table has no such column."""
        return self.cells.get(column, "")

    def fault(self, column: str, what: str, hint: str = "") -> BadBoard:
        """A complaint about one cell."""
        return BadBoard(what, where=f"{self.path}, row {self.number}, column {column}", hint=hint)

    def text(self, column: str) -> str:
        """A cell that may not be empty."""
        if not self[column]:
            raise self.fault(column, "this must not be empty")
        return self[column]

    def word(self, column: str, default: str = "") -> str:
        """A cell of 1 to 16 letters and digits."""
        word = self[column] or default
        if not _WORD.fullmatch(word):
            raise self.fault(column, f"expected 1 to 16 letters and digits here, not {word[:40]!r}")
        return word

    @overload
    def choice(self, column: str, known: Sequence[str]) -> str: ...
    @overload
    def choice(self, column: str, known: Sequence[str], *, default: Default) -> str | Default: ...
    def choice(self, column: str, known: Sequence[str], *, default: object = ...) -> object:
        """A cell that holds one of a few words; an empty one gives the default, if there is any."""
        cell = self[column]
        if not cell and default is not ...:
            return default
        if cell not in known:
            wanted = ", ".join(word or "(empty)" for word in known)
            raise self.fault(column, f"no {column} {cell[:40]!r}", nearest(cell, known) or f"known: {wanted}")
        return cell

    def points(self, column: str) -> tuple[tuple[float, float], ...]:
        """Points of longitude and latitude in degrees, "4.35 50.85; 4.4 51.2"; at least one."""
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


@dataclass(frozen=True, slots=True)
class Table:
    """A table: its columns and rows."""

    path: Path
    columns: tuple[str, ...]
    lines: tuple[Line, ...] = field(repr=False)


def read_table(path: Path, limit: int, needed: Sequence[str], more: Sequence[str] = ()) -> Table:
    """A CSV file with a line of headings: `needed` columns and some of `more`; others are a fault.

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
    return Table(
        path, columns, tuple(_line(path, number, columns, row) for number, row in enumerate(rows[1:], 2) if any(row))
    )


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
