"""Press."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from gamesmaster.host.api.shapes.common import Given, Name, Number, Power, Text


class MessageOut(Schema):
    """A message; `number` counts the messages that you may read."""

    number: int = Field(examples=[3])
    phase_number: int = Field(examples=[0])
    thread: str = Field(examples=["France,Italy"])
    sender: Power
    to: list[str] = Field(examples=[["Italy"]])
    text: str = Field(examples=["Shall we leave Piedmont empty?"])
    sent_at: datetime
    own: bool = Field(examples=[True])


class MessageIn(Given):
    """A message to these powers, or to all if none is named; `grey`: unsigned, where that is allowed."""

    text: Text = Field(examples=["Shall we leave Burgundy empty?"])
    to: list[Name] = Field(default=[], max_length=100, examples=[["France"]])
    grey: bool = False
    power: Name = Field(default="", description="which of your powers writes; empty: the only one, or the Gamesmaster")


class ReadIn(Given):
    """A thread has been read, up to the message with this number."""

    thread: Annotated[str, Field(max_length=400)] = Field(default="", examples=["France,Italy"])
    number: Number


class MuteIn(Given):
    """Whether to mute a power."""

    power: Name = Field(examples=["Italy"])
    muted: bool = True
