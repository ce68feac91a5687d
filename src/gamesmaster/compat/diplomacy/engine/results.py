"""Results of orders, in the words of the package, read off the judge's rulings."""

from __future__ import annotations

from collections.abc import Mapping

from gamesmaster.compat.diplomacy.engine.order_results import BOUNCE, CUT, DISRUPTED, NO_CONVOY, VOID, OrderResult
from gamesmaster.orders import Verb
from gamesmaster.rules import Cause, Result, Ruling

_RESULTS = {
    Result.BOUNCES: BOUNCE,
    Result.CUT: CUT,
    Result.VOID: VOID,
    Result.NO_CONVOY: NO_CONVOY,
    Result.DISRUPTED: DISRUPTED,
}
MOVED = (Cause.CAME, Cause.CAME_BY_SEA)
"""Causes of moves that came true."""
UNBOUND = (Cause.SECOND, Cause.CONTRADICTED, Cause.NO_UNIT, Cause.FOREIGN)
"""Causes of orders that their unit has beside the one that it carries out."""


def result_of(ruling: Ruling, fates: Mapping[str, Ruling]) -> OrderResult | None:
    """Return the result of an order, None if it came true; `fates` are the rulings on moving units by province."""
    order, found = ruling.order, _RESULTS.get(ruling.result)
    if ruling.cause is Cause.NO_CHAIN:
        return NO_CONVOY
    if order is None or order.of is None or not fates:
        return found
    helped = fates.get(order.of.province)
    if order.verb is Verb.CONVOY and ruling.cause is not Cause.CARRIER_SILENCED:
        return found if found is VOID or (helped is not None and _sails(helped, ruling)) else NO_CONVOY
    if found is None and order.to is not None:
        there = fates.get(order.to.province)
        if helped is not None and _RESULTS.get(helped.result) is NO_CONVOY:
            return NO_CONVOY
        own = there is not None and there.power == ruling.power and there.cause not in MOVED
        if own and helped is not None and helped.cause is not Cause.STOOD_OFF:
            return VOID
    return found


def _sails(army: Ruling, fleet: Ruling) -> bool:
    """Return whether an army is carried by a fleet's order, whatever it meets where it lands."""
    order, ordered = army.order, fleet.order
    if order is None or ordered is None or order.verb is not Verb.MOVE or order.to != ordered.to:
        return False
    return army.cause is Cause.CAME_BY_SEA or (
        army.result is Result.BOUNCES and (order.via or army.power == fleet.power)
    )
