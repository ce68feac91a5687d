"""How accounts of this site differ from those that django-allauth makes by itself.

Mails about accounts are written to the outbox, so that no page waits for a mail server; an address that nobody has
confirmed gets the mail that asks for it and nothing else; and nobody is told that a mail was sent where none are.
"""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from allauth.socialaccount.models import SocialLogin
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.contrib.sites.shortcuts import get_current_site
from django.core.exceptions import ValidationError
from django.http import HttpRequest

from gamesmaster.host import guessing
from gamesmaster.host.service import clock, limits, names, outbox, sign_up

SENT = "account/messages/email_confirmation_sent.txt"
UNSENT = "host/no_mail.txt"
INVITED = "sign-up invitation"
"""Where a session remembers the invitation that somebody has come with."""
ASKS = ("account/email/email_confirmation", "account/email/email_confirmation_signup")
"""The mails that ask whether an address is somebody's: the only ones that go to an address not confirmed yet."""
MOST_ASKED = limits.Limit("confirmations", 5, 24 * 3600)
MOST_TOLD = limits.Limit("account-mails", 20, 24 * 3600)
"""To one address in a day."""


class Accounts(DefaultAccountAdapter):  # type: ignore[misc]
    """The rules of this site for accounts."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Write a mail to the outbox, if it may go to this address."""
        asks = template_prefix in ASKS
        if not outbox.sends() or not (asks or EmailAddress.objects.filter(email__iexact=email, verified=True).exists()):
            return
        if not limits.spend(MOST_ASKED if asks else MOST_TOLD, email.casefold()):
            return
        told = {"request": self.request, "email": email, "current_site": get_current_site(self.request), **context}
        mail = self.render_mail(template_prefix, email, told)
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
        told = UNSENT if message_template == SENT and not outbox.sends() else message_template
        super().add_message(request, level, told, *args, **more)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name, if an account may have it; raises `ValidationError`."""
        wrong = names.fault(username)
        if wrong:
            raise ValidationError(wrong)
        return str(super().clean_username(username, shallow))

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address of whoever asks."""
        return limits.address(request)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Refuse to look at a password where too many were wrong."""
        self._attempt = guessing.attempt(request, credentials)
        if not self._attempt.allowed:
            raise self.validation_error("too_many_login_attempts")

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Who has this name and password; a right one is not counted among the tries."""
        found: AbstractBaseUser | None = super().authenticate(request, **credentials)
        if found is not None:
            self._attempt.succeeded()
        return found

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        """Note in the log that a password was wrong."""
        self._attempt.failed()

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        guessing.forgive(request, credentials)  # a new password was chosen by mail


class Providers(DefaultSocialAccountAdapter):  # type: ignore[misc]
    """The rules of this site for accounts made through a provider: those of all others."""

    def is_open_for_signup(self, request: HttpRequest, sociallogin: SocialLogin) -> bool:
        """May whoever comes from a provider make an account?"""
        return Accounts(request).is_open_for_signup(request)
