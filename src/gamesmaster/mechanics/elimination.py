"""Powers that have lost what they live by: without centres they are extinct, without their seat they fall.

Anarchy: a power that has lost its home gets a year to win some of it back, and is then an observer (TAD-8).  Its units
stand and may be supported, its centres are its own until they are taken, what it cannot supply is removed, and it
neither orders, builds, votes nor wins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from gamesmaster.board import ARMY, FLEET, Position
from gamesmaster.judge import (
    PLAIN,
    Ahead,
    AnyCause,
    AnyEvent,
    Aspect,
    Case,
    Cause,
    Clauses,
    Entry,
    Event,
    ReportMechanic,
    Rules,
    Saying,
    Term,
    YearMechanic,
    lose,
    with_state,
)
from gamesmaster.judge.state import Positive, Power, coded, named
from gamesmaster.mechanics.registry import mechanic


class ExtinctionEvent(AnyEvent):
    """What becomes of powers without centres."""

    SWEPT = "swept", "TAD-8.i", "{power} own{s} no centre any more, and {its} units are removed."


@mechanic("extinction")
@dataclass(frozen=True)
class Extinction(YearMechanic):
    """At a count, powers that own no supply centre lose their units, which in the regular game they would keep."""

    events: ClassVar[tuple[AnyEvent, ...]] = (*ExtinctionEvent,)

    def after_count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Remove the units of powers without a centre."""
        owners = {position.owners.get(centre) for centre in rules.board.centres}
        gone = [p for p in rules.powers if p not in owners and position.of(p)]
        if not gone:
            return position, ()
        units = tuple(unit for unit in position.units if unit.power not in gone)
        return replace(position, units=units), tuple(Event(ExtinctionEvent.SWEPT, power) for power in gone)


class DownfallEvent(AnyEvent):
    """What becomes of a power without its seat."""

    FALLEN = (
        "fallen",
        "SCO-16.a",
        "{power} {has} lost {its} seat: {its} units are removed, and {its} centres are nobody's.",
    )


@mechanic("downfall")
@dataclass(frozen=True)
class Downfall(YearMechanic):
    """At a count at which `power` owns none of `seats` its units are removed, and what it owns is nobody's.

    This comes before victory is looked at.
    """

    power: str
    seats: tuple[str, ...]

    events: ClassVar[tuple[AnyEvent, ...]] = (*DownfallEvent,)
    several: ClassVar[bool] = True
    counts_first: ClassVar[bool] = True
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"power": "power", "seats": "province"}
    )

    def __post_init__(self) -> None:
        if not self.seats:
            raise ValueError("at least one seat is needed")

    def after_count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Take the power out of the game if it has lost its last seat (SCO-16.a)."""
        own, units = position.centres(self.power), position.of(self.power)
        if (not own and not units) or any(seat in own for seat in self.seats):
            return position, ()
        owners = {place: owner for place, owner in position.owners.items() if owner != self.power}
        return lose(rules, replace(position, owners=owners), units), (Event(DownfallEvent.FALLEN, self.power),)


_LOOKS = {ARMY: "army-in-anarchy", FLEET: "fleet-in-anarchy"}


class AnarchyCause(AnyCause):
    """Why a power gives no orders."""

    ANARCHY = "is in anarchy and holds", "TAD-8.e"


class AnarchyEvent(AnyEvent):
    """What anarchy brings."""

    GRACE = "grace", "TAD-8.a", "{power} {has} lost {its} home, and a year to win some of it back."
    ANARCHY = "anarchy", "TAD-8.c", "{power} fall{s} into anarchy: {its} units stand, and nobody orders them."
    RESTORED = "restored", "TAD-8.c", "{power} {has} a home again; {its} grace is over."


@mechanic("anarchy")
@dataclass(frozen=True)
class Anarchy(YearMechanic, ReportMechanic):
    """A power without a home centre of its own at `grace` counts in a row falls into anarchy for good at the next.

    `grace` is the number of counts at which it is only warned: 1 as in the document (TAD-8.b), 0 for none.
    """

    grace: int = 1

    causes: ClassVar[tuple[AnyCause, ...]] = (*AnarchyCause,)
    events: ClassVar[tuple[AnyEvent, ...]] = (*AnarchyEvent,)
    kept: ClassVar[Any] = dict[Power, Positive]

    def __post_init__(self) -> None:
        if not 0 <= self.grace <= 20:
            raise ValueError("grace is 0 to 20 counts")

    def sayings(self) -> Clauses:
        """Nobody chooses for a power in anarchy."""
        return Clauses({"removed_in_anarchy": Saying("TAD-8.h", "is removed by the rules, its power being in anarchy")})

    def ruling_aspect(self, case: Case) -> Aspect:
        """The removals of a power in anarchy."""
        silent = case.ruling.cause is Cause.REMOVED and case.ruling.power in self.silent(case.rules, case.position)
        return Aspect("removed_in_anarchy") if silent else PLAIN

    def silent(self, rules: Rules, position: Position) -> Mapping[str, AnyCause]:
        """Powers in anarchy give no orders (TAD-8.d, TAD-8.e)."""
        return dict.fromkeys(
            (p for p, counts in _homeless(position).items() if counts > self.grace), AnarchyCause.ANARCHY
        )

    def unit_signs(self, rules: Rules, position: Position) -> Mapping[int, str]:
        """Units in anarchy bear a broken flag."""
        fallen = self.silent(rules, position)
        return {u.number: _LOOKS.get(u.kind, _LOOKS[ARMY]) for u in position.units if u.power in fallen}

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[Entry]:
        """Whose grace runs, and until which count; who is in anarchy (TAD-8.b, TAD-8.c)."""
        for power, counts in _homeless(position).items():
            if counts > self.grace:
                yield Entry("Anarchy", "in anarchy for the rest of the game", power, clause="TAD-8.c")
            else:
                last = ahead.find(_counts, self.grace - counts)
                text = f"no home centre; falls into anarchy in {named(last)} unless it has won one back"
                yield Entry("Anarchy", text, power, number=counts, term=coded(last), clause="TAD-8.b")

    def after_count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Event, ...]]:
        """Whose grace begins or ends, and who falls into anarchy (TAD-8.a to c)."""
        before, now = _homeless(position), {}
        happened = []
        for power in rules.powers:
            counts = before.get(power, 0)
            if counts > self.grace:
                now[power] = counts  # for the rest of the game (TAD-8.c), while it owns anything (TAD-8.i)
                continue
            owned = {centre for centre in rules.board.centres if position.owners.get(centre) == power}
            home = owned & set(rules.homes.get(power, ()))
            if owned and not home:
                now[power] = counts + 1
                happened.append(Event(AnarchyEvent.ANARCHY if counts == self.grace else AnarchyEvent.GRACE, power))
            elif home and counts:
                happened.append(Event(AnarchyEvent.RESTORED, power))
        return with_state(position, self.id, now or None), tuple(happened)


def _counts(term: Term) -> bool:
    return term.counted


def _homeless(position: Position) -> dict[str, int]:
    """Power to the number of counts in a row at which it had no home."""
    state = position.state.get(Anarchy.id, {})
    return dict(state) if isinstance(state, Mapping) else {}
