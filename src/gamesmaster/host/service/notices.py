"""Reminders: a letter to those whose orders are missing when the deadline is near."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Sheet, Table, TableState
from gamesmaster.host.service import absence, letters, outbox, readiness, rows, store

FURTHEST = timedelta(days=366)


def remind(now: datetime) -> int:
    """Write the reminders that are due, one a phase and player; how many tables had any?"""
    near = Table.objects.filter(state=TableState.RUNNING, deadline__gt=now, deadline__lt=now + FURTHEST)
    found = near.exclude(reminded=F("ordinal")).values_list("pk", flat=True)
    return sum(_remind(number, now) for number in list(found))


def _remind(number: int, now: datetime) -> bool:
    with rows.locked(number) as table:
        if table.state != TableState.RUNNING or table.deadline is None or table.reminded == table.ordinal:
            return False
        policy = rows.settings_of(table).absent
        if not absence.notice_due(policy, table.phase_began or now, table.deadline, now):
            return False
        table.reminded = table.ordinal
        table.save(update_fields=["reminded"])
        seats, sheets = rows.seated(table), list(Sheet.objects.filter(table=table, ordinal=table.ordinal))
        try:
            missing = readiness.missing(store.load(table), seats, sheets)
        except Refused:
            return False  # processing will say so
        seats = [seat for seat in seats if seat.power in missing]
        outbox.tell_seats(table, seats, letters.reminder(table), now)
        return bool(seats)
