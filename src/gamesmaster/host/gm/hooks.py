"""Webhooks: signed calls when a phase ends, a deadline moves, or a game begins or ends.

Calls contain only public facts. The worker compares each table that has hooks with the facts last sent, writes the
calls that follow, once each, and makes those that are due. Failed calls are retried.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
import threading
import time
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, connections, transaction
from django.db.models import F, Min, QuerySet

from gamesmaster.errors import nearest
from gamesmaster.host.gm.outgoing import Post, check_address, post
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.models import HookCall, Table, WebHook

EVENTS = {
    "phase": "a phase is over",
    "deadline": "the deadline has changed",
    "state": "the game begins, pauses, goes on or ends",
}
"""The events that a hook can receive, with descriptions."""
WAITS = tuple(timedelta(minutes=m) for m in (1, 5, 30, 120, 600, 1440))
MOST_HOOKS = 5
MOST_AT_ONCE = 50  # calls
MOST_FAILURES = 20
"""Number of consecutive failed calls after which a hook gets no more calls."""
KEPT = timedelta(days=30)
LOG = logging.getLogger("gamesmaster.host")
MOST_LANES = 8
SLOW, SLOW_LASTS = 2.0, 3600.0
"""A call that takes longer than SLOW seconds marks its host as slow for SLOW_LASTS seconds."""


def add(table: Table | int, by: User | None, url: str, events: list[str], *, now: datetime | None = None) -> WebHook:
    """Add a hook to a table that the person owns or runs; its secret signs the calls. Raise `Refused`."""
    check_address(url)
    for event in events:
        if event not in EVENTS:
            raise Refused(
                "no-event", f"There is no event called {event[:40]!r}.", nearest(event, EVENTS) or ", ".join(EVENTS)
            )
    with store.lock(table) as row:
        if by is None or row.sandbox:
            raise Refused("no-hook", "Only people with an account can set webhooks, and only for games with players.")
        if row.owner_id != by.pk:
            access.must_run(row, by)
        if row.hooks.count() >= MOST_HOOKS:
            raise Refused("too-many", f"A game can have at most {MOST_HOOKS} webhooks.")
        return WebHook.objects.create(
            table=row, owner=by, url=url, secret=secrets.token_hex(32), events=sorted(set(events) or set(EVENTS)),
            seen=_facts(row), made=now or clock.now(),
        )  # fmt: skip


def drop(table: Table | int, by: User | None, number: int) -> None:
    """Remove a hook. Its owner may do so, and the people who own or run the table."""
    with store.lock(table) as row:
        hook = row.hooks.filter(pk=number).first()
        if hook is None:
            raise Refused("no-hook", "There is no such webhook.")
        if by is None or (hook.owner_id != by.pk and row.owner_id != by.pk):
            access.must_run(row, by)
        hook.delete()


def work(now: datetime) -> None:
    """Write and start the calls that are due. Threads make them, so a slow address delays no phase."""
    collect(now)
    LANES.fill(now)
    HookCall.objects.filter(made__lt=now - KEPT).exclude(state=HookCall.QUEUED).delete()


def collect(now: datetime) -> None:
    """Write the calls that follow from what has changed since each hook's last facts."""
    for hook in WebHook.objects.filter(failures__lt=MOST_FAILURES).select_related("table").defer("table__record"):
        facts = _facts(hook.table)
        if facts == hook.seen:
            continue
        with transaction.atomic():
            mine = WebHook.objects.select_for_update().filter(pk=hook.pk).first()
            if mine is None or mine.seen == facts:
                continue
            for event, what, fields in _news(hook.table, mine.seen, facts):
                if event in mine.events:
                    _write(mine, event, what, fields, now)
            mine.seen = facts
            mine.save(update_fields=["seen"])


def deliver(now: datetime, *, send: Post = post) -> int:
    """Make the calls that are due, oldest first, one after the other; return how many were made."""
    return sum(_make(call, now, send) for call in _due(now)[:MOST_AT_ONCE])


def _due(now: datetime) -> QuerySet[HookCall]:
    due = HookCall.objects.filter(state=HookCall.QUEUED, next_try__lte=now)
    return due.select_related("hook").order_by("next_try", "pk")


def _make(call: HookCall, now: datetime, send: Post) -> bool:
    """Make a call and return True, or False if another process has claimed it by moving `next_try`."""
    wait = WAITS[min(call.tries, len(WAITS) - 1)]
    mine = HookCall.objects.filter(pk=call.pk, tries=call.tries, state=HookCall.QUEUED)
    if not mine.update(tries=F("tries") + 1, next_try=now + wait):
        return False
    _settle(call, send(call.hook.url, call.body.encode(), headers(call, now)))
    return True


class Lanes:
    """Threads that make calls: one at a time per host, and few for hosts that were slow recently.

    An address that answers slowly thereby delays only its own calls.
    """

    def __init__(self, most: int = MOST_LANES, *, send: Post = post) -> None:
        self.most, self.send = most, send
        self._lock = threading.Lock()
        self._busy: set[str] = set()
        self._slow: dict[str, float] = {}

    def fill(self, now: datetime) -> int:
        """Start calls that are due, the oldest of each hook, as far as there is room; return how many were started."""
        begun = 0
        heads = _due(now).order_by().values("hook", "hook__url").annotate(first=Min("next_try")).order_by("first")
        for hook, url, _ in heads.values_list("hook", "hook__url", "first"):
            host = (urlsplit(url).hostname or "").casefold()
            if not self._enter(host):
                continue
            call = _due(now).filter(hook=hook).first()
            if call is None:  # another process makes it
                self._leave(host)
                continue
            begun += 1
            threading.Thread(target=self._run, args=(call, host, now), name="hook", daemon=True).start()
        return begun

    def wait(self, seconds: float) -> bool:
        """Wait at most `seconds` for running calls and return whether all have ended."""
        until = time.monotonic() + seconds
        while self._busy and time.monotonic() < until:
            time.sleep(0.02)
        return not self._busy

    def _enter(self, host: str) -> bool:
        with self._lock:
            at = time.monotonic()
            self._slow = {name: end for name, end in self._slow.items() if end > at}
            slow = len(self._busy & self._slow.keys())
            if host in self._busy or len(self._busy) >= self.most:
                return False
            if host in self._slow and slow >= self.most // 4:
                return False
            self._busy.add(host)
            return True

    def _run(self, call: HookCall, host: str, now: datetime) -> None:
        begun = time.monotonic()
        try:
            _make(call, now, self.send)
        except DatabaseError as error:
            LOG.error("a hook cannot be called", exc_info=error, extra={"event": "hooks"})
        finally:
            connections.close_all()
            self._leave(host, slow=time.monotonic() - begun > SLOW)

    def _leave(self, host: str, *, slow: bool = False) -> None:
        with self._lock:
            self._busy.discard(host)
            if slow:
                self._slow[host] = time.monotonic() + SLOW_LASTS


LANES = Lanes()
"""The lanes of this process."""


def headers(call: HookCall, now: datetime) -> dict[str, str]:
    """Return the headers of a call.

    Among them is `X-Gamesmaster-Signature: t=<time>,v1=<HMAC-SHA256 of time, a full stop and the body>`.
    """
    at = str(int(now.timestamp()))
    return {
        "Content-Type": "application/json",
        "User-Agent": "Gamesmaster-Hook/1",
        "X-Gamesmaster-Event": call.event,
        "X-Gamesmaster-Delivery": call.code,
        "X-Gamesmaster-Signature": f"t={at},v1={sign(call.hook.secret, at, call.body)}",
    }


def sign(secret: str, at: str, body: str) -> str:
    """Return the signature of a body sent at this time, in seconds since 1970."""
    return hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()


def _settle(call: HookCall, why: str) -> None:
    """Record the result of a call: `why` it failed, or "" for success."""
    if not why:
        HookCall.objects.filter(pk=call.pk).update(state=HookCall.SENT, why="")
        WebHook.objects.filter(pk=call.hook_id).update(failures=0)
    elif call.tries + 1 >= len(WAITS):
        HookCall.objects.filter(pk=call.pk).update(state=HookCall.FAILED, why=why[:60])
        WebHook.objects.filter(pk=call.hook_id).update(failures=F("failures") + 1)
    else:
        HookCall.objects.filter(pk=call.pk).update(why=why[:60])


def _facts(table: Table) -> dict[str, object]:
    at = table.deadline.isoformat() if table.deadline else None
    return {"ordinal": table.ordinal, "state": table.state, "deadline": at}


def _news(table: Table, seen: dict[str, object], facts: dict[str, object]) -> list[tuple[str, str, dict[str, object]]]:
    """Return the news of a table as triples: event, unique word for the happening, and fields to send."""
    news: list[tuple[str, str, dict[str, object]]] = []
    begun = int(str(seen.get("ordinal", 0)))
    for row in table.phases.filter(ordinal__gte=begun).order_by("ordinal"):
        fields: dict[str, object] = {"ordinal": row.ordinal, "phase": row.code, "at": row.processed_at.isoformat()}
        news.append(("phase", f"phase.{row.ordinal}.{row.pk}", fields))
    fields = {"state": table.state, "phase": table.phase_code, "deadline": facts["deadline"]}
    if facts["state"] != seen.get("state"):
        news.append(("state", f"state.{table.state}.{table.version}", fields))
    if facts["deadline"] != seen.get("deadline"):
        news.append(("deadline", f"deadline.{table.version}.{facts['deadline']}", fields))
    return news


def _write(hook: WebHook, event: str, what: str, fields: dict[str, object], now: datetime) -> None:
    table = hook.table
    url = f"{settings.BASE_URL}/t/{table.key}/"
    data = {"event": event, "table": table.key, "name": table.name, "url": url, **fields}
    HookCall.objects.get_or_create(
        hook=hook,
        what=what[:120],
        defaults={
            "code": secrets.token_hex(16), "event": event, "body": json.dumps(data), "next_try": now, "made": now,
        },
    )  # fmt: skip
