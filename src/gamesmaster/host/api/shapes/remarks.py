"""Points of playability."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from gamesmaster.host.api.shapes.common import Given, Number, Power

Score = Annotated[int, Field(ge=1, le=5)]


class QuestionIn(Given):
    """A question to the players."""

    text: Annotated[str, Field(max_length=400)] = Field(examples=["Is the Black Sea too crowded?"])


class QuestionOut(Schema):
    """A question that the players were asked."""

    id: int = Field(examples=[1])
    ordinal: int = Field(examples=[4])
    text: str = Field(examples=["Is the Black Sea too crowded?"])
    asked: datetime


class RemarkIn(Given):
    """Your remarks on the game: scores from 1 to 5 by their names, a text, or both."""

    text: Annotated[str, Field(max_length=4_000)] = Field(default="", examples=["Too crowded, but fun."])
    scores: dict[str, Score] = Field(default={}, examples=[{"balance": 4, "joy": 5}])
    question: Number | None = Field(default=None, description="the question that it answers")


class RemarkOut(Schema):
    """Somebody's remarks on the game."""

    power: Power
    ordinal: int = Field(examples=[4])
    question: str = Field(examples=[""])
    scores: dict[str, int] = Field(examples=[{"balance": 4, "joy": 5}])
    text: str = Field(examples=["Too crowded, but fun."])


class ScaleOut(Schema):
    """One point that everybody is asked about: the mean of the answers, and the number of each, from 1 to 5."""

    says: str = Field(examples=["It is fun"])
    mean: float | None = Field(examples=[4.5])
    counts: list[int] = Field(examples=[[0, 0, 0, 1, 1]])


class SummaryOut(Schema):
    """What the players think, without their names."""

    answers: int = Field(examples=[2])
    scales: dict[str, ScaleOut] = Field(description="each point that is asked, by its name")
    remarks: list[RemarkOut]
