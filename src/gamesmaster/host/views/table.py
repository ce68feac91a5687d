"""A table as whoever looks at it may see it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from gamesmaster.host.errors import Refused
from gamesmaster.host.service import drawing, viewing
from gamesmaster.host.service.viewing import TableView


def seen(request: HttpRequest, key: str) -> TableView:
    """The table with this key, as the person asking may see it; 404 if there is none for this person."""
    try:
        return viewing.look(key, request.user if request.user.is_authenticated else None)
    except Refused as refused:
        raise Http404(str(refused)) from None


@require_safe
def table(request: HttpRequest, key: str) -> HttpResponse:
    """The table: map, status."""
    view = seen(request, key)
    return render(request, "host/table.html", {"view": view, "map": drawing.map_svg(view)})


@require_safe
def map_svg(request: HttpRequest, key: str) -> HttpResponse:
    """The map of the phase being played."""
    return HttpResponse(drawing.map_svg(seen(request, key)), content_type="image/svg+xml; charset=utf-8")
