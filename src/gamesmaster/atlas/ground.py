"""Land and water in the frame of the map, from a coastline in longitude and latitude.

All geometry from here on is in metres of the map's projection, snapped to a fine grid, so that lines that should meet
do and the same folder gives the same bytes on every machine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import shapely
from pyproj import CRS, Transformer
from pyproj.exceptions import CRSError
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box, shape
from shapely.geometry.base import BaseGeometry

from gamesmaster import strictjson
from gamesmaster.atlas.folder import Folder
from gamesmaster.atlas.settings import Settings
from gamesmaster.errors import BadBoard, nearest

LARGEST = 32 * 1024 * 1024  # bytes of a coastline
_DEEPEST = 12
_STEP = 0.25  # degrees: long lines are followed at this step when they are laid flat
_MARGIN = 4.0  # degrees beyond the frame that are still laid flat

Coordinates = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Ground:
    """Land and water of the frame, the frame itself, lakes to be drawn on the land, and the grid's step in metres."""

    land: BaseGeometry
    water: BaseGeometry
    frame: Polygon
    lakes: tuple[Polygon, ...]
    grid: float
    flat: Callable[[float, float], tuple[float, float]]


def lay_ground(folder: Folder) -> Ground:
    """Read the coastline and lay it flat; raises `NotFound` or `BadBoard`."""
    settings = folder.settings
    flat = _projection(settings, folder.path / "board.toml")
    grid = float(10 ** math.floor(math.log10(settings.unit)))  # about a tenth of a page unit, a power of ten
    west, south, east, north = (1000 * x for x in settings.frame)
    frame = box(west, south, east, north)
    window = _window(frame, settings)
    layers = _layers(folder.coastline)
    land = _union(_flat(g, flat, window) for g in layers["land"])
    water = [_flat(g, flat, window) for name in settings.water.lakes for g in _by_name(layers, "lake", name, folder)]
    for name, width in settings.water.rivers.items():
        water += [
            _project(g.intersection(window), flat).buffer(width * 500) for g in _by_name(layers, "river", name, folder)
        ]
    for channel in settings.water.channels:
        line = LineString([flat(*point) for point in channel.points])
        water.append(line.buffer(channel.width * 500, quad_segs=4))
    islets = [Point(*flat(*islet.at)).buffer(islet.radius * 1000, quad_segs=8) for islet in settings.land.islets]
    patches = [_flat(Polygon(patch), flat, window) for patch in settings.land.patches]
    land = _union([_union([land, *patches]).difference(_union(water)), *islets])
    land = shapely.set_precision(land.intersection(frame), grid)
    lakes = _union(_flat(g, flat, window) for name, g in layers["lake"] if name not in settings.water.lakes)
    least = settings.drawing.lakes * 1e6
    return Ground(
        land=land,
        water=shapely.difference(frame, land, grid_size=grid),
        frame=frame,
        lakes=tuple(lake for lake in polygons(lakes.intersection(land)) if lake.area >= least),
        grid=grid,
        flat=flat,
    )


def polygons(geometry: BaseGeometry) -> list[Polygon]:
    """Return the polygons of a geometry of any kind, without empty ones."""
    parts = getattr(geometry, "geoms", None)
    if parts is None:
        return [geometry] if isinstance(geometry, Polygon) and not geometry.is_empty else []
    return [polygon for part in parts for polygon in polygons(part)]


def _projection(settings: Settings, path: Path) -> Callable[[Any, Any], tuple[Any, Any]]:
    try:
        crs = CRS.from_proj4(settings.projection)
    except CRSError as fault:
        hint = "expected a PROJ string, such as +proj=laea +lat_0=52 +lon_0=14"
        raise BadBoard(f"no projection: {str(fault)[:120]}", where=f"{path}, $.projection", hint=hint) from None
    transformer = Transformer.from_crs("EPSG:4326", crs, always_xy=True)
    return transformer.transform


def _window(frame: Polygon, settings: Settings) -> Polygon:
    """Return the part of the globe, in degrees, that the frame shows, with a margin."""
    back = Transformer.from_crs(CRS.from_proj4(settings.projection), "EPSG:4326", always_xy=True)
    edge = shapely.get_coordinates(shapely.segmentize(frame, max(frame.length / 400, 1)))
    east, north = back.transform(edge[:, 0], edge[:, 1])
    east, north = east[np.isfinite(east)], north[np.isfinite(north)]
    w, s, e, n = east.min() - _MARGIN, north.min() - _MARGIN, east.max() + _MARGIN, north.max() + _MARGIN
    return box(max(w, -180), max(s, -90), min(e, 180), min(n, 90))


def _layers(path: Path) -> dict[str, list[Any]]:
    data = strictjson.read(path, limit=LARGEST, depth=_DEEPEST)
    if not isinstance(data, dict) or not isinstance(data.get("features"), list):
        raise BadBoard("not GeoJSON: expected a FeatureCollection", where=str(path))
    layers: dict[str, list[Any]] = {"land": [], "lake": [], "river": []}
    for number, feature in enumerate(data["features"]):
        try:
            kind, geometry = feature["properties"].get("layer", "land"), shape(feature["geometry"])
            name = feature["properties"].get("name", "")
        except (AttributeError, KeyError, TypeError, ValueError, shapely.errors.ShapelyError) as fault:
            raise BadBoard(f"not a GeoJSON feature: {fault}", where=f"{path}, $.features[{number}]") from None
        if kind == "land":
            layers["land"].append(geometry)
        elif kind in layers:
            layers[kind].append((name, geometry))
    return layers


def _by_name(layers: dict[str, Any], kind: str, name: str, folder: Folder) -> list[BaseGeometry]:
    found = [geometry for other, geometry in layers[kind] if other == name]
    if not found:
        hint = nearest(name, sorted({other for other, _ in layers[kind] if other}))
        raise BadBoard(
            f"no {kind} {name!r} in {folder.coastline.name}", where=f"{folder.path / 'board.toml'}, $.water", hint=hint
        )
    return found


def _flat(geometry: BaseGeometry, flat: Callable[[Any, Any], tuple[Any, Any]], window: Polygon) -> BaseGeometry:
    """Return an area of the globe laid flat, cut to the window first."""
    cut = shapely.segmentize(shapely.make_valid(geometry).intersection(window), _STEP)
    return shapely.make_valid(_project(cut, flat)).buffer(0)


def _project(geometry: BaseGeometry, flat: Callable[[Any, Any], tuple[Any, Any]]) -> BaseGeometry:
    def lay(points: Coordinates) -> Coordinates:
        return np.column_stack(flat(points[:, 0], points[:, 1]))

    return shapely.transform(geometry, lay)


def _union(parts: Iterable[BaseGeometry]) -> BaseGeometry:
    found = [part for part in parts if not part.is_empty]
    return shapely.union_all(found) if found else MultiPolygon()
