"""Second factors: who must have one, and how those who have none are led to it; and recovery codes.

Of recovery codes, once they were shown, only hashes are kept.  django-allauth keeps a seed that they follow from, or
the codes themselves (`migrated_codes`).  Hashes stand in their place here, and a typed code is looked up by its hash.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import datetime
from typing import Any

from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import view_recovery_codes
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
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


# -- recovery codes ----------------------------------------------------------------------------------------------------


HASHER = PBKDF2PasswordHasher()


class HashedCode(forms.Form):
    """A form that is given a code: stands before one of allauth's, which knows no hashes."""

    user: AbstractBaseUser

    def clean_code(self) -> str:
        """The code, if it is right."""
        self.cleaned_data["code"] = as_kept(self.user, self.cleaned_data["code"])
        return str(super().clean_code())  # type: ignore[misc]  # of the form behind


def as_kept(user: AbstractBaseUser, typed: str) -> str:
    """The hash of a recovery code of this user; anything else without its signs, so that no hash can be typed."""
    code = str(normalize_user_code(typed))
    kept: list[str] | None = next((one.data.get("migrated_codes") for one in _of(user.pk)), None)
    if not kept or len(code) != app_settings.RECOVERY_CODE_DIGITS:
        return code
    told: Any = HASHER.decode(kept[0])
    digest = HASHER.encode(code, told["salt"], told["iterations"])
    return digest if digest in kept else code


def show(request: HttpRequest) -> HttpResponse:
    """The codes, once; from then on only hashes are kept."""
    answer: HttpResponse = view_recovery_codes(request)
    if isinstance(answer, TemplateResponse):
        answer.render()
        hash_shown(_of(request.user.pk))
    return answer


def hash_shown(of: QuerySet[Any]) -> int:
    """Put hashes in the place of codes that were shown; of how many accounts?"""
    with transaction.atomic():
        found = [one for one in of.select_for_update() if "seed" in one.data and one.wrap().did_view]
        for one in found:
            salt = secrets.token_hex(8)  # one for all codes, so that a typed one is hashed once
            hashes = [HASHER.encode(code, salt) for code in one.wrap().get_unused_codes()]
            one.data = {"migrated_codes": hashes, "viewed_at": one.data["viewed_at"]}
            one.save(update_fields=["data"])
    return len(found)


def tidy(now: datetime) -> int:
    """Hash the codes of one account that showed them before hashes were kept, or whose page broke off; how many?"""
    one = Authenticator.objects.filter(
        type=Authenticator.Type.RECOVERY_CODES, data__has_key="seed", data__viewed_at__isnull=False
    ).order_by("pk")[:1]
    return hash_shown(Authenticator.objects.filter(pk__in=[found.pk for found in one]))


def _of(user: object) -> QuerySet[Any]:
    found: QuerySet[Any] = Authenticator.objects.filter(user_id=user, type=Authenticator.Type.RECOVERY_CODES)
    return found


urlpatterns: list[URLPattern] = [path("accounts/2fa/recovery-codes/", show, name="mfa_view_recovery_codes")]
