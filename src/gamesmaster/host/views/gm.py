"""The Gamesmaster's desk: look ahead, process, move the clock, take back, replace, write, order in a player's stead."""

from __future__ import annotations

from datetime import datetime

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Table, TableState
from gamesmaster.host.service import clock, gmdesk, orders, past, phases, remarks, tables
from gamesmaster.host.service.viewing import TableView, row_of
from gamesmaster.host.views.asking import account, refused_back, seen
from gamesmaster.host.views.table_ballots import panel
from gamesmaster.host.views.table_maps import frame, layer, looks_asked

LINES = 30
"""Lines of the audit log on the desk."""


def _desk_of(request: HttpRequest, key: str) -> tuple[TableView, Table]:
    """The table, for whoever runs it; 404 to everybody else."""
    view = seen(request, key)
    row = row_of(view)
    try:
        tables.must_run(row, account(request))
    except Refused:
        raise Http404 from None
    return view, row


@login_required
@require_safe
def desk(request: HttpRequest, key: str) -> HttpResponse:
    """The desk."""
    view, row = _desk_of(request, key)
    return render(request, "host/gm.html", _context(request, view, row))


def _context(request: HttpRequest, view: TableView, row: Table) -> dict[str, object]:
    sheets = {sheet.power: sheet for sheet in view.sheets}
    watch = request.GET.get("watch", "")
    known = {power.name for power in view.variant.powers}
    return {
        "view": view,
        "frame": frame(view),
        "votes": panel(view),
        "is_gm": view.viewer.gm and not view.sandbox,
        "seats": [(seat, sheets.get(seat.power)) for seat in view.seats],
        "paused": view.state in (TableState.PAUSED, TableState.QUARANTINED),
        "running": view.state == TableState.RUNNING,
        "over": view.state in (TableState.FINISHED, TableState.CANCELLED),
        "past": [(n, r.phase.code) for n, r in enumerate(view.records) if past.correctable(view.bare_game, n)][::-1],
        "otherwise": gmdesk.judged_otherwise(row) if view.begun else (),
        "standbys": row.standbys.select_related("user").order_by("pk"),
        "audit": row.audit.select_related("who").order_by("-at", "-pk")[:LINES],
        "reads": remarks.reads(row, account(request)),
        "watch": watch if watch in known else "",
        "watched": gmdesk.watched(view, watch) if watch in known and view.begun else [],
        "until": timezone.localtime(view.deadline).strftime("%Y-%m-%dT%H:%M") if view.deadline else "",
    }


def _back(request: HttpRequest, key: str) -> str:
    return reverse("gm", kwargs={"key": key})


@login_required
@require_POST
@refused_back(_back)
def preview(request: HttpRequest, key: str) -> HttpResponse:
    """What the phase would come to with what has been sent; it is written into the log that this was looked at."""
    view, row = _desk_of(request, key)
    judged = phases.preview(row, account(request))
    style, layout = looks_asked(request)
    drawn = mark_safe(layer(view, None, judged.rulings, style, layout))  # our own drawing; names in it are escaped
    context = {**_context(request, view, row), "rulings": judged.rulings, "looked": True}
    context |= {"layer": drawn, "style": style, "layout": layout}
    return render(request, "host/gm.html", context)


@login_required
@require_POST
@refused_back(_back)
def do(request: HttpRequest, key: str) -> HttpResponse:
    """One of the things that a Gamesmaster does; then the desk again."""
    view, row = _desk_of(request, key)
    try:
        said = _done(request.POST, row, account(request))
    except Refused as refused:
        if refused.code != "lacking":
            raise
        return render(
            request, "host/gm.html", _context(request, view, row) | _stead(request, view, refused), status=409
        )
    messages.success(request, said)
    return redirect("gm", key=key)


def _stead(request: HttpRequest, view: TableView, refused: Refused) -> dict[str, object]:
    """Orders in a player's stead as they were written, and what they lack: to be looked over once more."""
    power, text = request.POST.get("power", ""), request.POST.get("text", "")
    lacks = orders.draft_preview(view, power, text).lacks
    return {"stead": {"power": power, "text": text, "lacks": lacks, "told": refused.what}}


def _done(told: object, row: Table, user: User) -> str:
    post = told
    assert hasattr(post, "get")
    ordinal = _number(post.get("ordinal", ""))
    match post.get("what"):
        case "process":
            if ordinal != row.ordinal:
                raise Refused("not-this-phase", _("That phase is already over."))
            return f"{row.phase_code}: {phases.ask(row, ordinal, user)}."
        case "extend":
            tables.extend(row, user, _time(post.get("until", "")))
            return _("The deadline has been moved, and everyone has been told.")
        case "pause":
            tables.pause(row, user)
            return _("The game is paused.")
        case "resume":
            tables.resume(row, user)
            return _("The game goes on.")
        case "rollback":
            past.rollback(row, _number(post.get("to", "")), user)
            return _("The game has been taken back, and everyone has been told.")
        case "replace":
            found = User.objects.filter(username=post.get("player", ""), is_active=True).first()
            if found is None:
                raise Refused("no-player", _("There is no player with that name."))
            tables.replace(row, post.get("power", ""), found, user)
            return _("{power} has a new player.").format(power=post.get("power"))
        case "message":
            gmdesk.tell_all(row, user, post.get("text", ""))
            return _("Your message has been sent to all players.")
        case "override":
            power, sure = post.get("power", ""), post.get("sure") == "yes"
            gmdesk.override(row, power, post.get("text", ""), user, ordinal=ordinal, sure=sure)
            return _("The orders for {power} are saved. All players are told that you entered them.").format(
                power=post.get("power")
            )
        case "cancel":
            if post.get("sure") != "yes":
                raise Refused("not-sure", _("Tick the box to confirm: a cancelled game cannot be brought back."))
            tables.cancel(row, user)
            return _("The game has been cancelled.")
    raise Refused("no-such-thing", _("Unknown action."))


def _number(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 7 else -1


def _time(text: str) -> datetime:
    """A time of the Gamesmaster's own zone, as a browser's field of date and time gives it."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise Refused("bad-time", _("Please write the time like 2027-03-28T20:00.")) from None
    if timezone.is_naive(found):
        found = timezone.make_aware(found)
    if found <= clock.now():
        raise Refused("bad-time", _("That time has already passed."))
    return found
