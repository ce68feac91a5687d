from __future__ import annotations

import asyncio
import gzip
import warnings
from collections.abc import AsyncGenerator, AsyncIterator, Callable

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.sessions.models import Session
from django.test import AsyncClient, AsyncRequestFactory, Client

from gamesmaster.host.games import seats
from gamesmaster.host.models import Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.press import correspondence, live, threads
from gamesmaster.host.press import live as door
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.tables import access
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import confirmed, people, power_of, running
from tests.patience import PATIENCE


def session_of(user: User) -> SessionStore:
    """A browser's session of this person."""
    client = Client()
    client.force_login(user)
    return SessionStore(client.session.session_key)


def listening(table: Table, user: User, *doings: Callable[[], object]) -> list[bytes]:
    """What a stream says, one event after each thing that is done."""

    async def listen() -> list[bytes]:
        door.WATCH = door.Watch()
        session = await sync_to_async(session_of)(user)
        view, number, stamp = await sync_to_async(live.look_by_session)(table.key, session)
        stream = door.events(table.key, session, number, stamp, view.viewer)
        said = [await anext(stream)]
        for doing in doings:
            task = asyncio.ensure_future(_next(stream))
            await asyncio.sleep(0.2)
            await sync_to_async(doing)()
            said.append(await asyncio.wait_for(task, PATIENCE))
        await stream.aclose()
        assert not door.WATCH.tables
        return said

    return asyncio.run(listen())


async def _next(stream: AsyncIterator[bytes]) -> bytes:
    return await anext(stream, b"the end")


@pytest.mark.django_db(transaction=True)
def test_a_stream_says_that_something_changed_and_not_what(monkeypatch: pytest.MonkeyPatch) -> None:
    """A change makes an event with nothing in it but a stamp; a kicked player's stream ends at once (D8)."""
    monkeypatch.setattr(door, "PAUSE", 0.1)
    master = User.objects.create_user("master")
    users = people(3)
    table = running(users, TableSettings(), gm=master)
    a = power_of(table, users[0])
    said = listening(
        table,
        users[0],
        lambda: correspondence.send(table, "", Press("hello", [correspondence.ALL]), user=master),
        lambda: seats.replace(table, a, User.objects.create_user("fresh"), master),
        lambda: None,
    )
    assert said[1].startswith(b"event: changed\ndata: ")
    assert b"hello" not in said[1]
    assert len(said[1].split(b"data: ")[1].strip()) == 16
    assert said[2] == b"event: gone\ndata: \n\n"
    assert said[3] == b"the end"


@pytest.mark.django_db(transaction=True)
def test_who_signs_out_hears_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stream of a session that is over ends, though nothing happens at the table."""
    monkeypatch.setattr(door, "PAUSE", 0.1)
    monkeypatch.setattr(door, "BEAT", 0.2)
    monkeypatch.setattr(door, "CHECK", 0.4)
    (user,) = people(1)
    table = running([user])

    def out() -> None:
        Session.objects.all().delete()

    said = listening(table, user, lambda: None, out, lambda: None, lambda: None, lambda: None)
    assert said[1] == b": still here\n\n"
    assert b"event: gone\ndata: \n\n" in said[2:]


@pytest.mark.django_db(transaction=True)
def test_who_may_see_no_more_hears_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """The stream of an observer ends at the next look after observers were shut out, though nothing else happens."""
    monkeypatch.setattr(door, "PAUSE", 0.1)
    monkeypatch.setattr(door, "BEAT", 0.2)
    monkeypatch.setattr(door, "LOOK", 0.4)
    user, observer = people(2)
    table = running([user])

    def shut_out() -> None:
        Table.objects.filter(pk=table.pk).update(settings=table.settings | {"observers": False})

    said = listening(table, observer, lambda: None, shut_out, lambda: None, lambda: None, lambda: None)
    assert said[1] == b": still here\n\n"
    assert b"event: gone\ndata: \n\n" in said[2:]


@pytest.mark.django_db(transaction=True)
def test_signs_of_life_cost_no_look(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stream at whose table nothing happens looks once, and then only at times; who is signed in it knows without."""
    monkeypatch.setattr(door, "PAUSE", 0.1)
    monkeypatch.setattr(door, "BEAT", 0.2)
    monkeypatch.setattr(door, "CHECK", 0.2)
    (user,) = people(1)
    table = running([user])
    looks: list[str] = []
    look = door.look_by_session

    def counted(key: str, session: SessionBase) -> object:
        looks.append(key)
        return look(key, session)

    monkeypatch.setattr(door, "look_by_session", counted)
    said = listening(table, user, *[lambda: None] * 4)
    assert said[1:] == [b": still here\n\n"] * 4
    assert len(looks) == 2  # before the stream and at its first mark


@pytest.mark.django_db
def test_the_stamp_tells_of_nothing_hidden() -> None:
    """Orders and press of others do not change a player's stamp; what he or she sees does (D3)."""
    users = people(3)
    table = running(users)
    a, b, _ = (power_of(table, user) for user in users)

    def stamps() -> list[str]:
        return [live.stamp(access.look(table.key, user)) for user in (*users, None)]

    first = stamps()
    submission.submit(table, a, [], Submission(0), user=users[0])
    correspondence.send(table, a, Press("psst", [b]), user=users[0])
    second = stamps()
    assert [x == y for x, y in zip(first, second, strict=True)] == [False, False, True, True]
    correspondence.send(table, a, Press("all", [correspondence.ALL]), user=users[0])
    assert all(x != y for x, y in zip(second, stamps(), strict=True))


@pytest.mark.django_db
def test_polling(client: Client) -> None:
    """Without streams the stamp is asked for."""
    table = running(people(2))
    path = f"/t/{table.key}"
    assert client.get(f"{path}/live").status_code == 204
    answer = client.get(f"{path}/live.json")
    assert answer.json()["version"] == live.stamp(access.look(table.key, None))
    assert client.get(f"{path}/live.json", headers={"If-None-Match": answer["ETag"]}).status_code == 304


@pytest.mark.django_db
def test_the_page_of_press(client: Client) -> None:
    """The page shows threads, sends, marks and mutes; what was written is text, whatever it is (E1)."""
    users = people(3)
    table = running(users)
    a, b, _ = (power_of(table, user) for user in users)
    path = f"/t/{table.key}/press/"
    client.force_login(users[0])
    evil = "<script>alert(1)</script>"
    assert client.post(path, {"to": [b], "text": evil}).status_code == 302
    assert client.post(path, {"to": ["Nobody"], "text": "kept"}).status_code == 409
    client.force_login(users[1])
    page = client.get(f"{path}?with={a},{b}").content.decode()
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert evil not in page
    assert "1 new" in page
    assert client.post(f"{path}read", {"with": f"{a},{b}", "upto": "99"}).status_code == 302
    assert threads.thread(access.look(table.key, users[1]), f"{a},{b}").unread == 0
    assert client.post(f"{path}mute", {"power": a, "muted": "1"}).status_code == 302
    assert "alert" not in client.get(f"{path}?words=alert").content.decode().replace('value="alert"', "")
    client.force_login(users[2])
    assert "alert(1)" not in client.get(f"{path}?with={a},{b}").content.decode()
    client.logout()
    assert client.get(path).status_code == 200
    assert client.post(path, {"text": "x"}).status_code == 409


@pytest.mark.django_db
def test_an_unsigned_letter_is_not_answered_in_public(client: Client) -> None:
    """In a thread with somebody nameless there is nothing to write on: the answer would go to all."""
    users = people(2)
    table = running(users, TableSettings(grey=True))
    a, b = (power_of(table, user) for user in users)
    correspondence.send(table, a, Press("guess who", [b], grey=True), user=users[0])
    path = f"/t/{table.key}/press/?with={threads.key_with(['anonymous', b])}"
    client.force_login(users[1])
    page = client.get(path).content.decode()
    assert "guess who" in page
    assert "<textarea" not in page
    client.force_login(users[0])
    assert f'name="to" value="{b}"' in client.get(path).content.decode()


@pytest.mark.django_db
def test_the_page_of_tokens(client: Client) -> None:
    """A token is made and shown once, and deleted."""
    (user,) = people(1)
    assert client.get("/me/tokens/").status_code == 302
    client.force_login(user)
    confirmed(client, user)
    page = client.post("/me/tokens/", {"name": "bot", "scope": ["read"], "days": "3"}).content.decode()
    assert "gm_" in page
    number = user.tokens.get().pk
    assert client.post(f"/me/tokens/{number}/drop").status_code == 302
    assert "You have no tokens" in client.get("/me/tokens/").content.decode()


@pytest.mark.django_db(transaction=True)
def test_static_files_under_asgi() -> None:
    """A style sheet comes in one piece, packed, with its tag good for the next time; a font comes as it is."""

    async def fetch() -> None:
        client = AsyncClient(raise_request_exception=True)
        packed = await client.get("/static/host/house.css", headers={"Accept-Encoding": "gzip"})
        assert not packed.streaming
        assert packed.headers["Content-Encoding"] == "gzip"
        assert int(packed.headers["Content-Length"]) == len(packed.content) < 8_000
        assert b"--page" in gzip.decompress(packed.content)
        plain = await client.get("/static/host/house.css")
        assert plain.content == gzip.decompress(packed.content)
        tagged = {"Accept-Encoding": "gzip", "If-None-Match": packed.headers["ETag"]}
        assert (await client.get("/static/host/house.css", headers=tagged)).status_code == 304
        font = await client.get("/static/host/fonts/roboto-regular.woff2", headers={"Accept-Encoding": "gzip"})
        assert not font.has_header("Content-Encoding")
        assert font.content.startswith(b"wOF2")

    with warnings.catch_warnings():
        warnings.simplefilter("error")  # Django warns of what it must read bit by bit
        asyncio.run(fetch())


@pytest.mark.django_db(transaction=True)
def test_streams_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond so many streams, and once the site stops, a browser is sent to ask now and then (I20)."""
    table = running(people(1))

    async def status() -> int:
        return int((await AsyncClient().get(f"/t/{table.key}/live")).status_code)

    monkeypatch.setattr(door, "WATCH", door.Watch())
    monkeypatch.setattr(door, "MOST", 0)
    assert asyncio.run(status()) == 204
    monkeypatch.setattr(door, "MOST", 1)
    door.WATCH.close()
    assert asyncio.run(status()) == 204


@pytest.mark.django_db(transaction=True)
def test_one_network_has_few_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stranger cannot take all streams, and closed ones are forgotten."""
    table = running(people(1))
    monkeypatch.setattr(door, "WATCH", door.Watch())
    monkeypatch.setattr(door, "MOST_FROM_ONE", 1)

    async def once() -> AsyncGenerator[bytes, None]:
        yield b"changed"

    async def look() -> None:
        stream = door.counted("203.0.113.9", once())
        assert await anext(stream) == b"changed"
        assert door.WATCH.networks == {"203.0.113.9": 1}
        request = AsyncRequestFactory(REMOTE_ADDR="203.0.113.9").get("/")
        request.META["REMOTE_ADDR"] = "203.0.113.9"
        assert (await door.stream(request, table.key)).status_code == 204
        await stream.aclose()
        assert not door.WATCH.networks

    asyncio.run(look())


@pytest.mark.parametrize(("limit", "most"), [(1024, 768), (100, 1), (8192, 2000), (-1, 2000)])
def test_streams_leave_descriptors(monkeypatch: pytest.MonkeyPatch, limit: int, most: int) -> None:
    """Requests and the database still find descriptors when all streams are open."""
    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "getrlimit", lambda _: (limit, limit))
    assert door.most_streams() == most
