"""Who goes first when a power must remove units and does not say which (IND-0.h, SCO-1.e, CNW-0)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Literal

from gamesmaster.board import Position, Unit
from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import BoardMechanic, Rules, WinterMechanic
from gamesmaster.judge.pairs import cargo_of, carrier_of
from gamesmaster.judge.removals import sailing
from gamesmaster.mechanics.designated_homes import homes_named
from gamesmaster.mechanics.registry import mechanic


@mechanic("removal-order")
@dataclass(frozen=True)
class RemovalOrder(BoardMechanic, WinterMechanic):
    """The units farthest from home go first: from their power's home centres, those it has named, and its `places`.

    Whose those centres are now does not matter.  `measure` counts steps over all `borders`, whoever could take them, or
    the `moves` of that kind of unit: fleets by water and shore, others over land and water together.  Of units equally
    far those `afloat` go first and then the first on the board, or those of the first `kind`: fleets, laden fleets,
    armies, and then by the full name of the place.
    """

    measure: Literal["borders", "moves"] = "borders"
    ties: Literal["afloat", "kind"] = "afloat"
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    names: ClassVar[Mapping[str, Literal["power", "province", "kind", "season"]]] = MappingProxyType(
        {"places": "power"}
    )

    def start(self, rules: Rules, position: Position) -> Position:
        """See that every place is one."""
        for place in (place for places in self.places.values() for place in places):
            if place not in rules.board.index:
                raise BadFile(f"no province {place[:40]!r}", where=self.id, hint=nearest(place, rules.board.index))
        return position

    def removal_order(self, rules: Rules, position: Position, power: str) -> Sequence[Unit]:
        """A power's units, the first to go first; who is aboard is as far as the carrier."""
        board, units = rules.board, position.of(power)
        named = (home.province for home in homes_named(position, power))
        goals = {board.index[p] for p in (*rules.homes.get(power, ()), *self.places.get(power, ()), *named)}
        near, far = board.distances(goals), len(board.provinces)
        distance = {}
        for unit in units:
            sea = carrier_of(units, unit) or unit
            if self.measure == "moves" and board.sails(sea.kind):
                distance[unit.number] = sailing(board, sea.kind, sea.at, goals, far)
            else:
                distance[unit.number] = near.get(board.index[unit.at.province], far)
        tied = self._afloat if self.ties == "afloat" else self._by_kind
        return sorted(units, key=lambda unit: (-distance[unit.number], *tied(rules, units, unit)))

    def _afloat(self, rules: Rules, units: Sequence[Unit], unit: Unit) -> tuple[int, int, str]:
        """At sea before ashore, and then as the board has the places."""
        ashore = rules.board.province(unit.at.province).land
        return int(ashore), rules.board.index[unit.at.province], ""

    def _by_kind(self, rules: Rules, units: Sequence[Unit], unit: Unit) -> tuple[int, int, str]:
        """Fleets, laden fleets, armies, and then by name (CNW-0)."""
        laden = bool(cargo_of(units, unit) or carrier_of(units, unit))
        rank = 1 if laden else 0 if rules.board.sails(unit.kind) else 2
        return rank, 0, rules.board.province(unit.at.province).name
