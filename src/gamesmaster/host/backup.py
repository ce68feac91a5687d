"""Backups: all that a site is in one file, the same for SQLite and PostgreSQL.

The file is JSON lines, compressed: a head with the site's secret and settings, then every row of every table, in one
consistent view of the database.  It is for its owner's eyes, and may be encrypted for the holder of an age key.
"""

from __future__ import annotations

import gzip
import json
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO, Any, BinaryIO

from django.apps import apps
from django.conf import settings
from django.core import serializers
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, models, transaction

from gamesmaster import __version__
from gamesmaster.errors import BadFile, OutOfTurn
from gamesmaster.files import replacing
from gamesmaster.host import edition
from gamesmaster.host.models import Pulse

FORMAT = 2
LEFT_OUT = {"sessions.session", "usersessions.usersession", "host.sharedvalue", "admin.logentry"}
"""Who is logged in is not restored, nor how often somebody has tried something."""
OF_THE_PLACE = {"GAMESMASTER_DATA", "GAMESMASTER_DATABASE_URL", "GAMESMASTER_SECRET"}
"""Settings of the machine rather than of the site; the secret is kept by itself."""
PULSE = "backup"
_NAMED = re.compile(r"gamesmaster-\d{8}T\d{6}\.gz(\.age)?")


def backup(file: Path, *, keys: Sequence[str] = ()) -> int:
    """Write everything to a new file that only its owner may read; how many rows?

    With `keys`, age's public ones, only their holders can read it.  Raises `OutOfTurn` if the file exists, or if the
    database is not of this edition, and `BadFile` for what is no such key.
    """
    edition.check()
    if file.exists():
        raise OutOfTurn("the file exists", where=str(file))
    with replacing(file, private=True) as raw:
        if not keys:
            return _write(raw)
        readers = [_recipient(key) for key in keys]
        with tempfile.TemporaryFile(dir=file.parent) as plain:  # without a name: nobody else can open it
            rows = _write(plain)
            plain.seek(0)
            _encrypt(plain, raw, readers)
        return rows


def backup_into(folder: Path, now: datetime, *, keys: Sequence[str] = (), keep: int = 0) -> tuple[Path, int]:
    """Write a backup named by the time into a folder, and take the oldest away, so that `keep` are there; 0: all.

    The pulse that it leaves tells when that was done last.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = folder / f"gamesmaster-{now:%Y%m%dT%H%M%S}.gz{'.age' if keys else ''}"
    rows = backup(file, keys=keys)
    if keep:
        for old in sorted(one for one in folder.iterdir() if _NAMED.fullmatch(one.name))[:-keep]:
            old.unlink(missing_ok=True)
    Pulse.objects.update_or_create(name=PULSE, defaults={"beat": now})
    return file, rows


def kept_models() -> list[type[models.Model]]:
    """All tables that are kept, those first that others point to."""
    found = [m for m in apps.get_models() if m._meta.label_lower not in LEFT_OUT and not m._meta.proxy]
    return list(serializers.sort_dependencies([(None, found)]))


def _write(raw: BinaryIO | IO[bytes]) -> int:
    rows = 0
    with gzip.open(raw, "wt", encoding="utf-8") as out, _one_view():
        out.write(json.dumps(_head()) + "\n")
        for model in kept_models():
            for line in _lines(model):
                out.write(line)
                rows += 1
    return rows


def _head() -> dict[str, Any]:
    told = {name: value for name, value in settings.TOLD.items() if value and name not in OF_THE_PLACE}
    return {
        "format": FORMAT, "gamesmaster": __version__, "migrations": applied(), "secret": settings.SECRET_KEY,
        "settings": told,
    }  # fmt: skip


def applied() -> list[list[str]]:
    """The migrations that made the database what it is: pairs of an app and a name."""
    from django.db.migrations.recorder import MigrationRecorder

    return sorted([app, name] for app, name in MigrationRecorder(connection).applied_migrations())


def _lines(model: type[models.Model]) -> Iterator[str]:
    for row in model._default_manager.order_by("pk").iterator(500):
        yield serializers.serialize("json", [row], cls=_Exactly) + "\n"


class _Exactly(DjangoJSONEncoder):
    """Times to the microsecond, which are signed in receipts: Django's own encoder cuts them."""

    def default(self, o: Any) -> Any:
        return o.isoformat() if isinstance(o, datetime) else super().default(o)


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


def _recipient(key: str) -> Any:
    from pyrage import RecipientError, ssh, x25519

    kind = ssh if key.startswith("ssh-") else x25519
    try:
        return kind.Recipient.from_str(key)
    except RecipientError:
        hint = "such as age1… of age-keygen, or ssh-ed25519 …"
        raise BadFile(f"{key[:20]!r} is not a public key to encrypt with", hint=hint) from None


def _encrypt(plain: IO[bytes], target: BinaryIO, readers: list[Any]) -> None:
    import pyrage

    pyrage.encrypt_io(plain, target, readers)
