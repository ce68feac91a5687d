"""The desk: lawful orders, drafts, sending, being ready, votes."""

from __future__ import annotations

from typing import Literal

from django.http import HttpRequest
from ninja import Router

from gamesmaster.host.api.callers import caller
from gamesmaster.host.api.seeing import (
    ballot_out,
    lack_out,
    look,
    own_power,
    reading_out,
    receipt_out,
    ruling_out,
    sheet_out,
)
from gamesmaster.host.api.shapes.common import Done
from gamesmaster.host.api.shapes.desk import (
    BallotOut,
    DraftIn,
    DraftOut,
    LegalOut,
    OrdersIn,
    ReceiptOut,
    SheetOut,
    VoteIn,
    WarningOut,
    WishIn,
)
from gamesmaster.host.service import orders, votes
from gamesmaster.host.service.viewing import row_of
from gamesmaster.judge import order_tree

router = Router()


@router.get("/{slug:key}/orders", response=list[SheetOut])
def own_orders(request: HttpRequest, key: str) -> list[SheetOut]:
    """What you have sent for the phase being played."""
    return [sheet_out(sheet) for sheet in look(key, caller(request)).sheets]


@router.get("/{slug:key}/legal/{power}", response=LegalOut)
def legal(request: HttpRequest, key: str, power: str) -> LegalOut:
    """The legal orders of a power of yours, in this position."""
    view = look(key, caller(request))
    game, name = view.bare_game, own_power(view, power)
    found = view.legal.of_power(game.phase.kind, name, game.season)
    tree = order_tree(game.rules.notation, found)
    return LegalOut(power=name, phase=view.phase_code, ordinal=view.ordinal, tree=tree)


@router.post("/{slug:key}/orders/{power}/preview", response=DraftOut)
def preview(request: HttpRequest, key: str, power: str, given: DraftIn) -> DraftOut:
    """What these orders would do if nobody else gave any, with possible slips; nothing is saved."""
    view = look(key, caller(request, "orders"))
    draft = orders.draft_preview(view, own_power(view, power), given.orders)
    return DraftOut(
        rulings=[ruling_out(ruling) for ruling in draft.rulings],
        warnings=[WarningOut(subject=w.subject, text=w.text, clause=w.clause) for w in draft.warnings],
        lacks=[lack_out(lack) for lack in draft.lacks],
        **reading_out(draft.read),
    )


@router.put("/{slug:key}/orders/{power}", response=ReceiptOut)
def send(request: HttpRequest, key: str, power: str, given: OrdersIn) -> ReceiptOut:
    """Send the orders of a power. The receipt comes once they are saved."""
    user = caller(request, "orders")
    view = look(key, user)
    name = own_power(view, power)
    receipt = orders.submit(
        row_of(view), name, given.orders, ordinal=given.ordinal, user=user, channel="api",
        amend=given.amend, confirm=given.confirm, based_on=given.based_on,
    )  # fmt: skip
    read = orders.in_plain(view.bare_game, name, given.orders)[1]
    return receipt_out(receipt, look(key, user), read)


@router.put("/{slug:key}/orders/{power}/confirmed", response=Done)
def confirm(request: HttpRequest, key: str, power: str, given: WishIn) -> Done:
    """Say that your orders are final, or that they no longer are."""
    user = caller(request, "orders")
    view = look(key, user)
    orders.confirm(row_of(view), own_power(view, power), given.wanted, ordinal=given.ordinal, user=user)
    return Done()


@router.put("/{slug:key}/orders/{power}/hold", response=Done)
def hold(request: HttpRequest, key: str, power: str, given: WishIn) -> Done:
    """Ask that the phase not be processed before its deadline, or withdraw that."""
    user = caller(request, "orders")
    view = look(key, user)
    orders.hold(row_of(view), own_power(view, power), given.wanted, ordinal=given.ordinal, user=user)
    return Done()


@router.get("/{slug:key}/votes", response=list[BallotOut])
def known_votes(request: HttpRequest, key: str) -> list[BallotOut]:
    """The votes that you are allowed to see."""
    return [ballot_out(ballot) for ballot in look(key, caller(request)).ballots]


@router.put("/{slug:key}/votes/{power}/end", response=Done)
def vote(request: HttpRequest, key: str, power: str, given: VoteIn) -> Done:
    """Vote to end the game with a draw or a win for one power; `done` means that this ended it."""
    user = caller(request, "orders")
    view = look(key, user)
    name = own_power(view, power)
    return Done(done=votes.cast(row_of(view), name, given.winners, ordinal=given.ordinal, user=user))


@router.put("/{slug:key}/votes/{power}/{kind}", response=Done)
def wish(
    request: HttpRequest, key: str, power: str, kind: Literal["extend", "pause", "resume", "cancel"], given: WishIn
) -> Done:
    """Vote for more time, a pause, its end, or to cancel the game.  `wanted` false withdraws it; `done`: it carried."""
    user = caller(request, "orders")
    view = look(key, user)
    name = own_power(view, power)
    return Done(done=votes.wish(row_of(view), name, kind, given.wanted, ordinal=given.ordinal, user=user))
