"""API of orders: legal orders, previews, sending, and readiness."""

from __future__ import annotations

from dataclasses import asdict
from datetime import datetime
from typing import Any

from django.http import HttpRequest
from ninja import Router, Schema
from pydantic import Field

from gamesmaster.formats import ruling_data
from gamesmaster.game import SentAhead
from gamesmaster.host.api.callers import Done, Given, OrderSet, Ordinal, caller, own_power
from gamesmaster.host.orders import drafts, receipts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.tables.access import look, row_of
from gamesmaster.host.tables.models import Receipt
from gamesmaster.host.tables.view import TableView
from gamesmaster.judge import order_tree
from gamesmaster.reading import OrderSheet
from gamesmaster.rules import Ruling


class OrdersIn(Given):
    """Orders for the phase with this number, as a list or as lines of one text."""

    ordinal: Ordinal
    orders: OrderSet
    confirm: bool | None = Field(default=None, description="say at once that you are ready")
    amend: bool | None = Field(default=None, description="add to the orders you have sent, instead of replacing them")
    based_on: int | None = Field(
        default=None, ge=0, le=10**6,
        description="the version you have seen, 0 for none: a newer set is not replaced",
    )  # fmt: skip


class DraftIn(Given):
    """Orders to preview."""

    orders: OrderSet


class WishIn(Given):
    """Yes or no, for the phase with this number."""

    ordinal: Ordinal
    wanted: bool = True


class RulingOut(Schema):
    """The result of an order, with the reason and the clause."""

    power: str
    order: str
    result: str
    cause: str
    text: str
    clause: str
    dislodged: bool


class WarningOut(Schema):
    """Something in your orders that may be a slip."""

    subject: str
    text: str
    clause: str


class RefusedOut(Schema):
    """A part of your text that is not an order: where, why, and the nearest legal order."""

    text: str
    line: int
    column: int
    what: str
    hint: str


class ReadingOut(Schema):
    """How your text was read: what was refused, and what was understood although it is written unusually.

    Lines count from the top of the text, or from the first order of the list.
    """

    refused: list[RefusedOut] = Field(default_factory=list)
    read_as: list[str] = Field(default_factory=list)


class AheadOut(Schema):
    """Orders for later phases that are kept until then; for the same unit or build the preferred one first."""

    retreats: list[str] = Field(default_factory=list)
    adjustments: list[str] = Field(default_factory=list)


class DraftOut(ReadingOut):
    """What orders would do if nobody else gave any, possible slips in them, and what they lack."""

    rulings: list[RulingOut]
    warnings: list[WarningOut]
    lacks: list[drafts.Lack]


class ReceiptOut(ReadingOut):
    """Proof that orders were saved, which anybody can check.  `lacks`: what the saved set lacks.

    `ahead`: what is kept for later phases.
    """

    code: str
    power: str
    phase: str
    ordinal: int
    version: int
    at: datetime
    text: str
    lacks: list[drafts.Lack]
    ahead: AheadOut


class SheetOut(Schema):
    """The orders you have sent, and what is kept for later phases."""

    power: str
    orders: list[str] = Field(alias="lines")
    version: int
    sent_at: datetime
    channel: str
    confirmed: bool
    hold: bool
    ahead: AheadOut


class LegalOut(Schema):
    """The legal orders of a power as choices within choices; each leaf is the text of an order."""

    power: str
    phase: str
    ordinal: int
    tree: dict[str, Any]


def ruling_out(ruling: Ruling) -> dict[str, object]:
    """Return the fields of `RulingOut`; for a unit without an order, the order is its name in parentheses."""
    data = ruling_data(ruling)
    if not data["order"] and ruling.unit is not None:
        data["order"] = f"({ruling.name(ruling.unit)})"
    return data


def receipt_out(receipt: Receipt, view: TableView, sheet: OrderSheet) -> dict[str, object]:
    """Return the fields of `ReceiptOut`: a receipt, what the saved set lacks, and how the text was read."""
    return {
        **vars(receipt),
        "text": receipts.text_of(receipt),
        "lacks": drafts.lacks_of(view, receipt.power),
        "ahead": view.ahead.get(receipt.power, SentAhead()),
        "refused": sheet.refused,
        "read_as": sheet.read_as,
    }


router = Router()


@router.get("/{slug:key}/orders", response=list[SheetOut])
def own_orders(request: HttpRequest, key: str) -> list[dict[str, object]]:
    """What you have sent for the phase being played."""
    view = look(key, caller(request))
    return [{**asdict(sheet), "ahead": view.ahead.get(sheet.power, SentAhead())} for sheet in view.sheets]


@router.get("/{slug:key}/legal/{power}", response=LegalOut)
def legal(request: HttpRequest, key: str, power: str) -> dict[str, object]:
    """The legal orders of a power of yours, in this position."""
    view = look(key, caller(request))
    game, name = view.bare_game, own_power(view, power)
    orders = view.legal.of_power(game.phase.kind, name, game.season)
    tree = order_tree(game.rules.notation, orders)
    return {"power": name, "phase": view.phase_code, "ordinal": view.ordinal, "tree": tree}


@router.post("/{slug:key}/orders/{power}/preview", response=DraftOut)
def preview(request: HttpRequest, key: str, power: str, given: DraftIn) -> dict[str, object]:
    """What these orders would do if nobody else gave any, with possible slips; nothing is saved."""
    view = look(key, caller(request, "orders"))
    draft = drafts.draft_preview(view, own_power(view, power), given.orders)
    return {
        "rulings": [ruling_out(ruling) for ruling in draft.rulings],
        "warnings": draft.warnings,
        "lacks": draft.lacks,
        "refused": draft.sheet.refused,
        "read_as": draft.sheet.read_as,
    }


@router.put("/{slug:key}/orders/{power}", response=ReceiptOut)
def send(request: HttpRequest, key: str, power: str, given: OrdersIn) -> dict[str, object]:
    """Send the orders of a power. The receipt comes once they are saved."""
    user = caller(request, "orders")
    view = look(key, user)
    name = own_power(view, power)
    receipt = submission.submit(
        row_of(view),
        name,
        given.orders,
        Submission(given.ordinal, channel="api", amend=given.amend, confirm=given.confirm, based_on=given.based_on),
        user=user,
    )
    return receipt_out(receipt, look(key, user), drafts.sheet_of(view.bare_game, name, given.orders))


@router.put("/{slug:key}/orders/{power}/confirmed", response=Done)
def confirm(request: HttpRequest, key: str, power: str, given: WishIn) -> Done:
    """Say that your orders are final, or that they no longer are."""
    user = caller(request, "orders")
    view = look(key, user)
    submission.confirm(row_of(view), own_power(view, power), ready=given.wanted, ordinal=given.ordinal, user=user)
    return Done()


@router.put("/{slug:key}/orders/{power}/hold", response=Done)
def hold(request: HttpRequest, key: str, power: str, given: WishIn) -> Done:
    """Ask that the phase not be processed before its deadline, or withdraw that."""
    user = caller(request, "orders")
    view = look(key, user)
    submission.hold(row_of(view), own_power(view, power), wait=given.wanted, ordinal=given.ordinal, user=user)
    return Done()
