"""Callers of the API: authentication, scopes and rate limits; and fields and answers shared by all calls."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from allauth.account.internal.flows.reauthentication import is_reauthentication_required
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from ninja import Path, Schema
from ninja.security import APIKeyCookie, HttpBearer
from ninja.throttling import BaseThrottle
from ninja.utils import check_csrf
from pydantic import BeforeValidator, ConfigDict, Field

from gamesmaster.errors import nearest
from gamesmaster.host.accounts import tokens
from gamesmaster.host.site import clock, limits
from gamesmaster.host.site.refusals import Problem, Refused
from gamesmaster.host.tables.settings import as_text
from gamesmaster.host.tables.view import TableView

SAFE = ("GET", "HEAD", "OPTIONS")
MINUTE = 60  # seconds
PER_MINUTE = 300
"""Calls per minute and person, or network of a visitor; half as many that change something."""


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller: a person, or a visitor without an account."""

    user: User | None  # None: a visitor
    scopes: frozenset[str] | None = None  # None: everything, from the person's own browser


class Token(HttpBearer):
    """A personal token: `Authorization: Bearer gm_...`."""

    openapi_name = "token"

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """Return the token's owner with its scopes; raise 401 for an invalid token."""
        found = tokens.find_token(token, clock.now())
        if found is None:
            raise Problem(401, "bad-token", "This token is not valid.", "make a new one under /me/tokens/")
        return Caller(found.user, found.scopes)


class Session(APIKeyCookie):
    """A signed-in browser. Calls that change something need the CSRF token in `X-CSRFToken`."""

    param_name = settings.SESSION_COOKIE_NAME
    openapi_name = "session"

    def __call__(self, request: HttpRequest) -> Caller | None:
        """Return the signed-in person."""
        return self.authenticate(request, None)

    def authenticate(self, request: HttpRequest, key: str | None) -> Caller | None:
        """Return the signed-in person; raise 403 for a change without a CSRF token."""
        if not isinstance(request.user, User):
            return None
        if request.method not in SAFE and check_csrf(request):
            raise Problem(403, "csrf", "This call has no CSRF token.", "send X-CSRFToken, or use a token")
        return Caller(request.user)


def stranger(request: HttpRequest) -> Caller:
    """Return a caller without an account, who may read what is public and play in sandboxes."""
    return Caller(None)


class Rate(BaseThrottle):
    """Limits calls per minute, and calls that change something to half as many."""

    def allow_request(self, request: HttpRequest) -> bool:
        """Count one call and return whether it is within the limit."""
        most = int(getattr(settings, "API_PER_MINUTE", PER_MINUTE))
        changing = request.method not in SAFE
        limit = limits.Limit(f"api-{'w' if changing else 'r'}", most // 2 if changing else most, MINUTE)
        return limits.spend(limit, f"{_who(request)} {int(time.time() // MINUTE)}")

    def wait(self) -> float | None:
        """Return the seconds until the next minute."""
        return MINUTE - time.time() % MINUTE


def _who(request: HttpRequest) -> str:
    caller: Caller = request.auth  # type: ignore[attr-defined]
    if caller.user is not None:
        return f"u{caller.user.pk}"
    return f"a{limits.network(limits.address(request))}"


def caller(request: HttpRequest, scope: str = "read") -> User | None:
    """Return the calling user, None for a visitor; raise `Problem` if the token lacks `scope`."""
    found: Caller = request.auth  # type: ignore[attr-defined]
    if found.scopes is not None and scope not in found.scopes:
        raise Problem(
            403, "no-scope", f"This token may not do that: it lacks the scope {scope}.", str(tokens.SCOPES[scope])
        )
    return found.user


def person(request: HttpRequest, scope: str = "read") -> User:
    """Return the calling user; raise 401 for a visitor."""
    found = caller(request, scope)
    if found is None:
        raise Problem(401, "who", "This needs an account.", "send a token: Authorization: Bearer gm_...")
    return found


def browser(request: HttpRequest) -> User:
    """Return the user of a signed-in browser; refuse tokens. Changes need a recent confirmation."""
    found: Caller = request.auth  # type: ignore[attr-defined]
    if found.user is None or found.scopes is not None:
        raise Refused("browser-only", "Tokens are made and deleted by their owner, signed in.", "see /me/tokens/")
    if request.method not in SAFE:
        require_confirmation(request)
    return found.user


def require_confirmation(request: HttpRequest) -> None:
    """Raise `Problem` for a browser whose owner has not recently signed in or confirmed his or her identity.

    Tokens pass: their owner confirmed when creating them.
    """
    found: Caller = request.auth  # type: ignore[attr-defined]
    if found.scopes is None and is_reauthentication_required(request, app="allauth.account"):
        raise Problem(
            403, "confirm", "Please confirm first that it is you.", "at /accounts/reauthenticate/, then again here"
        )


def own_power(view: TableView, name: str) -> str:
    """Return the viewer's power with this name, ignoring case. An empty name means the only power."""
    mine = view.viewer.powers
    if not name and len(mine) == 1:
        return mine[0]
    known = [power.name for power in view.variant.powers]
    for power in known:
        if power.casefold() == name.casefold() and (power in mine or view.viewer.gm):
            return power
    hint = f"you give orders for {', '.join(mine)}" if mine else nearest(name, known)
    raise Refused("no-seat", f"You do not give orders for {name[:60] or 'a power'}.", hint)


def with_etag(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Add an ETag to the response, or return 304 if the client has it."""
    patch_vary_headers(response, ["Authorization", "Cookie"])
    response.headers.setdefault("Cache-Control", "private, no-cache")
    if request.method == "GET" and response.status_code == 200:
        tag = f'"{hashlib.sha256(response.content).hexdigest()[:24]}"'
        response.headers["ETag"] = tag
        known = get_conditional_response(request, etag=tag, response=response)
        return known if isinstance(known, HttpResponse) else response
    return response


Ordinal = Annotated[int, Field(ge=0, le=1_000_000, description="the number of the phase, from 0")]
Name = Annotated[str, Field(max_length=80)]
Text = Annotated[str, Field(max_length=40_000)]
Line = Annotated[str, Field(max_length=400)]
OrderSet = Text | list[Line]
"""Orders as every call accepts them: a list, or one text with an order per line."""
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]


Moment = Annotated[datetime, Field(strict=False), BeforeValidator(as_text)]


def _plain(value: object) -> object:
    """Return a number in a query; raise `ValueError` unless it is written in digits, without sign or spare zeros."""
    if isinstance(value, str) and not (value.isascii() and value.isdigit() and str(int(value[:20])) == value):
        raise ValueError("expected a number in digits")
    return value


Plain = BeforeValidator(_plain)
PathNumber = Annotated[int, Plain, Path(ge=0, le=2**31 - 1)]


class Given(Schema):
    """Base of request bodies. Fields not declared are refused, and so are values of another type."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Done(Schema):
    """Done."""

    done: bool = True


class TextOut(Schema):
    """A text."""

    text: str
