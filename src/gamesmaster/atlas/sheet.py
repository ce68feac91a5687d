"""The sheet: areas of the map laid out in page units, magnified where the designer says so, and simplified for drawing.

Everything is done to shared vertices alike, so neighbours still share their borders exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry import MultiPolygon, Polygon, box
from shapely.geometry.base import BaseGeometry

from gamesmaster.atlas.ground import Coordinates, Ground, polygons
from gamesmaster.atlas.settings import PAGE, Lens, Settings

_PITCH = 12.0  # page units: straight lines are followed at this step through a lens


@dataclass(frozen=True, slots=True)
class Sheet:
    """From metres of the projection to page units."""

    settings: Settings
    flat: Callable[[float, float], tuple[float, float]]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the frame in page units."""
        _, south, _, north = self.settings.frame
        return PAGE, round((north - south) * 1000 / self.settings.unit)

    def page(self, points: Coordinates) -> Coordinates:
        """Points in metres as points in page units; y grows downwards."""
        for lens, middle in zip(self.settings.drawing.lenses, self.middles(), strict=True):
            points = magnify(points, middle, lens)
        west, _, _, north = self.settings.frame
        unit = self.settings.unit
        return np.column_stack([(points[:, 0] - 1000 * west) / unit, (1000 * north - points[:, 1]) / unit])

    def middles(self) -> list[Coordinates]:
        """The middle of each lens, as the lenses before it show it."""
        seen: list[Coordinates] = []
        for number, lens in enumerate(self.settings.drawing.lenses):
            at = np.array([self.flat(*lens.at)])
            for before, middle in zip(self.settings.drawing.lenses[:number], seen, strict=True):
                at = magnify(at, middle, before)
            seen.append(at[0])
        return seen

    def drawn(self, geometry: BaseGeometry) -> BaseGeometry:
        """A geometry in page units."""
        return shapely.transform(shapely.segmentize(geometry, _PITCH * self.settings.unit), self.page)

    def point(self, east: float, north: float) -> tuple[float, float]:
        """A point of the globe in page units."""
        ((x, y),) = self.page(np.array([self.flat(east, north)]))
        return float(x), float(y)


def magnify(points: Coordinates, middle: Coordinates, lens: Lens) -> Coordinates:
    """Points seen through a lens: spread out near its middle, pressed together towards its rim, unmoved beyond.

    At distance t (in radii) from the middle a point moves to f t / (1 + (f - 1) t), f being the factor: f times as far
    at the middle, growing with t all the way, so no two points change places, and 1/f as fast at the rim.
    """
    away = points - middle
    t = np.minimum(np.hypot(away[:, 0], away[:, 1]) / (1000 * lens.radius), 1.0)
    return middle + away * (lens.factor / (1 + (lens.factor - 1) * t))[:, None]


def draw_areas(sheet: Sheet, areas: Mapping[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """The areas in whole page units, cut to the frame and simplified; areas that vanish are left out."""
    frame = box(0, 0, *sheet.size)
    placed = {key: _whole(shapely.intersection(sheet.drawn(area), frame)) for key, area in areas.items()}
    keys = [key for key, area in placed.items() if not area.is_empty]
    simple = shapely.coverage_simplify([placed[key] for key in keys], sheet.settings.drawing.detail)
    rounded = shapely.transform(np.asarray(simple, dtype=object), np.rint)
    return {key: area for key, area in zip(keys, rounded, strict=True) if not area.is_empty}


def solid(areas: Mapping[str, BaseGeometry]) -> dict[str, BaseGeometry]:
    """The areas fit to be measured and cut: rounding may have laid a narrow inlet's two shores on each other."""
    return {key: _whole(shapely.make_valid(area, method="structure")) for key, area in areas.items()}


def draw_lakes(sheet: Sheet, ground: Ground) -> list[Polygon]:
    """Lakes that are only drawn, in whole page units."""
    frame = box(0, 0, *sheet.size)
    lakes = [
        shapely.simplify(sheet.drawn(lake).intersection(frame), sheet.settings.drawing.detail) for lake in ground.lakes
    ]
    return [polygon for lake in lakes for polygon in polygons(shapely.transform(lake, np.rint)) if polygon.area > 0]


def _whole(geometry: BaseGeometry) -> BaseGeometry:
    """Only the polygons of it (cutting may leave points and lines on the frame)."""
    found: Sequence[Polygon] = polygons(geometry)
    return found[0] if len(found) == 1 else MultiPolygon(list(found))
