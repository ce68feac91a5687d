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
from gamesmaster.host.api.callers import (
    Clause,
    Code,
    Done,
    Given,
    OrderSet,
    OrderText,
    Ordinal,
    Power,
    caller,
    own_power,
)
from gamesmaster.host.orders import drafts, receipts, submission
from gamesmaster.host.tables.access import look, row_of
from gamesmaster.host.tables.models import Receipt
from gamesmaster.host.tables.view import SheetView, TableView
from gamesmaster.judge import Ruling, order_tree
from gamesmaster.reading import OrderSheet


class OrdersIn(Given):
    """Orders for the phase with this number, as a list or as lines of one text."""

    ordinal: Ordinal
    orders: OrderSet = Field(examples=[["A Par - Bur", "F Bre - Mao"]])
    confirm: bool | None = Field(default=None, description="say at once that you are ready")
    amend: bool | None = Field(default=None, description="add to the orders you have sent, instead of replacing them")
    based_on: int | None = Field(
        default=None, ge=0, le=10**6,
        description="the version you have seen, 0 for none: a newer set is not replaced",
    )  # fmt: skip


class DraftIn(Given):
    """Orders to preview."""

    orders: OrderSet = Field(examples=[["A Par - Bur"]])


class WishIn(Given):
    """Yes or no, for the phase with this number."""

    ordinal: Ordinal
    wanted: bool = True


class RulingOut(Schema):
    """The result of an order, with the reason and the clause."""

    power: Power
    order: OrderText
    result: str = Field(examples=["bounces"])
    cause: str = Field(examples=["stood_off"])
    text: str = Field(examples=["is stood off by A Mun (Germany) (1 against 1)"])
    clause: Clause
    dislodged: bool = Field(examples=[False])


class WarningOut(Schema):
    """Something in your orders that may be a slip."""

    subject: str = Field(examples=["A Par S A Mar - Bur"])
    text: str = Field(examples=["A Mar is not ordered to Bur."])
    clause: Clause


class LackOut(Schema):
    """Something that your orders lack.

    `kind`: `unread` (a line that cannot be read), `void` (an order that cannot come true), `unordered` (a unit without
    an order), `open` (builds left unused), `loss` (what you order costs a unit, or what units carry).  `line` counts
    from 1, and is 0 where no line is at fault.  Of a line that cannot be read, `column` tells where the fault is, and
    `hint` the nearest order that you may give.
    """

    kind: str = Field(examples=["unordered"])
    line: int = Field(examples=[0])
    subject: str = Field(examples=["F Bre"])
    text: str = Field(examples=["has no order and will hold"])
    clause: Clause
    column: int = Field(default=0, examples=[0])
    hint: str = Field(default="", examples=[""])


class RefusedOut(Schema):
    """A part of your text that is not an order: where, why, and the nearest legal order."""

    text: str = Field(examples=["F Kie - Hlo"])
    line: int = Field(examples=[1])
    column: int = Field(examples=[9])
    what: str = Field(examples=["no province 'Hlo'"])
    hint: str = Field(examples=["did you mean F Kie - Hel?"])


class ReadingOut(Schema):
    """How your text was read: what was refused, and what was understood although it is written unusually.

    Lines count from the top of the text, or from the first order of the list.
    """

    refused: list[RefusedOut] = Field(default_factory=list)
    read_as: list[str] = Field(
        default_factory=list, examples=[["line 1: 'München nach Burgund' is read as A Mun - Bur"]]
    )


class AheadOut(Schema):
    """Orders for later phases that are kept until then; for the same unit or build the preferred one first."""

    retreats: list[OrderText] = Field(default_factory=list, examples=[["A Par - Gas"]])
    adjustments: list[OrderText] = Field(default_factory=list, examples=[["Build A Par"]])


class DraftOut(ReadingOut):
    """What orders would do if nobody else gave any, possible slips in them, and what they lack."""

    rulings: list[RulingOut]
    warnings: list[WarningOut]
    lacks: list[LackOut]


class ReceiptOut(ReadingOut):
    """Proof that orders were saved, which anybody can check.  `lacks`: what the saved set lacks.

    `ahead`: what is kept for later phases.
    """

    code: str = Field(examples=["5f0c9e1b7a2d4c8e9f013a4b"])
    power: Power
    phase: Code
    ordinal: int = Field(examples=[0])
    version: int = Field(examples=[1])
    at: datetime
    text: str = Field(examples=["GM1|5f0c9e1b7a2d4c8e9f013a4b|kmqdtrwvzx|0|S1901M|France|1|...|api|...|..."])
    lacks: list[LackOut]
    ahead: AheadOut


class SheetOut(Schema):
    """The orders you have sent, and what is kept for later phases."""

    power: Power
    orders: list[OrderText]
    version: int = Field(examples=[1])
    sent_at: datetime
    channel: str = Field(examples=["api"])
    confirmed: bool = Field(examples=[True])
    hold: bool = Field(examples=[False])
    ahead: AheadOut


class LegalOut(Schema):
    """The legal orders of a power as choices within choices; each leaf is the text of an order."""

    power: Power
    phase: Code
    ordinal: int = Field(examples=[0])
    tree: dict[str, Any] = Field(examples=[{"A PAR": {"move": {"BUR": "A Par - Bur"}}}])


def ruling_out(ruling: Ruling) -> RulingOut:
    """Return a ruling as the API shows it; for a unit without an order, the order is its name in parentheses."""
    data: dict[str, Any] = ruling_data(ruling)
    if not data["order"] and ruling.unit is not None:
        data["order"] = f"({ruling.name(ruling.unit)})"
    return RulingOut.model_validate(data)


def sheet_out(view: TableView, sheet: SheetView) -> SheetOut:
    """Return saved orders that the viewer may see."""
    data = asdict(sheet)
    return SheetOut(orders=list(data.pop("lines")), ahead=ahead_out(view, sheet.power), **data)


def ahead_out(view: TableView, power: str) -> AheadOut:
    """Return the orders that a power of the viewer's has sent ahead."""
    return AheadOut(**view.ahead.get(power, SentAhead()).data)


def lack_out(lack: drafts.Lack) -> LackOut:
    """Return something that a set of orders lacks."""
    return LackOut(**asdict(lack))


def reading_out(sheet: OrderSheet) -> dict[str, Any]:
    """Return the fields of an answer that say how a text was read."""
    return {"refused": [RefusedOut(**no.data) for no in sheet.refused], "read_as": sheet.read_as}


def receipt_out(receipt: Receipt, view: TableView, sheet: OrderSheet) -> ReceiptOut:
    """Return a receipt, what the saved set lacks, and how the text was read."""
    fields = {name: getattr(receipt, name) for name in ("code", "power", "phase", "ordinal", "version", "at")}
    lacks = [lack_out(lack) for lack in drafts.lacks_of(view, receipt.power)]
    ahead = ahead_out(view, receipt.power)
    return ReceiptOut(text=receipts.text_of(receipt), lacks=lacks, ahead=ahead, **fields, **reading_out(sheet))


router = Router()


@router.get("/{slug:key}/orders", response=list[SheetOut])
def own_orders(request: HttpRequest, key: str) -> list[SheetOut]:
    """What you have sent for the phase being played."""
    view = look(key, caller(request))
    return [sheet_out(view, sheet) for sheet in view.sheets]


@router.get("/{slug:key}/legal/{power}", response=LegalOut)
def legal(request: HttpRequest, key: str, power: str) -> LegalOut:
    """The legal orders of a power of yours, in this position."""
    view = look(key, caller(request))
    game, name = view.bare_game, own_power(view, power)
    orders = view.legal.of_power(game.phase.kind, name, game.season)
    tree = order_tree(game.rules.notation, orders)
    return LegalOut(power=name, phase=view.phase_code, ordinal=view.ordinal, tree=tree)


@router.post("/{slug:key}/orders/{power}/preview", response=DraftOut)
def preview(request: HttpRequest, key: str, power: str, given: DraftIn) -> DraftOut:
    """What these orders would do if nobody else gave any, with possible slips; nothing is saved."""
    view = look(key, caller(request, "orders"))
    draft = drafts.draft_preview(view, own_power(view, power), given.orders)
    return DraftOut(
        rulings=[ruling_out(ruling) for ruling in draft.rulings],
        warnings=[WarningOut(subject=w.subject, text=w.text, clause=w.clause) for w in draft.warnings],
        lacks=[lack_out(lack) for lack in draft.lacks],
        **reading_out(draft.sheet),
    )


@router.put("/{slug:key}/orders/{power}", response=ReceiptOut)
def send(request: HttpRequest, key: str, power: str, given: OrdersIn) -> ReceiptOut:
    """Send the orders of a power. The receipt comes once they are saved."""
    user = caller(request, "orders")
    view = look(key, user)
    name = own_power(view, power)
    receipt = submission.submit(
        row_of(view), name, given.orders, ordinal=given.ordinal, user=user, channel="api",
        amend=given.amend, confirm=given.confirm, based_on=given.based_on,
    )  # fmt: skip
    return receipt_out(receipt, look(key, user), drafts.sheet_of(view.bare_game, name, given.orders))


@router.put("/{slug:key}/orders/{power}/confirmed", response=Done)
def confirm(request: HttpRequest, key: str, power: str, given: WishIn) -> Done:
    """Say that your orders are final, or that they no longer are."""
    user = caller(request, "orders")
    view = look(key, user)
    submission.confirm(row_of(view), own_power(view, power), given.wanted, ordinal=given.ordinal, user=user)
    return Done()


@router.put("/{slug:key}/orders/{power}/hold", response=Done)
def hold(request: HttpRequest, key: str, power: str, given: WishIn) -> Done:
    """Ask that the phase not be processed before its deadline, or withdraw that."""
    user = caller(request, "orders")
    view = look(key, user)
    submission.hold(row_of(view), own_power(view, power), given.wanted, ordinal=given.ordinal, user=user)
    return Done()
