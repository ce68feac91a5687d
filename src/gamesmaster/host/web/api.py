"""The API of the whole site at `/api/`, its description at `/api/openapi.json`, and its manual as a page.

The description has an example of each body and answer, recorded by docs/api_examples.py in `api/examples.json`.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import Path
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
from gamesmaster.host.accounts import tokens
from gamesmaster.host.api.callers import Rate, Session, Token, stranger, with_etag
from gamesmaster.host.games.api import router as tables_router
from gamesmaster.host.games.queue_views import router as queue_router
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
from gamesmaster.host.variants.api import own_router as own_variants_router
from gamesmaster.host.variants.api import router as variants_router

Schema = Mapping[str, Any]
EXAMPLES = Path(__file__).parents[1] / "api" / "examples.json"
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Part:
    """A parameter of an address, or a field of a body or an answer."""

    name: str
    kind: str
    required: bool
    says: str


@dataclass(frozen=True, slots=True)
class Body:
    """A request or response body: description, fields, and an example in JSON."""

    says: str
    fields: tuple[Part, ...]
    example: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of the API."""

    mark: str  # anchor on the page
    room: str  # group of calls
    method: str
    path: str
    says: str
    parameters: tuple[Part, ...]
    sent: Body | None
    answered: Body | None


def with_examples(described: dict[str, Any]) -> dict[str, Any]:
    """Add the recorded examples to the JSON bodies and successful answers of the description, and return it."""
    recorded = json.loads(EXAMPLES.read_bytes())
    for method, address, call in _calls(described):
        known = recorded.get(f"{method.upper()} {address}", {})
        for what, content in (("sent", _request_body(call)), ("answered", _response_body(call))):
            if content is not None and what in known:
                content["example"] = known[what]
    return described


def calls(described: Mapping[str, Any]) -> list[Call]:
    """Return all calls in the order of the description."""
    parts = described["components"]["schemas"]
    return [
        Call(
            mark=call["operationId"].rpartition("_")[2] + f"-{number}",
            room=call["tags"][0],
            method=method.upper(),
            path=address,
            says=call.get("description", call.get("summary", "")),
            parameters=tuple(_parameter(one, parts) for one in call.get("parameters", ())),
            sent=_body(_request_body(call), parts),
            answered=_body(_response_body(call), parts),
        )
        for number, (method, address, call) in enumerate(_calls(described))
    ]


def _calls(described: Mapping[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for address, methods in described["paths"].items():
        for method in METHODS:
            if method in methods:
                yield method, address, methods[method]


def _request_body(call: Schema) -> dict[str, Any] | None:
    return _json(call.get("requestBody", {}))


def _response_body(call: Schema) -> dict[str, Any] | None:
    """Return the successful answer. Status codes are numbers in the generated description and text in files."""
    return next((_json(one) for code, one in call["responses"].items() if str(code) in ("200", "201")), None)


def _json(part: Mapping[str, Any]) -> dict[str, Any] | None:
    content: dict[str, Any] | None = part.get("content", {}).get("application/json")
    return content if content and content.get("schema") else None


def _body(content: Schema | None, parts: Mapping[str, Schema]) -> Body | None:
    if content is None:
        return None
    schema = content["schema"]
    shape = _shape(schema["items"] if schema.get("type") == "array" else schema, parts)
    wanted = shape.get("required", ())
    fields = [
        Part(name, kind_of(field), name in wanted, _says(field, parts))
        for name, field in shape.get("properties", {}).items()
    ]
    text = json.dumps(content["example"], indent=2, ensure_ascii=False) if "example" in content else ""
    return Body(shape.get("description", ""), tuple(fields), text)


def _shape(schema: Schema, parts: Mapping[str, Schema]) -> Schema:
    return parts[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


def _says(field: Schema, parts: Mapping[str, Schema]) -> str:
    """Return the description of a field, or that of its schema."""
    inner = field.get("items", field)
    return str(field.get("description") or _shape(inner, parts).get("description") or "")


def kind_of(schema: Schema) -> str:
    """Return the type of a value in words: `text`, `list of PowerOut`, `number or nothing`."""
    words = {
        "string": "text", "integer": "whole number", "number": "number", "boolean": "true or false", "object": "object",
        "null": "null",
    }  # fmt: skip
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(kind_of(one) for one in schema["anyOf"]))
    if "enum" in schema:
        return " or ".join(json.dumps(one) for one in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {kind_of(schema.get('items', {}))}"
    if schema.get("format") in ("date", "date-time"):
        return {"date": "day", "date-time": "time"}[schema["format"]]
    return words.get(schema.get("type", ""), "any")


def _parameter(part: Schema, parts: Mapping[str, Schema]) -> Part:
    schema = part.get("schema", {})
    says = part.get("description") or schema.get("description") or ""
    return Part(part["name"], kind_of(_shape(schema, parts)), bool(part.get("required")), says)


BIGGEST = 256 * 1024  # bytes
DEEPEST = 12
ABOUT = """Everything a page of this site can do.

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
api.add_router("/moderation", moderation_router, tags=["moderation"])


@lru_cache(maxsize=1)
def rooms() -> tuple[tuple[str, tuple[Call, ...]], ...]:
    """Return the calls by group. The description does not change while the site runs."""
    in_order = sorted(calls(api.get_openapi_schema()), key=lambda call: call.room.casefold() != "you")
    order = {call.room: number for number, call in reversed(list(enumerate(in_order)))}
    in_order.sort(key=lambda call: order[call.room])
    return tuple((room, tuple(inner)) for room, inner in groupby(in_order, key=lambda call: call.room))


@require_safe
@gzip_page
def page(request: HttpRequest) -> HttpResponse:
    """Show the manual: every call with its bodies and answers."""
    context = {"rooms": rooms(), "about": ABOUT.split("\n\n"), "scopes": tokens.SCOPES}
    return render(request, "home/api.html", context)


urlpatterns: list[URLPattern] = [
    path("api/docs", page, name="api-docs"),
]
