"""The settings of a table, as they are kept: how long phases last, who may join, what becomes of the absent."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from gamesmaster.errors import nearest

MOST_MINUTES = 366 * 24 * 60
Minutes = Annotated[int, Field(ge=1, le=MOST_MINUTES)]
MaybeMinutes = Annotated[int, Field(ge=0, le=MOST_MINUTES)]
Weekday = Annotated[int, Field(ge=0, le=6)]  # Monday is 0
ClockTime = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


@cache
def zones() -> frozenset[str]:
    """The time zones that there are; looking for them reads a folder, once."""
    return frozenset(available_timezones())


def _zone(name: str) -> str:
    if name not in zones():
        hint = nearest(name, zones())
        raise ValueError(f"no time zone {name[:60]!r}{f' ({hint})' if hint else ''}")
    return name


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class WallClock(_Model):
    """Deadlines by the clock on a wall in `zone`: the first of `times` that leaves at least `least` minutes."""

    zone: str = "UTC"
    times: tuple[ClockTime, ...] = Field(default=("20:00",), min_length=1, max_length=24)
    least: Minutes = 60

    _known = field_validator("zone")(_zone)

    @property
    def where(self) -> ZoneInfo:
        """The zone."""
        return ZoneInfo(self.zone)


class Pace(_Model):
    """How long a phase lasts: so many `minutes`, or until a time by the `wall`; neither: nobody waits for a clock."""

    minutes: Minutes | None = None
    wall: WallClock | None = None


class Deadlines(_Model):
    """The pace of each kind of phase, and days on which no deadline falls (in `zone`)."""

    movement: Pace = Pace(minutes=2 * 24 * 60)
    retreats: Pace = Pace(minutes=24 * 60)
    adjustments: Pace = Pace(minutes=24 * 60)
    first: Pace | None = None
    days_off: tuple[Weekday, ...] = Field(default=(), max_length=6)
    dates_off: tuple[date, ...] = Field(default=(), max_length=100)
    zone: str = "UTC"

    _known = field_validator("zone")(_zone)


class Absent(_Model):
    """What becomes of a player whose orders are missing, step by step.

    `notice` minutes before the deadline the player is reminded (0: not).  At the deadline the table waits `grace`
    minutes, once a phase; while the player's calendar says that he or she is away, up to `most_away` days.  After
    `misses` seasons missed in a row (0: never) a standby is looked for, for `standby` minutes more; then the power is
    in civil disorder.  `beforehand`: when one more miss would be the last, a standby who has offered is asked for
    orders, too, and takes the power at that miss (CLN-H.e); left out, the house rules of the game say so or not.
    """

    notice: MaybeMinutes = 6 * 60
    grace: MaybeMinutes = 12 * 60
    most_away: Annotated[int, Field(ge=0, le=60)] = 14
    misses: Annotated[int, Field(ge=0, le=20)] = 2
    standby: MaybeMinutes = 2 * 24 * 60
    beforehand: bool | None = None

    @model_validator(mode="after")
    def _a_miss_before(self) -> Absent:
        if self.beforehand and self.misses < 2:
            raise ValueError("a standby is asked beforehand where a first miss loses nothing: misses = 2, or more")
        return self


class TableSettings(_Model):
    """Everything that is settled when a table is made; what the rules of play leave open is in the house rules.

    `press` is who may write to whom: nobody, the Gamesmaster alone (`broadcast`), all to all, one to one as well
    (`private`), any group, or any group in phases of movement alone (`rulebook`); `grey` press does not say from whom
    it is.  `anonymity` hides who plays which power.
    `early`: the phase is processed when all are ready, after `panic` minutes in which one may think better of it.
    `ready_shown` lets everybody see whose orders are in.  `powers` are drawn by lot, or by preference with lots between
    equals; the game `starts` when the table is full, or when somebody who may says so.  `extension` is what a vote for
    more time brings, in minutes.  `fill` names the bot that takes seats that are empty at the start, none if nobody
    does.
    """

    press: Literal["none", "broadcast", "public", "private", "groups", "rulebook"] = "groups"
    grey: bool = False
    anonymity: Literal["none", "until_end", "always"] = "none"
    deadlines: Deadlines = Deadlines()
    absent: Absent = Absent()
    early: bool = True
    panic: Annotated[int, Field(ge=0, le=24 * 60)] = 20
    ready_shown: bool = False
    join: Literal["open", "link", "invited"] = "open"
    powers: Literal["lot", "preference"] = "lot"
    starts: Literal["full", "asked"] = "full"
    fill: str = Field(default="", max_length=40)
    draws: Literal["survivors", "subset"] = "survivors"
    ballots: Literal["secret", "counted", "open"] = "secret"
    extension: Minutes = 2 * 24 * 60
    pace: str = Field(default="", max_length=40)
    min_reliability: Annotated[int, Field(ge=0, le=100)] = 0
    observers: bool = True


PACES: dict[str, Deadlines] = {
    "live": Deadlines(movement=Pace(minutes=15), retreats=Pace(minutes=5), adjustments=Pace(minutes=5)),
    "daily": Deadlines(
        movement=Pace(minutes=24 * 60), retreats=Pace(minutes=12 * 60), adjustments=Pace(minutes=12 * 60)
    ),
    "relaxed": Deadlines(),
    "weekly": Deadlines(
        movement=Pace(minutes=7 * 24 * 60), retreats=Pace(minutes=2 * 24 * 60), adjustments=Pace(minutes=3 * 24 * 60)
    ),
    "postal": Deadlines(
        movement=Pace(minutes=21 * 24 * 60), retreats=Pace(minutes=7 * 24 * 60), adjustments=Pace(minutes=7 * 24 * 60),
        first=Pace(minutes=28 * 24 * 60),
    ),
    "by hand": Deadlines(movement=Pace(), retreats=Pace(), adjustments=Pace()),
}  # fmt: skip
"""Deadlines by the name of a pace."""
