"""Repairs by hand: tables set apart, why, what another attempt would come to, and the attempt itself.

A trial stores nothing and tells no order.  What changes something is written into the audit log, and goes the ways that
a Gamesmaster's doings go: nothing here writes into a record.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User

from gamesmaster.errors import nearest
from gamesmaster.game import Game
from gamesmaster.host.games import deadlines
from gamesmaster.host.phases import past, processing
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.logs import place
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, letters, store
from gamesmaster.host.tables.models import Sheet, Table, TableState

SAID = "quarantined: "
"""How the line of the audit log begins that says why a table was set apart."""


@dataclass(frozen=True, slots=True)
class Apart:
    """A table that was set apart: since when, and the name of the error."""

    key: str
    name: str
    phase: str
    since: datetime | None
    why: str


def apart() -> list[Apart]:
    """The tables that are set apart, by their keys."""
    found = []
    for table in Table.objects.filter(state=TableState.QUARANTINED).order_by("key"):
        line = table.audit.filter(what__startswith=SAID).order_by("-at", "-pk").first()
        why = line.what.removeprefix(SAID) if line else "not known"
        found.append(Apart(table.key, table.name, table.phase_code, line.at if line else None, why))
    return found


def find(key: str) -> Table:
    """The table with this key; raises `Refused`."""
    found = Table.objects.filter(key=key).first()
    if found is None:
        keys = [one.key for one in apart()]
        raise Refused("no-table", f"There is no game {key[:16]!r}.", nearest(key, keys))
    return found


def trial(table: Table) -> str:
    """What adjudicating the phase would come to, on a copy in memory: the next phase, or which error is raised where.

    Bots are not asked.  Raises `Refused` if the record cannot be read.
    """
    after = _tried(table)
    if isinstance(after, Game):
        return f"{table.phase_code} can be adjudicated; then comes {'the end' if after.outcome else after.phase.code}."
    return f"{table.phase_code} fails: {_told(after)}."


def _tried(table: Table) -> Game | Exception:
    game = store.load(table)
    sheets = list(Sheet.objects.filter(table=table, ordinal=table.ordinal).order_by("pk"))
    try:
        return store.with_sheets(game, sheets).process(phase=table.phase_code)
    except Exception as error:  # whatever it is: it is what is looked for
        return error


def _told(error: Exception) -> str:
    """Which error and where; never its text, which may quote an order."""
    return f"{type(error).__name__} at {place(error.__traceback__)}"


def export(table: Table) -> str:
    """The record as it is stored, whether or not it can be read; the orders of the phase being played are not in it."""
    return table.record


def retry(table: Table, by: User | None, *, now: datetime | None = None) -> processing.Done:
    """Let a table that was set apart go on, and adjudicate its phase at once.

    Raises `Refused` for a table that is not set apart, and for one whose phase still fails: it stays apart.
    """
    at = now or clock.now()
    if table.state != TableState.QUARANTINED:
        raise Refused("not-apart", f"This game is not stopped by a fault: it is {table.state}.")
    after = _tried(table)
    if not isinstance(after, Game):
        raise Refused("still-fails", f"{table.phase_code} still fails: {_told(after)}.", "or take it back with --back")
    with store.locked(table) as row:
        deadlines.start_clock(row, at)
        correspondence.proclaim(row, letters.resumed(row, "The fault has been repaired, and the game goes on."), at)
        store.audit(by, "repair: tried again", row, at)
    return processing.process(row.pk, row.ordinal, "repair", now=at)


def back(table: Table, phase: str, by: User | None, *, now: datetime | None = None) -> None:
    """Take a table back to a phase that is over, in the name of an admin who does not play there; raises `Refused`."""
    codes = [record.phase.code for record in store.load(table).records]
    if phase not in codes:
        raise Refused("no-phase", f"No phase {phase[:24]!r} is over.", nearest(phase, codes))
    access.must_run(table, by)
    past.rollback(table, codes.index(phase), by, now=now)
    store.audit(by, f"repair: taken back to {phase}", table, now or clock.now())
