"""Every address of the site by every role in every state of play: nothing leaks, nothing breaks, nothing changes."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from gamesmaster.host.games import seats
from gamesmaster.host.models import Table
from gamesmaster.host.site import clock
from tests.host.conftest import NOW
from tests.host.walk import EVENT, EVERYWHERE, Answer, asked_of, body_of, walk
from tests.host.world import (
    FILLED,
    LATER,
    PHASES,
    ROLES,
    SECRETIVE,
    World,
    addresses,
    kept,
    make_world,
    of_table,
    words_in,
)
from tests.lengths import mark_long

pytestmark = [pytest.mark.django_db, pytest.mark.together]

SAFE = (200, 204, 301, 302, 303, 304, 400, 401, 403, 404, 405, 409, 410, 422)
"""What an answer may be to anybody: an error of the server is never among them."""
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
STATES = mark_long(PHASES, but=("later",))
HELP = re.compile(r'<a href="(/help/[^"]*)" id="help"')


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: LATER)


def test_every_address_can_be_filled_in() -> None:
    """A new address is looked at as well: what stands in its places must be known here."""
    unknown = {name for address in addresses() for name in address.names} - FILLED.keys()
    assert not unknown, f"say in tests/host/world.py (FILLED) what may stand for {sorted(unknown)}"


@pytest.mark.parametrize("phase", STATES)
def test_nobody_reads_what_is_not_his(phase: str) -> None:
    """In no answer, header, log line or mail is a word that its reader may not know (D1, D4, D6, D7)."""
    walked = walk(phase)
    world = walked.world
    faults = [fault for answer in walked.answers for fault in _faults(world, answer)]
    assert not faults, "\n".join(faults)
    assert not walked.changed, "something was changed by reading"
    secret = [
        s.word for s in world.secrets if s.word.startswith(("zqorder", "zqvote", "zqpress", "zqremark", "zqinstead"))
    ]
    assert not words_in(walked.logged, secret)
    for role, mails in walked.mails.items():
        hidden = [w for w in world.hidden_from(role) if not w.startswith("zqmail")]
        assert not words_in(mails, hidden), role


def _faults(world: World, answer: Answer) -> list[str]:
    where = f"{answer.role} {answer.url} ({answer.address.pattern})"
    if answer.status not in SAFE:
        return [f"{where}: {answer.status}"]
    leaked = words_in(answer.text, world.hidden_from(answer.role))
    if answer.address.pattern in ALL_PEOPLE:
        leaked = [word for word in leaked if word.removeprefix("zq") not in ROLES]
    return [f"{where}: reads {', '.join(leaked)}"] if leaked else []


def test_the_secrets_are_read_by_those_who_may() -> None:
    """The words are where one would read them: a player's own orders on the game's page, or this is blind."""
    walked = walk("later")
    for role, word in (("own", "zqorderown"), ("standby", "zqinstead")):
        assert words_in("".join(answer.text for answer in walked.of(role)), [word])


@pytest.mark.parametrize(
    ("phase", "role"),
    mark_long(
        product(("forming", "later"), ("stranger", "outsider", "replaced")),
        but=(("forming", "outsider"), ("later", "stranger"), ("later", "replaced")),
    ),
)
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


@pytest.mark.parametrize(
    ("role", "method"),
    mark_long(
        product(("stranger", "outsider", "replaced", "other"), ("post", "put", "patch", "delete")),
        but=(("stranger", "put"), ("replaced", "post"), ("other", "patch")),
    ),
)
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


@pytest.mark.parametrize("phase", STATES)
def test_every_answer_is_guarded(phase: str) -> None:
    """Every answer carries the house's policy, no page anything inline, and nothing of a table stays in caches (E1)."""
    for answer in walk(phase).answers:
        check_guards(answer)


def check_guards(answer: Answer) -> None:
    """One answer's headers, and its markup if it is a page."""
    url = answer.url
    for header, wanted in HEADERS.items():
        assert re.fullmatch(wanted, answer.headers.get(header, "")), f"{url}: {header}"
    policy = answer.headers["Content-Security-Policy"]
    if answer.kind.startswith("image/svg"):  # a picture may bring its own colours, and is in a sandbox then
        policy = policy.replace("style-src 'unsafe-inline'", "") if "sandbox" in policy else policy
    assert "unsafe" not in policy, url
    found = answer.status == 200
    if found and of_table(answer.address) and answer.kind.startswith(("text/html", "application/json")):
        assert re.search(r"no-store|private|no-cache", answer.headers.get("Cache-Control", "")), url
    if found and answer.kind.startswith("text/html"):
        assert not INLINE.findall(answer.text.replace(EVENT, "")), url


@pytest.mark.parametrize("phase", STATES)
def test_what_people_write_is_text(phase: str) -> None:
    """Markup in the name of a table and in press is shown as it was written, and is no markup (E1)."""
    for answer in walk(phase).answers:
        if any(kind in answer.kind for kind in ("html", "xml", "svg")):
            assert "<b zqx" not in answer.text, answer.url
            assert "<script>zqx" not in answer.text, answer.url
            assert "<svg onload" not in answer.text, answer.url


@pytest.mark.parametrize("phase", mark_long(EVERYWHERE, but=("later",)))
def test_every_page_has_its_help(phase: str) -> None:
    """Every page that anybody can open links to a topic of its own, never to the list of all."""
    seen = {
        answer.url: answer.text
        for answer in walk(phase).answers
        if answer.status == 200 and answer.kind.startswith("text/html") and "<!doctype html>" in answer.text
    }
    assert len(seen) > 25
    without = [url for url, text in seen.items() if not (link := HELP.search(text)) or _general(url, link[1])]
    assert not without, f"say in host/web/home.py which topic these pages belong to: {without}"


def _general(url: str, link: str) -> bool:
    """Is it the list of all topics, on a page that is no help itself?"""
    return link == "/help/" and not url.startswith("/help/")


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
