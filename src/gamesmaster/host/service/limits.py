"""How often somebody may do what costs the house something: counted in the cache, by account or by address."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from gamesmaster.host.errors import Refused


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `times` within so many `seconds`."""

    name: str
    times: int
    seconds: int


def check(limit: Limit, request: HttpRequest) -> None:
    """Count one more; raise `Refused` if that is too many."""
    key = f"limit:{limit.name}:{_who(request)}"
    cache.add(key, 0, limit.seconds)
    try:
        times = cache.incr(key)
    except ValueError:  # it ran out in between
        cache.set(key, 1, limit.seconds)
        times = 1
    if times > limit.times:
        raise Refused("too-many", "You have done this too often.", "try again later")


def _who(request: HttpRequest) -> str:
    if request.user.is_authenticated:
        return f"user-{request.user.pk}"
    return f"address-{address(request)}"


def address(request: HttpRequest) -> str:
    """The address of whoever asks; where a server of the house stands before this one, the one it tells of."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    return forwarded.rpartition(",")[2].strip() or str(request.META.get("REMOTE_ADDR", ""))
