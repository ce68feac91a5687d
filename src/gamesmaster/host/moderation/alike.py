"""Several accounts of one person: who at one table plays from one address, told to moderators; never more than a hint.

Of the public address from which somebody sends something on the site a hash is kept for `KEPT`; its key is another one
every day, so that days cannot be put together.  People of one household, school or office look the same: nothing
follows from it by itself.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import logging
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import combinations

from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import caches
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse

from gamesmaster.host.accounts import people
from gamesmaster.host.moderation.models import Trace
from gamesmaster.host.site import clock, limits, outgoing
from gamesmaster.host.tables.models import NOT_OVER, SEATED, Seat, Table

KEPT = timedelta(days=14)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two players of a table who sent something from one address: on how many days of late, and the last of them."""

    table: Table
    one: User
    two: User
    days: int
    last: date


def note(user: User, address: str, now: datetime) -> None:
    """Keep that a person sent something from this address today; of one that is not public nothing is kept."""
    if not settings.NOTE_ADDRESSES or not _public(address):
        return
    day = now.date()
    mark = _mark(address, day)
    if caches["local"].add(f"trace:{user.pk}:{mark}", 1, 6 * 3600):
        Trace.objects.bulk_create([Trace(user=user, mark=mark, day=day)], ignore_conflicts=True)


def pairs(reader: User) -> list[Pair]:
    """Those at one table who were at one address, the most days first; raises `Refused` to all but moderators.

    Left out are tables at which the reader plays.
    """
    people.must_keep_order(reader)
    seats = Seat.objects.filter(state__in=SEATED, user__isnull=False, table__state__in=NOT_OVER, table__sandbox=False)
    at_table = defaultdict[Table, list[User]](list)
    for seat in seats.select_related("table", "user").order_by("pk"):
        assert seat.user is not None
        at_table[seat.table].append(seat.user)
    places = defaultdict[int, set[tuple[date, str]]](set)
    for user, day, mark in Trace.objects.values_list("user", "day", "mark"):
        places[user].add((day, mark))
    found = []
    for table, players in at_table.items():
        if reader in players:
            continue
        for one, two in combinations(players, 2):
            if both := {day for day, _ in places[one.pk] & places[two.pk]}:
                found.append(Pair(table, one, two, len(both), max(both)))
    return sorted(found, key=lambda pair: (-pair.days, pair.table.pk))


def tidy(now: datetime) -> int:
    """Take away what is older than `KEPT`; how many?"""
    return Trace.objects.filter(day__lt=now.date() - KEPT).delete()[0]


def _public(address: str) -> bool:
    try:
        return outgoing.public(address)
    except ValueError:
        return False


def _mark(address: str, day: date) -> str:
    """The hash; of the newer kind of address the part that a household shares."""
    found = ipaddress.ip_address(address.partition("%")[0])
    net = ipaddress.ip_network((found, 64 if found.version == 6 else 32), strict=False)
    key = hashlib.sha256(f"addresses {day}\n{settings.SECRET_KEY}".encode()).digest()
    return hmac.new(key, str(net).encode(), "sha256").hexdigest()[:32]


Answer = Callable[[HttpRequest], HttpResponse]
LOG = logging.getLogger("gamesmaster.host")
SAFE = ("GET", "HEAD", "OPTIONS")


def note_address(answer: Answer) -> Answer:
    """Note the address of whoever has sent something that was taken; never of whoever only looks."""

    def answered(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        if request.method not in SAFE and response.status_code < 400 and isinstance(request.user, User):
            _note(request.user, limits.address(request))
        return response

    return answered


def _note(user: User, address: str) -> None:
    """Note it; what was taken stays taken if that cannot be done."""
    try:
        if user.pk is not None:  # an account may just have been deleted
            note(user, address, clock.now())
    except DatabaseError as error:
        LOG.warning("an address could not be noted", exc_info=error, extra={"event": "trace"})
