"""How accounts come about and are signed in to, as allauth asks; and guesses at passwords, which are counted.

Of providers (OpenID Connect) more is asked than django-allauth asks: each sign-in has a nonce of its own, which must
come back in the ID token; that token and the user information must be of the same person, and the issuer must be the
one that the operator has named.
"""

from __future__ import annotations

import logging
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from requests import RequestException

from gamesmaster.host.accounts import sign_up, signing_in
from gamesmaster.host.accounts.sign_up import INVITED
from gamesmaster.host.site import clock, limits
from gamesmaster.host.site.limits import Limit
from gamesmaster.host.tables import outbox


class NamedIssuer(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """Believes metadata only of the issuer that the operator has named."""

    @property
    def openid_config(self) -> dict[str, Any]:
        """What the provider's server says of itself; raises `OAuth2Error` if it speaks for another issuer."""
        metadata: dict[str, Any] = super().openid_config
        if not _is_named(self.get_provider(), metadata.get("issuer")):
            raise OAuth2Error("the metadata are of another issuer")
        return metadata


class NamedProvider(OpenIDConnectProvider):  # type: ignore[misc]
    """A provider that the operator has named."""

    package = OpenIDConnectProvider.get_package()  # where its addresses are
    oauth2_adapter_class = NamedIssuer

    def redirect(
        self, request: HttpRequest, process: str, next_url: str | None = None, data: Any = None, **more: Any
    ) -> HttpResponse:
        """Send the browser to the provider; its session remembers the nonce."""
        nonce = secrets.token_urlsafe(16)
        parameters = {**(more.pop("auth_params", None) or self.get_auth_params()), "nonce": nonce}
        try:
            answer: HttpResponse = super().redirect(
                request, process, next_url, data, auth_params=parameters, nonce=nonce, **more
            )
        except (OAuth2Error, RequestException) as error:
            answer = render_authentication_error(request, self, exception=error)
        return answer


def check(login: SocialLogin) -> None:
    """Raise `PermissionDenied` unless this answer of a provider belongs to the sign-in that the browser has begun."""
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


# -- how accounts come about and are signed in to, as allauth asks -----------------------------------------------------


SENT = "account/messages/email_confirmation_sent.txt"
UNSENT = "accounts/no_mail.txt"
ASKS = ("account/email/email_confirmation", "account/email/email_confirmation_signup")
"""The mails that ask whether an address is somebody's: the only ones that go to an address not confirmed yet."""
MOST_ASKED = limits.Limit("confirmations", 5, 24 * 3600)
MOST_NOTICES = limits.Limit("account-mails", 20, 24 * 3600)
"""To one address in a day."""


class Accounts(DefaultAccountAdapter):  # type: ignore[misc]
    """The rules of this site for accounts."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write a mail to the outbox, if it may go to this address."""
        asks = template_prefix in ASKS
        if not outbox.sends() or not (asks or EmailAddress.objects.filter(email__iexact=email, verified=True).exists()):
            return
        if not limits.spend(MOST_ASKED if asks else MOST_NOTICES, email.casefold()):
            return
        values = {"request": self.request, "email": email, "site": settings.BASE_URL, **context}
        mail = self.render_mail(template_prefix, email, values)
        user = context.get("user")
        outbox.about_account(
            email, str(mail.subject), str(mail.body), clock.now(), user=user if isinstance(user, User) else None
        )

    def should_send_confirmation_mail(self, request: HttpRequest, email_address: EmailAddress, signup: bool) -> bool:
        """Is an address to be confirmed at sign-up?"""
        return outbox.sends() and bool(super().should_send_confirmation_mail(request, email_address, signup))

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """May whoever asks make an account?"""
        return sign_up.may_sign_up(str(request.session.get(INVITED, "")), clock.now())

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **more: Any
    ) -> None:
        """Tell something at the top of the next page; that a mail was sent only if mails are."""
        template = UNSENT if message_template == SENT and not outbox.sends() else message_template
        super().add_message(request, level, template, *args, **more)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name, if an account may have it; raises `ValidationError`."""
        wrong = sign_up.name_fault(username)
        if wrong:
            raise ValidationError(wrong)
        return str(super().clean_username(username, shallow))

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address of whoever asks."""
        return limits.address(request)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse to look at a password where too many were wrong."""
        self._attempt = attempt(request, credentials)
        if not self._attempt.allowed:
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Who has this name and password; a right one is not counted among the tries."""
        user: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if user is not None:
            self._attempt.note_success()
        return user

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Note in the log that a password was wrong."""
        self._attempt.note_failure()

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        forgive(request, credentials)  # a new password was chosen by mail


class Providers(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """The rules of this site for accounts made through a provider: those of all others."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """May whoever comes from a provider make an account?"""
        return Accounts(request).is_open_for_signup(request)

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Refuse an answer of a provider that does not belong to this sign-in."""
        check(sociallogin)


LOG = logging.getLogger("gamesmaster.host")
MINUTE, HOUR, DAY = 60, 3600, 24 * 3600
BY_STRANGERS = (Limit("guess-5m", 5, 5 * MINUTE), Limit("guess-1h", 10, HOUR), Limit("guess-1d", 20, DAY))
"""Of one account from one network, by browsers that were never signed in to it."""
BY_NETWORK = (Limit("guess-net-5m", 30, 5 * MINUTE), Limit("guess-net-1d", 300, DAY))
"""Of all accounts from one network."""
BY_DEVICE = (Limit("guess-device-5m", 10, 5 * MINUTE), Limit("guess-device-1d", 50, DAY))
"""Of one account by a browser that was signed in to it before."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """A password that is about to be looked at, counted already; `lanes` are the counters it is counted in."""

    account: int | None
    network: str
    lanes: tuple[tuple[Limit, str], ...]
    allowed: bool

    def note_success(self) -> None:
        """It was right: it does not count."""
        for limit, whose in self.lanes:
            limits.give_back(limit, whose)

    def note_failure(self) -> None:
        """It was wrong: note it.  What was typed is not noted; people mistake the field for that of the password."""
        facts = {"event": "sign-in", "account": self.account, "network": self.network, "why": "wrong"}
        LOG.warning("a sign-in failed", extra=facts)


def attempt(request: HttpRequest, credentials: Mapping[str, Any]) -> Attempt:
    """Count one more attempt to sign in with these credentials (`username`, `email`)."""
    account, whose = _account(credentials)
    lanes = _lanes(request, account, whose)
    allowed = [limits.spend(*lane) for lane in lanes].count(False) == 0  # each is counted, whatever the others say
    network = signing_in.coarse(limits.address(request))
    if not allowed:
        facts = {"event": "sign-in", "account": account.pk if account else None, "network": network, "why": "too many"}
        LOG.warning("a sign-in was refused", extra=facts)
    return Attempt(account.pk if account else None, network, lanes, allowed)


def forgive(request: HttpRequest, credentials: Mapping[str, Any]) -> None:
    """Count anew: whoever asks has shown in another way that the account is his or hers."""
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
    """The account that is meant, by name or by address, and what it is counted as; also for one that there is not."""
    typed = sorted({str(credentials[field]) for field in ("username", "email") if credentials.get(field)})
    meant = Q(pk=None)
    for one in typed:
        meant |= Q(username__iexact=one) | Q(email__iexact=one) | Q(emailaddress__email__iexact=one)
    user = User.objects.filter(meant).order_by("pk").first()
    return user, f"user-{user.pk}" if user is not None else f"name-{' '.join(typed).casefold()}"
