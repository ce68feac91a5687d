"""The API in words: a page made of its description, with no script and nothing from elsewhere."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from gamesmaster.host.api.described import Call, calls
from gamesmaster.host.api.site import ABOUT, api
from gamesmaster.host.service import tokens


@lru_cache(maxsize=1)
def rooms() -> tuple[tuple[str, tuple[Call, ...]], ...]:
    """The calls by what they are about; the description does not change while the site runs."""
    found = sorted(calls(api.get_openapi_schema()), key=lambda call: call.room.casefold() != "you")
    order = {call.room: number for number, call in reversed(list(enumerate(found)))}
    found.sort(key=lambda call: order[call.room])
    return tuple((room, tuple(inner)) for room, inner in groupby(found, key=lambda call: call.room))


@require_safe
@gzip_page
def page(request: HttpRequest) -> HttpResponse:
    """Every call, with what is sent and answered."""
    context = {"rooms": rooms(), "about": ABOUT.split("\n\n"), "scopes": tokens.SCOPES}
    return render(request, "host/api.html", context)
