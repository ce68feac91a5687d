"""What is kept for a few days alone: from where people played, as a hash, and who wants an account by mail."""

from __future__ import annotations

from django.conf import settings
from django.db import models


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


class SignUp(models.Model):
    """Somebody has written that there should be an account of this name; there is none until a letter is answered."""

    email = models.CharField(max_length=254, unique=True)
    name = models.CharField(max_length=150, blank=True)
    letters = models.PositiveSmallIntegerField(default=0)
    made = models.DateTimeField()

    def __str__(self) -> str:
        return f"sign-up {self.pk} of {self.made:%Y-%m-%d}"
