"""Django's cache as a table of the database, shared by all processes; nothing is dropped before its time.

What counts how often somebody has tried something is kept here, and what django-allauth keeps to the same end.  A cache
in memory would be counted by each process for itself, and whoever writes enough other keys would empty it.
"""

from __future__ import annotations

import json
import time
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.db import connection

from gamesmaster.host.site.database import unwritten
from gamesmaster.host.site.models import SharedValue

FOREVER = 2**62
"""When that runs out which has no end."""
_REPLACE = "ON CONFLICT (key) DO UPDATE SET value = excluded.value, ends = excluded.ends"


class SharedCache(BaseCache):
    """Values are JSON.  Each write is one statement, so that of those at once none is lost."""

    def __init__(self, location: str, params: dict[str, Any]) -> None:
        super().__init__(params)

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        """What is kept under a key and has not run out."""
        kept = SharedValue.objects.filter(key=self._key(key, version), ends__gt=_now())
        text = kept.values_list("value", flat=True).first()
        return default if text is None else json.loads(text)

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Keep a value in place of what was there."""
        self._write(_REPLACE, key, value, timeout, version)

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Keep a value if there is none; was there none?"""
        return self._write(f"{_REPLACE} WHERE host_shared.ends <= %s", key, value, timeout, version, _now()) > 0

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add to a number, which runs out when it would have; raises `ValueError` if there is none."""
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
        """Let a value run out at another time; is there one?"""
        kept = SharedValue.objects.filter(key=self._key(key, version), ends__gt=_now())
        return kept.update(ends=self._end(timeout)) > 0

    def delete(self, key: str, version: int | None = None) -> bool:
        """Forget a value; was there one?"""
        return SharedValue.objects.filter(key=self._key(key, version)).delete()[0] > 0

    def clear(self) -> None:
        """Forget everything."""
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
    """Take away what has run out; how many?"""
    return SharedValue.objects.filter(ends__lte=_now()).delete()[0]


def _now() -> int:
    return int(time.time())
