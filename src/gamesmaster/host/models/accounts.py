"""Accounts: what is counted of tries, and when and from where somebody has signed in."""

from __future__ import annotations

from django.conf import settings
from django.db import models


class SharedValue(models.Model):
    """A value of the shared cache, as JSON; `ends` is when it runs out, in seconds of the epoch."""

    key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    ends = models.BigIntegerField(db_index=True)

    class Meta:
        """Named in statements of `shared_cache`."""

        db_table = "host_shared"

    def __str__(self) -> str:
        return f"shared value {self.key[:24]}"


class SignIn(models.Model):
    """Somebody has signed in: with what (`method`), on which kind of device, roughly from where.

    `network` is the part of the address that a provider gives to many, empty where addresses are not noted.  `known`
    says that the browser had been signed in to the account before.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="sign_ins")
    at = models.DateTimeField()
    method = models.CharField(max_length=24, blank=True)
    device = models.CharField(max_length=80, blank=True)
    network = models.CharField(max_length=48, blank=True)
    known = models.BooleanField(default=False)

    class Meta:
        """The newest are shown, the oldest taken away."""

        indexes = [models.Index(fields=["user", "at"], name="sign_in_time")]

    def __str__(self) -> str:
        return f"sign-in of user {self.user_id} at {self.at:%Y-%m-%d %H:%M}"
