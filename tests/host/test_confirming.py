"""Before anything that matters the owner confirms: by passkey, password, one-time code, mailed code or provider."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core import mail, signing
from django.test import Client, override_settings

from gamesmaster.host.accounts import adapters, sign_up, signing_in
from gamesmaster.host.accounts.tokens import ApiToken, make_token
from gamesmaster.host.mailroom import delivery
from gamesmaster.host.site import clock

from .conftest import age, confirmed, person
from .test_accounts import PASSWORD, sign_in
from .test_second_factor import code_of
from .test_sign_up import House, back_from, provider

pytestmark = pytest.mark.django_db
__all__ = ["provider"]

SECRET = "JBSWY3DPEHPK3PXP"
CODE_PAGE = "/accounts/reauthenticate/code/"
AGAIN = "/accounts/reauthenticate/again/"
GUARDED: list[tuple[str, dict[str, str] | None]] = [
    ("/accounts/email/", {"action_add": "", "email": "thief@example.org"}),
    ("/accounts/email/", {"action_remove": "", "email": "zoe@example.org"}),
    ("/accounts/email/", {"action_primary": "", "email": "zoe@example.org"}),
    ("/accounts/password/set/", {"password1": "thief-secret-1", "password2": "thief-secret-1"}),
    ("/accounts/2fa/totp/activate/", {"code": "123456"}),
    ("/accounts/2fa/webauthn/add/", {"name": "key"}),
    ("/accounts/2fa/recovery-codes/generate/", {}),
    ("/me/tokens/", {"name": "bot", "scope": "read"}),
    ("/me/tokens/1/drop", {}),
    ("/me/security/end", {"session": "others"}),
    ("/me/data", {"sure": "yes"}),
    ("/me/data.json", None),
]
"""What a browser does not do for somebody who has found it: pages to send, or only to read."""
FACTOR_GUARDED: list[tuple[str, dict[str, str] | None]] = [
    ("/accounts/2fa/webauthn/keys/{key}/remove/", {}),
    ("/accounts/2fa/webauthn/keys/{key}/edit/", {"name": "mine"}),
    ("/accounts/2fa/totp/deactivate/", {}),
    ("/accounts/2fa/recovery-codes/", None),
    ("/accounts/2fa/recovery-codes/download/", None),
    ("/accounts/2fa/recovery-codes/generate/", {}),
]


def by_mail(name: str = "zoe") -> User:
    """Somebody without a password, whose address is confirmed: an account made by mail or through a provider."""
    return person(name)


def found(user: User) -> Client:
    """A browser in which somebody signed in long ago, and that somebody else finds."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def asked(client: Client, address: str, form: dict[str, str] | None) -> str:
    """Do something, and return the page that asks for the confirmation."""
    answer = client.get(address) if form is None else client.post(address, form)
    assert answer.status_code == 302, (address, answer.status_code)
    return str(answer.headers["Location"]).partition("?")[0]


def mailed() -> list[tuple[str, str]]:
    """To whom codes have gone, and the codes."""
    mail.outbox.clear()
    delivery.deliver(clock.now())
    codes = [one for one in mail.outbox if one.subject == "Your code to confirm"]
    return [(one.to[0], re.findall(r"^[A-Z]{4}-[A-Z]{4}$", str(one.body), re.MULTILINE)[0]) for one in codes]


def send_code(client: Client, to: str = "zoe@example.org") -> str:
    """Have a code sent, and read it in the mailbox."""
    answer = client.post(CODE_PAGE, {"recipient": to, "next": "/me"})
    assert answer.headers["Location"].startswith(f"{CODE_PAGE}confirm/"), answer.headers["Location"]
    ((reader, code),) = mailed()
    assert reader == to
    return code


def confirm(client: Client, code: str, to: str = "/me") -> Any:
    """Enter a code."""
    return client.post(f"{CODE_PAGE}confirm/", {"code": code, "next": to})


def is_asked(client: Client) -> bool:
    """Is the owner of this browser asked to confirm?"""
    return client.get("/me/data.json").status_code == 302


def taken_over(user: User) -> bool:
    """Has anything of the account changed?"""
    user = User.objects.get(pk=user.pk)
    addresses = list(EmailAddress.objects.filter(user=user).values_list("email", flat=True))
    mine = (user.has_usable_password(), addresses, user.tokens.count(), Authenticator.objects.filter(user=user).count())
    return mine != (False, [user.email], 0, 0)


# -- what asks -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("address", "form"), GUARDED)
def test_a_found_browser_takes_nothing_over(address: str, form: dict[str, str] | None) -> None:
    """An account without a password is asked for a mailed code before each thing that matters, one by one."""
    zoe = by_mail()
    assert asked(found(zoe), address, form) == CODE_PAGE
    assert not taken_over(zoe)


def test_a_found_browser_loses_no_second_factor() -> None:
    """Nor are factors removed or recovery codes read; with an app, the app's code is asked for."""
    zoe = by_mail()
    Authenticator.objects.create(user=zoe, type="totp", data={"secret": SECRET})
    Authenticator.objects.create(user=zoe, type="recovery_codes", data={"seed": "abc", "used_mask": 0})
    key = Authenticator.objects.create(user=zoe, type="webauthn", data={"name": "key", "credential": {}})
    client = found(zoe)
    for address, form in FACTOR_GUARDED:
        assert asked(client, address.format(key=key.pk), form) == "/accounts/2fa/reauthenticate/"
    assert Authenticator.objects.filter(user=zoe).count() == 3
    assert client.get(CODE_PAGE).headers["Location"] == "/accounts/2fa/reauthenticate/", "the mailbox is no way round"


@pytest.mark.parametrize(
    ("method", "address", "body"),
    [
        ("get", "/api/me/data", None),
        ("post", "/api/me/tokens", {"name": "bot", "scopes": ["read"]}),
        ("delete", "/api/me/tokens/{token}", None),
    ],
)
def test_the_api_asks_a_session_and_no_token(method: str, address: str, body: dict[str, object] | None) -> None:
    """A session alone is refused, a confirmed one is served; a token does what its scopes allow, and makes none."""
    zoe = by_mail()
    text, row = make_token(zoe, "a program", ["me"], clock.now())

    def call(client: Client, **more: str) -> Any:
        told = {"data": json.dumps(body), "content_type": "application/json"} if body else {}
        return getattr(client, method)(address.format(token=row.pk), **told, **more)

    client = found(zoe)
    refused = call(client)
    assert (refused.status_code, refused.json()["code"]) == (403, "confirm")
    by_token = call(Client(), HTTP_AUTHORIZATION=f"Bearer {text}")
    assert (by_token.status_code == 200) is (address == "/api/me/data")
    both = call(client, HTTP_AUTHORIZATION=f"Bearer {text}")
    assert both.status_code == by_token.status_code, "the token decides, not the session beside it"
    assert list(ApiToken.objects.values_list("pk", flat=True)) == [row.pk]
    confirm(client, send_code(client))
    assert call(client).status_code in (200, 201)


def test_a_fresh_sign_in_counts_and_an_old_one_does_not() -> None:
    """Whoever has just signed in, or signed up, is not asked again; a quarter of an hour later, everybody is."""
    person("zoe", password=PASSWORD)
    client = sign_in("zoe")
    assert not is_asked(client)
    assert not is_asked(age(client, 14))
    assert is_asked(age(client, 2))
    fresh = Client()
    form = {"username": "ann", "email": "", "password1": PASSWORD, "password2": PASSWORD}
    assert fresh.post("/accounts/signup/", form).status_code == 302
    assert not is_asked(fresh)
    assert is_asked(age(fresh))


def test_an_admin_confirms_before_giving_power() -> None:
    """A found browser of an admin makes no moderator and no password link; other tasks go on as usual."""
    boss, zoe = User.objects.create_superuser("boss", "boss@example.org", PASSWORD), User.objects.create_user("zoe")
    client = found(boss)
    sheet = client.get("/moderation/people", {"q": "zo"}).content.decode()
    assert '<form method="post" action="/moderation/people"' in sheet, "with a query, it would not be carried out"
    for what in ("moderator", "no moderator", "password"):
        location = asked(client, "/moderation/people", {"name": "zoe", "what": what})
        assert location == "/accounts/reauthenticate/"
    assert not zoe.groups.exists()
    assert client.post("/moderation/people", {"what": "invite"}).status_code == 200
    page = client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/moderation/people"})
    assert "/accounts/password/reset/key/" in page.content.decode()


def test_what_somebody_left_in_a_browser_is_dropped() -> None:
    """A password that a thief has sent is not set when the owner confirms in order to set one."""
    zoe = by_mail()
    client = found(zoe)
    left = {"password1": "thief-secret-1", "password2": "thief-secret-1"}
    assert asked(client, "/accounts/password/set/", left) == asked(client, "/accounts/password/set/", None)
    assert confirm(client, send_code(client), "/accounts/password/set/").status_code == 302
    assert not User.objects.get(pk=zoe.pk).has_usable_password()
    assert client.post("/accounts/password/set/", {"password1": PASSWORD, "password2": PASSWORD}).status_code == 302
    assert User.objects.get(pk=zoe.pk).check_password(PASSWORD)


def test_no_confirmation_comes_from_the_future(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the clock was a day ahead when somebody signed in or confirmed, that does not count for a day."""
    person("zoe", password=PASSWORD)
    client = sign_in("zoe")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/me"})
    earlier = time.time() - 24 * 3600
    monkeypatch.setattr(time, "time", lambda: earlier)
    assert is_asked(client)


def test_the_page_for_a_new_password_is_no_place_to_guess_the_old_one() -> None:
    """Wrong ones are counted as at sign-in; the owner's browser has its own count."""
    zoe = person("zoe", password=PASSWORD)
    owner, thief = sign_in("zoe"), found(zoe)
    form = {"oldpassword": "wrong-one", "password1": "thief-secret-1", "password2": "thief-secret-1"}
    pages = [thief.post("/accounts/password/change/", form).content.decode() for _ in range(6)]
    assert ["Too many failed" in page for page in pages] == [False] * 5 + [True]
    assert thief.post("/accounts/password/change/", {**form, "oldpassword": PASSWORD}).status_code == 200
    assert (
        "Too many failed" in Client().post("/accounts/login/", {"login": "zoe", "password": PASSWORD}).content.decode()
    )
    assert owner.post("/accounts/password/change/", {**form, "oldpassword": PASSWORD}).status_code == 302


def test_a_second_click_does_no_harm() -> None:
    """Whoever sends a confirmation twice comes to the page that the first one leads to."""
    person("zoe", password=PASSWORD)
    client = age(sign_in("zoe"))
    _, row = make_token(User.objects.get(), "a program", ["me"], clock.now())
    for address, form, to in (
        ("/me/security/end", {"session": "others"}, "/me/security/"),
        (f"/me/tokens/{row.pk}/drop", {}, "/me/tokens/"),
    ):
        asked(age(client), address, form)
        for _ in range(2):
            page = client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": address}, follow=True)
            assert (page.status_code, page.redirect_chain[-1][0]) == (200, to)
    assert not ApiToken.objects.exists()
    other = found(by_mail("ann"))
    code = send_code(other, "ann@example.org")
    confirm(other, code, "/me/tokens/")
    again = other.post(f"{CODE_PAGE}confirm/", {"code": code, "next": "/me/tokens/"}, follow=True)
    assert again.redirect_chain[-1][0] == "/me/tokens/"
    assert other.get(CODE_PAGE, {"next": "https://thief.example/"}).headers["Location"] == "/games"


@pytest.mark.parametrize(
    "to", ["//thief.example", "https://thief.example/", "/\\thief.example", "javascript:thief", "/\t/thief"]
)
def test_no_page_that_confirms_leads_to_another_site(to: str) -> None:
    """The address to go on to is one of this site, wherever it is named."""
    person("zoe", password=PASSWORD)
    client = age(sign_in("zoe"))
    confirmed_at = client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": to}).headers["Location"]
    out = client.post("/accounts/logout/", {"next": to}).headers["Location"]
    back = Client().post("/accounts/login/", {"login": "zoe", "password": PASSWORD, "next": to}).headers["Location"]
    assert not any("thief" in place for place in (confirmed_at, out, back))


# -- a mailed code ---------------------------------------------------------------------------------------------------


def test_a_mailed_code_confirms_and_what_was_sent_is_done() -> None:
    """The form that was sent before the question is carried out after it; the mail warns who did not ask."""
    client = found(by_mail())
    page = client.post("/me/tokens/", {"name": "bot", "scope": "read"})
    shown = client.get(page.headers["Location"]).content.decode()
    assert "Send a code to zoe@example.org" in shown
    client.post(CODE_PAGE, {"recipient": "zoe@example.org", "next": "/me/tokens/"})
    assert "A code is on its way to zoe@example.org" in client.get(f"{CODE_PAGE}confirm/").content.decode()
    ((_, code),) = mailed()
    assert "somebody uses a browser in which you are signed in" in str(mail.outbox[0].body)
    assert str(mail.outbox[0].subject) == "Your code to confirm"
    assert "gm_" in confirm(client, code, "/me/tokens/").content.decode()
    assert ApiToken.objects.count() == 1


def test_a_code_works_once_for_its_browser_and_person() -> None:
    """A code that was used, another person's, another browser's, and one of before signing out confirm nothing."""
    zoe, ann = by_mail(), by_mail("ann")
    client, thief = found(zoe), found(zoe)
    code = send_code(client)
    for other in (thief, found(ann)):
        confirm(other, code)
        assert is_asked(other)
        send_code(other, f"{'ann' if other is not thief else 'zoe'}@example.org")
        confirm(other, code)
        assert is_asked(other)
    assert confirm(client, code).headers["Location"] == "/me"
    assert not is_asked(client)
    age(client)
    confirm(client, code)
    assert is_asked(client)
    code = send_code(client)
    client.post("/accounts/logout/")
    client.force_login(zoe, backend="django.contrib.auth.backends.ModelBackend")
    confirm(client, code)
    assert is_asked(client)


def test_a_code_goes_to_confirmed_addresses_of_the_owner_alone() -> None:
    """Nobody has it sent elsewhere, nor to an address that was added and not confirmed."""
    zoe = by_mail()
    EmailAddress.objects.create(user=zoe, email="new@example.org", verified=False)
    by_mail("ann")
    client = found(zoe)
    for to in ("ann@example.org", "new@example.org", "thief@example.org", ""):
        assert client.post(CODE_PAGE, {"recipient": to}).status_code == 200
    assert mailed() == []


def test_wrong_and_old_codes(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Three wrong codes end a code, five the tries of five minutes in browsers that are not known; ten minutes any."""
    zoe = by_mail()
    client = found(zoe)
    code = send_code(client)
    answers = [confirm(client, "BCDF-BCDF") for _ in range(3)]
    assert [one.__dict__["account"] for one in caplog.records if "second factor" in one.message] == [zoe.pk] * 3
    assert [one.status_code for one in answers] == [200, 200, 302]
    confirm(client, code)
    assert is_asked(client)
    code = send_code(client)
    for _ in range(2):
        confirm(client, "BCDF-BCDF")
    assert "Too many failed" in client.get(confirm(client, code).headers["Location"]).content.decode()
    assert is_asked(client)
    other = found(by_mail("ann"))
    code = send_code(other, "ann@example.org")
    later = time.time() + 601
    monkeypatch.setattr(time, "time", lambda: later)
    confirm(other, code)
    assert is_asked(other)


def test_wrong_codes_shut_out_no_known_browser() -> None:
    """Whoever has found a browser uses up the tries of strangers; one in which the owner signed in has its own."""
    zoe = by_mail()
    owner, thief = found(zoe), found(zoe)
    known = {str(zoe.pk): ("mark", zoe.get_session_auth_hash()[:16])}
    owner.cookies[signing_in.COOKIE] = signing.dumps(known, salt=signing_in.SALT)
    for _ in range(2):
        send_code(thief)
        for _ in range(3):
            confirm(thief, "BCDF-BCDF")
    confirm(thief, send_code(thief))
    assert is_asked(thief)
    confirm(owner, send_code(owner))
    assert not is_asked(owner)


def test_wrong_app_codes_shut_out_no_known_browser() -> None:
    """Nor do wrong codes of an app, entered where somebody is asked to confirm, twenty times."""
    zoe = person("zoe", password=PASSWORD)
    owner = age(sign_in("zoe"))
    Authenticator.objects.create(user=zoe, type="totp", data={"secret": SECRET})
    thief = found(zoe)
    for _ in range(20):
        page = thief.post("/accounts/2fa/reauthenticate/", {"code": "000000"}).content.decode()
    assert "Too many failed" in page
    owner.post("/accounts/2fa/reauthenticate/", {"code": code_of(SECRET), "next": "/me"})
    assert not is_asked(owner)
    thief.post("/accounts/2fa/reauthenticate/", {"code": code_of(SECRET), "next": "/me"})
    assert is_asked(thief)


def test_codes_are_mailed_no_more_than_twenty_times_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody fills a mailbox with codes; the page says so, and other mails about the account still go."""
    monkeypatch.setattr(adapters, "MOST_CODES", adapters.MOST_CODES.__class__("account-codes", 2, 24 * 3600))
    client = found(by_mail())
    for _ in range(2):
        send_code(client)
    refused = client.post(CODE_PAGE, {"recipient": "zoe@example.org"})
    assert (refused.status_code, "Too many attempts" in refused.content.decode()) == (429, True)
    assert mailed() == []


def test_a_password_is_asked_for_where_there_is_one() -> None:
    """A mailed code is no way round a password: whoever finds a browser often finds the mailbox in it, too."""
    person("zoe", password=PASSWORD)
    client = age(sign_in("zoe"))
    assert asked(client, "/me/data.json", None) == "/accounts/reauthenticate/"
    assert "code/" not in client.get("/accounts/reauthenticate/").content.decode()
    assert client.get(CODE_PAGE).headers["Location"] == "/accounts/reauthenticate/"
    assert client.post(CODE_PAGE, {"recipient": "zoe@example.org"}).headers["Location"] == "/accounts/reauthenticate/"
    assert mailed() == []
    assert client.get(f"{CODE_PAGE}confirm/").headers["Location"].startswith(CODE_PAGE)


def test_a_code_mailed_before_a_factor_is_no_way_round_it() -> None:
    """Whoever is warned by the mail and adds an app elsewhere is safe from the code that was mailed before."""
    zoe = by_mail()
    thief = found(zoe)
    code = send_code(thief)
    Authenticator.objects.create(user=zoe, type="totp", data={"secret": SECRET})
    assert confirm(thief, code).headers["Location"].startswith(CODE_PAGE)
    assert is_asked(thief)
    assert thief.get(CODE_PAGE).headers["Location"].startswith("/accounts/2fa/reauthenticate/")


# -- a provider ------------------------------------------------------------------------------------------------------


@pytest.fixture
def through_provider(provider: type[House]) -> Iterator[User]:
    """Somebody whose account was made through a provider; the site sends no mail."""
    user = User.objects.create_user("zoe", "zoe@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    SocialAccount.objects.create(user=user, provider="house", uid="77")
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend"):
        yield user


def go(client: Client, to: str = "/me/data.json", **form: str) -> Any:
    """Press the button of the page that asks to sign in again, and come back from the provider."""
    page = client.get(AGAIN, {"next": to}).content.decode()
    assert "Sign in again at The House" in page
    fields = dict(re.findall(r'type="hidden" name="(process|next)" value="([^"]*)"', page))
    away = client.post("/accounts/oidc/house/login/", {**fields, **form})
    assert "max_age=0" in away.headers["Location"]
    return back_from(client, away)


def test_signing_in_at_the_provider_counts(provider: type[House], through_provider: User) -> None:
    """Whoever has just come from the provider is not asked; later, the provider asks again and the form is sent."""
    client = Client()
    back_from(client, client.post("/accounts/oidc/house/login/"))
    assert not is_asked(client)
    age(client)
    location = asked(client, "/me/security/end", {"session": "others"})
    assert location == AGAIN
    done = go(client, "/me/security/end")
    assert "All other browsers are signed out." in done.content.decode()
    assert client.session["_auth_user_id"] == str(through_provider.pk)
    assert not is_asked(client)
    assert is_asked(age(client))


def test_a_link_makes_nothing_go_on_that_was_left(provider: type[House], through_provider: User) -> None:
    """Somebody did not confirm the end of the account; another page's link does not end it after the next sign-in."""
    client = found(through_provider)
    assert asked(client, "/me/data", {"sure": "yes"}) == AGAIN
    confirmed(client, through_provider)
    assert "Sign in again at" in client.get(AGAIN, {"next": "/me/data"}).content.decode()
    assert User.objects.filter(pk=through_provider.pk).exists()


def test_a_link_adds_nothing_to_what_the_provider_is_asked(provider: type[House], through_provider: User) -> None:
    """Neither another client or address, nor more rights than the operator wants."""
    more = "auth_params=prompt%3Dnone%26client_id%3Dthief%26redirect_uri%3Dhttps://thief.example&scope=thief"
    away = found(through_provider).post(f"/accounts/oidc/house/login/?{more}", {"process": "redirect"})
    assert not re.search("thief|prompt", away.headers["Location"])


def test_another_person_of_the_provider_confirms_nothing(provider: type[House], through_provider: User) -> None:
    """Nor does an account at the provider that nobody has here; nobody is signed out or in."""
    ann = person("ann")
    SocialAccount.objects.create(user=ann, provider="house", uid="78")
    client = found(through_provider)
    for uid in ("78", "79"):
        provider.person["sub"] = uid
        assert "not the account with which you sign in here" in go(client).content.decode()
        assert is_asked(client)
        assert client.session["_auth_user_id"] == str(through_provider.pk)
    assert User.objects.count() == 2


def test_a_provider_that_did_not_ask(provider: type[House], through_provider: User) -> None:
    """Where the provider tells that it last asked long ago, neither coming from there nor coming back counts."""
    provider.false = {"auth_time": int(time.time()) - 3600}
    client = Client()
    back_from(client, client.post("/accounts/oidc/house/login/"))
    assert is_asked(client)
    assert "Sign out there" in go(client).content.decode()
    assert is_asked(client)
    for when in (str(int(time.time()) - 3600), "lately", True, 1e300):
        provider.false = {"auth_time": when}
        go(client)
        assert is_asked(client), when
    provider.false = {"auth_time": int(time.time())}
    go(client)
    assert not is_asked(client)


def test_a_provider_is_no_way_round_a_second_factor(provider: type[House], through_provider: User) -> None:
    """With an app, its code is asked for, whatever form is sent to the provider."""
    Authenticator.objects.create(user=through_provider, type="totp", data={"secret": SECRET})
    client = found(through_provider)
    assert asked(client, "/me/data.json", None) == "/accounts/2fa/reauthenticate/"
    away = client.post("/accounts/oidc/house/login/", {"process": "redirect", "next": "/me"})
    assert "Nothing was confirmed" in back_from(client, away).content.decode()
    assert is_asked(client)
    client.post("/accounts/2fa/reauthenticate/", {"code": code_of(SECRET), "next": "/me"})
    assert not is_asked(client)


def test_a_found_browser_connects_no_provider(provider: type[House], through_provider: User) -> None:
    """Nobody adds a way to sign in without the owner, nor takes one away."""
    ann = by_mail("ann")
    client = found(ann)
    provider.person["sub"] = "99"
    back_from(client, client.post("/accounts/oidc/house/login/", {"process": "connect"}))
    assert not SocialAccount.objects.filter(user=ann).exists()
    own = SocialAccount.objects.create(user=ann, provider="house", uid="80")
    client.post("/accounts/3rdparty/", {"account": str(own.pk)})
    assert SocialAccount.objects.filter(user=ann).exists()


def test_a_provider_that_somebody_left_is_not_connected(provider: type[House]) -> None:
    """A thief who was asked to confirm leaves an own provider account behind; the next confirmation drops it."""
    zoe = person("zoe", password=PASSWORD)
    client = age(sign_in("zoe"))
    provider.person["sub"] = "99"
    back_from(client, client.post("/accounts/oidc/house/login/", {"process": "connect"}))
    assert asked(client, "/me/data.json", None) == "/accounts/reauthenticate/"
    client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/me/data.json"})
    assert not is_asked(client)
    assert not SocialAccount.objects.filter(user=zoe).exists()


def test_a_provider_that_is_gone_is_disconnected_by_its_owner_alone() -> None:
    """Where the operator has removed a provider, its page works, and so does taking it off the account."""
    zoe = person("zoe", password=PASSWORD)
    own = SocialAccount.objects.create(user=zoe, provider="gone", uid="77")
    client = age(sign_in("zoe"))
    form = {"account": str(own.pk)}
    assert asked(client, "/accounts/3rdparty/", form) == "/accounts/reauthenticate/"
    assert SocialAccount.objects.exists()
    client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/accounts/3rdparty/"})
    assert not SocialAccount.objects.exists()


def test_a_sign_in_by_another_name_is_a_sign_in(provider: type[House], through_provider: User) -> None:
    """A thief's own, recent sign-in at the provider does not make the owner's old one there count."""
    client = Client()
    provider.person["sub"] = "99"
    back_from(client, client.post("/accounts/oidc/house/login/"))
    provider.person["sub"], provider.false = "77", {"auth_time": int(time.time()) - 3600}
    back_from(client, client.post("/accounts/oidc/house/login/", {"process": "other"}))
    assert client.session["_auth_user_id"] == str(through_provider.pk)
    assert is_asked(client)


# -- no way at all ---------------------------------------------------------------------------------------------------


def test_without_any_way_a_page_says_what_to_do() -> None:
    """No password, no factor, no provider, no mail: the page leads out, and an admin's link opens the account."""
    boss = User.objects.create_superuser("boss")
    with override_settings(EMAIL_BACKEND="django.core.mail.backends.dummy.EmailBackend"):
        zoe = by_mail()
        client = found(zoe)
        assert asked(client, "/accounts/password/set/", {"password1": PASSWORD, "password2": PASSWORD}) == AGAIN
        page = client.get("/me/data.json", follow=True)
        assert page.status_code == 200
        assert "ask an admin of this site for a link" in page.content.decode()
        assert client.get("/accounts/reauthenticate/", follow=True).redirect_chain[-1][0].startswith(AGAIN)
        link = sign_up.password_link(zoe, boss, clock.now() + timedelta(0))
        form = {"password1": PASSWORD, "password2": PASSWORD}
        at = Client()
        at.post(at.get(link, follow=True).redirect_chain[-1][0], form)
        assert not is_asked(sign_in("zoe", Client()))


# -- passkeys --------------------------------------------------------------------------------------------------------

PASSKEY = "Sign in with a passkey"
NO_PASSKEYS = "Passkeys and security keys do not work at"


@pytest.mark.parametrize(
    ("host", "secure", "there"),
    [
        ("localhost:8000", False, True),
        ("127.0.0.1:8000", False, False),
        ("127.0.0.1", True, False),
        ("[::1]:8000", True, False),
        ("games.example.org", False, False),
        ("games.example.org", True, True),
    ],
)
def test_where_there_are_passkeys(settings: Any, host: str, secure: bool, there: bool) -> None:
    """They come first where browsers keep them; elsewhere no button fails, and the pages say why."""
    settings.ALLOWED_HOSTS = ["*"]
    settings.BASE_URL = f"http{'s' if secure else ''}://{host}"
    port = host.rpartition(":")[2] if host.count(":") in (1, 3) else "443" if secure else "80"
    more: dict[str, Any] = {"HTTP_HOST": host, "SERVER_PORT": port, "secure": secure}
    page = Client().get("/accounts/login/", **more).content.decode()
    assert ((PASSKEY in page), (NO_PASSKEYS in page)) == (there, not there)
    if there:
        assert page.index(PASSKEY) < page.index('name="password"')
    person("zoe", password=PASSWORD)
    client = sign_in("zoe", Client())
    for path in ("/accounts/2fa/", "/accounts/2fa/webauthn/", "/accounts/2fa/webauthn/add/"):
        page = client.get(path, **more).content.decode()
        assert (NO_PASSKEYS in page) is not there, path
        assert ("mfa_webauthn_add" in page) is (there and path.endswith("add/"))


def test_a_passkey_is_asked_for_first() -> None:
    """Before the password, but not where it cannot be used; then recovery codes and the password are left."""
    zoe = person("zoe", password=PASSWORD)
    Authenticator.objects.create(user=zoe, type="webauthn", data={"name": "key", "credential": {}})
    client = found(zoe)
    first = client.get("/me/data.json", HTTP_HOST="localhost:8000", SERVER_PORT="8000")
    assert first.headers["Location"].startswith("/accounts/2fa/webauthn/reauthenticate/")
    assert asked(client, "/me/data.json", None) == "/accounts/reauthenticate/"
