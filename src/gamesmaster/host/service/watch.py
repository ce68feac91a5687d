"""Watching tables: what is asked of the database once a second for all tables that somebody looks at just now."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth import get_user
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.db import connections
from django.db.models import F, Max
from django.http import HttpRequest

from gamesmaster.host.models import Ballot, Message, Mute, Seat, Sheet, Table
from gamesmaster.host.service import live, viewing
from gamesmaster.host.service.viewing import TableView

INVITATIONS = "invitations"
"""Where in a session the invitations are with which somebody came, by the keys of tables."""


def marks(tables: Collection[int]) -> dict[int, str]:
    """For each table a word that changes whenever anybody may see something new; it is shown to nobody."""
    found: dict[int, list[object]] = {}
    try:
        names = ("pk", "version", "state", "deadline", "ready_at", "gm_id", "owner_id", "ordinal", "phase_code", "name")
        for row in Table.objects.filter(pk__in=tables).values_list(*names):
            found[int(row[0])] = [row]
        now = {"table__in": list(found), "ordinal": F("table__ordinal")}
        seats = Seat.objects.filter(table__in=list(found)).order_by("pk")
        last = Message.objects.filter(table__in=list(found)).values_list("table").annotate(Max("pk"))
        for rows in (
            seats.values_list("table", "pk", "state", "user", "power"),
            Sheet.objects.filter(**now).order_by("pk").values_list("table", "pk", "version", "confirmed", "hold"),
            Ballot.objects.filter(**now).order_by("pk").values_list("table", "pk", "at"),
            Mute.objects.filter(seat__table__in=list(found)).order_by("pk").values_list("seat__table", "pk"),
            last.order_by("table"),
        ):
            for row in rows:
                found[int(row[0])].append(tuple(row))
    finally:
        connections.close_all()
    return {key: repr(value) for key, value in found.items()}


def person(session: SessionBase) -> User | None:
    """Who is signed in with this session now; None when it is over or the password has changed."""
    request = HttpRequest()
    request.session = type(session)(session.session_key)
    user = get_user(request)
    return user if isinstance(user, User) and user.is_active else None


def invitation(session: SessionBase, key: str) -> str:
    """The invitation with which somebody has come to the table with this key; empty if there was none."""
    return str(session.get(INVITATIONS, {}).get(key, ""))


def look(key: str, session: SessionBase) -> tuple[TableView, int, str]:
    """The table for whoever has this session, its number, and its stamp; raises `Refused`."""
    try:
        view = viewing.look(key, person(session), invitation=invitation(session, key))
        return view, Table.objects.values_list("pk", flat=True).get(key=key), live.stamp(view)
    finally:
        connections.close_all()
