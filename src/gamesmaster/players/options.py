"""Orders that take two: what the order for one unit asks of another unit of its power."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gamesmaster.board import Board, Location, Unit
from gamesmaster.engine.heuristic.menu import (
    CONVOYS,
    GOES,
    LANDS,
    MOST_MOVES,
    STAYS,
    SUPPORTS,
    WAITS,
    WORKS,
    find_chain,
    fits_boarding,
    fits_landing,
    pick_moves,
)
from gamesmaster.judge import Result, adjudicate
from gamesmaster.mechanics import PairVerb
from gamesmaster.orders import AnyVerb, Order, PhaseKind, Verb
from gamesmaster.players.player import View
from gamesmaster.players.valuation import Values, Worth, form_laden

Choices = Mapping[Unit, Sequence[Order]]
"""The legal orders of each of a power's units."""

NO_ORDER = (None,)
"""The choices of a unit whose partner's order speaks for both."""


class Partner(NamedTuple):
    """Another unit, and the orders it may have so that the first order can succeed.

    None means that it needs no order.
    """

    unit: Unit
    orders: Sequence[Order | None]


def partners(board: Board, choices: Choices, unit: Unit, order: Order) -> list[Partner]:
    """Return the units, any one of which an order takes besides its own; nothing for most orders.

    An army that goes aboard takes its fleet, which must take it in or be one that can sail laden; one that goes ashore
    from where its fleet is yet to come takes it there; an order for a pair that is yet to be formed takes a free army.
    """
    if order.verb in (PairVerb.BOARD, PairVerb.TAKE):
        return list(_boarding(board, choices, unit, order))
    if order.verb is PairVerb.LAND and unit.aboard:
        return list(_landing(board, choices, unit, order))
    form = board.forms.get(order.kind)
    if form is None or not form.cargo or order.kind == unit.kind:
        return []
    free = (u for u in choices if u.at == unit.at and u.kind == form.cargo and not u.aboard)
    return [Partner(u, NO_ORDER) for u in free]


def _goes(order: Order) -> bool:
    """Return whether an order takes its unit to another place."""
    return order.verb.like is Verb.MOVE or order.verb is PairVerb.BOARD


def takes_two(unit: Unit, order: Order) -> bool:
    """Return whether an order involves another unit besides its own."""
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
            fitting = [o for o in offered if _fits_boarding(board, other, unit, o)]
            yield Partner(other, [o for o in fitting if o.verb is PairVerb.TAKE] or fitting)


def _fits_boarding(board: Board, fleet: Unit, army: Unit, order: Order) -> bool:
    """Return whether an army can board while its fleet has this order."""
    laden, goal, at = form_laden(board, army.kind), order.to or order.of, board.location_index[fleet.at]
    form, into = board.forms.get(laden), board.index[goal.province] if goal else -1
    if form is None or form.base != fleet.kind:
        return order.verb is PairVerb.TAKE
    sails, helps = into in board.reach(laden, at), into in board.steps_by(form.helps, at)
    return fits_boarding(_code(order), goal is not None and goal.province == army.at.province, sails, helps)


def _code(order: Order) -> int:
    """Return the kind of a fleet's option, -1 if no unit can embark or land meanwhile."""
    return _CODES.get(order.verb, -1)


_CODES: dict[AnyVerb, int] = {Verb.HOLD: STAYS, Verb.MOVE: GOES, Verb.SUPPORT: SUPPORTS, PairVerb.TAKE: WAITS}


def _landing(board: Board, choices: Choices, unit: Unit, order: Order) -> Iterator[Partner]:
    at, water = (board.index[place.province] if place else -1 for place in (unit.at, order.at))
    for other, offered in choices.items():
        if other.number == unit.aboard:
            goals = (board.index[o.to.province] if o.to else at for o in offered)
            yield Partner(
                other, [o for o, into in zip(offered, goals, strict=True) if fits_landing(_code(o), into, at, water)]
            )


class Company(NamedTuple):
    """An option's needs of other units: a partner, and its option that is taken with this one; or the fleets' convoys.

    `needs` are these convoys, or the options of which the partner must have one.
    """

    needs: Sequence[int]
    partner: int = 0
    mate: int = -1


NOT_ORDERED = -1
"""The word to partners for a unit without an order, since another's order speaks for both."""
CODE, VALUE = 1, 3
"""Indices of these fields in `Options.rows`."""


class Options:
    """The legal orders of a power's units, as the rows of a `menu.Menu`; units go by their numbers, from 1.

    `values` has the value of each location (by number) to a unit of a kind.  `rows` are options: unit, code, into,
    value, otherwise, aim and helps; `orders` has the order of each, None for none.  `ways` are the options of each
    unit: to hold, to support others, and all else that it could do, with what others must do for it. `company` has the
    needs of options, `words` the partners' words for them, if these are not their numbers. Help for other powers' units
    is left out, and so are all but the best of a unit's many moves.
    """

    def __init__(self, view: View, values: Values) -> None:
        self.view, self.board, self.worth = view, view.board, Worth(view.board, values)
        self.units: tuple[Unit, ...] = tuple(view.choices)
        self.aims = len(self.board.locations) + 2
        self.at = [-1, *(self.board.index[unit.at.province] for unit in self.units)]
        self._numbers = {unit: n for n, unit in enumerate(self.units, 1)}
        self._named = {(u.kind, u.at): n for n, u in reversed(list(enumerate(self.units, 1)))}
        self._carried = {unit.aboard: n for n, unit in enumerate(self.units, 1) if unit.aboard}
        self._worked: bool | None = None
        self.rows: list[tuple[int, int, int, float, float, int, int]] = []
        self.orders: list[Order | None] = []
        self.company: dict[int, Company] = {}
        self.words: dict[int, int] = {}
        self.here = [0.0, *map(self._here, self.units)]
        self.hold = [-1, *(self._hold(n) for n in self._numbers.values())]
        self.supports: list[dict[int, int]] = [{} for _ in self.here]
        self.convoys: list[dict[int, int]] = [{} for _ in self.here]
        self._offered = [[hold] for hold in self.hold]
        for n, unit in enumerate(self.units, 1):
            for order in view.choices[unit]:
                self._enter(n, unit, order)
        self._values = [row[VALUE] for row in self.rows]
        own = (self._own(n, unit) for n, unit in enumerate(self.units, 1))
        self.ways = [[self.hold[n], *self.supports[n].values(), *more] for n, more in enumerate(own, 1)]

    # -- one order -------------------------------------------------------------------------------------------------

    def _add(
        self, order: Order | None, n: int, code: int, into: int, value: float, otherwise: float, aim: int,
        helps: int = -1,
    ) -> int:  # fmt: skip
        """Add an option; its number."""
        self.orders.append(order)
        self.rows.append((n, code, into, value, otherwise, aim, helps))
        return len(self.rows) - 1

    def _here(self, unit: Unit) -> float:
        """Return the value of its place to a unit; units aboard are counted with their carriers."""
        if unit.aboard:
            return 0.0
        carries = any(order.carried and order.to for order in self.view.choices[unit])
        return self.worth.of(self.worth.form(unit.kind) if carries else unit.kind, unit.at)

    def _hold(self, n: int) -> int:
        unit, here = self.units[n - 1], self.here[n]
        order = None if unit.aboard else Order(Verb.HOLD, unit.kind, unit.at)
        return self._add(order, n, STAYS, self.at[n], here, here, n * self.aims)

    def _enter(self, n: int, unit: Unit, order: Order) -> None:
        here, at, aim = self.here[n], self.at[n], n * self.aims
        if order.verb is PairVerb.TAKE:
            self._offered[n].append(self._add(order, n, WAITS, at, here, here, aim))
        elif order.of is not None:
            self._help(n, order)
        elif order.carried and order.to is None and not order.verb.rider and self._may_work(order):
            made = self.worth.of(self.worth.form(unit.kind), unit.at)
            self._offered[n].append(self._add(order, n, WORKS, at, made, here, aim))
        elif order.to is not None and _goes(order) and not (order.via or order.builders or order.carried > 1):
            self._offered[n].append(self._move(n, unit, order, order.to))

    def _move(self, n: int, unit: Unit, order: Order, to: Location) -> int:
        code, into, alone = GOES, self.board.index[to.province], order.carried > 0
        if order.verb is PairVerb.LAND:
            code, value = LANDS, self._landed(unit, order)
        elif order.verb is PairVerb.BOARD:
            value, into, alone = self._boarded(unit, order), -1, True
        else:
            value = self.worth.after(order, order.kind)
            alone = alone or self._afloat(unit)
        aim = (n + 1) * self.aims - 1 if alone else self._aim(n, to)
        return self._add(order, n, code, into, value, self.here[n], aim)

    def _aim(self, n: int, to: Location | None) -> int:
        """Return the aim of support for a unit: its staying or its destination.

        The last of its aims is for a unit that takes no support.
        """
        return n * self.aims + (0 if to is None else 1 + self.board.location_index[to])

    def _may_work(self, order: Order) -> bool:
        """Return whether a work would succeed if no other unit did anything; of equal works only one is tried."""
        if self._worked is None:
            rules, kind, position = self.view.rules, PhaseKind.MOVEMENT, self.view.position
            tried = adjudicate(rules, kind, position, {self.view.power: [order]}).rulings
            self._worked = any(ruling.given and ruling.result is Result.SUCCEEDS for ruling in tried)
        return self._worked

    def _afloat(self, unit: Unit) -> bool:
        """Return whether it travels in what it carries, which is not an attack."""
        return unit.kind in self.board.forms and not self.board.forms[unit.kind].cargo

    def _help(self, n: int, order: Order) -> None:
        assert order.of is not None
        helped = self._named.get((order.of_kind, order.of))
        if helped is None or order.of_power not in ("", self.view.power):
            return
        if order.doing:
            helped = self._carried.get(self.units[helped - 1].number, helped)
        helps, supports = self._aim(helped, order.to), order.verb is Verb.SUPPORT
        known, code = (self.supports[n], SUPPORTS) if supports else (self.convoys[n], CONVOYS)
        if helps in known:
            self.orders[known[helps]] = order
        else:
            here = self.here[n]
            known[helps] = self._add(order, n, code, self.at[n], here, here, n * self.aims, helps)

    def _landed(self, unit: Unit, order: Order) -> float:
        """Return the value of a landing: for an army aboard only its gain, the rest being counted with its fleet."""
        assert order.to is not None
        assert order.at is not None
        if unit.aboard:
            laden = form_laden(self.board, unit.kind)
            return self.worth.of(unit.kind, order.to) - self.worth.aboard(laden, order.at)
        form = self.board.forms[order.kind]
        return self.worth.of(form.cargo, order.to) + self.worth.of(form.base, order.at)

    def _boarded(self, unit: Unit, order: Order) -> float:
        assert order.to is not None
        laden = form_laden(self.board, unit.kind)
        return self.worth.aboard(laden, order.to)

    def riders(self, chosen: Sequence[int]) -> Iterator[Order]:
        """Yield orders beside a plan's orders: units break up what they leave behind when no more can be made."""
        if self._worked is not False:
            return
        for unit, option in zip(self.units, chosen, strict=True):
            order, breaks = self.orders[option], [o for o in self.view.choices[unit] if o.verb.rider]
            if breaks and order and order.verb is Verb.MOVE and not order.carried and not self._afloat(unit):
                yield breaks[0]

    # -- what is done together ----------------------------------------------------------------------------------------

    def _own(self, n: int, unit: Unit) -> Iterator[int]:
        """Yield a unit's options other than to hold, support and convoy."""
        yield from (option for option in self._offered[n] if self.rows[option][CODE] == WORKS)
        for option in self._best(n):
            order = self.orders[option]
            assert order is not None
            company = partners(self.board, self.view.choices, unit, order)
            if not company:
                yield option
            for partner in company:
                yield from self._together(option, partner)
        if any(self.convoys):
            yield from self._voyages(n, unit)

    def _best(self, n: int) -> list[int]:
        """Return the best moves of each sort, those with a partner not instead of those without."""
        sorts: dict[tuple[AnyVerb, str], list[int]] = {}
        for option in self._offered[n]:
            if self.rows[option][CODE] >= LANDS:
                order = self.orders[option]
                assert order is not None
                sorts.setdefault((order.verb, order.kind), []).append(option)
        found = []
        for moves in sorts.values():
            picked = [0] * MOST_MOVES
            found.append(picked[: pick_moves(moves, self._values, picked, 0)])
        found.sort(key=lambda picked: (-self._values[picked[0]], picked[0]))
        return [option for picked in found for option in picked]

    def _together(self, option: int, partner: Partner) -> Iterator[int]:
        """Yield an order with each that its partner could be given beside it, as options of their own."""
        n, code, into, value, otherwise, aim, _ = self.rows[option]
        other = self._numbers[partner.unit]
        if None in partner.orders:  # the one order speaks for both
            otherwise += self.here[other]
            mates = [self._add(None, other, WAITS, self.at[other], 0.0, 0.0, other * self.aims)]
            needs = [NOT_ORDERED]
            self.words[mates[0]] = NOT_ORDERED
        else:
            offered = {self.orders[number]: number for number in self._offered[other]}
            helps = (*self.supports[other].values(), *self.convoys[other].values())
            known = offered | {self.orders[number]: number for number in helps}
            mates = [offered[order] for order in partner.orders if order in offered]
            needs = [known[order] for order in partner.orders if order in known]
        for mate in mates:
            both = self._add(self.orders[option], n, code, into, value, otherwise, aim)
            self.words[both] = option
            self.company[both] = Company(needs, other, mate)
            yield both

    def _voyages(self, n: int, unit: Unit) -> Iterator[int]:
        """Yield the moves of a unit to where no step leads and its own side's fleets could carry it."""
        choices = self.view.choices[unit]
        near = {o.to.province for o in choices if o.to and o.verb is Verb.MOVE and not o.via}
        for order in choices:
            if order.to is None or not order.via or order.of or order.to.province in near:
                continue
            into, aim = self.board.index[order.to.province], self._aim(n, order.to)
            fleets = sorted({self.at[f]: f for f, convoys in enumerate(self.convoys) if aim in convoys}.items())
            came, chain, size = [0] * len(fleets), [0] * len(fleets), len(self.board.provinces)
            waters = [water for water, _ in fleets]
            if length := find_chain(waters, self.board.link, size, self.at[n], into, came, chain):
                option = self._add(order, n, GOES, into, self.worth.after(order, unit.kind), self.here[n], aim)
                self.company[option] = Company([self.convoys[fleets[i][1]][aim] for i in chain[:length]])
                yield option
