"""Removals by default: a power's units farthest from its homes go first.

IND-0.h, SCO-1.e, CNW-0.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from types import MappingProxyType
from typing import ClassVar, Literal, NamedTuple

from gamesmaster.board import Board, Location, Position, Unit
from gamesmaster.engine import row_of
from gamesmaster.errors import BadFile, nearest
from gamesmaster.judge import carrier_of, farthest_first, sailing, voyages
from gamesmaster.mechanics.homes.naming import DesignatedHomes, find_homes
from gamesmaster.mechanics.registry import mechanic
from gamesmaster.rules import BoardMechanic, ColumnMechanic, Columns, ParameterNames, Rules, Standing, WinterMechanic


@mechanic("removal-order")
@dataclass(frozen=True)
class RemovalOrder(BoardMechanic, WinterMechanic, ColumnMechanic):
    """The units farthest from home go first, measured from the power's home centres, named homes, and its `places`.

    The present owner of those centres does not matter. `measure` counts steps over all `borders`, passable or not, or
    the `moves` of that kind of unit: fleets by water and shore, others over land and water together. Of units equally
    far, `afloat` removes those afloat first and then the first on the board; `kind` removes fleets, loaded fleets, then
    armies, each by the full name of the place.
    """

    measure: Literal["borders", "moves"] = "borders"
    ties: Literal["afloat", "kind"] = "afloat"
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    names: ClassVar[ParameterNames] = MappingProxyType({"places": "power"})

    def start(self, rules: Rules, position: Position) -> Position:
        """See that every place is one."""
        for place in (place for places in self.places.values() for place in places):
            if place not in rules.board.index:
                raise BadFile(f"no province {place[:40]!r}", where=self.id, hint=nearest(place, rules.board.index))
        return position

    def removal_order(self, rules: Rules, position: Position, power: str) -> Sequence[Unit]:
        """Return a power's units in the order of their removal; a unit aboard counts as its carrier."""
        board, units = rules.board, position.of(power)
        named = (home.province for home in find_homes(position, power))
        goals = {board.index[p] for p in (*rules.homes.get(power, ()), *self.places.get(power, ()), *named)}
        near, distance = board.distances(goals), {}
        for unit in units:
            sea = carrier_of(units, unit) or unit
            distance[unit.number] = self._distance(board, sea.kind, sea.at, goals, near)
        return farthest_first(self._in_ties(rules, units), distance)

    def _distance(
        self,
        board: Board,
        kind: str,
        at: Location,
        goals: Collection[int],
        near: Mapping[int, int],
        measured: Callable[[str, Location], Mapping[int, int]] | None = None,
    ) -> int:
        """Return the distance of a unit at this place from its goals.

        `near` maps provinces to the number of borders between them and the goals; `measured` caches voyages.
        """
        far = len(board.provinces)
        if self.measure == "moves" and board.sails(kind):
            return sailing(board, kind, at, goals, far, measured)
        return near.get(board.index[at.province], far)

    # -- in columns --------------------------------------------------------------------------------------------------

    def columns(self, rules: Rules) -> Columns:
        """Return the columns: distances by stance if homes never change, else the rule that measures them."""
        homes = next((mechanic for mechanic in rules.mechanics if isinstance(mechanic, DesignatedHomes)), None)
        if homes is None:
            return Columns()
        ties = partial(self._in_ties, rules)
        return Columns(reads=homes.id, before_winter=measure_away, ties=ties, table=self._away(rules, homes))

    def _in_ties(self, rules: Rules, units: Sequence[Unit]) -> Sequence[Unit]:
        tied = self._afloat if self.ties == "afloat" else self._by_kind
        return sorted(units, key=lambda unit: tied(rules, units, unit))

    def _away(self, rules: Rules, homes: DesignatedHomes) -> Away:
        board, naming = rules.board, homes.naming(rules)
        size, measured = len(board.provinces), cache(partial(voyages, board))

        def distances(goals: Collection[int]) -> list[int]:
            """Return the distance of a unit from its goals, by stance."""
            near, places = board.distances(goals), board.locations
            return [self._distance(board, kind, at, goals, near, measured) for kind in board.ways for at in places]

        fixed = [0] * (len(board.ways) * len(board.locations))
        for power in rules.powers:
            fixed += distances({board.index[p] for p in (*rules.homes.get(power, ()), *self.places.get(power, ()))})
        rows = sorted({n % size for n, may in enumerate(naming.name) if may})
        named = [far for place in rows for far in distances({place})]
        return Away(fixed, naming.first, [rows.index(place) if place in rows else -1 for place in range(size)], named)

    def _afloat(self, rules: Rules, units: Sequence[Unit], unit: Unit) -> tuple[int, int, str]:
        """Return a key that sorts units at sea before those ashore, each by the order of the board's places."""
        ashore = rules.board.province(unit.at.province).land
        return int(ashore), rules.board.index[unit.at.province], ""

    def _by_kind(self, rules: Rules, units: Sequence[Unit], unit: Unit) -> tuple[int, int, str]:
        """Return a key that sorts fleets, loaded fleets, armies, and each of these by name (CNW-0)."""
        laden = bool(rules.board.cargo(unit.kind) or carrier_of(units, unit))
        rank = 1 if laden else 0 if rules.board.sails(unit.kind) else 2
        return rank, 0, rules.board.province(unit.at.province).name


class Away(NamedTuple):
    """Distances from home."""

    fixed: Sequence[int]  # by power and stance: from its constant homes
    first: Sequence[int]  # that of `Naming`
    row: Sequence[int]  # by province: the index of the named home, -1 for none
    named: Sequence[int]  # by named home and stance


def measure_away(t: Away, now: Standing) -> None:
    """Set the distance of each unit from its power's homes, named ones included; one aboard counts as its carrier."""
    stances = len(t.fixed) // len(now.powers.centres)
    for r in range(1, now.n + 1):
        power, carrier = (
            now.units.owner[r],
            row_of(now.n, now.units.number, now.units.aboard[r]) if now.units.aboard[r] else 0,
        )
        stance = now.units.stance[carrier if carrier else r]
        far = t.fixed[power * stances + stance]
        for slot in range(t.first[power], t.first[power + 1]):
            place = now.kept[1 + 2 * slot] - 1
            if place >= 0:
                far = min(far, t.named[t.row[place] * stances + stance])
        now.units.far[r] = far
