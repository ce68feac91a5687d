"""Live updates: tell a page when something that its viewer can see has changed.

A stamp changes with everything that the viewer sees, and with nothing else. A watcher queries the database once a
second for all tables that are being viewed; streams of events inform the pages.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import Counter
from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing

from asgiref.sync import sync_to_async
from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.db.models import F, Max
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

from gamesmaster.host.press import threads
from gamesmaster.host.press.correspondence import Mute
from gamesmaster.host.site import limits
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.models import Ballot, Message, Seat, Sheet, Table
from gamesmaster.host.tables.requests import invitation, respond, view_of
from gamesmaster.host.tables.view import TableView, Viewer


def stamp(view: TableView) -> str:
    """Return a digest of all that the viewer sees of a table now, and of nothing else."""
    last = threads.newest(view, most=1)
    facts = (
        view.name, view.state, view.ordinal, view.phase_code, view.deadline, view.ready_at, view.seats, view.sheets,
        view.ballots, view.viewer.role, view.viewer.powers, view.viewer.standby,
        [(line.number, line.message.sender, line.message.sent_at) for line in last],
        list(view.readable.filter(struck__isnull=False).order_by("pk").values_list("pk", flat=True)),
    )  # fmt: skip
    return hashlib.sha256(f"{view.key}|{facts!r}".encode()).hexdigest()[:16]


def marks(tables: Collection[int]) -> dict[int, str]:
    """Map each table to a text that changes whenever anybody may see something new. It is never shown."""
    by_table: dict[int, list[object]] = {}
    try:
        names = ("pk", "version", "state", "deadline", "ready_at", "gm_id", "owner_id", "ordinal", "phase_code", "name")
        for row in Table.objects.filter(pk__in=tables).values_list(*names):
            by_table[int(row[0])] = [row]
        now = {"table__in": list(by_table), "ordinal": F("table__ordinal")}
        seats = Seat.objects.filter(table__in=list(by_table)).order_by("pk")
        last = Message.objects.filter(table__in=list(by_table)).values_list("table").annotate(Max("pk"))
        for rows in (
            seats.values_list("table", "pk", "state", "user", "power"),
            Sheet.objects.filter(**now).order_by("pk").values_list("table", "pk", "version", "confirmed", "hold"),
            Ballot.objects.filter(**now).order_by("pk").values_list("table", "pk", "at"),
            Mute.objects.filter(seat__table__in=list(by_table)).order_by("pk").values_list("seat__table", "pk"),
            last.order_by("table"),
        ):
            for row in rows:
                by_table[int(row[0])].append(tuple(row))
    finally:
        connections.close_all()
    return {key: repr(value) for key, value in by_table.items()}


def person_of_session(session: SessionBase) -> User | None:
    """Return the person signed in with this session; None if it has ended or the password has changed."""
    request = HttpRequest()
    request.session = type(session)(session.session_key)
    user = get_user(request)
    return user if isinstance(user, User) and user.is_active else None


def look_by_session(key: str, session: SessionBase) -> tuple[TableView, int, str]:
    """Return the table as this session may see it, its primary key and its stamp; raise `Refused`."""
    try:
        view = access.look(key, person_of_session(session), invitation=invitation(session, key))
        return view, Table.objects.values_list("pk", flat=True).get(key=key), stamp(view)
    finally:
        connections.close_all()


def is_still(user: User | None, session: SessionBase) -> bool:
    """Return whether this person is signed in with this session, or nobody for None; far cheaper than a look."""
    try:
        return person_of_session(session) == user
    finally:
        connections.close_all()


PAUSE = 1.0  # seconds between two queries
BEAT = 20.0  # seconds between signs of life
CHECK = 60.0  # seconds after which it is checked again who is signed in
LOOK = 600.0  # seconds after which permissions are checked again, although nothing has changed
LONGEST = 3600.0  # seconds; then the browser reconnects
MOST = 2000  # streams per process
MOST_FROM_ONE = 100  # streams per process and network
SPARE = 256  # descriptors for everything but streams


def most_streams() -> int:
    """Return how many streams this process may have open, with descriptors to spare for requests and the database."""
    try:
        import resource
    except ImportError:  # Windows
        return MOST
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST if limit == resource.RLIM_INFINITY else min(MOST, max(limit - SPARE, 1))


class Watch:
    """The tables that streams of this process view; the first stream in a second queries for all."""

    def __init__(self) -> None:
        self.tables: Counter[int] = Counter()
        self.networks: Counter[str] = Counter()
        self.marks: dict[int, str] = {}
        self.closed = False
        self._at = 0.0

    def close(self) -> None:
        """End all streams within about a second, because the site stops. Browsers reconnect."""
        self.closed = True

    async def mark(self, table: int) -> str:
        """Return the table's mark, at most about a second old."""
        if time.monotonic() - self._at >= PAUSE:
            self._at = time.monotonic()
            self.marks = await sync_to_async(marks, thread_sensitive=False)(list(self.tables))
        return self.marks.get(table, "")


WATCH = Watch()


@require_safe
def poll(request: HttpRequest, key: str) -> HttpResponseBase:
    """Return the stamp of the table as the reader sees it."""
    return respond(request, f'{{"version": "{stamp(view_of(request, key))}"}}', "application/json")


async def stream(request: HttpRequest, key: str) -> HttpResponseBase:
    """Return the stream, or 204 if the server cannot stream; browsers then use `poll`."""
    if request.method != "GET":
        return HttpResponse(status=405, headers={"Allow": "GET"})
    network = limits.network(limits.address(request))
    full = WATCH.tables.total() >= most_streams() or WATCH.networks[network] >= MOST_FROM_ONE
    if not isinstance(request, ASGIRequest) or WATCH.closed or full:
        return HttpResponse(status=204)
    try:
        view, table, stamp = await sync_to_async(look_by_session, thread_sensitive=False)(key, request.session)
    except Refused:
        return HttpResponseNotFound()
    await sync_to_async(connections.close_all)()  # the request's thread needs no connection during the stream
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    content = counted(network, events(key, request.session, table, stamp, view.viewer))
    return StreamingHttpResponse(content, content_type="text/event-stream", headers=headers)


async def counted(network: str, content: AsyncGenerator[bytes, None]) -> AsyncGenerator[bytes, None]:
    """Yield the events, counting the stream for its network while it is open."""
    WATCH.networks[network] += 1
    try:
        async with aclosing(content):
            async for event in content:
                yield event
    finally:
        WATCH.networks[network] -= 1
        WATCH.networks += Counter()  # drops the networks without a stream


async def events(key: str, session: SessionBase, table: int, stamp: str, viewer: Viewer) -> AsyncGenerator[bytes, None]:
    """Yield `changed` with each new stamp, and `gone` at the end.

    The stream ends when the reader's identity or role changes, or the site stops.
    """
    WATCH.tables[table] += 1
    try:
        yield _event("changed", stamp)
        mark, begun = "", time.monotonic()  # the first look then shows changes since `stamp`
        beat = check = looked = begun
        while time.monotonic() - begun < LONGEST:
            await asyncio.sleep(PAUSE)
            if WATCH.closed:
                yield _event("gone", "")
                return
            new, at = await WATCH.mark(table), time.monotonic()
            if new == mark and at - check >= CHECK:
                check = at
                if not await sync_to_async(is_still, thread_sensitive=False)(viewer.user, session):
                    break
            if new != mark or at - looked >= LOOK:
                mark, check, looked = new, at, at
                try:
                    view, _, now = await sync_to_async(look_by_session, thread_sensitive=False)(key, session)
                except Refused:
                    break
                reader = view.viewer
                if (reader.user, reader.role, reader.powers) != (viewer.user, viewer.role, viewer.powers):
                    break
                if now != stamp:
                    yield _event("changed", now)
                    stamp, beat = now, at
            if at - beat >= BEAT:
                yield b": still here\n\n"
                beat = at
        yield _event("gone", "")
    finally:
        WATCH.tables[table] -= 1
        if WATCH.tables[table] <= 0:
            del WATCH.tables[table]


def _event(name: str, stamp: str) -> bytes:
    return f"event: {name}\ndata: {stamp}\n\n".encode()


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/live", stream, name="live"),
    path("t/<slug:key>/live.json", poll, name="live-poll"),
]
