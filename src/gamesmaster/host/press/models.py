"""Press: up to where it has been read, and who does not want to see whose."""

from __future__ import annotations

from django.db import models

from gamesmaster.host.tables.models import Seat


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
