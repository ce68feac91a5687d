"""What a Gamesmaster sends, and hooks."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from gamesmaster.host.api.shapes.common import Code, Given, Name, Ordinal, Text


class ExtendIn(Given):
    """A new deadline."""

    until: datetime = Field(examples=["2027-01-05T20:00:00Z"])


class BackIn(Given):
    """The phase to go back to, or to fork from."""

    ordinal: Ordinal


class ReplaceIn(Given):
    """The player who takes over a power, by name."""

    power: Name = Field(examples=["France"])
    user: Annotated[str, Field(max_length=150)] = Field(examples=["ben"])


class OverrideIn(Given):
    """Orders entered by the Gamesmaster."""

    ordinal: Ordinal
    orders: Text = Field(examples=["A Par H\nF Bre - Mao"])


class AnnounceIn(Given):
    """A message to all players in the Gamesmaster's name."""

    text: Annotated[str, Field(max_length=10_000)] = Field(examples=["The rulebook says Winter, and Winter it is."])


class CourseOut(Schema):
    """A power in one phase, compared with the average; `change`: its centres since the phase before.

    Of its units `dislodged` were, and `lost` went off the board; `attacked` are the powers that moved against it.
    """

    phase: Code
    centres: int = Field(examples=[5])
    units: int = Field(examples=[5])
    mean_centres: float = Field(examples=[4.1])
    mean_units: float = Field(examples=[4.0])
    change: int = Field(examples=[1])
    dislodged: int = Field(examples=[1])
    lost: int = Field(examples=[0])
    attacked: list[str] = Field(examples=[["Persia", "Russia"]])


class HookIn(Given):
    """The address of a webhook."""

    url: Annotated[str, Field(max_length=500)] = Field(examples=["https://example.org/hook"])
    events: list[Name] = Field(default=[], max_length=10, examples=[["phase"]])


class HookOut(Schema):
    """A webhook; its `secret` is shown once, when it is set."""

    id: int = Field(examples=[1])
    url: str = Field(examples=["https://example.org/hook"])
    events: list[str] = Field(examples=[["phase"]])
    failures: int = Field(examples=[0])
    secret: str = ""
