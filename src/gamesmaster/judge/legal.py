"""Legal orders: everything that a unit, or a power in Winter, may be ordered with the units now on the board (STD-4.d).

What is offered could come true if everybody else ordered what suits it.  Crossings are searched for, never enumerated:
a convoy is offered where the fleets on the board could form one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import compress
from random import Random
from typing import TypeAlias

from gamesmaster.board import Dislodged, Location, Position, Unit
from gamesmaster.engine import NOWHERE
from gamesmaster.engine.company import is_meant
from gamesmaster.engine.support_rules import may_support
from gamesmaster.english import many
from gamesmaster.errors import NotFound
from gamesmaster.judge.binding import BindingMechanic
from gamesmaster.judge.indexed import IndexedPosition
from gamesmaster.judge.removals import removal_orders
from gamesmaster.judge.resolution import OrderMechanic, OrderReader, supportable
from gamesmaster.judge.supply import Account, accounts
from gamesmaster.orders import AnyVerb, Notation, Order, PhaseKind, Verb
from gamesmaster.rules import Rules, Season, YearMechanic

Helped: TypeAlias = tuple[int, int]
"""A unit that may be helped: its row, and the location it would go to, `NOWHERE` in place."""


class Offers:
    """The offers to the units of a field, by row; what units share is worked out once."""

    def __init__(self, field: IndexedPosition, units: Sequence[Unit]) -> None:
        self.field, self.units, self.rules = field, units, field.rules
        self.asked = bool(  # whether mechanics can change or refuse the regular orders
            self.rules.hooks(BindingMechanic.order_fault) or self.rules.hooks(OrderMechanic.resolve_order)
        )

    def lawful(self, row: int, order: Order) -> bool:
        """Return whether the mechanics, too, allow an order for the unit of this row."""
        reader = self.field.reader
        resolved = reader.resolve(reader.read(order, PhaseKind.MOVEMENT), self.field.placements[row])
        checks = self.rules.hooks(BindingMechanic.order_fault)
        return not (resolved.fault or any(order_fault(self.field, resolved, row) for order_fault in checks))

    # -- moves -------------------------------------------------------------------------------------------------------

    @cached_property
    def steps(self) -> list[Sequence[tuple[int, int, Order]]]:
        """Row -> the steps that its unit may be ordered to take: province, location, and the order to go there."""
        if not self.asked:
            return self._strides
        return [[step for step in own if self.lawful(row, step[2])] for row, own in enumerate(self._strides)]

    @cached_property
    def _strides(self) -> list[Sequence[tuple[int, int, Order]]]:
        """Row -> the steps that the board opens to its unit."""
        board, placements, strides = self.rules.board, self.field.placements, self.field.reader.strides
        found: list[Sequence[tuple[int, int, Order]]] = [strides[placement] for placement in placements]
        if board.restricted:
            for row, unit in enumerate(self.units, 1):
                start, kind, power = placements[row].location, unit.kind, unit.power
                found[row] = [step for step in found[row] if not board.barred(power, kind, start, step[1])]
        return found

    @cached_property
    def landings(self) -> list[Sequence[int]]:
        """Row -> provinces that its unit may be ordered to go to by convoy, in order."""
        field, ports = self.field, self.field.reader.ports
        touched, size = field.crossings.touched, len(self.rules.board.provinces)
        found: list[Sequence[int]] = [()] * len(field.units)
        for row, placement in enumerate(field.placements):
            place = placement.place
            if place in ports and not placement.afloat and row not in field.carrier:
                near = [shores for g, shores in enumerate(self._shores, 1) if touched[g * size + place]]
                if near:
                    goals = near[0].copy() if len(near) == 1 else sorted(frozenset().union(*near))
                    goals.remove(place)
                    found[row] = [g for g in goals if self.lawful(row, self.by_sea(row, g))] if self.asked else goals
        return found

    def by_sea(self, row: int, place: int) -> Order:
        """Return the order to go to a province by convoy."""
        return self.field.reader.moves[self.field.placements[row], self.field.reader.bare[place], True]

    @cached_property
    def _shores(self) -> list[list[int]]:
        """The ports, in order, that each group of joined waters touches; the first group's number is 1."""
        crossings, ports, size = self.field.crossings, self.field.reader.ports, len(self.rules.board.provinces)
        touched = (crossings.touched[g * size : (g + 1) * size] for g in range(1, crossings.groups[0] + 1))
        return [[place for place in compress(range(size), flags) if place in ports] for flags in touched]

    # -- supports ----------------------------------------------------------------------------------------------------

    def helped(self, row: int) -> list[Helped]:
        """Return all that this row's unit may support.

        Other units in place, and every move they could make (STD-7.a).
        """
        entangled, carries = self._entangled, self.field.carries(row)
        found: list[Helped] = []
        for place in self.supportable(row):
            if entangled or (carries and place in self.landed_on):
                found += [pair for pair in self.helpable[place] if self.may_help(row, place, pair)]
            else:
                found += [pair for pair in self.helpable[place] if pair[0] != row]
        return found

    def supportable(self, row: int) -> Collection[int]:
        """Return the places into which the unit of this row may support."""
        return supportable(self.rules.board, self.field.placements[row], self.units[row - 1].power)

    @cached_property
    def helpable(self) -> list[list[Helped]]:
        """Province -> the units in it, then all that could move there by a step or else by sea; not those aboard."""
        field, bare = self.field, self.field.reader.bare
        found: list[list[Helped]] = [[] for _ in self.rules.board.provinces]
        for row in range(1, len(field.units)):
            if row not in field.carrier:
                found[field.at[row]].append((row, NOWHERE))
        for row in range(1, len(field.units)):
            for place, end, _ in self.steps[row]:
                found[place].append((row, end))
            for place in self.voyages[row]:
                found[place].append((row, bare[place]))
        return found

    @cached_property
    def voyages(self) -> list[Sequence[int]]:
        """Row -> provinces that its unit could only be convoyed to."""
        return [
            [goal for goal in goals if goal not in near] if goals else goals
            for goals, near in zip(self.landings, self._near, strict=True)
        ]

    @cached_property
    def landed_on(self) -> set[int]:
        """Provinces that some unit could only be convoyed to."""
        return {place for places in self.voyages for place in places}

    @cached_property
    def _near(self) -> list[Collection[int]]:
        """Row -> the provinces that its unit could get to by a step."""
        if not self.rules.board.restricted:
            return [placement.reach for placement in self.field.placements]
        return [{place for place, _, _ in steps} for steps in self._strides]

    @cached_property
    def _entangled(self) -> bool:
        """Return whether several units can be in one place, so that an order may mean any of them."""
        return bool(self.field.crowded or self.field.carrier)

    def may_help(self, row: int, place: int, pair: Helped) -> bool:
        """Return whether this row's unit may support a pair, a unit and its destination, in a place."""
        field, (other, end) = self.field, pair
        at = field.at
        return may_support(
            row, other, end, not self._entangled or self._meant(row, other), place in self._near[other], at[other],
            place, at[row] if field.placements[row].carries else NOWHERE, field.seas, field.crossings, field.search,
        )  # fmt: skip

    def _meant(self, row: int, other: int) -> bool:
        """Return whether an order of `row` that names the place and kind of `other` selects it."""
        field = self.field
        here, there = field.at[row], field.at[other]
        shared, rows = there in field.board.shared, field.crowded.get(there, ())
        return is_meant(other, here, there, shared, rows, field.owner, field.sorts, field.aboard, field.gone)

    # -- convoys -----------------------------------------------------------------------------------------------------

    def loads(self, row: int) -> list[Helped]:
        """Return every army that the fleets joined to this row's could convoy, with every shore that they touch.

        `may_carry` tells which of these this fleet may convoy.
        """
        if not self.field.carries(row):
            return []
        return self._joined[self.field.crossings.group[self.field.at[row]] - 1]

    def carried(self, row: int) -> list[Helped]:
        """Return all that this row's fleet may carry, as pairs of an army and its destination."""
        return [pair for pair in self.loads(row) if self.may_carry(row, pair)]

    @cached_property
    def _joined(self) -> list[list[Helped]]:
        """Return, for each group of joined waters, the armies on its shores, each with every shore of the group."""
        bare, found = self.field.reader.bare, []
        for shores in self._shores:
            armies = [o for p in shores for o in self._standing.get(p, ()) if not self.field.placements[o].afloat]
            pairs = [(other, goal) for other in armies for goal in shores]
            found.append([(o, bare[g]) for o, g in pairs if not self.asked or g in self.landings[o]])
        return found

    @cached_property
    def _standing(self) -> dict[int, list[int]]:
        """Province -> the rows of the units in it, except units aboard."""
        found: dict[int, list[int]] = {}
        for row in range(1, len(self.field.units)):
            if row not in self.field.carrier:
                found.setdefault(self.field.at[row], []).append(row)
        return found

    def may_carry(self, row: int, pair: Helped) -> bool:
        """Return whether some route from shore to shore needs the fleet of this row (STD-4.i)."""
        field, (other, end) = self.field, pair
        start, goal = field.at[other], field.board.place[end]
        return start != goal and field.convoy_fault(field.at[row], start, goal) is None


def legal_orders(rules: Rules, position: Position, unit: Unit) -> list[Order]:
    """Return the legal orders of a unit: moves if it is on the board, retreats if it is dislodged.

    Raises `NotFound` if it is neither.  For many units of one position, use one `LegalOrders`.
    """
    return LegalOrders(rules, position).of_unit(unit)


class LegalOrders:
    """The legal orders of one position; what units share is worked out once."""

    def __init__(self, rules: Rules, position: Position) -> None:
        self.rules, self.position = rules, position

    @cached_property
    def field(self) -> IndexedPosition:
        """The position by number; only movement phases need it."""
        return IndexedPosition(self.rules, self.position)

    @cached_property
    def offers(self) -> Offers:
        """The offers to the units in a movement phase."""
        return Offers(self.field, self.position.units)

    def of_power(self, kind: PhaseKind, power: str, season: Season | None = None) -> list[Order]:
        """Return all legal orders of a power in a phase of this kind, unit by unit.

        With the `season`, include the orders that mechanics need in it (arrivals, homes to be named).
        """
        asked = self.rules.hooks(YearMechanic.extra_orders)
        own = [o for extra_orders in asked if season for o in extra_orders(self.rules, season, self.position, power)]
        if kind is PhaseKind.ADJUSTMENTS:
            return [*self.of_winter(power), *own]
        if kind is PhaseKind.RETREATS:
            beaten = (d for d in self.position.dislodged if d.unit.power == power and not d.unit.aboard)
            return [*(order for d in beaten for order in self._retreats(d)), *own]
        return [*(order for unit in self.position.of(power) for order in self.of_unit(unit)), *own]

    def of_unit(self, unit: Unit) -> list[Order]:
        """Return the legal orders of a unit, as `legal_orders` gives them."""
        for d in self.position.dislodged:
            if d.unit.number == unit.number:
                return list(self._retreats(d))
        row = self._rows.get(unit.number, 0)
        if not row or (self.position.units[row - 1] is not unit and self.position.units[row - 1] != unit):
            raise NotFound(f"no {unit} of {unit.power} in this position")
        added = [order for more in self.rules.hooks(BindingMechanic.unit_orders) for order in more(self.field, unit)]
        if unit.aboard:
            return added
        reader, offers = self.field.reader, self.offers
        first = [reader.holds[self.field.placements[row]]]
        moves = [order for _, _, order in offers.steps[row]] + [offers.by_sea(row, to) for to in offers.landings[row]]
        helping = self._helping(Verb.SUPPORT, row, offers.helped(row))
        helping += self._helping(self._convoy, row, offers.carried(row))
        if offers.asked:
            first, helping = ([o for o in orders if offers.lawful(row, o)] for orders in (first, helping))
        return [*first, *moves, *helping, *added]

    def draw(self, unit: Unit, chance: Random) -> Order:
        """Return one of a unit's legal orders at random, each with the same probability.

        The legal orders are not listed: candidates are drawn until one is legal. Raises `NotFound`, also if the unit
        has no orders because it is aboard.
        """
        row = self._rows.get(unit.number, 0)
        if not row or self._meddled or self.position.units[row - 1] is not unit:
            if not (listed := self.of_unit(unit)):
                raise NotFound(f"nothing can be ordered of {unit} of {unit.power}")
            return chance.choice(listed)
        offers = self.offers
        steps, landings, loads, helpable = offers.steps[row], offers.landings[row], offers.loads(row), offers.helpable
        places = offers.supportable(row)
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
                    return offers.by_sea(row, landings[n])
                n -= len(landings)
                if n == len(loads):
                    return self.field.reader.holds[self.field.placements[row]]
                if offers.may_carry(row, loads[n]):
                    return self._helping(self._convoy, row, loads[n : n + 1])[0]

    @cached_property
    def _rows(self) -> dict[int, int]:
        """Unit number -> row."""
        return {unit.number: row for row, unit in enumerate(self.position.units, 1)}

    @cached_property
    def _meddled(self) -> bool:
        """Return whether mechanics can change, refuse or add any orders of units."""
        return self.offers.asked or bool(self.rules.hooks(BindingMechanic.unit_orders))

    def of_winter(self, power: str) -> list[Order]:
        """Return the builds and the waive a power may order, and the removals it may choose from (STD-10.c to f)."""
        account = self._accounts[power]
        balance = account.balance
        builds = [Order(Verb.BUILD, u.kind, u.at) for u in (account.builds() if balance > 0 else account.free())]
        waives = balance >= 0 and bool(builds) and self.rules.rulebook.waive_builds == "allowed"
        return [*removal_orders(account), *builds, *[Order(Verb.WAIVE)] * waives]

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

    def _helping(self, verb: AnyVerb, row: int, helped: Sequence[Helped]) -> list[Order]:
        """Return the orders of a row to support or convoy.

        `helped` lists rows, each with a goal (a location), or `NOWHERE` for support in place.
        """
        placements, helps = self.field.placements, self.field.reader.helps
        placement = placements[row]
        if self._plain:
            return [helps[verb, placement, placements[other], end] for other, end in helped]
        return [
            self._spelt_out(verb, row, other, end)
            if other in self.field.carrier or self._foreign(row, other)
            else helps[verb, placement, placements[other], end]
            for other, end in helped
        ]

    @cached_property
    def _plain(self) -> bool:
        """Return whether place and kind always identify the unit that is helped."""
        field = self.field
        return not (field.carrier or field.board.shared) and self.rules.rulebook.nation_omitted != "void"

    def _foreign(self, row: int, other: int) -> bool:
        """Return whether an order must name the nationality of the unit that it helps."""
        field = self.field
        said = field.at[other] in field.board.shared or self.rules.rulebook.nation_omitted == "void"
        return said and self.position.units[row - 1].power != self.position.units[other - 1].power

    def _spelt_out(self, verb: AnyVerb, row: int, other: int, to: int) -> Order:
        unit, helped = self.position.units[row - 1], self.position.units[other - 1]
        power = helped.power if self._foreign(row, other) else ""
        goal = None if to < 0 else self.rules.board.locations[to]
        if helped.aboard:
            carrier = next(u for u in self.position.units if u.number == helped.aboard)
            return Order(verb, unit.kind, unit.at, goal, helped.at, carrier.kind, power, doing=self._ashore)
        return Order(verb, unit.kind, unit.at, goal, helped.at, helped.kind, power)

    @cached_property
    def _convoy(self) -> AnyVerb:
        return convoy_verb(self.rules)

    @cached_property
    def _ashore(self) -> AnyVerb | None:
        return ashore_verb(self.rules)


def convoy_verb(rules: Rules) -> AnyVerb:
    """Return the verb of carrying others: a mechanic's own where one sea is the most."""
    own = (verb for verb in rules.verbs if verb.like is Verb.CONVOY) if rules.board.one_sea else ()
    return next(iter(own), Verb.CONVOY)


def ashore_verb(rules: Rules) -> AnyVerb | None:
    """Return the verb for the landing of an army, as orders to support it name it.

    Return None if the variant has no such verb.
    """
    return next((verb for verb in rules.verbs if verb.phrase.helped), None)


def given_options(
    rules: Rules, kind: PhaseKind, position: Position, power: str, season: Season | None = None
) -> list[Order]:
    """Return all orders that a power might give here: the legal ones and, in Winter, those legal with enough centres.

    The owner of a centre may be unknown where a text is read; adjudication checks that later.
    """
    found = LegalOrders(rules, position).of_power(kind, power, season)
    if kind is PhaseKind.ADJUSTMENTS:
        found = list(dict.fromkeys([*found, *_winter(rules, position, power)]))
    return found


def add_dislodged(rules: Rules, position: Position, beaten: tuple[Unit, ...]) -> Position:
    """Return the position with these units dislodged; every empty place beside them is open to them.

    Where their attackers came from is not known.
    """
    taken = {unit.at.province for unit in position.units}
    found = []
    for unit in beaten:
        placement = rules.derive(OrderReader).placements[unit.kind][unit.at]
        ends = [rules.board.locations[end] for ends in placement.flees.values() for end in ends]
        found.append(Dislodged(unit, retreats=tuple(end for end in ends if end.province not in taken)))
    return replace(position, dislodged=tuple(found))


def _winter(rules: Rules, position: Position, power: str) -> Iterator[Order]:
    for unit in position.of(power):
        yield Order(Verb.REMOVE, unit.kind, unit.at)
    occupied = {unit.at.province for unit in position.units}
    homes = (*rules.homes.get(power, ()), *rules.home_provinces.get(power, ()))
    for home in dict.fromkeys(homes):
        if home not in occupied:
            for kind, location in sorted(rules.board.standing):
                if location.province == home and kind not in rules.board.forms:
                    yield Order(Verb.BUILD, kind, Location(*location))
    yield Order(Verb.WAIVE)


Tree: TypeAlias = "dict[str, Tree | str]"
"""Each level a choice, each leaf the text of an order."""


def order_tree(notation: Notation, orders: Iterable[Order]) -> Tree:
    """Return the orders as choices within choices, for guided entry.

    Unit, verb, the unit helped, the goal; each leaf is the text of an order:
    `{"A PAR": {"move": {"BUR": "A Par - Bur"}, "support": {"A MAR": {"hold": "A Par S A Mar"}}}}`.
    """
    tree: Tree = {}
    for order in orders:
        *branches, leaf = _choices(order, notation.lexicon.board.thing)
        level = tree
        for branch in branches:
            deeper = level.setdefault(branch, {})
            assert isinstance(deeper, dict)
            level = deeper
        level[leaf] = notation.write(order)
    return tree


def _choices(order: Order, thing: str) -> list[str]:
    """Return the choices, made one after the other, that lead to this order alone."""
    if order.verb is Verb.WAIVE:
        return ["waive"]
    unit = f"{order.kind} {order.at}".strip()
    if order.verb.of_power:
        half = f"{order.kind} from {order.of_kind} {order.at}" if order.of_kind else ""
        return [order.verb.value, half or unit]
    helped = [f"{order.of_power} {order.of_kind} {order.of}".strip()] if order.of else []
    builders = f" of {' '.join(order.builders)}" if order.builders else ""
    if order.carried and order.to is None:
        return [unit, order.verb.value, f"{thing}{builders}"]
    if order.to is None:
        return [unit, order.verb.value, *helped, *(["hold"] if helped else [])]
    goal = f"{order.to} by convoy" if order.via else str(order.to)
    along = f" with {many(order.carried, thing)}{builders}" if order.carried else ""
    return [unit, order.verb.value, *helped, goal + along]
