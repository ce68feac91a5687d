"""Downfall: a power that has lost its seat is out at once, whatever else it owns (SCO-16)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import ClassVar, Literal

from gamesmaster.board import Position
from gamesmaster.judge import AnyEvent, Event, Rules, YearMechanic
from gamesmaster.mechanics.losses import lost
from gamesmaster.mechanics.registry import mechanic


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
        return lost(rules.board, replace(position, owners=owners), units), (Event(DownfallEvent.FALLEN, self.power),)
