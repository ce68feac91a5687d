"""Standbys: offer to take a power that loses its player, and send the orders that you are asked for."""

from __future__ import annotations

from django.http import HttpRequest
from ninja import Router

from gamesmaster.host.api.callers import person
from gamesmaster.host.api.seeing import look
from gamesmaster.host.api.shapes.common import Done
from gamesmaster.host.api.shapes.tables import StandbyIn, StandbyOrdersIn, StandbyOut
from gamesmaster.host.errors import Refused
from gamesmaster.host.service import standbys
from gamesmaster.host.service.viewing import TableView, row_of

router = Router()


@router.get("/{slug:key}/standby", response=StandbyOut)
def own_offer(request: HttpRequest, key: str) -> StandbyOut:
    """Your offer, whether orders are due from you, and the orders you have sent."""
    return _out(look(key, person(request)))


@router.put("/{slug:key}/standby", response=StandbyOut)
def offer(request: HttpRequest, key: str, given: StandbyIn) -> StandbyOut:
    """Offer to be a standby, in a game that asks standbys for orders in advance."""
    user = person(request, "tables")
    standbys.offer(row_of(look(key, user, given.invitation)), user, wish=given.power, invitation=given.invitation)
    return _out(look(key, user))


@router.delete("/{slug:key}/standby", response=Done)
def withdraw(request: HttpRequest, key: str) -> Done:
    """Stop being a standby."""
    user = person(request, "tables")
    standbys.withdraw(row_of(look(key, user)), user)
    return Done()


@router.put("/{slug:key}/standby/orders", response=StandbyOut)
def send(request: HttpRequest, key: str, given: StandbyOrdersIn) -> StandbyOut:
    """Send a standby's orders. They are used if the player misses another deadline; otherwise nobody ever sees them."""
    user = person(request, "orders")
    standbys.send(row_of(look(key, user)), user, given.orders, ordinal=given.ordinal)
    return _out(look(key, user))


def _out(view: TableView) -> StandbyOut:
    own = view.viewer.standby
    if own is None:
        raise Refused("no-offer", "You are not a standby in this game.")
    return StandbyOut(wish=own.wish, power=own.power, orders=list(own.lines), sent_at=own.sent_at)
