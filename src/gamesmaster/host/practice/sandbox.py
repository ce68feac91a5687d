"""Sandboxes: going on, going back, branching off; and which are cleared away."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib import messages
from django.db.models import Case, Exists, F, OuterRef, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from gamesmaster.host.phases import past, processing
from gamesmaster.host.phases.processing import Done
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.access import MARK, row_of
from gamesmaster.host.tables.models import Sheet, Table
from gamesmaster.host.tables.requests import begun, person, posted_ordinal
from gamesmaster.host.tables.view import TableView

TUTORIAL, KEPT = timedelta(days=2), timedelta(days=90)
"""How long a tutorial, and any other sandbox, is kept that nobody orders or processes in."""
DEMO = "demo"
"""What `Table.forked_from` is at the board of the demo."""
MOST = 200
"""Deleted at a time: each has its whole record with it."""


def tidy(now: datetime) -> int:
    """Delete some of those that were left alone for too long; how many."""
    since = Case(When(forked_from__startswith=MARK, then=Value(now - TUTORIAL)), default=Value(now - KEPT))
    used = Sheet.objects.filter(table=OuterRef("pk"), sent_at__gte=OuterRef("since"))
    nobodys = Table.objects.filter(sandbox=True, owner=None).exclude(forked_from=DEMO)
    old = nobodys.annotate(since=since).filter(~Exists(used), phase_began__lt=F("since"))
    numbers = list(old.order_by("pk").values_list("pk", flat=True)[:MOST])
    return Table.objects.filter(pk__in=numbers).delete()[1].get(Table._meta.label, 0)


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
    ordinal = posted_ordinal(request)
    try:
        done = processing.ask(row_of(view), ordinal, person(request))
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


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/process", process, name="table-process"),
    path("t/<slug:key>/back/<int:ordinal>", back, name="table-back"),
    path("t/<slug:key>/fork/<int:ordinal>", fork, name="table-fork"),
]
