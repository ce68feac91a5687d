"""Oversight: complaints, what becomes of them, suspended accounts, and the audit log.

Who keeps order sees who did what and when; never an order, a vote or press that is not addressed to him or her.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.host.accounts.people import must_keep_order
from gamesmaster.host.gm.models import LONGEST_REMARK
from gamesmaster.host.moderation.models import CONCERNS, Complaint
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, outbox, store
from gamesmaster.host.tables.models import AuditLine, Table, TableState
from gamesmaster.host.tables.view import in_site_language

MOST_A_DAY = 20
LONGEST_LOG = 200  # lines


def complain(user: User, about: str, text: str, *, key: str = "", now: datetime | None = None) -> Complaint:
    """Tell the moderators something, of a table that this person may see if `key` names one; raises `Refused`."""
    at = now or clock.now()
    text = text.strip()
    if about not in CONCERNS or not 1 <= len(text) <= LONGEST_REMARK:
        raise Refused("bad-complaint", _("Choose a topic, and describe the problem in up to 4,000 characters."))
    if Complaint.objects.filter(by=user, made__gt=at - timedelta(days=1)).count() >= MOST_A_DAY:
        raise Refused(
            "too-many", _("You have reached the limit of reports for one day."), _("the moderators have received them")
        )
    table = None
    if key:
        access.look(key, user)  # refuses what this person may not see
        table = Table.objects.get(key=key)
    return Complaint.objects.create(by=user, about=about, text=text, table=table, made=at)


def complaints(user: User, *, state: str = Complaint.OPEN) -> QuerySet[Complaint]:
    """Those of one state, the oldest first; raises `Refused` to people who do not keep order."""
    must_keep_order(user)
    return Complaint.objects.filter(state=state).select_related("by", "table", "closed_by").order_by("made")


def close(number: int, by: User, answer: str, *, now: datetime | None = None) -> Complaint:
    """Settle a complaint, with an answer for whoever made it; raises `Refused`."""
    must_keep_order(by)
    at = now or clock.now()
    with transaction.atomic():
        found = Complaint.objects.select_for_update().filter(pk=number, state=Complaint.OPEN).first()
        if found is None:
            raise Refused("no-complaint", _("There is no such report, or it has been closed."))
        if found.table is not None and sits(by, found.table):
            raise Refused("plays-there", _("You play in that game; leave this to another moderator."))
        found.state, found.answer, found.closed_by, found.closed = Complaint.CLOSED, answer[:LONGEST_REMARK], by, at
        found.save()
        store.audit(by, format_lazy(gettext_lazy("closed report {number}"), number=number), found.table, at)
        if found.by is not None:
            _tell(found, found.by, at)
    return found


@in_site_language
def _tell(found: Complaint, to: User, at: datetime) -> None:
    """Write to who has reported something what has become of it."""
    what = _("Your report has been closed.")
    if found.table:
        what = _("Your report about {game} has been closed.").format(game=found.table.name)
    said = found.answer or _("The moderators did not add an answer.")
    text = f"{what}\n\n{said}\n\n{_('Your reports:')} {settings.BASE_URL}/me\n"
    outbox.answer(to, _("The moderators have answered"), text, key=f"complaint {found.pk}", now=at)


def suspend(user: User, by: User, wanted: bool, *, now: datetime | None = None) -> None:
    """Bar an account from signing in, or let it in again; never an admin's, nor one's own.  Raises `Refused`."""
    must_keep_order(by)
    if user.is_superuser or user.pk == by.pk:
        raise Refused("not-that-one", _("You cannot suspend an admin's account, or your own."))
    user.is_active = not wanted
    user.save(update_fields=["is_active"])
    said = gettext_lazy("suspended: {name}") if wanted else gettext_lazy("let in again: {name}")
    store.audit(by, format_lazy(said, name=user.username), None, now or clock.now())


def log(user: User, *, key: str = "") -> QuerySet[AuditLine]:
    """The last lines of the audit log, of one table or of all; raises `Refused` to people who do not keep order.

    Left out are tables at which this person plays: their lines would tell who plays what.
    """
    must_keep_order(user)
    playing = Table.objects.filter(seats__user=user).exclude(state__in=[TableState.FINISHED, TableState.CANCELLED])
    lines = AuditLine.objects.select_related("who", "table").order_by("-at", "-pk")
    lines = lines.exclude(table__in=playing.values("pk"))
    return (lines.filter(table__key=key) if key else lines)[:LONGEST_LOG]


def sits(user: User, table: Table) -> bool:
    """Has this person a seat at the table, or had one?"""
    return table.seats.filter(user=user).exists()
