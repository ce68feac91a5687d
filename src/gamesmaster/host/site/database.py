"""Which database: SQLite in the data folder, or PostgreSQL by its URL."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from gamesmaster.errors import BadFile, nearest

VARIABLE = "GAMESMASTER_DATABASE_URL"
BUSY_SECONDS = 20
MOST_CONNECTIONS = 24
"""Of one process to PostgreSQL; who finds none free waits."""
_SQLITE = f"PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout={BUSY_SECONDS * 1000};"


def database(url: str, data: Path) -> dict[str, Any]:
    """Django's entry for a database.

    SQLite writes ahead (WAL), and to the disk before a commit is told (`synchronous=FULL`): what was acknowledged
    stays.  Every transaction takes the right to write at once, for one that asks for it later may be refused
    without waiting.  Raises `BadFile` for a URL of another kind, or with an option that nobody knows.
    """
    scheme, _, rest = url.partition("://")
    if url and scheme in ("postgres", "postgresql"):
        return _postgresql(url)
    if url and (scheme != "sqlite" or "?" in rest):
        hint = "postgres://user@host/name, or sqlite:///FILE without options"
        raise BadFile("no such kind of database", where=VARIABLE, hint=hint)
    path = urlsplit(url).path
    name = Path(unquote(path[1:])) if path else data / "host.sqlite3"
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": name,
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": BUSY_SECONDS, "init_command": _SQLITE},
        # threads and other processes must see it: no database in memory
        "TEST": {"NAME": name.with_name("test.sqlite3")},
    }


def _postgresql(url: str) -> dict[str, Any]:
    """The entry for PostgreSQL: whatever its own library understands in a URL holds, sockets and TLS too."""
    found = _parts_of(url)
    if not found.get("dbname") and not found.get("service"):
        raise BadFile("the URL names no database", where=VARIABLE, hint="postgres://user@host/name")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": found.pop("dbname", ""),
        "USER": found.pop("user", ""),
        "PASSWORD": found.pop("password", ""),
        "HOST": found.pop("host", ""),
        "PORT": found.pop("port", ""),
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            # every request has a thread of its own, with which a connection kept by the thread would be lost
            "pool": {"min_size": 0, "max_size": MOST_CONNECTIONS, "timeout": BUSY_SECONDS},
            "fallback_application_name": "gamesmaster",
            **found,
        },
    }


def _parts_of(url: str) -> dict[str, str]:
    """What a PostgreSQL URL says, as its library reads it; raises `BadFile` without a word of the password."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict
    from psycopg.pq import Conninfo

    known = {option.keyword.decode() for option in Conninfo.get_defaults()} | {"ssl"}
    for option, _ in parse_qsl(url.partition("?")[2], keep_blank_values=True):
        if option not in known:
            close = nearest(option, known)
            raise BadFile(
                f"PostgreSQL has no option {option[:40]!r}", where=VARIABLE, hint=close or "see libpq's manual"
            )
    try:
        return {name: str(value) for name, value in conninfo_to_dict(url).items()}
    except ProgrammingError:
        hint = "postgres://user:password@host/name, with %xx for other signs than letters and digits"
        raise BadFile("this is not the URL of a database", where=VARIABLE, hint=hint) from None


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
