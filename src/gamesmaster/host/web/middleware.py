"""Common parts of all pages and answers: headers, appearance, time zone, messages, and the size of requests."""

from __future__ import annotations

import asyncio
import gzip
import logging
from collections.abc import Callable, Mapping
from functools import cache, lru_cache
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage
from django.core.exceptions import DisallowedHost
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from pydantic import ValidationError

from gamesmaster.host.accounts import confirming, people
from gamesmaster.host.accounts.people import Profile
from gamesmaster.host.notices import inbox
from gamesmaster.host.operations import health
from gamesmaster.host.phases.downtime import Application, Receive, Scope, Send
from gamesmaster.host.site import clock, refusals
from gamesmaster.host.site.refusals import unavailable
from gamesmaster.host.site.zones import zones
from gamesmaster.host.tables import outbox
from gamesmaster.host.web.home import help_address
from gamesmaster.pictures import StyleName

Answer = Callable[[HttpRequest], HttpResponse]
LOG = logging.getLogger("gamesmaster.host")

POLICY = "; ".join(
    (
        "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:", "font-src 'self'",
        "connect-src 'self'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'", "manifest-src 'self'",
    )
)  # fmt: skip
"""The content policy: nothing from other sites and nothing inline, so that injected markup has no effect."""
PERMISSIONS = (
    "camera=(), microphone=(), geolocation=(), publickey-credentials-get=(self), publickey-credentials-create=(self)"
)


def known_ports(answer: Answer) -> Answer:
    """Answer 400 if `Host` names a port other than that of the site's address or the one listened on (middleware)."""
    base = urlsplit(settings.BASE_URL)
    usual = str(base.port or {"https": 443}.get(base.scheme, 80))

    def middleware(request: HttpRequest) -> HttpResponse:
        host = request.get_host()  # raises `DisallowedHost` for an unknown name
        port = host.rpartition(":")[2] if not host.endswith("]") and ":" in host else usual
        if port not in (usual, request.META.get("SERVER_PORT")):
            raise DisallowedHost(f"unknown port in the Host header: {host!r}")
        return answer(request)

    return middleware


def house_headers(answer: Answer) -> Answer:
    """Set the content policy, and forbid caching unless a view allows it (middleware)."""
    forms = " ".join(("form-action 'self'", *settings.SIGN_IN_SERVERS))  # browsers apply it to redirects after forms
    policy = POLICY.replace("form-action 'self'", forms)

    def middleware(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        response.headers.setdefault("Content-Security-Policy", policy)
        response.headers.setdefault("Permissions-Policy", PERMISSIONS)
        if not request.path.startswith("/static/"):
            response.headers.setdefault("Cache-Control", "no-store")
        if getattr(request, "has_signed_out", False):
            response.headers["Clear-Site-Data"] = '"storage"'  # drafts of messages and orders
        return response

    return middleware


def closed_api(answer: Answer) -> Answer:
    """Refuse API calls over HTTP if pages are redirected to HTTPS (middleware).

    A redirect would hide that the token was exposed.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        if settings.SECURE_SSL_REDIRECT and request.path.startswith("/api/") and not request.is_secure():
            what = "This address is reached by https alone. What was sent may have been read on its way."
            return refusals.answer(403, "https-only", what, f"{settings.BASE_URL}/api/, with a new token")
        return answer(request)

    return middleware


def whole_files(answer: Answer) -> Answer:
    """Send static files in one piece, compressed if the browser accepts it (middleware).

    They are small; under ASGI, streams are read in small pieces in another thread.
    """

    def middleware(request: HttpRequest) -> HttpResponse:
        found = answer(request)
        if not isinstance(found, StreamingHttpResponse) or not request.path.startswith("/static/"):
            return found
        body = b"".join(found)
        found.close()
        whole = HttpResponse(body, status=found.status_code, headers=dict(found.headers))
        packable = found.headers.get("Content-Type", "").startswith(("text/", "image/svg"))
        if found.status_code == 200 and packable and not found.has_header("Content-Encoding"):
            patch_vary_headers(whole, ["Accept-Encoding"])
            if "gzip" in request.headers.get("Accept-Encoding", ""):
                whole.content = _pack(body)
                whole.headers["Content-Encoding"] = "gzip"
                whole.headers["Content-Length"] = str(len(whole.content))
        return whole

    return middleware


@lru_cache(maxsize=64)
def _pack(body: bytes) -> bytes:
    """Return the compressed body, always the same bytes."""
    return gzip.compress(body, 9, mtime=0)


def busy_database(answer: Answer) -> Answer:
    """Answer 503 when the database cannot be used; nothing was changed then (middleware)."""

    class Guard:
        def __call__(self, request: HttpRequest) -> HttpResponse:
            return answer(request)

        def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
            if not _lost_database(error):
                return None
            LOG.error("the database cannot be used", exc_info=error, extra={"route": request.path})
            return unavailable(request)

    return Guard()


def _lost_database(error: Exception) -> bool:
    """Return whether the database could not be used. Of a field's error, pydantic keeps only the name and the text."""
    if not isinstance(error, ValidationError):
        return isinstance(error, OperationalError)
    causes = [str(one.get("ctx", {}).get("error", "")) for one in error.errors(include_input=False, include_url=False)]
    return any(cause.startswith(f"{OperationalError.__name__}:") for cause in causes)


class _InCookie(CookieStorage):
    cookie_name = f"{settings.COOKIE_PREFIX}messages"


class Messages(FallbackStorage):
    """Messages for the next page, in a cookie with the same protection as the other cookies."""

    storage_classes = (_InCookie, SessionStorage)


def profile_of(user: AbstractBaseUser | AnonymousUser | None) -> Profile | None:
    """Return the profile of a signed-in person, creating it if necessary; None for a visitor."""
    return people.profile(user) if isinstance(user, User) else None


def map_style(profile: Profile | None) -> StyleName:
    """Return a person's style of maps; light if the theme is left to the browser."""
    if profile is None:
        return "light"
    if profile.colour_mode == "patterns":
        return "print"
    return "dark" if profile.theme == "dark" else "light"


def map_style_at_night(profile: Profile | None) -> StyleName:
    """Return the style of maps for browsers in dark mode; as by day unless the theme is left to the browser."""
    left = profile is None or (profile.theme == "auto" and profile.colour_mode != "patterns")
    return "dark" if left else map_style(profile)


def house(request: HttpRequest) -> dict[str, object]:
    """Return what the base template needs (context processor)."""
    profile = profile_of(getattr(request, "user", None))
    return {
        "theme": profile.theme if profile else "auto",
        "map_style": map_style(profile),
        "map_style_at_night": map_style_at_night(profile),
        "zone": timezone.get_current_timezone_name(),
        "sends_mail": outbox.sends(),
        "has_passkeys": lambda: confirming.has_passkeys(request),
        "stuck_mails": lambda: health.stuck_mails(clock.now()).count(),  # queried only where a page shows it
        "help_address": help_address(request.resolver_match),
        "calls": cache(lambda: inbox.calls(getattr(request, "user", None))),
        "keeps_order": people.is_moderator(getattr(request, "user", None)),
    }


def own_time(answer: Answer) -> Answer:
    """Show times in the signed-in person's time zone (middleware, after authentication)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        user = getattr(request, "user", None)
        profile = getattr(user, "profile", None) if user is not None and user.is_authenticated else None
        if profile is None or profile.time_zone not in zones():
            timezone.deactivate()
            return answer(request)
        with timezone.override(ZoneInfo(profile.time_zone)):
            return answer(request)

    return middleware


TOO_LARGE = 413, "too-large", "This is more than the site reads at once.", "send less"
RESTARTS = "The site restarts. Look whether what you sent has arrived, and otherwise send it again in a moment."
STOPPING = 503, "unavailable", RESTARTS, "see Retry-After"


class _TooLarge(Exception):
    """A request body exceeds the limit."""


def with_refusals(application: Application, most: int) -> Application:
    """Return the application with answers for requests that cannot be carried out.

    Bodies of more than `most` bytes get 413 at once, and requests that are cancelled because the server stops get 503.
    """

    async def wrapper(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await application(scope, receive, send)
            return
        size = dict(scope["headers"]).get(b"content-length", b"0")
        if not size.isdigit() or int(size) > most:
            await _refuse(scope, send, *TOO_LARGE)
            return
        read, begun = 0, False

        async def receive_and_count() -> Mapping[str, Any]:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                raise _TooLarge
            return message

        async def send_and_note(message: Mapping[str, Any]) -> None:
            nonlocal begun
            begun = True
            await send(message)

        try:
            await application(scope, receive_and_count, send_and_note)
        except _TooLarge:
            if not begun:
                await _refuse(scope, send, *TOO_LARGE)
        except asyncio.CancelledError:
            if begun:
                raise
            await _refuse(scope, send, *STOPPING)

    return wrapper


async def _refuse(scope: Scope, send: Send, status: int, code: str, what: str, hint: str) -> None:
    """Send this problem, outside the API as plain text."""
    answer = refusals.answer(status, code, what, hint)
    if not scope["path"].startswith("/api/"):
        answer = HttpResponse(f"{what}\n", status=status, content_type="text/plain")
    if status == 503:
        answer.headers["Retry-After"] = "10"
    headers = [(name.lower().encode(), value.encode()) for name, value in answer.items()]
    headers += [(b"content-length", str(len(answer.content)).encode()), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.content})
