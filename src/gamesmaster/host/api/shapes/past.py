"""Phases that are over."""

from __future__ import annotations

from ninja import Schema
from pydantic import Field

from gamesmaster.host.api.shapes.common import Clause, Code, Power
from gamesmaster.host.api.shapes.desk import RulingOut
from gamesmaster.host.api.shapes.tables import PositionOut


class EventOut(Schema):
    """What befell without an order."""

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
    """A phase that is over: how it began, what became of the orders and why, what befell."""

    position: PositionOut
    rulings: list[RulingOut]
    events: list[EventOut]
