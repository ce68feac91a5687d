"""The desk: where orders are written, looked at, sent, confirmed and taken back."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.errors import Refused
from gamesmaster.host.models import Receipt
from gamesmaster.host.service import orders, receipts
from gamesmaster.host.service.viewing import SheetView, TableView, row_of
from gamesmaster.host.views.asking import person
from gamesmaster.host.views.table_answers import begun
from gamesmaster.host.views.table_choices import ordered_units, short
from gamesmaster.host.views.table_maps import layer, looks_asked, own_orders, planned
from gamesmaster.judge import Ruling
from gamesmaster.orders import PhaseKind

PLAYED = ("running", "paused")


@dataclass(frozen=True, slots=True)
class Desk:
    """What is on a power's desk: what is asked, what has been sent, and what the last deed came to."""

    power: str
    powers: tuple[str, ...]
    asked: str
    sheet: SheetView | None
    text: str
    units: tuple[str, ...]
    receipt: str = ""
    error: str = ""
    hint: str = ""


def desk(
    view: TableView, wanted: str = "", *, text: str | None = None, receipt: str = "", refused: Refused | None = None
) -> Desk | None:
    """The desk of a power that the viewer orders for, the first with something to do if none is named; None if none."""
    mine = view.viewer.powers
    if not mine or not view.begun or view.state not in PLAYED:
        return None
    asked = {seat.power: seat.asked for seat in view.seats if seat.own}
    if view.sandbox:
        asked = {status.power: status.text for status in view.bare_game.status}
    busy = [p for p in mine if asked.get(p, "nothing") != "nothing"]
    power = wanted if wanted in mine else (busy or mine)[0]
    sheet = next((s for s in view.sheets if s.power == power), None)
    shown = text if text is not None else "\n".join(sheet.lines) if sheet else ""
    told, hint = (refused.what, refused.hint) if refused else ("", "")
    powers = tuple(busy) if view.sandbox else mine
    return Desk(power, powers, asked.get(power, "nothing"), sheet, shown, _units(view, power), receipt, told, hint)


def _units(view: TableView, power: str) -> tuple[str, ...]:
    """The units that may be ordered, by name: what the guide shows in its place until it is at work."""
    if view.bare_game.phase.kind is PhaseKind.ADJUSTMENTS:
        return ("Builds or removals",)
    return tuple(f"{unit.kind} {short(view.variant.board, unit.at)}" for unit in ordered_units(view, power))


@require_safe
def table_desk(request: HttpRequest, key: str) -> HttpResponse:
    """The desk of one of the viewer's powers, as a part of the page."""
    view = begun(request, key)
    return _shown(request, view, desk(view, request.GET.get("power", "")))


@require_POST
def table_preview(request: HttpRequest, key: str) -> HttpResponse:
    """How a draft looks on the map, what each line was read as, and what may be a slip; nothing is kept."""
    view = begun(request, key)
    power, text = request.POST.get("power", ""), request.POST.get("text", "")
    try:
        draft = orders.draft_preview(view, power, text)
    except Refused as refused:
        return JsonResponse({"error": refused.what, "hint": refused.hint}, status=400)
    given = planned(view, {**own_orders(view), power: text.splitlines()})
    return JsonResponse(
        {
            "layer": layer(view, None, given, *looks_asked(request)),
            "rows": [_row(r) for r in draft.rulings if r.given],
            "idle": [r.unit.number for r in draft.rulings if not r.given and r.unit],
            "warnings": [{"about": w.subject, "text": w.text, "clause": w.clause} for w in draft.warnings],
        }
    )


def _row(ruling: Ruling) -> dict[str, object]:
    """An order as it was read: the unit it is bound to, and why it is none if it is none."""
    return {
        "text": ruling.given,
        "unit": ruling.unit.number if ruling.unit else 0,
        "fault": "" if ruling.possible else ruling.text,
        "clause": "" if ruling.possible else ruling.clause,
    }


@require_POST
def table_orders(request: HttpRequest, key: str) -> HttpResponse:
    """Store a set of orders, and show its receipt; the set replaces the one before it, undone lines and all."""
    view = begun(request, key)
    power, text = request.POST.get("power", ""), request.POST.get("text", "")
    ready = True if request.POST.get("ready") else None
    try:
        made = orders.submit(
            row_of(view), power, text, ordinal=_ordinal(request), user=person(request), amend=False, confirm=ready
        )
    except Refused as refused:
        return _refused(request, view, power, refused, text)
    return _done(request, key, power, made)


@require_POST
def table_ready(request: HttpRequest, key: str) -> HttpResponse:
    """Say that a power's orders are final (`ready=1`), or no longer."""
    view = begun(request, key)
    power, ready = request.POST.get("power", ""), request.POST.get("ready") == "1"
    try:
        orders.confirm(row_of(view), power, ready, ordinal=_ordinal(request), user=person(request))
    except Refused as refused:
        return _refused(request, view, power, refused)
    return _done(request, key, power)


@require_POST
def table_hold(request: HttpRequest, key: str) -> HttpResponse:
    """Ask that the phase wait for its deadline (`hold=1`), or no longer."""
    view = begun(request, key)
    power, wait = request.POST.get("power", ""), request.POST.get("hold") == "1"
    try:
        orders.hold(row_of(view), power, wait, ordinal=_ordinal(request), user=person(request))
    except Refused as refused:
        return _refused(request, view, power, refused)
    return _done(request, key, power)


def _ordinal(request: HttpRequest) -> int:
    """The number of the phase that the page was made for."""
    told = request.POST.get("ordinal", "")
    return int(told) if told.isascii() and told.isdigit() and len(told) < 7 else -1


def _done(request: HttpRequest, key: str, power: str, receipt: Receipt | None = None) -> HttpResponse:
    told = receipts.text_of(receipt) if receipt else ""
    if request.headers.get("HX-Request"):
        view = begun(request, key)
        return _shown(request, view, desk(view, power, receipt=told))
    if told:
        messages.success(request, told, extra_tags="receipt")
    return redirect(f"{reverse('table', args=[key])}?power={power}")


def _refused(
    request: HttpRequest, view: TableView, power: str, refused: GamesmasterError, text: str | None = None
) -> HttpResponse:
    """The desk again, with what was written on it and why it was not taken."""
    assert isinstance(refused, Refused)
    shown = desk(view, power, text=text, refused=refused)
    if request.headers.get("HX-Request"):
        return _shown(request, view, shown)  # htmx shows nothing of an error's answer
    from gamesmaster.host.views.table import page

    return page(request, view, shown, status=409)


def _shown(request: HttpRequest, view: TableView, shown: Desk | None) -> HttpResponse:
    from gamesmaster.host.views.table import seats_shown

    context = {"view": view, "desk": shown, "seats": seats_shown(view), "beside": True}
    return render(request, "host/table_desk.html", context)
