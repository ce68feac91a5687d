"""Deadlines: when phases are due, begin, are put off, stand still and go on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.game import Game
from gamesmaster.host.games import ratings
from gamesmaster.host.orders import submission
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import ballots, letters, seat_letters, store
from gamesmaster.host.tables.access import STOPPED, may_resume, must_run
from gamesmaster.host.tables.models import Seat, SeatState, Table, TableState
from gamesmaster.host.tables.settings import Deadlines, Pace, TableSettings, WallClock
from gamesmaster.host.tables.view import this_game_is
from gamesmaster.orders import PhaseKind

MOST_DAYS_AHEAD = 500


@dataclass(frozen=True, slots=True)
class Due:
    """A deadline in UTC, and as it is promised: wall time and zone."""

    at: datetime
    wall: str


def pace_of(deadlines: Deadlines, kind: PhaseKind, first: bool) -> Pace:
    """The pace of a phase of this kind; the game's first may have one of its own."""
    if first and deadlines.first is not None:
        return deadlines.first
    return {
        PhaseKind.MOVEMENT: deadlines.movement,
        PhaseKind.RETREATS: deadlines.retreats,
        PhaseKind.ADJUSTMENTS: deadlines.adjustments,
    }[kind]


def next_due(settings: TableSettings, kind: PhaseKind, now: datetime, *, first: bool = False) -> Due | None:
    """When a phase that begins now is due; None if nobody waits for a clock."""
    plan = settings.deadlines
    pace = pace_of(plan, kind, first)
    if pace.wall is not None:
        return _on_wall(plan, pace.wall, now)
    if pace.minutes is None:
        return None
    zone = ZoneInfo(plan.zone)
    return due_in(_working(plan, now + timedelta(minutes=pace.minutes), zone), zone)


def due_on_working_day(settings: TableSettings, at: datetime) -> Due:
    """A deadline moved to this time, or to the same time on the next day that is not off."""
    zone = ZoneInfo(settings.deadlines.zone)
    return due_in(_working(settings.deadlines, at, zone), zone)


def due_in(at: datetime, zone: ZoneInfo) -> Due:
    """A deadline as it is promised in a zone."""
    return Due(at.astimezone(UTC), f"{at.astimezone(zone):%Y-%m-%d %H:%M} {zone.key}")


def _off(plan: Deadlines, day: date) -> bool:
    return day.weekday() in plan.days_off or day in plan.dates_off


def _working(plan: Deadlines, at: datetime, zone: ZoneInfo) -> datetime:
    local = at.astimezone(zone)
    day = local.date()
    for _day in range(MOST_DAYS_AHEAD):
        if not _off(plan, day):
            break
        day += timedelta(days=1)
    return at if day == local.date() else _moment(day, local.time(), zone)


def _on_wall(plan: Deadlines, wall: WallClock, now: datetime) -> Due:
    earliest = now + timedelta(minutes=wall.least)
    day = earliest.astimezone(wall.where).date()
    for _day in range(MOST_DAYS_AHEAD):
        if not _off(plan, day):
            for clock in sorted(wall.times):
                at = _moment(day, time.fromisoformat(clock), wall.where)
                if at >= earliest:
                    return Due(at, f"{day:%Y-%m-%d} {clock} {wall.zone}")
        day += timedelta(days=1)
    raise AssertionError("every day is off")  # at most six weekdays and a hundred dates are


def _moment(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """When the clock on the wall shows this time: the first time if twice, an hour later if never."""
    return datetime.combine(day, clock.replace(tzinfo=None, fold=0), zone).astimezone(UTC)


def begin_phase(
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
    settings = store.settings_of(table)
    table.phase_began, table.ready_at = now, None
    table.attempts, table.claimed_at, table.claimed_by = 0, None, ""
    due = None if table.sandbox else next_due(settings, game.phase.kind, now, first=not game.records)
    if due is not None and at_least is not None and due.at < now + at_least:
        due = due_on_working_day(settings, now + at_least)
    put_deadline(table, due)
    if fresh is not None and not game.outcome:
        table.ready_at = submission.early(table, game, fresh, (), now)
    table.save()
    if fresh is None and not game.outcome:
        submission.look_again(table, game, now)


def put_deadline(table: Table, due: Due | None, *, late_since: datetime | None = None) -> None:
    """Set the deadline and what is promised of it; the caller saves.

    `late_since` is the deadline that was missed, if this one is the grace for it.
    """
    table.deadline, table.deadline_wall = (due.at, due.wall) if due else (None, "")
    table.late_since = late_since


def finish_game(table: Table, game: Game, now: datetime) -> None:
    """End the game of a table; the table is saved, everybody told, also if bots had a part in it."""
    store.keep(table, game)
    table.state, table.finished = TableState.FINISHED, now
    table.ready_at = table.claimed_at = None
    table.attempts, table.claimed_by = 0, ""
    put_deadline(table, None)
    table.save()
    ratings.rate(table, game, now)
    seats = store.seats_at(table)
    unrated = ratings.rating_obstacle(table, game) if ballots.bots_decided(game, seats) else ""
    correspondence.proclaim(table, letters.ending(table, game, seats, unrated), now, seats)


def halt_if_deserted(table: Table, seats: list[Seat], now: datetime) -> bool:
    """Pause a table whose every player is lost or has left: nobody would notice it playing on.

    It goes on when somebody comes back or takes a power over (`seating`).
    """
    lost = [seat for seat in seats if seat.vacant or seat.state == SeatState.DISORDER]
    if table.gm_id or not lost or any(seat.user_id and seat not in lost for seat in seats):
        return False
    stop_clock(table, now, "deserted")
    correspondence.proclaim(table, seat_letters.desertion(table), now, seats)
    return True


def pause(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Stop the clock; what is left of the deadline is kept."""
    with store.lock(table) as row:
        at = now or clock.now()
        must_run(row, by)
        store.check_running(row, at)
        stop_clock(row, at, "gm" if store.is_gm(row, by) else "")
        correspondence.proclaim(
            row,
            letters.pause(row, format_lazy(gettext_lazy("{doer} has paused the game."), doer=letters.doer(row, by))),
            at,
        )
        store.audit(by, "paused", row, at)


def resume(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Start the clock again, of a table that was paused or set apart; there is some time left at least.

    Raises `Refused` to those who may not (`rights.may_resume`).
    """
    with store.lock(table) as row:
        at = now or clock.now()
        if not may_resume(row, by):
            raise Refused(
                "not-gm", _("You cannot resume this game."), _("the Gamesmaster can, and so can a vote of the players")
            )
        if row.state not in STOPPED:
            raise Refused("not-paused", this_game_is(row.state))
        start_clock(row, at)
        correspondence.proclaim(
            row,
            letters.resumption(
                row, format_lazy(gettext_lazy("{doer} has ended the pause."), doer=letters.doer(row, by))
            ),
            at,
        )
        store.audit(by, "resumed", row, at)


def extend(table: Table | int, by: User | None, until: datetime, *, now: datetime | None = None) -> None:
    """Move the deadline of the phase being played; never into the past, nor further than a year."""
    with store.lock(table) as row:
        at = now or clock.now()
        must_run(row, by)
        store.check_running(row, at)
        if not at < until <= at + timedelta(days=366):
            raise Refused("bad-time", _("The deadline must be in the future, and within a year."))
        put_deadline(row, due_on_working_day(store.settings_of(row), until))
        row.ready_at = None
        row.save()
        correspondence.proclaim(
            row,
            letters.new_deadline(
                row, format_lazy(gettext_lazy("{doer} has moved the deadline."), doer=letters.doer(row, by))
            ),
            at,
        )
        store.audit(by, format_lazy(gettext_lazy("moved the deadline to {time}"), time=row.deadline_wall), row, at)


def stop_clock(table: Table, now: datetime, why: str) -> None:
    """Pause a table under lock; `why` says who has paused it (`Table.paused_why`).  The table is saved."""
    left = table.deadline - now if table.deadline else None
    table.seconds_left = max(int(left.total_seconds()), 0) if left is not None else None
    table.state, table.paused_why, table.ready_at = TableState.PAUSED, why, None
    put_deadline(table, None)
    store.touch(table)
    table.save()


def start_clock(table: Table, now: datetime, *, gain: bool = True) -> None:
    """Let a table under lock go on, and save it.

    The time left is in proportion to the moves at least; without `gain` it is what was left at the pause.
    """
    settings = store.settings_of(table)
    table.state, table.paused_why = TableState.RUNNING, ""
    table.attempts, table.claimed_at, table.claimed_by = 0, None, ""
    if table.seconds_left is not None:
        least = timedelta(minutes=settings.waits.left if gain else 0)
        left = max(timedelta(seconds=table.seconds_left), least)
        put_deadline(table, due_on_working_day(settings, now + left))
    elif not table.sandbox:
        put_deadline(table, next_due(settings, store.load(table).phase.kind, now))
    table.seconds_left = None
    store.touch(table)
    table.save()
    if not table.sandbox:
        submission.look_again(table, store.load(table), now)  # all may have been ready before the pause
