"""States and orders in the forms of other programs, as requests of our own.

The PyPI package `diplomacy` describes a phase by `Game.get_state()`:

    {"timestamp": ..., "zobrist_hash": "...", "note": "", "name": "F1907R", "units": {"ENGLAND": ["A HOL", "*F NTH"]},
     "retreats": {"ENGLAND": {"F NTH": ["EDI", "YOR"]}}, "centers": {...}, "homes": {...}, "influence": {...},
     "civil_disorder": {"ENGLAND": 0}, "builds": {...}}

A dislodged unit stands among the others with a star, and under `retreats` with the places open to it.  Ports of the
package, and godip, give orders by place: `{"PAR": "- BUR"}`, `{"par": ["Move", "bur"]}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Annotated, Any

from pydantic import Field

from gamesmaster.errors import BadFile, BadOrder, OutOfTurn
from gamesmaster.formats.phases import OVER
from gamesmaster.game.state_models import MOST, Short
from gamesmaster.judge import DISLODGED, read_place, read_unit
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rules
from gamesmaster.schemas import Facts, validate

BUILD_ANYWHERE = "BUILD_ANY"
"""The package's rule that lets a power build in any centre it owns."""

FORMING = "FORMING"
"""The package's word for the time before the first phase."""

_MARKS = frozenset({"zobrist_hash", "timestamp", "retreats", "homes", "influence", "civil_disorder", "builds"})
"""Keys that only a state of the package has."""

_UNUSED = frozenset({"id", "game_id", "note", "rules", "results", "messages", "state"}) | _MARKS
"""Keys of the package that say nothing an adjudication needs, or that the position says as well.

Its `civil_disorder` marks powers that did not order everything in the phase before.
"""

_NUMBERED = re.compile(r"(ORDER|REORDER|INVALID) ?\d+", re.IGNORECASE)
"""The package's text in place of a unit before an order of a Winter, or before one that it could not read."""

Listed = dict[Short, Annotated[list[Short], Field(max_length=MOST)]]


class PackageState(Facts):
    """A state of the package, read."""

    name: Short | None = None
    units: Listed
    centers: Listed | None = None
    retreats: dict[Short, Listed] = Field({})

    def board(self) -> dict[str, Any]:
        """Return the position in the form of our own documents."""
        standing = {power: [u for u in units if not u.startswith(DISLODGED)] for power, units in self.units.items()}
        beaten = {
            power: [{"unit": unit, "retreats": places} for unit, places in units.items()]
            for power, units in self.retreats.items()
        }
        centers = {} if self.centers is None else {"centers": self.centers}
        return {"units": standing, **centers, "dislodged": beaten}


def request_of(data: object) -> object:
    """Return a state of the package, or a phase of a saved game, as a request; other data as it is.

    Raises `BadFile` for a state that is not well-formed, or was played by a rule that changes what is legal, and
    `OutOfTurn` for a game that is over.
    """
    if not isinstance(data, Mapping):
        return data
    if "phases" in data:
        raise BadFile("a saved game, not a phase", where="$.phases", hint="`gamesmaster replay` reads saved games")
    inner = data.get("state")
    if isinstance(inner, Mapping) and inner.keys() & _MARKS:
        data = {**data, **inner}
    if not data.keys() & _MARKS:
        return data
    if BUILD_ANYWHERE in (data.get("rules") or ()):
        hint = "make a variant of your own with build_sites = 'any owned'"
        raise BadFile(f"a game with {BUILD_ANYWHERE} is not the variant's own", where="$.rules", hint=hint)
    fields = PackageState.model_fields
    state = validate(PackageState, {key: data[key] for key in fields if key in data}, BadFile)
    rest = {key: value for key, value in data.items() if key not in fields and key not in _UNUSED}
    request: dict[str, Any] = state.board() | _phase(state.name) | rest
    if isinstance(rest.get("orders"), Mapping):
        request["orders"] = {power: orders or [] for power, orders in rest["orders"].items()}
    return request


def _phase(name: str | None) -> dict[str, str]:
    if name is not None and name.upper() == OVER:
        raise OutOfTurn(f"the game is over ({OVER}): no phase is left to adjudicate")
    return {} if name is None or name.upper() == FORMING else {"phase": name}


# -- orders by place ---------------------------------------------------------------------------------------------------


def orders_by_place(rules: Rules, kind: PhaseKind, orders: Mapping[str, str | Sequence[str]]) -> list[str]:
    """Return orders given by place or unit as texts: `{"PAR": "- BUR"}` as `PAR - BUR`.

    An order that names its unit itself stays as it is.  Raises `BadFile` for a key that is neither place nor unit.
    """
    return [_order(rules, kind, key.strip(), given) for key, given in orders.items()]


def _order(rules: Rules, kind: PhaseKind, key: str, given: str | Sequence[str]) -> str:
    text = given.strip() if isinstance(given, str) else in_words(given)
    if _NUMBERED.fullmatch(key):
        return text
    province = _province(rules, key)
    for whole in (text, f"{key} {text}"):
        try:
            order = rules.notation.read(whole, kind)
        except BadOrder:
            continue
        if order.at is not None and order.at.province == province:
            return whole
    return text if key.casefold() in text.casefold() else f"{key} {text}"


def _province(rules: Rules, key: str) -> str:
    """Return the province that a key names, by its place or by the unit there."""
    with suppress(BadFile):
        return read_unit(key, "", 1, rules).at.province
    try:
        return read_place(key, rules).province
    except BadFile as error:
        raise BadFile(error.what, where="$.orders", hint=error.hint) from None


def in_words(parts: Sequence[str]) -> str:
    """Return the parts of an order of godip in words: `["Support", "mar", "bur"]` as `S mar - bur`."""
    verb, *places = parts or ("",)
    match verb, places:
        case "Move", [goal]:
            return f"- {goal}"
        case "MoveViaConvoy", [goal]:
            return f"- {goal} via convoy"
        case "Support" | "Convoy", [of, to]:
            return f"{verb}s {of}" if of == to else f"{verb}s {of} - {to}"
        case "Hold" | "Disband", []:
            return f"{verb}s"
        case _:
            return " ".join(parts)


def order_text(what: str, at: str, to: str = "", of: str = "", *, via: bool = False) -> str:
    """Return an order in words; `what` is its kind as webDiplomacy says it: `Build A`, `Support move`, `Destroy`.

    Raises `BadFile` for an unknown kind.
    """
    match what.split():
        case ["Hold"]:
            return f"{at} H"
        case ["Move"]:
            return f"{at} - {to}{' VIA' if via else ''}"
        case ["Support"] | ["Support", "hold" | "move"]:
            return f"{at} S {of} - {to}" if of and to and of != to else f"{at} S {of or to}"
        case ["Convoy"]:
            return f"{at} C {of} - {to}"
        case ["Retreat"] if to:
            return f"{at} R {to}"
        case ["Disband" | "Retreat"]:
            return f"{at} D"
        case ["Build", "Army" | "Fleet" | "A" | "F" | "W" as kind]:
            return f"Build {kind[:1]} {at or to}"
        case ["Destroy" | "Remove"]:
            return f"Remove {at or to}"
        case ["Wait" | "Waive"]:
            return "Waive"
    raise BadFile(f"an order of an unknown kind, {what[:40]!r}")


def phase_text(season: str, year: object, kind: str) -> str:
    """Return a phase in words: builds after the fall belong to winter."""
    return f"{'Winter' if (season, kind) == ('Fall', 'Adjustment') else season} {year} {kind}"
