"""Back in time: a phase taken back by the Gamesmaster, or a sandbox made from one."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from django.contrib.auth.models import User

from gamesmaster.game import new_seed
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Ballot, PhaseRow, Receipt, Sheet, Table, TableState
from gamesmaster.host.service import clock, letters, outbox, press, ratings, rows, store, tables, turns
from gamesmaster.host.service.viewing import TableView


def rollback(table: Table | int, to: int, by: User | None, *, now: datetime | None = None) -> None:
    """Take a game back to the phase with this ordinal; its orders are there again, and nobody is ready.

    Everybody is told; receipts of the phases taken back are void.  The dice stay what they were.  Raises `Refused`.
    """
    with rows.locked(table) as row:
        at = now or clock.now()
        tables.must_run(row, by)
        if row.state in (TableState.FORMING, TableState.CANCELLED):
            raise Refused("not-running", f"This table is {row.state}.")
        rows.check_quiet(row, at)
        game = store.load(row)
        if not 0 <= to < len(game.records):
            raise Refused("no-phase", "No such phase is over.")
        back = game.rollback(game.records[to].phase.code)
        PhaseRow.objects.filter(table=row, ordinal__gte=to).delete()
        Receipt.objects.filter(table=row, ordinal__gt=to).update(void=True)
        Sheet.objects.filter(table=row, ordinal__gt=to).delete()
        Sheet.objects.filter(table=row, ordinal=to).update(confirmed=False, hold=False)
        Ballot.objects.filter(table=row, ordinal__gte=to).delete()
        row.state, row.finished, row.graced, row.reminded, row.seconds_left = TableState.RUNNING, None, -1, -1, None
        turns.begin(row, back, at)
        if row.sandbox:
            return
        ratings.take_back(row)
        code = back.phase.code
        press.announce(row, f"The game is taken back to {code}. Receipts of later phases are void.", at)
        outbox.tell_seats(row, rows.seated(row), letters.moved(row, f"The game is taken back to {code}."), at)
        rows.audit(by, f"rolled back to {code}", row, at)


def fork(view: TableView, ordinal: int, user: User | None, *, now: datetime | None = None) -> Table:
    """A sandbox that begins where a game the viewer may see stood in a phase, with its orders if that is over.

    Its dice are its own: with the game's one could look into the game's future.
    """
    at = now or clock.now()
    game = view.bare_game
    if ordinal != len(game.records):
        game = game.rollback(view.record(ordinal).phase.code)
    sent = dict(game.orders)
    made = tables.create(user, view.variant.id, name=f"{view.name}, from {game.phase.code}", sandbox=True, now=at)
    seed = new_seed()
    with rows.locked(made) as table:
        table.seed, table.forked_from = seed, f"{view.key} {game.phase.code}"
        table.state, table.started = TableState.RUNNING, at
        turns.begin(table, replace(game, seed=seed, outcome=None, disorder=frozenset()), at)
        for power, lines in sent.items():
            Sheet.objects.create(
                table=table, ordinal=table.ordinal, power=power, text="\n".join(lines), sent_at=at, channel="web"
            )
    return table
