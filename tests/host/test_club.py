"""Figures about the games of a site, each on a few games of which one can count them by hand."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from gamesmaster.host.models import Seat, Table
from gamesmaster.host.moderation import club
from tests.host.conftest import NOW, people

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def game(users: list[User], state: str, hours: int, *seats: tuple[int, int, str], why: str = "") -> Table:
    """A game that began after these hours, and of each of its people: turns asked, turns sent, the seat's state."""
    row = Table.objects.create(
        key=f"t{Table.objects.count()}", name="Game", variant="standard", state=state, created=NOW, paused_why=why,
        started=NOW + timedelta(hours=hours),
    )  # fmt: skip
    for user, (asked, sent, stands) in zip(users, seats, strict=False):
        Seat.objects.create(table=row, user=user, asked=asked, sent=sent, state=stands, joined=NOW + hours * DAY)
    return row


def values() -> dict[str, tuple[str, str]]:
    """The figures by name: what is shown, and of what."""
    return {one.name: (one.value, one.base) for one in club.figures(NOW)}


def test_each_figure_is_what_its_definition_says() -> None:
    """Five games of three people; a sandbox and a game with one person in it count for nothing."""
    users = people(3)
    User.objects.update(date_joined=NOW - 60 * DAY)
    game(users, "finished", 2, (4, 4, "sitting"), (4, 4, "sitting"), (4, 4, "sitting"))
    game(users, "finished", 4, (4, 3, "sitting"), (4, 4, "sitting"))
    game(users, "cancelled", 6, (2, 1, "left"), (2, 2, "sitting"))
    game(users, "paused", 8, (2, 2, "left"), (2, 2, "left"), why="deserted")
    game(users, "running", 240, (8, 8, "sitting"), (8, 8, "sitting"))
    game(users[:1], "finished", 1000, (100, 0, "sitting"))
    Table.objects.filter(pk=game(users, "running", 1, (50, 0, "sitting"), (50, 0, "sitting")).pk).update(sandbox=True)
    found = values()
    assert found["Missed turns"] == ("4.5 %", "5 games")  # 2 of 44
    assert found["Clean games"] == ("50.0 %", "2 games")
    assert found["Time to fill"] == ("6.0 hours", "5 games")
    assert found["Abandoned games"] == ("50.0 %", "4 games")
    assert found["First games finished"] == ("100.0 %", "3 newcomers")


def test_nothing_is_shown_of_nothing() -> None:
    """On a site without games there are dashes, and new accounts do not count yet."""
    people(2)
    assert {value for value, _ in values().values()} == {"–"}


def test_the_page_is_for_admins_and_costs_the_same() -> None:
    """Others find nothing, and more games do not mean more questions to the database."""
    users = people(3)
    client = Client()
    client.force_login(users[0], backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/moderation/club").status_code == 404
    User.objects.filter(pk=users[0].pk).update(is_superuser=True, is_staff=True)
    counts = []
    for many in (1, 6):
        for _ in range(many):
            game(users, "finished", 2, (4, 4, "sitting"), (4, 3, "left"))
        with CaptureQueriesContext(connection) as asked:
            assert "Clean games" in client.get("/moderation/club").content.decode()
        counts.append(len(asked))
    assert counts[0] == counts[1]
