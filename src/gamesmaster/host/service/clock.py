"""The one place where the host reads the time of day."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def on_the_wall(at: datetime, zone: str) -> str:
    """A time as clocks show it in a zone: `Tue 2027-01-05 21:00 Europe/Vienna`."""
    return f"{at.astimezone(ZoneInfo(zone)):%a %Y-%m-%d %H:%M} {zone}"
