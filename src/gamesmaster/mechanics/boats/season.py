"""What becomes of boats when the moves and the retreats of a season are decided."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from gamesmaster.board import Position, Unit
from gamesmaster.judge import Cause, Event, MechanicResult, Movement, Result, Rules, Verdict
from gamesmaster.judge.engine.kernel import FAINT, MOVE, NOWAY
from gamesmaster.judge.engine.resolution import ResolvedOrder
from gamesmaster.mechanics.boats.orders import ashore, carries, must_carry, usable
from gamesmaster.mechanics.boats.values import (
    BoatCause,
    BoatEvent,
    BoatSettings,
    Moorings,
    Pile,
    is_water,
    pick,
    sink_empty,
)
from gamesmaster.mechanics.boats.verbs import BoatVerb

if TYPE_CHECKING:
    from gamesmaster.judge import Movement


def after_moves(boats: BoatSettings, movement: Movement, position: Position) -> MechanicResult:
    """Boats follow their carriers, some are destroyed, the carried set down, new ones built (SCO-1.d, IND-0.n)."""
    season = _Season(boats, movement, position)
    season.carry()
    season.destroy()
    season.set_down()
    season.build()
    return season.result()


class _Season:
    """The boats of one movement phase: those that `stay` where they lay, and those `brought`, by where to."""

    def __init__(self, boats: BoatSettings, movement: Movement, position: Position) -> None:
        self.boats, self.movement, self.position = boats, movement, position
        self.field, self.bound, self.board = movement.field, movement.bound, movement.field.board
        self.start = Moorings.of(self.field.position)
        self.stay = Moorings(self.start.lie)
        self.brought: list[tuple[str, Pile]] = []
        self.raw = dict(self.start.raw)
        self.verdicts: dict[tuple[str, int], Verdict] = {}
        self.keys = list(self.bound.keys())
        self.numbers = {
            row: number
            for number, row in enumerate(self.bound.rows)
            if not (number in self.bound.faults or number in self.bound.secondary or number in self.bound.decided)
        }

    def result(self) -> MechanicResult:
        """The position with the units in their forms and the boats where they are."""
        units = tuple(_formed(self.boats, self.field.rules, unit) for unit in self.position.units)
        position = self.stay.put(replace(self.position, units=units))
        happened = tuple(Event(BoatEvent.WRECKED, builder, place) for place, builder in sorted(self.raw.items()))
        return MechanicResult(sink_empty(self.board, position, self.boats.form), self.verdicts, happened)

    def rule(self, row: int, verdict: Verdict) -> None:
        """Decide on the order that a row carries out, if it was given one."""
        if row in self.numbers:
            self.verdicts[self.keys[self.numbers[row]]] = verdict

    def unit(self, row: int) -> Unit:
        """The unit of a row."""
        unit = self.field.units[row]
        assert unit is not None
        return unit

    # -- in the order of events --------------------------------------------------------------------------------------

    def carry(self) -> None:
        """Boats go with those that came through; the others withdraw without a fight (IND-6.j)."""
        for row, resolved in enumerate(self.bound.chosen):
            if not carries(self.boats, resolved):
                continue
            if self.movement.came(row):
                self._take(self.unit(row), resolved)
            elif by := self.movement.out.by[row]:
                self.rule(row, Verdict(Result.BOUNCES, BoatCause.WITHDREW, (self.unit(by),)))

    def _take(self, unit: Unit, resolved: ResolvedOrder) -> None:
        here, there = unit.at.province, self.board.provinces[resolved.to].id
        pile = usable(self.boats, self.start, unit)
        if must_carry(self.boats, self.start, unit):
            taken: Pile = (self.raw.pop(here),)
        elif unit.kind == self.boats.form:
            taken = pile
        else:
            taken = pick(pile, unit.power, resolved.order.carried, resolved.order.builders) or ()
        self.stay = self.stay.remove(here, taken)
        self.brought.append((there, taken))

    def destroy(self) -> None:
        """One boat a province, of those that lay there at the start and lie there still (IND-7.c, d; SCO-13.c to e)."""
        done: set[str] = set()
        for number, resolved in self.bound.secondary.items():
            if resolved.order.verb is not BoatVerb.DESTROY:
                continue
            row = self.bound.rows[number]
            unit = next(u for u in self.field.before.units if u.number == self.unit(row).number)  # it may have boarded
            if unit.at.province in done:
                verdict = Verdict(Result.VOID, Cause.SECOND, unit=unit)
            else:
                done.add(unit.at.province)
                verdict = self._destroyed(row, unit, resolved)
            self.verdicts[self.keys[number]] = verdict

    def _destroyed(self, row: int, unit: Unit, resolved: ResolvedOrder) -> Verdict:
        pile = self.stay.at(unit.at.province)
        meant = pick(pile, unit.power, 1, resolved.order.builders)
        afloat = unit.kind == self.boats.form
        if not meant or (afloat and (row in self.movement.beaten or len(pile) < 2)):
            return Verdict(Result.VOID, BoatCause.BOAT_GONE, unit=unit)
        self.stay = self.stay.remove(unit.at.province, meant)
        return Verdict(Result.SUCCEEDS, BoatCause.BOAT_DESTROYED, unit=unit)

    def set_down(self) -> None:
        """What was carried lies where it was brought."""
        for place, pile in self.brought:
            self.stay = self.stay.add(place, pile)

    def build(self) -> None:
        """New boats are finished, the lowest-numbered provinces first where there is a limit (SCO-10.d)."""
        builders = [row for row, resolved in enumerate(self.bound.chosen) if resolved.order.verb is BoatVerb.MAKE]
        count, fresh = self.stay.count(), {}
        for row in sorted(builders, key=lambda row: self.field.at[row]):
            power, here = self.unit(row).power, self.unit(row).at.province
            name = power if self.boats.named else ""
            if attackers := self._attackers(row):
                verdict = Verdict(Result.FAILS, BoatCause.DISTURBED, attackers)
            elif self.boats.limit and count[name] >= self.boats.limit:
                verdict = Verdict(Result.FAILS, BoatCause.BOATS_ENOUGH)
            else:
                verdict = Verdict(Result.SUCCEEDS, BoatCause.BOAT_MADE)
                count[name] += 1
                if ashore(self.board, self.field.location[row]):
                    self.stay = self.stay.add(here, (name,))
                else:
                    fresh[here] = name
            self.rule(row, verdict)
        self.stay = Moorings(self.stay.lie, fresh)

    def _attackers(self, row: int) -> tuple[Unit, ...]:
        """Units of other powers with a valid march or landing into the place, whatever came of it (IND-6.c)."""
        kind, at, to, _, _, owner, _, _, flags = self.movement.rows
        return tuple(
            self.unit(other)
            for other in range(1, len(kind))
            if kind[other] == MOVE
            and to[other] == at[row]
            and owner[other] != owner[row]
            and not flags[other] & (FAINT | NOWAY)
        )


def after_retreats(boats: BoatSettings, rules: Rules, before: Position, after: Position) -> MechanicResult:
    """Those afloat take their boats along in retreat, or are lost with them (SCO-11.f, SCO-12.b)."""
    units = {unit.number: unit for unit in after.units}
    moored = Moorings.of(after)
    brought: list[tuple[str, Pile]] = []
    happened = []
    for beaten in (d.unit for d in before.dislodged if d.unit.kind == boats.form):
        here = beaten.at.province
        pile = moored.at(here)
        moored = moored.with_pile(here, ())
        if beaten.number in units:
            brought.append((units[beaten.number].at.province, pile))
        elif pile:
            happened.append(Event(BoatEvent.WRECKED, beaten.power, here))
    for there, pile in brought:
        moored = moored.add(there, pile)
    formed = tuple(_formed(boats, rules, unit) for unit in after.units)
    position = moored.put(replace(after, units=formed))
    return MechanicResult(sink_empty(rules.board, position, boats.form), happened=tuple(happened))


def _formed(boats: BoatSettings, rules: Rules, unit: Unit) -> Unit:
    """A unit in the form that it has where it now is."""
    if unit.kind not in (boats.kind, boats.form) or unit.aboard:
        return unit
    kind = boats.form if is_water(rules.board, unit.at.province) else boats.kind
    return unit if unit.kind == kind else replace(unit, kind=kind)
