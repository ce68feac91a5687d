"""OpenID Connect providers: what is asked of their answers beyond what django-allauth asks.

Each sign-in has a nonce of its own, which must come back in the ID token; that token and the user information must be
of the same person, and the issuer must be the one that the operator has named.
"""

from __future__ import annotations

import secrets
from typing import Any

from allauth.socialaccount.helpers import render_authentication_error
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from requests import RequestException


class NamedIssuer(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    """Believes metadata only of the issuer that the operator has named."""

    @property
    def openid_config(self) -> dict[str, Any]:
        """What the provider's server says of itself; raises `OAuth2Error` if it speaks for another issuer."""
        told: dict[str, Any] = super().openid_config
        if not _is_named(self.get_provider(), told.get("issuer")):
            raise OAuth2Error("the metadata are of another issuer")
        return told


class NamedProvider(OpenIDConnectProvider):  # type: ignore[misc]
    """A provider that the operator has named."""

    package = OpenIDConnectProvider.get_package()  # where its addresses are
    oauth2_adapter_class = NamedIssuer

    def redirect(
        self, request: HttpRequest, process: str, next_url: str | None = None, data: Any = None, **more: Any
    ) -> HttpResponse:
        """Send the browser to the provider; its session remembers the nonce."""
        nonce = secrets.token_urlsafe(16)
        asked = {**(more.pop("auth_params", None) or self.get_auth_params()), "nonce": nonce}
        try:
            answer: HttpResponse = super().redirect(
                request, process, next_url, data, auth_params=asked, nonce=nonce, **more
            )
        except (OAuth2Error, RequestException) as error:
            answer = render_authentication_error(request, self, exception=error)
        return answer


def check(login: SocialLogin) -> None:
    """Raise `PermissionDenied` unless this answer of a provider belongs to the sign-in that the browser has begun."""
    told = login.account.extra_data
    token, person = told.get("id_token", {}), told.get("userinfo", {})
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
