"""People: what an account has beside its name, and when its owner is away."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class Profile(models.Model):
    """What a person has chosen: zone of time, looks, and what mail is wanted."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="profile")
    time_zone = models.CharField(max_length=64, default="UTC")
    theme = models.CharField(max_length=8, default="auto", choices=[(c, c) for c in ("auto", "light", "dark")])
    colour_mode = models.CharField(max_length=16, default="", blank=True)
    language = models.CharField(max_length=8, default="en")
    dialect = models.CharField(max_length=24, default="house")  # in which orders are completed
    notify_phase = models.BooleanField(default=True)
    notify_deadline = models.BooleanField(default=True)
    notify_press = models.BooleanField(default=True)
    notify_table = models.BooleanField(default=True)
    waiting = models.BooleanField(default=False)  # for a moderator to let the account in
    bounces = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"profile of user {self.user_id}"


class Absence(models.Model):
    """A range of days on which a person is away, both ends among them, by the calendar of the person's zone."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="absences")
    begins = models.DateField()
    ends = models.DateField()

    class Meta:
        """No range ends before it begins."""

        constraints = [models.CheckConstraint(condition=models.Q(ends__gte=models.F("begins")), name="absence_forward")]

    def __str__(self) -> str:
        return f"{self.begins} to {self.ends}"
