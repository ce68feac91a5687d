"""Hooks of django-allauth: sign-up, sign-in, providers (OpenID Connect), and limits on password guesses.

Providers must meet more than django-allauth requires. Each sign-in has a nonce that must come back in the ID token; the
token and the user information must name the same subject; the issuer must be the configured one.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter, get_adapter
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from requests import RequestException

from gamesmaster.host.accounts import confirming, sign_up, signing_in
from gamesmaster.host.accounts.sign_up import INVITED
from gamesmaster.host.site import clock, limits
from gamesmaster.host.site.limits import Limit
from gamesmaster.host.tables import outbox


class NamedIssuer(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """Accepts metadata only from the issuer that the operator configured."""

    @property
    def openid_config(self) -> dict[str, Any]:
        """Return the provider's metadata; raise `OAuth2Error` if they name another issuer."""
        metadata: dict[str, Any] = super().openid_config
        if not _is_named(self.get_provider(), metadata.get("issuer")):
            raise OAuth2Error("the metadata are of another issuer")
        return metadata


class NamedProvider(OpenIDConnectProvider):  # type: ignore[misc]
    """A provider that the operator configured."""

    package = OpenIDConnectProvider.get_package()  # allauth finds the URLs there
    oauth2_adapter_class = NamedIssuer

    def get_auth_params_from_request(self, request: HttpRequest, action: str) -> dict[str, Any]:
        """Return the operator's parameters. A link must not add any: it could name another client or address."""
        found: dict[str, Any] = self.get_auth_params()
        return found

    def get_scope_from_request(self, request: HttpRequest) -> list[str]:
        """Return the operator's scope. A link must not ask for more."""
        found: list[str] = self.get_scope()
        return found

    def redirect(
        self, request: HttpRequest, process: str, next_url: str | None = None, data: Any = None, **more: Any
    ) -> HttpResponse:
        """Redirect the browser to the provider; the session stores the nonce."""
        nonce = secrets.token_urlsafe(16)
        parameters = {**(more.pop("auth_params", None) or self.get_auth_params()), "nonce": nonce}
        if process == AuthProcess.REDIRECT:  # in order to confirm: whoever is signed in there is asked again
            parameters["max_age"] = 0
        try:
            answer: HttpResponse = super().redirect(
                request, process, next_url, data, auth_params=parameters, nonce=nonce, **more
            )
        except (OAuth2Error, RequestException) as error:
            answer = render_authentication_error(request, self, exception=error)
        return answer


def check(login: SocialLogin) -> None:
    """Raise `PermissionDenied` unless the provider's answer belongs to the sign-in that this browser began."""
    answer = login.account.extra_data
    token, person = answer.get("id_token", {}), answer.get("userinfo", {})
    nonce = login.state.get("nonce")
    if not nonce or not secrets.compare_digest(str(token.get("nonce")).encode(), nonce.encode()):
        raise PermissionDenied("the ID token is of another sign-in")
    if "sub" not in token or person.get("sub", token["sub"]) != token["sub"]:
        raise PermissionDenied("the ID token is of another person")
    if not _is_named(login.account.get_provider(), token.get("iss")):
        raise PermissionDenied("the ID token is of another issuer")


def _is_named(provider: OpenIDConnectProvider, issuer: object) -> bool:
    named = str(provider.app.settings["server_url"]).partition("/.well-known/")[0]
    return str(issuer).rstrip("/") == named.rstrip("/")


# -- hooks of allauth for sign-up and sign-in --------------------------------------------------------------------------


SENT = "account/messages/email_confirmation_sent.txt"
UNSENT = "accounts/no_mail.txt"
ASKS = ("account/email/email_confirmation", "account/email/email_confirmation_signup")
"""Templates of the mails that confirm an address: the only ones sent to an unconfirmed address."""
MOST_ASKED = limits.Limit("confirmations", 5, 24 * 3600)
MOST_NOTICES = limits.Limit("account-mails", 20, 24 * 3600)
CODE = "account/email/login_code"
MOST_CODES = limits.Limit("account-codes", 20, 24 * 3600)
"""Limits per address and day."""


class Accounts(DefaultAccountAdapter):  # type: ignore[misc]
    """The site's rules for accounts."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Put a mail into the outbox if it may go to this address and the limit allows it."""
        asks = template_prefix in ASKS
        if not outbox.sends() or not (asks or EmailAddress.objects.filter(email__iexact=email, verified=True).exists()):
            return
        if template_prefix == CODE:
            self._count_code(email)
        elif not limits.spend(MOST_ASKED if asks else MOST_NOTICES, email.casefold()):
            return
        links = {name: _on_this_site(value) for name, value in context.items() if name.endswith("_url")}
        values = {"request": self.request, "email": email, "site": settings.BASE_URL, **context, **links}
        mail = self.render_mail(template_prefix, email, values)
        user = context.get("user")
        outbox.about_account(
            email, str(mail.subject), str(mail.body), clock.now(), user=user if isinstance(user, User) else None
        )

    def _count_code(self, email: str) -> None:
        """Count a mailed code; show a page that says so if there are too many. A known browser has its own count."""
        device = signing_in.knows_browser(self.request, self.request.user)
        if not limits.spend(MOST_CODES, f"{email.casefold()} {device}"):
            raise ImmediateHttpResponse(render(self.request, "429.html", status=429))

    def should_send_confirmation_mail(self, request: HttpRequest, email_address: EmailAddress, signup: bool) -> bool:
        """Return whether sign-up sends a mail that confirms the address."""
        return outbox.sends() and bool(super().should_send_confirmation_mail(request, email_address, signup))

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether this visitor may create an account."""
        return sign_up.may_sign_up(str(request.session.get(INVITED, "")), clock.now())

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **more: Any
    ) -> None:
        """Show a message on the next page; "mail sent" becomes "no mail" if the site sends none."""
        template = UNSENT if message_template == SENT and not outbox.sends() else message_template
        super().add_message(request, level, template, *args, **more)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name if an account may have it; raise `ValidationError` otherwise."""
        wrong = sign_up.name_fault(username)
        if wrong:
            raise ValidationError(wrong)
        return str(super().clean_username(username, shallow))

    def is_reauthentication_required(self, *, app: str, **more: Any) -> bool:
        """Return whether the owner has to confirm before something that matters: unless just done, or signed in."""
        if confirming.is_confirmed(self.request):
            return False
        confirming.forget(self.request)
        return True

    def get_reauthentication_methods(self, user: AbstractBaseUser | AnonymousUser) -> list[Mapping[str, str]]:
        """Return the ways in which this account can confirm, the best one first."""
        known: list[Mapping[str, str]] = super().get_reauthentication_methods(user)
        return confirming.ways(self.request, user, known) if isinstance(user, User) else known

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """Return the error with this code, logging a wrong mailed code."""
        if code == "incorrect_code":
            signing_in.log_wrong_code(self.request)
        error: ValidationError = super().validation_error(code, *args)
        return error

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address."""
        return limits.address(request)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count the attempt, and refuse it after too many wrong passwords."""
        self._attempt = attempt(request, credentials)
        if not self._attempt.allowed:
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Return the user with this name and password; a correct password is not counted."""
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user is not None:
            self._attempt.note_success()
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Log a wrong password."""
        self._attempt.note_failure()

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        forgive(request, credentials)  # a new password was chosen by mail


def _on_this_site(url: str) -> str:
    """Return the link with the configured address in place of the one that the request named."""
    return settings.BASE_URL + urlsplit(url)._replace(scheme="", netloc="").geturl()


class Providers(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """The site's rules for accounts created through a provider: the same as for all others."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """Return whether a visitor from a provider may create an account."""
        return Accounts(request).is_open_for_signup(request)

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Refuse a provider's answer that does not belong to this sign-in; note when the person signed in there."""
        check(sociallogin)
        confirming.note_sign_in(request, sociallogin, get_adapter().get_reauthentication_methods(request.user))


LOG = logging.getLogger("gamesmaster.host")
MINUTE, HOUR, DAY = 60, 3600, 24 * 3600
BY_STRANGERS = (Limit("guess-5m", 5, 5 * MINUTE), Limit("guess-1h", 10, HOUR), Limit("guess-1d", 20, DAY))
"""Limits per account and network, for browsers that never signed in to the account."""
BY_NETWORK = (Limit("guess-net-5m", 30, 5 * MINUTE), Limit("guess-net-1d", 300, DAY))
"""Limits per network, over all accounts."""
BY_DEVICE = (Limit("guess-device-5m", 10, 5 * MINUTE), Limit("guess-device-1d", 50, DAY))
"""Limits per account and browser, for browsers that signed in to the account before."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """An attempt to sign in, counted before its password is checked."""

    account: int | None  # its primary key; None if no account matches
    network: str  # coarse network, as logged
    lanes: tuple[tuple[Limit, str], ...]  # each limit with the key that it was counted under
    allowed: bool  # False if any limit is exceeded

    def note_success(self) -> None:
        """Give back the counts: the password was correct."""
        for limit, whose in self.lanes:
            limits.give_back(limit, whose)

    def note_failure(self) -> None:
        """Log a wrong password. The typed name is not logged: people type passwords into that field."""
        facts = {"event": "sign-in", "account": self.account, "network": self.network, "why": "wrong"}
        LOG.warning("a sign-in failed", extra=facts)


def attempt(request: HttpRequest, credentials: Mapping[str, Any]) -> Attempt:
    """Count an attempt to sign in with these credentials (`username`, `email`) and return it."""
    account, whose = _account(credentials)
    lanes = _lanes(request, account, whose)
    # a list: all limits must count, even after one has refused
    allowed = [limits.spend(*lane) for lane in lanes].count(False) == 0
    network = signing_in.coarse(limits.address(request))
    if not allowed:
        facts = {"event": "sign-in", "account": account.pk if account else None, "network": network, "why": "too many"}
        LOG.warning("a sign-in was refused", extra=facts)
    return Attempt(account.pk if account else None, network, lanes, allowed)


def forgive(request: HttpRequest, credentials: Mapping[str, Any]) -> None:
    """Reset the counters of an account whose owner proved ownership in another way. Network limits stay."""
    for limit, whose in _lanes(request, *_account(credentials)):
        if limit not in BY_NETWORK:
            limits.forgive(limit, whose)


def _lanes(request: HttpRequest, account: User | None, whose: str) -> tuple[tuple[Limit, str], ...]:
    device = signing_in.knows_browser(request, account) if account is not None else ""
    if device:
        return tuple((limit, f"{whose} {device}") for limit in BY_DEVICE)
    network = limits.network(limits.address(request))
    near = [(limit, f"{whose} {network}") for limit in BY_STRANGERS]
    return (*near, *((limit, network) for limit in BY_NETWORK))


def _account(credentials: Mapping[str, Any]) -> tuple[User | None, str]:
    """Return the account that the credentials name, if any, and the key under which attempts are counted."""
    typed = sorted({str(credentials[field]) for field in ("username", "email") if credentials.get(field)})
    meant = Q(pk=None)
    for one in typed:
        # a list: with a join or a subquery, PostgreSQL would read all accounts
        further = list(EmailAddress.objects.filter(email__iexact=one).values_list("user", flat=True))
        meant |= Q(username__iexact=one) | Q(email__iexact=one) | Q(pk__in=further)
    user = User.objects.filter(meant).order_by("pk").first()
    return user, f"user-{user.pk}" if user is not None else f"name-{' '.join(typed).casefold()}"
