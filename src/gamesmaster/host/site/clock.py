"""The clock, the only place where the host reads the time; heartbeats, and outages."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import connection, models


def now() -> datetime:
    """Return the current time in UTC."""
    return _machine()


def _machine() -> datetime:
    return datetime.now(UTC)


def skew() -> timedelta:
    """Return the difference between this machine's clock and the database's, which all machines of a site share.

    It is zero for SQLite, which uses the machine's clock.
    """
    if connection.vendor != "postgresql":
        return timedelta(0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        there: datetime = cursor.fetchone()[0]
    return abs(there - _machine())


def on_the_wall(at: datetime, zone: str) -> str:
    """Return a time as clocks in a zone show it: `Tue 2027-01-05 21:00 Europe/Vienna`."""
    return f"{at.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M} {zone}"


def next_hour(after: datetime, hour: int, zone: str) -> datetime:
    """Return the next time after `after` at which clocks in a zone ("" for UTC) show this full hour."""
    there = after.astimezone(ZoneInfo(zone or "UTC"))
    found = there.replace(hour=hour, minute=0, second=0, microsecond=0)
    return (found if found > there else found + timedelta(days=1)).astimezone(UTC)


class Heartbeat(models.Model):
    """The last heartbeat of `worker`, `web` or `mail`.

    Two more rows record since when the clock is in doubt, and by how many `seconds` (`phases.downtime`).
    """

    name = models.CharField(max_length=24, primary_key=True)
    beat = models.DateTimeField()
    seconds = models.BigIntegerField(default=0)


class Outage(models.Model):
    """A time without a worker or door, and the progress in giving it back (`phases.outages`)."""

    MOVING, NOTICES, MAILS, DONE = "moving", "notices", "mails", "done"

    name = models.CharField(max_length=24)
    began = models.DateTimeField()
    ended = models.DateTimeField(db_index=True)
    lasted = models.DurationField(default=timedelta(0))  # without the time that other outages have given back
    moved = models.JSONField(default=dict)  # by table: the deadline before and after
    step = models.CharField(
        max_length=8, default=DONE, db_index=True, choices=[(s, s) for s in (MOVING, NOTICES, MAILS, DONE)]
    )
    upto = models.BigIntegerField(default=0)  # the last row that this step has reached
