"""Orders that take two: what the order for one unit asks of another unit of its power."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gamesmaster.board import Board, Unit
from gamesmaster.orders import Order, Verb

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
    if order.verb in (Verb.BOARD, Verb.TAKE):
        return list(_boarding(board, choices, unit, order))
    if order.verb is Verb.LAND and unit.aboard:
        return list(_landing(choices, unit, order))
    form = board.forms.get(order.kind)
    if form is None or not form.cargo or order.kind == unit.kind:
        return []
    free = (u for u in choices if u.at == unit.at and u.kind == form.cargo and not u.aboard)
    return [Partner(u, NO_ORDER) for u in free]


def takes_two(unit: Unit, order: Order) -> bool:
    """Does an order take another unit besides its own?"""
    if order.verb in (Verb.BOARD, Verb.TAKE) or (order.verb is Verb.LAND and unit.aboard):
        return True
    return order.kind not in ("", unit.kind)


def _boarding(board: Board, choices: Choices, unit: Unit, order: Order) -> Iterator[Partner]:
    for other, offered in choices.items():
        if order.verb is Verb.TAKE:
            boards = [o for o in offered if o.verb is Verb.BOARD and o.to and o.to.province == unit.at.province]
            if boards and order.of and other.at.province == order.of.province:
                yield Partner(other, boards)
        elif order.to and other.at.province == order.to.province and board.sails(other.kind) and not other.aboard:
            taking = [o for o in offered if o.verb is Verb.TAKE and o.of and o.of.province == unit.at.province]
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
