"""What can be taken away from a table: maps, flip-books, reports, the record."""

from __future__ import annotations

import json
from functools import lru_cache

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from gamesmaster.errors import GamesmasterError
from gamesmaster.game import dumps
from gamesmaster.host.service import drawing
from gamesmaster.host.service.viewing import TableView
from gamesmaster.host.views.table_answers import DRAWING, answered, begun, over, seen
from gamesmaster.host.views.table_maps import SVG, looks_asked, own_orders, phase_asked, planned
from gamesmaster.pictures import board_in_words, flip_book, leaves_of, neighbourhood, text_board
from gamesmaster.pictures.export import to_pdf, to_png

PNG_WIDTH = 1600  # pixels
TEXT = "text/plain; charset=utf-8"


@require_safe
@gzip_page
def table_map(request: HttpRequest, key: str, kind: str) -> HttpResponseBase:
    """The map as a file: SVG, PNG or PDF; `?p=` names a phase that is over."""
    view = seen(request, key)
    ordinal = phase_asked(request, view)
    style, layout = looks_asked(request)
    given = planned(view, own_orders(view)) if ordinal is None and view.begun else []
    svg = drawing.map_svg(view, ordinal, orders=given, style=style, layout=layout)
    if kind == "svg":
        return answered(request, svg, SVG, policy=DRAWING)
    if kind not in ("png", "pdf"):
        raise Http404("There is no such file.")
    try:
        body = _png(svg) if kind == "png" else _pdf(svg)
    except GamesmasterError as error:  # the libraries are an extra
        return HttpResponse(f"{error}\n", status=501, content_type=TEXT)
    media = "image/png" if kind == "png" else "application/pdf"
    return answered(request, body, media, name=f"{file_name(view, ordinal)}.{kind}")


@lru_cache(maxsize=8)
def _png(svg: str) -> bytes:
    return to_png(svg, PNG_WIDTH)


@lru_cache(maxsize=8)
def _pdf(svg: str) -> bytes:
    return to_pdf([svg])


def file_name(view: TableView, ordinal: int | None = None) -> str:
    """What a file about a table is called: `t-abcdefghjk-S1901M`."""
    code = view.phase_code if ordinal is None else view.record(ordinal).phase.code
    return f"t-{view.key}-{code}" if code else f"t-{view.key}"


@require_safe
@gzip_page
def flip(request: HttpRequest, key: str) -> HttpResponseBase:
    """The game so far as a picture that turns its own pages; no secret is in it."""
    view = begun(request, key)
    style, layout = looks_asked(request)
    try:
        picture = drawing.picture(view.variant.address, style, layout)
        book = flip_book(picture, leaves_of(view.bare_game), title=view.name)
    except GamesmasterError as error:
        raise Http404(str(error)) from None
    return answered(request, book, SVG, policy=DRAWING)


@require_safe
@gzip_page
def record(request: HttpRequest, key: str) -> HttpResponseBase:
    """The record of the game; until it is over, with a seed of nothing but zeros, which is no secret."""
    view = begun(request, key)
    told = json.loads(dumps(view.bare_game))
    return answered(request, json.dumps(told, indent=1) + "\n", "application/json", name=f"{file_name(view)}.json")


@require_safe
def report_text(request: HttpRequest, key: str, ordinal: int) -> HttpResponseBase:
    """The report of a phase that is over, as plain text."""
    view = begun(request, key)
    return answered(request, view.report(over(view, ordinal)), TEXT)


@require_safe
def history_text(request: HttpRequest, key: str) -> HttpResponseBase:
    """The reports of all phases, as plain text."""
    return answered(request, begun(request, key).history(), TEXT)


@require_safe
def board_text(request: HttpRequest, key: str) -> HttpResponseBase:
    """The board in words, or, with `?near=`, what lies about a province."""
    view = seen(request, key)
    near = request.GET.get("near", "")
    try:
        text = (
            neighbourhood(view.variant.board, view.position, near) if near else words(view, phase_asked(request, view))
        )
    except GamesmasterError as error:
        return HttpResponse(f"{error}\n", status=404, content_type=TEXT)
    return answered(request, text, TEXT)


def words(view: TableView, ordinal: int | None = None) -> str:
    """The board in words: everything that the map shows."""
    if not view.begun:
        return text_board(view.variant.board, view.position, powers=view.variant.powers, title=view.variant_name)
    game = view.bare_game
    if ordinal is None:
        return board_in_words(game.variant, game.rules, game.phase, game.position, planned(view, own_orders(view)))
    past = view.record(ordinal)
    return board_in_words(game.variant, game.rules, past.phase, past.position, view.adjudication(ordinal).rulings)
