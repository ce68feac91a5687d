"""Special build centres: places outside its home where a power may build, some kinds of unit only (TAD-4, SCO-4.b)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from gamesmaster.board import Position
from gamesmaster.judge import Rules, Sites
from gamesmaster.judge.mechanic import Mechanic
from gamesmaster.judge.supply import occupied


@dataclass(frozen=True)
class SpecialSites(Mechanic):
    """`power` may build in each of `places` (province to kinds of unit, none for all), if it is empty.

    A supply centre among them must be its own; seas and other places that nobody owns need no owner (SCO-4.b).
    """

    power: str
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    id: ClassVar[str] = "special-sites"
    several: ClassVar[bool] = True
    names = MappingProxyType({"power": "power", "places": "province"})

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """The regular ones, and these behind them."""
        if power != self.power:
            return regular
        board, full = rules.board, occupied(rules.board, position)
        open_now = {
            province: frozenset(kinds or board.kinds) | regular.get(province, frozenset())
            for province, kinds in self.places.items()
            if province not in full and (position.owners.get(province) == power or not board.province(province).centre)
        }
        return {**regular, **open_now}
