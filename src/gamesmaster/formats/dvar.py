"""DVAR documents: variants of Diplicity in JSON (`schemaVersion` 1)."""

from __future__ import annotations

from collections.abc import Iterator
from math import lcm
from typing import Annotated, Literal

from pydantic import Field

from gamesmaster.board import Location, Terrain
from gamesmaster.errors import BadFile
from gamesmaster.formats.draft import ARMY_WAY, FLEET_WAY, KINDS, Country, DatedPhase, Draft, Space
from gamesmaster.formats.dvar_out import dvar as write_dvar
from gamesmaster.formats.form import Form
from gamesmaster.rules import BuildSites
from gamesmaster.schemas import MOST_PROVINCES, Facts, validate

ANYWHERE = "allow-builds-in-non-home-centers"
_LONGEST_CYCLE = 240  # phases followed before a calendar is refused
_Key = Annotated[str, Field(min_length=1, max_length=80)]
_Text = Annotated[str, Field(max_length=20_000)]
_Type = Literal["Movement", "Retreat", "Adjustment"]
_WAYS = {"army": (ARMY_WAY,), "fleet": (FLEET_WAY,), "both": (ARMY_WAY, FLEET_WAY)}
_TERRAIN = {"land": Terrain.INLAND, "coastal": Terrain.COAST, "sea": Terrain.SEA}


class _Adjacency(Facts):
    to: _Key
    passes: Literal["army", "fleet", "both"] = Field(alias="pass")


class _Place(Facts):
    id: _Key
    name: _Text
    adjacencies: list[_Adjacency] = Field(max_length=MOST_PROVINCES)


class _Province(_Place):
    type: Literal["land", "sea", "coastal"]
    centre: bool = Field(alias="supplyCenter")
    home: _Key = Field("", alias="homeNation")


class _Coast(_Place):
    parent: _Key = Field(alias="parentProvince")


class _Nation(Facts):
    id: _Key
    name: _Key
    idle: bool = Field(False, alias="non_playable")


class _Phase(Facts):
    season: _Key
    type: _Type


class _First(_Phase):
    year: int = Field(ge=-10_000, le=10_000)


class _Next(_Phase):
    delta: int = Field(alias="yearDelta", ge=0, le=1_000)


class _Condition(Facts):
    mod: int = Field(alias="yearMod", ge=1, le=1_000)
    value: int = Field(alias="yearModValue", ge=0, le=1_000)


class _Transition(Facts):
    before: _Phase = Field(alias="from")
    after: _Next = Field(alias="to")
    condition: _Condition | None = None


class _Progression(Facts):
    transitions: list[_Transition] = Field(min_length=1, max_length=200)


class _Unit(Facts):
    nation: _Key
    type: Literal["Army", "Fleet"]
    location: _Key


class _Owned(Facts):
    nation: _Key
    province: _Key


class _Start(Facts):
    phase: _First
    units: list[_Unit] = Field(max_length=MOST_PROVINCES)
    centres: list[_Owned] = Field(alias="supplyCenters", max_length=MOST_PROVINCES)


class _Victory(Facts):
    type: _Key
    centres: int = Field(0, alias="supplyCenters", ge=0, le=MOST_PROVINCES)


class _File(Facts):
    version: Literal[1] = Field(alias="schemaVersion")
    name: _Key
    author: _Text = ""
    rules: _Text = ""
    victory: list[_Victory] = Field(alias="victoryConditions", min_length=1, max_length=20)
    modifiers: list[_Key] = Field([], alias="adjudicationModifiers", max_length=50)
    progression: _Progression = Field(alias="phaseProgression")
    nations: list[_Nation] = Field(min_length=1, max_length=100)
    provinces: list[_Province] = Field(min_length=1, max_length=MOST_PROVINCES)
    coasts: list[_Coast] = Field(alias="namedCoasts", max_length=MOST_PROVINCES)
    start: _Start = Field(alias="initialState")
    dominance: list[dict[str, object]] = Field([], alias="dominanceRules", max_length=MOST_PROVINCES)


def dvar_draft(data: object, where: str) -> Draft:
    """Return the draft of a DVAR document; raises `BadFile` with the JSON path."""
    file = validate(_File, data, BadFile, where)
    draft = Draft("dvar", file.name, where, file.author)
    _add_places(draft, file)
    _add_powers(draft, file)
    draft.run = tuple(_run(file, where))
    _add_rules(draft, file)
    return draft


def _add_places(draft: Draft, file: _File) -> None:
    coasts: dict[str, list[str]] = {}
    places = {province.id: Location(province.id) for province in file.provinces}
    for coast in file.coasts:
        label = coast.id.rpartition("/")[2]
        places[coast.id] = Location(coast.parent, label)
        coasts.setdefault(coast.parent, []).append(label)
    idle = {nation.id for nation in file.nations if nation.idle}
    for province in file.provinces:
        words = tuple(coasts.get(province.id, ()))
        terrain = Terrain.COAST if words else _TERRAIN[province.type]
        home = "" if province.home in idle else province.home
        space = Space(province.name, terrain, code=province.id, centre=province.centre, home=home, coasts=words)
        draft.add(province.id, space)
    for place in (*file.provinces, *file.coasts):
        for edge in place.adjacencies:
            for way in _WAYS[edge.passes]:
                draft.join(way, places[place.id], places.get(edge.to, Location(edge.to)))


def _add_powers(draft: Draft, file: _File) -> None:
    playing = {nation.id: nation.name for nation in file.nations if not nation.idle}
    for key, name in playing.items():
        centres = {owned.province for owned in file.start.centres if owned.nation == key}
        draft.enlist(key, Country(name, centres=centres))
    for unit in file.start.units:
        province, _, coast = unit.location.partition("/")
        one = (draft.kind(unit.type), Location(province, coast))
        (draft.countries[unit.nation].units if unit.nation in playing else draft.neutral_units).append(one)


def _add_rules(draft: Draft, file: _File) -> None:
    wins = [condition.centres for condition in file.victory if condition.type == "supply-center-majority"]
    draft.victory = wins[0] if wins else 0
    for other in (condition.type for condition in file.victory if condition.type != "supply-center-majority"):
        draft.note("not carried over: other conditions of victory", other)
    if ANYWHERE in file.modifiers:
        draft.build_sites = BuildSites.ANY_OWNED
    for modifier in (modifier for modifier in file.modifiers if modifier != ANYWHERE):
        draft.note("not carried over: modifiers that are not known here", modifier)
    if file.dominance:
        draft.note("not carried over: dominance rules")
    if file.rules:
        draft.note("not carried over: the rules in words")


def _run(file: _File, where: str) -> Iterator[DatedPhase]:
    """Yield the phases from the first on, until one returns with the same conditions on its year."""
    first, transitions = file.start.phase, file.progression.transitions
    modulus = lcm(*(t.condition.mod for t in transitions if t.condition))
    now: tuple[str, str, int] = (first.season, first.type, first.year)
    seen: dict[tuple[str, str, int], int] = {}
    for number in range(_LONGEST_CYCLE):
        season, kind, year = now
        yield DatedPhase(season, KINDS[kind.casefold()], year)
        state = (season, kind, year % modulus)
        if state in seen:
            if seen[state]:
                raise BadFile("the first phase never comes again", where=f"{where}, $.phaseProgression")
            return
        seen[state] = number
        after = _after(now, transitions)
        if after is None:
            place = f"{where}, $.phaseProgression.transitions"
            raise BadFile(f"no phase follows {season} {kind} {year}", where=place)
        now = after
    raise BadFile("the phases do not repeat", where=f"{where}, $.phaseProgression")


def _after(now: tuple[str, str, int], transitions: list[_Transition]) -> tuple[str, str, int] | None:
    season, kind, year = now
    for one in transitions:
        fits = one.condition is None or year % one.condition.mod == one.condition.value
        if fits and (one.before.season, one.before.type) == (season, kind):
            return one.after.season, one.after.type, year + one.after.delta
    return None


FORM = Form(
    id="dvar",
    name="DVAR documents of Diplicity, `schemaVersion` 1",
    files="JSON",
    carried="everything that is not lost",
    derived="the calendar from the transitions; nations that nobody plays are neutral armies",
    lost="timed and other victories, dominance rules, colours, rules in words",
    fits=lambda source: source.has("schemaVersion", "provinces"),
    drafts=lambda source: [dvar_draft(source.value, source.where)],
    write_variant=write_dvar,
)
