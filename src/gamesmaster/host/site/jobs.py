"""Jobs: the work of a site besides phases. A job is a row with a due time, a lease and its failures in a row.

Threads of the workers take one due job at a time (`operations.serving`). A job works in small transactions until
nothing is left or its budget is used up, and is then due again. A job that fails is tried again after growing pauses.
After `MOST_ATTEMPTS` failures it is reported to the operator, and still tried again.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import OperationalError, models
from django.db.models import QuerySet

from gamesmaster.host.site.places import unwritten

LOG = logging.getLogger("gamesmaster.host")
BUDGET = 5.0
"""Seconds after which a job makes room for others, even if more is to be done."""
PAUSES = tuple(timedelta(seconds=seconds) for seconds in (5, 30, 120, 600))
"""Pauses after the first failures; the last one follows each later failure."""
MOST_ATTEMPTS = 5
BEHIND = timedelta(minutes=2)
"""A job that has been due for longer is behind."""
FEW = 8


class Job(models.Model):
    """Work that workers have to do, about `subject` if it is not 0."""

    kind = models.CharField(max_length=24)
    subject = models.BigIntegerField(default=0)  # primary key of a row; which table it is in, the kind says
    due = models.DateTimeField(db_index=True)  # while a worker has the job: the end of its lease
    attempts = models.PositiveSmallIntegerField(default=0)  # failures in a row
    why = models.CharField(max_length=60, blank=True)  # name of the last error

    class Meta:
        """A job that is asked for again is the same job."""

        constraints = [models.UniqueConstraint(fields=["kind", "subject"], name="one_job")]

    @property
    def name(self) -> str:
        """Return its kind and the number of its subject: `reminder 12`."""
        return f"{self.kind} {self.subject}" if self.subject else self.kind


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of job. `work` returns whether more is to be done, and does a bounded part of it in a call."""

    name: str
    work: Callable[..., object]  # gets the time; on demand the subject before it
    every: float = 0.0  # seconds; 0: a job on demand
    lease: float = 60.0  # seconds after which another worker takes over a job that has not ended


class NotNow(Exception):
    """What the job needs is away. It is tried again after the same pauses as a job that fails."""


def ask(kind: str, now: datetime, subject: int = 0) -> None:
    """Ask for a job at this time, in the transaction of the caller; a job asked for twice is done once."""
    _put(Job(kind=kind, subject=subject, due=now))


def put_off(kind: str, subject: int, error: Exception, now: datetime) -> None:
    """Ask for a job that replaces work which has failed."""
    _put(Job(kind=kind, subject=subject, due=now + PAUSES[0], attempts=1, why=type(error).__name__[:60]))


def _put(job: Job) -> None:
    Job.objects.bulk_create(
        [job], update_conflicts=True, unique_fields=["kind", "subject"], update_fields=["due", "attempts", "why"]
    )


def plan(kinds: Mapping[str, Kind], now: datetime) -> None:
    """Ask for the repeated jobs that no worker has asked for yet."""
    new = [Job(kind=kind.name, due=now) for kind in kinds.values() if kind.every]
    Job.objects.bulk_create(new, ignore_conflicts=True)


def work_one(kinds: Mapping[str, Kind], now: datetime) -> bool:
    """Do the job that has been due for longest, and return whether there was one. Only database errors are raised."""
    job = _take(kinds, now)
    if job is None:
        return False
    kind, begun = kinds[job.kind], time.monotonic()
    given = (now,) if kind.every else (job.subject, now)
    try:
        while more := bool(kind.work(*given)):
            if time.monotonic() - begun > BUDGET:
                break
    except Exception as error:  # a job that fails must not stop the others
        _tell(job, error)
        pause = PAUSES[min(job.attempts, len(PAUSES) - 1)]
        _release(job, due=now + pause, attempts=min(job.attempts + 1, 999), why=type(error).__name__[:60])
    else:
        after = timedelta(seconds=time.monotonic() - begun if more else kind.every)
        _release(job, due=now + after if more or kind.every else None, attempts=0, why="")
    return True


def work_off(kinds: Mapping[str, Kind], now: datetime) -> None:
    """Do all jobs that are due at this time."""
    plan(kinds, now)
    while work_one(kinds, now):
        pass


def _take(kinds: Mapping[str, Kind], now: datetime) -> Job | None:
    for job in Job.objects.filter(kind__in=kinds, due__lte=now).order_by("due", "pk")[:FEW]:
        end = now + timedelta(seconds=kinds[job.kind].lease)
        with unwritten():  # a lease lost in a power cut is like one that has ended
            if Job.objects.filter(pk=job.pk, due=job.due).update(due=end):
                job.due = end
                return job
    return None


def _release(job: Job, *, due: datetime | None, attempts: int, why: str) -> None:
    """Set when a job is due again, or delete it; not if it was asked for again or taken over meanwhile."""
    mine = Job.objects.filter(pk=job.pk, due=job.due)
    with unwritten():
        if due is None:
            mine.delete()
        else:
            mine.update(due=due, attempts=attempts, why=why)


def _tell(job: Job, error: Exception) -> None:
    facts = {"event": job.kind, "subject": job.subject, "attempts": job.attempts + 1}
    if isinstance(error, (NotNow, OperationalError)):  # the database may be away, too
        LOG.warning("a job is put off", extra=facts)
    else:
        LOG.error("a job failed", exc_info=error, extra=facts)


def stuck() -> QuerySet[Job]:
    """Return the jobs that have failed too often in a row, oldest first."""
    return Job.objects.filter(attempts__gte=MOST_ATTEMPTS).order_by("pk")


def behind(now: datetime) -> QuerySet[Job]:
    """Return the jobs that no worker has begun, though they have been due for a while."""
    return Job.objects.filter(due__lt=now - BEHIND).order_by("due")
