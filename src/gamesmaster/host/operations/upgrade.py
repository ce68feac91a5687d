"""Which program has last changed the database, bringing it up to date, and whether that can be done safely."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from gamesmaster.errors import GamesmasterError, NotFound, OutOfTurn
from gamesmaster.game import Survey, is_former, survey
from gamesmaster.host.tables import editions
from gamesmaster.host.tables.models import KeptEdition, Table
from gamesmaster.variant import find_variant

HOUSE = "host"
KEPT = 3
"""Copies made before a database was brought up to date; the oldest are taken away."""


def check() -> None:
    """Raise `OutOfTurn` unless the database is of the edition of this program."""
    executor = MigrationExecutor(connection)
    refuse_newer(executor)
    if _changes_wait(executor):
        raise OutOfTurn("the database is of an older edition", hint="gamesmaster serve brings it up to date")


def refuse_newer(executor: MigrationExecutor) -> None:
    """Raise `OutOfTurn` if a newer program has changed the database: this one would not understand what is in it."""
    known = {name for app, name in executor.loader.disk_migrations if app == HOUSE}
    newer = sorted(name for app, name in executor.loader.applied_migrations if app == HOUSE and name not in known)
    if newer:
        hint = "start the newer Gamesmaster, or restore a backup from before"
        raise OutOfTurn(f"the database is of a newer edition: {', '.join(newer)[:200]}", hint=hint)


def _changes_wait(executor: MigrationExecutor) -> bool:
    """Are there changes to be made?"""
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def bring_up_to_date(migrate: Callable[[], object], now: datetime) -> Path | None:
    """Change the database if need be, after a copy of an SQLite one that holds something was made: where is the copy?

    Whoever calls sees to it that no other process does the same.  Raises `OutOfTurn` for a newer database.
    """
    executor = MigrationExecutor(connection)
    refuse_newer(executor)
    if not _changes_wait(executor):
        return None
    done = sorted(name for app, name in executor.loader.applied_migrations if app == HOUSE)
    made = copy(settings.DATA / f"before-{now:%Y%m%dT%H%M%S}-{done[-1]}.sqlite3") if done else None
    migrate()
    return made


def copy(file: Path) -> Path | None:
    """Copy an SQLite database, whole, while others use it; None for PostgreSQL, whose own tools do that.

    Only the owner may read the copy.  The oldest copies go.
    """
    if connection.vendor != "sqlite":
        return None
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
        old.unlink(missing_ok=True)
    return file


@dataclass(frozen=True, slots=True)
class Surveyed:
    """A table: its key, name and state, and what this program makes of its game."""

    key: str
    name: str
    state: str
    survey: Survey


def changes_waiting() -> int:
    """How many changes of the database wait.

    Raises `OutOfTurn` if a newer program has changed it, `NotFound` if there is no site in it.
    """
    executor = MigrationExecutor(connection)
    refuse_newer(executor)
    if Table._meta.db_table not in connection.introspection.table_names():
        raise NotFound("there is no site in this database", hint="gamesmaster serve makes one")
    return len(executor.migration_plan(executor.loader.graph.leaf_nodes()))


def count() -> int:
    """How many tables there are."""
    return Table.objects.count()


def surveyed() -> Iterator[Surveyed]:
    """Every table; only what the databases of all programs have is asked for."""
    kept = KeptEdition._meta.db_table in connection.introspection.table_names()
    columns = ("key", "name", "state", "variant", "digest", "record")
    for key, name, state, variant, digest, record in Table.objects.order_by("pk").values_list(*columns).iterator(50):
        find = editions.finder(digest) if kept else editions.shipped_finder(digest)
        yield Surveyed(
            key, name, state, survey(record, find=find, today=find_variant) if record else _unbegun(variant, find)
        )


def _unbegun(variant: str, find: editions.Find) -> Survey:
    try:
        found = find(variant)
    except GamesmasterError as error:
        return Survey(fault=str(error))
    return Survey(found.address, is_former(found))
