"""Limits on actions that cost the site something, and the cache in which they are counted.

The cache is a table of the database, shared by all processes. Nothing is evicted before it expires; django-allauth's
limits are counted in it as well. A cache in memory would count per process, and anybody could empty it by writing many
keys.
"""

from __future__ import annotations

import hashlib
import ipaddress
import json
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import connection, models
from django.http import HttpRequest
from django.utils.translation import gettext as _

from gamesmaster.host.site.places import unwritten
from gamesmaster.host.site.refusals import Refused

FOREVER = 2**62
"""Expiry of values without one."""
_REPLACE = "ON CONFLICT (key) DO UPDATE SET value = excluded.value, ends = excluded.ends"


class SharedCache(BaseCache):
    """A cache of JSON values. Each write is one statement, so that concurrent writes are not lost."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """Return the value of a key that has not expired."""
        kept = SharedValue.objects.filter(key=self._key(key, version), ends__gt=_now())
        text = kept.values_list("value", flat=True).first()
        return default if text is None else json.loads(text)

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Set a value."""
        self._write(_REPLACE, key, value, timeout, version)

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Set a value if the key has none, and return whether it was set."""
        return self._write(f"{_REPLACE} WHERE host_shared.ends <= %s", key, value, timeout, version, _now()) > 0

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add to a number, keeping its expiry; raise `ValueError` if the key has no value."""
        sum_ = (
            "UPDATE host_shared SET value = CAST(CAST(value AS bigint) + %s AS text) WHERE key = %s AND ends > %s"
            " RETURNING value"
        )
        with unwritten(), connection.cursor() as cursor:
            cursor.execute(sum_, [delta, self._key(key, version), _now()])
            row = cursor.fetchone()
        if row is None:
            raise ValueError(f"no number is kept as {key!r}")
        return int(row[0])

    def touch(self, key: str, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Change the expiry of a value and return whether it exists."""
        kept = SharedValue.objects.filter(key=self._key(key, version), ends__gt=_now())
        return kept.update(ends=self._end(timeout)) > 0

    def delete(self, key: str, version: int | None = None) -> bool:
        """Delete a value and return whether it existed."""
        return SharedValue.objects.filter(key=self._key(key, version)).delete()[0] > 0

    def clear(self) -> None:
        """Delete everything."""
        SharedValue.objects.all().delete()

    def _write(self, clash: str, key: str, value: Any, timeout: Any, version: int | None, *more: int) -> int:
        row: list[str | int] = [self._key(key, version), json.dumps(value), self._end(timeout)]
        with unwritten(), connection.cursor() as cursor:
            cursor.execute(f"INSERT INTO host_shared (key, value, ends) VALUES (%s, %s, %s) {clash}", [*row, *more])
            return int(cursor.rowcount)

    def _key(self, key: str, version: int | None) -> str:
        return str(self.make_and_validate_key(key, version=version))

    def _end(self, timeout: Any) -> int:
        seconds = self.default_timeout if timeout is DEFAULT_TIMEOUT else timeout
        return FOREVER if seconds is None else _now() + int(seconds)


def tidy(now: object) -> int:
    """Delete expired values and return how many were deleted."""
    return SharedValue.objects.filter(ends__lte=_now()).delete()[0]


def _now() -> int:
    return int(time.time())


@dataclass(frozen=True, slots=True)
class Limit:
    """At most `times` within `seconds`, counted from the first."""

    name: str
    times: int
    seconds: int


def check(limit: Limit, request: HttpRequest) -> None:
    """Count one use by the person who asks; raise `Refused` if the limit is exceeded."""
    if not spend(limit, who(request)):
        raise Refused("too-many", _("You have done this too often."), _("try again later"))


def spend(limit: Limit, whose: str) -> bool:
    """Count one use and return whether it is within the limit."""
    key = _key(limit, whose)
    for _again in range(2):
        try:
            return cache.incr(key) <= limit.times
        except ValueError:  # the first use, or the first since expiry
            if cache.add(key, 1, limit.seconds):
                return limit.times > 0
    return False


def give_back(limit: Limit, whose: str) -> None:
    """Take back one counted use that turned out to be harmless."""
    with suppress(ValueError):  # expired
        cache.incr(_key(limit, whose), -1)


def forgive(limit: Limit, whose: str) -> None:
    """Reset a count."""
    cache.delete(_key(limit, whose))


def who(request: HttpRequest) -> str:
    """Return the key under which a request is counted: the account, or the network of a visitor."""
    if request.user.is_authenticated:
        return f"user-{request.user.pk}"
    return f"address-{network(address(request))}"


def address(request: HttpRequest) -> str:
    """Return the client's address; behind a proxy, the one that the proxy reports."""
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "") if settings.SECURE_PROXY_SSL_HEADER else ""
    return forwarded.rpartition(",")[2].strip() or str(request.META.get("REMOTE_ADDR", ""))


def network(address: str, *, four: int = 32, six: int = 64) -> str:
    """Return the network of an address. IPv6 users have whole networks, so by default only the first half counts."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address[:64]
    bits = four if found.version == 4 else six
    net = ipaddress.ip_network((found, bits), strict=False)
    return str(net.network_address if bits == net.max_prefixlen else net)


def _key(limit: Limit, whose: str) -> str:
    """Return the key of a count. It contains a hash, because people may type anything as a name."""
    return f"limit:{limit.name}:{hashlib.sha256(whose.encode('utf-8', 'replace')).hexdigest()[:40]}"


class SharedValue(models.Model):
    """A value of the shared cache, as JSON; `ends` is its expiry in seconds since 1970."""

    key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    ends = models.BigIntegerField(db_index=True)

    class Meta:
        """The table name that the statements of this module use."""

        db_table = "host_shared"
