"""No player is late because the site was down or a clock was wrong.

The worker and the doors by which players send (`DOORS`) leave heartbeats in the database. A phase is due only when all
doors were seen open after its deadline (`processing.due`). A process that returns after a silence gives the time back
(`outages`): it writes an `Outage`, and deadlines move by its length, once. Short outages move only deadlines that are
near; after one longer than `LONGEST_AWAY`, all move.

A process whose clock leaps ahead does not trust it (`is_clock_trusted`): nothing is processed for `DOUBTED`. If the
clock is corrected meanwhile, the leap has no effect. A heartbeat in the future means that the clock was put back:
nothing is processed for `SETTLING`, then the effects of the wrong clock are repaired (`accept_clock`). A machine whose
clock differs from the database's processes nothing.

The heartbeat of a door uses the same event loop as requests and a thread for the database, so a door that is stuck has
none.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import datetime, timedelta
from typing import Any, TypeAlias

from django.db import DatabaseError, connections, transaction
from django.db.models import Exists, F, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.host.games import deadlines
from gamesmaster.host.phases import outages
from gamesmaster.host.phases.outages import LONGEST_AWAY, SECOND_CHANCE
from gamesmaster.host.phases.outages import MAIL as MAIL
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock, jobs, processes
from gamesmaster.host.site.clock import Heartbeat, Outage
from gamesmaster.host.tables import notifications, store
from gamesmaster.host.tables.models import HookCall, OutMail, Table, TableState

WORKER, WEB = "worker", "web"
DOORS = (WEB, MAIL)
"""The doors by which players send. A door that was never opened delays nothing."""
LEAP, BACK = "clock ahead", "clock back"
"""Heartbeats that record since when the clock is in doubt, by that clock."""
QUIET = timedelta(seconds=20)
"""A door without a heartbeat for longer counts as shut."""
GIVEN_UP = timedelta(days=1)
"""How long phases wait for the mail room while the site answers."""
MOST_BACK = timedelta(seconds=30)
MOST_LEAP = timedelta(seconds=60)
SETTLING, DOUBTED = timedelta(seconds=60), timedelta(minutes=10)
LOG = logging.getLogger("gamesmaster.host")
BETWEEN = 5.0  # seconds
Scope: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, Any]]]
Send: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]


class Steady:
    """Compares the wall clock with the monotonic clock."""

    def __init__(self, count: Callable[[], float] = time.monotonic) -> None:
        self._count = count
        self._last: tuple[datetime, float] | None = None
        self._wrong = False

    def leap(self, now: datetime) -> timedelta:
        """Return by how much the wall clock has deviated since the last call; zero for small deviations."""
        last, self._last = self._last, (now, self._count())
        if last is None:
            return timedelta(0)
        leap = (now - last[0]) - timedelta(seconds=self._last[1] - last[1])
        return leap if abs(leap) > MOST_LEAP else timedelta(0)

    def trusts(self, now: datetime) -> bool:
        """Return whether this process may trust its clock: it agrees with the database's and has not leapt recently."""
        skew, leap = clock.skew(), self.leap(now)
        if skew <= MOST_BACK:
            self._wrong = False
            return is_clock_trusted(now, leap)
        if not self._wrong:
            _tell("this machine's clock is not the database's; nothing is processed here", skew)
        self._wrong = True
        return False


def is_clock_trusted(now: datetime, leap: timedelta = timedelta(0)) -> bool:
    """Return whether the clock is trusted, given the `leap` it has just made.

    After a leap ahead it is not trusted for `DOUBTED`.
    """
    if leap > timedelta(0):
        _tell("the clock leapt ahead; nothing is processed for a while", leap)
        Heartbeat.objects.get_or_create(name=LEAP, defaults={"beat": now, "seconds": round(leap.total_seconds())})
        return False
    doubted = Heartbeat.objects.filter(name=LEAP).first()
    if doubted is None:
        return True
    since = now - doubted.beat
    if -MOST_BACK <= since < DOUBTED:
        return False
    _tell("the clock was put right" if since < timedelta(0) else "the clock is believed", since)
    doubted.delete()
    return True


def beat(now: datetime, name: str = WORKER) -> bool:
    """Leave a heartbeat, and return whether phases may be processed.

    After a silence, the time is given back first. The heartbeat then has the time at the end of that work.
    """
    begun = time.monotonic()
    heartbeat, made = Heartbeat.objects.get_or_create(name=name, defaults={"beat": _first_beat(name, now)})
    if made and heartbeat.beat == now:
        return True
    away = now - heartbeat.beat
    if away < -MOST_BACK:
        return _behind(now, away)
    if away <= _longest(name):
        Heartbeat.objects.filter(name=name, beat__lt=now).update(beat=now)
        ahead = Heartbeat.objects.filter(beat__gt=now + MOST_BACK)
        Heartbeat.objects.filter(~Exists(ahead), name=BACK).delete()
        return True
    if name == MAIL and Heartbeat.objects.filter(name=WEB, beat__lt=now - QUIET).exists():
        return True  # when the site reopens, it gives back their common time; then the mail room the rest
    with transaction.atomic():
        heartbeat = _all_heartbeats()[name]
        if now - heartbeat.beat > _longest(name):
            Heartbeat.objects.filter(name=name).update(beat=now + _since(begun))
            _give_back(heartbeat, now)
    return True


def open_until(now: datetime) -> dict[str, datetime]:
    """Return for each known door until when it was seen open, at most `now`."""
    return {p.name: min(p.beat, now) for p in Heartbeat.objects.filter(name__in=DOORS)}


def give_up(now: datetime) -> bool:
    """Stop waiting for the mail room if it has been silent for `GIVEN_UP`; return whether it has."""
    seen = open_until(now)
    if MAIL not in seen or now - seen[MAIL] <= GIVEN_UP or now - seen.get(WEB, seen[MAIL]) > QUIET:
        return False
    forget(MAIL, now)
    return True


def forget(door: str, now: datetime) -> None:
    """Stop waiting for a door until it opens again, and give back the time waited so far."""
    with transaction.atomic():
        heartbeat = _all_heartbeats().get(door)
        if heartbeat is not None:
            _give_back(heartbeat, now)
            heartbeat.delete()
            store.audit(None, gettext_lazy("no longer waited for: {door}"), None, now, door=door)


# -- giving time back --------------------------------------------------------------------------------------------------


def _first_beat(name: str, now: datetime) -> datetime:
    """Return the first heartbeat of a door. The web door of an older site was away as long as the worker."""
    worker = Heartbeat.objects.filter(name=WORKER).first() if name == WEB else None
    return min(worker.beat, now) if worker else now


def _longest(name: str) -> timedelta:
    return QUIET if name in DOORS else LONGEST_AWAY


def _all_heartbeats() -> dict[str, Heartbeat]:
    """Return all heartbeats under lock, in a fixed order, so that the same time is not given back twice."""
    return {heartbeat.name: heartbeat for heartbeat in Heartbeat.objects.select_for_update().order_by("name")}


def _give_back(heartbeat: Heartbeat, now: datetime) -> None:
    """Give back the time since this heartbeat, less what other outages have given back."""
    others = Outage.objects.filter(ended__gt=heartbeat.beat, ended__lte=now + MOST_BACK).defer("moved")
    if heartbeat.name != MAIL:
        others = others.exclude(name=MAIL)
    given = sum((min(other.lasted, other.ended - heartbeat.beat) for other in others), timedelta(0))
    lasted = now - heartbeat.beat - given
    if lasted <= _longest(heartbeat.name):
        return
    begun = time.monotonic()
    outages.begin(Outage(name=heartbeat.name, began=heartbeat.beat, lasted=lasted, ended=now))
    _leave_out(begun)
    _tell("deadlines move after a pause", lasted)


def _leave_out(begun: float) -> None:
    """Add the time of this work to all heartbeats: they were locked, so it does not count as silence."""
    Heartbeat.objects.filter(name__in=(WORKER, *DOORS)).update(beat=F("beat") + _since(begun))


def _since(begun: float) -> timedelta:
    return timedelta(seconds=time.monotonic() - begun)


def _move(table: Table, at: datetime, why: str, now: datetime) -> list[str]:
    """Move a deadline and announce why; return the old and the new deadline."""
    assert table.deadline is not None
    was = table.deadline
    deadlines.put_deadline(table, deadlines.due_on_hour(table, at), late_since=table.late_since)
    table.save(update_fields=deadlines.DEADLINE_FIELDS)
    correspondence.notify(table, notifications.write(table, "new_deadline", why=why), now)
    return [was.isoformat(), table.deadline.isoformat()]


# -- a wrong clock ---------------------------------------------------------------------------------------------------


def _behind(now: datetime, away: timedelta) -> bool:
    """Record that the clock is behind a heartbeat; repair its effects once it has stayed so for `SETTLING`."""
    seen, made = Heartbeat.objects.get_or_create(
        name=BACK, defaults={"beat": now, "seconds": int(away.total_seconds())}
    )
    if made:
        _tell("the clock was put back; nothing is processed for a while", away)
    elif seen.beat > now:  # it was put back again
        Heartbeat.objects.filter(name=BACK).update(beat=now, seconds=int(away.total_seconds()))
    elif now - seen.beat >= SETTLING:
        accept_clock(now)
    return False


def accept_clock(now: datetime) -> int:
    """Trust the clock and repair what was done while it was ahead; return the number of deadlines moved.

    Deadlines that were moved for time that never passed return, leaving everybody a day or the former time. Phases that
    began in the future begin now, and claims and retries no longer wait for the future.
    """
    with transaction.atomic():
        heartbeats, begun = _all_heartbeats(), time.monotonic()
        ahead = max((p.beat - now for p in heartbeats.values() if p.name not in (LEAP, BACK)), default=timedelta(0))
        Heartbeat.objects.filter(name__in=(LEAP, BACK)).delete()
        Heartbeat.objects.filter(beat__gt=now).update(beat=now)
        mended = {*_take_back(now), *_begin_now(now)}
        Table.objects.filter(claimed_at__gt=now).update(claimed_at=None, claimed_by="")
        OutMail.objects.filter(made__gt=now).update(made=now)
        OutMail.objects.filter(state=OutMail.QUEUED, next_try__gt=now).update(next_try=now)
        HookCall.objects.filter(state=HookCall.QUEUED, next_try__gt=now).update(next_try=now)
        jobs.Job.objects.filter(due__gt=now).update(due=now)
        store.audit(
            None,
            gettext_lazy("the clock is {seconds} s behind: {deadlines} deadlines mended"),
            None,
            now,
            seconds=int(ahead.total_seconds()),
            deadlines=len(mended),
        )
        _leave_out(begun)
    _tell("the clock was put back; what it had done is put right", ahead)
    return len(mended)


def _take_back(now: datetime) -> Iterable[int]:
    """Undo the moves of outages that ended in the future; yield the primary keys of the tables."""
    for outage in Outage.objects.filter(ended__gt=now + MOST_BACK).order_by("-ended"):
        tables = Table.objects.select_for_update(of=("self",)).defer("record")
        running = tables.filter(state=TableState.RUNNING, deadline__isnull=False).order_by("pk")
        for table in running.filter(pk__in=[int(number) for number in outage.moved]):
            was, moved = (datetime.fromisoformat(at) for at in outage.moved[str(table.pk)])
            if table.deadline == moved:
                _move(table, max(was, min(moved, now + SECOND_CHANCE)), _clock_was_wrong(), now)
                yield table.pk
        outage.delete()


def _begin_now(now: datetime) -> Iterable[int]:
    """Let phases that began in the future begin now and end correspondingly earlier; yield the keys of the tables."""
    found = Q(phase_began__gt=now + MOST_BACK) | Q(ready_at__gt=now)
    for table in (
        Table.objects.select_for_update().filter(found, state=TableState.RUNNING).defer("record").order_by("pk")
    ):
        if table.ready_at is not None:
            table.ready_at = min(table.ready_at, now + timedelta(minutes=store.settings_of(table).panic))
        ahead = table.phase_began - now if table.phase_began else timedelta(0)
        if ahead > MOST_BACK:
            table.phase_began = now
        table.save(update_fields=["ready_at", "phase_began"])
        if ahead > MOST_BACK and table.deadline is not None:
            _move(table, max(table.deadline - ahead, now), _clock_was_wrong(), now)
            yield table.pk


def _clock_was_wrong() -> str:
    return _("The site's clock was wrong, and has been put right.")


def _tell(what: str, length: timedelta) -> None:
    LOG.warning(what, extra={"event": "clock", "seconds": round(length.total_seconds())})


@asynccontextmanager
async def open_door(name: str) -> AsyncIterator[None]:
    """Leave heartbeats for a door while the context lasts."""
    beating = asyncio.create_task(_keep_beating(name, Steady()))
    try:
        yield
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating
        with suppress(DatabaseError):
            await asyncio.to_thread(_end, name)


async def _keep_beating(name: str, steady: Steady) -> None:
    while True:
        try:
            await asyncio.to_thread(_beat, name, steady)
        except DatabaseError as error:
            LOG.error("no heartbeat could be left", exc_info=error, extra={"event": name})
        except Exception as error:  # without heartbeats the door counts as shut, so keep trying
            LOG.error("a heartbeat failed", exc_info=error, extra={"event": name})
        await asyncio.sleep(BETWEEN)


def _beat(name: str, steady: Steady) -> None:
    try:
        now = clock.now()
        processes.leave_pulse(name, now)
        if steady.trusts(now):
            beat(now, name)
    finally:
        connections.close_all()


def _end(name: str) -> None:
    try:
        processes.end(name)
    finally:
        connections.close_all()


def with_heartbeats(application: Application, name: str) -> Application:
    """Return the application with heartbeats between the startup and shutdown of its server (ASGI lifespan)."""

    async def wrapper(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await application(scope, receive, send)
            return
        await receive()  # startup
        async with open_door(name):
            await send({"type": "lifespan.startup.complete"})
            await receive()  # shutdown
        await send({"type": "lifespan.shutdown.complete"})

    return wrapper
