"""How a table goes from one phase to the next: what is common to processing, rollbacks, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from gamesmaster.game import Game
from gamesmaster.host.models import Seat, SeatState, Table, TableState
from gamesmaster.host.service import deadlines, letters, outbox, press, ratings, readiness, rows, store


def begin(
    table: Table,
    kept: Game | store.Kept,
    now: datetime,
    *,
    at_least: timedelta | None = None,
    fresh: Sequence[Seat] | None = None,
) -> None:
    """Begin the phase that the game stands in: keep the game, set the deadline, forget claims; the table is saved.

    `at_least` is how long the phase lasts at least: while a standby is looked for.  `fresh` are those at the table, if
    nobody can have sent anything for the phase yet; left out, the database is asked for both.
    """
    game = store.keep(table, kept)
    settings = rows.settings_of(table)
    table.phase_began, table.ready_at = now, None
    table.attempts, table.claimed_at, table.claimed_by = 0, None, ""
    due = None if table.sandbox else deadlines.due(settings, game.phase.kind, now, first=not game.records)
    if due is not None and at_least is not None and due.at < now + at_least:
        due = deadlines.later(settings, now + at_least)
    put_deadline(table, due)
    if fresh is not None and not game.outcome:
        table.ready_at = readiness.early(table, game, fresh, (), now)
    table.save()
    if fresh is None and not game.outcome:
        readiness.look_again(table, game, now)


def put_deadline(table: Table, due: deadlines.Due | None) -> None:
    """Set the deadline and what is promised of it; the caller saves."""
    table.deadline, table.deadline_wall = (due.at, due.wall) if due else (None, "")


def finish(table: Table, game: Game, now: datetime) -> None:
    """End the game of a table; the table is saved, everybody told."""
    store.keep(table, game)
    table.state, table.finished = TableState.FINISHED, now
    table.ready_at = table.claimed_at = None
    table.attempts, table.claimed_by = 0, ""
    put_deadline(table, None)
    table.save()
    ratings.rate(table, game, now)
    press.announce(table, game.outcome.text if game.outcome else "The game was ended.", now)
    outbox.tell_seats(table, rows.seated(table), letters.finished(table, game), now)


def halt_if_deserted(table: Table, seats: list[Seat], now: datetime) -> bool:
    """Pause a table at which every person has been lost: nobody would notice it playing on."""
    people = [seat for seat in seats if seat.user_id]
    if table.gm_id or not people or any(seat.state != SeatState.DISORDER for seat in people):
        return False
    table.state, table.seconds_left, table.ready_at = TableState.PAUSED, None, None
    put_deadline(table, None)
    table.save()
    press.announce(table, "No player is left; the table is paused until somebody takes a power.", now)
    return True
