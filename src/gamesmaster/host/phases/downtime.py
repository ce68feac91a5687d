"""The dead-man's rule: nobody is late because the site was away, or because a clock was wrong.

Whatever players need leaves its pulse in the database: the worker, and the doors by which they send (`DOORS`).  A phase
is over only when all doors were seen open after its deadline (`phases.due`).  What comes back after a silence gives
back the time (`phases.outages`): an `Outage` is written, and deadlines are moved on by as long as it lasted, once,
whoever comes first.  Short ones move only what is due soon after; beyond `LONGEST_AWAY` everything is moved.

A clock that leaps ahead under a running process is not believed at once (`is_clock_trusted`): for `DOUBTED` nothing is
processed, and if it is put right meanwhile, nothing has happened.  A pulse that lies in the future says that the clock
was put back: nothing is processed for `SETTLING`, then what was done by the wrong clock is put right (`accept_clock`).
A machine whose clock is not that of the database processes nothing at all.

A door lets in no more than can be read.  Its pulse goes the way that a request goes, through the same loop of events
and a thread of its own to the database: a door that is stuck has none.
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
from django.db.models import Exists, F, Q, QuerySet
from django.http import HttpResponse
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from gamesmaster.host.games import deadlines
from gamesmaster.host.phases import outages
from gamesmaster.host.phases.outages import LONGEST_AWAY, SECOND_CHANCE
from gamesmaster.host.phases.outages import MAIL as MAIL
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock, refusals
from gamesmaster.host.site.clock import Outage, Pulse
from gamesmaster.host.tables import letters, store
from gamesmaster.host.tables.models import HookCall, OutMail, Table, TableState

WORKER, WEB = "worker", "web"
DOORS = (WEB, MAIL)
"""By which players send.  A door that was never opened is waited for by nobody."""
LEAP, BACK = "clock ahead", "clock back"
"""Pulses that say since when the clock is doubted, by the doubted clock."""
QUIET = timedelta(seconds=20)
"""A door not seen for longer was shut."""
GIVEN_UP = timedelta(days=1)
"""The mail room is waited for no longer than this while the site answers."""
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
    """Compares the clock on the wall with the one that only counts."""

    def __init__(self, count: Callable[[], float] = time.monotonic) -> None:
        self._count = count
        self._last: tuple[datetime, float] | None = None
        self._wrong = False

    def leap(self, now: datetime) -> timedelta:
        """By how much the clock on the wall went another way since it was last looked at; nothing for a little."""
        last, self._last = self._last, (now, self._count())
        if last is None:
            return timedelta(0)
        leap = (now - last[0]) - timedelta(seconds=self._last[1] - last[1])
        return leap if abs(leap) > MOST_LEAP else timedelta(0)

    def trusts(self, now: datetime) -> bool:
        """May this process go by its clock?  Not while it differs from the database's, nor after a leap."""
        skew, leap = clock.skew(), self.leap(now)
        if skew <= MOST_BACK:
            self._wrong = False
            return is_clock_trusted(now, leap)
        if not self._wrong:
            _tell("this machine's clock is not the database's; nothing is processed here", skew)
        self._wrong = True
        return False


def is_clock_trusted(now: datetime, leap: timedelta = timedelta(0)) -> bool:
    """May a process go by its clock, which has just made this `leap`?  Not for a while after one ahead."""
    if leap > timedelta(0):
        _tell("the clock leapt ahead; nothing is processed for a while", leap)
        Pulse.objects.get_or_create(name=LEAP, defaults={"beat": now, "seconds": round(leap.total_seconds())})
        return False
    doubted = Pulse.objects.filter(name=LEAP).first()
    if doubted is None:
        return True
    since = now - doubted.beat
    if -MOST_BACK <= since < DOUBTED:
        return False
    _tell("the clock was put right" if since < timedelta(0) else "the clock is believed", since)
    doubted.delete()
    return True


def beat(now: datetime, name: str = WORKER) -> bool:
    """Leave a pulse, and return whether phases may be processed.

    After a silence, time is given back first.  That work is no silence: the pulse is of its end.
    """
    begun = time.monotonic()
    pulse, made = Pulse.objects.get_or_create(name=name, defaults={"beat": _first_beat(name, now)})
    if made and pulse.beat == now:
        return True
    away = now - pulse.beat
    if away < -MOST_BACK:
        return _behind(now, away)
    if away <= _longest(name):
        Pulse.objects.filter(name=name, beat__lt=now).update(beat=now)
        ahead = Pulse.objects.filter(beat__gt=now + MOST_BACK)
        Pulse.objects.filter(~Exists(ahead), name=BACK).delete()
        return True
    if name == MAIL and Pulse.objects.filter(name=WEB, beat__lt=now - QUIET).exists():
        return True  # the site gives back their common time when it is open again, and the mail room then the rest
    with transaction.atomic():
        pulse = _all_pulses()[name]
        if now - pulse.beat > _longest(name):
            Pulse.objects.filter(name=name).update(beat=now + _since(begun))
            _give_back(pulse, now)
    return True


def open_until(now: datetime) -> dict[str, datetime]:
    """For each door that there is, until when it was seen open; not after now."""
    return {p.name: min(p.beat, now) for p in Pulse.objects.filter(name__in=DOORS)}


def give_up(now: datetime) -> bool:
    """Wait no more for a mail room that was given up; was there one?"""
    seen = open_until(now)
    if MAIL not in seen or now - seen[MAIL] <= GIVEN_UP or now - seen.get(WEB, seen[MAIL]) > QUIET:
        return False
    forget(MAIL, now)
    return True


def forget(door: str, now: datetime) -> None:
    """Wait for this door no more, until it is opened again; the time for which it was waited is given back."""
    with transaction.atomic():
        pulse = _all_pulses().get(door)
        if pulse is not None:
            _give_back(pulse, now)
            pulse.delete()
            store.audit(None, format_lazy(gettext_lazy("no longer waited for: {door}"), door=door), None, now)


# -- time given back -------------------------------------------------------------------------------------------------


def _first_beat(name: str, now: datetime) -> datetime:
    """A door opened for the first time was as long away as the worker, of a site that had no such pulses before."""
    worker = Pulse.objects.filter(name=WORKER).first() if name == WEB else None
    return min(worker.beat, now) if worker else now


def _longest(name: str) -> timedelta:
    return QUIET if name in DOORS else LONGEST_AWAY


def _all_pulses() -> dict[str, Pulse]:
    """All pulses under lock, in one order, so that two who come back do not give back the same time twice."""
    return {pulse.name: pulse for pulse in Pulse.objects.select_for_update().order_by("name")}


def _give_back(pulse: Pulse, now: datetime) -> None:
    """Give back the time since this pulse, as far as other outages have not."""
    others = Outage.objects.filter(ended__gt=pulse.beat, ended__lte=now + MOST_BACK).defer("moved")
    if pulse.name != MAIL:
        others = others.exclude(name=MAIL)
    given = sum((min(other.lasted, other.ended - pulse.beat) for other in others), timedelta(0))
    lasted = now - pulse.beat - given
    if lasted <= _longest(pulse.name):
        return
    begun = time.monotonic()
    outages.begin(Outage(name=pulse.name, began=pulse.beat, lasted=lasted, ended=now))
    _leave_out(begun)
    _tell("deadlines move after a pause", lasted)


def _leave_out(begun: float) -> None:
    """Let the work since then, for which all pulses were under lock, be nobody's silence."""
    Pulse.objects.filter(name__in=(WORKER, *DOORS)).update(beat=F("beat") + _since(begun))


def _since(begun: float) -> timedelta:
    return timedelta(seconds=time.monotonic() - begun)


def _running() -> QuerySet[Table]:
    """Tables with a deadline, under lock."""
    tables = Table.objects.select_for_update(of=("self",)).defer("record")
    return tables.filter(state=TableState.RUNNING, deadline__isnull=False).order_by("pk")


def _move(table: Table, at: datetime, why: str, now: datetime) -> list[str]:
    """Move a deadline, and say why; the deadline that was, and that is."""
    assert table.deadline is not None
    was = table.deadline
    due = deadlines.due_on_working_day(store.settings_of(table), at)
    deadlines.put_deadline(table, due, late_since=table.late_since)
    table.save(update_fields=["deadline", "deadline_wall"])
    correspondence.proclaim(table, letters.new_deadline(table, why), now)
    return [was.isoformat(), table.deadline.isoformat()]


# -- a wrong clock ---------------------------------------------------------------------------------------------------


def _behind(now: datetime, away: timedelta) -> bool:
    """The clock is behind a pulse: nothing is processed, until it has stayed so for a while."""
    seen, made = Pulse.objects.get_or_create(name=BACK, defaults={"beat": now, "seconds": int(away.total_seconds())})
    if made:
        _tell("the clock was put back; nothing is processed for a while", away)
    elif seen.beat > now:  # it was put back once more
        Pulse.objects.filter(name=BACK).update(beat=now, seconds=int(away.total_seconds()))
    elif now - seen.beat >= SETTLING:
        accept_clock(now)
    return False


def accept_clock(now: datetime) -> int:
    """Take the clock for right, and set right what was done by a clock that was ahead; how many deadlines?

    Deadlines that were moved on for time that never passed come back, but leave everybody a day, or what was promised;
    phases that began in the future began now; nothing waits until then.
    """
    with transaction.atomic():
        pulses, begun = _all_pulses(), time.monotonic()
        ahead = max((p.beat - now for p in pulses.values() if p.name not in (LEAP, BACK)), default=timedelta(0))
        Pulse.objects.filter(name__in=(LEAP, BACK)).delete()
        Pulse.objects.filter(beat__gt=now).update(beat=now)
        mended = {*_take_back(now), *_begin_now(now)}
        Table.objects.filter(claimed_at__gt=now).update(claimed_at=None, claimed_by="")
        OutMail.objects.filter(made__gt=now).update(made=now)
        OutMail.objects.filter(state=OutMail.QUEUED, next_try__gt=now).update(next_try=now)
        HookCall.objects.filter(state=HookCall.QUEUED, next_try__gt=now).update(next_try=now)
        store.audit(
            None,
            format_lazy(
                gettext_lazy("the clock is {seconds} s behind: {deadlines} deadlines mended"),
                seconds=int(ahead.total_seconds()),
                deadlines=len(mended),
            ),
            None,
            now,
        )
        _leave_out(begun)
    _tell("the clock was put back; what it had done is put right", ahead)
    return len(mended)


def _take_back(now: datetime) -> Iterable[int]:
    """Take back what was moved on at a time that has not come; the numbers of the tables."""
    for outage in Outage.objects.filter(ended__gt=now + MOST_BACK).order_by("-ended"):
        for table in _running().filter(pk__in=[int(number) for number in outage.moved]):
            was, moved = (datetime.fromisoformat(at) for at in outage.moved[str(table.pk)])
            if table.deadline == moved:
                _move(table, max(was, min(moved, now + SECOND_CHANCE)), _clock_was_wrong(), now)
                yield table.pk
        outage.delete()


def _begin_now(now: datetime) -> Iterable[int]:
    """Let phases that began in the future begin now, and end as much earlier; the numbers of the tables."""
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
    """Leave pulses for a door as long as the context lasts."""
    beating = asyncio.create_task(_keep_beating(name, Steady()))
    try:
        yield
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating


async def _keep_beating(name: str, steady: Steady) -> None:
    while True:
        try:
            await asyncio.to_thread(_beat, name, steady)
        except DatabaseError as error:
            LOG.error("no pulse could be left", exc_info=error, extra={"event": name})
        except Exception as error:  # a door without a pulse counts as shut, so the next one is tried whatever this was
            LOG.error("a pulse failed", exc_info=error, extra={"event": name})
        await asyncio.sleep(BETWEEN)


def _beat(name: str, steady: Steady) -> None:
    try:
        now = clock.now()
        if steady.trusts(now):
            beat(now, name)
    finally:
        connections.close_all()


def with_pulse(application: Application, name: str) -> Application:
    """An application that leaves pulses for as long as its server says that it runs (the lifespan of ASGI)."""

    async def wrapper(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await application(scope, receive, send)
            return
        await receive()  # the startup
        async with open_door(name):
            await send({"type": "lifespan.startup.complete"})
            await receive()  # the shutdown
        await send({"type": "lifespan.shutdown.complete"})

    return wrapper


class _TooLarge(Exception):
    """What is sent is larger than the site reads."""


def with_body_limit(application: Application, most: int) -> Application:
    """An application that is sent no body larger than `most` bytes: 413 at once, before anything is kept of it."""

    async def wrapper(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        size = dict(scope["headers"]).get(b"content-length", b"0")
        if not size.isdigit() or int(size) > most:
            await _refuse(scope, send)
            return
        read, begun = 0, False

        async def receive_and_count() -> Mapping[str, Any]:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise _TooLarge
            return message

        async def send_and_note(message: Mapping[str, Any]) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await application(scope, receive_and_count, send_and_note)
        except _TooLarge:
            if not begun:
                await _refuse(scope, send)

    return wrapper


async def _refuse(scope: Scope, send: Send) -> None:
    answer = refusals.answer(413, "too-large", "This is more than the site reads at once.", "send less")
    if not scope["path"].startswith("/api/"):
        answer = HttpResponse("This is more than the site reads at once.\n", status=413, content_type="text/plain")
    headers = [(name.lower().encode(), value.encode()) for name, value in answer.items()]
    headers += [(b"content-length", str(len(answer.content)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})
