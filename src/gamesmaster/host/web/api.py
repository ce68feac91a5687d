"""The API of the whole site at `/api/`, its description at `/api/openapi.json`, and Swagger UI for it at `/api/docs`.

The description has an example of each body and answer, recorded by docs/api_examples.py in `api/examples.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from ninja.parser import Parser
from ninja.types import DictStrAny

from gamesmaster import __version__, strictjson
from gamesmaster.host.api.callers import Rate, Session, Token, stranger, with_etag
from gamesmaster.host.games.api import router as tables_router
from gamesmaster.host.games.queue_views import router as queue_router
from gamesmaster.host.gm.api import remarks_router
from gamesmaster.host.gm.api import router as gm_router
from gamesmaster.host.maps.api import router as maps_router
from gamesmaster.host.orders.api import router as orders_router
from gamesmaster.host.phases.api import router as phases_router
from gamesmaster.host.phases.api import votes_router
from gamesmaster.host.press.api import router as press_router
from gamesmaster.host.profiles.api import players_router
from gamesmaster.host.profiles.api import router as you_router
from gamesmaster.host.site.refusals import Problem, teach
from gamesmaster.host.variants.api import own_router as own_variants_router
from gamesmaster.host.variants.api import router as variants_router

Schema = Mapping[str, Any]
EXAMPLES = Path(__file__).parents[1] / "api" / "examples.json"
METHODS = ("get", "post", "put", "patch", "delete")


def with_examples(described: dict[str, Any]) -> dict[str, Any]:
    """Add the recorded examples to the JSON bodies and successful answers of the description, and return it."""
    recorded = json.loads(EXAMPLES.read_bytes())
    for method, address, call in _calls(described):
        known = recorded.get(f"{method.upper()} {address}", {})
        for what, content in (("sent", _json(call.get("requestBody", {}))), ("answered", _response_body(call))):
            if content is not None and what in known:
                content["example"] = known[what]
    return described


def _calls(described: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for address, methods in described["paths"].items():
        for method in METHODS:
            if method in methods:
                yield method, address, methods[method]


def _response_body(call: Schema) -> dict[str, Any] | None:
    """Return the successful answer. Status codes are numbers in the generated description and text in files."""
    return next((_json(one) for code, one in call["responses"].items() if str(code) in ("200", "201")), None)


def _json(part: Mapping[str, Any]) -> dict[str, Any] | None:
    content: dict[str, Any] | None = part.get("content", {}).get("application/json")
    return content if content and content.get("schema") else None


BIGGEST = 256 * 1024  # bytes
DEEPEST = 12
ABOUT = """What the pages of this site can do, except moderation.

Send a personal token, made under `/me/tokens/`, as `Authorization: Bearer gm_...`. Without one you see what everybody
sees, and can play in sandboxes.  What you see of a game is what its page shows you, and nothing else.  Problems come
as `application/problem+json` with a `code`, the place, and what would be right.  Answers to GET have an `ETag`: send
it back in `If-None-Match` to save traffic.
"""


class Strict(Parser):
    """Parses JSON strictly and within bounds; refuses text that databases cannot store."""

    def parse_body(self, request: HttpRequest) -> DictStrAny:
        """Return the parsed body."""
        read: Any = strictjson.loads(request.body, limit=BIGGEST, depth=DEEPEST, where="body")
        if _nul(read):
            raise Problem(400, "bad-input", "The text contains a null character.")
        return read  # type: ignore[no-any-return]

    def parse_querydict(self, data: Any, list_fields: list[str], request: HttpRequest) -> DictStrAny:
        """Return the parsed query."""
        for values in data.lists():
            if any("\0" in part or not part.isprintable() for part in values[1]):
                raise Problem(400, "bad-input", f"There is a character in {values[0][:40]!r} that cannot be read.")
        return super().parse_querydict(data, list_fields, request)


def _nul(read: object) -> bool:
    if isinstance(read, dict):
        return any(_nul(key) or _nul(value) for key, value in read.items())
    return any(map(_nul, read)) if isinstance(read, list) else isinstance(read, str) and "\0" in read


class Site(NinjaAPI):
    """The API. Answers have an ETag that is a hash of their content, so that it reveals nothing else."""

    @cached_property
    def described(self) -> dict[str, Any]:
        """Return the description with examples. It does not change while the site runs."""
        return with_examples(super().get_openapi_schema())

    def get_openapi_schema(self, **_: Any) -> Any:
        """Return the description, independent of the arguments."""
        return self.described

    def create_response(self, request: HttpRequest, data: Any, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the answer, or 304 if the client has it."""
        return with_etag(request, super().create_response(request, data, *args, **kwargs))


api = Site(
    title="Gamesmaster",
    version=__version__,
    description=ABOUT,
    urls_namespace="api",
    auth=[Token(), Session(), stranger],
    throttle=[Rate()],
    parser=Strict(),
)
teach(api)
api.add_router("", you_router, tags=["you"])
api.add_router("", players_router, tags=["players"])
api.add_router("/variants", variants_router, tags=["variants"])
api.add_router("/my-variants", own_variants_router, tags=["variants"])
api.add_router("/queue", queue_router, tags=["tables"])
api.add_router("/tables", tables_router, tags=["tables"])
api.add_router("/tables", orders_router, tags=["orders"])
api.add_router("/tables", votes_router, tags=["orders"])
api.add_router("/tables", phases_router, tags=["results"])
api.add_router("/tables", maps_router, tags=["results"])
api.add_router("/tables", press_router, tags=["press"])
api.add_router("/tables", gm_router, tags=["Gamesmaster"])
api.add_router("/tables", remarks_router, tags=["playability"])
