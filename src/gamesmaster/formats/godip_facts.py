"""Variants of godip as facts: JSON of the form `godip-facts 1`, a graph of places with flags."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from gamesmaster.board import ARMY, Location, Terrain
from gamesmaster.errors import BadFile
from gamesmaster.formats.draft import ARMY_WAY, FLEET_WAY, KINDS, Country, DatedPhase, Draft, Space, plain_run
from gamesmaster.formats.form import Form
from gamesmaster.rules import BuildSites
from gamesmaster.schemas import MOST_PROVINCES, Facts, validate

_Key = Annotated[str, Field(min_length=1, max_length=40)]
_Text = Annotated[str, Field(max_length=20_000)]
_Flag = Literal["Land", "Sea", "Convoyable"]
_Ways: dict[_Flag, str] = {"Land": ARMY_WAY, "Sea": FLEET_WAY}


class _Node(Facts):
    flags: list[_Flag] = Field(max_length=8)
    edges: dict[_Key, Annotated[list[_Flag], Field(max_length=8)]] = Field(max_length=MOST_PROVINCES)
    sc: _Key | None = None


class _Start(Facts):
    year: int = Field(ge=-10_000, le=10_000)
    season: _Key
    type: _Key
    units: dict[_Key, Annotated[list[_Key], Field(min_length=2, max_length=2)]] = Field({}, max_length=MOST_PROVINCES)
    supply_centers: dict[_Key, _Key] = Field({}, max_length=MOST_PROVINCES)


class _File(Facts):
    name: _Key
    nations: list[_Key] = Field(min_length=1, max_length=100)
    nodes: dict[_Key, _Node] = Field(min_length=1, max_length=2 * MOST_PROVINCES)
    start: _Start
    names: dict[_Key, _Text] = Field({}, max_length=2 * MOST_PROVINCES)
    code: dict[_Key, _Text | None] = Field({}, max_length=20)
    solo: int | None = Field(None, alias="SoloSCCount", ge=0, le=MOST_PROVINCES)
    winner: _Text | None = Field(None, alias="SoloWinner")
    author: _Text | None = Field(None, alias="CreatedBy")
    rules: _Text | None = Field(None, alias="Rules")
    neutral_armies: _Text | None = None


def godip_draft(data: object, where: str) -> Draft:
    """Return the draft of a file of this form; raises `BadFile` with the JSON path."""
    file = validate(_File, data, BadFile, where)
    draft = Draft("godip-facts", file.name, where, file.author or "")
    _add_places(draft, file)
    _add_powers(draft, file)
    _add_rules(draft, file)
    return draft


def _add_places(draft: Draft, file: _File) -> None:
    coasts: dict[str, list[str]] = {}
    for key in file.nodes:
        province, stroke, coast = key.partition("/")
        coasts.setdefault(province, []).extend([coast] if stroke else [])
    for key, words in coasts.items():
        node = file.nodes.get(key)
        flags = set(node.flags) if node else set()
        draft.add(
            key,
            Space(
                name=file.names.get(key) or key.capitalize(),
                terrain=_terrain(flags, split=bool(words)),
                code=key,
                centre=bool(node and node.sc),
                home=node.sc if node and node.sc in file.nations else "",
                coasts=tuple(words),
                convoy={"Land", "Convoyable"} <= flags,
            ),
        )
    for key, node in file.nodes.items():
        for other, flags_there in node.edges.items():
            for flag in flags_there:
                if flag in _Ways:
                    draft.join(_Ways[flag], Location.of(key), Location.of(other))


def _terrain(flags: set[_Flag], *, split: bool) -> Terrain:
    if "Land" not in flags and not split:
        return Terrain.SEA
    return Terrain.COAST if "Sea" in flags or split else Terrain.INLAND


def _add_powers(draft: Draft, file: _File) -> None:
    owned: dict[str, set[str]] = {}
    rebuilt = "is built again" in (file.neutral_armies or "")
    for key, nation in file.start.supply_centers.items():
        owned.setdefault(nation, set()).add(key)
    for nation in file.nations:
        draft.enlist(nation, Country(nation, centres=owned.get(nation, set())))
    for key, (kind, nation) in file.start.units.items():
        unit = (draft.kind(kind), Location.of(key))
        if nation in draft.countries:
            draft.countries[nation].units.append(unit)
        elif not rebuilt:
            draft.neutral_units.append(unit)
    draft.neutral_centres = rebuilt
    if file.neutral_armies and not draft.neutral_centres and not draft.neutral_units:
        taken = set(file.start.supply_centers) | set(file.start.units)
        free = [key for key, node in file.nodes.items() if node.sc and key not in taken]
        draft.neutral_units = [(ARMY, Location(key)) for key in free]


def _add_rules(draft: Draft, file: _File) -> None:
    start = file.start
    kind = KINDS.get(start.type.casefold())
    if kind is None:
        raise BadFile(f"no kind of phase {start.type!r}", where=f"{draft.where}, $.start.type")
    first = DatedPhase(start.season, kind, start.year)
    if "year" in start.season.casefold():
        draft.run = plain_run([("Year", 0), ("Year", 5)], first._replace(season="Year"), 10)
    else:
        draft.run = plain_run([("Spring", 0), ("Fall", 0)], first)
    parser = file.code.get("Parser") or ""
    if "anyhomecenter" in parser.casefold():
        draft.build_sites = BuildSites.ANY_HOME
    elif "anywhere" in parser.casefold() or "pure" in parser.casefold():
        draft.build_sites = BuildSites.ANY_OWNED
    elif parser.rpartition(".")[2] not in ("", "Parser"):
        draft.note("not carried over: orders changed by code", parser)
    draft.victory = file.solo or 0
    if not (file.winner or "").startswith("common.SCCountWinner"):
        draft.note("not carried over: victory that is not a number of centres alone", file.winner or "unnamed")
    if file.rules:
        draft.note("not carried over: the rules in words")


FORM = Form(
    id="godip-facts",
    name="variants of godip as facts",
    files="JSON",
    carried="places, flags, borders, one-way borders, islands that convoy, homes, owners, units, start, centres that "
    "win",
    derived="builds anywhere and neutral armies, from the names of the code",
    lost="other code, rules in words, colours",
    fits=lambda source: source.has("form") and str(source.value["form"]).startswith("godip-facts"),
    drafts=lambda source: [godip_draft(source.value, source.where)],
)
