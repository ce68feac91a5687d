"""A state as JSON data, whole: what is written is read back equal, in every field.

    {"variant": "standard", "phase": "S1901M", "units": {"England": ["F NTH"]}, "centers": {"England": ["LON"]},
     "dislodged": {"Austria": [{"unit": "A TRI", "from": "VEN", "retreats": ["ALB", "BUD"]}]}}

Missing fields are empty, or as at the variant's start.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import count, zip_longest
from typing import TYPE_CHECKING, Any, NamedTuple

from gamesmaster.board import Dislodged, Position, Unit
from gamesmaster.errors import BadFile, NotFound, must_be, with_line
from gamesmaster.game.dice import Throw
from gamesmaster.game.record import Outcome, Termination
from gamesmaster.game.state import State, Status, books, rules_of
from gamesmaster.judge import DISLODGED, check_position, known_powers, read_place, read_unit
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import BoardMechanic, Rulebook, Rules, StateCheck, in_season
from gamesmaster.variant import HouseRules, Phase, Variant, find_edition, full_name, split_name

if TYPE_CHECKING:
    from gamesmaster.game.state_models import BoardEntry, DislodgedEntry, StateEntry

FORMAT = 1
"""The edition of the document's form."""

JSON = dict[str, Any]
NOBODY = "Neutral"


def read_state(data: object, find: Callable[[str], Variant]) -> State:
    """Return the state that a document describes; `find` returns the variant of a name.

    Raises a `GamesmasterError` that says what is wrong, where, and the nearest valid name.
    """
    from gamesmaster.game.state_models import StateEntry
    from gamesmaster.schemas import validate  # only now: pydantic takes its time

    must_be(Callable, find, "a function such as find_variant")  # type: ignore[arg-type]
    return state_of(validate(StateEntry, data, BadFile), find)


def state_of(entry: StateEntry, find: Callable[[str], Variant]) -> State:
    """Return the state that a checked document describes; raises what `read_state` raises."""
    variant = _variant(entry, find)
    book, house = _books(variant, _frozen(entry.rulebook), _frozen(entry.house_rules))
    rules = rules_of(variant, book)
    phase = variant.calendar.first if entry.phase is None else variant.calendar.read(entry.phase)
    return State(
        variant=variant,
        rulebook=book,
        phase=phase,
        position=position_of(entry, variant, rules, phase),
        house_rules=house,
        disorder=frozenset(known_powers(rules, dict.fromkeys(entry.disorder, ()))),
        misses=_misses(entry, rules),
        seed=bytes.fromhex(entry.seed),
        draws=tuple(Throw(d.phase, d.clause, d.subject, d.sides, d.fell - 1) for d in entry.draws),
        outcome=_outcome(entry, variant, rules),
    )


def _misses(entry: StateEntry, rules: Rules) -> dict[str, int]:
    """Return the missed moves by power; raises `BadFile` if two names mean one power."""
    found: dict[str, int] = {}
    for name, number in entry.misses.items():
        power = rules.power(name)
        if power in found:
            raise BadFile(f"{name[:60]} is another name of {power}, which is counted already", where="$.misses")
        found[power] = number
    return found


Frozen = Rulebook | str | tuple[tuple[str, Any], ...] | None


def _frozen(choices: Rulebook | str | Mapping[str, Any] | None) -> Frozen:
    """Return choices as a hashable key."""
    return tuple(choices.items()) if isinstance(choices, Mapping) else choices


@lru_cache(maxsize=64)  # lines of a file mostly have the same
def _books(variant: Variant, rulebook: Frozen, house_rules: Frozen) -> tuple[Rulebook, HouseRules]:
    def thaw(choices: Frozen) -> Any:
        return dict(choices) if isinstance(choices, tuple) else choices

    return books(variant, thaw(rulebook), thaw(house_rules))


def _variant(entry: StateEntry, find: Callable[[str], Variant]) -> Variant:
    name, chosen = split_name(entry.variant)
    for option, choice in entry.options.items():
        if chosen.get(option, choice) != choice:
            raise BadFile(f"{option}={chosen[option]} is already in the variant's name", where=f"$.options.{option}")
    whole = full_name(name, {**chosen, **entry.options})
    variant = find(whole)
    if entry.edition is None or entry.edition == variant.digest:
        return variant
    try:
        return find_edition(whole, entry.edition)
    except NotFound as error:
        raise BadFile(error.what, where="$.edition", hint=error.hint) from None


def _outcome(entry: StateEntry, variant: Variant, rules: Rules) -> Outcome | None:
    if entry.outcome is None:
        return None
    winners = tuple(known_powers(rules, dict.fromkeys(entry.outcome.winners, ())))
    phase = variant.calendar.read(entry.outcome.phase)
    return Outcome(Termination(entry.outcome.termination), winners, phase.code)


# -- positions -------------------------------------------------------------------------------------------------------


class _Placed(NamedTuple):
    """A unit in a document, whether its number was given, and the entry of a dislodged one."""

    unit: Unit
    numbered: bool
    beaten: DislodgedEntry | None = None


def position_of(entry: BoardEntry, variant: Variant, rules: Rules, phase: Phase) -> Position:
    """Return the position of a phase; missing parts are those of the variant's start.

    Units without numbers are numbered in the order listed, and carriers get their cargo. If the state of mechanics is
    missing, only Winters have passed and nothing else has happened.  Raises `BadFile`, `NotFound` or `BadPosition`,
    with the nearest valid value.
    """
    start = variant.start
    powers = {p.casefold(): p for p in (*rules.powers, *(u.power for u in start.units), NOBODY)}

    def proper(power: str) -> str:
        return powers.get(power.casefold()) or next(iter(known_powers(rules, {power: ()})))

    placed = [*_place_units(entry, rules, proper, start.units if entry.units is None else ())]
    owners = start.owners if entry.centers is None else _owners(entry.centers, rules, proper)
    standing = sorted(_laden(placed, rules) if rules.board.forms else placed, key=lambda one: one.unit.number)
    units = tuple(p.unit for p in standing if p.beaten is None)
    dislodged = tuple(_dislodged_unit(p.unit, p.beaten, rules) for p in standing if p.beaten is not None)
    position = Position(units, owners, dislodged)
    check_position(rules, position)
    return _with_state(entry, variant, rules, phase, position)


def _owners(centers: Mapping[str, Sequence[str]], rules: Rules, proper: Callable[[str], str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for power, centres in centers.items():
        for written in centres:
            province, owner = read_place(written, rules).province, proper(power)
            if found.setdefault(province, owner) != owner:
                raise BadFile(f"{province} belongs to {found[province]} too", where=f"$.centers.{power}")
    return {province: owner for province, owner in found.items() if owner != NOBODY}


def _with_state(entry: BoardEntry, variant: Variant, rules: Rules, phase: Phase, position: Position) -> Position:
    if entry.state is not None:
        everybody = position.everybody
        rules.derive(StateCheck).check(entry.state, (unit.number for unit in everybody))
        return replace(position, state=entry.state)
    winters = variant.calendar.over(phase, PhaseKind.ADJUSTMENTS)
    for mechanic in (m for m in rules.mechanics if isinstance(m, BoardMechanic)):
        position = mechanic.resume(rules, winters, position)
    return in_season(rules, variant.calendar.season(phase), position)


def _place_units(
    entry: BoardEntry, rules: Rules, proper: Callable[[str], str], there: Sequence[Unit]
) -> Iterator[_Placed]:
    """Yield every unit listed, after those that are there already, with its own number or the next free one."""
    yield from (_Placed(unit, True) for unit in there)
    units, numbers, aboard = _without_stars(entry, rules), entry.numbers, entry.aboard
    free = count(1 + max(_numbers(entry, there), default=0))
    for name in dict.fromkeys((*units, *entry.dislodged)):
        power, texts, beaten = proper(name), units.get(name, ()), entry.dislodged.get(name, ())
        given = numbers.get(name, ()) if numbers is not None else ()
        if numbers is not None and len(given) != len(texts) + len(beaten):
            what = f"{len(texts) + len(beaten)} units, but {len(given)} numbers"
            raise BadFile(what, where=f"$.numbers.{name}", hint="or leave numbers out")
        entries = [*((text, None) for text in texts), *((out.unit, out) for out in beaten)]
        for (text, out), number in zip_longest(entries, given):
            carrier = aboard.get(str(number), 0) if aboard else 0
            try:
                unit = read_unit(text, power, number or next(free), rules, carrier)
            except BadFile as error:
                raise with_line(error, f"$.{'dislodged' if out else 'units'}.{name}") from None
            yield _Placed(unit, number is not None, out)


def _without_stars(entry: BoardEntry, rules: Rules) -> dict[str, list[str]]:
    """Return the units by power without dislodged ones, marked by a star: `dislodged` must list them as well.

    Raises `BadFile` if it does not, since then nothing says where they may retreat.
    """
    units: dict[str, list[str]] = {}
    for power, texts in (entry.units or {}).items():
        units[power] = [text for text in texts if not text.startswith(DISLODGED)]
        if len(units[power]) == len(texts):
            continue
        listed = {str(read_unit(out.unit, "", 1, rules)) for out in entry.dislodged.get(power, ())}
        for text in (text for text in texts if text.startswith(DISLODGED)):
            if str(read_unit(text, "", 1, rules)) not in listed:
                what = f"{text!r} is dislodged, but nothing says where it may retreat to"
                raise BadFile(what, where=f"$.units.{power}", hint="list it under dislodged, with its retreats")
    return units


def _numbers(entry: BoardEntry, there: Sequence[Unit]) -> list[int]:
    """Return all numbers told of, each of one unit."""
    found = [number for numbers in (entry.numbers or {}).values() for number in numbers]
    if len(set(found)) < len(found):
        doubled = next(number for number, times in Counter(found).items() if times > 1)
        raise BadFile(f"two units have the number {doubled}", where="$.numbers")
    return [*found, *(unit.number for unit in there)]


def _dislodged_unit(unit: Unit, entry: DislodgedEntry, rules: Rules) -> Dislodged:
    origin = read_place(entry.origin, rules).province if entry.origin else ""
    return Dislodged(unit, origin, tuple(read_place(place, rules) for place in entry.open_to))


def _laden(placed: Sequence[_Placed], rules: Rules) -> list[_Placed]:
    """Return the units, each carrier followed by its cargo, for lists without numbers.

    The cargo may be listed as a unit in the same place, or left out.
    """
    found = list(placed)
    free = count(1 + max((one.unit.number for one in placed), default=0))
    for one in placed:
        form = rules.board.forms.get(one.unit.kind)
        if form is None or not form.cargo or one.numbered:
            continue
        cargo = replace(one.unit, kind=form.cargo, aboard=one.unit.number)
        at = next((n for n, other in enumerate(found) if _may_be(cargo, other, beaten=one.beaten is not None)), None)
        if at is None:
            found.append(_Placed(replace(cargo, number=next(free)), False, one.beaten))
        else:
            found[at] = found[at]._replace(unit=replace(cargo, number=found[at].unit.number))
    return found


def _may_be(cargo: Unit, other: _Placed, *, beaten: bool) -> bool:
    """Return whether this unit, listed on its own, is what another carries."""
    unit = other.unit
    alike = (unit.kind, unit.power, unit.at, unit.aboard) == (cargo.kind, cargo.power, cargo.at, 0)
    return alike and not other.numbered and (other.beaten is not None) is beaten


# -- writing ---------------------------------------------------------------------------------------------------------


def state_data(state: State, name: str = "") -> JSON:
    """Return the whole document of a state; `name` is what its variant was called, without options, if not by its id.

    The seed, from which all dice follow, is in it if the state has it.
    """
    must_be(State, state, "a State, as a game has it in `game.state`")
    _, options = split_name(state.variant.id)
    position = state.position
    data: JSON = {"format": FORMAT, "variant": name or state.variant.family}
    if options:
        data["options"] = options
    data |= {
        "edition": state.variant.digest,
        "rulebook": dict(_rulebook_choices(state.rulebook)),
        "house_rules": dict(_house_choices(state.house_rules)),
        "phase": state.phase.code,
        **position_data(position),
        "numbers": numbers_by_power(position),
    }
    more: JSON = {
        "aboard": aboard_by_number(position),
        "state": dict(position.state),
        "disorder": sorted(state.disorder),
        "misses": dict(state.misses),
        "due": {status.power: due_data(status) for status in state.status() if status.is_due},
        "seed": state.seed.hex(),
        "draws": [draw_data(throw) for throw in state.draws],
    }
    keeps = any(type(mechanic).kept is not None for mechanic in state.rules.mechanics)
    data |= {key: value for key, value in more.items() if value or (key == "state" and keeps)}
    if state.outcome:
        won = state.outcome
        data["outcome"] = {"termination": won.termination.value, "winners": list(won.winners), "phase": won.phase}
    return data


def draw_data(throw: Throw) -> JSON:
    """Return a die as documents have it."""
    return {
        "phase": throw.phase,
        "clause": throw.clause,
        "subject": throw.subject,
        "sides": throw.sides,
        "fell": throw.fell + 1,
    }


def due_data(status: Status) -> dict[str, int]:
    """Return what is due from a power: `{"orders": 3}`, `{"builds": 1, "choices": 2}`."""
    word = {PhaseKind.MOVEMENT: "orders", PhaseKind.RETREATS: "retreats", PhaseKind.ADJUSTMENTS: "builds"}[status.kind]
    due = {word if status.due > 0 else "removals": abs(status.due), "choices": status.choices}
    return {key: number for key, number in due.items() if number}


def position_data(position: Position) -> JSON:
    """Return a position by power: units, centers, dislodged."""
    units: dict[str, list[str]] = {}
    for power, text in sorted([(u.power, str(u)) for u in position.units]):
        units.setdefault(power, []).append(text)
    dislodged: dict[str, list[JSON]] = {}
    for d in position.dislodged:
        entry: JSON = {"unit": str(d.unit), "from": d.by, "retreats": list(map(str, d.retreats))}
        dislodged.setdefault(d.unit.power, []).append(entry)
    centers: dict[str, list[str]] = {}
    for centre, power in sorted(position.owners.items()):
        centers.setdefault(power, []).append(centre)
    return {
        "units": units,
        "centers": {power: centers[power] for power in sorted(centers)},
        "dislodged": dislodged,
    }


def numbers_by_power(position: Position) -> dict[str, list[int]]:
    """Return the numbers of the units in the order of `position_data`, those of dislodged ones last."""
    found: dict[str, list[int]] = {}
    for power, _, number in sorted([(u.power, str(u), u.number) for u in position.units]):
        found.setdefault(power, []).append(number)
    for d in position.dislodged:
        found.setdefault(d.unit.power, []).append(d.unit.number)
    return found


def aboard_by_number(position: Position) -> dict[str, int]:
    """Return the number of the carrier of each unit aboard."""
    everybody = position.everybody
    return {str(unit.number): unit.aboard for unit in everybody if unit.aboard}


@lru_cache(maxsize=64)
def _rulebook_choices(rulebook: Rulebook) -> dict[str, str]:
    return rulebook.choices()


@lru_cache(maxsize=64)
def _house_choices(house_rules: HouseRules) -> dict[str, str | int]:
    return house_rules.choices()
