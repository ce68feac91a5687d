"""What the API takes and gives, field by field; nothing is given that is not named here."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, TypeAlias

from ninja import Schema
from pydantic import ConfigDict, Field

from gamesmaster.host.table_settings import TableSettings

Ordinal = Annotated[int, Field(ge=0, le=1_000_000, description="the number of the phase, from 0", examples=[0])]
Name = Annotated[str, Field(max_length=80)]
Text = Annotated[str, Field(max_length=40_000)]
Line = Annotated[str, Field(max_length=400)]
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]
Units: TypeAlias = "dict[str, list[str]]"


class Given(Schema):
    """Something taken: no other fields than those named."""

    model_config = ConfigDict(extra="forbid")


class Done(Schema):
    """It is done."""

    done: bool = True


class PowerOut(Schema):
    """A power of a variant."""

    name: str
    homes: list[str]
    units: list[str]


class OptionOut(Schema):
    """An option of a variant; name a choice as `cline9[turkey=fleet-smyrna]`."""

    name: str
    says: str
    choices: list[str]
    default: str


class VariantOut(Schema):
    """A variant."""

    id: str = Field(examples=["standard"])
    name: str
    powers: list[PowerOut]
    provinces: dict[str, str] = Field(description="id of a province to its name")
    centres: list[str]
    options: list[OptionOut]
    digest: str


class VariantLine(Schema):
    """A variant in the list."""

    id: str
    name: str
    powers: int


class TableLine(Schema):
    """A table in a list; `waiting`: your orders are missing."""

    key: str
    name: str
    variant: str
    state: str
    phase: str
    deadline: datetime | None
    free: int
    power: str
    waiting: bool


class SeatOut(Schema):
    """A seat, as you may see it; `sent` and `ready` are null where they are not to be known."""

    power: str
    player: str
    bot: str
    state: str
    centres: int
    units: int
    asked: str
    sent: bool | None
    ready: bool | None
    own: bool


class TableOut(Schema):
    """A table as you may see it.  `powers` are those you order for; `unread` counts your new press."""

    key: str = Field(examples=["kmqdtrwvzx"])
    name: str
    variant: str
    variant_name: str
    state: str
    role: str
    powers: list[str]
    sandbox: bool
    ordinal: int
    phase: str = Field(examples=["S1901M"])
    phase_name: str
    deadline: datetime | None
    deadline_wall: str
    ready_at: datetime | None
    started: datetime | None
    finished: datetime | None
    outcome: str
    commitment: str
    seed: str
    unread: int
    seats: list[SeatOut]
    settings: TableSettings
    version: str = Field(description="changes whenever anything that you may see of the table does")


class PositionOut(Schema):
    """Where everything stands, by power."""

    phase: str
    units: Units
    centers: Units
    dislodged: dict[str, list[dict[str, Any]]]


class TableIn(Given):
    """A new table; whatever is left out is as usual."""

    variant: Name = Field(examples=["standard"])
    name: Name = ""
    settings: TableSettings = TableSettings()
    house_rules: str | dict[str, Any] | None = None
    rulebook: str | dict[str, Any] | None = None
    gamesmaster: bool = Field(default=False, description="you run the game and do not play")
    sandbox: bool = Field(default=False, description="begun at once; whoever has the key orders for all powers")


class JoinIn(Given):
    """How to join: an invitation's key, the powers you would like, or the lost power you take over."""

    invitation: Name = ""
    preferences: list[Name] = Field(default=[], max_length=100)
    power: Name = ""


class BotIn(Given):
    """A bot for a seat."""

    bot: Name = Field(examples=["heuristic"])


class InviteIn(Given):
    """An invitation: to a lost power if one is named, for so many people."""

    power: Name = ""
    uses: Annotated[int, Field(ge=1, le=100)] = 1


class OrdersIn(Given):
    """Orders for the phase with this number, as a list or as lines of one text."""

    ordinal: Ordinal
    orders: Text | list[Line] = Field(examples=[["A Par - Bur", "F Bre - Mao"]])
    confirm: bool | None = Field(default=None, description="say at once that you are ready")
    amend: bool | None = Field(default=None, description="add to what you have sent, instead of taking its place")


class DraftIn(Given):
    """Orders to look at."""

    orders: Text | list[Line] = Field(examples=[["A Par - Bur"]])


class WishIn(Given):
    """Yes or no, for the phase with this number."""

    ordinal: Ordinal
    wanted: bool = True


class VoteIn(Given):
    """A vote: the game ends and `winners` share it (nobody: you take your vote back)."""

    ordinal: Ordinal
    winners: list[Name] = Field(max_length=100)


class RulingOut(Schema):
    """What became of an order, and why, by which clause."""

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


class DraftOut(Schema):
    """What orders would come to if nobody else gave any, and what may be slips in them."""

    rulings: list[RulingOut]
    warnings: list[WarningOut]


class ReceiptOut(Schema):
    """Proof that orders are stored; anybody can have it checked."""

    code: str
    power: str
    phase: str
    ordinal: int
    version: int
    at: datetime
    text: str


class SheetOut(Schema):
    """The orders you have sent."""

    power: str
    orders: list[str]
    version: int
    sent_at: datetime
    channel: str
    confirmed: bool
    hold: bool


class LegalOut(Schema):
    """The lawful orders of a power as choices within choices; each leaf is the text of an order."""

    power: str
    phase: str
    ordinal: int
    tree: dict[str, Any] = Field(examples=[{"A PAR": {"move": {"BUR": "A Par - Bur"}}}])


class BallotOut(Schema):
    """Votes that are known to you."""

    kind: str
    winners: list[str]
    count: int
    powers: list[str]


class EventOut(Schema):
    """What befell without an order."""

    kind: str
    power: str
    text: str
    clause: str


class PhaseLine(Schema):
    """A phase that is over."""

    ordinal: int
    phase: str
    name: str


class PhaseOut(PhaseLine):
    """A phase that is over: how it began, what became of the orders and why, what befell."""

    position: PositionOut
    rulings: list[RulingOut]
    events: list[EventOut]


class TextOut(Schema):
    """A text."""

    text: str


class MessageOut(Schema):
    """A message; `number` counts the messages that you may read."""

    number: int
    phase_number: int
    thread: str
    sender: str
    to: list[str]
    text: str
    sent_at: datetime
    own: bool


class MessageIn(Given):
    """A message: to these powers, to all if none is named; `grey`: unsigned, where that is allowed."""

    text: Text = Field(examples=["Shall we leave Burgundy empty?"])
    to: list[Name] = Field(default=[], max_length=100, examples=[["France"]])
    grey: bool = False
    power: Name = Field(default="", description="which of your powers writes; empty: the only one, or the Gamesmaster")


class ReadIn(Given):
    """A thread has been read, up to the message of this number."""

    thread: Annotated[str, Field(max_length=400)] = ""
    number: Number


class MuteIn(Given):
    """Whether to be shown what a power writes."""

    power: Name
    muted: bool = True


class ExtendIn(Given):
    """A new deadline."""

    until: datetime = Field(examples=["2027-01-05T20:00:00Z"])


class BackIn(Given):
    """The phase to go back to, or to fork from."""

    ordinal: Ordinal


class ReplaceIn(Given):
    """Who plays a power from now on: a user's name."""

    power: Name
    user: Annotated[str, Field(max_length=150)]


class OverrideIn(Given):
    """Orders put in by the Gamesmaster."""

    ordinal: Ordinal
    orders: Text


class HookIn(Given):
    """An address to be told."""

    url: Annotated[str, Field(max_length=500)] = Field(examples=["https://example.org/hook"])
    events: list[Name] = Field(default=[], max_length=10, examples=[["phase"]])


class HookOut(Schema):
    """A hook; its `secret` is shown once, when it is set."""

    id: int
    url: str
    events: list[str]
    failures: int
    secret: str = ""


class TokenIn(Given):
    """A token to be made."""

    name: Annotated[str, Field(max_length=60)] = Field(examples=["my bot"])
    scopes: list[Name] = Field(max_length=10, examples=[["read", "orders"]])
    days: Annotated[int, Field(ge=1, le=3660)] | None = None


class TokenOut(Schema):
    """A token; its `text` is shown once, when it is made."""

    id: int
    name: str
    start: str
    scopes: list[str]
    made: datetime
    used: datetime | None
    expires: datetime | None
    text: str = ""


class MeOut(Schema):
    """Who you are here; `scopes` are what your token may do, null for everything."""

    name: str
    scopes: list[str] | None


class ReceiptIn(Given):
    """A receipt as it was handed out."""

    text: Annotated[str, Field(max_length=1000)]


class CheckedOut(Schema):
    """What a receipt is worth."""

    genuine: bool
    known: bool
    current: bool
    void: bool
    text: str
