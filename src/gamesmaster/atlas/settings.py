"""The contents of `board.toml`, with their bounds and defaults."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

Km = Annotated[float, Field(ge=0, le=2_000, allow_inf_nan=False)]
Degrees = tuple[
    Annotated[float, Field(ge=-180, le=180, allow_inf_nan=False)],
    Annotated[float, Field(ge=-90, le=90, allow_inf_nan=False)],
]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Islet(_Strict):
    """An island that the coastline has not, or too small to see: land about `at`, `radius` km."""

    at: Degrees
    radius: Annotated[float, Field(gt=0, le=500)]


class Channel(_Strict):
    """A narrow water that the coastline closes or shows too thin to see: a line of points and a width in km."""

    points: tuple[Degrees, ...] = Field(min_length=2, max_length=100)
    width: Annotated[float, Field(gt=0, le=200)]


class Ground(_Strict):
    """Land in play or in sight that the coastline has as water: islets, and patches (land beyond the file's edge)."""

    islets: tuple[Islet, ...] = ()
    patches: tuple[Annotated[tuple[Degrees, ...], Field(min_length=3, max_length=200)], ...] = ()


class Water(_Strict):
    """Water in play that the coastline has as land.

    `lakes` and `rivers` are those of the coastline file, by name, rivers with their width in kilometres; `channels`
    are cut into the land as given.
    """

    lakes: tuple[str, ...] = ()
    rivers: dict[str, Annotated[float, Field(gt=0, le=100)]] = {}
    channels: tuple[Channel, ...] = ()


class Thresholds(_Strict):
    """Lengths in kilometres that decide what is a border, and what becomes of islands.

    `border`: the least contact of two lands, or two waters, that lets units pass; `coast`: that of land and water;
    `join`: how near the shores of two neighbouring lands must come for a fleet to pass along them; `attach`: how far an
    island without an anchor may lie from the land it is given to; `island`: the least area in square kilometres at
    which an island that belongs to nobody is still drawn.
    """

    border: Km = 8.0
    coast: Km = 4.0
    join: Km = 3.0
    attach: Km = 25.0
    island: Annotated[float, Field(ge=0, le=1e7)] = 0.0


class Lens(_Strict):
    """A part of the map that is drawn larger: about `at` (longitude, latitude), out to `radius` km, `factor` times."""

    at: Degrees
    radius: Annotated[float, Field(gt=0, le=10_000)]
    factor: Annotated[float, Field(gt=0.4, le=2.2)]


class Drawing(_Strict):
    """The finish of the map.

    `wiggle`: how irregular borders are, 0 for straight cells, 1 as usual; `smooth`: passes that round the corners of
    cells off; `detail`: coasts are simplified by this many page units; `lakes`: the least area (km2) of a lake that is
    drawn though it is land in play; `extras`: small places beside the unit in coastal provinces (for marks);
    `box_spots`: places for units in a box.
    """

    wiggle: Annotated[float, Field(ge=0, le=2)] = 1.0
    smooth: Annotated[int, Field(ge=0, le=60)] = 12
    detail: Annotated[float, Field(ge=0, le=20)] = 3.0
    lakes: Annotated[float, Field(ge=0, le=1e7)] = 2_500.0
    lenses: tuple[Lens, ...] = ()
    extras: Annotated[int, Field(ge=0, le=6)] = 0
    box_spots: Annotated[int, Field(ge=2, le=60)] = 30


class Shut(_Strict):
    """A province closed to some kinds of unit or some powers (empty: all of them), as in board files."""

    province: str
    kinds: tuple[str, ...] = ()
    powers: tuple[str, ...] = ()
    reason: Annotated[str, Field(min_length=1, max_length=200)]


class Stroke(_Strict):
    """A line drawn over the map, such as a canal, between two provinces.

    It runs through `points` of the globe, or `along` the borders of pairs of provinces, end to end.
    """

    a: str
    b: str
    kind: Literal["canal", "land", "arrow"] = "canal"
    points: tuple[Degrees, ...] = Field(default=(), max_length=200)
    along: tuple[tuple[str, str], ...] = Field(default=(), max_length=20)
    reason: Annotated[str, Field(min_length=1, max_length=200)]

    @model_validator(mode="after")
    def _one_way_to_run(self) -> Stroke:
        if (len(self.points) < 2) == (not self.along):
            raise ValueError("expected two or more points here, or the borders to follow")
        return self


class Settings(_Strict):
    """`board.toml`: where the coast comes from, how the globe is laid flat, and how the board is cut and drawn.

    `frame` is the edge of the map in kilometres from the projection's centre: west, south, east, north.
    """

    name: Annotated[str, Field(min_length=1, max_length=80)]
    coastline: Annotated[str, Field(min_length=1, max_length=200)]
    credit: Annotated[str, Field(max_length=120)] = "Coastlines: Natural Earth (public domain)"
    projection: Annotated[str, Field(min_length=1, max_length=200)]
    frame: tuple[float, float, float, float]
    land: Ground = Ground()
    water: Water = Water()
    thresholds: Thresholds = Thresholds()
    drawing: Drawing = Drawing()
    closures: tuple[Shut, ...] = ()
    strokes: tuple[Stroke, ...] = ()

    @field_validator("frame")
    @classmethod
    def _in_order(cls, frame: tuple[float, ...]) -> tuple[float, ...]:
        west, south, east, north = frame
        if not (west < east and south < north and all(abs(x) <= 20_000 for x in frame)):
            raise ValueError("expected west, south, east and north here, in kilometres, west before east")
        if not 0.2 <= (east - west) / (north - south) <= 5:
            raise ValueError("the frame may be at most five times as wide as it is high, or as high as it is wide")
        return frame

    @property
    def unit(self) -> float:
        """Metres to a unit of the page, which is 4,000 units wide."""
        return (self.frame[2] - self.frame[0]) * 1000 / PAGE


PAGE = 4000
"""Width of the page in units."""
