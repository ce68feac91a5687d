"""Where the data of a site are: its folder, its database, and the files that its settings come from."""

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
"""Of one process to PostgreSQL; who finds none free waits."""
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
            # every request has a thread of its own, with which a connection kept by the thread would be lost
            "pool": {"min_size": 0, "max_size": MOST_CONNECTIONS, "timeout": BUSY_SECONDS},
            "fallback_application_name": "gamesmaster",
            **parts,
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


def data_folder() -> Path:
    """The data folder: `GAMESMASTER_DATA`, or `gamesmaster-data` here."""
    return Path(os.environ.get(DATA_VARIABLE) or "gamesmaster-data").absolute()


def make_data_folder() -> Path:
    """The data folder with a secret in it, made if need be; only their owner may look into them."""
    folder = data_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "static").mkdir(exist_ok=True)  # for collected files; they are found without it too
    if not os.environ.get(SECRET_VARIABLE):
        _make_secret(folder / SECRET_FILE)
    return folder


def close_to_others(folder: Path, databases: Iterable[Path] = ()) -> list[str]:
    """Let nobody but its owner into the data folder and the files in it, nor into SQLite databases elsewhere.

    What cannot be closed, for it is somebody else's, is told.  Folders within keep their rights: nobody gets there.
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
    """Take the settings in the data folder into the process's surroundings, which come before them.

    The file has lines of `GAMESMASTER_NAME=value`, as systemd and containers read them too.
    """
    from dotenv import dotenv_values

    file = data_folder() / SETTINGS_FILE
    if file.is_file():
        for name, value in dotenv_values(file, interpolate=False).items():
            if name.startswith(PREFIX) and name != DATA_VARIABLE and value is not None:
                os.environ.setdefault(name, value)


def written_settings(settings: Mapping[str, str]) -> str:
    """Settings as such a file."""
    quoted = {name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in sorted(settings.items())}
    return "".join(f'{name}="{" ".join(value.split())}"\n' for name, value in quoted.items())


def keep_address(address: str) -> None:
    """Keep in the data folder at which address of this machine the site is served, for the processes beside it."""
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
    """The secret that everything is signed with; empty if there is none yet, or one that is too short.

    Django refuses to start with an empty one, and there is no default.
    """
    secret = os.environ.get(SECRET_VARIABLE, "").strip()
    if not secret:
        file = data_folder() / SECRET_FILE
        secret = file.read_text(encoding="ascii").strip() if file.is_file() else ""
    return secret if len(secret) >= SHORTEST_SECRET else ""


def _make_secret(file: Path) -> None:
    """Write a new secret if there is none: whole or not at all, though several processes start at once."""
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
    """The languages that the site speaks, by code and own name: English, and those with a compiled catalogue."""
    codes = {to_language(path.parents[1].name) for folder in folders for path in folder.glob("*/LC_MESSAGES/django.mo")}
    names = {code: str(LANG_INFO.get(code, {}).get("name_local", code)) for code in sorted(codes - {"en", "en-gb"})}
    return [("en-gb", "English"), *names.items()]


KEYS = {"id", "name", "server", "client", "secret"}
_ID = re.compile(r"[a-z0-9-]{1,40}")


def providers(file: str) -> list[dict[str, Any]]:
    """The providers in a file, as django-allauth wants them; none if no file is named.  Raises `BadFile`.

    Each `[[provider]]` has `id` (a word for the address), `name` (on the button), `server` (its issuer), `client` and
    `secret` (what the provider has given to this site).
    """
    if not file:
        return []
    try:
        rows = tomllib.loads(Path(file).read_text(encoding="utf-8")).get("provider", [])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadFile("the file of providers cannot be read", where=file, hint=str(error)) from error
    return [_one(row, file) for row in rows]


def servers(file: str) -> list[str]:
    """Where the providers in a file are: scheme and host of each."""
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
