"""The settings of a table, as they are kept: how long phases last, who may join, what becomes of the absent.

Who may write to whom, and who learns who plays what, are here in words too, for every page and form.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import date
from types import MappingProxyType
from typing import Annotated, Any, Literal
from zoneinfo import ZoneInfo

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from gamesmaster.host.site.zones import zone_hint, zones

MOST_MINUTES = 366 * 24 * 60
Minutes = Annotated[int, Field(ge=1, le=MOST_MINUTES)]
MaybeMinutes = Annotated[int, Field(ge=0, le=MOST_MINUTES)]
Weekday = Annotated[int, Field(ge=0, le=6)]  # Monday is 0
Press = Literal["none", "broadcast", "public", "private", "groups", "rulebook"]
Anonymity = Literal["none", "until_end", "always"]
ClockTime = Annotated[str, Field(pattern=r"^([01]\d|2[0-3]):[0-5]\d$")]


def _zone(name: str) -> str:
    if name not in zones():
        hint = zone_hint(name)
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

    @property
    def move(self) -> int | None:
        """About how many minutes a phase of moves lasts; None if nobody waits for a clock."""
        wall = self.movement.wall
        return self.movement.minutes if wall is None else max(24 * 60 // len(wall.times), wall.least)


NEAT = tuple(
    [0, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90]
    + [hours * 60 for hours in (2, 3, 4, 6, 12, 18, 24, 36)]
    + [days * 24 * 60 for days in (2, 3, 5, 7, 14, 21)]
)  # fmt: skip
"""Minutes as people would say them."""


@dataclass(frozen=True, slots=True)
class Waits:
    """What a table waits for beside its phases, in minutes, in proportion to the moves.

    `left` is the least time left after a pause; the others are the settings of these names.
    """

    notice: int
    grace: int
    standby: int
    panic: int
    extension: int
    left: int

    @classmethod
    def of(cls, move: int | None) -> Waits:
        """The waits of a table with moves so many minutes long; without a clock nothing is waited for but players."""
        if move is None:
            return cls(notice=0, grace=0, standby=0, panic=0, extension=2 * 24 * 60, left=0)
        return cls(
            notice=_neat(move / 5), grace=_neat(move / 4), standby=_neat(move), panic=_neat(min(move / 15, 20)),
            extension=move, left=max(_neat(min(move / 3, 60)), 1),
        )  # fmt: skip


def _neat(minutes: float) -> int:
    return max(length for length in NEAT if length <= minutes)


class Absent(_Model):
    """What becomes of a player whose orders are missing, step by step.

    `notice` minutes before the deadline the player is reminded (0: not).  At the deadline the table waits `grace`
    minutes, once a phase; while the player's calendar says that he or she is away, up to `most_away` days.  After
    `misses` seasons missed in a row (0: never) a standby is looked for, for `standby` minutes more; then the power is
    in civil disorder.  `beforehand`: when one more miss would be the last, a standby who has offered is asked for
    orders, too, and takes the power at that miss (CLN-H.e).  Where `misses` and `beforehand` are left out, a table has
    them of the house rules that are asked for with it.
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
    """Everything that is settled when a table is made, beside its house rules.

    House rules say who may share a draw and what is told of votes.  How many misses lose a seat, and whether a standby
    is asked before, is here in `absent`: a table looks for another player before a power is in civil disorder, and the
    game, which knows of no search, leaves that to it.

    `press` is who may write to whom: nobody, the Gamesmaster alone (`broadcast`), all to all, one to one as well
    (`private`), any group, or any group in phases of movement alone (`rulebook`); `grey` press does not say from whom
    it is.  `anonymity` hides who plays which power.
    `early`: the phase is processed when all are ready, after `panic` minutes in which one may think better of it.
    `ready_shown` lets everybody see whose orders are in.  `powers` are drawn by lot, or by preference with lots between
    equals; the game `starts` when the game is full, or when somebody who may says so.  `extension` is what a vote for
    more time brings, in minutes.  `bots_agree`: bots agree to an end of the game to which all people agree, which is
    then not rated, or they never do.  `fill` names the bot that takes seats that are empty at the start, none if nobody
    does.

    What a table waits for beside its phases (the notice, grace and standby of `absent`, `panic`, `extension`) follows
    the length of its moves where it is left out (`Waits`); the defaults are those of two days a move.
    """

    press: Press = "groups"
    grey: bool = False
    anonymity: Anonymity = "none"
    deadlines: Deadlines = Deadlines()
    absent: Absent = Absent()
    early: bool = True
    panic: Annotated[int, Field(ge=0, le=24 * 60)] = 20
    ready_shown: bool = False
    join: Literal["open", "link", "invited"] = "open"
    powers: Literal["lot", "preference"] = "lot"
    starts: Literal["full", "asked"] = "full"
    fill: str = Field(default="", max_length=40)
    bots_agree: Literal["with_all", "never"] = "with_all"
    extension: Minutes = 2 * 24 * 60
    pace: str = Field(default="", max_length=40)
    min_reliability: Annotated[int, Field(ge=0, le=100)] = 0
    observers: bool = True

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
            return given  # it is said where the field itself is read
        waits = asdict(Waits.of(move))
        late = {name: waits[name] for name in _ABSENT}
        return {**{name: waits[name] for name in _OTHERS}, **given, "absent": {**late, **lengths}}

    @property
    def waits(self) -> Waits:
        """What would be in proportion to the moves."""
        return Waits.of(self.deadlines.move)


_ABSENT = frozenset({"notice", "grace", "standby"})
_OTHERS = frozenset({"panic", "extension"})

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


@dataclass(frozen=True, slots=True)
class Policy:
    """One choice: what the form calls it, and what it means, in a sentence.

    `refused` is said to a player who may not write, `hint` what he or she could do instead.
    """

    title: Promise
    says: Promise
    refused: str | Promise = ""
    hint: str | Promise = ""


PRESS: Mapping[Press, Policy] = MappingProxyType(
    {
        "groups": Policy(
            gettext_lazy("To anybody and any group"),
            gettext_lazy("Players can write to all, to one power, or to a group."),
        ),
        "private": Policy(
            gettext_lazy("To one power, or to all"),
            gettext_lazy("Players can write to all, or to one power."),
            refused=gettext_lazy("In this game you can write to one power, or to all."),
        ),
        "public": Policy(
            gettext_lazy("To all only"),
            gettext_lazy("All press is public."),
            refused=gettext_lazy("All press is public in this game."),
            hint=gettext_lazy("write to all"),
        ),
        "broadcast": Policy(
            gettext_lazy("Only the Gamesmaster writes"),
            gettext_lazy("Only the Gamesmaster can write."),
            refused=gettext_lazy("Players cannot write to each other in this game."),
        ),
        "rulebook": Policy(
            gettext_lazy("To anybody, but only while moves are due"),
            gettext_lazy("Players can write to anybody, but only while moves are due."),
            refused=gettext_lazy("In this game you can write only while moves are due."),
        ),
        "none": Policy(
            gettext_lazy("Nobody writes (gunboat)"),
            gettext_lazy("There is no press."),
            refused=gettext_lazy("Players cannot write to each other in this game."),
        ),
    }
)
"""Who may write to whom, in the order of the form."""

ANONYMITY: Mapping[Anonymity, Policy] = MappingProxyType(
    {
        "none": Policy(
            gettext_lazy("Everybody sees who plays what"),
            gettext_lazy("Everybody sees who plays what."),
        ),
        "until_end": Policy(
            gettext_lazy("Hidden until the game is over"),
            gettext_lazy("Players stay anonymous until the game is over."),
        ),
        "always": Policy(
            gettext_lazy("Hidden for good; the game is not rated"),
            gettext_lazy("Players stay anonymous for good."),
        ),
    }
)
"""Who learns who plays which power, in the order of the form."""
