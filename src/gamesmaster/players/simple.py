"""Players to measure others by: one that does nothing, one that does anything; and what all do in Winter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random as Chance

from gamesmaster.board import Location, Terrain, Unit
from gamesmaster.judge import Account, cargo_of, carrier_of, removal_orders, without_units
from gamesmaster.orders import Order, PhaseKind, Verb
from gamesmaster.players.pairs import Partner, partners, takes_two
from gamesmaster.players.player import Bot, View

PickBuild = Callable[[Sequence[Unit], Counter[str]], Unit]
"""A function that chooses a build among these units, given the number of each kind on the board."""

PickRemoval = Callable[[Sequence[Order], Account], Order]
"""Chooses a removal among these, by the account as it stands."""


def choose_adjustments(view: View, build: PickBuild, remove: PickRemoval) -> list[Order]:
    """Return all builds that the power may make, those that cost nothing first, or all removals that it owes."""
    account = view.account
    return _removals(view, account, remove) if account.balance < 0 else _builds(view, account, build)


def _builds(view: View, account: Account, pick: PickBuild) -> list[Order]:
    built: list[Unit] = []
    kinds = Counter(view.board.base(unit.kind) for unit in account.units)
    while True:
        choice = account.free(built) or list(account.builds(built))
        if not choice:
            return [Order(Verb.BUILD, unit.kind, unit.at) for unit in built]
        built.append(pick(choice, kinds))
        kinds[built[-1].kind] += 1


def _removals(view: View, account: Account, pick: PickRemoval) -> list[Order]:
    first, chosen = account.units, list[Order]()
    listed = offered = removal_orders(account)
    while account.balance < 0 and offered:
        order = pick(offered, account)
        gone = removed_units(account.units, order)
        chosen.append(_as_it_was(first, order, gone))
        account = account.after(without_units(view.board, account.units, {unit.number for unit in gone}))
        offered = removal_orders(account)
    return _together(chosen, listed, first)


def _together(chosen: Sequence[Order], listed: Sequence[Order], units: Sequence[Unit]) -> list[Order]:
    """Return the removals, with one order for both halves of a pair if that order is `listed`.

    If several such pairs are in one place, as in a box, it is unclear which halves belong together, so they stay as
    they are.
    """
    halves = Counter((order.at, order.of_kind) for order in chosen if order.of_kind)
    pairs: Counter[tuple[Location | None, str]] = Counter((unit.at, unit.kind) for unit in units)
    found: list[Order] = []
    for order in chosen:
        pair, whole = (order.at, order.of_kind), Order(Verb.REMOVE, order.of_kind, order.at)
        if halves[pair] < 2 or pairs[pair] > 1 or whole not in listed:
            found.append(order)
        elif whole not in found:
            found.append(whole)
    return found


def _as_it_was(units: Sequence[Unit], order: Order, gone: Sequence[Unit]) -> Order:
    """Return a removal in the words of the position, where the unit left of a pair is still half of it."""
    (unit,) = [u for u in units if u.number == gone[0].number]
    carrier = carrier_of(units, unit)
    pair = (carrier or unit).kind if carrier or cargo_of(units, unit) else ""
    return order if len(gone) > 1 or not pair else Order(Verb.REMOVE, order.kind, order.at, of_kind=pair)


def removed_units(units: Sequence[Unit], order: Order) -> list[Unit]:
    """Return the units of a power that go by a removal: one, one of those aboard and its carrier, or both."""
    kind = order.of_kind or order.kind
    carrier = next(u for u in units if u.at == order.at and u.kind == kind and not u.aboard)
    load = cargo_of(units, carrier)
    if not order.of_kind:
        return [carrier, load] if load else [carrier]
    return [load] if load and load.kind == order.kind else [carrier]


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
    """Draws from the legal orders, all equally likely.

    Of a hundred supports and convoys of its own units that would match nothing, `matching` are drawn again so that they
    do; an order that involves two units is given for both. In `riding` of a hundred cases a unit also gets an order
    that may be given beside its own.  Its own units do not retreat to the same place, and it builds all that it may.
    """

    name = "random"

    def __init__(self, matching: int = 50, riding: int = 10) -> None:
        self.matching, self.riding = matching, riding

    def orders(self, view: View) -> list[Order]:
        """Return legal orders for every unit and every other choice of the phase."""
        chance = view.chance()
        return [*self._regular(view, chance), *choose_extras(view.extras, chance.choice, view.choices_due)]

    def _regular(self, view: View, chance: Chance) -> list[Order]:
        if view.phase.kind is PhaseKind.ADJUSTMENTS:
            return choose_adjustments(
                view, lambda units, *_: chance.choice(units), lambda orders, _: chance.choice(orders)
            )
        if view.phase.kind is PhaseKind.RETREATS:
            return _retreats(view, chance)
        drawn, bound = _drawn(view, chance)
        self._match(view, drawn, bound, chance)
        riders = [o for choices in view.choices.values() for o in self._beside(choices, chance)]
        return [*filter(None, drawn.values()), *riders]

    def _beside(self, choices: Sequence[Order], chance: Chance) -> list[Order]:
        """Return a random second order for a unit that can have one beside its main order, in some cases; else none."""
        offered = rider_orders(choices)
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


def rider_orders(choices: Iterable[Order]) -> list[Order]:
    """Return those of a unit's legal orders that can be given beside a main order."""
    return [order for order in choices if order.verb.rider]


def _alone(view: View, unit: Unit) -> list[Order]:
    """Return those of a unit's legal orders that involve no other unit and need no other order."""
    return [o for o in view.choices[unit] if not o.verb.rider and not takes_two(unit, o)]


def _drawn(view: View, chance: Chance) -> tuple[Drawn, set[Unit]]:
    """Return an order for each unit, and the units whose orders depend on each other's."""
    drawn: Drawn = {}
    bound: set[Unit] = set()
    for unit, choices in view.choices.items():
        if unit in bound:
            continue
        order: Order | None = chance.choice([o for o in choices if not o.verb.rider])
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
    """Return the supports and convoys of a unit that match an own unit's order."""
    return [o for o in _alone(view, unit) if o.of is not None and _helped(drawn, o) and _fits(drawn, o)]


def _fits(drawn: Drawn, order: Order) -> bool:
    """Return whether an order matches those of the power's own units; one that helps none of them always does."""
    return all(goal_of(drawn[unit]) == order.to for unit in _helped(drawn, order))


def _helped(drawn: Drawn, order: Order) -> list[Unit]:
    if order.of is None:
        return []
    own = (unit for unit in drawn if order.of_power in ("", unit.power))
    return [unit for unit in own if unit.at == order.of and unit.kind == order.of_kind]


def goal_of(order: Order | None) -> Location | None:
    """Return where an order would take its unit, as a support for it must name it; None if it stays."""
    return order.to if order and order.verb.like is Verb.MOVE else None


def _retreats(view: View, chance: Chance) -> list[Order]:
    """Return a retreat for each dislodged unit, to places apart from each other as long as there are some."""
    orders: list[Order] = []
    for choices in view.choices.values():
        taken = taken_places(view, orders)
        orders.append(chance.choice([o for o in choices if o.to is None or o.to.province not in taken]))
    return orders


def taken_places(view: View, orders: Iterable[Order]) -> set[str]:
    """Return the provinces that these orders leave no room in: their destinations, except boxes."""
    goals = {order.to.province for order in orders if order.to}
    return {goal for goal in goals if view.board.province(goal).terrain is not Terrain.BOX}


def choose_extras(
    extras: Iterable[Order], pick: Callable[[Sequence[Order]], Order], number: int = 1
) -> Iterator[Order]:
    """Yield one order for each matter of a power's own (`group_extras`); up to `number` that name homes."""
    for orders in group_extras(extras):
        for _ in range(1 if orders[0].kind else min(number, len(orders))):
            yield (chosen := pick(orders))
            orders.remove(chosen)


def group_extras(extras: Iterable[Order]) -> list[list[Order]]:
    """Group a power's special orders: one group per reinforcement, one for all home designations."""
    found: dict[object, list[Order]] = {}
    for order in extras:
        key = (order.kind, order.at) if order.kind else order.verb
        found.setdefault(key, []).append(order)
    return list(found.values())
