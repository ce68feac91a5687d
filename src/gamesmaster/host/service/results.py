"""Results: a phase that has been adjudicated is brought into its table, all of it or nothing."""

from __future__ import annotations

import hashlib
import logging
from collections import defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import F
from django.utils.translation import gettext as _

from gamesmaster.game import Game
from gamesmaster.game.defects import defective
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
    seat_letters,
    standbys,
    store,
    turns,
)
from gamesmaster.host.service.claims import Claim, Done
from gamesmaster.host.wording import in_site_language
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
    before = {seat.pk: [seat.state, seat.misses, seat.asked, seat.sent] for seat in claim.seats}
    lost = _seats_after(table, game, claim)
    wanted = any(seat.state == SeatState.STANDBY_WANTED for seat in [*lost, *_just_left(claim)])
    taken = _taken_over(table, claim, ordinal + 1, now)
    seats = [*(seat for seat in claim.seats if seat.state != SeatState.LEFT), *taken]
    wait = timedelta(minutes=settings.absent.standby) if wanted else None
    turns.begin(table, kept, now, at_least=wait, fresh=seats)
    PhaseRow.objects.create(
        table=table, ordinal=ordinal, code=game.records[-1].phase.code, processed_at=now, why=why,
        digest=hashlib.sha256(kept.record.encode()).hexdigest(), seats=before,
    )  # fmt: skip
    if not table.sandbox:
        outbox.tell_seats(table, claim.seats, letters.phase_over(table, game, told), now)
    if defective(game.records[-1]):
        claims.tell_staff(table, letters.defective(table, game.records[-1].phase.code), now)
    _tell_lost(table, game, claim, taken, lost, now)
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
    return made


@in_site_language
def _tell_lost(table: Table, game: Game, claim: Claim, taken: list[Seat], lost: list[Seat], now: datetime) -> None:
    """Tell of seats that were lost in the phase that is over: to their players, and to the others."""
    if game.outcome:
        return
    here = [*(seat for seat in claim.seats if seat.state != SeatState.LEFT), *taken]
    gone = {seat.power: seat for seat in claim.seats if seat.state == SeatState.LEFT}
    for seat in taken:
        power = seat.power or ""
        why = _("Your orders for {power} were missing again, so a standby plays {power} from now on.").format(
            power=power
        )
        outbox.tell_seats(table, [gone[power]], seat_letters.replaced(table, power, why), now)
        press.proclaim(table, seat_letters.taken_over(table, game, power), now, here)
    for seat in lost:
        power, wanted = seat.power or "", seat.state == SeatState.STANDBY_WANTED
        both = seat_letters.lost(table, power, seat.misses) if wanted else seat_letters.disorder(table, power)
        outbox.tell_seats(table, [seat], both[0], now)
        press.proclaim(table, both[1], now, [one for one in here if one.pk != seat.pk])
        if table.gm is not None:
            outbox.tell_gm(table, both[1], now)


def _just_left(claim: Claim) -> list[Seat]:
    """The seats whose players have left in the phase that is over: from now on others are looked for."""
    return [seat for seat in claim.seats if seat.vacant and seat.joined_ordinal == claim.table.ordinal]


def _seats_after(table: Table, game: Game, claim: Claim) -> list[Seat]:
    """Bring the seats up to date; those whose players have lost them, or are in civil disorder, and were not before."""
    lost: list[Seat] = []
    missed = _missed(game, claim)
    company = len([seat for seat in claim.seats if seat.user_id]) > 1
    alike: dict[tuple[str, int, int, int], list[int]] = defaultdict(list)  # one statement for all that change alike
    for seat in claim.seats:
        if seat.bot:
            continue
        old = (seat.state, seat.misses)
        asked, sent = _after(game, claim, seat, missed)
        if not company:  # who plays alone against bots proves nothing
            asked = sent = 0
        if asked or old != (seat.state, seat.misses):
            alike[seat.state, seat.misses, asked, sent].append(seat.pk)
        if seat.state != old[0] and seat.state in rows.WANTED:
            lost.append(seat)
    for (state, misses, asked, sent), keys in alike.items():
        counted = {"asked": F("asked") + asked, "sent": F("sent") + sent}
        Seat.objects.filter(pk__in=keys).update(state=state, misses=misses, **counted)
    return lost


def _missed(game: Game, claim: Claim) -> frozenset[str]:
    """The powers whose players sent no moves, those included whose standby did."""
    late = readiness.missing(claim.game, claim.seats, claim.sheets)
    return game.missing(game.records[-1]) | {one.power for one in standbys.sent(claim.standbys, claim.game, late)}


def _after(game: Game, claim: Claim, seat: Seat, missed: Collection[str]) -> tuple[int, int]:
    """Bring one seat up to date; how often orders were asked for, and came, as its player's reliability counts it.

    A set without a single order is no miss, and proves nothing.  What is missing before the deadline is no miss.
    """
    record, power = game.records[-1], seat.power or ""
    if power not in game.survivors:  # nothing is asked of it any more
        seat.state = SeatState.SITTING if seat.state in rows.WANTED else seat.state
        return 0, 0
    if power in game.disorder:
        seat.state = SeatState.DISORDER
        return 0, 0
    none = power in missed
    if seat.vacant or record.phase.kind is not PhaseKind.MOVEMENT or not (none or power in record.orders):
        return 0, 0
    if none and claim.early:
        return 0, 0
    ready = any(one.power == power for one in claim.standbys)
    policy = rows.settings_of(claim.table).absent
    seat.state, seat.misses = absence.after_moves(policy, seat.state, seat.misses, sent=not none, standby=ready)
    counts = none or bool(record.orders[power])
    return int(counts), int(counts and not none)
