"""What pages can do and programs can do as well: one's own choices, players, playability, moderation, pictures."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.staticfiles import finders
from django.test import Client
from jsonschema import Draft202012Validator, validate  # type: ignore[import-untyped]

from gamesmaster.host.accounts import people as accounts
from gamesmaster.host.models import Complaint
from gamesmaster.host.moderation.oversight import audit_log, close_complaint, complaints
from gamesmaster.host.phases import processing
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import DAY, NOW, people, power_of, running
from tests.host.test_api import Program

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_counting() -> None:
    """Forget how often was called."""
    from django.core.cache import cache

    cache.clear()


def test_what_one_has_chosen() -> None:
    """A program reads and changes its owner's choices and calendar, with the scope for it; what is wrong is told."""
    (user,) = people(1)
    one, reader = Program(user), Program(user, "read")
    assert one.call("get", "/me/profile")[1]["time_zone"] == "UTC"
    given = {"time_zone": "Europe/Vienna", "notices": {"press": "daily"}}
    chosen = one.call("put", "/me/profile", given)[1]
    assert (chosen["time_zone"], chosen["notices"]["press"], chosen["notices"]["table"]) == (
        "Europe/Vienna",
        "daily",
        "mail",
    )
    assert one.call("get", "/me/profile")[1] == chosen
    assert one.call("put", "/me/profile", {"notices": {"presse": "mail"}})[1]["code"] == "no-choice"
    assert one.call("put", "/me/profile", {"notices": {"press": "pigeon"}})[0] == 422
    assert one.call("put", "/me/profile", {"time_zone": "Europe/Viena"})[1]["hint"] == "did you mean Europe/Vienna?"
    assert one.call("put", "/me/profile", {"bounces": 3})[0] == 422
    assert reader.call("put", "/me/profile", {})[1]["code"] == "no-scope"
    status, made = one.call("post", "/me/absences", {"begins": "2027-07-01", "ends": "2027-07-14"})
    assert (status, one.call("get", "/me/absences")[1]) == (201, [made])
    assert one.call("post", "/me/absences", {"begins": "2027-07-02", "ends": "2027-07-01"})[1]["code"] == "bad-days"
    assert one.call("delete", f"/me/absences/{made['id']}")[0] == 200
    assert one.call("get", "/me/absences")[1] == []
    assert one.call("get", "/me/data")[1]["account"]["address"] == user.email
    assert reader.call("get", "/me/data")[1]["code"] == "no-scope"
    assert Program().call("get", "/me/profile")[0] == 401


def test_orders_are_a_list_or_a_text_in_every_call() -> None:
    """A script that sends orders for one call sends them for each: a list, or a text with an order a line."""
    player, gm = people(2)
    table = running([player], gm=gm)
    power = power_of(table, player)
    units = [f"{unit.kind} {unit.at} H" for unit in store.load(table).position.of(power)]
    mine, judge = Program(player), Program(gm)
    for orders in (units, "\n".join(units)):
        given = {"ordinal": 0, "orders": orders}
        status, made = judge.call("put", f"/tables/{table.key}/override/{power}", given)
        assert (status, made["lacks"]) == (200, [])
        assert mine.call("post", f"/tables/{table.key}/orders/{power}/preview", {"orders": orders})[1]["lacks"] == []
        assert mine.call("put", f"/tables/{table.key}/orders/{power}", given)[1]["refused"] == []
        assert [one["orders"] for one in mine.call("get", f"/tables/{table.key}/orders")[1]] == [units]


def test_a_complaint_from_end_to_end() -> None:
    """A player complains, a moderator settles it, the answer is there; nobody else can settle it."""
    user, other, keeper = people(3)
    accounts.set_moderator(keeper, User.objects.create_superuser("boss"), wanted=True)
    table = running([user])
    one = Program(user)
    status, made = one.call("post", "/me/reports", {"about": "conduct", "text": "zqhe shouts", "table": table.key})
    assert (status, made["state"]) == (201, "open")
    assert one.call("post", "/me/reports", {"about": "x", "text": "y"})[1]["code"] == "bad-complaint"
    (found,) = complaints(keeper)
    with pytest.raises(Refused):
        close_complaint(found.pk, other, "no")
    close_complaint(found.pk, keeper, "We spoke.")
    assert one.call("get", "/me/reports")[1][0]["answer"] == "We spoke."
    assert any("closed report" in line.what for line in audit_log(keeper))


def test_a_moderator_who_plays_reads_no_complaint_about_the_table() -> None:
    """What is told of a table is not read by a moderator who plays at it (G1)."""
    keeper, other = people(2)
    accounts.set_moderator(keeper, User.objects.create_superuser("boss"), wanted=True)
    table = running([keeper, other])
    Complaint.objects.create(by=other, about="conduct", text="zqsecret", table=table, made=NOW)
    client = Client()
    client.force_login(keeper, backend="django.contrib.auth.backends.ModelBackend")
    page = client.get("/moderation/").content.decode()
    assert not {"zqsecret", other.username, table.key} & {*re.findall(r"\w+", page)}


def test_players_and_ratings() -> None:
    """Anybody may look at the players and their ratings; who is suspended is not there."""
    (user,) = people(1)
    nobody = Program()
    told = nobody.call("get", f"/people/{user.username}")[1]
    assert (told["name"], told["games"], told["reliability"]["per_cent"]) == (user.username, [], 75)
    assert user.email not in json.dumps(told)
    assert nobody.call("get", "/ratings")[1] == []
    assert nobody.call("get", "/ratings?variant=standrd")[1]["code"] == "not-found"
    User.objects.update(is_active=False)
    assert nobody.call("get", f"/people/{user.username}")[0] == 404


def test_playability() -> None:
    """The Gamesmaster asks, a player answers, and only the Gamesmaster reads what all said."""
    user, gm = people(2)
    table = running([user], gm=gm)
    one, two = Program(user), Program(gm)
    path = f"/tables/{table.key}/remarks"
    asked = two.call("post", f"{path}/questions", {"text": "Is it fair?"})[1]
    assert one.call("get", f"{path}/questions")[1] == [asked]
    given = {"text": "quite", "scores": {"balance": 4}, "question": asked["id"]}
    assert one.call("post", path, given)[0] == 201
    assert one.call("post", path, {"scores": {"balance": 9}})[0] == 422
    assert one.call("get", path)[1][0]["text"] == "quite"
    assert two.call("get", f"{path}/summary")[1]["scales"]["balance"]["mean"] == 4
    assert one.call("get", f"{path}/summary")[1]["code"] == "not-gm"
    assert Program().call("get", f"{path}/questions")[0] == 401


def test_the_gamesmasters_desk() -> None:
    """The Gamesmaster writes to all, reads the log and follows a power; players do none of it."""
    user, gm = people(2)
    table = running([user], gm=gm)
    one, two = Program(user), Program(gm)
    path, power = f"/tables/{table.key}", power_of(table, user)
    assert two.call("post", f"{path}/announce", {"text": "Play on."})[0] == 200
    assert one.call("get", f"{path}/press?words=Play")[1][0]["text"] == "Play on."
    assert one.call("post", f"{path}/announce", {"text": "No."})[1]["code"] == "not-gm"
    assert two.call("get", f"{path}/log")[1][0]["what"] == "wrote to all"
    assert one.call("get", f"{path}/log")[1]["code"] == "not-gm"
    assert [c["phase"] for c in two.call("get", f"{path}/course/{power}")[1]] == ["S1901M"]
    assert one.call("get", f"{path}/course/{power}")[1]["code"] == "not-gm"


def test_what_a_program_is_told_of_its_orders() -> None:
    """A receipt and a preview name what a set lacks; no set is overwritten unseen, and only one that came is final."""
    (user,) = people(1)
    table = running([user])
    power = power_of(table, user)
    one, path = Program(user), f"/tables/{table.key}/orders/{power}"
    assert one.call("put", f"{path}/confirmed", {"ordinal": 0})[1]["code"] == "no-orders"
    assert not table.sheets.exists()
    told = one.call("put", path, {"ordinal": 0, "orders": ["vote draw"], "based_on": 0})[1]
    assert (told["lacks"][0]["kind"], told["lacks"][0]["line"]) == ("unread", 1)
    assert {lack["kind"] for lack in told["lacks"][1:]} == {"unordered"}
    assert one.call("post", f"{path}/preview", {"orders": ["vote draw"]})[1]["lacks"] == told["lacks"]
    assert one.call("put", path, {"ordinal": 0, "orders": [], "based_on": 0})[1]["code"] == "newer"
    assert one.call("put", path, {"ordinal": 0, "orders": [], "based_on": 1})[1]["version"] == 2
    assert one.call("put", f"{path}/confirmed", {"ordinal": 0})[0] == 200


def test_invitations() -> None:
    """Whoever made a table sees its invitations; with the key of one a table for invited players is seen."""
    user, other = people(2)
    one, two = Program(user), Program(other)
    settings = TableSettings(join="invited", observers=False).model_dump(mode="json")
    key = one.call("post", "/tables", {"variant": "standard", "settings": settings})[1]["key"]
    made = one.call("post", f"/tables/{key}/invitations", {"uses": 2})[1]["text"]
    assert one.call("get", f"/tables/{key}/invitations")[1] == [{"key": made, "uses": 2, "power": ""}]
    assert two.call("get", f"/tables/{key}")[0] == two.call("get", f"/tables/{key}/invitations")[0] == 404
    assert two.call("get", f"/tables/{key}?invitation={made}")[1]["key"] == key
    assert two.call("delete", f"/tables/{key}/invitations/{made}")[0] == 404
    assert one.call("delete", f"/tables/{key}/invitations/{made}")[0] == 200
    assert one.call("get", f"/tables/{key}/invitations")[1] == []
    assert two.call("get", f"/tables/{key}?invitation={made}")[1]["code"] == "used-up"


def test_pictures() -> None:
    """Maps come as files, of the position and of a phase that is over; the board comes in words."""
    (user,) = people(1)
    table = running([user])
    processing.process(table, 0, "asked", now=NOW + DAY)
    client, path = Client(), f"/api/tables/{table.key}"
    svg = client.get(f"{path}/map.svg?ordinal=0&style=print")
    assert (svg.status_code, svg.headers["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
    assert "sandbox" in svg.headers["Content-Security-Policy"]
    assert client.get(f"{path}/map.png").content.startswith(b"\x89PNG")
    assert client.get(f"{path}/map.svg", headers={"If-None-Match": client.get(f"{path}/map.svg")["ETag"]}).status_code
    assert client.get(f"{path}/map.gif").status_code == 422
    assert client.get(f"{path}/map.svg?ordinal=7").status_code == 404
    nobody = Program()
    assert "Spring" in nobody.call("get", f"/tables/{table.key}/board?ordinal=0")[1]["text"]
    assert "Bur" in nobody.call("get", f"/tables/{table.key}/board?near=Par")[1]["text"]
    assert "STD-" in nobody.call("get", "/variants/standard/rules")[1]["text"]


# -- the description -------------------------------------------------------------------------------------------------


def test_every_example_is_true() -> None:
    """Every body and every answer in JSON has an example, which its own shape takes."""
    described = json.loads(Client().get("/api/openapi.json").content)
    seen = set()
    for content in _contents(described):
        schema, example = content["schema"], content["example"]
        assert example != [], "an empty list is no example"
        validate(example, schema | {"components": described["components"]}, Draft202012Validator)
        seen |= {*re.findall(r'/schemas/(\w+)"', json.dumps(schema))}
    assert {"TableOut", "OrdersIn", "ReceiptOut", "PhaseOut", "LegalOut", "MessageIn", "ProfileIn"} <= seen
    assert len(seen) > 40


def _contents(described: Any) -> list[Any]:
    """What is sent and answered in JSON."""
    found = []
    for call in [call for methods in described["paths"].values() for call in methods.values()]:
        for told in (call.get("requestBody"), call["responses"].get("200"), call["responses"].get("201")):
            content = (told or {}).get("content", {}).get("application/json", {})
            found += [content] if content.get("schema") else []
    return found


def test_the_page_of_the_api() -> None:
    """Swagger UI shows the description with the site's own scripts alone, and is linked where tokens are."""
    client = Client()
    response = client.get("/api/docs")
    text = response.content.decode()
    assert response.headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'")
    assert '"url": "/api/openapi.json"' in text
    files = re.findall(r'(?:src|rel="stylesheet" href)="([^"]+)"', text)
    assert len(files) == 3
    assert all(file.startswith("/static/ninja/") and finders.find(file.removeprefix("/static/")) for file in files)
    client.force_login(people(1)[0], backend="django.contrib.auth.backends.ModelBackend")
    assert "/api/docs" in client.get("/me/tokens/").content.decode()
