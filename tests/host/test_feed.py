"""The calendar feed of deadlines: what it holds, for whom, and that its address can be replaced."""

from __future__ import annotations

from urllib.parse import urlsplit

import icalendar
import pytest
from django.test import Client

from gamesmaster.host.models import Table
from gamesmaster.host.notices import feed
from tests.host.conftest import people, power_of, running
from tests.host.test_people import signed_in

pytestmark = pytest.mark.django_db


def test_a_calendar_holds_the_deadlines_of_its_owner() -> None:
    """A calendar program reads the deadlines of the owner's running games at the secret address, and no others."""
    user, other = people(2)
    table, not_mine = running([user]), running([other])
    table.refresh_from_db()
    assert feed.address(user) == ""
    signed_in(user).post("/me/notices/calendar")
    user.profile.refresh_from_db()
    answer = Client().get(urlsplit(feed.address(user)).path)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    (entry,) = icalendar.Calendar.from_ical(answer.content).walk("VEVENT")
    assert entry.decoded("dtend") == table.deadline
    assert str(entry["summary"]) == f"[{table.name}] S1901M: orders of {power_of(table, user)} are due"
    assert str(entry["url"]).endswith(f"/t/{table.key}/")
    assert not_mine.key not in answer.content.decode()
    Table.objects.filter(pk=table.pk).update(owing=[], name="Back\\slash,\r\nBEGIN:VALARM")
    (entry,) = icalendar.Calendar.from_ical(Client().get(urlsplit(feed.address(user)).path).content).walk("VEVENT")
    assert str(entry["summary"]).endswith("S1901M ends")
    assert not entry.subcomponents


def test_the_address_of_a_calendar_can_be_replaced_and_removed() -> None:
    """An address that was replaced or removed is one of nothing, for good, and so is any other text."""
    (user,) = people(1)
    client, known = signed_in(user), []
    for fields in ({}, {}, {"out": "yes"}, {}):
        client.post("/me/notices/calendar", fields)
        user.profile.refresh_from_db()
        known.append(feed.address(user))
    assert [Client().get(urlsplit(one).path or "/calendar/x.ics").status_code for one in known] == [404, 404, 404, 200]
    assert len(set(known)) == len(known)
    assert Client().get(urlsplit(known[-1]).path.replace(".ics", "x.ics")).status_code == 404
