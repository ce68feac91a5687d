"""Who may make an account, and links that work once.

Everybody may, those who bring an invitation, those whom a moderator lets in, or nobody.  Of a link only its hash is
kept: an invitation is for one account and some days; others make the first admin, or choose a new password.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from allauth.account import app_settings
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import QuerySet
from django.urls import reverse
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.host.accounts import people
from gamesmaster.host.accounts.people import OneTimeLink, Profile
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import outbox, store

INVITED = "sign-up invitation"
"""Where a session remembers the invitation that somebody has come with."""


OPEN, INVITATION, APPROVAL, CLOSED = "open", "invitation", "approval", "closed"
INVITATION_LINK = "sign-up"
LASTS = timedelta(days=7)
MOST_OPEN = 100
"""Invitations of one moderator that nobody has used yet."""


def mode() -> str:
    """Who may make an account; a word that is not known is taken for nobody."""
    chosen = str(settings.SIGN_UP)
    return chosen if chosen in (OPEN, INVITATION, APPROVAL) else CLOSED


def invite(by: User, now: datetime) -> str:
    """The token of a new invitation; raises `Refused` to all but moderators."""
    people.must_keep_order(by)
    unused = OneTimeLink.objects.filter(purpose=INVITATION_LINK, by=by, used=None, expires__gt=now)
    if unused.count() >= MOST_OPEN:
        raise Refused("too-many", "You have made many invitations that nobody has used.", "wait until they expire")
    token = secrets.token_urlsafe(24)
    OneTimeLink.objects.create(token_hash=_hash(token), purpose=INVITATION_LINK, made=now, expires=now + LASTS, by=by)
    store.audit(by, "made an invitation to the site", None, now)
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
    people.must_keep_order(by)
    return User.objects.filter(profile__waiting=True, is_active=False).order_by("date_joined")


def settle(user: User, by: User, let_in: bool, now: datetime) -> None:
    """Let in an account that waits, or delete it; raises `Refused` to all but moderators, and if it does not wait."""
    people.must_keep_order(by)
    with transaction.atomic():
        if not Profile.objects.filter(user=user, waiting=True).update(waiting=False):
            raise Refused("not-waiting", "This account does not wait for anybody.")
        if let_in:
            user.is_active = True
            user.save(update_fields=["is_active"])
            store.audit(by, f"let in: {user.username}", None, now)
        else:
            user.delete()
            store.audit(by, "turned down a sign-up", None, now)


def tidy(now: datetime) -> int:
    """Take away invitations that have expired; how many?"""
    return OneTimeLink.objects.filter(purpose=INVITATION_LINK, expires__lt=now - LASTS).delete()[0]


def _invitations(token: str, now: datetime) -> QuerySet[OneTimeLink]:
    return OneTimeLink.objects.filter(token_hash=_hash(token), purpose=INVITATION_LINK, used=None, expires__gt=now)


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


FIRST_ADMIN_LINK = "first admin"


def first_link(now: datetime) -> str:
    """The token of a new link, empty if there is an admin; links made before hold no longer."""
    if User.objects.filter(is_superuser=True).exists():
        return ""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        OneTimeLink.objects.filter(purpose=FIRST_ADMIN_LINK, used=None).delete()
        OneTimeLink.objects.create(token_hash=_hash(token), purpose=FIRST_ADMIN_LINK, made=now)
    return token


def link_holds(token: str) -> bool:
    """May this link still be used?"""
    return OneTimeLink.objects.filter(token_hash=_hash(token), purpose=FIRST_ADMIN_LINK, used=None).exists()


def first_admin(token: str, user: User, now: datetime) -> User:
    """Make this new user, not saved yet, the admin, and use up the link; raises `Refused` if it was used."""
    with transaction.atomic():
        held = OneTimeLink.objects.filter(token_hash=_hash(token), purpose=FIRST_ADMIN_LINK, used=None).update(used=now)
        if not held:
            raise Refused("link-used", _("This link has already been used."))
        user.is_superuser = user.is_staff = True
        user.save()
        store.audit(user, gettext_lazy("became the first admin"), None, now)
    return user


def needs_link(user: User) -> bool:
    """May an admin make a password link for this person?  Not for admins, nor for those whom the site can mail."""
    return user.is_active and not user.is_superuser and not (outbox.sends() and outbox.reaches(user))


def password_link(user: User, by: User, now: datetime) -> str:
    """The address at which a person chooses a new password, once and within three days; an admin hands it on.

    It is for those to whom the site can send no mail.  Raises `Refused`.
    """
    if not by.is_superuser:
        raise Refused("not-admin", _("Only an admin makes password links."))
    if not needs_link(user):
        hint = _('"Forgot your password?" sends a mail') if outbox.sends() and outbox.reaches(user) else ""
        raise Refused("not-that-one", _("There is no password link for {name}.").format(name=user.username), hint)
    key = {"uidb36": user_pk_to_url_str(user), "key": app_settings.PASSWORD_RESET_TOKEN_GENERATOR().make_token(user)}
    store.audit(by, format_lazy(gettext_lazy("made a password link for {name}"), name=user.username), None, now)
    return f"{settings.BASE_URL}{reverse('account_reset_password_from_key', kwargs=key)}"
