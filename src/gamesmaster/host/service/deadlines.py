"""When a phase is due: by its length, or by the clock on a wall, never on a day off.

Daylight saving: a time that the clock on the wall skips counts as the one it shows by then (02:30 as 03:30); one that
it shows twice is the first.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from gamesmaster.host.table_settings import Deadlines, Pace, TableSettings, WallClock
from gamesmaster.orders import PhaseKind

MOST_DAYS_AHEAD = 500


@dataclass(frozen=True, slots=True)
class Due:
    """A deadline in UTC, and as it is promised: wall time and zone."""

    at: datetime
    wall: str


def pace_of(deadlines: Deadlines, kind: PhaseKind, first: bool) -> Pace:
    """The pace of a phase of this kind; the game's first may have one of its own."""
    if first and deadlines.first is not None:
        return deadlines.first
    return {
        PhaseKind.MOVEMENT: deadlines.movement,
        PhaseKind.RETREATS: deadlines.retreats,
        PhaseKind.ADJUSTMENTS: deadlines.adjustments,
    }[kind]


def due(settings: TableSettings, kind: PhaseKind, now: datetime, *, first: bool = False) -> Due | None:
    """When a phase that begins now is due; None if nobody waits for a clock."""
    plan = settings.deadlines
    pace = pace_of(plan, kind, first)
    if pace.wall is not None:
        return _on_wall(plan, pace.wall, now)
    if pace.minutes is None:
        return None
    zone = ZoneInfo(plan.zone)
    return told(_working(plan, now + timedelta(minutes=pace.minutes), zone), zone)


def later(settings: TableSettings, at: datetime) -> Due:
    """A deadline moved to this time, or to the same time on the next day that is not off."""
    zone = ZoneInfo(settings.deadlines.zone)
    return told(_working(settings.deadlines, at, zone), zone)


def told(at: datetime, zone: ZoneInfo) -> Due:
    """A deadline as it is promised in a zone."""
    return Due(at.astimezone(UTC), f"{at.astimezone(zone):%Y-%m-%d %H:%M} {zone.key}")


def _off(plan: Deadlines, day: date) -> bool:
    return day.weekday() in plan.days_off or day in plan.dates_off


def _working(plan: Deadlines, at: datetime, zone: ZoneInfo) -> datetime:
    local = at.astimezone(zone)
    day = local.date()
    for _ in range(MOST_DAYS_AHEAD):
        if not _off(plan, day):
            break
        day += timedelta(days=1)
    return at if day == local.date() else _moment(day, local.time(), zone)


def _on_wall(plan: Deadlines, wall: WallClock, now: datetime) -> Due:
    earliest = now + timedelta(minutes=wall.least)
    day = earliest.astimezone(wall.where).date()
    for _ in range(MOST_DAYS_AHEAD):
        if not _off(plan, day):
            for clock in sorted(wall.times):
                at = _moment(day, time.fromisoformat(clock), wall.where)
                if at >= earliest:
                    return Due(at, f"{day:%Y-%m-%d} {clock} {wall.zone}")
        day += timedelta(days=1)
    raise AssertionError("every day is off")  # at most six weekdays and a hundred dates are


def _moment(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """When the clock on the wall shows this time: the first time if twice, an hour later if never."""
    return datetime.combine(day, clock.replace(tzinfo=None, fold=0), zone).astimezone(UTC)
