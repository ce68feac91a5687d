"""A played phase as a scenario looks at it, and what only some variants have: a taboo, supply, those aboard."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, NamedTuple

from gamesmaster.board import Position
from gamesmaster.game.progress import Step, advance
from gamesmaster.judge import Adjudication, Movement, balance
from gamesmaster.orders import PhaseKind, Verb
from gamesmaster.rules import Result, WinterMechanic, silent_powers
from gamesmaster.variant import Phase
from tests.scenarios import setup as own
from tests.scenarios.setup import Scene
from tests.scenarios.words import BOATS


@dataclass(frozen=True)
class Seen:
    """The data that can be checked after a phase.

    `scenario` is the whole of it in our words; `opening` is the position at the beginning of the phase, `before` the
    same after the events of the beginning (storms).
    """

    scene: Scene
    scenario: Mapping[str, Any]
    phase: Phase
    opening: Position
    before: Position
    done: Adjudication

    @cached_property
    def step(self) -> Step:
        """Return the step after the phase: the count, the mechanics' part, perhaps the end of the game."""
        done = self.done
        return advance(self.scene.variant, self.scene.rules, self.phase, self.before, done)

    @cached_property
    def after(self) -> Position:
        """The position when the phase is over.

        Where nobody has a retreat to make, a scenario of that phase is about the count that follows it.
        """
        if self.phase.kind is PhaseKind.ADJUSTMENTS:
            return self.step.position
        if self.phase.kind is PhaseKind.RETREATS and not self.before.dislodged:
            return self.step.position
        return self.done.position

    def expectation(self, name: str) -> Any:
        """Return what the scenario expects under this name."""
        return self.scene.expect["state"][name]

    def remaining_builds(self, power: str) -> int:
        """Return how many builds a power could still make in a Winter."""
        rules = self.scene.rules
        after = replace(self.done.position, state=self.before.state)  # by the supply of this Winter, not of the next
        return 0 if power in silent_powers(rules, after) else balance(rules, after)[power]


def short(phase: Phase) -> str:
    """Return a phase by its season and year."""
    return f"{phase.season} {phase.year}"


class Compared(NamedTuple):
    """An expected and an actual value, where both must be put into other words to be compared."""

    wanted: object
    got: object


# -- units and centres -----------------------------------------------------------------------------------------------


def _owners(seen: Seen) -> dict[str, str]:
    return {province: seen.after.owners.get(province, "") for province in seen.expectation("owners")}


def _units_lost(seen: Seen) -> list[str]:
    """Units that are gone, and not because their own power said so."""
    after = seen.after
    there = {u.number for u in (*after.units, *(d.unit for d in after.dislodged))}
    rulings = (r for r in seen.done.rulings if r.given and r.order and r.unit and r.result is Result.SUCCEEDS)
    own = {r.unit.number for r in rulings if r.unit and r.order and r.order.verb in (Verb.REMOVE, Verb.DISBAND)}
    everybody = (*seen.opening.units, *(d.unit for d in seen.opening.dislodged))
    return [f"{unit.power} {unit}" for unit in everybody if unit.number not in there | own]


def supply(scene: Scene, position: Position) -> dict[str, int]:
    """Return how many units each power can feed in a Winter that begins with this position."""
    counts = {}
    for power in scene.rules.powers:
        fed = sum(position.owners.get(centre) == power for centre in scene.variant.board.centres)
        for more in scene.rules.hooks(WinterMechanic.supply):
            fed = more(scene.rules, position, power, fed)
        counts[power] = fed
    return counts


def _supply(seen: Seen) -> dict[str, int]:
    counts = supply(seen.scene, seen.before)
    return {power: counts[power] for power in seen.expectation("supply")}


def _strength(seen: Seen) -> dict[str, dict[str, int]]:
    """Return the supply of this Winter, by the name of the Spring that it is for (CNW-N3)."""
    (wanted,) = seen.expectation("strength").values()
    counts = supply(seen.scene, seen.before)
    return {short(seen.step.phase): {power: counts[power] for power in wanted}}


def _standoffs(seen: Seen) -> list[str]:
    assert isinstance(seen.done, Movement)
    return list(seen.done.standoffs)


# -- what mechanics keep ---------------------------------------------------------------------------------------------


def _boats(word: str, seen: Seen) -> Compared:
    units = (*seen.after.units, *(d.unit for d in seen.after.dislodged))
    wanted = own.boats(seen.scene.variant, {word: seen.expectation(word)}, units)
    return Compared(wanted or None, seen.after.state.get("boats"))


def _embargo(seen: Seen) -> Compared:
    return Compared(own.curses(seen.expectation("embargo"), seen.phase), own.cursed_powers(seen.after))


def _transgressor(seen: Seen) -> str:
    earlier = own.cursed_powers(seen.opening)
    return ", ".join(power for power in own.cursed_powers(seen.after) if power not in earlier)


def _bay_entry(seen: Seen) -> Compared:
    wanted = own.crossings(seen.expectation("bay_entered"), seen.scene.variant, seen.phase)
    return Compared(wanted, own.crossing(seen.after))


def _deferred_builds(seen: Seen) -> dict[str, int]:
    builds = own.deferred_builds(seen.after)
    return {power: builds.get(power, 0) for power in seen.expectation("deferred")}


# -- the calendar ----------------------------------------------------------------------------------------------------


def _calendar(seen: Seen) -> dict[str, int]:
    calendar = seen.scene.variant.calendar
    named: Mapping[str, Any] = seen.expectation("calendar")
    return {name: calendar.date(calendar.read(name)) for name in named}


MARKS: Mapping[str, Callable[[Seen], object]] = {
    "owners": _owners,
    "taken_off": _units_lost,
    "supply": _supply,
    "strength": _strength,
    "standoffs": _standoffs,
    **{word: partial(_boats, word) for word in BOATS},
    "taboo": lambda seen: own.taboo(seen.after),
    "embargo": _embargo,
    "transgressor": _transgressor,
    "bay_entered": _bay_entry,
    "deferred": _deferred_builds,
    "homes": lambda seen: own.homes(seen.after, seen.scene.variant),
    "aboard": lambda seen: own.aboard(seen.after),
    "calendar": _calendar,
    "next_phase": lambda seen: short(seen.step.phase),
}
"""The checks available after a phase, beside those of every variant."""
