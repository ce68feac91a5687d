"""Is the house well?"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from gamesmaster.host.models import OutMail, Pulse, Table, TableState
from gamesmaster.host.service.downtime import WORKER

SLOW = timedelta(minutes=3)
"""A worker not seen for so long, or a phase so long overdue, is told."""


@dataclass(frozen=True, slots=True)
class Health:
    """What was found.  `worker` is how many seconds ago it was seen, None if never."""

    worker: int | None
    overdue: int
    quarantined: int
    mails: int

    @property
    def well(self) -> bool:
        """Is the worker alive, and nothing long overdue?  A table set apart does not make the house ill."""
        return self.worker is not None and self.worker < SLOW.total_seconds() and not self.overdue

    @property
    def data(self) -> dict[str, object]:
        """For the page, in JSON."""
        return {
            "well": self.well, "worker_seconds": self.worker, "overdue": self.overdue, "quarantined": self.quarantined,
            "mails_waiting": self.mails,
        }  # fmt: skip


def look(now: datetime) -> Health:
    """Look after the house; raises what the database raises if it does not answer."""
    pulse = Pulse.objects.filter(name=WORKER).first()
    return Health(
        worker=int((now - pulse.beat).total_seconds()) if pulse else None,
        overdue=Table.objects.filter(state=TableState.RUNNING, deadline__lt=now - SLOW).count(),
        quarantined=Table.objects.filter(state=TableState.QUARANTINED).count(),
        mails=OutMail.objects.filter(state=OutMail.QUEUED).count(),
    )
