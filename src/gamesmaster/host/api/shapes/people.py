"""Players, ratings, and what moderators see."""

from __future__ import annotations

from datetime import date, datetime
from typing import Annotated

from ninja import Schema
from pydantic import Field

from gamesmaster.host.api.shapes.common import Given, Key, Power


class StandingOut(Schema):
    """A line of the list of players: the strength that is surely had, 1000 for a newcomer."""

    name: str = Field(examples=["ann"])
    rating: int = Field(examples=[1240])
    games: int = Field(examples=[12])


class ReliabilityOut(Schema):
    """How far one may count on a player: in per cent, out of how many seasons, and how many seats were given up."""

    per_cent: int = Field(examples=[97])
    asked: int = Field(examples=[120])
    sent: int = Field(examples=[118])
    left: int = Field(examples=[0])


class GameOut(Schema):
    """A finished game in which names are known; `place` is null where it was not rated."""

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
    """A complaint, without its text where it is about a table at which you play."""

    id: int = Field(examples=[1])
    about: str = Field(examples=["conduct"])
    text: str = Field(examples=["Italy calls everybody names."])
    by: str = Field(examples=["ann"])
    table: Key
    made: datetime
    state: str = Field(examples=["open"])
    answer: str = Field(examples=[""])


class AnswerIn(Given):
    """What whoever complained is told."""

    answer: Annotated[str, Field(max_length=4_000)] = Field(examples=["We have spoken with Italy."])


class AuditOut(Schema):
    """A line of the audit log; never an order, a vote or press."""

    at: datetime
    who: str = Field(examples=["keeper"])
    what: str = Field(examples=["moved the deadline to 2027-01-05 20:00 UTC"])
    table: Key


class SuspendIn(Given):
    """Whether an account is to be barred."""

    suspended: bool = True


class RoleIn(Given):
    """Whether an account is to keep order."""

    moderator: bool


class AlikeOut(Schema):
    """Two players of a table who sent something from one address, on how many days of late, and the last of them."""

    table: Key
    players: list[str] = Field(examples=[["ann", "ben"]])
    days: int = Field(examples=[3])
    last: date
