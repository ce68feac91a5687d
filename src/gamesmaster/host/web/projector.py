"""The projector view of a game: map, clock and ledger in one window, without anybody's secrets."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

from gamesmaster.host.games.words import clock_context
from gamesmaster.host.maps.pictures import PUBLIC, frame
from gamesmaster.host.press import live
from gamesmaster.host.tables import access
from gamesmaster.host.tables.requests import begun_view
from gamesmaster.host.tables.view import Viewer
from gamesmaster.host.web.table import common, seats_in_order


@require_safe
def projector(request: HttpRequest, key: str) -> HttpResponse:
    """Show a game to a room: what a visitor without an account may see, even if a player opens the page."""
    own = begun_view(request, key)
    view = access.view(access.row_of(own), Viewer(None))
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


urlpatterns: list[URLPattern] = [path("t/<slug:key>/projector/", projector, name="projector")]
