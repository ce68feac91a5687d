"""You, and your tokens."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated, Literal

from ninja import Schema
from pydantic import Field

from gamesmaster.host.api.shapes.common import Given, Name


class TokenIn(Given):
    """A token to be made."""

    name: Annotated[str, Field(max_length=60)] = Field(examples=["my bot"])
    scopes: list[Name] = Field(max_length=10, examples=[["read", "orders"]])
    days: Annotated[int, Field(ge=1, le=3660)] | None = None


class TokenOut(Schema):
    """A token; its `text` is shown once, when it is made."""

    id: int = Field(examples=[1])
    name: str = Field(examples=["my bot"])
    start: str = Field(examples=["gm_Xh3kq"])
    scopes: list[str] = Field(examples=[["read", "orders"]])
    made: datetime
    used: datetime | None
    expires: datetime | None
    text: str = ""


class MeOut(Schema):
    """Who you are here; `scopes` are what your token may do, null for everything."""

    name: str = Field(examples=["ann"])
    scopes: list[str] | None = Field(examples=[["read", "orders"]])


class ProfileOut(Schema):
    """Your settings."""

    time_zone: str = Field(examples=["Europe/Vienna"])
    theme: str = Field(examples=["auto"])
    colour_mode: str = Field(examples=[""])
    dialect: str = Field(examples=["house"])
    notify_phase: bool
    notify_deadline: bool
    notify_press: bool
    notify_table: bool


class ProfileIn(Given):
    """New settings; those left out stay as they are."""

    time_zone: Annotated[str, Field(max_length=64)] | None = Field(default=None, examples=["Europe/Vienna"])
    theme: Literal["auto", "light", "dark"] | None = None
    colour_mode: Literal["", "patterns"] | None = None
    dialect: Annotated[str, Field(max_length=24)] | None = Field(
        default=None, examples=["german"], description="the dialect in which the site completes orders"
    )
    notify_phase: bool | None = Field(default=None, description="mail with the results of phases")
    notify_deadline: bool | None = Field(default=None, description="mail before deadlines")
    notify_press: bool | None = Field(default=None, description="mail with new press")
    notify_table: bool | None = Field(default=None, description="mail about what happens in your games")


class AbsenceIn(Given):
    """Days on which you are away, including the first and the last."""

    begins: date = Field(examples=["2027-07-01"])
    ends: date = Field(examples=["2027-07-14"])


class AbsenceOut(Schema):
    """Days on which you are away."""

    id: int = Field(examples=[1])
    begins: date = Field(examples=["2027-07-01"])
    ends: date = Field(examples=["2027-07-14"])


class ReportIn(Given):
    """A report to the moderators: its topic, what happened, and in which game, if any."""

    about: Name = Field(examples=["conduct"], description="conduct, cheating, absence, fault or other")
    text: Annotated[str, Field(max_length=4_000)] = Field(examples=["Italy calls everybody names."])
    table: Name = Field(default="", examples=["kmqdtrwvzx"])


class ReportOut(Schema):
    """Your report to the moderators, with their answer once it is closed."""

    id: int = Field(examples=[1])
    about: str = Field(examples=["conduct"])
    text: str = Field(examples=["Italy calls everybody names."])
    made: datetime
    state: str = Field(examples=["open"])
    answer: str = Field(examples=[""])
