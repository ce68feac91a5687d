"""Making a board: from a designer's folder to the board that is played and the shapes that are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.borders import Borders, find_borders, make_board
from gamesmaster.atlas.folder import Folder
from gamesmaster.atlas.ground import lay_ground
from gamesmaster.atlas.layout import Shortfall
from gamesmaster.atlas.partition import BLANK, Partition, partition
from gamesmaster.atlas.placing import place_all
from gamesmaster.atlas.shaping import make_shapes, sheet_areas
from gamesmaster.atlas.sheet import Sheet, solid
from gamesmaster.atlas.strokes import drawn_lines, make_links
from gamesmaster.board import Board
from gamesmaster.errors import BadBoard
from gamesmaster.pictures.shapes.values import Shapes

STEPS = ("reading the coast", "cutting provinces", "reading borders", "drawing", "placing names", "writing shapes")
"""What `build` does, one after the other, as `Progress` is told it."""
Progress = Callable[[str, int, int], None]
"""Called before each step: what is done now, how many steps are behind, how many there are."""


@dataclass(frozen=True, slots=True)
class Built:
    """A board and its shapes, and what the designer should know of how they came about.

    `remarks` are sentences: rows that change nothing, places that found no room, islands that went to nobody.
    """

    board: Board
    shapes: Shapes
    borders: Borders
    remarks: tuple[str, ...]


def build(folder: Folder, progress: Progress | None = None) -> Built:
    """Make the board of a folder (`read_folder`).  The same folder gives the same board and shapes, always.

    Raises `BadBoard`, with the file and the place in it, for what cannot be made.
    """
    steps = _Steps(progress)
    steps.next()
    ground = lay_ground(folder)
    steps.next()
    parts = partition(folder, ground)
    _all_there(folder, parts)
    steps.next()
    borders = find_borders(folder, parts)
    board = make_board(folder, borders)
    steps.next()
    areas = sheet_areas(folder, ground, parts)
    sheet, whole = Sheet(folder.settings, ground.flat), solid(areas)
    links = tuple(make_links(folder, whole, sheet))
    steps.next()
    layouts, shortfalls = place_all(folder, board, whole, sheet, drawn_lines(links))
    steps.next()
    shapes = make_shapes(folder, ground, parts, areas, layouts, links)
    return Built(board, shapes, borders, tuple(_remarks(folder, borders, areas, shortfalls)))


class _Steps:
    def __init__(self, progress: Progress | None) -> None:
        self.progress, self.done = progress, 0

    def next(self) -> None:
        if self.progress:
            self.progress(STEPS[self.done], self.done, len(STEPS))
        self.done += 1


def _all_there(folder: Folder, parts: Partition) -> None:
    for number, row in enumerate(folder.rows, 2):
        if row.playable and row.id not in parts.areas:
            side = "land" if row.kind == "land" else "water"
            raise BadBoard(
                f"{row.name} ({row.id}) has no {side} in the frame of the map",
                where=f"{folder.path / 'provinces.csv'}, row {number}, column points",
                hint="move an anchor, widen the frame, or draw an islet in board.toml",
            )


def _remarks(
    folder: Folder, borders: Borders, areas: dict[str, BaseGeometry], shortfalls: dict[str, list[Shortfall]]
) -> Iterator[str]:
    yield from borders.idle
    for row in folder.rows:
        if row.id not in areas:
            yield f"{row.name} ({row.id}) lies outside the frame and is not drawn"
    for layout, found in shortfalls.items():
        yield from (f"{layout} layout: {shortfall}" for shortfall in found)
    lost = sum(key.startswith(BLANK) for key in areas)
    if lost:
        yield f"{lost} pieces of land or water belong to no province and are only drawn"
