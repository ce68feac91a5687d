"""Phases are processed: each exactly once, whole or not at all, by whichever worker comes first.

A worker claims the phase and counts the attempt in a transaction of its own (`claims`); from then on nothing sent
changes the phase.  It adjudicates without holding anything, and brings in record, next phase, deadline, notices and
mails in one transaction, if the claim is still its own (`results`).  A worker that dies leaves a claim that runs out;
one that fails leaves a count, and after `MOST_ATTEMPTS` the table is set apart and everybody else plays on.
"""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import User
from django.db import OperationalError
from django.db.models import F, Q
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.game import Game
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import SeatState, Sheet, Table, TableState
from gamesmaster.host.service import absence, bots, claims, clock, downtime, readiness, results, rows, standbys, store
from gamesmaster.host.service.claims import MOST_ATTEMPTS as MOST_ATTEMPTS
from gamesmaster.host.service.claims import Claim
from gamesmaster.host.service.claims import Done as Done
from gamesmaster.judge import Adjudication

LOG = logging.getLogger("gamesmaster.host")


def due(now: datetime, most: int = 1000) -> list[tuple[int, int]]:
    """Tables whose phase is to be processed, and its ordinal; those that wait longest come first.

    An order stored at the very deadline is in time, so a phase is due only after it; and only when every door by which
    players send was seen open after it.
    """
    seen = downtime.open_until(now)
    late = Q(deadline__lt=seen.get(downtime.WEB, now))
    if (mail := seen.get(downtime.MAIL, now)) < now:
        late &= Q(deadline__lt=mail) | ~Q(downtime.by_mail(now))
    free = Q(claimed_at=None) | Q(claimed_at__lte=now - rows.CLAIM_LASTS)
    found = Table.objects.filter(free & (late | Q(ready_at__lte=now)), state=TableState.RUNNING).order_by(
        F("deadline").asc(nulls_last=True), "pk"
    )
    return list(found.values_list("pk", "ordinal")[:most])


def process(table: Table | int, ordinal: int, why: str = "due", *, now: datetime | None = None) -> Done:
    """Process the phase with this ordinal; `why` is `due`, or `asked` by somebody who may (see `ask`).

    Raises nothing for what is wrong with the game: that is counted, and ends in quarantine.
    """
    number = table if isinstance(table, int) else table.pk
    claim = claims.take(number, ordinal, why, now)
    if isinstance(claim, Done):
        return claim
    try:
        return results.bring_in(claim, why, adjudicated(claim), now)
    except OperationalError as error:
        LOG.error("the database failed a phase", exc_info=error, extra=claims.facts(number, ordinal))
        return claims.give_back(number, ordinal, claim.token, error, now, counts=False)
    except Exception as error:  # whatever it is, the other tables play on
        LOG.error("a phase failed", exc_info=error, extra=claims.facts(number, ordinal))
        return claims.give_back(number, ordinal, claim.token, error, now)


def adjudicated(claim: Claim) -> Game:
    """The game with the phase over, and with it the powers for which a standby was looked for in vain.

    Where a player misses for the last time, the orders count for which a standby was asked.  Nothing is locked.
    """
    game, sent = claim.game, {sheet.power for sheet in claim.sheets}
    missing = readiness.missing(game, claim.seats, claim.sheets)
    for power in _given_up(claim, missing):
        game = game.set_disorder(power)
    answers = bots.answer(game, [seat for seat in claim.seats if seat.power not in sent])
    for power, texts in answers.items():
        game = game.submit(power, texts, amend=False)
    stand_ins = standbys.sent(claim.standbys, game, missing)
    game = store.with_sheets(game, [*claim.sheets, *stand_ins])
    if rows.settings_of(claim.table).anonymity != "none":
        game = store.in_fair_copy(game)
    return game.process(phase=claim.table.phase_code)


def _given_up(claim: Claim, missing: Collection[str]) -> list[str]:
    """The powers for which a player was looked for in vain: where one misses again, or has left a phase before."""
    found = []
    for seat in claim.seats:
        lost = seat.joined_ordinal < claim.table.ordinal if seat.vacant else seat.power in missing and not claim.early
        if lost and absence.before_processing(seat.state) == SeatState.DISORDER:
            found.append(seat.power or "")
    return [power for power in found if power in claim.game.survivors]


def ask(table: Table | int, ordinal: int, user: User | None, *, now: datetime | None = None) -> Done:
    """Process a phase because the Gamesmaster, or whoever plays with a sandbox, says so; raises `Refused` to others."""
    row = table if isinstance(table, Table) else Table.objects.get(pk=table)
    if not (rows.opens_to(row, user) or rows.is_gm(row, user)):
        raise Refused("not-gm", _("Only the Gamesmaster can process a phase."))
    done = process(row, ordinal, "asked", now=now)
    if done is Done.PROCESSED and not row.sandbox:
        rows.audit(user, format_lazy(gettext_lazy("processed {phase}"), phase=row.phase_code), row, now or clock.now())
    return done


def preview(table: Table, user: User | None, *, now: datetime | None = None) -> Adjudication:
    """What the phase would come to with what has been sent; for the Gamesmaster, and noted in the audit log.

    Nothing is stored, no die is thrown.
    """
    if not (rows.opens_to(table, user) or rows.is_gm(table, user)):
        raise Refused("not-gm", _("Only the Gamesmaster can look ahead."))
    if not table.sandbox:
        rows.audit(
            user,
            format_lazy(gettext_lazy("previewed {phase}"), phase=table.phase_code),
            table,
            now or clock.now(),
        )
    sheets = Sheet.objects.filter(table=table, ordinal=table.ordinal)
    return store.with_sheets(store.load(table), sheets).what_if()
