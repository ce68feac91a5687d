"""Boards as other programs export them: plain adjacency lists, read as variants.

Such a file is one JSON object: `powers`, `seasons`, `start` (phase, units, centers), `solo_centers`, `build_in`,
`provinces` (type, sc, home, coasts, fleet_may_convoy), `army` and `fleet` (place: its neighbours, fleets by coast) and
`one_way` (`fleet CNS > GRA`).  What it says of house rules in free text is not read.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal, NoReturn

from pydantic import Field, StringConstraints

from gamesmaster import strictjson
from gamesmaster.board import (
    DEEPEST_BOARD,
    LARGEST_BOARD,
    Board,
    Edge,
    Location,
    Position,
    Province,
    Terrain,
    units_from,
)
from gamesmaster.errors import BadFile, NotFound, nearest
from gamesmaster.formats.form import Form, Source
from gamesmaster.mechanics import StandingArmies
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import BuildSites
from gamesmaster.schemas import (
    MOST_EDGES,
    MOST_PROVINCES,
    Coast,
    Facts,
    Name,
    Place,
    ProvinceId,
    UnitText,
    place,
    validate,
)
from gamesmaster.variant import (
    FOREIGN,
    MOST_POWERS,
    Calendar,
    Edition,
    Power,
    Slot,
    Variant,
    Victory,
    digest,
    read_edition,
)

NEUTRAL = "Neutral"  # who has the units that belong to no power
_TERRAIN = {"land": Terrain.INLAND, "coast": Terrain.COAST, "sea": Terrain.SEA}
_EdgeKey = tuple[str, Location, Location]
_Neighbours = Annotated[dict[Place, Annotated[list[Place], Field(max_length=MOST_PROVINCES)]], Field(max_length=5_000)]


class _Start(Facts):
    phase: Name
    units: dict[Name, Annotated[list[UnitText], Field(max_length=MOST_PROVINCES)]]
    centers: dict[Name, Annotated[list[ProvinceId], Field(max_length=MOST_PROVINCES)]]


class _Province(Facts):
    type: Literal["land", "coast", "sea"]
    sc: bool = False
    home: Name | None = None
    name: Name | None = None
    coasts: list[Coast] = Field([], max_length=8)
    fleet_may_convoy: bool = False


class _File(Facts):
    board: Name
    name: Name
    powers: list[Name] = Field(min_length=1, max_length=MOST_POWERS)
    seasons: list[Annotated[str, StringConstraints(pattern=r"^[A-Za-z]{1,20}$")]] = Field(min_length=1, max_length=4)
    start: _Start
    solo_centers: int = Field(ge=1, le=MOST_PROVINCES)
    build_in: Annotated[BuildSites, Field(strict=False)] = BuildSites.OWN_HOMES
    provinces: dict[ProvinceId, _Province] = Field(min_length=1, max_length=MOST_PROVINCES)
    army: _Neighbours
    fleet: _Neighbours
    one_way: list[Annotated[str, StringConstraints(max_length=80)]] = Field([], max_length=1_000)


def read_foreign(source: Path | str | Mapping[str, object]) -> Variant:
    """Return the game in a foreign board file (a `Path`), its JSON text (a `str`) or its data (a mapping).

    Edges that lead one way carry a reason if the file declares them in `one_way`; the linter asks about the others.
    Raises `NotFound` for a missing file, `BadFile` with the JSON path and the nearest valid name.
    """
    data, where = strictjson.from_any(source, BadFile, limit=LARGEST_BOARD, depth=DEEPEST_BOARD)
    variant = _Reader(validate(_File, data, BadFile, where), where).variant(digest(data))
    return replace(variant, edition=Edition(((FOREIGN, json.dumps(data, ensure_ascii=False)),), where))


def read_any_edition(edition: Edition, options: Mapping[str, str] | None = None) -> Variant:
    """Return the variant in an edition, of ours or of another program.

    Raises what `read_edition` and `read_foreign` raise.
    """
    text = edition.text(FOREIGN)
    return read_foreign(text) if text else read_edition(edition, options)


class _Reader:
    """Turns a well-formed foreign file into a `Variant`."""

    def __init__(self, file: _File, where: str) -> None:
        self.file, self.where = file, where
        places = [Location(key, coast) for key, entry in file.provinces.items() for coast in ("", *entry.coasts)]
        self.places = {str(place): place for place in places}

    def fault(self, what: str, *path: str | int, hint: str = "") -> NoReturn:
        raise BadFile(what, where=place(self.where, path), hint=hint)

    def variant(self, digest: str) -> Variant:
        file = self.file
        board = Board(file.name, tuple(self.provinces()), tuple(self.edges()))
        return Variant(
            id=file.board,
            name=file.name,
            board=board,
            powers=tuple(self.power(name, board) for name in file.powers),
            start=self.start(),
            calendar=self.calendar(),
            victory=Victory(file.solo_centers),
            build_sites=file.build_in,
            digest=digest,
        )

    def provinces(self) -> Iterator[Province]:
        for key, entry in self.file.provinces.items():
            yield Province(
                id=key,
                name=entry.name or key,
                abbr=key.capitalize(),
                terrain=_TERRAIN[entry.type],
                centre=entry.sc,
                home=entry.home,
                coasts=tuple(entry.coasts),
                convoy=entry.type == "sea" or entry.fleet_may_convoy,
            )

    def edges(self) -> Iterator[Edge]:
        declared = dict(self.one_way())
        listed: dict[_EdgeKey, None] = {}
        for way, table in (("army", self.file.army), ("fleet", self.file.fleet)):
            for start, ends in table.items():
                a = self.place(start, way, start)
                listed.update({(way, a, self.place(end, way, start, n)): None for n, end in enumerate(ends)})
        if len(listed) > 2 * MOST_EDGES:
            self.fault(f"more than {2 * MOST_EDGES:,} edges")
        for key in (key for key in declared if key not in listed):
            self.fault("this edge is not in the list of neighbours", "one_way", declared[key])
        for way, a, b in listed:
            yield Edge(way, a, b, reason="one way in the source" if (way, a, b) in declared else "")

    def one_way(self) -> Iterator[tuple[_EdgeKey, int]]:
        for number, text in enumerate(self.file.one_way):
            words = text.split()
            if len(words) != 4 or words[0] not in ("army", "fleet") or words[2] != ">":
                self.fault(f"cannot read {text!r}", "one_way", number, hint="written like: fleet CNS > GRA")
            yield (words[0], *(self.place(word, "one_way", number) for word in words[1::2])), number  # type: ignore[misc]

    def place(self, text: str, *path: str | int) -> Location:
        if text not in self.places:
            self.fault(f"no place {text!r}", *path, hint=nearest(text, self.places))
        return self.places[text]

    def power(self, name: str, board: Board) -> Power:
        own = [p for p in board.provinces if p.home == name]
        return Power(
            name=name,
            adjective=name,
            homes=tuple(p.id for p in own if p.centre),
            provinces=tuple(p.id for p in own),
            units=tuple(self.file.start.units.get(name, ())),
        )

    def start(self) -> Position:
        start, known = self.file.start, (*self.file.powers, NEUTRAL)
        for table, key in ((start.units, "units"), (start.centers, "centers")):
            for name in (name for name in table if name not in known):
                self.fault(f"no power {name!r}", "start", key, name, hint=nearest(name, known))
        for name, units in start.units.items():
            for number, unit in enumerate(units):
                self.place(unit.partition(" ")[2], "start", "units", name, number)
        owners = {}
        for name, keys in start.centers.items():
            for number, key in enumerate(keys):
                self.place(key, "start", "centers", name, number)
                if name != NEUTRAL:
                    owners[key] = name
        return Position(units_from({name: start.units.get(name, ()) for name in known}), owners)

    def calendar(self) -> Calendar:
        text = self.file.start.phase
        year = next((int(word) for word in text.split() if word.isdecimal() and len(word) < 6), 0)
        try:
            calendar = _calendar(self.file.seasons, year)
        except BadFile as error:
            self.fault(error.what, "seasons")
        try:
            first = calendar.read(text)
        except NotFound as error:
            self.fault(error.what, "start", "phase", hint=error.hint)
        if first != calendar.first:
            self.fault(f"a game begins with {calendar.name(calendar.first)}", "start", "phase")
        return calendar


def _calendar(seasons: Sequence[str], year: int) -> Calendar:
    """Return each season once a year, then Winter; a single season means a turn of ten years.

    Such a turn has moves in every fifth year.
    """
    decade = len(seasons) == 1
    moves = [(seasons[0], 0), (seasons[0], 5)] if decade else [(season, 0) for season in seasons]
    slots = []
    for number, (season, years) in enumerate(moves, 1):
        slots.append(Slot(season, PhaseKind.MOVEMENT, season[0].upper(), years=years))
        slots.append(Slot(season, PhaseKind.RETREATS, season[0].upper(), years=years, count=number == len(moves)))
    season, years = moves[-1] if decade else ("Winter", 0)
    slots.append(Slot(season, PhaseKind.ADJUSTMENTS, season[0].upper(), years=years))
    return Calendar(tuple(slots), year, 10 if decade else 1)


def _with_neutrals(source: Source) -> Variant:
    """Return the variant in a file, its units of nobody as standing armies."""
    variant = read_foreign(Path(source.where))
    idle = tuple(f"{unit.kind} {unit.at}" for unit in variant.start.of(NEUTRAL))
    return replace(variant, mechanics=(StandingArmies(idle, NEUTRAL),) if idle else ())


FORM = Form(
    id="adjacency",
    name="adjacency lists",
    files="JSON",
    carried="powers, seasons, start, centres that win, builds, provinces, borders, one-way borders",
    derived="the calendar from the seasons",
    lost="everything else in the file",
    fits=lambda source: source.has("army", "fleet", "provinces"),
    drafts=lambda source: [_with_neutrals(source)],
)
