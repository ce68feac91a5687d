"""At a deadline: does the table wait for orders that are missing, and until when?"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from gamesmaster.game import Game
from gamesmaster.host.models import Seat, SeatState, Sheet, Table
from gamesmaster.host.service import absence, calendars, deadlines, letters, outbox, readiness, rows, turns


def waits(table: Table, game: Game, seats: Sequence[Seat], sheets: Sequence[Sheet], now: datetime) -> bool:
    """Give the grace that the table's policy gives to those whose orders are missing, once a phase.

    The table is under lock; it is saved, and those waited for are told.
    """
    if table.deadline is None or table.deadline >= now or table.graced == table.ordinal:
        return False  # all are ready, or it has waited
    settings = rows.settings_of(table)
    if not (settings.absent.grace or settings.absent.most_away):
        return False  # it waits for nobody
    missing = readiness.missing(game, seats, sheets)
    late = [seat for seat in seats if seat.power in missing]
    away_now = calendars.away(late, now) if late else {}
    back = {seat.pk: calendars.back(seat, away_now[seat.user_id]) for seat in late if seat.user_id in away_now}
    cases = [absence.Missing(s.power or "", s.state, back.get(s.pk)) for s in late]
    until = absence.wait_until(settings.absent, cases, now, graced=False)
    if until is None:
        return False
    away = [s.pk for s in late if s.pk in back and s.state == SeatState.SITTING]
    Seat.objects.filter(pk__in=away).update(state=SeatState.AWAY)
    table.graced = table.ordinal
    turns.put_deadline(table, deadlines.later(settings, until), late_since=table.deadline)
    table.save()
    losing = [s.power or "" for s in late if absence.last_miss(settings.absent, s.misses)]
    outbox.tell_seats(table, late, letters.late(table, losing), now)
    return True
