"""How a table goes from one phase to the next: what is common to processing, rollbacks, and the end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from gamesmaster.game import Game
from gamesmaster.host.models import Seat, SeatState, Table, TableState
from gamesmaster.host.service import ballots, deadlines, letters, press, ratings, readiness, rows, seat_letters, store


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


def put_deadline(table: Table, due: deadlines.Due | None, *, late_since: datetime | None = None) -> None:
    """Set the deadline and what is promised of it; the caller saves.

    `late_since` is the deadline that was missed, if this one is the grace for it.
    """
    table.deadline, table.deadline_wall = (due.at, due.wall) if due else (None, "")
    table.late_since = late_since


def finish(table: Table, game: Game, now: datetime) -> None:
    """End the game of a table; the table is saved, everybody told, also if bots had a part in it."""
    store.keep(table, game)
    table.state, table.finished = TableState.FINISHED, now
    table.ready_at = table.claimed_at = None
    table.attempts, table.claimed_by = 0, ""
    put_deadline(table, None)
    table.save()
    ratings.rate(table, game, now)
    seats = rows.seated(table)
    unrated = ratings.unrated(table, game) if ballots.ended_by_bots(game, seats) else ""
    press.proclaim(table, letters.finished(table, game, seats, unrated), now, seats)


def halt_if_deserted(table: Table, seats: list[Seat], now: datetime) -> bool:
    """Pause a table whose every player is lost or has left: nobody would notice it playing on.

    It goes on when somebody comes back or takes a power over (`seating`).
    """
    lost = [seat for seat in seats if seat.vacant or seat.state == SeatState.DISORDER]
    if table.gm_id or not lost or any(seat.user_id and seat not in lost for seat in seats):
        return False
    table.state, table.paused_why, table.seconds_left, table.ready_at = TableState.PAUSED, "deserted", None, None
    put_deadline(table, None)
    table.save()
    press.proclaim(table, seat_letters.deserted(table), now, seats)
    return True
