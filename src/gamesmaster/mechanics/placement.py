"""Free placement: the first orders of the game put the first units anywhere within a power's home borders.

The game begins with a phase of adjustments.  In it a power may place as many units as it owns centres, of any kind, in
any of its home provinces, with a centre or without; what it does not place it may build later by the ordinary rule
(TAD-5).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from gamesmaster.board import Position
from gamesmaster.judge import Rules, Sites, with_state
from gamesmaster.judge.mechanic import Mechanic


@dataclass(frozen=True)
class FreePlacement(Mechanic):
    """In the first adjustments a power builds anywhere in its home provinces (TAD-5.d); afterwards as usual."""

    id: ClassVar[str] = "free-placement"

    def start(self, rules: Rules, position: Position) -> Position:
        """Placement is open until the first adjustments are over."""
        return with_state(position, self.id, True)

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """All empty home provinces, for every kind of unit that can lie there."""
        if not position.state.get(self.id):
            return regular
        full = {unit.at.province for unit in position.units}
        own = set(rules.home_provinces.get(power, ()))
        return {p.id: frozenset(rules.board.ways) for p in rules.board.provinces if p.id in own - full}

    def wintered(self, rules: Rules, before: Position, position: Position) -> Position:
        """The freedom belongs to the first adjustments only (TAD-5.i)."""
        return with_state(position, self.id, None)
