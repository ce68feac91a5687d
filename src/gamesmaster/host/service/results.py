"""Results: a phase that has been adjudicated is brought into its table, all of it or nothing."""

from __future__ import annotations

import hashlib
import logging
from collections import defaultdict
from datetime import datetime, timedelta

from django.db.models import F

from gamesmaster.game import Game
from gamesmaster.host.models import PhaseRow, Seat, SeatState, Table
from gamesmaster.host.service import (
    absence,
    claims,
    clock,
    letters,
    outbox,
    press,
    readiness,
    rows,
    standbys,
    store,
    turns,
)
from gamesmaster.host.service.claims import Claim, Done
from gamesmaster.orders import PhaseKind

LOG = logging.getLogger("gamesmaster.host")


def bring_in(claim: Claim, why: str, game: Game, now: datetime | None) -> Done:
    """Store the game with the phase over, the next phase, its deadline, notices and mails, if the claim still holds."""
    kept, told = store.written(game), letters.report_of(game)  # what takes long is done before anything is locked
    with rows.locked(claim.table, record=False) as table:
        at = now or clock.now()
        if not claims.holds(table, claim):
            return Done.ALREADY
        _store(table, claim, kept, told, why[:24], max(at, table.phase_began or at))
    facts = claims.facts(table.pk, claim.table.ordinal)
    LOG.info("a phase is over", extra={**facts, "event": "processed", "why": why})
    return Done.PROCESSED


def _store(table: Table, claim: Claim, kept: store.Kept, told: str, why: str, now: datetime) -> None:
    """The same for a table under lock."""
    game, ordinal, settings = kept.game, table.ordinal, rows.settings_of(table)
    wanted = _seats_after(table, game, claim, now)
    taken = _taken_over(table, claim, ordinal + 1, now)
    seats = [*(seat for seat in claim.seats if seat.state != SeatState.LEFT), *taken]
    wait = timedelta(minutes=settings.absent.standby) if wanted else None
    turns.begin(table, kept, now, at_least=wait, fresh=seats)
    PhaseRow.objects.create(
        table=table, ordinal=ordinal, code=game.records[-1].phase.code, processed_at=now, why=why,
        digest=hashlib.sha256(kept.record.encode()).hexdigest(),
    )  # fmt: skip
    if not table.sandbox:
        outbox.tell_seats(table, claim.seats, letters.phase_over(table, game, told), now)
    for seat in taken:
        outbox.tell_seats(table, [*claim.seats, *taken], letters.taken_over(table, seat.power or ""), now)
    standbys.forget(table)
    if game.outcome:
        turns.finish(table, game, now)
    elif not table.sandbox:
        turns.halt_if_deserted(table, seats, now)
        standbys.look_again(table, seats, now)


def _taken_over(table: Table, claim: Claim, ordinal: int, now: datetime) -> list[Seat]:
    """The seats of standbys in place of those who have missed for the last time; they play from this phase on."""
    asked, made = {one.power: one for one in claim.standbys}, []
    for seat in claim.seats:
        if seat.state != SeatState.LEFT:
            continue
        power = seat.power or ""
        Seat.objects.filter(pk=seat.pk).update(left_ordinal=ordinal)
        made.append(
            Seat.objects.create(table=table, power=power, user=asked[power].user, joined=now, joined_ordinal=ordinal)
        )
        standbys.settle(made[-1])
        press.announce(table, f"{power} has missed its orders again; its standby plays it from now on.", now)
    return made


def _seats_after(table: Table, game: Game, claim: Claim, now: datetime) -> bool:
    """Bring the seats up to date; is a standby wanted now for one that was not before?"""
    record, policy, wanted = game.records[-1], rows.settings_of(table).absent, False
    ready = {one.power for one in claim.standbys}
    late = readiness.missing(claim.game, claim.seats, claim.sheets)
    missed = game.missing(record) | {one.power for one in standbys.sent(claim.standbys, claim.game, late)}
    alike: dict[tuple[str, int, int, int], list[int]] = defaultdict(list)  # one statement for all that change alike
    for seat in claim.seats:
        if not seat.user_id:
            continue
        power, old, asked, sent = seat.power or "", (seat.state, seat.misses), 0, 0
        if power in game.disorder:
            seat.state = SeatState.DISORDER
        elif record.phase.kind is PhaseKind.MOVEMENT and (power in missed or power in record.orders):
            asked, sent = 1, int(power not in missed)
            seat.state, seat.misses = absence.after_moves(
                policy, seat.state, seat.misses, sent=bool(sent), standby=power in ready
            )
        if asked or old != (seat.state, seat.misses):
            alike[seat.state, seat.misses, asked, sent].append(seat.pk)
        if seat.state == old[0]:
            continue
        if seat.state == SeatState.STANDBY_WANTED:
            wanted = True
            press.announce(table, f"{power} has missed its orders; a player is wanted.", now)
        if seat.state == SeatState.DISORDER:
            press.announce(table, f"{power} is in civil disorder.", now)
    for (state, misses, asked, sent), keys in alike.items():
        counted = {"asked": F("asked") + asked, "sent": F("sent") + sent}
        Seat.objects.filter(pk__in=keys).update(state=state, misses=misses, **counted)
    return wanted
