"""Players, ratings, and what moderators see."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from gamesmaster.host.api.shapes.common import Given, Key, Power


class StandingOut(Schema):
    """A line of the list of players: a careful estimate of strength, 1000 for a newcomer."""

    name: str = Field(examples=["ann"])
    rating: int = Field(examples=[1240])
    games: int = Field(examples=[12])


class ReliabilityOut(Schema):
    """A player's reliability in per cent, the number of seasons behind it, and of seats given up."""

    per_cent: int = Field(examples=[97])
    asked: int = Field(examples=[120])
    sent: int = Field(examples=[118])
    left: int = Field(examples=[0])


class GameOut(Schema):
    """A finished game that is not anonymous; `place` is null if it was not rated."""

    table: str = Field(examples=["kmqdtrwvzx"])
    name: str = Field(examples=["Seven at a table"])
    variant: str = Field(examples=["standard"])
    power: Power
    place: int | None = Field(examples=[2])


class PersonOut(Schema):
    """A player."""

    name: str = Field(examples=["ann"])
    since: datetime
    ratings: dict[str, int] = Field(
        examples=[{"": 1240, "standard": 1190}], description="family of variants, empty for all games, to rating"
    )
    reliability: ReliabilityOut
    games: list[GameOut]


class ComplaintOut(Schema):
    """A report, without its text if it is about a game in which you play."""

    id: int = Field(examples=[1])
    about: str = Field(examples=["conduct"])
    text: str = Field(examples=["Italy calls everybody names."])
    by: str = Field(examples=["ann"])
    table: Key
    made: datetime
    state: str = Field(examples=["open"])
    answer: str = Field(examples=[""])


class AnswerIn(Given):
    """The answer to the person who sent the report."""

    answer: Annotated[str, Field(max_length=4_000)] = Field(examples=["We have spoken with Italy."])


class AuditOut(Schema):
    """A line of the audit log; never an order, a vote or press."""

    at: datetime
    who: str = Field(examples=["keeper"])
    what: str = Field(examples=["moved the deadline to 2027-01-05 20:00 UTC"])
    table: Key


class SuspendIn(Given):
    """Whether to suspend an account."""

    suspended: bool = True


class RoleIn(Given):
    """Whether an account is a moderator's."""

    moderator: bool


class AlikeOut(Schema):
    """Two players of a game who share an address: on how many days recently, and the last of them."""

    table: Key
    players: list[str] = Field(examples=[["ann", "ben"]])
    days: int = Field(examples=[3])
    last: date
