"""What a Gamesmaster does, and whoever plays at a sandbox: process, preview, extend, pause, roll back, hooks."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from django.contrib.auth.models import User
from django.http import HttpRequest
from ninja import Path, Router, Status

from gamesmaster.host.api.callers import caller, person
from gamesmaster.host.api.seeing import look, named_user, own_power, receipt_out, ruling_out, table_out
from gamesmaster.host.api.shapes.common import Done
from gamesmaster.host.api.shapes.desk import ReceiptOut, RulingOut, WishIn
from gamesmaster.host.api.shapes.master import (
    AnnounceIn,
    BackIn,
    CourseOut,
    ExtendIn,
    HookIn,
    HookOut,
    OverrideIn,
    ReplaceIn,
)
from gamesmaster.host.api.shapes.people import AuditOut
from gamesmaster.host.api.shapes.tables import TableOut
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Table, WebHook
from gamesmaster.host.service import gmdesk, hooks, orders, past, phases, tables
from gamesmaster.host.service.viewing import TableView, row_of

router = Router()


def _found(request: HttpRequest, key: str) -> tuple[User | None, TableView, Table]:
    user = caller(request, "gm")
    view = look(key, user)
    return user, view, row_of(view)


@router.post("/{slug:key}/process", response=TableOut)
def process(request: HttpRequest, key: str, given: WishIn) -> TableOut:
    """Process the phase with this number now."""
    user, _, table = _found(request, key)
    done = phases.ask(table, given.ordinal, user)
    if done not in (phases.Done.PROCESSED, phases.Done.ALREADY):
        raise Refused("not-processed", f"The phase was not processed: {done.value}.", "try again in a moment")
    return table_out(look(key, user))


@router.get("/{slug:key}/preview", response=list[RulingOut])
def preview(request: HttpRequest, key: str) -> list[RulingOut]:
    """The results that the orders sent so far would have; the log notes that you looked."""
    user, _, table = _found(request, key)
    return [ruling_out(ruling) for ruling in phases.preview(table, user).rulings]


@router.post("/{slug:key}/extend", response=TableOut)
def extend(request: HttpRequest, key: str, given: ExtendIn) -> TableOut:
    """Move the deadline."""
    user, _, table = _found(request, key)
    if given.until.tzinfo is None:
        raise Refused("bad-time", "A time must have a zone.", "2027-01-05T20:00:00Z")
    tables.extend(table, user, given.until)
    return table_out(look(key, user))


@router.post("/{slug:key}/pause", response=Done)
def pause(request: HttpRequest, key: str) -> Done:
    """Stop the clock."""
    user, _, table = _found(request, key)
    tables.pause(table, user)
    return Done()


@router.post("/{slug:key}/resume", response=Done)
def resume(request: HttpRequest, key: str) -> Done:
    """Start the clock again. In a game without a Gamesmaster, its owner can do this."""
    user, _, table = _found(request, key)
    tables.resume(table, user)
    return Done()


@router.post("/{slug:key}/rollback", response=TableOut)
def rollback(request: HttpRequest, key: str, given: BackIn) -> TableOut:
    """Take the game back to a phase. All players are told; receipts for later phases become void."""
    user, _, table = _found(request, key)
    past.rollback(table, given.ordinal, user)
    return table_out(look(key, user))


@router.post("/{slug:key}/replace", response=TableOut)
def replace(request: HttpRequest, key: str, given: ReplaceIn) -> TableOut:
    """Give a power to another player."""
    user, view, table = _found(request, key)
    if not view.viewer.owner:  # who made the table may fill seats that are lost
        tables.must_run(table, user)
    tables.replace(table, view.variant.power(given.power).name, named_user(given.user), user)
    return table_out(look(key, user))


@router.put("/{slug:key}/override/{power}", response=ReceiptOut)
def override(request: HttpRequest, key: str, power: str, given: OverrideIn) -> ReceiptOut:
    """Enter orders for a power in place of its player; all players are told."""
    user, view, table = _found(request, key)
    name = own_power(view, power)
    made = gmdesk.override(table, name, given.orders, user, ordinal=given.ordinal, sure=True)
    return receipt_out(made, look(key, user), orders.in_plain(view.bare_game, name, given.orders)[1])


@router.post("/{slug:key}/announce", response=Done)
def announce(request: HttpRequest, key: str, given: AnnounceIn) -> Done:
    """Write to all players in the Gamesmaster's name."""
    user, _, table = _found(request, key)
    gmdesk.tell_all(table, user, given.text)
    return Done()


@router.get("/{slug:key}/log", response=list[AuditOut])
def log(request: HttpRequest, key: str) -> list[AuditOut]:
    """The log of the game, newest entries first; for the people who run it."""
    user, view, table = _found(request, key)
    tables.must_run(table, user)
    lines = table.audit.select_related("who").order_by("-at", "-pk")[:200]
    return [
        AuditOut(at=line.at, who=line.who.username if line.who else "", what=line.what, table=view.key)
        for line in lines
    ]


@router.get("/{slug:key}/course/{power}", response=list[CourseOut])
def course(request: HttpRequest, key: str, power: str) -> list[CourseOut]:
    """A power phase by phase, compared with the average, and who attacked it; for the people who run the game."""
    user, view, table = _found(request, key)
    tables.must_run(table, user)
    found = gmdesk.watched(view, view.variant.power(power).name) if view.begun else []
    return [CourseOut(**asdict(one)) for one in found]


@router.get("/{slug:key}/hooks", response=list[HookOut])
def own_hooks(request: HttpRequest, key: str) -> list[HookOut]:
    """Your webhooks for the game."""
    user = person(request, "gm")
    return [_hook(hook) for hook in row_of(look(key, user)).hooks.filter(owner=user).order_by("pk")]


@router.post("/{slug:key}/hooks", response={201: HookOut})
def set_hook(request: HttpRequest, key: str, given: HookIn) -> Status[HookOut]:
    """Set a webhook. The secret that signs its messages is shown only now."""
    user, _, table = _found(request, key)
    made = hooks.add(table, user, given.url, given.events)
    return Status(201, _hook(made, made.secret))


@router.delete("/{slug:key}/hooks/{number}", response=Done)
def drop_hook(request: HttpRequest, key: str, number: Annotated[int, Path(ge=0, le=2**31 - 1)]) -> Done:
    """Delete a webhook."""
    user, _, table = _found(request, key)
    hooks.drop(table, user, number)
    return Done()


def _hook(hook: WebHook, secret: str = "") -> HookOut:
    return HookOut(id=hook.pk, url=hook.url, events=hook.events, failures=hook.failures, secret=secret)
