from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from urllib.parse import urlsplit

import pytest
from django.contrib.auth.models import User

from gamesmaster.host.models import HookCall, WebHook
from gamesmaster.host.service import hooks, outgoing, phases, tables, tokens
from gamesmaster.host.table_settings import Absent, TableSettings
from tests.host.conftest import DAY, NOW, people, running
from tests.host.test_tables import refused

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
    assert phases.process(table.pk, 0, now=NOW + 4 * DAY) is not None
    table.refresh_from_db()
    for _ in range(2):
        hooks.collect(NOW + 4 * DAY)
    assert hooks.deliver(NOW + 4 * DAY, send=answering()) == table.ordinal
    assert hooks.deliver(NOW + 5 * DAY, send=answering()) == 0
    assert table.ordinal
    call = HookCall.objects.get(what__startswith="phase.0.")
    headers = hooks.headers(call, NOW)
    at, _, signature = headers["X-Gamesmaster-Signature"].partition(",v1=")
    assert signature == hooks.sign(hook.secret, at.removeprefix("t="), call.body)
    assert json.loads(call.body)["phase"] == "S1901M"


def test_a_failed_call_is_made_again_and_given_up_at_last() -> None:
    """A call that fails waits longer each time; after the last it is given up, and the hook's failures are counted."""
    owner, *_ = people(1)
    table = running([owner])
    hook = hooks.add(table, owner, URL, ["state"], now=NOW)
    tables.cancel(table, User.objects.create_superuser("admin"), now=NOW)
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

    server = HTTPServer(("127.0.0.1", 0), Answer)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        here = f"http://127.0.0.1:{server.server_port}"
        assert outgoing.send(urlsplit(f"{here}/in"), b"{}", {}, lambda _: True) == ""
        assert outgoing.send(urlsplit(f"{here}/away"), b"{}", {}, lambda _: True) == "status 302"
        assert outgoing.send(urlsplit(f"{here}/in"), b"{}", {}, outgoing.public) == "address not allowed"
    finally:
        server.shutdown()
        server.server_close()
    assert got == [b"{}", b"{}"]


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
    text, row = tokens.make(user, "my bot", ["read", "orders"], NOW, days=2)
    assert text not in repr(row.__dict__)
    found = tokens.find(text, NOW)
    assert found is not None
    assert (found.user, found.scopes) == (user, frozenset({"read", "orders"}))
    assert tokens.find(text + "x", NOW) is None
    assert tokens.find(text, NOW + 3 * DAY) is None
    with refused("no-token"):
        tokens.drop(other, row.pk)
    tokens.drop(user, row.pk)
    assert tokens.find(text, NOW) is None
    with refused("no-scope"):
        tokens.make(user, "x", ["reed"], NOW)
