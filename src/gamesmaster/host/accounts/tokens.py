"""Personal tokens: programs act for a person with one, within the scopes that the person granted."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.errors import nearest
from gamesmaster.host.site.refusals import Refused


class ApiToken(models.Model):
    """A personal access token of the API. Only its hash is stored."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    start = models.CharField(max_length=12)  # first characters, by which the owner recognizes it
    token_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)  # what it may do: keys of `SCOPES`
    made = models.DateTimeField()
    used = models.DateTimeField(null=True)  # updated at most once an hour
    expires = models.DateTimeField(null=True)  # None: never


SCOPES = {
    "read": gettext_lazy("see games as you do, with your own orders, votes and press"),
    "orders": gettext_lazy("send, confirm and hold your orders, and vote"),
    "press": gettext_lazy("write press and mark it as read"),
    "tables": gettext_lazy("make games, join and leave them"),
    "gm": gettext_lazy("do what you may do as a Gamesmaster, and set webhooks"),
    "me": gettext_lazy("change your settings and calendar, read your data, and write to the moderators"),
}
"""The scopes of tokens, with what each allows."""
PREFIX = "gm_"
MOST_TOKENS = 20
_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Bearer:
    """The identity behind a valid token: owner, scopes, and the token's primary key."""

    user: User
    scopes: frozenset[str]
    token: int


def make_token(
    user: User, name: str, scopes: Iterable[str], now: datetime, *, days: int | None = None
) -> tuple[str, ApiToken]:
    """Create a token that is valid for `days` (None: without end) and return its text and row.

    The text cannot be recovered later. Raise `Refused` for bad scopes, names or durations.
    """
    wanted = sorted(set(scopes))
    for scope in wanted:
        if scope not in SCOPES:
            raise Refused(
                "no-scope",
                _("There is no scope called {scope!r}."),
                nearest(scope, SCOPES) or ", ".join(SCOPES),
                scope=scope[:40],
            )
    title = " ".join(name.split())[:60]
    if not wanted or not title:
        raise Refused("empty", _("Give the token a name and at least one scope."), ", ".join(SCOPES))
    if days is not None and not 1 <= days <= 3660:
        raise Refused("bad-number", _("A token can be valid for 1 to 3660 days."))
    if ApiToken.objects.filter(user=user).count() >= MOST_TOKENS:
        raise Refused(
            "too-many", _("You can have at most {most_tokens} tokens."), _("delete one first"), most_tokens=MOST_TOKENS
        )
    text = PREFIX + secrets.token_urlsafe(32)
    until = now + timedelta(days=days) if days else None
    row = ApiToken.objects.create(
        user=user, name=title, start=text[:8], token_hash=hash_token(text), scopes=wanted, made=now, expires=until
    )
    return text, row


def find_token(text: str, now: datetime) -> Bearer | None:
    """Return the owner and scopes of a token; None if it is unknown or expired, or its owner is inactive."""
    if len(text) > 100:
        return None
    row = ApiToken.objects.select_related("user").filter(token_hash=hash_token(text), user__is_active=True).first()
    if row is None or (row.expires is not None and row.expires <= now):
        return None
    if row.used is None or now - row.used > _HOUR:
        ApiToken.objects.filter(pk=row.pk).update(used=now)
    return Bearer(row.user, frozenset(row.scopes), row.pk)


def drop_token(user: User, number: int) -> None:
    """Delete a token of this user, with immediate effect; raise `Refused` if the user has no such token."""
    if not ApiToken.objects.filter(user=user, pk=number).delete()[0]:
        raise Refused("no-token", _("You have no such token."))


def hash_token(text: str) -> str:
    """Return the SHA-256 of a token, which is what is stored. A token has 256 random bits and needs no salt."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
