"""The Gamesmaster's page and its actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.safestring import mark_safe
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from gamesmaster.board import Position
from gamesmaster.game import Game, attacks, centre_counts, judge_id, unit_counts, verify
from gamesmaster.host.accounts.people import named_user
from gamesmaster.host.games import deadlines, hosting, seats
from gamesmaster.host.games.words import late_powers
from gamesmaster.host.gm import helpers, remarks
from gamesmaster.host.maps.pictures import frame, layer, requested_look
from gamesmaster.host.orders import drafts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import past, processing
from gamesmaster.host.phases.votes import panel
from gamesmaster.host.press import correspondence
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, notifications, outbox, store
from gamesmaster.host.tables.access import row_of
from gamesmaster.host.tables.models import LONGEST_MESSAGE, Receipt, Table, TableState
from gamesmaster.host.tables.requests import account, posted, posted_ordinal, view_of
from gamesmaster.host.tables.view import TableView
from gamesmaster.reading import Sent


@dataclass(frozen=True, slots=True)
class Course:
    """A power in one phase, compared with the average of all powers; `change`: its centres since the phase before.

    Of its units `dislodged` were, and `lost` went off the board; `attacked` are the powers that attacked its units, or
    empty provinces of its own.
    """

    phase: str
    centres: int
    units: int
    mean_centres: float
    mean_units: float
    change: int
    dislodged: int
    lost: int
    attacked: tuple[str, ...]


def tell_all(table: Table | int, by: User | None, text: str, *, now: datetime | None = None) -> None:
    """Write to all players in the Gamesmaster's name; raise `Refused`."""
    with store.lock(table) as row:
        at = now or clock.now()
        access.must_run(row, by)
        if not text.strip() or len(text) > LONGEST_MESSAGE:
            raise Refused("bad-message", _("A message must have between 1 and 10,000 characters."))
        correspondence.notify(row, notifications.write(row, "word", text=text.strip()), at)
        store.audit(by, gettext_lazy("wrote to all"), row, at)


def override(
    table: Table | int,
    power: str,
    sent: Sent,
    by: User | None,
    how: Submission,
    *,
    now: datetime | None = None,
) -> Receipt:
    """Save orders for a power on behalf of its player. Everybody learns that it happened, but not which orders.

    Unless it is `sure`, an incomplete set is refused with the code `lacking`. Raise `Refused` if the set is not
    accepted; nothing is stored then.
    """
    with store.lock(table) as row:
        at = now or clock.now()
        if not store.is_gm(row, by):
            raise Refused("not-gm", _("Only the Gamesmaster can enter orders for a player."))
        if not how.sure and drafts.look_over(store.load(row), power, sent).lacks:
            raise Refused(
                "lacking",
                _("These orders for {power} have not been entered yet, because they are incomplete."),
                _("look them over"),
                power=power,
            )
        receipt = submission.submit(row, power, sent, replace(how, channel="gm", amend=False), user=by, now=at)
        notice = gettext_lazy("The Gamesmaster has entered orders for {power}.")
        correspondence.announce(row, format_lazy(notice, power=power), at)
        own = [seat for seat in store.seats_at(row) if seat.power == power]
        outbox.tell_seats(row, own, notifications.write(row, "entered", power=power), at)
        store.audit(by, gettext_lazy("entered orders for {power}"), row, at, power=power)
    return receipt


def course_of(view: TableView, power: str) -> list[Course]:
    """Return the course of one power phase by phase (CLN-P.d); for the people who run the table."""
    courses: list[Course] = []
    before = None
    stages = [(r.phase.code, r.position) for r in view.records] + [(view.phase_code, view.position)]
    for number, (code, position) in enumerate(stages):
        centres, units = centre_counts(view.variant, position), unit_counts(view.variant, position)
        many = max(len(centres), 1)
        now = centres.get(power, 0)
        change = 0 if before is None else now - before
        before = now
        courses.append(
            Course(
                code,
                now,
                units.get(power, 0),
                round(sum(centres.values()) / many, 1),
                round(sum(units.values()) / many, 1),
                change,
                *_losses(view, power, number, stages),
            )
        )
    return courses


def differing_phases(table: Table) -> tuple[str, ...]:
    """Return the codes of phases that this version would judge differently; raise `Refused` before the game begins.

    Phases are checked only if another version judged some of them.
    """
    game = store.load(table)
    return _otherwise(game) if any(record.judge != judge_id() for record in game.records) else ()


@lru_cache(maxsize=64)
def _otherwise(game: Game) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.phase for one in verify(game)))


def _losses(
    view: TableView, power: str, number: int, stages: Sequence[tuple[str, Position]]
) -> tuple[int, int, tuple[str, ...]]:
    """Return a power's dislodged and lost units and its attackers in a phase; nothing for the current phase."""
    if number == len(view.records):
        return 0, 0, ()
    position, after = stages[number][1], stages[number + 1][1]
    rulings = view.adjudication(number).rulings
    beaten = {r.unit.number for r in rulings if r.unit and r.unit.power == power and r.dislodged_by}
    lost = _numbers(position, power) - _numbers(after, power)
    who = {one.who for one in attacks(position, rulings) if one.whom == power != one.who}
    return len(beaten), len(lost), tuple(p.name for p in view.variant.powers if p.name in who)


def _numbers(position: Position, power: str) -> set[int]:
    """Return the numbers of a power's units, including dislodged ones."""
    return {u.number for u in position.everybody if u.power == power}


LINES = 30
"""Number of lines of the audit log on the page."""


def desk_of(request: HttpRequest, key: str) -> tuple[TableView, Table]:
    """Return view and row of the table; raise 404 unless the user runs it."""
    view = view_of(request, key)
    row = row_of(view)
    try:
        access.must_run(row, account(request))
    except Refused:
        raise Http404 from None
    return view, row


@login_required
@require_safe
def desk(request: HttpRequest, key: str) -> HttpResponse:
    """Show the page."""
    view, row = desk_of(request, key)
    return render(request, "gm/desk.html", _context(request, view, row))


def _context(request: HttpRequest, view: TableView, row: Table) -> dict[str, object]:
    sheets = {sheet.power: sheet for sheet in view.sheets}
    watch = request.GET.get("watch", "")
    known = {power.name for power in view.variant.powers}
    return {
        "view": view,
        "frame": frame(view),
        "votes": panel(view),
        "is_gm": view.viewer.gm and not view.sandbox,
        "seats": [(seat, sheets.get(seat.power), drafts.kept_orders(view, seat.power)) for seat in view.seats],
        "missing": late_powers(view),
        "paused": view.state in (TableState.PAUSED, TableState.QUARANTINED),
        "running": view.state == TableState.RUNNING,
        "over": view.state in (TableState.FINISHED, TableState.CANCELLED),
        "past": [(n, r.phase.code) for n, r in enumerate(view.records) if past.correctable(view.bare_game, n)][::-1],
        "otherwise": differing_phases(row) if view.begun else (),
        "helpers": helpers.helpers_of(row),
        "names_helpers": row.gm_id == account(request).pk,
        "standbys": row.standbys.select_related("user").order_by("pk"),
        "audit": row.audit.select_related("who").order_by("-at", "-pk")[:LINES],
        "reads": remarks.may_read(row, account(request)),
        "watch": watch if watch in known else "",
        "watched": course_of(view, watch) if watch in known and view.begun else [],
        "until": timezone.localtime(view.deadline).strftime("%Y-%m-%dT%H:%M") if view.deadline else "",
    }


@posted("gm")
def preview(request: HttpRequest, key: str) -> HttpResponse:
    """Show the results of the orders sent so far; the log records that the Gamesmaster looked."""
    view, row = desk_of(request, key)
    judged = processing.preview(row, account(request))
    style, layout = requested_look(request)
    drawn = mark_safe(layer(view, None, judged.rulings, style, layout))  # our own drawing, with names escaped
    context = {**_context(request, view, row), "rulings": judged.rulings, "looked": True}
    context |= {"layer": drawn, "style": style, "layout": layout}
    return render(request, "gm/desk.html", context)


@posted("gm")
def do(request: HttpRequest, key: str) -> HttpResponse:
    """Carry out one action and return to the page."""
    view, row = desk_of(request, key)
    try:
        message = _act(request, view, row, account(request))
    except Refused as refused:
        if refused.code != "lacking":
            raise
        return render(
            request, "gm/desk.html", _context(request, view, row) | _stead(request, view, refused), status=409
        )
    messages.success(request, message)
    stepped_down = not store.is_gm(row, account(request)) and not account(request).is_superuser
    return redirect("table" if stepped_down else "gm", key=key)


def _stead(request: HttpRequest, view: TableView, refused: Refused) -> dict[str, object]:
    """Return the context of an incomplete set of orders, so that the Gamesmaster can check it again."""
    power, text = request.POST.get("power", ""), request.POST.get("text", "")
    lacks = drafts.draft_preview(view, power, text).lacks
    return {"stead": {"power": power, "text": text, "lacks": lacks, "told": refused.what}}


def _act(request: HttpRequest, view: TableView, row: Table, user: User) -> str:
    post, ordinal = request.POST, posted_ordinal(request)
    match post.get("what"):
        case "process":
            if ordinal != row.ordinal:
                raise Refused("not-this-phase", _("That phase is already over."))
            if (powers := late_powers(view)) and post.get("sure") != "yes":
                told = _("No orders have come from: {powers}. Tick the box to process the phase without them.")
                raise Refused("not-sure", told.format(powers=", ".join(powers)))
            return f"{row.phase_code}: {processing.ask(row, ordinal, user)}."
        case "extend":
            deadlines.extend(row, user, _time(post.get("until", "")))
            return _("The deadline has been moved, and everyone has been told.")
        case "pause":
            deadlines.pause(row, user)
            return _("The game is paused.")
        case "resume":
            deadlines.resume(row, user)
            return _("The game goes on.")
        case "rollback":
            past.rollback(row, posted_ordinal(request, "to"), user)
            return _("The game has been taken back, and everyone has been told.")
        case "replace":
            seats.replace(row, post.get("power", ""), named_user(post.get("player", "")), user)
            return _("{power} has a new player.").format(power=post.get("power"))
        case "helper":
            named = helpers.name(row, post.get("player", ""), user)
            return _("{name} is a helper now, and everyone has been told.").format(name=named.username)
        case "no-helper":
            former = post.get("player", "")
            helpers.drop(row, former, user)
            return _("{name} is no longer a helper, and everyone has been told.").format(name=former)
        case "message":
            tell_all(row, user, post.get("text", ""))
            return _("Your message has been sent to all players.")
        case "override":
            power, sure = post.get("power", ""), post.get("sure") == "yes"
            override(row, power, post.get("text", ""), user, Submission(ordinal, sure=sure))
            return _("The orders for {power} are saved. All players are told that you entered them.").format(
                power=post.get("power")
            )
        case "cancel":
            if post.get("sure") != "yes":
                raise Refused("not-sure", _("Tick the box to confirm: a cancelled game cannot be brought back."))
            hosting.cancel(row, user)
            return _("The game has been cancelled.")
    raise Refused("no-such-thing", _("Unknown action."))


def _time(text: str) -> datetime:
    """Return a time from a datetime field, in the Gamesmaster's time zone; raise `Refused` for a past one."""
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise Refused("bad-time", _("Please write the time like 2027-03-28T20:00.")) from None
    if timezone.is_naive(time):
        time = timezone.make_aware(time)
    if time <= clock.now():
        raise Refused("bad-time", _("That time has already passed."))
    return time


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/gm/", desk, name="gm"),
    path("t/<slug:key>/gm/preview", preview, name="gm-preview"),
    path("t/<slug:key>/gm/do", do, name="gm-do"),
]
