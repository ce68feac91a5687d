"""Variants of webDiplomacy and vDiplomacy as facts: JSON of the form `webdip-facts 1`, a table of territories."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, Literal

from pydantic import Field
from rapidfuzz import fuzz, process

from gamesmaster.board import Location, Terrain
from gamesmaster.errors import BadFile
from gamesmaster.formats.draft import ARMY_WAY, FLEET_WAY, MOVEMENT, Country, DatedPhase, Draft, Space, plain_run
from gamesmaster.formats.form import Form
from gamesmaster.mechanics import DelayedBuilds, Sight, Transformation
from gamesmaster.rules import BuildSites
from gamesmaster.schemas import MOST_PROVINCES, Facts, validate

_Name = Annotated[str, Field(min_length=1, max_length=120)]
_Ids = Annotated[list[int], Field(max_length=MOST_PROVINCES)]
_TERRAIN = {"Land": Terrain.INLAND, "Coast": Terrain.COAST, "Strait": Terrain.COAST, "Sea": Terrain.SEA}
_COAST = re.compile(r".*\((.*?)\)\s*")
_YEAR = re.compile(r"(?:(\w+)[,: ]*)?\b(\d{1,5})\s*(B\.?C)?", re.IGNORECASE)
_SHARE = 18 / 34
"""The share of the centres that wins where a variant names no number."""
_LOOKS = re.compile(
    r"draw(?!MapXML)|OrderInterface|Chatbox|panel|map|adjudicatorPreGame|smallMap|largeMap", re.IGNORECASE
)
_SIGHT = ("drawMapXML", "OrderArchiv")
_BUILDS = ("userOrderBuilds", "processOrderBuilds")


class _Territory(Facts):
    id: int
    name: _Name
    type: Literal["Land", "Coast", "Strait", "Sea"]
    supply: Literal["Yes", "No"] = "No"
    country: int = Field(0, alias="countryID")
    coast: Literal["No", "Parent", "Child"] = "No"
    parent: int = Field(0, alias="coastParentID")
    army: _Ids = Field([])
    fleet: _Ids = Field([])


class _File(Facts):
    name: _Name
    full_name: str | None = Field(None, alias="fullName", max_length=200)
    author: str | None = Field(None, max_length=400)
    countries: list[_Name] = Field(min_length=1, max_length=100)
    territories: list[_Territory] = Field(min_length=1, max_length=2 * MOST_PROVINCES)
    units: dict[_Name, Annotated[dict[_Name, _Name], Field(max_length=MOST_PROVINCES)]] = Field({}, max_length=200)
    dates: dict[_Name, Annotated[str, Field(max_length=400)]] = Field({}, max_length=100)
    target: int | None = Field(None, alias="supplyCenterTarget", ge=0, le=MOST_PROVINCES)
    counted: int | None = Field(None, alias="supplyCenterCount", ge=0, le=MOST_PROVINCES)
    overridden: dict[_Name, Annotated[list[_Name], Field(max_length=100)]] = Field({}, max_length=100)
    rules: str | None = Field(None, alias="rules_text", max_length=100_000)


def draft_and_places(data: object, where: str) -> tuple[Draft, dict[int, Location]]:
    """Return the draft of a file of this form, and where each territory is; raises `BadFile` with the JSON path."""
    file = validate(_File, data, BadFile, where)
    draft = Draft("webdip-facts", file.full_name or file.name, where, file.author or "")
    places = _add_places(draft, file)
    _add_powers(draft, file, places)
    total = file.counted or sum(space.centre for space in draft.spaces.values())
    draft.victory = file.target or max(round(total * _SHARE), 1)
    draft.run = _run(draft, file.dates)
    _add_rules(draft, file)
    return draft, places


def _add_places(draft: Draft, file: _File) -> dict[int, Location]:
    """Add the territories; a child is a coast of its parent.  Return where each territory is, by its id."""
    own = {t.id for t in file.territories if t.coast != "Child"}
    children = [t for t in file.territories if t.coast == "Child" and t.parent in own]
    places = {t.id: Location(str(t.parent), _label(t)) for t in children}
    coasts: dict[int, list[str]] = {}
    for child in children:
        coasts.setdefault(child.parent, []).append(_label(child))
    for t in (t for t in file.territories if t.id not in places):
        power = file.countries[t.country - 1] if 0 < t.country <= len(file.countries) else ""
        split = tuple(dict.fromkeys(coasts.get(t.id, ())))
        terrain = Terrain.COAST if split else _TERRAIN[t.type]
        space = Space(t.name, terrain, centre=t.supply == "Yes", home=power, coasts=split, convoy=t.type == "Strait")
        draft.add(str(t.id), space)
    places |= {t.id: Location(str(t.id)) for t in file.territories if t.id not in places}
    for t in file.territories:
        for way, ids in ((ARMY_WAY, t.army), (FLEET_WAY, t.fleet)):
            for other in ids:
                draft.join(way, places[t.id], places.get(other, Location(f"number {other}")))
    return places


def _label(child: _Territory) -> str:
    """Return the name of a coast: the words in brackets after the name of its province."""
    found = _COAST.fullmatch(child.name)
    return found[1] if found else child.name


def _add_powers(draft: Draft, file: _File, places: Mapping[int, Location]) -> None:
    named = {t.name: places[t.id] for t in reversed(file.territories)}
    if sum(map(len, file.units.values())) > MOST_PROVINCES:
        raise BadFile(f"more than {MOST_PROVINCES:,} units", where=draft.where)
    units = {power: [_unit(draft, named, *unit) for unit in given.items()] for power, given in file.units.items()}
    at_home = {space.home for space in draft.spaces.values() if space.centre}
    playing = [power for power in file.countries if units.get(power) or power in at_home]
    if not playing:
        draft.note("the powers are those that have units, since those of the list have neither units nor centres")
    for power in playing or units:
        if not playing:
            for _, at in units[power]:
                draft.spaces.get(at.province, Space("", Terrain.SEA)).home = power
        centres = {key for key, space in draft.spaces.items() if space.home == power}
        draft.enlist(power, Country(power.replace("_", " "), units=units.get(power, []), centres=centres))
    for power in (power for power in units if power not in draft.countries):
        draft.note("units of nobody stand where they are", power)
        draft.neutral_units += units[power]


def _unit(draft: Draft, named: Mapping[str, Location], name: str, kind: str) -> tuple[str, Location]:
    """Return a unit; a misspelt place is the nearest of the board."""
    at = named.get(name)
    if at is None and (near := process.extractOne(name, named.keys(), scorer=fuzz.ratio, score_cutoff=60)):
        at = named[near[0]]
        draft.note("units in places that the file spells differently", f"{name} is {near[0]}")
    return draft.kind(kind), at or Location(name)


def _run(draft: Draft, dates: Mapping[str, str]) -> tuple[DatedPhase, ...]:
    """Return the phases of a turn: two seasons, as the names of the first turns say, and builds after the second."""
    turns = [_YEAR.search(dates.get(str(turn), "")) for turn in range(3)]
    seen = [(turn[1] or "", -int(turn[2]) if turn[3] else int(turn[2])) for turn in turns if turn]
    if len(seen) == 3 and seen[0][1] <= seen[1][1] < seen[2][1]:
        (one, year), (other, second), (_, third) = seen
        seasons = [(one or "Spring", 0), (other or "Autumn", second - year)]
        return plain_run(seasons, DatedPhase(one or "Spring", MOVEMENT, year), third - year)
    years = re.findall(r"\b\d{3,5}\b", " ".join(dates.get(str(turn), "") for turn in range(3)))
    year = int(years[0]) if years else 1901
    draft.note(f"turns are named Spring and Autumn, from the year {year} on, since their names hold no season and year")
    return plain_run([("Spring", 0), ("Autumn", 0)], DatedPhase("Spring", MOVEMENT, year))


def _add_rules(draft: Draft, file: _File) -> None:
    known = set(_derived(draft, file))
    if any("Check" in method for method in file.overridden.get("userOrderBuilds", ())):
        draft.build_sites = BuildSites.ANY_OWNED
        draft.note("builds are changed by code: taken as builds in any owned centre")
    for name, methods in file.overridden.items():
        if methods and name not in known and name not in _BUILDS and not _LOOKS.match(name):
            draft.note("not carried over: rules changed by code", f"{name} ({', '.join(methods)})"[:80])
    if file.rules:
        draft.note("not carried over: the rules in words")


def _derived(draft: Draft, file: _File) -> Iterator[str]:
    """Add the mechanics that the rules in words and the changed classes agree on, and yield those classes."""
    rules = (file.rules or "").casefold()
    if "typeCheck" in file.overridden.get("userOrderDiplomacy", ()) and "transform" in rules:
        draft.mechanics.append(Transformation(places="centres"))
        draft.note("armies and fleets transform in places with a centre, as the rules in words say")
        yield from ("userOrderDiplomacy", "processOrderDiplomacy")
    if file.overridden.get("adjudicatorBuilds") and "colonial build" in rules:
        draft.mechanics.append(DelayedBuilds())
        draft.note("builds away from home take a year, as the rules in words say")
        yield "adjudicatorBuilds"
    seen = [name for name in _SIGHT if file.overridden.get(name)]
    if seen and not (draft.mechanics or draft.neutral_units):
        draft.mechanics.append(Sight())
        draft.note("powers see their places and the neighbours, since what players see is changed by code")
        yield from seen
    elif seen:
        draft.note("not carried over: what players see is limited by code", *seen)
        yield from seen


FORM = Form(
    id="webdip-facts",
    name="variants of webDiplomacy and vDiplomacy as facts",
    files="JSON",
    carried="territories, coasts, both kinds of border, homes, units, neutral units, centres that win",
    derived="ids from names, the calendar from the dates, builds anywhere and sight from the classes that are changed, "
    "transformations and delayed builds from these and the rules in words",
    lost="other rules changed by code (each is named), rules in words",
    fits=lambda source: source.has("form") and str(source.value["form"]).startswith("webdip-facts"),
    drafts=lambda source: [draft_and_places(source.value, source.where)[0]],
)
