"""Legal orders: everything that a unit, or a power in Winter, may be ordered with the units now on the board (STD-4.d).

What is offered could come true if everybody else ordered what suits it.  Crossings are searched for, never enumerated:
a convoy is offered where the fleets on the board could form one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random

from gamesmaster.board import Dislodged, Position, Unit
from gamesmaster.errors import NotFound
from gamesmaster.judge.binding import BindingMechanic
from gamesmaster.judge.clerk import OrderMechanic
from gamesmaster.judge.field import Field
from gamesmaster.judge.mechanic import YearMechanic
from gamesmaster.judge.offers import Helped, Offers
from gamesmaster.judge.removals import removal_orders
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.supply import Account, accounts
from gamesmaster.judge.values import Season
from gamesmaster.orders import Order, PhaseKind, Verb


def legal_orders(rules: Rules, position: Position, unit: Unit) -> list[Order]:
    """The legal orders of a unit: in a movement phase if it stands on the board, of retreat if it is dislodged.

    Raises `NotFound` if it is neither.  For many units of one position, ask one `LegalOrders`.
    """
    return LegalOrders(rules, position).of_unit(unit)


class LegalOrders:
    """The legal orders of one position; what units share is worked out once."""

    def __init__(self, rules: Rules, position: Position) -> None:
        self.rules, self.position = rules, position
        self.field = Field(rules, position)
        self.offers = Offers(self.field, position.units)

    def of_power(self, kind: PhaseKind, power: str, season: Season | None = None) -> list[Order]:
        """All that a power may order in a phase of this kind, unit by unit.

        Told the `season`, also what mechanics ask for in it (arrivals, homes to be named).
        """
        asked = self.rules.asked(YearMechanic.extra_orders)
        own = [o for extra_orders in asked if season for o in extra_orders(self.rules, season, self.position, power)]
        if kind is PhaseKind.ADJUSTMENTS:
            return [*self.of_winter(power), *own]
        if kind is PhaseKind.RETREATS:
            beaten = (d for d in self.position.dislodged if d.unit.power == power and not d.unit.aboard)
            return [*(order for d in beaten for order in self._retreats(d)), *own]
        return [*(order for unit in self.position.of(power) for order in self.of_unit(unit)), *own]

    def of_unit(self, unit: Unit) -> list[Order]:
        """The legal orders of a unit, as `legal_orders` gives them."""
        for d in self.position.dislodged:
            if d.unit.number == unit.number:
                return list(self._retreats(d))
        row = self._rows.get(unit.number, 0)
        if not row or (self.position.units[row - 1] is not unit and self.position.units[row - 1] != unit):
            raise NotFound(f"no {unit} of {unit.power} in this position")
        added = [order for more in self.rules.asked(BindingMechanic.unit_orders) for order in more(self.field, unit)]
        if unit.aboard:
            return added
        clerk, offers = self.field.clerk, self.offers
        regular = [
            clerk.holds[self.field.stances[row]],
            *[order for _, _, order in offers.steps[row]],
            *[self._by_sea(row, place) for place in offers.landings[row]],
            *self._helping(Verb.SUPPORT, row, offers.helped(row)),
            *self._helping(self._convoy, row, offers.carried(row)),
        ]
        return [*((order for order in regular if self._lawful(row, order)) if self._asked else regular), *added]

    def drawn(self, unit: Unit, chance: Random) -> Order:
        """One of a unit's legal orders, each as likely as the others; raises `NotFound`, also if it has none (aboard).

        They are not listed: it is drawn from all that might be legal, again and again until something is.
        """
        row = self._rows.get(unit.number, 0)
        if not row or self._meddled or self.position.units[row - 1] is not unit:
            if not (listed := self.of_unit(unit)):
                raise NotFound(f"nothing can be ordered of {unit} of {unit.power}")
            return chance.choice(listed)
        offers = self.offers
        steps, landings, loads, helpable = offers.steps[row], offers.landings[row], offers.loads(row), offers.helpable
        places = offers.helpful(row)
        total = 1 + len(steps) + len(landings) + len(loads)
        for place in places:
            total += len(helpable[place])
        while True:
            n = chance.randrange(total)
            if n < len(steps):
                return steps[n][2]
            n -= len(steps)
            for place in places:
                if n < len(helpable[place]):
                    if offers.may_help(row, place, helpable[place][n]):
                        return self._helping(Verb.SUPPORT, row, helpable[place][n : n + 1])[0]
                    break
                n -= len(helpable[place])
            else:
                if n < len(landings):
                    return self._by_sea(row, landings[n])
                n -= len(landings)
                if n == len(loads):
                    return self.field.clerk.holds[self.field.stances[row]]
                if offers.may_carry(row, loads[n]):
                    return self._helping(self._convoy, row, loads[n : n + 1])[0]

    @cached_property
    def _rows(self) -> dict[int, int]:
        """Unit number -> row."""
        return {unit.number: row for row, unit in enumerate(self.position.units, 1)}

    @cached_property
    def _asked(self) -> bool:
        """Have mechanics a say in the regular orders?"""
        return bool(self.rules.asked(BindingMechanic.order_fault) or self.rules.asked(OrderMechanic.resolve_order))

    @cached_property
    def _meddled(self) -> bool:
        """Have mechanics a say in any orders of units?"""
        return self._asked or bool(self.rules.asked(BindingMechanic.unit_orders))

    def _by_sea(self, row: int, place: int) -> Order:
        return self.field.clerk.moves[self.field.stances[row], self.field.clerk.bare[place], True]

    def _lawful(self, row: int, order: Order) -> bool:
        """Do the mechanics, too, see nothing against an order for the unit of this row?"""
        clerk = self.field.clerk
        draft = clerk.draft(clerk.read(order, PhaseKind.MOVEMENT), self.field.stances[row])
        checks = self.rules.asked(BindingMechanic.order_fault)
        return not (draft.fault or any(order_fault(self.field, draft, row) for order_fault in checks))

    def of_winter(self, power: str) -> list[Order]:
        """The builds and the waive a power may order, or the removals it must choose from (STD-10.c to f)."""
        account = self._accounts[power]
        balance = account.balance
        builds = [Order(Verb.BUILD, u.kind, u.at) for u in (account.builds() if balance > 0 else account.free())]
        if balance < 0:
            return [*removal_orders(account), *builds]
        waives = bool(builds) and self.rules.rulebook.waive_builds == "allowed"
        return [*builds, Order(Verb.WAIVE)] if waives else builds

    @cached_property
    def _accounts(self) -> dict[str, Account]:
        return accounts(self.rules, self.position)

    # -- retreats ----------------------------------------------------------------------------------------------------

    def _retreats(self, beaten: Dislodged) -> Iterator[Order]:
        unit = beaten.unit
        for location in beaten.retreats:
            yield Order(Verb.RETREAT, unit.kind, unit.at, location)
        yield Order(Verb.DISBAND, unit.kind, unit.at)

    # -- words -------------------------------------------------------------------------------------------------------

    def _helping(self, verb: Verb, row: int, helped: Sequence[Helped]) -> list[Order]:
        """One row's orders to help others: each a row and a goal (location), or `NOWHERE` for support in place."""
        stances, helps = self.field.stances, self.field.clerk.helps
        stance = stances[row]
        if self._plain:
            return [helps[verb, stance, stances[other], end] for other, end in helped]
        return [
            self._spelt_out(verb, row, other, end)
            if other in self.field.carrier or self._foreign(row, other)
            else helps[verb, stance, stances[other], end]
            for other, end in helped
        ]

    @cached_property
    def _plain(self) -> bool:
        """Do place and kind always say which unit is helped?"""
        field = self.field
        return not (field.carrier or field.board.boxes) and self.rules.rulebook.nation_omitted != "void"

    def _foreign(self, row: int, other: int) -> bool:
        """Must the nationality of a unit that is helped be said?"""
        field = self.field
        said = field.at[other] in field.board.boxes or self.rules.rulebook.nation_omitted == "void"
        return said and self.position.units[row - 1].power != self.position.units[other - 1].power

    def _spelt_out(self, verb: Verb, row: int, other: int, to: int) -> Order:
        unit, helped = self.position.units[row - 1], self.position.units[other - 1]
        power = helped.power if self._foreign(row, other) else ""
        goal = None if to < 0 else self.rules.board.locations[to]
        if helped.aboard:
            carrier = next(u for u in self.position.units if u.number == helped.aboard)
            return Order(verb, unit.kind, unit.at, goal, helped.at, carrier.kind, power, landing=True)
        return Order(verb, unit.kind, unit.at, goal, helped.at, helped.kind, power)

    @property
    def _convoy(self) -> Verb:
        return Verb.FERRY if self.field.board.one_sea else Verb.CONVOY
