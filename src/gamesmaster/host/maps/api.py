"""API of maps: SVG, PNG or PDF, and the board in words."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Path, Query, Router

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.api.callers import Plain, TextOut, caller, with_etag
from gamesmaster.host.maps import pictures
from gamesmaster.host.maps.downloads import MEDIA, drawn_as, table_in_words
from gamesmaster.host.maps.pictures import own_orders, plans_of
from gamesmaster.host.site.refusals import Problem
from gamesmaster.host.tables.access import look
from gamesmaster.host.tables.requests import DRAWING
from gamesmaster.host.tables.view import TableView
from gamesmaster.pictures import StyleName, neighbourhood

router = Router()
Form = Literal["svg", "png", "pdf"]
Layout = Literal["wide", "narrow"]
Asked = Annotated[
    int | None,
    Plain,
    Query(None, ge=0, le=1_000_000, description="a phase that is over; by default, the current position"),
]
PICTURE: dict[str, Any] = {"responses": {200: {"content": {kind.partition(";")[0]: {} for kind in MEDIA.values()}}}}


@router.get("/{slug:key}/map.{form}", response={200: None}, openapi_extra=PICTURE)
def table_map(
    request: HttpRequest, key: str, form: Annotated[Form, Path()], ordinal: Asked = None, style: StyleName = "light",
    layout: Layout = "wide",
) -> HttpResponse:  # fmt: skip
    """The map as a file: with the orders you have sent, or, for a phase that is over, with all results."""
    view = look(key, caller(request))
    over = _over(view, ordinal)
    own = plans_of(view, own_orders(view)) if over is None and view.begun else []
    svg = pictures.map_svg(view, over, orders=own, style=style, layout=layout)
    try:
        response = HttpResponse(drawn_as(svg, form), content_type=MEDIA[form])
    except GamesmasterError:
        raise Problem(501, "not-here", "This site cannot make files of this kind.", "ask for svg") from None
    response.headers["Content-Security-Policy"] = DRAWING
    return with_etag(request, response)


@router.get("/{slug:key}/board", response=TextOut)
def board(
    request: HttpRequest,
    key: str,
    ordinal: Asked = None,
    near: Annotated[str, Query(max_length=60, description="a province: show only its surroundings")] = "",
) -> TextOut:
    """The board in words: everything that the map shows."""
    view = look(key, caller(request))
    if near:
        return TextOut(text=neighbourhood(view.variant.board, view.position, near))
    return TextOut(text=table_in_words(view, _over(view, ordinal)))


def _over(view: TableView, ordinal: int | None) -> int | None:
    if ordinal is not None:
        view.record(ordinal)  # raises an error for a phase that is not over
    return ordinal
