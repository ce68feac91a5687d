"""Standing neutral armies: units of nobody that hold their places until they are beaten, and are then gone.

They fight as any unit that holds: they may be supported in place by anybody, they cut nothing and move nowhere, and
their centre cannot be taken before they are dislodged (CNW-10, IND-4).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from gamesmaster.board import Location, Position, Unit
from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import Happening, Rules
from gamesmaster.judge.mechanic import Mechanic


@dataclass(frozen=True)
class StandingArmies(Mechanic):
    """Units of `power`, which nobody plays, stand at the start; a dislodged one is removed and never rebuilt."""

    units: tuple[str, ...]
    power: str = "Neutral"

    id: ClassVar[str] = "standing-armies"

    def start(self, rules: Rules, position: Position) -> Position:
        """Add the units, numbered behind those of the powers."""
        number = max((unit.number for unit in position.units), default=0)
        added = [self._unit(rules, number + n, text) for n, text in enumerate(self.units, 1)]
        return replace(position, units=(*position.units, *added))

    def _unit(self, rules: Rules, number: int, text: str) -> Unit:
        kind, _, where = text.partition(" ")
        at = Location.of(where)
        if kind not in rules.board.ways or at not in rules.board.location_index:
            places = [f"{known} {place}" for known in rules.board.ways for place in rules.board.locations]
            raise BadFile(f"no unit can stand as {text[:40]!r}", where=self.id, hint=nearest(text, places))
        return Unit(number, kind, self.power, at)

    def looks(self, rules: Rules, position: Position) -> Mapping[int, str]:
        """They look like what they are."""
        return {unit.number: "standing-army" for unit in position.units if unit.power == self.power}

    def moved(self, rules: Rules, position: Position) -> tuple[Position, tuple[Happening, ...]]:
        """A beaten one is removed (CNW-10.b)."""
        gone = [d for d in position.dislodged if d.unit.power == self.power]
        left = tuple(d for d in position.dislodged if d.unit.power != self.power)
        happened = tuple(Happening("dispersed", self.power, d.unit.at.province) for d in gone)
        return (replace(position, dislodged=left), happened) if gone else (position, ())
