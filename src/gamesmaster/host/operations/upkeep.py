"""Upkeep: migrating the database, and repairing tables that were stopped by a fault.

Trials store nothing and reveal no orders. Repairs are written into the audit log and use the services of the
Gamesmaster; nothing here edits a record.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from gamesmaster.errors import GamesmasterError, NotFound, OutOfTurn, nearest
from gamesmaster.game import Game, Survey, is_former, survey
from gamesmaster.host.games import deadlines
from gamesmaster.host.phases import past, processing
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.logs import place
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, editions, notifications, store
from gamesmaster.host.tables.models import KeptEdition, Sheet, Table, TableState
from gamesmaster.variant import find_edition, find_variant

HOUSE = "host"
KEPT = 3
"""Number of copies kept from before migrations."""


def check_database() -> None:
    """Raise `OutOfTurn` unless the database has the version of this program."""
    executor = MigrationExecutor(connection)
    refuse_newer(executor)
    if _changes_wait(executor):
        raise OutOfTurn("the database is of an older edition", hint="gamesmaster serve brings it up to date")


def refuse_newer(executor: MigrationExecutor) -> None:
    """Raise `OutOfTurn` if a newer program has migrated the database."""
    newer = unknown_migrations(executor, executor.loader.applied_migrations)
    if newer:
        hint = "start the newer Gamesmaster, or restore a backup from before"
        raise OutOfTurn(f"the database is of a newer edition: {', '.join(newer)[:200]}", hint=hint)


def unknown_migrations(executor: MigrationExecutor, applied: Collection[tuple[str, str]]) -> list[str]:
    """Return which of the site's migrations that were applied this program does not know.

    It knows migrations that one of its own replaces only if all of them were applied.
    """
    known = set(executor.loader.disk_migrations)
    for migration in executor.loader.disk_migrations.values():
        known |= set(migration.replaces) if set(migration.replaces) <= set(applied) else set()
    return sorted(name for app, name in applied if app == HOUSE and (app, name) not in known)


def _changes_wait(executor: MigrationExecutor) -> bool:
    """Return whether migrations are pending."""
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def bring_up_to_date(migrate: Callable[[], object], now: datetime) -> Path | None:
    """Migrate the database if necessary; return the path of the copy made first, if any.

    A copy is made of an SQLite database that is not empty. The caller ensures that no other process migrates. Raise
    `OutOfTurn` for a newer database.
    """
    executor = MigrationExecutor(connection)
    refuse_newer(executor)
    if not _changes_wait(executor):
        return None
    done = sorted(name for app, name in executor.loader.applied_migrations if app == HOUSE)
    begun = settings.DATA / "upgrading"  # names the first copy of an upgrade that has not ended yet
    first = begun.read_text().strip() if begun.exists() else ""
    made = copy_database(settings.DATA / f"before-{now:%Y%m%dT%H%M%S}-{done[-1]}.sqlite3", first) if done else None
    if made is not None and not first:
        begun.write_text(made.name)
    migrate()
    begun.unlink(missing_ok=True)
    return made


def copy_database(file: Path, kept: str = "") -> Path | None:
    """Copy an SQLite database while it is in use; return None for PostgreSQL, which has tools for that.

    Only the owner can read the copy. All but the newest copies and the one named `kept` are deleted, and so are the
    incomplete ones of processes that were killed.
    """
    if connection.vendor != "sqlite":
        return None
    for torn in file.parent.glob("before-*.new"):
        torn.unlink(missing_ok=True)
    fresh = file.with_name(f"{file.name}.new")
    os.close(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
    connection.ensure_connection()
    target = sqlite3.connect(fresh)
    try:
        connection.connection.backup(target)
    finally:
        target.close()
    fresh.replace(file)
    for old in sorted(file.parent.glob("before-*.sqlite3"))[:-KEPT]:
        if old.name != kept:
            old.unlink(missing_ok=True)
    return file


@dataclass(frozen=True, slots=True)
class SurveyedTable:
    """A table, and what this program makes of its record."""

    key: str
    name: str
    state: str
    survey: Survey


def changes_waiting() -> int:
    """Return the number of pending migrations.

    Raise `OutOfTurn` if a newer program has migrated the database, `NotFound` if it contains no site.
    """
    executor = MigrationExecutor(connection)
    refuse_newer(executor)
    if Table._meta.db_table not in connection.introspection.table_names():
        raise NotFound("there is no site in this database", hint="gamesmaster serve makes one")
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def count_tables() -> int:
    """Return the number of tables."""
    return Table.objects.count()


def survey_tables() -> Iterator[SurveyedTable]:
    """Yield every table, using only columns that the databases of all versions have."""
    kept = KeptEdition._meta.db_table in connection.introspection.table_names()
    columns = ("key", "name", "state", "variant", "digest", "record")
    for key, name, state, variant, digest, record in Table.objects.order_by("pk").values_list(*columns).iterator(50):
        find = editions.variant_finder(digest) if kept else partial(find_edition, digest=digest)
        yield SurveyedTable(
            key, name, state, survey(record, find=find, today=find_variant) if record else _unbegun(variant, find)
        )


def _unbegun(variant: str, find: editions.FindVariant) -> Survey:
    try:
        found = find(variant)
    except GamesmasterError as error:
        return Survey(fault=str(error))
    return Survey(found.address, is_former(found))


SAID = "quarantined: "
"""Beginning of the line in the audit log that says why a table was stopped."""


@dataclass(frozen=True, slots=True)
class Apart:
    """A table that was stopped by a fault."""

    key: str
    name: str
    phase: str
    since: datetime | None  # time of the fault
    why: str  # name of the error


def apart() -> list[Apart]:
    """Return the tables stopped by a fault, ordered by key."""
    found = []
    for table in Table.objects.filter(state=TableState.QUARANTINED).order_by("key"):
        line = table.audit.filter(what__startswith=SAID).order_by("-at", "-pk").first()
        why = line.what.removeprefix(SAID) if line else "not known"
        found.append(Apart(table.key, table.name, table.phase_code, line.at if line else None, why))
    return found


def find_table(key: str) -> Table:
    """Return the table with this key; raise `Refused` with a suggestion."""
    found = Table.objects.filter(key=key).first()
    if found is None:
        keys = [one.key for one in apart()]
        raise Refused("no-table", f"There is no game {key[:16]!r}.", nearest(key, keys))
    return found


def trial(table: Table) -> str:
    """Adjudicate the phase on a copy in memory; return a sentence with the next phase, or the error and its place.

    Bots are not called. Raise `Refused` if the record cannot be read.
    """
    after = _try_phase(table)
    if isinstance(after, Game):
        return f"{table.phase_code} can be adjudicated; then comes {'the end' if after.outcome else after.phase.code}."
    return f"{table.phase_code} fails: {_describe(after)}."


def _try_phase(table: Table) -> Game | Exception:
    game = store.load(table)
    sheets = list(Sheet.objects.filter(table=table, ordinal=table.ordinal).order_by("pk"))
    try:
        return store.with_sheets(game, sheets, store.ahead_at(table, sheets)).process(phase=table.phase_code)
    except Exception as error:  # any error is the answer
        return error


def _describe(error: Exception) -> str:
    """Return the error's type and place, without its text, which may quote an order."""
    return f"{type(error).__name__} at {place(error.__traceback__)}"


def export(table: Table) -> str:
    """Return the record as stored, readable or not. It does not contain orders of the current phase."""
    return table.record


def retry(table: Table, by: User | None, *, now: datetime | None = None) -> processing.Done:
    """Resume a table that was stopped by a fault and adjudicate its phase at once.

    Raise `Refused` if the table is not stopped, or if its phase still fails; it then stays stopped.
    """
    at = now or clock.now()
    if table.state != TableState.QUARANTINED:
        raise Refused("not-apart", f"This game is not stopped by a fault: it is {table.state}.")
    after = _try_phase(table)
    if not isinstance(after, Game):
        raise Refused(
            "still-fails", f"{table.phase_code} still fails: {_describe(after)}.", "or take it back with --back"
        )
    with store.lock(table) as row:
        deadlines.start_clock(row, at)
        notification = notifications.write(row, "resumed", why="The fault has been repaired, and the game goes on.")
        correspondence.notify(row, notification, at)
        store.audit(by, "repair: tried again", row, at)
    return processing.process(row.pk, row.ordinal, "repair", now=at)


def take_back(table: Table, phase: str, by: User | None, *, now: datetime | None = None) -> None:
    """Take a table back to a finished phase on behalf of an admin who does not play in it; raise `Refused`."""
    codes = [record.phase.code for record in store.load(table).records]
    if phase not in codes:
        raise Refused("no-phase", f"No phase {phase[:24]!r} is over.", nearest(phase, codes))
    access.must_run(table, by)
    past.rollback(table, codes.index(phase), by, now=now)
    store.audit(by, f"repair: taken back to {phase}", table, now or clock.now())
