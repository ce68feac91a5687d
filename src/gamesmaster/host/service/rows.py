"""Rows under lock: what every service begins with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from datetime import datetime, timedelta
from functools import lru_cache

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.database import unwritten
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import AuditLine, Seat, SeatState, Table, TableState
from gamesmaster.host.models.tables import SEATED as SEATED
from gamesmaster.host.service import editions
from gamesmaster.host.table_settings import TableSettings
from gamesmaster.host.wording import in_site_language, this_game_is

WANTED = (SeatState.STANDBY_WANTED, SeatState.DISORDER)
"""States of a seat that another player may take over."""
CLAIM_LASTS = timedelta(minutes=5)
"""A worker that has not finished a phase after this long is held to have died."""


@contextmanager
def locked(table: Table | int, *, record: bool = True, lasting: bool = True) -> Iterator[Table]:
    """A table in a transaction that nobody else can change until it ends; raises `Refused` if it is gone.

    Without its `record`, by far the greatest part of it, that is read only if somebody asks.  What is not `lasting`
    may be lost, whole, if the machine loses its power: it is not waited for until it is on the disk.
    """
    number = table if isinstance(table, int) else table.pk
    found = Table.objects.select_for_update()
    with nullcontext() if lasting else unwritten(), transaction.atomic():
        try:
            yield (found if record else found.defer("record")).get(pk=number)
        except Table.DoesNotExist:
            raise Refused("no-table", _("There is no such game.")) from None


def claimed(table: Table, now: datetime) -> bool:
    """Is a worker at it, as far as one can tell?"""
    return table.claimed_at is not None and now - table.claimed_at < CLAIM_LASTS


def check_quiet(table: Table, now: datetime) -> None:
    """Raise `Refused` while the phase is being adjudicated.

    A dead worker's claim is taken away, so that what it may still bring counts no more.
    """
    if claimed(table, now):
        raise Refused(
            "processing",
            _("{phase} is being adjudicated right now.").format(phase=table.phase_code),
            _("see the results, then try again"),
        )
    if table.claimed_by:
        table.claimed_by, table.claimed_at = "", None
        table.save(update_fields=["claimed_by", "claimed_at"])


def check_running(table: Table, now: datetime) -> None:
    """Raise `Refused` unless the table is running and no worker is at it."""
    if table.state != TableState.RUNNING:
        raise Refused("not-running", this_game_is(table.state))
    check_quiet(table, now)


def check_turn(table: Table, ordinal: int, phase: str = "") -> None:
    """Raise `Refused` unless this phase is the one being played."""
    if table.ordinal == ordinal and phase in ("", table.phase_code):
        return
    past = table.phases.filter(ordinal=ordinal).first() if ordinal < table.ordinal else None
    now, calendar = table.phase_code, editions.of(table).calendar
    named = {code: calendar.name(calendar.read(code)) for code in (now, past.code if past else now)}
    says = _("{past} is over; orders are now due for {now}.") if past else _("Orders are now due for {now}.")
    raise Refused(
        "not-this-phase",
        says.format(past=named[past.code] if past else "", now=named[now]),
        _("{now}, number {ordinal}").format(now=now, ordinal=table.ordinal),
    )


def settings_of(table: Table) -> TableSettings:
    """The settings of a table."""
    return _settings(json.dumps(table.settings))


@lru_cache(1024)
def _settings(text: str) -> TableSettings:
    return TableSettings.model_validate_json(text)


def seated(table: Table) -> list[Seat]:
    """Those at the table: in the order of the powers, which tells nobody who sits where.

    Before the powers are drawn it is the order in which they came.
    """
    found = list(table.seats.filter(state__in=SEATED).select_related("user", "user__profile").order_by("pk"))
    if not any(seat.power for seat in found):
        return found
    order = _order(table.variant, table.digest)
    return sorted(found, key=lambda seat: order.get(seat.power or "", len(order)))


@lru_cache(256)
def _order(variant: str, digest: str) -> dict[str, int]:
    """The number of each power of a variant; of one that is no longer there, none."""
    with suppress(GamesmasterError):
        return {power.name: number for number, power in enumerate(editions.found(variant, digest).powers)}
    return {}


def opens_to(table: Table, user: User | None) -> bool:
    """Is this a sandbox in which this person orders for all?  Everybody is, at one that is not somebody's own plan."""
    if not table.sandbox:
        return False
    return settings_of(table).join != "invited" or (user is not None and table.owner_id == user.pk)


def is_gm(table: Table, user: User | None) -> bool:
    """Does this person run the table?  A Gamesmaster who plays at it would see too much, and is none."""
    return user is not None and table.gm_id == user.pk


@in_site_language
def audit(who: User | None, what: str | Promise, table: Table | None, now: datetime) -> None:
    """Write a line of the audit log; never an order, a vote or press."""
    ordinal = table.ordinal if table else None
    AuditLine.objects.create(who=who, what=str(what)[:200], table=table, ordinal=ordinal, at=now)
