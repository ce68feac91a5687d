"""The inbox: what has happened in all games of a person, and what calls for the person now.

Counts stop at `MOST`, so that no page costs more for somebody who reads nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.db.models import Count, Exists, OuterRef, QuerySet

from gamesmaster.host.tables.models import SEATED, Notice, Seat, Sheet, Table, TableState

PAGE = 40
MOST = 100
"""The highest number that is counted."""
KEPT = timedelta(days=60)


@dataclass(frozen=True, slots=True)
class Calls:
    """What calls for a person, in numbers."""

    unread: int = 0  # notices
    due: int = 0  # games in which the person's orders are due

    @property
    def total(self) -> int:
        """Return both together, for the title of a page and the badge of the app."""
        return self.unread + self.due


def calls(user: AbstractBaseUser | AnonymousUser | None) -> Calls:
    """Return what calls for a person; nothing for a visitor."""
    return Calls(unread(user), due(user)) if isinstance(user, User) else Calls()


def page(user: User, *, before: int = 0, most: int = PAGE) -> list[Notice]:
    """Return notices, newest first; with `before`, those older than the one with this key."""
    found = Notice.objects.filter(user=user).select_related("table").defer("table__record").order_by("-pk")
    return list((found.filter(pk__lt=before) if before else found)[:most])


def group_alike(notices: Iterable[Notice]) -> list[tuple[Notice, int]]:
    """Return the first of each run of notices that say the same about one game, with the length of the run."""
    runs = groupby(notices, lambda one: (one.table_id, one.event, one.text, one.read))
    return [(run[0], len(run)) for run in (list(found) for _same, found in runs)]


def unread(user: User) -> int:
    """Return the number of unread notices, at most `MOST`."""
    return _new(user)[:MOST].count()


def due(user: User) -> int:
    """Return the number of games in which orders of this person are due and none are saved, at most `MOST`."""
    sent = Sheet.objects.filter(table=OuterRef("table"), ordinal=OuterRef("table__ordinal"), power=OuterRef("power"))
    seats = Seat.objects.filter(user=user, state__in=SEATED, table__state=TableState.RUNNING, table__sandbox=False)
    waiting = seats.filter(~Exists(sent)).select_related("table").only("power", "table__owing")
    return sum(row.table.needs_orders(row.power) for row in waiting[:MOST])


def unread_press(user: User, tables: Collection[Table]) -> dict[int, int]:
    """Map each of these tables to its number of unread messages, if there are any."""
    rows = _new(user).filter(table__in=tables, message__isnull=False).order_by().values_list("table")
    return dict(rows.annotate(Count("pk")))


def seen(user: AbstractBaseUser | AnonymousUser | None, table: str, *, press: bool) -> None:
    """Mark the notices about the table with this key as read, those of press only with `press`."""
    if isinstance(user, User):
        rows = _new(user).filter(table__key=table)
        _mark(rows if press else rows.filter(message=None))


def read_press(seat: int, thread: str, upto: int) -> None:
    """Mark the notices about a thread as read, for the player of a seat, up to the message with this key."""
    player = Seat.objects.filter(pk=seat).values("user"), Seat.objects.filter(pk=seat).values("table")
    rows = Notice.objects.filter(read=False, user__in=player[0], table__in=player[1])
    _mark(rows.filter(message__thread=thread, message__lte=upto))


def read_all(user: User) -> None:
    """Mark all notices as read."""
    _mark(_new(user))


def _new(user: User) -> QuerySet[Notice]:
    return Notice.objects.filter(user=user, read=False)


def _mark(rows: QuerySet[Notice]) -> None:
    if rows.exists():  # usually there are none, and nothing is written
        rows.update(read=True)


def tidy(now: datetime) -> int:
    """Delete old notices and return how many were deleted."""
    return Notice.objects.filter(at__lt=now - KEPT).delete()[0]
