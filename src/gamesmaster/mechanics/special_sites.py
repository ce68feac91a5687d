"""Special build centres: places outside its home where a power may build, some kinds of unit only (TAD-4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from gamesmaster.board import Position
from gamesmaster.judge import Rules, Sites
from gamesmaster.judge.mechanic import Mechanic


@dataclass(frozen=True)
class SpecialSites(Mechanic):
    """`power` may build in each of `places` (province to kinds of unit, none for all) that it owns, if empty."""

    power: str
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    id: ClassVar[str] = "special-sites"
    several: ClassVar[bool] = True
    names = MappingProxyType({"power": "power", "places": "province"})

    def sites(self, rules: Rules, position: Position, power: str, regular: Sites) -> Sites:
        """The regular ones, and these behind them."""
        if power != self.power:
            return regular
        full = {unit.at.province for unit in position.units}
        open_now = {
            province: frozenset(kinds or rules.board.ways) | regular.get(province, frozenset())
            for province, kinds in self.places.items()
            if position.owners.get(province) == power and province not in full
        }
        return {**regular, **open_now}
