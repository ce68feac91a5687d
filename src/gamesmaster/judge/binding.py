"""Binding: which order each unit carries out, and what becomes of the orders it does not.

An order is bound to a unit of its power by the place it names.  One that could not come true is passed over (STD-4.d);
of several possible ones for a unit, DATC 4.D.3 says which counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from gamesmaster.board import Location, Unit
from gamesmaster.engine import MOVE, NOWHERE, Rows
from gamesmaster.judge.indexed import IndexedPosition, possible
from gamesmaster.judge.resolution import CONFLICTING, NO_ORDER, OrderMechanic, ParsedOrder, ResolvedOrder
from gamesmaster.orders import GivenOrder, Order, PhaseKind, Verb
from gamesmaster.rules import AnyCause, Cause, Rules, Verdict, Verdicts

OrderTexts = Mapping[str, Sequence[GivenOrder]]
"""The orders of each power, as texts or as orders already read, in the order written."""


PowersWithoutOrders = Mapping[str, AnyCause]
"""Powers that give no orders, and why."""

ALL_GIVE_ORDERS: PowersWithoutOrders = MappingProxyType({})
NOTHING: Verdicts = MappingProxyType({})


class Bound(NamedTuple):
    """All orders of a movement phase, bound; orders go by number."""

    given: OrderTexts
    rows: list[int]  # by order: the row it was bound to, 0 for none
    faults: dict[int, AnyCause]  # the orders not carried out, with the cause
    chosen: list[ResolvedOrder]  # by row: what the unit carries out; `NO_ORDER` or `CONFLICTING` if no order counts
    noway: dict[int, ResolvedOrder]  # the rows whose impossible move still counts as one (4.E.1)
    secondary: dict[int, ResolvedOrder]  # the orders carried out beside another one
    decided: dict[int, Verdict]  # what was decided before anything moves
    parsed: list[ParsedOrder]  # the orders as they were read
    later: list[Callable[[], None]]  # what mechanics bind after all other orders

    def keys(self) -> Iterator[tuple[str, int]]:
        """Yield the power of each order, and its index among that power's orders, counted from 0."""
        return ((power, index) for power, orders in self.given.items() for index in range(len(orders)))


class BindingMechanic(OrderMechanic):
    """A variant's changes to which orders can be carried out, and to what the kernel is given."""

    def order_fault(self, field: IndexedPosition, resolved: ResolvedOrder, row: int) -> AnyCause | None:
        """Return why the unit of this row cannot carry out an order here; None if this mechanic does not forbid it."""
        return None

    def better_fault(self, field: IndexedPosition, resolved: ResolvedOrder, fault: AnyCause) -> AnyCause:
        """Return the fault of an order: a more precise one if this mechanic has it, else `fault`."""
        return fault

    def bind_order(self, field: IndexedPosition, bound: Bound, parsed: ParsedOrder, power: int) -> bool:
        """Bind an order to another row than that of the unit in its place; return False to leave it to others.

        A mechanic that binds an order appends its row to `bound.rows`; a function in `bound.later` is called when all
        others are bound.
        """
        return False

    def order_row(self, field: IndexedPosition, bound: Bound, parsed: ParsedOrder, power: int, regular: int) -> int:
        """Return the row of the unit that a power's order is for, 0 for none; `regular` is the answer so far."""
        return regular

    def stray_order(self, field: IndexedPosition, parsed: ParsedOrder, regular: AnyCause) -> AnyCause:
        """Return why an order matches no unit of its power; `regular` is the reason found so far."""
        return regular

    def adjust_problem(self, field: IndexedPosition, bound: Bound, rows: Rows) -> None:
        """Put its facts into the rows of the problem: weights, flags, moves of those aboard."""

    def unit_orders(self, field: IndexedPosition, unit: Unit) -> Iterator[Order]:
        """Yield the legal orders of a unit in a movement phase that this mechanic adds to the regular ones."""
        return iter(())


def by_line(orders: Mapping[str, str | Sequence[GivenOrder]]) -> OrderTexts:
    """Return each power's orders one by one: a single text is a sheet with one order per line."""
    if str not in map(type, orders.values()):
        return orders
    return {
        power: [line for line in sent.splitlines() if line.strip()] if isinstance(sent, str) else sent
        for power, sent in orders.items()
    }


def known_powers(rules: Rules, orders: OrderTexts) -> OrderTexts:
    """Return the orders by the powers' proper names, from any of their names.

    Raises `NotFound` for an unknown power.
    """
    if orders.keys() <= rules.numbers.keys():
        return orders
    found: dict[str, Sequence[GivenOrder]] = {}
    for power, given in orders.items():
        name = rules.power(power)
        found[name] = [*found[name], *given] if name in found else given
    return found


def bind_orders(
    field: IndexedPosition,
    orders: OrderTexts,
    silent: PowersWithoutOrders = ALL_GIVE_ORDERS,
    verdicts: Verdicts = NOTHING,
) -> Bound:
    """Read every order, check it against the position, and bind it to its unit; those with a verdict are left out."""
    rules, reader = field.rules, field.reader
    parsed_orders = reader.parsed_orders[PhaseKind.MOVEMENT]
    tenant, crowded, owner, placements = field.tenant, field.crowded, field.owner, field.placements
    bound = Bound(orders, [], {}, [NO_ORDER] * len(placements), {}, {}, {}, [], [])
    rows, faults, chosen, noway, read = bound.rows, bound.faults, bound.chosen, bound.noway, bound.parsed
    checks, better_faults = rules.hooks(BindingMechanic.order_fault), rules.hooks(BindingMechanic.better_fault)
    binders, finders = rules.hooks(BindingMechanic.bind_order), rules.hooks(BindingMechanic.order_row)
    for power, given in orders.items():
        number, idle = rules.numbers[power], silent.get(power)
        first = len(read)
        read += map(parsed_orders.__getitem__, given)
        for parsed in read[first:]:
            if verdicts and (power, len(rows) - first) in verdicts:
                bound.decided[len(rows)] = verdicts[power, len(rows) - first]
                rows.append(0)
                continue
            if parsed.meanings and not idle:
                read[len(rows)] = parsed = _only_possible(field, parsed, number)
            if binders and not idle and any(binds(field, bound, parsed, number) for binds in binders):
                continue
            row = tenant[parsed.place]
            if finders:
                for order_row in finders:
                    row = order_row(field, bound, parsed, number, row)
            if idle or owner[row] != number:
                faults[len(rows)] = idle or _stray(field, parsed, row)
                rows.append(row if idle and owner[row] == number else 0)
                continue
            resolved = parsed.resolved
            if resolved.placement is not placements[row]:
                resolved = reader.resolve(parsed, placements[row])
            fault = None
            if crowded or placements[tenant[resolved.of]] is not resolved.fits:
                fault = possible(field, resolved, row)
            if checks:
                for order_fault in checks:
                    fault = fault or order_fault(field, resolved, row)
            if fault:
                for better_fault in better_faults:
                    fault = better_fault(field, resolved, fault)
                faults[len(rows)] = fault
                if resolved.code == MOVE and row not in noway and _counts_as_move(rules, resolved):
                    noway[row] = resolved
            elif resolved.secondary:
                bound.secondary[len(rows)] = resolved
            elif chosen[row] is NO_ORDER:
                chosen[row] = resolved
            else:
                _settle_double(bound, len(rows), row, resolved, rules.rulebook.double_orders)
            rows.append(row)
    for binds_late in bound.later:
        binds_late()
    if rules.rulebook.implicit_orders == "allowed":
        _deduce(field, bound)
    return bound


def _only_possible(field: IndexedPosition, parsed: ParsedOrder, power: int) -> ParsedOrder:
    """Return the only meaning of a doubtful text that its unit could carry out (CLN-H.f).

    If there is not exactly one, return the text unread.
    """
    found = []
    for meaning in parsed.meanings:
        row = field.row(meaning.place, power, meaning.kind)
        if row and field.owner[row] == power:
            resolved = field.reader.resolve(meaning, field.placements[row])
            if possible(field, resolved, row) is None:
                found.append(meaning)
    return found[0] if len(found) == 1 else parsed


def _stray(field: IndexedPosition, parsed: ParsedOrder, row: int) -> AnyCause:
    """Return why an order matches no unit of its power."""
    if parsed.order is None:
        return Cause.UNREADABLE
    if parsed.order.at is None or parsed.order.verb is Verb.BUILD:
        return Cause.OTHER_PHASE
    fault: AnyCause = Cause.FOREIGN if row else Cause.NO_UNIT
    for missed_order in field.rules.hooks(BindingMechanic.stray_order):
        fault = missed_order(field, parsed, fault)
    return fault


def _counts_as_move(rules: Rules, resolved: ResolvedOrder) -> bool:
    """Return whether an impossible move still keeps its unit from being supported in place (4.E.1)."""
    answer = rules.rulebook.impossible_order
    if answer == "refuses_support":
        return resolved.to >= 0
    return answer == "refuses_if_ever_possible" and resolved.fault is None


def free_of(field: IndexedPosition, bound: Bound, rows: Sequence[int]) -> Iterator[int]:
    """Yield those of these rows that have no order, and whose cargo has none."""
    ordered = set(bound.rows)
    return (r for r in rows if r not in ordered and field.cargo.get(r, NOWHERE) not in ordered)


def choose(bound: Bound, number: int, row: int, resolved: ResolvedOrder, double_orders: str) -> None:
    """Give an order to the unit of a row, or choose between it and the order that the unit already had (4.D.3)."""
    if bound.chosen[row] is NO_ORDER:
        bound.chosen[row] = resolved
    else:
        _settle_double(bound, number, row, resolved, double_orders)


def _settle_double(bound: Bound, this: int, row: int, resolved: ResolvedOrder, answer: str) -> None:
    """Choose between two possible orders for one unit (4.D.3)."""
    previous = bound.chosen[row]
    if previous is CONFLICTING:
        bound.faults[this] = Cause.CONTRADICTED
    elif answer == "first" or previous.order == resolved.order:
        bound.faults[this] = Cause.SECOND
    else:
        known = bound.faults.keys() | bound.secondary.keys()
        earlier = next(i for i in range(this - 1, -1, -1) if bound.rows[i] == row and i not in known)
        if answer == "last":
            bound.faults[earlier] = Cause.SECOND
            bound.chosen[row] = resolved
        else:
            bound.faults[earlier] = bound.faults[this] = Cause.CONTRADICTED
            bound.chosen[row] = CONFLICTING


def _deduce(field: IndexedPosition, bound: Bound) -> None:
    """Give units without orders the moves their own power supports or convoys (4.E.3 a)."""
    reader = field.reader
    ordered = set(bound.rows)
    for row, resolved in enumerate(bound.chosen):
        helped = field.tenant[resolved.of]
        if resolved.to < 0 or helped in ordered or not helped or field.owner[helped] != field.owner[row]:
            continue
        placement = field.placements[helped]
        assert resolved.order.to is not None
        move = Order(Verb.MOVE, placement.kind, placement.at, Location(*resolved.order.to))
        implied = reader.resolve(reader.read(move, PhaseKind.MOVEMENT), placement)
        if possible(field, implied, helped) is None:
            bound.chosen[helped] = implied
            ordered.add(helped)
