"""Who may make an account: everybody, those who bring an invitation, those whom a moderator lets in, or nobody.

An invitation is a link for one account, and for some days.  Only its hash is kept.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import OneTimeLink, Profile
from gamesmaster.host.service import moderation, rows

OPEN, INVITATION, APPROVAL, CLOSED = "open", "invitation", "approval", "closed"
PURPOSE = "sign-up"
LASTS = timedelta(days=7)
MOST_OPEN = 100
"""Invitations of one moderator that nobody has used yet."""


def mode() -> str:
    """Who may make an account; a word that is not known is taken for nobody."""
    chosen = str(settings.SIGN_UP)
    return chosen if chosen in (OPEN, INVITATION, APPROVAL) else CLOSED


def invite(by: User, now: datetime) -> str:
    """The token of a new invitation; raises `Refused` to all but moderators."""
    moderation.must_keep_order(by)
    unused = OneTimeLink.objects.filter(purpose=PURPOSE, by=by, used=None, expires__gt=now)
    if unused.count() >= MOST_OPEN:
        raise Refused("too-many", "You have made many invitations that nobody has used.", "wait until they expire")
    token = secrets.token_urlsafe(24)
    OneTimeLink.objects.create(token_hash=_hash(token), purpose=PURPOSE, made=now, expires=now + LASTS, by=by)
    rows.audit(by, "made an invitation to the site", None, now)
    return token


def may_sign_up(token: str, now: datetime) -> bool:
    """May whoever brings this token (empty: none) make an account?"""
    return mode() in (OPEN, APPROVAL) or (mode() == INVITATION and _invitations(token, now).exists())


def admit(user: User, token: str, now: datetime) -> None:
    """Let in somebody who has just made an account: use up the invitation, or let the account wait for a moderator.

    Raises `Refused` if the invitation was used in the meantime.
    """
    invited = bool(token) and _invitations(token, now).update(used=now) == 1
    if mode() == INVITATION and not invited:
        raise Refused("link-used", "This invitation has already been used, or has expired.", "ask for another")
    if mode() == APPROVAL and not invited:
        user.is_active = False
        user.save(update_fields=["is_active"])
        Profile.objects.update_or_create(user=user, defaults={"waiting": True})


def waiting(by: User) -> QuerySet[User]:
    """The accounts that wait for a moderator, the oldest first; raises `Refused` to all but moderators."""
    moderation.must_keep_order(by)
    return User.objects.filter(profile__waiting=True, is_active=False).order_by("date_joined")


def settle(user: User, by: User, let_in: bool, now: datetime) -> None:
    """Let in an account that waits, or delete it; raises `Refused` to all but moderators, and if it does not wait."""
    moderation.must_keep_order(by)
    with transaction.atomic():
        if not Profile.objects.filter(user=user, waiting=True).update(waiting=False):
            raise Refused("not-waiting", "This account does not wait for anybody.")
        if let_in:
            user.is_active = True
            user.save(update_fields=["is_active"])
            rows.audit(by, f"let in: {user.username}", None, now)
        else:
            user.delete()
            rows.audit(by, "turned down a sign-up", None, now)


def tidy(now: datetime) -> int:
    """Take away invitations that have expired; how many?"""
    return OneTimeLink.objects.filter(purpose=PURPOSE, expires__lt=now - LASTS).delete()[0]


def _invitations(token: str, now: datetime) -> QuerySet[OneTimeLink]:
    return OneTimeLink.objects.filter(token_hash=_hash(token), purpose=PURPOSE, used=None, expires__gt=now)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
