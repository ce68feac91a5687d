"""Oversight: reports to the moderators, suspensions, the audit log, shared addresses, and their pages.

For each public address from which a person sends something, a hash is kept for `TRACES_KEPT`. Its key changes every
day, so days cannot be linked. Moderators see which players of one game share an address. This is a hint, never proof:
people of one household, school or office look the same.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import logging
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import combinations

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import DatabaseError, models, transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from gamesmaster.host.accounts import people, sign_up
from gamesmaster.host.accounts.people import must_keep_order
from gamesmaster.host.gm.remarks import LONGEST_REMARK
from gamesmaster.host.site import clock, limits, outgoing
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, notifications, outbox, store
from gamesmaster.host.tables.models import NOT_OVER, SEATED, AuditLine, Seat, Table, TableState
from gamesmaster.host.tables.outbox import AnswerMail
from gamesmaster.host.tables.requests import account, lead_back, posted, with_confirmation
from gamesmaster.host.tables.view import in_site_language

CONCERNS = {
    "conduct": gettext_lazy("Insults or threats"),
    "cheating": gettext_lazy("Several accounts, or players acting as one"),
    "absence": gettext_lazy("A player who does not play"),
    "fault": gettext_lazy("A fault on this site"),
    "other": gettext_lazy("Something else"),
}
"""Topics of reports, with descriptions."""


class Complaint(models.Model):
    """A report to the moderators, who alone can read it."""

    OPEN, CLOSED = "open", "closed"

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="complaints")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="complaints")
    about = models.CharField(max_length=16, choices=list(CONCERNS.items()))
    text = models.TextField(max_length=LONGEST_REMARK)
    made = models.DateTimeField()
    state = models.CharField(max_length=8, default=OPEN, choices=[(s, s) for s in (OPEN, CLOSED)])
    answer = models.TextField(max_length=LONGEST_REMARK, blank=True)  # shown to the person who reported
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="complaints_closed"
    )
    closed = models.DateTimeField(null=True)


class Trace(models.Model):
    """A person sent something on this day from an address with this `mark`, a hash whose key changes daily."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="traces")
    mark = models.CharField(max_length=32)
    day = models.DateField()

    class Meta:
        """One per day, person and address."""

        constraints = [models.UniqueConstraint(fields=["user", "mark", "day"], name="one_trace")]
        indexes = [models.Index(fields=["day"], name="trace_day")]


MOST_A_DAY = 20
LONGEST_LOG = 200  # lines


def complain(user: User, about: str, text: str, *, key: str = "", now: datetime | None = None) -> Complaint:
    """Send a report to the moderators, about the table with this `key` if the person may see it; raise `Refused`."""
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
        access.look(key, user)  # raises `Refused` for a table that the person may not see
        table = Table.objects.get(key=key)
    return Complaint.objects.create(by=user, about=about, text=text, table=table, made=at)


def complaints(user: User, *, state: str = Complaint.OPEN) -> QuerySet[Complaint]:
    """Return the reports in this state, oldest first; raise `Refused` unless `user` is a moderator."""
    must_keep_order(user)
    return Complaint.objects.filter(state=state).select_related("by", "table", "closed_by").order_by("made")


def close_complaint(number: int, by: User, answer: str, *, now: datetime | None = None) -> Complaint:
    """Close a report with an answer to the person who sent it; raise `Refused`."""
    must_keep_order(by)
    at = now or clock.now()
    with transaction.atomic():
        case = Complaint.objects.select_for_update().filter(pk=number, state=Complaint.OPEN).first()
        if case is None:
            raise Refused("no-complaint", _("There is no such report, or it has been closed."))
        if case.table is not None and sits(by, case.table):
            raise Refused("plays-there", _("You play in that game; leave this to another moderator."))
        case.state, case.answer, case.closed_by, case.closed = Complaint.CLOSED, answer[:LONGEST_REMARK], by, at
        case.save()
        store.audit(by, gettext_lazy("closed report {number}"), case.table, at, number=number)
        if case.by is not None:
            _tell(case, case.by, at)
    return case


@in_site_language
def _tell(complaint: Complaint, to: User, at: datetime) -> None:
    """Send the answer to the person who reported."""
    what = _("Your report has been closed.")
    if complaint.table:
        what = _("Your report about {game} has been closed.").format(game=complaint.table.name)
    answer = complaint.answer or _("The moderators did not add an answer.")
    subject, body = notifications.compose("complaint_closed", what=what, answer=answer, base=settings.BASE_URL)
    outbox.answer(to, AnswerMail(subject, body, f"complaint {complaint.pk}"), at)


def suspend(user: User, by: User, *, wanted: bool, now: datetime | None = None) -> None:
    """Suspend an account or readmit it; raise `Refused` for an admin's account and the moderator's own."""
    must_keep_order(by)
    if user.is_superuser or user.pk == by.pk:
        raise Refused("not-that-one", _("You cannot suspend an admin's account, or your own."))
    user.is_active = not wanted
    user.save(update_fields=["is_active"])
    line = gettext_lazy("suspended: {name}") if wanted else gettext_lazy("let in again: {name}")
    store.audit(by, line, None, now or clock.now(), name=user.username)


def audit_log(user: User, *, key: str = "") -> QuerySet[AuditLine]:
    """Return the latest lines of the audit log, of one table or of all; raise `Refused` unless `user` is a moderator.

    Tables in which the moderator plays are left out: their lines would reveal who plays which power.
    """
    must_keep_order(user)
    playing = Table.objects.filter(seats__user=user).exclude(state__in=[TableState.FINISHED, TableState.CANCELLED])
    lines = AuditLine.objects.select_related("who", "table").order_by("-at", "-pk")
    lines = lines.exclude(table__in=playing.values("pk"))
    return (lines.filter(table__key=key) if key else lines)[:LONGEST_LOG]


def sits(user: User, table: Table) -> bool:
    """Return whether this person has or had a seat at the table."""
    return table.seats.filter(user=user).exists()


TRACES_KEPT = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players of a table who share an address."""

    table: Table
    one: User
    two: User
    days: int  # days on which both sent something from it
    last: date  # the last such day


def note_trace(user: User, address: str, now: datetime) -> None:
    """Record that a person sent something from this address today; addresses that are not public are ignored."""
    if not settings.NOTE_ADDRESSES or not _public(address):
        return
    day = now.date()
    mark = _trace(address, day)
    if caches["local"].add(f"trace:{user.pk}:{mark}", 1, 6 * 3600):
        Trace.objects.bulk_create([Trace(user=user, mark=mark, day=day)], ignore_conflicts=True)


def shared_addresses(reader: User) -> list[Pair]:
    """Return the pairs of players who share an address, most days first.

    Tables in which the reader plays are left out. Raise `Refused` unless `reader` is a moderator.
    """
    people.must_keep_order(reader)
    seats = Seat.objects.filter(state__in=SEATED, user__isnull=False, table__state__in=NOT_OVER, table__sandbox=False)
    at_table = defaultdict[Table, list[User]](list)
    for seat in seats.select_related("table", "user").order_by("pk"):
        assert seat.user is not None
        at_table[seat.table].append(seat.user)
    places = defaultdict[int, set[tuple[date, str]]](set)
    for user, day, mark in Trace.objects.values_list("user", "day", "mark"):
        places[user].add((day, mark))
    pairs = []
    for table, players in at_table.items():
        if reader in players:
            continue
        for one, two in combinations(players, 2):
            if both := {day for day, _ in places[one.pk] & places[two.pk]}:
                pairs.append(Pair(table, one, two, len(both), max(both)))
    return sorted(pairs, key=lambda pair: (-pair.days, pair.table.pk))


def tidy_traces(now: datetime) -> int:
    """Delete traces older than `TRACES_KEPT` and return how many were deleted."""
    return Trace.objects.filter(day__lt=now.date() - TRACES_KEPT).delete()[0]


def _public(address: str) -> bool:
    try:
        return outgoing.public(address)
    except ValueError:
        return False


def _trace(address: str, day: date) -> str:
    """Return the day's hash of an address; of IPv6 only the /64 network counts."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    net = ipaddress.ip_network((ip, 64 if ip.version == 6 else 32), strict=False)
    key = hashlib.sha256(f"addresses {day}\n{settings.SECRET_KEY}".encode()).digest()
    return hmac.new(key, str(net).encode(), "sha256").hexdigest()[:32]


Answer = Callable[[HttpRequest], HttpResponse]
LOG = logging.getLogger("gamesmaster.host")
SAFE = ("GET", "HEAD", "OPTIONS")


def note_address(answer: Answer) -> Answer:
    """Record the address of requests that changed something; reading leaves no trace (middleware)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        if request.method not in SAFE and response.status_code < 400 and isinstance(request.user, User):
            _note_trace(request.user, limits.address(request))
        return response

    return middleware


def _note_trace(user: User, address: str) -> None:
    """Record the address. A failure here does not undo the request."""
    try:
        if user.pk is not None:  # the account may just have been deleted
            note_trace(user, address, clock.now())
    except DatabaseError as error:
        LOG.warning("an address could not be noted", exc_info=error, extra={"event": "trace"})


@login_required
@require_http_methods(["GET", "POST"])
@lead_back("report")
def report(request: HttpRequest) -> HttpResponse:
    """Show the form for a report, about the game in `table` of the query; with POST send it."""
    if request.method == "POST":
        post = request.POST
        complain(account(request), post.get("about", ""), post.get("text", ""), key=post.get("table", ""))
        messages.success(
            request, _("Your report has been sent. You will find the moderators' answer on your account page.")
        )
        return redirect("me")
    return render(request, "moderation/report.html", {"concerns": CONCERNS, "key": request.GET.get("table", "")[:16]})


@login_required
@require_safe
@lead_back("moderation")
def desk(request: HttpRequest) -> HttpResponse:
    """Show open reports and those closed recently."""
    user = account(request)
    done = complaints(user, state=Complaint.CLOSED).order_by("-closed")[:20]
    lines = [(one, one.table is not None and sits(user, one.table)) for one in complaints(user)]
    return render(request, "moderation/reports.html", {"todo": lines, "done": done})


@posted("moderation")
def close(request: HttpRequest, number: int) -> HttpResponse:
    """Close a report."""
    close_complaint(number, account(request), request.POST.get("answer", ""))
    messages.success(request, "Settled.")
    return redirect("moderation")


@login_required
@require_http_methods(["GET", "POST"])
@with_confirmation(only=lambda request: request.POST.get("what") in ("moderator", "no moderator", "password"))
@lead_back("roles")
def roles(request: HttpRequest) -> HttpResponse:
    """Show accounts, roles and suspensions; with POST carry out one action on an account."""
    user = account(request)
    people.must_keep_order(user)
    if request.POST.get("what") == "invite":
        token = sign_up.invite(user, clock.now())
        return _accounts(request, user, invitation=settings.BASE_URL + reverse("invited-to-site", args=[token]))
    if request.method == "POST":
        member = User.objects.filter(username=request.POST.get("name", "")).first()
        if member is None:
            raise Refused("no-player", _("There is no account with that name."))
        match request.POST.get("what"):
            case "moderator" | "no moderator" as what:
                people.set_moderator(member, user, wanted=what == "moderator")
            case "suspend" | "let in" as what:
                suspend(member, user, wanted=what == "suspend")
            case "approve" | "turn down" as what:
                sign_up.settle(member, user, clock.now(), let_in=what == "approve")
                own = EmailAddress.objects.get_primary(member) if what == "approve" else None
                if own is not None and not own.verified and outbox.sends():
                    own.send_confirmation(request)
            case "password":
                return _accounts(request, user, link=sign_up.password_link(member, user, clock.now()), whose=member)
            case _:
                raise Refused("no-such-thing", _("Unknown action."))
        messages.success(request, _("Done. The action has been logged."))
        return redirect("roles")
    return _accounts(request, user)


def _accounts(
    request: HttpRequest, user: User, *, link: str = "", whose: User | None = None, invitation: str = ""
) -> HttpResponse:
    """Show the list of accounts, with a password link or an invitation just made."""
    words = request.GET.get("q", "")[:60]
    found_people = User.objects.filter(username__icontains=words).order_by("username")[:50]
    helped = user.is_superuser
    lines = [(one, people.is_moderator(one), helped and sign_up.needs_link(one)) for one in found_people]
    context = {
        "people": lines, "q": words, "link": link, "whose": whose, "invitation": invitation,
        "mode": sign_up.mode(), "waiting": sign_up.waiting(user), "days": sign_up.LASTS.days,
    }  # fmt: skip
    return render(request, "moderation/people.html", context)


@login_required
@require_safe
@lead_back("audit-log")
def log(request: HttpRequest) -> HttpResponse:
    """Show the audit log, of all games or of the one in `table` of the query."""
    key = request.GET.get("table", "")[:16]
    return render(request, "moderation/log.html", {"lines": audit_log(account(request), key=key), "key": key})


@login_required
@require_safe
@lead_back("alike")
def same_address(request: HttpRequest) -> HttpResponse:
    """Show players of one game who share an address."""
    pairs = shared_addresses(account(request))
    return render(request, "moderation/alike.html", {"pairs": pairs, "days": TRACES_KEPT.days})


urlpatterns: list[URLPattern] = [
    path("report", report, name="report"),
    path("moderation/", desk, name="moderation"),
    path("moderation/alike", same_address, name="alike"),
    path("moderation/log", log, name="audit-log"),
    path("moderation/close/<int:number>", close, name="close-complaint"),
    path("moderation/people", roles, name="roles"),
]
