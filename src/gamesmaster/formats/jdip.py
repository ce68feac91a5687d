"""Packs of jDip: `variants.xml` with its variants, and the adjacency file that each of them names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from gamesmaster.board import Location, Terrain
from gamesmaster.errors import BadFile
from gamesmaster.formats.draft import ARMY_WAY, FLEET_WAY, KINDS, Country, DatedPhase, Draft, Space, plain_run
from gamesmaster.formats.form import Beside, Form, parse
from gamesmaster.formats.jdip_out import jdip as write_jdip
from gamesmaster.mechanics import UnitKind
from gamesmaster.rules import BuildSites

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MOST_VARIANTS = 100
_WING = UnitKind("W", ("wing",), ("army", "fleet"), convoys=False, convoyed=False, captures=False, sign="wing")
_BUILDS = {
    "VALUE_BUILDS_HOME_ONLY": BuildSites.OWN_HOMES,
    "VALUE_BUILDS_ANY_OWNED": BuildSites.ANY_OWNED,
    "VALUE_BUILDS_ANY_IF_HOME_OWNED": BuildSites.ANY_OWNED,
}
_WINGS = "VALUE_WINGS_ENABLED"
_USUAL_RULES = frozenset({"VALUE_BUILDS_HOME_ONLY", "VALUE_BUILDS_ANY_OWNED", "VALUE_WINGS_DISABLED", _WINGS})
_PLAIN_COAST, _ARMIES = "xc", "mv"
_COAST = re.compile(r"(.+?)[-/(](mv|xc|[nsew]c|single|none)\)?")
_LONG_COAST = re.compile(r"\b([nsew])(?:orth|outh|ast|est) coast")
_NO_COAST = (_PLAIN_COAST, _ARMIES, "single", "none")
_SHORT_TURN = re.compile(r"\s*([SFW])(\d{1,4})([MRAB])\s*", re.IGNORECASE)
_LETTERS = {
    "S": "Spring",
    "F": "Fall",
    "W": "Winter",
    "M": "Movement",
    "R": "Retreat",
    "A": "Adjustment",
    "B": "Adjustment",
}


def jdip_drafts(root: Element, where: str, beside: Beside) -> Iterator[Draft]:
    """Yield the draft of each variant of a pack; raises `BadFile`, and what `beside` raises."""
    variants = root.findall("VARIANT")[:MOST_VARIANTS]
    if not variants:
        raise BadFile("no variant is in this pack", where=where)
    for variant in variants:
        draft = Draft("jdip", variant.get("name") or "nameless", where)
        board = variant.find("MAP")
        if board is None:
            raise BadFile(f"{draft.name[:60]} has no MAP", where=where)
        named = board.get("adjacencyURI", "")
        names = _add_places(draft, parse(beside(named), f"{named[:80]} beside {where}"))
        _add_powers(draft, variant, names)
        _add_rules(draft, variant)
        yield draft


def _add_places(draft: Draft, root: Element) -> dict[str, str]:
    """Add the provinces and their borders.  Return the keys of the provinces by all their names."""
    borders = {border.get("id", "").casefold(): border.get("description", "") for border in root.iter("BORDER")}
    nodes = {node.get("shortname", "").casefold(): node for node in reversed(root.findall("PROVINCE"))}
    names = {name: key for key, node in nodes.items() for name in _other_names(node)} | {key: key for key in nodes}
    for node in root.findall("PROVINCE"):
        key = node.get("shortname", "").casefold()
        ways = {edge.get("type", _ARMIES).casefold(): _words(edge, "refs") for edge in node.findall("ADJACENCY")}
        coasts = tuple(way for way in ways if way not in (_ARMIES, _PLAIN_COAST))
        others = tuple(name for name in _other_names(node) if name != node.get("fullname"))
        terrain = Terrain.IMPASSABLE if _is(node, "isImpassable") else _terrain(ways)
        space = Space(node.get("fullname") or key, terrain, key, coasts=coasts, aliases=others)
        space.convoy = _is(node, "isConvoyableCoast")
        draft.add(key, space)
        for way, refs in ways.items():
            here = Location(key, way if way in coasts else "")
            for there in (_place(ref, names) for ref in refs):
                if way != _ARMIES or there.province != key:  # jDip lists an island as its own only neighbour for armies
                    draft.join(ARMY_WAY if way == _ARMIES else FLEET_WAY, here, there)
        for border in _words(node, "borders"):
            draft.note("not carried over: borders that change by season, unit or order", borders.get(border) or border)
    return names


def _other_names(node: Element) -> tuple[str, ...]:
    """Return the names of a province besides its short one, in lower case."""
    names = (name.get("name", "") for name in node.findall("UNIQUENAME"))
    return tuple(name.casefold() for name in (node.get("fullname", ""), *names) if name)


def _words(node: Element, name: str) -> list[str]:
    """Return the words of a list, with blanks or commas between them."""
    return node.get(name, "").casefold().replace(",", " ").split()


def _is(node: Element, name: str, default: str = "false") -> bool:
    return node.get(name, default).casefold() == "true"


def _terrain(ways: dict[str, list[str]]) -> Terrain:
    if _ARMIES not in ways:
        return Terrain.SEA
    return Terrain.COAST if len(ways) > 1 else Terrain.INLAND


def _place(text: str, names: Mapping[str, str]) -> Location:
    """Return a place by any name of its province. The coast `xc`, a fleet's only one, is left out."""
    text = _LONG_COAST.sub(r"\1c", text.casefold())
    found = _COAST.fullmatch(text)
    province, coast = found.groups() if found else (text.partition("/")[0], "")
    return Location(names.get(province, province), "" if coast in _NO_COAST else coast)


def _add_powers(draft: Draft, variant: Element, names: Mapping[str, str]) -> None:
    powers = {"none": "", "any": ""}
    for node in variant.findall("POWER"):
        name = node.get("name") or "nameless"
        others = [other.strip() for other in (node.get("altnames") or node.get("altname") or "").split(",")]
        if _is(node, "active", "true"):
            draft.enlist(name.casefold(), Country(name, node.get("adjective") or "", tuple(others)))
            for other in map(str.casefold, others):
                powers.setdefault(other, name.casefold())
            powers[name.casefold()] = name.casefold()
        else:
            draft.note("left out: powers that are not active", name)
    for node in variant.findall("SUPPLYCENTER"):
        key = _place(node.get("province", ""), names).province
        space = draft.spaces.get(key)
        if space is None:
            draft.note("left out: centres in places that the file does not define", key)
            continue
        space.centre = True
        space.home = _power(draft, powers, node.get("homepower"))
        if owner := _power(draft, powers, node.get("owner")):
            draft.countries[owner].centres.add(key)
        if space.terrain is Terrain.SEA:
            space.terrain = Terrain.COAST
            draft.note("taken as islands, since they are centres, though only fleets have borders there", space.name)
    for node in variant.findall("INITIALSTATE"):
        at = _place(f"{node.get('province', '')}/{node.get('unitcoast') or ''}", names)
        if power := _power(draft, powers, node.get("power")):
            draft.countries[power].units.append((draft.kind(node.get("unit", "")), at))


def _power(draft: Draft, powers: Mapping[str, str], text: str | None) -> str:
    """Return the key of a power by any of its names; "" for an empty name and for powers that do not play."""
    name = text or "none"
    if name.casefold() not in powers:
        draft.note("left out: units and centres of powers that do not play", name)
    return powers.get(name.casefold(), "")


def _add_rules(draft: Draft, variant: Element) -> None:
    used = {kind for country in draft.countries.values() for kind, _ in country.units}
    if _WING.kind in used or any(node.get("value") == _WINGS for node in variant.iter("RULEOPTION")):
        draft.mechanics.append(_WING)
        draft.note("wings do not keep others from taking the centres below them")
    if variant.find("INFLUENCE") is not None:
        draft.note("not carried over: who holds places without a centre")
    turn = variant.find("STARTINGTIME")
    draft.run = plain_run([("Spring", 0), ("Fall", 0)], _first(draft, "" if turn is None else turn.get("turn", "")))
    wins = variant.find("VICTORYCONDITIONS/WINNING_SUPPLY_CENTERS")
    value = "" if wins is None else wins.get("value", "")
    draft.victory = int(value) if value.isdecimal() and len(value) < 5 else 0
    for other in ("YEARS_WITHOUT_SC_CAPTURE", "GAME_LENGTH"):
        if variant.find(f"VICTORYCONDITIONS/{other}") is not None:
            draft.note("not carried over: ends of the game by years", other)
    for node in variant.findall("RULEOPTIONS/RULEOPTION"):
        value = node.get("value", "")
        draft.build_sites = _BUILDS.get(value, draft.build_sites)
        if value not in _USUAL_RULES:
            how = (
                "builds in any owned centre need no owned home here"
                if value in _BUILDS
                else f"{node.get('name')} {value}"
            )
            draft.note("not carried over: options of the rules", how)


def _first(draft: Draft, text: str) -> DatedPhase:
    """Return the first phase from `Spring, 1901, Movement`, with its words in any order, or `S1901M`."""
    if short := _SHORT_TURN.fullmatch(text):
        text = " ".join(_LETTERS.get(part.upper(), part) for part in short.groups())
    words = re.findall(r"[A-Za-z]+|\d{1,6}", text)
    years = [int(word) for word in words if word.isdecimal()]
    kinds = [KINDS[word.casefold()] for word in words if word.casefold() in KINDS]
    seasons = [word for word in words if word.casefold() in ("spring", "fall", "autumn", "winter", "summer")]
    if not (years and kinds and seasons):
        raise BadFile(f"no phase {text[:60]!r} to begin with", where=f"{draft.where}, STARTINGTIME")
    return DatedPhase(seasons[0], kinds[0], -years[0] if "bc" in text.casefold().replace(".", "") else years[0])


FORM = Form(
    id="jdip",
    name="packs of jDip",
    files="`variants.xml`, or the folder that has it",
    carried="each variant: places, coasts, borders, convoyable coasts, homes, owners, units, start, centres that win",
    derived="builds in any owned centre and wings from the rule options; centres at sea are islands",
    lost="blockades by wings, borders that change by season, ends by years",
    fits=lambda source: source.tag == "VARIANTS",
    drafts=lambda source: jdip_drafts(source.root, source.where, source.beside) if source.root is not None else (),
    write_variant=write_jdip,
)
