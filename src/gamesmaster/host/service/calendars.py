"""Players' calendars: who is away now, each by the clock of the own zone."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from gamesmaster.host.models import Absence, Seat


def away(seats: Iterable[Seat], now: datetime) -> dict[int, date]:
    """The last day away of each user in these seats who is away now, by the user's number."""
    zones = {seat.user_id: zone(seat) for seat in seats if seat.user_id}
    near = {"begins__lte": now + timedelta(days=1), "ends__gte": now - timedelta(days=1)}  # whatever the zone
    return {
        one.user_id: one.ends
        for one in Absence.objects.filter(user__in=list(zones), **near).order_by("ends")
        if one.begins <= now.astimezone(zones[one.user_id]).date() <= one.ends
    }


def back(seat: Seat, last: date) -> datetime:
    """When orders can be expected of a player who is away until this day: the day after it is for them."""
    return datetime.combine(last + timedelta(days=2), datetime.min.time(), zone(seat))


def zone(seat: Seat) -> ZoneInfo:
    """The zone of the player in a seat."""
    profile = getattr(seat.user, "profile", None)
    return ZoneInfo(profile.time_zone if profile else "UTC")
