from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import OperationalError
from django.test import Client

from gamesmaster.host.accounts import sign_up
from gamesmaster.host.models import Sheet
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import downtime
from gamesmaster.host.site import clock
from gamesmaster.host.web.middleware import POLICY
from tests.host.conftest import HOUR, NOW, people, power_of, running

pytestmark = pytest.mark.django_db


def test_the_health_page(client: Client) -> None:
    """The health page says 503 until a worker was seen, then 200; it tells numbers and nothing else."""
    assert client.get("/healthz").status_code == 503
    downtime.beat(clock.now())
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["well"]) == (200, True)
    assert answer.headers["Content-Security-Policy"] == POLICY


def test_the_first_admin(client: Client) -> None:
    """The link makes one admin, once; a wrong one leads nowhere, and there is none when there is an admin."""
    token = sign_up.first_link(NOW)
    assert client.get("/first/nonsense").status_code == 404
    assert client.get(f"/first/{token}").content.decode().count('class="field"') == 3
    form = {"username": "keeper", "password1": "seven-sheep-40", "password2": "seven-sheep-40"}
    assert client.post(f"/first/{token}", form).status_code == 302
    assert User.objects.get(username="keeper").is_superuser
    assert client.post(f"/first/{token}", {**form, "username": "second"}).status_code == 404
    assert sign_up.first_link(NOW) == ""


def test_a_database_that_fails(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the database cannot be used pages say 503, and to come again (A10)."""

    def full(*_: object, **__: object) -> None:
        raise OperationalError("database or disk is full")

    table = running(people(1))
    monkeypatch.setattr("gamesmaster.host.tables.access.view", full)
    answer = client.get(f"/t/{table.key}/")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")


def test_no_receipt_for_what_is_not_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    """If anything fails before the commit there is no receipt, and no half of an order set (A10)."""

    def full(*_: object) -> None:
        raise OperationalError("database or disk is full")

    user, *_ = people(1)
    table = running([user])
    monkeypatch.setattr(submission, "look_again", full)
    with pytest.raises(OperationalError):
        submission.submit(table, power_of(table, user), "", Submission(0), user=user, now=NOW + HOUR)
    assert not Sheet.objects.exists()
    assert not table.receipts.exists()


def test_security_txt(client: Client, settings: Any) -> None:
    """Who may be told of weaknesses stands where programs look for it, for some months; without a setting nowhere."""
    path = "/.well-known/security.txt"
    assert client.get(path).status_code == 404
    settings.SECURITY_CONTACTS = ["mailto:security@example.org", "https://example.org/report"]
    settings.BASE_URL = "https://play.example.org"
    answer = client.get(path)
    lines = [line.partition(": ") for line in answer.content.decode().splitlines()]
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert [value for name, _, value in lines if name == "Contact"] == settings.SECURITY_CONTACTS
    (expires,) = [datetime.fromisoformat(value) for name, _, value in lines if name == "Expires"]
    assert timedelta(days=80) < expires - clock.now() < timedelta(days=366)
    assert ("Canonical", ": ", f"https://play.example.org{path}") in lines
