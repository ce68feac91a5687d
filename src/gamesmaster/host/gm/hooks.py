"""Webhooks: signed calls when a phase ends, a deadline moves, or a game begins or ends.

Calls contain only public facts. The worker compares each table that has hooks with the facts last sent, writes the
calls that follow, once each, and makes those that are due. Failed calls are retried. Messages to devices are written by
`tables.outbox`, and go the same way.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import logging
import secrets
import threading
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db import DatabaseError, connections, transaction
from django.db.models import F, Min, QuerySet
from django.utils.translation import gettext as _

from gamesmaster.errors import nearest
from gamesmaster.host.notices import push
from gamesmaster.host.site import clock
from gamesmaster.host.site.outgoing import Post, check_address, post
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.models import Device, HookCall, Table, WebHook
from gamesmaster.host.tables.view import in_site_language, this_game_is

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
GONE = ("status 404", "status 410")
"""Answers of a push service that no longer knows a device."""
REFUSED = ("status 400", "status 401", "status 403", "status 413")
"""Answers of a push service after which the same message is not sent again."""
MOST_LANES = 8
MOST_HEADS, LONGEST_LANE = 400, 20.0
"""Hooks and devices whose calls are started at once, and seconds after which a thread makes room for others."""
SLOW, SLOW_LASTS = 2.0, 3600.0
"""A call that takes longer than SLOW seconds marks its host as slow for SLOW_LASTS seconds."""


def add(
    table: Table | int, by: User | None, url: str, events: list[str], *, form: str = "json", now: datetime | None = None
) -> WebHook:
    """Add a hook to a table that the person owns or runs; its secret signs the calls. Raise `Refused`.

    With the form `discord` it gets messages as Discord takes them, with a picture of the board.
    """
    if check_address(url).scheme != "https" and form == "discord":
        raise Refused("bad-url", "The address of a channel must begin with https://.")
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
            table=row, owner=by, url=url, form=form, secret=secrets.token_hex(32), seen=_facts(row),
            events=sorted(set(events) or set(EVENTS)), made=now or clock.now(),
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
    return due.select_related("hook__table", "device__user").defer("hook__table__record").order_by("next_try", "pk")


def _make(call: HookCall, now: datetime, send: Post) -> bool:
    """Make a call and return True, or False if another process has claimed it by moving `next_try`."""
    wait = WAITS[min(call.tries, len(WAITS) - 1)]
    mine = HookCall.objects.filter(pk=call.pk, tries=call.tries, state=HookCall.QUEUED)
    if not mine.update(tries=F("tries") + 1, next_try=now + wait):
        return False
    _settle(call, send(*_prepared(call, now)))
    return True


def _prepared(call: HookCall, now: datetime) -> tuple[str, bytes, Mapping[str, str]]:
    """Return the address, body and headers of a call."""
    if call.device is not None:
        return push.prepared(call, call.device, now)
    assert call.hook is not None
    body = in_discord_form(call, call.hook) if call.hook.form == "discord" else call.body.encode()
    return call.hook.url, body, headers(call, call.hook, now)


@in_site_language
def in_discord_form(call: HookCall, hook: WebHook) -> bytes:
    """Return a call as a message for a channel of Discord, with a link to the picture of the board.

    The picture is the one for the public, so Discord gets none of a hidden game.
    """
    facts, table = json.loads(call.body), hook.table
    says = {
        "phase": _("{phase} is over.").format(phase=facts["phase"]),
        "state": this_game_is(facts.get("state", table.state)),
    }.get(call.event, "")
    by = _("Orders for {phase} are due by {time}.").format(phase=table.phase_code, time=table.deadline_wall)
    board = {"p": facts["ordinal"]} if call.event == "phase" else {"v": table.version}  # the address of each is its own
    embed = {
        "title": table.name,
        "url": facts["url"],
        "description": "\n".join(filter(None, [says, by if table.deadline else ""])),
        "image": {"url": f"{settings.BASE_URL}/t/{table.key}/map.png?{urlencode(board)}"},
    }
    return json.dumps({"embeds": [embed], "allowed_mentions": {"parse": []}}).encode()


class Lanes:
    """Threads that make calls: one per host, and few for hosts that were slow recently.

    An address that answers slowly thereby delays only its own calls. A thread makes the oldest call of each hook and
    device of its host, one after the other, until its time is up.
    """

    def __init__(self, most: int = MOST_LANES, *, send: Post = post) -> None:
        self.most, self.send = most, send
        self._lock = threading.Lock()
        self._busy: set[str] = set()
        self._slow: dict[str, float] = {}

    def fill(self, now: datetime) -> int:
        """Start calls that are due, the oldest of each hook, as far as there is room; return how many were started."""
        heads = _due(now).select_related(None).order_by().values("hook", "device", "hook__url", "device__endpoint")
        by_host: dict[str, list[dict[str, int | None]]] = {}
        for head in heads.annotate(first=Min("next_try")).order_by("first")[:MOST_HEADS]:
            host = (urlsplit(head["hook__url"] or head["device__endpoint"]).hostname or "").casefold()
            by_host.setdefault(host, []).append({"hook": head["hook"], "device": head["device"]})
        begun = 0
        for host, targets in by_host.items():
            if self._enter(host):
                begun += 1
                threading.Thread(target=self._run, args=(targets, host, now), name="hook", daemon=True).start()
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

    def _run(self, targets: list[dict[str, int | None]], host: str, now: datetime) -> None:
        until, slow = time.monotonic() + LONGEST_LANE, False
        try:
            for target in targets:
                begun = time.monotonic()
                call = _due(now).filter(**target).first()
                if call is not None:  # otherwise another process makes it
                    _make(call, now, self.send)
                slow = time.monotonic() - begun > SLOW
                if slow or time.monotonic() > until:
                    break
        except DatabaseError as error:
            LOG.error("a hook cannot be called", exc_info=error, extra={"event": "hooks"})
        finally:
            connections.close_all()
            self._leave(host, slow=slow)

    def _leave(self, host: str, *, slow: bool = False) -> None:
        with self._lock:
            self._busy.discard(host)
            if slow:
                self._slow[host] = time.monotonic() + SLOW_LASTS


LANES = Lanes()
"""The lanes of this process."""


def headers(call: HookCall, hook: WebHook, now: datetime) -> dict[str, str]:
    """Return the headers of a call.

    Among them is `X-Gamesmaster-Signature: t=<time>,v1=<HMAC-SHA256 of time, a full stop and the body>`.
    """
    at = str(int(now.timestamp()))
    return {
        "Content-Type": "application/json",
        "User-Agent": "Gamesmaster-Hook/1",
        "X-Gamesmaster-Event": call.event,
        "X-Gamesmaster-Delivery": call.code,
        "X-Gamesmaster-Signature": f"t={at},v1={sign(hook.secret, at, call.body)}",
    }


def sign(secret: str, at: str, body: str) -> str:
    """Return the signature of a body sent at this time, in seconds since 1970."""
    return hmac.new(secret.encode(), f"{at}.{body}".encode(), hashlib.sha256).hexdigest()


def _settle(call: HookCall, why: str) -> None:
    """Record the result of a call: `why` it failed, or "" for success. A device that is gone is removed."""
    if call.device is not None and why in GONE:
        call.device.delete()
        return
    target = Device.objects.filter(calls=call.pk) if call.device_id else WebHook.objects.filter(calls=call.pk)
    if not why:
        HookCall.objects.filter(pk=call.pk).update(state=HookCall.SENT, why="")
        target.update(failures=0)
    elif call.tries + 1 >= len(WAITS) or (call.device_id and why in REFUSED):
        HookCall.objects.filter(pk=call.pk).update(state=HookCall.FAILED, why=why[:60])
        target.update(failures=F("failures") + 1)
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
