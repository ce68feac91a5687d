"""Variants as DVAR documents (`schemaVersion` 1) with their drawing, as Diplicity reads them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from html import escape

from gamesmaster.board import Location, Terrain
from gamesmaster.errors import NotFound
from gamesmaster.formats.draft import ARMY_WAY, FLEET_WAY
from gamesmaster.formats.written import JSON, Exported, builds_anywhere, lost_of_variant, own_variant, plain_pieces
from gamesmaster.mechanics import StandingArmies
from gamesmaster.orders import PhaseKind
from gamesmaster.pictures import PLATES, Shapes, paints_of, rings_path, shapes_of
from gamesmaster.variant import Calendar, Variant

ANYWHERE = "allow-builds-in-non-home-centers"
_TYPES = {PhaseKind.MOVEMENT: "Movement", PhaseKind.RETREATS: "Retreat", PhaseKind.ADJUSTMENTS: "Adjustment"}
_KINDS = {"A": "Army", "F": "Fleet"}
_IDLE = "neutral"


def dvar(variant: Variant) -> Exported:
    """Return a variant as a DVAR document, with a drawing if it has shapes, and its own folder beside it.

    Raises `GamesmasterError` for units that the form does not know.
    """
    plain_pieces(variant, "a DVAR document")
    made = Exported("dvar", lost=lost_of_variant(variant, without=(StandingArmies,)))
    text = json.dumps(_document(variant, made.lost), indent=1, ensure_ascii=False)
    made.files[f"{variant.family}.dvar.json"] = text.encode()
    try:
        made.files[f"{variant.family}.svg"] = "\n".join(_drawing(variant, shapes_of(variant))).encode()
    except NotFound:
        made.lost.append("without a drawing, since the board has no shapes (gamesmaster board draw makes some)")
    own_variant(made, variant)
    return made


def slug(text: str) -> str:
    """Return a name as ids of the form are written: `new-york`."""
    return re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-") or "x"


def _document(variant: Variant, lost: list[str]) -> JSON:
    board, paints = variant.board, paints_of(variant.powers)
    nations: list[JSON] = [
        {"id": slug(power.name), "name": power.name, "color": PLATES[paint % len(PLATES)]}
        for power, paint in zip(variant.powers, paints, strict=True)
    ]
    units = [_unit(slug(power.name), text) for power in variant.powers for text in power.units]
    standing = [mechanic for mechanic in variant.mechanics if isinstance(mechanic, StandingArmies)]
    if idle := [_unit(_IDLE, text) for mechanic in standing for text in mechanic.units]:
        nations.append({"id": _IDLE, "name": standing[0].power, "color": "#808080", "non_playable": True})
        units += idle
    if any(mechanic.neutral_centres for mechanic in standing):
        lost.append("not carried over: armies that stand in every neutral centre")
    if any(len({(e.a, e.b), (e.b, e.a)} & _pairs(variant, e.way)) < 2 for e in board.edges if not e.only):
        lost.append("one-way borders are one way here too, which Diplicity may refuse")
    first = variant.calendar.first
    return {
        "schemaVersion": 1, "id": slug(variant.family), "name": variant.name, "description": variant.name, "author": "",
        "victoryConditions": [{"type": "supply-center-majority", "supplyCenters": variant.victory.centres}],
        "adjudicationModifiers": [ANYWHERE] if builds_anywhere(variant, lost) else [],
        "phaseProgression": _progression(variant.calendar),
        "nations": nations,
        "provinces": [*_provinces(variant)], "namedCoasts": [*_coasts(variant)],
        "initialState": {
            "phase": {"season": first.season, "year": first.year, "type": _TYPES[first.kind]},
            "units": units,
            "supplyCenters": [
                {"nation": slug(owner), "province": key.casefold()} for key, owner in variant.start.owners.items()
            ],
        },
    }  # fmt: skip


def _pairs(variant: Variant, way: str) -> set[tuple[Location, Location]]:
    return {(e.a, e.b) for e in variant.board.edges if e.way == way and not e.only}


def _unit(nation: str, text: str) -> JSON:
    kind, _, at = text.partition(" ")
    return {"nation": nation, "type": _KINDS[kind], "location": at.casefold()}


def _provinces(variant: Variant) -> Iterator[JSON]:
    homes = {home: slug(power.name) for power in variant.powers for home in power.homes}
    for province in (p for p in variant.board.provinces if p.terrain is not Terrain.IMPASSABLE):
        sea = province.terrain is Terrain.SEA
        coastal = province.terrain in (Terrain.COAST, Terrain.ISLANDS) and not province.coasts
        yield {
            "id": province.id.casefold(), "name": province.name,
            "type": "sea" if sea else "coastal" if coastal else "land", "supplyCenter": province.centre,
            **({"homeNation": homes[province.id]} if province.id in homes else {}),
            "adjacencies": _near(variant, Location(province.id)),
        }  # fmt: skip


def _coasts(variant: Variant) -> Iterator[JSON]:
    for province in variant.board.provinces:
        for coast in province.coasts:
            yield {
                "id": f"{province.id}/{coast}".casefold(), "name": f"{province.name} ({coast})",
                "parentProvince": province.id.casefold(), "adjacencies": _near(variant, Location(province.id, coast)),
            }  # fmt: skip


def _near(variant: Variant, at: Location) -> list[JSON]:
    """Return the places one step away, and who passes."""
    ways: dict[str, set[str]] = {}
    for way in (ARMY_WAY, FLEET_WAY):
        for a, b in _pairs(variant, way):
            if a == at:
                ways.setdefault(str(b).casefold(), set()).add(way)
    return [{"to": to, "pass": "both" if len(by) > 1 else min(by)} for to, by in sorted(ways.items())]


def _progression(calendar: Calendar) -> JSON:
    """Return which phase follows which; where a phase comes several times in a turn, by the year."""
    slots, length = calendar.slots, calendar.years_per_turn
    transitions: list[JSON] = []
    for number, slot in enumerate(slots):
        after = slots[(number + 1) % len(slots)]
        step = after.years - slot.years + (length if number + 1 == len(slots) else 0)
        one: JSON = {
            "from": {"season": slot.season, "type": _TYPES[slot.kind]},
            "to": {"season": after.season, "type": _TYPES[after.kind], "yearDelta": step},
        }
        if sum((s.season, s.kind) == (slot.season, slot.kind) for s in slots) > 1:
            one["condition"] = {"yearMod": length, "yearModValue": (calendar.first_year + slot.years) % length}
        transitions.append(one)
    return {"seasons": list(dict.fromkeys(slot.season for slot in slots)), "transitions": transitions}


def _drawing(variant: Variant, shapes: Shapes) -> Iterator[str]:
    """Yield the lines of the drawing, in the layers that the program looks for."""
    width, height = shapes.size
    board, places = variant.board, shapes.layouts["wide"]
    paths = {
        p.id: rings_path(shapes, shapes.provinces[p.id].rings) for p in board.provinces if p.id in shapes.provinces
    }
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
    yield '<g id="background">'
    yield f'<rect width="{width}" height="{height}" fill="#f4efe1"/>'
    for key, path in paths.items():
        fill = "#b9d3e0" if board.province(key).terrain is Terrain.SEA else "#ead9b0"
        yield f'<path d="{path}" fill="{fill}" fill-rule="evenodd"/>'
    yield '</g>\n<g id="provinces" display="none">'
    for key, path in paths.items():
        if board.province(key).terrain is not Terrain.IMPASSABLE:
            yield f'<path id="{key.casefold()}" d="{path}" fill-rule="evenodd"/>'
    yield '</g>\n<g id="named-coasts" display="none">'
    for key, coast, x, y, room in _spots(variant, shapes):
        if coast:
            yield f'<circle id="{key}" cx="{x}" cy="{y}" r="{room // 2}"/>'
    yield '</g>\n<g id="province-names" font-family="sans-serif" text-anchor="middle">'
    for place in places.values():
        for label in place.labels:
            x, y = label.at
            turn = f' transform="rotate({label.turn} {x} {y})"' if label.turn else ""
            yield f'<text x="{x}" y="{y}" font-size="{label.size}"{turn}>{escape(label.text)}</text>'
    yield '</g>\n<g id="borders" fill="none" stroke="#5a4a32" stroke-width="4">'
    yield from (f'<path d="{path}"/>' for path in paths.values())
    yield '</g>\n<g id="foreground">'
    for place in places.values():
        if place.centre:
            yield f'<circle cx="{place.centre.x}" cy="{place.centre.y}" r="{place.centre.r}" fill="#333"/>'
    yield '</g>\n<g id="unit-positions" display="none">'
    for key, _, x, y, room in _spots(variant, shapes):
        yield f'<circle id="{key}" cx="{x}" cy="{y}" r="{room // 2}"/>'
    yield "</g>\n</svg>"


def _spots(variant: Variant, shapes: Shapes) -> Iterator[tuple[str, str, int, int, int]]:
    """Yield the place of the first unit of each province and coast: its id, the coast, the middle and the room."""
    for key, place in shapes.layouts["wide"].items():
        for coast, spots in place.spots.items():
            if spots and key in variant.board.index:
                name = str(Location(key, coast)).casefold()
                yield name, coast, spots[0].x, spots[0].y, spots[0].room
