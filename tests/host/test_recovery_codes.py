"""Of recovery codes only hashes are kept once they were shown; each works once, and no hash does."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.accounts import signing_in

from .conftest import NOW, person
from .test_accounts import PASSWORD, sign_in

pytestmark = pytest.mark.django_db
PAGE = "/accounts/2fa/recovery-codes/"


@pytest.fixture
def zoe() -> User:
    """Somebody with an app and ten codes that nobody has seen."""
    user = person("zoe", password=PASSWORD)
    Authenticator.objects.create(user=user, type=Authenticator.Type.TOTP, data={"secret": "JBSWY3DPEHPK3PXP"})
    RecoveryCodes.activate(user)
    return user


def kept() -> dict[str, Any]:
    """What is kept of the codes."""
    found: dict[str, Any] = Authenticator.objects.get(type="recovery_codes").data
    return found


def codes() -> list[str]:
    """The codes that are left."""
    found: list[str] = RecoveryCodes(Authenticator.objects.get(type="recovery_codes")).get_unused_codes()
    return found


def entered(typed: str) -> Client:
    """A browser in which zoe has signed in with her password and this code."""
    client = sign_in("zoe", Client())
    client.post("/accounts/2fa/authenticate/", {"code": typed})
    return client


def seen(client: Client) -> str:
    """The page of codes, which asks for the password again."""
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client.get(PAGE).content.decode()


def is_in(client: Client) -> bool:
    """Is somebody signed in?"""
    return client.get("/me").status_code == 200


def test_they_are_hashed_as_they_are_shown(zoe: User) -> None:
    """The page shows all ten, once; neither they nor what they follow from is kept."""
    shown = codes()
    client = entered(shown[9])
    text = seen(client)
    assert re.search(r"<textarea[^>]*>([^<]*)", text)[1].split("&#10;") == shown[:9]  # type: ignore[index]
    data = kept()
    assert sorted(data) == ["migrated_codes", "viewed_at"]
    assert len(set(data["migrated_codes"])) == 9
    assert all(one.startswith("pbkdf2_sha256$") for one in data["migrated_codes"])
    assert not [code for code in shown if code in json.dumps(data)]
    assert "textarea" not in seen(client)
    assert "9 codes are left" in client.get("/accounts/2fa/").content.decode()
    assert kept() == data


def test_each_works_once_and_no_hash(zoe: User) -> None:
    """At sign-in and when asked again; what is kept opens nothing when it is typed."""
    shown = codes()
    seen(entered(shown[0]))
    stolen = kept()["migrated_codes"]
    assert not is_in(entered(stolen[0]))
    assert not is_in(entered("12345678" if "12345678" not in shown else "87654321"))
    client = entered(f" {shown[3][:4]}-{shown[3][4:]} ")
    assert is_in(client)
    assert not is_in(entered(shown[3]))
    assert not is_in(entered(shown[0]))
    assert len(kept()["migrated_codes"]) == 8
    client.post("/accounts/2fa/reauthenticate/", {"code": shown[4]})
    assert len(kept()["migrated_codes"]) == 7


def test_more_rounds_later(zoe: User, monkeypatch: pytest.MonkeyPatch) -> None:
    """Codes stay good when passwords are hashed with more rounds."""
    shown = codes()
    seen(entered(shown[0]))
    monkeypatch.setattr(signing_in.HASHER, "iterations", 20)
    assert is_in(entered(shown[1]))


def test_those_of_before(zoe: User) -> None:
    """Codes that an earlier version showed are hashed by the worker, but for those that were used; unseen ones wait."""
    assert signing_in.tidy_codes(NOW) == 0
    shown = codes()
    one = RecoveryCodes(Authenticator.objects.get(type="recovery_codes"))
    assert one.validate_code(shown[0])
    one.mark_as_viewed()
    assert signing_in.tidy_codes(NOW) == 1
    assert signing_in.tidy_codes(NOW) == 0
    assert len(kept()["migrated_codes"]) == 9
    assert is_in(entered(shown[1]))
    assert not is_in(entered(shown[0]))
