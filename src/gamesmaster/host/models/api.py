"""What programs come with and are told: tokens, and calls to hooks that wait to be made."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from gamesmaster.host.models.room import WebHook


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


class HookCall(models.Model):
    """Something that a hook is to be told, once: `what` names the happening."""

    QUEUED, SENT, FAILED = "queued", "sent", "failed"

    hook = models.ForeignKey(WebHook, models.CASCADE, related_name="calls")
    code = models.CharField(max_length=32, unique=True)
    event = models.CharField(max_length=24)
    what = models.CharField(max_length=120)
    body = models.TextField()
    state = models.CharField(max_length=8, default=QUEUED, choices=[(s, s) for s in (QUEUED, SENT, FAILED)])
    tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField()
    made = models.DateTimeField()
    why = models.CharField(max_length=60, blank=True)

    class Meta:
        """Nobody is told the same twice; what is due is asked every few seconds."""

        constraints = [models.UniqueConstraint(fields=["hook", "what"], name="one_call")]
        indexes = [models.Index(fields=["state", "next_try"], name="call_due")]

    def __str__(self) -> str:
        return f"call {self.code} ({self.event}, {self.state})"
