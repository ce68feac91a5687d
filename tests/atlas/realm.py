"""A made-up realm for layouts: a round land of very uneven provinces in a ring of seas, always the same."""

from __future__ import annotations

import math
from random import Random

import shapely
from shapely.geometry import MultiPoint, Point, Polygon, box

from gamesmaster.atlas.layout import Placing

FRAME = (2600, 2000)
NAMES = ("Ath", "Upper Bellmarch", "Caer Dunmore Castle", "Dell", "Easter Fold and Grimsay", "Halland", "Isk")


def realm(seed: int = 5, wide: int = 16, crowded: int = 9, seas: int = 6) -> dict[str, Placing]:
    """Provinces by id: `wide` over the land, `crowded` about one spot of it, seas around; one is out of play."""
    random = Random(seed)
    land = Polygon(
        [
            (1300 + (980 + 60 * math.sin(5 * a)) * math.cos(a), 1000 + (740 + 50 * math.sin(9 * a)) * math.sin(a))
            for a in (math.tau * k / 180 for k in range(180))
        ]
    )
    inside = [(random.uniform(300, 2300), random.uniform(250, 1750)) for _ in range(wide)]
    inside += [(random.gauss(1500, 190), random.gauss(900, 190)) for _ in range(crowded)]
    around = [
        (1300 + 1150 * math.cos(math.tau * k / seas), 1000 + 900 * math.sin(math.tau * k / seas)) for k in range(seas)
    ]
    places = {}
    for letter, points, area in (("p", inside, land), ("s", around, box(0, 0, *FRAME).difference(land))):
        cells = shapely.voronoi_polygons(MultiPoint(points), extend_to=box(0, 0, *FRAME), ordered=True)
        for number, cell in enumerate(cells.geoms):
            shape = shapely.set_precision(cell.intersection(area), 1)
            parts = [part for part in getattr(shape, "geoms", [shape]) if part.area > 9000]  # slivers belong to nobody
            if parts:
                key = f"{letter}{number}"
                places[key] = Placing(
                    shape=max(parts, key=lambda part: part.area),
                    code=key.title(),
                    name=NAMES[number % len(NAMES)],
                    water=letter == "s",
                    playable=key != "p1",
                    centre=letter == "p" and number % 2 == 0,
                    extras=2 if letter == "p" and number % 5 == 0 else 0,
                )
    return places


def strip(*corners: tuple[float, float], **facts: object) -> Placing:
    """A single province with these corners."""
    return Placing(Polygon(corners), **{"code": "Str", "name": "Strand", **facts})  # type: ignore[arg-type]


def islet(radius: float, x: float = 600, y: float = 500) -> Polygon:
    """A round island."""
    return shapely.set_precision(Point(x, y).buffer(radius), 1)
