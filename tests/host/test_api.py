from __future__ import annotations

import json
from time import time
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings
from pydantic import ValidationError

from gamesmaster.host.accounts.tokens import SCOPES, make_token
from gamesmaster.host.api import callers
from gamesmaster.host.api.callers import Given
from gamesmaster.host.games import hosting
from gamesmaster.host.models import Sheet, Table
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.tables.settings import Absent, Deadlines, Pace, TableSettings, WallClock
from gamesmaster.variant import find_variant
from tests.host.conftest import confirmed, people, power_of, running

pytestmark = pytest.mark.django_db


class Program:
    """A program that calls the API with a token."""

    def __init__(self, user: User | None = None, *scopes: str) -> None:
        self.client = Client()
        self.headers: dict[str, str] = {}
        if user is not None:
            from gamesmaster.host.site import clock

            text, _ = make_token(user, "a program", scopes or list(SCOPES), clock.now())
            self.headers["Authorization"] = f"Bearer {text}"

    def call(self, method: str, path: str, data: object = None, **headers: str) -> tuple[int, Any]:
        """Status and JSON."""
        body = {} if data is None else {"data": json.dumps(data), "content_type": "application/json"}
        answer = getattr(self.client, method)(f"/api{path}", headers={**self.headers, **headers}, **body)
        self.answer = answer
        return answer.status_code, json.loads(answer.content) if answer.content else None


@pytest.fixture(autouse=True)
def _no_counting() -> Any:
    """Forget how often was called."""
    from django.core.cache import cache

    cache.clear()


def test_a_season_by_programs_alone() -> None:
    """Programs make a table, join it, send orders, confirm, and read what became of them and why."""
    users = people(2)
    one, two = (Program(user) for user in users)
    settings = {"fill": "holder", "panic": 0, "press": "groups"}
    status, table = one.call("post", "/tables", {"variant": "standard", "name": "Bots", "settings": settings})
    assert status == 201
    key = table["key"]
    assert [t["key"] for t in two.call("get", "/tables?kind=open")[1]] == [key]
    assert one.call("post", f"/tables/{key}/join", {})[0] == two.call("post", f"/tables/{key}/join", {})[0] == 200
    status, table = one.call("post", f"/tables/{key}/start")
    assert (status, table["state"], table["phase"], len(table["powers"])) == (200, "running", "S1901M", 1)
    power = table["powers"][0]
    tree = one.call("get", f"/tables/{key}/legal/{power}")[1]["tree"]
    full = {unit.at.province for unit in find_variant("standard").start}  # whatever power the lot has given
    goals = {goal: text for choices in tree.values() for goal, text in choices.get("move", {}).items()}
    move = next(text for goal, text in goals.items() if goal not in full)
    draft = one.call("post", f"/tables/{key}/orders/{power}/preview", {"orders": [move]})[1]
    assert draft["rulings"][0]["result"] == "succeeds"
    given = {"ordinal": 0, "orders": [move], "confirm": True}
    status, receipt = one.call("put", f"/tables/{key}/orders/{power}", given)
    assert status == 200
    assert one.call("get", f"/tables/{key}/orders")[1][0]["orders"] == [move]
    assert two.call("get", f"/tables/{key}/orders")[1] == []
    assert Program().call("post", "/receipts/check", {"text": receipt["text"]})[1]["current"]
    Table.objects.filter(key=key).update(gm=User.objects.create_superuser("boss"))
    boss = Program(User.objects.get(username="boss"))
    assert boss.call("post", f"/tables/{key}/process", {"ordinal": 0})[1]["ordinal"] >= 1
    phase = two.call("get", f"/tables/{key}/phases/0")[1]
    assert any(r["order"] == move and r["result"] == "succeeds" and r["clause"] for r in phase["rulings"])
    assert "Spring" in two.call("get", f"/tables/{key}/history")[1]["text"]
    assert two.call("get", f"/tables/{key}/record")[0] == 200


def test_press() -> None:
    """A program writes press, reads it by thread and from a number on, marks it as read and mutes."""
    users = people(3)
    table = running(users)
    a, b, c = (power_of(table, user) for user in users)
    one, two, three = (Program(user) for user in users)
    path = f"/tables/{table.key}/press"
    status, made = one.call("post", path, {"text": "psst", "to": [b]})
    assert (status, made["own"], made["to"]) == (201, True, [b])
    read = two.call("get", f"{path}?thread={made['thread']}")[1]
    assert [m["text"] for m in read] == ["psst"]
    assert all(m["text"] != "psst" for m in three.call("get", path)[1])
    before = two.call("get", f"/tables/{table.key}")[1]["unread"]
    assert two.call("post", f"{path}/read", {"thread": made["thread"], "number": read[0]["number"]})[0] == 200
    assert two.call("get", f"/tables/{table.key}")[1]["unread"] == before - 1
    assert two.call("put", f"{path}/mutes", {"power": a})[0] == 200
    assert two.call("get", f"{path}?words=psst")[1] == []
    assert three.call("post", path, {"text": "x", "power": a})[1]["code"] == "no-seat"
    assert c


def test_press_to_all_is_asked_for() -> None:
    """A program that names no reader publishes nothing; `all` says it, alone; a missing Gamesmaster is refused."""
    users = people(2)
    table = running(users)
    one, other, path = Program(users[0]), power_of(table, users[1]), f"/tables/{table.key}/press"
    for to in ([], ["all", other]):
        assert one.call("post", path, {"text": "psst", "to": to})[1]["code"] == "no-addressee"
    assert one.call("post", path, {"text": "psst"})[1]["code"] == "no-addressee"
    assert one.call("post", path, {"text": "psst", "to": [other, "Gamesmaster"]})[1]["code"] == "no-gm"
    status, made = one.call("post", path, {"text": "hello", "to": ["all"]})
    assert (status, made["to"], made["thread"]) == (201, [], "")
    assert [m["text"] for m in Program().call("get", path)[1]][-1] == "hello"


def test_scopes_and_strangers() -> None:
    """A token does what its scopes say; a stranger looks at what is public; a wrong token is no stranger."""
    (user,) = people(1)
    table = running([user])
    reader = Program(user, "read")
    assert reader.call("get", f"/tables/{table.key}")[1]["powers"] == [power_of(table, user)]
    assert reader.call("post", f"/tables/{table.key}/press", {"text": "x"})[1]["code"] == "no-scope"
    assert reader.call("get", "/me/tokens")[1]["code"] == "browser-only"
    nobody = Program()
    assert nobody.call("get", f"/tables/{table.key}")[1]["role"] == "public"
    assert nobody.call("post", "/tables", {"variant": "standard"})[0] == 401
    nobody.headers["Authorization"] = "Bearer gm_wrong"
    assert nobody.call("get", f"/tables/{table.key}")[0] == 401


def test_a_browser_needs_its_csrf_token() -> None:
    """What a signed-in browser changes wants the CSRF token; a program's token does not (E3)."""
    (user,) = people(1)
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(user)
    body = json.dumps({"variant": "standard"})
    assert browser.post("/api/tables", body, content_type="application/json").status_code == 403
    assert Program(user).call("post", "/tables", {"variant": "standard"})[0] == 201
    made = Client()
    made.force_login(user)
    confirmed(made, user)
    given = {"name": "bot", "scopes": ["read"]}
    answer = made.post("/api/me/tokens", json.dumps(given), content_type="application/json")
    assert answer.status_code == 201
    assert answer.json()["text"].startswith("gm_")
    assert all(not t["text"] for t in made.get("/api/me/tokens").json())


@pytest.mark.parametrize(
    ("method", "path", "data", "status", "code"),
    [
        ("get", "/tables/nothere", None, 404, "no-table"),
        ("get", "/variants/standrad", None, 404, "not-found"),
        ("put", "/tables/KEY/orders/POWER", {"ordinal": 7, "orders": []}, 409, "not-this-phase"),
        ("put", "/tables/KEY/orders/Nowhere", {"ordinal": 0, "orders": []}, 403, "no-seat"),
        ("put", "/tables/KEY/orders/POWER", {"ordinal": -1, "orders": []}, 422, "bad-input"),
        ("put", "/tables/KEY/orders/POWER", {"ordinal": 0, "orders": [], "x": 1}, 422, "bad-input"),
        ("put", "/tables/KEY/orders/POWER", {"ordinal": 0, "orders": ["\0"]}, 400, "bad-input"),
        ("get", "/tables/KEY/phases/99", None, 404, "no-phase"),
        ("post", "/tables", {"variant": "standard", "settings": {"press": "loud"}}, 422, "bad-input"),
        ("post", "/tables/KEY/hooks", {"url": "http://127.0.0.1/"}, 422, "bad-url"),
    ],
)
def test_problems(method: str, path: str, data: object, status: int, code: str) -> None:
    """What goes wrong is told with a code, in words, and with the nearest right thing where there is one."""
    (user,) = people(1)
    table = running([user])
    program = Program(user)
    found = program.call(method, path.replace("KEY", table.key).replace("POWER", power_of(table, user)), data)
    assert (found[0], found[1]["code"]) == (status, code)
    assert program.answer["Content-Type"] == "application/problem+json"
    assert found[1]["detail"]


WRONG: dict[str, list[object]] = {
    "integer": [True, False, "0", "1", 0.0, 1.0, ""],
    "boolean": [0, 1, "true", "no", 0.0],
    "string": [0, True, 1.5],
}
"""Values that are of another type."""


@pytest.mark.parametrize("body", [*Given.__subclasses__(), TableSettings, WallClock, Pace, Deadlines, Absent])
def test_values_of_another_type_are_refused(body: Any) -> None:
    """No field of any body takes a value of another type."""
    for name, schema in body.model_json_schema(by_alias=True)["properties"].items():
        kinds = {one.get("type", "object") for one in schema.get("anyOf", [schema])}
        for value in [value for kind in kinds & WRONG.keys() for value in WRONG[kind]]:
            with pytest.raises(ValidationError) as refused:
                body.model_validate({name: value})
            assert any(error["loc"][:1] == (name,) for error in refused.value.errors()), (name, value)


@pytest.mark.parametrize("ordinal", ["true", '"0"', "0.0", "-0", "0e0", "null", "[0]"])
def test_what_is_no_ordinal(ordinal: str) -> None:
    """An ordinal is a whole number, written as one."""
    (user,) = people(1)
    table = running([user])
    program = Program(user)
    path = f"/api/tables/{table.key}/orders/{power_of(table, user)}/hold"
    for value, status in ((ordinal, {400, 422}), ("0", {200, 409})):
        body = f'{{"ordinal": {value}}}'
        answer = program.client.put(path, body, content_type="application/json", headers=program.headers)
        assert answer.status_code in status


@pytest.mark.parametrize("number", ["true", "0.0", "-0", "%2B0", "00", "1_0", "%200", "1e1", "%D9%A1"])
def test_what_is_no_number_in_an_address(number: str) -> None:
    """A number in a path or query is written in digits, in one way only."""
    (user,) = people(1)
    key = running([user]).key
    for path in (
        f"/tables?page={number}", f"/tables/{key}/board?ordinal={number}", f"/tables/{key}/press?after={number}",
        f"/tables/{key}/phases/{number}",
    ):  # fmt: skip
        assert Program(user).call("get", path)[0] in (400, 422), path


def test_bodies_that_are_no_json() -> None:
    """What cannot be read is refused with its place, whatever it is (F4)."""
    (user,) = people(1)
    program = Program(user)
    twice, lone = b'{"a":1,"a":2}', b'{"variant":"\\ud800"}'
    for body in (b"{", b"[]", twice, lone, b'{"a":1e999}', b"[" * 5000, b"\xff", b"x" * 300_000):
        answer = program.client.post(
            "/api/tables", body, content_type="application/json", headers=program.headers
        )  # fmt: skip
        assert 400 <= answer.status_code < 500, body[:20]
        assert answer["Content-Type"] == "application/problem+json"


def test_tags_tell_of_nothing_hidden() -> None:
    """An answer has the same tag until something changes that the caller may see (D3)."""
    users = people(3)
    table = running(users)
    a, b, _ = (power_of(table, user) for user in users)
    third = Program(users[2])
    path = f"/tables/{table.key}"
    third.call("get", path)
    tag = third.answer["ETag"]
    Program(users[0]).call("put", f"{path}/orders/{a}", {"ordinal": 0, "orders": []})
    correspondence.send(table, a, Press("secret", [b]), user=users[0])
    assert third.call("get", path, **{"If-None-Match": tag}) == (304, None)
    correspondence.send(table, a, Press("public", [correspondence.ALL]), user=users[0])
    assert third.call("get", path, **{"If-None-Match": tag})[0] == 200


def test_hidden_tables_do_not_exist() -> None:
    """At a table for invited players every call of a stranger gets the answer of one that is not there."""
    owner, other = people(2)
    table = hosting.create(owner, "standard", TableSettings(join="invited"))
    program = Program(other)
    for method, path, data in (
        ("get", "", None), ("get", "/position", None), ("get", "/press", None), ("post", "/join", {}),
        ("post", "/start", None), ("get", "/hooks", None), ("post", "/press", {"text": "x"}),
    ):  # fmt: skip
        real = program.call(method, f"/tables/{table.key}{path}", data)
        assert real == program.call(method, f"/tables/aaaaaaaaaa{path}", data), path
        assert real[0] == 404


def test_a_sandbox_without_an_account() -> None:
    """Anybody makes a sandbox, orders for all, processes, and goes back."""
    nobody = Program()
    status, table = nobody.call("post", "/tables", {"variant": "standard", "sandbox": True})
    assert status == 201
    path = f"/tables/{table['key']}"
    assert nobody.call("put", f"{path}/orders/France", {"ordinal": 0, "orders": ["A Par - Bur"]})[0] == 200
    assert nobody.call("post", f"{path}/process", {"ordinal": 0})[1]["phase"] == "F1901M"
    assert nobody.call("post", f"{path}/fork", {"ordinal": 0})[0] == 201
    assert nobody.call("post", f"{path}/rollback", {"ordinal": 0})[1]["phase"] == "S1901M"
    assert Sheet.objects.filter(table__key=table["key"]).exists()


@override_settings(API_PER_MINUTE=4)
def test_too_often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who calls too often is told when to come again; here all calls fall into one minute."""
    at = time()
    monkeypatch.setattr(callers, "time", SimpleNamespace(time=lambda: at))
    nobody = Program()
    assert {nobody.call("get", "/variants/standard")[0] for _ in range(4)} == {200}
    assert nobody.call("get", "/variants/standard")[1]["code"] == "too-many"
    assert 1 <= int(nobody.answer["Retry-After"]) <= 61
