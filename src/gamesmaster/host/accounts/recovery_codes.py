"""Recovery codes: once they were shown, only their hashes are kept.

django-allauth keeps a seed that the codes follow from, or the codes themselves (`migrated_codes`).  Hashes stand in
their place here, and a typed code is looked up by its hash.
"""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any

from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import view_recovery_codes
from django import forms
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path

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
