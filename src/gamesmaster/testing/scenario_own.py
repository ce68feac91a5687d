"""What the mechanics keep for themselves, as scenarios tell it, and as it is looked at afterwards.

A position holds more than units and owners: boats on the shore, a taboo, builds put off.  Scenarios tell it in the
words of a Gamesmaster (`canoes: {12: 2}`), the mechanics keep it in their states.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gamesmaster.board import Position, Terrain, Unit
from gamesmaster.errors import BadFile
from gamesmaster.orders import PhaseKind
from gamesmaster.variant import Phase, Variant

BELONGS = {
    "canoes": "boats", "boats": "boats", "taboo": "taboo", "embargo": "taboo", "bay_entered": "slow-crossing",
    "deferred": "off-board-supply", "homes": "designated-homes", "aboard": "army-fleet",
    "free": "free-units",
}  # fmt: skip
"""The mechanic that each word is about."""

State = dict[str, Any]


def own_states(other: Mapping[str, Any], variant: Variant, phase: Phase, units: tuple[Unit, ...]) -> State:
    """The states of the mechanics before a phase, as a scenario tells them."""
    there = {mechanic.id for mechanic in variant.mechanics}
    for word in other:
        if BELONGS.get(word, "") not in ("", *there):
            raise BadFile(f"{variant.name} has no mechanic {BELONGS[word]!r}, which {word!r} is about")
    made: dict[str, Callable[[], object]] = {
        "boats": lambda: _moored(other, variant, units),
        "taboo": lambda: _taboo(other, variant, phase),
        "slow-crossing": lambda: _crossing(other, variant, phase, units),
        "off-board-supply": lambda: {
            "winters": winters(variant, phase),
            "deferred": {power: n for power, n in other.get("deferred", {}).items() if n},
        },
        "designated-homes": lambda: {
            "winters": winters(variant, phase),
            "homes": {power: _dated(homes, variant) for power, homes in other.get("homes", {}).items()},
        },
        "army-fleet": lambda: _aboard(other, units),
        "free-units": lambda: dict(other.get("free", {})),
    }
    return {key: value for key in made if key in there and (value := made[key]())}


def parameter(variant: Variant, mechanic: str, name: str) -> Any:
    """A parameter of one of the variant's mechanics."""
    return next(getattr(found, name) for found in variant.mechanics if found.id == mechanic)


# -- boats -----------------------------------------------------------------------------------------------------------


def _moored(other: Mapping[str, Any], variant: Variant, units: tuple[Unit, ...]) -> object:
    """Boats told one by one, with those who built them; or canoes on the land by number, and one with each afloat."""
    lie: dict[str, list[str]] = {}
    raw: dict[str, str] = {}
    for boat in other.get("boats", ()):
        if boat.get("raw"):
            raw[boat["at"]] = boat["builder"]
        else:
            lie.setdefault(boat["at"], []).append(boat["builder"])
    if "boats" not in other:
        lie = {place: [""] * number for place, number in other.get("canoes", {}).items()}
        lie |= {unit.at.province: [""] for unit in units if _afloat(variant, unit)}
    parts = {"lie": {place: sorted(boats) for place, boats in sorted(lie.items())}, "raw": raw}
    return {key: part for key, part in parts.items() if part}


def _afloat(variant: Variant, unit: Unit) -> bool:
    form = variant.board.forms.get(unit.kind)
    return form is not None and not form.cargo


def boats(position: Position) -> list[dict[str, object]]:
    """Every boat: where it lies, who built it, and whether it is raw."""
    held = position.state.get("boats")
    told: Mapping[str, Any] = held if isinstance(held, Mapping) else {}
    found: list[dict[str, object]] = [
        {"at": place, "builder": builder} for place, builders in told.get("lie", {}).items() for builder in builders
    ]
    return found + [{"at": p, "builder": builder, "raw": True} for p, builder in told.get("raw", {}).items()]


def canoes(position: Position, variant: Variant) -> dict[str, int]:
    """How many boats lie in each province of land."""
    places = Counter(str(boat["at"]) for boat in boats(position))
    return {p: n for p, n in places.items() if variant.board.province(p).terrain is not Terrain.SEA}


# -- the taboo -------------------------------------------------------------------------------------------------------


def _taboo(other: Mapping[str, Any], variant: Variant, phase: Phase) -> object:
    """Whole unless told otherwise; a curse is told by the years without builds."""
    whole = list(parameter(variant, "taboo", "provinces")) if other.get("taboo", True) else []
    cursed = {power: left for power, years in other.get("embargo", {}).items() if (left := _left(years, phase))}
    return {key: part for key, part in {"whole": whole, "cursed": cursed}.items() if part}


def _left(years: list[int], phase: Phase, *, over: bool = False) -> int:
    """How many Winters of these years are to come; the phase's own too, unless it is `over`."""
    return sum(year > phase.year or (year == phase.year and not over) for year in years)


def taboo(position: Position) -> bool:
    """Is any taboo still whole?"""
    return bool(_part(position, "taboo", "whole"))


def cursed(position: Position) -> dict[str, int]:
    """Cursed powers, each with the Winters it has still to wait."""
    found = _part(position, "taboo", "cursed")
    return {power: int(left) for power, left in found.items() if left} if isinstance(found, Mapping) else {}


def curses(years: Mapping[str, list[int]], phase: Phase) -> dict[str, int]:
    """The same, of years without builds, when this phase is over."""
    over = phase.kind is PhaseKind.ADJUSTMENTS
    return {power: left for power, of in years.items() if (left := _left(of, phase, over=over))}


def _part(position: Position, key: str, part: str) -> Any:
    state = position.state.get(key)
    return state.get(part) if isinstance(state, Mapping) else None


# -- the crossing ----------------------------------------------------------------------------------------------------


def _crossing(other: Mapping[str, Any], variant: Variant, phase: Phase, units: tuple[Unit, ...]) -> object:
    if not other.get("bay_entered"):
        return {}
    waters = parameter(variant, "slow-crossing", "waters")
    since = _movements(variant, other["bay_entered"], phase)
    return {unit.at.province: since for unit in units if unit.at.province in waters}


def _movements(variant: Variant, entered: str, phase: Phase) -> int:
    """Movement phases since the one of this name, and before `phase`."""
    at = variant.calendar.read(entered)
    return sum(later.kind is PhaseKind.MOVEMENT for later in _between(variant, variant.calendar.next(at), phase))


def crossing(position: Position) -> list[int]:
    """For everybody on such a water, the movement phases since it came there."""
    found = position.state.get("slow-crossing")
    return sorted(found.values()) if isinstance(found, Mapping) else []


def crossings(entered: str | None, variant: Variant, phase: Phase) -> list[int]:
    """The same, of one who came there in the phase of this name (None: nobody did), when `phase` is over."""
    if entered is None:
        return []
    after = variant.calendar.next(phase)
    return [_movements(variant, entered, after) if variant.calendar.read(entered) != phase else 0]


def _between(variant: Variant, first: Phase, last: Phase) -> Iterator[Phase]:
    """The phases from `first` on, before `last`."""
    while first != last:
        yield first
        first = variant.calendar.next(first)


# -- supply ----------------------------------------------------------------------------------------------------------


def winters(variant: Variant, phase: Phase) -> int:
    """How many Winters are over before a phase."""
    earlier = _between(variant, variant.calendar.first, phase)
    return sum(p.kind is PhaseKind.ADJUSTMENTS for p in earlier)


def _dated(homes: Mapping[str, str], variant: Variant) -> list[list[object]]:
    return [[province, winters(variant, variant.calendar.read(named))] for province, named in homes.items()]


def deferred(position: Position) -> dict[str, int]:
    """How many builds each power has put off."""
    return dict(_part(position, "off-board-supply", "deferred") or {})


def homes(position: Position, variant: Variant) -> dict[str, dict[str, str]]:
    """The home centres that powers have named, each with the Winter in which it was."""
    named = _part(position, "designated-homes", "homes") or {}
    return {power: {place: _winter(variant, n) for place, n in pairs} for power, pairs in named.items() if pairs}


def _winter(variant: Variant, number: int) -> str:
    """The Winter before which so many are over."""
    phase = variant.calendar.first
    while phase.kind is not PhaseKind.ADJUSTMENTS or number:
        number -= phase.kind is PhaseKind.ADJUSTMENTS
        phase = variant.calendar.next(phase)
    return f"{phase.season} {phase.year}"


# -- those aboard ----------------------------------------------------------------------------------------------------


def _aboard(other: Mapping[str, Any], units: tuple[Unit, ...]) -> object:
    carriers = {str(unit): unit.number for unit in units}
    cargo = {unit.aboard: unit.number for unit in units if unit.aboard}
    return {str(cargo[carriers[text]]): seasons for text, seasons in other.get("aboard", {}).items()}


def aboard(position: Position) -> dict[str, int]:
    """Each unit with another aboard, with the seasons that one has been there."""
    carriers = {unit.number: str(unit) for unit in position.units}
    held = position.state.get("army-fleet")
    seasons: Mapping[str, Any] = held if isinstance(held, Mapping) else {}
    return {carriers[u.aboard]: seasons.get(str(u.number), 0) for u in position.units if u.aboard in carriers}
