"""Backups: a whole site in one file, optionally encrypted, and restoring a site from it."""

from __future__ import annotations

import gzip
import json
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import IO, Any, BinaryIO

from django.apps import apps
from django.apps.registry import Apps
from django.conf import settings
from django.core import serializers
from django.core.exceptions import ValidationError
from django.core.management.color import no_style
from django.core.serializers.json import DjangoJSONEncoder
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.executor import MigrationExecutor

from gamesmaster import __version__
from gamesmaster.errors import BadFile, NotFound, OutOfTurn
from gamesmaster.files import replacing, write_whole
from gamesmaster.host.operations import upkeep
from gamesmaster.host.site import places
from gamesmaster.host.site.clock import Heartbeat

FORMAT = 2
LEFT_OUT = {"sessions.session", "usersessions.usersession", "host.sharedvalue", "host.process", "admin.logentry"}
"""Tables that are not backed up: sessions, counters of limits, processes, and Django's log."""
OF_THE_PLACE = {"GAMESMASTER_DATA", "GAMESMASTER_DATABASE_URL", "GAMESMASTER_SECRET"}
"""Settings of the machine rather than of the site; the secret is stored separately."""
HEARTBEAT = "backup"
_NAMED = re.compile(r"gamesmaster-\d{8}T\d{6}\.gz(\.age)?")


def backup(file: Path, *, keys: Sequence[str] = ()) -> int:
    """Write all tables to a new file readable by its owner only, and return the number of rows.

    `keys` are public age or SSH keys; with them only their holders can read the file. Raise `OutOfTurn` if the file
    exists or the database has another version, and `BadFile` for an invalid key.
    """
    upkeep.check_database()
    if file.exists():
        raise OutOfTurn("the file exists", where=str(file))
    with replacing(file, private=True) as raw:
        if not keys:
            return _write(raw)
        readers = [_recipient(key) for key in keys]
        with tempfile.TemporaryFile(dir=file.parent) as plain:  # unnamed, so that nobody else can open it
            rows = _write(plain)
            plain.seek(0)
            import pyrage

            pyrage.encrypt_io(plain, raw, readers)
        return rows


def backup_into(folder: Path, now: datetime, *, keys: Sequence[str] = (), keep: int = 0) -> tuple[Path, int]:
    """Write a backup named by the time into a folder; return its path and number of rows.

    With `keep`, the oldest backups in the folder are deleted so that `keep` are left. A heartbeat records the time of
    the last backup.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / f"gamesmaster-{now:%Y%m%dT%H%M%S}.gz{'.age' if keys else ''}"
    rows = backup(file, keys=keys)
    if keep:
        for old in sorted(one for one in folder.iterdir() if _NAMED.fullmatch(one.name))[:-keep]:
            old.unlink(missing_ok=True)
    Heartbeat.objects.update_or_create(name=HEARTBEAT, defaults={"beat": now})
    return file, rows


def kept_models() -> list[type[models.Model]]:
    """Return all models that are backed up, in the order of their dependencies."""
    rows = [m for m in apps.get_models() if m._meta.label_lower not in LEFT_OUT and not m._meta.proxy]
    return list(serializers.sort_dependencies([(None, rows)]))


def _write(raw: BinaryIO | IO[bytes]) -> int:
    rows = 0
    with gzip.open(raw, "wt", encoding="utf-8") as out, _one_view():
        out.write(json.dumps(_head()) + "\n")
        for model in kept_models():
            for row in model._default_manager.order_by("pk").iterator(500):
                out.write(serializers.serialize("json", [row], cls=_Exactly) + "\n")
                rows += 1
    return rows


def _head() -> dict[str, Any]:
    values = {name: value for name, value in settings.VARIABLES.items() if value and name not in OF_THE_PLACE}
    return {
        "format": FORMAT, "gamesmaster": __version__, "migrations": applied_migrations(), "secret": settings.SECRET_KEY,
        "settings": values,
    }  # fmt: skip


def applied_migrations() -> list[list[str]]:
    """Return the applied migrations as pairs of app and name."""
    from django.db.migrations.recorder import MigrationRecorder

    return sorted([app, name] for app, name in MigrationRecorder(connection).applied_migrations())


class _Exactly(DjangoJSONEncoder):
    """Writes times to the microsecond, as receipts sign them; Django's encoder truncates to milliseconds."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


@contextmanager
def _one_view() -> Iterator[None]:
    """Read within one snapshot of the database, without blocking writers."""
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
        return
    connection.ensure_connection()
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")  # `atomic` would take the write lock
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _recipient(key: str) -> Any:
    from pyrage import RecipientError, ssh, x25519

    kind = ssh if key.startswith("ssh-") else x25519
    try:
        return kind.Recipient.from_str(key)
    except RecipientError:
        hint = "such as age1… of age-keygen, or ssh-ed25519 …"
        raise BadFile(f"{key[:20]!r} is not a public key to encrypt with", hint=hint) from None


LONGEST_LINE = 256 * 1024 * 1024
_AGE = b"age-encryption.org/"


@dataclass(slots=True)
class Restored:
    """The result of a restore."""

    rows: int = 0  # rows restored
    left_out: Counter[str] = field(default_factory=Counter)  # data of libraries that have no table or column now
    notes: list[str] = field(default_factory=list)  # notes for the operator


def restore(file: Path, *, identity: Path | None = None, migrate: Callable[[], object]) -> Restored:
    """Fill an empty site from a backup: first all rows or none, then the secret and the settings.

    `identity` is the file with the secret age key of an encrypted backup; `migrate` upgrades the database. Raise
    `BadFile` for an unreadable backup or one of a newer version, and `OutOfTurn` if the site is not empty or has a
    different secret in its environment.
    """
    try:
        with _open_backup(file, identity) as raw, gzip.open(raw, "rt", encoding="utf-8") as lines:
            head = _read_head(lines, file)
            _must_be_empty()
            secret = _secret_of(head)
            executor = _as_it_was(head["migrations"])
            state = executor.loader.project_state(_leaves(executor)).apps
            with transaction.atomic():
                restored = _rows(lines, state)
                _hold_mails(state)
                _set_counters([model for model in state.get_models() if model._meta.managed])
    except (OSError, EOFError, StopIteration, ValueError, TypeError, KeyError, ValidationError) as error:
        raise BadFile(f"this backup cannot be read: {type(error).__name__}", where=str(file)) from error
    except DatabaseError as error:
        raise BadFile("the rows of this backup do not fit together", where=str(file)) from error
    migrate()
    _set_counters(kept_models())
    restored.notes = [*_keep_secret(secret), *_keep_settings(head.get("settings", {}))]
    return restored


# -- the file --------------------------------------------------------------------------------------------------------


@contextmanager
def _open_backup(file: Path, identity: Path | None) -> Iterator[IO[bytes]]:
    """Open a backup, decrypting it if necessary."""
    import tempfile

    with file.open("rb") as raw:
        encrypted = raw.read(len(_AGE)) == _AGE
        raw.seek(0)
        if not encrypted:
            yield raw
            return
        import pyrage

        if identity is None:
            raise BadFile("this backup is encrypted", where=str(file), hint="--key FILE, with the secret age key")
        with tempfile.TemporaryFile(dir=settings.DATA) as plain:
            try:
                pyrage.decrypt_io(raw, plain, _identities(identity))
            except pyrage.DecryptError as error:
                raise BadFile(f"this backup cannot be decrypted: {error}", where=str(file)) from None
            plain.seek(0)
            yield plain


def _identities(file: Path) -> list[Any]:
    """Return the secret keys in a file of age-keygen or OpenSSH."""
    from pyrage import IdentityError, ssh, x25519

    text = file.read_text(encoding="ascii")
    try:
        if "PRIVATE KEY" in text:
            return [ssh.Identity.from_buffer(text.encode())]
        lines = [line.strip() for line in text.splitlines()]
        identities = [x25519.Identity.from_str(line) for line in lines if line and not line.startswith("#")]
    except IdentityError as error:
        raise BadFile(f"not a secret key: {error}", where=str(file)) from None
    if not identities:
        raise NotFound("no secret key", where=str(file))
    return identities


def _read_head(lines: IO[str], file: Path) -> dict[str, Any]:
    head = json.loads(lines.readline(LONGEST_LINE) or "null")
    if not isinstance(head, dict) or head.get("format") not in (1, FORMAT):
        raise BadFile("not a backup that this program knows", where=str(file))
    if head["format"] == 1:  # format 1 had neither secret nor settings, and migrations as `app.name`
        head["migrations"] = [one.split(".", 1) for one in head["migrations"]]
    head["migrations"] = [(str(app), str(name)) for app, name in head["migrations"]]
    newer = upkeep.unknown_migrations(MigrationExecutor(connection), head["migrations"])
    if newer:
        raise BadFile(f"a newer Gamesmaster wrote this backup: {', '.join(newer)[:200]}", where=str(file))
    return head


# -- the database ----------------------------------------------------------------------------------------------------


def _must_be_empty() -> None:
    """Raise `OutOfTurn` if the database contains data that a restore would overwrite."""
    there = set(connection.introspection.table_names())
    for model in kept_models():
        if model._meta.app_label in ("host", "auth") and model._meta.model_name not in ("permission", "heartbeat"):
            with connection.cursor() as cursor:
                if model._meta.db_table in there and _holds(cursor, model._meta.db_table):
                    raise OutOfTurn("the site is not empty", hint="restore into a new data folder or database")


def _holds(cursor: Any, table: str) -> bool:
    cursor.execute(f"SELECT 1 FROM {connection.ops.quote_name(table)} LIMIT 1")
    return cursor.fetchone() is not None


def _as_it_was(migrations: Iterable[tuple[str, str]]) -> MigrationExecutor:
    """Migrate the empty database to the state that the backup had, as far as its migrations are known here."""
    executor = MigrationExecutor(connection)
    there, graph = set(migrations), executor.loader.graph
    known = [(key, one.replaces) for key, one in executor.loader.disk_migrations.items() if key in graph.nodes]
    wanted = {key for key, replaced in known if key in there or (replaced and there.issuperset(replaced))}
    if set(executor.loader.applied_migrations) & set(executor.loader.graph.nodes) != wanted:
        _drop_tables()
        executor = MigrationExecutor(connection)
        graph = executor.loader.graph
        last = [
            one
            for one in wanted
            if not any(c.key in wanted and c.key[0] == one[0] for c in graph.node_map[one].children)
        ]
        executor.migrate(sorted(last))
        executor = MigrationExecutor(connection)
    return executor


def _leaves(executor: MigrationExecutor) -> list[tuple[str, str]]:
    """Return the last applied migration of each branch."""
    graph, done = executor.loader.graph, set(executor.loader.applied_migrations)
    return [one for one in graph.nodes if one in done and not any(c.key in done for c in graph.node_map[one].children)]


def _drop_tables() -> None:
    """Drop the empty tables of this program, and no others."""
    there = set(connection.introspection.table_names())
    ours = {*connection.introspection.django_table_names(only_existing=True), "django_migrations"} & there
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        cascade = " CASCADE" if connection.vendor == "postgresql" else ""
        for table in sorted(ours):
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)}{cascade}")


def _rows(lines: Iterable[str], state: Apps) -> Restored:
    """Insert the rows, after deleting those that migrations had inserted."""
    restored = Restored()
    links: list[tuple[models.Model, str, list[Any]]] = []
    for model in state.get_models(include_auto_created=True):
        if model._meta.label_lower not in LEFT_OUT and model._meta.managed:
            model._base_manager.all().delete()
    for line in lines:
        for data in json.loads(line):
            try:
                model = state.get_model(data["model"])
            except LookupError:
                restored.left_out[data["model"]] += 1
                continue
            row, many, unknown = _row(model, data)
            row.save_base(raw=True, force_insert=True)
            links += [(row, name, keys) for name, keys in many.items() if keys]
            restored.left_out.update(f"{data['model']}.{name}" for name in unknown)
            restored.rows += 1
    for row, name, keys in links:
        getattr(row, name).set(keys)
    return restored


def _row(model: type[models.Model], data: dict[str, Any]) -> tuple[models.Model, dict[str, list[Any]], list[str]]:
    """Return an unsaved row, its many-to-many links, and the names of fields that do not exist now."""
    key = model._meta.pk
    values: dict[str, Any] = {key.attname: key.to_python(data["pk"])}
    many: dict[str, list[Any]] = {}
    known = {one.name: one for one in (*model._meta.concrete_fields, *model._meta.many_to_many)}
    for name, value in data["fields"].items():
        column = known.get(name)
        if isinstance(column, models.ManyToManyField):
            many[name] = value
        elif isinstance(column, models.ForeignKey):
            values[column.attname] = None if value is None else column.target_field.to_python(value)
        elif column is not None:
            values[column.attname] = None if value is None else column.to_python(value)
    return model(**values), many, [name for name in data["fields"] if name not in known]


def _hold_mails(state: Apps) -> None:
    try:
        mails = state.get_model("host", "OutMail")
    except LookupError:  # a backup from before mails existed
        return
    mails._base_manager.filter(state="queued").update(state="held")


def _set_counters(tables: list[type[models.Model]]) -> None:
    """Reset the sequences so that new rows get ids after the restored ones."""
    statements: list[Any] = connection.ops.sequence_reset_sql(no_style(), tables)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


# -- secret and settings ---------------------------------------------------------------------------------------------


def _secret_of(head: dict[str, Any]) -> str:
    """Return the secret of a backup; raise `OutOfTurn` if the environment sets a different one."""
    secret = str(head.get("secret", ""))
    own = os.environ.get(places.SECRET_VARIABLE, "").strip()
    if secret and own and own != secret:
        hint = "leave GAMESMASTER_SECRET out, and the backup's is put into the data folder"
        raise OutOfTurn("GAMESMASTER_SECRET is not the one of this backup: its receipts would be worthless", hint=hint)
    return secret


def _keep_secret(secret: str) -> list[str]:
    if not secret:
        return [
            "The backup has no secret: put the one of the old site into the data folder, or receipts are worthless."
        ]
    if not os.environ.get(places.SECRET_VARIABLE):
        write_whole(settings.DATA / places.SECRET_FILE, secret.encode(), private=True)
    return []


def _keep_settings(values: dict[str, str]) -> list[str]:
    """Write the settings into the data folder, under another name if it has some; return a note for the operator."""
    if not values:
        return []
    file = settings.DATA / places.SETTINGS_FILE
    if file.exists():
        file = file.with_name(f"{file.name}.restored")
        note = f"The settings of the backup are in {file}; those of this place were left as they are."
    else:
        note = f"The settings of the site are in {file}; variables of the surroundings come before them."
    write_whole(file, places.written_settings(values).encode(), private=True)
    return [note]
