"""What powers send in: sheets of orders with their receipts, and ballots."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from gamesmaster.host.models.tables import Table

CHANNELS = [(c, c) for c in ("web", "mail", "api", "bot", "gm")]


class Sheet(models.Model):
    """The orders that a power has sent for a phase: the last set, as it was given, a line an order.

    `version` counts the sets, from 1.  `confirmed`: the player is ready; `hold`: the phase must not be processed before
    its deadline.  `salt` goes into the hash of the receipt, so that the orders cannot be guessed from it.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="sheets")
    ordinal = models.PositiveIntegerField()
    power = models.CharField(max_length=60)
    text = models.TextField(blank=True)
    salt = models.CharField(max_length=32, blank=True)
    version = models.PositiveIntegerField(default=1)
    sent_at = models.DateTimeField()
    channel = models.CharField(max_length=8, choices=CHANNELS)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True)
    confirmed = models.BooleanField(default=False)
    hold = models.BooleanField(default=False)

    class Meta:
        """One sheet a power and phase: the current one."""

        constraints = [models.UniqueConstraint(fields=["table", "ordinal", "power"], name="one_sheet_a_power")]

    def __str__(self) -> str:
        return f"sheet {self.version} of {self.power}, phase {self.ordinal} of table {self.table_id}"

    @property
    def lines(self) -> list[str]:
        """The orders, one each."""
        return self.text.split("\n") if self.text else []


class Receipt(models.Model):
    """Proof that a sheet was stored: written with it, given out only when both are safe."""

    code = models.CharField(max_length=24, unique=True)
    table = models.ForeignKey(Table, models.CASCADE, related_name="receipts")
    table_key = models.CharField(max_length=16)
    ordinal = models.PositiveIntegerField()
    phase = models.CharField(max_length=24)
    power = models.CharField(max_length=60)
    version = models.PositiveIntegerField()
    at = models.DateTimeField()
    channel = models.CharField(max_length=8, choices=CHANNELS)
    sheet_hash = models.CharField(max_length=64)
    signature = models.CharField(max_length=64)
    void = models.BooleanField(default=False)  # a rollback took the phase back

    def __str__(self) -> str:
        return f"receipt {self.code}"


BALLOTS = ("end", "extend", "pause", "resume", "cancel")


class Ballot(models.Model):
    """A vote of a power in a phase.

    To end the game (`end`: `winners` share it), for more time, for a pause or its end, or to cancel the game.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="ballots")
    ordinal = models.PositiveIntegerField()
    power = models.CharField(max_length=60)
    kind = models.CharField(max_length=8, default="end", choices=[(c, c) for c in BALLOTS])
    winners = models.JSONField(default=list)
    at = models.DateTimeField()

    class Meta:
        """One ballot a power, phase and question."""

        constraints = [models.UniqueConstraint(fields=["table", "ordinal", "power", "kind"], name="one_ballot")]

    def __str__(self) -> str:
        return f"ballot of a power, phase {self.ordinal} of table {self.table_id}"
