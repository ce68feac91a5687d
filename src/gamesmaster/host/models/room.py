"""The house itself: mail to go out, hooks, the audit log, the worker's pulse, links that work once."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from gamesmaster.host.models.tables import Table


class OutMail(models.Model):
    """A mail to be sent.  `dedupe` makes that nobody is told the same thing twice, whoever tries again.

    `ordinal` is the phase of its reply address, `answers` the Message-ID of the mail that it answers, `attach` what is
    drawn for it when it is sent (`png 3`: the map of the phase 3), `why` why it was not delivered: a code, no text.
    """

    QUEUED, SENT, FAILED, HELD = "queued", "sent", "failed", "held"

    to = models.CharField(max_length=254)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="mails")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="mails")
    event = models.CharField(max_length=24, blank=True)
    power = models.CharField(max_length=60, blank=True)  # the power told, for its reply address
    ordinal = models.PositiveIntegerField(default=0)
    answers = models.CharField(max_length=255, blank=True)
    attach = models.CharField(max_length=40, blank=True)
    why = models.CharField(max_length=40, blank=True)
    subject = models.CharField(max_length=200)
    body = models.TextField()
    message_id = models.CharField(max_length=120, unique=True)
    state = models.CharField(max_length=8, default=QUEUED, choices=[(s, s) for s in (QUEUED, SENT, FAILED, HELD)])
    tries = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField()
    made = models.DateTimeField()
    dedupe = models.CharField(max_length=160, unique=True)

    class Meta:
        """The oldest that is due goes first."""

        indexes = [models.Index(fields=["state", "next_try"], name="mail_due")]

    def __str__(self) -> str:
        return f"mail {self.pk} ({self.event}, {self.state})"


class WebHook(models.Model):
    """An address that is told of what happens at a table, with a signature made with `secret`.

    `seen` is what it was last told: phase, state, deadline.  After too many `failures` in a row it is told no more.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="hooks")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE)
    url = models.URLField(max_length=500)
    secret = models.CharField(max_length=64)
    events = models.JSONField(default=list)
    seen = models.JSONField(default=dict)
    failures = models.PositiveSmallIntegerField(default=0)
    made = models.DateTimeField()

    def __str__(self) -> str:
        return f"hook {self.pk} of table {self.table_id}"


class AuditLine(models.Model):
    """Who did what at which table, and when; never an order, a vote or press."""

    who = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    what = models.CharField(max_length=200)
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="audit")
    ordinal = models.PositiveIntegerField(null=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.at:%Y-%m-%d %H:%M} {self.what}"


class Pulse(models.Model):
    """When something that must go on was last seen alive: `worker`, `web`, `mail`.

    Two more say since when the clock is doubted, and for how many `seconds` (`service.downtime`).
    """

    name = models.CharField(max_length=24, primary_key=True)
    beat = models.DateTimeField()
    seconds = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name} at {self.beat:%Y-%m-%d %H:%M:%S}"


class Outage(models.Model):
    """A time for which something was away, and the deadlines that were `moved` on for it: by table, from and to."""

    name = models.CharField(max_length=24)
    began = models.DateTimeField()
    ended = models.DateTimeField(db_index=True)
    moved = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.name} away from {self.began:%Y-%m-%d %H:%M:%S} to {self.ended:%Y-%m-%d %H:%M:%S}"


class OneTimeLink(models.Model):
    """A link that works once: only the hash of its token is kept.  `expires` none: it has no end."""

    token_hash = models.CharField(max_length=64, unique=True)
    purpose = models.CharField(max_length=24)
    made = models.DateTimeField()
    used = models.DateTimeField(null=True)
    expires = models.DateTimeField(null=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="links_made")

    def __str__(self) -> str:
        return f"link for {self.purpose}"
