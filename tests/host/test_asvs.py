"""The table of OWASP's requirements names tests that are there; and what of it no other test shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.service import moderation

from .conftest import NOW, person
from .test_accounts import PASSWORD, sign_in

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/asvs.md"
NAMED = re.compile(r"`((?:\w+/)*\w+\.py)::(\w+)`")
ROW = re.compile(r"^\| ((?:\d+\.\d+\.\d+(?:, )?)+) \|(.*)\|(.*)\|(.*)\|$", re.MULTILINE)
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quick_passwords")]


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


def made(password: str) -> bool:
    """Is there an account with this password?"""
    form = {"username": "zoe", "email": "", "password1": password, "password2": password}
    Client().post("/accounts/signup/", form)
    user = User.objects.filter(username="zoe").first()
    return user is not None and user.check_password(password)


@pytest.mark.parametrize("password", ["short7x", "password", "iloveyou"])
def test_passwords_that_are_refused(password: str) -> None:
    """Short ones, and common ones."""
    assert not made(password)


@pytest.mark.parametrize("password", ["onlysmallletterzq", "Wörter ohne Zahl, mit Leerzeichen", "x7" * 100])
def test_passwords_that_are_taken(password: str) -> None:
    """Of any composition, with spaces, and very long ones, as they were typed."""
    assert made(password)


def test_who_is_suspended_is_out() -> None:
    """The sessions of an account end when it is suspended."""
    user = person("zoe", password=PASSWORD)
    client = sign_in("zoe")
    assert client.get("/me").status_code == 200
    moderation.suspend(user, User.objects.create_superuser("boss"), True, now=NOW)
    assert client.get("/me").status_code == 302
