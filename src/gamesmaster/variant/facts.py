"""What a variant is, in a few words each: for whoever looks it up, on a terminal or on a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any

from gamesmaster.board import Location, place_code, unit_code
from gamesmaster.english import many
from gamesmaster.errors import BadFile
from gamesmaster.variant.folders import base_of, join, shelf, toml_data
from gamesmaster.variant.house_rules import HouseRules
from gamesmaster.variant.model import Variant, Victory


def facts(variant: Variant) -> Iterator[tuple[str, str]]:
    """What there is to know at a glance, as a word and what is said of it: `board`, `75 provinces, 34 centres`."""
    board, calendar = variant.board, variant.calendar
    yield "players", f"{len(variant.powers)} powers"
    yield "board", f"{many(len(board.provinces), 'province')}, {many(len(board.centres), 'centre')}"
    yield "units", ", ".join(f"{variant.kinds.get(kind, (kind,))[0]} ({kind})" for kind in board.ways)
    yield "begins", calendar.name(calendar.first)
    yield "each turn", turn_text(variant)
    yield "victory", victory_text(variant.victory)
    yield "builds", variant.build_sites.replace("center", "centre")
    yield "rulebook", rulebook_text(variant)
    if (house := HouseRules.of(variant.house_rules)).choices():
        yield "house rules", str(house)


def victory_text(victory: Victory) -> str:
    """What wins, in words: `25 centres; 28 for Moors; or most centres when 3 powers are left`."""
    centres, units = f"{victory.centres} centres", f"{victory.units or victory.centres} units"
    both = f"{centres} or {units}" if victory.units else f"{victory.centres} centres or units"
    words = [{"centres": centres, "units": units, "either": both}[victory.count]]
    numbers = sorted(set(victory.of.values()))
    words += [f"{n} for {', '.join(power for power, own in victory.of.items() if own == n)}" for n in numbers]
    if victory.last:
        words.append(f"or most centres when {victory.last} powers are left")
    if victory.when == "winter":
        words.append("counted when the Winter is complete")
    return "; ".join(words)


def turn_text(variant: Variant) -> str:
    """The phases of a turn: `Spring movement, Spring retreats, ...`; of what length it is, if not a year."""
    years = variant.calendar.years_per_turn
    phases = ", ".join(f"{slot.season} {slot.kind.value}" for slot in variant.calendar.slots)
    return phases if years == 1 else f"{phases}; a turn is {years} years"


def rulebook_text(variant: Variant) -> str:
    """The preset, and the single choices that differ from it: `datc, double_orders = cancel`."""
    told = variant.rulebook
    if isinstance(told, str):
        return told
    choices = [f"{name} = {value}" for name, value in told.items() if name != "preset"]
    return ", ".join([str(told.get("preset", "datc")), *choices])


def mechanic_rows(variant: Variant) -> Iterator[tuple[str, str]]:
    """Each mechanic with the parameters that are not as they would be by default: `taboo`, `provinces = 120`."""
    for mechanic in (m for m in variant.mechanics if not m.implied):
        told: Any = mechanic
        given = [(f.name, getattr(told, f.name)) for f in fields(told) if getattr(told, f.name) != _usual(f)]
        yield mechanic.id, "; ".join(f"{name} = {_shown(value)}" for name, value in given) or "as it is"


def _usual(field: Any) -> object:
    """What a parameter is if it is left out; MISSING if it may not be."""
    return field.default_factory() if field.default_factory is not MISSING else field.default


def _shown(value: Any) -> str:
    """A parameter as plain words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{key}: {_shown(inner)}" for key, inner in value.items())
    if is_dataclass(value):
        return " ".join(_shown(v) for f in fields(value) if (v := getattr(value, f.name)) not in (None, "", -1))
    if isinstance(value, (list, tuple)):
        words = [_shown(inner) for inner in value]
        return (", " if any(" " in word for word in words) else " ").join(words)
    return str(value)


def start_rows(variant: Variant) -> Iterator[tuple[str, str, str]]:
    """Each power with the units it starts with and the centres it owns; an army aboard is told with its fleet."""
    for power in variant.powers:
        units = [unit_code(variant.board, unit) for unit in variant.start.of(power.name) if not unit.aboard]
        centres = [place_code(variant.board, Location(p)) for p in variant.start.centres(power.name)]
        yield power.name, ", ".join(units), ", ".join(centres)


PAGE = "brief.toml"


@dataclass(frozen=True, slots=True)
class SpecialRule:
    """One thing that a variant does otherwise: the rule in a sentence, its clauses, and what carries it out.

    `by` are names of mechanics, or parts of the variant's data: `board`, `start`, `victory`, `calendar`, `rulebook`.
    """

    says: str
    clauses: tuple[str, ...]
    by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Brief:
    """The special rules, and the id of a scenario that shows one of them, with what to look at there."""

    special: tuple[SpecialRule, ...] = ()
    example: str = ""
    lead: str = ""


@cache
def find_brief(name: str) -> Brief:
    """That of a variant of the package; read once in a process."""
    return read_brief(shelf() / name)


def read_brief(folder: Path) -> Brief:
    """That in the folder of a variant, with what it takes over from its base; an empty one if it has none.

    Raises `BadFile` with the key for what is not in the form.
    """
    told: Mapping[str, object] = {}
    for home in filter(None, (base_of(folder), folder)):
        path = home / PAGE
        told = join(told, toml_data(path)) if path.exists() else told
    from gamesmaster.schemas import validate
    from gamesmaster.variant.file_models import BriefFile

    file = validate(BriefFile, told, BadFile, str(folder / PAGE))
    special = tuple(SpecialRule(e.says, tuple(e.clauses.split()), tuple(e.by.split())) for e in file.special)
    example = file.example
    return Brief(special, example.scenario, example.lead) if example else Brief(special)
