"""What some powers see of a position, and learn about the phase that begins with it (FOG-2 to FOG-5).

Units and owners out of sight are not in the position, and units have numbers that only this sight decides.  Orders of
others are shown where all that they name is in sight.  A reason says no more than somebody can know who sees no more.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from gamesmaster.board import Dislodged, Location, Position, Unit
from gamesmaster.game.record import Correction, Record, sheet_of
from gamesmaster.judge import Adjudication, Decided, OrderReader
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.rules import (
    AnyCause,
    Cause,
    Event,
    EventKind,
    Result,
    Rules,
    Ruling,
    SightCause,
    mark_seen,
    seen_provinces,
    told_orders,
)


class SeenAdjudication(Decided):
    """The results of a phase, as far as some powers learn them."""

    partial = True

    def __init__(
        self, position: Position, rulings: tuple[Ruling, ...], happened: tuple[Event, ...], viewers: tuple[str, ...]
    ) -> None:
        super().__init__(position, rulings, happened)
        self.viewers = viewers

    def __reduce__(self) -> tuple[type[Decided], tuple[object, ...]]:
        return SeenAdjudication, (self.position, self.rulings, self.happened, self.viewers)

    def tells_of(self, power: str) -> bool:
        """Return whether everything about this power is shown."""
        return power in self.viewers


@dataclass(frozen=True)
class Viewpoint:
    """What `viewers` see of a `whole` position, and learn about a phase that begins with it."""

    rules: Rules
    whole: Position
    viewers: tuple[str, ...]

    # -- the position ------------------------------------------------------------------------------------------------

    @cached_property
    def seen(self) -> frozenset[str]:
        """The provinces that are seen."""
        return seen_provinces(self.rules, self.whole, self.viewers)

    @cached_property
    def position(self) -> Position:
        """The position as it is seen: with new numbers, in the order of the board, so that neither tells anything."""
        owners = {p: o for p, o in self.whole.owners.items() if p in self.seen or o in self.viewers}
        in_order = {province: owners[province] for province in self.rules.board.index if province in owners}
        units = [self._units[unit.number] for unit in self.whole.units if unit.number in self._units]
        beaten = [self._dislodged(out) for out in self.whole.dislodged if out.unit.number in self._units]
        return mark_seen(
            self.rules,
            Position(
                tuple(sorted(units, key=lambda unit: unit.number)),
                in_order,
                tuple(sorted(beaten, key=lambda out: out.unit.number)),
                self.whole.state,
            ),
            self.seen,
        )

    @cached_property
    def _units(self) -> Mapping[int, Unit]:
        """Number to unit as it is seen, for the units that are."""
        units = self.whole.everybody
        index = self.rules.board.index
        found = [unit for unit in units if unit.at.province in self.seen or unit.power in self.viewers]
        found.sort(key=lambda unit: (index[unit.at.province], unit.at.coast, unit.power, unit.kind, unit.number))
        numbers = {unit.number: number for number, unit in enumerate(found, 1)}
        return {
            unit.number: replace(unit, number=numbers[unit.number], aboard=numbers.get(unit.aboard, 0))
            for unit in found
        }

    def _dislodged(self, out: Dislodged) -> Dislodged:
        """Return a dislodged unit; its own power learns where it may go (FOG-5.a)."""
        own = out.unit.power in self.viewers
        retreats = tuple(at for at in out.retreats if own or at.province in self.seen)
        return Dislodged(self._units[out.unit.number], out.by if out.by in self.seen else "", retreats)

    # -- the orders --------------------------------------------------------------------------------------------------

    def record(self, record: Record) -> Record:
        """Return a record with the viewers' orders as they were given, and those of others that they learn."""
        orders: dict[str, list[str]] = {}
        results = iter(record.rulings)
        for power, texts in record.orders.items():
            told = [self._told_text(record.phase.kind, power, text, next(results, "")) for text in texts]
            own = power in self.viewers
            orders[power] = [*texts] if own else sorted(text for text in told if text)
        return Record(
            record.phase,
            self.position,
            sheet_of(orders),
            events=self.events(record.events),
            disorder=record.disorder,
            judge=record.judge,
            ahead={power: sent for power, sent in record.ahead.items() if power in self.viewers},
            corrections=seen_corrections(self.rules, record.corrections, self.viewers),
        )

    def _told_text(self, kind: PhaseKind, power: str, text: str, result: str) -> str:
        """Return another power's order as it is shown, in the notation; empty for one that is not."""
        order = None if power in self.viewers else self.rules.derive(OrderReader).read(text, kind).order
        told = order is not None and not result.startswith(Result.VOID.value) and self._is_told(order)
        return self.rules.notation.write(order) if told and order else ""

    def _is_told(self, order: Order) -> bool:
        """Return whether an order of another power is shown: where all that it names is seen (FOG-4.d)."""
        return told_orders(self.rules) and order.at is not None and self._in_sight(order)

    def _in_sight(self, order: Order) -> bool:
        named = [place.province for place in (order.at, order.of, order.to) if place is not None]
        return self.seen.issuperset((*named, *order.route))

    def events(self, events: Collection[Event]) -> tuple[Event, ...]:
        """Return the events that are shown: the viewers', those of places that were seen, and who is out (FOG-4.e)."""
        out = EventKind.ELIMINATED
        return tuple(e for e in events if e.power in self.viewers or e.province in self.seen or e.kind is out)

    # -- the results -------------------------------------------------------------------------------------------------

    def told(self, judged: Adjudication, kind: PhaseKind) -> SeenAdjudication:
        """Return what the viewers learn about the results."""
        after = Viewpoint(self.rules, judged.position, self.viewers).position
        own = [self._own(ruling, kind) for ruling in judged.rulings if ruling.power in self.viewers]
        index = self.rules.board.index
        others = [told for ruling in judged.rulings for told in self._others(ruling, kind)]
        others.sort(key=lambda r: (self.rules.numbers[r.power], index[r.unit.at.province] if r.unit else 0, r.given))
        return SeenAdjudication(after, (*own, *others), self.events(judged.happened), self.viewers)

    def _others(self, ruling: Ruling, kind: PhaseKind) -> Iterator[Ruling]:
        """Yield another power's ruling as it is shown, if it is."""
        order, unit = ruling.order, ruling.unit
        if ruling.power in self.viewers or order is None or unit is None or not ruling.given:
            return
        if ruling.result is Result.VOID or not self._is_told(order):
            return
        shown = self._plain(ruling)._replace(given=self.rules.notation.write(order), unit=self._as_seen(unit))
        came_true = ruling.result in (Result.SUCCEEDS, Result.HOLDS)
        yield shown._replace(cause=_by_any_way(ruling.cause)) if came_true else self._failed(shown, order, kind)

    def _plain(self, ruling: Ruling) -> Ruling:
        """Return a ruling without the units, strengths and details that may depend on what is out of sight."""
        victor = ruling.dislodged_by
        by = self._attacker(victor, ruling.unit) if victor else None
        return ruling._replace(by=(), strengths=None, detail="", aspect="", dislodged_by=by)

    def _as_seen(self, unit: Unit) -> Unit:
        """Return a unit with its number in the position as it is seen; a unit that was built has none there."""
        return self._units.get(unit.number, replace(unit, number=0))

    def _attacker(self, victor: Unit, beaten: Unit | None) -> Unit:
        """Return a unit that dislodged another, where it came from or, if that is hidden, where it now is."""
        if victor.at.province in self.seen or beaten is None:
            return self._as_seen(victor)
        return replace(victor, number=0, at=Location(beaten.at.province), aboard=0)

    def _own(self, ruling: Ruling, kind: PhaseKind) -> Ruling:
        """Return a ruling on an order of a viewer's as it is shown (FOG-4.a to FOG-4.c)."""
        order, plain = ruling.order, self._plain(ruling)
        if order is None:
            return plain._replace(unit=self._as_seen(ruling.unit) if ruling.unit else None, detail=ruling.detail)
        if ruling.unit is None or ruling.unit.power != ruling.power:
            return self._stray(plain, kind)
        plain = plain._replace(unit=self._as_seen(ruling.unit))
        if (
            order.verb in (Verb.SUPPORT, Verb.CONVOY)
            and ruling.cause is not SightCause.LATER
            and not self._in_sight(order)
        ):
            return plain._replace(result=Result.HOLDS, cause=SightCause.UNSEEN)
        if ruling.cause in _PLAIN or ruling.result is Result.SUCCEEDS:
            return plain._replace(cause=_by_any_way(ruling.cause), aspect=ruling.aspect)
        return self._failed(plain, order, kind)

    def _failed(self, ruling: Ruling, order: Order, kind: PhaseKind) -> Ruling:
        """Return the ruling shown for an order that did not come off: a step bounces, a convoyed army fails."""
        result, board, unit = ruling.result, self.rules.board, ruling.unit
        moves = kind is PhaseKind.MOVEMENT and order.verb.like is Verb.MOVE
        if moves and unit and order.to and order.to.province in board.index:
            step = board.index[order.to.province] in board.reach(unit.kind, board.location_index[unit.at])
            result = Result.BOUNCES if step else Result.FAILS
        return ruling._replace(result=result, cause=SightCause.STOPPED)

    def _stray(self, ruling: Ruling, kind: PhaseKind) -> Ruling:
        """Return a ruling on an order that matches no unit of its power: it reveals nothing of the place named."""
        order = ruling.order
        out_of_sight = order is not None and order.at is not None and order.at.province not in self.seen
        if ruling.result is Result.VOID and out_of_sight and order is not None and ruling.cause in _STRAY:
            builds = kind is PhaseKind.ADJUSTMENTS and order.verb is Verb.BUILD
            return ruling._replace(cause=Cause.NOT_A_SITE if builds else SightCause.NOT_OWN, unit=None)
        return ruling._replace(unit=self._as_seen(ruling.unit) if ruling.unit else None)


def seen_corrections(
    rules: Rules, corrections: Collection[Correction], viewers: tuple[str, ...]
) -> tuple[Correction, ...]:
    """Return corrections with the boards that these powers saw before; everybody reads the reasons."""
    return tuple(replace(one, position=Viewpoint(rules, one.position, viewers).position) for one in corrections)


def _by_any_way(cause: AnyCause) -> AnyCause:
    """Return the cause of what came true; whether an army came by sea may depend on fleets out of sight."""
    return Cause.CAME if cause is Cause.CAME_BY_SEA else cause


_PLAIN = {
    Cause.HELD, Cause.UNORDERED, Cause.DISORDER, Cause.DISBANDED, Cause.BUILT, Cause.REMOVED, Cause.WAIVED,
    Cause.UNREADABLE, Cause.DEFECT, Cause.OTHER_PHASE, Cause.SECOND, Cause.CONTRADICTED, SightCause.LATER,
    Cause.WRONG_KIND, Cause.WRONG_COAST, Cause.WHICH_COAST, Cause.NOT_ADJACENT, Cause.NOWHERE, Cause.CLOSED,
    Cause.NO_PATH, Cause.NOT_OPEN, Cause.NO_BUILDS, Cause.NO_REMOVALS, Cause.COSTS_NOTHING, Cause.NOT_A_SITE,
    Cause.OCCUPIED, Cause.TAKEN, Cause.NO_WAIVING,
}  # fmt: skip
"""Reasons that a power knows from its own units, its own orders and the board."""
_STRAY = {Cause.NO_UNIT, Cause.FOREIGN, Cause.NOT_A_SITE, Cause.OCCUPIED}
"""Reasons that tell what stands in the place that an order names."""
