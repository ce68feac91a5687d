"""The clock of a table: paused, let go on, moved."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Table, TableState
from gamesmaster.host.service import clock, deadlines, letters, press, readiness, rows, store, turns
from gamesmaster.host.service.rights import STOPPED, may_resume, must_run
from gamesmaster.host.wording import this_game_is


def pause(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Stop the clock; what is left of the deadline is kept."""
    with rows.locked(table) as row:
        at = now or clock.now()
        must_run(row, by)
        rows.check_running(row, at)
        stop_clock(row, at, "gm" if rows.is_gm(row, by) else "")
        press.proclaim(
            row,
            letters.paused(row, format_lazy(gettext_lazy("{doer} has paused the game."), doer=letters.doer(row, by))),
            at,
        )
        rows.audit(by, "paused", row, at)


def resume(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Start the clock again, of a table that was paused or set apart; there is some time left at least.

    Raises `Refused` to those who may not (`rights.may_resume`).
    """
    with rows.locked(table) as row:
        at = now or clock.now()
        if not may_resume(row, by):
            raise Refused(
                "not-gm", _("You cannot resume this game."), _("the Gamesmaster can, and so can a vote of the players")
            )
        if row.state not in STOPPED:
            raise Refused("not-paused", this_game_is(row.state))
        start_clock(row, at)
        press.proclaim(
            row,
            letters.resumed(row, format_lazy(gettext_lazy("{doer} has ended the pause."), doer=letters.doer(row, by))),
            at,
        )
        rows.audit(by, "resumed", row, at)


def extend(table: Table | int, by: User | None, until: datetime, *, now: datetime | None = None) -> None:
    """Move the deadline of the phase being played; never into the past, nor further than a year."""
    with rows.locked(table) as row:
        at = now or clock.now()
        must_run(row, by)
        rows.check_running(row, at)
        if not at < until <= at + timedelta(days=366):
            raise Refused("bad-time", _("The deadline must be in the future, and within a year."))
        turns.put_deadline(row, deadlines.later(rows.settings_of(row), until))
        row.ready_at = None
        row.save()
        press.proclaim(
            row,
            letters.moved(row, format_lazy(gettext_lazy("{doer} has moved the deadline."), doer=letters.doer(row, by))),
            at,
        )
        rows.audit(by, format_lazy(gettext_lazy("moved the deadline to {time}"), time=row.deadline_wall), row, at)


def stop_clock(table: Table, now: datetime, why: str) -> None:
    """Pause a table under lock; `why` says who has paused it (`Table.paused_why`).  The table is saved."""
    left = table.deadline - now if table.deadline else None
    table.seconds_left = max(int(left.total_seconds()), 0) if left is not None else None
    table.state, table.paused_why, table.ready_at = TableState.PAUSED, why, None
    turns.put_deadline(table, None)
    store.touch(table)
    table.save()


def start_clock(table: Table, now: datetime) -> None:
    """Let a table under lock go on, with time left in proportion to its moves at least; the table is saved."""
    settings = rows.settings_of(table)
    table.state, table.paused_why = TableState.RUNNING, ""
    table.attempts, table.claimed_at, table.claimed_by = 0, None, ""
    if table.seconds_left is not None:
        left = max(timedelta(seconds=table.seconds_left), timedelta(minutes=settings.waits.left))
        turns.put_deadline(table, deadlines.later(settings, now + left))
    elif not table.sandbox:
        turns.put_deadline(table, deadlines.due(settings, store.load(table).phase.kind, now))
    table.seconds_left = None
    store.touch(table)
    table.save()
    if not table.sandbox:
        readiness.look_again(table, store.load(table), now)  # all may have been ready before the pause
