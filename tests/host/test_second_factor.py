"""Who must have a second factor is led to it, and goes on once it is set up."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.contrib.auth.models import User
from django.test import Client
from django.urls import get_resolver

from gamesmaster.host.accounts import signing_in, tokens
from gamesmaster.host.site import clock

from .conftest import labels_in, person
from .processes import surroundings
from .test_accounts import PASSWORD, sign_in

pytestmark = pytest.mark.django_db
PAGES = ("/", "/games", "/me", "/me/data.json", "/me/tokens/", "/accounts/email/", "/accounts/password/change/")


def led(client: Client, *pages: str) -> set[bool]:
    """Is this browser led to the page of second factors, from each of these pages?"""
    return {client.get(page).headers.get("Location") == "/accounts/2fa/" for page in pages or PAGES}


def code_of(secret: str) -> str:
    """What an app would show now."""
    return str(format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time())))))


def keeper() -> User:
    """An admin."""
    boss = person("boss", password=PASSWORD)
    boss.is_superuser = True
    boss.save()
    return boss


@pytest.mark.parametrize(("chosen", "staff", "players"), [("optional", 0, 0), ("staff", 1, 0), ("all", 1, 1)])
def test_those_who_must_are_led_to_it(settings: Any, chosen: str, staff: bool, players: bool) -> None:
    """From every page, by the setting: nobody, admins and moderators, all; strangers look on."""
    settings.SECOND_FACTOR = chosen
    keeper()
    person("zoe", password=PASSWORD)
    assert led(sign_in("boss"), *PAGES, "/moderation/people") == {bool(staff)}
    assert led(sign_in("zoe")) == {bool(players)}
    assert led(Client(), "/", "/games?list=running", "/variants/") == {False}


@pytest.mark.parametrize(
    ("path", "labels"),
    [
        ("/accounts/2fa/totp/activate/", ["The same as text", "Code from the app"]),
        ("/accounts/2fa/webauthn/add/", ["Name of the key", "Sign in with this key alone, without a password"]),
    ],
)
def test_labels(path: str, labels: list[str]) -> None:
    """Fields are called as everywhere on the site, without a colon and without the same word within."""
    person("zoe", password=PASSWORD)
    client = sign_in("zoe")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    page = client.get(path, headers={"host": "localhost"}).content.decode()
    assert labels_in(page) == labels
    assert 'placeholder="' not in page
    assert "passwordless operation" not in page


def test_the_label_of_a_code() -> None:
    """Whoever has a second factor is asked for a code, in a field with a label."""
    secret = {"secret": "JBSWY3DPEHPK3PXP"}
    Authenticator.objects.create(user=person("zoe", password=PASSWORD), type="totp", data=secret)
    page = sign_in("zoe").get("/accounts/2fa/authenticate/").content.decode()
    assert labels_in(page) == ["Code"]


def test_nothing_is_changed_without_it(settings: Any) -> None:
    """Nor does the API take the session; a token made before goes on."""
    settings.SECOND_FACTOR = "all"
    zoe = person("zoe", password=PASSWORD)
    client = sign_in("zoe")
    assert client.post("/me", {"theme": "dark"}).headers["Location"] == "/accounts/2fa/"
    refused = client.get("/api/me")
    assert (refused.status_code, refused.json()["code"]) == (403, "no-second-factor")
    text, _ = tokens.make_token(zoe, "a program", ["read"], clock.now())
    assert Client().get("/api/me", headers={"authorization": f"Bearer {text}"}).status_code == 200
    Authenticator.objects.create(user=zoe, type=Authenticator.Type.RECOVERY_CODES, data={})
    assert led(client) == {True}, "recovery codes only stand in for a factor"


def test_set_up_and_go_on(settings: Any) -> None:
    """An app is set up by the pages that stay open; then all pages are, and the next sign-in asks for its code."""
    settings.SECOND_FACTOR = "staff"
    keeper()
    client = sign_in("boss")
    page = client.get("/games", follow=True)
    assert page.redirect_chain == [("/accounts/2fa/", 302)]
    assert "asks for a second factor" in page.content.decode()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    form = client.get("/accounts/2fa/totp/activate/").context["form"]
    answer = client.post("/accounts/2fa/totp/activate/", {"code": code_of(form.secret)})
    assert answer.headers["Location"] == "/accounts/2fa/recovery-codes/"
    assert led(client) == {False}
    again = sign_in("boss", Client())
    assert again.get("/accounts/2fa/authenticate/").status_code == 200
    assert again.get("/me").headers["Location"].startswith("/accounts/login/")


def test_a_code_works_once() -> None:
    """Somebody who looks over a shoulder cannot use the same code."""
    secret = "JBSWY3DPEHPK3PXP"
    Authenticator.objects.create(user=person("zoe", password=PASSWORD), type="totp", data={"secret": secret})
    code, codes = code_of(secret), []
    for _ in range(2):
        client = sign_in("zoe", Client())
        client.post("/accounts/2fa/authenticate/", {"code": code})
        codes.append(client.get("/me").status_code)
    assert codes == [200, 302]


def test_signing_out_stays_open(settings: Any) -> None:
    """Who would rather not may sign out."""
    settings.SECOND_FACTOR = "all"
    person("zoe", password=PASSWORD)
    client = sign_in("zoe")
    client.post("/accounts/logout/")
    assert led(client, "/") == {False}
    assert client.get("/me").headers["Location"].startswith("/accounts/login/")


def test_what_stays_open_is_there() -> None:
    """Each address that stays open leads to a page of this site, so that none that was moved shuts people out."""
    routes: Any = get_resolver().reverse_dict
    pages = {f"/{found[0][0][0]}" for found in routes.values()} | {"/static/"}
    assert [one for one in signing_in.WITHOUT_FACTOR if not any(page.startswith(one) for page in pages)] == []


def test_a_setting_that_there_is_not(tmp_path: Path) -> None:
    """A misspelt word does not open the site to passwords alone: nothing starts."""
    told = surroundings({"GAMESMASTER_SECOND_FACTOR": "stuff", "GAMESMASTER_DATA": str(tmp_path)})
    code = "from gamesmaster.host.apps import boot; boot()"
    found = subprocess.run([sys.executable, "-c", code], env=told, capture_output=True, text=True, check=False)
    assert found.returncode != 0
    assert "optional, staff or all" in found.stderr
