"""Phases that are over."""

from __future__ import annotations

from ninja import Schema
from pydantic import Field

from gamesmaster.host.api.shapes.common import Clause, Code, Power
from gamesmaster.host.api.shapes.desk import RulingOut
from gamesmaster.host.api.shapes.tables import PositionOut


class EventOut(Schema):
    """An event that nobody ordered."""

    kind: str = Field(examples=["eliminated"])
    power: Power
    text: str = Field(examples=["France has neither units nor centres."])
    clause: Clause


class PhaseLine(Schema):
    """A phase that is over."""

    ordinal: int = Field(examples=[0])
    phase: Code
    name: str = Field(examples=["Spring 1901, movement"])


class PhaseOut(PhaseLine):
    """A phase that is over: how it began, the orders with their results and reasons, and other events."""

    position: PositionOut
    rulings: list[RulingOut]
    events: list[EventOut]


class HoldingOut(Schema):
    """What a power has; `strength` is how many units it can support, where special rules affect that."""

    power: Power
    centers: int = Field(examples=[3])
    units: int = Field(examples=[3])
    strength: int | None = Field(examples=[None])


class EntryOut(Schema):
    """A line of the ledger: its text, and its parts if it has any; `term` is the code of a phase."""

    heading: str = Field(examples=["Builds deferred"])
    text: str = Field(examples=["2"])
    power: str = Field(examples=["England"], description="empty if no power owns it")
    province: str = Field(examples=["ATL"])
    number: int | None = Field(examples=[2])
    term: str = Field(examples=["W1600A"])
    clause: str = Field(examples=["CNW-8.b4"])


class LedgerOut(Schema):
    """What is published about a position besides the map."""

    phase: Code
    powers: list[HoldingOut]
    entries: list[EntryOut]
