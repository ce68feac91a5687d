"""For the tests of mail: players with mail programs, and the wire between them and the house.

`World` is where mails for people arrive, `House` the mail room; both are real servers on the loopback.
"""

from __future__ import annotations

import asyncio
import smtplib
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage, Message
from email.parser import BytesParser
from email.policy import default
from email.utils import format_datetime, make_msgid

from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.contrib.auth.models import User
from django.test import override_settings

from gamesmaster.host.mailroom import addresses, intake
from gamesmaster.host.mailroom.intake import Listen, listen
from gamesmaster.host.models import OutMail, Table
from gamesmaster.host.site import clock
from tests.host.conftest import NOW, power_of
from tests.patience import PATIENCE


@dataclass
class World:
    """Where mails for people arrive, with what was on their envelopes; `refuse` answers instead if it is set."""

    mails: list[Message] = field(default_factory=list)
    envelopes: list[tuple[str, list[str]]] = field(default_factory=list)
    refuse: str = ""

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        """Put a mail into the box, or not."""
        assert isinstance(envelope.content, bytes)
        self.mails.append(BytesParser(policy=default).parsebytes(envelope.content))
        self.envelopes.append((envelope.mail_from or "", list(envelope.rcpt_tos)))
        return self.refuse or "250 OK"

    def of(self, user: User) -> list[Message]:
        """What somebody has got, oldest first."""
        return [mail for mail in self.mails if user.email in str(mail["To"])]

    @contextmanager
    def open(self) -> Iterator[World]:
        """The server, and the settings that make the house send there."""

        async def begin() -> asyncio.Server:
            loop = asyncio.get_running_loop()
            return await loop.create_server(lambda: SMTP(self, hostname="world.test"), "127.0.0.1", 0)

        backend = "django.core.mail.backends.smtp.EmailBackend"
        with (
            Served(begin) as served,
            override_settings(EMAIL_BACKEND=backend, EMAIL_HOST="127.0.0.1", EMAIL_PORT=served.port),
        ):
            yield self


class Served:
    """A server in a thread, at a port that was free."""

    def __init__(self, begin: Callable[[], Awaitable[asyncio.Server]]) -> None:
        self.begin = begin
        self.loop = asyncio.new_event_loop()
        self.port = 0
        self._ready = threading.Event()
        self._stop = asyncio.Event()
        self.thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        async def go() -> None:
            async with await self.begin() as server:
                self.port = server.sockets[0].getsockname()[1]
                self._ready.set()
                await self._stop.wait()
            await asyncio.sleep(0.05)
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        self.loop.run_until_complete(go())
        self.loop.close()

    def __enter__(self) -> Served:
        """Open it."""
        self.thread.start()
        assert self._ready.wait(PATIENCE)
        return self

    def __exit__(self, *_: object) -> None:
        """Close it."""
        self.loop.call_soon_threadsafe(self._stop.set)
        self.thread.join(PATIENCE)


class House(Served):
    """The mail room."""

    def __init__(self, *, lmtp: bool = False) -> None:
        super().__init__(lambda: listen(Listen(port=0), "gm.test", lmtp=lmtp))
        self.lmtp = lmtp

    def __enter__(self) -> House:
        """Open it."""
        super().__enter__()
        return self

    def client(self) -> smtplib.SMTP:
        """A mail server that has something for the house."""
        kind = smtplib.LMTP if self.lmtp else smtplib.SMTP
        return kind("127.0.0.1", self.port, timeout=PATIENCE)

    def take(self, sender: str, to: str, data: bytes) -> None:
        """Hand a mail to the house as another mail server does, an empty `sender` being the null sender."""
        with self.client() as client:
            client.sendmail(sender, [to], data)


def letter(user: User, to: str, text: str, **headers: str) -> EmailMessage:
    """A mail as a person's program writes it."""
    mail = EmailMessage()
    mail["From"] = user.email
    mail["To"] = to
    mail["Subject"] = "Re: the game"
    mail["Date"] = format_datetime(NOW)
    mail["Message-ID"] = make_msgid(domain="example.org")
    mail.set_content(text)
    for name, value in headers.items():
        name = name.replace("_", "-")
        del mail[name]
        if value:
            mail[name] = value
    return mail


def address(table: Table, user: User, ordinal: int | None = None) -> str:
    """The address that the player at a table writes to."""
    seat = table.seats.exclude(state="left").get(user=user)
    return addresses.player(seat, table.ordinal if ordinal is None else ordinal)


def sent(user: User, to: str, text: str, **headers: str) -> intake.Reply:
    """What the house says to a mail from a person."""
    return intake.take(letter(user, to, text, **headers).as_bytes(), user.email, to, NOW)


def answer(user: User) -> str:
    """The last answer to a person."""
    found = OutMail.objects.filter(user=user, event="answer").order_by("pk").last()
    assert found is not None
    return found.body


def sheet(table: Table, user: User) -> list[str]:
    """What is stored of a player's orders for the phase being played."""
    found = table.sheets.filter(ordinal=table.ordinal, power=power_of(table, user)).first()
    return found.lines if found else []


__all__ = ["House", "World", "address", "answer", "clock", "letter", "sent", "settings", "sheet"]
