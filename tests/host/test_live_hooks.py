from __future__ import annotations

import json
import socket
import time
from collections.abc import Mapping
from contextlib import suppress
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from threading import Event, Thread
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.accounts.tokens import drop_token, find_token, make_token
from gamesmaster.host.games import hosting
from gamesmaster.host.gm import hooks
from gamesmaster.host.models import HookCall, WebHook
from gamesmaster.host.phases import processing
from gamesmaster.host.site import outgoing
from gamesmaster.host.tables.settings import Absent, TableSettings
from tests.host.conftest import DAY, NOW, people, running
from tests.host.listening import listen
from tests.host.test_tables import refused
from tests.patience import PATIENCE, await_that

pytestmark = pytest.mark.django_db
URL = "https://example.org/hook"
CALLS: list[tuple[str, bytes, Mapping[str, str]]] = []


def answering(why: str = "") -> outgoing.Post:
    """A post office that notes what it is given and says this."""
    CALLS.clear()

    def send(url: str, body: bytes, headers: Mapping[str, str]) -> str:
        CALLS.append((url, body, headers))
        return why

    return send


def test_a_hook_is_told_once_and_signed() -> None:
    """Each thing that happens is told once, with a signature that its secret checks."""
    owner, *_ = people(1)
    table = running([owner], TableSettings(absent=Absent(grace=0)))
    hook = hooks.add(table, owner, URL, ["phase"], now=NOW)
    hooks.collect(NOW)
    assert not HookCall.objects.exists()
    assert processing.process(table.pk, 0, now=NOW + 4 * DAY) is not None
    table.refresh_from_db()
    for _ in range(2):
        hooks.collect(NOW + 4 * DAY)
    assert hooks.deliver(NOW + 4 * DAY, send=answering()) == table.ordinal
    assert hooks.deliver(NOW + 5 * DAY, send=answering()) == 0
    assert table.ordinal
    call = HookCall.objects.get(what__startswith="phase.0.")
    headers = hooks.headers(call, hook, NOW)
    at, _, signature = headers["X-Gamesmaster-Signature"].partition(",v1=")
    assert signature == hooks.sign(hook.secret, at.removeprefix("t="), call.body)
    assert json.loads(call.body)["phase"] == "S1901M"


def test_a_failed_call_is_made_again_and_given_up_at_last() -> None:
    """A call that fails waits longer each time; after the last it is given up, and the hook's failures are counted."""
    owner, *_ = people(1)
    table = running([owner])
    hook = hooks.add(table, owner, URL, ["state"], now=NOW)
    hosting.cancel(table, User.objects.create_superuser("admin"), now=NOW)
    at = NOW
    hooks.collect(at)
    for _ in hooks.WAITS:
        assert hooks.deliver(at, send=answering("status 500")) == 1
        assert hooks.deliver(at, send=answering("status 500")) == 0
        at += timedelta(days=2)
    call = HookCall.objects.get()
    assert (call.state, call.why) == ("failed", "status 500")
    assert WebHook.objects.get(pk=hook.pk).failures == 1


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://localhost/", "http://10.0.0.1/", "http://169.254.169.254/latest", "http://[::1]/",
        "http://[::ffff:10.0.0.1]/", "ftp://example.org/", "http://user:pw@example.org/", "http://example.org:22/",
        "file:///etc/passwd", "http://intranet/", "http://example.org/a b", "http://[bad/", "http://0/", "http://[::]/",
        "http://example.org/\r\nX: y", "javascript:alert(1)", "", "http://[64:ff9b::a00:1]/", "http://224.0.0.1/",
        "http://192.0.0.8/", "http://192.88.99.1/", "http://192.175.48.1/", "http://100.64.0.1/", "http://[fec0::1]/",
        "http://[4000::1]/", "http://[3fff::1]/", "http://[2002:808:808::1]/", "http://[::ffff:8.8.8.8]/",
    ],
)  # fmt: skip
def test_addresses_that_are_refused(url: str) -> None:
    """A hook leads to the open Internet or nowhere."""
    with refused("bad-url"):
        outgoing.check_address(url)


def test_a_name_that_leads_inside_is_not_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts is where a name leads when it is called: one private address among others is enough to refuse."""
    found = [(2, 1, 6, "", ("93.184.215.14", 443)), (2, 1, 6, "", ("10.1.2.3", 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: found)
    assert outgoing.post(URL, b"{}", {}) == "address not allowed"


def test_a_call_goes_out_and_follows_nobody() -> None:
    """A real call brings body and headers; a redirection is a failure."""
    got: list[bytes] = []

    class Answer(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(302 if self.path == "/away" else 204)
            self.send_header("Location", "http://127.0.0.1:1/")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    with listen(Answer) as here:
        assert outgoing.send(urlsplit(f"{here}/in"), b"{}", {}, lambda _: True) == ""
        assert outgoing.send(urlsplit(f"{here}/away"), b"{}", {}, lambda _: True) == "status 302"
        assert outgoing.send(urlsplit(f"{here}/in"), b"{}", {}, outgoing.public) == "address not allowed"
    assert got == [b"{}", b"{}"]


def test_a_call_in_the_form_of_discord() -> None:
    """A channel gets what happened, the deadline, and the public picture of the board; nobody is mentioned."""
    owner, *_ = people(1)
    table = running([owner], TableSettings(absent=Absent(grace=0)))
    hooks.add(table, owner, URL, ["phase"], form="discord", now=NOW)
    assert processing.process(table.pk, 0, now=NOW + 4 * DAY) is not None
    hooks.collect(NOW + 4 * DAY)
    assert hooks.deliver(NOW + 4 * DAY, send=answering()) > 0
    url, body, headers = CALLS[0]
    assert (url, headers["Content-Type"]) == (URL, "application/json")
    told = json.loads(body)
    assert told["allowed_mentions"] == {"parse": []}
    (embed,) = told["embeds"]
    assert embed["title"] == table.name
    assert embed["description"].startswith("S1901M is over.\nOrders for ")
    picture = Client().get(embed["image"]["url"].partition("8000")[2])
    assert (picture.status_code, picture["Content-Type"]) == (200, "image/png")
    with refused("bad-url"):
        hooks.add(table, owner, "http://example.org/hook", ["phase"], form="discord", now=NOW)


def test_who_sets_hooks() -> None:
    """Whoever made or runs a table sets its hooks, nobody else."""
    owner, other = people(2)
    table = running([owner, other])
    with refused("not-gm"):
        hooks.add(table, other, URL, [], now=NOW)
    with refused("no-event"):
        hooks.add(table, owner, URL, ["fase"], now=NOW)
    hook = hooks.add(table, owner, URL, [], now=NOW)
    with refused("not-gm"):
        hooks.drop(table, other, hook.pk)
    hooks.drop(table, owner, hook.pk)


def test_tokens() -> None:
    """A token is shown once and kept as a hash; it holds until it is dropped, it expires, or its owner is gone."""
    user, other = people(2)
    text, row = make_token(user, "my bot", ["read", "orders"], NOW, days=2)
    assert text not in repr(row.__dict__)
    found = find_token(text, NOW)
    assert found is not None
    assert (found.user, found.scopes) == (user, frozenset({"read", "orders"}))
    assert find_token(text + "x", NOW) is None
    assert find_token(text, NOW + 3 * DAY) is None
    with refused("no-token"):
        drop_token(other, row.pk)
    drop_token(user, row.pk)
    assert find_token(text, NOW) is None
    with refused("no-scope"):
        make_token(user, "x", ["reed"], NOW)


def dripping(seconds: float, step: float = 0.05) -> tuple[socket.socket, str]:
    """A server that answers with a byte now and then, for so long, and never comes to an end."""
    listening = socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        with suppress(OSError):
            while True:
                caller, _ = listening.accept()
                with caller:
                    for _ in range(int(seconds / step)):
                        caller.sendall(b"H")
                        time.sleep(step)

    Thread(target=drip, daemon=True).start()
    return listening, f"http://127.0.0.1:{listening.getsockname()[1]}/"


def test_a_call_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who answers byte by byte is cut off, however short each pause is."""
    monkeypatch.setattr(outgoing, "WHOLE_CALL", 0.5)
    listening, url = dripping(PATIENCE)
    with listening:
        begun = time.monotonic()
        assert outgoing.send(urlsplit(url), b"{}", {}, lambda _: True) == "too slow"
        assert time.monotonic() - begun < PATIENCE / 2


@pytest.mark.django_db(transaction=True)
def test_a_slow_address_holds_up_nobody_else() -> None:
    """While one host keeps its caller waiting, the calls of all others are made; its own wait their turn."""
    owner, *_ = people(1)
    held, told = Event(), []

    def send(url: str, body: bytes, headers: Mapping[str, str]) -> str:
        if "slow" in url:
            held.wait(PATIENCE)
        told.append(url)
        return ""

    tables_ = [running([owner]) for _ in range(4)]
    for number, table in enumerate(tables_):
        hooks.add(table, owner, "https://slow.example.org/", ["state"], now=NOW)
        hooks.add(table, owner, f"https://quick{number}.example.org/", ["state"], now=NOW)
        hosting.cancel(table, User.objects.create_superuser(f"admin{number}"), now=NOW)
    hooks.collect(NOW)
    lanes = hooks.Lanes(send=send)
    assert lanes.fill(NOW) == 5
    await_that(lambda: len(told) == 4)
    assert not [url for url in told if "slow" in url]
    assert lanes.fill(NOW) == 0
    held.set()
    assert lanes.wait(PATIENCE)
    for _ in range(3):
        lanes.fill(NOW)
        assert lanes.wait(PATIENCE)
    assert sorted(told)[-4:] == ["https://slow.example.org/"] * 4
    assert set(HookCall.objects.values_list("state", flat=True)) == {HookCall.SENT}


@pytest.mark.django_db(transaction=True)
def test_hosts_that_were_slow_share_few_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Many slow hosts of one stranger leave most lanes to others."""
    monkeypatch.setattr(hooks, "SLOW", -1.0)  # whatever was called was slow
    owner, *_ = people(1)
    held = Event()
    held.set()

    def send(url: str, body: bytes, headers: Mapping[str, str]) -> str:
        held.wait(PATIENCE)
        return "status 500"

    for number in range(6):
        table = running([owner])
        hooks.add(table, owner, f"https://slow{number}.example.org/", ["state"], now=NOW)
        hosting.cancel(table, User.objects.create_superuser(f"admin{number}"), now=NOW)
    hooks.collect(NOW)
    lanes = hooks.Lanes(8, send=send)
    assert lanes.fill(NOW) == 6
    assert lanes.wait(PATIENCE)
    held.clear()
    assert lanes.fill(NOW + DAY) == 2
    held.set()
    assert lanes.wait(PATIENCE)
