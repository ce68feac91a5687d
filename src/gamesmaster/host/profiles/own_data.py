"""A person's data: the export, and the deletion of an account.

`EXPORTED` and `NOT_EXPORTED` name every foreign key to an account; a test fails if one is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, TypeAlias

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.host.accounts import people
from gamesmaster.host.accounts.people import SignUp
from gamesmaster.host.games import hosting, seats
from gamesmaster.host.games.queue import Wish
from gamesmaster.host.games.ratings import RatedSeat
from gamesmaster.host.gm.remarks import Remark
from gamesmaster.host.moderation.oversight import Complaint
from gamesmaster.host.press.correspondence import Mute
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import shelf, store
from gamesmaster.host.tables.models import (
    NOT_OVER,
    SEATED,
    AuditLine,
    Message,
    OutMail,
    Receipt,
    Seat,
    SeatState,
    Sheet,
    Table,
    TableState,
    WebHook,
)

Data: TypeAlias = "dict[str, object]"
GONE = "a deleted account"

EXPORTED: Mapping[str, str] = {
    "account.EmailAddress.user": "addresses_of_mail", "auth.User.groups": "account", "host.Absence.user": "absences",
    "host.ApiToken.user": "tokens", "host.AuditLine.who": "log", "host.Complaint.by": "complaints",
    "host.Complaint.closed_by": "complaints_closed", "host.Device.user": "devices", "host.InMail.user": "mails_in",
    "host.Helper.user": "games_helped",
    "host.Notice.user": "inbox", "host.OneTimeLink.by": "invitations", "host.OutMail.user": "mails",
    "host.OwnVariant.owner": "variants", "host.Profile.user": "profile", "host.RatedSeat.user": "rated_games",
    "host.Rating.user": "ratings", "host.Remark.user": "remarks", "host.Seat.user": "seats", "host.Sheet.by": "orders",
    "host.SignIn.user": "sign_ins", "host.Standby.user": "standby", "host.Table.gm": "games_run",
    "host.Table.owner": "games_made", "host.Trace.user": "addresses", "host.WebHook.owner": "hooks",
    "mfa.Authenticator.user": "second_factors", "socialaccount.SocialAccount.user": "providers",
    "usersessions.UserSession.user": "sessions", "host.Wish.user": "waits_for",
}  # fmt: skip
"""The foreign keys to an account, each with the part of the export that contains its rows."""
NOT_EXPORTED: Mapping[str, str] = {
    "auth.User.user_permissions": "nobody has any: what an account may do follows from its groups",
    "host.HeldLetter.by": "after some seconds it is press, which is exported",
    "host.Likeness.user": "a form of the name, which is exported",
    "admin.LogEntry.user": "the admin of Django is not part of the site",
}
"""Foreign keys of which nothing is exported, with reasons."""


def export(user: User) -> Data:
    """Return all data about a person as JSON values. The number of queries does not grow with the number of games."""
    own = people.profile(user)
    seats = list(Seat.objects.filter(user=user).select_related("table").order_by("pk"))
    there = _while_there(seats)
    return {
        "account": {
            "name": user.username, "address": user.email, "joined": _time(user.date_joined),
            "last_login": _time(user.last_login), "active": user.is_active, "admin": user.is_superuser,
            "groups": sorted(group.name for group in user.groups.all()),
        },
        "addresses_of_mail": [[e.email, e.verified] for e in EmailAddress.objects.filter(user=user).order_by("pk")],
        "profile": {name: getattr(own, name) for name in people.CHOSEN} | {"bounces": own.bounces},
        "absences": [[str(a.begins), str(a.ends)] for a in user.absences.order_by("begins")],
        "waits_for": _rows(Wish.objects.filter(user=user), "variant", "pace", "press", "min_reliability", "since"),
        "addresses": [[str(t.day), t.mark] for t in user.traces.order_by("day", "pk")],
        "sign_ins": _rows(user.sign_ins.order_by("pk"), "at", "method", "device", "network", "known"),
        "sessions": _rows(UserSession.objects.filter(user=user).order_by("pk"), "created_at", "ip", "user_agent"),
        "second_factors": _rows(
            Authenticator.objects.filter(user=user).order_by("pk"), "type", "created_at", "last_used_at"
        ),
        "tokens": _rows(user.tokens.order_by("pk"), "name", "start", "scopes", "made", "used", "expires"),
        "providers": _rows(
            SocialAccount.objects.filter(user=user).order_by("pk"), "provider", "uid", "extra_data", "date_joined"
        ),
        "invitations": _rows(user.links_made.order_by("pk"), "purpose", "made", "used", "expires"),
        "hooks": [
            {"table": h.table.key, "url": h.url, "events": h.events, "made": _time(h.made)}
            for h in WebHook.objects.filter(owner=user).select_related("table").order_by("pk")
        ],
        "games_made": _games(user.tables_made.order_by("pk")),
        "games_run": _games(user.tables_run.order_by("pk")),
        "games_helped": _games(Table.objects.filter(helpers__user=user).order_by("pk")),
        "seats": [
            {
                "table": s.table.key, "game": s.table.name, "power": s.power, "state": s.state, "wishes": s.preferences,
                "joined": _time(s.joined), "statement": s.statement,
            }
            for s in seats
        ],
        "muted": [
            {"table": m.seat.table.key, "power": m.power}
            for m in Mute.objects.filter(seat__user=user).select_related("seat__table").order_by("pk")
        ],
        "orders": [
            {"table": s.table.key, "phase": s.ordinal, "power": s.power, "text": s.whole, "sent": _time(s.sent_at)}
            for s in Sheet.objects.filter(by=user).select_related("table").order_by("pk")
        ],
        "standby": [
            {"table": s.table.key, "wish": s.wish, "power": s.power, "phase": s.ordinal, "text": s.text}
            for s in user.standbys.select_related("table").order_by("pk")
        ],
        "receipts": [
            {"code": r.code, "table": r.table_key, "phase": r.phase, "power": r.power, "at": _time(r.at)}
            for r in Receipt.objects.filter(_powers(seats)).order_by("pk") if there(r.table_id, r.power, r.at)
        ],
        "press": [
            {"table": m.table.key, "from": m.shown_as, "to": m.to, "text": m.text, "sent": _time(m.sent_at)}
            for m in Message.objects.filter(_powers(seats, "sender")).select_related("table").order_by("pk")
            if there(m.table_id, m.sender, m.sent_at)
        ],
        "remarks": [
            {"table": r.table.key, "scores": r.scores, "text": r.text, "made": _time(r.made)}
            for r in Remark.objects.filter(user=user).select_related("table").order_by("pk")
        ],
        "complaints": _rows(user.complaints.order_by("pk"), "about", "text", "made", "answer"),
        "complaints_closed": _rows(user.complaints_closed.order_by("pk"), "pk", "answer", "closed"),
        "ratings": _rows(user.ratings.order_by("scope"), "scope", "mu", "sigma", "games"),
        "rated_games": [
            {"table": r.table.key, "power": r.power, "place": r.place, "before": r.before, "after": r.after}
            for r in RatedSeat.objects.filter(user=user).select_related("table").order_by("pk")
        ],
        "mails": _rows(user.mails.order_by("pk"), "to", "event", "subject", "body", "state", "made"),
        "variants": _rows(user.variants.defer("upload").order_by("pk"), "name", "title", "shown", "file", "made"),
        "devices": _rows(user.devices.order_by("pk"), "name", "endpoint", "made"),
        "inbox": _rows(user.notices.order_by("pk"), "event", "text", "at", "read"),
        "mails_in": _rows(user.mails_in.order_by("pk"), "verdict", "at"),
        "log": _rows(AuditLine.objects.filter(who=user).order_by("pk"), "what", "at"),
    }  # fmt: skip


def forget(user: User, *, now: datetime | None = None) -> None:
    """Delete an account and its data.

    Its seats are given up first, so that standbys can take them. Orders and press belong to games that others play in,
    and stay without a name. Raise `Refused` for the last admin.
    """
    if user.is_superuser and not User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk).exists():
        raise Refused("last-admin", _("You are the only admin of this site."), _("make somebody else an admin first"))
    at = now or clock.now()
    # plans are visible to their owner only
    Table.objects.filter(owner=user, sandbox=True, settings__join="invited").delete()
    for table in Table.objects.filter(owner=user, state=TableState.FORMING).order_by("pk"):
        hosting.cancel(table, user, now=at)
    for seat in Seat.objects.filter(user=user, state__in=SEATED, table__state__in=NOT_OVER).order_by("pk"):
        seats.leave(seat.table_id, user, now=at)
    with transaction.atomic():
        Remark.objects.filter(user=user).update(user=None)
        Complaint.objects.filter(by=user).update(by=None)
        emails = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)} - {""}
        for email in emails:
            SignUp.objects.filter(email__iexact=email).delete()
            OutMail.objects.filter(to__iexact=email, user=None).delete()
        for session in UserSession.objects.filter(user=user):
            session.end()
        _take_out_of_the_log(user.username)
        store.audit(None, gettext_lazy("an account was deleted by its owner"), None, at)
        for variant in shelf.of_member(user):
            shelf.remove(variant)
        user.delete()


def _take_out_of_the_log(name: str) -> None:
    """Replace a name in lines of the audit log that end with it (`suspended: zoe`)."""
    for line in AuditLine.objects.filter(what__endswith=f" {name}"):
        line.what = re.sub(rf"(?<= ){re.escape(name)}$", GONE, line.what)
        line.save(update_fields=["what"])


def _rows(rows: Iterable[object], *fields: str) -> list[Data]:
    return [{field: _plain(getattr(one, field)) for field in fields} for one in rows]


def _games(seats: Iterable[Table]) -> list[Data]:
    return [
        {"table": t.key, "name": t.name, "variant": t.variant, "state": t.state, "sandbox": t.sandbox,
         "made": _time(t.created)}
        for t in seats
    ]  # fmt: skip


def _powers(seats: Iterable[Seat], field: str = "power") -> Q:
    """Return a filter for rows of these tables and powers; `_while_there` checks who had the power at the time."""
    held = [(seat.table_id, seat.power) for seat in seats if seat.power]
    return Q(table__in={table for table, _ in held}) & Q(**{f"{field}__in": {power for _, power in held}})


def _while_there(seats: list[Seat]) -> Callable[[int, str, datetime], bool]:
    """Return a function that says whether this person had a power in a table at a time."""
    begun: dict[tuple[int, str], list[tuple[int, datetime]]] = {}
    all_seats = Seat.objects.filter(table__in={seat.table_id for seat in seats}, power__isnull=False).order_by("pk")
    for number, table, power, joined in all_seats.values_list("pk", "table", "power", "joined"):
        begun.setdefault((table, power or ""), []).append((number, joined))
    held: dict[tuple[int, str], list[tuple[datetime, datetime]]] = {}
    for seat in seats:
        key = (seat.table_id, seat.power or "")
        later = [joined for number, joined in begun.get(key, []) if number > seat.pk]
        until = later[0] if seat.state == SeatState.LEFT and later else datetime.max.replace(tzinfo=UTC)
        held.setdefault(key, []).append((seat.joined, until))
    return lambda table, power, at: any(since <= at < until for since, until in held.get((table, power), []))


def _plain(value: Any) -> object:
    return _time(value) if isinstance(value, datetime) else value


def _time(at: datetime | None) -> str:
    return at.isoformat() if at else ""
