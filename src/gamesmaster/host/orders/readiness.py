"""Are all ready?  Then the phase is processed early, after a while in which one may still think better of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from gamesmaster.game import Game
from gamesmaster.host.tables import store
from gamesmaster.host.tables.models import Seat, SeatState, Sheet, Table

SHORTEST_PHASE = timedelta(seconds=60)
"""No phase is over sooner in a game that no person plays any more, lest it run away before anybody looks."""
HELD_TO_COME = (SeatState.SITTING, SeatState.AWAY, SeatState.STANDBY_WANTED)


def waited_for(game: Game, seats: Sequence[Seat]) -> list[str]:
    """The powers of which something is asked, and at which a person sits who is held to answer."""
    asked = {status.power for status in game.status if status.asked and not status.disorder}
    held = [seat.power or "" for seat in seats if seat.user_id and seat.state in HELD_TO_COME]
    return [power for power in held if power in asked]


def missing(game: Game, seats: Sequence[Seat], sheets: Sequence[Sheet]) -> list[str]:
    """Those of them that have sent nothing."""
    sent = {sheet.power for sheet in sheets}
    return [power for power in waited_for(game, seats) if power not in sent]


def played_by_people(game: Game, seats: Sequence[Seat]) -> bool:
    """Does a person who is held to come still have a power in the game?  Then every year waits for somebody."""
    return any(seat.user_id and seat.state in HELD_TO_COME and seat.power in game.survivors for seat in seats)


def look_again(table: Table, game: Game, now: datetime) -> None:
    """Set or take back the time at which the phase is processed early; the table is saved.

    The time is set when the last becomes ready, and stays while all are; it is never after the deadline.
    """
    at = None
    if _may_be(table):
        sheets = list(Sheet.objects.filter(table=table, ordinal=table.ordinal))
        at = early(table, game, list(table.seats.filter(state__in=HELD_TO_COME)), sheets, now)
    if at != table.ready_at:
        table.ready_at = at
        table.save(update_fields=["ready_at"])


def early(table: Table, game: Game, seats: Sequence[Seat], sheets: Sequence[Sheet], now: datetime) -> datetime | None:
    """When the phase is processed before its deadline: once all who are asked are ready, and nobody wants to wait."""
    if not _may_be(table) or any(sheet.hold for sheet in sheets):
        return None
    waited = waited_for(game, seats)
    if not set(waited) <= {sheet.power for sheet in sheets if sheet.confirmed}:
        return None
    if table.ready_at is not None:
        return table.ready_at
    at = now + timedelta(minutes=store.settings_of(table).panic if waited else 0)
    if not played_by_people(game, seats):
        at = max(at, (table.phase_began or now) + SHORTEST_PHASE)
    return min(at, table.deadline) if table.deadline and table.deadline > now else at


def _may_be(table: Table) -> bool:
    return not table.sandbox and store.settings_of(table).early
