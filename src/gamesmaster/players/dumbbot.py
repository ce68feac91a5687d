"""DumbBot: the opponent by which Diplomacy programs have measured themselves, after its author's description.

David Norman's program values places by what owns them and what lies around them, sends each unit to one of the best
places it can reach, and lets those that have nothing better to do support.  The formula and its constants are the
published ones; the code is ours.  It knows the regular game: of orders of special mechanics it gives none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random as Chance
from typing import NamedTuple

from gamesmaster.board import Location, Unit
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.players.assessment import ground_of
from gamesmaster.players.player import Bot, View
from gamesmaster.players.simple import choose_adjustments, choose_extras, goal_of, taken_places
from gamesmaster.players.survival import last_before_count

RINGS = 10
"""The number of steps up to which a place counts."""
SPREAD = 5
"""A ring's sum is divided by this: about as many neighbours as a province has, and itself."""
LATER = (100, 1000, 30, 10, 6, 5, 4, 3, 2, 1)
"""The weight of each ring, the place itself first, in a movement after which owners are not yet counted."""
NOW = (1000, 100, 30, 10, 6, 5, 4, 3, 2, 1)
"""The same in one after which they are, and in a Winter."""
ATTACK = {False: 700, True: 600}
"""The weight of another power's centre, by whether owners are counted next."""
DEFENCE = {False: 300, True: 400}
"""The weight of an own centre, by whether owners are counted next."""
STRENGTH = COMPETITION = WINTER_DEFENCE = 1000
"""The weights of each own unit in reach, of each unit of the strongest rival, and of a threat in Winter."""
ALTERNATIVE, DIFFERENCE = 50, 500
"""How often, of 100, the next best place is considered, and how much it suffers from being worse."""


class DumbBot(Bot):
    """Plays as David Norman's DumbBot does: no memory, no talk, no guess at what others order."""

    name = "dumbbot"

    def orders(self, view: View) -> list[Order]:
        """Return orders for everything that is due."""
        chance = view.chance()
        places = _values(view)
        if view.phase.kind is PhaseKind.MOVEMENT:
            orders = _Movement(view, places, chance).orders()
        elif view.phase.kind is PhaseKind.RETREATS:
            orders = _retreats(view, places, chance)
        else:
            orders = _winter(view, places)
        return [*orders, *choose_extras(view.extras, chance.choice)]


class _Values(NamedTuple):
    """The values of places: `near` by kind of unit and location, `strength` and `competition` by province."""

    near: dict[str, list[float]]
    strength: list[int]
    competition: list[int]
    defence: list[int]

    def of_move(self, kind: str, location: int, place: int) -> float:
        """Return the value of a move to a location, or of staying there."""
        help_, rival = self.strength[place], self.competition[place]
        return self.near[kind][location] + STRENGTH * help_ - COMPETITION * rival

    def of_winter(self, kind: str, location: int, place: int) -> float:
        """Return the value of having a unit there after a Winter."""
        return self.near[kind][location] + WINTER_DEFENCE * self.defence[place]


def _size(centres: int) -> int:
    """Return the weight of a power with this number of centres."""
    return centres**2 + 4 * centres + 16


def _values(view: View) -> _Values:
    board, owners = view.board, view.position.owners
    held: dict[str, int] = {}
    for owner in owners.values():
        held[owner] = held.get(owner, 0) + 1
    ground = ground_of(view.legal, view.disorder)
    number = view.rules.numbers[view.power]
    now = view.phase.kind is not PhaseKind.MOVEMENT or last_before_count(view.variant.calendar, view.phase)
    attack, defence = [0] * len(board.provinces), [0] * len(board.provinces)
    for place, province in enumerate(board.provinces):
        if not province.centre:
            continue
        owner = owners.get(province.id, "")
        if owner == view.power:
            defence[place] = max((_size(held.get(power, 0)) for power in ground.foes(place, number)), default=0)
        else:
            attack[place] = _size(held.get(owner, 0))
    first = [ATTACK[now] * a + DEFENCE[now] * d for a, d in zip(attack, defence, strict=True)]
    return _Values(
        near={kind: _near(view, kind, first, NOW if now else LATER) for kind in board.kinds},
        strength=ground.strength(number),
        competition=ground.strongest(number),
        defence=defence,
    )


def _near(view: View, kind: str, first: Sequence[float], weights: Sequence[int]) -> list[float]:
    """Return the value of each location to a unit of a kind, ring by ring: each from its neighbours' ring before."""
    board = view.board
    ring = [float(first[place]) for place in board.place]
    worth = [weights[0] * value for value in ring]
    for weight in weights[1:RINGS]:
        ring = [
            (ring[at] + sum(max(ring[end] for end in ends) for ends in board.reach(kind, at).values())) / SPREAD
            for at in range(len(ring))
        ]
        worth = [whole + weight * value for whole, value in zip(worth, ring, strict=True)]
    return worth


def _pick(choices: Sequence[tuple[float, Order]], chance: Chance) -> int:
    """Return the index of one of the best of sorted choices: mostly the first, or the next."""
    best, number = choices[0][0], 0
    while number + 1 < len(choices):
        behind = (best - choices[number + 1][0]) * DIFFERENCE / best if best > 0 else 0
        if chance.randrange(100) >= ALTERNATIVE or chance.randrange(100) < behind:
            break
        number += 1
    return number


def _retreats(view: View, values: _Values, chance: Chance) -> list[Order]:
    """Return the best place that is left for each dislodged unit, or disbandment."""
    at = view.board.location_index
    orders: list[Order] = []
    for unit, choices in view.choices.items():
        taken = taken_places(view, orders)
        ways = sorted(
            ((values.of_move(view.board.base(unit.kind), at[o.to], view.board.index[o.to.province]), o)
             for o in choices if o.to is not None and o.to.province not in taken),
            key=lambda way: -way[0],
        )  # fmt: skip
        orders.append(ways[_pick(ways, chance)][1] if ways else Order(Verb.DISBAND, unit.kind, unit.at))
    return orders


def _winter(view: View, values: _Values) -> list[Order]:
    """Return builds where units are worth most, or removals of the units that are worth least."""
    board = view.board

    def worth(kind: str, location: Location) -> float:
        return values.of_winter(board.base(kind), board.location_index[location], board.index[location.province])

    def removal(order: Order) -> float:
        assert order.at is not None
        return worth(order.kind, order.at)

    return choose_adjustments(
        view,
        lambda units, _: max(units, key=lambda unit: worth(unit.kind, unit.at)),
        lambda orders, _: min(orders, key=removal),
    )


@dataclass
class _Movement:
    """The orders of one movement, unit by unit: `given` are those settled, `wish` the places a unit would go to."""

    view: View
    values: _Values
    chance: Chance
    given: dict[Unit, Order] = field(default_factory=dict)
    wish: dict[Unit, list[tuple[float, Order]]] = field(default_factory=dict)
    pending: set[Unit] = field(default_factory=set)

    def orders(self) -> list[Order]:
        units = [unit for unit in self.view.choices if self._stays(unit) is not None]
        self.chance.shuffle(units)
        for unit in units:
            self.wish[unit] = self._wishes(unit)
        for unit in units:
            self._settle(unit)
        for unit in units:
            if self.given[unit].verb is Verb.HOLD:
                self.given[unit] = self._useful(unit)
        return list(self.given.values())

    def _stays(self, unit: Unit) -> Order | None:
        return next((o for o in self.view.choices[unit] if o.verb is Verb.HOLD), None)

    def _wishes(self, unit: Unit) -> list[tuple[float, Order]]:
        """Return the steps open to the unit, and staying, with their values, the best first."""
        board, kind = self.view.board, self.view.board.base(unit.kind)
        stays = self._stays(unit)
        assert stays is not None
        steps = [o for o in self.view.choices[unit] if o.verb is Verb.MOVE and not o.via and self._is_step(unit, o)]
        ways = [
            (self.values.of_move(kind, board.location_index[place], board.index[place.province]), order)
            for order in (stays, *steps)
            for place in (order.to or unit.at,)
        ]
        return sorted(ways, key=lambda way: -way[0])

    def _is_step(self, unit: Unit, order: Order) -> bool:
        assert order.to is not None
        reach = self.view.board.reach(unit.kind, self.view.board.location_index[unit.at])
        return self.view.board.index[order.to.province] in reach

    def _settle(self, unit: Unit) -> None:
        """Give the unit an order, after ordering the units in places where it would go."""
        self.pending.add(unit)
        while unit not in self.given:
            ways = self.wish[unit]
            number = _pick(ways, self.chance)
            order = self._order(unit, ways[number][1])
            if order is not None:
                self.given[unit] = order
            elif len(ways) > 1:
                del ways[number]
            else:
                self.given[unit] = self._stays(unit) or ways[0][1]
        self.pending.discard(unit)

    def _order(self, unit: Unit, order: Order) -> Order | None:
        """Return the wanted order, or a support of the own unit already there; None to choose another place."""
        if order.to is None:
            return order
        place = order.to.province
        rival = self.values.competition[self.view.board.index[place]]
        there = next((u for u in self.wish if u is not unit and u.at.province == place and not u.aboard), None)
        if there is not None:
            if there not in self.given and there not in self.pending:
                self._settle(there)
            if there in self.given and goal_of(self.given[there]) is None:
                return self._support(unit, there) if rival > 1 else None
        coming = next((u for u, o in self.given.items() if (goal := goal_of(o)) and goal.province == place), None)
        if coming is not None:
            return self._support(unit, coming) if rival > 0 else None
        return order

    def _useful(self, unit: Unit) -> Order:
        """Return a support instead of a hold, for the own unit whose place needs it most."""
        best, chosen = 0, self.given[unit]
        for other, order in self.given.items():
            place = (goal_of(order) or other.at).province
            need = self.values.competition[self.view.board.index[place]]
            if other is unit or need <= best or (goal_of(order) is None and need < 1):
                continue
            if support := self._support(unit, other):
                best, chosen = need, support
        return chosen

    def _support(self, unit: Unit, other: Unit) -> Order | None:
        """Return the legal support for what another own unit does, None without one."""
        goal = goal_of(self.given[other])
        for order in self.view.choices[unit]:
            if order.verb is Verb.SUPPORT and order.of == other.at and order.of_kind == other.kind:
                to = order.to
                if (to is None) == (goal is None) and (to is None or goal is None or to.province == goal.province):
                    return order
        return None
