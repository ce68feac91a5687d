"""Accounts where a site may have no mail server: nothing is sent then, and nothing is said to have been sent."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.http import HttpRequest

from gamesmaster.host.service import outbox

SENT = "account/messages/email_confirmation_sent.txt"
UNSENT = "host/no_mail.txt"


class Accounts(DefaultAccountAdapter):  # type: ignore[misc]
    """Sends mails about accounts where the site sends any, and tells truthfully where it does not."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail, if mails can go anywhere."""
        if outbox.sends():
            super().send_mail(template_prefix, email, context)

    def should_send_confirmation_mail(self, request: HttpRequest, email_address: EmailAddress, signup: bool) -> bool:
        """Is an address to be confirmed at sign-up?"""
        return outbox.sends() and bool(super().should_send_confirmation_mail(request, email_address, signup))

    def add_message(
        self, request: HttpRequest, level: int, message_template: str | None = None, *args: Any, **more: Any
    ) -> None:
        """Tell something at the top of the next page; that a mail was sent only if mails are."""
        told = UNSENT if message_template == SENT and not outbox.sends() else message_template
        super().add_message(request, level, told, *args, **more)
