"""The clock of a table: paused, let go on, moved."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Table, TableState
from gamesmaster.host.service import clock, deadlines, letters, outbox, press, rows, store, turns
from gamesmaster.host.service.rights import must_run

SHORTEST_LEFT = timedelta(hours=1)
"""After a pause there is at least this much time."""


def pause(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Stop the clock; what is left of the deadline is kept."""
    with rows.locked(table) as row:
        at = now or clock.now()
        must_run(row, by)
        rows.check_running(row, at)
        stop_clock(row, at)
        press.announce(row, "The table is paused.", at)
        outbox.tell_seats(row, rows.seated(row), letters.noted(row, "the table is paused"), at)
        rows.audit(by, "paused", row, at)


def resume(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Start the clock again, of a table that was paused or set apart; there is at least an hour left."""
    with rows.locked(table) as row:
        at = now or clock.now()
        must_run(row, by)
        if row.state not in (TableState.PAUSED, TableState.QUARANTINED):
            raise Refused("not-paused", f"This table is {row.state}.")
        start_clock(row, at)
        press.announce(row, "The table goes on.", at)
        outbox.tell_seats(row, rows.seated(row), letters.moved(row, "The table goes on."), at)
        rows.audit(by, "resumed", row, at)


def extend(table: Table | int, by: User | None, until: datetime, *, now: datetime | None = None) -> None:
    """Move the deadline of the phase being played; never into the past, nor further than a year."""
    with rows.locked(table) as row:
        at = now or clock.now()
        must_run(row, by)
        rows.check_running(row, at)
        if not at < until <= at + timedelta(days=366):
            raise Refused("bad-time", "A deadline is in the future, and within a year.")
        turns.put_deadline(row, deadlines.later(rows.settings_of(row), until))
        row.ready_at = None
        row.save()
        press.announce(row, f"The new deadline is {row.deadline_wall}.", at)
        outbox.tell_seats(row, rows.seated(row), letters.moved(row, "The Gamesmaster has moved the deadline."), at)
        rows.audit(by, f"moved the deadline to {row.deadline_wall}", row, at)


def stop_clock(table: Table, now: datetime) -> None:
    """Pause a table under lock; the table is saved."""
    left = table.deadline - now if table.deadline else None
    table.seconds_left = max(int(left.total_seconds()), 0) if left is not None else None
    table.state, table.ready_at = TableState.PAUSED, None
    turns.put_deadline(table, None)
    store.touch(table)
    table.save()


def start_clock(table: Table, now: datetime) -> None:
    """Let a table under lock go on; the table is saved."""
    settings = rows.settings_of(table)
    table.state, table.attempts, table.claimed_at, table.claimed_by = TableState.RUNNING, 0, None, ""
    if table.seconds_left is not None:
        left = max(timedelta(seconds=table.seconds_left), SHORTEST_LEFT)
        turns.put_deadline(table, deadlines.later(settings, now + left))
    elif not table.sandbox:
        turns.put_deadline(table, deadlines.due(settings, store.load(table).phase.kind, now))
    table.seconds_left = None
    store.touch(table)
    table.save()
