from __future__ import annotations

import io
import json
import logging
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import IntegrityError, connection, transaction

from gamesmaster.errors import BadFile
from gamesmaster.host.models import PhaseRow, Seat, Sheet
from gamesmaster.host.site import places
from gamesmaster.host.site.logs import JsonLines
from gamesmaster.host.site.places import database
from tests.host.conftest import NOW, people, running

pytestmark = pytest.mark.django_db


def test_migrations_are_complete() -> None:
    """The migrations make the tables that the models describe; nothing is left to be made."""
    call_command("makemigrations", "host", check=True, dry_run=True, verbosity=0)


def test_migrating_again_does_nothing() -> None:
    """A migration run twice is none the second time (A11)."""
    out = io.StringIO()
    call_command("migrate", interactive=False, stdout=out)
    assert "No migrations to apply" in out.getvalue()


def test_what_must_be_one_is_one() -> None:
    """No two sheets of a power, seats of a user or of a power, or rows of a phase are stored, whoever tries."""
    user, other = people(2)
    table = running([user])
    seat = table.seats.get(user=user)
    sheet = {"table": table, "ordinal": 0, "power": seat.power, "sent_at": NOW, "channel": "web"}
    row = {"table": table, "ordinal": 0, "code": "S1901M", "processed_at": NOW, "why": "", "digest": ""}
    Sheet.objects.create(**sheet)
    PhaseRow.objects.create(**row)
    for again in (
        lambda: Sheet.objects.create(**sheet),
        lambda: PhaseRow.objects.create(**row),
        lambda: Seat.objects.create(table=table, user=user, joined=NOW),
        lambda: Seat.objects.create(table=table, user=other, power=seat.power, joined=NOW),
        lambda: Seat.objects.create(table=table, user=other, bot="holder", joined=NOW),
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            again()


def test_sqlite_writes_ahead_and_to_the_disk() -> None:
    """SQLite is set up so that a commit that was told survives a crash, and foreign keys hold."""
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        found = {name: cursor.execute(f"PRAGMA {name}").fetchone()[0] for name in ("synchronous", "foreign_keys")}
        mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
    assert (found, mode) == ({"synchronous": 2, "foreign_keys": 1}, "wal")


def test_database_urls(tmp_path: Path) -> None:
    """A PostgreSQL URL is taken apart with its escapes; another kind is refused."""
    entry = database("postgres://me:p%40ss@db.example.org:6432/games", tmp_path)
    assert (entry["NAME"], entry["USER"], entry["PASSWORD"], entry["PORT"]) == ("games", "me", "p@ss", "6432")
    with pytest.raises(BadFile, match="no such kind of database"):
        database("mysql://x/y", tmp_path)


def test_the_secret(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first start makes a secret that only its owner reads; a short one counts as none, and there is no default."""
    monkeypatch.setenv("GAMESMASTER_DATA", str(tmp_path / "data"))
    monkeypatch.delenv("GAMESMASTER_SECRET", raising=False)
    assert places.read_secret() == ""
    places.make_data_folder()
    first = places.read_secret()
    places.make_data_folder()
    assert len(first) >= places.SHORTEST_SECRET
    assert places.read_secret() == first
    if sys.platform != "win32":
        assert (tmp_path / "data" / "secret").stat().st_mode & 0o777 == 0o600
    monkeypatch.setenv("GAMESMASTER_SECRET", "short")
    assert places.read_secret() == ""


def test_logs_do_not_quote_errors() -> None:
    """A line of the log names an error and its place, and holds neither its text nor unknown facts (D7)."""
    try:
        raise ValueError("A Par - Bur is a secret")
    except ValueError:
        record = logging.LogRecord("x", logging.ERROR, __file__, 1, "failed", (), sys.exc_info())
    record.table, record.orders = 7, "A Par - Bur"
    line = json.loads(JsonLines().format(record))
    assert (line["table"], line["error"]) == (7, "ValueError")
    assert "Bur" not in json.dumps(line)
