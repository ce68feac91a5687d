"""Hooks: addresses that are told, signed, when a phase is over, a deadline moves or a game begins or ends.

What is told is what everybody may know.  The worker compares each table that has a hook with what the hook was last
told, writes the calls that follow (once each), and makes those that are due; a call that fails is made again later.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
import threading
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, connections, transaction
from django.db.models import F

from gamesmaster.errors import nearest
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import HookCall, Table, WebHook
from gamesmaster.host.service import clock, rows, tables
from gamesmaster.host.service.outgoing import Post, check_address, post

EVENTS = {
    "phase": "a phase is over",
    "deadline": "the deadline has changed",
    "state": "the game begins, pauses, goes on or ends",
}
"""What a hook may be told."""
WAITS = tuple(timedelta(minutes=m) for m in (1, 5, 30, 120, 600, 1440))
MOST_HOOKS = 5
MOST_FAILURES = 20
"""Calls given up in a row, after which a hook is told nothing any more."""
KEPT = timedelta(days=30)
LOG = logging.getLogger("gamesmaster.host")
_CALLER = "hook-caller"


def add(table: Table | int, by: User | None, url: str, events: list[str], *, now: datetime | None = None) -> WebHook:
    """Set a hook at a table one runs or has made; its secret signs what it is told.  Raises `Refused`."""
    check_address(url)
    for event in events:
        if event not in EVENTS:
            raise Refused(
                "no-event", f"There is no event called {event[:40]!r}.", nearest(event, EVENTS) or ", ".join(EVENTS)
            )
    with rows.locked(table) as row:
        if by is None or row.sandbox:
            raise Refused("no-hook", "Only people with an account can set webhooks, and only for games with players.")
        if row.owner_id != by.pk:
            tables.must_run(row, by)
        if row.hooks.count() >= MOST_HOOKS:
            raise Refused("too-many", f"A game can have at most {MOST_HOOKS} webhooks.")
        return WebHook.objects.create(
            table=row, owner=by, url=url, secret=secrets.token_hex(32), events=sorted(set(events) or set(EVENTS)),
            seen=_facts(row), made=now or clock.now(),
        )  # fmt: skip


def drop(table: Table | int, by: User | None, number: int) -> None:
    """Take a hook away; its own people may, and whoever runs the table."""
    with rows.locked(table) as row:
        hook = row.hooks.filter(pk=number).first()
        if hook is None:
            raise Refused("no-hook", "There is no such webhook.")
        if by is None or (hook.owner_id != by.pk and row.owner_id != by.pk):
            tables.must_run(row, by)
        hook.delete()


def work(now: datetime) -> None:
    """What the worker does every few seconds: calls are made beside it, so that no phase waits for a slow address."""
    collect(now)
    if not any(thread.name == _CALLER for thread in threading.enumerate()):
        threading.Thread(target=_call, args=(now,), name=_CALLER, daemon=True).start()


def _call(now: datetime) -> None:
    try:
        deliver(now)
    except DatabaseError as error:
        LOG.error("hooks cannot be called", exc_info=error, extra={"event": "hooks"})
    finally:
        connections.close_all()


def collect(now: datetime) -> None:
    """Write the calls that follow from what has happened since each hook was last told."""
    for hook in WebHook.objects.filter(failures__lt=MOST_FAILURES).select_related("table").defer("table__record"):
        facts = _facts(hook.table)
        if facts == hook.seen:
            continue
        with transaction.atomic():
            mine = WebHook.objects.select_for_update().filter(pk=hook.pk).first()
            if mine is None or mine.seen == facts:
                continue
            for event, what, told in _news(hook.table, mine.seen, facts):
                if event in mine.events:
                    _write(mine, event, what, told, now)
            mine.seen = facts
            mine.save(update_fields=["seen"])


def deliver(now: datetime, *, send: Post = post, most: int = 50) -> int:
    """Make the calls that are due, oldest first."""
    due = HookCall.objects.filter(state=HookCall.QUEUED, next_try__lte=now).select_related("hook").order_by("next_try")
    made = 0
    for call in due[:most]:
        # whoever moves the next try on first makes this one
        wait = WAITS[min(call.tries, len(WAITS) - 1)]
        mine = HookCall.objects.filter(pk=call.pk, tries=call.tries, state=HookCall.QUEUED)
        if not mine.update(tries=F("tries") + 1, next_try=now + wait):
            continue
        made += 1
        _settle(call, send(call.hook.url, call.body.encode(), headers(call, now)))
    HookCall.objects.filter(made__lt=now - KEPT).exclude(state=HookCall.QUEUED).delete()
    return made


def headers(call: HookCall, now: datetime) -> dict[str, str]:
    """The headers of a call: `X-Gamesmaster-Signature: t=<time>,v1=<HMAC-SHA256 of time, a full stop and the body>`."""
    at = str(int(now.timestamp()))
    return {
        "Content-Type": "application/json",
        "User-Agent": "Gamesmaster-Hook/1",
        "X-Gamesmaster-Event": call.event,
        "X-Gamesmaster-Delivery": call.code,
        "X-Gamesmaster-Signature": f"t={at},v1={sign(call.hook.secret, at, call.body)}",
    }


def sign(secret: str, at: str, body: str) -> str:
    """The signature of a body sent at this time (seconds since 1970)."""
    return hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()


def _settle(call: HookCall, why: str) -> None:
    """Note what came of a call: `why` it failed, empty if it did not."""
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
    """What is new: event, a word for this happening, what is told of it."""
    found: list[tuple[str, str, dict[str, object]]] = []
    begun = int(str(seen.get("ordinal", 0)))
    for row in table.phases.filter(ordinal__gte=begun).order_by("ordinal"):
        told: dict[str, object] = {"ordinal": row.ordinal, "phase": row.code, "at": row.processed_at.isoformat()}
        found.append(("phase", f"phase.{row.ordinal}.{row.pk}", told))
    told = {"state": table.state, "phase": table.phase_code, "deadline": facts["deadline"]}
    if facts["state"] != seen.get("state"):
        found.append(("state", f"state.{table.state}.{table.version}", told))
    if facts["deadline"] != seen.get("deadline"):
        found.append(("deadline", f"deadline.{table.version}.{facts['deadline']}", told))
    return found


def _write(hook: WebHook, event: str, what: str, told: dict[str, object], now: datetime) -> None:
    table = hook.table
    url = f"{settings.BASE_URL}/t/{table.key}/"
    data = {"event": event, "table": table.key, "name": table.name, "url": url, **told}
    HookCall.objects.get_or_create(
        hook=hook,
        what=what[:120],
        defaults={
            "code": secrets.token_hex(16), "event": event, "body": json.dumps(data), "next_try": now, "made": now,
        },
    )  # fmt: skip
