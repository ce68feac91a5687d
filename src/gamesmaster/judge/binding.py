"""Binding: which order each unit carries out, and what becomes of the orders it does not.

An order is bound to a unit of its power by the place it names.  One that could not come true is passed over (STD-4.d);
of several possible ones for a unit, DATC 4.D.3 says which counts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from gamesmaster.board import Location
from gamesmaster.errors import NotFound, nearest
from gamesmaster.judge.clerk import Clerk
from gamesmaster.judge.draft import STANDS, TORN, Draft, Reading
from gamesmaster.judge.field import Field
from gamesmaster.judge.kernel import CONVOY, HOLD, MOVE
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.ruling import Cause
from gamesmaster.orders import Order, PhaseKind, Verb

Given = Mapping[str, Sequence[str | Order]]
"""What the powers sent: texts, or orders already read, in the order written."""


Silent = Mapping[str, Cause]
"""Powers that give no orders, and why."""

NOBODY: Silent = MappingProxyType({})


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
    move still counts as one (4.E.1).
    """

    given: Given
    rows: list[int]
    faults: dict[int, Cause]
    chosen: list[Draft]
    noway: dict[int, Draft]

    def entries(self, clerk: Clerk) -> Iterator[Entry]:
        """Every order as it came, in the order given."""
        rows = iter(self.rows)
        for power, orders in self.given.items():
            for order in orders:
                yield Entry(power, order, clerk.read(order, PhaseKind.MOVEMENT), next(rows))


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


def bind(field: Field, orders: Given, silent: Silent = NOBODY) -> Bound:
    """Read every order, check it against the position, and bind it to its unit."""
    rules, clerk = field.rules, field.rules.clerk
    readings = clerk.readings[PhaseKind.MOVEMENT]
    tenant, crowded, owner, stances = field.tenant, field.crowded, field.owner, field.stances
    bound = Bound(orders, [], {}, [STANDS] * len(stances), {})
    _, rows, faults, chosen, noway = bound
    for power, given in orders.items():
        number, idle = rules.numbers[power], silent.get(power)
        for text in given:
            reading = readings[text]
            row = tenant[reading.place]
            if crowded and row:
                row = field.row(reading.place, number, reading.kind)
            if idle or owner[row] != number:
                faults[len(rows)] = _stray(reading, row, idle)
                rows.append(row if idle and owner[row] == number else 0)
                continue
            draft = reading.draft
            if draft.stance is not stances[row]:
                draft = clerk.draft(reading, stances[row])
            if (crowded or stances[tenant[draft.of]] is not draft.fits) and (fault := possible(field, draft, row)):
                faults[len(rows)] = fault
                if draft.code == MOVE and row not in noway and _counts_as_move(rules, draft):
                    noway[row] = draft
            elif chosen[row] is STANDS:
                chosen[row] = draft
            else:
                _settle_double(bound, row, draft, rules.rulebook.double_orders)
            rows.append(row)
    if rules.rulebook.implicit_orders == "allowed":
        _deduce(field, bound)
    return bound


def _stray(reading: Reading, row: int, idle: Cause | None) -> Cause:
    if idle:
        return idle
    if reading.order is None:
        return Cause.UNREADABLE
    if reading.order.at is None or reading.order.verb is Verb.BUILD:
        return Cause.OTHER_PHASE
    return Cause.FOREIGN if row else Cause.NO_UNIT


def _counts_as_move(rules: Rules, draft: Draft) -> bool:
    """Does an impossible move still keep its unit from being supported in place (4.E.1)?"""
    answer = rules.rulebook.impossible_order
    if answer == "refuses_support":
        return draft.to >= 0
    return answer == "refuses_if_ever_possible" and draft.fault is None


def _settle_double(bound: Bound, row: int, draft: Draft, answer: str) -> None:
    """Choose between two possible orders for one unit (4.D.3)."""
    this, previous = len(bound.rows), bound.chosen[row]
    if previous is TORN:
        bound.faults[this] = Cause.CONTRADICTED
    elif answer == "first" or previous.order == draft.order:
        bound.faults[this] = Cause.SECOND
    else:
        earlier = next(i for i in range(this - 1, -1, -1) if bound.rows[i] == row and i not in bound.faults)
        if answer == "last":
            bound.faults[earlier] = Cause.SECOND
            bound.chosen[row] = draft
        else:
            bound.faults[earlier] = bound.faults[this] = Cause.CONTRADICTED
            bound.chosen[row] = TORN


def possible(field: Field, draft: Draft, row: int) -> Cause | None:
    """Why this order could not come true with the units now on the board, whatever anybody orders; None if it could."""
    if draft.fault is not None or draft.code == HOLD:
        return draft.fault
    if draft.code == MOVE:
        return _possible_move(field, draft, row)
    helped = field.helped(row, draft)
    stance = field.stances[helped]
    if not helped:
        return Cause.NOBODY
    unit, clerk = field.units[helped], field.rules.clerk
    assert unit is not None
    fault = clerk.misfit(draft, stance, unit.power, field.owner[helped] != field.owner[row])
    if fault is None and (draft.code == CONVOY or (draft.to >= 0 and draft.to not in stance.reach)):
        return _possible_by_sea(field, draft)
    if fault is None and not field.crowded and not clerk.asks_whose(draft):
        draft.fits = stance
    return fault


def _possible_move(field: Field, draft: Draft, row: int) -> Cause | None:
    if field.walks(row, draft):
        return None
    if not draft.sea:
        return Cause.CLOSED
    return None if field.passage(draft.stance.place, draft.to) else Cause.NO_PASSAGE


def _possible_by_sea(field: Field, draft: Draft) -> Cause | None:
    """The same, of helping a move that must go by convoy (STD-4.i, STD-4.j)."""
    here, carries = draft.stance.place, draft.stance.carries
    if draft.code == CONVOY:
        return field.needed(here, draft.of, draft.to)
    if not field.passage(draft.of, draft.to):
        return Cause.CANNOT
    return Cause.NEEDED if carries and not field.passage_without(draft.of, draft.to, here) else None


def _deduce(field: Field, bound: Bound) -> None:
    """Give units without orders the moves their own power supports or convoys (4.E.3 a)."""
    clerk = field.rules.clerk
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
