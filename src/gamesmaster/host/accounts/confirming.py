"""Confirmation that it is the owner, before anything that matters: when it is asked for, and how it is given.

django-allauth asks for it and offers the password, passkeys, one-time codes and mailed codes. This module adds that
signing in counts, that an account may sign in again at its provider, and which ways an account is offered.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Mapping, Sequence
from typing import Any

from allauth.account.authentication import get_authentication_records
from allauth.account.internal.flows.login import clear_authentication_records, record_authentication
from allauth.account.internal.flows.reauthentication import STATE_SESSION_KEY
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin
from allauth.socialaccount.providers.base.constants import AuthProcess
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _

from gamesmaster.host.tables import outbox

KEY, APP, PASSWORD, CODE = (
    "mfa_reauthenticate:webauthn", "mfa_reauthenticate", "reauthenticate", "reauthenticate_by_code",
)  # fmt: skip
"""Ways to confirm, as django-allauth names them."""
PROVIDER = "provider"
SIGN_IN = ("password", "code", "mfa", "socialaccount")
"""Methods of signing in that count as a confirmation."""
BACK = "back from the provider"
"""Session key: set once when the person has confirmed at the provider, until what waited for it goes on."""
RECENT = "recent at the provider"
"""Session key: whether the person proved his or her identity to the provider within the time that counts."""


def is_confirmed(request: HttpRequest) -> bool:
    """Return whether this browser's owner signed in, or confirmed, within `ACCOUNT_REAUTHENTICATION_TIMEOUT`."""
    return any(
        abs(time.time() - proof["at"]) < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT  # the clock may have been set back
        and proof["method"] in SIGN_IN
        and (proof["method"] != "socialaccount" or request.session.get(RECENT, False))
        for proof in get_authentication_records(request, request.user)
    )


def forget(request: HttpRequest) -> None:
    """Remove what waits for a confirmation, and proofs that no longer count.

    Otherwise a form or a provider that somebody left in a browser would be accepted when the owner next confirms.
    """
    request.session.pop(STATE_SESSION_KEY, None)
    clear_authentication_records(request)


def ways(request: HttpRequest, user: AbstractBaseUser, known: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
    """Return how this account can confirm, the best way first, of those that django-allauth knows.

    An account never confirms by less than it signs in with. A mailed code is only for accounts that have neither a
    password nor a second factor: a browser that somebody leaves open often shows the mailbox, too. The list is never
    empty; its last resort is a page that says what to do.
    """
    named = {way["id"]: way for way in known}
    own, factors = named.keys() & {KEY, APP, PASSWORD}, named.keys() & {KEY, APP}
    found = [named[way] for way in (KEY, PASSWORD, APP) if way in own and (way != KEY or has_passkeys(request))]
    again = {"id": PROVIDER, "description": _("Sign in again"), "url": reverse("sign-in-again")}
    if not factors and providers(request, user):
        found.append(again)
    if not own and CODE in named and outbox.sends():
        found.append({**named[CODE], "description": _("Have a code sent by e-mail")})
    return found or [again]


def providers(request: HttpRequest, user: AbstractBaseUser) -> list[tuple[str, str]]:
    """Return the name and the sign-in URL of each provider through which this account can sign in."""
    found = {}
    for account in SocialAccount.objects.filter(user_id=user.pk).order_by("pk"):
        try:
            provider = account.get_provider(request)
        except SocialApp.DoesNotExist:  # the operator has removed it
            continue
        found[provider.get_login_url(request)] = provider.name
    return [(name, url) for url, name in found.items()]


def note_sign_in(request: HttpRequest, login: SocialLogin, methods: Sequence[Mapping[str, str]]) -> None:
    """Note what a provider says about when a person proved his or her identity there.

    A provider may sign in a browser without asking. If it says that the person was last asked too long ago, that counts
    as no confirmation. If it does not say, it is trusted. For a person who is signed in already and came back from the
    provider in order to confirm, record the confirmation if this is one of the `methods` of the account.
    """
    when = login.account.extra_data.get("id_token", {}).get("auth_time")
    asked = when is None or _is_recent(when)
    process = login.state.get("process")
    if process not in (AuthProcess.REDIRECT, AuthProcess.CONNECT):  # anything else signs in, whatever it is called
        request.session[RECENT] = asked
    if process != AuthProcess.REDIRECT or not request.user.is_authenticated:
        return
    if not login.is_existing or login.user != request.user or PROVIDER not in [way["id"] for way in methods]:
        messages.error(request, _("This is not the account with which you sign in here. Nothing was confirmed."))
    elif not asked:
        messages.error(request, _("The provider has not asked you to sign in again. Sign out there, and try again."))
    else:
        request.session[RECENT] = request.session[BACK] = True
        facts: dict[str, Any] = {"provider": login.account.provider, "uid": login.account.uid}
        record_authentication(request, request.user, "socialaccount", reauthenticated=True, **facts)


def _is_recent(when: object) -> bool:
    """Return whether a time is a number of seconds (some providers send it as a text) within the time that counts."""
    try:
        return abs(time.time() - float(str(when))) < settings.ACCOUNT_REAUTHENTICATION_TIMEOUT
    except ValueError:
        return False


def has_passkeys(request: HttpRequest) -> bool:
    """Return whether browsers keep passkeys for the address of this request: a name reached by HTTPS, or localhost."""
    host = request.get_host().rpartition("]")[0].strip("[") or request.get_host().partition(":")[0]
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return request.is_secure() or settings.SESSION_COOKIE_SECURE
    return False
