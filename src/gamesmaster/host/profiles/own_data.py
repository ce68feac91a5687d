"""A person's data: the export, and the deletion of an account.

`EXPORTED` and `NOT_EXPORTED` name every foreign key to an account; a test fails if one is missing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from operator import attrgetter
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
}
"""Foreign keys of which nothing is exported, with reasons."""


def export(user: User) -> Data:
    """Return all data about a person as JSON values. The number of queries does not grow with the number of games."""
    return {**_account(user), **_ways_in(user), **_games(user), **_in_games(user), **_messages(user)}


def _account(user: User) -> Data:
    """Return the person's account and settings."""
    own = people.profile(user)
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
        "ratings": _rows(user.ratings.order_by("scope"), "scope", "mu", "sigma", "games"),
        "variants": _rows(user.variants.order_by("pk"), "name", "title", "shown", "file", "made"),
    }  # fmt: skip


def _ways_in(user: User) -> Data:
    """Return how the person and his or her programs sign in, and from where."""
    factors = Authenticator.objects.filter(user=user).order_by("pk")
    providers = SocialAccount.objects.filter(user=user).order_by("pk")
    sessions = UserSession.objects.filter(user=user).order_by("pk")
    return {
        "addresses": [[str(t.day), t.mark] for t in user.traces.order_by("day", "pk")],
        "sign_ins": _rows(user.sign_ins.order_by("pk"), "at", "method", "device", "network", "known"),
        "sessions": _rows(sessions, "created_at", "ip", "user_agent"),
        "second_factors": _rows(factors, "type", "created_at", "last_used_at"),
        "tokens": _rows(user.tokens.order_by("pk"), "name", "start", "scopes", "made", "used", "expires"),
        "providers": _rows(providers, "provider", "uid", "extra_data", "date_joined"),
        "invitations": _rows(user.links_made.order_by("pk"), "purpose", "made", "used", "expires"),
        "devices": _rows(user.devices.order_by("pk"), "name", "endpoint", "made"),
    }


def _games(user: User) -> Data:
    """Return the games that the person made, ran, or was rated in, with what he or she said of them."""
    games = {
        "games_made": user.tables_made.order_by("pk"),
        "games_run": user.tables_run.order_by("pk"),
        "games_helped": Table.objects.filter(helpers__user=user).order_by("pk"),
    }
    rated = RatedSeat.objects.filter(user=user).select_related("table").order_by("pk")
    remarks = Remark.objects.filter(user=user).select_related("table").order_by("pk")
    hooks = WebHook.objects.filter(owner=user).select_related("table").order_by("pk")
    return {
        **{
            name: _rows(rows, "name", "variant", "state", "sandbox", table="key", made="created")
            for name, rows in games.items()
        },
        "rated_games": _rows(rated, "power", "place", "before", "after", table="table.key"),
        "remarks": _rows(remarks, "scores", "text", "made", table="table.key"),
        "hooks": _rows(hooks, "url", "events", "made", table="table.key"),
    }


def _in_games(user: User) -> Data:
    """Return the person's seats, with orders, receipts and press."""
    seats = list(Seat.objects.filter(user=user).select_related("table").order_by("pk"))
    there = _while_there(seats)
    muted = Mute.objects.filter(seat__user=user).select_related("seat__table").order_by("pk")
    orders = Sheet.objects.filter(by=user).select_related("table").order_by("pk")
    standbys = user.standbys.select_related("table").order_by("pk")
    receipts = Receipt.objects.filter(_powers(seats)).order_by("pk")
    press = Message.objects.filter(_powers(seats, "sender")).select_related("table").order_by("pk")
    own_receipts = (one for one in receipts if there(one.table_id, one.power, one.at))
    own_press = (one for one in press if there(one.table_id, one.sender, one.sent_at))
    return {
        "seats": _rows(
            seats, "power", "state", "joined", "statement", table="table.key", game="table.name", wishes="preferences"
        ),
        "muted": _rows(muted, "power", table="seat.table.key"),
        "orders": _rows(orders, "power", table="table.key", phase="ordinal", text="whole", sent="sent_at"),
        "standby": _rows(standbys, "wish", "power", "text", table="table.key", phase="ordinal"),
        "receipts": _rows(own_receipts, "code", "phase", "power", "at", table="table_key"),
        "press": _rows(own_press, "to", "text", table="table.key", sent="sent_at", **{"from": "shown_as"}),
    }


def _messages(user: User) -> Data:
    """Return what the person and the site wrote to each other, and what the log says of the person."""
    return {
        "complaints": _rows(user.complaints.order_by("pk"), "about", "text", "made", "answer"),
        "complaints_closed": _rows(user.complaints_closed.order_by("pk"), "pk", "answer", "closed"),
        "mails": _rows(user.mails.order_by("pk"), "to", "event", "subject", "body", "state", "made"),
        "inbox": _rows(user.notices.order_by("pk"), "event", "text", "at", "read"),
        "mails_in": _rows(user.mails_in.order_by("pk"), "verdict", "at"),
        "log": _rows(AuditLine.objects.filter(who=user).order_by("pk"), "what", "at"),
    }


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


def _rows(rows: Iterable[object], *fields: str, **named: str) -> list[Data]:
    """Return rows as data: `fields` under their own names, and `named` ones (`table.key`) under the names given."""
    values = {name: attrgetter(path) for name, path in {**named, **dict(zip(fields, fields, strict=True))}.items()}
    return [{name: _plain(value(one)) for name, value in values.items()} for one in rows]


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
