"""Signing in: by name or address with as much work for any account; what is noted of it, and of a new password."""

from __future__ import annotations

import logging
from typing import Any

from allauth.account.auth_backends import AuthenticationBackend
from allauth.account.authentication import get_authentication_records
from allauth.account.signals import password_changed, password_set, user_signed_up
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.core.exceptions import ValidationError
from django.db.models.signals import pre_save
from django.http import HttpRequest
from django.shortcuts import redirect

from gamesmaster.host import devices
from gamesmaster.host.accounts import INVITED
from gamesmaster.host.errors import Refused
from gamesmaster.host.service import clock, limits, sign_ins, sign_up

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
        found: AbstractBaseUser | None = super()._check_password(user, password)
        return found


class SecondFactors(DefaultMFAAdapter):  # type: ignore[misc]
    """Notes in the log that a code or a key was wrong."""

    def validation_error(self, code: str, *args: Any) -> ValidationError:
        """The error with this code."""
        if code == "incorrect_code":
            facts = {"event": "sign-in", "account": getattr(getattr(self.request, "user", None), "pk", None)}
            LOG.warning("a second factor failed", extra={**facts, "why": "wrong code"})
        error: ValidationError = super().validation_error(code, *args)
        return error


def signed_in(sender: object, request: HttpRequest, user: User, **_: object) -> None:
    """Note a sign-in, and make the browser known."""
    used = get_authentication_records(request, user) if hasattr(request, "session") else []
    method = "+".join(dict.fromkeys(str(one.get("type") or one["method"]) for one in used))
    known = bool(devices.known(request, user))
    network = devices.coarse(limits.address(request))
    browser = devices.named(request.META.get("HTTP_USER_AGENT", ""))
    sign_ins.note(user, method=method, device=browser, network=network, known=known, now=clock.now())
    LOG.info("signed in", extra={"event": "sign-in", "account": user.pk, "network": network, "why": method})
    devices.remember(request, user)


def signed_out(sender: object, request: HttpRequest, **_: object) -> None:
    """Let the answer tell the browser to forget what pages have kept in it (`house_headers`)."""
    request.has_signed_out = True  # type: ignore[attr-defined]


def signed_up(sender: object, request: HttpRequest, user: User, **_: object) -> None:
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
    devices.remember(request, user)


def make_coarse(sender: object, instance: UserSession, **_: object) -> None:
    """Keep no more of a session's address and browser than its owner needs to know it by."""
    instance.ip = devices.coarse(instance.ip).partition("/")[0] or "0.0.0.0"
    instance.user_agent = devices.named(instance.user_agent)


def connect() -> None:
    """Begin to note; once, when the app is ready."""
    user_signed_up.connect(signed_up, dispatch_uid="admit")
    user_logged_in.connect(signed_in, dispatch_uid="note sign-in")
    user_logged_out.connect(signed_out, dispatch_uid="forget in the browser")
    for changed in (password_changed, password_set):
        changed.connect(new_password, dispatch_uid="note password")
    pre_save.connect(make_coarse, sender=UserSession, dispatch_uid="coarse session")
