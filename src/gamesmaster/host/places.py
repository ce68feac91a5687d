"""Where the host keeps things: the data folder and the secret in it."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

DATA_VARIABLE = "GAMESMASTER_DATA"
SECRET_VARIABLE = "GAMESMASTER_SECRET"
SHORTEST_SECRET = 32  # characters


def data_folder() -> Path:
    """The data folder: `GAMESMASTER_DATA`, or `gamesmaster-data` here."""
    return Path(os.environ.get(DATA_VARIABLE) or "gamesmaster-data").absolute()


def make_data_folder() -> Path:
    """The data folder with a secret in it, made if need be; only their owner may look into them."""
    folder = data_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / "static").mkdir(exist_ok=True)  # for collected files; they are found without it too
    if not os.environ.get(SECRET_VARIABLE):
        _make_secret(folder / "secret")
    return folder


def read_secret() -> str:
    """The secret that everything is signed with; empty if there is none yet, or one that is too short.

    Django refuses to start with an empty one, and there is no default.
    """
    told = os.environ.get(SECRET_VARIABLE, "").strip()
    if not told:
        file = data_folder() / "secret"
        told = file.read_text(encoding="ascii").strip() if file.is_file() else ""
    return told if len(told) >= SHORTEST_SECRET else ""


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
