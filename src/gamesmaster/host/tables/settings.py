"""The settings of a table: length of phases, who may join, how absences are handled.

`agreement.toml` has them in words, for all pages and forms.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)  # fmt: skip
from pydantic import Field as Limits

from gamesmaster.host.site.zones import zone_hint, zones

MOST_MINUTES = 366 * 24 * 60
Minutes = Annotated[int, Limits(ge=1, le=MOST_MINUTES)]
MaybeMinutes = Annotated[int, Limits(ge=0, le=MOST_MINUTES)]
Weekday = Annotated[int, Limits(ge=0, le=6)]  # 0 is Monday
Press = Literal["none", "broadcast", "public", "private", "groups", "rulebook"]
Anonymity = Literal["none", "until_end", "always"]
ClockTime = Annotated[str, Limits(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


def as_text(value: object) -> object:
    """Return a date or time as it is given; raise `ValueError` for a number, which pydantic would count from 1970."""
    if isinstance(value, (bool, int, float)):
        raise ValueError("expected a text such as 2027-12-24")
    return value


Day = Annotated[date, Limits(strict=False), BeforeValidator(as_text)]


def _zone(name: str) -> str:
    if name not in zones():
        hint = zone_hint(name)
        raise ValueError(f"no time zone {name[:60]!r}{f' ({hint})' if hint else ''}")
    return name


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class WallClock(_Model):
    """Deadlines at fixed times of day in `zone`: the first of `times` that leaves at least `least` minutes."""

    zone: str = "UTC"
    times: tuple[ClockTime, ...] = Limits(default=("20:00",), min_length=1, max_length=24, strict=False)
    least: Minutes = 60

    _known = field_validator("zone")(_zone)

    @property
    def where(self) -> ZoneInfo:
        """Return the time zone."""
        return ZoneInfo(self.zone)


class Pace(_Model):
    """Length of a phase: in `minutes`, or until a time of `wall`; without either it has no deadline."""

    minutes: Minutes | None = None
    wall: WallClock | None = None


class Deadlines(_Model):
    """The pace of each kind of phase, and days in `zone` without deadlines; `first` is the pace of the first phase."""

    movement: Pace = Pace(minutes=2 * 24 * 60)
    retreats: Pace = Pace(minutes=24 * 60)
    adjustments: Pace = Pace(minutes=24 * 60)
    first: Pace | None = None
    days_off: tuple[Weekday, ...] = Limits(default=(), max_length=6, strict=False)
    dates_off: tuple[Day, ...] = Limits(default=(), max_length=100, strict=False)
    zone: str = "UTC"

    _known = field_validator("zone")(_zone)

    @property
    def move(self) -> int | None:
        """Return the approximate length of moves in minutes; None without a clock."""
        wall = self.movement.wall
        return self.movement.minutes if wall is None else max(24 * 60 // len(wall.times), wall.least)


NEAT = tuple(
    [0, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90]
    + [hours * 60 for hours in (2, 3, 4, 6, 12, 18, 24, 36)]
    + [days * 24 * 60 for days in (2, 3, 5, 7, 14, 21)]
)  # fmt: skip
"""Round lengths in minutes, as people would choose them."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Default waiting times of a table in minutes, in proportion to its moves. Other names are as in the settings."""

    notice: int
    grace: int
    standby: int
    panic: int
    extension: int
    left: int  # minimum time left after a pause

    @classmethod
    def of(cls, move: int | None) -> Waits:
        """Return the waits for moves of `move` minutes. Without a clock, all are 0 except the extension."""
        if move is None:
            return cls(notice=0, grace=0, standby=0, panic=0, extension=2 * 24 * 60, left=0)
        return cls(
            notice=_neat(move / 5), grace=_neat(move / 4), standby=_neat(move), panic=_neat(min(move / 15, 20)),
            extension=move, left=max(_neat(min(move / 3, 60)), 1),
        )  # fmt: skip


def _neat(minutes: float) -> int:
    return max(length for length in NEAT if length <= minutes)


class Absent(_Model):
    """How a game handles missing orders: a reminder, a wait, a search for a standby, and then civil disorder.

    `notice`: minutes before the deadline at which the player is reminded; 0 for no reminder.
    `grace`: minutes that the game waits after the deadline, once per phase.
    `most_away`: days that it waits at most for a player with an announced absence.
    `misses`: seasons missed in a row after which a standby is sought; 0 for never.
    `standby`: minutes of that search, before civil disorder.
    `beforehand`: before the last miss, a standby is asked for orders, and takes the power at that miss (CLN-H.e).
    By default, `misses` and `beforehand` follow the house rules given with the game.
    """

    notice: MaybeMinutes = 6 * 60
    grace: MaybeMinutes = 12 * 60
    most_away: Annotated[int, Limits(ge=0, le=60)] = 14
    misses: Annotated[int, Limits(ge=0, le=20)] = 2
    standby: MaybeMinutes = 2 * 24 * 60
    beforehand: bool | None = None

    @model_validator(mode="after")
    def _a_miss_before(self) -> Absent:
        if self.beforehand and self.misses < 2:
            raise ValueError("a standby is asked beforehand where a first miss loses nothing: misses = 2, or more")
        return self


class TableSettings(_Model):
    """The settings chosen when a table is created, besides its house rules.

    House rules decide who may share a draw and who sees votes. `absent` decides about lost players, because the table
    looks for a standby before a power falls into civil disorder; the game itself does not know of that search.

    `panic`, `extension`, and notice, grace and standby of `absent` default to values in proportion to the moves
    (`Waits`). The defaults below are those for moves of two days.
    """

    press: Press = "groups"  # who may write to whom; described in `FIELDS`
    grey: bool = False  # press may be unsigned
    anonymity: Anonymity = "none"  # who may know who plays which power; described in `FIELDS`
    deadlines: Deadlines = Deadlines()
    absent: Absent = Absent()
    early: bool = True  # process the phase when all are ready
    panic: Annotated[int, Limits(ge=0, le=24 * 60)] = 20  # minutes for second thoughts before that
    ready_shown: bool = False  # everybody sees whose orders are in
    join: Literal["open", "link", "invited"] = "open"
    powers: Literal["lot", "preference"] = "lot"  # assigned at random, or by preference with ties broken at random
    starts: Literal["full", "asked"] = "full"  # when the last seat is taken, or when the owner says so
    fill: str = Limits(default="", max_length=40)  # bot for seats that are empty at the start; "": none
    # bots agree to end the game when all people do (it is then not rated), or never
    bots_agree: Literal["with_all", "never"] = "with_all"
    extension: Minutes = 2 * 24 * 60  # minutes added by a vote for more time
    longest: MaybeMinutes = 14 * 24 * 60  # minutes after which a phase without a deadline gets one; 0: never
    pace: str = Limits(default="", max_length=40)  # name of the pace, in `PACES`
    min_reliability: Annotated[int, Limits(ge=0, le=100)] = 0  # in per cent
    observers: bool = True  # others may watch

    @model_validator(mode="before")
    @classmethod
    def _in_proportion(cls, given: Any) -> Any:
        if not isinstance(given, Mapping):
            return given
        absent = given.get("absent", {})
        lengths = absent.model_dump(exclude_unset=True) if isinstance(absent, Absent) else absent
        if not isinstance(lengths, Mapping) or (lengths.keys() >= _ABSENT and given.keys() >= _OTHERS):
            return given
        try:
            move = Deadlines.model_validate(given.get("deadlines", {})).move
        except ValidationError:
            return given  # reported when the field itself is validated
        waits = asdict(Waits.of(move))
        late = {name: waits[name] for name in _ABSENT}
        return {**{name: waits[name] for name in _OTHERS}, **given, "absent": {**late, **lengths}}

    @property
    def waits(self) -> Waits:
        """Return the default waits in proportion to the moves."""
        return Waits.of(self.deadlines.move)


_ABSENT = frozenset({"notice", "grace", "standby"})
_OTHERS = frozenset({"panic", "extension"})

Words: TypeAlias = Annotated[Any, BeforeValidator(gettext_lazy)]
"""A text that is translated when it is shown."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A choice of a setting, in words."""

    name: str
    title: Words = ""  # in the form
    says: Words = ""  # in the agreement
    refused: Words = ""  # of a policy on press: message to a player who may not write
    hint: Words = ""  # of a policy on press: what the player can do instead


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form for a new game."""

    kind: str  # `choice`, `yes`, `number`, `length` of time, `text`; `rule`: a house rule, not in the form
    label: Words = None  # None: the name
    choices: tuple[Choice, ...] = ()
    most: int = 40  # largest number, or length of a text
    optional: bool = False

    def choice(self, name: str) -> Choice:
        """Return the choice with this name."""
        return next(one for one in self.choices if one.name == name)


@dataclass(frozen=True, slots=True)
class Preset:
    """A named set of answers that the form begins with."""

    name: str
    title: Words
    says: Words
    answers: Mapping[str, Any] = field(default_factory=dict)


_AGREEMENT = tomllib.loads(Path(__file__).with_name("agreement.toml").read_text(encoding="utf-8"))
FIELDS = TypeAdapter(dict[str, Field]).validate_python(_AGREEMENT["fields"])
"""The fields of the form by name."""
PRESETS = TypeAdapter(tuple[Preset, ...]).validate_python(_AGREEMENT["presets"])
"""The presets of the form."""
PACES = TypeAdapter(dict[str, Deadlines]).validate_python(_AGREEMENT["paces"])
"""Deadlines by the name of their pace."""
