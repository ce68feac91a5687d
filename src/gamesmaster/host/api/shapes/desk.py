"""Orders, drafts, wishes and votes, and the receipts for them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import Field

from gamesmaster.host.api.shapes.common import Clause, Code, Given, Line, Name, OrderText, Ordinal, Power, Text


class OrdersIn(Given):
    """Orders for the phase with this number, as a list or as lines of one text."""

    ordinal: Ordinal
    orders: Text | list[Line] = Field(examples=[["A Par - Bur", "F Bre - Mao"]])
    confirm: bool | None = Field(default=None, description="say at once that you are ready")
    amend: bool | None = Field(default=None, description="add to the orders you have sent, instead of replacing them")
    based_on: int | None = Field(
        default=None, ge=0, le=10**6,
        description="the version you have seen, 0 for none: a newer set is not replaced",
    )  # fmt: skip


class DraftIn(Given):
    """Orders to preview."""

    orders: Text | list[Line] = Field(examples=[["A Par - Bur"]])


class WishIn(Given):
    """Yes or no, for the phase with this number."""

    ordinal: Ordinal
    wanted: bool = True


class VoteIn(Given):
    """A vote: the game ends and `winners` share it. An empty list withdraws your vote."""

    ordinal: Ordinal
    winners: list[Name] = Field(max_length=100, examples=[["France", "Italy"]])


class RulingOut(Schema):
    """The result of an order, with the reason and the clause."""

    power: Power
    order: OrderText
    result: str = Field(examples=["fails"])
    cause: str = Field(examples=["bounce"])
    text: str = Field(examples=["A Par - Bur bounces: A Mun - Bur is as strong."])
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
    an order), `open` (builds left unused), `loss` (what you order costs a unit or boats).  `line` counts from 1, and is
    0 where no line is at fault.  Of a line that cannot be read, `column` tells where the fault is, and `hint` the
    nearest order that you may give.
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


class DraftOut(ReadingOut):
    """What orders would do if nobody else gave any, possible slips in them, and what they lack."""

    rulings: list[RulingOut]
    warnings: list[WarningOut]
    lacks: list[LackOut]


class ReceiptOut(ReadingOut):
    """Proof that orders were saved, which anybody can check.  `lacks`: what the saved set lacks."""

    code: str = Field(examples=["5f0c9e1b7a2d4c8e9f013a4b"])
    power: Power
    phase: Code
    ordinal: int = Field(examples=[0])
    version: int = Field(examples=[1])
    at: datetime
    text: str = Field(examples=["GM1|5f0c9e1b7a2d4c8e9f013a4b|kmqdtrwvzx|0|S1901M|France|1|...|api|...|..."])
    lacks: list[LackOut]


class SheetOut(Schema):
    """The orders you have sent."""

    power: Power
    orders: list[OrderText]
    version: int = Field(examples=[1])
    sent_at: datetime
    channel: str = Field(examples=["api"])
    confirmed: bool = Field(examples=[True])
    hold: bool = Field(examples=[False])


class LegalOut(Schema):
    """The legal orders of a power as choices within choices; each leaf is the text of an order."""

    power: Power
    phase: Code
    ordinal: int = Field(examples=[0])
    tree: dict[str, Any] = Field(examples=[{"A PAR": {"move": {"BUR": "A Par - Bur"}}}])


class BallotOut(Schema):
    """A proposal that you can see: what it is, how many must agree, how many do, and who, if you may see that.

    `count` and `needed` are null where they are not to be known; `own`: you agree.
    """

    kind: str = Field(examples=["end"])
    winners: list[Power]
    title: str = Field(examples=["a draw shared by France and Italy"])
    count: int | None = Field(examples=[2])
    needed: int | None = Field(examples=[3])
    powers: list[Power]
    own: bool = Field(examples=[True])


class ReceiptIn(Given):
    """A receipt as it was given."""

    text: Annotated[str, Field(max_length=1000, examples=["GM1|5f0c9e1b7a2d4c8e9f013a4b|kmqdtrwvzx|0|..."])]


class CheckedOut(Schema):
    """What a receipt proves."""

    genuine: bool = Field(examples=[True])
    known: bool = Field(examples=[True])
    current: bool = Field(examples=[True])
    void: bool = Field(examples=[False])
    text: str = Field(examples=["The receipt is genuine, and these orders count."])
