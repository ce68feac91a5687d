"""Floods: in some seasons the low country lies under water."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, ClassVar, Literal

from gamesmaster.board import Position
from gamesmaster.judge import (
    Ahead,
    AnyCause,
    AnyEvent,
    Entry,
    Event,
    MovementMechanic,
    ReportMechanic,
    Rules,
    Season,
    YearMechanic,
    with_state,
)
from gamesmaster.judge.engine.indexed import IndexedPosition
from gamesmaster.judge.engine.resolution import ResolvedOrder
from gamesmaster.judge.state import Province
from gamesmaster.judge.values import Throw
from gamesmaster.mechanics import mechanic


class FloodCause(AnyCause):
    """Why an order came to nothing."""

    UNDER_WATER = "leads to a place that is under water", "FLD-1.b"


class FloodEvent(AnyEvent):
    """What a flood brings."""

    FLOODED = "flooded", "FLD-1.a", "{place} is flooded, and {powers} army there is lost."


@mechanic("floods")
@dataclass(frozen=True)
class Floods(MovementMechanic, YearMechanic, ReportMechanic):
    """In each of `seasons` the `lowlands` are under water: armies there are lost, and none can enter."""

    lowlands: tuple[str, ...]
    seasons: tuple[str, ...]

    causes: ClassVar[tuple[AnyCause, ...]] = (*FloodCause,)
    events: ClassVar[tuple[AnyEvent, ...]] = (*FloodEvent,)
    kept: ClassVar[Any] = list[Province]
    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"lowlands": "province", "seasons": "season"}
    )

    def phase_begins(
        self, rules: Rules, season: Season, position: Position, throw: Throw
    ) -> tuple[Position, tuple[Event, ...]]:
        """The water comes, or goes."""
        if not season.called(self.seasons):
            return with_state(position, self.id, None), ()
        drowned = [u for u in position.units if u.at.province in self.lowlands and not rules.board.sails(u.kind)]
        left = tuple(unit for unit in position.units if unit not in drowned)
        flooded = with_state(replace(position, units=left), self.id, list(self.lowlands))
        return flooded, tuple(Event(FloodEvent.FLOODED, unit.power, unit.at.province) for unit in drowned)

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Nobody walks into the water."""
        goal = resolved.order.to.province if resolved.to >= 0 and resolved.order.to and not resolved.order.of else ""
        wet = goal in under_water(field.position) and not field.board.sails(field.kind(row))
        return FloodCause.UNDER_WATER if wet else None

    def report_lines(self, rules: Rules, position: Position, ahead: Ahead) -> Iterator[Entry]:
        """What is under water."""
        for province in under_water(position):
            yield Entry("Floods", f"{rules.board.province(province).name} is under water", province=province)


def under_water(position: Position) -> tuple[str, ...]:
    """The provinces that are under water now."""
    state = position.state.get(Floods.id)
    return tuple(state) if isinstance(state, list | tuple) else ()
