"""Leases: a worker leases a phase, gives it back, or stops the table; and waiting for late orders."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import uuid4

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import F

from gamesmaster.game import Game
from gamesmaster.host.games import deadlines, standbys
from gamesmaster.host.orders import submission
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, notifications, outbox, store
from gamesmaster.host.tables.models import Seat, SeatState, Sheet, Standby, Table, TableState

MOST_ATTEMPTS = 3
LOG = logging.getLogger("gamesmaster.host")


class Done(StrEnum):
    """The result of a request to process a phase."""

    PROCESSED = "processed"
    ALREADY = "already done"
    NOT_DUE = "not due"
    WAITING = "waiting"
    BUSY = "busy"
    FAILED = "failed"
    QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True)
class PhaseLease:
    """A phase leased by this worker, with what is needed to adjudicate it."""

    token: str  # identifies the lease
    table: Table
    game: Game
    seats: list[Seat]  # seats that are taken or need a player
    sheets: list[Sheet]  # orders sent
    standbys: list[Standby]  # standbys who are asked for orders
    early: bool  # before the deadline: nobody has missed it, and standbys' orders are not used


def take(number: int, ordinal: int, why: str, now: datetime | None) -> PhaseLease | Done:
    """Lease the phase with this ordinal and count the attempt, or return why that is not possible."""
    if not _is_current(number, ordinal):
        return Done.ALREADY
    try:
        # A lease lost in a power cut is like one that expired, so it need not be synchronized to disk.
        with store.lock(number, record=False, lasting=False) as table:
            at = now or clock.now()
            hindered = _hindrance(table, ordinal, why, at)
            if hindered is not None:
                return hindered
            if table.attempts >= MOST_ATTEMPTS:  # its workers died one after the other
                set_apart(table, "no worker came back", at)
                return Done.QUARANTINED
            sheets = list(Sheet.objects.filter(table=table, ordinal=ordinal))
            early = not _late(table, at)
            candidates = [] if early else standbys.candidates(table)
            lease = PhaseLease(uuid4().hex, table, store.load(table), store.seats_at(table), sheets, candidates, early)
            if why == "due" and waits(table, lease.game, lease.seats, sheets, at):
                return Done.WAITING
            table.claimed_at, table.claimed_by, table.attempts = at, lease.token, table.attempts + 1
            table.save(update_fields=["claimed_at", "claimed_by", "attempts"])
            return lease
    except Refused as refused:
        return Done.ALREADY if refused.code == "no-table" else _unreadable(number, ordinal, refused, now)


def holds(table: Table, lease: PhaseLease) -> bool:
    """Return whether a lease is still valid, for a table under lock."""
    mine = table.claimed_by == lease.token and table.ordinal == lease.table.ordinal
    return mine and table.state == TableState.RUNNING


def give_back(
    number: int, ordinal: int, token: str, error: Exception, now: datetime | None, *, counts: bool = True
) -> Done:
    """Give a lease back, and stop the table if this was the last attempt.

    With `counts=False`, as for database failures, the attempt does not count.
    """
    with store.lock(number, record=False) as table:
        if table.claimed_by != token or table.ordinal != ordinal:
            return Done.ALREADY
        table.claimed_at, table.claimed_by = None, ""
        table.attempts -= not counts
        table.save(update_fields=["claimed_at", "claimed_by", "attempts"])
        if table.attempts < MOST_ATTEMPTS:
            return Done.FAILED
        set_apart(table, type(error).__name__, now or clock.now())
    return Done.QUARANTINED


def set_apart(table: Table, error: str, now: datetime) -> None:
    """Put a table into quarantine and say so, without revealing orders."""
    table.state, table.claimed_at, table.claimed_by, table.ready_at = TableState.QUARANTINED, None, "", None
    store.touch(table)
    table.save()
    tell_staff(table, notifications.write(table, "quarantined", attempts=str(table.attempts), error=error), now)
    outbox.tell_seats(table, store.seats_at(table), notifications.write(table, "stuck"), now)
    store.audit(None, f"quarantined: {error}", table, now)


def tell_staff(table: Table, notification: notifications.Notification, now: datetime) -> None:
    """Report a fault of the program at the table, to its Gamesmaster and to the admins."""
    correspondence.announce(table, notification.notice, now)
    outbox.tell_gm(table, notification, now)
    for user in User.objects.filter(is_superuser=True, is_active=True):
        outbox.tell_user(table, user, notification, now)


def facts(number: int, ordinal: int) -> dict[str, int]:
    """Return the fields by which the log identifies a phase."""
    return {"table": number, "ordinal": ordinal}


def _is_current(number: int, ordinal: int) -> bool:
    """Return whether this is the current phase. The game is loaded as well, so that this happens before the lock."""
    table = Table.objects.filter(pk=number, ordinal=ordinal, state=TableState.RUNNING).first()
    if table is None:
        return False
    with suppress(Refused):  # reported later, where it counts as an attempt
        store.load(table)
    return True


def _hindrance(table: Table, ordinal: int, why: str, now: datetime) -> Done | None:
    """Return why a table under lock cannot be leased now; None if it can."""
    if table.ordinal != ordinal or table.state != TableState.RUNNING:
        return Done.ALREADY
    if store.is_claimed(table, now):
        return Done.BUSY
    if table.phase_began is not None and now < table.phase_began:
        return Done.NOT_DUE  # the clock was put back; a phase cannot end before it began
    ready = table.ready_at is not None and table.ready_at <= now
    return Done.NOT_DUE if why == "due" and not (ready or _late(table, now)) else None


def _late(table: Table, now: datetime) -> bool:
    """Return whether the deadline has passed."""
    return table.deadline is not None and table.deadline < now


def _unreadable(number: int, ordinal: int, refused: Refused, now: datetime | None) -> Done:
    """Count an attempt at a table whose record cannot be read."""
    LOG.error("a record cannot be read", exc_info=refused, extra=facts(number, ordinal))
    with transaction.atomic():
        Table.objects.filter(pk=number, ordinal=ordinal).update(attempts=F("attempts") + 1, claimed_by="u")
    return give_back(number, ordinal, "u", refused, now)


def waits(table: Table, game: Game, seats: Sequence[Seat], sheets: Sequence[Sheet], now: datetime) -> bool:
    """Extend the deadline for missing orders as the table's policy says, once per phase.

    The table is under lock. If it waits, it is saved, and the players concerned are notified. Return whether it waits.
    """
    if table.deadline is None or table.deadline >= now or table.graced == table.ordinal:
        return False  # all are ready, or the table has waited already
    settings = store.settings_of(table)
    if not (settings.absent.grace or settings.absent.most_away):
        return False  # the table never waits
    missing = submission.missing(game, seats, sheets)
    late = [seat for seat in seats if seat.power in missing]
    away_now = access.last_days_away(late, now) if late else {}
    back = {seat.pk: access.return_time(seat, away_now[seat.user_id]) for seat in late if seat.user_id in away_now}
    cases = [standbys.Missing(s.power or "", s.state, back.get(s.pk)) for s in late]
    until = standbys.wait_until(settings.absent, cases, now)
    if until is None:
        return False
    away = [s.pk for s in late if s.pk in back and s.state == SeatState.SITTING]
    Seat.objects.filter(pk__in=away).update(state=SeatState.AWAY)
    table.graced = table.ordinal
    deadlines.put_deadline(table, deadlines.due_on_working_day(settings, until), late_since=table.deadline)
    table.save()
    losing = [s.power or "" for s in late if standbys.last_miss(settings.absent, s.misses)]
    outbox.tell_seats(table, late, notifications.late(table, losing), now)
    return True
