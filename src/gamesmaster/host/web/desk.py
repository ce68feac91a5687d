"""Views of the order form: sending orders, previews, readiness, withdrawing.

Forms work without scripts and redirect to the page. Scripts ask for JSON (`Accept: application/json`) and get what is
saved now with its texts, or an error with a code.
"""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import URLPattern, path, reverse
from django.utils.http import urlencode
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from gamesmaster.host.games.words import clock_context
from gamesmaster.host.maps.pictures import layer, own_orders, plans_of, requested_look
from gamesmaster.host.orders import drafts, receipts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.requests import begun_view, person, posted_ordinal, read_number, respond
from gamesmaster.host.tables.view import TableView, phase_words, this_game_is
from gamesmaster.host.web.table import OrderForm, order_form, page, seats_in_order
from gamesmaster.reading import SheetLine
from gamesmaster.rules import Ruling


@require_safe
def table_desk(request: HttpRequest, key: str) -> HttpResponse:
    """Return the order form of one of the viewer's powers as a part of the page; for a script, what is saved."""
    power = request.GET.get("power", "")
    try:
        view = _view_for_orders(request, key, power)
        if _is_script(request) and read_number(request.GET.get("ordinal", "")) != view.ordinal:
            raise Refused("not-this-phase", _("That phase is over."))
    except Refused as refused:
        return _show_refusal(request, key, power, refused)
    shown = order_form(view, power)
    if _is_script(request):
        return _stored_json(request, view, shown)
    context = {"view": view, "desk": shown, "seats": seats_in_order(view), "beside": True, **clock_context(view)}
    return render(request, "table/desk.html", context)


@require_POST
def table_preview(request: HttpRequest, key: str) -> HttpResponse:
    """Return a draft's map layer, readings and possible slips, without saving it.

    What the draft lacks is not among the slips, since the line about the saved orders says it.
    """
    power, text = request.POST.get("power", ""), request.POST.get("text", "")
    try:
        view = _view_for_orders(request, key, power)
        draft = drafts.draft_preview(view, power, text)
    except Refused as refused:
        return JsonResponse(
            {"error": refused.what, "hint": refused.hint}, status=401 if refused.code == "signed-out" else 400
        )
    plans = plans_of(view, {**own_orders(view), power: draft.sheet.stored()})
    later = ("\n".join((f"{s.purpose}:", *(line.text for line in s.lines))) for s in draft.sheet.later)
    lost = drafts.lost_words(view.bare_game, draft.sheet)
    return JsonResponse(
        {
            "layer": layer(view, None, plans, *requested_look(request)),
            "rows": [_row(r, draft.lines.get(r.given)) for r in draft.rulings if r.given],
            "idle": [r.unit.number for r in draft.rulings if not r.given and r.unit],
            "refused": [{**no.data, "told": str(no)} for no in draft.sheet.refused],
            "later": {"text": "\n".join(later), "lost": lost},
            "warnings": [
                {"about": w.subject, "text": w.text, "clause": w.clause} for w in draft.warnings if not w.lacking
            ],
        }
    )


def _row(ruling: Ruling, line: SheetLine | None) -> dict[str, object]:
    """Return a row of the preview: unit, verb, place, an unusual reading, and why the order is void.

    A `rider` is an order that its unit has in addition to another.
    """
    order = ruling.order
    return {
        "text": ruling.given,
        "unit": ruling.unit.number if ruling.unit else 0,
        "verb": order.verb.value if order else "",
        "rider": order is not None and order.verb.rider,
        "at": order.at.province if order and order.at else "",
        "fault": "" if ruling.possible else ruling.text,
        "clause": "" if ruling.possible else ruling.clause,
        "read_as": line.read_as if line else "",
    }


@require_POST
def table_orders(request: HttpRequest, key: str) -> HttpResponse:
    """Save a set of orders in place of the one before, and set readiness.

    `ready` is `1`, `sure` (even if the set is incomplete) or `0`; without it, new orders cancel readiness. `based_on`
    is the version that the page showed, `drop` a kind of orders sent ahead to withdraw.
    """
    power, text, ready, drop = (request.POST.get(name, "") for name in ("power", "text", "ready", "drop"))
    try:
        view = _view_for_orders(request, key, power)
        was = next((sheet.confirmed for sheet in view.sheets if sheet.power == power), False)
        submission.submit(
            row_of(view),
            power,
            text,
            Submission(
                posted_ordinal(request),
                amend=False,
                confirm={"1": True, "sure": True, "0": False}.get(ready),
                sure=ready == "sure",
                based_on=read_number(request.POST.get("based_on", "")),
                drop=[drop] if drop in drafts.KEPT else [],
            ),
            user=person(request),
        )
    except Refused as refused:
        return _show_refusal(request, key, power, refused, text)
    view = begun_view(request, key)
    now = next((sheet.confirmed for sheet in view.sheets if sheet.power == power), False)
    shown = order_form(view, power, sure=ready == "1" and not now, unready=was and not now and not ready)
    return _show_result(request, view, shown, "" if drop else text)


@require_POST
def table_hold(request: HttpRequest, key: str) -> HttpResponse:
    """Ask that the phase wait for its deadline (`hold=1`), or withdraw that."""
    power, wait = request.POST.get("power", ""), request.POST.get("hold") == "1"
    try:
        view = _view_for_orders(request, key, power)
        submission.hold(row_of(view), power, wait=wait, ordinal=posted_ordinal(request), user=person(request))
    except Refused as refused:
        return _show_refusal(request, key, power, refused, request.POST.get("text"))
    view = begun_view(request, key)
    return _show_result(request, view, order_form(view, power))


@require_safe
def table_receipt(request: HttpRequest, key: str) -> HttpResponseBase:
    """Return the receipt of the saved set of one of the viewer's powers as a file; raise 404 without one."""
    view, power = begun_view(request, key), request.GET.get("power", "")
    text = receipts.receipt_text(view, power)
    if not text:
        raise Http404("There is no receipt.")
    name = f"receipt-{view.phase_code}-{slugify(power)}.txt"
    return respond(request, f"{text}\n", "text/plain; charset=utf-8", name=name)


def _view_for_orders(request: HttpRequest, key: str, power: str) -> TableView:
    """Return the table for somebody who orders for this power; raise `Refused` for others.

    Visitors get `signed-out` before anything else, whether or not the table exists.
    """
    try:
        view = begun_view(request, key)
    except Http404:
        if _is_script(request) and person(request) is None:
            raise Refused("signed-out", _("You are signed out.")) from None
        raise
    if not view.sandbox and person(request) is None and request.method == "POST":
        raise Refused("signed-out", _("You are signed out."))
    if _is_script(request) and power not in view.viewer.powers:
        code, what = (
            ("no-seat", _("You do not give orders for {power}.").format(power=power[:60]))
            if person(request)
            else ("signed-out", "")
        )
        raise Refused(code, what or _("You are signed out."))
    return view


def _is_script(request: HttpRequest) -> bool:
    return request.headers.get("Accept") == "application/json"


def _show_result(request: HttpRequest, view: TableView, shown: OrderForm | None, text: str = "") -> HttpResponse:
    """Return the result of a request: a page that needs an answer is shown at once, others are redirected to.

    A script that sent a `text` with orders for later phases gets that text back.
    """
    if _is_script(request):
        return _stored_json(request, view, shown, text)
    if shown and (shown.sure or shown.unready):
        return page(request, view, shown)
    if shown and shown.receipt:
        messages.success(request, _("Your orders are saved; the receipt is below them."))
    return redirect(f"{reverse('table', args=[view.key])}?{urlencode({'power': shown.power if shown else ''})}")


def _stored_json(request: HttpRequest, view: TableView, shown: OrderForm | None, text: str = "") -> HttpResponse:
    """Return what is saved for a script: the orders, their version, and the parts of the page that show them."""
    if shown is None:
        return JsonResponse({"code": "closed", "error": this_game_is(view.state), "hint": ""}, status=409)
    sheet, context = shown.sheet, {"view": view, "desk": shown, "seats": seats_in_order(view), **clock_context(view)}
    return JsonResponse(
        {
            "text": text if _has_later(view, shown, text) else shown.stored,
            "version": sheet.version if sheet else 0,
            "ready": bool(sheet and sheet.confirmed),
            "stands": render_to_string("table/desk_stands.html", context, request),
            "receipt": render_to_string("table/desk_receipt.html", context, request),
            "powers": render_to_string("table/powers.html", context, request),
            "clock": render_to_string("table/clock.html", context, request),
            "token": get_token(request),
        }
    )


def _has_later(view: TableView, shown: OrderForm, text: str) -> bool:
    """Return whether a text is what is stored, with orders for later phases beside it."""
    sheet = drafts.sheet_of(view.bare_game, shown.power, text)
    return bool(sheet.later) and "\n".join(sheet.stored()) == shown.stored


def _show_refusal(
    request: HttpRequest, key: str, power: str, refused: Refused, text: str | None = None
) -> HttpResponse:
    """Return the refusal: the form with the text that was sent, or only the text if the form no longer applies."""
    back = f"{reverse('table', args=[key])}?{urlencode({'power': power})}"
    signing = f"{reverse('account_login')}?{urlencode({'next': back})}" if refused.code == "signed-out" else ""
    answer: dict[str, object] = {"code": refused.code, "error": refused.what, "hint": refused.hint, "sign_in": signing}
    if refused.code == "signed-out" and _is_script(request):
        return JsonResponse(answer, status=refused.status)
    view = begun_view(request, key)
    over, mine = _over(request, view, power), power in view.viewer.powers
    shown = order_form(view, power, text=None if over else text, refused=refused) if mine else None
    context: dict[str, object] = {"view": view, "desk": shown, "power": power, "over": over, "kept": text}
    context |= {"refused": refused, "sign_in": signing}
    if not _is_script(request):
        lost = context if over or shown is None else None
        return page(request, view, shown, status=refused.status, lost=lost)
    if over:
        answer["notice"] = render_to_string("table/desk_lost.html", {**context, "kept": None}, request)
    elif refused.code == "newer" and shown and shown.sheet:
        answer |= {"notice": render_to_string("table/desk_newer.html", context, request)}
        answer |= {"stored": {"text": shown.stored, "version": shown.sheet.version}}
    return JsonResponse(answer, status=refused.status)


def _over(request: HttpRequest, view: TableView, power: str) -> dict[str, object] | None:
    """Return name and counted orders of the phase that the page was made for, if it is over; else None."""
    data = request.GET if request.method in ("GET", "HEAD") else request.POST
    ordinal = read_number(data.get("ordinal", ""))
    if ordinal is None or ordinal >= len(view.records):
        return None
    record = view.record(ordinal)
    lines = record.orders.get(power, ()) if power in view.viewer.powers else ()
    return {"ordinal": ordinal, "name": phase_words(view.variant.calendar, record.phase), "text": "\n".join(lines)}


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/desk", table_desk, name="table-desk"),
    path("t/<slug:key>/preview", table_preview, name="table-preview"),
    path("t/<slug:key>/orders", table_orders, name="table-orders"),
    path("t/<slug:key>/receipt.txt", table_receipt, name="table-receipt"),
    path("t/<slug:key>/hold", table_hold, name="table-hold"),
]
