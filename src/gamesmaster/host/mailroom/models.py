"""Mail that came in."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from gamesmaster.host.tables.models import Table


class InMail(models.Model):
    """A mail that came in.  `mark` is the hash of its Message-ID and of the address it came to.

    `verdict` says what became of it: `done`, `ignored`, `forged`, `old`, `bounce`, `public`.
    """

    mark = models.CharField(max_length=64, unique=True)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="mails_in")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="mails_in")
    verdict = models.CharField(max_length=12)
    at = models.DateTimeField()

    class Meta:
        """How many somebody has sent of late is asked for each."""

        indexes = [models.Index(fields=["user", "at"], name="mail_came")]

    def __str__(self) -> str:
        return f"mail in {self.pk} ({self.verdict})"
