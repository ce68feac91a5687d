"""Signing in: ways in, known browsers, what is noted of it; second factors and recovery codes.

Of recovery codes, once they were shown, only hashes are kept.  django-allauth keeps a seed that they follow from, or
the codes themselves (`migrated_codes`).  Hashes stand in their place here, and a typed code is looked up by its hash.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.authentication import get_authentication_records
from allauth.account.signals import password_changed, password_set, user_signed_up
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import view_recovery_codes
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.sessions.models import Session
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.signals import pre_save
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _

from gamesmaster.host.accounts import people, sign_up
from gamesmaster.host.accounts.people import SignIn
from gamesmaster.host.accounts.sign_up import INVITED
from gamesmaster.host.site import clock, limits, refusals
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import outbox

LOG = logging.getLogger("gamesmaster.host")


class OnceBackend(AuthenticationBackend):  # type: ignore[misc]
    """Looks at the password of each account once.

    An address is looked up as an address twice; looked at twice, a known one would take longer than an unknown one.
    """

    def __init__(self) -> None:
        self._seen = set[object]()

    def _check_password(self, user: AbstractBaseUser | None, password: str) -> AbstractBaseUser | None:
        if user is None or user.pk in self._seen:
            return None
        self._seen.add(user.pk)
        account: AbstractBaseUser | None = super()._check_password(user, password)
        return account


class SecondFactors(DefaultMFAAdapter):  # type: ignore[misc]
    """Notes in the log that a code or a key was wrong."""

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """The error with this code."""
        if code == "incorrect_code":
            facts = {"event": "sign-in", "account": getattr(getattr(self.request, "user", None), "pk", None)}
            LOG.warning("a second factor failed", extra={**facts, "why": "wrong code"})
        error: ValidationError = super().validation_error(code, *args)
        return error


def on_sign_in(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Note a sign-in, and make the browser known."""
    used = get_authentication_records(request, user) if hasattr(request, "session") else []
    method = "+".join(dict.fromkeys(str(one.get("type") or one["method"]) for one in used))
    known = bool(knows_browser(request, user))
    network = coarse(limits.address(request))
    browser = browser_name(request.META.get("HTTP_USER_AGENT", ""))
    note_sign_in(user, method=method, device=browser, network=network, known=known, now=clock.now())
    LOG.info("signed in", extra={"event": "sign-in", "account": user.pk, "network": network, "why": method})
    remember_browser(request, user)


def on_sign_out(sender: object, request: HttpRequest, **_: object) -> None:
    """Let the answer tell the browser to forget what pages have kept in it (`house_headers`)."""
    request.has_signed_out = True  # type: ignore[attr-defined]


def on_sign_up(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Use up the invitation of whoever has made an account, or let it wait for a moderator."""
    try:
        sign_up.admit(user, str(request.session.pop(INVITED, "")), clock.now())
    except Refused as refused:
        user.delete()  # another was quicker with the same invitation
        messages.error(request, str(refused))
        raise ImmediateHttpResponse(redirect("account_signup")) from None


def new_password(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Keep the browser known that has changed the password; all others are so no longer."""
    LOG.info("a password was changed", extra={"event": "sign-in", "account": user.pk})
    remember_browser(request, user)


def make_coarse(sender: object, instance: UserSession, **_: object) -> None:
    """Keep no more of a session's address and browser than its owner needs to know it by."""
    instance.ip = coarse(instance.ip).partition("/")[0] or "0.0.0.0"
    instance.user_agent = browser_name(instance.user_agent)


def connect() -> None:
    """Begin to note; once, when the app is ready."""
    user_signed_up.connect(on_sign_up, dispatch_uid="admit")
    user_logged_in.connect(on_sign_in, dispatch_uid="note sign-in")
    user_logged_out.connect(on_sign_out, dispatch_uid="forget in the browser")
    for changed in (password_changed, password_set):
        changed.connect(new_password, dispatch_uid="note password")
    pre_save.connect(make_coarse, sender=UserSession, dispatch_uid="coarse session")


KEPT = timedelta(days=90)
SHOWN = 20


def note_sign_in(user: User, *, method: str, device: str, network: str, known: bool, now: datetime) -> SignIn:
    """Keep that somebody has signed in; of a browser that was not `knows_browser` the owner is told by mail.

    The first time, right after sign-up, is nothing new.
    """
    with transaction.atomic():
        first = user.last_login is None and not SignIn.objects.filter(user=user).exists()
        row = SignIn.objects.create(
            user=user, at=now, method=method[:24], device=device[:80], network=network[:48], known=known or first
        )
        if not row.known and outbox.sends() and outbox.reaches(user):
            subject = _("New sign-in to your account")
            outbox.about_account(user.email, subject, _letter(user, row), now, user=user)
    return row


def recent(user: User) -> list[SignIn]:
    """The last ones, the newest first."""
    return list(SignIn.objects.filter(user=user).order_by("-at", "-pk")[:SHOWN])


def tidy(now: datetime) -> int:
    """Take away what is older than `KEPT`; how many?"""
    return SignIn.objects.filter(at__lt=now - KEPT).delete()[0]


def tidy_sessions(now: datetime) -> int:
    """Take away the sessions that have run out, with what is kept of their browsers; how many?"""
    over = Session.objects.filter(expire_date__lt=now).delete()[0]
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    return over


def _letter(user: User, row: SignIn) -> str:
    lines = [
        _("Somebody has just signed in to your account {name} with a browser that we have not seen before.").format(
            name=user.username
        ),
        "",
        _("Time: {time}").format(time=people.own_time(user, row.at)),
    ]
    if row.device:
        lines.append(_("Browser: {browser}").format(browser=row.device))
    if row.network:
        lines.append(_("Network: {network}").format(network=row.network))
    lines += [
        "",
        _("If it was you, there is nothing to do."),
        _("If it was not you, sign out all other browsers and choose a new password:"),
        f"{settings.BASE_URL}/me/security/",
        "",
    ]
    return "\n".join(lines)


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


def knows_browser(request: HttpRequest, user: AbstractBaseUser) -> str:
    """The mark of this browser if it was signed in to this account before, else empty."""
    mark, password = _read_cookie(request).get(str(user.pk), ("", ""))
    return mark if mark and password == _password(user) else ""


def remember_browser(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Let the answer to this request bring the cookie that makes the browser known for this account."""
    entries = _read_cookie(request)
    mark = knows_browser(request, user) or secrets.token_urlsafe(9)
    entries.pop(str(user.pk), None)
    entries[str(user.pk)] = (mark, _password(user))
    request._device = dict(list(entries.items())[-MOST_ACCOUNTS:])  # type: ignore[attr-defined]


def keep_device(answer: Answer) -> Answer:
    """Set the cookie where somebody has signed in, or has changed the password (a middleware)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        response = answer(request)
        device = getattr(request, "_device", None)
        if device is not None:
            response.set_cookie(
                COOKIE, signing.dumps(device, salt=SALT), max_age=LASTS, httponly=True,
                secure=settings.SESSION_COOKIE_SECURE, samesite="Lax",
            )  # fmt: skip
        return response

    return middleware


def browser_name(user_agent: str) -> str:
    """The kind of browser and system, in words: enough to know one's own, too little to be followed by."""
    browser = next((name for sign, name in _BROWSERS if sign in user_agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in user_agent), "")
    return " / ".join(filter(None, (browser, system)))


def coarse(address: str) -> str:
    """The part of an address that a provider gives to many: `203.0.113.0/24`; empty where addresses are not noted."""
    return limits.network(address, four=24, six=48) if settings.NOTE_ADDRESSES and address else ""


def _read_cookie(request: HttpRequest) -> dict[str, tuple[str, str]]:
    try:
        marks = signing.loads(request.COOKIES.get(COOKIE, "")[:2000], salt=SALT, max_age=LASTS)
        return {str(number): (str(mark), str(password)) for number, (mark, password) in marks.items()}
    except (signing.BadSignature, AttributeError, TypeError, ValueError):
        return {}


def _password(user: AbstractBaseUser) -> str:
    return user.get_session_auth_hash()[:_MARK]


FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
"""What counts as a second factor; recovery codes only stand in for one."""
WITHOUT_FACTOR = (
    "/accounts/2fa/", "/accounts/reauthenticate/", "/accounts/oidc/", "/accounts/logout/", "/language", "/help/",
    "/words/", "/static/",
)  # fmt: skip
"""What somebody needs who sets one up, or would rather sign out."""


def lacks_factor(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Must this account set up a second factor before it does anything else?"""
    if not user.is_authenticated or settings.SECOND_FACTOR == "optional":
        return False
    if settings.SECOND_FACTOR == "staff" and not people.is_moderator(user):
        return False
    return not Authenticator.objects.filter(user_id=user.pk, type__in=FACTORS).exists()


def require_second_factor(answer: Answer) -> Answer:
    """Lead those who must set up a second factor to the page for it, whatever they ask for (a middleware)."""

    def middleware(request: HttpRequest) -> HttpResponse:
        if request.path.startswith(WITHOUT_FACTOR) or not lacks_factor(request.user):
            return answer(request)
        what = _("This site asks for a second factor: set up an app or add a key, then go on.")
        if request.path.startswith("/api/"):
            return refusals.answer(403, "no-second-factor", what, f"{settings.BASE_URL}/accounts/2fa/")
        messages.warning(request, what)
        return redirect("mfa_index")

    return middleware


# -- recovery codes ----------------------------------------------------------------------------------------------------


HASHER = PBKDF2PasswordHasher()


class HashedCode(forms.Form):
    """A form that is given a code: stands before one of allauth's, which knows no hashes."""

    user: AbstractBaseUser

    def clean_code(self) -> str:
        """The code, if it is right."""
        self.cleaned_data["code"] = hash_code(self.user, self.cleaned_data["code"])
        return str(super().clean_code())  # type: ignore[misc]  # of the form behind


def hash_code(user: AbstractBaseUser, typed: str) -> str:
    """The hash of a recovery code of this user; anything else without its signs, so that no hash can be typed."""
    code = str(normalize_user_code(typed))
    hashes: list[str] | None = next((one.data.get("migrated_codes") for one in _codes_of(user.pk)), None)
    if not hashes or len(code) != app_settings.RECOVERY_CODE_DIGITS:
        return code
    parts: Any = HASHER.decode(hashes[0])
    digest = HASHER.encode(code, parts["salt"], parts["iterations"])
    return digest if digest in hashes else code


def show_codes(request: HttpRequest) -> HttpResponse:
    """The codes, once; from then on only hashes are kept."""
    answer: HttpResponse = view_recovery_codes(request)
    if isinstance(answer, TemplateResponse):
        answer.render()
        hash_shown_codes(_codes_of(request.user.pk))
    return answer


def hash_shown_codes(of: QuerySet[Any]) -> int:
    """Put hashes in the place of codes that were shown; of how many accounts?"""
    with transaction.atomic():
        rows = [one for one in of.select_for_update() if "seed" in one.data and one.wrap().did_view]
        for one in rows:
            salt = secrets.token_hex(8)  # one for all codes, so that a typed one is hashed once
            hashes = [HASHER.encode(code, salt) for code in one.wrap().get_unused_codes()]
            one.data = {"migrated_codes": hashes, "viewed_at": one.data["viewed_at"]}
            one.save(update_fields=["data"])
    return len(rows)


def tidy_codes(now: datetime) -> int:
    """Hash the codes of one account that showed them before hashes were kept, or whose page broke off; how many?"""
    one = Authenticator.objects.filter(
        type=Authenticator.Type.RECOVERY_CODES, data__has_key="seed", data__viewed_at__isnull=False
    ).order_by("pk")[:1]
    return hash_shown_codes(Authenticator.objects.filter(pk__in=[found.pk for found in one]))


def _codes_of(user: object) -> QuerySet[Any]:
    codes: QuerySet[Any] = Authenticator.objects.filter(user_id=user, type=Authenticator.Type.RECOVERY_CODES)
    return codes


urlpatterns: list[URLPattern] = [
    path("accounts/2fa/recovery-codes/", show_codes, name="mfa_view_recovery_codes"),
]
