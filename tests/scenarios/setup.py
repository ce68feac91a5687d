"""The setup of a scenario: the variant with its options, rulebook, position, orders.

It includes the state of mechanics, as scenarios describe and check it.

A position holds more than units and owners: a taboo, deferred builds, things on the shore. Scenarios describe these in
the words of a Gamesmaster (`deferred: {England: 2}`); the mechanics keep them in their states.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, replace
from typing import Any, Literal

from gamesmaster.board import Dislodged, Location, Position, Unit, units_from
from gamesmaster.errors import BadFile, OutOfTurn, nearest
from gamesmaster.game import Game
from gamesmaster.judge import count_owners
from gamesmaster.mechanics import Anarchy
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import Rulebook, Rules
from gamesmaster.variant import HouseRules, Phase, Variant, Victory, shelf
from gamesmaster.variant.reading import variant_of_data
from gamesmaster.variant.sources import variant_data
from tests.scenarios.words import BOATS, Stage

BELONGS = {
    "taboo": "taboo", "embargo": "taboo", "bay_entered": "slow-crossing",
    "deferred": "off-board-supply", "homes": "designated-homes", "aboard": "army-fleet",
    "free": "free-units", **dict.fromkeys(BOATS, "boats"),
}  # fmt: skip
"""The mechanic that each word is about."""

State = dict[str, Any]


def own_states(other: Mapping[str, Any], variant: Variant, phase: Phase, units: tuple[Unit, ...]) -> State:
    """Return the states of the mechanics before a phase, as a scenario tells them."""
    there = {mechanic.id for mechanic in variant.mechanics}
    for word in other:
        if BELONGS.get(word, "") not in ("", *there):
            raise BadFile(f"{variant.name} has no mechanic {BELONGS[word]!r}, which {word!r} is about")
    made: dict[str, Callable[[], object]] = {
        "taboo": lambda: _taboo(other, variant, phase),
        "slow-crossing": lambda: _crossing(other, variant, phase, units),
        "off-board-supply": lambda: {
            "winters": winters(variant, phase),
            "deferred": {power: n for power, n in other.get("deferred", {}).items() if n},
        },
        "designated-homes": lambda: {
            "winters": winters(variant, phase),
            "homes": {power: _date_homes(homes, variant) for power, homes in other.get("homes", {}).items()},
        },
        "army-fleet": lambda: _aboard(other, units),
        "free-units": lambda: dict(other.get("free", {})),
        "boats": lambda: boats(variant, other, units),
    }
    states = {key: make() for key, make in made.items() if key in there}
    return {key: value for key, value in states.items() if value}


def parameter(variant: Variant, mechanic: str, name: str) -> Any:
    """Return a parameter of one of the variant's mechanics."""
    return next(getattr(one, name) for one in variant.mechanics if one.id == mechanic)


# -- boats -----------------------------------------------------------------------------------------------------------


def boats(variant: Variant, words: Mapping[str, Any], units: Collection[Unit]) -> dict[str, object]:
    """Return the state of boats: one by one in `boats`, or the number on land in `canoes` and one per unit afloat.

    An entry of `boats` is `{"at": "36", "builder": "keith", "raw": true}`.
    """
    lie: dict[str, list[str]] = {}
    raw: dict[str, str] = {}
    for boat in words.get("boats", ()):
        if boat.get("raw"):
            raw[boat["at"]] = boat["builder"]
        else:
            lie.setdefault(boat["at"], []).append(boat["builder"])
    if "boats" not in words:
        lie = {place: [""] * number for place, number in words.get("canoes", {}).items() if number}
        lie |= {unit.at.province: [""] for unit in units if unit.kind == parameter(variant, "boats", "form")}
    parts = {"lie": {place: sorted(pile) for place, pile in sorted(lie.items())}, "raw": dict(sorted(raw.items()))}
    return {key: part for key, part in parts.items() if part}


# -- the taboo -------------------------------------------------------------------------------------------------------


def _taboo(other: Mapping[str, Any], variant: Variant, phase: Phase) -> object:
    """Return the state of the taboo: whole by default; a curse is given by the years without builds."""
    whole = list(parameter(variant, "taboo", "provinces")) if other.get("taboo", True) else []
    cursed = {power: left for power, years in other.get("embargo", {}).items() if (left := _winters_due(years, phase))}
    return {key: part for key, part in {"whole": whole, "cursed": cursed}.items() if part}


def _winters_due(years: list[int], phase: Phase, *, over: bool = False) -> int:
    """Return how many Winters of these years are to come; the phase's own too, unless it is `over`."""
    return sum(year > phase.year or (year == phase.year and not over) for year in years)


def taboo(position: Position) -> bool:
    """Return whether any taboo is still whole."""
    return bool(_part(position, "taboo", "whole"))


def cursed_powers(position: Position) -> dict[str, int]:
    """Cursed powers, each with the Winters it has still to wait."""
    cursed = _part(position, "taboo", "cursed")
    return {power: int(left) for power, left in cursed.items() if left} if isinstance(cursed, Mapping) else {}


def curses(years: Mapping[str, list[int]], phase: Phase) -> dict[str, int]:
    """Return the same, of years without builds, when this phase is over."""
    over = phase.kind is PhaseKind.ADJUSTMENTS
    return {power: left for power, of in years.items() if (left := _winters_due(of, phase, over=over))}


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
    clocks = position.state.get("slow-crossing")
    return sorted(clocks.values()) if isinstance(clocks, Mapping) else []


def crossings(entered: str | None, variant: Variant, phase: Phase) -> list[int]:
    """Return the same, of one who came there in the phase of this name (None: nobody did), when `phase` is over."""
    if entered is None:
        return []
    after = variant.calendar.next(phase)
    return [_movements(variant, entered, after) if variant.calendar.read(entered) != phase else 0]


def _between(variant: Variant, first: Phase, last: Phase) -> Iterator[Phase]:
    """Yield the phases from `first` on, before `last`."""
    while first != last:
        yield first
        first = variant.calendar.next(first)


# -- supply ----------------------------------------------------------------------------------------------------------


def winters(variant: Variant, phase: Phase) -> int:
    """Return how many Winters are over before a phase."""
    earlier = _between(variant, variant.calendar.first, phase)
    return sum(p.kind is PhaseKind.ADJUSTMENTS for p in earlier)


def _date_homes(homes: Mapping[str, str], variant: Variant) -> list[list[object]]:
    return [[province, winters(variant, variant.calendar.read(named))] for province, named in homes.items()]


def deferred_builds(position: Position) -> dict[str, int]:
    """Return how many builds each power has deferred."""
    return dict(_part(position, "off-board-supply", "deferred") or {})


def homes(position: Position, variant: Variant) -> dict[str, dict[str, str]]:
    """Return the home centres that powers have named, each with the Winter in which it was."""
    named = _part(position, "designated-homes", "homes") or {}
    return {power: {place: _winter(variant, n) for place, n in pairs} for power, pairs in named.items() if pairs}


def _winter(variant: Variant, number: int) -> str:
    """Return the Winter that comes after `number` others."""
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
    """Return each unit with another aboard, with the seasons that one has been there."""
    carriers = {unit.number: str(unit) for unit in position.units}
    held = position.state.get("army-fleet")
    seasons: Mapping[str, Any] = held if isinstance(held, Mapping) else {}
    return {carriers[u.aboard]: seasons.get(str(u.number), 0) for u in position.units if u.aboard in carriers}


NO_SEED = bytes(32)
"""The seed of games that only try something out."""

KNOWN = frozenset({
    "options", "preset", "centres", "centres_before", "dislodged", "civil_disorder", "visited_in_spring",
    "centre_count", "unit_count_after_builds", "draw_votes", "proposal", "eliminated", "earlier_set", "late",
    "missing", "house_rules", "event", "change_options", "players", "preferences", "grace", "anarchy", "standoffs",
    "winner", "final", "owners", "parameters", "dice", "ends", "kept", *BELONGS,
})  # fmt: skip
"""The fields that a scenario may have under `other`; anything else is refused, so that nothing is ignored by mistake.
"""

_COUNTS: dict[str, Literal["centres", "units", "either"]] = {
    "centres": "centres",
    "units": "units",
    "centres_or_units": "either",
}
_CHANGED = re.compile(r"judge sets (\w+) = (\w+) after the first phase was opened")


@dataclass(frozen=True, slots=True)
class Scene:
    """A scenario made ready: `stage` is as the scenario found it, `variant` with its options chosen."""

    stage: Stage
    variant: Variant
    rules: Rules
    victory: Victory
    house_rules: HouseRules
    other: Mapping[str, Any]
    expect: Mapping[str, Any]

    def game(self, phase: Phase | None = None, position: Position | None = None) -> Game:
        """Return a game under these rules, at its start or in a phase with this position."""
        start = Game.start(self.variant, seed=NO_SEED, rulebook=self.rules.rulebook, house_rules=self.house_rules)
        return start if phase is None or position is None else replace(start, phase=phase, position=position)


def scene(scenario: Mapping[str, Any], stage: Stage) -> Scene:
    """Return a scenario made ready; raises `BadFile` for what nobody here knows."""
    other = scenario["other"]
    for word in other:
        if word not in KNOWN:
            what = f"scenario {scenario['id']} tells of {word!r}, which nothing here understands"
            raise BadFile(what, hint=nearest(word, KNOWN) or f"it is read as one of {stage.variant.name}'s")
    options = dict(other.get("options", {}))
    count = options.pop("victory_count", None)
    choices, book = _sort_options(stage, options)
    variant = stage.choosing(choices, other.get("parameters"))
    variant = with_ends(variant, **other["ends"]) if "ends" in other else variant
    victory = replace(variant.victory, count=_COUNTS[count]) if count else variant.victory
    house = HouseRules.of(other.get("house_rules"), HouseRules.of(variant.house_rules))
    variant = house.over_victory(variant)
    rulebook = house.over(_rulebook(other.get("preset", variant.rulebook), book))
    return Scene(stage, variant, Rules.of(variant, rulebook), victory, house, other, scenario["expect"])


def with_ends(
    variant: Variant, *, victory: Mapping[str, object] | None = None, mechanics: Sequence[Mapping[str, object]] = ()
) -> Variant:
    """Return a variant of the package with other keys of `[victory]`, and with more mechanics."""
    folder = shelf() / variant.family
    data: dict[str, Any] = dict(variant_data(folder))
    data["victory"] = data["victory"] | (victory or {})
    data["mechanics"] = [*data.get("mechanics", ()), *mechanics]
    return variant_of_data(folder, data)


def _sort_options(stage: Stage, options: Mapping[str, object]) -> tuple[dict[str, str], dict[str, object]]:
    """Options sorted: choices of the variant, by our names or another's, and what is left, choices of the rulebook."""
    own = {option.name: option.choices for option in stage.variant.options}
    ours = {name: str(value) for name, value in options.items() if value in own.get(name, ())}
    rest = {name: value for name, value in options.items() if name not in ours}
    choices = stage.words.choices(rest) | ours
    left = {name: value for name, value in rest.items() if name not in stage.words.options}
    return choices, {"preset" if name == "rules_preset" else name: value for name, value in left.items()}


def _rulebook(base: str | Mapping[str, object], changed: Mapping[str, object]) -> Rulebook:
    choices: dict[str, object] = {"preset": base} if isinstance(base, str) else dict(base)
    return Rulebook.of(choices | dict(changed))


def position(scenario: Mapping[str, Any], phase: Phase, ready: Scene) -> Position:
    """Return the position before the orders.

    A scenario without owners begins, in the game's first phase, with the owners of the start.
    """
    other, rules, start = scenario["other"], ready.rules, ready.variant.start
    first = phase == ready.variant.calendar.first
    units = units_from(scenario["units"], forms=rules.board.forms)
    listed = other.get("centres", other.get("centres_before"))
    owners = {c: p for p, centres in (listed or {}).items() for c in centres} | dict(other.get("owners", {}))
    if listed is None and "centre_count" in other:
        owners |= _allot_centres(scenario, ready.variant)
    elif listed is None and "owners" not in other and (first or isinstance(other.get("draw_votes"), list)):
        owners = dict(start.owners)
    beaten = tuple(_beaten(other, rules, units))
    everybody = (*units, *(d.unit for d in beaten))
    state = dict(start.state) if first else {}
    state |= own_states(other, ready.variant, phase, everybody) | other.get("kept", {})
    homeless = dict.fromkeys(other.get("grace", ()), 1) | dict.fromkeys(other.get("anarchy", ()), 2)
    if homeless:
        state[Anarchy.id] = homeless
    before = Position(units, owners, beaten, state)
    counted = phase.kind is PhaseKind.ADJUSTMENTS and "centres_before" in other
    return count_owners(rules, before) if counted else before


def _allot_centres(scenario: Mapping[str, Any], variant: Variant) -> dict[str, str]:
    """Centres told by number alone: each power has its homes, as far as the number goes, and others in their order."""
    counts = {variant.power(power).name: number for power, number in scenario["other"]["centre_count"].items()}
    owned = {power: list(variant.power(power).homes)[:number] for power, number in counts.items()}
    homes = {centre for power in counts for centre in variant.power(power).homes}
    free = [centre for centre in variant.board.centres if centre not in homes]
    free += [centre for power in counts for centre in variant.power(power).homes[counts[power] :]]
    for power, number in counts.items():
        more = number - len(owned[power])
        owned[power] += free[:more]
        del free[:more]
        if len(owned[power]) < number:
            raise BadFile(f"scenario {scenario['id']} tells of more centres than {variant.name} has")
    return {centre: power for power, centres in owned.items() for centre in centres}


def _beaten(other: Mapping[str, Any], rules: Rules, units: tuple[Unit, ...]) -> Iterator[Dislodged]:
    """Yield the dislodged units: told with where they may go, with where their attacker came from, or with both."""
    number = max((unit.number for unit in units), default=0)
    for power, entries in other.get("dislodged", {}).items():
        for text, ways in entries.items():
            pair = units_from({power: [text]}, first=number + 1, forms=rules.board.forms)
            by, places = _ways_out(pair[0], ways, rules, units, other.get("standoffs", ()))
            for unit in pair:  # who is aboard goes where its carrier goes
                number = unit.number
                yield Dislodged(unit, by, places)


def _ways_out(
    unit: Unit, ways: Any, rules: Rules, units: tuple[Unit, ...], standoffs: Collection[str]
) -> tuple[str, tuple[Location, ...]]:
    """Return the place of the attacker of a dislodged unit ("" if unknown), and the locations open to the unit."""
    if isinstance(ways, str):
        return ways, tuple(_open_to(rules, unit, {u.at.province for u in units} | {ways, *standoffs}))
    by, places = (ways["from"], ways["to"]) if isinstance(ways, Mapping) else ("", ways)
    return by, tuple(map(Location.of, places))


def _open_to(rules: Rules, unit: Unit, closed: Collection[str]) -> Iterator[Location]:
    """Yield a step away and not closed (STD-9.b)."""
    board = rules.board
    here = board.location_index[unit.at]
    form = board.forms.get(unit.kind)
    steps = board.steps_by(form.flees, here) if form else board.reach(unit.kind, here)
    for locations in steps.values():
        for at in locations:
            if board.locations[at].province not in closed:
                yield board.locations[at]


def orders(scenario: Mapping[str, Any], ready: Scene, phase: Phase, before: Position) -> Mapping[str, Sequence[str]]:
    """Return the orders that count, once all sets have come in, one after the other.

    Those of an `earlier_set` come first, those that are `late` last: what has come in until then is adjudicated, unless
    the house rules are strict (CLN-H.c).  Nothing comes from powers that are `missing`.
    """
    given, other = scenario["orders"], ready.other
    if not other.keys() & {"earlier_set", "late", "missing"}:
        return dict(given)
    if any(given.get(power) for power in other.get("missing", ())):
        raise BadFile(f"scenario {scenario['id']} has orders of a power that sent none")
    late = set(other.get("late", ()))
    game = ready.game(phase, before)
    for sets in (other.get("earlier_set", {}), given):
        for power in sorted(sets, key=lambda power: power in late):
            with suppress(OutOfTurn) if power in late else nullcontext():
                game = game.submit(power, sets[power], late=power in late)
    return game.orders


def later_changes(ready: Scene) -> dict[str, str]:
    """Return the options that somebody would change when the game has begun, by our names."""
    if "change_options" in ready.other:
        return dict(ready.other["change_options"])
    match = _CHANGED.fullmatch(ready.other.get("event", ""))
    if not match:
        raise BadFile(f"no event that anybody here knows: {str(ready.other.get('event'))[:80]!r}")
    return ready.stage.words.choices({match[1]: match[2]})
