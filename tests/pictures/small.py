"""A small map made by hand: three lands and a waste, an island realm of two coasts, two seas, islands, an ocean.

```
   OCE | WES       | ALB  | WAS        a box, a sea, a coast, out of play
       |           |------+-----
   OCE |--- INS ---| BOR  | COR        an island between the seas, a coast, an inland province
       | SOU       |-------------
   OCE | SOU       | SKE               a sea, and islands in it
```
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any

from gamesmaster.board import Board, Location, Position, Unit, read_board
from gamesmaster.pictures import Shapes, read_shapes
from gamesmaster.pictures.shapes.values import Point, arc_of, arc_points
from gamesmaster.pictures.svg import text_width

KM = 0.5
POWERS = ("Blue", "Red")

_PROVINCES = """
ALB Albany        coast      Red
BOR Borealand     coast      Blue
COR Corinth       inland     Blue
INS Insula        coast      Red
WAS Waste         impassable -
WES West Sea      sea        -
SOU South Sea     sea        -
SKE Skerries      islands    -
OCE Great Ocean   box        -
"""
_ARMY = "ALB-BOR ALB-COR BOR-COR BOR-INS"
_FLEET = "ALB-WES ALB-BOR BOR-WES BOR-SOU INS/NC-WES INS/SC-SOU WES-SOU WES-OCE SOU-SKE WES-SKE OCE-SKE"

_ARCS = (
    [(900, 0), (0, 0), (0, 3000), (900, 3000)],  # 0: the frame about OCE
    [(900, 0), (930, 300), (880, 700), (920, 1100), (900, 1500)],  # 1: OCE - WES
    [(900, 1500), (860, 1900), (930, 2400), (900, 3000)],  # 2: OCE - SOU
    [(900, 0), (2350, 0)],  # 3: the frame above WES
    [(2350, 0), (2280, 180), (2400, 330), (2310, 520), (2370, 700), (2420, 880)],  # 4: ALB - WES
    [(2350, 0), (3200, 0)],  # 5: the frame above ALB
    [(3200, 0), (3170, 200), (3260, 430), (3250, 650)],  # 6: ALB - WAS
    [(3200, 0), (4000, 0), (4000, 700)],  # 7: the frame about WAS
    [(3250, 650), (3500, 730), (3720, 640), (4000, 700)],  # 8: WAS - COR
    [(3250, 650), (3190, 800), (3150, 950)],  # 9: ALB - COR
    [(2420, 880), (2600, 930), (2850, 870), (3150, 950)],  # 10: ALB - BOR
    [(3150, 950), (3220, 1250), (3190, 1600), (3450, 1700), (3750, 1620), (4000, 1650)],  # 11: BOR - COR
    [(4000, 700), (4000, 1650)],  # 12: the frame beside COR
    [(2420, 880), (2520, 1050), (2440, 1220), (2530, 1380), (2480, 1500)],  # 13: BOR - WES
    [(2480, 1500), (2560, 1700), (2520, 1880), (2750, 2050), (3050, 2020), (3400, 2180), (3700, 2140), (4000, 2250)],
    [(4000, 1650), (4000, 2250)],  # 15, after 14, BOR - SOU: the frame beside BOR
    [(4000, 2250), (4000, 3000), (3500, 3000)],  # 16: the frame about SOU
    [(3500, 3000), (2500, 3000)],  # 17: the frame below SKE
    [(2500, 3000), (2450, 2700), (2700, 2480), (3100, 2420), (3450, 2550), (3520, 2800), (3500, 3000)],  # 18: SOU - SKE
    [(900, 3000), (2500, 3000)],  # 19: the frame below SOU
    [(900, 1500), (1080, 1530), (1250, 1500)],  # 20: WES - SOU
    [(1250, 1500), (1330, 1330), (1480, 1260), (1620, 1290), (1780, 1230), (1950, 1350), (2050, 1520)],  # 21: INS - WES
    [(2050, 1520), (1930, 1720), (1760, 1760), (1600, 1720), (1430, 1770), (1300, 1640), (1250, 1500)],  # 22: INS - SOU
    [(2050, 1520), (2260, 1480), (2480, 1500)],  # 23: WES - SOU
    [(1700, 1900), (1780, 1930), (1760, 2000), (1680, 1980), (1700, 1900)],  # 24: an isle of INS in SOU
    [(2700, 2620), (2790, 2600), (2800, 2680), (2700, 2620)],  # 25: an island of SKE
    [(3250, 2700), (3350, 2680), (3330, 2790), (3250, 2700)],  # 26: another
    [(3560, 1180), (3660, 1150), (3700, 1230), (3600, 1260), (3560, 1180)],  # 27: a lake in COR
    [(3560, 1180), (3350, 1130), (3220, 1250), (2950, 1300), (2530, 1380)],  # 28: a river from it to WES
)
_RINGS = {  # outer rings go clockwise as seen on the page, holes the other way
    "ALB": [[5, 6, 9, ~10, ~4]],
    "BOR": [[10, 11, 15, ~14, ~13]],
    "COR": [[8, 12, ~11, ~9]],
    "INS": [[21, 22], [24]],
    "WAS": [[7, ~8, ~6]],
    "WES": [[3, 4, 13, ~23, ~21, ~20, ~1]],
    "SOU": [[20, ~22, 23, 14, 16, ~18, ~19, ~2], [~24]],
    "SKE": [[18, 17]],
    "OCE": [[1, 2, ~0]],
}

_PLACES = {  # the first unit, the code, the supply centre
    "ALB": ((2800, 330), (2650, 330), (2800, 480)),
    "BOR": ((2800, 1560), (2640, 1560), (2800, 1720)),
    "COR": ((3600, 930), (3420, 930), (3500, 1040)),
    "INS": ((1700, 1500), (1500, 1510), (1880, 1450)),
    "WES": ((1600, 700), (1400, 700), None),
    "SOU": ((1600, 2500), (1400, 2500), None),
    "SKE": ((3000, 2720), (2840, 2780), (3130, 2640)),
    "OCE": ((140, 600), (440, 230), None),
}
_COASTS = {"INS": {"NC": (1460, 1380), "SC": (1480, 1660)}}
_LINKS: list[dict[str, Any]] = [
    {"a": "BOR", "b": "INS", "ways": ["army"], "op": "+", "kind": "land", "reason": "a ferry",
     "path": [(2000, 1430), (2250, 1380), (2470, 1280)]},
    {"a": "WES", "b": "SKE", "ways": ["fleet"], "op": "+", "kind": "arrow", "reason": "a current",
     "path": [(2200, 1300), (2300, 2000), (2650, 2560)]},
    {"a": "OCE", "b": "SKE", "ways": ["fleet"], "op": "+", "kind": "offboard", "reason": "round the world",
     "path": [(100, 2800), (-20, 2860)], "path2": [(3430, 2900), (3480, 3020)]},
    {"a": "OCE", "b": "SOU", "ways": ["fleet"], "op": "-", "reason": "storms"},
]  # fmt: skip


def small_board_data() -> dict[str, Any]:
    """The data of its board file."""
    provinces = []
    for line in _PROVINCES.strip().splitlines():
        *words, terrain, home = line.split()
        entry: dict[str, Any] = {"id": words[0], "name": " ".join(words[1:]), "abbr": words[0].title()}
        entry["terrain"] = terrain
        if home != "-" or terrain == "islands":
            entry["centre"] = True
        if home != "-":
            entry["home"] = home
        if words[0] == "INS":
            entry["coasts"] = ["NC", "SC"]
        provinces.append(entry)
    edges = {"army": [pair.split("-") for pair in _ARMY.split()], "fleet": [pair.split("-") for pair in _FLEET.split()]}
    return {"format": 1, "name": "Small", "provinces": provinces, "edges": edges}


def small_data() -> dict[str, Any]:
    """The data of its shapes file, made afresh, so that a test may change it."""
    return {
        "format": 1,
        "board": "Small",
        "size": [4000, 3000],
        "km": KM,
        "credit": "Coastlines: drawn by hand",
        "least": {"land": 20, "shore": 10, "sea": 20},
        "arcs": [list(arc_of(points)) for points in _ARCS],
        "provinces": {
            key: {"rings": list(map(list, rings)), "contact": _contact(key)} for key, rings in _RINGS.items()
        },
        "backdrop": {"land": [[25], [26]], "lakes": [[27]], "rivers": [28]},
        "links": [_link(link) for link in _LINKS],
        "layouts": {"wide": _layout(84, 34, 26), "narrow": _layout(120, 66, 0)},
    }


def small_board() -> Board:
    """Its board."""
    return read_board(small_board_data())


def small_shapes() -> Shapes:
    """Its shapes."""
    return read_shapes(small_data())


def small_position() -> Position:
    """A unit in every province in play, and five in the ocean."""
    texts = ["Red A ALB", "Red F INS/NC", "Red F WES", "Blue F BOR", "Blue A COR", "Blue F SOU", "Blue F SKE"]
    texts += ["Red F OCE", "Red F OCE", "Blue F OCE", "Blue F OCE", "Blue F OCE"]
    units = [
        Unit(number, kind, power, Location.of(where))
        for number, (power, kind, where) in enumerate(map(str.split, texts), 1)
    ]
    return Position(tuple(units), {"ALB": "Red", "INS": "Red", "BOR": "Blue", "COR": "Blue"})


def _arcs_of(rings: Iterable[Iterable[int]]) -> set[int]:
    return {arc if arc >= 0 else ~arc for ring in rings for arc in ring}


def _contact(key: str) -> dict[str, float]:
    """The lengths of the arcs that it shares with others, in kilometres."""
    shared = {other: _arcs_of(_RINGS[key]) & _arcs_of(rings) for other, rings in _RINGS.items() if other != key}
    return {other: round(KM * sum(map(_length, arcs)), 1) for other, arcs in shared.items() if arcs}


def _length(arc: int) -> float:
    points = arc_points(arc_of(_ARCS[arc]))
    return float(sum(abs(complex(*b) - complex(*a)) for a, b in itertools.pairwise(points)))


def _link(link: dict[str, Any]) -> dict[str, Any]:
    return {key: list(arc_of(value)) if key.startswith("path") else value for key, value in link.items()}


def _layout(room: int, code: int, name: int) -> dict[str, Any]:
    """The layout for units in squares of this size, codes and names in fonts of these sizes (0: no names)."""
    names = {p["id"]: (p["name"], p["abbr"]) for p in small_board_data()["provinces"]}
    layout: dict[str, Any] = {}
    for key, ((x, y), at, centre) in _PLACES.items():
        full, abbr = names[key]
        second = (x + room * 3 // 4, y + room * 3 // 4)
        spots = {"": [[x, y, room], [*second, room]], **{c: [[*p, room]] for c, p in _COASTS.get(key, {}).items()}}
        extras = [[x - room // 4 + i * room // 2, y - room * 4 // 5, room * 2 // 5] for i in range(2)]
        labels = [_label(abbr, "code", at, code)]
        if name:
            labels.append(_label(full, "name", (at[0], at[1] + 44), name))
        layout[key] = {"spots": spots, "extras": extras, "labels": labels}
        if centre:
            layout[key]["centre"] = [*centre, 16]
    ocean = [(140 + 180 * column, 600 + 230 * row) for row in range(6) for column in range(4)]
    layout["OCE"] |= {"spots": {"": [[x, y, room] for x, y in ocean]}, "extras": []}
    layout["WAS"] = {"spots": {"": []}, "labels": [_label("Waste", "name", (3620, 350), name)] if name else []}
    return layout


def _label(text: str, role: str, at: Point, size: int) -> dict[str, Any]:
    width = round(text_width(text, size, bold=role == "code"))
    return {"text": text, "role": role, "at": [*at], "size": size, "width": width}
