"""Backups: the whole database in one file, the same for SQLite and PostgreSQL; and what follows a restore.

The file is JSON lines, compressed: a head, then every row of every table, in one consistent view of the database.
Restoring fills an empty database.  Mails that waited when the backup was made are held, for they may have gone out
since; deadlines are moved on by the dead-man's rule, since the pulse is as old as the backup.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.apps import apps
from django.core import serializers
from django.core.management.color import no_style
from django.db import connection, models, transaction

from gamesmaster.errors import BadFile, OutOfTurn
from gamesmaster.files import replacing
from gamesmaster.host import edition
from gamesmaster.host.models import OutMail

FORMAT = 1
LEFT_OUT = {"sessions.session", "admin.logentry"}
"""Who is logged in is not restored."""


def backup(file: Path) -> int:
    """Write everything to a new file that only its owner may read; how many rows?

    Raises `OutOfTurn` if the file exists, or if the database is not of this edition.
    """
    edition.check()
    rows = 0
    if file.exists():
        raise OutOfTurn("the file exists", where=str(file))
    with replacing(file, private=True) as raw, gzip.open(raw, "wt", encoding="utf-8") as out, _one_view():
        out.write(json.dumps({"format": FORMAT, "migrations": _migrations()}) + "\n")
        for model in _models():
            for line in _lines(model):
                out.write(line)
                rows += 1
    return rows


def restore(file: Path) -> int:
    """Fill an empty database from a backup, all or nothing; how many rows?

    Raises `BadFile` for what is no backup, or one of another edition, `OutOfTurn` if the database is not empty.
    """
    if any(model._default_manager.exists() for model in _models() if model._meta.app_label in ("host", "auth")
           and model._meta.model_name not in ("permission", "pulse")):  # fmt: skip
        raise OutOfTurn("the database is not empty", hint="restore into a new data folder or database")
    rows = 0
    try:
        with gzip.open(file, "rt", encoding="utf-8") as lines, transaction.atomic():
            head = json.loads(next(lines))
            if not isinstance(head, dict) or head.get("format") != FORMAT or head.get("migrations") != _migrations():
                raise BadFile("this backup is of another edition", where=str(file))
            for model in reversed(_models()):
                model._default_manager.all().delete()
            for line in lines:
                for row in serializers.deserialize("json", line):
                    row.save()
                    rows += 1
            OutMail.objects.filter(state=OutMail.QUEUED).update(state=OutMail.HELD)
            _set_counters()
    except (OSError, EOFError, StopIteration, ValueError, serializers.base.DeserializationError) as error:
        raise BadFile(f"no backup that can be read: {type(error).__name__}", where=str(file)) from error
    return rows


def _models() -> list[type[models.Model]]:
    """All tables that are kept, those first that others point to."""
    found = [m for m in apps.get_models() if m._meta.label_lower not in LEFT_OUT and not m._meta.proxy]
    return list(serializers.sort_dependencies([(None, found)]))


def _lines(model: type[models.Model]) -> Iterator[str]:
    for row in model._default_manager.order_by("pk").iterator(500):
        yield serializers.serialize("json", [row]) + "\n"


@contextmanager
def _one_view() -> Iterator[None]:
    """See the database as it is now, whatever others write meanwhile; nobody is kept from writing."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")  # `atomic` would ask for the right to write
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _migrations() -> list[str]:
    from django.db.migrations.recorder import MigrationRecorder

    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def _set_counters() -> None:
    """Let new rows be numbered after the restored ones."""
    statements: list[Any] = connection.ops.sequence_reset_sql(no_style(), _models())
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
