"""When and from where somebody has signed in: kept for the owner of the account, who is told of a new device."""

from __future__ import annotations

from datetime import datetime, timedelta

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import transaction
from django.utils.translation import gettext as _

from gamesmaster.host.models import SignIn
from gamesmaster.host.service import outbox, people

KEPT = timedelta(days=90)
SHOWN = 20


def note(user: User, *, method: str, device: str, network: str, known: bool, now: datetime) -> SignIn:
    """Keep that somebody has signed in; of a browser that was not `known` the owner is told by mail.

    The first time, right after sign-up, is nothing new.
    """
    with transaction.atomic():
        first = user.last_login is None and not SignIn.objects.filter(user=user).exists()
        row = SignIn.objects.create(
            user=user, at=now, method=method[:24], device=device[:80], network=network[:48], known=known or first
        )
        if not row.known and outbox.sends() and outbox.reaches(user):
            subject = _("New sign-in to your account")
            outbox.about_account(user.email, subject, _letter(user, row), now, user=user)
    return row


def recent(user: User) -> list[SignIn]:
    """The last ones, the newest first."""
    return list(SignIn.objects.filter(user=user).order_by("-at", "-pk")[:SHOWN])


def tidy(now: datetime) -> int:
    """Take away what is older than `KEPT`; how many?"""
    return SignIn.objects.filter(at__lt=now - KEPT).delete()[0]


def tidy_sessions(now: datetime) -> int:
    """Take away the sessions that have run out, with what is kept of their browsers; how many?"""
    over = Session.objects.filter(expire_date__lt=now).delete()[0]
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    return over


def _letter(user: User, row: SignIn) -> str:
    said = [
        _("Somebody has just signed in to your account {name} with a browser that we have not seen before.").format(
            name=user.username
        ),
        "",
        _("Time: {time}").format(time=people.own_time(user, row.at)),
    ]
    if row.device:
        said.append(_("Browser: {browser}").format(browser=row.device))
    if row.network:
        said.append(_("Network: {network}").format(network=row.network))
    said += [
        "",
        _("If it was you, there is nothing to do."),
        _("If it was not you, sign out all other browsers and choose a new password:"),
        f"{settings.BASE_URL}/me/security/",
        "",
    ]
    return "\n".join(said)
