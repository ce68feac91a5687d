"""What people think: complaints for the moderators, remarks on playability for the designer, ratings of strength."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from gamesmaster.host.models.tables import Table

LONGEST_REMARK = 4_000  # characters
CONCERNS = {
    "conduct": _("Insults or threats"),
    "cheating": _("Several accounts, or players acting as one"),
    "absence": _("A player who does not play"),
    "fault": _("A fault on this site"),
    "other": _("Something else"),
}
"""What a complaint is about, and the words for it."""
SCALES = {
    "balance": _("The game is balanced"),
    "clarity": _("The rules are clear"),
    "pace": _("The pace is right"),
    "joy": _("It is fun"),
}
"""What is asked about a game's playability; each is answered from 1 (no) to 5 (yes)."""


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


class Rating(models.Model):
    """How strong a player is held to be, in all games (`scope` empty) or in those of one family of variants."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="ratings")
    scope = models.CharField(max_length=80, blank=True)
    mu = models.FloatField()
    sigma = models.FloatField()
    games = models.PositiveIntegerField(default=0)

    class Meta:
        """One a scope."""

        constraints = [models.UniqueConstraint(fields=["user", "scope"], name="one_rating")]

    def __str__(self) -> str:
        return f"rating of user {self.user_id} ({self.scope or 'all'})"


class RatedSeat(models.Model):
    """What a finished game did to a player's rating in all games: `place` from 1, equals share one."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="rated")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="rated")
    power = models.CharField(max_length=60)
    place = models.PositiveSmallIntegerField()
    before = models.FloatField()
    after = models.FloatField()
    at = models.DateTimeField()

    class Meta:
        """A game is rated once."""

        constraints = [models.UniqueConstraint(fields=["table", "user"], name="one_rated_seat")]

    def __str__(self) -> str:
        return f"user {self.user_id} at table {self.table_id}: place {self.place}"
