"""Deadlines: computing them, beginning phases, extending, pausing and resuming."""

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
from gamesmaster.host.games import ratings, standbys
from gamesmaster.host.orders import submission
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import ballots, notifications, store
from gamesmaster.host.tables.access import STOPPED, may_resume, must_run
from gamesmaster.host.tables.models import Seat, SeatState, Table, TableState
from gamesmaster.host.tables.settings import Deadlines, Pace, TableSettings, WallClock
from gamesmaster.host.tables.view import this_game_is
from gamesmaster.orders import PhaseKind

MOST_DAYS_AHEAD = 500
DEADLINE_FIELDS = ("deadline", "deadline_wall", "late_since", "remind_at")
"""The fields of a table that `put_deadline` sets."""


@dataclass(frozen=True, slots=True)
class Due:
    """A deadline in UTC, and as players see it: local time and zone."""

    at: datetime
    wall: str


def pace_of(deadlines: Deadlines, kind: PhaseKind, *, first: bool) -> Pace:
    """Return the pace of phases of this kind; the first phase of a game may have a different one."""
    if first and deadlines.first is not None:
        return deadlines.first
    return {
        PhaseKind.MOVEMENT: deadlines.movement,
        PhaseKind.RETREATS: deadlines.retreats,
        PhaseKind.ADJUSTMENTS: deadlines.adjustments,
    }[kind]


def next_due(settings: TableSettings, kind: PhaseKind, now: datetime, *, first: bool = False) -> Due | None:
    """Return the deadline of a phase that begins now; None without a clock."""
    plan = settings.deadlines
    pace = pace_of(plan, kind, first=first)
    if pace.wall is not None:
        return _on_wall(plan, pace.wall, now + timedelta(minutes=pace.wall.least))
    if pace.minutes is None:
        return None
    zone = ZoneInfo(plan.zone)
    return due_in(_working(plan, now + timedelta(minutes=pace.minutes), zone), zone)


def due_on_working_day(settings: TableSettings, at: datetime) -> Due:
    """Return a deadline at this time, or at the same time on the next day that has deadlines."""
    zone = ZoneInfo(settings.deadlines.zone)
    return due_in(_working(settings.deadlines, at, zone), zone)


def due_on_hour(table: Table, at: datetime) -> Due:
    """Return a deadline at this time or later that replaces the one of a table.

    A deadline at a time of day moves to the next of these times; any other one, as in extra time, only past days off.
    """
    settings = store.settings_of(table)
    kind = next(kind for kind in PhaseKind if kind[0].upper() == table.phase_code[-1:])
    wall = pace_of(settings.deadlines, kind, first=not table.ordinal).wall
    if wall is not None and table.deadline_wall.endswith(tuple(f" {time} {wall.zone}" for time in wall.times)):
        return _on_wall(settings.deadlines, wall, at)
    return due_on_working_day(settings, at)


def due_in(at: datetime, zone: ZoneInfo) -> Due:
    """Return a deadline with its local time in `zone`."""
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


def _on_wall(plan: Deadlines, wall: WallClock, earliest: datetime) -> Due:
    day = earliest.astimezone(wall.where).date()
    for _day in range(MOST_DAYS_AHEAD):
        if not _off(plan, day):
            for clock in sorted(wall.times):
                at = _moment(day, time.fromisoformat(clock), wall.where)
                if at >= earliest:
                    return Due(at, f"{day:%Y-%m-%d} {clock} {wall.zone}")
        day += timedelta(days=1)
    raise AssertionError("every day is off")  # unreachable: at most six weekdays and a hundred dates are off


def _moment(day: date, clock: time, zone: ZoneInfo) -> datetime:
    """Return the UTC time of a local time. A time that occurs twice is the first; a skipped one is an hour later."""
    return datetime.combine(day, clock.replace(tzinfo=None, fold=0), zone).astimezone(UTC)


def begin_phase(
    table: Table,
    kept: Game | store.StoredGame,
    now: datetime,
    *,
    at_least: timedelta | None = None,
    fresh: Sequence[Seat] | None = None,
) -> None:
    """Begin the current phase: store the game, set the deadline, forget claims, and save the table.

    `at_least` is the minimum length of the phase, while a standby is sought. `fresh` holds the seats if nobody can have
    sent orders yet; without it, seats and orders are read from the database.
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
    """Set the deadline and what follows from it (`DEADLINE_FIELDS`); the caller saves.

    `late_since` is the missed deadline if `due` ends the extra time.
    """
    table.deadline, table.deadline_wall = (due.at, due.wall) if due else (None, "")
    table.late_since, table.remind_at = late_since, None
    settings = store.settings_of(table)
    if due and table.phase_began and table.reminded != table.ordinal:
        table.remind_at = standbys.remind_at(settings.absent, table.phase_began, due.at)
    longest = settings.longest
    if due is None and longest and table.phase_began and table.state == TableState.RUNNING and not table.sandbox:
        table.remind_at = table.phase_began + timedelta(minutes=longest)


def finish_game(table: Table, game: Game, now: datetime) -> None:
    """Finish the game of a table: save it, rate the players and notify everybody."""
    store.keep(table, game)
    table.state, table.finished = TableState.FINISHED, now
    table.ready_at = table.claimed_at = None
    table.attempts, table.claimed_by = 0, ""
    put_deadline(table, None)
    table.save()
    ratings.rate(table, game, now)
    seats = store.seats_at(table)
    unrated = ratings.rating_obstacle(table, game) if ballots.bots_decided(game, seats) else ""
    correspondence.notify(table, notifications.ending(table, game, seats, unrated), now, seats)


def halt_if_deserted(table: Table, seats: list[Seat], now: datetime) -> bool:
    """Pause a table all of whose human players are lost, and return whether it was paused.

    It resumes when a player comes back or takes a power over (`seats`). A table with a Gamesmaster never pauses.
    """
    lost = [seat for seat in seats if seat.vacant or seat.state == SeatState.DISORDER]
    if table.gm_id or not lost or any(seat.user_id and seat not in lost for seat in seats):
        return False
    stop_clock(table, now, "deserted")
    correspondence.notify(table, notifications.write(table, "deserted"), now, seats)
    return True


def pause(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Pause the game and keep the time left until the deadline; raise `Refused` to all but those who run it."""
    with store.lock(table) as row:
        at = now or clock.now()
        must_run(row, by)
        store.check_running(row, at)
        stop_clock(row, at, "gm" if store.is_gm(row, by) else "")
        why = format_lazy(gettext_lazy("{doer} has paused the game."), doer=notifications.doer(row, by))
        correspondence.notify(row, notifications.write(row, "paused", why=why), at)
        store.audit(by, "paused", row, at)


def resume(table: Table | int, by: User | None, *, now: datetime | None = None) -> None:
    """Resume a game that is paused or stopped by a fault, with a minimum of time left.

    Raise `Refused` unless `may_resume` allows it.
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
        why = format_lazy(gettext_lazy("{doer} has ended the pause."), doer=notifications.doer(row, by))
        correspondence.notify(row, notifications.write(row, "resumed", why=why), at)
        store.audit(by, "resumed", row, at)


def extend(table: Table | int, by: User | None, until: datetime, *, now: datetime | None = None) -> None:
    """Move the deadline of the current phase to `until`, in the future and at most 366 days ahead."""
    with store.lock(table) as row:
        at = now or clock.now()
        must_run(row, by)
        store.check_running(row, at)
        if not at < until <= at + timedelta(days=366):
            raise Refused("bad-time", _("The deadline must be in the future, and within a year."))
        put_deadline(row, due_on_working_day(store.settings_of(row), until))
        row.ready_at = None
        row.save()
        why = format_lazy(gettext_lazy("{doer} has moved the deadline."), doer=notifications.doer(row, by))
        correspondence.notify(row, notifications.write(row, "new_deadline", why=why), at)
        store.audit(by, gettext_lazy("moved the deadline to {time}"), row, at, time=row.deadline_wall)


def stop_clock(table: Table, now: datetime, why: str) -> None:
    """Pause a table under lock and save it. `why` is stored in `Table.paused_why`."""
    left = table.deadline - now if table.deadline else None
    table.seconds_left = max(int(left.total_seconds()), 0) if left is not None else None
    table.state, table.paused_why, table.ready_at = TableState.PAUSED, why, None
    put_deadline(table, None)
    store.touch(table)
    table.save()


def start_clock(table: Table, now: datetime, *, gain: bool = True) -> None:
    """Resume a table under lock and save it.

    The time left is what it was at the pause, or with `gain` at least `waits.left` minutes.
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
