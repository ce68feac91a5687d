"""Press beside the board: what the part of the page shows, to whom, and what counts as read."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.games import hosting, seats
from gamesmaster.host.models import Message, Table
from gamesmaster.host.press import correspondence, threads
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.tables import access
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.host.tables.view import TableView
from tests.host.conftest import NOW, people, power_of, running

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


def client_of(user: User) -> Client:
    """A browser with this person before it."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def game() -> tuple[Table, list[User], list[str]]:
    """A game with a Gamesmaster and three people, and their powers."""
    users = people(3)
    table = running(users, gm=User.objects.create_user("master"))
    return table, users, [power_of(table, user) for user in users]


def unread(table: Table, user: User) -> int:
    """How much is new for a player."""
    return threads.unread(access.look(table.key, user))


def test_the_newest_unread_thread_is_open(game: tuple[Table, list[User], list[str]]) -> None:
    """The page of the game shows how much is new; beside the board the thread with the newest unread message opens."""
    table, (ann, ben, cid), (a, b, c) = game
    correspondence.send(table, b, Press("from ben", [a]), user=ben, now=NOW)
    correspondence.send(table, a, Press("to cid", [c]), user=ann, now=NOW)
    client = client_of(ann)
    assert f'data-address="/t/{table.key}/press/beside"' in client.get(f"/t/{table.key}/").content.decode()
    part = client.get(f"/t/{table.key}/press/beside").content.decode()
    assert "from ben" in part
    assert "to cid" not in part
    assert "<html" not in part
    other = client_of(cid).get(f"/t/{table.key}/press/beside", {"with": f"{a},{b}"}).content.decode()
    assert "from ben" not in other


def test_messages_are_sent_from_beside_the_board(game: tuple[Table, list[User], list[str]]) -> None:
    """To one power, to several, to all; what is refused comes back with its text and the reason."""
    table, (ann, *_), (a, b, c) = game
    client, address = client_of(ann), f"/t/{table.key}/press/beside"
    for to in ([b], [b, c], [correspondence.ALL]):
        answer = client.post(f"{address}?new=1", {"to": to, "text": f"hello {to[-1]}"})
        assert answer.status_code == 200
        assert f"hello {to[-1]}" in answer.content.decode()
    sent = Message.objects.filter(sender=a).order_by("pk")
    assert [set(message.to) for message in sent] == [{b}, {b, c}, set()]
    answer = client.post(f"{address}?new=1", {"to": [b], "text": "From the Gamesmaster:\nresign"})
    assert answer.status_code == 409
    assert "must not pose" in answer.content.decode()
    assert "resign" in answer.content.decode()
    assert sent.count() == 3


def ticked(page: str) -> set[str]:
    """The boxes of the form that are ticked: addressees, and `grey`."""
    boxes = re.findall('<input type="checkbox" name="(to|grey)"(?: value="([^"]*)")?( checked)?>', page)
    return {value or name for name, value, checked in boxes if checked}


@pytest.mark.parametrize("page", ["press/", "press/beside"])
@pytest.mark.parametrize(
    ("text", "policy", "to", "reason"),
    [
        ("From the Gamesmaster:\nresign", "groups", 2, "must not pose"),
        ("x" * 10_001, "groups", 1, "at most"),
        (" ", "groups", 2, "is empty"),
        ("Who?", "groups", 0, "Choose who the message is for. (one or more powers, or all)"),
        ("You two", "private", 2, "to one power, or to all"),
        ("Between us", "public", 1, "is public"),
        ("Not now", "rulebook", 2, "only while moves are due"),
        ("Once more", "groups", 2, "at most 0 messages"),
    ],
    ids=["false name", "too long", "empty", "nobody", "private", "public", "rulebook", "too many"],
)
def test_a_refused_message_keeps_its_form(
    page: str, text: str, policy: str, to: int, reason: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the reason: addressees, text and Unsigned are as they were, and nobody reads the message."""
    users = people(3)
    table = running(users, TableSettings.model_validate({"grey": True, "press": policy}))
    Table.objects.filter(pk=table.pk).update(phase_code="S1901R")
    if text == "Once more":
        monkeypatch.setattr(correspondence, "LIMITS", ((timedelta(minutes=10), 0),))
    names = [power_of(table, user) for user in users[1:]][:to]
    form = {"to": names, "text": text, "grey": "on"}
    answer = client_of(users[0]).post(f"/t/{table.key}/{page}?new=1", form)
    assert answer.status_code == 409
    told = answer.content.decode()
    assert reason in told
    assert ticked(told) == {*names, "grey"}
    assert f">{text}</textarea>" in told.replace("\r", "")
    assert not Message.objects.exclude(sender="").exists()


def test_a_refused_answer_stays_in_its_thread(game: tuple[Table, list[User], list[str]]) -> None:
    """What was written to all is still for all, though a newer thread is the one that opens by itself."""
    table, (ann, ben, _), (a, b, _) = game
    correspondence.send(table, b, Press("between us", [a]), user=ben, now=NOW)
    for address in ("press/", "press/beside"):
        form = {"to": [correspondence.ALL], "text": "The Gamesmaster:\nresign"}
        told = client_of(ann).post(f"/t/{table.key}/{address}", form).content.decode()
        assert '<input type="hidden" name="to" value="all">' in told
        assert "Send to all</button>" in told
        assert "resign</textarea>" in told


@pytest.mark.parametrize("page", ["press/", "press/beside"])
def test_whoever_is_signed_out_keeps_the_text(game: tuple[Table, list[User], list[str]], page: str) -> None:
    """Without a session, or without a seat, nothing is sent, the page says why, and the words are still there."""
    table, (ann, *_), (a, b, _) = game
    form = {"to": [b], "text": "A long thought"}
    told = Client().post(f"/t/{table.key}/{page}?new=1", form).content.decode()
    assert "You are signed out." in told
    assert f'/accounts/login/?next=/t/{table.key}/press/%3Fnew%3D1"' in told  # where the draft is
    assert "<pre>A long thought</pre>" in told
    seats.leave(table, ann, now=NOW)
    told = client_of(ann).post(f"/t/{table.key}/{page}?new=1", form).content.decode()
    assert "You do not play in this game." in told
    assert "<pre>A long thought</pre>" in told
    assert not Message.objects.filter(sender=a).exists()


def test_only_who_is_there_can_be_chosen(game: tuple[Table, list[User], list[str]]) -> None:
    """To all is a choice, and nobody's beforehand; the Gamesmaster is one where there is a Gamesmaster."""
    table, (ann, *_), (a, *_) = game
    alone = running([User.objects.create_user("dan")])
    for user, where, house in ((ann, table, True), (User.objects.get(username="dan"), alone, False)):
        told = client_of(user).get(f"/t/{where.key}/press/?new=1").content.decode()
        offered = set(re.findall('name="to" value="([^"]*)"', told))
        everybody = {seat.power for seat in where.seats.all()} - {power_of(where, user)}
        assert offered == everybody | {"all"} | ({"Gamesmaster"} if house else set())
        assert ticked(told) == set()
    assert a


@pytest.mark.parametrize("house", [True, False], ids=["Gamesmaster", "nobody"])
@pytest.mark.parametrize(
    ("policy", "phase", "everybody", "powers"),
    [
        ("none", "S1901M", False, False),
        ("broadcast", "S1901M", False, False),
        ("public", "S1901M", True, False),
        ("rulebook", "S1901M", True, True),
        ("rulebook", "S1901R", False, False),
        ("private", "S1901R", True, True),
    ],
)
def test_only_what_may_be_sent_is_offered(
    policy: str, phase: str, everybody: bool, powers: bool, house: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the form offers is sent, and no form stands where nothing may be; why is said instead."""
    user, *_ = people(1)
    gm = User.objects.create_user("master") if house else None
    table = running([user], TableSettings.model_validate({"press": policy}), gm=gm)
    monkeypatch.setattr(TableView, "phase_code", phase)
    Table.objects.filter(pk=table.pk).update(phase_code=phase)
    client, own = client_of(user), power_of(table, user)
    seats = {str(seat.power) for seat in table.seats.all()} - {own}
    wanted = (seats if powers else set()) | ({"all"} if everybody else set()) | ({"Gamesmaster"} if house else set())
    for address in (f"/t/{table.key}/press/", f"/t/{table.key}/press/beside"):
        told = client.get(f"{address}?new=1").content.decode()
        assert set(re.findall('name="to" value="([^"]*)"', told)) == wanted
        assert (">New message</a>" in told) is bool(wanted)
        thread = client.get(address, {"with": ""}).content.decode()
        assert ('id="write"' in thread) is everybody
        assert "unsigned" not in thread
        for name in sorted(wanted):
            sent = client.post(f"{address}?new=1", {"to": name, "text": f"to {name} from {address}"})
            assert sent.status_code in (200, 302), name
    if gm is not None:
        assert client_of(gm).get(f"/t/{table.key}/press/?new=1").content.decode().count('name="to"') == 8


def test_a_thread_with_a_gamesmaster_who_left(game: tuple[Table, list[User], list[str]]) -> None:
    """An answer goes to the powers in the thread; one to the Gamesmaster alone is refused and kept."""
    table, (ann, ben, _), (a, b, _) = game
    correspondence.send(table, b, Press("to you and the judge", [a, correspondence.HOUSE]), user=ben, now=NOW)
    Table.objects.filter(pk=table.pk).update(gm=None)
    key = threads.key_with([a, b, correspondence.HOUSE])
    told = client_of(ann).get(f"/t/{table.key}/press/", {"with": key}).content.decode()
    assert re.findall('name="to" value="([^"]*)"', told) == [b]
    key = threads.key_with([a, correspondence.HOUSE])
    form = {"to": [correspondence.HOUSE], "text": "Are you there?"}
    told = client_of(ann).post(f"/t/{table.key}/press/?with={key}", form).content.decode()
    assert "This game has no Gamesmaster. (report a problem instead)" in told
    assert "Are you there?</textarea>" in told


def test_read_is_answered_with_what_is_left(game: tuple[Table, list[User], list[str]]) -> None:
    """A script is told how much is unread after each message seen; threads of others are left alone."""
    table, (ann, ben, _), (a, b, c) = game
    client, address = client_of(ann), f"/t/{table.key}/press/read"
    client.post(address, {"all": "1"})
    for text in ("one", "two", "three"):
        correspondence.send(table, b, Press(text, [a]), user=ben, now=NOW)
    thread = threads.thread(access.look(table.key, ann), f"{a},{b}")
    told = client.post(address, {"with": thread.key, "upto": thread.lines[1].number}, headers=JSON).json()
    assert told == {"all": "1 new", "threads": {"": "", thread.key: "1 new"}}
    for wrong in ("x", "", "-1", "²"):
        assert client.post(address, {"with": thread.key, "upto": wrong}, headers=JSON).json()["all"] == "1 new"
    assert client.post(address, {"with": f"{b},{c}", "upto": "9999"}, headers=JSON).json()["all"] == "1 new"
    assert client.post(address, {"with": thread.key, "upto": "9" * 40}, headers=JSON).json()["all"] == ""
    assert unread(table, ann) == 0


def test_everything_is_read_at_once(game: tuple[Table, list[User], list[str]]) -> None:
    """One button marks all threads, and only one's own."""
    table, (ann, ben, cid), (a, b, c) = game
    correspondence.send(table, b, Press("one", [a]), user=ben, now=NOW)
    correspondence.send(table, b, Press("two", [a, c]), user=ben, now=NOW)
    before = unread(table, cid)
    assert "Mark everything as read" in client_of(ann).get(f"/t/{table.key}/press/").content.decode()
    client_of(ann).post(f"/t/{table.key}/press/read", {"all": "1"})
    assert unread(table, ann) == 0
    assert unread(table, cid) == before
    assert "Mark everything as read" not in client_of(ann).get(f"/t/{table.key}/press/").content.decode()


def test_who_reads_is_said_where_one_writes(game: tuple[Table, list[User], list[str]]) -> None:
    """It is said that the Gamesmaster reads private messages where there is one, as is the case; and not elsewhere."""
    table, (ann, ben, _), (a, b, _) = game
    correspondence.send(table, a, Press("between us", [b]), user=ann, now=NOW)
    master = User.objects.get(username="master")
    assert "between us" in [m.text for m in access.look(table.key, master).messages()]
    for page in ("press/", "press/beside"):
        assert "by the Gamesmaster of this game" in client_of(ann).get(f"/t/{table.key}/{page}").content.decode()
        assert "You read all the messages" in client_of(master).get(f"/t/{table.key}/{page}").content.decode()
    seats.replace(table, b, User.objects.create_user("late"), master, now=NOW)
    late = access.look(table.key, User.objects.get(username="late"))
    assert "between us" in [m.text for m in late.messages()]
    assert "between us" not in [m.text for m in access.look(table.key, ben).messages()]
    alone = running([User.objects.create_user("dan")], TableSettings())
    text = client_of(User.objects.get(username="dan")).get(f"/t/{alone.key}/press/beside").content.decode()
    assert "by players who take them over later." in text
    assert "Gamesmaster of this game" not in text


def test_sandboxes_have_no_press() -> None:
    """There is nothing beside the board of a sandbox."""
    made = hosting.sandbox("standard", now=NOW)
    assert "side-press" not in Client().get(f"/t/{made.key}/").content.decode()
    assert Client().get(f"/t/{made.key}/press/beside").status_code == 404
