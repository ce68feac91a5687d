"""Games without a clock: whom they wait for, a nudge to these players, and the end of the wait."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from gamesmaster.game import Game
from gamesmaster.host.games import deadlines
from gamesmaster.host.orders import submission
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import notifications, outbox, store
from gamesmaster.host.tables.access import next_nudge, viewer_of
from gamesmaster.host.tables.models import Sheet, Table

LOOK_AGAIN = timedelta(days=1)


def nudge(table: Table | int, user: User | None, *, now: datetime | None = None) -> None:
    """Remind the players for whom a phase without a deadline waits; raise `Refused`.

    Those who have no orders to give, or are ready, may do so, and so may the people who run the game: once a day.
    """
    with store.lock(table) as row:
        at = now or clock.now()
        viewer, first = viewer_of(row, user), next_nudge(row)
        if row.sandbox or not (viewer.powers or viewer.gm or viewer.owner):
            raise Refused("no-seat", _("You do not play in this game."))
        store.check_running(row, at)
        if first is None:
            raise Refused("not-now", _("This phase has a deadline, and reminders before it."))
        game = store.load(row)
        waited = [power for power, ready in _awaited(row, game).items() if not ready]
        if {*waited} & {*viewer.powers}:
            raise Refused(
                "not-now", _("The game waits for you, too."), _("send your orders, and say that you are ready")
            )
        if not waited:
            raise Refused("not-now", _("The game waits for nobody."))
        if at < first:
            raise Refused("too-many", _("Players can be nudged once a day, first a day after the phase has begun."))
        row.nudged_at = at
        row.save(update_fields=["nudged_at"])
        late = [seat for seat in store.seats_at(row) if seat.power in waited]
        key = notifications.once(row, f"nudge.{at.timestamp():.0f}")
        outbox.tell_seats(row, late, notifications.write(row, "nudge", game, key=key), at)


def end_wait(table: Table, now: datetime) -> None:
    """Give a phase without a deadline one, if players wait for others, and notify everybody; else look again later.

    The table is under lock. Where nobody is ready, nobody is kept waiting.
    """
    ready = _awaited(table, store.load(table))
    if all(ready.values()) or not any(ready.values()):
        table.remind_at = now + LOOK_AGAIN
        table.save(update_fields=["remind_at"])
        return
    settings = store.settings_of(table)
    deadlines.put_deadline(table, deadlines.due_on_working_day(settings, now + timedelta(minutes=settings.extension)))
    table.save(update_fields=deadlines.DEADLINE_FIELDS)
    correspondence.notify(table, notifications.write(table, "wait_over"), now)


def _awaited(table: Table, game: Game) -> dict[str, bool]:
    """Map each power whose orders are due from a person to whether it is ready."""
    confirmed = Sheet.objects.filter(table=table, ordinal=table.ordinal, confirmed=True)
    ready = set(confirmed.values_list("power", flat=True))
    return {power: power in ready for power in submission.awaited_powers(game, store.seats_at(table))}
