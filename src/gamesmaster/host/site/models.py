"""What the site as a whole keeps: values of the shared cache, signs of life, outages."""

from __future__ import annotations

from django.db import models


class SharedValue(models.Model):
    """A value of the shared cache, as JSON; `ends` is when it runs out, in seconds of the epoch."""

    key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    ends = models.BigIntegerField(db_index=True)

    class Meta:
        """Named in statements of `limits`."""

        db_table = "host_shared"

    def __str__(self) -> str:
        return f"shared value {self.key[:24]}"


class Pulse(models.Model):
    """When something that must go on was last seen alive: `worker`, `web`, `mail`.

    Two more say since when the clock is doubted, and for how many `seconds` (`service.downtime`).
    """

    name = models.CharField(max_length=24, primary_key=True)
    beat = models.DateTimeField()
    seconds = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.name} at {self.beat:%Y-%m-%d %H:%M:%S}"


class Outage(models.Model):
    """A time for which something was away, and the deadlines that were `moved` on for it: by table, from and to."""

    name = models.CharField(max_length=24)
    began = models.DateTimeField()
    ended = models.DateTimeField(db_index=True)
    moved = models.JSONField(default=dict)

    def __str__(self) -> str:
        return f"{self.name} away from {self.began:%Y-%m-%d %H:%M:%S} to {self.ended:%Y-%m-%d %H:%M:%S}"
