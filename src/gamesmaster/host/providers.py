"""Sign-in through others: the OpenID Connect providers that whoever runs the site has written into a file."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from gamesmaster.errors import BadFile

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
    found = (urlsplit(one["settings"]["server_url"]) for one in providers(file))
    return sorted({f"{parts.scheme}://{parts.netloc}" for parts in found})


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
