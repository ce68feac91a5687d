"""The table of OWASP's requirements names tests that are there; and what of it no other test shows."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, ClassVar

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from gamesmaster.host.accounts.sign_up import Breached
from gamesmaster.host.moderation import oversight
from tests.host.processes import surroundings
from tests.migrated import place_database

from .conftest import NOW, person
from .listening import listen
from .test_accounts import PASSWORD, sign_in

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/asvs.md"
NAMED = re.compile(r"`((?:\w+/)*\w+\.py)::(\w+)`")
ROW = re.compile(r"^\| ((?:\d+\.\d+\.\d+(?:, )?)+) \|(.*)\|(.*)\|(.*)\|$", re.MULTILINE)
pytestmark = pytest.mark.django_db


@pytest.mark.skipif(not PAGE.exists(), reason="the pages are not at hand")
def test_the_table_names_tests_that_are_there() -> None:
    """Each row has a test that exists, or says openly that there is none or that it is not met; no number twice."""
    text = PAGE.read_text(encoding="utf-8")
    rows = ROW.findall(text)
    assert len(rows) == text.count("\n| ") - 2 * text.count("| no. |")
    numbers = [number for found, *_ in rows for number in found.split(", ")]
    assert len(numbers) > 80
    assert len(set(numbers)) == len(numbers)
    for number, _, shown, state in rows:
        assert re.match(r" (?:met|partly|not met|left to)", state), number
        named = NAMED.findall(shown)
        assert named or ("no test" in shown and state.strip() != "met"), number
        for path, name in named:
            source = (ROOT / "tests" / path).read_text(encoding="utf-8")
            assert re.search(rf"^def {name}\b", source, re.MULTILINE), f"{number}: {path}::{name}"


def test_cookies_are_closed() -> None:
    """Scripts read neither the session nor the mark of the device, and other sites do not send them along."""
    person("zoe", password=PASSWORD)
    client = sign_in("zoe")
    for name in ("sessionid", "device"):
        assert client.cookies[name]["httponly"], name
        assert client.cookies[name]["samesite"] == "Lax", name


def test_cookies_of_https_come_from_this_host(tmp_path: Path) -> None:
    """Where the site is reached by https, each cookie is sent by https alone, and no other host can set it."""
    code = """
from gamesmaster.host.apps import boot; boot()
from gamesmaster.host.operations.serving import migrate; migrate()
from django.contrib.auth.models import User
from django.test import Client
User.objects.create_user("zoe", password="a-long-secret-1")
client, here = Client(), {"HTTP_HOST": "play.example.org", "secure": True}
client.get("/accounts/login/", **here)
client.post("/accounts/login/", {"login": "zoe", "password": "a-long-secret-1"}, **here)
for name, one in client.cookies.items():
    print(name, one["secure"], one["path"], one["domain"] or "-", one["samesite"])
"""
    place_database(tmp_path / "host.sqlite3")
    told = surroundings({"GAMESMASTER_BASE_URL": "https://play.example.org", "GAMESMASTER_DATA": str(tmp_path)})
    found = subprocess.run([sys.executable, "-c", code], env=told, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    names = ("csrftoken", "device", "messages", "sessionid")
    assert sorted(found.stdout.splitlines()) == [f"__Host-{name} True / - Lax" for name in names]


def test_what_pages_keep_goes_at_sign_out() -> None:
    """The browser is told to forget what was written and not sent, when its owner signs out, and not before."""
    person("zoe", password=PASSWORD)
    client = sign_in("zoe")
    assert "Clear-Site-Data" not in client.get("/me").headers
    assert client.post("/accounts/logout/").headers["Clear-Site-Data"] == '"storage"'


def made(password: str) -> bool:
    """Is there an account with this password?"""
    form = {"username": "zoe", "email": "", "password1": password, "password2": password}
    Client().post("/accounts/signup/", form)
    user = User.objects.filter(username="zoe").first()
    return user is not None and user.check_password(password)


@pytest.mark.parametrize("password", ["short7x", "password", "iloveyou", "Gamesmaster1", "diplomacy-!!"])
def test_passwords_that_are_refused(password: str) -> None:
    """Short ones, common ones, and those that are the site's own words."""
    assert not made(password)


class Service(BaseHTTPRequestHandler):
    """Knows one password; of another that begins alike it has a line of padding."""

    asked: ClassVar[list[str]] = []

    def do_GET(self) -> None:
        """List what begins as asked."""
        self.asked.append(self.path)
        known = hashlib.sha1(b"breached-word-1").hexdigest().upper()
        padding = hashlib.sha1(b"safe-word-for-now").hexdigest().upper()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(f"{'0' * 35}:3\r\n{known[5:]}:17\r\n{padding[5:]}:0\r\n".encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def test_breached_passwords(settings: Any) -> None:
    """What the service knows is refused; it hears five digits of a hash; while it is away, passwords are taken."""
    with listen(Service) as service:
        address = f"{service}/range/"
        breached = {"NAME": "gamesmaster.host.accounts.sign_up.Breached", "OPTIONS": {"address": address}}
        settings.AUTH_PASSWORD_VALIDATORS = [breached]
        assert not made("breached-word-1")
        assert made("safe-word-for-now")
    assert {len(path) for path in Service.asked} == {len("/range/12345")}
    User.objects.all().delete()
    assert made("breached-word-1")


@pytest.mark.parametrize("address", ["http://example.org/range/", "ftp://127.0.0.1/"])
def test_breached_passwords_are_asked_for_by_https(address: str) -> None:
    """No service is asked in the clear."""
    with pytest.raises(ImproperlyConfigured):
        Breached(address)


@pytest.mark.parametrize("password", ["onlysmallletterzq", "Wörter ohne Zahl, mit Leerzeichen", "x7" * 100])
def test_passwords_that_are_taken(password: str) -> None:
    """Of any composition, with spaces, and very long ones, as they were typed."""
    assert made(password)


def test_who_is_suspended_is_out() -> None:
    """The sessions of an account end when it is suspended."""
    user = person("zoe", password=PASSWORD)
    client = sign_in("zoe")
    assert client.get("/me").status_code == 200
    oversight.suspend(user, User.objects.create_superuser("boss"), wanted=True, now=NOW)
    assert client.get("/me").status_code == 302
