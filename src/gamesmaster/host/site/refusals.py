"""Refusals: why the site does not do something, and how the API reports it."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Sequence
from typing import Any

from django.db import OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views import defaults
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, Throttled, ValidationError

from gamesmaster.errors import BadFile, GamesmasterError, NotFound

CODES = {
    401: ("signed-out",),
    403: ("browser-only", "no-scope", "no-seat", "not-admin", "not-asked", "not-gm", "not-invited", "plays-there"),
    404: (
        "no-complaint", "no-hook", "no-invitation", "no-letter", "no-offer", "no-phase", "no-player", "no-power",
        "no-question", "no-receipt", "no-table", "no-token", "not-moderator", "used-up",
    ),
    409: (
        "bad-vote", "disorder", "full", "gone", "is-gm", "lacking", "last-admin", "left", "link-used", "moves-only",
        "newer", "no-addressee", "no-bot", "no-choice", "no-deadline", "no-gm", "no-grey", "no-groups", "no-mute",
        "no-orders", "no-plan", "no-press", "no-standbys", "no-such-thing", "no-turn", "no-vote", "no-winner",
        "not-apart", "not-corrected", "not-forming", "not-full", "not-now", "not-open", "not-over", "not-paused",
        "not-processed", "not-reliable", "not-running", "not-started", "not-sure", "not-that-one", "not-this-phase",
        "not-waiting", "older", "over", "processing", "public-only", "refused", "sits-already", "stands",
        "still-fails", "too-large", "too-late", "too-tangled", "unconfirmed", "unreadable", "which-phase",
    ),
    422: (
        "bad-board", "bad-complaint", "bad-days", "bad-message", "bad-number", "bad-orders", "bad-question",
        "bad-remark", "bad-time", "bad-url", "bad-variant", "empty", "false-name", "no-event", "no-zone", "too-long",
    ),
    429: ("too-many",),
}  # fmt: skip
"""The codes of refusals by HTTP status; 409 means not possible in the current state."""
STATUS = {code: status for status, codes in CODES.items() for code in codes}


class Refused(GamesmasterError):
    """An action that was refused and had no effect.

    `code` is one of `CODES` (`not-this-phase`, `no-seat`, ...), `status` its HTTP status, `what` the sentence for
    people, `hint` what to do instead. Codes are stable; sentences may change. `values` fill the placeholders of `what`.
    """

    def __init__(self, code: str, what: str | Promise, hint: str | Promise = "", /, **values: object) -> None:
        self.code, self.status = code, STATUS[code]
        super().__init__(str(what).format(**values) if values else str(what), hint=str(hint))


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
        Problem: _refusal,
        Refused: _refusal,
        GamesmasterError: _mendable,
        ValidationError: _invalid,
        HttpError: _http,
        Http404: lambda _, __: answer(404, "not-found", "There is nothing at this address."),
    }
    for kind, handler in handlers.items():
        api.add_exception_handler(kind, handler)


def _refusal(request: HttpRequest, error: Problem | Refused) -> HttpResponse:
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


SHORT = 40
"""Characters of a field up to which the page that repeats a form does not show it."""
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


def stale_form(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return the response to a form with an old token: nothing is done, and what was written can be sent again.

    The token changes when somebody signs in. A form from another site, with a file or with a password is not repeated.
    """
    own = request.headers.get("Origin") == f"{request.scheme}://{request.get_host()}"
    sent = [(name, text) for name, texts in request.POST.lists() for text in texts if name != "csrfmiddlewaretoken"]
    again = own and not request.FILES and not any("password" in name for name, _text in sent)
    fields = sent if again else []
    texts = [text for _name, text in fields if len(text) > SHORT or "\n" in text]
    return render(request, "403_csrf.html", {"fields": fields, "texts": texts, "again": again}, status=403)


def server_error(request: HttpRequest) -> HttpResponse:
    """Return the response to an error outside of views: middleware asks the database, too."""
    return unavailable(request) if isinstance(sys.exc_info()[1], OperationalError) else defaults.server_error(request)
