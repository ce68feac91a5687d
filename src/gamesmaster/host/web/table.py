"""The page of a game, and the pages of its finished phases."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from gamesmaster.board import unit_code
from gamesmaster.errors import NotFound
from gamesmaster.game import Reason, event_reason, further_reasons, idle_builds, keeps_ahead
from gamesmaster.host.games.views import seats_context, shown_standby
from gamesmaster.host.games.words import clock_context
from gamesmaster.host.maps.downloads import table_in_words
from gamesmaster.host.maps.pictures import PUBLIC, frame
from gamesmaster.host.notices import inbox
from gamesmaster.host.orders import drafts, receipts
from gamesmaster.host.orders.choices import ordered_units
from gamesmaster.host.phases import past as past_phases
from gamesmaster.host.phases.endgame import chart, final
from gamesmaster.host.phases.votes import panel
from gamesmaster.host.practice.sandbox import planning
from gamesmaster.host.practice.tutorial import lesson, scenes_over
from gamesmaster.host.press import live, threads
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.requests import begun_view, over, person, posted, view_of
from gamesmaster.host.tables.view import SeatView, SheetView, TableView, Viewer, due_text, phase_words, result_name
from gamesmaster.orders import PhaseKind
from gamesmaster.pictures import drawable_words, orders_to_draw, result_words
from gamesmaster.rules import Result, Ruling
from gamesmaster.variant import Clause, find_variant, rules_text_of

PLAYED = ("running", "paused")


@dataclass(frozen=True, slots=True)
class OrderForm:
    """State of the order form of a power."""

    power: str
    powers: tuple[str, ...]  # powers among which the viewer can switch
    asked: str  # orders due, in words
    sheet: SheetView | None  # saved orders
    text: str  # content of the text field
    units: tuple[str, ...]  # units that may be ordered, by name
    lacks: tuple[str, ...] = ()  # what the saved set lacks
    receipt: str = ""
    sure: bool = False  # the player asked to be ready with an incomplete set, and must confirm
    unready: bool = False  # new orders have cancelled readiness
    refused: Refused | None = None  # why the last request failed
    kept: tuple[drafts.KeptOrders, ...] = ()  # orders sent ahead
    keeps: bool = False  # the game keeps orders for later phases

    @property
    def stored(self) -> str:
        """Return the saved orders, one per line."""
        return "\n".join(self.sheet.lines) if self.sheet else ""

    @property
    def tone(self) -> str:
        """Return "good" for a complete saved set, "warn" for others; "" if no orders are due."""
        if self.asked == "nothing" and not self.sheet:
            return ""
        return "good" if self.sheet and not self.lacks else "warn"


def order_form(
    view: TableView,
    wanted: str = "",
    *,
    text: str | None = None,
    refused: Refused | None = None,
    sure: bool = False,
    unready: bool = False,
) -> OrderForm | None:
    """Return the form for a power of the viewer's, by default the first with orders due; None without one.

    A power in civil disorder has no form: its player must come back first.
    """
    lost = {seat.power for seat in view.seats if seat.own and seat.state == "disorder"}
    mine = tuple(power for power in view.viewer.powers if power not in lost)
    if not mine or not view.begun or view.state not in PLAYED:
        return None
    asked = {seat.power: seat.asked for seat in view.seats if seat.own}
    if view.sandbox:
        asked = {status.power: due_text(status) for status in view.bare_game.status}
    busy = [p for p in mine if asked.get(p, "nothing") != "nothing"]
    power = wanted if wanted in mine else (busy or mine)[0]
    sheet = next((s for s in view.sheets if s.power == power), None)
    lines = sheet.lines if sheet else ()
    return OrderForm(
        power=power,
        powers=tuple(busy) if view.sandbox else mine,
        asked=asked.get(power, "nothing"),
        sheet=sheet,
        text=text if text is not None else "\n".join(lines),
        units=_units(view, power),
        lacks=tuple(_lacks(view, power, lines)),
        receipt=receipts.receipt_text(view, power),
        sure=sure,
        unready=unready,
        refused=refused,
        kept=drafts.kept_orders(view, power),
        keeps=keeps_ahead(view.house_rules) and view.bare_game.phase.kind is not PhaseKind.ADJUSTMENTS,
    )


def _lacks(view: TableView, power: str, lines: tuple[str, ...]) -> list[str]:
    try:
        return drafts.lack_words(drafts.draft_preview(view, power, lines).lacks)
    except Refused:  # the power is eliminated or in civil disorder
        return []


def _units(view: TableView, power: str) -> tuple[str, ...]:
    """Return the units that may be ordered, by name, shown until the script's guide runs."""
    if view.bare_game.phase.kind is PhaseKind.ADJUSTMENTS:
        return (_("Builds or removals"),)
    return tuple(unit_code(view.variant.board, unit) for unit in ordered_units(view, power))


@require_safe
def table(request: HttpRequest, key: str) -> HttpResponse:
    """Show the page of the game."""
    view = view_of(request, key)
    inbox.seen(view.viewer.user, key, press=False)
    if scenes_over(view):
        return redirect("table-past", key, view.ordinal - 1)
    planned = planning(view)
    own = planned.home.power if planned and planned.home else ""
    return page(request, view, order_form(view, request.GET.get("power", own)))


def page(
    request: HttpRequest,
    view: TableView,
    shown: OrderForm | None,
    *,
    status: int = 200,
    lost: dict[str, object] | None = None,
) -> HttpResponse:
    """Render the page with this form; `lost` is text sent to a form that no longer applies."""
    context = {
        "stamp": live.stamp(view),  # first, so that it is never newer than the page
        **common(view),
        **seats_context(view),
        "frame": frame(view),
        "desk": shown,
        "lost": lost,
        "words": table_in_words(view),
        "ledger": view.ledger(),
        "seats": seats_in_order(view),
        "votes": panel(view),
        "final": final(view),
        "centres": chart(view),
        "planning": planning(view),
        "standby": shown_standby(view) if view.viewer.standby else None,
        "phases": ended_phases(view),
        "last": len(view.records) - 1 if view.records else None,
        "letters": view.begun and not view.sandbox,
        "unread": threads.unread(view) if view.viewer.seat else 0,
        "lesson": (taught := lesson(view)),
        **clock_context(view),
    }
    return render(request, "tutorial/scene.html" if taught else "table/page.html", context, status=status)


def common(view: TableView) -> dict[str, object]:
    """Return the template context common to all pages of a table."""
    return {"view": view, "played": view.state in PLAYED}


def seats_in_order(view: TableView) -> list[SeatView]:
    """Return the seats in the order of powers; for a sandbox, seats made from the powers."""
    if not view.sandbox or not view.begun:
        order = {power.name: number for number, power in enumerate(view.variant.powers)}
        return sorted(view.seats, key=lambda seat: order.get(seat.power, len(order)))
    sent = {sheet.power for sheet in view.sheets}
    return [
        SeatView(s.power, "", None, "", "sitting", s.centres, s.units, s.text, s.power in sent, None, True)
        for s in view.bare_game.status
    ]


def ended_phases(view: TableView) -> Sequence[tuple[int, str]]:
    """Return number and code of the finished phases, last first."""
    return [(number, record.phase.code) for number, record in reversed(list(enumerate(view.records)))]


GOOD = (Result.SUCCEEDS, Result.HOLDS)


@dataclass(frozen=True, slots=True)
class Row:
    """An order of a finished phase, with its result."""

    number: int
    key: str  # its key on the map
    power: str
    order: str  # in words
    result: str
    good: bool
    reason: str
    clause: str
    dislodged: bool
    by: tuple[str, ...] = ()  # the keys of the orders that stopped or cut it
    more: tuple[Reason, ...] = ()  # further reasons, once requested

    @property
    def cited(self) -> tuple[str, ...]:
        """Return the clauses that decided, the ruling's own first."""
        return tuple(dict.fromkeys((self.clause, *(reason.clause for reason in self.more if reason.clause))))


@require_safe
def past(request: HttpRequest, key: str, ordinal: int) -> HttpResponse:
    """Show a finished phase."""
    view = begun_view(request, key)
    record = view.record(over(view, ordinal))
    all_rows = rows(view, ordinal)
    taught = lesson(view, ordinal)
    every = taught is not None or request.GET.get("why") == "all"
    explained = [explanation(view, ordinal, row) for row in all_rows] if every else []
    events = [event_reason(view.variant, record.phase, event) for event in record.events]
    if record.phase.kind is PhaseKind.ADJUSTMENTS:
        events += idle_builds(view.bare_game.rules, record.position, view.adjudication(ordinal))
    context = {
        **common(view),
        "frame": frame(view, ordinal),
        "ordinal": ordinal,
        "ordinal_text": str(ordinal),
        "code": record.phase.code,
        "name": phase_words(view.variant.calendar, record.phase),
        "corrections": view.corrections(ordinal),
        "powers": by_power(explained or all_rows),
        "explained": bool(explained),
        "kept": "?why=all" if explained else "",
        "clauses": cited_clauses(view, explained),
        "events": [(one.text, one.clause) for one in events],
        "report": view.report(ordinal),
        "words": table_in_words(view, ordinal),
        "ledger": view.ledger(ordinal),
        "phases": ended_phases(view),
        "last": len(view.records) - 1,
        "before": ordinal - 1 if ordinal else None,
        "claimable": bool(view.viewer.powers)
        and past_phases.claimable(row_of(view), view.bare_game, ordinal, clock.now()),
        "after": ordinal + 1 if ordinal + 1 < len(view.records) else None,
        "lesson": taught,
    }
    return render(request, "tutorial/result.html" if taught else "table/past.html", context)


@posted("table-past", "ordinal")
def claim(request: HttpRequest, key: str, ordinal: int) -> HttpResponse:
    """Report an error in the results of a phase to the Gamesmaster."""
    view = begun_view(request, key)
    past_phases.claim(row_of(view), over(view, ordinal), request.POST.get("text", ""), person(request))
    messages.success(request, _("The Gamesmaster has been notified."))
    return redirect("table-past", key=key, ordinal=ordinal)


def rows(view: TableView, ordinal: int) -> list[Row]:
    """Return all orders of a finished phase with their results."""
    rulings = view.adjudication(ordinal).rulings
    keys = [one.key for one in orders_to_draw(view.variant.board, view.record(ordinal).position, rulings)]
    known = {ruling.unit: key for ruling, key in zip(rulings, keys, strict=True) if ruling.unit}
    return [
        _row(view, number, ruling, key, tuple(known[unit] for unit in ruling.by if unit in known))
        for number, (ruling, key) in enumerate(zip(rulings, keys, strict=True))
    ]


def explanation(view: TableView, ordinal: int, row: Row) -> Row:
    """Return the row with all its reasons."""
    judged = view.adjudication(ordinal)
    return replace(row, more=further_reasons(view.variant.board, judged, judged.rulings[row.number]))


def cited_clauses(view: TableView, explained: Iterable[Row]) -> list[Clause]:
    """Return the clauses that decided these orders, each once."""
    names = dict.fromkeys(name for row in explained for name in row.cited)
    return list({clause.id: clause for name in names for clause in clauses(view, name)}.values())


def _wording(view: TableView, ruling: Ruling) -> str:
    """Return the order in words, with a note if the rules supplied it."""
    words = drawable_words(view.variant.board, ruling)
    unasked = ruling.order is not None and not ruling.given
    return _("{words} (no order came for it)").format(words=words) if unasked else words


def _row(view: TableView, number: int, ruling: Ruling, key: str, by: tuple[str, ...]) -> Row:
    return Row(
        number,
        key,
        ruling.power,
        _wording(view, ruling),
        result_name(ruling.result),
        ruling.result in GOOD and not ruling.dislodged,
        result_words(ruling),
        ruling.clause,
        ruling.dislodged,
        by,
    )


def by_power(found: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """Return the orders grouped by power, in their order."""
    sorted_: dict[str, list[Row]] = {}
    for row in found:
        sorted_.setdefault(row.power, []).append(row)
    return list(sorted_.items())


@require_safe
def why(request: HttpRequest, key: str, ordinal: int, number: int) -> HttpResponse:
    """Show why an order had its result: the ruling's reason, and the text of the rule."""
    view = begun_view(request, key)
    all_rows = rows(view, over(view, ordinal))
    if number >= len(all_rows):
        raise Http404("There is no such order.")
    row = explanation(view, ordinal, all_rows[number])
    context = {**common(view), "row": row, "ordinal": ordinal, "clauses": cited_clauses(view, [row])}
    part = request.headers.get("HX-Request") and not request.headers.get("HX-History-Restore-Request")
    return render(request, "table/why_part.html" if part else "table/why.html", context)


def clauses(view: TableView, name: str) -> list[Clause]:
    """Return the clause with this id from the variant's rulebook or Standard's; empty if both lack it."""
    for variant in dict.fromkeys((view.variant, find_variant("standard"))):
        try:
            return list(rules_text_of(variant).pick(name))[:3]
        except NotFound:
            continue
    return []


@require_safe
def projector(request: HttpRequest, key: str) -> HttpResponse:
    """Show a game to a room: what a visitor without an account may see, even if a player opens the page."""
    own = begun_view(request, key)
    view = access.view(row_of(own), Viewer(None))
    shown = frame(view)
    context = {
        "stamp": live.stamp(own),
        **common(view),
        **clock_context(view),
        "frame": {**shown, "layer": f"{shown['layer']}?{PUBLIC}=1"},
        "ledger": view.ledger(),
        "seats": seats_in_order(view),
    }
    return render(request, "table/projector.html", context)


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/", table, name="table"),
    path("t/<slug:key>/projector/", projector, name="projector"),
    path("t/<slug:key>/p/<int:ordinal>/", past, name="table-past"),
    path("t/<slug:key>/p/<int:ordinal>/why/<int:number>/", why, name="table-why"),
    path("t/<slug:key>/p/<int:ordinal>/claim", claim, name="table-claim"),
]
