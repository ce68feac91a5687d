"""What whoever runs a site relies on: checks of a deployment, figures, bounds of what is received, trouble told."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import OperationalError
from django.test import Client, override_settings
from prometheus_client.parser import text_string_to_metric_families

from gamesmaster.host.phases import downtime, processing
from gamesmaster.host.site import clock
from gamesmaster.host.tables.settings import Absent, TableSettings
from tests.host.conftest import DAY, NOW, people, running
from tests.host.processes import Server, surroundings
from tests.patience import PATIENCE

DEPLOYED = {"GAMESMASTER_BASE_URL": "https://play.example.org", "GAMESMASTER_BEHIND_PROXY": "yes"}
SECURE = {
    "SECURE_SSL_REDIRECT": True, "SECURE_HSTS_SECONDS": 3600, "ALLOWED_HOSTS": ["play.example.org"],
    "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
}  # fmt: skip


def test_the_check_of_a_deployment_finds_nothing(tmp_path: Path) -> None:
    """Behind a server that speaks TLS, Django's own check of a deployment has nothing to say (H16)."""
    told = {**DEPLOYED, "GAMESMASTER_DATA": str(tmp_path), "DJANGO_SETTINGS_MODULE": "gamesmaster.host.settings"}
    secret = {"GAMESMASTER_SECRET": "4e0b1de7c9a25f8631d7e2aa90cc51f3b8d64e70a2f19c3587be"}
    asked = [sys.executable, "-W", "ignore", "-m", "django", "check", "--deploy", "--fail-level", "WARNING"]
    found = subprocess.run(
        asked, env={**surroundings(told), **secret}, capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert (found.returncode, "WARNING" in found.stdout + found.stderr) == (0, False), found.stdout + found.stderr


@pytest.mark.django_db
@override_settings(**SECURE)
def test_the_way_to_https(client: Client) -> None:
    """Who comes by http is sent to https, but for what the machine itself asks; browsers are told to insist (H16)."""
    here = {"HTTP_HOST": "play.example.org"}
    answer = client.get("/variants/", **here)  # type: ignore[arg-type]
    assert (answer.status_code, answer["Location"]) == (301, "https://play.example.org/variants/")
    assert client.get("/healthz", **here).status_code == 503  # type: ignore[arg-type]
    program = client.get("/api/variants", **here)  # type: ignore[arg-type]
    assert (program.status_code, program.json()["code"]) == (403, "https-only")
    secure = client.get("/variants/", HTTP_X_FORWARDED_PROTO="https", **here)  # type: ignore[arg-type]
    assert (secure.status_code, secure["Strict-Transport-Security"]) == (200, "max-age=3600")


@pytest.mark.django_db
def test_the_api_says_that_the_database_is_away(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """The API's 503 is a problem like its others, and says when to come again (H16)."""

    def away(*_: object, **__: object) -> None:
        raise OperationalError("the connection is closed: secret")

    monkeypatch.setattr("gamesmaster.host.games.hosting.find_tables", away)
    answer = client.get("/api/tables")
    assert (answer.status_code, answer["Content-Type"]) == (503, "application/problem+json")
    assert (answer.json()["code"], answer["Retry-After"]) == ("unavailable", "60")
    assert "secret" not in answer.content.decode()
    monkeypatch.setattr("gamesmaster.host.operations.health.look", away)
    assert client.get("/healthz").json() == {"well": False, "reasons": ["the database does not answer"]}


@pytest.mark.django_db
def test_the_database_is_away_while_an_answer_is_written(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """A field of an answer that asks the database in vain is answered as any other call; another fault stays one."""

    def fails(*_: object) -> int:
        raise error

    table = running(people(2))
    monkeypatch.setattr("gamesmaster.host.press.threads.unread", fails)
    error: Exception = OperationalError("the connection is closed")
    answer = client.get(f"/api/tables/{table.key}")
    assert (answer.status_code, answer["Retry-After"]) == (503, "60")
    error = ZeroDivisionError()
    with pytest.raises(Exception, match="ZeroDivisionError"):
        client.get(f"/api/tables/{table.key}")


def figures(client: Client) -> dict[str, float]:
    """The figures of `/metrics`, by name and labels."""
    answer = client.get("/metrics", HTTP_HOST="127.0.0.1")
    assert answer.status_code == 200
    found = {}
    for family in text_string_to_metric_families(answer.content.decode()):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            found[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return found


@pytest.mark.django_db
def test_the_figures(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is due, processed, waiting and seen is told in numbers, and how requests were answered (H16)."""
    running(people(1), TableSettings(absent=Absent(grace=0)))
    late = NOW + 3 * DAY
    monkeypatch.setattr(clock, "now", lambda: late)
    for name in (downtime.WORKER, downtime.WEB):
        downtime.beat(late, name)
    found = figures(client)
    assert (found["gamesmaster_due_games"], found["gamesmaster_oldest_due_seconds"]) == (1, 86400)
    assert found["gamesmaster_tables{state=running}"] == 1
    assert found["gamesmaster_mails{state=queued}"] >= 1
    assert found["gamesmaster_pulse_age_seconds{name=web}"] == 0
    assert (found["gamesmaster_well"], found["gamesmaster_phases"]) == (0, 0)
    ((number, ordinal),) = processing.due(late)
    processing.process(number, ordinal, now=late)
    client.get("/no-such-page")
    again = figures(client)
    assert (again["gamesmaster_well"], again["gamesmaster_due_games"]) == (1, 0)
    assert again["gamesmaster_phases"] >= 1
    seen = "gamesmaster_request_seconds_count{method=GET,status=200,view=metrics}"
    assert again[seen] == found.get(seen, 0) + 1
    assert again["gamesmaster_request_seconds_count{method=GET,status=404,view=none}"] >= 1


@pytest.mark.django_db
def test_who_may_read_the_figures(client: Client) -> None:
    """Programs of this machine, and whoever has the token; nobody else, though a server asks for them (H16)."""
    assert client.get("/metrics").status_code == 404  # "testserver" is no name of this machine
    assert client.get("/metrics", HTTP_HOST="127.0.0.1:8000").status_code == 200
    assert client.get("/metrics", HTTP_HOST="localhost", REMOTE_ADDR="192.0.2.7").status_code == 404
    assert client.get("/metrics", HTTP_HOST="127.0.0.1", HTTP_X_FORWARDED_FOR="127.0.0.1").status_code == 404
    with override_settings(METRICS_TOKEN="a-token"):
        assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer a-token").status_code == 200
        assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer another").status_code == 404
    with override_settings(METRICS_TOKEN=""):
        assert client.get("/metrics", HTTP_AUTHORIZATION="Bearer ").status_code == 404


class _Endless:
    """A body that would never end; it counts how much of it was taken."""

    def __init__(self) -> None:
        self.taken = 0

    def __iter__(self) -> Iterator[bytes]:
        while self.taken < 64 * 1024 * 1024:
            self.taken += 65536
            yield b"x" * 65536


def test_large_bodies_are_refused_early(tmp_path: Path) -> None:
    """200 MiB are refused by their announced length, and an endless body soon after its bound (H16)."""
    with Server(tmp_path / "data", "--no-worker").ready() as site:
        for path, kind in (("/api/tables", "application/problem+json"), ("/accounts/login/", "text/plain")):
            with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as call:
                call.putrequest("POST", path)
                call.putheader("Content-Length", str(200 * 1024 * 1024))
                call.endheaders()  # not a byte of the body is sent
                answer = call.getresponse()
                assert (answer.status, answer.headers["Content-Type"]) == (413, kind)
                if kind.endswith("json"):
                    assert json.load(answer)["code"] == "too-large"
        body = _Endless()
        with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=PATIENCE)) as call:
            try:
                call.request(
                    "POST", "/api/tables", iter(body), {"Content-Type": "application/json"}, encode_chunked=True
                )
                assert call.getresponse().status == 413
            except (ConnectionError, http.client.HTTPException):
                pass  # it was cut off in the middle of what it sent
        assert body.taken < 32 * 1024 * 1024
        assert site.ready()
