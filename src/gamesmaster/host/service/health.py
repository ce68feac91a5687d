"""Is the house well?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.db.models import Q, QuerySet

from gamesmaster.host.models import OutMail, Pulse, Table, TableState
from gamesmaster.host.service import clock, downtime, outbox

SLOW = timedelta(minutes=3)
"""A worker or a door not seen for so long, or a phase so long overdue, is told."""
UNTRIED, PUT_OFF = timedelta(minutes=30), timedelta(hours=4)
"""A mail is stuck that has been due for so long without an attempt, or was written so long ago."""


@dataclass(frozen=True, slots=True)
class Health:
    """What was found.  `seen` is how many seconds ago each was seen: the worker, the doors that there are.

    `clock` are the reasons to doubt the clock.  Of the `mails` that wait, so many are `stuck`: games go on without
    them, so they do not make the site ill.
    """

    seen: dict[str, int]
    overdue: int
    quarantined: int
    mails: int
    stuck: int = 0
    clock: list[str] = field(default_factory=list)

    @property
    def worker(self) -> int | None:
        """How many seconds ago the worker was seen, None if never."""
        return self.seen.get(downtime.WORKER)

    @property
    def reasons(self) -> list[str]:
        """Why the house is not well; a table set apart does not make it ill."""
        return [*self.clock, *self._absent(), *([f"{self.overdue} phases are overdue"] if self.overdue else [])]

    def _absent(self) -> Iterator[str]:
        if self.worker is None:
            yield "no worker was ever seen"
        yield from (f"{name}: not seen for {ago} s" for name, ago in self.seen.items() if ago >= SLOW.total_seconds())

    @property
    def well(self) -> bool:
        """Are worker and doors there, is the clock to be believed, and nothing long overdue?"""
        return not self.reasons

    @property
    def data(self) -> dict[str, object]:
        """For the page, in JSON."""
        return {
            "well": self.well, "reasons": self.reasons, "worker_seconds": self.worker,
            "web_seconds": self.seen.get(downtime.WEB), "mail_seconds": self.seen.get(downtime.MAIL),
            "overdue": self.overdue, "quarantined": self.quarantined, "mails_waiting": self.mails,
            "mails_stuck": self.stuck,
        }  # fmt: skip


def look(now: datetime) -> Health:
    """Look after the house; raises what the database raises if it does not answer."""
    pulses = {pulse.name: pulse for pulse in Pulse.objects.all()}
    names = (downtime.WORKER, *downtime.DOORS)
    return Health(
        seen={name: int((now - pulses[name].beat).total_seconds()) for name in names if name in pulses},
        overdue=Table.objects.filter(state=TableState.RUNNING, deadline__lt=now - SLOW).count(),
        quarantined=Table.objects.filter(state=TableState.QUARANTINED).count(),
        mails=OutMail.objects.filter(state=OutMail.QUEUED).count(),
        stuck=stuck_mails(now).count(),
        clock=list(_doubts(pulses, now)),
    )


def stuck_mails(now: datetime) -> QuerySet[OutMail]:
    """The mails that should have gone out long ago: due, but no mail server took any, or put off again and again.

    None where no mail is sent at all: that is told otherwise.
    """
    if not outbox.sends():
        return OutMail.objects.none()
    untried, put_off = Q(next_try__lt=now - UNTRIED), Q(made__lt=now - PUT_OFF)
    return OutMail.objects.filter(untried | put_off, state=OutMail.QUEUED)


def mend_clock(now: datetime) -> list[str]:
    """Take the machine's clock for right as it is now, and put right what a wrong one did; what was done.

    For an operator who has looked at the clock and does not want to wait until the workers believe it.
    """
    found = list(_doubts({pulse.name: pulse for pulse in Pulse.objects.all()}, now))
    if not found:
        return []
    moved = downtime.put_right(now)
    return [*found, f"the clock is taken for right: {moved} deadlines put right"]


def _doubts(pulses: dict[str, Pulse], now: datetime) -> Iterator[str]:
    if (skew := clock.skew()) > downtime.MOST_BACK:
        yield f"this machine's clock and the database's differ by {int(skew.total_seconds())} s"
    if leap := pulses.get(downtime.LEAP):
        until = leap.beat + downtime.DOUBTED
        yield (
            f"the clock leapt ahead by {leap.seconds} s; nothing is processed until it is put right, or until "
            f"{until:%Y-%m-%d %H:%M} UTC (gamesmaster doctor --mend: go by it now)"
        )
    ahead = max((pulse.beat - now for pulse in pulses.values()), default=timedelta(0))
    if ahead > downtime.MOST_BACK:
        yield (
            f"the clock was put back by {int(ahead.total_seconds())} s; nothing is processed until it has stayed so "
            f"for {int(downtime.SETTLING.total_seconds())} s (gamesmaster doctor --mend: go by it now)"
        )
