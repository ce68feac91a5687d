"""Time zones, and suggestions for misspelt ones."""

from __future__ import annotations

import re
from functools import cache
from zoneinfo import available_timezones

from gamesmaster.errors import nearest

_OFFSET = re.compile(r"(?:utc|gmt|z)? ?([+-]) ?(\d{1,2})(?::?(\d\d))?", re.IGNORECASE)
_CITIES = {
    -660: "Pacific/Pago_Pago", -600: "Pacific/Honolulu", -540: "America/Anchorage", -480: "America/Los_Angeles",
    -420: "America/Denver", -360: "America/Chicago", -300: "America/New_York", -240: "America/Halifax",
    -210: "America/St_Johns", -180: "America/Sao_Paulo", -120: "America/Noronha", -60: "Atlantic/Cape_Verde",
    0: "Europe/London", 60: "Europe/Berlin", 120: "Europe/Athens", 180: "Europe/Istanbul", 210: "Asia/Tehran",
    240: "Asia/Dubai", 300: "Asia/Karachi", 330: "Asia/Kolkata", 345: "Asia/Kathmandu", 360: "Asia/Dhaka",
    420: "Asia/Bangkok", 480: "Asia/Singapore", 540: "Asia/Tokyo", 570: "Australia/Darwin", 600: "Australia/Brisbane",
    660: "Pacific/Noumea", 720: "Pacific/Auckland", 780: "Pacific/Tongatapu", 840: "Pacific/Kiritimati",
}  # fmt: skip
"""Maps minutes east of Greenwich, in winter, to a city in that zone."""
_FIXED = range(-12, 15)
"""Hours east of Greenwich for which a zone without summer time exists."""


@cache
def zones() -> frozenset[str]:
    """Return all time zones. They are read from disk once."""
    return frozenset(available_timezones())


def zone_hint(name: str) -> str:
    """Return a hint for an unknown name of a time zone.

    `GMT+1` becomes `Etc/GMT-1`, whose signs are reversed and which has no summer time; cities have it where it is
    observed.
    """
    offset = _OFFSET.fullmatch(name.strip()[:20])
    if offset is None:
        return nearest(name, zones())
    minutes = (int(offset[2]) * 60 + int(offset[3] or 0)) * (-1 if offset[1] == "-" else 1)
    hours, odd = divmod(minutes, 60)
    fixed = [f"Etc/GMT{-hours:+d}" if hours else "Etc/GMT"] if not odd and hours in _FIXED else []
    cities = [f"a city such as {_CITIES[minutes]}"] if minutes in _CITIES else []
    return ", or ".join([*fixed, *cities]) or "a city such as Europe/Berlin"
