"""Extinction: a power that owns no centre at a count is out, and its units with it (TAD-8.i)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from gamesmaster.board import Position
from gamesmaster.judge import Happening, Rules
from gamesmaster.judge.mechanic import Mechanic


@dataclass(frozen=True)
class Extinction(Mechanic):
    """At a count, powers that own no supply centre lose their units, which in the regular game they would keep."""

    id: ClassVar[str] = "extinction"

    def count(self, rules: Rules, position: Position) -> tuple[Position, tuple[Happening, ...]]:
        """Remove the units of powers without a centre."""
        owners = {position.owners.get(centre) for centre in rules.board.centres}
        gone = [p for p in rules.powers if p not in owners and position.of(p)]
        if not gone:
            return position, ()
        units = tuple(unit for unit in position.units if unit.power not in gone)
        return replace(position, units=units), tuple(Happening("swept", power) for power in gone)
