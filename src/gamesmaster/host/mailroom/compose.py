"""Composes a mail from its row in the outbox: headers, reply address, footer and attachment.

No text written by people gets into headers, except a table's name in the subject, as one line.
"""

from __future__ import annotations

import re

from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.core.mail import EmailMessage
from django.utils.translation import gettext as _

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.accounts.people import SignUp
from gamesmaster.host.mailroom import addresses, newcomers
from gamesmaster.host.mailroom.reading import MARK
from gamesmaster.host.maps import pictures
from gamesmaster.host.site import names
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import outbox, store
from gamesmaster.host.tables.access import look
from gamesmaster.host.tables.models import SEATED, OutMail, Seat, Table
from gamesmaster.host.tables.notifications import CHOSEN

SALT = "host.mail.stop"
MOST_ATTACHED = 8 * 1024 * 1024  # bytes
MAP_WIDTH = 1600  # pixels
_PRIVATE = ("press", "answer")
"""Events sent only while the reader still has the seat."""


def stop_token(user: User, kind: str) -> str:
    """Return the token of an unsubscribe link. It contains no name and can do nothing else."""
    return signing.dumps([user.pk, kind], salt=SALT)


def stop_read(token: str) -> tuple[int, str] | None:
    """Return user id and kind of an unsubscribe token; None for an invalid one."""
    try:
        number, kind = signing.loads(token, salt=SALT)
        return int(number), str(kind)
    except (signing.BadSignature, ValueError, TypeError):
        return None


def compose_mail(mail: OutMail) -> EmailMessage:
    """Return the mail ready for sending; raise `Refused` if it must no longer go to this reader."""
    user = mail.user
    if mail.event == outbox.ACCOUNT:
        return EmailMessage(mail.subject, mail.body, addresses.returns(mail), [mail.to], headers=_headers(mail))
    if user is not None and (not user.is_active or not user.email):
        raise Refused("gone", _("The account is gone."))
    if user is not None and not outbox.reaches(user):
        raise Refused("unconfirmed", _("Nobody has confirmed that this address is the player's."))
    if not may_read(mail):
        raise Refused("left", _("The player has left the seat."))
    seat = _seat(mail)
    reply = _reply_address(mail, seat)
    message = EmailMessage(
        " ".join(names.visible(mail.subject).split())[:200],
        f"{MARK}\n\n{mail.body.rstrip()}\n{_foot(mail, seat)}",
        addresses.returns(mail),
        [user.email if user is not None else mail.to],
        headers={**_headers(mail), **({"Reply-To": reply} if reply else {})},
    )
    if mail.attach:
        _attach(message, mail)
    return message


def may_read(mail: OutMail) -> bool:
    """Return whether a mail may still go to its reader: private ones only while the reader has the seat, or helps."""
    if mail.table is not None and mail.table.helpers.filter(user=mail.user_id).exclude(ended=None).exists():
        return mail.event not in _PRIVATE
    return not mail.power or mail.event not in _PRIVATE or _seat(mail) is not None


def _seat(mail: OutMail) -> Seat | None:
    if mail.user_id is None or mail.table_id is None or not mail.power:
        return None
    return Seat.objects.filter(table=mail.table_id, user=mail.user_id, power=mail.power, state__in=SEATED).first()


def _reply_address(mail: OutMail, seat: Seat | None) -> str:
    if mail.event == newcomers.EVENT:
        note = SignUp.objects.filter(email=mail.to).first()
        return addresses.newcomer(note) if note is not None and note.name else ""
    if mail.user is None:
        return ""
    if seat is not None:
        return addresses.player(seat, mail.ordinal)
    if mail.table is not None and (mail.user_id == mail.table.owner_id or store.is_gm(mail.table, mail.user)):
        return addresses.runner(mail.table, mail.user, mail.ordinal)
    return addresses.person(mail.user)


def _headers(mail: OutMail) -> dict[str, str]:
    headers = {
        "From": settings.DEFAULT_FROM_EMAIL,
        "Message-ID": mail.message_id,
        "Auto-Submitted": "auto-replied" if mail.event == "answer" else "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "X-Gamesmaster": "1",
    }
    above = [thread_of(mail.table)] if mail.table is not None else []
    if re.fullmatch(r"<[!-;=?-~]{1,250}>", mail.answers):
        above.append(mail.answers)
    if above:
        headers |= {"In-Reply-To": above[-1], "References": " ".join(above)}
    if mail.table is not None:
        headers["List-Id"] = f"<{mail.table.key}.{settings.MAIL_DOMAIN}>"
    if mail.user is not None and mail.event in CHOSEN:
        link = f"{settings.BASE_URL}/mail/stop/{stop_token(mail.user, mail.event)}"
        person = addresses.person(mail.user)
        headers["List-Unsubscribe"] = f"<{link}>, <mailto:{person}?body=stop%20{mail.event}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return headers


def thread_of(table: Table) -> str:
    """Return the Message-ID under which mail programs group the mails about a table."""
    return f"<table.{table.key}@{settings.MAIL_DOMAIN}>"


def _foot(mail: OutMail, seat: Seat | None) -> str:
    """Return the footer: how to reply, and how to stop such mails."""
    if mail.user is None:
        return ""
    lines = ["", "-- "]
    if seat is not None and mail.table is not None:
        lines.append(
            _("Reply to this mail to send orders, press and votes; reply HELP on a line by itself to see how.")
        )
        lines.append(_("The reply address is yours alone: do not give it to anyone."))
    else:
        lines.append(_("Reply with HELP on a line by itself to learn what can be done by mail."))
    if mail.event in CHOSEN:
        lines.append(_("To stop these e-mails, reply STOP {kind}.").format(kind=mail.event.upper()))
    return "\n".join([*lines, ""])


def _attach(message: EmailMessage, mail: OutMail) -> None:
    """Draw and attach the map as its reader may see it now; on failure add a sentence to the body."""
    what, _space, number = mail.attach.partition(" ")
    try:
        assert mail.table is not None
        view = look(mail.table.key, mail.user)
        over = int(number) if number.isdigit() and int(number) < view.ordinal else None
        svg = pictures.map_svg(view, over)
        name = f"{view.key}-{view.record(over).phase.code if over is not None else view.phase_code or 'start'}.{what}"
        data: bytes = svg.encode()
        if what == "png":
            from gamesmaster.pictures import to_png

            data = to_png(svg, MAP_WIDTH)
        if len(data) > MOST_ATTACHED:
            raise Refused("too-large", _("The map is too large to be sent."))
        message.attach(name, data, "image/png" if what == "png" else "image/svg+xml")
    except (GamesmasterError, ImportError) as error:
        message.body = (
            f"{message.body}\n" + _("The map could not be drawn: {error}.").format(error=type(error).__name__) + "\n"
        )
