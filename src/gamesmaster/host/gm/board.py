"""The page on which a Gamesmaster corrects the board; nothing counts before it has been previewed."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import URLPattern, path
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from gamesmaster.board import Dislodged, unit_and_power
from gamesmaster.errors import BadFile
from gamesmaster.game import DEEPEST_RECORD, LONGEST_REASON, position_data
from gamesmaster.host.gm.desk import desk_of
from gamesmaster.host.maps.pictures import frame, layer, requested_look
from gamesmaster.host.phases import corrections
from gamesmaster.host.phases.corrections import Wanted, board_entry, read_dislodged, split_words
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.requests import account, posted, posted_ordinal
from gamesmaster.host.tables.view import OVER, TableView, phase_words
from gamesmaster.strictjson import loads
from gamesmaster.variant import Phase

LARGEST_STATE = 100_000
"""Maximum size in bytes of what special rules keep."""
MOST_PHASES = 12
"""Phases that the page proposes."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """The fields of a power: texts with an entry on each line."""

    number: int
    power: str
    units: str
    centers: str
    dislodged: str

    @property
    def height(self) -> int:
        """Return the lines of the field of units."""
        return min(max(4, self.units.count("\n") + 2), 30)


@login_required
@require_http_methods(["GET", "POST"])
def board_page(request: HttpRequest, key: str) -> HttpResponse:
    """Show the board in fields; with POST preview a correction, or carry it out if it was previewed."""
    view, row = desk_of(request, key)
    if not view.begun or view.state in OVER or view.partial:
        raise Http404
    context: dict[str, object] = {
        "view": view, "frame": frame(view), "rows": _rows(view), "phases": _phases(view),
        "phase": view.phase_code, "why": "", "longest": LONGEST_REASON,
        "state": json.dumps(dict(view.position.state), indent=1, ensure_ascii=False) if _keeps(view) else "",
        "keeps": _keeps(view), "numbers": _numbers(view),
    }  # fmt: skip
    if request.method == "GET":
        return render(request, "gm/board.html", context)
    context |= {"rows": _posted_rows(request, view), **{name: request.POST.get(name, "") for name in ("phase", "why")}}
    context["state"] = request.POST.get("state", "") if _keeps(view) else ""
    try:
        wanted, ordinal, user = _wanted(request, view), posted_ordinal(request), account(request)
        trial = corrections.preview(row, ordinal, wanted, user)
        if request.POST.get("seen") == trial.mark and request.POST.get("do") == "correct":
            corrections.correct(row, ordinal, wanted, user, seen=trial.mark)
            messages.success(request, _("The board is corrected, and everyone has been told."))
            return redirect("gm", key=key)
    except Refused as refused:
        return render(request, "gm/board.html", context | {"refused": refused}, status=refused.status)
    style, layout = requested_look(request)
    after = replace(view, _game=trial.game)
    drawn = mark_safe(layer(after, None, [], style, layout))  # our own drawing, with names escaped
    name = phase_words(view.variant.calendar, trial.game.phase)
    context |= {"trial": trial, "name": name, "layer": drawn, "style": style, "layout": layout}
    return render(request, "gm/board.html", context)


@posted("gm")
def undo(request: HttpRequest, key: str) -> HttpResponse:
    """Take back the last correction of the current phase."""
    _view, row = desk_of(request, key)
    corrections.undo(row, posted_ordinal(request), account(request))
    messages.success(request, _("The last correction of the board has been undone, and everyone has been told."))
    return redirect("gm", key=key)


def _keeps(view: TableView) -> bool:
    """Return whether special rules of the variant keep something beside the board."""
    return any(type(mechanic).kept is not None for mechanic in view.variant.mechanics)


def _numbers(view: TableView) -> list[str]:
    """Return the units with their numbers, by which the state of mechanics names them."""
    board, position = view.variant.board, view.position
    everybody = position.everybody
    return [f"{unit.number}: {unit_and_power(board, unit)}" for unit in everybody]


def _phases(view: TableView) -> list[Phase]:
    """Return the phases that can follow the last one played, soonest first."""
    calendar = view.variant.calendar
    found = [calendar.next(view.records[-1].phase) if view.records else calendar.first]
    while len(found) < MOST_PHASES:
        found.append(calendar.next(found[-1]))
    return found


def _rows(view: TableView) -> list[BoardRow]:
    """Return the fields with the current board. Cargo is left out: its carrier stands for it."""
    position = view.position
    data = position_data(replace(position, units=tuple(unit for unit in position.units if not unit.aboard)))
    beaten = [(out.unit.power, _written(out)) for out in position.dislodged if not out.unit.aboard]
    return [
        BoardRow(
            n, name, "\n".join(data["units"].get(name, [])), ", ".join(data["centers"].get(name, [])),
            "\n".join(text for power, text in beaten if power == name),
        )
        for n, name in enumerate(_names(view))
    ]  # fmt: skip


def _written(out: Dislodged) -> str:
    """Return a dislodged unit as `read_dislodged` reads it."""
    places = f" to {', '.join(map(str, out.retreats))}" if out.retreats else ""
    return f"{out.unit}{f' from {out.by}' if out.by else ''}{places}"


def _names(view: TableView) -> list[str]:
    """Return the powers, and behind them others that have units or owned provinces."""
    others = {unit.power for unit in view.position.units} | {*view.position.owners.values()}
    names = [power.name for power in view.variant.powers]
    return [*names, *sorted(others - {*names})]


def _posted_rows(request: HttpRequest, view: TableView) -> list[BoardRow]:
    parts = ("units", "centers", "dislodged")
    posted = request.POST.get
    return [BoardRow(n, name, *(posted(f"{part}-{n}", "") for part in parts)) for n, name in enumerate(_names(view))]


def _wanted(request: HttpRequest, view: TableView) -> Wanted:
    """Return the correction in the fields; raise `Refused`."""
    rows, data = _posted_rows(request, view), dict[str, object]()
    data["units"] = {row.power: split_words(row.units) for row in rows}
    data["centers"] = {row.power: split_words(row.centers) for row in rows}
    data["dislodged"] = {row.power: read_dislodged(row.dislodged) for row in rows}
    if _keeps(view):
        try:
            data["state"] = loads(request.POST.get("state", ""), limit=LARGEST_STATE, depth=DEEPEST_RECORD)
        except BadFile as error:
            raise Refused("bad-board", _("What special rules keep cannot be read: {what}."), what=error.what) from None
    phase = request.POST.get("phase", "").strip()
    return Wanted(board_entry(data), request.POST.get("why", ""), phase)


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/gm/board", board_page, name="gm-board"),
    path("t/<slug:key>/gm/board/undo", undo, name="gm-board-undo"),
]
