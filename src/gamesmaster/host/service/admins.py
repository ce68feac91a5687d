"""Links that work once: the one that makes the first admin, and those with which somebody chooses a new password."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from allauth.account import app_settings
from allauth.account.utils import user_pk_to_url_str
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.urls import reverse
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import OneTimeLink
from gamesmaster.host.service import outbox, rows

PURPOSE = "first admin"


def first_link(now: datetime) -> str:
    """The token of a new link, empty if there is an admin; links made before hold no longer."""
    if User.objects.filter(is_superuser=True).exists():
        return ""
    token = secrets.token_urlsafe(24)
    with transaction.atomic():
        OneTimeLink.objects.filter(purpose=PURPOSE, used=None).delete()
        OneTimeLink.objects.create(token_hash=_hash(token), purpose=PURPOSE, made=now)
    return token


def link_holds(token: str) -> bool:
    """May this link still be used?"""
    return OneTimeLink.objects.filter(token_hash=_hash(token), purpose=PURPOSE, used=None).exists()


def first_admin(token: str, user: User, now: datetime) -> User:
    """Make this new user, not saved yet, the admin, and use up the link; raises `Refused` if it was used."""
    with transaction.atomic():
        held = OneTimeLink.objects.filter(token_hash=_hash(token), purpose=PURPOSE, used=None).update(used=now)
        if not held:
            raise Refused("link-used", _("This link has already been used."))
        user.is_superuser = user.is_staff = True
        user.save()
        rows.audit(user, gettext_lazy("became the first admin"), None, now)
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
    rows.audit(by, format_lazy(gettext_lazy("made a password link for {name}"), name=user.username), None, now)
    return f"{settings.BASE_URL}{reverse('account_reset_password_from_key', kwargs=key)}"


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
