"""Every door reads orders alike: what is refused has its place and the nearest order, and what was read says how."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client, override_settings

from gamesmaster.host.accounts import people as accounts
from gamesmaster.host.games import hosting, seats
from gamesmaster.host.mailroom import order_mails
from gamesmaster.host.mailroom.addresses import Mailbox
from gamesmaster.host.mailroom.reading import Wishes
from gamesmaster.host.mailroom.replies import Answer
from gamesmaster.host.models import Sheet, Table
from gamesmaster.host.orders import drafts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from gamesmaster.host.web import desk as desk_page
from gamesmaster.reading.layout import is_html, text_of
from tests.host.conftest import NOW, people, power_of, running
from tests.host.mailing import address, answer, sent
from tests.reading.corpus import entries, game_of

pytestmark = pytest.mark.django_db

Entry = dict[str, Any]
Told = list[tuple[int, str]]
"""The column of each fault, and the nearest order."""
PLACE = re.compile(r"line \d+, column (\d+): .*?(?: \(((?:did you mean|write|nothing can be).*)\))?$")


def at_a_table(entry: Entry, user: User | None = None) -> Table:
    """A sandbox that stands in the position of an entry."""
    made = hosting.create(user, entry["variant"], sandbox=True, now=NOW)
    with store.lock(made) as table:
        seats.begin(table, game_of(entry), NOW)
    return table


def words(entry: Entry) -> str:
    """What the entry's writer sent, as it leaves a mail program."""
    text: str = entry["text"]
    return text_of(text) if is_html(text) else text


def by_typing(entry: Entry) -> Told:
    """What the page says while one types."""
    table = at_a_table(entry)
    found = Client().post(f"/t/{table.key}/preview", {"power": entry["power"], "text": words(entry)}).json()
    return [(no["column"], no["hint"]) for no in found["refused"]]


def by_saving(entry: Entry) -> Told:
    """What is said of the set that is saved, whoever looks at it later."""
    submission.submit(at_a_table(entry), entry["power"], words(entry), Submission(0), user=None, now=NOW)
    stored = Sheet.objects.latest("pk").lines
    faults = drafts.look_over(game_of(entry), entry["power"], stored).faults
    return [(lack.column, lack.hint) for lack in faults if lack.kind == "unread"]


def by_program(entry: Entry) -> Told:
    """What the API answers to orders that are sent."""
    table = at_a_table(entry)
    body = json.dumps({"ordinal": 0, "orders": words(entry)})
    path = f"/api/tables/{table.key}/orders/{entry['power']}"
    found = Client().put(path, body, content_type="application/json").json()
    assert all(no["line"] and no["what"] for no in found["refused"])
    return [(no["column"], no["hint"]) for no in found["refused"]]


def mailed(table: Table, user: User, text: str, power: str = "") -> list[str]:
    """The lines that answer a mail of orders."""
    made = Answer(user, Mailbox("seat", user, table), NOW, table, power, 0)
    order_mails.take(made, Wishes((), text))
    return made.lines


def by_mail(entry: Entry) -> Told:
    """What the answer to a mail says."""
    user = User.objects.get_or_create(username="writer")[0]
    lines = mailed(at_a_table(entry, user), user, words(entry), entry["power"])
    found = [PLACE.fullmatch(line.strip()) for line in lines]
    return [(int(place[1]), place[2] or "") for place in found if place]


@pytest.mark.parametrize(("door", "every"), [(by_typing, 4), (by_saving, 1), (by_program, 4), (by_mail, 1)])
@override_settings(API_PER_MINUTE=10_000)
def test_what_is_refused_has_its_place_and_the_nearest_order(
    door: Callable[[Entry], Told], every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Texts that must be refused are at each door: nothing of them is an order, and what is refused has its place.

    Where a whole page is made for each, every fourth is tried: the service behind it is tried with all.
    """
    for drawing in ("layer", "plans_of"):  # it takes time, and shows nothing of what is refused
        monkeypatch.setattr(desk_page, drawing, lambda *_: "")
    refused = [entry for entry in entries() if entry["means"] is None]
    assert len(refused) > 50
    refused = refused[::every]
    told = {entry["id"]: door(entry) for entry in refused}
    placed = [one for one in told if all(column >= 1 for column, _ in told[one])]
    assert len(placed) == len(refused), sorted(set(told) - set(placed))
    assert sum(bool(told[one]) for one in told) >= 0.75 * len(refused)


def test_hints_know_of_nobody_elses_orders() -> None:
    """A hint is among the orders that the writer may give, whatever others have sent."""
    user, other = people(2)
    table = running([user, other])
    power, others = power_of(table, user), power_of(table, other)
    said = []
    for theirs in ("", "A Mun - Bur\nA Par - Bur\nF Lon - Nth"):
        submission.submit(table, others, theirs, Submission(0), user=other, now=NOW)
        client = Client()
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        said.append(client.post(f"/t/{table.key}/preview", {"power": power, "text": "A Xyz - Bur"}).json()["refused"])
        assert client.post(f"/t/{table.key}/preview", {"power": others, "text": "A Xyz"}).status_code == 400
    assert said[0] == said[1]


def test_what_could_be_two_orders_is_none_at_any_door() -> None:
    """A text that the reader refuses for fitting two orders is not stored as one of them."""
    (entry,) = (one for one in entries() if one["text"] == "F Nth - Nor")
    table = at_a_table(entry)
    for channel in ("web", "api"):
        submission.submit(table, entry["power"], "F Nth - Nor", Submission(0, channel=channel), user=None, now=NOW)
        assert Sheet.objects.get(table=table).lines == ["? F Nth - Nor"]
        (fault,) = drafts.look_over(game_of(entry), entry["power"], ['"F Nth - Nor"']).faults
        assert (fault.kind, fault.hint) == ("unread", "write one of these: F Nth - Nwg or F Nth - Nwy")


def test_one_line_of_two_kinds() -> None:
    """Beside what is refused, the order on the same line is read as it is alone, whatever its dialect."""
    table = at_a_table({"variant": "standard", "phase": "movement", "units": {"Germany": ["A Mun", "F Kie"]}})
    submission.submit(table, "Germany", "München nach Burgund; Kiel nach Hlo", Submission(0), user=None, now=NOW)
    assert Sheet.objects.get(table=table).lines == ["A Mun - Bur", "Kiel nach Hlo"]


GERMAN = {"variant": "standard", "phase": "movement", "units": {"Germany": ["A Mun", "F Kie"], "France": ["A Par"]}}
STARTS = {"Germany": ["A Mun", "F Kie"], "France": ["A Par", "F Bre"], "England": ["A Lvp", "F Lon"]}
AS = "line 1: 'Armee München geht nach Burgund' is read as A Mun - Bur"


def test_the_page_says_how_an_order_was_read() -> None:
    """While one types, beside the order; nothing is said of an order in plain words."""
    table = at_a_table(GERMAN)
    text = "Armee München geht nach Burgund\nF Kie - Den"
    found = Client().post(f"/t/{table.key}/preview", {"power": "Germany", "text": text}).json()
    assert [row["read_as"] for row in found["rows"]] == [AS.removeprefix("line 1: "), ""]


def test_the_api_says_how_an_order_was_read() -> None:
    """In a preview and when orders are sent."""
    table = at_a_table(GERMAN)
    path = f"/api/tables/{table.key}/orders/Germany"
    body = {"orders": ["Armee München geht nach Burgund", "F Kie - Den"]}
    looked = Client().post(f"{path}/preview", json.dumps(body), content_type="application/json").json()
    stored = Client().put(path, json.dumps({**body, "ordinal": 0}), content_type="application/json").json()
    assert looked["read_as"] == stored["read_as"] == [AS]
    assert Sheet.objects.get(table=table).lines == ["A Mun - Bur", "F Kie - Den"]


def test_a_mail_is_told_how_an_order_was_read() -> None:
    """With the number of the line in the mail."""
    (user,) = people(1)
    lines = mailed(at_a_table(GERMAN, user), user, "F Kie - Den\nArmee München geht nach Burgund", "Germany")
    assert f"  {AS.replace('line 1', 'line 2')}" in lines


def test_a_mail_with_several_powers() -> None:
    """Each section goes to its power, read in whatever dialect it is; what is none is told with its place."""
    (user,) = people(1)
    table = at_a_table({**GERMAN, "units": STARTS}, user)
    text = (
        "FRANCE:\nArmée Paris vers Bourgogne\nF Brest - English\n\nDeutschland: Armee München geht nach Tirol;"
        " Kiel nach Hlo\nOrders for England\nF Lon - Nth; A Lvp - Xyz\nItaly Ven H\n"
    )
    lines = mailed(table, user, text)
    stored = {sheet.power: sheet.lines for sheet in Sheet.objects.filter(table=table)}
    assert stored["France"] == ["A Par - Bur", "F Bre - Eng"]
    assert stored["Germany"] == ["A Mun - Tyr"]
    assert stored["England"] == ["F Lon - Nth"]
    assert "  line 2: 'Armée Paris vers Bourgogne' is read as A Par - Bur" in lines
    assert "  line 5: 'Armee München geht nach Tirol' is read as A Mun - Tyr" in lines
    places = [line.strip().split(":")[0] for line in lines if PLACE.fullmatch(line.strip())]
    assert places[:2] == ["line 5, column 50", "line 7, column 22"]


def test_a_player_speaks_for_no_other_power() -> None:
    """A section for a power of somebody else is not stored, and no hint tells what that power might order."""
    user, other = people(2)
    table = running([user, other])
    power, theirs = power_of(table, user), power_of(table, other)
    sent(user, address(table, user), f"{power}: A Xyz - Bur\n{theirs}: A Xyz - Bur")
    told = answer(user)
    hints = [line for line in told.split("\n") if "column" in line]
    assert theirs not in "".join(hints)
    assert not any("did you mean" in hint for hint in hints[1:])
    assert not Sheet.objects.filter(table=table).exists()


def test_orders_are_completed_for_those_who_may_give_them() -> None:
    """For one's own power, in the dialect of the account; never for another's."""
    user, other = people(2)
    table = running([user, other])
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    accounts.choose(user, {"dialect": "german"})
    path = f"/t/{table.key}/completions.json"
    found = client.get(path, {"power": power_of(table, user), "text": ""}).json()
    assert found["dialect"] == "german"
    assert found["ways"]
    assert client.get(path, {"power": power_of(table, other), "text": "A"}).status_code == 403
    assert Client().get(path, {"power": power_of(table, user), "text": "A"}).status_code in (403, 404)
    with pytest.raises(Refused):
        accounts.choose(user, {"dialect": "klingon"})
