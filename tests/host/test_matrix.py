"""Every address of the site by every role in every state of play: nothing leaks, nothing breaks, nothing changes."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import replace
from typing import Any

import pytest
from django.core.cache import cache
from django.http import HttpResponseBase
from django.test import Client

from gamesmaster.host.games import seats
from gamesmaster.host.models import Table
from gamesmaster.host.site import clock
from tests.host.conftest import NOW
from tests.host.world import (
    CORE,
    FILLED,
    LATER,
    PHASES,
    ROLES,
    SECRETIVE,
    Address,
    World,
    addresses,
    kept,
    mails_of,
    make_world,
    of_table,
    words_in,
)

pytestmark = pytest.mark.django_db

SAFE = (200, 204, 301, 302, 303, 304, 400, 401, 403, 404, 405, 409, 410, 422)
"""What an answer may be to anybody: an error of the server is never among them."""
PATIENT = ("stream", "events", "live")
"""Parts of addresses whose answers do not end: they are looked at by the tests of live updates."""
ALL_PEOPLE = ("moderation/people", "api/people", "ratings")
"""Lists of everybody who has an account: they say nothing of who plays what."""
HEADERS = {
    "X-Content-Type-Options": r"nosniff",
    "X-Frame-Options": r"DENY",
    "Referrer-Policy": r"same-origin|no-referrer",
    "Content-Security-Policy": r".*default-src 'none'.*",
}
INLINE = re.compile(
    r"<script(?![^>]*\bsrc=)(?![^>]*application/(ld\+)?json)|<style|\sstyle=|\son\w+=|javascript:", re.I
)
"""What a strict content policy would stop, and so may not stand in a page."""


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: LATER)


def asked_of(table: Table, extra: dict[str, str] | None = None, *, elsewhere: bool = True) -> list[tuple[Address, str]]:
    """Every address, filled in for this table; those whose answers do not end left out."""
    values = FILLED | {"key": table.key} | (extra or {})
    found = []
    for address in addresses():
        if any(part in address.pattern.casefold() for part in PATIENT):
            continue
        if not elsewhere and not of_table(address):
            continue
        found.append((address, address.filled(values if of_table(address) else FILLED)))
    return found


def body_of(response: HttpResponseBase) -> str:
    """All that is answered, headers first."""
    parts = b"".join(response) if getattr(response, "streaming", False) else getattr(response, "content", b"")
    head = "\n".join(f"{name}: {value}" for name, value in response.items())
    return f"{head}\n\n{parts.decode('utf-8', 'replace')}"


def test_every_address_can_be_filled_in() -> None:
    """A new address is looked at as well: what stands in its places must be known here."""
    unknown = {name for address in addresses() for name in address.names} - FILLED.keys()
    assert not unknown, f"say in tests/host/world.py (FILLED) what may stand for {sorted(unknown)}"


@pytest.mark.parametrize("phase", PHASES)
def test_nobody_reads_what_is_not_his(phase: str, caplog: pytest.LogCaptureFixture) -> None:
    """In no answer, header, log line or mail is a word that its reader may not know (D1, D4, D6, D7)."""
    caplog.set_level(logging.DEBUG)
    world = make_world(phase)
    roles = ROLES if phase == "later" else CORE
    faults = [fault for role in roles for fault in _faults(world, role, everywhere=phase == "later")]
    assert not faults, "\n".join(faults)
    logged = "\n".join(f"{r.getMessage()} {r.__dict__}" for r in caplog.records if r.name.startswith("gamesmaster"))
    secret = [
        s.word for s in world.secrets if s.word.startswith(("zqorder", "zqvote", "zqpress", "zqremark", "zqinstead"))
    ]
    assert not words_in(logged, secret)
    for role, user in world.people.items():
        hidden = [w for w in world.hidden_from(role) if not w.startswith("zqmail")]
        assert not words_in(mails_of(user), hidden), role


def _faults(world: World, role: str, *, everywhere: bool) -> list[str]:
    client, found = world.client(role), []
    before = kept()
    cache.clear()  # with all that counts how often somebody asks
    for address, url in asked_of(world.table, elsewhere=everywhere):
        response = client.get(url)
        if response.status_code not in SAFE:
            found.append(f"{role} {url}: {response.status_code}")
            continue
        leaked = words_in(body_of(response), world.hidden_from(role))
        if address.pattern in ALL_PEOPLE:
            leaked = [word for word in leaked if word.removeprefix("zq") not in ROLES]
        if leaked:
            found.append(f"{role} {url} ({address.pattern}): reads {', '.join(leaked)}")
    if kept() != before:
        found.append(f"{role}: something was changed by reading")
    return found


def test_the_secrets_are_read_by_those_who_may() -> None:
    """The words are where one would read them: a player's own orders on the game's page, or this is blind."""
    world = make_world("moves")
    client = world.client("own")
    seen = "".join(body_of(client.get(url)) for _, url in asked_of(world.table, elsewhere=False))
    assert words_in(seen, ["zqorderown"])
    client = world.client("standby")
    seen = "".join(body_of(client.get(url)) for _, url in asked_of(world.table, elsewhere=False))
    assert words_in(seen, ["zqinstead"])


@pytest.mark.parametrize("role", ["stranger", "outsider", "replaced"])
@pytest.mark.parametrize("phase", ["forming", "later"])
def test_a_hidden_table_is_no_table(phase: str, role: str) -> None:
    """To those who may not know of a table every address of it answers as one of a table that does not exist (D1)."""
    hidden = replace_settings(join="invited", observers=False)
    world = make_world(phase, hidden)
    if role == "replaced" and phase == "forming":
        seats.leave(world.table, world.people["replaced"], now=NOW)
    client = world.client(role)
    nothing = "abcdefghjk"
    cache.clear()
    for address, url in asked_of(world.table):
        if not of_table(address):
            continue
        real, unreal = client.get(url), client.get(address.filled(FILLED | {"key": nothing}))
        assert real.status_code == unreal.status_code, url
        assert real.status_code in (302, 401, 403, 404, 405), url
        assert bare(real, world.table.key) == bare(unreal, nothing), url


@pytest.mark.parametrize("method", ["post", "put", "patch", "delete"])
@pytest.mark.parametrize("role", ["stranger", "outsider", "replaced", "other"])
def test_nobody_changes_what_is_not_his(role: str, method: str) -> None:
    """What is sent to any address of a table by somebody who does not run it leaves the others' things as they were."""
    world = make_world("later")
    client = world.client(role)
    power = world.table.seats.get(user=world.people["own"]).power or ""
    data = {"power": power, "ordinal": "1", "orders": "zqforged", "texts": "zqforged", "text": "zqforged", "to": "zq"}
    before = others_things(world)
    for address, url in asked_of(world.table, {"power": power}):
        if not of_table(address) or "leave" in url:
            continue
        cache.clear()
        response = getattr(client, method)(url, data, content_type="application/json") if method != "post" else (
            client.post(url, data)
        )  # fmt: skip
        assert response.status_code in SAFE, f"{url}: {response.status_code}"
        assert others_things(world) == before, url


def others_things(world: World) -> str:
    """The table, seats and sheets of those who are not the one who asks."""
    table = Table.objects.get(pk=world.table.pk)
    seats = [(s.power, s.user_id, s.state) for s in table.seats.exclude(user=world.people["other"]).order_by("pk")]
    own = table.seats.filter(user=world.people["other"]).values_list("power", flat=True)
    sheets = [(s.power, s.text, s.version) for s in table.sheets.exclude(power__in=list(own)).order_by("pk")]
    return json.dumps([table.state, table.ordinal, table.record, str(table.deadline), seats, sheets], default=str)


def test_what_changes_needs_a_token_of_the_page() -> None:
    """Without the token of a form nothing is taken from a browser that is logged in, at any address (E3)."""
    world = make_world("moves")
    client = world.client("own", csrf=True)
    before = kept()
    for _, url in asked_of(world.table):
        response = client.post(url, {"power": "Austria"})
        assert response.status_code in (301, 302, 400, 401, 403, 404, 405, 410, 422), f"{url}: {response.status_code}"
        assert kept() == before, url


def test_every_answer_is_guarded() -> None:
    """Every answer carries the house's policy, no page anything inline, and nothing of a table stays in caches (E1)."""
    world = make_world("later")
    for role in ("stranger", "own"):
        client = world.client(role)
        for address, url in asked_of(world.table):
            response = client.get(url)
            check_guards(response, url, table=of_table(address) and response.status_code == 200)


def check_guards(response: Any, url: str, *, table: bool) -> None:
    """One answer's headers, and its markup if it is a page."""
    for header, wanted in HEADERS.items():
        assert re.fullmatch(wanted, response.headers.get(header, "")), f"{url}: {header}"
    kind = response.headers.get("Content-Type", "")
    policy = response.headers["Content-Security-Policy"]
    if kind.startswith("image/svg"):  # a picture may bring its own colours, and is in a sandbox then
        policy = policy.replace("style-src 'unsafe-inline'", "") if "sandbox" in policy else policy
    assert "unsafe" not in policy, url
    if table and kind.startswith(("text/html", "application/json")):
        assert re.search(r"no-store|private|no-cache", response.headers.get("Cache-Control", "")), url
    if kind.startswith("text/html") and response.status_code == 200:
        found = INLINE.findall(body_of(response))
        assert not found, url


EVIL = "<b zqx=1>\"'><script>zqx</script><svg onload=zqx>"


@pytest.mark.parametrize("phase", ["forming", "later"])
def test_what_people_write_is_text(phase: str) -> None:
    """Markup in the name of a table and in press is shown as it was written, and is no markup (E1)."""
    world = make_world(phase, name=EVIL)
    table = world.table
    table.messages.create(ordinal=0, sender="", shown_as="Gamesmaster", to=[], text=EVIL, sent_at=NOW)
    for role in ("stranger", "own", "gm"):
        client = world.client(role)
        for _, url in asked_of(table):
            response = client.get(url)
            kind = response.headers.get("Content-Type", "")
            if "html" in kind or "xml" in kind or "svg" in kind:
                text = body_of(response)
                assert "<b zqx" not in text, url
                assert "<script>zqx" not in text, url
                assert "<svg onload" not in text, url


def test_ids_are_not_to_be_guessed() -> None:
    """Tables have ten letters drawn by lot; no address of a table tells them apart by a number (D2)."""
    keys = {make_key() for _ in range(200)}
    assert len(keys) == 200
    assert all(re.fullmatch("[a-z]{10}", key) for key in keys)
    assert not [a.pattern for a in addresses() if re.search(r"t/<int:|tables/<int:|games/<int:", a.pattern)]


def make_key() -> str:
    """The key of a new table."""
    return Table(name="x", variant="standard", created=NOW).key


def bare(response: Any, key: str) -> str:
    """An answer without the key that was asked for, and without tokens."""
    text = body_of(response).replace(key, "KEY")
    return re.sub(r'(csrfmiddlewaretoken" value="|csrf-token" content="|X-CSRFToken": ")[^"]*', r"\1", text)


def replace_settings(**changes: object) -> Any:
    """The secretive settings with these changes."""
    return SECRETIVE.model_copy(update=changes)


def test_worlds_differ_by_role() -> None:
    """Every role is another person, and the client without one is nobody."""
    world = make_world("moves")
    assert len({user.pk for user in world.people.values()}) == len(ROLES) - 1
    assert "_auth_user_id" not in world.client("stranger").session
    assert isinstance(world.client("own"), Client)
    assert replace(world, secrets=()).hidden_from("own") == ()
