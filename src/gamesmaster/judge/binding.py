"""Binding: which order each unit carries out, and what becomes of the orders it does not.

An order is bound to a unit of its power by the place it names.  One that could not come true is passed over (STD-4.d);
of several possible ones for a unit, DATC 4.D.3 says which counts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from gamesmaster.board import Location
from gamesmaster.errors import NotFound, nearest
from gamesmaster.judge.draft import Draft, Reading
from gamesmaster.judge.field import Field
from gamesmaster.judge.kernel import CONVOY, MOVE
from gamesmaster.judge.rules import Rules
from gamesmaster.judge.ruling import Cause
from gamesmaster.orders import Order, PhaseKind, Verb

Given = Mapping[str, Sequence[str | Order]]
"""What the powers sent: texts, or orders already read, in the order written."""


class Entry(NamedTuple):
    """One order as it came, and the row it was bound to (0: none)."""

    power: str
    given: str | Order
    reading: Reading
    row: int


class Bound(NamedTuple):
    """All orders of a movement phase, bound.

    `readings` and `rows` tell of each order, by its number, how it was read and the row it was bound to (0: none).
    `chosen[row]` is the order a unit carries out, None if it just holds; `entry[row]` that order's number, -1 for none.
    `faults` says, by number, why an order is not carried out; `noway` are rows whose impossible move still counts as
    one (4.E.1).
    """

    given: Given
    readings: list[Reading]
    rows: list[int]
    chosen: list[Draft | None]
    entry: list[int]
    faults: dict[int, Cause]
    noway: dict[int, Draft]

    def entries(self) -> Iterator[Entry]:
        """Every order as it came, in the order given."""
        sent = ((power, order) for power, orders in self.given.items() for order in orders)
        for (power, order), reading, row in zip(sent, self.readings, self.rows, strict=True):
            yield Entry(power, order, reading, row)


def known_powers(rules: Rules, orders: Given) -> dict[str, Sequence[str | Order]]:
    """The orders by the powers' proper names, in any case; raises `NotFound` for a power that does not exist."""
    names = {power.casefold(): power for power in rules.powers}
    found: dict[str, Sequence[str | Order]] = {}
    for power, given in orders.items():
        name = power if power in rules.numbers else names.get(power.casefold())
        if name is None:
            raise NotFound(f"no power {power[:60]!r}", hint=nearest(power, rules.powers))
        found[name] = [*found[name], *given] if name in found else given
    return found


def bind(field: Field, orders: Given, disorder: Collection[str] = ()) -> Bound:
    """Read every order, check it against the position, and bind it to its unit."""
    rules, clerk = field.rules, field.rules.clerk
    remembered, numbers = clerk.memory[PhaseKind.MOVEMENT], rules.numbers
    tenant, crowded, owner, stances = field.tenant, field.crowded, field.owner, field.stances
    n = len(stances)
    bound = Bound(orders, [], [], [None] * n, [-1] * n, {}, {})
    _, readings, rows, chosen, entry, faults, noway = bound
    for power, given in orders.items():
        number = numbers[power]
        for text in given:
            reading = remembered.get(text) or clerk.read(text, PhaseKind.MOVEMENT)
            row = tenant[reading.place]
            if crowded and row:
                assert reading.order is not None
                row = field.row(reading.place, number, reading.order.kind)
            if owner[row] != number or power in disorder:
                faults[len(rows)] = _stray(reading, row, power in disorder)
                row = 0
            else:
                stance = stances[row]
                draft = reading.drafts.get(stance) or clerk.draft(reading, stance)
                fault = draft.fault if draft.settled else possible(field, draft, row)
                if fault is not None:
                    faults[len(rows)] = fault
                    if draft.code == MOVE and row not in noway and _counts_as_move(rules, draft):
                        noway[row] = draft
                elif entry[row] >= 0:
                    _settle_double(bound, row, draft, rules.rulebook.double_orders)
                else:
                    chosen[row] = draft
                    entry[row] = len(rows)
            readings.append(reading)
            rows.append(row)
    if rules.rulebook.implicit_orders == "allowed":
        _deduce(field, bound)
    return bound


def _stray(reading: Reading, row: int, disorder: bool) -> Cause:
    if disorder:
        return Cause.DISORDER
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
    earlier, this = bound.entry[row], len(bound.rows)
    previous = bound.readings[earlier].order
    if answer == "first" or previous == draft.order:
        bound.faults[this] = Cause.SECOND
    elif answer == "last":
        bound.faults[earlier] = Cause.SECOND
        bound.chosen[row], bound.entry[row] = draft, this
    else:
        bound.faults[earlier] = bound.faults[this] = Cause.CONTRADICTED
        bound.chosen[row] = None


def possible(field: Field, draft: Draft, row: int) -> Cause | None:
    """Why this order could not come true with the units now on the board, whatever anybody orders; None if it could."""
    if draft.settled:
        return draft.fault
    if draft.code == MOVE:
        return None if field.passage(draft.stance.place, draft.to) else Cause.NO_PASSAGE
    helped = field.stances[field.helped(draft)]
    aid = draft.aids.get(helped) or field.rules.clerk.aid(draft, helped)
    if aid.by_sea and aid.fault is None:
        return _possible_by_sea(field, draft)
    return aid.fault


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
    for draft, row in [(d, r) for r, d in enumerate(bound.chosen) if d is not None]:
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
