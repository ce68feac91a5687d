"""The queue: a game begins as soon as enough people wait for the same one, and nobody gets into one not wished for."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.games import queue, ratings
from gamesmaster.host.games.queue import Wanted
from gamesmaster.host.models import Notice, OutMail, Table, Wish
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from gamesmaster.host.tables.settings import PACES
from tests.host.conftest import NOW, do_jobs

pytestmark = pytest.mark.django_db
GAME = Wanted("standard", "daily", "private")


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)


def people(number: int) -> list[User]:
    """So many people."""
    names = [f"person{at}" for at in range(number)]
    return [User.objects.create_user(name, f"{name}@example.org", "pw") for name in names]


def wait(users: Iterable[User], wanted: Wanted = GAME, *, after: timedelta = timedelta()) -> list[Table]:
    """Let people wait one after the other, and return the games that begin."""
    begun = [queue.wait(user, wanted, now=NOW + after + timedelta(seconds=at)) for at, user in enumerate(users)]
    return [table for table in begun if table]


def players(table: Table) -> set[str]:
    """The names of those who play, bots left out."""
    return {seat.user.username for seat in table.seats.all() if seat.user}


def test_a_game_begins_with_the_seventh() -> None:
    """Seven people who wait for the same game play it, at the pace and with the press they wished for."""
    seven = people(7)
    assert not wait(seven[:6])
    (table,) = wait(seven[6:])
    settings = store.settings_of(table)
    assert table.state == "running"
    assert players(table) == {user.username for user in seven}
    assert (settings.deadlines, settings.press, settings.fill) == (PACES["daily"], "private", "")
    assert not Wish.objects.exists()
    assert Notice.objects.filter(user__in=seven, event="game").count() == 7


def test_what_is_left_open_fits_everything() -> None:
    """People who leave things open play what others name; those who name something else go on waiting."""
    six, rest = people(7)[:6], User.objects.create_user("late", "late@example.org", "pw")
    wait(six[:3], Wanted("standard", "", "none"))
    wait(six[3:], Wanted("", "weekly", ""))
    assert not wait([rest], Wanted("standard", "daily", "none"))
    (table,) = wait([User.objects.create_user("last", "last@example.org", "pw")], Wanted())
    settings = store.settings_of(table)
    assert (table.variant, settings.pace, settings.press) == ("standard", "weekly", "none")
    assert [wish.user for wish in Wish.objects.all()] == [rest]


def test_those_who_have_waited_longest_play() -> None:
    """Of eight who wait, the one who came last goes on waiting."""
    eight = people(8)
    wait(eight[:6])
    wait(eight[6:7], Wanted("cline9"))
    (table,) = wait(eight[7:], after=timedelta(hours=1))
    assert players(table) == {user.username for user in (*eight[:6], eight[7])}
    more = [User.objects.create_user(f"more{at}", f"more{at}@example.org", "pw") for at in range(5)]
    Wish.objects.bulk_create([Wish(user=user, since=NOW + timedelta(minutes=at)) for at, user in enumerate(more[:3])])
    assert not wait(more[3:], Wanted("cline9"), after=timedelta(hours=2))
    assert queue.queue_of(more[0]).fitting == 6  # the one of Cline, and all others


def test_nobody_plays_with_less_reliable_people(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody who asks for reliable players does not get others, and is none of theirs if not reliable himself."""
    eight = people(8)
    per_cent = {user.username: 90 for user in eight} | {"person1": 40}

    def reliability(user: User) -> ratings.Reliability:
        return ratings.Reliability(per_cent[user.username], 100, per_cent[user.username], 0)

    monkeypatch.setattr(ratings, "reliability", reliability)
    wait(eight[:1], Wanted("standard", "daily", "private", min_reliability=80))
    assert not wait(eight[1:7])
    (table,) = wait(eight[7:])
    assert "person1" not in players(table)
    assert store.settings_of(table).min_reliability == 80


def test_bots_take_places_of_those_who_accept_them() -> None:
    """After the time that the first one named, bots fill the game; those who wait for people only stay."""
    three = people(3)
    wait(three[:1], Wanted("standard", "daily", "none", bots="hour"))
    wait(three[1:2], Wanted("standard", "daily", "none", bots="day"))
    wait(three[2:], Wanted("standard", "daily", "none"))
    do_jobs(NOW + timedelta(minutes=50))
    assert not Table.objects.exists()
    do_jobs(NOW + timedelta(minutes=70))
    (table,) = Table.objects.all()
    assert table.state == "running"
    assert players(table) == {"person0", "person1"}
    assert table.seats.exclude(bot="").count() == 5
    assert [wish.user.username for wish in Wish.objects.all()] == ["person2"]


def test_a_wish_ends_after_two_weeks() -> None:
    """Nobody is put into a game that he has long forgotten; he is told."""
    wait(people(1))
    do_jobs(NOW + queue.KEPT - timedelta(hours=1))
    assert Wish.objects.exists()
    do_jobs(NOW + queue.KEPT)
    assert not Wish.objects.exists()
    assert OutMail.objects.get().subject == "nobody to play with yet"


def test_one_wish_at_a_time() -> None:
    """A new wish replaces the one before, and counts from now; a deactivated account waits for nothing."""
    first, *others = people(8)
    wait([first], Wanted("cline9"))
    wait([first], after=timedelta(days=1))
    wish = Wish.objects.get()
    assert (wish.variant, wish.since) == ("standard", NOW + timedelta(days=1))
    first.is_active = False
    first.save()
    assert not wait(others[:6], after=timedelta(days=1))
    assert queue.queue_of(others[0]).fitting == 6


@pytest.mark.parametrize(
    "wanted", [Wanted("chess"), Wanted("standard", "fast"), Wanted(press="loud"), Wanted(bots="soon")]
)
def test_what_there_is_not_is_refused(wanted: Wanted) -> None:
    """A wish for what the site does not have names what it has."""
    with pytest.raises(Refused, match="There is no"):
        queue.wait(people(1)[0], wanted)
    assert not Wish.objects.exists()


def test_the_page() -> None:
    """A person waits, sees how many do, gives up, and goes to the game when it begins."""
    seven = people(7)
    wait(seven[:6])
    client = Client()
    client.force_login(User.objects.create_user("visitor", "visitor@example.org", "pw"))
    wish = {"variant": "cline9", "pace": "", "press": "none", "min_reliability": "", "bots": "never"}
    page = client.post("/games/find", wish, follow=True).content.decode()
    assert "You wait for a game" in page
    assert "1 of 9 players" in page
    assert "7 people wait for a game now." in page
    assert "You no longer wait" in client.post("/games/find/leave", follow=True).content.decode()
    went = client.post("/games/find", wish | {"variant": "standard", "pace": "daily", "press": "private"})
    assert went.headers["Location"] == f"/t/{Table.objects.get().key}/"
    assert "Select a valid choice" in client.post("/games/find", {"variant": "x", "bots": "never"}).content.decode()


def test_many_who_wait_cost_little(django_assert_max_num_queries: Any) -> None:
    """Only those who have waited longest are compared, in a few queries, and variants that are gone stop nobody."""
    users = User.objects.bulk_create([User(username=f"p{at}") for at in range(300)])
    games = [("standard", "", ""), ("", "weekly", ""), ("gone", "", ""), ("cline9", "live", "none")]
    wishes = [
        Wish(user=user, variant=variant, pace=pace, press=press, min_reliability=100, since=NOW)
        for user, (variant, pace, press) in zip(users, games * 75, strict=True)
    ]
    Wish.objects.bulk_create(wishes)
    with django_assert_max_num_queries(3):
        found = queue.queue_of(users[0])
    assert (found.waiting, found.needed) == (queue.LOOKED_AT, 7)
    assert not wait(users[:1])
