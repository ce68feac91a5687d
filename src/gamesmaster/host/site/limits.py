"""How often somebody may do what costs the house something: counted in the database, for all processes together."""

from __future__ import annotations

import hashlib
import ipaddress
from contextlib import suppress
from dataclasses import dataclass

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _

from gamesmaster.host.site.refusals import Refused


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `times` within so many `seconds`, beginning with the first."""

    name: str
    times: int
    seconds: int


def check(limit: Limit, request: HttpRequest) -> None:
    """Count one more of whoever asks; raise `Refused` if that is too many."""
    if not spend(limit, who(request)):
        raise Refused("too-many", _("You have done this too often."), _("try again later"))


def spend(limit: Limit, whose: str) -> bool:
    """Count one more of somebody; is it one of those that may be?"""
    key = _key(limit, whose)
    for _again in range(2):
        try:
            return cache.incr(key) <= limit.times
        except ValueError:  # the first, or the first since it ran out
            if cache.add(key, 1, limit.seconds):
                return limit.times > 0
    return False


def give_back(limit: Limit, whose: str) -> None:
    """Take back one that was counted, since it turned out to be harmless."""
    with suppress(ValueError):  # it has run out
        cache.incr(_key(limit, whose), -1)


def forgive(limit: Limit, whose: str) -> None:
    """Count anew."""
    cache.delete(_key(limit, whose))


def who(request: HttpRequest) -> str:
    """Whoever asks: the account, or the network of somebody who is not signed in."""
    if request.user.is_authenticated:
        return f"user-{request.user.pk}"
    return f"address-{network(address(request))}"


def address(request: HttpRequest) -> str:
    """The address of whoever asks; where a server of the house stands before this one, the one it tells of."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    return forwarded.rpartition(",")[2].strip() or str(request.META.get("REMOTE_ADDR", ""))


def network(address: str, *, four: int = 32, six: int = 64) -> str:
    """The network of an address: of the newer kind everybody has so many addresses that the half of it counts."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    bits = four if found.version == 4 else six
    net = ipaddress.ip_network((found, bits), strict=False)
    return str(net.network_address if bits == net.max_prefixlen else net)


def _key(limit: Limit, whose: str) -> str:
    """What is counted under: a hash, for a name that somebody has typed may be anything."""
    return f"limit:{limit.name}:{hashlib.sha256(whose.encode('utf-8', 'replace')).hexdigest()[:40]}"
