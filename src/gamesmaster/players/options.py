"""What a power's units may be ordered in a movement phase, sorted by what it is good for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from gamesmaster.board import Location, Unit
from gamesmaster.orders import Order, Verb
from gamesmaster.players.view import View

MOST_MOVES = 8
"""Goals considered for a unit: the best by worth."""

Key = tuple[int, Location | None]
"""What a support or convoy is for: the unit (by its number among the power's) and its goal, None if it stays."""


@dataclass(slots=True, eq=False)
class Option:
    """One order a unit may be given: the province `into` which it brings the unit, and what being there is worth.

    `helps` is what a support or convoy is for.  `chain` are the fleets, by their numbers, that a voyage needs.
    """

    order: Order
    into: int
    value: float
    moves: bool = False
    supports: bool = False
    helps: Key | None = None
    chain: tuple[int, ...] = ()

    @property
    def goal(self) -> Location | None:
        """Where it takes its unit, None if it stays."""
        return self.order.to if self.moves else None


class Options:
    """The lawful orders of a power's units, as options; units go by their numbers, from 0.

    `values` gives what each location (by number) is worth to a unit of a kind, `here` what each unit's own is.  `at`
    are the units' provinces, `own` the unit in each.  Help for other powers' units is left out, and so are all but the
    best of a unit's many moves.
    """

    def __init__(self, view: View, values: Mapping[str, Sequence[float]]) -> None:
        self.view, self.values, self.board = view, values, view.board
        self.units: tuple[Unit, ...] = view.units
        self.at = [self.board.index[unit.at.province] for unit in self.units]
        self.here = [self._value(unit, unit.at) for unit in self.units]
        self.own = {place: number for number, place in reversed(list(enumerate(self.at)))}
        self.holds: list[Option] = []
        self.moves: list[list[Option]] = []
        self.supports: list[dict[Key, Option]] = []
        self.convoys: list[dict[Key, Option]] = []
        self._afar: list[list[Order]] = []
        self._number = {(unit.kind, unit.at): number for number, unit in enumerate(self.units)}
        for number in range(len(self.units)):
            self._sort(number)
        self.voyages = [list(self._voyages(number)) for number in range(len(self.units))]

    def _value(self, unit: Unit, at: Location) -> float:
        return self.values[unit.kind][self.board.location_index[at]]

    def _sort(self, number: int) -> None:
        unit = self.units[number]
        moves: list[Option] = []
        afar: list[Order] = []
        supports: dict[Key, Option] = {}
        convoys: dict[Key, Option] = {}
        for order in self.view.choices[unit]:
            if order.verb is Verb.MOVE and order.to is not None:
                if order.via:
                    afar.append(order)
                else:
                    into = self.board.index[order.to.province]
                    moves.append(Option(order, into, self._value(unit, order.to), moves=True))
            elif order.of is not None and (order.of_kind, order.of) in self._number:
                key = (self._number[order.of_kind, order.of], order.to)
                gives = order.verb is Verb.SUPPORT
                option = Option(order, self.at[number], self.here[number], supports=gives, helps=key)
                (supports if gives else convoys)[key] = option
        moves.sort(key=lambda option: -option.value)
        self.holds.append(Option(Order(Verb.HOLD, unit.kind, unit.at), self.at[number], self.here[number]))
        self.moves.append(moves[:MOST_MOVES])
        self.supports.append(supports)
        self.convoys.append(convoys)
        self._afar.append(afar)

    def _voyages(self, number: int) -> Iterator[Option]:
        """The moves of a unit to where no step leads and its own side's fleets could carry it."""
        unit = self.units[number]
        near = {order.to.province for order in self.view.choices[unit] if order.to and not (order.via or order.of)}
        for order in self._afar[number]:
            assert order.to is not None
            into = self.board.index[order.to.province]
            fleets = {self.at[f]: f for f, table in enumerate(self.convoys) if (number, order.to) in table}
            if order.to.province not in near and (chain := self._chain(self.at[number], into, fleets)):
                yield Option(order, into, self._value(unit, order.to), moves=True, chain=chain)

    def _chain(self, start: int, goal: int, fleets: Mapping[int, int]) -> tuple[int, ...]:
        """The shortest chain of these fleets (by water) from one shore to the other; () if there is none."""
        shores = self.board.shores
        ways: dict[int, tuple[int, ...]] = {w: (fleets[w],) for w in sorted(fleets) if start in shores[w]}
        ring = list(ways)
        while ring:
            for water in ring:
                if goal in shores[water]:
                    return ways[water]
            ahead = [(w, water) for water in ring for w in sorted(shores[water] & fleets.keys())]
            ring = []
            for water, before in ahead:
                if water not in ways:
                    ways[water] = (*ways[before], fleets[water])
                    ring.append(water)
        return ()
