"""Names that would be taken for somebody else's are refused; accounts that have one stay."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.accounts import sign_up
from gamesmaster.host.mailroom import newcomers

from .test_people import SIGN_UP

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    "name",
    [
        "Gamesmaster", "gamesmaster2", "Game-Master", "admin", "Administrator", "аdmin", "аdm", "ADM1N", "Moderator",
        "rn0derator", "ｐ0", "m\u00f6derator", "root", "GM", "England", "EngIand", "zoe@example.org", "___", "ⅼist",
        "zoeж", "no.body",
    ],
)  # fmt: skip
def test_refused(name: str) -> None:
    """Offices, words of the house, powers, mixed scripts, odd forms of letters, addresses: at the form and by mail."""
    assert sign_up.name_fault(name)
    answer = Client().post("/accounts/signup/", {"username": name, "email": "", **SIGN_UP})
    assert answer.status_code == 200
    assert newcomers.fault_of(name)
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "name", ["zoe", "Zoë", "Боря", "李小龍", "たなかカナ", "김철수", "Ελένη", "player1", "o_neil-2"]
)
def test_allowed(name: str) -> None:
    """Names of one script, of any language."""
    assert sign_up.name_fault(name) == ""


@pytest.mark.parametrize("name", ["Pau1", "PAUL", "раuӏ", "p.a.u.l", "Päul", "раul"])
def test_names_that_look_like_anothers(name: str) -> None:
    """A name that is read like that of another account is refused."""
    User.objects.create_user("Paul")
    assert sign_up.name_fault(name)


def test_accounts_of_before_stay() -> None:
    """Who has a name that would be refused today signs in as ever."""
    User.objects.create_user("Moderator", "m@example.org", "one-long-pass-9")
    answer = Client().post("/accounts/login/", {"login": "Moderator", "password": "one-long-pass-9"})
    assert answer.status_code == 302
