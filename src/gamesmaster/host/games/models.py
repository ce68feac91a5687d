"""Ratings of players."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from gamesmaster.host.tables.models import Table


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
