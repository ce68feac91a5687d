"""From one phase to the next: ownership, victory, elimination, and the phases that are skipped."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from gamesmaster.board import Position
from gamesmaster.game.calendar import Phase
from gamesmaster.game.record import Event, EventKind, Outcome, Termination
from gamesmaster.game.variant import Variant, Victory
from gamesmaster.judge import Rules, adjudicate, count_owners, idle
from gamesmaster.orders import PhaseKind


class Step(NamedTuple):
    """Where a game stands after a phase: the phase to be played next, with which position, and what befell between.

    With an `outcome` there is no play any more; `phase` is the one that would have come.
    """

    phase: Phase
    position: Position
    events: tuple[Event, ...]
    outcome: Outcome | None


def centre_counts(variant: Variant, position: Position) -> dict[str, int]:
    """How many supply centres each power owns, in the variant's order."""
    counts = {power.name: 0 for power in variant.powers}
    for centre in variant.board.centres:
        if (owner := position.owners.get(centre)) in counts:
            counts[owner] += 1
    return counts


def unit_counts(variant: Variant, position: Position) -> dict[str, int]:
    """How many units each power has, dislodged ones too, in the variant's order."""
    counts = {power.name: 0 for power in variant.powers}
    for unit in (*position.units, *(d.unit for d in position.dislodged)):
        if unit.power in counts:
            counts[unit.power] += 1
    return counts


def survivors(variant: Variant, position: Position) -> tuple[str, ...]:
    """The powers that still have a centre or a unit, in the variant's order (STD-2.c)."""
    centres, units = centre_counts(variant, position), unit_counts(variant, position)
    return tuple(power for power in centres if centres[power] or units[power])


def advance(variant: Variant, rules: Rules, phase: Phase, before: Position, after: Position) -> Step:
    """Go on from a phase that began with the position `before` and left `after`, to the next that must be played.

    Phases in which nobody has anything to do are skipped (STD-3.a), movement phases never.  The owners are settled
    where the calendar says so (STD-10.a), and then it is seen whether somebody has won (STD-2.a).
    """
    position, played, outcome = after, phase, None
    events: list[Event] = []
    for _ in variant.calendar.slots:  # at most a whole turn: a calendar without movements must not go round for ever
        if phase.kind is PhaseKind.RETREATS and position.dislodged:
            events += [Event(EventKind.DESTROYED, d.unit.power, d.unit.at.province) for d in position.dislodged]
            position = adjudicate(rules, phase.kind, position, {}).position
        if variant.calendar.counts(phase):
            counted = count_owners(rules, position)
            events += _taken(position, counted)
            position = counted
        winner = _winner(variant, phase, position, events)
        outcome = Outcome(Termination.VICTORY, (winner,), played.code) if winner else None
        phase = variant.calendar.next(phase)
        if outcome or phase.kind is PhaseKind.MOVEMENT or not idle(rules, phase.kind, position):
            break
    left = survivors(variant, position)
    events += [Event(EventKind.ELIMINATED, p) for p in survivors(variant, before) if p not in left]
    return Step(phase, position, tuple(events), outcome)


def _taken(before: Position, after: Position) -> list[Event]:
    return [
        Event(EventKind.TAKES, power, province, before.owners.get(province, ""))
        for province, power in sorted(after.owners.items())
        if before.owners.get(province) != power
    ]


def leaders(victory: Victory, centres: Mapping[str, int], units: Mapping[str, int]) -> tuple[str, ...]:
    """Those that have what wins and more than any other, by their centres and units (STD-2.a): several are tied."""
    counted: list[Mapping[str, int]] = {"centres": [centres], "units": [units], "either": [centres, units]}[
        victory.count
    ]
    sizes = [(size, power) for count in counted for power, size in count.items()]
    most = max((size for size, _ in sizes), default=0)
    return tuple(dict.fromkeys(p for size, p in sizes if size == most)) if most >= victory.centres else ()


def _winner(variant: Variant, phase: Phase, position: Position, events: list[Event]) -> str | None:
    """Has a power reached the line, and more than any other?  Centres are counted with the owners, units in Winter."""
    count = variant.victory.count
    sizes: list[tuple[str, int]] = []
    if variant.calendar.counts(phase) and count != "units":
        sizes += centre_counts(variant, position).items()
    if phase.kind is PhaseKind.ADJUSTMENTS and count != "centres":
        sizes += unit_counts(variant, position).items()
    most = max((size for _, size in sizes), default=0)
    if most < variant.victory.centres:
        return None
    ahead = tuple(dict.fromkeys(power for power, size in sizes if size == most))
    if len(ahead) > 1:
        events += [Event(EventKind.TIED, power) for power in ahead]
        return None
    return ahead[0]
