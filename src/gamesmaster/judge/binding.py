"""Binding: which order each unit carries out, and what becomes of the orders it does not.

An order is bound to a unit of its power by the place it names.  One that could not come true is passed over (STD-4.d);
of several possible ones for a unit, DATC 4.D.3 says which counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from gamesmaster.board import Location, Unit
from gamesmaster.errors import NotFound, nearest
from gamesmaster.judge.clerk import Clerk, OrderMechanic
from gamesmaster.judge.draft import NOWHERE, STANDS, TORN, Draft, Reading
from gamesmaster.judge.field import Field
from gamesmaster.judge.kernel import MOVE, Rows
from gamesmaster.judge.possible import possible
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.values import AnyCause, Cause, Verdict, Verdicts
from gamesmaster.orders import Order, PhaseKind, Verb

Given = Mapping[str, Sequence[str | Order]]
"""What the powers sent: texts, or orders already read, in the order written."""


Silent = Mapping[str, AnyCause]
"""Powers that give no orders, and why."""

NOBODY: Silent = MappingProxyType({})
NOTHING: Verdicts = MappingProxyType({})


class Entry(NamedTuple):
    """One order as it came, and the row it was bound to (0: none)."""

    power: str
    given: str | Order
    reading: Reading
    row: int


class Bound(NamedTuple):
    """All orders of a movement phase, bound.

    `rows` tells of each order, by its number, the row it was bound to (0: none), `faults` why it is not carried out.
    `chosen[row]` is what a unit carries out, `STANDS` or `TORN` if no order counts; `noway` are rows whose impossible
    move still counts as one (4.E.1).  `riders` are orders carried out beside another one, by number; `decided` what was
    decided before anything moves; `clear` are texts whose doubtful names have been settled.
    """

    given: Given
    rows: list[int]
    faults: dict[int, AnyCause]
    chosen: list[Draft]
    noway: dict[int, Draft]
    riders: dict[int, Draft]
    decided: dict[int, Verdict]
    clear: dict[int, Reading]

    def entries(self, clerk: Clerk) -> Iterator[Entry]:
        """Every order as it came, in the order given."""
        number = 0
        for power, orders in self.given.items():
            for order in orders:
                reading = self.clear.get(number) or clerk.read(order, PhaseKind.MOVEMENT)
                yield Entry(power, order, reading, self.rows[number])
                number += 1

    def keys(self) -> Iterator[tuple[str, int]]:
        """Of each order, by its number: its power, and which of that power's orders it is, from 0."""
        return ((power, index) for power, orders in self.given.items() for index in range(len(orders)))


class BindingMechanic(OrderMechanic):
    """What a variant changes in which orders can be carried out, and in what the kernel is given."""

    def order_fault(self, field: Field, draft: Draft, row: int) -> AnyCause | None:
        """Why the unit of this row cannot carry an order out on this position; None if this sees nothing against it."""
        return None

    def landing_fault(self, field: Field, bound: Bound, draft: Draft, row: int) -> AnyCause | None:
        """Why the army aboard in this row cannot go ashore as ordered, all other orders being bound; None if it can."""
        return None

    def adjust_problem(self, field: Field, bound: Bound, rows: Rows) -> None:
        """Put its facts into the rows of the problem: weights, flags, moves of those aboard."""

    def unit_orders(self, field: Field, unit: Unit) -> Iterator[Order]:
        """The lawful orders of a unit in a movement phase that this adds to the regular ones."""
        return iter(())


def known_powers(rules: Rules, orders: Given) -> Given:
    """The orders by the powers' proper names, in any case; raises `NotFound` for a power that does not exist."""
    if orders.keys() <= rules.numbers.keys():
        return orders
    names = {power.casefold(): power for power in rules.powers}
    found: dict[str, Sequence[str | Order]] = {}
    for power, given in orders.items():
        name = power if power in rules.numbers else names.get(power.casefold())
        if name is None:
            raise NotFound(f"no power {power[:60]!r}", hint=nearest(power, rules.powers))
        found[name] = [*found[name], *given] if name in found else given
    return found


def bind(field: Field, orders: Given, silent: Silent = NOBODY, verdicts: Verdicts = NOTHING) -> Bound:
    """Read every order, check it against the position, and bind it to its unit; those with a verdict are left out."""
    rules, clerk, board = field.rules, field.clerk, field.board
    readings = clerk.readings[PhaseKind.MOVEMENT]
    tenant, crowded, owner, stances = field.tenant, field.crowded, field.owner, field.stances
    bound = Bound(orders, [], {}, [STANDS] * len(stances), {}, {}, {}, {})
    _, rows, faults, chosen, noway, _, _, _ = bound
    checks = rules.asked(BindingMechanic.order_fault)
    landings: list[tuple[int, int, Reading]] = []
    for power, given in orders.items():
        number, idle = rules.numbers[power], silent.get(power)
        for index, text in enumerate(given):
            reading = readings[text]
            if verdicts and (power, index) in verdicts:
                bound.decided[len(rows)] = verdicts[power, index]
                rows.append(0)
                continue
            if reading.meanings and not idle:
                bound.clear[len(rows)] = reading = _only_possible(field, reading, number)
            row = tenant[reading.place]
            if crowded and row:
                row = _of_crowd(field, bound, reading, number)
            if field.cargo and _as_landing(field, reading, row):
                bound.clear[len(rows)] = reading = clerk.landing(reading)
            if reading.lands and not idle:
                landing = len(rows), number, reading
                rows.append(0)
                if reading.place in board.boxes:
                    _land(field, bound, landing, row)
                else:
                    landings.append(landing)
                continue
            if idle or owner[row] != number:
                if not idle and field.embarked and (beside := _beside_boarding(field, bound, reading, number)):
                    rows.append(beside)
                    continue
                faults[len(rows)] = _stray(field, reading, row, idle)
                rows.append(row if idle and owner[row] == number else 0)
                continue
            draft = reading.draft
            if draft.stance is not stances[row]:
                draft = clerk.draft(reading, stances[row])
            fault = None
            if crowded or stances[tenant[draft.of]] is not draft.fits:
                fault = possible(field, draft, row)
            for order_fault in checks:
                fault = fault or order_fault(field, draft, row)
            if fault and field.embarked:
                fault = _since_boarding(field, draft, fault)
            if fault:
                faults[len(rows)] = fault
                if draft.code == MOVE and row not in noway and _counts_as_move(rules, draft):
                    noway[row] = draft
            elif draft.rider:
                bound.riders[len(rows)] = draft
            elif chosen[row] is STANDS:
                chosen[row] = draft
            else:
                _settle_double(bound, len(rows), row, draft, rules.rulebook.double_orders)
            rows.append(row)
    for landing in landings:
        _land(field, bound, landing, _carrier(field, bound, *landing))
    if rules.rulebook.implicit_orders == "allowed":
        _deduce(field, bound)
    return bound


def _as_landing(field: Field, reading: Reading, row: int) -> bool:
    """Is this the move of an army where only a fleet with one aboard lies: a landing, written as the convoy it is?"""
    order = reading.order
    if order is None or order.verb is not Verb.MOVE or order.boats or row not in field.cargo:
        return False
    board = field.board
    assert order.to is not None
    ashore = order.to.province in board.index and board.province(order.to.province).land
    return ashore and order.kind == board.forms[field.kind(row)].cargo and reading.place not in board.boxes


def _beside_boarding(field: Field, bound: Bound, reading: Reading, power: int) -> int:
    """The row of a unit that has gone aboard and carries out, where it stood, what it was ordered beside; else 0.

    An army that destroys a boat does so from where it is when the season begins (SCO-13.a).
    """
    gone = field.gone_aboard(reading.place, power, reading.kind)
    if gone is None:
        return 0
    (row, former), number = gone, len(bound.rows)
    draft = field.clerk.draft(reading, field.clerk.stances[former.kind][former.at])
    if not draft.rider:
        return 0
    fault = draft.fault
    for order_fault in field.rules.asked(BindingMechanic.order_fault):
        fault = fault or order_fault(field, draft, row)
    if fault:
        bound.faults[number] = fault
    else:
        bound.riders[number] = draft
    return row


def _since_boarding(field: Field, draft: Draft, fault: AnyCause) -> AnyCause:
    """Why an order is not possible, if it is so only since somebody went aboard (AFM-3.c, AFM-3.f)."""
    if draft.fault is not None and draft.stance.place in field.embarked and draft.stance.kind in field.board.forms:
        return Cause.LOADED
    return Cause.WENT_ABOARD if draft.of in field.embarked else fault


def _only_possible(field: Field, reading: Reading, power: int) -> Reading:
    """What a text with doubtful names means: what its unit could carry out, if that is just one order (CLN-H.f).

    Otherwise the text stays unread.
    """
    found = []
    for meaning in reading.meanings:
        row = field.row(meaning.place, power, meaning.kind)
        if row and field.owner[row] == power:
            draft = field.clerk.draft(meaning, field.stances[row])
            if possible(field, draft, row) is None:
                found.append(meaning)
    return found[0] if len(found) == 1 else reading


def _stray(field: Field, reading: Reading, row: int, idle: AnyCause | None) -> AnyCause:
    if idle:
        return idle
    if reading.order is None:
        return Cause.UNREADABLE
    if reading.order.at is None or reading.order.verb is Verb.BUILD:
        return Cause.OTHER_PHASE
    if not row and reading.place in field.board.boxes:
        return Cause.LEFT_OVER
    return Cause.FOREIGN if row else Cause.NO_UNIT


def _counts_as_move(rules: Rules, draft: Draft) -> bool:
    """Does an impossible move still keep its unit from being supported in place (4.E.1)?"""
    answer = rules.rulebook.impossible_order
    if answer == "refuses_support":
        return draft.to >= 0
    return answer == "refuses_if_ever_possible" and draft.fault is None


def _of_crowd(field: Field, bound: Bound, reading: Reading, power: int) -> int:
    """The row of the unit that an order means where several lie together.

    In a box each order is for another unit: they are matched in the order written (CNW-5.a).
    """
    if reading.place not in field.board.boxes:
        return field.row(reading.place, power, reading.kind)
    kind = "" if reading.lands else reading.kind
    rows = field.meant(reading.place, power, kind)
    ordered = set(bound.rows)
    free = (r for r in rows if r not in ordered and field.cargo.get(r, NOWHERE) not in ordered)
    return next((r for r in free if r in field.cargo or not reading.lands), 0)


def _carrier(field: Field, bound: Bound, number: int, power: int, reading: Reading) -> int:
    """The fleet whose army goes ashore from this water: it stands there, or is ordered to sail there (AFM-6.k).

    0 if there is none, or if it could be two.
    """
    standing = field.tenant[reading.place]
    if standing not in field.cargo or field.owner[standing] != power:
        standing = 0
    if standing and bound.chosen[standing].code != MOVE:
        return standing
    chosen, own = bound.chosen, (c for c in field.cargo if field.owner[c] == power)
    coming = [c for c in own if chosen[c].code == MOVE and chosen[c].to == reading.place]
    return coming[0] if len(coming) == 1 else 0 if coming else standing


def _land(field: Field, bound: Bound, landing: tuple[int, int, Reading], carrier: int) -> None:
    """Bind an order to go ashore to the army aboard of this fleet."""
    number, _, reading = landing
    row = field.cargo.get(carrier, 0)
    assert reading.order is not None
    if not row:
        bound.faults[number] = Cause.NO_LANDER
        bound.rows[number] = carrier
        return
    unit = field.units[row]
    assert unit is not None
    water = Location(field.board.provinces[reading.place].id)
    draft = field.clerk.draft(reading, field.clerk.stowed(unit.kind, water))
    bound.rows[number] = row
    fault = draft.fault
    for landing_fault in field.rules.asked(BindingMechanic.landing_fault):
        fault = fault or landing_fault(field, bound, draft, row)
    if fault:
        bound.faults[number] = fault
    elif bound.chosen[row] is STANDS:
        bound.chosen[row] = draft
    else:
        _settle_double(bound, number, row, draft, field.rules.rulebook.double_orders)


def _settle_double(bound: Bound, this: int, row: int, draft: Draft, answer: str) -> None:
    """Choose between two possible orders for one unit (4.D.3)."""
    previous = bound.chosen[row]
    if previous is TORN:
        bound.faults[this] = Cause.CONTRADICTED
    elif answer == "first" or previous.order == draft.order:
        bound.faults[this] = Cause.SECOND
    else:
        known = bound.faults.keys() | bound.riders.keys()
        earlier = next(i for i in range(this - 1, -1, -1) if bound.rows[i] == row and i not in known)
        if answer == "last":
            bound.faults[earlier] = Cause.SECOND
            bound.chosen[row] = draft
        else:
            bound.faults[earlier] = bound.faults[this] = Cause.CONTRADICTED
            bound.chosen[row] = TORN


def _deduce(field: Field, bound: Bound) -> None:
    """Give units without orders the moves their own power supports or convoys (4.E.3 a)."""
    clerk = field.clerk
    ordered = set(bound.rows)
    for row, draft in enumerate(bound.chosen):
        helped = field.tenant[draft.of]
        if draft.to < 0 or helped in ordered or not helped or field.owner[helped] != field.owner[row]:
            continue
        stance = field.stances[helped]
        assert draft.order.to is not None
        move = Order(Verb.MOVE, stance.kind, stance.at, Location(*draft.order.to))
        implied = clerk.draft(clerk.read(move, PhaseKind.MOVEMENT), stance)
        if possible(field, implied, helped) is None:
            bound.chosen[helped] = implied
            ordered.add(helped)
