"""Variants as packs of jDip: `variants.xml` and the adjacency file that it names."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from gamesmaster.board import Location, Province, Terrain
from gamesmaster.formats.draft import ARMY_WAY, FLEET_WAY
from gamesmaster.formats.mapping import FLOW, flow_of
from gamesmaster.formats.written import Exported, builds_anywhere, lost_of_variant, own_variant, plain_pieces
from gamesmaster.orders import PhaseKind
from gamesmaster.variant import Variant

_COASTS = ("NC", "SC", "EC", "WC")
_KIND_WORDS = {PhaseKind.MOVEMENT: "Movement", PhaseKind.RETREATS: "Retreat", PhaseKind.ADJUSTMENTS: "Adjustment"}
_KINDS = {"A": "army", "F": "fleet"}


def jdip(variant: Variant) -> Exported:
    """Return a variant as a pack of jDip without a drawing, and its own folder beside it.

    Raises `GamesmasterError` for units that jDip does not know.
    """
    plain_pieces(variant, "jDip")
    made = Exported("jdip", lost=lost_of_variant(variant))
    if not _usual(variant):
        made.lost.append("not carried over: the calendar, since jDip has a spring and a fall in each year")
    if odd := sorted({coast for p in variant.board.provinces for coast in p.coasts if coast not in _COASTS}):
        made.lost.append(f"not carried over: coasts that jDip does not know: {', '.join(odd)}")
    made.lost.append("without a drawing, since jDip draws in a form of its own")
    adjacency = f"{variant.family}_adjacency.xml"
    made.files[f"{variant.family}_jdip/variants.xml"] = _text(_pack(variant, adjacency, made.lost))
    made.files[f"{variant.family}_jdip/{adjacency}"] = _text(_places(variant))
    own_variant(made, variant)
    return made


def _text(lines: Iterator[str]) -> bytes:
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', *lines, ""]).encode()


def _tag(tag: str, /, **attributes: str) -> str:
    return f"<{tag}{''.join(f' {key}={quoteattr(value)}' for key, value in attributes.items())}/>"


def _pack(variant: Variant, adjacency: str, lost: list[str]) -> Iterator[str]:
    first, owners = variant.calendar.first, variant.start.owners
    yield "<VARIANTS>\n<DESCRIPTION/>"
    yield f'<VARIANT name={quoteattr(variant.name)} default="true" version="1.0">\n<DESCRIPTION/>'
    yield _tag("MAP", adjacencyURI=adjacency)
    if builds_anywhere(variant, lost):
        option = _tag("RULEOPTION", name="OPTION_BUILDS", value="VALUE_BUILDS_ANY_OWNED")
        yield f"<RULEOPTIONS>{option}</RULEOPTIONS>"
    for power in variant.powers:
        others = {"altnames": ", ".join(power.also)} if power.also else {}
        yield _tag("POWER", name=power.name, active="true", adjective=power.adjective, **others)
    season, kind = (first.season, _KIND_WORDS[first.kind]) if _usual(variant) else ("Spring", "Movement")
    yield _tag("STARTINGTIME", turn=f"{season}, {first.year}, {kind}")
    wins = _tag("WINNING_SUPPLY_CENTERS", value=str(variant.victory.centres))
    yield f"<VICTORYCONDITIONS>{wins}</VICTORYCONDITIONS>"
    homes = {home: power.name for power in variant.powers for home in power.homes}
    for key in variant.board.centres:
        owner = {"owner": owners[key]} if key in owners else {}
        yield _tag("SUPPLYCENTER", province=key.casefold(), homepower=homes.get(key, "none"), **owner)
    for power in variant.powers:
        for kind, _, at in (text.partition(" ") for text in power.units):
            province, coast = Location.of(at)
            where = {"unitcoast": coast.casefold()} if coast else {}
            yield _tag("INITIALSTATE", province=province.casefold(), power=power.name, unit=_KINDS[kind], **where)
    yield "</VARIANT>\n</VARIANTS>"


def _usual(variant: Variant) -> bool:
    return flow_of(variant.calendar) == FLOW


def _places(variant: Variant) -> Iterator[str]:
    yield "<PROVINCES>"
    for province in variant.board.provinces:
        if province.terrain is not Terrain.IMPASSABLE:
            convoyable = {"isConvoyableCoast": "true"} if province.land and province.convoy else {}
            head = _tag("PROVINCE", shortname=province.id.casefold(), fullname=province.name, **convoyable)
            yield head.replace("/>", ">")
            yield from (_tag("UNIQUENAME", name=alias) for alias in province.aliases)
            yield from _adjacency(variant, province)
            yield "</PROVINCE>"
    yield "</PROVINCES>"


def _adjacency(variant: Variant, province: Province) -> Iterator[str]:
    armies, fleets = _near(variant, ARMY_WAY, province.id, ""), _near(variant, FLEET_WAY, province.id, "")
    if province.land:
        yield _tag("ADJACENCY", type="mv", refs=armies or province.id.casefold())
    if fleets and not province.coasts:
        yield _tag("ADJACENCY", type="xc", refs=fleets)
    for coast in province.coasts:
        yield _tag("ADJACENCY", type=coast.casefold(), refs=_near(variant, FLEET_WAY, province.id, coast))


def _near(variant: Variant, way: str, province: str, coast: str) -> str:
    ends = (e.b for e in variant.board.edges if e.way == way and e.a == (province, coast) and not e.only)
    return " ".join(sorted(str(end).casefold() for end in ends))
