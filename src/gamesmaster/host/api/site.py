"""The API itself, at `/api/`: its rooms, and its description at `/api/openapi.json`."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.parser import Parser
from ninja.types import DictStrAny

from gamesmaster import __version__, strictjson
from gamesmaster.host.api import (
    desk,
    master,
    mine,
    moderation,
    past,
    people,
    person,
    pictures,
    press,
    remarks,
    standbys,
    tables,
    variants,
)
from gamesmaster.host.api.caching import with_etag
from gamesmaster.host.api.callers import Rate, Session, Token, stranger
from gamesmaster.host.api.described import with_examples
from gamesmaster.host.api.problems import Problem, teach

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
api.add_router("", mine.router, tags=["you"])
api.add_router("", person.router, tags=["you"])
api.add_router("", people.router, tags=["players"])
api.add_router("/variants", variants.router, tags=["variants"])
api.add_router("/tables", tables.router, tags=["tables"])
api.add_router("/tables", standbys.router, tags=["tables"])
api.add_router("/tables", desk.router, tags=["orders"])
api.add_router("/tables", past.router, tags=["results"])
api.add_router("/tables", pictures.router, tags=["results"])
api.add_router("/tables", press.router, tags=["press"])
api.add_router("/tables", master.router, tags=["Gamesmaster"])
api.add_router("/tables", remarks.router, tags=["playability"])
api.add_router("/moderation", moderation.router, tags=["moderation"])
