"""The best plan of a power at the table: its legal orders as columns, and the orders chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import make_dataclass
from functools import cache
from random import Random as Chance
from typing import Any, TypeVar, cast

from gamesmaster.board import Location, Unit
from gamesmaster.engine.heuristic.aid import gives_aid, note_aid
from gamesmaster.engine.heuristic.dumbbot import order_units
from gamesmaster.engine.heuristic.menu import OPTIONS, link_backers
from gamesmaster.engine.heuristic.options import (
    HELPS,
    add_unit,
    first_of,
    hold,
    list_options,
    offer,
    recall,
    sail,
    support,
)
from gamesmaster.engine.heuristic.outlook import Outlook
from gamesmaster.engine.heuristic.plan import MOST_ROUNDS, add_ways, begin, better_all, fits, tidy, try_way, weigh
from gamesmaster.engine.heuristic.tables import SORTS, Assessment, new_listing, new_plan
from gamesmaster.judge import adjudicate
from gamesmaster.orders import (
    BUILDS,
    GOES_ABOARD,
    GOES_ASHORE,
    NO_THOUGHT,
    RIDES,
    SAILS_LADEN,
    TAKES_IN,
    Order,
    PhaseKind,
    Verb,
)
from gamesmaster.players.assessment import Valuation
from gamesmaster.players.player import View
from gamesmaster.players.recall import new_list
from gamesmaster.rules import Result


class Planner:
    """A plan for a movement, begun with every unit holding; units go by their numbers, from 1.

    All but the best of a unit's many moves are left out; other powers' units are supported by units that would hold.
    """

    def __init__(self, view: View, valuation: Valuation, bent: Assessment, look: Outlook) -> None:
        self.view, self.board, self.units = view, view.board, tuple(view.choices)
        self._valuation, self._tables, self._bent = valuation, slotted(valuation.tables), bent
        self.plan = slotted(new_plan(self._tables, len(self.units), look, new_list))
        self._listing = slotted(new_listing(self._tables, len(self.units), bent.value, new_list))
        self._orders: list[Order | None] = [None]
        units = reversed(list(enumerate(self.units, 1)))
        self._named: dict[tuple[str, Location | None], int] = {(unit.kind, unit.at): n for n, unit in units}
        self._carried = {unit.aboard: n for n, unit in enumerate(self.units, 1) if unit.aboard}
        self._convoys: dict[int, dict[int, Order]] = {}
        self._aids: dict[int, int] = {}
        rows = [(row, u) for row, u in enumerate(view.position.units, 1) if not u.aboard and u.power != view.power]
        self._rows: dict[tuple[str, Location | None, str], int] = {
            (u.kind, u.at, power): row for row, u in reversed(rows) for power in (u.power, "")
        }
        self._worked: bool | None = None
        self._list()
        begin(self.plan)

    @property
    def orders(self) -> list[Order]:
        """The orders of the plan."""
        given = [self._listing.order[option] for option in self.plan.chosen[1:]]
        chosen = [self._orders[self._aids.get(n, order)] for n, order in enumerate(given, 1)]
        return [*(order for order in chosen if order), *self._riders(chosen)]

    def settle(self, chance: Chance) -> None:
        """Make the plan the best that can be found; `chance` says which unit is thought about first."""
        turns = list(range(1, 1 + len(self.units)))
        if self._valuation.tastes.dumb:
            chance.shuffle(turns)
            order_units(self._listing, self.plan, self._bent.strongest, turns, self._bent.guesses)
            return
        for _ in range(MOST_ROUNDS):
            chance.shuffle(turns)
            if better_all(self.plan, turns):
                break
        tidy(self.plan)
        for n in range(1, 1 + len(self.units) if self._valuation.tastes.helping else 1):
            if gives_aid(self._listing, self.plan, n, chance.random()):
                self._aids[n] = self._listing.aid.order[n]

    # -- one change --------------------------------------------------------------------------------------------------

    def ways(self, n: int) -> list[int]:
        """Return the ways open to a unit, by its number from 1, in the present plan."""
        units, ways = self.plan.menu.units, self.plan.menu.ways.option
        return [way for way in range(units.way_at[n], units.way_end[n]) if fits(self.plan, ways[way])]

    def gain(self, way: int) -> float:
        """Return the gain of the plan with another way."""
        return weigh(self.plan, try_way(self.plan, way), put=False)

    def put(self, way: int) -> list[int]:
        """Change the plan, and return the options that it had instead."""
        changes = try_way(self.plan, way)
        weigh(self.plan, changes, put=True)
        return list(self.plan.trial.before[:changes])

    def put_back(self, options: Sequence[int]) -> None:
        """Restore the former options of units."""
        self.plan.trial.options[: len(options)] = options
        weigh(self.plan, len(options), put=True)

    # -- what there is to do -----------------------------------------------------------------------------------------

    def _list(self) -> None:
        """List all that the units could do, and what each is tried with."""
        tables, listing, plan = self._tables, self._listing, self.plan
        numbers = {unit.number: n for n, unit in enumerate(self.units, 1)}
        for unit in self.units:
            n = add_unit(tables, listing, plan, self._valuation.stance(unit.kind, unit.at), unit.aboard > 0)
            listing.carrier[n] = numbers.get(unit.aboard, 0)
            recall(listing, plan, self._valuation.memory, n, unit.number, self._valuation.tastes.patience)
        for n, unit in enumerate(self.units, 1):
            along = any(order.carried and order.to for order in self.view.choices[unit])
            order = None if unit.aboard else Order(Verb.HOLD, unit.kind, unit.at)
            hold(tables, listing, plan, n, along, self._note(order))
        for n, unit in enumerate(self.units, 1):
            self._offer_all(n, unit)
        link_backers(plan.menu, plan.tally[OPTIONS])
        for n, unit in enumerate(self.units, 1):
            ways = list_options(tables, listing, plan, n)
            if self._convoys:
                ways = self._sail_all(n, unit, ways)
            add_ways(plan, n, listing.tried[:ways])

    def _note(self, order: Order | None) -> int:
        """Keep an order and return its number."""
        self._orders.append(order)
        return len(self._orders) - 1

    def _offer_all(self, n: int, unit: Unit) -> None:
        """Offer the legal orders of a unit, sort by sort."""
        sorts: list[list[Order]] = [[] for _ in range(SORTS)]
        foreign: list[Order] = []
        for order in self.view.choices[unit]:
            if order.of is not None and order.verb.phrase.thought != TAKES_IN:
                if (order.of_kind, order.of) in self._named and order.of_power in ("", self.view.power):
                    sorts[HELPS].append(order)
                elif self._valuation.tastes.helping and order.verb is Verb.SUPPORT and not order.doing:
                    foreign.append(order)
            elif (thought := thought_of(order, unit)) and _is_simple(order) and thought < SORTS:
                sorts[thought].append(order)
        self._note_aids(n, foreign)
        for sort, orders in enumerate(sorts):
            self._listing.sorts[first_of(n, sort)] = self.plan.tally[OPTIONS]
            for order in orders:
                if sort == HELPS:
                    self._help(n, order)
                elif sort != BUILDS or self._may_build(order):
                    self._offer(n, unit, sort, order)
            self._listing.sorts[first_of(n, sort) + 1] = self.plan.tally[OPTIONS]

    def _offer(self, n: int, unit: Unit, thought: int, order: Order) -> None:
        """Offer one order of a unit, other than a support or a convoy."""
        kind, place = order.kind or unit.kind, None
        if thought == RIDES and not (order.carried or self._is_afloat(unit)):
            thought = NO_THOUGHT
        elif thought == GOES_ABOARD:
            place = order.to
        elif thought == TAKES_IN:
            place = order.of
        elif thought == GOES_ASHORE:
            kind, place = self.board.cargo(kind) or kind, order.at
        elif thought == BUILDS and not order.carried:  # the unit itself becomes another
            kind = self.board.turns.get(kind, kind)
        goal = order.to or (order.at if kind != unit.kind and thought == BUILDS else None)
        to = self._valuation.stance(kind, goal) if goal else -1
        where = self.board.index[place.province] if place else -1
        offer(self._tables, self._listing, self.plan, n, thought, to, where, self._note(order))

    def _help(self, n: int, order: Order) -> None:
        """Offer a support for an own unit, or note a convoy of one."""
        helped = self._named[order.of_kind, order.of]
        if order.doing:
            helped = self._carried.get(self.units[helped - 1].number, helped)
        aim = self._aim(helped, order.to)
        if order.verb is Verb.SUPPORT:
            again = bool(self.board.forms)
            support(self._tables, self._listing, self.plan, n, aim, again, self._note(order))
        else:
            self._convoys.setdefault(aim, {})[n] = order

    def _note_aids(self, n: int, orders: Sequence[Order]) -> None:
        """Keep the support for another power's unit that the power likes best: of equals the first by place and row."""
        found = []
        for order in orders:
            row = self._rows.get((order.of_kind, order.of, order.of_power), 0)
            to = self._valuation.stance(order.of_kind, order.to) if order.to else -1
            into = self._valuation.tables.stances.place[to if to >= 0 else self._valuation.ground.survey.states[row]]
            if row and (worth := self._valuation.aid(self._listing.value, row, to)):
                found.append((into, row, worth, to, order))
        for into, _, worth, to, order in sorted(found, key=lambda each: each[:2]):
            note_aid(self._listing, n, worth, self._note(order), to, into)

    def _aim(self, n: int, to: Location | None) -> int:
        """Return the aim of support for a unit: its staying or its destination."""
        return n * self.plan.menu.aims + (0 if to is None else 1 + self.board.location_index[to])

    def _is_afloat(self, unit: Unit) -> bool:
        """Return whether a unit travels by a boat that it carries, which is not an attack."""
        return unit.kind in self.board.forms and not self.board.forms[unit.kind].cargo

    def _may_build(self, order: Order) -> bool:
        """Return whether an order to build things would succeed if no other unit had orders.

        Only the first such order is tried; its result is used for the others.
        """
        if self._worked is None:
            rules, kind, position = self.view.rules, PhaseKind.MOVEMENT, self.view.position
            tried = adjudicate(rules, kind, position, {self.view.power: [order]}).rulings
            self._worked = any(ruling.given and ruling.result is Result.SUCCEEDS for ruling in tried)
        return self._worked

    def _sail_all(self, n: int, unit: Unit, ways: int) -> int:
        """Add a unit's voyages to places that no step reaches to the options tried, and return the new end."""
        menu, listing, choices = self.plan.menu, self._listing, self.view.choices[unit]
        near = {o.to.province for o in choices if o.to and o.verb is Verb.MOVE and not o.via}
        for order in choices:
            if order.to is None or not order.via or order.of or order.to.province in near:
                continue
            convoys = self._convoys.get(self._aim(n, order.to), {})
            fleets = sorted({menu.units.at[fleet]: fleet for fleet in convoys}.items())
            for i, (water, fleet) in enumerate(fleets):
                listing.voyage.waters[i], listing.voyage.ferry[water] = water, fleet
            to, after = self._valuation.stance(unit.kind, order.to), ways
            ways = sail(self._tables, listing, self.plan, n, to, len(fleets), ways, self._note(order))
            voyage = listing.tried[after]
            needs = menu.needs.listed[menu.needs.begin[voyage] : menu.needs.end[voyage]]
            for option in needs if ways > after else ():
                listing.order[option] = self._note(convoys[menu.options.unit[option]])
        return ways

    def _riders(self, chosen: Sequence[Order | None]) -> list[Order]:
        """Return second orders for a plan: units break up boats that they leave behind when no more can be made."""
        found = []
        for unit, order in zip(self.units, chosen, strict=True) if self._worked is False else ():
            breaks = next((other for other in self.view.choices[unit] if other.verb.rider), None)
            walks = order and order.verb is Verb.MOVE and not order.carried and not self._is_afloat(unit)
            if breaks and walks:
                found.append(breaks)
        return found


def thought_of(order: Order, unit: Unit) -> int:
    """Return which kind of order players see in an order (`orders.Phrase.thought`); regular moves are `RIDES`."""
    if order.verb.phrase.thought or order.verb.like is not Verb.MOVE:
        return order.verb.phrase.thought
    return RIDES if order.kind == unit.kind else SAILS_LADEN


def _is_simple(order: Order) -> bool:
    """Return whether an order goes not by convoy, and takes at most one thing along, which needs no name."""
    return not (order.via or order.builders or order.carried > 1)


Columns = TypeVar("Columns", bound=tuple[Any, ...])


def slotted(columns: Columns) -> Columns:
    """Return the same columns in objects with slots, whose fields are much faster in Python than a tuple's."""
    return cast("Columns", _with_slots(type(columns))(*(slotted(c) if hasattr(c, "_fields") else c for c in columns)))


@cache
def _with_slots(kind: type) -> Any:
    return make_dataclass(kind.__name__, vars(kind)["_fields"], slots=True)
