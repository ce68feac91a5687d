"""Client of a site's API, with the standard library only."""

from __future__ import annotations

import json
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode, urlsplit
from urllib.request import Request, urlopen

from gamesmaster.errors import GamesmasterError

SECONDS = 30.0


def path_of(*pieces: str | int, **asked: str | int) -> str:
    """Return the path of a call, each piece quoted as one segment: `/tables/kmqdtrwvzx/orders/France`.

    `asked` becomes the query string. Raise `GamesmasterError` for pieces that servers would read as a different path,
    because they decode it before routing: empty ones, dots, and those with slashes, backslashes or control characters.
    Lone surrogates are refused as well.
    """
    for piece in map(str, pieces):
        if piece.strip(".") == "" or any(letter in "/\\" or not letter.isprintable() for letter in piece):
            raise GamesmasterError(
                "that cannot be part of an address", where=piece[:60], hint="the key of a game, a power"
            )
    path = "".join(f"/{quote(str(piece), safe='')}" for piece in pieces)
    try:
        return f"{path}?{urlencode(asked, quote_via=quote)}" if asked else path
    except UnicodeEncodeError as error:
        raise GamesmasterError("that cannot be part of an address", where=ascii(error.object[:60])) from None


class Site:
    """A site at `url`, called with a personal token, or as a visitor without one."""

    def __init__(self, url: str, token: str = "") -> None:
        if urlsplit(url).scheme not in ("http", "https"):
            raise GamesmasterError("this is not the address of a site", where=url[:100], hint="https://example.org")
        self.url, self.token = url.rstrip("/"), token

    def get(self, path: str) -> Any:
        """Return the answer of GET `/api/...`; raise `GamesmasterError` with the site's message."""
        return self.call("GET", path)

    def call(self, method: str, path: str, data: object = None) -> Any:
        """Call with a JSON body and return the answer; raise `GamesmasterError` with the site's message."""
        body = None if data is None else json.dumps(data).encode()
        request = Request(f"{self.url}/api{quote(path, safe='/?=&%[],')}", body, method=method)
        request.add_header("Content-Type", "application/json")
        if self.token:
            request.add_header("Authorization", f"Bearer {self.token}")
        try:
            with urlopen(request, timeout=SECONDS) as answer:
                return json.load(answer)
        except HTTPError as error:
            raise _error_of(error) from None
        except (URLError, OSError) as error:
            raise GamesmasterError("the site does not answer", where=self.url, hint=str(error)[:200]) from None


def _error_of(error: HTTPError) -> GamesmasterError:
    try:
        said = json.load(error)
        return GamesmasterError(str(said["detail"]), where=str(said["code"]), hint=str(said["hint"]))
    except (ValueError, KeyError, TypeError):
        return GamesmasterError(f"the site says {error.code}")
