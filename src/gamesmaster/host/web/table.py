"""The page of a game as it stands, and of its phases that are over."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from gamesmaster.board import unit_code
from gamesmaster.errors import NotFound
from gamesmaster.game import Reason, event_reason, idle_builds, keeps_ahead
from gamesmaster.game.reasons import reasons
from gamesmaster.host.games.views import seats_context, shown_standby
from gamesmaster.host.games.words import clock_context
from gamesmaster.host.maps.downloads import table_in_words
from gamesmaster.host.maps.pictures import frame
from gamesmaster.host.orders import drafts, receipts
from gamesmaster.host.orders.choices import ordered_units
from gamesmaster.host.phases import past as past_phases
from gamesmaster.host.phases.endgame import chart, final
from gamesmaster.host.phases.votes import panel
from gamesmaster.host.practice.sandbox import planning
from gamesmaster.host.practice.tutorial import lesson, scenes_over
from gamesmaster.host.press import correspondence, live
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.requests import begun_view, lead_back, over, person, view_of
from gamesmaster.host.tables.view import SeatView, SheetView, TableView
from gamesmaster.judge import Result, Ruling
from gamesmaster.orders import PhaseKind
from gamesmaster.pictures import orders_to_draw, result_words
from gamesmaster.pictures.orders.model import wording
from gamesmaster.variant import Clause, find_variant, rules_text_of

PLAYED = ("running", "paused")


@dataclass(frozen=True, slots=True)
class Desk:
    """What is on a power's desk: what is asked, what is stored, what that lacks, and what hindered the last deed.

    `text` is what stands in the field, `stored` what is kept.  `sure`: the player wished to be ready with a set that
    lacks something, and is asked once more; `unready`: new orders have taken readiness back.  `kept` was sent ahead;
    `keeps`: the game keeps orders for phases after this one.
    """

    power: str
    powers: tuple[str, ...]
    asked: str
    sheet: SheetView | None
    text: str
    units: tuple[str, ...]
    lacks: tuple[str, ...] = ()
    receipt: str = ""
    sure: bool = False
    unready: bool = False
    refused: Refused | None = None
    kept: tuple[drafts.KeptOrders, ...] = ()
    keeps: bool = False

    @property
    def stored(self) -> str:
        """The orders that are stored, a line each."""
        return "\n".join(self.sheet.lines) if self.sheet else ""

    @property
    def tone(self) -> str:
        """Green only for a stored set that is whole; nothing where nothing is asked."""
        if self.asked == "nothing" and not self.sheet:
            return ""
        return "good" if self.sheet and not self.lacks else "warn"


def desk(
    view: TableView,
    wanted: str = "",
    *,
    text: str | None = None,
    refused: Refused | None = None,
    sure: bool = False,
    unready: bool = False,
) -> Desk | None:
    """The desk of a power that the viewer orders for, the first with something to do if none is named; None if none.

    A power in civil disorder has none: its player comes back first.
    """
    lost = {seat.power for seat in view.seats if seat.own and seat.state == "disorder"}
    mine = tuple(power for power in view.viewer.powers if power not in lost)
    if not mine or not view.begun or view.state not in PLAYED:
        return None
    asked = {seat.power: seat.asked for seat in view.seats if seat.own}
    if view.sandbox:
        asked = {status.power: status.text for status in view.bare_game.status}
    busy = [p for p in mine if asked.get(p, "nothing") != "nothing"]
    power = wanted if wanted in mine else (busy or mine)[0]
    sheet = next((s for s in view.sheets if s.power == power), None)
    lines = sheet.lines if sheet else ()
    return Desk(
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
    except Refused:  # out of the game, or in civil disorder
        return []


def _units(view: TableView, power: str) -> tuple[str, ...]:
    """The units that may be ordered, by name: what the guide shows in its place until it is at work."""
    if view.bare_game.phase.kind is PhaseKind.ADJUSTMENTS:
        return (_("Builds or removals"),)
    return tuple(unit_code(view.variant.board, unit) for unit in ordered_units(view, power))


@require_safe
def table(request: HttpRequest, key: str) -> HttpResponse:
    """The table as it stands."""
    view = view_of(request, key)
    if scenes_over(view):
        return redirect("table-past", key, view.ordinal - 1)
    planned = planning(view)
    own = planned.home.power if planned and planned.home else ""
    return page(request, view, desk(view, request.GET.get("power", own)))


def page(
    request: HttpRequest,
    view: TableView,
    shown: Desk | None,
    *,
    status: int = 200,
    lost: dict[str, object] | None = None,
) -> HttpResponse:
    """The page, with this on the desk; `lost` is what was written for a desk that is no longer there."""
    context = {
        "stamp": live.stamp(view),  # first, so that it is never newer than what the page shows
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
        "unread": correspondence.unread(view) if view.viewer.seat else 0,
        "lesson": (taught := lesson(view)),
        **clock_context(view),
    }
    return render(request, "tutorial/scene.html" if taught else "table/page.html", context, status=status)


def common(view: TableView) -> dict[str, object]:
    """What every page of a table is told."""
    return {"view": view, "played": view.state in PLAYED}


def seats_in_order(view: TableView) -> list[SeatView]:
    """The seats in the powers' order; at a sandbox, where nobody sits, the powers as they stand."""
    if not view.sandbox or not view.begun:
        order = {power.name: number for number, power in enumerate(view.variant.powers)}
        return sorted(view.seats, key=lambda seat: order.get(seat.power, len(order)))
    sent = {sheet.power for sheet in view.sheets}
    return [
        SeatView(s.power, "", None, "", "sitting", s.centres, s.units, s.text, s.power in sent, None, True)
        for s in view.bare_game.status
    ]


def ended_phases(view: TableView) -> Sequence[tuple[int, str]]:
    """The phases that are over, last first, by their codes."""
    return [(number, record.phase.code) for number, record in reversed(list(enumerate(view.records)))]


GOOD = (Result.SUCCEEDS, Result.HOLDS)


@dataclass(frozen=True, slots=True)
class Row:
    """An order of a phase that is over: its number, its key on the map, its words, what became of it.

    `more` is what else is to be said of it, once that is asked for.
    """

    number: int
    key: str
    power: str
    order: str
    result: str
    good: bool
    reason: str
    clause: str
    dislodged: bool
    more: tuple[Reason, ...] = ()

    @property
    def cited(self) -> tuple[str, ...]:
        """The clauses that decided, the ruling's own first."""
        return tuple(dict.fromkeys((self.clause, *(reason.clause for reason in self.more if reason.clause))))


@require_safe
def past(request: HttpRequest, key: str, ordinal: int) -> HttpResponse:
    """A phase that is over."""
    view = begun_view(request, key)
    record = view.record(over(view, ordinal))
    calendar = view.variant.calendar
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
        "name": calendar.name(record.phase),
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
        "claimable": _claimable(view, ordinal),
        "after": ordinal + 1 if ordinal + 1 < len(view.records) else None,
        "lesson": taught,
    }
    return render(request, "tutorial/result.html" if taught else "table/past.html", context)


def _claimable(view: TableView, ordinal: int) -> bool:
    """May the reader claim an error in this report?"""
    return bool(view.viewer.powers) and past_phases.claimable(row_of(view), view.bare_game, ordinal, clock.now())


def _to_phase(request: HttpRequest, key: str, ordinal: int) -> str:
    return reverse("table-past", kwargs={"key": key, "ordinal": ordinal})


@login_required
@require_POST
@lead_back(_to_phase)
def claim(request: HttpRequest, key: str, ordinal: int) -> HttpResponse:
    """Tell the Gamesmaster of an error in the report of a phase."""
    view = begun_view(request, key)
    past_phases.claim(row_of(view), over(view, ordinal), request.POST.get("text", ""), person(request))
    messages.success(request, _("The Gamesmaster has been notified."))
    return redirect("table-past", key=key, ordinal=ordinal)


def rows(view: TableView, ordinal: int) -> list[Row]:
    """What became of every order."""
    rulings = view.adjudication(ordinal).rulings
    keys = orders_to_draw(view.variant.board, view.record(ordinal).position, rulings)
    return [
        _row(view, number, ruling, drawn.key) for number, (ruling, drawn) in enumerate(zip(rulings, keys, strict=True))
    ]


def explanation(view: TableView, ordinal: int, row: Row) -> Row:
    """The order with everything that is to be said of it."""
    judged = view.adjudication(ordinal)
    return replace(row, more=reasons(view.variant.board, judged, judged.rulings[row.number]))


def cited_clauses(view: TableView, explained: Iterable[Row]) -> list[Clause]:
    """The clauses that decided these orders, each once, as the rules have them."""
    names = dict.fromkeys(name for row in explained for name in row.cited)
    return list({clause.id: clause for name in names for clause in clauses(view, name)}.values())


def _wording(view: TableView, ruling: Ruling) -> str:
    """The order; one that the rules gave in its owner's stead says so."""
    words = wording(view.variant.board, ruling)
    unasked = ruling.order is not None and not ruling.given
    return _("{words} (no order came for it)").format(words=words) if unasked else words


def _row(view: TableView, number: int, ruling: Ruling, key: str) -> Row:
    return Row(
        number,
        key,
        ruling.power,
        _wording(view, ruling),
        ruling.result.value,
        ruling.result in GOOD and not ruling.dislodged,
        result_words(ruling),
        ruling.clause,
        ruling.dislodged,
    )


def by_power(found: Iterable[Row]) -> list[tuple[str, list[Row]]]:
    """The orders power by power, as they come."""
    sorted_: dict[str, list[Row]] = {}
    for row in found:
        sorted_.setdefault(row.power, []).append(row)
    return list(sorted_.items())


@require_safe
def why(request: HttpRequest, key: str, ordinal: int, number: int) -> HttpResponse:
    """Why an order came to what it came to: the ruling's reason, and the rule with its text."""
    view = begun_view(request, key)
    all_rows = rows(view, over(view, ordinal))
    if number >= len(all_rows):
        raise Http404("There is no such order.")
    row = explanation(view, ordinal, all_rows[number])
    context = {**common(view), "row": row, "ordinal": ordinal, "clauses": cited_clauses(view, [row])}
    part = request.headers.get("HX-Request") and not request.headers.get("HX-History-Restore-Request")
    return render(request, "table/why_part.html" if part else "table/why.html", context)


def clauses(view: TableView, name: str) -> list[Clause]:
    """The clause of this id from the variant's rulebook, or from the regular one; none if neither has it."""
    for variant in dict.fromkeys((view.variant, find_variant("standard"))):
        try:
            return list(rules_text_of(variant).pick(name))[:3]
        except NotFound:
            continue
    return []


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/", table, name="table"),
    path("t/<slug:key>/p/<int:ordinal>/", past, name="table-past"),
    path("t/<slug:key>/p/<int:ordinal>/why/<int:number>/", why, name="table-why"),
    path("t/<slug:key>/p/<int:ordinal>/claim", claim, name="table-claim"),
]
