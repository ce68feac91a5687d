"""Accounts: what an account has beside its name, and what is kept of signing up and in."""

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


class SignUp(models.Model):
    """Somebody has written that there should be an account of this name; there is none until a letter is answered."""

    email = models.CharField(max_length=254, unique=True)
    name = models.CharField(max_length=150, blank=True)
    letters = models.PositiveSmallIntegerField(default=0)
    made = models.DateTimeField()

    def __str__(self) -> str:
        return f"sign-up {self.pk} of {self.made:%Y-%m-%d}"


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
