"""From one phase to the next: ownership, victory, elimination, and the phases that are skipped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from gamesmaster.board import Position
from gamesmaster.game.calendar import Phase
from gamesmaster.game.record import Event, EventKind, Outcome, Termination
from gamesmaster.game.variant import Variant, Victory
from gamesmaster.judge import Rules, adjudicate, count_owners, idle, silenced
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


def remaining(variant: Variant, rules: Rules, position: Position) -> tuple[str, ...]:
    """The survivors whose players still take part: those that no mechanic silences (TAD-9.c)."""
    silent = silenced(rules, position)
    return tuple(power for power in survivors(variant, position) if power not in silent)


def advance(variant: Variant, rules: Rules, phase: Phase, before: Position, after: Position) -> Step:
    """Go on from a phase that began with the position `before` and left `after`, to the next that must be played.

    Phases in which nobody has anything to do are skipped (STD-3.a), movement phases never.  The owners are settled
    where the calendar says so (STD-10.a), and then it is seen whether somebody has won (STD-2.a).
    """
    position, played, outcome = after, phase, None
    events: list[Event] = []
    if phase.kind is PhaseKind.MOVEMENT:
        position = _hooked(rules, position, "moved", events)
    for _ in variant.calendar.slots:  # at most a whole turn: a calendar without movements must not go round for ever
        if phase.kind is PhaseKind.RETREATS and position.dislodged:
            events += [Event(EventKind.DESTROYED, d.unit.power, d.unit.at.province) for d in position.dislodged]
            position = adjudicate(rules, phase.kind, position, {}).position
        if variant.calendar.counts(phase):
            counted = count_owners(rules, position)
            events += _taken(position, counted)
            position = counted
        winner = _winner(variant, rules, phase, position, events)
        winners: tuple[str, ...] | None = (winner,) if winner else None
        if variant.calendar.counts(phase):
            position = _hooked(rules, position, "count", events)
            winners = winners or _last_ones(variant, rules, position)
        if phase.kind is PhaseKind.ADJUSTMENTS:
            for mechanic in rules.mechanics:
                position = mechanic.wintered(rules, before if played == phase else position, position)
        outcome = None if winners is None else Outcome(Termination.VICTORY, winners, played.code)
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


def _hooked(rules: Rules, position: Position, hook: Literal["moved", "count"], events: list[Event]) -> Position:
    """What the mechanics make of the moves or the count; what befalls goes into `events`."""
    for mechanic in rules.mechanics:
        position, happened = mechanic.moved(rules, position) if hook == "moved" else mechanic.count(rules, position)
        events += [Event(EventKind(h.word), h.power, h.province, h.of) for h in happened]
    return position


def _last_ones(variant: Variant, rules: Rules, position: Position) -> tuple[str, ...] | None:
    """Those with most centres, if few enough remain for the game to end; None if it goes on (TAD-9.d)."""
    left = remaining(variant, rules, position)
    if not variant.victory.last or len(left) > variant.victory.last:
        return None
    centres = centre_counts(variant, position)
    most = max((centres[power] for power in left), default=0)
    return tuple(power for power in left if centres[power] == most)


def table(variant: Variant, position: Position, winners: Sequence[str] = ()) -> tuple[tuple[str, int], ...]:
    """The final table: every power with its place, winners first, then by centres; equals share a place (TAD-9.f)."""
    centres = centre_counts(variant, position)
    rank = {power: (power in winners, centres[power]) for power in centres}
    order = sorted(centres, key=lambda power: (*(-part for part in rank[power]), power))
    return tuple((power, 1 + sum(rank[other] > rank[power] for other in order)) for power in order)


def leaders(victory: Victory, centres: Mapping[str, int], units: Mapping[str, int]) -> tuple[str, ...]:
    """Those that have what wins and more than any other, by their centres and units (STD-2.a): several are tied."""
    counted: list[Mapping[str, int]] = {"centres": [centres], "units": [units], "either": [centres, units]}[
        victory.count
    ]
    sizes = [(size, power) for count in counted for power, size in count.items()]
    enough = [(size, power) for size, power in sizes if size >= victory.needed(power)]
    most = max((size for size, _ in enough), default=0)
    return tuple(dict.fromkeys(power for size, power in enough if size == most))


def _winner(variant: Variant, rules: Rules, phase: Phase, position: Position, events: list[Event]) -> str | None:
    """Has a power reached the line, and more than any other?  Centres are counted with the owners, units in Winter."""
    count = variant.victory.count
    sizes: list[tuple[str, int]] = []
    if variant.calendar.counts(phase) and count != "units":
        sizes += centre_counts(variant, position).items()
    if phase.kind is PhaseKind.ADJUSTMENTS and count != "centres":
        sizes += unit_counts(variant, position).items()
    silent = silenced(rules, position)  # who takes no part cannot win (TAD-9.g)
    enough = [(p, size) for p, size in sizes if size >= variant.victory.needed(p) and p not in silent]
    most = max((size for _, size in enough), default=0)
    ahead = tuple(dict.fromkeys(power for power, size in enough if size == most))
    if len(ahead) > 1:
        events += [Event(EventKind.TIED, power) for power in ahead]
    return ahead[0] if len(ahead) == 1 else None
