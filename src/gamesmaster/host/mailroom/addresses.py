"""Sealed reply addresses: only the site can make them, and knowing one authorizes to write to it.

`p31-4-<seal>` is seat 31 in the phase with ordinal 4, `g7-4-<seal>` the person who runs table 7, `u5-0-<seal>` person
5, `b9-0-<seal>` the return path of a mail, `s3-0-<seal>` the newcomer of sign-up 3, and `d17-0-<seal>` a trial of the
doctor. The seal is an HMAC with the site's secret over the address, the person and the person's e-mail address. It
fails for anybody else, and after the address changes or the seat is lost. The sender named in a mail is ignored.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User

from gamesmaster.host.accounts.people import SignUp
from gamesmaster.host.tables.models import SEATED, OutMail, Seat, Table

SEAL_LETTERS = 16
"""Letters of five bits each: 80 bits."""
TRIAL = "mail trial"
"""Name of the heartbeat that an incoming trial leaves."""
_LOT = 14
"""Hexadecimal digits of a mail's Message-ID that identify it: 56 bits."""
_SHAPE = re.compile(r"(?:[^@+]{0,64}\+)?([pgubsd])([0-9]{1,18})-([0-9]{1,9})-([a-z2-7]{16})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The owner of a sealed address; which fields are set depends on `kind`."""

    kind: str  # the letter that the address begins with
    user: User | None = None
    table: Table | None = None
    power: str = ""  # power of the seat
    ordinal: int = 0  # phase for which orders are taken
    mail: OutMail | None = None
    newcomer: SignUp | None = None
    number: int = 0  # number of a trial

    @property
    def whose(self) -> str:
        """Return what the seal depends on besides the address: the person, or the newcomer's sign-up."""
        if self.newcomer is not None:
            return f"{self.newcomer.email} {self.newcomer.made.timestamp():.0f} {self.newcomer.name}"
        return _of(self.user) if self.user is not None else ""


def player(seat: Seat, ordinal: int) -> str:
    """Return the address of the player in a seat, which takes orders for the phase with this ordinal."""
    assert seat.user is not None
    return _address("p", seat.pk, ordinal, _of(seat.user))


def runner(table: Table, user: User, ordinal: int) -> str:
    """Return the address of the person who runs a table."""
    return _address("g", table.pk, ordinal, _of(user))


def person(user: User) -> str:
    """Return the address of a person, independent of tables."""
    return _address("u", user.pk, 0, _of(user))


def newcomer(note: SignUp) -> str:
    """Return the address by which a newcomer confirms a sign-up. It holds for this name alone."""
    return _address("s", note.pk, 0, Mailbox("s", newcomer=note).whose)


def returns(mail: OutMail) -> str:
    """Return the envelope sender of a mail, where it bounces to.

    It contains random digits of the Message-ID. A running number would show readers how many mails the site sends.
    """
    return _address("b", int(mail.message_id[1 : 1 + _LOT], 16), 0, "")


def trial(number: int) -> str:
    """Return the address of a trial that checks whether mail goes out and comes in; the number encodes its time."""
    return _address("d", number, 0, "")


def trial_time(number: int) -> datetime:
    """Return the time encoded in the number of a trial, in milliseconds."""
    return datetime.fromtimestamp(number // 1000, UTC) + timedelta(milliseconds=number % 1000)


def plausible(address: str) -> bool:
    """Return whether an address has the site's domain and the form of a sealed address."""
    return _split(address) is not None


def public(address: str) -> bool:
    """Return whether this is one of the site's public addresses."""
    local, at, domain = address.casefold().rpartition("@")
    known = settings.DEFAULT_FROM_EMAIL.casefold().rpartition("<")[2].rpartition("@")[0]
    return bool(at) and domain == settings.MAIL_DOMAIN.casefold() and local in (known, "gamesmaster", "postmaster")


def box_of(address: str) -> Mailbox | None:
    """Return the owner of an address if its seal is valid; else None."""
    found = _split(address)
    if found is None:
        return None
    kind, first, second, seal = found
    for box in _candidates(kind, first, second):
        if box.user is not None and not box.user.is_active:
            continue
        if hmac.compare_digest(_seal(kind, first, second, box.whose), seal):
            return box
    return None


def claimant(address: str) -> User | None:
    """Return the person whose address this would be with a valid seal; used only to warn that person."""
    found = _split(address)
    boxes = _candidates(*found[:3]) if found else []
    return next((box.user for box in boxes if box.user is not None), None)


def _candidates(kind: str, first: int, second: int) -> list[Mailbox]:
    if kind == "p":
        seats = Seat.objects.filter(pk=first, state__in=SEATED, user__isnull=False).select_related("user", "table")
        return [Mailbox("p", s.user, s.table, s.power or "", second) for s in seats]
    if kind == "g":
        tables = Table.objects.filter(pk=first).select_related("gm", "owner")
        helpers = User.objects.filter(helping__table=first, helping__ended=None)
        return [Mailbox("g", u, t, "", second) for t in tables for u in (t.gm, t.owner, *helpers) if u is not None]
    if kind == "u":
        return [Mailbox("u", user) for user in User.objects.filter(pk=first)]
    if kind == "s":
        return [Mailbox("s", newcomer=note) for note in SignUp.objects.filter(pk=first)]
    if kind == "d":
        return [Mailbox("d", number=first)]
    mails = OutMail.objects.filter(message_id__startswith=f"<{first:0{_LOT}x}").select_related("user")
    return [Mailbox("b", None, mail=mail) for mail in mails]


def _split(address: str) -> tuple[str, int, int, str] | None:
    local, _, domain = address.casefold().rpartition("@")
    found = _SHAPE.fullmatch(local) if domain == settings.MAIL_DOMAIN.casefold() else None
    return (found[1], int(found[2]), int(found[3]), found[4]) if found else None


def _of(user: User) -> str:
    return f"{user.pk} {user.email.casefold()}"


def _address(kind: str, first: int, second: int, whose: str) -> str:
    return f"{kind}{first}-{second}-{_seal(kind, first, second, whose)}@{settings.MAIL_DOMAIN}"


def _seal(kind: str, first: int, second: int, whose: str) -> str:
    key = hashlib.sha256(b"mail\n" + settings.SECRET_KEY.encode()).digest()
    digest = hmac.new(key, f"{kind} {first} {second} {whose}".encode(), "sha256").digest()
    return base64.b32encode(digest).decode().casefold()[:SEAL_LETTERS]
