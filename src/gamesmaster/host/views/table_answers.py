"""What the views of a table have in common: finding the table, answers that need not be sent twice."""

from __future__ import annotations

import hashlib

from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response, patch_vary_headers

from gamesmaster.host.service.viewing import TableView
from gamesmaster.host.views import asking

DRAWING = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
"""The policy of a drawing opened by itself: its own style sheet, and nothing else that could run or load."""
FOR_EVER = "public, max-age=31536000, immutable"
AGAIN = "private, no-cache"
"""Kept by the browser, but asked for again each time: it says 304 if nothing has changed."""


def seen(request: HttpRequest, key: str) -> TableView:
    """The table with this key, as the person asking may see it; 404 if there is none for this person."""
    return asking.seen(request, key)


def begun(request: HttpRequest, key: str) -> TableView:
    """The same of a table whose game has begun; 404 otherwise."""
    view = seen(request, key)
    if not view.begun:
        raise Http404("The game has not begun.")
    return view


def over(view: TableView, ordinal: int) -> int:
    """The number of a phase that is over; 404 if there is none."""
    if not 0 <= ordinal < len(view.records):
        raise Http404("There are no results for that phase.")
    return ordinal


def answered(
    request: HttpRequest, body: str | bytes, kind: str, *, keep: str = AGAIN, policy: str = "", name: str = ""
) -> HttpResponseBase:
    """The body, or 304 if the asker has it; its tag is a hash of what is shown, so that it tells nothing else.

    `kind` is its media type, `keep` how long it is good for, `policy` a content policy other than the house's; with a
    `name` it is a file to be kept.
    """
    data = body.encode() if isinstance(body, str) else body
    tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
    response = get_conditional_response(request, etag=tag) or HttpResponse(data, content_type=kind)
    response.headers["ETag"] = tag
    response.headers["Cache-Control"] = keep
    if keep == AGAIN:
        patch_vary_headers(response, ["Cookie"])
    if policy:
        response.headers["Content-Security-Policy"] = policy
    if name:
        response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
