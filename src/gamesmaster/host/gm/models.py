"""What a Gamesmaster asks and is told of a game, and the programs that are told of it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from gamesmaster.host.tables.models import Table

LONGEST_REMARK = 4_000  # characters

SCALES = {
    "balance": _("The game is balanced"),
    "clarity": _("The rules are clear"),
    "pace": _("The pace is right"),
    "joy": _("It is fun"),
}
"""What is asked about a game's playability; each is answered from 1 (no) to 5 (yes)."""


class Question(models.Model):
    """A point of playability on which whoever runs the table asks the players (CLN-P.c)."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="questions")
    ordinal = models.PositiveIntegerField()
    text = models.CharField(max_length=400)
    asked = models.DateTimeField()

    def __str__(self) -> str:
        return f"question {self.pk} at table {self.table_id}"


class Remark(models.Model):
    """What a player says of the game's playability: to whoever runs the table, and to nobody else (CLN-P.c).

    `question` is none for what was said unasked; `scores` are those of `SCALES` that were given.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="remarks")
    question = models.ForeignKey(Question, models.CASCADE, null=True, related_name="answers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="remarks")
    power = models.CharField(max_length=60, blank=True)
    ordinal = models.PositiveIntegerField()
    scores = models.JSONField(default=dict)
    text = models.TextField(max_length=LONGEST_REMARK, blank=True)
    made = models.DateTimeField()

    class Meta:
        """One answer each to a question, and one remark each in a phase."""

        constraints = [models.UniqueConstraint(fields=["table", "user", "ordinal", "question"], name="one_remark")]

    def __str__(self) -> str:
        return f"remark {self.pk} at table {self.table_id}"
