"""A small made-up coast and the folder of a board on it, for the tests of the room."""

from __future__ import annotations

import json
from pathlib import Path

BOARD = """
name = "Two Lands"
coastline = "coast.geojson"
credit = "made up"
projection = "+proj=laea +lat_0=0 +lon_0=0"
frame = [-600, -500, 600, 500]

[thresholds]
border = 20
coast = 10
join = 5
attach = 60
"""
PROVINCES = """id,name,abbr,kind,centre,home,points
WST,Westland,Wst,land,1,Red,-3 0; -3.2 1; -2.4 -1
MID,Midland,Mid,land,,,-1 0.2; -1 -1
EST,Eastland,Est,land,1,Blue,3 0
NTH,North Sea,Nth,sea,,,0 3.5; -3 3.5; 3 3.5
STH,South Sea,Sth,sea,,,0 -3.5; -3 -3.5; 3 -3.5
SND,The Sound,Snd,sea,,,1 0
xOUT,Outland,Out,impassable,,,4.9 4.2
"""
EDGES = """a,b,op,who,convoy,draw,reason
MID,EST,+,army,,land,a ferry crosses the sound
NTH,SND,-,fleet,,,a boom lies across
"""
COASTS = """province,coast,neighbours
WST,nc,MID NTH
WST,sc,MID STH
"""


def rectangle(west: float, south: float, east: float, north: float) -> list[list[list[float]]]:
    """The coordinates of a GeoJSON polygon."""
    return [[[west, south], [east, south], [east, north], [west, north], [west, south]]]


def land(*parts: list[list[list[float]]], **properties: str) -> list[dict[str, object]]:
    """Features of GeoJSON."""
    return [
        {
            "type": "Feature",
            "properties": {"layer": "land", **properties},
            "geometry": {"type": "Polygon", "coordinates": part},
        }
        for part in parts
    ]


COAST = [
    *land(rectangle(-4, -2, 0, 2)),  # Westland and Midland
    *land(rectangle(2, -2, 4, 2)),  # Eastland, over the Sound
    *land(rectangle(-3, 2.3, -2.6, 2.6)),  # an island near Westland
    *land(rectangle(-0.2, 3.6, 0.2, 3.9)),  # an island far from all
    *land(rectangle(4.6, 4, 5.4, 4.5)),  # out of play
    *land(rectangle(-2.6, -0.4, -2.2, 0), layer="lake", name="Mere"),
]


def make_folder(path: Path, **texts: str) -> Path:
    """Write the folder, some of its files otherwise: `make_folder(p, edges="...")`."""
    parts = {"board": BOARD, "provinces": PROVINCES, "edges": EDGES, "coasts": COASTS} | texts
    path.mkdir(parents=True, exist_ok=True)
    for name, text in parts.items():
        (path / f"{name}.{'toml' if name == 'board' else 'csv'}").write_text(text.lstrip("\n"), encoding="utf-8")
    data = {"type": "FeatureCollection", "features": COAST}
    (path / "coast.geojson").write_text(json.dumps(data), encoding="utf-8")
    return path
