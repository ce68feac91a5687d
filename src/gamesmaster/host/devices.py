"""Browsers that somebody has signed in with before: known by a cookie that says so, signed, and nothing else.

The cookie opens nothing.  It keeps a way in for its owner while others guess (`guessing`), and a sign-in without it is
told by mail.  It holds no longer when the password changes.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.core import signing
from django.http import HttpRequest, HttpResponse

from gamesmaster.host.service import limits

Answer = Callable[[HttpRequest], HttpResponse]
COOKIE, SALT = f"{settings.COOKIE_PREFIX}device", "device"
LASTS = 400 * 24 * 3600  # seconds; browsers keep none longer
MOST_ACCOUNTS = 5
"""So many accounts a browser is known for."""
_MARK = 16
_BROWSERS = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "ChromeOS"), ("Windows", "Windows"),
    ("Mac OS X", "macOS"), ("Linux", "Linux"),
)  # fmt: skip


def known(request: HttpRequest, user: AbstractBaseUser) -> str:
    """The mark of this browser if it was signed in to this account before, else empty."""
    mark, password = _kept(request).get(str(user.pk), ("", ""))
    return mark if mark and password == _password(user) else ""


def remember(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Let the answer to this request bring the cookie that makes the browser known for this account."""
    kept = _kept(request)
    mark = known(request, user) or secrets.token_urlsafe(9)
    kept.pop(str(user.pk), None)
    kept[str(user.pk)] = (mark, _password(user))
    request._device = dict(list(kept.items())[-MOST_ACCOUNTS:])  # type: ignore[attr-defined]


def keep_device(answer: Answer) -> Answer:
    """Set the cookie where somebody has signed in, or has changed the password (a middleware)."""

    def answered(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        told = getattr(request, "_device", None)
        if told is not None:
            response.set_cookie(
                COOKIE, signing.dumps(told, salt=SALT), max_age=LASTS, httponly=True,
                secure=settings.SESSION_COOKIE_SECURE, samesite="Lax",
            )  # fmt: skip
        return response

    return answered


def named(user_agent: str) -> str:
    """The kind of browser and system, in words: enough to know one's own, too little to be followed by."""
    browser = next((name for sign, name in _BROWSERS if sign in user_agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in user_agent), "")
    return " / ".join(filter(None, (browser, system)))


def coarse(address: str) -> str:
    """The part of an address that a provider gives to many: `203.0.113.0/24`; empty where addresses are not noted."""
    return limits.network(address, four=24, six=48) if settings.NOTE_ADDRESSES and address else ""


def _kept(request: HttpRequest) -> dict[str, tuple[str, str]]:
    try:
        told = signing.loads(request.COOKIES.get(COOKIE, "")[:2000], salt=SALT, max_age=LASTS)
        return {str(number): (str(mark), str(password)) for number, (mark, password) in told.items()}
    except (signing.BadSignature, AttributeError, TypeError, ValueError):
        return {}


def _password(user: AbstractBaseUser) -> str:
    return user.get_session_auth_hash()[:_MARK]
