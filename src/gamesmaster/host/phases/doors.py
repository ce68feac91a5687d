"""The doors by which players send: each leaves a pulse while it stands open, and lets in no more than can be read.

The pulse goes the way that a request goes, through the same loop of events and a thread of its own to the database: a
door that is stuck has none.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, TypeAlias

from django.db import DatabaseError, connections
from django.http import HttpResponse

from gamesmaster.host.phases import downtime
from gamesmaster.host.site import clock, refusals

LOG = logging.getLogger("gamesmaster.host")
BETWEEN = 5.0  # seconds
Scope: TypeAlias = dict[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[Mapping[str, Any]]]
Send: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[None]]
Application: TypeAlias = Callable[[Scope, Receive, Send], Coroutine[Any, Any, None]]


@asynccontextmanager
async def open_door(name: str) -> AsyncIterator[None]:
    """Leave pulses for a door as long as the context lasts."""
    beating = asyncio.create_task(_keep_beating(name, downtime.Steady()))
    try:
        yield
    finally:
        beating.cancel()
        with suppress(asyncio.CancelledError):
            await beating


async def _keep_beating(name: str, steady: downtime.Steady) -> None:
    while True:
        try:
            await asyncio.to_thread(_beat, name, steady)
        except DatabaseError as error:
            LOG.error("no pulse could be left", exc_info=error, extra={"event": name})
        except Exception as error:  # a door without a pulse counts as shut, so the next one is tried whatever this was
            LOG.error("a pulse failed", exc_info=error, extra={"event": name})
        await asyncio.sleep(BETWEEN)


def _beat(name: str, steady: downtime.Steady) -> None:
    try:
        now = clock.now()
        if steady.trusts(now):
            downtime.beat(now, name)
    finally:
        connections.close_all()


def with_pulse(application: Application, name: str) -> Application:
    """An application that leaves pulses for as long as its server says that it runs (the lifespan of ASGI)."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await application(scope, receive, send)
            return
        await receive()  # the startup
        async with open_door(name):
            await send({"type": "lifespan.startup.complete"})
            await receive()  # the shutdown
        await send({"type": "lifespan.shutdown.complete"})

    return answered


class _TooLarge(Exception):
    """What is sent is larger than the site reads."""


def bounded(application: Application, most: int) -> Application:
    """An application that is sent no body larger than `most` bytes: 413 at once, before anything is kept of it."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        told = dict(scope["headers"]).get(b"content-length", b"0")
        if not told.isdigit() or int(told) > most:
            await _refuse(scope, send)
            return
        read, begun = 0, False

        async def counted() -> Mapping[str, Any]:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise _TooLarge
            return message

        async def noted(message: Mapping[str, Any]) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await application(scope, counted, noted)
        except _TooLarge:
            if not begun:
                await _refuse(scope, send)

    return answered


async def _refuse(scope: Scope, send: Send) -> None:
    told = refusals.answer(413, "too-large", "This is more than the site reads at once.", "send less")
    if not scope["path"].startswith("/api/"):
        told = HttpResponse("This is more than the site reads at once.\n", status=413, content_type="text/plain")
    headers = [(name.lower().encode(), value.encode()) for name, value in told.items()]
    headers += [(b"content-length", str(len(told.content)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": told.content})
