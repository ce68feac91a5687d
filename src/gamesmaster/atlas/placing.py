"""From a folder and its areas to what the layout is asked for: codes, names, coasts, how many units want room."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

import shapely
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.folder import CoastRow, Folder, Row
from gamesmaster.atlas.layout import NARROW, WIDE, Placing, Shortfall, lay_out
from gamesmaster.atlas.sheet import Sheet
from gamesmaster.board import Board, Terrain
from gamesmaster.pictures.shapes.values import Layout

LAYOUTS = {"wide": WIDE, "narrow": NARROW}
_WATERS = (Terrain.SEA, Terrain.ISLANDS, Terrain.BOX)


def place_all(
    folder: Folder, board: Board, areas: Mapping[str, BaseGeometry], sheet: Sheet, lines: Sequence[BaseGeometry]
) -> tuple[dict[str, Layout], dict[str, list[Shortfall]]]:
    """Both layouts of a board, and by layout what found no room.  Nothing is placed on `lines`."""
    placings = {row.id: _placing(row, folder, board, areas, sheet) for row in folder.rows if row.id in areas}
    layouts, shortfalls = {}, {}
    for name, sizes in LAYOUTS.items():
        wanted = _numbered(folder, placings) if folder.settings.drawing.numbers and sizes.name else placings
        places, shortfalls[name] = lay_out(wanted, sheet.size, sizes, obstacles=lines)
        layouts[name] = Layout(places)
    return layouts, shortfalls


def _numbered(folder: Folder, placings: Mapping[str, Placing]) -> dict[str, Placing]:
    """With the number (or letter) of each province beside its code."""
    playable = {row.id for row in folder.rows if row.playable}
    return {
        key: replace(placing, code=f"{placing.code} {key}") if key in playable else placing
        for key, placing in placings.items()
    }


def _placing(row: Row, folder: Folder, board: Board, areas: Mapping[str, BaseGeometry], sheet: Sheet) -> Placing:
    drawing = folder.settings.drawing
    if not row.playable:
        return Placing(areas[row.id], row.abbr, row.name, water=row.side == "sea", playable=False)
    terrain = board.province(row.id).terrain
    return Placing(
        shape=areas[row.id],
        code=row.abbr,
        name=row.name,
        water=terrain in _WATERS,
        centre=row.centre,
        coasts=_coasts(row, folder, board, areas, sheet),
        spots=drawing.box_spots if terrain is Terrain.BOX else 2,
        extras=drawing.extras if terrain in (Terrain.COAST, Terrain.ISLANDS) else 0,
    )


def _coasts(
    row: Row, folder: Folder, board: Board, areas: Mapping[str, BaseGeometry], sheet: Sheet
) -> dict[str, BaseGeometry]:
    """Each coast of a province as the point that is told, or as the shore with the waters reached from it."""
    of: dict[str, list[CoastRow]] = defaultdict(list)
    for coast in folder.coasts:
        of[coast.province].append(coast)
    shores: dict[str, BaseGeometry] = {}
    for coast in of[row.id]:
        if coast.at:
            shores[coast.coast] = Point(sheet.point(*coast.at))
            continue
        words = [word.partition("/")[0] for word in coast.neighbours]
        waters = [areas[word] for word in words if word in areas and board.province(word).terrain in _WATERS]
        shore = shapely.union_all([areas[row.id].intersection(water) for water in waters])
        shores[coast.coast] = shore if not shore.is_empty else areas[row.id].representative_point()
    return shores
