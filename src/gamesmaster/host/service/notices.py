"""Reminders: a letter to those whose orders are missing when the deadline is near."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

from django.db.models import F

from gamesmaster.game import Game
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Seat, Sheet, Table, TableState
from gamesmaster.host.service import absence, drafts, letters, outbox, readiness, rows, store

FURTHEST = timedelta(days=366)


def remind(now: datetime) -> int:
    """Write the reminders that are due, one a phase and player; how many tables had any?

    Reminded are those who have sent nothing, and those who are not ready with orders that lack something.
    """
    near = Table.objects.filter(state=TableState.RUNNING, deadline__gt=now, deadline__lt=now + FURTHEST)
    found = near.exclude(reminded=F("ordinal")).values_list("pk", flat=True)
    return sum(_remind(number, now) for number in list(found))


def _remind(number: int, now: datetime) -> bool:
    with rows.locked(number) as table:
        if table.state != TableState.RUNNING or table.deadline is None or table.reminded == table.ordinal:
            return False
        policy = rows.settings_of(table).absent
        if not absence.notice_due(policy, table.phase_began or now, table.deadline, now):
            return False
        table.reminded = table.ordinal
        table.save(update_fields=["reminded"])
        seats, sheets = rows.seated(table), list(Sheet.objects.filter(table=table, ordinal=table.ordinal))
        try:
            game = store.load(table)
            missing = readiness.missing(game, seats, sheets)
        except Refused:
            return False  # processing will say so
        late = [seat for seat in seats if seat.power in missing]
        outbox.tell_seats(table, late, letters.reminder(table, game), now)
        for seat, lacks in _incomplete(game, seats, sheets):
            outbox.tell_seats(table, [seat], letters.reminder(table, game, lacks), now)
            late.append(seat)
        return bool(late)


def _incomplete(game: Game, seats: Sequence[Seat], sheets: Sequence[Sheet]) -> Iterator[tuple[Seat, list[str]]]:
    """The players who are not ready, and whose orders, saved as they were drawn, lack something: what."""
    drawn = {sheet.power: sheet for sheet in sheets if not sheet.confirmed}
    waited = readiness.waited_for(game, seats)
    for seat in seats:
        sheet = drawn.get(seat.power or "")
        if sheet is None or seat.power not in waited:
            continue
        try:
            lacks = drafts.told(drafts.look_over(game, sheet.power, sheet.lines).lacks)
        except Refused:  # out of the game, or gone
            continue
        if lacks:
            yield seat, lacks
