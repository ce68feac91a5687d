"""Refusals: what the site says when it does not do what it is asked, and how programs are told."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.functional import Promise
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, Throttled, ValidationError
from pydantic import Field

from gamesmaster.errors import BadFile, GamesmasterError, NotFound


class Refused(GamesmasterError):
    """Something that is not done, and nothing of it.

    `code` is a word for programs (`not-this-phase`, `no-seat`, ...), `what` the sentence for people, `hint` what to do
    instead.  Codes do not change; sentences may.
    """

    def __init__(self, code: str, what: str | Promise, hint: str | Promise = "") -> None:
        self.code = code
        super().__init__(str(what), hint=str(hint))


MISSING = {
    "no-table", "no-phase", "no-power", "no-token", "no-hook", "no-variant", "no-receipt", "no-player", "no-question",
    "no-complaint", "not-moderator", "no-offer", "no-invitation", "used-up",
}  # fmt: skip
FORBIDDEN = {"no-seat", "not-gm", "not-invited", "not-admin", "plays-there", "browser-only", "no-scope", "not-asked"}
WRONG = {
    "bad-orders", "bad-variant", "bad-number", "bad-time", "bad-url", "bad-settings", "empty", "too-long", "no-event",
    "bad-complaint", "bad-days", "bad-message", "bad-question", "bad-remark", "no-zone", "false-name",
}  # fmt: skip
STATUS = {
    **dict.fromkeys(MISSING, 404), **dict.fromkeys(FORBIDDEN, 403), **dict.fromkeys(WRONG, 422), "too-many": 429,
}  # fmt: skip
"""The status of a refusal, by its code; any other is a conflict with how things stand (409)."""
TITLES = {
    400: "Bad request", 401: "Not signed in", 403: "Not allowed", 404: "Not found", 405: "No such method",
    409: "Not possible now", 413: "Too large", 422: "Invalid input", 429: "Too many requests",
    501: "Not available here", 503: "Not available now",
}  # fmt: skip


class Fault(Schema):
    """One thing that is wrong in what was sent: where, and what."""

    place: str
    what: str


class ProblemOut(Schema):
    """A problem (RFC 9457).  `code` is for programs and does not change; `hint` is the nearest right thing."""

    type: str = Field(examples=["urn:gamesmaster:not-this-phase"])
    title: str = Field(examples=["Not possible now"])
    status: int = Field(examples=[409])
    detail: str = Field(examples=["Spring 1901 Movement is over; orders are now due for Fall 1901 Movement."])
    code: str = Field(examples=["not-this-phase"])
    hint: str = Field(examples=["F1901M, number 1"])
    errors: list[Fault] = Field(default_factory=list)


class Problem(Exception):
    """A problem of the door itself."""

    def __init__(self, status: int, code: str, what: str, hint: str = "") -> None:
        self.status, self.code, self.what, self.hint = status, code, what, hint
        super().__init__(what)


def answer(status: int, code: str, what: str, hint: str = "", errors: Sequence[Fault] = ()) -> HttpResponse:
    """The problem as an answer."""
    told = {
        "type": f"urn:gamesmaster:{code}", "title": TITLES.get(status, "Problem"), "status": status, "detail": what,
        "code": code, "hint": hint, "errors": [fault.model_dump() for fault in errors],
    }  # fmt: skip
    return HttpResponse(json.dumps(told), status=status, content_type="application/problem+json")


def teach(api: NinjaAPI) -> None:
    """Let the API answer with problems."""
    handlers: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
        Problem: lambda _, error: answer(error.status, error.code, error.what, error.hint),
        Refused: _refused,
        GamesmasterError: _mendable,
        ValidationError: _invalid,
        HttpError: _http,
        Http404: lambda _, __: answer(404, "not-found", "There is nothing at this address."),
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)


def _refused(request: HttpRequest, error: Refused) -> HttpResponse:
    return answer(STATUS.get(error.code, 409), error.code, error.what, error.hint)


def _mendable(request: HttpRequest, error: GamesmasterError) -> HttpResponse:
    if isinstance(error, NotFound):
        return answer(404, "not-found", error.what, error.hint)
    faults = [Fault(place=error.where, what=error.what)] if error.where else []
    return answer(400 if isinstance(error, BadFile) else 422, "bad-input", error.what, error.hint, faults)


def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    faults = []
    for found in error.errors[:50]:
        place = ".".join(map(str, found.get("loc", ())))
        faults.append(Fault(place=place, what=str(found.get("msg", ""))[:300]))
    first = f"{faults[0].place}: {faults[0].what}" if faults else "The request is not valid."
    return answer(422, "bad-input", first, "see /api/openapi.json", faults)


def _http(request: HttpRequest, error: HttpError) -> HttpResponse:
    if isinstance(error, Throttled):
        told = answer(429, "too-many", "You have sent too many requests.", "wait for the time given in Retry-After")
        told.headers["Retry-After"] = str(int(error.wait or 60) + 1)
        return told
    cause = error.__cause__ or error.__context__
    if isinstance(cause, Problem):
        return answer(cause.status, cause.code, cause.what, cause.hint)
    if isinstance(cause, GamesmasterError):
        return _mendable(request, cause)
    return answer(error.status_code, "bad-request", str(error))
