"""Are all ready?  Then the phase is processed early, after a while in which one may still think better of it."""

from __future__ import annotations

from datetime import datetime, timedelta

from gamesmaster.game import Game
from gamesmaster.host.models import SeatState, Sheet, Table
from gamesmaster.host.service import rows

SHORTEST_PHASE = timedelta(seconds=60)
"""No phase of a table with deadlines is over sooner, lest a table with nobody at it run away."""
HELD_TO_COME = (SeatState.SITTING, SeatState.AWAY, SeatState.STANDBY_WANTED)


def waited_for(table: Table, game: Game) -> list[str]:
    """The powers of which something is asked, and at which a person sits who is held to answer."""
    asked = {status.power for status in game.status if status.asked and not status.disorder}
    held = table.seats.filter(state__in=HELD_TO_COME, user__isnull=False).order_by("pk")
    return [power for power in held.values_list("power", flat=True) if power in asked]


def missing(table: Table, game: Game) -> list[str]:
    """Those of them that have sent nothing."""
    sent = set(Sheet.objects.filter(table=table, ordinal=table.ordinal).values_list("power", flat=True))
    return [power for power in waited_for(table, game) if power not in sent]


def all_ready(table: Table, game: Game) -> bool:
    """Has everybody who is asked said so, and does nobody want to wait?"""
    sheets = {s.power: s for s in Sheet.objects.filter(table=table, ordinal=table.ordinal)}
    if any(sheet.hold for sheet in sheets.values()):
        return False
    return all(power in sheets and sheets[power].confirmed for power in waited_for(table, game))


def look_again(table: Table, game: Game, now: datetime) -> None:
    """Set or take back the time at which the phase is processed early; the table is saved.

    The time is set when the last becomes ready, and stays while all are; it is never after the deadline.
    """
    settings = rows.settings_of(table)
    if table.sandbox or not settings.early or not all_ready(table, game):
        at = None
    elif table.ready_at is not None:
        return
    else:
        at = now + timedelta(minutes=settings.panic if waited_for(table, game) else 0)
        at = max(at, (table.phase_began or now) + SHORTEST_PHASE)
        at = min(at, table.deadline) if table.deadline and table.deadline > now else at
    if at != table.ready_at:
        table.ready_at = at
        table.save(update_fields=["ready_at"])
