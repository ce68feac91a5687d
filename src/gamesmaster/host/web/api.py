"""The API of the whole site, at `/api/`: its description at `/api/openapi.json`, and its manual as a page."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import URLPattern, path
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from ninja import NinjaAPI
from ninja.parser import Parser
from ninja.types import DictStrAny

from gamesmaster import __version__, strictjson
from gamesmaster.host.accounts import people
from gamesmaster.host.api.callers import Rate, Session, Token, stranger, with_etag
from gamesmaster.host.api.description import Call, calls, with_examples
from gamesmaster.host.games.api import router as tables_router
from gamesmaster.host.gm.api import remarks_router
from gamesmaster.host.gm.api import router as gm_router
from gamesmaster.host.maps.api import router as maps_router
from gamesmaster.host.moderation.api import router as moderation_router
from gamesmaster.host.orders.api import router as orders_router
from gamesmaster.host.phases.api import router as phases_router
from gamesmaster.host.phases.api import votes_router
from gamesmaster.host.press.api import router as press_router
from gamesmaster.host.profiles.api import players_router
from gamesmaster.host.profiles.api import router as you_router
from gamesmaster.host.site.refusals import Problem, teach
from gamesmaster.host.variants.api import router as variants_router

BIGGEST = 256 * 1024  # bytes
DEEPEST = 12
ABOUT = """Everything a page of this site can do.

Send a personal token, made under `/me/tokens/`, as `Authorization: Bearer gm_...`. Without one you see what everybody
sees, and can play in sandboxes.  What you see of a game is what its page shows you, and nothing else.  Problems come
as `application/problem+json` with a `code`, the place, and what would be right.  Answers to GET have an `ETag`: send
it back in `If-None-Match` to save traffic.
"""


class Strict(Parser):
    """Reads JSON strictly, and within bounds; text that no database keeps is refused."""

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        """The body."""
        read: Any = strictjson.loads(request.body, limit=BIGGEST, depth=DEEPEST, where="body")
        if _nul(read):
            raise Problem(400, "bad-input", "The text contains a null character.")
        return read  # type: ignore[no-any-return]

    def parse_querydict(self, data: Any, list_fields: list[str], request: HttpRequest) -> DictStrAny:
        """The query."""
        for values in data.lists():
            if any("\0" in part or not part.isprintable() for part in values[1]):
                raise Problem(400, "bad-input", f"There is a character in {values[0][:40]!r} that cannot be read.")
        return super().parse_querydict(data, list_fields, request)


def _nul(read: object) -> bool:
    if isinstance(read, dict):
        return any(_nul(key) or _nul(value) for key, value in read.items())
    return any(map(_nul, read)) if isinstance(read, list) else isinstance(read, str) and "\0" in read


class Site(NinjaAPI):
    """The API; what is looked at carries a tag made of what is shown, so that it tells of nothing else."""

    def get_openapi_schema(self, **asked: Any) -> Any:
        """The description, with examples."""
        return with_examples(super().get_openapi_schema(**asked))

    def create_response(self, request: HttpRequest, data: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """The answer, or 304 if the caller has it."""
        return with_etag(request, super().create_response(request, data, *args, **kwargs))


api = Site(
    title="Gamesmaster",
    version=__version__,
    description=ABOUT,
    docs_url=None,
    urls_namespace="api",
    auth=[Token(), Session(), stranger],
    throttle=[Rate()],
    parser=Strict(),
)
teach(api)
api.add_router("", you_router, tags=["you"])
api.add_router("", players_router, tags=["players"])
api.add_router("/variants", variants_router, tags=["variants"])
api.add_router("/tables", tables_router, tags=["tables"])
api.add_router("/tables", orders_router, tags=["orders"])
api.add_router("/tables", votes_router, tags=["orders"])
api.add_router("/tables", phases_router, tags=["results"])
api.add_router("/tables", maps_router, tags=["results"])
api.add_router("/tables", press_router, tags=["press"])
api.add_router("/tables", gm_router, tags=["Gamesmaster"])
api.add_router("/tables", remarks_router, tags=["playability"])
api.add_router("/moderation", moderation_router, tags=["moderation"])


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
    context = {"rooms": rooms(), "about": ABOUT.split("\n\n"), "scopes": people.SCOPES}
    return render(request, "host/api.html", context)


urlpatterns: list[URLPattern] = [
    path("api/docs", page, name="api-docs"),
]
