"""Players to measure others by: one that does nothing, one that does anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random as Chance

from gamesmaster.board import Location, Terrain, Unit
from gamesmaster.judge.supply import accounts
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.players.player import Bot
from gamesmaster.players.view import View

Drawn = dict[Unit, Order]
"""An order for each unit."""


class Holder(Bot):
    """Lets every unit hold, disbands what is dislodged, builds nothing, and leaves removals to the rules."""

    name = "holder"

    def orders(self, view: View) -> list[Order]:
        """Hold orders, or none."""
        if view.phase.kind is not PhaseKind.MOVEMENT:
            return []
        return [Order(Verb.HOLD, unit.kind, unit.at) for unit in view.units]


class Random(Bot):
    """Draws from the lawful orders, all equally likely.

    Of a hundred supports and convoys of its own units that would match nothing, `matching` are drawn again so that they
    do.  Its own units do not retreat to the same place, and it builds all that it may.
    """

    name = "random"

    def __init__(self, matching: int = 50) -> None:
        self.matching = matching

    def orders(self, view: View) -> list[Order]:
        """Lawful orders for all that is asked."""
        chance = view.chance()
        if view.phase.kind is PhaseKind.MOVEMENT:
            drawn = {unit: chance.choice(choices) for unit, choices in view.choices.items()}
            return list(self._matched(view, drawn, chance).values())
        if view.phase.kind is PhaseKind.RETREATS:
            return _retreats(view, chance)
        winter = [order for order in view.winter for _ in range(room(view, order))]
        return apart(view, chance.sample(winter, len(winter)), abs(view.due))

    def _matched(self, view: View, drawn: Drawn, chance: Chance) -> Drawn:
        """The orders, with a share of those that match nothing drawn again.

        First it is settled who moves; then the others are given what fits that.
        """
        loose = [unit for unit in drawn if not _fits(drawn, drawn[unit]) and chance.randrange(100) < self.matching]
        for unit in loose:
            if not _fitting(view, drawn, unit):
                drawn[unit] = chance.choice([o for o in view.choices[unit] if o.of is None])
        for unit in loose:
            if drawn[unit].of is not None:
                hold = Order(Verb.HOLD, unit.kind, unit.at)
                drawn[unit] = chance.choice(_fitting(view, drawn, unit) or [hold])
        return drawn


def _fitting(view: View, drawn: Drawn, unit: Unit) -> list[Order]:
    """The supports and convoys of a unit that match an own unit's order."""
    return [o for o in view.choices[unit] if o.of is not None and _helped(drawn, o) and _fits(drawn, o)]


def _fits(drawn: Drawn, order: Order) -> bool:
    """Does an order match those of the power's own units?  One that helps nobody, or a foreign unit, always does."""
    return all(goal_of(drawn[unit]) == order.to for unit in _helped(drawn, order))


def _helped(drawn: Drawn, order: Order) -> list[Unit]:
    return [unit for unit in drawn if unit.at == order.of and unit.kind == order.of_kind]


def goal_of(order: Order) -> Location | None:
    """Where an order would take its unit, None if it stays: what a support for it must name."""
    return order.to if order.verb is Verb.MOVE else None


def _retreats(view: View, chance: Chance) -> list[Order]:
    """A retreat for each dislodged unit, to places apart from each other as long as there are some."""
    orders: list[Order] = []
    for choices in view.choices.values():
        taken = {order.to.province for order in orders if order.to}
        orders.append(chance.choice([o for o in choices if o.to is None or o.to.province not in taken]))
    return orders


def apart(view: View, orders: Sequence[Order], most: int) -> list[Order]:
    """The first orders of a winter, no more than so many nor than a place has room for; waives only if all are."""
    chosen: list[Order] = []
    used: Counter[str] = Counter()
    for order in orders:
        if order.at is not None and len(chosen) < most and used[order.at.province] < room(view, order):
            used[order.at.province] += 1
            chosen.append(order)
    return chosen


def room(view: View, order: Order) -> int:
    """How often a winter's order may be given: in a box several units are built, or several lie that may be removed."""
    if order.at is None or view.board.province(order.at.province).terrain is not Terrain.BOX:
        return 1
    if order.verb is Verb.BUILD:
        return accounts(view.rules, view.position)[view.power].room(order.at.province)
    return sum(unit.at.province == order.at.province for unit in view.position.of(view.power))
