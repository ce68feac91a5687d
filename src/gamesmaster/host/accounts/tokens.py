"""Tokens: a program acts for a person with one, within the scopes that the person has given it."""

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
    """A token with which a program acts for its owner; only its hash is kept.

    `scopes` are what it may do.  `start` is how it begins, for its owner to know it by.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=60)
    start = models.CharField(max_length=12)
    token_hash = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    made = models.DateTimeField()
    used = models.DateTimeField(null=True)  # to the hour
    expires = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"token {self.start}... of user {self.user_id}"


SCOPES = {
    "read": gettext_lazy("see games as you do, with your own orders, votes and press"),
    "orders": gettext_lazy("send, confirm and hold your orders, and vote"),
    "press": gettext_lazy("write press and mark it as read"),
    "tables": gettext_lazy("make games, join and leave them"),
    "gm": gettext_lazy("do what you may do as a Gamesmaster, and set webhooks"),
    "me": gettext_lazy("change your settings and calendar, read your data, and write to the moderators"),
    "moderation": gettext_lazy("do what you may do as a moderator"),
}
"""What a token may do, by scope."""
PREFIX = "gm_"
MOST_TOKENS = 20
_HOUR = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Bearer:
    """Whose token it is, and what it may do."""

    user: User
    scopes: frozenset[str]
    token: int


def make_token(
    user: User, name: str, scopes: Iterable[str], now: datetime, *, days: int | None = None
) -> tuple[str, ApiToken]:
    """A new token, whose text is never seen again; `days` is how long it holds.  Raises `Refused`."""
    wanted = sorted(set(scopes))
    for scope in wanted:
        if scope not in SCOPES:
            raise Refused(
                "no-scope",
                _("There is no scope called {scope!r}.").format(scope=scope[:40]),
                nearest(scope, SCOPES) or ", ".join(SCOPES),
            )
    title = " ".join(name.split())[:60]
    if not wanted or not title:
        raise Refused("empty", _("Give the token a name and at least one scope."), ", ".join(SCOPES))
    if days is not None and not 1 <= days <= 3660:
        raise Refused("bad-number", _("A token can be valid for 1 to 3660 days."))
    if ApiToken.objects.filter(user=user).count() >= MOST_TOKENS:
        raise Refused(
            "too-many",
            _("You can have at most {most_tokens} tokens.").format(most_tokens=MOST_TOKENS),
            _("delete one first"),
        )
    text = PREFIX + secrets.token_urlsafe(32)
    until = now + timedelta(days=days) if days else None
    row = ApiToken.objects.create(
        user=user, name=title, start=text[:8], token_hash=hash_token(text), scopes=wanted, made=now, expires=until
    )
    return text, row


def find_token(text: str, now: datetime) -> Bearer | None:
    """Whose token this is; None if it is none, or holds no longer, or its owner is gone."""
    if len(text) > 100:
        return None
    row = ApiToken.objects.select_related("user").filter(token_hash=hash_token(text), user__is_active=True).first()
    if row is None or (row.expires is not None and row.expires <= now):
        return None
    if row.used is None or now - row.used > _HOUR:
        ApiToken.objects.filter(pk=row.pk).update(used=now)
    return Bearer(row.user, frozenset(row.scopes), row.pk)


def drop_token(user: User, number: int) -> None:
    """Delete one's token; it works no more at once.  Raises `Refused` if it is not one's own."""
    if not ApiToken.objects.filter(user=user, pk=number).delete()[0]:
        raise Refused("no-token", _("You have no such token."))


def hash_token(text: str) -> str:
    """What is kept of a token: 256 random bits need no salt."""
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
