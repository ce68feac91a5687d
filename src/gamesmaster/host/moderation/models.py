"""What moderators have before them: reports, and traces of where people play."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from gamesmaster.host.gm.models import LONGEST_REMARK
from gamesmaster.host.tables.models import Table

CONCERNS = {
    "conduct": _("Insults or threats"),
    "cheating": _("Several accounts, or players acting as one"),
    "absence": _("A player who does not play"),
    "fault": _("A fault on this site"),
    "other": _("Something else"),
}
"""What a complaint is about, and the words for it."""


class Complaint(models.Model):
    """Something a person tells the moderators; only they read it.  `answer` is what the person is told."""

    OPEN, CLOSED = "open", "closed"

    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="complaints")
    table = models.ForeignKey(Table, models.CASCADE, null=True, related_name="complaints")
    about = models.CharField(max_length=16, choices=list(CONCERNS.items()))
    text = models.TextField(max_length=LONGEST_REMARK)
    made = models.DateTimeField()
    state = models.CharField(max_length=8, default=OPEN, choices=[(s, s) for s in (OPEN, CLOSED)])
    answer = models.TextField(max_length=LONGEST_REMARK, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="complaints_closed"
    )
    closed = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"complaint {self.pk} ({self.about}, {self.state})"


class Trace(models.Model):
    """A person sent something on this day from an address of this `mark`: a hash that is another one every day."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="traces")
    mark = models.CharField(max_length=32)
    day = models.DateField()

    class Meta:
        """One a day, person and address."""

        constraints = [models.UniqueConstraint(fields=["user", "mark", "day"], name="one_trace")]
        indexes = [models.Index(fields=["day"], name="trace_day")]

    def __str__(self) -> str:
        return f"trace of user {self.user_id} on {self.day}"
