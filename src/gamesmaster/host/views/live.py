"""Live updates: that something has changed, never what; the page then asks for what its reader may see.

`/t/<key>/live` is a stream of server-sent events, `/t/<key>/live.json` the same asked for again and again.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from asgiref.sync import sync_to_async
from django.contrib.sessions.backends.base import SessionBase
from django.core.handlers.asgi import ASGIRequest
from django.db import connections
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.http import require_safe

from gamesmaster.host.errors import Refused
from gamesmaster.host.service import live, watch
from gamesmaster.host.views.table_answers import answered, seen

if TYPE_CHECKING:
    from gamesmaster.host.service.viewing import Viewer

PAUSE = 1.0  # seconds between two looks
BEAT = 20.0  # seconds after which a stream says that it lives, and asks again who is there
LONGEST = 3600.0  # seconds; then the browser comes again
MOST = 2000  # streams of one process


class Watch:
    """The tables that streams of this process look at; whichever stream comes first in a second asks for all."""

    def __init__(self) -> None:
        self.tables: Counter[int] = Counter()
        self.marks: dict[int, str] = {}
        self.closed = False
        self._at = 0.0

    def close(self) -> None:
        """The site stops: every stream ends within a second or so, and its browser comes again."""
        self.closed = True

    async def mark(self, table: int) -> str:
        """The table's mark, not older than a second or so."""
        if time.monotonic() - self._at >= PAUSE:
            self._at = time.monotonic()
            self.marks = await sync_to_async(watch.marks, thread_sensitive=False)(list(self.tables))
        return self.marks.get(table, "")


WATCH = Watch()


@require_safe
def poll(request: HttpRequest, key: str) -> HttpResponseBase:
    """The stamp of the table as the reader sees it."""
    return answered(request, f'{{"version": "{live.stamp(seen(request, key))}"}}', "application/json")


async def stream(request: HttpRequest, key: str) -> HttpResponseBase:
    """The stream; 204, which sends browsers to `poll`, where the server cannot stream."""
    if request.method != "GET":
        return HttpResponse(status=405, headers={"Allow": "GET"})
    if not isinstance(request, ASGIRequest) or WATCH.closed or WATCH.tables.total() >= MOST:
        return HttpResponse(status=204)
    try:
        view, table, stamp = await sync_to_async(watch.look, thread_sensitive=False)(key, request.session)
    except Refused:
        return HttpResponseNotFound()
    await sync_to_async(connections.close_all)()  # the request's own thread needs none for as long as the stream lasts
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    told = events(key, request.session, table, stamp, view.viewer)
    return StreamingHttpResponse(told, content_type="text/event-stream", headers=headers)


async def events(key: str, session: SessionBase, table: int, stamp: str, viewer: Viewer) -> AsyncIterator[bytes]:
    """The events: `changed` with a new stamp; at last `gone`.

    The end comes when the reader is no longer who he or she was, or the site stops.
    """
    WATCH.tables[table] += 1
    try:
        yield _event("changed", stamp)
        mark, begun = "", time.monotonic()  # so that the first look sees what has happened since `stamp`
        beat = begun
        while time.monotonic() - begun < LONGEST:
            await asyncio.sleep(PAUSE)
            if WATCH.closed:
                yield _event("gone", "")
                return
            new, late = await WATCH.mark(table), time.monotonic() - beat >= BEAT
            if new == mark and not late:
                continue
            mark, beat = new, time.monotonic()
            try:
                view, _, now = await sync_to_async(watch.look, thread_sensitive=False)(key, session)
            except Refused:
                break
            if (view.viewer.user, view.viewer.role, view.viewer.powers) != (viewer.user, viewer.role, viewer.powers):
                break
            if now != stamp:
                yield _event("changed", now)
            elif late:
                yield b": still here\n\n"
            stamp = now
        yield _event("gone", "")
    finally:
        WATCH.tables[table] -= 1
        if WATCH.tables[table] <= 0:
            del WATCH.tables[table]


def _event(name: str, stamp: str) -> bytes:
    return f"event: {name}\ndata: {stamp}\n\n".encode()
