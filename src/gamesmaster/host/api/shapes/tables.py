"""Tables: how they are shown, made, and joined."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Any

from ninja import Schema
from pydantic import Field

from gamesmaster.host.api.shapes.common import Code, Given, Key, Name, Ordinal, Power, Text, Units
from gamesmaster.host.table_settings import TableSettings


class TableLine(Schema):
    """A game in a list; `waiting`: your orders are due."""

    key: Key
    name: str = Field(examples=["Seven at a table"])
    variant: str = Field(examples=["standard"])
    state: str = Field(examples=["running"])
    phase: Code
    deadline: datetime | None
    free: int = Field(examples=[0])
    power: Power
    waiting: bool = Field(examples=[True])


class SeatOut(Schema):
    """A seat as you see it; `sent` and `ready` are null where they are secret."""

    power: Power
    player: str = Field(examples=["ann"])
    bot: str = Field(examples=[""])
    state: str = Field(examples=["sitting"])
    centres: int = Field(examples=[3])
    units: int = Field(examples=[3])
    asked: str = Field(examples=["orders"])
    sent: bool | None = Field(examples=[True])
    ready: bool | None = Field(examples=[False])
    own: bool = Field(examples=[True])
    away_until: date | None = Field(examples=[None], description="a last day away, for those who play with the player")
    statement: str = Field(examples=[""], description="the player's statement about the game once it is over")


class StatementIn(Given):
    """Your statement about a finished game; an empty text deletes it."""

    text: Annotated[str, Field(max_length=4_000)] = Field(examples=["Well played, Turkey."])


class TableOut(Schema):
    """A game as you see it.  `powers` are those you give orders for; `unread` counts your new press."""

    key: Key
    name: str = Field(examples=["Seven at a table"])
    variant: str = Field(examples=["standard"])
    variant_name: str = Field(examples=["Standard"])
    state: str = Field(examples=["running"])
    role: str = Field(examples=["player"])
    powers: list[Power]
    sandbox: bool = Field(examples=[False])
    ordinal: int = Field(examples=[0])
    phase: Code
    phase_name: str = Field(examples=["Spring 1901, movement"])
    deadline: datetime | None
    deadline_wall: str = Field(examples=["2027-01-05 20:00 Europe/Vienna"])
    late_since: datetime | None = Field(
        examples=[None], description="the deadline that was missed, while the game waits for late orders"
    )
    ready_at: datetime | None = Field(examples=[None])
    paused_why: str = Field(examples=[""], description="who has paused the game: gm, vote, or deserted")
    may_resume: bool = Field(examples=[False], description="you may resume the game")
    started: datetime | None
    finished: datetime | None = Field(examples=[None])
    outcome: str = Field(examples=[""])
    commitment: str = Field(examples=["9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"])
    seed: str = Field(examples=[""])
    unread: int = Field(examples=[2])
    seats: list[SeatOut]
    settings: TableSettings
    version: str = Field(
        examples=["4b1d0c7e"], description="changes whenever anything that you can see of the game changes"
    )


class PositionOut(Schema):
    """The position, by power."""

    phase: Code
    units: Units
    centers: Annotated[dict[str, list[str]], Field(examples=[{"France": ["Par", "Bre", "Mar"]}])]
    dislodged: dict[str, list[dict[str, Any]]] = Field(examples=[{}])


class TableIn(Given):
    """A new game; fields that are left out have their defaults."""

    variant: Name = Field(examples=["standard"])
    name: Name = Field(default="", examples=["Seven at a table"])
    settings: TableSettings = TableSettings()
    house_rules: str | dict[str, Any] | None = None
    rulebook: str | dict[str, Any] | None = None
    gamesmaster: bool = Field(default=False, description="you run the game and do not play")
    sandbox: bool = Field(
        default=False, description="begins at once; anyone who has the key can give orders for all powers"
    )


class JoinIn(Given):
    """How to join: the key of an invitation, the powers you would like, or the power you take over."""

    invitation: Name = ""
    preferences: list[Name] = Field(default=[], max_length=100, examples=[["France", "Italy"]])
    power: Name = ""


class StandbyIn(Given):
    """An offer to be a standby, for any power if none is named; with the key of an invitation."""

    power: Name = ""
    invitation: Name = ""


class StandbyOrdersIn(Given):
    """A standby's orders for the phase with this number."""

    ordinal: Ordinal
    orders: Text = Field(examples=["A Par H\nF Bre - Mao"])


class StandbyOut(Schema):
    """Your offer: the power you wish for (empty: any), the power whose orders are due from you, and what you sent."""

    wish: str = Field(examples=[""])
    power: str = Field(examples=["France"])
    orders: list[str] = Field(examples=[["A Par H"]])
    sent_at: datetime | None


class InvitationOut(Schema):
    """An open invitation: for how many people, and for which power, if for one."""

    key: Key
    uses: int = Field(examples=[1])
    power: str = Field(examples=[""])


class BotIn(Given):
    """A bot for a seat."""

    bot: Name = Field(examples=["heuristic"])


class InviteIn(Given):
    """An invitation: for a power that needs a player, if one is named, and for how many people."""

    power: Name = ""
    uses: Annotated[int, Field(ge=1, le=100)] = 1
