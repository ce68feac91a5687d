"""Phases are processed: each exactly once, whole or not at all, by whichever worker comes first.

A worker claims the phase and counts the attempt in a transaction of its own; from then on nothing sent changes the
phase.  It adjudicates without holding anything, and brings in record, next phase, deadline, notices and mails in one
transaction, if the claim is still its own.  A worker that dies leaves a claim that runs out; one that fails leaves a
count, and after `MOST_ATTEMPTS` the table is set apart and everybody else plays on.
"""

from __future__ import annotations

import hashlib
import logging
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.contrib.auth.models import User
from django.db import OperationalError, transaction
from django.db.models import F, Q

from gamesmaster.game import Game
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import PhaseRow, Seat, SeatState, Sheet, Table, TableState
from gamesmaster.host.service import (
    absence,
    bots,
    clock,
    deadlines,
    letters,
    outbox,
    press,
    readiness,
    rows,
    store,
    turns,
)
from gamesmaster.judge import Adjudication
from gamesmaster.orders import PhaseKind

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


def due(now: datetime, most: int = 1000) -> list[tuple[int, int]]:
    """Tables whose phase is to be processed, and its ordinal; those that wait longest come first.

    An order stored at the very deadline is in time, so a phase is due only after it.
    """
    free = Q(claimed_at=None) | Q(claimed_at__lte=now - rows.CLAIM_LASTS)
    late = Q(deadline__lt=now) | Q(ready_at__lte=now)
    found = Table.objects.filter(free & late, state=TableState.RUNNING).order_by(
        F("deadline").asc(nulls_last=True), "pk"
    )
    return list(found.values_list("pk", "ordinal")[:most])


def process(table: Table | int, ordinal: int, why: str = "due", *, now: datetime | None = None) -> Done:
    """Process the phase with this ordinal; `why` is `due`, or `asked` by somebody who may (see `ask`).

    Raises nothing for what is wrong with the game: that is counted, and ends in quarantine.
    """
    number = table if isinstance(table, int) else table.pk
    token = uuid4().hex
    claimed = _claim(number, ordinal, why, token, now)
    if claimed is not None:
        return claimed
    try:
        game, lost = _adjudicated(number, ordinal)
        return _bring_in(number, ordinal, token, why, game, lost, now)
    except OperationalError as error:
        LOG.error("the database failed a phase", exc_info=error, extra=_facts(number, ordinal))
        return _failed(number, ordinal, token, error, now, counts=False)
    except Exception as error:  # whatever it is, the other tables play on
        LOG.error("a phase failed", exc_info=error, extra=_facts(number, ordinal))
        return _failed(number, ordinal, token, error, now)


def ask(table: Table | int, ordinal: int, user: User | None, *, now: datetime | None = None) -> Done:
    """Process a phase because the Gamesmaster, or whoever plays with a sandbox, says so; raises `Refused` to others."""
    row = table if isinstance(table, Table) else Table.objects.get(pk=table)
    if not (row.sandbox or rows.is_gm(row, user)):
        raise Refused("not-gm", "Only the Gamesmaster processes a phase.")
    done = process(row, ordinal, "asked", now=now)
    if done is Done.PROCESSED and not row.sandbox:
        rows.audit(user, f"processed {row.phase_code}", row, now or clock.now())
    return done


def preview(table: Table, user: User | None, *, now: datetime | None = None) -> Adjudication:
    """What the phase would come to with what has been sent; for the Gamesmaster, and noted in the audit log.

    Nothing is stored, no die is thrown.
    """
    if not (table.sandbox or rows.is_gm(table, user)):
        raise Refused("not-gm", "Only the Gamesmaster looks ahead.")
    if not table.sandbox:
        rows.audit(user, f"looked ahead at {table.phase_code}", table, now or clock.now())
    sheets = Sheet.objects.filter(table=table, ordinal=table.ordinal)
    return store.with_sheets(store.load(table), sheets).what_if()


# -- claiming --------------------------------------------------------------------------------------------------------


def _claim(number: int, ordinal: int, why: str, token: str, now: datetime | None) -> Done | None:
    """Claim a phase and count the attempt; or say why not."""
    try:
        with rows.locked(number) as table:
            at = now or clock.now()
            if table.ordinal != ordinal or table.state != TableState.RUNNING:
                return Done.ALREADY
            if rows.claimed(table, at):
                return Done.BUSY
            if table.phase_began is not None and at < table.phase_began:
                return Done.NOT_DUE  # the clock was put back: no phase ends before it began
            if why == "due" and not _is_due(table, at):
                return Done.NOT_DUE
            if table.attempts >= MOST_ATTEMPTS:  # its workers died one after the other
                _set_apart(table, "no worker came back", at)
                return Done.QUARANTINED
            if why == "due" and _waits(table, at):
                return Done.WAITING
            table.claimed_at, table.claimed_by, table.attempts = at, token, table.attempts + 1
            table.save(update_fields=["claimed_at", "claimed_by", "attempts"])
    except Refused as refused:
        return Done.ALREADY if refused.code == "no-table" else _unreadable(number, ordinal, refused, now)
    return None


def _is_due(table: Table, now: datetime) -> bool:
    ready = table.ready_at is not None and table.ready_at <= now
    return ready or (table.deadline is not None and table.deadline < now)


def _waits(table: Table, now: datetime) -> bool:
    """Give the grace that the table's policy gives to those whose orders are missing, once a phase."""
    if table.deadline is None or table.deadline >= now:
        return False  # all are ready
    settings, game = rows.settings_of(table), store.load(table)
    missing = set(readiness.missing(table, game))
    if not missing:
        return False
    seats = [seat for seat in rows.seated(table) if seat.power in missing]
    cases = [absence.Missing(s.power or "", s.state, away_until(s, now)) for s in seats]
    until = absence.wait_until(settings.absent, cases, now, graced=table.graced == table.ordinal)
    if until is None:
        return False
    for seat, case in zip(seats, cases, strict=True):
        if case.away_until is not None and seat.state == SeatState.SITTING:
            Seat.objects.filter(pk=seat.pk).update(state=SeatState.AWAY)
    table.graced = table.ordinal
    turns.put_deadline(table, deadlines.later(settings, until))
    table.save()
    outbox.tell_seats(table, seats, letters.late(table), now)
    return True


def away_until(seat: Seat, now: datetime) -> datetime | None:
    """When the absence ends in which the calendar of a seat's player says that he or she is now."""
    profile = getattr(seat.user, "profile", None) if seat.user else None
    zone = ZoneInfo(profile.time_zone) if profile else ZoneInfo("UTC")
    today = now.astimezone(zone).date()
    absences = seat.user.absences.filter(begins__lte=today, ends__gte=today) if seat.user else []
    ends = max((one.ends for one in absences), default=None)
    if ends is None:
        return None
    return datetime.combine(ends + timedelta(days=2), datetime.min.time(), zone)  # the day after is for the orders


# -- adjudicating ----------------------------------------------------------------------------------------------------


def _adjudicated(number: int, ordinal: int) -> tuple[Game, list[str]]:
    """The game with the phase over, and the powers that are lost with it.  Nothing is locked."""
    table = Table.objects.get(pk=number)
    game, seats = store.load(table), rows.seated(table)
    sheets = list(Sheet.objects.filter(table=table, ordinal=ordinal))
    sent = {sheet.power for sheet in sheets}
    asked = set(readiness.waited_for(table, game))
    lost = [
        seat.power
        for seat in seats
        if seat.power in asked
        and seat.power not in sent
        and absence.before_processing(seat.state) == SeatState.DISORDER
    ]
    for power in lost:
        game = game.set_disorder(power)
    answers = bots.answer(game, [seat for seat in seats if seat.power not in sent])
    for power, texts in answers.items():
        game = game.submit(power, texts, amend=False)
    return store.with_sheets(game, sheets).process(phase=table.phase_code), lost


def _bring_in(
    number: int, ordinal: int, token: str, why: str, game: Game, lost: list[str], now: datetime | None
) -> Done:
    """Store the result, all of it or nothing, if the claim still holds."""
    with rows.locked(number) as table:
        at = now or clock.now()
        if table.claimed_by != token or table.ordinal != ordinal or table.state != TableState.RUNNING:
            return Done.ALREADY
        at = max(at, table.phase_began or at)
        wanted = _seats_after(table, game, lost, at)
        over = game.records[-1]
        settings = rows.settings_of(table)
        wait = timedelta(minutes=settings.absent.standby) if wanted else None
        turns.begin(table, game, at, at_least=wait)
        digest = hashlib.sha256(table.record.encode()).hexdigest()
        PhaseRow.objects.create(
            table=table, ordinal=ordinal, code=over.phase.code, processed_at=at, why=why[:24], digest=digest
        )
        if table.sandbox:
            if game.outcome:
                turns.finish(table, game, at)
            return Done.PROCESSED
        seats = rows.seated(table)
        outbox.tell_seats(table, seats, letters.phase_over(table, game), at)
        if game.outcome:
            turns.finish(table, game, at)
        else:
            turns.halt_if_deserted(table, seats, at)
    LOG.info("a phase is over", extra={**_facts(number, ordinal), "event": "processed", "why": why})
    return Done.PROCESSED


def _seats_after(table: Table, game: Game, lost: list[str], now: datetime) -> bool:
    """Bring the seats up to date; is a standby wanted now for one that was not before?"""
    record, policy, wanted = game.records[-1], rows.settings_of(table).absent, False
    missed = game.missing(record)
    seats = [seat for seat in rows.seated(table) if seat.user_id]
    for seat in seats:
        power, old = seat.power or "", seat.state
        if power in game.disorder:
            seat.state = SeatState.DISORDER
        elif record.phase.kind is PhaseKind.MOVEMENT and (power in missed or power in record.orders):
            sent = power not in missed
            seat.asked, seat.sent = seat.asked + 1, seat.sent + sent
            seat.state, seat.misses = absence.after_moves(policy, seat.state, seat.misses, sent=sent)
        if seat.state != old and seat.state == SeatState.STANDBY_WANTED:
            wanted = True
            press.announce(table, f"{power} has missed its orders; a player is wanted.", now)
        if seat.state != old and seat.state == SeatState.DISORDER:
            press.announce(table, f"{power} is in civil disorder.", now)
    Seat.objects.bulk_update(seats, ["state", "misses", "asked", "sent"])
    return wanted


# -- failing ---------------------------------------------------------------------------------------------------------


def _failed(
    number: int, ordinal: int, token: str, error: Exception, now: datetime | None, *, counts: bool = True
) -> Done:
    """Give the claim back, and set the table apart if this was the last attempt.

    What fails because the database does is not the game's fault, and does not count.
    """
    with rows.locked(number) as table:
        if table.claimed_by != token or table.ordinal != ordinal:
            return Done.ALREADY
        table.claimed_at, table.claimed_by = None, ""
        table.attempts -= not counts
        table.save(update_fields=["claimed_at", "claimed_by", "attempts"])
        if table.attempts < MOST_ATTEMPTS:
            return Done.FAILED
        _set_apart(table, type(error).__name__, now or clock.now())
    return Done.QUARANTINED


def _unreadable(number: int, ordinal: int, refused: Refused, now: datetime | None) -> Done:
    """Count an attempt at a table whose record cannot be read."""
    LOG.error("a record cannot be read", exc_info=refused, extra=_facts(number, ordinal))
    with transaction.atomic():
        Table.objects.filter(pk=number, ordinal=ordinal).update(attempts=F("attempts") + 1, claimed_by="u")
    return _failed(number, ordinal, "u", refused, now)


def _set_apart(table: Table, error: str, now: datetime) -> None:
    """Put a table in quarantine, and say so, without a word of its orders."""
    table.state, table.claimed_at, table.claimed_by, table.ready_at = TableState.QUARANTINED, None, "", None
    store.touch(table)
    table.save()
    press.announce(table, f"{table.phase_code} cannot be adjudicated; the table waits for its Gamesmaster.", now)
    letter = letters.quarantined(table, error)
    outbox.tell_gm(table, letter, now)
    staff = User.objects.filter(is_superuser=True, is_active=True)
    for user in staff:
        outbox.tell_user(table, user, letter, now)
    rows.audit(None, f"quarantined: {error}", table, now)


def _facts(number: int, ordinal: int) -> dict[str, int]:
    return {"table": number, "ordinal": ordinal}
