"""The mail room's door: SMTP or LMTP, behind a mail server that faces the world.

It takes what comes to sealed addresses, one mail of bounded size at a time for each connection, and says `250` when it
has been dealt with.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import connections

from gamesmaster.errors import BadFile
from gamesmaster.host.mailroom import addresses
from gamesmaster.host.mailroom.intake import Reply, take
from gamesmaster.host.mailroom.reading import LARGEST
from gamesmaster.host.phases.downtime import MAIL, open_door
from gamesmaster.host.site import clock

LOG = logging.getLogger("gamesmaster.host")
MOST_READERS = 20
MOST_WRONG = 20
"""Addresses that are none, before a connection is closed."""
SILENCE = 120.0  # seconds
THREADS = 2
MOST_CONNECTIONS = 100
MOST_BYTES = 128 * LARGEST
"""Of one connection; its mail server comes again."""


@dataclass(frozen=True, slots=True)
class Listen:
    """Where to listen: a port of an address, or a socket file."""

    host: str = "127.0.0.1"
    port: int = 8025
    path: Path | None = None

    @classmethod
    def read(cls, text: str) -> Listen:
        """`127.0.0.1:8025`, `[::1]:8025`, or `unix:/run/gamesmaster.sock`; raises `BadFile`."""
        if text.startswith("unix:"):
            return cls(path=Path(text.removeprefix("unix:")))
        host, _, port = text.rpartition(":")
        if not host or not port.isdigit() or not 0 <= int(port) <= 65535:
            raise BadFile(
                f"{text[:100]!r} is not a place to listen", hint="127.0.0.1:8025, or unix:/run/gamesmaster.sock"
            )
        return cls(host.strip("[]"), int(port))


class Door:
    """What aiosmtpd asks for each mail."""

    def __init__(self, *, each: bool = False) -> None:
        self.each = each  # LMTP: a reply for each reader
        self.pool = ThreadPoolExecutor(THREADS, thread_name_prefix="mailroom")
        self.wrong: dict[int, int] = {}

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Take readers whose address has the right shape; whether the seal is good is said after the mail."""
        if self.wrong.get(id(session), 0) >= MOST_WRONG:
            return "421 4.7.0 too many wrong addresses"
        if not addresses.plausible(address) and not addresses.public(address):
            self.wrong[id(session)] = self.wrong.get(id(session), 0) + 1
            return "550 5.1.1 no such mailbox"
        if len(envelope.rcpt_tos) >= MOST_READERS:
            return "452 4.5.3 too many readers"
        envelope.rcpt_tos.append(address)
        return "250 2.1.5 OK"

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Deal with a mail, for each of its readers."""
        content = envelope.content
        data = content if isinstance(content, bytes) else str(content or "").encode()
        loop = asyncio.get_running_loop()
        readers = envelope.rcpt_tos if self.each else list(dict.fromkeys(envelope.rcpt_tos))
        replies = [await loop.run_in_executor(self.pool, _taken, data, envelope.mail_from, one) for one in readers]
        if self.each:
            return "\r\n".join(map(str, replies))
        return str(_worst(replies))

    def forget(self, session: Session | None) -> None:
        """Forget a connection."""
        self.wrong.pop(id(session), None)


def _worst(replies: list[Reply]) -> Reply:
    """One reply for all readers: what is to be tried again is more than what is refused, and that than what is done.

    What was done before is not done again, whatever is tried again.
    """
    order = {4: 0, 5: 1, 2: 2}
    return min(replies, key=lambda reply: order[reply.code // 100])


def _taken(data: bytes, sender: str | None, address: str) -> Reply:
    try:
        return take(data, sender, address, clock.now())
    finally:
        connections.close_all()  # mails are rare, and a thread that ends would leave its own open


def protocol(door: Door, hostname: str) -> Callable[[], SMTP]:
    """What speaks with each connection."""
    kind = LMTP if door.each else SMTP
    open_: set[SMTP] = set()

    class Speaker(kind):  # type: ignore[misc, valid-type]
        received = 0

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            if len(open_) >= MOST_CONNECTIONS:
                transport.close()
                return
            open_.add(self)
            super().connection_made(transport)

        def data_received(self, data: bytes) -> None:
            """Read on, but not for ever: a line without an end would fill the memory."""
            if self not in open_:
                return
            self.received += len(data)
            if self.received > MOST_BYTES:
                self.transport.abort()
                return
            super().data_received(data)

        def connection_lost(self, error: Exception | None) -> None:
            if self in open_:
                open_.discard(self)
                door.forget(self.session)
                super().connection_lost(error)

        def eof_received(self) -> bool | None:
            return super().eof_received() if self in open_ else None

    def made() -> SMTP:
        return Speaker(
            door, data_size_limit=LARGEST, hostname=hostname, ident="Gamesmaster", timeout=SILENCE,
            command_call_limit={"*": 200},
        )  # fmt: skip

    return made


async def listen(where: Listen, hostname: str, *, lmtp: bool = False) -> asyncio.Server:
    """Open the door."""
    logging.getLogger("mail").setLevel(logging.WARNING)  # it would write addresses, which are keys, into the log
    loop = asyncio.get_running_loop()
    made = protocol(Door(each=lmtp), hostname)
    if where.path is not None:
        server = await loop.create_unix_server(made, path=str(where.path))
        where.path.chmod(0o660)
        return server
    return await loop.create_server(made, host=where.host, port=where.port)


def run(where: Listen, hostname: str, *, lmtp: bool = False, begun: Callable[[], object] = lambda: None) -> None:
    """Take mails until told to stop (SIGTERM, SIGINT)."""

    async def go() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        async with await listen(where, hostname, lmtp=lmtp), open_door(MAIL):
            begun()
            await stop.wait()

    asyncio.run(go())
