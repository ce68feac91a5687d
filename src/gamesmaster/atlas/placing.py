"""From a folder and its areas to what the layout is asked for: codes, names, coasts, how many units want room."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

import shapely
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.folder import CoastRow, Folder, Row
from gamesmaster.atlas.layout import Shortfall, lay_out
from gamesmaster.atlas.layout_sizes import NARROW, WIDE, Placing
from gamesmaster.board import Board, Terrain
from gamesmaster.pictures.shapes import Layout

LAYOUTS = {"wide": WIDE, "narrow": NARROW}
_WATERS = (Terrain.SEA, Terrain.ISLANDS, Terrain.BOX)


def place_all(
    folder: Folder, board: Board, areas: Mapping[str, BaseGeometry], frame: tuple[int, int]
) -> tuple[dict[str, Layout], dict[str, list[Shortfall]]]:
    """Both layouts of a board, and by layout what found no room."""
    placings = {row.id: _placing(row, folder, board, areas) for row in folder.rows if row.id in areas}
    layouts, shortfalls = {}, {}
    for name, sizes in LAYOUTS.items():
        places, shortfalls[name] = lay_out(placings, frame, sizes)
        layouts[name] = Layout(places)
    return layouts, shortfalls


def _placing(row: Row, folder: Folder, board: Board, areas: Mapping[str, BaseGeometry]) -> Placing:
    drawing = folder.settings.drawing
    if not row.playable:
        return Placing(areas[row.id], row.abbr, row.name, water=row.side == "sea", playable=False)
    terrain = board.province(row.id).terrain
    return Placing(
        shape=areas[row.id],
        code=row.abbr,
        name=f"{row.id} {row.name}" if drawing.numbers else row.name,
        water=terrain in _WATERS,
        centre=row.centre,
        coasts=_coasts(row, folder, board, areas),
        spots=drawing.box_spots if terrain is Terrain.BOX else 2,
        extras=drawing.extras if terrain in (Terrain.COAST, Terrain.ISLANDS) else 0,
    )


def _coasts(row: Row, folder: Folder, board: Board, areas: Mapping[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """Each coast of a province as the shore it has with the waters that are reached from it."""
    of: dict[str, list[CoastRow]] = defaultdict(list)
    for coast in folder.coasts:
        of[coast.province].append(coast)
    shores = {}
    for coast in of[row.id]:
        words = [word.partition("/")[0] for word in coast.neighbours]
        waters = [areas[word] for word in words if word in areas and board.province(word).terrain in _WATERS]
        shore = shapely.union_all([areas[row.id].intersection(water) for water in waters])
        shores[coast.coast] = shore if not shore.is_empty else areas[row.id].representative_point()
    return shores
