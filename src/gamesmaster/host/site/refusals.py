"""Refusals: why the site does not do something, and how the API reports it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from enum import Enum
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, Throttled, ValidationError

from gamesmaster.errors import BadFile, GamesmasterError, NotFound


class RefusalCode(Enum):
    """Codes of refusals, each with its HTTP status; 409 means not possible in the current state."""

    status: int

    def __new__(cls, code: str, status: int) -> RefusalCode:
        """Return a member with this code as its value, and its status."""
        member = object.__new__(cls)
        member._value_, member.status = code, status
        return member

    SIGNED_OUT = "signed-out", 401
    BROWSER_ONLY = "browser-only", 403
    NO_SCOPE = "no-scope", 403
    NO_SEAT = "no-seat", 403
    NOT_ADMIN = "not-admin", 403
    NOT_ASKED = "not-asked", 403
    NOT_GM = "not-gm", 403
    NOT_INVITED = "not-invited", 403
    PLAYS_THERE = "plays-there", 403
    NO_COMPLAINT = "no-complaint", 404
    NO_HOOK = "no-hook", 404
    NO_INVITATION = "no-invitation", 404
    NO_OFFER = "no-offer", 404
    NO_PHASE = "no-phase", 404
    NO_PLAYER = "no-player", 404
    NO_POWER = "no-power", 404
    NO_QUESTION = "no-question", 404
    NO_RECEIPT = "no-receipt", 404
    NO_TABLE = "no-table", 404
    NO_TOKEN = "no-token", 404
    NOT_MODERATOR = "not-moderator", 404
    USED_UP = "used-up", 404
    BAD_VOTE = "bad-vote", 409
    DISORDER = "disorder", 409
    FULL = "full", 409
    GONE = "gone", 409
    IS_GM = "is-gm", 409
    LACKING = "lacking", 409
    LAST_ADMIN = "last-admin", 409
    LEFT = "left", 409
    LINK_USED = "link-used", 409
    MOVES_ONLY = "moves-only", 409
    NEWER = "newer", 409
    NO_ADDRESSEE = "no-addressee", 409
    NO_BOT = "no-bot", 409
    NO_CHOICE = "no-choice", 409
    NO_DEADLINE = "no-deadline", 409
    NO_GM = "no-gm", 409
    NO_GREY = "no-grey", 409
    NO_GROUPS = "no-groups", 409
    NO_MUTE = "no-mute", 409
    NO_ORDERS = "no-orders", 409
    NO_PLAN = "no-plan", 409
    NO_PRESS = "no-press", 409
    NO_STANDBYS = "no-standbys", 409
    NO_SUCH_THING = "no-such-thing", 409
    NO_TURN = "no-turn", 409
    NO_VOTE = "no-vote", 409
    NO_WINNER = "no-winner", 409
    NOT_APART = "not-apart", 409
    NOT_FORMING = "not-forming", 409
    NOT_FULL = "not-full", 409
    NOT_NOW = "not-now", 409
    NOT_OPEN = "not-open", 409
    NOT_OVER = "not-over", 409
    NOT_PAUSED = "not-paused", 409
    NOT_PROCESSED = "not-processed", 409
    NOT_RELIABLE = "not-reliable", 409
    NOT_RUNNING = "not-running", 409
    NOT_STARTED = "not-started", 409
    NOT_SURE = "not-sure", 409
    NOT_THAT_ONE = "not-that-one", 409
    NOT_THIS_PHASE = "not-this-phase", 409
    NOT_WAITING = "not-waiting", 409
    OLDER = "older", 409
    OVER = "over", 409
    PROCESSING = "processing", 409
    PUBLIC_ONLY = "public-only", 409
    REFUSED = "refused", 409
    SITS_ALREADY = "sits-already", 409
    STANDS = "stands", 409
    STILL_FAILS = "still-fails", 409
    TOO_LARGE = "too-large", 409
    TOO_LATE = "too-late", 409
    TOO_TANGLED = "too-tangled", 409
    UNCONFIRMED = "unconfirmed", 409
    UNREADABLE = "unreadable", 409
    WHICH_PHASE = "which-phase", 409
    BAD_COMPLAINT = "bad-complaint", 422
    BAD_DAYS = "bad-days", 422
    BAD_MESSAGE = "bad-message", 422
    BAD_NUMBER = "bad-number", 422
    BAD_ORDERS = "bad-orders", 422
    BAD_QUESTION = "bad-question", 422
    BAD_REMARK = "bad-remark", 422
    BAD_TIME = "bad-time", 422
    BAD_URL = "bad-url", 422
    BAD_VARIANT = "bad-variant", 422
    EMPTY = "empty", 422
    FALSE_NAME = "false-name", 422
    NO_EVENT = "no-event", 422
    NO_ZONE = "no-zone", 422
    TOO_LONG = "too-long", 422
    TOO_MANY = "too-many", 429


STATUS = {code.value: code.status for code in RefusalCode}


class Refused(GamesmasterError):
    """An action that was refused and had no effect.

    `code` is the value of a `RefusalCode` (`not-this-phase`, `no-seat`, ...), `status` its HTTP status, `what` the
    sentence for people, `hint` what to do instead. Codes are stable; sentences may change.
    """

    def __init__(self, code: str, what: str | Promise, hint: str | Promise = "") -> None:
        self.code, self.status = code, STATUS[code]
        super().__init__(str(what), hint=str(hint))


TITLES = {
    400: "Bad request", 401: "Not signed in", 403: "Not allowed", 404: "Not found", 405: "No such method",
    409: "Not possible now", 413: "Too large", 422: "Invalid input", 429: "Too many requests",
    501: "Not available here", 503: "Not available now",
}  # fmt: skip


class Fault(Schema):
    """One thing that is wrong in what was sent: where, and what."""

    place: str
    what: str


class Problem(Exception):
    """A problem that the API itself reports, such as a missing token."""

    def __init__(self, status: int, code: str, what: str, hint: str = "") -> None:
        self.status, self.code, self.what, self.hint = status, code, what, hint
        super().__init__(what)


def answer(status: int, code: str, what: str, hint: str = "", errors: Sequence[Fault] = ()) -> HttpResponse:
    """Return a problem as a response (RFC 9457)."""
    data = {
        "type": f"urn:gamesmaster:{code}", "title": TITLES.get(status, "Problem"), "status": status, "detail": what,
        "code": code, "hint": hint, "errors": [fault.model_dump() for fault in errors],
    }  # fmt: skip
    return HttpResponse(json.dumps(data), status=status, content_type="application/problem+json")


def teach(api: NinjaAPI) -> None:
    """Install the handlers that make the API answer with problems."""
    handlers: dict[type[Exception], Callable[[HttpRequest, Any], HttpResponse]] = {
        Problem: lambda _, error: answer(error.status, error.code, error.what, error.hint),
        Refused: _refusal,
        GamesmasterError: _mendable,
        ValidationError: _invalid,
        HttpError: _http,
        Http404: lambda _, __: answer(404, "not-found", "There is nothing at this address."),
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)


def _refusal(request: HttpRequest, error: Refused) -> HttpResponse:
    return answer(error.status, error.code, error.what, error.hint)


def _mendable(request: HttpRequest, error: GamesmasterError) -> HttpResponse:
    if isinstance(error, NotFound):
        return answer(404, "not-found", error.what, error.hint)
    faults = [Fault(place=error.where, what=error.what)] if error.where else []
    return answer(400 if isinstance(error, BadFile) else 422, "bad-input", error.what, error.hint, faults)


def _invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
    faults = []
    for fault in error.errors[:50]:
        place = ".".join(map(str, fault.get("loc", ())))
        faults.append(Fault(place=place, what=str(fault.get("msg", ""))[:300]))
    first = f"{faults[0].place}: {faults[0].what}" if faults else "The request is not valid."
    return answer(422, "bad-input", first, "see /api/openapi.json", faults)


def _http(request: HttpRequest, error: HttpError) -> HttpResponse:
    if isinstance(error, Throttled):
        hint = "wait for the time given in Retry-After"
        throttled = answer(429, "too-many", "You have sent too many requests.", hint)
        throttled.headers["Retry-After"] = str(int(error.wait or 60) + 1)
        return throttled
    cause = error.__cause__ or error.__context__
    if isinstance(cause, Problem):
        return answer(cause.status, cause.code, cause.what, cause.hint)
    if isinstance(cause, GamesmasterError):
        return _mendable(request, cause)
    return answer(error.status_code, "bad-request", str(error))


UNAVAILABLE = _("The database cannot be reached at the moment. Nothing was changed; please try again in a minute.\n")


def unavailable(request: HttpRequest) -> HttpResponse:
    """Return the response while the database is not usable: a page for browsers, text or a problem for programs."""
    if request.path.startswith("/api/"):
        hint = "try again after the time given in Retry-After"
        response = answer(503, "unavailable", UNAVAILABLE.strip(), hint)
    elif request.accepts("text/html") and not request.path.startswith("/healthz"):
        response = HttpResponse(render_to_string("503.html"), status=503)
    else:
        response = HttpResponse(UNAVAILABLE, status=503, content_type="text/plain; charset=utf-8")
    response.headers["Retry-After"] = "60"
    return response
