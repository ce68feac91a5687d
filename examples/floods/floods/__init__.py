"""Floods: in some seasons the low country lies under water, but for where armies have raised dikes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from gamesmaster.board import Location, Position, Unit
from gamesmaster.engine import HOLD, NOWHERE
from gamesmaster.judge import IndexedPosition, Movement, MovementMechanic, OrderReader, ResolvedOrder
from gamesmaster.mechanics import mechanic
from gamesmaster.orders import AnyVerb, Order, Phrase
from gamesmaster.rules import (
    Ahead,
    AnyCause,
    AnyEvent,
    Cause,
    Event,
    LedgerEntry,
    MechanicResult,
    MechanicState,
    PowerKey,
    ProvinceKey,
    ReportMechanic,
    Result,
    Rules,
    Season,
    Throw,
    Verdict,
    YearMechanic,
    with_state,
)


class FloodCause(AnyCause):
    """Why an order came to nothing."""

    UNDER_WATER = "leads to a place that is under water", "FLD-1.b"
    RAISED = "raises a dike", "FLD-2.a"
    DISTURBED = "is dislodged from its work by {by}", "FLD-2.a"
    NO_HANDS = "is for a fleet, which raises no dikes", "FLD-2.a"
    HIGH_AND_DRY = "is for a place that is never under water", "FLD-2.a"


class FloodEvent(AnyEvent):
    """What a flood brings."""

    FLOODED = "flooded", "FLD-1.a", "{place} is flooded, and {powers} army there is lost."
    HELD = "held", "FLD-2.b", "{powers} dike keeps {place} dry."


class FloodVerb(AnyVerb):
    """What armies do against the water."""

    DIKE = (
        "dike",
        Phrase(
            "dike dikes",
            short="dikes",
            rest="shore",
            bare=True,
            drawn="work",
            key=("raises a dike", "raises no dike"),
            title="Raise a dike",
            says="Raise a dike at {goal}",
        ),
    )


@dataclass(frozen=True)
class FloodsKept(MechanicState):
    """What is kept of floods: where the water stands, whose dikes are raised, and whose keep the water out now."""

    wet: list[ProvinceKey] = field(default_factory=list)
    dikes: dict[ProvinceKey, PowerKey] = field(default_factory=dict)
    holding: dict[ProvinceKey, PowerKey] = field(default_factory=dict)


@mechanic("floods")
@dataclass(frozen=True)
class Floods(MovementMechanic, YearMechanic, ReportMechanic):
    """In each of `seasons` the `lowlands` are under water: armies there are lost, and none can enter.

    An army in a lowland or beside it can raise a dike there, which keeps it dry in the next flood.
    """

    lowlands: tuple[str, ...]
    seasons: tuple[str, ...]

    causes: ClassVar[tuple[AnyCause, ...]] = (*FloodCause,)
    events: ClassVar[tuple[AnyEvent, ...]] = (*FloodEvent,)
    verbs: ClassVar[tuple[AnyVerb, ...]] = (*FloodVerb,)
    kept: ClassVar[Any] = FloodsKept
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"lowlands": "province", "seasons": "season"}
    )

    def phase_begins(
        self, rules: Rules, season: Season, position: Position, throw: Throw
    ) -> tuple[Position, tuple[Event, ...]]:
        """The water comes, or goes; a dike holds for one flood."""
        raised, wet, holding = dikes(position), under_water(position), dikes(position, "holding")
        if not season.goes_by(self.seasons):
            return _kept(position, dikes=raised), ()
        happened: list[Event] = []
        if not wet and not holding:
            wet, holding, raised = tuple(p for p in self.lowlands if p not in raised), raised, {}
            happened = [Event(FloodEvent.HELD, power, province) for province, power in holding.items()]
        drowned = [u for u in position.units if u.at.province in wet and not rules.board.sails(u.kind)]
        happened += [Event(FloodEvent.FLOODED, unit.power, unit.at.province) for unit in drowned]
        left = replace(position, units=tuple(unit for unit in position.units if unit not in drowned))
        return _kept(left, wet=list(wet), dikes=raised, holding=holding), tuple(happened)

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Nobody walks into the water."""
        goal = resolved.order.to.province if resolved.to >= 0 and resolved.order.to and not resolved.order.of else ""
        wet = goal in under_water(field.position) and not field.board.sails(field.kind(row))
        return FloodCause.UNDER_WATER if wet else None

    def resolve_order(self, reader: OrderReader, resolved: ResolvedOrder) -> None:
        """To raise a dike is to stay where one is."""
        order, placement = resolved.order, resolved.placement
        if order.verb is not FloodVerb.DIKE or order.to is None:
            return
        place = reader.board.index.get(order.to.province, NOWHERE)
        resolved.code = HOLD
        if placement.afloat:
            resolved.fault = FloodCause.NO_HANDS
        elif order.to.province not in self.lowlands:
            resolved.fault = FloodCause.HIGH_AND_DRY
        elif place != placement.place and place not in placement.reach:
            resolved.fault = Cause.NOT_ADJACENT
        else:
            resolved.fault = reader.name_fault(order, placement.kind, placement.at)

    def unit_orders(self, field: IndexedPosition, unit: Unit) -> Iterator[Order]:
        """An army may raise a dike in each lowland that it stands in or beside."""
        here = field.reader.placements[unit.kind][unit.at]
        for province in self.lowlands if not here.afloat else ():
            if field.board.index[province] in (here.place, *here.reach):
                yield Order(FloodVerb.DIKE, unit.kind, unit.at, Location(province))

    def after_moves(self, movement: Movement, position: Position) -> MechanicResult:
        """Those who were not dislodged have raised their dikes."""
        bound, field = movement.bound, movement.field
        raised, verdicts = dikes(position), {}
        for number, (key, row) in enumerate(zip(bound.keys(), bound.rows, strict=True)):
            unit, order = field.units[row], bound.chosen[row].order
            if unit is None or number in bound.faults or order.verb is not FloodVerb.DIKE or order.to is None:
                continue
            if victor := movement.beaten.get(row):
                by = tuple(other for other in (field.units[victor],) if other)
                verdicts[key] = Verdict(Result.FAILS, FloodCause.DISTURBED, by)
            else:
                verdicts[key] = Verdict(Result.SUCCEEDS, FloodCause.RAISED)
                raised[order.to.province] = unit.power
        kept = _state(position) | {"dikes": dict(sorted(raised.items()))}
        return MechanicResult(_kept(position, **kept), verdicts)

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[LedgerEntry]:
        """What is under water, and where dikes are raised."""
        for province in under_water(position):
            yield LedgerEntry("Floods", f"{rules.board.province(province).name} is under water", province=province)
        for province, power in (dikes(position) | dikes(position, "holding")).items():
            yield LedgerEntry("Dikes", f"{rules.board.province(province).name} has a dike", power, province)


def under_water(position: Position) -> tuple[str, ...]:
    """The provinces that are under water now."""
    return tuple(_state(position).get("wet", ()))


def dikes(position: Position, which: str = "dikes") -> dict[str, str]:
    """The provinces that have a dike, or one `holding` now, and the powers that raised them."""
    return dict(_state(position).get(which, {}))


def _state(position: Position) -> dict[str, Any]:
    state = position.state.get(Floods.id)
    return dict(state) if isinstance(state, Mapping) else {}


def _kept(position: Position, **parts: Any) -> Position:
    return with_state(position, Floods.id, {name: part for name, part in parts.items() if part} or None)
