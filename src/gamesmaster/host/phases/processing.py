"""Processing phases: reminders, finding phases that are due, adjudicating them, and storing the results."""

from __future__ import annotations

import hashlib
import logging
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import OperationalError, transaction
from django.db.models import F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.game import Game, defective, seen_by
from gamesmaster.host.games import deadlines, patience, seats, standbys
from gamesmaster.host.orders import drafts, submission
from gamesmaster.host.phases import downtime, leases, outages
from gamesmaster.host.phases.leases import MOST_ATTEMPTS as MOST_ATTEMPTS
from gamesmaster.host.phases.leases import Done as Done
from gamesmaster.host.phases.leases import PhaseLease
from gamesmaster.host.press import correspondence, holding
from gamesmaster.host.site import clock, jobs
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import notifications, outbox, store
from gamesmaster.host.tables.models import PhaseRow, Seat, SeatState, Sheet, Table, TableState
from gamesmaster.host.tables.notifications import Line
from gamesmaster.host.tables.view import in_site_language
from gamesmaster.judge import Adjudication
from gamesmaster.orders import PhaseKind

LOG = logging.getLogger("gamesmaster.host")


def bring_in(lease: PhaseLease, why: str, game: Game, now: datetime | None) -> Done:
    """Store an adjudicated phase with the next phase, its deadline, notices and mails, if the lease is still valid."""
    kept, report = store.serialise(game), notifications.report_of(game)  # slow work is done before the lock
    with store.lock(lease.table, record=False) as table:
        at = now or clock.now()
        if not leases.holds(table, lease):
            return Done.ALREADY
        _store(table, lease, kept, report, why[:24], max(at, table.phase_began or at))
    facts = leases.facts(table.pk, lease.table.ordinal)
    LOG.info("a phase is over", extra={**facts, "event": "processed", "why": why})
    return Done.PROCESSED


def _store(table: Table, lease: PhaseLease, kept: store.StoredGame, report: Line, why: str, now: datetime) -> None:
    """Store an adjudicated phase, for a table under lock."""
    game, ordinal, settings, ahead = kept.game, table.ordinal, store.settings_of(table), table.ahead
    holding.flush(table, now)
    before, late = {seat.pk: [seat.state, seat.misses, seat.asked, seat.sent] for seat in lease.seats}, None
    if why == "due":
        since = min((at for at in (table.deadline, table.ready_at) if at is not None), default=now)
        late = max(int((now - since).total_seconds()), 0)
    lost = _seats_after(table, game, lease)
    left_now = [seat for seat in lease.seats if seat.vacant and seat.joined_ordinal == ordinal]
    wanted = any(seat.state == SeatState.STANDBY_WANTED for seat in [*lost, *left_now])
    taken = _take_over(table, lease, ordinal + 1, now)
    seats = [*(seat for seat in lease.seats if seat.state != SeatState.LEFT), *taken]
    wait = timedelta(minutes=settings.absent.standby) if wanted else None
    senders = _senders(table, lease, game)
    table.ahead = {power: sent.data for power, sent in kept.whole.ahead.items() if power in senders}
    deadlines.begin_phase(table, kept, now, at_least=wait, fresh=seats)
    submission.save_ahead(table, kept.whole, senders, now)
    PhaseRow.objects.create(
        table=table, ordinal=ordinal, code=game.records[-1].phase.code, processed_at=now, why=why, late=late,
        digest=hashlib.sha256(kept.record.encode()).hexdigest(), seats=before, ahead=ahead,
    )  # fmt: skip
    if not table.sandbox:
        due = [one for one in kept.due if one.power in senders]
        outbox.tell_seats(table, lease.seats, notifications.phase_over(table, game, report, due), now)
    if defective(game.records[-1]):
        leases.tell_staff(table, notifications.write(table, "defective", code=game.records[-1].phase.code), now)
    _tell_of_losses(table, game, lease, taken, lost, now)
    standbys.forget(table)
    if game.outcome:
        deadlines.finish_game(table, game, now)
    elif not table.sandbox:
        deadlines.halt_if_deserted(table, seats, now)
        standbys.look_again(table, seats, now)


def _senders(table: Table, lease: PhaseLease, game: Game) -> dict[str, User | None]:
    """Return the powers whose orders sent ahead still count, each with its player, who must have kept the seat."""
    if table.sandbox:
        return dict.fromkeys(game.rules.powers)
    return {seat.power or "": seat.user for seat in lease.seats if seat.state != SeatState.LEFT and not seat.vacant}


def _take_over(table: Table, lease: PhaseLease, ordinal: int, now: datetime) -> list[Seat]:
    """Create seats for standbys who replace players after their last miss, from this phase on; return these seats."""
    candidates, made = {one.power: one for one in lease.standbys}, []
    for seat in lease.seats:
        if seat.state != SeatState.LEFT:
            continue
        power = seat.power or ""
        Seat.objects.filter(pk=seat.pk).update(left_ordinal=ordinal)
        made.append(
            Seat.objects.create(
                table=table, power=power, user=candidates[power].user, joined=now, joined_ordinal=ordinal
            )
        )
        standbys.settle(made[-1])
    return made


@in_site_language
def _tell_of_losses(
    table: Table, game: Game, lease: PhaseLease, taken: list[Seat], lost: list[Seat], now: datetime
) -> None:
    """Notify the players concerned, and the others, of seats that were lost in the phase."""
    if game.outcome:
        return
    here = [*(seat for seat in lease.seats if seat.state != SeatState.LEFT), *taken]
    gone = {seat.power: seat for seat in lease.seats if seat.state == SeatState.LEFT}
    for seat in taken:
        power = seat.power or ""
        why = _("Your orders for {power} were missing again, so a standby plays {power} from now on.").format(
            power=power
        )
        outbox.tell_seats(table, [gone[power]], notifications.write(table, "replaced", power=power, why=why), now)
        how = _("The orders of {power} were missing again, so a standby takes over.").format(power=power)
        correspondence.notify(table, notifications.new_player(table, game, power, how), now, here)
    for seat in lost:
        power, wanted = seat.power or "", seat.state == SeatState.STANDBY_WANTED
        own, others = (
            notifications.seat_loss(table, power, seat.misses)
            if wanted
            else (
                notifications.write(table, "own_disorder", power=power),
                notifications.write(table, "disorder", power=power),
            )
        )
        outbox.tell_seats(table, [seat], own, now)
        correspondence.notify(table, others, now, [one for one in here if one.pk != seat.pk])
        if table.gm is not None:
            outbox.tell_gm(table, others, now)


def _seats_after(table: Table, game: Game, lease: PhaseLease) -> list[Seat]:
    """Update the seats and return those that were newly lost or are newly in civil disorder."""
    lost: list[Seat] = []
    late = submission.missing(lease.game, lease.seats, lease.sheets)
    stand_ins = standbys.stand_ins(lease.standbys, lease.game, late)
    missed = game.missing(game.records[-1]) | {one.power for one in stand_ins}
    company = len([seat for seat in lease.seats if seat.user_id]) > 1
    # one statement for all seats with the same change
    alike: dict[tuple[str, int, int, int], list[int]] = defaultdict(list)
    for seat in lease.seats:
        if seat.bot:
            continue
        old = (seat.state, seat.misses)
        asked, sent = _after(game, lease, seat, missed)
        if not company:  # play against bots alone does not count for reliability
            asked = sent = 0
        if asked or old != (seat.state, seat.misses):
            alike[seat.state, seat.misses, asked, sent].append(seat.pk)
        if seat.state != old[0] and seat.state in store.WANTED:
            lost.append(seat)
    for (state, misses, asked, sent), keys in alike.items():
        counted = {"asked": F("asked") + asked, "sent": F("sent") + sent}
        Seat.objects.filter(pk__in=keys).update(state=state, misses=misses, **counted)
    return lost


def _after(game: Game, lease: PhaseLease, seat: Seat, missed: Collection[str]) -> tuple[int, int]:
    """Update a seat; return how often orders were due and sent, as its player's reliability counts them.

    A set without orders is not a miss but does not count as sent. Before the deadline, missing orders are not a miss.
    """
    record, power = game.records[-1], seat.power or ""
    if power not in game.survivors:  # its orders are no longer due
        seat.state = SeatState.SITTING if seat.state in store.WANTED else seat.state
        return 0, 0
    if power in game.disorder:
        seat.state = SeatState.DISORDER
        return 0, 0
    none = power in missed
    if seat.vacant or record.phase.kind is not PhaseKind.MOVEMENT or not (none or power in record.orders):
        return 0, 0
    if none and lease.early:
        return 0, 0
    ready = any(one.power == power for one in lease.standbys)
    policy = store.settings_of(lease.table).absent
    seat.state, seat.misses = standbys.after_moves(policy, seat.state, seat.misses, sent=not none, standby=ready)
    counts = none or bool(record.orders[power])
    return int(counts), int(counts and not none)


def due(now: datetime, most: int = 1000) -> list[tuple[int, int]]:
    """Return table and ordinal of the phases to process, those first that have waited longest.

    An order saved exactly at the deadline is in time, so a phase is due only after it, and only when every door by
    which players send was seen open after it. While deadlines are moved after an outage, the result is empty.
    """
    seen = downtime.open_until(now)
    late = Q(deadline__lt=seen.get(downtime.WEB, now))
    if (mail := seen.get(downtime.MAIL, now)) < now:
        late &= Q(deadline__lt=mail) | ~Q(outages.by_mail(now))
    if outages.is_moving():
        return []
    free = Q(claimed_at=None) | Q(claimed_at__lte=now - store.CLAIM_LASTS)
    tables = Table.objects.filter(free & (late | Q(ready_at__lte=now)), state=TableState.RUNNING).order_by(
        F("deadline").asc(nulls_last=True), "pk"
    )
    return list(tables.values_list("pk", "ordinal")[:most])


def process(table: Table | int, ordinal: int, why: str = "due", *, now: datetime | None = None) -> Done:
    """Process the phase with this ordinal and return the result; `why` is `due`, or `asked` (see `ask`).

    Errors of the game are not raised but counted; too many put the table into quarantine.
    """
    number = table if isinstance(table, int) else table.pk
    lease = leases.take(number, ordinal, why, now)
    if isinstance(lease, Done):
        return lease
    try:
        return bring_in(lease, why, adjudicate(lease), now)
    except OperationalError as error:
        LOG.error("the database failed a phase", exc_info=error, extra=leases.facts(number, ordinal))
        return leases.give_back(number, ordinal, lease.token, error, now, counts=False)
    except Exception as error:  # any error: the other tables play on
        LOG.error("a phase failed", exc_info=error, extra=leases.facts(number, ordinal))
        return leases.give_back(number, ordinal, lease.token, error, now)


def adjudicate(lease: PhaseLease) -> Game:
    """Return the game with the phase adjudicated, and with civil disorder for powers that found no new player.

    After a player's last miss, the orders of the standby count. No row is locked meanwhile.
    """
    game, sent = lease.game, {sheet.power for sheet in lease.sheets}
    missing = submission.missing(game, lease.seats, lease.sheets)
    for power in _powers_given_up(lease, missing):
        game = game.set_disorder(power)
    answers = seats.bot_orders(game, [seat for seat in lease.seats if seat.power not in sent])
    for power, texts in answers.items():
        game = game.submit(power, texts, amend=False)
    stand_ins = standbys.stand_ins(lease.standbys, game, missing)
    ahead = store.ahead_at(lease.table, lease.sheets)
    game = store.with_sheets(game, [*lease.sheets, *stand_ins], ahead)
    if store.settings_of(lease.table).anonymity != "none":
        game = store.in_fair_copy(game)
    return game.process(phase=lease.table.phase_code)


def _powers_given_up(lease: PhaseLease, missing: Collection[str]) -> list[str]:
    """Return the powers that found no new player: their player missed again, or left in an earlier phase."""
    powers = []
    for seat in lease.seats:
        lost = seat.joined_ordinal < lease.table.ordinal if seat.vacant else seat.power in missing and not lease.early
        if lost and standbys.before_processing(seat.state) == SeatState.DISORDER:
            powers.append(seat.power or "")
    return [power for power in powers if power in lease.game.survivors]


def ask(table: Table | int, ordinal: int, user: User | None, *, now: datetime | None = None) -> Done:
    """Process a phase on request of the Gamesmaster or a user of the sandbox; raise `Refused` for others."""
    row = table if isinstance(table, Table) else Table.objects.get(pk=table)
    if not (store.opens_to(row, user) or store.is_gm(row, user)):
        raise Refused("not-gm", _("Only the Gamesmaster can process a phase."))
    done = process(row, ordinal, "asked", now=now)
    if done is Done.PROCESSED and not row.sandbox:
        store.audit(user, gettext_lazy("processed {phase}"), row, now or clock.now(), phase=row.phase_code)
    return done


def preview(table: Table, user: User | None, *, now: datetime | None = None) -> Adjudication:
    """Return the results of the orders sent so far, for the Gamesmaster, and record that in the audit log.

    Nothing is stored and no dice are thrown.
    """
    if not (store.opens_to(table, user) or store.is_gm(table, user)):
        raise Refused("not-gm", _("Only the Gamesmaster can look ahead."))
    if not table.sandbox:
        store.audit(user, gettext_lazy("previewed {phase}"), table, now or clock.now(), phase=table.phase_code)
    sheets = Sheet.objects.filter(table=table, ordinal=table.ordinal)
    return store.with_sheets(store.load(table), sheets).what_if()


REMINDED_AT_ONCE = 20
REMINDER = "reminder"
"""The job that sends the reminders of a single table, whose turn among the others has failed."""


def remind(now: datetime) -> int:
    """Send the reminders of the next tables that are due, once per phase; return the number of these tables.

    They go to players without orders, and to players who are not ready and whose orders lack something.
    """
    due = Table.objects.filter(state=TableState.RUNNING, remind_at__lte=now).order_by("remind_at", "pk")
    numbers = list(due.values_list("pk", flat=True)[:REMINDED_AT_ONCE])
    for number in numbers:
        try:
            _remind(number, now)
        except Exception as error:  # the other tables are reminded
            LOG.error("a reminder failed", exc_info=error, extra={"table": number})
            jobs.put_off(REMINDER, number, error, now)
            Table.objects.filter(pk=number).update(remind_at=None)
    return len(numbers)


def remind_again(number: int, now: datetime) -> None:
    """Send the reminders of a table after a failure, unless they were sent."""
    coming = Q(deadline__gt=now) | Q(deadline=None)
    waiting = Table.objects.filter(coming, pk=number, remind_at=None).exclude(reminded=F("ordinal"))
    with transaction.atomic():
        waiting.update(remind_at=now)
        _remind(number, now)


def _remind(number: int, now: datetime) -> None:
    with store.lock(number, record=False) as table:
        if table.state != TableState.RUNNING or table.remind_at is None or table.remind_at > now:
            return
        if table.deadline is None:
            patience.end_wait(table, now)
            return
        in_time = now < table.deadline
        table.remind_at, table.reminded = None, table.ordinal if in_time else table.reminded
        table.save(update_fields=["remind_at", "reminded"])
        if not in_time:
            return
        seats, sheets = store.seats_at(table), list(Sheet.objects.filter(table=table, ordinal=table.ordinal))
        try:
            game = store.load(table)
            missing = submission.missing(game, seats, sheets)
        except Refused:
            return  # processing will report it
        late = [seat for seat in seats if seat.power in missing]
        outbox.tell_seats(table, late, notifications.reminder(table, game), now)
        for seat, lacks in _incomplete(game, seats, sheets):
            outbox.tell_seats(table, [seat], notifications.reminder(table, game, lacks), now)


def _incomplete(game: Game, seats: Sequence[Seat], sheets: Sequence[Sheet]) -> Iterator[tuple[Seat, list[str]]]:
    """Yield the players who are not ready and whose orders lack something, with what they lack."""
    drawn = {sheet.power: sheet for sheet in sheets if not sheet.confirmed}
    waited = submission.awaited_powers(game, seats)
    for seat in seats:
        sheet = drawn.get(seat.power or "")
        if sheet is None or seat.power not in waited:
            continue
        try:
            lacks = drafts.lack_words(drafts.look_over(seen_by(game, (sheet.power,)), sheet.power, sheet.lines).lacks)
        except Refused:  # the power has been eliminated, or its player has left
            continue
        if lacks:
            yield seat, lacks
