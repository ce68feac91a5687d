"""Which database: SQLite in the data folder, or PostgreSQL by its URL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from gamesmaster.errors import BadFile

BUSY_SECONDS = 20
MOST_CONNECTIONS = 24
"""Of one process to PostgreSQL; who finds none free waits."""
_SQLITE = f"PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout={BUSY_SECONDS * 1000};"


def database(url: str, data: Path) -> dict[str, Any]:
    """Django's entry for a database.

    SQLite writes ahead (WAL), and to the disk before a commit is told (`synchronous=FULL`): what was acknowledged
    stays.  Every transaction takes the right to write at once, for one that asks for it later may be refused
    without waiting.  Raises `BadFile` for a URL of another kind.
    """
    parts = urlsplit(url)
    if not url or parts.scheme == "sqlite":
        name = Path(unquote(parts.path[1:])) if parts.path else data / "host.sqlite3"
        return {
            "ENGINE": "django.db.backends.sqlite3",
            "NAME": name,
            "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": BUSY_SECONDS, "init_command": _SQLITE},
            # threads and other processes must see it: no database in memory
            "TEST": {"NAME": name.with_name("test.sqlite3")},
        }
    if parts.scheme not in ("postgres", "postgresql"):
        raise BadFile("no such kind of database", where="GAMESMASTER_DATABASE_URL", hint="postgres://user@host/name")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path[1:]),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or ""),
        "CONN_HEALTH_CHECKS": True,
        # every request has a thread of its own, with which a connection kept by the thread would be lost
        "OPTIONS": {"pool": {"min_size": 0, "max_size": MOST_CONNECTIONS, "timeout": BUSY_SECONDS}},
    }


@contextmanager
def unwritten() -> Iterator[None]:
    """Commits in it are told before they are on the disk; a crash of the program loses none, one of the machine may.

    What a later commit outside of it tells is on the disk with all that was told before.
    """
    from django.db import connection

    if connection.in_atomic_block:  # it is for the outermost transaction to say
        yield
        return
    off, on = (
        ("SET synchronous_commit TO OFF", "RESET synchronous_commit")
        if connection.vendor == "postgresql"
        else ("PRAGMA synchronous=NORMAL", "PRAGMA synchronous=FULL")
    )
    with connection.cursor() as cursor:
        cursor.execute(off)
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute(on)
