"""Making a board: from a designer's folder to the board that is played and the shapes that are drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.borders import Borders, find_borders, make_board
from gamesmaster.atlas.folder import Folder, Row
from gamesmaster.atlas.ground import lay_ground
from gamesmaster.atlas.layout import Placing, lay_out_all
from gamesmaster.atlas.partition import BLANK, Partition, partition
from gamesmaster.atlas.sheet import WATERS, Sheet, drawn_lines, make_links, make_shapes, sheet_areas, shore, solid
from gamesmaster.board import Board, Terrain
from gamesmaster.errors import BadBoard
from gamesmaster.pictures import Layout, Shapes

STEPS = ("reading the coast", "cutting provinces", "reading borders", "drawing", "placing names", "writing shapes")
"""The steps of `build`, in order, as `Progress` gets them."""
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
    """Make the board of a folder (`read_folder`). The same folder always gives the same board and shapes.

    Raise `BadBoard`, with the file and the place in it, if the board cannot be made.
    """

    def step(name: str) -> None:
        if progress:
            progress(name, STEPS.index(name), len(STEPS))

    step("reading the coast")
    ground = lay_ground(folder)
    step("cutting provinces")
    parts = partition(folder, ground)
    _all_there(folder, parts)
    step("reading borders")
    borders = find_borders(folder, parts)
    board = make_board(folder, borders)
    step("drawing")
    areas = sheet_areas(folder, ground, parts)
    sheet, whole = Sheet(folder.settings, ground.flat), solid(areas)
    links = tuple(make_links(folder, whole, sheet))
    step("placing names")
    layouts, shortfalls = place_all(folder, board, whole, sheet, drawn_lines(links))
    step("writing shapes")
    shapes = make_shapes(folder, ground, parts, areas, layouts, links)
    return Built(board, shapes, borders, tuple(_remarks(folder, borders, areas, shortfalls)))


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
    folder: Folder, borders: Borders, areas: dict[str, BaseGeometry], shortfalls: dict[str, list[str]]
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


def place_all(
    folder: Folder, board: Board, areas: Mapping[str, BaseGeometry], sheet: Sheet, lines: Sequence[BaseGeometry]
) -> tuple[dict[str, Layout], dict[str, list[str]]]:
    """Return both layouts of a board, and by layout what found no room.  Nothing is placed on `lines`."""
    placings = {row.id: _placing(row, folder, board, areas, sheet) for row in folder.rows if row.id in areas}
    laid = lay_out_all(placings, sheet.size, lines)
    layouts = {name: Layout(places) for name, (places, _) in laid.items()}
    return layouts, {name: shortfalls for name, (_, shortfalls) in laid.items()}


def _placing(row: Row, folder: Folder, board: Board, areas: Mapping[str, BaseGeometry], sheet: Sheet) -> Placing:
    drawing = folder.settings.drawing
    if not row.playable:
        return Placing(areas[row.id], row.abbr, row.name, water=row.side == "sea", playable=False)
    terrain = board.province(row.id).terrain
    return Placing(
        shape=areas[row.id],
        code=row.abbr,
        name=row.name,
        water=terrain in WATERS,
        centre=row.centre,
        coasts={
            coast.coast: Point(sheet.point(*coast.at)) if coast.at else shore(board, coast.location, areas)
            for coast in folder.coasts
            if coast.province == row.id
        },
        spots=drawing.box_spots if terrain is Terrain.BOX else 2,
        extras=drawing.extras if terrain in (Terrain.COAST, Terrain.ISLANDS) else 0,
    )
