"""A calendar feed (iCalendar) of a person's deadlines, at a secret address that the person can replace or remove."""

from __future__ import annotations

from datetime import datetime, timedelta

import icalendar
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.utils.translation import gettext as _
from django.utils.translation import override

from gamesmaster.host.accounts import people
from gamesmaster.host.accounts.people import Profile
from gamesmaster.host.tables.models import SEATED, Seat, TableState

SALT = "host.feed"
MOST = 200
"""Maximum number of deadlines in a feed."""
BEFORE = timedelta(minutes=30)
"""Length of an entry, which ends at the deadline."""


def address(user: User) -> str:
    """Return the address of a person's feed; "" without one."""
    number = people.profile(user).feed
    return f"{settings.BASE_URL}/calendar/{signing.dumps([user.pk, number], salt=SALT)}.ics" if number > 0 else ""


def change(user: User, *, wanted: bool) -> None:
    """Give a person's feed a new address, or remove it. Addresses given before no longer work."""
    number = people.profile(user).feed
    people.profile(user).feed = new = (abs(number) + 1) * (1 if wanted else -1)
    Profile.objects.filter(user=user).update(feed=new)


def reader(token: str) -> User | None:
    """Return the person whose feed has this token; None if it no longer works."""
    try:
        number, feed = signing.loads(token, salt=SALT)
    except (signing.BadSignature, ValueError, TypeError):
        return None
    return User.objects.filter(pk=number, is_active=True, profile__feed=feed, profile__feed__gt=0).first()


def calendar(user: User, now: datetime) -> bytes:
    """Return the deadlines of a person's games as iCalendar."""
    seats = Seat.objects.filter(
        user=user, state__in=SEATED, table__state=TableState.RUNNING, table__deadline__isnull=False
    ).select_related("table").defer("table__record").order_by("table__deadline")  # fmt: skip
    found = icalendar.Calendar()
    with override(people.profile(user).language or settings.LANGUAGE_CODE):
        found.add("prodid", "-//Gamesmaster//deadlines//EN")
        found.add("version", "2.0")
        found.add("x-wr-calname", _("Deadlines of my games"))
        for seat in seats[:MOST]:
            found.add_component(_entry(seat, now))
    return bytes(found.to_ical())


def _entry(seat: Seat, now: datetime) -> icalendar.Event:
    table, entry = seat.table, icalendar.Event()
    assert table.deadline is not None
    says = _("{phase}: orders of {power} are due") if table.needs_orders(seat.power) else _("{phase} ends")
    entry.add("uid", f"{table.key}-{table.ordinal}@{settings.MAIL_DOMAIN}")
    entry.add("dtstamp", now)
    entry.add("dtstart", table.deadline - BEFORE)
    entry.add("dtend", table.deadline)
    entry.add("summary", f"[{table.name}] {says.format(phase=table.phase_code, power=seat.power)}")
    entry.add("url", f"{settings.BASE_URL}/t/{table.key}/")
    entry.add("transp", "TRANSPARENT")
    return entry
