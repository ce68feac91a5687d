"""Legal orders: everything that a unit, or a power in Winter, may be ordered with the units now on the board (STD-4.d).

What is offered could come true if everybody else ordered what suits it.  Crossings are searched for, never enumerated:
a convoy is offered where the fleets on the board could form one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TypeAlias

from gamesmaster.board import Dislodged, Location, Position, Unit
from gamesmaster.errors import NotFound
from gamesmaster.judge.field import Field
from gamesmaster.judge.mechanic import Season
from gamesmaster.judge.removals import removal_orders
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.supply import Account, accounts
from gamesmaster.orders import Notation, Order, PhaseKind, Verb

Tree: TypeAlias = "dict[str, Tree | str]"
"""Orders for guided entry: each level a choice, each leaf the text of an order."""


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

    def of_power(self, kind: PhaseKind, power: str, season: Season | None = None) -> list[Order]:
        """All that a power may order in a phase of this kind, unit by unit.

        Told the `season`, also what mechanics ask for in it (arrivals, homes to be named).
        """
        own = [o for m in self.rules.mechanics if season for o in m.choices(self.rules, season, self.position, power)]
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
        if unit not in self.position.units:
            raise NotFound(f"no {unit} of {unit.power} in this position")
        added = [order for m in self.rules.asked("orders") for order in m.orders(self, unit)]
        if unit.aboard:
            return added
        row = 1 + self.position.units.index(unit)
        regular = [
            Order(Verb.HOLD, unit.kind, unit.at),
            *self._moves(row, unit),
            *self._supports(row, unit),
            *self._convoys(row, unit),
        ]
        asked = self.rules.asked("check") or self.rules.asked("draft")
        return [*((order for order in regular if self._lawful(row, order)) if asked else regular), *added]

    def _lawful(self, row: int, order: Order) -> bool:
        """Do the mechanics, too, see nothing against an order for the unit of this row?"""
        clerk = self.rules.clerk
        draft = clerk.draft(clerk.read(order, PhaseKind.MOVEMENT), self.field.stances[row])
        return not (draft.fault or any(m.check(self.field, draft, row) for m in self.rules.asked("check")))

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

    # -- moves -------------------------------------------------------------------------------------------------------

    def _moves(self, row: int, unit: Unit) -> Iterator[Order]:
        for locations in self._steps[row].values():
            for location in locations:
                yield Order(Verb.MOVE, unit.kind, unit.at, self.rules.board.locations[location])
        for place in sorted(self._landings(row)):
            yield Order(Verb.MOVE, unit.kind, unit.at, self._shore(place), via=True)

    @cached_property
    def _steps(self) -> list[dict[int, list[int]]]:
        """Row -> {province: the locations there} one step away and not closed to the unit."""
        field, board = self.field, self.rules.board
        found: list[dict[int, list[int]]] = [{}]
        for row, unit in enumerate(self.position.units, 1):
            start = field.location[row]
            reach = {
                place: [to for to in ends if not (board.restricted and board.barred(unit.power, unit.kind, start, to))]
                for place, ends in field.stances[row].reach.items()
            }
            found.append({place: ends for place, ends in reach.items() if ends})
        return found

    def _landings(self, row: int) -> set[int]:
        """Provinces that the unit of this row could be convoyed to."""
        if self.position.units[row - 1].aboard:
            return set()
        kind, here = self.field.kind(row), self.field.at[row]
        shores = (touched for _, touched in self.field.crossings if here in touched)
        return {place for touched in shores for place in touched if self.rules.clerk.sails(kind, here, place)}

    def _shore(self, place: int) -> Location:
        return Location(self.rules.board.provinces[place].id)

    # -- supports ----------------------------------------------------------------------------------------------------

    def _supports(self, row: int, unit: Unit) -> Iterator[Order]:
        """In place, and of every move there that another unit could make: where this unit could go itself (STD-7.a)."""
        field = self.field
        here = field.at[row]
        boxed = here in field.board.boxes  # there one can help another out that lies beside it (CNW-5.b)
        for place in self._helpful(row, unit):
            for other in self._standing.get(place, ()):
                yield self._helping(Verb.SUPPORT, unit, other, None)
            for other, ends in self._arriving.get(place, ()):
                if other == row or (field.at[other] == here and not boxed):
                    continue
                if not field.crowded or self._meant(row, other):
                    if ends:
                        yield from (self._helping(Verb.SUPPORT, unit, other, field.board.locations[at]) for at in ends)
                    elif not self._carries_it(row, other, place):
                        yield self._helping(Verb.SUPPORT, unit, other, self._shore(place))

    def _helpful(self, row: int, unit: Unit) -> Iterable[int]:
        """The places into which the unit of this row may support: where somebody fights, and it may go."""
        board, start, helps = self.rules.board, self.field.location[row], self.field.stances[row].helps
        if not (board.restricted or board.boxes):
            return helps
        return [
            place
            for place, ends in helps.items()
            if place not in board.boxes and not all(board.barred(unit.power, unit.kind, start, end) for end in ends)
        ]

    @cached_property
    def _standing(self) -> dict[int, list[int]]:
        """Province -> the rows of the units in it; those aboard stand nowhere."""
        found: dict[int, list[int]] = {}
        for row, unit in enumerate(self.position.units, 1):
            if not unit.aboard:
                found.setdefault(self.field.at[row], []).append(row)
        return found

    @cached_property
    def _arriving(self) -> dict[int, list[tuple[int, list[int]]]]:
        """Province -> the rows that could move there, each with the locations a step leads to (none: by sea only)."""
        found: dict[int, list[tuple[int, list[int]]]] = {}
        for row in range(1, len(self.field.units)):
            steps = self._steps[row]
            for place, ends in steps.items():
                found.setdefault(place, []).append((row, ends))
            for place in sorted(self._landings(row) - steps.keys()):
                found.setdefault(place, []).append((row, []))
        return found

    def _carries_it(self, row: int, other: int, place: int) -> bool:
        """Is the unit of `row` itself needed in any convoy that could bring `other` there (STD-4.j)?"""
        field = self.field
        return field.carries(row) and not field.passage_without(field.at[other], place, field.at[row])

    def _meant(self, row: int, other: int) -> bool:
        """Would an order of `row` that names the place and kind of `other` be understood to mean it?"""
        field = self.field
        place = field.at[other]
        named = field.owner[other] if place in field.board.boxes else field.owner[row]
        alone = place not in field.crowded or other in field.carrier
        return alone or field.row(place, named, field.kind(other)) == other

    def _helping(self, verb: Verb, unit: Unit, other: int, to: Location | None) -> Order:
        helped = self.position.units[other - 1]
        boxed = self.field.at[other] in self.rules.board.boxes
        foreign = helped.power != unit.power and (boxed or self.rules.rulebook.nation_omitted == "void")
        power = helped.power if foreign else ""
        if helped.aboard:
            carrier = next(u for u in self.position.units if u.number == helped.aboard)
            return Order(verb, unit.kind, unit.at, to, helped.at, carrier.kind, power, landing=True)
        return Order(verb, unit.kind, unit.at, to, helped.at, helped.kind, power)

    # -- convoys -----------------------------------------------------------------------------------------------------

    def _convoys(self, row: int, unit: Unit) -> Iterator[Order]:
        """Of every army to every shore, by the fleets that some route needs (STD-4.i)."""
        field = self.field
        if not field.carries(row):
            return
        water = field.at[row]
        touched = next(touched for group, touched in field.crossings if water in group)
        for place in sorted(touched):
            for other in self._standing.get(place, ()):
                goals = (goal for goal in touched if self.rules.clerk.sails(field.kind(other), place, goal))
                for goal in sorted(goals):
                    if field.needed(water, place, goal) is None:
                        verb = Verb.FERRY if field.board.one_sea else Verb.CONVOY
                        yield self._helping(verb, unit, other, self._shore(goal))


def order_tree(notation: Notation, orders: Iterable[Order]) -> Tree:
    """The orders as choices within choices, for guided entry.

    Unit, verb, the unit helped, the goal; each leaf is the text of an order:
    `{"A PAR": {"move": {"BUR": "A Par - Bur"}, "support": {"A MAR": {"hold": "A Par S A Mar"}}}}`.
    """
    tree: Tree = {}
    for order in orders:
        *branches, leaf = _choices(order)
        level = tree
        for branch in branches:
            deeper = level.setdefault(branch, {})
            assert isinstance(deeper, dict)
            level = deeper
        level[leaf] = notation.write(order)
    return tree


_OF_POWERS = frozenset({Verb.BUILD, Verb.REMOVE, Verb.DESIGNATE, Verb.ARRIVE, Verb.DECLINE})


def _choices(order: Order) -> list[str]:
    """What is chosen, one thing after the other, until only this order is left."""
    if order.verb is Verb.WAIVE:
        return ["waive"]
    unit = f"{order.kind} {order.at}".strip()
    if order.verb in _OF_POWERS:
        half = f"{order.kind} from {order.of_kind} {order.at}" if order.of_kind else ""
        return [order.verb.value, half or unit]
    helped = [f"{order.of_power} {order.of_kind} {order.of}".strip()] if order.of else []
    builders = f" of {' '.join(order.builders)}" if order.builders else ""
    if order.verb in (Verb.MAKE, Verb.DESTROY):
        return [unit, order.verb.value, f"boat{builders}"]
    if order.to is None:
        return [unit, order.verb.value, *helped, *(["hold"] if helped else [])]
    goal = f"{order.to} by convoy" if order.via else str(order.to)
    with_boats = f" with {_many(order.boats, 'boat')}{builders}" if order.boats else ""
    return [unit, order.verb.value, *helped, goal + with_boats]


def _many(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"
