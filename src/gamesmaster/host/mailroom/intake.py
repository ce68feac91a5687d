"""A mail comes in: one transaction, in which it is remembered, done, and answered; or nothing of it.

The mail server is told `250` only when that is safe.  An address and its seal decide on whose behalf a mail is read;
the answer goes to that person's own address, so that who steals an address is noticed.  Nothing is answered that a
program wrote, that came before, or that nobody here can have been asked for: mail loops end here.
"""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import OperationalError, transaction
from django.utils.translation import gettext as _

from gamesmaster.host.accounts import people
from gamesmaster.host.mailroom import addresses, delivery, newcomers
from gamesmaster.host.mailroom.acting import carry_out
from gamesmaster.host.mailroom.addresses import Box
from gamesmaster.host.mailroom.commands import Command, wishes
from gamesmaster.host.mailroom.reading import Incoming, bounce_of, parsed, read
from gamesmaster.host.mailroom.replies import LONGEST_ANSWER, Desk, status
from gamesmaster.host.site.clock import Pulse
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import outbox
from gamesmaster.host.tables.models import InMail, Table

LOG = logging.getLogger("gamesmaster.host")
OLDEST = timedelta(days=7)
NEWEST = timedelta(days=1)
"""A mail says that it was written no longer ago, and no further ahead, than this."""
LONGEST_TRIAL = timedelta(hours=1)
LIMITS = ((timedelta(hours=1), 40), (timedelta(days=1), 200))
"""In so much time, so many mails of one person."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the mail server is told, and what became of the mail, in a word."""

    code: int
    text: str
    verdict: str

    def __str__(self) -> str:
        return f"{self.code} {self.text}"


_TAKEN = Reply(250, "2.0.0 taken", "done")
_NO_BOX = Reply(550, "5.1.1 no such mailbox", "forged")
_LATER = Reply(451, "4.3.0 please try again later", "later")
_TOO_MANY = Reply(450, "4.7.1 too many mails, try again later", "later")


def take(data: bytes, sender: str | None, address: str, now: datetime) -> Reply:
    """Deal with a mail that came to one address, `sender` being the one on its envelope."""
    try:
        reply = _take(data, sender, address, now)
    except Refused as refused:
        reply = Reply(554, f"5.6.0 {refused.code}", "refused")
    except OperationalError as error:
        LOG.error("the database failed a mail", exc_info=error, extra={"event": "mail"})
        reply = _LATER
    except Exception as error:  # one mail's fault is not the others'; its sender's server will say so
        LOG.error("a mail could not be dealt with", exc_info=error, extra={"event": "mail"})
        reply = Reply(554, "5.3.0 this mail cannot be dealt with", "failed")
    LOG.info("a mail came", extra={"event": "mail", "state": reply.verdict})
    return reply


def _take(data: bytes, sender: str | None, address: str, now: datetime) -> Reply:
    box = None if addresses.public(address) else addresses.opened(address)
    mail = parsed(data)
    if box is not None and box.mail is not None:
        bounce = bounce_of(mail, sender)
        if bounce is not None and bounce.failed:
            delivery.came_back(box.mail, bounce.status or "bounce")
        return Reply(250, "2.0.0 noted", "bounce")
    if box is not None and box.kind == "d":
        return _tried(box.number, now)
    incoming = read(mail, sender, _domain())
    if box is None:
        return _unsealed(incoming, address, now)
    if incoming.automatic:
        return Reply(250, "2.0.0 noted", "ignored")
    if box.newcomer is not None:
        newcomers.confirmed(box.newcomer, incoming.text, now)
        return Reply(250, "2.0.0 noted", "newcomer")
    return _sealed(data, incoming, box, address, now)


def _tried(number: int, now: datetime) -> Reply:
    """Note that a trial of the doctor's has come in, for as long as he may be waiting for it."""
    sent = addresses.trial_time(number)
    if abs(now - sent) < LONGEST_TRIAL:  # the clocks of two machines differ a little
        Pulse.objects.update_or_create(name=addresses.TRIAL, defaults={"beat": sent})
    return Reply(250, "2.0.0 noted", "trial")


def _domain() -> str:
    from django.conf import settings

    return str(settings.MAIL_DOMAIN)


def _sealed(data: bytes, mail: Incoming, box: Box, address: str, now: datetime) -> Reply:
    """A mail to an address that holds."""
    assert box.user is not None
    mark = _mark(mail.message_id or hashlib.sha256(data).hexdigest(), address)
    with transaction.atomic():
        if InMail.objects.filter(mark=mark).exists():
            return Reply(250, "2.0.0 it came before", "again")
        if _too_many(box.user, now):
            return _TOO_MANY
        _row, new = InMail.objects.get_or_create(
            mark=mark, defaults={"user": box.user, "table": box.table, "verdict": "done", "at": now}
        )
        if not new:
            return Reply(250, "2.0.0 it came before", "again")
        delivery.heard_from(box.user.pk)
        desk = Desk.of(box, now, mail.sent)
        if _in_time(mail, now):
            carry_out(desk, wishes(mail.text))
        else:
            InMail.objects.filter(mark=mark).update(verdict="old")
            desk.say(
                _("Your mail has a date that is too far from today's. Nothing in it was done; please send it again.")
            )
        _answer(desk, mail, mark)
    return _TAKEN


def _in_time(mail: Incoming, now: datetime) -> bool:
    return mail.sent is None or now - OLDEST <= mail.sent <= now + NEWEST


def _too_many(user: User, now: datetime) -> bool:
    own = InMail.objects.filter(user=user)
    return any(own.filter(at__gt=now - time).count() >= most for time, most in LIMITS)


def _mark(message_id: str, address: str) -> str:
    return hashlib.sha256(f"{message_id}\n{address.casefold()}".encode(errors="replace")).hexdigest()


def _answer(desk: Desk, mail: Incoming, mark: str) -> None:
    """Write the answer: what was done, what was not, what was not read, how things stand."""
    for note in mail.unread:
        desk.say("", note)
    subject = _("Your mail")
    table = Table.objects.get(pk=desk.table.pk) if desk.table is not None else None
    if table is not None:
        subject = _("[{game}] {phase}: your mail").format(game=table.name, phase=table.phase_code or _("not begun"))
        if table.deadline:
            desk.say(
                "",
                _("Orders for {phase} are due by {own_time}.").format(
                    phase=table.phase_code, own_time=people.own_time(desk.user, table.deadline)
                ),
            )
    if desk.refusals:
        subject += _(" (partly refused)")
    body = "\n".join(desk.lines)[:LONGEST_ANSWER]
    outbox.answer(
        desk.user,
        subject,
        body,
        table=table,
        power=_seated(desk),
        to=mail.message_id,
        attach=desk.attach,
        key=mark,
        now=desk.now,
    )


def _seated(desk: Desk) -> str:
    """The power that the writer still has: who has just left gets the answer all the same."""
    if desk.table is None or not desk.power:
        return ""
    mine = desk.table.seats.filter(user=desk.user, power=desk.power).exclude(state="left")
    return desk.power if mine.exists() else ""


# -- mails to addresses that are not sealed, or not rightly ----------------------------------------------------------


def _unsealed(mail: Incoming, address: str, now: datetime) -> Reply:
    """Nothing in it is done.  Who has an account here under the sender's address is told so, once a day.

    The mail server is told the same whether there is such an account or not.
    """
    public = addresses.public(address)
    if not mail.automatic and mail.sender:
        if public:
            user = User.objects.filter(email__iexact=mail.sender, is_active=True).order_by("pk").first()
            if user is not None:
                _introduce(user, mail, now)
            elif name := newcomers.wish(mail.text):
                newcomers.send_link(mail.sender, name, now)
        else:
            user = addresses.claimed(address)
            if user is not None and user.email.casefold() == mail.sender.casefold():
                _warn(user, now)
    return Reply(250, "2.0.0 noted", "public") if public else _NO_BOX


def _introduce(user: User, mail: Incoming, now: datetime) -> None:
    """Send somebody his or her own address, and how things stand."""
    desk = Desk.of(Box("u", user), now)
    desk.say(
        _(
            "Nothing in your mail was done, because anybody could have sent it in your name. Please reply to this"
            " mail\ninstead: its address is yours alone. Or reply to the last mail about a game, to play in that game."
        ),
        "",
    )
    status(desk, Command("status"))
    outbox.answer(
        user,
        _("How to play by mail"),
        "\n".join(desk.lines),
        to=mail.message_id,
        key=f"hello {user.pk} {now:%Y-%m-%d}",
        now=now,
    )


def _warn(user: User, now: datetime) -> None:
    text = _(
        "A mail in your name came to an address that is not yours, or is no longer valid. "
        "Nothing in it was done.\n"
        "If you sent it, please reply to the last mail that you have had from us instead. If "
        "you did not, you need not do anything."
    )
    outbox.answer(user, _("A mail in your name"), text, key=f"forged {user.pk} {now:%Y-%m-%d}", now=now)
