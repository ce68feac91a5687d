"""Accounts: who is written to, what is asked again for the password, sessions, sign-ins, mails by the outbox."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.core import mail
from django.db import OperationalError
from django.test import Client, override_settings

from gamesmaster.host.accounts import signing_in
from gamesmaster.host.accounts.people import MOST_BOUNCES
from gamesmaster.host.accounts.tokens import make_token
from gamesmaster.host.mailroom import delivery
from gamesmaster.host.models import OutMail, Profile, SignIn
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.site import clock
from gamesmaster.host.tables import outbox
from gamesmaster.host.tables.outbox import AnswerMail
from gamesmaster.host.tables.settings import TableSettings

from .conftest import NOW, age, holding, people, person, power_of, running
from .test_people import SIGN_UP

pytestmark = pytest.mark.django_db

PASSWORD = "a-long-secret-1"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
SAFARI = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"


def delivered() -> list[tuple[str, str]]:
    """To whom the mails went that waited, and what they are about."""
    mail.outbox.clear()
    delivery.deliver(clock.now())
    return [(one.to[0], str(one.subject)) for one in mail.outbox]


def sign_in(name: str, client: Client | None = None, *, password: str = PASSWORD, agent: str = FIREFOX) -> Client:
    """A browser in which somebody has signed in by the form."""
    browser = client or Client(headers={"user-agent": agent})
    answer = browser.post("/accounts/login/", {"login": name, "password": password})
    assert answer.status_code == 302, answer.content.decode()
    return browser


# -- addresses that nobody has confirmed -----------------------------------------------------------------------------


def test_an_unconfirmed_address_gets_the_confirmation_and_nothing_else() -> None:
    """Whoever signs up with another's address can send that person one mail, and no word of his own."""
    client = Client()
    client.post("/accounts/signup/", {"username": "thief", "email": "victim@victim.org", **SIGN_UP})
    thief = User.objects.get(username="thief")
    other = people(1)[0]
    table = running([thief, other], TableSettings(press="private"))
    for number in range(5):
        correspondence.send(
            table,
            power_of(table, other),
            Press(f"word {number}", [power_of(table, thief)]),
            user=other,
            now=NOW,
        )
    submission.submit(table, power_of(table, thief), [holding(table, thief)], Submission(0), user=thief, now=NOW)
    Client().post("/accounts/password/reset/", {"email": "victim@victim.org"})
    outbox.answer(thief, AnswerMail("An answer", "words", "x"), clock.now())
    assert [to for to, _ in delivered() if to == "victim@victim.org"] == ["victim@victim.org"]
    assert set(OutMail.objects.filter(to="victim@victim.org").values_list("event", flat=True)) == {outbox.ACCOUNT}


def test_confirmed_it_gets_what_is_due() -> None:
    """The link of the confirmation confirms; from then on mails of the game come."""
    client = Client()
    client.post("/accounts/signup/", {"username": "zoe", "email": "zoe@example.org", **SIGN_UP})
    user = User.objects.get(username="zoe")
    assert not outbox.reaches(user)
    assert "until you confirm" in client.get("/me/notices").content.decode()
    assert delivered() == [("zoe@example.org", "Confirm your e-mail address")]
    (link,) = re.findall(r"/accounts/confirm-email/\S+", str(mail.outbox[0].body))
    client.post(link)
    assert outbox.reaches(user)
    assert "until you confirm" not in client.get("/me/notices").content.decode()
    outbox.answer(user, AnswerMail("An answer", "words", "y"), clock.now())
    assert ("zoe@example.org", "An answer") in delivered()


def test_an_address_changed_to_an_unconfirmed_one_gets_nothing() -> None:
    """What waits for a confirmed address is not sent to another that took its place."""
    user = person("zoe")
    outbox.answer(user, AnswerMail("An answer", "words", "z"), clock.now())
    User.objects.filter(pk=user.pk).update(email="new@example.org")
    EmailAddress.objects.filter(user=user).update(email="new@example.org", verified=False)
    assert delivered() == []
    assert OutMail.objects.get(user=user).why == "unconfirmed"


def test_confirmations_to_one_address_are_few() -> None:
    """However many accounts ask, an address gets five confirmations in a day."""
    for number in range(8):
        client = Client(REMOTE_ADDR=f"198.51.100.{number + 1}")
        client.post("/accounts/signup/", {"username": f"thief{number}", "email": "victim@victim.org", **SIGN_UP})
    assert User.objects.filter(username__startswith="thief").count() == 8
    assert 1 <= OutMail.objects.filter(to="victim@victim.org").count() <= 5


def test_an_unknown_address_gets_no_mail() -> None:
    """To ask for a new password of somebody who has no account sends nothing."""
    Client().post("/accounts/password/reset/", {"email": "nobody@example.org"})
    assert not OutMail.objects.exists()


# -- mails by the outbox ---------------------------------------------------------------------------------------------

DOWN = {"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend", "EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": 1}


@override_settings(**DOWN)
def test_a_mail_server_that_is_away_fails_no_page() -> None:
    """Sign-up and reset answer as always, and the mails wait; nothing is sent within a request."""
    person("known")
    made = Client().post("/accounts/signup/", {"username": "zoe", "email": "zoe@example.org", **SIGN_UP})
    asked = Client().post("/accounts/password/reset/", {"email": "known@example.org"})
    assert (made.status_code, asked.status_code) == (302, 302)
    assert sorted(OutMail.objects.values_list("to", flat=True)) == ["known@example.org", "zoe@example.org"]
    delivery.deliver(clock.now())
    assert OutMail.objects.filter(state=OutMail.QUEUED).count() == 2


def test_sign_up_is_all_or_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the mail cannot even be written down there is no account; the second try makes it."""
    form = {"username": "zoe", "email": "zoe@example.org", **SIGN_UP}
    write = outbox.about_account
    with monkeypatch.context() as broken:

        def failing(*_: object, **__: object) -> None:
            raise OperationalError("disk full")

        broken.setattr(outbox, "about_account", failing)
        assert Client().post("/accounts/signup/", form).status_code == 503
        assert not User.objects.exists()
    assert outbox.about_account is write
    assert Client().post("/accounts/signup/", form).status_code == 302
    assert User.objects.get().username == "zoe"


def test_links_are_forgotten_when_they_have_gone() -> None:
    """The text of a mail with a link that opens an account is not kept once it is sent."""
    person("known")
    Client().post("/accounts/password/reset/", {"email": "known@example.org"})
    assert "/accounts/password/reset/key/" in OutMail.objects.get().body
    assert len(delivered()) == 1
    assert "/accounts/password/reset/key/" in mail.outbox[0].body
    assert OutMail.objects.get().body == ""


# -- asked again for the password ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("/accounts/email/", {"action_add": "", "email": "thief@example.org"}),
        ("/me/tokens/", {"name": "bot", "scope": "read"}),
        ("/me/data", {"sure": "yes"}),
        ("/me/security/end", {"session": "others"}),
        ("/accounts/2fa/totp/activate/", {"code": "123456"}),
        ("/accounts/2fa/webauthn/add/", {"name": "key"}),
        ("/accounts/2fa/recovery-codes/generate/", {}),
        ("/me/data.json", None),
    ],
)
def test_what_wants_the_password_again(address: str, form: dict[str, str] | None) -> None:
    """With a session alone nobody changes the address, factors, tokens, ends sessions, takes the data or deletes."""
    person("zoe", password=PASSWORD)
    client = age(sign_in("zoe"))
    answer = client.post(address, form) if form is not None else client.get(address)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith("/accounts/reauthenticate/"), answer.headers["Location"]
    user = User.objects.get(username="zoe")
    assert (user.email, user.tokens.count()) == ("zoe@example.org", 0)
    assert EmailAddress.objects.filter(user=user).count() == 1


def test_the_api_makes_no_token_with_a_session_alone() -> None:
    """What the page of tokens asks for, the API asks for as well."""
    person("zoe", password=PASSWORD)
    client = age(sign_in("zoe"))
    told = {"name": "bot", "scopes": ["read"]}
    answer = client.post("/api/me/tokens", json.dumps(told), content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (403, "confirm")
    confirm(client)
    assert client.post("/api/me/tokens", json.dumps(told), content_type="application/json").status_code == 201


def test_the_api_tells_no_data_with_a_session_alone() -> None:
    """All that is kept of a person is told to a browser as the page tells it; a token with that scope was confirmed."""
    user = person("zoe", password=PASSWORD)
    client = age(sign_in("zoe"))
    assert client.get("/api/me/data").json()["code"] == "confirm"
    confirm(client)
    assert client.get("/api/me/data").json()["account"]["name"] == "zoe"
    text, _ = make_token(user, "bot", ["me"], clock.now())
    assert Client().get("/api/me/data", HTTP_AUTHORIZATION=f"Bearer {text}").status_code == 200


def confirm(client: Client) -> None:
    """Say the password again."""
    assert client.post("/accounts/reauthenticate/", {"password": PASSWORD, "next": "/me"}).status_code == 302


def test_the_old_address_is_told_of_the_new_one() -> None:
    """Whoever makes another address the account's, the one before is told; mails held back go to the new one."""
    user = person("zoe", password=PASSWORD)
    Profile.objects.create(user=user, bounces=MOST_BOUNCES)
    client = sign_in("zoe")
    confirm(client)
    client.post("/accounts/email/", {"action_add": "", "email": "new@example.org"})
    delivered()
    link = next(re.findall(r"/accounts/confirm-email/\S+", str(m.body))[0] for m in mail.outbox if m.to[0][:3] == "new")
    client.post(link)
    assert Profile.objects.get(user=user).gets_no_mail
    client.post("/accounts/email/", {"action_primary": "", "email": "new@example.org"})
    assert not Profile.objects.get(user=user).gets_no_mail
    assert User.objects.get(username="zoe").email == "new@example.org"
    assert ("zoe@example.org", "Your account has another e-mail address") in delivered()


def test_the_address_is_told_of_a_new_password() -> None:
    """A change of the password is told by mail, and signs out all other browsers."""
    person("zoe", password=PASSWORD)
    client, other = sign_in("zoe"), sign_in("zoe", agent=SAFARI)
    delivered()
    new = "another-long-secret-2"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    confirm(client)
    assert client.post("/accounts/password/change/", form).status_code == 302
    assert ("zoe@example.org", "Your password has been changed") in delivered()
    assert client.get("/me").status_code == 200
    assert other.get("/me").status_code == 302


# -- sessions and sign-ins -------------------------------------------------------------------------------------------


def test_sessions_are_listed_and_ended() -> None:
    """Each browser is listed without its full address; one signs out another, or all others."""
    person("zoe", password=PASSWORD)
    first = sign_in("zoe", Client(REMOTE_ADDR="203.0.113.77", headers={"user-agent": FIREFOX}))
    second, third = sign_in("zoe", agent=SAFARI), sign_in("zoe", agent="curl/8")
    page = first.get("/me/security/").content.decode()
    assert page.count("Firefox / Linux") >= 2
    assert "Safari / iPhone" in page
    assert "203.0.113.77" not in page
    assert "203.0.113.0" in page
    assert not UserSession.objects.filter(ip="203.0.113.77").exists()
    confirm(first)
    first.post("/me/security/end", {"session": UserSession.objects.get(user_agent="Safari / iPhone").pk})
    assert second.get("/me").status_code == 302
    assert third.get("/me").status_code == 200
    first.post("/me/security/end", {"session": "others"})
    assert third.get("/me").status_code == 302
    assert first.get("/me").status_code == 200


def test_nobody_ends_sessions_of_others() -> None:
    """The number of another's session ends nothing."""
    person("zoe", password=PASSWORD)
    person("ann", password=PASSWORD)
    zoe, ann = sign_in("zoe"), sign_in("ann")
    confirm(ann)
    ann.post("/me/security/end", {"session": UserSession.objects.get(user__username="zoe").pk})
    assert zoe.get("/me").status_code == 200


def test_a_new_device_is_told_by_mail() -> None:
    """The first browser after sign-up is nothing new; the same browser again neither; another is told."""
    person("zoe", password=PASSWORD)
    first = sign_in("zoe", Client(REMOTE_ADDR="203.0.113.77", headers={"user-agent": FIREFOX}))
    assert delivered() == []
    first.post("/accounts/logout/")
    sign_in("zoe", first)
    assert delivered() == []
    sign_in("zoe", Client(REMOTE_ADDR="198.51.100.9", headers={"user-agent": SAFARI}))
    assert delivered() == [("zoe@example.org", "New sign-in to your account")]
    body = str(mail.outbox[0].body)
    assert "Safari / iPhone" in body
    assert "198.51.100.0/24" in body
    assert "198.51.100.9" not in body
    assert [one.known for one in signing_in.recent(User.objects.get())] == [False, True, True]
    page = first.get("/me/security/").content.decode()
    assert "198.51.100.0/24" in page


@override_settings(NOTE_ADDRESSES=False)
def test_no_network_is_kept_where_addresses_are_not_noted() -> None:
    """A site that keeps no addresses keeps no part of them with sign-ins and sessions either."""
    person("zoe", password=PASSWORD)
    sign_in("zoe", Client(REMOTE_ADDR="203.0.113.77"))
    assert SignIn.objects.get().network == ""
    assert UserSession.objects.get().ip == "0.0.0.0"


def test_sign_ins_are_taken_away_after_some_months() -> None:
    """What is kept of sign-ins has an end."""
    user = person("zoe")
    signing_in.note_sign_in(user, method="password", device="", network="", known=True, now=NOW)
    assert signing_in.tidy(NOW + signing_in.KEPT) == 0
    assert signing_in.tidy(NOW + signing_in.KEPT + timedelta(seconds=1)) == 1


def test_sessions_that_have_run_out_are_taken_away() -> None:
    """A session that is over goes, and what is kept of its browser with it; others stay."""
    person("zoe", password=PASSWORD)
    sign_in("zoe")
    over, going_on = UserSession.objects.get().session_key, sign_in("zoe").session.session_key
    Session.objects.update(expire_date=NOW + timedelta(days=14))
    Session.objects.filter(session_key=over).update(expire_date=NOW)
    assert signing_in.tidy_sessions(NOW) == 0
    assert UserSession.objects.count() == 2
    assert signing_in.tidy_sessions(NOW + timedelta(seconds=1)) == 1
    assert [one.session_key for one in UserSession.objects.all()] == [going_on]
    assert [one.session_key for one in Session.objects.all()] == [going_on]


def test_sign_ins_are_logged_without_what_was_typed(caplog: pytest.LogCaptureFixture) -> None:
    """A failed sign-in is a line with the account and the network, a good one with the way; no name, no password."""
    user = person("zoe", password=PASSWORD)
    caplog.set_level("INFO", "gamesmaster.host")
    client = Client(REMOTE_ADDR="203.0.113.77")
    for name in ("zoe", "my-password-by-mistake"):
        client.post("/accounts/login/", {"login": name, "password": "wrong-one"})
    sign_in("zoe", client)
    told = [(r.getMessage(), r.__dict__.get("account"), r.__dict__.get("network")) for r in caplog.records]
    here = "203.0.113.0/24"
    assert told == [("a sign-in failed", user.pk, here), ("a sign-in failed", None, here), ("signed in", user.pk, here)]
    assert "mistake" not in caplog.text


@pytest.mark.parametrize("host", ["127.0.0.1:6666", "localhost:1", "play.example.org:8443", "[::1]:6666"])
def test_a_port_that_is_not_the_sites(host: str, settings: Any) -> None:
    """A request to a port that the site does not have is refused, on every page."""
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", "play.example.org"]
    person("zqzoe")
    for path in ("/", "/accounts/password/reset/", "/api/variants", "/static/site.css"):
        assert Client().get(path, HTTP_HOST=host).status_code == 400
    assert Client().post("/accounts/password/reset/", {"email": "zqzoe@example.org"}, HTTP_HOST=host).status_code == 400
    assert not OutMail.objects.exists()


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "play.example.org:8443", "127.0.0.1:9001", "[::1]:9001"])
def test_links_name_the_configured_address(host: str, settings: Any) -> None:
    """The links of account mails lead to the configured address, whatever name the request used."""
    settings.BASE_URL = "https://play.example.org:8443"
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]", "play.example.org"]
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    person("zqzoe")
    ben = person("zqben")
    here: Any = {"HTTP_HOST": host, "SERVER_PORT": "9001"}
    client = Client()
    client.force_login(ben)
    client.post("/accounts/password/reset/", {"email": "zqzoe@example.org"}, **here)
    Client().post("/accounts/signup/", {**SIGN_UP, "email": "zqzoe@example.org", "username": "zqnew"}, **here)
    Client().post("/accounts/signup/", {**SIGN_UP, "email": "zqmia@example.org", "username": "zqmia"}, **here)
    links = re.findall(r"https?://\S+", "\n".join(OutMail.objects.values_list("body", flat=True)))
    assert any("/reset/key/" in link for link in links)
    assert any("/confirm-email/" in link for link in links)
    assert all(link.startswith("https://play.example.org:8443") for link in links)
