"""Locations of a site's data: its folder, its database, and the files of its settings."""

from __future__ import annotations

import os
import re
import secrets
import stat
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.conf.locale import LANG_INFO
from django.utils.translation import to_language

from gamesmaster.errors import BadFile, nearest
from gamesmaster.files import write_whole

VARIABLE = "GAMESMASTER_DATABASE_URL"
BUSY_SECONDS = 20
MOST_CONNECTIONS = 24
"""Maximum connections of one process to PostgreSQL; further requests wait."""
_SQLITE = f"PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout={BUSY_SECONDS * 1000};"
DATA_VARIABLE = "GAMESMASTER_DATA"
SECRET_VARIABLE = "GAMESMASTER_SECRET"
SECRET_FILE = "secret"
SETTINGS_FILE = "settings.env"
ADDRESS_FILE = "address"
LOCAL_ADDRESS = "http://127.0.0.1:8000"
PREFIX = "GAMESMASTER_"
SHORTEST_SECRET = 32  # characters


def database(url: str, data: Path) -> dict[str, Any]:
    """Return Django's configuration of a database.

    SQLite uses a write-ahead log and syncs it before a commit returns (`synchronous=FULL`), so acknowledged data
    survive. Every transaction takes the write lock at its start, because a later attempt may fail without waiting.
    Raise `BadFile` for other kinds of URLs and unknown options.
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
        # threads and other processes must share it, so it cannot be in memory
        "TEST": {"NAME": name.with_name("test.sqlite3")},
    }


def _postgresql(url: str) -> dict[str, Any]:
    """Return the configuration of PostgreSQL; all that libpq accepts in a URL works, including sockets and TLS."""
    parts = _parts_of(url)
    if not parts.get("dbname") and not parts.get("service"):
        raise BadFile("the URL names no database", where=VARIABLE, hint="postgres://user@host/name")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": parts.pop("dbname", ""),
        "USER": parts.pop("user", ""),
        "PASSWORD": parts.pop("password", ""),
        "HOST": parts.pop("host", ""),
        "PORT": parts.pop("port", ""),
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": {
            # each request has its own thread, so connections kept per thread would be lost
            "pool": {"min_size": 0, "max_size": MOST_CONNECTIONS, "timeout": BUSY_SECONDS},
            "fallback_application_name": "gamesmaster",
            **parts,
        },
    }


def _parts_of(url: str) -> dict[str, str]:
    """Return the parts of a PostgreSQL URL as libpq reads it; raise `BadFile` without revealing the password."""
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
    """Let commits in this context return before they are synced to disk.

    A crash of the program loses nothing; a crash of the machine may. A later commit outside it syncs earlier ones as
    well.
    """
    from django.db import connection

    if connection.in_atomic_block:  # the outermost transaction decides
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


def data_folder() -> Path:
    """Return the data folder: `GAMESMASTER_DATA`, or `gamesmaster-data` in the current directory."""
    return Path(os.environ.get(DATA_VARIABLE) or "gamesmaster-data").absolute()


def make_data_folder() -> Path:
    """Return the data folder, creating it and its secret if necessary, accessible to their owner only."""
    folder = data_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "static").mkdir(exist_ok=True)  # for collected static files; optional
    if not os.environ.get(SECRET_VARIABLE):
        _make_secret(folder / SECRET_FILE)
    return folder


def close_to_others(folder: Path, databases: Iterable[Path] = ()) -> list[str]:
    """Make the data folder, its files, and SQLite databases elsewhere accessible to their owner only.

    Return a message for each that belongs to somebody else and cannot be changed. Subfolders keep their permissions,
    since they are unreachable.
    """
    if os.name != "posix" or not folder.is_dir():
        return []
    beside = [path.with_name(path.name + end) for path in databases for end in ("", "-wal", "-shm", "-journal")]
    wrong = []
    if folder.stat().st_uid != os.geteuid():
        wrong.append(f"the data folder belongs to another account than this program runs under: {folder}")
    for path in (folder, *(one for one in folder.iterdir() if one.is_file()), *beside):
        try:
            rights = path.lstat().st_mode
            if not stat.S_ISLNK(rights) and rights & 0o077:
                path.chmod(stat.S_IMODE(rights) & 0o700)
        except FileNotFoundError:
            continue
        except OSError:
            wrong.append(f"others may look into it, and it cannot be closed to them: {path}")
    return wrong


def load_settings() -> None:
    """Load the settings of the data folder into the environment, whose existing variables win.

    The file has lines of `GAMESMASTER_NAME=value`, which systemd and containers read as well.
    """
    from dotenv import dotenv_values

    file = data_folder() / SETTINGS_FILE
    if file.is_file():
        for name, value in dotenv_values(file, interpolate=False).items():
            if name.startswith(PREFIX) and name != DATA_VARIABLE and value is not None:
                os.environ.setdefault(name, value)


def written_settings(settings: Mapping[str, str]) -> str:
    """Return settings in the format of that file."""
    quoted = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in sorted(settings.items())}
    return "".join(f'{name}="{" ".join(value.split())}"\n' for name, value in quoted.items())


def keep_address(address: str) -> None:
    """Store the local address at which the site is served in the data folder, for other processes."""
    write_whole(data_folder() / ADDRESS_FILE, f"{address}\n".encode(), private=True)


def served_address() -> str:
    """Return the address of this machine at which the site was last served; that of the usual port if none is kept."""
    file = data_folder() / ADDRESS_FILE
    try:
        address = file.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return LOCAL_ADDRESS
    return address if re.fullmatch(r"http://[\w.:\[\]-]{1,100}", address) else LOCAL_ADDRESS


def read_secret() -> str:
    """Return the secret key; empty if it is missing or too short.

    Django refuses to start with an empty key, and there is deliberately no default.
    """
    secret = os.environ.get(SECRET_VARIABLE, "").strip()
    if not secret:
        file = data_folder() / SECRET_FILE
        secret = file.read_text(encoding="ascii").strip() if file.is_file() else ""
    return secret if len(secret) >= SHORTEST_SECRET else ""


def _make_secret(file: Path) -> None:
    """Write a new secret if none exists, atomically, even if several processes start at once."""
    if file.exists():
        return
    fresh = file.with_name(f"secret.{os.getpid()}")
    handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "w") as stream:
        stream.write(secrets.token_urlsafe(48))
        stream.flush()
        os.fsync(stream.fileno())
    try:
        os.link(fresh, file)  # fails if another process was first
    except FileExistsError:
        pass
    finally:
        fresh.unlink()


def languages(*folders: Path) -> list[tuple[str, str]]:
    """Return code and own name of the site's languages: English, and those with a compiled catalogue."""
    codes = {to_language(path.parents[1].name) for folder in folders for path in folder.glob("*/LC_MESSAGES/django.mo")}
    names = {code: str(LANG_INFO.get(code, {}).get("name_local", code)) for code in sorted(codes - {"en", "en-gb"})}
    return [("en-gb", "English"), *names.items()]


KEYS = {"id", "name", "server", "client", "secret"}
_ID = re.compile(r"[a-z0-9-]{1,40}")


def providers(file: str) -> list[dict[str, Any]]:
    """Return the providers in a file in django-allauth's form; empty if `file` is. Raise `BadFile`.

    Each `[[provider]]` has `id` (a word for URLs), `name` (on the button), `server` (the issuer), and `client` and
    `secret` (issued by the provider for this site).
    """
    if not file:
        return []
    try:
        rows = tomllib.loads(Path(file).read_text(encoding="utf-8")).get("provider", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadFile("the file of providers cannot be read", where=file, hint=str(error)) from error
    return [_one(row, file) for row in rows]


def servers(file: str) -> list[str]:
    """Return scheme and host of each provider in a file."""
    addresses = (urlsplit(one["settings"]["server_url"]) for one in providers(file))
    return sorted({f"{parts.scheme}://{parts.netloc}" for parts in addresses})


def _one(row: dict[str, Any], file: str) -> dict[str, Any]:
    if set(row) != KEYS or not all(isinstance(value, str) and value for value in row.values()):
        raise BadFile("each provider needs these words, and no others", where=file, hint=", ".join(sorted(KEYS)))
    parts = urlsplit(row["server"])
    if not _ID.fullmatch(row["id"]):
        raise BadFile("the id of a provider is made of small letters, digits and hyphens", where=file, hint=row["id"])
    if parts.scheme != "https" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        raise BadFile("the server of a provider must be reached by https", where=file, hint=row["server"])
    return {
        "provider_id": row["id"], "name": row["name"], "client_id": row["client"], "secret": row["secret"],
        "settings": {"server_url": row["server"], "oauth_pkce_enabled": True},
    }  # fmt: skip
