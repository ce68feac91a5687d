"""Second thoughts: a letter is its writer's alone until it is sent; what is struck out nobody reads."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.accounts.tokens import make_token
from gamesmaster.host.models import HeldLetter, Job, Message, OutMail, Table
from gamesmaster.host.phases import processing
from gamesmaster.host.press import correspondence, holding, live, threads
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.profiles import own_data
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from tests.host.conftest import DAY, NOW, do_jobs, people, power_of, running

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)
AT = NOW + SECOND


@pytest.fixture(autouse=True)
def _held(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters are held, as on a real site, at a time that stands still."""
    settings.PRESS_HOLD = 20
    monkeypatch.setattr(clock, "now", lambda: AT)
    monkeypatch.setattr(live, "connections", SimpleNamespace(close_all=lambda: None))


def write(table: Table, user: User, text: str, *to: str, at: datetime = AT) -> Message | HeldLetter:
    """Write a letter as a player, to all unless readers are named."""
    power = power_of(table, user)
    return correspondence.send(table, power, Press(text, list(to) or ["all"]), user=user, now=at)


def signed_in(user: User | None) -> Client:
    """A browser of somebody."""
    client = Client()
    if user:
        client.force_login(user)
    return client


def seen(table: Table, user: User | None) -> dict[str, Any]:
    """All that somebody can learn of press: pages, stamps, counts, mails, API."""
    client, view = signed_in(user), access.look(table.key, user)
    pages = [f"/t/{table.key}/press/{more}" for more in ("", "beside", "?words=secret", "?with=France,Germany")]
    paths = [f"/api/tables/{table.key}{more}" for more in ("", "/press", "/press?words=secret", "/press/held")]
    answers = [client.get(path).content.decode() for path in (*pages, *paths)]
    return {
        "texts": sum("zq-secret" in one for one in answers),
        "stamp": live.stamp(view),
        "poll": client.get(f"/t/{table.key}/live.json").content,
        "unread": threads.unread(view),
        "threads": [(one.key, one.last, one.unread) for one in threads.threads(view)],
        "mails": OutMail.objects.filter(user=user, event="press").count() if user else 0,
        "export": "zq-secret" in json.dumps(own_data.export(user), default=str) if user else False,
    }


def test_nobody_else_learns_of_a_held_letter() -> None:
    """Until it is sent a letter changes nothing that anybody but its writer can learn; then all is as ever."""
    ann, ben, gm, other = people(4)
    table = running([ann, ben], gm=gm)
    readers = (ben, gm, other, None)
    for to in ([], [power_of(table, ben)]):
        before = [seen(table, one) for one in readers]
        marks = live.marks([table.pk])
        assert isinstance(write(table, ann, f"zq-secret {to}", *to), HeldLetter)
        assert [seen(table, one) for one in readers] == before
        assert live.marks([table.pk]) == marks
        assert seen(table, ann)["texts"] > 0
        do_jobs(AT + 19 * SECOND)
        assert [seen(table, one) for one in readers] == before
        do_jobs(AT + 20 * SECOND)
        after = seen(table, ben)
        assert (after["texts"] > 0, after["mails"]) == (True, before[0]["mails"] + 1)
        assert after["unread"] == before[0]["unread"] + 1
        assert after["stamp"] != before[0]["stamp"]
        assert not HeldLetter.objects.exists()
        assert not Job.objects.filter(kind="letters").exists()


def test_taken_back() -> None:
    """A letter taken back is gone, once; its text is in the form again; nobody else can take it back."""
    ann, ben, gm = people(3)
    table = running([ann, ben], gm=gm)
    page = f"/t/{table.key}/press/"
    client = signed_in(ann)
    sent = client.post(page, {"to": "all", "text": "zq-secret plans"})
    assert sent.status_code == 302
    shown = client.get(sent["Location"].partition("#")[0]).content.decode()
    assert "Not sent yet" in shown
    assert "goes out at 12:00:21" in shown
    letter = HeldLetter.objects.get()
    for user in (ben, gm):
        with pytest.raises(Refused, match="sent, or taken back"):
            holding.take_back(table, letter.pk, user)
        assert signed_in(user).post(page, {"back": letter.pk}).status_code == 409
    back = client.post(page, {"back": letter.pk})
    assert back.status_code == 200
    assert "zq-secret plans</textarea>" in back.content.decode()
    assert "Not sent yet" not in back.content.decode()
    assert client.post(page, {"back": letter.pk}).status_code == 409
    do_jobs(AT + DAY)
    assert not Message.objects.filter(text__contains="zq-secret").exists()
    assert not OutMail.objects.filter(event="press").exists()


def test_beside_the_board() -> None:
    """Beside the board, too, a letter is shown as not sent, and its text comes back."""
    ann, ben = people(2)
    table = running([ann, ben])
    client, address = signed_in(ann), f"/t/{table.key}/press/beside"
    shown = client.post(address, {"to": "all", "text": "zq-secret"}).content.decode()
    assert "Not sent yet" in shown
    shown = client.post(address, {"back": HeldLetter.objects.get().pk}).content.decode()
    assert "Not sent yet" not in shown
    assert "zq-secret</textarea>" in shown


def test_by_the_api() -> None:
    """A program hears until when it can take a letter back, finds it again, and takes it back."""
    ann, ben = people(2)
    table = running([ann, ben])
    token, _ = make_token(ann, "bot", ["read", "press"], NOW)
    client, address = Client(headers={"Authorization": f"Bearer {token}"}), f"/api/tables/{table.key}/press"
    made = client.post(address, {"text": "zq-secret", "to": ["all"]}, content_type="application/json").json()
    assert (made["number"], made["text"], made["held"] > 0) == (0, "zq-secret", True)
    assert datetime.fromisoformat(made["sent_at"]) == AT + 20 * SECOND
    assert client.get(f"{address}/held").json() == [made]
    assert "zq-secret" not in client.get(address).content.decode()
    assert client.delete(f"{address}/held/{made['held']}").status_code == 200
    assert client.delete(f"{address}/held/{made['held']}").status_code == 409
    assert client.get(f"{address}/held").json() == []


@pytest.mark.parametrize(("left", "held"), [(141, True), (139, False), (1, False), (-1, False)])
def test_sent_at_once_when_the_phase_ends_soon(left: int, held: bool) -> None:
    """So that it comes before the deadline, a letter is not held near it, nor when all are ready."""
    ann, ben = people(2)
    table = running([ann, ben])
    for field in ("deadline", "ready_at"):
        Table.objects.filter(pk=table.pk).update(**{"deadline": AT + DAY, "ready_at": None, field: AT + left * SECOND})
        assert isinstance(write(table, ann, f"until {field}"), HeldLetter) == held


def test_what_is_held_is_sent_before_the_phase_ends() -> None:
    """A phase that is processed on request sends the letters that are still held, as press of the old phase."""
    ann, ben, gm = people(3)
    table = running([ann, ben], gm=gm)
    write(table, ann, "zq-secret")
    assert processing.ask(table, 0, gm, now=AT + SECOND) is processing.Done.PROCESSED
    assert Message.objects.get(text="zq-secret").ordinal == 0
    assert not HeldLetter.objects.exists()
    do_jobs(AT + DAY)
    assert Message.objects.filter(text="zq-secret").count() == 1


def test_letters_keep_their_order_and_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters are sent in the order of writing, the same one twice counts once, and held ones count for the limits."""
    ann, ben = people(2)
    table = running([ann, ben])
    for n in (1, 2, 2, 3):
        write(table, ann, f"letter {n}", at=AT + n * SECOND)
    monkeypatch.setattr(correspondence, "LIMITS", ((DAY, 3),))
    with pytest.raises(Refused, match="at most 3"):
        write(table, ann, "one more", at=AT + 4 * SECOND)
    do_jobs(AT + 60 * SECOND)
    texts = Message.objects.filter(text__startswith="letter").order_by("pk").values_list("text", flat=True)
    assert list(texts) == ["letter 1", "letter 2", "letter 3"]
    with pytest.raises(Refused, match="at most 3"):
        write(table, ann, "one more", at=AT + 61 * SECOND)


def test_the_gamesmaster_strikes_out_a_letter(settings: Any) -> None:
    """It stays as struck out; its text is gone for all but the Gamesmaster, also from waiting mails; and comes back."""
    settings.PRESS_HOLD = 0
    ann, ben, gm, other = people(4)
    table = running([ann, ben], gm=gm)
    write(table, ann, "zq-secret")
    page, number = f"/t/{table.key}/press/", threads.newest(access.look(table.key, gm))[-1].number
    assert OutMail.objects.filter(body__contains="zq-secret").count() == 1
    before = {one: seen(table, one) for one in (ann, ben, gm, other)}
    for user in (ann, ben, other):
        assert signed_in(user).post(page, {"strike": number}).status_code == 409
    assert Message.objects.filter(struck__isnull=False).count() == 0
    assert signed_in(gm).post(page, {"strike": number}).status_code == 302
    assert not OutMail.objects.filter(body__contains="zq-secret").exists()
    for user in (ann, ben, other):
        found = seen(table, user)
        assert (found["texts"], found["stamp"] != before[user]["stamp"]) == (0, True)
        assert "Struck out by the Gamesmaster" in signed_in(user).get(page).content.decode()
    assert seen(table, ann)["export"]
    assert seen(table, gm)["texts"] == before[gm]["texts"]
    view = access.look(table.key, ben)
    assert [(line.message.text, line.message.struck) for line in threads.newest(view, most=1)] == [("", True)]
    assert threads.search(view, "zq-secret") == []
    assert signed_in(gm).post(page, {"restore": number}).status_code == 302
    assert seen(table, other)["texts"] == before[other]["texts"]
    assert list(table.audit.filter(what__contains="letter").order_by("pk").values_list("what", flat=True)) == [
        "struck out a letter of phase 0", "restored a letter of phase 0",
    ]  # fmt: skip


def test_struck_out_by_the_api(settings: Any) -> None:
    """A Gamesmaster's program strikes out by the number that it sees; notices of the game cannot be struck out."""
    settings.PRESS_HOLD = 0
    ann, ben, gm = people(3)
    table = running([ann, ben], gm=gm)
    write(table, ann, "zq-secret")
    address = f"/api/tables/{table.key}/press"
    token, _ = make_token(gm, "bot", ["read", "press"], NOW)
    client = Client(headers={"Authorization": f"Bearer {token}"})
    lines = client.get(address).json()
    number = next(line["number"] for line in lines if line["text"] == "zq-secret")

    def struck(number: int, *, value: bool = True) -> int:
        told = {"number": number, "struck": value}
        return client.put(f"{address}/strikes", told, content_type="application/json").status_code

    assert struck(number) == 200
    assert [line["text"] for line in signed_in(ben).get(address).json() if line["struck"]] == [""]
    assert struck(number, value=False) == 200
    assert struck(99) == 404
