"""Receives mail: `take` handles one mail in one transaction, and `MailHandler` speaks SMTP or LMTP.

The mail server gets `250` only after the transaction is committed. The sealed address decides on whose behalf a mail is
read, and the answer goes to that person's e-mail address, so that a stolen address is noticed. Mails written by
programs, duplicates, and mails to wrong addresses get no answer; this ends mail loops. The door stands behind a mail
server that faces the internet. It takes one mail of bounded size at a time from each connection.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import Message
from pathlib import Path
from typing import Any

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.conf import settings
from django.contrib.auth.models import User
from django.db import OperationalError, connections, transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from gamesmaster.errors import BadFile
from gamesmaster.host.accounts import people
from gamesmaster.host.mailroom import addresses, delivery, newcomers
from gamesmaster.host.mailroom.acting import carry_out
from gamesmaster.host.mailroom.addresses import Mailbox
from gamesmaster.host.mailroom.automatic import bounce_of
from gamesmaster.host.mailroom.mime import LARGEST, parse
from gamesmaster.host.mailroom.order_mails import has_orders
from gamesmaster.host.mailroom.reading import Command, Incoming, read, wishes
from gamesmaster.host.mailroom.replies import LONGEST_ANSWER, Answer, status
from gamesmaster.host.phases.downtime import MAIL, open_door
from gamesmaster.host.site import clock
from gamesmaster.host.site.clock import Heartbeat
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import notifications, outbox
from gamesmaster.host.tables.models import InMail, OutMail, Table
from gamesmaster.host.tables.outbox import AnswerMail

LOG = logging.getLogger("gamesmaster.host")
OLDEST = timedelta(days=7)
NEWEST = timedelta(days=1)
"""Bounds on the date of a mail: no older and no further ahead than this."""
LONGEST_TRIAL = timedelta(hours=1)
LIMITS = ((timedelta(hours=1), 40), (timedelta(days=1), 200))
"""Limits on the mails of one person: a time, and the number in it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply to the mail server, and a word for the log on what happened."""

    code: int  # SMTP reply code
    text: str
    verdict: str

    def __str__(self) -> str:
        return f"{self.code} {self.text}"


_TAKEN = Reply(250, "2.0.0 taken", "done")
_NO_BOX = Reply(550, "5.1.1 no such mailbox", "forged")
_LATER = Reply(451, "4.3.0 please try again later", "later")
_TOO_MANY = Reply(450, "4.7.1 too many mails, try again later", "later")


def take(data: bytes, sender: str | None, address: str, now: datetime) -> Reply:
    """Handle a mail that came to one address and return the reply; `sender` is the envelope sender."""
    try:
        reply = _take(data, sender, address, now)
    except Refused as refused:
        reply = Reply(554, f"5.6.0 {refused.code}", "refused")
    except OperationalError as error:
        LOG.error("the database failed a mail", exc_info=error, extra={"event": "mail"})
        reply = _LATER
    except Exception as error:  # a fault in one mail must not affect others; the sender's server reports it
        LOG.error("a mail could not be dealt with", exc_info=error, extra={"event": "mail"})
        reply = Reply(554, "5.3.0 this mail cannot be dealt with", "failed")
    LOG.info("a mail came", extra={"event": "mail", "state": reply.verdict})
    return reply


def _take(data: bytes, sender: str | None, address: str, now: datetime) -> Reply:
    box = None if addresses.public(address) else addresses.box_of(address)
    mail = parse(data)
    if box is not None and box.mail is not None:
        return _take_return(mail, sender, box.mail, now)
    if box is not None and box.kind == "d":
        return _note_trial(box.number, now)
    incoming = read(mail, sender, settings.MAIL_DOMAIN)
    if box is None:
        return _turn_away(incoming, address, now)
    if incoming.automatic:
        return Reply(250, "2.0.0 noted", "ignored")
    if box.newcomer is not None:
        newcomers.confirm(box.newcomer, incoming.text, now)
        return Reply(250, "2.0.0 noted", "newcomer")
    return _accept(data, incoming, box, address, now)


def _take_return(mail: Message, sender: str | None, original: OutMail, now: datetime) -> Reply:
    """Note a delivery report on one of the site's mails; help a person who has replied to the address for reports."""
    bounce = bounce_of(mail, sender)
    if bounce is not None and bounce.failed:
        delivery.came_back(original, bounce.status or "bounce")
    elif bounce is None and original.user is not None and original.user.is_active:
        incoming = read(mail, sender, settings.MAIL_DOMAIN)
        if not incoming.automatic and not incoming.away:
            _introduce(original.user, incoming, now)
    return Reply(250, "2.0.0 noted", "bounce")


def _note_trial(number: int, now: datetime) -> Reply:
    """Record that the doctor's trial mail has arrived, while the doctor may still wait for it."""
    sent = addresses.trial_time(number)
    if abs(now - sent) < LONGEST_TRIAL:  # clocks of two machines differ a little
        Heartbeat.objects.update_or_create(name=addresses.TRIAL, defaults={"beat": sent})
    return Reply(250, "2.0.0 noted", "trial")


def _accept(data: bytes, mail: Incoming, box: Mailbox, address: str, now: datetime) -> Reply:
    """Carry out a mail to a valid address."""
    assert box.user is not None
    message = mail.message_id or hashlib.sha256(data).hexdigest()
    mark = hashlib.sha256(f"{message}\n{address.casefold()}".encode(errors="replace")).hexdigest()
    with transaction.atomic():
        if InMail.objects.filter(mark=mark).exists():
            return Reply(250, "2.0.0 it came before", "again")
        own = InMail.objects.filter(user=box.user)
        if any(own.filter(at__gt=now - time).count() >= most for time, most in LIMITS):
            return _TOO_MANY
        _row, new = InMail.objects.get_or_create(
            mark=mark, defaults={"user": box.user, "table": box.table, "verdict": "done", "at": now}
        )
        if not new:
            return Reply(250, "2.0.0 it came before", "again")
        delivery.heard_from(box.user.pk)
        answer = Answer.of(box, now, mail.sent)
        verdict = _read(answer, mail)
        InMail.objects.filter(mark=mark).update(verdict=verdict)
        if verdict == "ignored":
            return Reply(250, "2.0.0 noted", "ignored")
        _answer(answer, mail, mark)
    return _TAKEN


def _read(answer: Answer, mail: Incoming) -> str:
    """Do what a mail asks for, and return the verdict: `done`, `old`, or `ignored` for a note of absence."""
    asked = wishes(mail.text)
    if mail.away and not has_orders(answer, asked):
        return "ignored"
    if mail.sent is not None and not answer.now - OLDEST <= mail.sent <= answer.now + NEWEST:
        answer.say(
            _("Your mail has a date that is too far from today's. Nothing in it was done; please send it again.")
        )
        return "old"
    hidden = bool(mail.below) and has_orders(answer, wishes(mail.below))
    if hidden or mail.may_hold_orders:
        answer.lacks = _("parts of this mail were not read")
    carry_out(answer, asked)
    if mail.attached:
        noted = ngettext("An attachment was not read.", "{number} attachments were not read.", mail.attached)
        answer.say("", noted, number=mail.attached)
    if mail.below and (hidden or not mail.below_ours):
        number = len(mail.below.split("\n"))
        answer.say("", _("{number} lines below a quotation were not read; write above it."), number=number)
    return "done"


def _answer(answer: Answer, mail: Incoming, mark: str) -> None:
    """Send the answer, and say when orders are due."""
    table = Table.objects.get(pk=answer.table.pk) if answer.table is not None else None
    if table is not None and table.deadline:
        own_time = people.own_time(answer.user, table.deadline)
        says = _("Orders for {phase} are due by {own_time}.")
        answer.say("", says.format(phase=table.phase_code, own_time=own_time))
    text = "\n".join(answer.lines)[:LONGEST_ANSWER]
    if table is None:
        subject, body = notifications.compose("answered", text=text)
    else:
        phase = table.phase_code or _("not begun")
        subject, body = notifications.compose("answered_in_game", game=table.name, phase=phase, text=text)
    if answer.refusals:
        subject += _(" (partly refused)")
    outbox.answer(
        answer.user,
        AnswerMail(
            subject, body, mark, table=table, power=_current_power(answer), to=mail.message_id, attach=answer.attach
        ),
        answer.now,
    )


def _current_power(answer: Answer) -> str:
    """Return the writer's power; "" for a writer who has just left, who still gets the answer."""
    if answer.table is None or not answer.power:
        return ""
    mine = answer.table.seats.filter(user=answer.user, power=answer.power).exclude(state="left")
    return answer.power if mine.exists() else ""


# -- mails to public addresses, and to addresses with a wrong seal -----------------------------------------------------


def _turn_away(mail: Incoming, address: str, now: datetime) -> Reply:
    """Answer a mail to a public or wrong address without reading its orders.

    At most once a day, the account concerned gets help or a warning. A mail that asks for an account gets a link. The
    reply to the mail server does not depend on whether an account exists.
    """
    public = addresses.public(address)
    if not mail.automatic and not mail.away and mail.sender:
        if public:
            user = User.objects.filter(email__iexact=mail.sender, is_active=True).order_by("pk").first()
            if user is not None:
                _introduce(user, mail, now)
            elif name := newcomers.wish(mail.text):
                if not newcomers.is_address(mail.sender):
                    return Reply(550, "5.1.7 no mail can be sent to this address", "refused")
                newcomers.send_link(mail.sender, name, now)
        else:
            user = addresses.claimant(address)
            if user is not None and user.email.casefold() == mail.sender.casefold():
                _warn(user, now)
    return Reply(250, "2.0.0 noted", "public") if public else _NO_BOX


def _introduce(user: User, mail: Incoming, now: datetime) -> None:
    """Send a person his or her own reply address and the state of the games."""
    answer = Answer.of(Mailbox("u", user), now)
    answer.say(
        _(
            "Nothing in your mail was done, because anybody could have sent it in your name. Please reply to this"
            " mail\ninstead: its address is yours alone. Or reply to the last mail about a game, to play in that game."
        ),
        "",
    )
    status(answer, Command("status"))
    subject, body = notifications.compose("help", text="\n".join(answer.lines))
    outbox.answer(user, AnswerMail(subject, body, f"hello {user.pk} {now:%Y-%m-%d}", to=mail.message_id), now)


def _warn(user: User, now: datetime) -> None:
    outbox.answer(user, AnswerMail(*notifications.compose("forged"), f"forged {user.pk} {now:%Y-%m-%d}"), now)


MOST_READERS = 20
MOST_WRONG = 20
"""Number of wrong addresses before a connection is closed."""
IDLE = 20.0  # seconds between two commands
SILENCE = 120.0  # seconds for a mail
THREADS = 2
MOST_CONNECTIONS = 100
MOST_FROM_ONE = 50  # connections from one address
MOST_BYTES = 128 * LARGEST
"""Limit per connection; the mail server then connects again."""


@dataclass(frozen=True, slots=True)
class Listen:
    """A place to listen: host and port, or a Unix socket."""

    host: str = "127.0.0.1"
    port: int = 8025
    path: Path | None = None

    @classmethod
    def read(cls, text: str) -> Listen:
        """Read `127.0.0.1:8025`, `[::1]:8025` or `unix:/run/gamesmaster.sock`; raise `BadFile`."""
        if text.startswith("unix:"):
            return cls(path=Path(text.removeprefix("unix:")))
        host, _, port = text.rpartition(":")
        if not host or not port.isdigit() or not 0 <= int(port) <= 65535:
            raise BadFile(
                f"{text[:100]!r} is not a place to listen", hint="127.0.0.1:8025, or unix:/run/gamesmaster.sock"
            )
        return cls(host.strip("[]"), int(port))


class MailHandler:
    """The handler that aiosmtpd calls for each mail."""

    def __init__(self, *, each: bool = False) -> None:
        self.each = each  # LMTP: one reply per recipient
        self.pool = ThreadPoolExecutor(THREADS, thread_name_prefix="mailroom")
        self.wrong: dict[int, int] = {}

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept recipients whose address has the right form. The seal is checked after the mail has arrived."""
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
        """Handle a mail for each of its recipients and return the reply."""
        content = envelope.content
        data = content if isinstance(content, bytes) else str(content or "").encode()
        loop = asyncio.get_running_loop()
        readers = envelope.rcpt_tos if self.each else list(dict.fromkeys(envelope.rcpt_tos))
        replies = [
            await loop.run_in_executor(self.pool, _take_in_thread, data, envelope.mail_from, one) for one in readers
        ]
        if self.each:
            return "\r\n".join(map(str, replies))
        return str(_worst(replies))

    def forget(self, session: Session | None) -> None:
        """Forget the wrong addresses of a closed connection."""
        self.wrong.pop(id(session), None)


def _worst(replies: list[Reply]) -> Reply:
    """Return the reply for all recipients: retry before refusal before success.

    After a retry, recipients that succeeded are recognized as duplicates.
    """
    order = {4: 0, 5: 1, 2: 2}
    return min(replies, key=lambda reply: order[reply.code // 100])


def _take_in_thread(data: bytes, sender: str | None, address: str) -> Reply:
    try:
        return take(data, sender, address, clock.now())
    finally:
        connections.close_all()  # mails are rare; an ended thread would keep its connection open


def protocol(handler: MailHandler, hostname: str) -> Callable[[], SMTP]:
    """Return the factory of the protocol objects that serve the connections."""
    kind = LMTP if handler.each else SMTP
    open_: set[Any] = set()

    class Speaker(kind):  # type: ignore[misc, valid-type]
        received = 0

        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            self.host = (transport.get_extra_info("peername") or [""])[0]  # "" at a file
            near = sum(one.host == self.host for one in open_) if self.host else 0
            if len(open_) >= MOST_CONNECTIONS or near >= MOST_FROM_ONE:
                transport.close()
                return
            open_.add(self)
            super().connection_made(transport)

        async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
            self._reset_timeout(SILENCE)  # until the mail has come and is handled
            await super().smtp_DATA(arg)

        def data_received(self, data: bytes) -> None:
            """Limit the bytes of a connection: a line without an end would fill the memory."""
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
                handler.forget(self.session)
                super().connection_lost(error)

        def eof_received(self) -> bool | None:
            return super().eof_received() if self in open_ else None

    def make_speaker() -> SMTP:
        return Speaker(
            handler, data_size_limit=LARGEST, hostname=hostname, ident="Gamesmaster", timeout=IDLE,
            command_call_limit={"*": 200},
        )  # fmt: skip

    return make_speaker


async def listen(where: Listen, hostname: str, *, lmtp: bool = False) -> asyncio.Server:
    """Listen at `where` and return the server."""
    logging.getLogger("mail").setLevel(logging.WARNING)  # it would log addresses, which are secrets
    loop = asyncio.get_running_loop()
    factory = protocol(MailHandler(each=lmtp), hostname)
    if where.path is not None:
        server = await loop.create_unix_server(factory, path=str(where.path))
        where.path.chmod(0o660)
        return server
    return await loop.create_server(factory, host=where.host, port=where.port)


def run(where: Listen, hostname: str, *, lmtp: bool = False, begun: Callable[[], object] = lambda: None) -> None:
    """Serve until SIGTERM or SIGINT."""

    async def go() -> None:
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        async with await listen(where, hostname, lmtp=lmtp), open_door(MAIL):
            begun()
            await stop.wait()

    asyncio.run(go())
