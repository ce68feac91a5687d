"""Players to measure others by: one that does nothing, one that does anything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random as Chance

from gamesmaster.board import Location, Terrain, Unit
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.players.company import Partner, partners, takes_two
from gamesmaster.players.player import Bot
from gamesmaster.players.view import View
from gamesmaster.players.winter import adjusted

Drawn = dict[Unit, Order | None]
"""An order for each unit, or none for one that another's order speaks for."""


class Holder(Bot):
    """Lets every unit hold, disbands what is dislodged, builds nothing, and leaves removals to the rules."""

    name = "holder"

    def orders(self, view: View) -> list[Order]:
        """Hold orders, or none."""
        if view.phase.kind is not PhaseKind.MOVEMENT:
            return []
        return [Order(Verb.HOLD, unit.kind, unit.at) for unit in view.units if not unit.aboard]


class Random(Bot):
    """Draws from the lawful orders, all equally likely.

    Of a hundred supports and convoys of its own units that would match nothing, `matching` are drawn again so that they
    do; what takes two units is ordered for both.  Now and then (`riding` of a hundred times) a unit does beside its
    order what may be done so.  Its own units do not retreat to the same place, and it builds all that it may.
    """

    name = "random"

    def __init__(self, matching: int = 50, riding: int = 10) -> None:
        self.matching, self.riding = matching, riding

    def orders(self, view: View) -> list[Order]:
        """Lawful orders for all that is asked."""
        chance = view.chance()
        return [*self._regular(view, chance), *decided(view.extras, chance.choice)]

    def _regular(self, view: View, chance: Chance) -> list[Order]:
        if view.phase.kind is PhaseKind.ADJUSTMENTS:
            return adjusted(view, lambda units, *_: chance.choice(units), lambda orders, _: chance.choice(orders))
        if view.phase.kind is PhaseKind.RETREATS:
            return _retreats(view, chance)
        drawn, bound = _drawn(view, chance)
        self._match(view, drawn, bound, chance)
        riders = [o for choices in view.choices.values() for o in self._beside(choices, chance)]
        return [*filter(None, drawn.values()), *riders]

    def _beside(self, choices: Sequence[Order], chance: Chance) -> list[Order]:
        """What a unit does beside its order, now and then."""
        offered = riders(choices)
        return [chance.choice(offered)] if offered and chance.randrange(100) < self.riding else []

    def _match(self, view: View, drawn: Drawn, bound: set[Unit], chance: Chance) -> None:
        """Draw a share of the orders that match nothing again.

        First it is settled who moves; then the others are given what fits that.
        """
        loose = [
            unit
            for unit, order in drawn.items()
            if unit not in bound and order and not _fits(drawn, order) and chance.randrange(100) < self.matching
        ]
        for unit in loose:
            if not _fitting(view, drawn, unit):
                drawn[unit] = chance.choice([o for o in _alone(view, unit) if o.of is None])
        for unit in loose:
            if (order := drawn[unit]) and order.of is not None:
                hold = Order(Verb.HOLD, unit.kind, unit.at)
                drawn[unit] = chance.choice(_fitting(view, drawn, unit) or [hold])


def riders(choices: Iterable[Order]) -> list[Order]:
    """Those among a unit's lawful orders that are carried out beside another one."""
    return [order for order in choices if order.verb is Verb.DESTROY]


def _alone(view: View, unit: Unit) -> list[Order]:
    """Those among a unit's lawful orders that take no other unit and stand by themselves."""
    return [o for o in view.choices[unit] if o.verb is not Verb.DESTROY and not takes_two(unit, o)]


def _drawn(view: View, chance: Chance) -> tuple[Drawn, set[Unit]]:
    """An order for each unit, and the units whose orders hang on each other's."""
    drawn: Drawn = {}
    bound: set[Unit] = set()
    for unit, choices in view.choices.items():
        if unit in bound:
            continue
        order: Order | None = chance.choice([o for o in choices if o.verb is not Verb.DESTROY])
        if order and takes_two(unit, order):
            company = [p for p in partners(view.board, view.choices, unit, order) if p.unit not in bound and p.orders]
            if company:
                bound.update((unit, _joined(chance.choice(company), drawn, chance)))
            else:
                order = chance.choice(_alone(view, unit) or [None])
        drawn[unit] = order
    return drawn, bound


def _joined(partner: Partner, drawn: Drawn, chance: Chance) -> Unit:
    """Give a partner an order that fits, if it has none yet that does."""
    if partner.unit not in drawn or drawn[partner.unit] not in partner.orders:
        drawn[partner.unit] = chance.choice(partner.orders)
    return partner.unit


def _fitting(view: View, drawn: Drawn, unit: Unit) -> list[Order]:
    """The supports and convoys of a unit that match an own unit's order."""
    return [o for o in _alone(view, unit) if o.of is not None and _helped(drawn, o) and _fits(drawn, o)]


def _fits(drawn: Drawn, order: Order) -> bool:
    """Does an order match those of the power's own units?  One that helps nobody, or a foreign unit, always does."""
    return all(goal_of(drawn[unit]) == order.to for unit in _helped(drawn, order))


def _helped(drawn: Drawn, order: Order) -> list[Unit]:
    if order.of is None:
        return []
    own = (unit for unit in drawn if order.of_power in ("", unit.power))
    return [unit for unit in own if unit.at == order.of and unit.kind == order.of_kind]


def goal_of(order: Order | None) -> Location | None:
    """Where an order would take its unit, None if it stays: what a support for it must name."""
    return order.to if order and order.verb in (Verb.MOVE, Verb.LAND) else None


def _retreats(view: View, chance: Chance) -> list[Order]:
    """A retreat for each dislodged unit, to places apart from each other as long as there are some."""
    orders: list[Order] = []
    for choices in view.choices.values():
        taken = taken_by(view, orders)
        orders.append(chance.choice([o for o in choices if o.to is None or o.to.province not in taken]))
    return orders


def taken_by(view: View, orders: Iterable[Order]) -> set[str]:
    """The provinces in which the units of these orders leave no room for others: those they go to, but no box."""
    goals = {order.to.province for order in orders if order.to}
    return {goal for goal in goals if view.board.province(goal).terrain is not Terrain.BOX}


def decided(extras: Iterable[Order], pick: Callable[[Sequence[Order]], Order]) -> list[Order]:
    """One of the orders that are asked for a power's own matters, for each matter."""
    return [pick(orders) for orders in matters(extras)]


def matters(extras: Iterable[Order]) -> list[list[Order]]:
    """The orders for a power's own matters, by matter: units that come are one each, homes to be named one together."""
    found: dict[object, list[Order]] = {}
    for order in extras:
        key = (order.kind, order.at) if order.verb in (Verb.ARRIVE, Verb.DECLINE) else order.verb
        found.setdefault(key, []).append(order)
    return list(found.values())
