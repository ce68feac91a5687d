"""Downloads of a table: maps, reports and the record."""

from __future__ import annotations

import json
from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.maps import pictures
from gamesmaster.host.maps.pictures import (
    SVG,
    own_orders,
    plans_of,
    requested_look,
    requested_phase,
    requested_plans,
    requested_view,
)
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.requests import DRAWING, begun_view, over, respond, view_of
from gamesmaster.host.tables.view import TableView
from gamesmaster.pictures import Snapshot, board_in_words, neighbourhood, text_board, to_pdf, to_png

PNG_WIDTH = 1600  # pixels
MEDIA = {"svg": SVG, "png": "image/png", "pdf": "application/pdf"}
"""The media types of maps by the kind of file."""
TEXT = "text/plain; charset=utf-8"


@require_safe
@gzip_page
def table_map(request: HttpRequest, key: str, kind: str) -> HttpResponseBase:
    """Return the map as SVG, PNG or PDF; `p` of the query names a finished phase."""
    view = requested_view(request, key)
    ordinal = requested_phase(request, view)
    style, layout = requested_look(request)
    plans = requested_plans(request, view, ordinal)
    svg = pictures.map_svg(view, ordinal, orders=plans, style=style, layout=layout)
    if kind == "svg":
        return respond(request, svg, SVG, policy=DRAWING)
    if kind not in MEDIA:
        raise Http404("There is no such file.")
    try:
        body = drawn_as(svg, kind)
    except GamesmasterError as error:  # the libraries are optional
        return HttpResponse(f"{error}\n", status=501, content_type=TEXT)
    return respond(request, body, MEDIA[kind], name=f"{file_name(view, ordinal)}.{kind}")


@lru_cache(maxsize=8)
def drawn_as(svg: str, kind: str) -> bytes:
    """Return a map as a file of a kind in `MEDIA`; raise `GamesmasterError` if the libraries are missing."""
    if kind == "svg":
        return svg.encode()
    return to_png(svg, PNG_WIDTH) if kind == "png" else to_pdf([svg])


def file_name(view: TableView, ordinal: int | None = None) -> str:
    """Return the name of a file about a table, without suffix: `t-abcdefghjk-S1901M`."""
    code = view.phase_code if ordinal is None else view.record(ordinal).phase.code
    return f"t-{view.key}-{code}" if code else f"t-{view.key}"


@require_safe
@gzip_page
def record(request: HttpRequest, key: str) -> HttpResponseBase:
    """Return the record of the game. Until the game is over, its seed is replaced by zeros.

    It is refused while parts of the game are hidden.
    """
    view = begun_view(request, key)
    try:
        data = json.loads(view.record_text())
    except Refused as refused:
        return HttpResponse(f"{refused}\n", status=refused.status, content_type=TEXT)
    return respond(request, json.dumps(data, indent=1) + "\n", "application/json", name=f"{file_name(view)}.json")


@require_safe
def report_text(request: HttpRequest, key: str, ordinal: int) -> HttpResponseBase:
    """Return the report of a finished phase as plain text."""
    view = begun_view(request, key)
    return respond(request, view.report(over(view, ordinal)), TEXT)


@require_safe
def history_text(request: HttpRequest, key: str) -> HttpResponseBase:
    """Return the reports of all phases as plain text."""
    return respond(request, begun_view(request, key).history(), TEXT)


@require_safe
def board_text(request: HttpRequest, key: str) -> HttpResponseBase:
    """Return the board in words; `near` of the query limits it to the surroundings of a province."""
    view = view_of(request, key)
    near = request.GET.get("near", "")
    try:
        text = (
            neighbourhood(view.variant.board, view.position, near)
            if near
            else table_in_words(view, requested_phase(request, view))
        )
    except GamesmasterError as error:
        return HttpResponse(f"{error}\n", status=404, content_type=TEXT)
    return respond(request, text, TEXT)


def table_in_words(view: TableView, ordinal: int | None = None) -> str:
    """Return the board in words: everything that the map shows."""
    if not view.begun:
        return text_board(view.variant.board, Snapshot(view.position, view.variant_name), view.variant.powers)
    game = view.bare_game
    if ordinal is None:
        return board_in_words(game.variant, game.rules, game.phase, game.position, plans_of(view, own_orders(view)))
    past = view.record(ordinal)
    return board_in_words(game.variant, game.rules, past.phase, past.position, view.adjudication(ordinal).rulings)


urlpatterns: list[URLPattern] = [
    path("t/<slug:key>/p/<int:ordinal>/report.txt", report_text, name="table-report"),
    path("t/<slug:key>/map.svg", table_map, {"kind": "svg"}, name="table-map"),
    path("t/<slug:key>/map.<slug:kind>", table_map, name="table-map-file"),
    path("t/<slug:key>/record.json", record, name="table-record"),
    path("t/<slug:key>/history.txt", history_text, name="table-history"),
    path("t/<slug:key>/board.txt", board_text, name="table-board"),
]
