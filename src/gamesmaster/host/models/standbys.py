"""Standbys: who would take a power that loses its player, and what he or she would order for it."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from gamesmaster.host.models.tables import Table


class Standby(models.Model):
    """A person who offers to take a power of a table: `wish`, or any if that is empty (CLN-H.e).

    `power` is the one for which he or she is asked for orders now, empty while none is in danger.  `text` are the
    orders, a line each, for the phase `ordinal`; they are no sheet of the power's, and none but their writer sees them.
    `sent_at` is none while there are none.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="standbys")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="standbys")
    wish = models.CharField(max_length=60, blank=True)
    offered = models.DateTimeField()
    power = models.CharField(max_length=60, blank=True)
    ordinal = models.PositiveIntegerField(default=0)
    text = models.TextField(blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        """Nobody offers twice, and one is asked for each power."""

        constraints = [
            models.UniqueConstraint(fields=["table", "user"], name="one_offer_each"),
            models.UniqueConstraint(
                fields=["table", "power"], condition=~models.Q(power=""), name="one_standby_a_power"
            ),
        ]

    def __str__(self) -> str:
        return f"standby {self.pk} of table {self.table_id}"

    @property
    def lines(self) -> list[str]:
        """The orders, one each."""
        return self.text.split("\n") if self.text else []
