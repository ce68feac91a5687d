"""Press: what powers and the Gamesmaster write to each other."""

from __future__ import annotations

from django.db import models

from gamesmaster.host.models.tables import Seat, Table

LONGEST_MESSAGE = 10_000  # characters


class Message(models.Model):
    """A message.  `sender` is a power, or empty for the Gamesmaster and the house; `to` are powers, empty for all.

    `shown_as` is what is shown as its sender: the power, `anonymous`, `Gamesmaster`.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    ordinal = models.PositiveIntegerField()
    sender = models.CharField(max_length=60, blank=True)
    shown_as = models.CharField(max_length=60)
    to = models.JSONField(default=list)
    text = models.TextField(max_length=LONGEST_MESSAGE)
    sent_at = models.DateTimeField()

    class Meta:
        """Threads are read in order."""

        indexes = [models.Index(fields=["table", "sent_at"], name="message_time")]

    def __str__(self) -> str:
        return f"message {self.pk} at table {self.table_id}"


class ReadMark(models.Model):
    """Up to which message a seat has read a thread (`thread`: the powers in it, joined by commas, empty for all)."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="marks")
    thread = models.CharField(max_length=400, blank=True)
    message = models.BigIntegerField(default=0)

    class Meta:
        """One mark a thread."""

        constraints = [models.UniqueConstraint(fields=["seat", "thread"], name="one_mark")]

    def __str__(self) -> str:
        return f"mark {self.message} of seat {self.seat_id}"


class Mute(models.Model):
    """A seat that does not want to see what a power writes; it changes nothing for others."""

    seat = models.ForeignKey(Seat, models.CASCADE, related_name="mutes")
    power = models.CharField(max_length=60)

    class Meta:
        """Muted once is muted."""

        constraints = [models.UniqueConstraint(fields=["seat", "power"], name="one_mute")]

    def __str__(self) -> str:
        return f"seat {self.seat_id} mutes a power"
