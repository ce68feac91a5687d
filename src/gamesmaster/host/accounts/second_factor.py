"""Second factors: who must have one, and how those who have none are led to it."""

from __future__ import annotations

from collections.abc import Callable

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from gamesmaster.host.accounts import people
from gamesmaster.host.site import refusals

FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
"""What counts as a second factor; recovery codes only stand in for one."""
OPEN = (
    "/accounts/2fa/", "/accounts/reauthenticate/", "/accounts/oidc/", "/accounts/logout/", "/language", "/help/",
    "/words/", "/static/",
)  # fmt: skip
"""What somebody needs who sets one up, or would rather sign out."""
Answer = Callable[[HttpRequest], HttpResponse]


def is_missing(user: AbstractBaseUser | AnonymousUser) -> bool:
    """Must this account set up a second factor before it does anything else?"""
    if not user.is_authenticated or settings.SECOND_FACTOR == "optional":
        return False
    if settings.SECOND_FACTOR == "staff" and not people.is_moderator(user):
        return False
    return not Authenticator.objects.filter(user_id=user.pk, type__in=FACTORS).exists()


def require_second_factor(answer: Answer) -> Answer:
    """Lead those who must set up a second factor to the page for it, whatever they ask for (a middleware)."""

    def answered(request: HttpRequest) -> HttpResponse:
        if request.path.startswith(OPEN) or not is_missing(request.user):
            return answer(request)
        what = _("This site asks for a second factor: set up an app or add a key, then go on.")
        if request.path.startswith("/api/"):
            return refusals.answer(403, "no-second-factor", what, f"{settings.BASE_URL}/accounts/2fa/")
        messages.warning(request, what)
        return redirect("mfa_index")

    return answered
