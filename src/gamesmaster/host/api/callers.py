"""Who calls, what the call may do, and how often."""

from __future__ import annotations

import time
from dataclasses import dataclass

from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest
from ninja.security import APIKeyCookie, HttpBearer
from ninja.throttling import BaseThrottle
from ninja.utils import check_csrf

from gamesmaster.host.api.problems import Problem
from gamesmaster.host.errors import Refused
from gamesmaster.host.service import clock, limits, tokens

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
        found = tokens.find(token, clock.now())
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
        confirmed(request)
    return found.user


def confirmed(request: HttpRequest) -> None:
    """Raise `Problem` in a browser whose owner has not confirmed of late that it is he or she who sits there.

    A token is as good as that: to make it, and to give it its scopes, its owner has confirmed it.
    """
    found: Caller = request.auth  # type: ignore[attr-defined]
    if found.scopes is None and not did_recently_reauthenticate(request):
        raise Problem(
            403, "confirm", "Please confirm first that it is you.", "at /accounts/reauthenticate/, then again here"
        )
