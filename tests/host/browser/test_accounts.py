"""Accounts in a real browser: passkeys with Chromium's own authenticator, one-time codes, and how the pages look."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value, yield_hotp_counters_from_time
from django.contrib.auth.models import User
from django.contrib.sessions.backends.db import SessionStore
from playwright.sync_api import Page, expect

from gamesmaster.host.models import OutMail
from tests.host.conftest import age_session, person
from tests.lengths import mark_long

from .walking import PHONE, enter, faults, let_rest, sign_up

PASSWORD = "a-long-secret-1"


def sign_in(page: Page, name: str = "zoe") -> None:
    """By the form."""
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill(name)
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form button[type=submit]").first.click()
    expect(page.get_by_role("link", name=name)).to_be_visible()


def test_a_form_that_is_filled_at_once_waits(page: Page, settings: Any) -> None:
    """A password manager fills in the form in no time: the page sends it when the site takes it for a person's."""
    settings.SIGN_UP_SECONDS = 1
    sign_up(page, "quick")
    assert User.objects.filter(username="quick").exists()


def later(page: Page) -> None:
    """Let so much time pass after signing in that the site asks again."""
    age_session(SessionStore(next(one["value"] for one in page.context.cookies() if one["name"] == "sessionid")))


def again(page: Page) -> None:
    """Say the password once more, where it is asked for."""
    page.wait_for_url("**/reauthenticate/**")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form button[type=submit]").first.click()


def authenticator(page: Page) -> None:
    """Plug in a device that keeps passkeys, and says yes."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
        "isUserVerified": True, "automaticPresenceSimulation": True,
    }  # fmt: skip
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def test_a_passkey(page: Page, live_server: Any) -> None:
    """A passkey is made after the password is said again; then it signs in, and confirms, without name and password."""
    person("zoe", password=PASSWORD)
    base = live_server.url.replace("127.0.0.1", "localhost")
    authenticator(page)
    page.goto(f"{base}/accounts/login/")
    page.locator("input[name=login]").fill("zoe")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form button[type=submit]").first.click()
    expect(page.get_by_role("link", name="zoe")).to_be_visible()
    later(page)
    page.goto(f"{base}/accounts/2fa/webauthn/add/")
    again(page)
    page.wait_for_url("**/webauthn/add/**")
    page.locator("input[name=name]").fill("My phone")
    expect(page.locator("input[name=passwordless]")).to_be_checked()
    page.locator("#mfa_webauthn_add").click()
    page.wait_for_url(re.compile("recovery-codes|webauthn/$"))
    assert Authenticator.objects.filter(type="webauthn").count() == 1
    page.goto(f"{base}/games")
    page.get_by_role("button", name="Sign out").click()
    page.goto(f"{base}/accounts/login/")
    page.locator("#passkey_login").click()
    expect(page.get_by_role("link", name="zoe")).to_be_visible()
    assert [one.method for one in User.objects.get().sign_ins.order_by("pk")] == ["password", "webauthn"]
    later(page)
    page.goto(f"{base}/accounts/2fa/totp/activate/")
    expect(page.get_by_role("link", name="Use your password")).to_be_visible()
    page.locator("#mfa_webauthn_reauthenticate").click()
    expect(page.locator("#authenticator_secret")).to_be_visible()


def test_a_one_time_code(page: Page) -> None:
    """With a second factor the password alone does not sign in; the code does, and a recovery code, each once."""
    person("zoe", password=PASSWORD)
    sign_in(page)
    later(page)
    page.goto("/accounts/2fa/totp/activate/")
    again(page)
    secret = page.locator("#authenticator_secret").input_value()
    page.locator("input[name=code]").fill(code_of(secret))
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_url("**/recovery-codes/**")
    shown = page.locator("#recovery_codes").input_value().split()
    assert len(shown) == 10
    page.get_by_role("button", name="Sign out").click()
    page.goto("/accounts/login/")
    page.locator("input[name=login]").fill("zoe")
    page.locator("input[name=password]").fill(PASSWORD)
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_url("**/2fa/authenticate/**")
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    page.locator("input[name=code]").fill(shown[0])
    page.locator("main form button[type=submit]").first.click()
    expect(page.get_by_role("link", name="zoe")).to_be_visible()


def code_of(secret: str) -> str:
    """What an app would show now."""
    return str(format_hotp_value(hotp_value(secret, next(iter(yield_hotp_counters_from_time())))))


@pytest.mark.parametrize("phone", mark_long([False, True], but=(True,)), ids=["desktop", "phone"])
def test_pages_are_sound(visitors: Any, phone: bool, settings: Any, tmp_path: Any) -> None:
    """The pages of accounts have no faults that axe finds, and nothing sticks out to the side, on a phone either."""
    user = person("zoe", password=PASSWORD)
    user.is_superuser = True
    user.save()
    settings.SIGN_UP = "approval"
    page = visitors(**({"viewport": PHONE} if phone else {}))
    seen = ["/accounts/signup/", "/accounts/login/", "/accounts/password/reset/", "/accounts/inactive/"]
    _look(page, seen, tmp_path)
    sign_in(page)
    later(page)
    page.goto("/accounts/reauthenticate/")
    _look(page, ["/accounts/reauthenticate/"], tmp_path)
    again(page)
    own = ["/me", "/me/security/", "/me/data", "/me/tokens/", "/accounts/email/", "/accounts/password/change/",
           "/accounts/2fa/", "/accounts/2fa/webauthn/add/", "/accounts/2fa/totp/activate/",
           "/moderation/people"]  # fmt: skip
    _look(page, own, tmp_path)


@pytest.mark.parametrize("phone", mark_long([False, True], but=(True,)), ids=["desktop", "phone"])
def test_pages_of_confirmation(visitors: Any, phone: bool, settings: Any, tmp_path: Any) -> None:
    """Somebody without a password enters a mailed code; without mail, the page says what to do."""
    user = person("ann")
    page = visitors(**({"viewport": PHONE} if phone else {}))
    enter(page, user)
    page.goto("/accounts/2fa/totp/activate/")
    _look(page, [page.url], tmp_path)
    page.get_by_role("button", name="Send a code to ann@example.org").click()
    _look(page, [page.url], tmp_path)
    page.get_by_label("Code from the e-mail").fill("BCDF-BCDF")
    page.get_by_role("button", name="Confirm").click()
    expect(page.get_by_text("Incorrect code")).to_be_visible()
    page.get_by_label("Code from the e-mail").fill(re.findall("[A-Z]{4}-[A-Z]{4}", OutMail.objects.get().body)[0])
    page.get_by_role("button", name="Confirm").click()
    expect(page.locator("#authenticator_secret")).to_be_visible()
    later(page)
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    page.goto("/accounts/2fa/totp/activate/")
    expect(page.get_by_text("ask an admin of this site for a link")).to_be_visible()
    _look(page, [page.url], tmp_path)


def _look(page: Page, addresses: list[str], folder: Any) -> None:
    for address in addresses:
        page.goto(address)
        let_rest(page)
        page.screenshot(path=str(folder / f"{urlsplit(address).path.strip('/').replace('/', '-')}.png"), full_page=True)
        found = faults(page)
        assert not found, (address, found)
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, (address, wide)
