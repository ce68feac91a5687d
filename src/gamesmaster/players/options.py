"""Orders that take two: what the order for one unit asks of another unit of its power."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from gamesmaster.board import Board, Location, Unit
from gamesmaster.judge import Result, adjudicate
from gamesmaster.mechanics import PairVerb
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.players.player import View
from gamesmaster.players.valuation import Values, Worth

Choices = Mapping[Unit, Sequence[Order]]
"""The lawful orders of each of a power's units."""

NO_ORDER = (None,)
"""What may be ordered beside an order that speaks for another unit too."""


class Partner(NamedTuple):
    """Another unit, and what it may be ordered for the first one's order to come true; None is not an order at all."""

    unit: Unit
    orders: Sequence[Order | None]


def partners(board: Board, choices: Choices, unit: Unit, order: Order) -> list[Partner]:
    """The units, any one of which an order takes besides its own; nothing for most orders.

    An army that goes aboard takes its fleet, which must take it in or be one that can sail laden; one that goes ashore
    from where its fleet is yet to come takes it there; an order for a pair that is yet to be formed takes a free army.
    """
    if order.verb in (PairVerb.BOARD, PairVerb.TAKE):
        return list(_boarding(board, choices, unit, order))
    if order.verb is PairVerb.LAND and unit.aboard:
        return list(_landing(choices, unit, order))
    form = board.forms.get(order.kind)
    if form is None or not form.cargo or order.kind == unit.kind:
        return []
    free = (u for u in choices if u.at == unit.at and u.kind == form.cargo and not u.aboard)
    return [Partner(u, NO_ORDER) for u in free]


def _goes(order: Order) -> bool:
    """Does an order take its unit to another place?"""
    return order.verb.like is Verb.MOVE or order.verb is PairVerb.BOARD


def takes_two(unit: Unit, order: Order) -> bool:
    """Does an order take another unit besides its own?"""
    if order.verb in (PairVerb.BOARD, PairVerb.TAKE) or (order.verb is PairVerb.LAND and unit.aboard):
        return True
    return order.kind not in ("", unit.kind)


def _boarding(board: Board, choices: Choices, unit: Unit, order: Order) -> Iterator[Partner]:
    for other, offered in choices.items():
        if order.verb is PairVerb.TAKE:
            boards = [o for o in offered if o.verb is PairVerb.BOARD and o.to and o.to.province == unit.at.province]
            if boards and order.of and other.at.province == order.of.province:
                yield Partner(other, boards)
        elif order.to and other.at.province == order.to.province and board.sails(other.kind) and not other.aboard:
            taking = [o for o in offered if o.verb is PairVerb.TAKE and o.of and o.of.province == unit.at.province]
            yield Partner(other, taking or list(_laden(board, other, unit, offered)))


def _laden(board: Board, fleet: Unit, army: Unit, offered: Sequence[Order]) -> Iterator[Order]:
    """The orders of a fleet that it could still carry out with this army aboard: to hold, to sail, to help."""
    found = [(k, f) for k, f in board.forms.items() if f.base == fleet.kind and f.cargo == army.kind]
    if not found:
        return
    (kind, form), at = found[0], board.location_index[fleet.at]
    sailed, helped = board.reach(kind, at), board.steps_by(form.helps, at)
    for order in offered:
        goal = order.to or order.of
        into = board.index[goal.province] if goal else -1
        moves = order.verb is Verb.MOVE and into in sailed
        if order.verb is Verb.HOLD or moves or (order.verb is Verb.SUPPORT and into in helped):
            yield order


def _landing(choices: Choices, unit: Unit, order: Order) -> Iterator[Partner]:
    for other, offered in choices.items():
        if other.number == unit.aboard:
            if order.at == unit.at:
                yield Partner(other, [o for o in offered if o.verb is Verb.HOLD])
            else:
                yield Partner(other, [o for o in offered if o.verb is Verb.MOVE and o.to == order.at])


MOST_MOVES = 8
"""Goals considered for a unit: the best by worth."""

STAYS, UNHELPED = -1, -2
"""The goals of those that stay where they are, and of those that take no help."""

Key = tuple[int, int]
"""What a support or convoy is for: the unit (by its number among the power's) and its goal."""


@dataclass(slots=True, eq=False)
class Option:
    """One order a unit may be given, or none: the province `into` which it brings the unit, and what that is worth.

    `value` is what the unit may expect if the order comes true, `otherwise` if not.  A unit that `moves` also `leaves`
    its place, unless it only puts another ashore; `alone`, it takes no support.  One that `works` is spoiled by any
    attack on its place.  `goal` is what help for its unit must name: the location it goes to, by number, or `STAYS`, or
    `UNHELPED`; `helps` is what a support or convoy is for.  `chain` are the fleets, by their numbers, that a voyage
    needs; `partner` is a unit that must be given one of some orders, and serves nobody else.
    """

    order: Order | None
    into: int
    value: float
    otherwise: float
    moves: bool = False
    leaves: bool = False
    alone: bool = False
    works: bool = False
    supports: bool = False
    goal: int = STAYS
    helps: Key | None = None
    chain: tuple[int, ...] = ()
    partner: tuple[int, Sequence[Order | None]] | None = None


Scheme = tuple[tuple[int, Option], ...]
"""Options that are taken together, each with its unit's number."""


class Options:
    """The lawful orders of a power's units, as options; units go by their numbers, from 0.

    `values` gives what each location (by number) is worth to a unit of a kind.  `at` are the units' provinces, `own`
    the unit in each, but for boxes and those aboard.  `holds` is what each does if it does nothing, `schemes` all that
    it could do but hold, support and convoy, with what others must do for it.  Help for other powers' units is left
    out, and so are all but the best of a unit's many moves.
    """

    def __init__(self, view: View, values: Values) -> None:
        self.view, self.board, self.worth = view, view.board, Worth(view.board, values)
        self.units: tuple[Unit, ...] = tuple(view.choices)
        self.at = [self.board.index[unit.at.province] for unit in self.units]
        self.own = {
            self.at[n]: n
            for n, unit in reversed(list(enumerate(self.units)))
            if not unit.aboard and self.at[n] not in self.board.boxes
        }
        self._numbers = {unit: number for number, unit in enumerate(self.units)}
        self._named = {(u.kind, u.at): n for n, u in reversed(list(enumerate(self.units)))}
        self._carried = {unit.aboard: n for n, unit in enumerate(self.units) if unit.aboard}
        self._worked: bool | None = None
        self.here = [self._here(unit) for unit in self.units]
        self.holds = [self._holding(number) for number in range(len(self.units))]
        self.supports: list[dict[Key, Option]] = [{} for _ in self.units]
        self.convoys: list[dict[Key, Option]] = [{} for _ in self.units]
        self._offered: list[list[Option]] = [[hold] for hold in self.holds]
        for number, unit in enumerate(self.units):
            for order in view.choices[unit]:
                self._enter(number, unit, order)
        self.schemes = [list(self._schemes(number)) for number in range(len(self.units))]

    # -- one order -------------------------------------------------------------------------------------------------

    def _here(self, unit: Unit) -> float:
        """What its place is worth to a unit; those aboard are counted with their carriers."""
        if unit.aboard:
            return 0.0
        carries = any(order.carried and order.to for order in self.view.choices[unit])
        return self.worth.of(self.worth.form(unit.kind) if carries else unit.kind, unit.at)

    def _holding(self, number: int) -> Option:
        unit = self.units[number]
        order = None if unit.aboard else Order(Verb.HOLD, unit.kind, unit.at)
        return Option(order, self.at[number], self.here[number], self.here[number])

    def _enter(self, number: int, unit: Unit, order: Order) -> None:
        here, at = self.here[number], self.at[number]
        if order.verb is PairVerb.TAKE:
            self._offered[number].append(Option(order, at, here, here))
        elif order.of is not None:
            self._help(number, order)
        elif order.carried and order.to is None and not order.verb.rider and self._may_work(order):
            made = self.worth.of(self.worth.form(unit.kind), unit.at)
            self._offered[number].append(Option(order, at, made, here, works=True))
        elif order.to is not None and _goes(order) and not (order.via or order.builders or order.carried > 1):
            into = self.board.index[order.to.province]
            option = Option(order, into, 0.0, here, moves=True, leaves=True, alone=order.carried > 0)
            if order.verb is PairVerb.LAND:
                option.value, option.leaves = self._landed(unit, order), False
            elif order.verb is PairVerb.BOARD:
                option.value, option.into, option.alone = self._boarded(unit, order), -1, True
            else:
                option.value = self.worth.after(order, order.kind)
                option.alone |= self._afloat(unit)
            option.goal = UNHELPED if option.alone else self.board.location_index[order.to]
            self._offered[number].append(option)

    def _may_work(self, order: Order) -> bool:
        """Would anything come of a work if nobody did anything else?  Of all that are alike one is tried."""
        if self._worked is None:
            rules, kind, position = self.view.rules, PhaseKind.MOVEMENT, self.view.position
            tried = adjudicate(rules, kind, position, {self.view.power: [order]}).rulings
            self._worked = any(ruling.given and ruling.result is Result.SUCCEEDS for ruling in tried)
        return self._worked

    def _afloat(self, unit: Unit) -> bool:
        """Does it go in what it carries, which is no fight?"""
        return unit.kind in self.board.forms and not self.board.forms[unit.kind].cargo

    def _help(self, number: int, order: Order) -> None:
        assert order.of is not None
        helped = self._named.get((order.of_kind, order.of))
        if helped is None or order.of_power not in ("", self.view.power):
            return
        if order.doing:
            helped = self._carried.get(self.units[helped].number, helped)
        key, gives = (helped, self._goal(order.to)), order.verb is Verb.SUPPORT
        here, at = self.here[number], self.at[number]
        option = Option(order, at, here, here, supports=gives, helps=key)
        (self.supports if gives else self.convoys)[number][key] = option

    def _goal(self, to: Location | None) -> int:
        return STAYS if to is None else self.board.location_index[to]

    def _landed(self, unit: Unit, order: Order) -> float:
        """What a landing brings: to an army aboard only what it gains, for the rest is counted with its fleet."""
        assert order.to is not None
        assert order.at is not None
        if unit.aboard:
            laden = next(kind for kind, form in self.board.forms.items() if form.cargo == unit.kind)
            return self.worth.of(unit.kind, order.to) - self.worth.aboard(laden, order.at)
        form = self.board.forms[order.kind]
        return self.worth.of(form.cargo, order.to) + self.worth.of(form.base, order.at)

    def _boarded(self, unit: Unit, order: Order) -> float:
        assert order.to is not None
        laden = next(kind for kind, form in self.board.forms.items() if form.cargo == unit.kind)
        return self.worth.aboard(laden, order.to)

    def riders(self, plan: Sequence[Option]) -> Iterator[Order]:
        """What units do beside a plan's orders: they break up what they leave behind, when no more could be made."""
        if self._worked is not False:
            return
        for number, unit in enumerate(self.units):
            order, breaks = plan[number].order, [o for o in self.view.choices[unit] if o.verb.rider]
            if breaks and order and order.verb is Verb.MOVE and not order.carried and not self._afloat(unit):
                yield breaks[0]

    # -- what is done together ----------------------------------------------------------------------------------------

    def _schemes(self, number: int) -> Iterator[Scheme]:
        unit, own = self.units[number], self._offered[number]
        works = [option for option in own if option.works]
        moves = sorted((o for o in own if o.moves and o.order), key=lambda option: -option.value)
        yield from (((number, option),) for option in works)
        for option in self._best(moves):
            assert option.order is not None
            company = partners(self.board, self.view.choices, unit, option.order)
            if not company:
                yield ((number, option),)
            for partner in company:
                yield from self._together(number, option, partner)
        if any(self.convoys):
            yield from self._voyages(number)

    def _best(self, moves: Sequence[Option]) -> list[Option]:
        """The best moves of each sort, those with a partner not instead of those without."""
        found: dict[tuple[AnyVerb, str], list[Option]] = {}
        for option in moves:
            assert option.order is not None
            found.setdefault((option.order.verb, option.order.kind), []).append(option)
        return [option for sort in found.values() for option in sort[:MOST_MOVES]]

    def _together(self, number: int, option: Option, partner: Partner) -> Iterator[Scheme]:
        """An order with each that its partner could be given beside it."""
        other = self._numbers[partner.unit]
        both = replace(option, partner=(other, partner.orders))
        if None in partner.orders:  # the one order speaks for both
            both.otherwise += self.here[other]
            yield (number, both), (other, Option(None, self.at[other], 0.0, 0.0))
            return
        known = {option.order: option for option in self._offered[other]}
        for order in partner.orders:
            if order in known:
                yield (number, both), (other, known[order])

    def _voyages(self, number: int) -> Iterator[Scheme]:
        """The moves of a unit to where no step leads and its own side's fleets could carry it."""
        unit = self.units[number]
        choices = self.view.choices[unit]
        near = {o.to.province for o in choices if o.to and o.verb is Verb.MOVE and not o.via}
        for order in choices:
            if order.to is None or not order.via or order.of or order.to.province in near:
                continue
            into = self.board.index[order.to.province]
            goal = self._goal(order.to)
            fleets = {self.at[f]: f for f, table in enumerate(self.convoys) if (number, goal) in table}
            if chain := self._chain(self.at[number], into, fleets):
                value = self.worth.after(order, unit.kind)
                option = Option(order, into, value, self.here[number], True, True, goal=goal, chain=chain)
                yield (number, option), *((f, self.convoys[f][number, goal]) for f in chain)

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
