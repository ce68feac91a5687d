"""Claims: a worker takes a phase to process, gives it back, or sets it apart; and waiting for late orders."""

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
from gamesmaster.host.tables import access, letters, outbox, store
from gamesmaster.host.tables.models import Seat, SeatState, Sheet, Standby, Table, TableState

MOST_ATTEMPTS = 3
LOG = logging.getLogger("gamesmaster.host")


class Done(StrEnum):
    """What came of the wish to process a phase."""

    PROCESSED = "processed"
    ALREADY = "already done"
    NOT_DUE = "not due"
    WAITING = "waiting"
    BUSY = "busy"
    FAILED = "failed"
    QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True)
class Claim:
    """A phase that is this worker's: the game, who is at the table, what they have sent; `token` says whose it is.

    `standbys` are those who are asked for orders beside a player.  `early`: no deadline has passed, so that nobody can
    have missed one; then no standby's orders are used either.
    """

    token: str
    table: Table
    game: Game
    seats: list[Seat]
    sheets: list[Sheet]
    standbys: list[Standby]
    early: bool


def take(number: int, ordinal: int, why: str, now: datetime | None) -> Claim | Done:
    """Claim the phase with this ordinal and count the attempt; or say why not."""
    if not _is_current(number, ordinal):
        return Done.ALREADY
    try:
        # after a power cut a claim that was lost is one that ran out: nobody needs it on the disk
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
            claim = Claim(uuid4().hex, table, store.load(table), store.seats_at(table), sheets, candidates, early)
            if why == "due" and waits(table, claim.game, claim.seats, sheets, at):
                return Done.WAITING
            table.claimed_at, table.claimed_by, table.attempts = at, claim.token, table.attempts + 1
            table.save(update_fields=["claimed_at", "claimed_by", "attempts"])
            return claim
    except Refused as refused:
        return Done.ALREADY if refused.code == "no-table" else _unreadable(number, ordinal, refused, now)


def holds(table: Table, claim: Claim) -> bool:
    """Is a claim still good, for a table under lock?"""
    mine = table.claimed_by == claim.token and table.ordinal == claim.table.ordinal
    return mine and table.state == TableState.RUNNING


def give_back(
    number: int, ordinal: int, token: str, error: Exception, now: datetime | None, *, counts: bool = True
) -> Done:
    """Give a claim back, and set the table apart if this was the last attempt.

    What fails because the database does is not the game's fault, and does not count.
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
    """Put a table in quarantine, and say so, without a word of its orders."""
    table.state, table.claimed_at, table.claimed_by, table.ready_at = TableState.QUARANTINED, None, "", None
    store.touch(table)
    table.save()
    tell_staff(table, letters.quarantine(table, error), now)
    outbox.tell_seats(table, store.seats_at(table), letters.stuck(table), now)
    store.audit(None, f"quarantined: {error}", table, now)


def tell_staff(table: Table, letter: letters.Letter, now: datetime) -> None:
    """Say at the table that something is wrong with the program, and write to its Gamesmaster and the admins."""
    correspondence.announce(table, letter.notice, now)
    outbox.tell_gm(table, letter, now)
    for user in User.objects.filter(is_superuser=True, is_active=True):
        outbox.tell_user(table, user, letter, now)


def facts(number: int, ordinal: int) -> dict[str, int]:
    """What the log tells of a phase."""
    return {"table": number, "ordinal": ordinal}


def _is_current(number: int, ordinal: int) -> bool:
    """Is this phase being played?  The game is read, too: it takes longest, and nobody waits for a lock meanwhile."""
    table = Table.objects.filter(pk=number, ordinal=ordinal, state=TableState.RUNNING).first()
    if table is None:
        return False
    with suppress(Refused):  # it will be said where it counts as an attempt
        store.load(table)
    return True


def _hindrance(table: Table, ordinal: int, why: str, now: datetime) -> Done | None:
    """Why a table under lock is not to be claimed; None if it is."""
    if table.ordinal != ordinal or table.state != TableState.RUNNING:
        return Done.ALREADY
    if store.is_claimed(table, now):
        return Done.BUSY
    if table.phase_began is not None and now < table.phase_began:
        return Done.NOT_DUE  # the clock was put back: no phase ends before it began
    ready = table.ready_at is not None and table.ready_at <= now
    return Done.NOT_DUE if why == "due" and not (ready or _late(table, now)) else None


def _late(table: Table, now: datetime) -> bool:
    """Has the deadline passed?"""
    return table.deadline is not None and table.deadline < now


def _unreadable(number: int, ordinal: int, refused: Refused, now: datetime | None) -> Done:
    """Count an attempt at a table whose record cannot be read."""
    LOG.error("a record cannot be read", exc_info=refused, extra=facts(number, ordinal))
    with transaction.atomic():
        Table.objects.filter(pk=number, ordinal=ordinal).update(attempts=F("attempts") + 1, claimed_by="u")
    return give_back(number, ordinal, "u", refused, now)


def waits(table: Table, game: Game, seats: Sequence[Seat], sheets: Sequence[Sheet], now: datetime) -> bool:
    """Give the grace that the table's policy gives to those whose orders are missing, once a phase.

    The table is under lock; it is saved, and those waited for are told.
    """
    if table.deadline is None or table.deadline >= now or table.graced == table.ordinal:
        return False  # all are ready, or it has waited
    settings = store.settings_of(table)
    if not (settings.absent.grace or settings.absent.most_away):
        return False  # it waits for nobody
    missing = submission.missing(game, seats, sheets)
    late = [seat for seat in seats if seat.power in missing]
    away_now = access.last_days_away(late, now) if late else {}
    back = {seat.pk: access.return_time(seat, away_now[seat.user_id]) for seat in late if seat.user_id in away_now}
    cases = [standbys.Missing(s.power or "", s.state, back.get(s.pk)) for s in late]
    until = standbys.wait_until(settings.absent, cases, now, graced=False)
    if until is None:
        return False
    away = [s.pk for s in late if s.pk in back and s.state == SeatState.SITTING]
    Seat.objects.filter(pk__in=away).update(state=SeatState.AWAY)
    table.graced = table.ordinal
    deadlines.put_deadline(table, deadlines.due_on_working_day(settings, until), late_since=table.deadline)
    table.save()
    losing = [s.power or "" for s in late if standbys.last_miss(settings.absent, s.misses)]
    outbox.tell_seats(table, late, letters.late(table, losing), now)
    return True
