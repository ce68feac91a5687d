"""Extinction: a power that owns no centre at a count is out, and its units with it (TAD-8.i)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from gamesmaster.board import Position
from gamesmaster.judge import AnyEvent, Event, Rules, YearMechanic
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
