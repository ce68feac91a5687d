"""Accounts: what a person has chosen, when he or she is away, and the data that go with them or without them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo, available_timezones

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Group, User
from django.db import transaction
from django.db.models import Q

from gamesmaster.errors import nearest
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import (
    Absence,
    Complaint,
    Message,
    Profile,
    Receipt,
    Remark,
    Seat,
    SeatState,
    Sheet,
    Standby,
    Table,
    Trace,
)
from gamesmaster.host.models.tables import NOT_OVER, SEATED, TableState
from gamesmaster.host.service import clock, rows, tables

MODERATORS = "moderators"
"""The group of accounts that keep order; admins belong to it without being told."""
MOST_ABSENCES = 100
LONGEST_ABSENCE = 366  # days
CHOSEN = (
    "time_zone", "theme", "colour_mode", "notify_phase", "notify_deadline", "notify_press", "notify_table",
)  # fmt: skip


def profile(user: User) -> Profile:
    """The profile of an account, made at the first use."""
    known: Profile | None = getattr(user, "profile", None)
    if known is not None:
        return known
    made, _ = Profile.objects.get_or_create(user=user)
    return made


def own_time(user: User, at: datetime) -> str:
    """A time as it is where a person lives: `Tue 2027-01-05 21:00 Europe/Vienna`."""
    return clock.on_the_wall(at, profile(user).time_zone)


def is_moderator(user: AbstractBaseUser | AnonymousUser | None) -> bool:
    """Does this account keep order?  It gives no right to see anything of a game."""
    if not isinstance(user, User) or not user.is_active:
        return False
    return user.is_superuser or user.groups.filter(name=MODERATORS).exists()


def choose(user: User, chosen: Mapping[str, object]) -> Profile:
    """Change what a profile holds; raises `Refused` for a zone that there is not."""
    found = profile(user)
    for name in CHOSEN:
        if name in chosen:
            setattr(found, name, chosen[name])
    if found.time_zone not in available_timezones():
        hint = nearest(found.time_zone, available_timezones())
        raise Refused("no-zone", f"There is no time zone {found.time_zone[:60]!r}.", hint)
    found.save()
    return found


def go_away(user: User, begins: date, ends: date, *, now: datetime | None = None) -> Absence:
    """Note days on which a person is away, both ends among them; raises `Refused`."""
    if not 0 <= (ends - begins).days <= LONGEST_ABSENCE:
        raise Refused("bad-days", "The last day must not be before the first, nor more than a year after it.")
    if ends < (now or clock.now()).astimezone(ZoneInfo(profile(user).time_zone)).date():
        raise Refused("bad-days", "Those days have passed: the last day must be today or later.")
    other = user.absences.filter(begins__lte=ends, ends__gte=begins).order_by("begins").first()
    if other is not None:
        known = f"from {other.begins:%-d %b %Y} to {other.ends:%-d %b %Y}"
        raise Refused("bad-days", f"Some of these days are in your calendar already: you are away {known}.")
    if user.absences.count() >= MOST_ABSENCES:
        raise Refused("too-many", "Your calendar has too many absences.", "remove old ones")
    return Absence.objects.create(user=user, begins=begins, ends=ends)


def come_back(user: User, number: int) -> None:
    """Take an absence out of a person's own calendar."""
    Absence.objects.filter(user=user, pk=number).delete()


# -- one's own data --------------------------------------------------------------------------------------------------


def export(user: User) -> dict[str, object]:
    """All that is kept of a person, as JSON values: account, calendar, seats, own orders, press and remarks."""
    own = profile(user)
    seats = Seat.objects.filter(user=user).select_related("table").order_by("pk")
    sat = [(Q(table=seat.table_id, power=seat.power), _while_there(seat)) for seat in seats if seat.power]
    receipts = [r for of_power, (since, until) in sat
                for r in Receipt.objects.filter(of_power, at__gte=since, at__lt=until).order_by("pk")]  # fmt: skip
    return {
        "account": {
            "name": user.username,
            "address": user.email,
            "joined": _time(user.date_joined),
            "last_login": _time(user.last_login),
        },
        "profile": {name: getattr(own, name) for name in CHOSEN},
        "absences": [[str(a.begins), str(a.ends)] for a in user.absences.order_by("begins")],
        "addresses": [[str(t.day), t.mark] for t in Trace.objects.filter(user=user).order_by("day", "pk")],
        "seats": [
            {
                "table": s.table.key,
                "game": s.table.name,
                "power": s.power,
                "state": s.state,
                "joined": _time(s.joined),
                "statement": s.statement,
            }
            for s in seats
        ],
        "orders": [
            {"table": s.table.key, "phase": s.ordinal, "power": s.power, "text": s.text, "sent": _time(s.sent_at)}
            for s in Sheet.objects.filter(by=user).select_related("table").order_by("pk")
        ],
        "standby": [
            {"table": s.table.key, "wish": s.wish, "power": s.power, "phase": s.ordinal, "text": s.text}
            for s in Standby.objects.filter(user=user).select_related("table").order_by("pk")
        ],
        "receipts": [
            {"code": r.code, "table": r.table_key, "phase": r.phase, "power": r.power, "at": _time(r.at)}
            for r in receipts
        ],
        "press": [
            {"table": m.table.key, "from": m.shown_as, "to": m.to, "text": m.text, "sent": _time(m.sent_at)}
            for m in _written(seats)
        ],
        "remarks": [
            {"table": r.table.key, "scores": r.scores, "text": r.text, "made": _time(r.made)}
            for r in Remark.objects.filter(user=user).select_related("table").order_by("pk")
        ],
        "complaints": [
            {"about": c.about, "text": c.text, "made": _time(c.made), "answer": c.answer}
            for c in Complaint.objects.filter(by=user).order_by("pk")
        ],
        "ratings": [
            {"scope": r.scope, "mu": r.mu, "sigma": r.sigma, "games": r.games} for r in user.ratings.order_by("scope")
        ],
    }


def forget(user: User, *, now: datetime | None = None) -> None:
    """Delete an account and what is its own.

    Its seats are given up first, so that other players get a standby.  Orders and press belong to games that others
    play too: they stay, without a name.  Raises `Refused` for the last admin.
    """
    if user.is_superuser and not User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk).exists():
        raise Refused("last-admin", "You are the only admin of this site.", "make somebody else an admin first")
    at = now or clock.now()
    Table.objects.filter(owner=user, sandbox=True, settings__join="invited").delete()  # plans are nobody else's
    for table in Table.objects.filter(owner=user, state=TableState.FORMING).order_by("pk"):
        tables.cancel(table, user, now=at)
    for seat in Seat.objects.filter(user=user, state__in=SEATED, table__state__in=NOT_OVER).order_by("pk"):
        tables.leave(seat.table_id, user, now=at)
    with transaction.atomic():
        Remark.objects.filter(user=user).update(user=None)
        Complaint.objects.filter(by=user).update(by=None)
        rows.audit(None, "an account was deleted by its owner", None, at)
        user.delete()


def _written(seats: Iterable[Seat]) -> list[Message]:
    found: list[Message] = []
    for seat in seats:
        if seat.power:
            since, until = _while_there(seat)
            sent = Message.objects.filter(table=seat.table_id, sender=seat.power, sent_at__gte=since, sent_at__lt=until)
            found += sent.select_related("table").order_by("pk")
    return found


def _while_there(seat: Seat) -> tuple[datetime, datetime]:
    """From when until when a seat was a person's: what its power did before or after is somebody else's."""
    later = Seat.objects.filter(table=seat.table_id, power=seat.power, pk__gt=seat.pk).order_by("pk").first()
    gone = seat.state == SeatState.LEFT and later is not None
    return seat.joined, later.joined if gone and later is not None else datetime.max.replace(tzinfo=UTC)


def _time(at: datetime | None) -> str:
    return at.isoformat() if at else ""


def set_moderator(user: User, wanted: bool, by: User, *, now: datetime | None = None) -> None:
    """Make an account one that keeps order, or no longer; only admins do.  Raises `Refused`."""
    if not by.is_superuser:
        raise Refused("not-admin", "Only admins can give or take away roles.")
    group, _ = Group.objects.get_or_create(name=MODERATORS)
    user.groups.add(group) if wanted else user.groups.remove(group)
    rows.audit(by, f"{'made' if wanted else 'no longer'} a moderator: {user.username}", None, now or clock.now())
