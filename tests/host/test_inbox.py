"""The inbox over all games: what each person's holds and does not, what counts as read, and what calls for a person."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from gamesmaster.host.games import hosting
from gamesmaster.host.gm import desk
from gamesmaster.host.models import Message, Notice, Sheet, Table
from gamesmaster.host.notices import inbox
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.press import correspondence, threads
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.tables import access
from tests.host.conftest import DAY, NOW, people, power_of, running
from tests.host.test_people import signed_in

pytestmark = pytest.mark.django_db


def test_an_inbox_holds_what_its_owner_may_know() -> None:
    """Press to one player is in that inbox alone, and no inbox holds press or orders, only what a subject says."""
    first, second, third, gm = people(4)
    table = running([first, second, third], gm=gm)
    sender, reader = power_of(table, first), power_of(table, second)
    correspondence.send(table, sender, Press("A secret word.", [reader]), user=first, now=NOW)
    desk.override(table, reader, "", gm, Submission(0), now=NOW)
    texts = {user: [one.text for one in inbox.page(user)] for user in (first, second, third)}
    assert texts[second] == [
        f"S1901M: the Gamesmaster has entered orders for {reader}", f"press from {sender}",
        f"the game begins: you play {reader}",
    ]  # fmt: skip
    assert texts[third] == [f"the game begins: you play {power_of(table, third)}"]
    assert len(texts[first]) == 1
    everything = signed_in(second).get("/inbox").content.decode()
    assert f"Press from {sender}" in everything
    assert "secret word" not in everything


def test_an_inbox_says_once_what_has_happened_again_and_again() -> None:
    """Notices of one game that say the same, one after the other, are one line with their number."""
    owner, *others = people(4)
    table = running([owner, *others])
    page = signed_in(owner).get("/inbox").content.decode()
    assert Notice.objects.filter(user=owner, table=table, text="a new player").count() == 3
    assert page.count("A new player") == 1
    assert "&times; 3" in page


def test_what_calls_is_shown_on_every_page() -> None:
    """Unread notices and due orders are counted in the header, the title and, for the app's badge, at the root."""
    owner, user, other = people(3)  # the owner hears of those who join, too
    table = running([owner, user, other])
    page = signed_in(user).get("/variants/").content.decode()
    assert "<title>(2) " in page
    assert 'data-calls="2"' in page
    submission.submit(table, power_of(table, user), [], Submission(0, channel="web"), user=user, now=NOW)
    assert inbox.calls(user) == inbox.Calls(unread=1, due=0)
    assert inbox.calls(other) == inbox.Calls(unread=1, due=1)
    assert "data-calls" not in Client().get("/variants/").content.decode()


def test_orders_are_due_only_from_those_who_owe_some() -> None:
    """A power that needs no orders in the phase has none due, in the header and on the card."""
    (user,) = people(1)
    table = running([user])
    Table.objects.filter(pk=table.pk).update(owing=[])
    assert inbox.due(user) == 0
    assert [line.waiting for line in hosting.find_tables("mine", user)] == [False]
    Table.objects.filter(pk=table.pk).update(owing=None)  # begun before it was noted
    assert inbox.due(user) == 1
    assert [line.waiting for line in hosting.find_tables("mine", user)] == [True]
    assert Sheet.objects.count() == 0


def test_notices_are_read_where_their_news_is_read() -> None:
    """The page of a game reads its notices but those of press, which are read with their messages."""
    user, other = people(2)
    table = running([user, other])
    power, sender = power_of(table, user), power_of(table, other)
    for text in ("One.", "Two."):
        correspondence.send(table, sender, Press(text, [power]), user=other, now=NOW)
    client = signed_in(user)
    assert "2 new messages" in client.get("/games?list=mine").content.decode()
    client.get(f"/t/{table.key}/")
    assert inbox.unread_press(user, [table]) == {table.pk: 2}
    assert inbox.unread(user) == 2
    first = Message.objects.filter(text="One.").get()
    view = access.look(table.key, user)
    threads.mark_read(view, first.thread, first.pk)
    assert inbox.unread_press(user, [table]) == {table.pk: 1}
    assert inbox.unread(other) == 1
    client.post("/inbox")
    assert inbox.calls(user).unread == 0


def test_an_inbox_has_pages_and_forgets() -> None:
    """Older notices are on further pages; what is old is deleted; counts stop at the most that is shown."""
    (user,) = people(1)
    Notice.objects.bulk_create(
        Notice(user=user, event="table", text=f"news {n}", at=NOW, dedupe=str(n)) for n in range(inbox.MOST + 7)
    )
    assert inbox.unread(user) == inbox.MOST
    client = signed_in(user)
    page = client.get("/inbox").content.decode()
    assert "99+" in page
    last = inbox.page(user)[-1]
    older = client.get(f"/inbox?before={last.pk}").content.decode()
    assert f"News {inbox.MOST + 7 - inbox.PAGE - 1}<" in older
    assert f">News {inbox.MOST + 6}<" not in older
    assert client.get("/inbox?before=x").status_code == 200
    assert inbox.tidy(NOW + inbox.KEPT) == 0
    assert inbox.tidy(NOW + inbox.KEPT + timedelta(seconds=1)) == inbox.MOST + 7
    assert inbox.tidy(NOW + DAY) == 0
