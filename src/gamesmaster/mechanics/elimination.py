"""Powers that have lost what they live by: without centres they are extinct, without their seat they fall.

Anarchy: a power that has lost its home gets a year to win some of it back, and is then an observer (TAD-8).  Its units
stand and may be supported, its centres are its own until they are taken, what it cannot supply is removed, and it
neither orders, builds, votes nor wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from gamesmaster.board import ARMY, FLEET, Position
from gamesmaster.judge import Flight, IndexedPosition, MovementMechanic
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.rules import (
    NO_OVERRIDE,
    Ahead,
    AnyCause,
    AnyEvent,
    Case,
    Cause,
    Clauses,
    ColumnMechanic,
    Columns,
    Event,
    LedgerEntry,
    ParameterNames,
    Positive,
    PowerKey,
    ReasonOverride,
    ReasonText,
    ReportMechanic,
    Rules,
    Standing,
    YearMechanic,
    lose,
    phase_code,
    phase_name,
    standing,
    with_state,
)


@mechanic("no-retreats")
@dataclass(frozen=True)
class NoRetreats(MovementMechanic):
    """Dislodged units have nowhere to retreat: those of `powers`, or all."""

    powers: tuple[str, ...] = ()

    names: ClassVar[ParameterNames] = MappingProxyType({"powers": "power"})
    not_in_columns: ClassVar[str] = "in batches every dislodged unit may retreat"

    def flight(self, field: IndexedPosition, row: int, regular: Flight) -> Flight:
        """Return no place for a unit that may not retreat (STD-19.a)."""
        unit = field.units[row]
        return {} if unit and (not self.powers or unit.power in self.powers) else regular


class ExtinctionEvent(AnyEvent):
    """Events of powers without centres."""

    SWEPT = "swept", "TAD-8.i", "{power} own{s} no centre any more, and {its} units are removed."


@mechanic("extinction")
@dataclass(frozen=True)
class Extinction(YearMechanic, ColumnMechanic):
    """At a count, powers that own no supply centre lose their units, which in the regular game they would keep."""

    events: ClassVar[tuple[AnyEvent, ...]] = (*ExtinctionEvent,)

    def after_count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Remove the units of powers without a centre."""
        now = standing(rules, position)
        sweep(None, now)
        gone = {unit.power for row, unit in enumerate(position.units, 1) if now.units.gone[row]}
        if not gone:
            return position, ()
        units = tuple(unit for unit in position.units if unit.power not in gone)
        swept = (power for power in rules.powers if power in gone)
        return replace(position, units=units), tuple(Event(ExtinctionEvent.SWEPT, power) for power in swept)

    def columns(self, rules: Rules) -> Columns:
        """Return its rule."""
        return Columns(after_count=sweep)


def sweep(_: object, now: Standing) -> None:
    """Take off the units of powers without a centre."""
    for r in range(1, now.n + 1):
        if now.units.owner[r] and not now.powers.centres[now.units.owner[r]]:
            now.units.gone[r] = 1


class DownfallEvent(AnyEvent):
    """Events of a power without its seat."""

    FALLEN = (
        "fallen",
        "SCO-16.a",
        "{power} {has} lost {its} seat: {its} units are removed, and {its} centres are nobody's.",
    )


@mechanic("downfall")
@dataclass(frozen=True)
class Downfall(YearMechanic, ColumnMechanic):
    """At a count at which `power` owns none of `seats` its units are removed, and what it owns is nobody's.

    This comes before victory is looked at.
    """

    power: str
    seats: tuple[str, ...]

    events: ClassVar[tuple[AnyEvent, ...]] = (*DownfallEvent,)
    several: ClassVar[bool] = True
    counts_first: ClassVar[bool] = True
    names: ClassVar[ParameterNames] = MappingProxyType({"power": "power", "seats": "province"})

    def __post_init__(self) -> None:
        if not self.seats:
            raise ValueError("at least one seat is needed")

    def after_count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Take the power out of the game if it has lost its last seat (SCO-16.a)."""
        now = standing(rules, position)
        topple(self._seats(rules), now)
        owners = {
            place: owner for place, owner in position.owners.items() if now.lands.holder[rules.board.index[place]]
        }
        units = [unit for row, unit in enumerate(position.units, 1) if now.units.gone[row]]
        if not units and len(owners) == len(position.owners):
            return position, ()
        return lose(rules, replace(position, owners=owners), units), (Event(DownfallEvent.FALLEN, self.power),)

    def _seats(self, rules: Rules) -> Seats:
        return Seats([rules.numbers.get(self.power, 0)], [rules.board.index[seat] for seat in self.seats])

    def columns(self, rules: Rules) -> Columns:
        """Return its rule, by the power's number and the provinces'."""
        return Columns(after_count=topple, table=self._seats(rules))


class Seats(NamedTuple):
    """The power's number, and the provinces of its seats."""

    power: Sequence[int]
    seats: Sequence[int]


def topple(t: Seats, now: Standing) -> None:
    """Remove the power's units and owned provinces if it no longer owns any of its seats."""
    power = t.power[0]
    if not power:
        return
    for seat in t.seats:
        if now.lands.holder[seat] == power:
            return
    for place in range(len(now.lands.holder)):
        if now.lands.holder[place] == power:
            now.lands.holder[place] = 0
    now.powers.centres[power] = 0
    for r in range(1, now.n + 1):
        if now.units.owner[r] == power:
            now.units.gone[r] = 1


_LOOKS = {ARMY: "army-in-anarchy", FLEET: "fleet-in-anarchy"}


class AnarchyCause(AnyCause):
    """Why a power gives no orders."""

    ANARCHY = "is in anarchy and holds", "TAD-8.e"


class AnarchyEvent(AnyEvent):
    """Events of anarchy."""

    GRACE = "grace", "TAD-8.a", "{power} {has} lost {its} home, and a year to win some of it back."
    ANARCHY = "anarchy", "TAD-8.c", "{power} fall{s} into anarchy: {its} units stand, and nobody orders them."
    RESTORED = "restored", "TAD-8.c", "{power} {has} a home again; {its} grace is over."


@mechanic("anarchy")
@dataclass(frozen=True)
class Anarchy(YearMechanic, ReportMechanic, ColumnMechanic):
    """A power without a home centre of its own at `grace` counts in a row falls into anarchy for good at the next.

    `grace` is the number of counts at which it is only warned: 1 as in the document (TAD-8.b), 0 for none.
    """

    grace: int = 1

    causes: ClassVar[tuple[AnyCause, ...]] = (*AnarchyCause,)
    events: ClassVar[tuple[AnyEvent, ...]] = (*AnarchyEvent,)
    kept: ClassVar[Any] = dict[PowerKey, Positive]

    def __post_init__(self) -> None:
        if not 0 <= self.grace <= 20:
            raise ValueError("grace is 0 to 20 counts")

    def sayings(self) -> Clauses:
        """Return the reasons of removals in anarchy."""
        return Clauses(
            {"removed_in_anarchy": ReasonText("TAD-8.h", "is removed by the rules, its power being in anarchy")}
        )

    def ruling_aspect(self, case: Case) -> ReasonOverride:
        """Give removals of a power in anarchy a reason of their own."""
        silent = case.ruling.cause is Cause.REMOVED and case.ruling.power in self.silent(case.rules, case.position)
        return ReasonOverride("removed_in_anarchy") if silent else NO_OVERRIDE

    def silent(self, rules: Rules, position: Position) -> Mapping[str, AnyCause]:
        """Return the powers in anarchy, which give no orders (TAD-8.d, TAD-8.e)."""
        return dict.fromkeys(
            (p for p, counts in _homeless(position).items() if is_fallen(counts, self.grace)), AnarchyCause.ANARCHY
        )

    def unit_signs(self, rules: Rules, position: Position) -> Mapping[int, str]:
        """Return a broken flag for each unit of a power in anarchy."""
        fallen = self.silent(rules, position)
        return {u.number: _LOOKS.get(u.kind, _LOOKS[ARMY]) for u in position.units if u.power in fallen}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """Yield the powers in their grace with the count at which it ends, and those in anarchy (TAD-8.b, TAD-8.c)."""
        for power, counts in _homeless(position).items():
            if is_fallen(counts, self.grace):
                yield LedgerEntry("Anarchy", "in anarchy for the rest of the game", power, clause="TAD-8.c")
            else:
                last = ahead.find(lambda term: term.counted, self.grace - counts)
                text = f"no home centre; falls into anarchy in {phase_name(last)} unless it has won one back"
                yield LedgerEntry("Anarchy", text, power, number=counts, term=phase_code(last), clause="TAD-8.b")

    def after_count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Begin or end the grace of powers, and start anarchy, after a count (TAD-8.a to c)."""
        before = _homeless(position)
        now = standing(rules, position, [0, *(before.get(power, 0) for power in rules.powers)])
        count_homeless(self._homes(rules), now)
        happened = []
        for number, power in enumerate(rules.powers, 1):
            was, counts = before.get(power, 0), now.kept[number]
            if counts > was:
                kind = AnarchyEvent.ANARCHY if is_fallen(counts, self.grace) else AnarchyEvent.GRACE
                happened.append(Event(kind, power))
            elif counts < was and now.powers.centres[number]:
                happened.append(Event(AnarchyEvent.RESTORED, power))
        return with_state(position, self.id, self._state(rules, now.kept)), tuple(happened)

    def _state(self, rules: Rules, kept: Sequence[int]) -> dict[str, int] | None:
        return {power: int(kept[number]) for power, number in rules.numbers.items() if kept[number]} or None

    def _homes(self, rules: Rules) -> Homes:
        size, index, land = len(rules.board.provinces), rules.board.index, rules.board.centres
        home = [0] * (size * (1 + len(rules.powers)))
        for power, number in rules.numbers.items():
            for centre in (centre for centre in rules.homes.get(power, ()) if centre in land):
                home[number * size + index[centre]] = 1
        return Homes([self.grace], home)

    def columns(self, rules: Rules) -> Columns:
        """Return its rule, by the powers' homes; of each power it is kept how many counts it has had none."""
        return Columns(
            width=1 + len(rules.powers),
            state=partial(self._state, rules),
            after_count=count_homeless,
            table=self._homes(rules),
        )


class Homes(NamedTuple):
    """The grace, one number, and which provinces are home centres: `home[power * provinces + province]`."""

    grace: Sequence[int]
    home: Sequence[int]


def is_fallen(counts: int, grace: int) -> bool:
    """Return whether a power without a home at `counts` counts in a row is in anarchy."""
    return counts > grace


def count_homeless(t: Homes, now: Standing) -> None:
    """Count for powers without a home; a power in anarchy stays so for the rest of the game (TAD-8.a to c)."""
    size = len(now.lands.holder)
    for power in range(1, len(now.powers.centres)):
        if is_fallen(now.kept[power], t.grace[0]):
            continue
        at_home = 0
        for place in range(size):
            if now.lands.holder[place] == power:
                at_home += t.home[power * size + place]
        now.kept[power] = now.kept[power] + 1 if now.powers.centres[power] and not at_home else 0
        if is_fallen(now.kept[power], t.grace[0]):
            now.powers.silent[power] = 1


def _homeless(position: Position) -> dict[str, int]:
    """Map each power without a home to the number of counts in a row at which it had none."""
    state = position.state.get(Anarchy.id, {})
    return dict(state) if isinstance(state, Mapping) else {}
