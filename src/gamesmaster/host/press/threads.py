"""Threads of messages as a viewer reads them: pages, searches, and what is new.

`tables.access` alone decides which messages a viewer may read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Count, F, Max, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from gamesmaster.host.notices import inbox
from gamesmaster.host.press.correspondence import Mute, ReadMark
from gamesmaster.host.tables.models import Message, thread_of
from gamesmaster.host.tables.view import MessageView, TableView

PUBLIC = ""
LONGEST_SEARCH = 100
LONGEST_PAGE = 200
"""Maximum number of messages that are read at once."""
ANY = Q()


@dataclass(frozen=True, slots=True)
class Line:
    """A message in a thread."""

    number: int  # counts, from 1, only the messages that this viewer may read
    message: MessageView
    unread: bool
    held: int = 0  # primary key of a letter that can still be taken back, which has no number yet


@dataclass(frozen=True, slots=True)
class Thread:
    """The messages between the same people; `key` is their names joined by commas, empty for public messages."""

    key: str
    members: tuple[str, ...]
    last: int = 0  # `MessageView.number` of the newest message
    at: datetime | None = None  # when that was sent
    unread: int = 0  # messages that are new to the viewer
    lines: tuple[Line, ...] = ()  # the newest messages, or those before a certain one
    earlier: int = 0  # number of messages before these


def lines(view: TableView, where: Q = ANY, *, after: int = 0, most: int = LONGEST_PAGE) -> list[Line]:
    """Return the first messages after the one numbered `after` that match `where`, without those of muted powers."""
    return _numbered(view, _heard(view).filter(where, pk__gt=key_of_number(view, after)).order_by("pk")[:most])


def newest(view: TableView, where: Q = ANY, *, before: int = 0, most: int = LONGEST_PAGE) -> list[Line]:
    """Return the last messages that match `where`, oldest first; with `before`, of those before this number."""
    upto = Q(pk__lt=key_of_number(view, before)) if before else ANY
    return _numbered(view, list(_heard(view).filter(where, upto).order_by("-pk")[:most])[::-1])


def threads(view: TableView) -> list[Thread]:
    """Return the viewer's threads: the public one first, then those with the newest messages."""
    rows = _heard(view).values("thread").annotate(last=Max("pk"), at=Max("sent_at"))
    counted = rows.annotate(unread=Count("pk", filter=_new(view))).order_by("-last")
    found = {row["thread"]: _thread(row["thread"], row) for row in counted}
    public = found.pop(PUBLIC, None) or Thread(PUBLIC, ())
    return [public, *found.values()]


def _thread(key: str, row: Mapping[str, Any]) -> Thread:
    return Thread(key, members_of(key), row["last"], row["at"], row["unread"])


def thread(view: TableView, key: str, *, before: int = 0, most: int = LONGEST_PAGE) -> Thread:
    """Return one thread, which may be empty, with its newest messages or the last ones before a number."""
    wanted = key_with(members_of(key))
    found = next((one for one in threads(view) if one.key == wanted), Thread(wanted, members_of(wanted)))
    shown = newest(view, Q(thread=wanted), before=before, most=most)
    earlier = _heard(view).filter(thread=wanted, pk__lt=shown[0].message.number).count() if shown else 0
    return replace(found, lines=tuple(shown), earlier=earlier)


def search(view: TableView, words: str) -> list[Line]:
    """Return the messages that contain all of these words in text or sender, newest first."""
    wanted = words[:LONGEST_SEARCH].casefold().split()
    rows = _heard(view).filter(ANY if view.viewer.gm else Q(struck=None)).order_by("-pk").iterator() if wanted else ()
    return _numbered(view, (m for m in rows if all(word in f"{m.shown_as}\n{m.text}".casefold() for word in wanted)))


def unread(view: TableView) -> int:
    """Return the number of messages that are new to the viewer."""
    return _heard(view).filter(_new(view)).count() if view.viewer.seat is not None else 0


def read_upto(view: TableView, key: str, number: int) -> None:
    """Record that the viewer has read a thread up to the message with this number."""
    wanted = key_with(members_of(key))
    last = _heard(view).filter(thread=wanted, pk__lte=key_of_number(view, number)).aggregate(last=Max("pk"))["last"]
    if last:
        mark_read(view, wanted, last)


def mark_read(view: TableView, thread: str, number: int) -> None:
    """Record that the viewer has read a thread up to this message; marks never go back."""
    if view.viewer.seat is None:
        return
    mark, _ = ReadMark.objects.get_or_create(seat_id=view.viewer.seat, thread=thread[:400])
    if number > mark.message:
        mark.message = number
        mark.save(update_fields=["message"])
        inbox.read_press(view.viewer.seat, thread, number)


def muted_powers(view: TableView) -> frozenset[str]:
    """Return the powers that the viewer has muted."""
    if view.viewer.seat is None:
        return frozenset()
    return frozenset(Mute.objects.filter(seat=view.viewer.seat).values_list("power", flat=True))


def key_of(message: MessageView) -> str:
    """Return the key of the thread that a message belongs to."""
    return thread_of(message.sender, message.to)


def key_with(names: Iterable[str]) -> str:
    """Return the key of the thread between these people."""
    return thread_of("", list(names))


def members_of(key: str) -> tuple[str, ...]:
    """Return the members of the thread with this key."""
    return tuple(part.strip() for part in key[:400].split(",") if part.strip())


def _heard(view: TableView) -> QuerySet[Message]:
    """Return the messages that the viewer may read and has not muted."""
    return view.readable.filter(~Q(shown_as__in=muted_powers(view)) | Q(sender__in=view.viewer.powers))


def _new(view: TableView) -> Q:
    """Return the condition that a message is new to the viewer."""
    read = Q(sender__in=view.viewer.powers)
    for key, number in _marks(view).items():
        read |= Q(thread=key, pk__lte=number)
    return ~read if view.viewer.seat is not None else Q(pk__lt=0)


def key_of_number(view: TableView, number: int) -> int:
    """Return the primary key of the message with this number; 0 for 0, and beyond the last a key above all."""
    if number < 1:
        return 0
    keys = view.readable.order_by("pk").values_list("pk", flat=True)
    return next(iter(keys[number - 1 : number]), 2**63 - 1)


def _numbered(view: TableView, rows: Iterable[Message]) -> list[Line]:
    """Return messages with their numbers. The database counts those between, and reads only indexes."""
    found, marks = view.messages(rows), _marks(view)
    if not found:
        return []
    first, last = min(m.number for m in found), max(m.number for m in found)
    before = view.readable.filter(pk__lt=first).count()
    placed = view.readable.filter(pk__gte=first, pk__lte=last).values("id")
    sql, values = placed.annotate(place=Window(RowNumber(), order_by=F("pk").asc())).query.sql_with_params()
    holes = ", ".join(["%s"] * len(found))
    with connection.cursor() as cursor:
        shown = [m.number for m in found]
        cursor.execute(f"SELECT id, place FROM ({sql}) AS placed WHERE id IN ({holes})", [*values, *shown])
        places = dict(cursor.fetchall())
    new = view.viewer.seat is not None
    return [Line(before + places[m.number], m, new and not m.own and m.number > marks.get(key_of(m), 0)) for m in found]


def _marks(view: TableView) -> dict[str, int]:
    if view.viewer.seat is None:
        return {}
    return dict(ReadMark.objects.filter(seat=view.viewer.seat).values_list("thread", "message"))
