"""The dead-man's rule: after the worker has been away, nobody is late because of it.

The worker leaves its pulse in the database.  Where the last is older than `LONGEST_AWAY`, every deadline is moved on by
as long as the worker was away before anything is processed: once, by whichever worker comes first, all tables together.
A pulse that lies in the future says that the clock was put back: then nothing is processed until it is right again.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction

from gamesmaster.host.models import Pulse, Table, TableState
from gamesmaster.host.service import deadlines, letters, press, rows, turns

WORKER = "worker"
LONGEST_AWAY = timedelta(minutes=15)
MOST_BACK = timedelta(seconds=30)
SECOND_CHANCE = timedelta(hours=24)
"""How much time everybody has at least after the worker has come back, unless it was away for less."""
LOG = logging.getLogger("gamesmaster.host")


def beat(now: datetime) -> bool:
    """Leave a pulse, moving deadlines first if the last is old; may phases be processed now?"""
    with transaction.atomic():
        pulse, made = Pulse.objects.select_for_update().get_or_create(name=WORKER, defaults={"beat": now})
        if made:
            return True
        away = now - pulse.beat
        if away < -MOST_BACK:
            LOG.error("the clock was put back; nothing is processed", extra={"event": "clock", "seconds": away.seconds})
            return False
        if away > LONGEST_AWAY:
            _move_all(pulse.beat, now)
        if away > timedelta(0):
            pulse.beat = now
            pulse.save(update_fields=["beat"])
    return True


def _move_all(last: datetime, now: datetime) -> None:
    """Move every deadline on by the time that the worker was away."""
    away = now - last
    running = Table.objects.select_for_update().filter(state=TableState.RUNNING, deadline__isnull=False).order_by("pk")
    number = 0
    for table in running:
        assert table.deadline is not None
        at = max(table.deadline + away, now + min(away, SECOND_CHANCE))
        turns.put_deadline(table, deadlines.later(rows.settings_of(table), at))
        table.save()
        press.proclaim(table, letters.moved(table, "The site was down, so everybody gets more time."), now)
        number += 1
    rows.audit(None, f"the worker was away since {last:%Y-%m-%d %H:%M} UTC: {number} deadlines moved", None, now)
    LOG.warning("deadlines moved after a pause", extra={"event": "downtime", "seconds": int(away.total_seconds())})
