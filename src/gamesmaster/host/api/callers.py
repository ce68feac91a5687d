"""Who calls the API, what the call may do, and how often; fields and answers that all calls share."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass
from typing import Annotated

from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers
from ninja import Schema
from ninja.security import APIKeyCookie, HttpBearer
from ninja.throttling import BaseThrottle
from ninja.utils import check_csrf
from pydantic import ConfigDict, Field

from gamesmaster.errors import nearest
from gamesmaster.host.accounts import tokens
from gamesmaster.host.site import clock, limits
from gamesmaster.host.site.refusals import Problem, Refused
from gamesmaster.host.tables.view import TableView

SAFE = ("GET", "HEAD", "OPTIONS")
MINUTE = 60  # seconds
PER_MINUTE = 300
"""Calls a minute of one person, of one stranger's address, and half as many that change something."""


@dataclass(frozen=True, slots=True)
class Caller:
    """A person, or a stranger; `scopes` None: everything, for it is the person's own browser."""

    user: User | None
    scopes: frozenset[str] | None = None


class Token(HttpBearer):
    """A personal token: `Authorization: Bearer gm_...`."""

    openapi_name = "token"

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """The token's owner, within its scopes; 401 for one that does not hold."""
        found = tokens.find_token(token, clock.now())
        if found is None:
            raise Problem(401, "bad-token", "This token is not valid.", "make a new one under /me/tokens/")
        return Caller(found.user, found.scopes)


class Session(APIKeyCookie):
    """A signed-in browser; what changes something wants the CSRF token in `X-CSRFToken`."""

    param_name = settings.SESSION_COOKIE_NAME
    openapi_name = "session"

    def __call__(self, request: HttpRequest) -> Caller | None:
        """The person who is signed in."""
        return self.authenticate(request, None)

    def authenticate(self, request: HttpRequest, key: str | None) -> Caller | None:
        """The person who is signed in; 403 for a change that another site may have asked for."""
        if not isinstance(request.user, User):
            return None
        if request.method not in SAFE and check_csrf(request):
            raise Problem(403, "csrf", "This call has no CSRF token.", "send X-CSRFToken, or use a token")
        return Caller(request.user)


def stranger(request: HttpRequest) -> Caller:
    """Everybody else: may look at what is public, and play at sandboxes."""
    return Caller(None)


class Rate(BaseThrottle):
    """So many calls a minute; of changes half as many."""

    def allow_request(self, request: HttpRequest) -> bool:
        """Count one more; is it one of those that may be?"""
        most = int(getattr(settings, "API_PER_MINUTE", PER_MINUTE))
        changing = request.method not in SAFE
        limit = limits.Limit(f"api-{'w' if changing else 'r'}", most // 2 if changing else most, MINUTE)
        return limits.spend(limit, f"{_who(request)} {int(time.time() // MINUTE)}")

    def wait(self) -> float | None:
        """Seconds to the next minute."""
        return MINUTE - time.time() % MINUTE


def _who(request: HttpRequest) -> str:
    caller: Caller = request.auth  # type: ignore[attr-defined]
    if caller.user is not None:
        return f"u{caller.user.pk}"
    return f"a{limits.network(limits.address(request))}"


def caller(request: HttpRequest, scope: str = "read") -> User | None:
    """Who calls, None for a stranger; raises `Problem` if the token's scopes do not have this one."""
    found: Caller = request.auth  # type: ignore[attr-defined]
    if found.scopes is not None and scope not in found.scopes:
        raise Problem(
            403, "no-scope", f"This token may not do that: it lacks the scope {scope}.", str(tokens.SCOPES[scope])
        )
    return found.user


def person(request: HttpRequest, scope: str = "read") -> User:
    """Who calls; 401 for strangers."""
    found = caller(request, scope)
    if found is None:
        raise Problem(401, "who", "This needs an account.", "send a token: Authorization: Bearer gm_...")
    return found


def browser(request: HttpRequest) -> User:
    """The person at a browser; no token may do what is done here."""
    found: Caller = request.auth  # type: ignore[attr-defined]
    if found.user is None or found.scopes is not None:
        raise Refused("browser-only", "Tokens are made and deleted by their owner, signed in.", "see /me/tokens/")
    if request.method not in SAFE:
        require_confirmation(request)
    return found.user


def require_confirmation(request: HttpRequest) -> None:
    """Raise `Problem` in a browser whose owner has not confirmed of late that it is he or she who sits there.

    A token is as good as that: to make it, and to give it its scopes, its owner has confirmed it.
    """
    found: Caller = request.auth  # type: ignore[attr-defined]
    if found.scopes is None and not did_recently_reauthenticate(request):
        raise Problem(
            403, "confirm", "Please confirm first that it is you.", "at /accounts/reauthenticate/, then again here"
        )


def own_power(view: TableView, name: str) -> str:
    """A power that the viewer orders for, by its name in any case of letters; a name left out is the only one."""
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
    """The answer with its tag, or 304."""
    patch_vary_headers(response, ["Authorization", "Cookie"])
    response.headers.setdefault("Cache-Control", "private, no-cache")
    if request.method == "GET" and response.status_code == 200:
        tag = f'"{hashlib.sha256(response.content).hexdigest()[:24]}"'
        response.headers["ETag"] = tag
        known = get_conditional_response(request, etag=tag, response=response)
        return known if isinstance(known, HttpResponse) else response
    return response


Ordinal = Annotated[int, Field(ge=0, le=1_000_000, description="the number of the phase, from 0", examples=[0])]
Name = Annotated[str, Field(max_length=80)]
Text = Annotated[str, Field(max_length=40_000)]
Line = Annotated[str, Field(max_length=400)]
OrderSet = Text | list[Line]
"""Orders, as every call takes them: a list, or the lines of one text."""
Number = Annotated[int, Field(ge=0, le=2**31 - 1)]
Power = Annotated[str, Field(examples=["France"])]
Code = Annotated[str, Field(examples=["S1901M"])]
Key = Annotated[str, Field(examples=["kmqdtrwvzx"])]
OrderText = Annotated[str, Field(examples=["A Par - Bur"])]
Clause = Annotated[str, Field(examples=["STD-6.a"])]
Units = Annotated[dict[str, list[str]], Field(examples=[{"France": ["A Par", "F Bre"]}])]


class Given(Schema):
    """What a call takes: only the fields named here."""

    model_config = ConfigDict(extra="forbid")


class Done(Schema):
    """Done."""

    done: bool = True


class TextOut(Schema):
    """A text."""

    text: str = Field(examples=["Spring 1901, orders..."])
