"""Binding: which order each unit carries out, and what becomes of the orders it does not.

An order is bound to a unit of its power by the place it names.  One that could not come true is passed over (STD-4.d);
of several possible ones for a unit, DATC 4.D.3 says which counts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from gamesmaster.board import Location
from gamesmaster.errors import NotFound, nearest
from gamesmaster.judge.clerk import Draft, Reading
from gamesmaster.judge.field import Field
from gamesmaster.judge.kernel import CONVOY, HOLD, MOVE, SUPPORT
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

    `chosen[row]` is the order a unit carries out, None if it just holds; `entry[row]` its number in `entries`, -1 for
    none.  `faults` says, by number, why an order is not carried out; `noway` are rows whose impossible move still
    counts as one (4.E.1).
    """

    entries: list[Entry]
    chosen: list[Draft | None]
    entry: list[int]
    faults: dict[int, Cause]
    noway: dict[int, Draft]


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
    memory = clerk.memory[PhaseKind.MOVEMENT]
    numbers, tenant, owner, stance = rules.numbers, field.tenant, field.owner, field.stance
    n = len(field.units)
    bound = Bound([], [None] * n, [-1] * n, {}, {})
    entries, chosen, entry, faults, noway = bound
    for power, given in orders.items():
        number = numbers[power]
        for text in given:
            reading = memory.get(text) or clerk.read(text, PhaseKind.MOVEMENT)
            place = reading.place
            row = tenant[place] if place >= 0 else 0
            if field.crowded and row:
                assert reading.order is not None
                row = field.row(place, number, reading.order.kind)
            if not row or owner[row] != number or power in disorder:
                faults[len(entries)] = _stray(reading, row, power in disorder)
                entries.append(Entry(power, text, reading, 0))
                continue
            draft = reading.drafts.get(stance[row]) or clerk.draft(reading, stance[row])
            fault = draft.fault or possible(field, draft, row)
            if fault is not None:
                faults[len(entries)] = fault
                if draft.code == MOVE and row not in noway and _counts_as_move(rules, draft):
                    noway[row] = draft
            elif entry[row] >= 0:
                _settle_double(bound, row, draft, rules.rulebook.double_orders)
            else:
                chosen[row] = draft
                entry[row] = len(entries)
            entries.append(Entry(power, text, reading, row))
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
    earlier, this = bound.entry[row], len(bound.entries)
    previous = bound.entries[earlier].reading.order
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
    code = draft.code
    if code == SUPPORT:
        return _possible_support(field, draft, row)
    if code == HOLD:
        return None
    if code == CONVOY:
        return _possible_convoy(field, draft, row)
    if draft.land:
        if field.board.restricted and not draft.sea:
            return _closed(field, row, draft.goal)
        return None
    if not field.passage(field.at[row], draft.to):
        return Cause.NO_PASSAGE
    return None


def _closed(field: Field, row: int, goal: int) -> Cause | None:
    unit = field.units[row]
    assert unit is not None
    return Cause.CLOSED if field.board.barred(unit.power, unit.kind, field.location[row], goal) else None


def _possible_support(field: Field, draft: Draft, row: int) -> Cause | None:
    helped = field.tenant[draft.of]
    if not helped:
        return Cause.NOBODY
    if field.crowded:
        helped = field.row(draft.of, field.owner[row], draft.order.of_kind)
    order = draft.order
    if draft.to >= 0:
        kind, location = field.kind(helped), field.location[helped]
        reached = field.board.reach(kind, location).get(draft.to)
        if reached is None:
            if not field.rules.clerk.sails(kind, draft.of, draft.to) or not field.passage(draft.of, draft.to):
                return Cause.CANNOT
            if field.carries(row) and not field.passage_without(draft.of, draft.to, field.at[row]):
                return Cause.NEEDED
        elif len(reached) > 1 or (order.to and field.board.province(order.to.province).coasts):
            fault = _support_coast(field, draft, row, helped, reached)
            if fault is not None:
                return fault
    return wrong_words(field, order, helped, field.owner[helped] != field.owner[row])


def _support_coast(field: Field, draft: Draft, row: int, helped: int, reached: tuple[int, ...]) -> Cause | None:
    """A support into a split coast may have to name it (4.B.4)."""
    answer = field.rules.rulebook.support_coast
    assert draft.order.to is not None
    if draft.order.to.coast or field.board.ways[field.kind(helped)] != "fleet":
        return None
    foreign = field.owner[helped] != field.owner[row]
    wanted = answer == "always_required" or (
        len(reached) > 1 and (answer == "required" or (answer == "own_unit_only" and foreign))
    )
    return Cause.WHICH_COAST if wanted else None


def wrong_words(field: Field, order: Order, helped: int, foreign: bool) -> Cause | None:
    """Do the words for the unit helped spoil the order (4.B.5, 4.C.1, 4.C.2, 4.C.5, 4.C.6)?"""
    book = field.rules.rulebook
    unit = field.units[helped]
    assert unit is not None
    assert order.of is not None
    if order.of_kind != unit.kind and (book.kind_mistaken if order.of_kind else book.kind_omitted) == "void":
        return Cause.WRONG_KIND
    wrong_nation = order.of_power not in ("", unit.power) and book.nation_mistaken == "void"
    if wrong_nation or (not order.of_power and foreign and book.nation_omitted == "void"):
        return Cause.WRONG_NATION
    return field.rules.clerk.wrong_standing_coast(order.of, unit.at)


def _possible_convoy(field: Field, draft: Draft, row: int) -> Cause | None:
    army = field.tenant[draft.of]
    if not army:
        return Cause.NOBODY
    if field.crowded:
        army = field.row(draft.of, field.owner[row], draft.order.of_kind)
    if field.board.ways[field.kind(army)] == "fleet":
        return Cause.NO_ARMY
    return field.needed(field.at[row], draft.of, draft.to) or wrong_words(
        field, draft.order, army, field.owner[army] != field.owner[row]
    )


def _deduce(field: Field, bound: Bound) -> None:
    """Give units without orders the moves their own power supports or convoys (4.E.3 a)."""
    clerk = field.rules.clerk
    ordered = {entry.row for entry in bound.entries}
    for draft, row in [(d, r) for r, d in enumerate(bound.chosen) if d is not None]:
        helped = field.tenant[draft.of] if draft.of >= 0 else 0
        if draft.to < 0 or helped in ordered or not helped or field.owner[helped] != field.owner[row]:
            continue
        unit = field.units[helped]
        assert unit is not None
        assert draft.order.to is not None
        move = Order(Verb.MOVE, unit.kind, unit.at, Location(*draft.order.to))
        reading = clerk.read(move, PhaseKind.MOVEMENT)
        implied = clerk.draft(reading, field.stance[helped])
        if implied.fault is None and possible(field, implied, helped) is None:
            bound.chosen[helped] = implied
            ordered.add(helped)
