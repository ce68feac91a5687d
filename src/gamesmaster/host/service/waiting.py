"""At a deadline: does the table wait for orders that are missing, and until when?"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from gamesmaster.game import Game
from gamesmaster.host.models import Absence, Seat, SeatState, Sheet, Table
from gamesmaster.host.service import absence, deadlines, letters, outbox, readiness, rows, turns


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
    back = _back(late, now) if late else {}
    cases = [absence.Missing(s.power or "", s.state, back.get(s.user_id)) for s in late]
    until = absence.wait_until(settings.absent, cases, now, graced=False)
    if until is None:
        return False
    away = [s.pk for s in late if s.user_id in back and s.state == SeatState.SITTING]
    Seat.objects.filter(pk__in=away).update(state=SeatState.AWAY)
    table.graced = table.ordinal
    turns.put_deadline(table, deadlines.later(settings, until))
    table.save()
    outbox.tell_seats(table, late, letters.late(table), now)
    return True


def _back(seats: Sequence[Seat], now: datetime) -> dict[int | None, datetime]:
    """When those come back who are away now, each by the own calendar: the day after is for the orders."""
    zones = {seat.user_id: _zone(seat) for seat in seats if seat.user_id}
    near = {"begins__lte": now + timedelta(days=1), "ends__gte": now - timedelta(days=1)}  # whatever the zone
    found: dict[int | None, datetime] = {}
    for one in Absence.objects.filter(user__in=list(zones), **near).order_by("ends"):
        zone = zones[one.user_id]
        if one.begins <= now.astimezone(zone).date() <= one.ends:
            found[one.user_id] = datetime.combine(one.ends + timedelta(days=2), datetime.min.time(), zone)
    return found


def _zone(seat: Seat) -> ZoneInfo:
    profile = getattr(seat.user, "profile", None)
    return ZoneInfo(profile.time_zone if profile else "UTC")
