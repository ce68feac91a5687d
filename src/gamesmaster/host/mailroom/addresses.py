"""Addresses that only the house can make: who may write to one is who has got it.

`p31-4-<seal>` is the seat 31 in the phase with the ordinal 4, `g7-4-<seal>` whoever runs the table 7, `u5-0-<seal>` the
person 5, `b9-0-<seal>` where a mail comes back to, `s3-0-<seal>` whoever wants the account that note 3 tells of,
`d17-0-<seal>` a trial by the doctor.  The seal is made with the site's secret, and with the person and the person's own
address: it holds for nobody else, and no longer when the address changes or the seat is lost.  The sender that a mail
names decides nothing.
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
"""The pulse that a trial leaves when it comes in."""
_LOT = 14
"""Digits of a mail's own id that are its number: 56 bits."""
_SHAPE = re.compile(r"(?:[^@+]{0,64}\+)?([pgubsd])([0-9]{1,18})-([0-9]{1,9})-([a-z2-7]{16})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Box:
    """Whom a sealed address belongs to: a person, perhaps at a table as a power, in a phase; a mail; a newcomer.

    Or nobody: a trial by its `number`.
    """

    kind: str
    user: User | None = None
    table: Table | None = None
    power: str = ""
    ordinal: int = 0
    mail: OutMail | None = None
    newcomer: SignUp | None = None
    number: int = 0

    @property
    def whose(self) -> str:
        """What the seal is made with beside the address: the person's address, or what a newcomer has asked for."""
        if self.newcomer is not None:
            return f"{self.newcomer.email} {self.newcomer.made.timestamp():.0f} {self.newcomer.name}"
        return _of(self.user) if self.user is not None else ""


def player(seat: Seat, ordinal: int) -> str:
    """The address to which the player in a seat writes, orders for the phase with this ordinal among it."""
    assert seat.user is not None
    return _address("p", seat.pk, ordinal, _of(seat.user))


def runner(table: Table, user: User, ordinal: int) -> str:
    """The address to which whoever runs a table writes."""
    return _address("g", table.pk, ordinal, _of(user))


def person(user: User) -> str:
    """The address to which a person writes who is at no table, or at none in particular."""
    return _address("u", user.pk, 0, _of(user))


def newcomer(note: SignUp) -> str:
    """The address by which somebody says that the account is wanted: it holds for this name alone."""
    return _address("s", note.pk, 0, Box("s", newcomer=note).whose)


def returns(mail: OutMail) -> str:
    """The envelope's sender of a mail: where it comes back to if it cannot be delivered.

    Its number is the mail's by lot: one that counts would tell each reader how many others were written to.
    """
    return _address("b", int(mail.message_id[1 : 1 + _LOT], 16), 0, "")


def trial(number: int) -> str:
    """The address of a mail by which the house tries out whether mails go out and come in; the number is its time."""
    return _address("d", number, 0, "")


def trial_time(number: int) -> datetime:
    """The time that the number of a trial tells, in milliseconds."""
    return datetime.fromtimestamp(number // 1000, UTC) + timedelta(milliseconds=number % 1000)


def plausible(address: str) -> bool:
    """Has this address our domain, and the shape of a sealed one?"""
    return _split(address) is not None


def public(address: str) -> bool:
    """Is it an address of the house that anybody may know?"""
    local, at, domain = address.casefold().rpartition("@")
    known = settings.DEFAULT_FROM_EMAIL.casefold().rpartition("<")[2].rpartition("@")[0]
    return bool(at) and domain == settings.MAIL_DOMAIN.casefold() and local in (known, "gamesmaster", "postmaster")


def box_of(address: str) -> Box | None:
    """Whom an address belongs to, if its seal is good and still holds."""
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
    """Whose address it would be if the seal were good: to be warned, and nothing else."""
    found = _split(address)
    boxes = _candidates(*found[:3]) if found else []
    return next((box.user for box in boxes if box.user is not None), None)


def _candidates(kind: str, first: int, second: int) -> list[Box]:
    if kind == "p":
        seats = Seat.objects.filter(pk=first, state__in=SEATED, user__isnull=False).select_related("user", "table")
        return [Box("p", s.user, s.table, s.power or "", second) for s in seats]
    if kind == "g":
        tables = Table.objects.filter(pk=first).select_related("gm", "owner")
        return [Box("g", u, t, "", second) for t in tables for u in (t.gm, t.owner) if u is not None]
    if kind == "u":
        return [Box("u", user) for user in User.objects.filter(pk=first)]
    if kind == "s":
        return [Box("s", newcomer=note) for note in SignUp.objects.filter(pk=first)]
    if kind == "d":
        return [Box("d", number=first)]
    mails = OutMail.objects.filter(message_id__startswith=f"<{first:0{_LOT}x}").select_related("user")
    return [Box("b", None, mail=mail) for mail in mails]


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
