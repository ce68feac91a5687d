"""Orders that take two: what the order for one unit asks of another unit of its power."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gamesmaster.board import Board, Unit
from gamesmaster.engine.heuristic.menu import GOES, STAYS, SUPPORTS, WAITS, fits_boarding, fits_landing
from gamesmaster.orders import GOES_ABOARD, GOES_ASHORE, TAKES_IN, AnyVerb, Order, Verb

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


def takes_two(unit: Unit, order: Order) -> bool:
    """Return whether an order involves another unit besides its own."""
    thought = order.verb.phrase.thought
    if thought in (GOES_ABOARD, TAKES_IN) or (thought == GOES_ASHORE and unit.aboard):
        return True
    return order.kind not in ("", unit.kind)


def partners(board: Board, choices: Choices, unit: Unit, order: Order) -> list[Partner]:
    """Return the units that could be the partner which an order needs; empty for most orders.

    The partner of an army that boards is a fleet, which must take it in or be able to move loaded; that of an army
    that lands from where its fleet moves to is the fleet; an order for a pair that does not exist yet needs a free
    army.
    """
    thought = order.verb.phrase.thought
    if thought == GOES_ABOARD:
        return list(_fleets(board, choices, unit, order))
    if thought == TAKES_IN:
        return list(_armies(choices, unit, order))
    if thought == GOES_ASHORE and unit.aboard:
        return list(_landing(board, choices, unit, order))
    form = board.forms.get(order.kind)
    if form is None or not form.cargo or order.kind == unit.kind:
        return []
    free = (u for u in choices if u.at == unit.at and u.kind == form.cargo and not u.aboard)
    return [Partner(u, NO_ORDER) for u in free]


def _armies(choices: Choices, fleet: Unit, order: Order) -> Iterator[Partner]:
    """Yield the armies that a fleet may take aboard, each with its orders to board it."""
    for other, offered in choices.items():
        boards = [o for o in offered if _thinks(o, GOES_ABOARD) and o.to and o.to.province == fleet.at.province]
        if boards and order.of and other.at.province == order.of.province:
            yield Partner(other, boards)


def _fleets(board: Board, choices: Choices, army: Unit, order: Order) -> Iterator[Partner]:
    """Yield the fleets that an army may board, each with the orders that it may have meanwhile."""
    for other, offered in choices.items():
        if order.to and other.at.province == order.to.province and board.sails(other.kind) and not other.aboard:
            fitting = [o for o in offered if _fits_boarding(board, other, army, o)]
            yield Partner(other, [o for o in fitting if _thinks(o, TAKES_IN)] or fitting)


def _thinks(order: Order, thought: int) -> bool:
    return order.verb.phrase.thought == thought


def _fits_boarding(board: Board, fleet: Unit, army: Unit, order: Order) -> bool:
    """Return whether an army can board while its fleet has this order."""
    goal, at = order.to or order.of, board.location_index[fleet.at]
    laden, into = _carrier(board, army.kind), board.index[goal.province] if goal else -1
    form = board.forms.get(laden)
    if form is None or form.base != fleet.kind:
        return _thinks(order, TAKES_IN)
    sails, helps = into in board.reach(laden, at), into in board.steps_by(form.helps, at)
    return fits_boarding(_code(order), goal is not None and goal.province == army.at.province, sails, helps)


def _carrier(board: Board, kind: str) -> str:
    """Return the kind that carries units of this kind; the kind itself if none does."""
    return next((form for form, how in board.forms.items() if how.cargo == kind), kind)


def _code(order: Order) -> int:
    """Return the kind of a fleet's option, -1 if no unit can embark or land meanwhile."""
    return WAITS if _thinks(order, TAKES_IN) else _CODES.get(order.verb, -1)


_CODES: dict[AnyVerb, int] = {Verb.HOLD: STAYS, Verb.MOVE: GOES, Verb.SUPPORT: SUPPORTS}


def _landing(board: Board, choices: Choices, unit: Unit, order: Order) -> Iterator[Partner]:
    """Yield the fleet of an army that lands, with the orders that it may have meanwhile."""
    at, water = (board.index[place.province] if place else -1 for place in (unit.at, order.at))
    for other, offered in choices.items():
        if other.number == unit.aboard:
            goals = (board.index[o.to.province] if o.to else at for o in offered)
            yield Partner(
                other, [o for o, into in zip(offered, goals, strict=True) if fits_landing(_code(o), into, at, water)]
            )
