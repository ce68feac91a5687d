"""Signing in: known browsers, records of sign-ins, second factors and recovery codes.

Recovery codes that were shown are stored only as hashes. django-allauth stores their seed or the codes themselves
(`migrated_codes`); this module replaces them by hashes and looks a typed code up by its hash.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import record_authentication
from allauth.account.signals import password_changed, password_set, user_signed_up
from allauth.core import context
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
from gamesmaster.host.tables import notifications, outbox

LOG = logging.getLogger("gamesmaster.host")


class OnceBackend(AuthenticationBackend):  # type: ignore[misc]
    """Checks the password of each account only once per attempt.

    django-allauth looks an address up twice. Two checks would take longer for a known address than for an unknown one.
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
    """Logs wrong codes and keys."""

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """Return the error with this code, logging a wrong code."""
        if code == "incorrect_code":
            log_wrong_code(self.request)
        error: ValidationError = super().validation_error(code, *args)
        return error


def log_wrong_code(request: HttpRequest) -> None:
    """Log a wrong code or key, without what was typed."""
    facts = {"event": "sign-in", "account": getattr(getattr(request, "user", None), "pk", None)}
    LOG.warning("a second factor failed", extra={**facts, "why": "wrong code"})


def on_sign_in(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Record a sign-in and mark the browser as known."""
    used = get_authentication_records(request, user) if hasattr(request, "session") else []
    method = "+".join(dict.fromkeys(str(one.get("type") or one["method"]) for one in used))
    known = bool(knows_browser(request, user))
    network = coarse(limits.address(request))
    browser = browser_name(request.META.get("HTTP_USER_AGENT", ""))
    note_sign_in(user, method=method, device=browser, network=network, known=known, now=clock.now())
    LOG.info("signed in", extra={"event": "sign-in", "account": user.pk, "network": network, "why": method})
    remember_browser(request, user)


def on_sign_out(sender: object, request: HttpRequest, **_: object) -> None:
    """Mark the request so that `house_headers` clears the browser's stored pages."""
    request.has_signed_out = True  # type: ignore[attr-defined]


def on_sign_up(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Admit a new account; if its invitation is already used, delete the account and redirect to sign-up."""
    try:
        sign_up.admit(user, str(request.session.pop(INVITED, "")), clock.now())
    except Refused as refused:
        user.delete()  # somebody else used the same invitation first
        messages.error(request, str(refused))
        raise ImmediateHttpResponse(redirect("account_signup")) from None
    if user.has_usable_password():
        record_authentication(request, user, "password")  # it was just chosen


def new_password(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Keep the browser known that changed the password. All others become unknown."""
    LOG.info("a password was changed", extra={"event": "sign-in", "account": user.pk})
    remember_browser(request, user)


def make_coarse(sender: object, instance: UserSession, **_: object) -> None:
    """Shorten a session's address and browser to what its owner needs to recognize it."""
    instance.ip = coarse(instance.ip).partition("/")[0] or "0.0.0.0"
    instance.user_agent = browser_name(instance.user_agent)


def connect() -> None:
    """Connect the signal handlers; called once, when the app is ready."""
    user_signed_up.connect(on_sign_up, dispatch_uid="admit")
    user_logged_in.connect(on_sign_in, dispatch_uid="note sign-in")
    user_logged_out.connect(on_sign_out, dispatch_uid="forget in the browser")
    for changed in (password_changed, password_set):
        changed.connect(new_password, dispatch_uid="note password")
    pre_save.connect(make_coarse, sender=UserSession, dispatch_uid="coarse session")


KEPT = timedelta(days=90)
SHOWN = 20


def note_sign_in(user: User, *, method: str, device: str, network: str, known: bool, now: datetime) -> SignIn:
    """Record a sign-in, and mail the owner if the browser was not known. The first sign-in counts as known."""
    with transaction.atomic():
        first = user.last_login is None and not SignIn.objects.filter(user=user).exists()
        row = SignIn.objects.create(
            user=user, at=now, method=method[:24], device=device[:80], network=network[:48], known=known or first
        )
        if not row.known and outbox.sends() and outbox.reaches(user):
            outbox.about_account(user.email, *_letter(user, row), now, user=user)
    return row


def recent(user: User) -> list[SignIn]:
    """Return the latest sign-ins, newest first."""
    return list(SignIn.objects.filter(user=user).order_by("-at", "-pk")[:SHOWN])


def tidy(now: datetime) -> int:
    """Delete sign-ins older than `KEPT` and return how many were deleted."""
    return SignIn.objects.filter(at__lt=now - KEPT).delete()[0]


def tidy_sessions(now: datetime) -> int:
    """Delete expired sessions with their browser data and return how many were deleted."""
    over = Session.objects.filter(expire_date__lt=now).delete()[0]
    UserSession.objects.exclude(session_key__in=Session.objects.values("session_key")).delete()
    return over


def _letter(user: User, row: SignIn) -> tuple[str, str]:
    """Return subject and body of the mail about a sign-in."""
    facts = [_("Time: {time}").format(time=people.own_time(user, row.at))]
    if row.device:
        facts.append(_("Browser: {browser}").format(browser=row.device))
    if row.network:
        facts.append(_("Network: {network}").format(network=row.network))
    return notifications.compose("new_sign_in", name=user.username, facts="\n".join(facts), base=settings.BASE_URL)


Answer = Callable[[HttpRequest], HttpResponse]
COOKIE, SALT = f"{settings.COOKIE_PREFIX}device", "device"
LASTS = 400 * 24 * 3600  # seconds; the maximum that browsers allow
MOST_ACCOUNTS = 5
"""Maximum number of accounts that know one browser."""
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
    """Return the mark of this browser if it signed in to this account before, else ""."""
    mark, password = _read_cookie(request).get(str(user.pk), ("", ""))
    return mark if mark and password == _password(user) else ""


def remember_browser(request: HttpRequest, user: AbstractBaseUser) -> None:
    """Set, with the response to this request, the cookie that makes the browser known to this account."""
    entries = _read_cookie(request)
    mark = knows_browser(request, user) or secrets.token_urlsafe(9)
    entries.pop(str(user.pk), None)
    entries[str(user.pk)] = (mark, _password(user))
    request._device = dict(list(entries.items())[-MOST_ACCOUNTS:])  # type: ignore[attr-defined]


def keep_device(answer: Answer) -> Answer:
    """Set the cookie after somebody signed in or changed the password (middleware)."""

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
    """Return browser and system in words: enough to recognize a device, too little to track it."""
    browser = next((name for sign, name in _BROWSERS if sign in user_agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in user_agent), "")
    return " / ".join(filter(None, (browser, system)))


def coarse(address: str) -> str:
    """Return the shortened address, such as `203.0.113.0/24`; empty where addresses are not noted."""
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
"""Second factors. Recovery codes only stand in for one."""
WITHOUT_FACTOR = (
    "/accounts/2fa/", "/accounts/reauthenticate/", "/accounts/oidc/", "/accounts/logout/", "/language", "/help/",
    "/words/", "/static/",
)  # fmt: skip
"""Pages open to people who must set up a second factor: setting it up, signing out, help."""


def lacks_factor(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Return whether this account must set up a second factor before anything else."""
    if not user.is_authenticated or settings.SECOND_FACTOR == "optional":
        return False
    if settings.SECOND_FACTOR == "staff" and not people.is_moderator(user):
        return False
    return not Authenticator.objects.filter(user_id=user.pk, type__in=FACTORS).exists()


def require_second_factor(answer: Answer) -> Answer:
    """Redirect people who must set up a second factor to its page; the API answers 403 (middleware)."""

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


CODES_BY_ACCOUNT = (limits.Limit("code-5m", 5, 5 * 60), limits.Limit("code-1d", 50, 24 * 3600))
"""Limits on wrong codes per account, over all browsers that never signed in to it."""
CODES_BY_DEVICE = (limits.Limit("code-device-5m", 10, 5 * 60), limits.Limit("code-device-1d", 50, 24 * 3600))
"""Limits per account and browser, for browsers that signed in to the account before."""


class CountedCode(forms.Form):
    """Base of allauth's forms with a code: counts wrong codes. Nobody else can use up those of a known browser."""

    def clean_code(self) -> str:
        """Return the code if it is correct and not too many were wrong before."""
        user: AbstractBaseUser = getattr(self, "user", context.request.user)
        device = knows_browser(context.request, user)
        whose = f"user-{user.pk} {device}"
        lanes = CODES_BY_DEVICE if device else CODES_BY_ACCOUNT
        if [limits.spend(limit, whose) for limit in lanes].count(False):
            raise get_adapter().validation_error("too_many_login_attempts")
        code = str(super().clean_code())  # type: ignore[misc]  # of the form behind
        for limit in lanes:
            limits.give_back(limit, whose)
        return code


class HashedCode(forms.Form):
    """Base of allauth's forms that take recovery codes, of which only hashes are stored."""

    user: AbstractBaseUser

    def clean_code(self) -> str:
        """Return the code, or the hash of a recovery code, if it is correct."""
        self.cleaned_data["code"] = hash_code(self.user, self.cleaned_data["code"])
        return str(super().clean_code())  # type: ignore[misc]  # of the form behind


def hash_code(user: AbstractBaseUser, typed: str) -> str:
    """Return the hash of a valid recovery code of this user, else the normalized code, so that typing a hash fails."""
    code = str(normalize_user_code(typed))
    hashes: list[str] | None = next((one.data.get("migrated_codes") for one in _codes_of(user.pk)), None)
    if not hashes or len(code) != app_settings.RECOVERY_CODE_DIGITS:
        return code
    parts: Any = HASHER.decode(hashes[0])
    digest = HASHER.encode(code, parts["salt"], parts["iterations"])
    return digest if digest in hashes else code


def show_codes(request: HttpRequest) -> HttpResponse:
    """Show the recovery codes once; only hashes are kept from then on."""
    answer: HttpResponse = view_recovery_codes(request)
    if isinstance(answer, TemplateResponse):
        answer.render()
        hash_shown_codes(_codes_of(request.user.pk))
    return answer


def hash_shown_codes(of: QuerySet[Any]) -> int:
    """Replace codes that were shown by their hashes and return the number of accounts changed."""
    with transaction.atomic():
        rows = [one for one in of.select_for_update() if "seed" in one.data and one.wrap().did_view]
        for one in rows:
            salt = secrets.token_hex(8)  # one salt for all codes, so that a typed code is hashed once
            hashes = [HASHER.encode(code, salt) for code in one.wrap().get_unused_codes()]
            one.data = {"migrated_codes": hashes, "viewed_at": one.data["viewed_at"]}
            one.save(update_fields=["data"])
    return len(rows)


def tidy_codes(now: datetime) -> int:
    """Hash the codes of one account that were shown but not yet hashed; return the number of accounts changed."""
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
