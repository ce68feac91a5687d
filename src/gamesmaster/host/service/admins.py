"""The first admin: made through a link that works once, printed where the site is started."""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime

from django.contrib.auth.models import User
from django.db import transaction

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import OneTimeLink
from gamesmaster.host.service import rows

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
            raise Refused("link-used", "This link has been used.")
        user.is_superuser = user.is_staff = True
        user.save()
        rows.audit(user, "became the first admin", None, now)
    return user


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
