"""Boats after the moves and the retreats of a season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gamesmaster.board import Position, Unit
from gamesmaster.judge import Movement
from gamesmaster.mechanics.boats.columns import ANY, ENOUGH, GO, MADE, MAKE, disturbs, flee, go_on
from gamesmaster.mechanics.boats.orders import carries, placement_of
from gamesmaster.mechanics.boats.table import BoatIndex, boat_index
from gamesmaster.mechanics.boats.values import BoatCause, BoatEvent, BoatPlacement, BoatSettings, BoatVerb, pick
from gamesmaster.rules import Cause, Event, MechanicResult, Result, Rules, Standing, Verdict


def after_moves(boats: BoatSettings, movement: Movement, position: Position) -> MechanicResult:
    """Move boats with their carriers, destroy some, set down those carried, and build (SCO-1.d, IND-0.n)."""
    season = _Season(boats, movement, position)
    go_on(season.index.tables, season.now)
    return season.result()


class _Season:
    """The boats of one movement phase, in columns: before it, and then after it."""

    def __init__(self, boats: BoatSettings, movement: Movement, position: Position) -> None:
        self.boats, self.movement, self.position = boats, movement, position
        self.index: BoatIndex = boat_index(movement.field.rules)
        self.start = placement_of(movement.field)
        self.now: Standing = movement.standing(position, self.index.numbers(self.start))
        self.keys = list(movement.bound.keys())
        self.riders: dict[int, int] = {}  # the number of the order by which a row destroys a boat
        self.second: list[int] = []  # those that come too late for that
        for row, resolved in enumerate(movement.bound.chosen):
            if carries(boats, resolved):
                unit, order = self.unit(row), resolved.order
                taken = pick(self.index.usable(self.start, unit), unit.power, order.carried, order.builders)
                self.now.orders.verb[row], self.now.orders.load[row] = GO, self.index.load(taken or ())
            elif resolved.order.verb is BoatVerb.MAKE:
                self.now.orders.verb[row] = MAKE
        self._note_riders()

    def _note_riders(self) -> None:
        """Note one boat per province to destroy, by the first order.

        A unit may have boarded since the order was given.
        """
        movement, board, places = self.movement, self.movement.field.board, set()
        for number, resolved in movement.bound.secondary.items():
            if resolved.order.verb is not BoatVerb.DESTROY:
                continue
            row = movement.bound.rows[number]
            place = board.index[self.before(row).at.province]
            if place in places:
                self.second.append(number)
                continue
            places.add(place)
            builders = resolved.order.builders
            self.riders[row], self.now.units.at[row] = number, place
            self.now.orders.rider[row] = self.index.load(builders) if builders else ANY

    def unit(self, row: int) -> Unit:
        """Return the unit of a row."""
        unit = self.movement.field.units[row]
        assert unit is not None
        return unit

    def before(self, row: int) -> Unit:
        """Return the unit of a row as it was before anybody went aboard."""
        unit, field = self.unit(row), self.movement.field
        return (
            unit if field.before is field.position else next(u for u in field.before.units if u.number == unit.number)
        )

    def result(self) -> MechanicResult:
        """Return the position with the units in their forms and the boats where they are."""
        units, after = self.index.reform(self.position.units), self.index.placement(self.now.kept)
        position = after.put(replace(self.position, units=units))
        wrecks = self.index.raw(self.now.spare)
        happened = tuple(Event(BoatEvent.WRECKED, builder, place) for place, builder in sorted(wrecks.items()))
        return MechanicResult(position, dict(self._verdicts()), happened)

    # -- verdicts ----------------------------------------------------------------------------------------------------

    def _verdicts(self) -> Sequence[tuple[tuple[str, int], Verdict]]:
        bound, out, now = self.movement.bound, self.movement.out, self.now
        mine = {
            row: number
            for number, row in enumerate(bound.rows)
            if now.orders.verb[row]
            and not (number in bound.faults or number in bound.secondary or number in bound.decided)
        }
        verdicts = []
        for row, number in mine.items():
            if now.orders.verb[row] == GO and not now.moves.came[row] and out.by[row]:
                verdict = Verdict(Result.BOUNCES, BoatCause.WITHDREW, (self.unit(out.by[row]),))
                verdicts.append((self.keys[number], verdict))
            elif now.orders.verb[row] == MAKE:
                verdicts.append((self.keys[number], self._build_verdict(row)))
        for row, number in self.riders.items():
            done = (
                (Result.SUCCEEDS, BoatCause.BOAT_DESTROYED)
                if now.orders.rider[row]
                else (Result.VOID, BoatCause.BOAT_GONE)
            )
            verdicts.append((self.keys[number], Verdict(*done, unit=self.before(row))))
        for number in self.second:
            unit = self.before(bound.rows[number])
            verdicts.append((self.keys[number], Verdict(Result.VOID, Cause.SECOND, unit=unit)))
        return verdicts

    def _build_verdict(self, row: int) -> Verdict:
        """Return the verdict on building a boat."""
        if self.now.orders.result[row] == MADE:
            return Verdict(Result.SUCCEEDS, BoatCause.BOAT_MADE)
        if self.now.orders.result[row] == ENOUGH:
            return Verdict(Result.FAILS, BoatCause.BOATS_ENOUGH)
        others = range(1, self.now.n + 1)
        return Verdict(
            Result.FAILS, BoatCause.DISTURBED, tuple(self.unit(o) for o in others if disturbs(self.now, o, row))
        )


def after_retreats(
    boats: BoatSettings, rules: Rules, before: Position, after: Position
) -> tuple[Position, tuple[Event, ...]]:
    """Move the boats of retreating units afloat along; without a retreat the boats are lost (SCO-11.f, SCO-12.b)."""
    lookup, came, index = boat_index(rules), {unit.number: unit for unit in after.units}, rules.board.index
    beaten = [dislodged.unit for dislodged in before.dislodged]
    now = lookup.standing(replace(after, dislodged=before.dislodged))
    for row, unit in enumerate(beaten, 1):
        now.beaten.refuge[row] = index[came[unit.number].at.province] if unit.number in came else -1
    flee(lookup.tables, now)
    start = BoatPlacement.of(after)
    wrecked = (u for u in beaten if u.kind == boats.form and u.number not in came and start.at(u.at.province))
    happened = tuple(Event(BoatEvent.WRECKED, unit.power, unit.at.province) for unit in wrecked)
    units = lookup.reform(after.units)
    return lookup.placement(now.kept).put(replace(after, units=units)), happened
