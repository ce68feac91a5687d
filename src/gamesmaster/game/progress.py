"""From one phase to the next: ownership, victory, elimination, and the phases that are skipped; and the ledger.

The ledger of a position is what a postal Gamesmaster published with each report (CNW-N3): strength, centres and units
of every power, and what mechanics keep; one function, which every door shows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import NamedTuple, TypeAlias

from gamesmaster.board import Position
from gamesmaster.engine import ahead_by, claim, is_alive, lead, weigh_last
from gamesmaster.english import many
from gamesmaster.game.dice import Dice, DiceLog, Drawn, Throw
from gamesmaster.game.record import Outcome, Termination
from gamesmaster.judge import Adjudication, adjudicate, count_owners, idle
from gamesmaster.orders import PhaseKind
from gamesmaster.rules import (
    Ahead,
    Event,
    EventKind,
    GameEnd,
    LedgerEntry,
    ReportMechanic,
    Rules,
    Term,
    WinterMechanic,
    YearMechanic,
    in_season,
    silent_powers,
)
from gamesmaster.rules import Throw as ThrowDie
from gamesmaster.variant import Calendar, Phase, Variant, Victory, last_year_text

Hook: TypeAlias = "Callable[[Position], tuple[Position, tuple[Event, ...]]]"


class Step(NamedTuple):
    """The state of a game after a phase: the phase to be played next, the position, and the events in between.

    With an `outcome` the game is over, and `phase` is the one that would have come next.  `throws` are the dice thrown
    on the way.
    """

    phase: Phase
    position: Position
    events: tuple[Event, ...]
    outcome: Outcome | None
    throws: tuple[Throw, ...] = ()


def centre_counts(variant: Variant, position: Position) -> dict[str, int]:
    """Return the number of supply centres that each power owns, in the variant's order."""
    owned = Counter(map(position.owners.get, variant.board.centres))
    return {power.name: owned[power.name] for power in variant.powers}


def victory_counts(variant: Variant, rules: Rules, position: Position) -> Mapping[str, int]:
    """Return the number of centres by which each power wins: mechanics may let some count more, or nothing."""
    counts: Mapping[str, int] = centre_counts(variant, position)
    for counted in rules.hooks(YearMechanic.centres_counted):
        counts = counted(rules, position, counts)
    return counts


def unit_counts(variant: Variant, position: Position) -> dict[str, int]:
    """Return the number of units of each power, dislodged ones included, in the variant's order."""
    counts = {power.name: 0 for power in variant.powers}
    for unit in position.everybody:
        if unit.power in counts:
            counts[unit.power] += 1
    return counts


def survivors(variant: Variant, rules: Rules, position: Position) -> tuple[str, ...]:
    """Return the powers with a centre, a unit or other supply, in the variant's order (STD-2.c, CNW-8.b2)."""
    centres, units = centre_counts(variant, position), unit_counts(variant, position)
    supply = _supplies(rules, position)
    return tuple(p for p in centres if is_alive(centres[p], units[p], supply[p]))


def _supplies(rules: Rules, position: Position) -> Mapping[str, int]:
    """Return the number of units each power could feed without owning a centre."""
    supply = dict.fromkeys(rules.powers, 0)
    for more in rules.hooks(WinterMechanic.supply):
        supply = {power: more(rules, position, power, number) for power, number in supply.items()}
    return supply


def remaining(variant: Variant, rules: Rules, position: Position) -> tuple[str, ...]:
    """Return the survivors whose players still take part, without those that a mechanic silences (TAD-9.c)."""
    silent = silent_powers(rules, position)
    return tuple(power for power in survivors(variant, rules, position) if power not in silent)


def begin(
    variant: Variant, rules: Rules, phase: Phase, position: Position, throw: ThrowDie
) -> tuple[Position, tuple[Event, ...]]:
    """Return the position and the events after the beginning of a phase (storms); `throw` throws the dice.

    This comes before any orders are due.
    """
    events: list[Event] = []
    season = variant.calendar.season(phase)
    hooks = (partial(begins, rules, season, throw=throw) for begins in rules.hooks(YearMechanic.phase_begins))
    return _apply_hooks(in_season(rules, season, position), hooks, events), tuple(events)


def advance(
    variant: Variant,
    rules: Rules,
    phase: Phase,
    before: Position,
    judged: Adjudication,
    dice: Dice | Drawn | None = None,
) -> Step:
    """Go on from a phase that began with the position `before` and was judged, to the next that must be played.

    Phases in which nobody has anything to do are skipped (STD-3.a), movement phases never.  The owners are settled
    where the calendar says so (STD-10.a), and then victory is checked (STD-2.a), and whether anybody is left.  Each
    phase is begun with its dice; without `dice` none is begun: then the position is as the phases that are over leave
    it.
    """
    position, played, outcome = judged.position, phase, None
    events, throws = list(judged.happened), list[Throw]()
    for _ in variant.calendar.slots:  # at most a whole turn: a calendar without movements must not go round for ever
        if phase != played:
            position = _skip_phase(rules, phase.kind, position, events)
        position, end = _settle_year(variant, rules, phase, position, events)
        if end:
            events += end.events
            termination = Termination.DRAW if end.drawn else Termination.VICTORY
            outcome = Outcome(termination, end.winners, played.code)
        phase = variant.calendar.next(phase)
        if outcome:
            break
        if dice and rules.mechanics:
            log = DiceLog(dice, phase.code)
            position, begun = begin(variant, rules, phase, position, log)
            events += begun
            throws += log.throws
        season = variant.calendar.season(phase) if rules.mechanics else None
        if phase.kind is PhaseKind.MOVEMENT or not idle(rules, phase.kind, position, season):
            break
    left = survivors(variant, rules, position)
    had = survivors(variant, rules, before) if len(left) < len(variant.powers) else left
    events += [Event(EventKind.ELIMINATED, p) for p in had if p not in left]
    if had and not left and outcome is None:
        outcome = Outcome(Termination.VICTORY, (), played.code)  # nobody is left to play or to win
    return Step(phase, position, tuple(events), outcome, tuple(throws))


def _apply_hooks(position: Position, hooks: Iterable[Hook], events: list[Event]) -> Position:
    """Apply the mechanics' hooks to a position, one after the other; `events` receives their events."""
    for hook in hooks:
        position, happened = hook(position)
        events += happened
    return position


def _skip_phase(rules: Rules, kind: PhaseKind, position: Position, events: list[Event]) -> Position:
    """Return the position after a phase that nobody had anything to do in: who could not retreat is gone (STD-9.e)."""
    if not (position.dislodged if kind is PhaseKind.RETREATS else rules.hooks(YearMechanic.after_winter)):
        return position
    lost = (d for d in position.dislodged if not d.unit.aboard)
    events += [Event(EventKind.DESTROYED, d.unit.power, d.unit.at.province) for d in lost]
    judged = adjudicate(rules, kind, position, {})
    events += judged.happened
    return judged.position


def _settle_year(
    variant: Variant, rules: Rules, phase: Phase, before: Position, events: list[Event]
) -> tuple[Position, GameEnd | None]:
    """Settle the owners at the year's count (STD-10.a), and return how the game ends; None if it goes on."""
    position = before
    counts = variant.calendar.counts(phase)
    counting = [m for m in rules.mechanics if isinstance(m, YearMechanic)]
    early = [partial(m.after_count, rules) for m in counting if m.counts_first]
    late = [partial(m.after_count, rules) for m in counting if not m.counts_first]
    if counts:
        settled = count_owners(rules, position)
        events += _captures(position, settled)
        position = _apply_hooks(settled, early, events)
    winner = _winner(variant, rules, phase, position, events)
    end = GameEnd((winner,)) if winner else None
    if counts:
        position = _apply_hooks(position, late, events)
        position, other = _ask_mechanics(variant, rules, before, position)
        end = end or other
    return position, end or _last_ones(variant, rules, phase, position)


def _captures(before: Position, after: Position) -> list[Event]:
    return [
        Event(EventKind.TAKES, power, province, before.owners.get(province, ""))
        for province, power in sorted(after.owners.items())
        if before.owners.get(province) != power
    ]


def _ask_mechanics(
    variant: Variant, rules: Rules, before: Position, position: Position
) -> tuple[Position, GameEnd | None]:
    """Return the position with what mechanics keep of the count for the end, and the first end that one of them finds.

    `before` is the position before the owners were settled.
    """
    end: GameEnd | None = None
    for look in rules.hooks(YearMechanic.ends_game):
        position, found = look(rules, before, position)
        end = end or found
    if end and end.drawn:
        left = remaining(variant, rules, position)
        end = end._replace(winners=left, drawn=bool(left))
    return position, end


def last_ones_at(variant: Variant, phase: Phase) -> int:
    """Return how many powers may remain at the end of a phase for those with most centres to win; 0 for none.

    At the end of the last year that is any number, unless the survivors share it (STD-2.e).
    """
    victory = variant.victory
    if victory.then == "most centres" and ends_last_year(variant, phase):
        return len(variant.powers)
    return victory.last if variant.calendar.counts(phase) else 0


def ends_last_year(variant: Variant, phase: Phase) -> bool:
    """Return whether the game ends with this phase at the latest: the last year's count, or its Winter (STD-2.e)."""
    last = variant.victory.last_year
    return last is not None and _settles(variant, phase) and variant.calendar.date(phase) >= last


def _settles(variant: Variant, phase: Phase) -> bool:
    """Return whether the centres decide about victory at the end of this phase: at the count, or after the Winter."""
    winter = phase.kind is PhaseKind.ADJUSTMENTS
    return winter if variant.victory.when == "winter" else variant.calendar.counts(phase)


def _last_ones(variant: Variant, rules: Rules, phase: Phase, position: Position) -> GameEnd | None:
    """Return the end of a game by few powers or in its last year, None if it goes on (TAD-9.d, STD-2.e)."""
    winners = _most_centres(variant, rules, position, last_ones_at(variant, phase))
    over = ends_last_year(variant, phase)
    if winners is not None:
        return GameEnd(winners, events=tuple(Event(EventKind.FIRST, power) for power in winners if over))
    if not over:
        return None
    left = remaining(variant, rules, position)
    return GameEnd(left, bool(left), tuple(Event(EventKind.SURVIVES, power) for power in left))


def _most_centres(variant: Variant, rules: Rules, position: Position, last: int) -> tuple[str, ...] | None:
    """Return the powers with most centres if at most `last` remain, None if there are more."""
    if not last:
        return None
    centres, units = victory_counts(variant, rules, position), unit_counts(variant, position)
    silent, supply = silent_powers(rules, position), _supplies(rules, position)
    weights, mute = [0] * (1 + len(centres)), [power in silent for power in centres]
    columns = ([0, *centres.values()], [0, *units.values()], [0, *map(supply.__getitem__, centres)], [0, *mute])
    return _leading(centres, weights) if weigh_last(last, *columns, weights) else None


def _leading(powers: Iterable[str], weights: Sequence[int]) -> tuple[str, ...]:
    """Return those of these powers with the greatest weight; weights go by number."""
    leads = [0] * len(weights)
    lead(weights, leads)
    return tuple(power for power, first in zip(powers, leads[1:], strict=True) if first)


def table(variant: Variant, position: Position, winners: Sequence[str] = ()) -> tuple[tuple[str, int], ...]:
    """Return each power with its final place, winners first, then by centres; equals share a place (TAD-9.f)."""
    centres = centre_counts(variant, position)
    rank = {power: (power in winners, centres[power]) for power in centres}
    order = sorted(centres, key=lambda power: (*(-part for part in rank[power]), power))
    return tuple((power, 1 + sum(rank[other] > rank[power] for other in order)) for power in order)


def leaders(victory: Victory, centres: Mapping[str, int], units: Mapping[str, int], turn: int = 0) -> tuple[str, ...]:
    """Return the powers that meet the condition of victory and exceed all others (STD-2.a); several are tied.

    Where centres and units both count in a complete Winter, more centres go before more units (SCO-15.c).  A lead wins
    by the number of the calendar's `turn` (STD-2.d).
    """
    powers, weights = dict.fromkeys((*centres, *units)), [0]
    margin = victory.lead.needed(turn) if victory.lead else 0
    first = ahead_by(margin, [0, *centres.values()], [0] * (1 + len(centres)))
    ahead = [*centres][first - 1] if first else ""
    for power in powers:
        owned = centres.get(power, -1) if victory.count != "units" else -1
        there = units.get(power, -1) if victory.count != "centres" else -1
        needed = 0 if power == ahead else victory.target(power)
        weights.append(claim(owned, there, needed, victory.unit_target(power), victory.both))
    return _leading(powers, weights)


def winning_counts(variant: Variant, phase: Phase) -> tuple[bool, bool]:
    """Return whether centres win at the end of this phase, and whether units do."""
    winter, count = phase.kind is PhaseKind.ADJUSTMENTS, variant.victory.count
    return _settles(variant, phase) and count != "units", winter and count != "centres"


def _winner(variant: Variant, rules: Rules, phase: Phase, position: Position, events: list[Event]) -> str | None:
    """Return the power that meets the condition of victory alone, None without one.

    Centres count in phases that settle owners, units in Winter.
    """
    by_centres, by_units = winning_counts(variant, phase)
    if not by_units and not by_centres:
        return None
    silent = silent_powers(rules, position)  # who takes no part cannot win (TAD-9.g)
    centres = {p: n for p, n in victory_counts(variant, rules, position).items() if by_centres and p not in silent}
    units = {p: n for p, n in unit_counts(variant, position).items() if by_units and p not in silent}
    ahead = leaders(variant.victory, centres, units, variant.calendar.turn(phase))
    for bars in rules.hooks(YearMechanic.bars_victory):
        barred = {power: event for power in ahead if (event := bars(rules, position, power))}
        events += [Event(event, power) for power, event in barred.items()]
        ahead = tuple(power for power in ahead if power not in barred)
    if len(ahead) > 1:
        events += [Event(EventKind.TIED, power) for power in ahead]
    elif ahead and ahead[0] in centres and not units and centres[ahead[0]] < variant.victory.target(ahead[0]):
        events += [Event(EventKind.LEADS, ahead[0])]
    return ahead[0] if len(ahead) == 1 else None


FARTHEST = 400  # phases that are looked ahead; what comes later is far off


@dataclass(frozen=True, slots=True)
class Holding:
    """A power's supply centres on the board, its units, and its strength.

    The strength is the number of units it can feed, by the Winter that is being played or the one just over; None where
    it adds nothing to the number of centres, or is not known yet.
    """

    power: str
    centres: int
    units: int
    strength: int | None

    @property
    def text(self) -> str:
        """`2 centres, 3 units, strength 5`."""
        strength = "" if self.strength is None else f", strength {self.strength}"
        return f"{many(self.centres, 'centre')}, {many(self.units, 'unit')}{strength}"


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything published of a position beside the map: what each power has, and the lines of its mechanics.

    `phase` is the code of the phase that begins with the position, `name` what that is called without its kind.
    """

    phase: str
    name: str
    holdings: tuple[Holding, ...]
    entries: tuple[LedgerEntry, ...]

    @property
    def sections(self) -> dict[str, tuple[str, ...]]:
        """The lines for print, under their headings; powers with the same lines share a heading."""
        found: dict[str, dict[str, list[str]]] = {}
        for entry in self.entries:
            found.setdefault(entry.heading, {}).setdefault(entry.text, []).extend([entry.power] if entry.power else [])
        return {
            heading: tuple(f"{', '.join(powers)}: {text}" if powers else text for text, powers in lines.items())
            for heading, lines in found.items()
        }

    @property
    def summary(self) -> dict[str, tuple[str, ...]]:
        """Return the sections, with the strengths before them, for readers who see nothing else of the powers."""
        strengths = tuple(f"{power}: {strength}" for power, strength in self.strengths.items())
        return ({f"Strength in {self.name}": strengths} if strengths else {}) | self.sections

    @property
    def strengths(self) -> dict[str, int]:
        """The strengths that there are to be told, by power."""
        return {h.power: h.strength for h in self.holdings if h.strength is not None}


def ledger_of(variant: Variant, rules: Rules, phase: Phase, position: Position) -> Ledger:
    """Return the ledger of the position with which a phase begins."""
    calendar = variant.calendar
    centres, units = centre_counts(variant, position), unit_counts(variant, position)
    winter = phase.kind is PhaseKind.ADJUSTMENTS
    holdings = tuple(
        Holding(power, centres[power], units[power], _strength(rules, position, power, centres[power], winter=winter))
        for power in centres
    )
    ahead = Ahead(islice(_phases(calendar, phase), FARTHEST))
    entries = (
        *_near_victory(variant, phase, victory_counts(variant, rules, position)),
        *(entry for lines in rules.hooks(ReportMechanic.report_lines) for entry in lines(rules, position, ahead)),
    )
    return Ledger(phase.code, _name(calendar, phase), holdings, entries)


def _near_victory(variant: Variant, phase: Phase, centres: Mapping[str, int]) -> Iterator[LedgerEntry]:
    """Yield the leader's lead where a lead wins (STD-2.d), and the last year (STD-2.e)."""
    victory = variant.victory
    if victory.lead:
        needed = victory.lead.needed(variant.calendar.turn(phase))
        first, second, *_ = [*sorted(centres, key=lambda power: -centres[power]), ""]
        if lead := centres[first] - centres.get(second, 0):
            text = f"leads by {lead} of the {many(needed, 'centre')} that win in this turn"
            yield LedgerEntry("Victory", text, first, number=lead, clause=EventKind.LEADS.clause)
    if text := last_year_text(victory):
        yield LedgerEntry("Victory", f"{text[0].upper()}{text[1:]}", clause=EventKind.FIRST.clause)


def _strength(rules: Rules, position: Position, power: str, centres: int, *, winter: bool) -> int | None:
    """Return the number of units that a power can feed, None where only its centres decide it or it is unknown."""
    fed: int | None = centres
    mechanics = [
        m for m in rules.mechanics if isinstance(m, WinterMechanic) and type(m).supply is not WinterMechanic.supply
    ]
    for mechanic in mechanics:
        if winter and fed is not None:
            fed = mechanic.supply(rules, position, power, fed)
        else:
            fed = mechanic.strength(rules, position, power, fed)
    return fed if mechanics else None


def _phases(calendar: Calendar, phase: Phase) -> Iterator[Term]:
    """Yield a phase and those after it."""
    while True:
        yield Term(phase.code, _name(calendar, phase), calendar.season(phase), calendar.counts(phase))
        phase = calendar.next(phase)


def _name(calendar: Calendar, phase: Phase) -> str:
    return f"{phase.season} {calendar.year(phase)}"
