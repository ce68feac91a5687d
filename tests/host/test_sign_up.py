"""Who may make an account, programs that fill in forms, and sign-in through a provider of our own."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Iterator
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core import signing
from django.test import Client

from gamesmaster.errors import BadFile
from gamesmaster.host.accounts import sign_up
from gamesmaster.host.accounts.views import SALT
from gamesmaster.host.mailroom import newcomers
from gamesmaster.host.models import OneTimeLink, OutMail
from gamesmaster.host.site import clock, places

from .conftest import NOW, person
from .listening import listen
from .test_people import SIGN_UP, signed_in
from .test_tables import refused

pytestmark = pytest.mark.django_db


def tried(name: str, client: Client | None = None, **more: str) -> bool:
    """Somebody fills in the form; is there an account of this name afterwards?"""
    form = {"username": name, "email": f"{name}@example.org", **SIGN_UP, **more}
    (client or Client()).post("/accounts/signup/", form)
    return User.objects.filter(username=name).exists()


# -- who may ---------------------------------------------------------------------------------------------------------


def test_by_invitation_only(settings: Any) -> None:
    """Without an invitation there is no account, by web or mail; a link makes one, once, until it expires."""
    settings.SIGN_UP = "invitation"
    boss = User.objects.create_superuser("boss")
    assert not tried("zoe")
    assert "only with an invitation" in Client().get("/accounts/signup/").content.decode()
    assert not newcomers.send_link("new@example.org", "newcomer", NOW)
    page = signed_in(boss).post("/moderation/people", {"what": "invite"}).content.decode()
    link = page.partition("/invited/")[2].partition("/")[0]
    ann, ben = Client(), Client()
    for client in (ann, ben):
        assert client.get(f"/invited/{link}/", follow=True).status_code == 200
    assert tried("ann", ann)
    assert not tried("ben", ben)
    late = sign_up.invite(boss, clock.now() - sign_up.LASTS - timedelta(hours=1))
    carl = Client()
    carl.get(f"/invited/{late}/")
    assert not tried("carl", carl)
    assert link not in json.dumps(list(OneTimeLink.objects.values()), default=str)


def test_only_moderators_invite() -> None:
    """Players make no invitations to the site."""
    with refused("not-moderator"):
        sign_up.invite(person("zoe"), NOW)


def test_two_with_one_invitation(settings: Any) -> None:
    """Of two that send the form with the same invitation one has an account, and nothing is left of the other."""
    settings.SIGN_UP = "invitation"
    token = sign_up.invite(User.objects.create_superuser("boss"), clock.now())
    sign_up.admit(person("ann"), token, clock.now())
    with refused("link-used"):
        sign_up.admit(person("ben"), token, clock.now())


def test_moderators_let_in(settings: Any) -> None:
    """A new account waits: it cannot sign in until a moderator lets it in, and is gone when it is turned down."""
    settings.SIGN_UP = "approval"
    boss = signed_in(User.objects.create_superuser("boss"))
    zoe = Client()
    assert tried("zoe", zoe)
    assert tried("spam")
    assert zoe.get("/me").status_code == 302
    assert not OutMail.objects.exists()
    page = boss.get("/moderation/people").content.decode()
    assert page.count("turn down") == 2
    boss.post("/moderation/people", {"name": "zoe", "what": "approve"})
    boss.post("/moderation/people", {"name": "spam", "what": "turn down"})
    assert list(OutMail.objects.values_list("to", flat=True)) == ["zoe@example.org"]
    assert list(User.objects.order_by("pk").values_list("username", "is_active")) == [("boss", True), ("zoe", True)]
    zoe.post("/accounts/login/", {"login": "zoe", "password": SIGN_UP["password1"]})
    assert zoe.get("/me").status_code == 200


def test_nobody(settings: Any) -> None:
    """A closed site makes no accounts; nor does one with a mode that there is not."""
    for mode in ("closed", "opne"):
        settings.SIGN_UP = mode
        assert not tried("zoe")


# -- programs --------------------------------------------------------------------------------------------------------


def test_programs_that_fill_in_everything(settings: Any) -> None:
    """A field that nobody sees, a form sent at once, one never shown, a forged or an old one: no account."""
    settings.SIGN_UP_SECONDS = 2
    now = signing.dumps(SALT, salt=SALT)
    good = _shown(seconds=5)
    for begun, more in (
        (now, {}), ("", {}), (good[:-1] + ("x" if good[-1] != "x" else "y"), {}), (_shown(seconds=2 * 24 * 3600), {}),
        (good, {"website": "https://spam.example.org"}),
    ):  # fmt: skip
        assert not tried("zoe", None, begun=begun, **more)
    assert tried("zoe", begun=good)


def _shown(seconds: int) -> str:
    """What a form has that was shown some time ago."""
    signer = signing.TimestampSigner(salt=SALT)
    text = signing.b62_encode(int(time.time()) - seconds)
    body = signing.b64_encode(json.dumps(SALT).encode()).decode()
    value = f"{body}{signer.sep}{text}"
    return f"{value}{signer.sep}{signer.signature(value)}"


def test_a_network_makes_few_accounts() -> None:
    """From one network come ten accounts in an hour; others are not kept from theirs."""
    made = [tried(f"name{n}x", Client(REMOTE_ADDR="203.0.113.5")) for n in range(12)]
    assert made == [True] * 10 + [False] * 2
    assert tried("other", Client(REMOTE_ADDR="198.51.100.5"))


# -- providers -------------------------------------------------------------------------------------------------------


class House(BaseHTTPRequestHandler):
    """An OpenID Connect provider: it knows one person, and checks what a provider checks (state, PKCE, secret)."""

    person: dict[str, Any]
    false: dict[str, Any]  # what it says falsely: its issuer, claims of the ID token
    codes: dict[str, dict[str, str]]
    seen: list[str]

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    @property
    def here(self) -> str:
        """Where this provider is."""
        return f"http://{self.headers['Host']}"

    def do_GET(self) -> None:
        """What it is, who is allowed in, and who that is."""
        parts = urlsplit(self.path)
        if parts.path == "/.well-known/openid-configuration":
            told = {name: f"{self.here}/{name}" for name in ("authorization_endpoint", "token_endpoint", "jwks_uri")}
            issuer = self.false.get("issuer", self.here)
            self._send({"issuer": issuer, "userinfo_endpoint": f"{self.here}/userinfo", **told})
        elif parts.path == "/authorization_endpoint":
            asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
            code = secrets.token_hex(8)
            self.codes[code] = asked
            back = urlencode({"code": code, "state": asked["state"]})
            self.send_response(302)
            self.send_header("Location", f"{asked['redirect_uri']}?{back}")
            self.end_headers()
        elif parts.path == "/userinfo" and self.headers["Authorization"] == "Bearer open":
            self._send(self.person)
        else:
            self.send_error(404)

    def do_POST(self) -> None:
        """A token for a code, once, to whoever began."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        told = {name: values[0] for name, values in parse_qs(body).items()}
        asked = self.codes.pop(told.get("code", ""), None)
        proof = base64.urlsafe_b64encode(hashlib.sha256(told.get("code_verifier", "").encode()).digest()).rstrip(b"=")
        if asked is None or asked["code_challenge"] != proof.decode() or told.get("client_secret") != "our-secret":
            self.send_error(400)
            return
        self.seen.append(asked["scope"])
        until = int(time.time()) + 60
        claims = {"iss": self.here, "aud": "our-site", "sub": self.person["sub"], "exp": until, "iat": until - 60}
        claims |= {"nonce": asked["nonce"], **self.false}
        token = jwt.encode(
            {name: value for name, value in claims.items() if value is not None},
            "a-key-of-the-provider-that-is-long-enough",
            algorithm="HS256",
        )
        self._send({"access_token": "open", "token_type": "Bearer", "id_token": token})

    def _send(self, told: dict[str, Any]) -> None:
        data = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


@pytest.fixture
def provider(settings: Any, tmp_path: Path) -> Iterator[type[House]]:
    """A provider on the loopback, named in a file of settings as an operator writes it."""
    known = {
        "sub": "77",
        "name": "Zoe",
        "preferred_username": "zoe",
        "email": "zoe@example.org",
        "email_verified": True,
    }
    house = type("Mine", (House,), {"person": known, "false": {}, "codes": {}, "seen": []})
    with listen(house) as server:
        file = tmp_path / "providers.toml"
        file.write_text(
            f'[[provider]]\nid = "house"\nname = "The House"\nserver = "{server}"\n'
            'client = "our-site"\nsecret = "our-secret"\n',
            encoding="utf-8",
        )
        ours = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]
        settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {**ours, "APPS": places.providers(str(file))}}
        settings.SIGN_IN_SERVERS = places.servers(str(file))
        yield house


def through(client: Client) -> Any:
    """Press the button, be sent to the provider and back; the page that follows."""
    return back_from(client, client.post("/accounts/oidc/house/login/"))


def back_from(client: Client, away: Any) -> Any:
    """Follow an answer that sends the browser to the provider, and come back; the page that follows."""
    import urllib.request

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_: Any) -> None:
            return None

    assert away.status_code == 302
    with pytest.raises(urllib.error.HTTPError) as answer:
        urllib.request.build_opener(Stay).open(away.headers["Location"])
    with answer.value:
        back = urlsplit(answer.value.headers["Location"])
    return client.get(f"{back.path}?{back.query}", follow=True)


def test_sign_in_through_a_provider(provider: type[House]) -> None:
    """Who comes from the provider chooses a name by the rules of the site, and is known the next time."""
    client = Client()
    assert "The House" in client.get("/accounts/login/").content.decode()
    page = through(client)
    assert page.redirect_chain[-1][0] == "/accounts/3rdparty/signup/"
    assert client.post("/accounts/3rdparty/signup/", {"username": "Gamesmaster", "email": ""}).status_code == 200
    assert client.post("/accounts/3rdparty/signup/", {"username": "zoe", "email": "zoe@example.org"}).status_code == 302
    user = User.objects.get()
    assert (user.username, SocialAccount.objects.get(user=user).uid) == ("zoe", "77")
    assert EmailAddress.objects.get(user=user).verified
    assert not user.has_usable_password()
    again = Client()
    through(again)
    assert again.get("/me").status_code == 200
    assert "openid" in provider.seen[0]
    assert "form-action 'self' http://127.0.0.1:" in again.get("/").headers["Content-Security-Policy"]


def test_a_provider_opens_nobodys_account(provider: type[House]) -> None:
    """That a provider tells an address does not sign in to the account that has it."""
    person("ann", "zoe@example.org")
    client = Client()
    through(client)
    assert client.get("/me").status_code == 302
    assert not SocialAccount.objects.exists()


def test_a_provider_and_an_invitation(provider: type[House], settings: Any) -> None:
    """A site by invitation asks for one from those, too, who come from a provider."""
    settings.SIGN_UP = "invitation"
    client = Client()
    assert "invitation" in through(client).content.decode()
    assert not User.objects.exists()


@pytest.mark.parametrize("false", [{"nonce": "of another sign-in"}, {"nonce": None}, {"sub": "78"}])
def test_an_id_token_of_another_sign_in(provider: type[House], false: dict[str, Any]) -> None:
    """A token that was made for another sign-in, for none, or for somebody else opens nothing."""
    provider.false = false
    client = Client()
    page = through(client)
    assert page.status_code == 401
    assert client.get("/accounts/3rdparty/signup/").status_code == 302
    provider.false = {}
    assert through(client).redirect_chain[-1][0] == "/accounts/3rdparty/signup/"


def test_each_sign_in_has_a_nonce_of_its_own(provider: type[House]) -> None:
    """Nobody chooses the nonce from outside, and none comes twice; the way back is this provider's alone."""
    asked = [
        Client().post("/accounts/oidc/house/login/", query_params={"auth_params": "nonce=mine"}).headers["Location"]
        for _ in range(2)
    ]
    told = [parse_qs(urlsplit(where).query) for where in asked]
    assert {one["redirect_uri"][0] for one in told} == {"http://testserver/accounts/oidc/house/login/callback/"}
    nonces = {one["nonce"][0] for one in told}
    assert len(nonces) == 2
    assert "mine" not in nonces


def test_a_provider_that_speaks_for_another(provider: type[House]) -> None:
    """Metadata of another issuer are not believed: nobody is sent there, and no answer from there is taken."""
    client = Client()
    provider.false = {"issuer": "https://id.example.org"}
    assert client.post("/accounts/oidc/house/login/").status_code == 401
    provider.false = {}
    away = client.post("/accounts/oidc/house/login/")
    asked = {name: values[0] for name, values in parse_qs(urlsplit(away.headers["Location"]).query).items()}
    provider.codes["code"] = asked
    provider.false = {"issuer": "https://id.example.org", "iss": "https://id.example.org"}
    back = client.get("/accounts/oidc/house/login/callback/", {"code": "code", "state": asked["state"]})
    assert back.status_code == 401


def test_a_provider_that_is_away(provider: type[House], settings: Any) -> None:
    """Who presses its button gets a page that says so."""
    settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]["settings"]["server_url"] = "http://127.0.0.1:9"
    assert Client().post("/accounts/oidc/house/login/").status_code == 401


@pytest.mark.parametrize(
    "text",
    [
        "[[provider", '[[provider]]\nid = "x"\n',
        '[[provider]]\nid = "X y"\nname = "n"\nserver = "https://a.org"\nclient = "c"\nsecret = "s"\n',
        '[[provider]]\nid = "x"\nname = "n"\nserver = "http://a.org"\nclient = "c"\nsecret = "s"\n',
    ],
)  # fmt: skip
def test_files_of_providers_that_are_refused(text: str, tmp_path: Path) -> None:
    """What is no TOML, lacks a word, has a bad id or no TLS is refused with the reason."""
    file = tmp_path / "providers.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile):
        places.providers(str(file))
