"""The buttons of a sandbox, and the one that makes a sandbox of any phase."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from gamesmaster.host.errors import Refused
from gamesmaster.host.service import past, phases
from gamesmaster.host.service.phases import Done
from gamesmaster.host.service.viewing import TableView, row_of
from gamesmaster.host.views.asking import person
from gamesmaster.host.views.table_answers import begun
from gamesmaster.host.views.table_desk import _ordinal

SAID = {
    Done.BUSY: _("The phase is being adjudicated right now."),
    Done.NOT_DUE: _("The phase has only just begun; try again in a moment."),
    Done.WAITING: _("The game waits for missing orders."),
    Done.FAILED: _("The phase could not be adjudicated; nothing was changed."),
    Done.QUARANTINED: _("The phase cannot be adjudicated; the game is stopped by a fault."),
}


def _sandbox(request: HttpRequest, key: str) -> TableView:
    view = begun(request, key)
    if not view.sandbox:
        raise Http404("This game is not a sandbox.")
    return view


@require_POST
def process(request: HttpRequest, key: str) -> HttpResponse:
    """Adjudicate the phase with the orders that are there, and show what came of it."""
    view = _sandbox(request, key)
    ordinal = _ordinal(request)
    try:
        done = phases.ask(row_of(view), ordinal, person(request))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("table", key)
    if done in SAID:
        messages.error(request, SAID[done])
        return redirect("table", key)
    return redirect("table-past", key, ordinal) if done is Done.PROCESSED else redirect("table", key)


@require_POST
def back(request: HttpRequest, key: str, ordinal: int) -> HttpResponse:
    """Take the sandbox back to a phase that is over, its orders ready to be changed."""
    view = _sandbox(request, key)
    try:
        past.rollback(row_of(view), ordinal, person(request))
    except Refused as refused:
        messages.error(request, str(refused))
    return redirect("table", key)


@require_POST
def fork(request: HttpRequest, key: str, ordinal: int) -> HttpResponse:
    """Make a sandbox that begins where the table stood in a phase, or stands now."""
    view = begun(request, key)
    try:
        made = past.fork(view, ordinal, person(request))
    except Refused as refused:
        messages.error(request, str(refused))
        return redirect("table", key)
    return redirect("table", made.key)
