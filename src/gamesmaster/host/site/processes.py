"""The running processes of the site: each leaves a pulse, so that one that is alive hides no other that is dead."""

from __future__ import annotations

import os
import socket
from datetime import datetime, timedelta

from django.db import models
from django.db.models import QuerySet

AWAY = timedelta(minutes=3)
"""A process without a pulse for longer is away."""
FORGOTTEN = timedelta(days=7)


class Process(models.Model):
    """A process and its last pulse. It deletes its row when it ends in order."""

    kind = models.CharField(max_length=24)  # `worker`, `web` or `mail`
    host = models.CharField(max_length=64)  # name of the machine
    pid = models.PositiveIntegerField()
    pulse = models.DateTimeField()

    class Meta:
        """One row for each process."""

        constraints = [models.UniqueConstraint(fields=["kind", "host", "pid"], name="one_process")]


def leave_pulse(kind: str, now: datetime) -> None:
    """Note that this process is alive. The first pulse replaces those of dead ones of its kind on this machine."""
    mine = _of_this_machine(kind)
    if mine.filter(pid=os.getpid()).update(pulse=now):
        return
    dead = [row.pk for row in mine if not _lives(row.pid)]
    Process.objects.filter(pk__in=dead).delete()
    new = Process(kind=kind, host=_host(), pid=os.getpid(), pulse=now)
    Process.objects.bulk_create([new], ignore_conflicts=True)


def end(kind: str) -> None:
    """Note that this process ends in order."""
    _of_this_machine(kind).filter(pid=os.getpid()).delete()


def away(now: datetime) -> QuerySet[Process]:
    """Return the processes that have left no pulse for a while and did not end in order."""
    return Process.objects.filter(pulse__lt=now - AWAY).order_by("pulse")


def tidy(now: datetime) -> int:
    """Forget processes that have been away for days, and return their number."""
    return Process.objects.filter(pulse__lt=now - FORGOTTEN).delete()[0]


def _of_this_machine(kind: str) -> QuerySet[Process]:
    return Process.objects.filter(kind=kind, host=_host())


def _host() -> str:
    return socket.gethostname()[:64]


def _lives(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another account's
        return True
    return True
