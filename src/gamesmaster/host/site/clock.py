"""The one place where the host reads the time of day."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db import connection


def now() -> datetime:
    """The time, in UTC."""
    return _machine()


def _machine() -> datetime:
    return datetime.now(UTC)


def skew() -> timedelta:
    """How far this machine's clock is from that of the database's, which all machines of a site share.

    Nothing for SQLite, which has no clock of its own.
    """
    if connection.vendor != "postgresql":
        return timedelta(0)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        there: datetime = cursor.fetchone()[0]
    return abs(there - _machine())


def on_the_wall(at: datetime, zone: str) -> str:
    """A time as clocks show it in a zone: `Tue 2027-01-05 21:00 Europe/Vienna`."""
    return f"{at.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M} {zone}"
