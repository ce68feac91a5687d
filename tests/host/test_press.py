from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import Q
from django.db.models.sql.compiler import SQLCompiler
from django.test import Client
from django.test.utils import CaptureQueriesContext

from gamesmaster.host.games import hosting, seats
from gamesmaster.host.models import Message, OutMail, Table
from gamesmaster.host.press import correspondence, threads
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.tables import access
from gamesmaster.host.tables.models import thread_of
from gamesmaster.host.tables.settings import TableSettings
from gamesmaster.host.tables.view import TableView
from tests.host.conftest import NOW, people, power_of, running
from tests.host.test_tables import refused

pytestmark = pytest.mark.django_db


def three(settings: TableSettings | None = None, *, gm: User | None = None) -> tuple[Table, list[User], list[str]]:
    """A game with three people, and their powers."""
    users = people(3)
    table = running(users, settings, gm=gm)
    return table, users, [power_of(table, user) for user in users]


def seen(table: Table, user: User | None) -> TableView:
    """The table as this person sees it."""
    return access.look(table.key, user)


def texts(table: Table, user: User | None) -> list[str]:
    """What this person reads, without notices of the house."""
    return [m.text for m in seen(table, user).messages() if m.sender != correspondence.HOUSE]


def test_who_reads_what() -> None:
    """A message reaches those whom it is for, its sender and nobody else; public press reaches everybody."""
    table, (ann, ben, cid), (a, b, _) = three()
    correspondence.send(table, a, Press("to ben", [b.upper()]), user=ann, now=NOW)
    correspondence.send(table, a, Press("to all", [correspondence.ALL]), user=ann, now=NOW)
    assert texts(table, ann) == texts(table, ben) == ["to ben", "to all"]
    assert texts(table, cid) == texts(table, None) == ["to all"]


def test_threads_and_unread_marks() -> None:
    """Messages between the same powers make one thread, whoever writes; what is read stays read."""
    table, (ann, ben, _), (a, b, c) = three()
    correspondence.send(table, a, Press("one", [b]), user=ann, now=NOW)
    correspondence.send(table, b, Press("two", [a]), user=ben, now=NOW)
    correspondence.send(table, a, Press("three", [b, c]), user=ann, now=NOW)
    found = threads.threads(seen(table, ben))
    assert [t.key for t in found] == ["", threads.key_with([a, b, c]), threads.key_with([a, b])]
    pair = threads.thread(seen(table, ben), f"{b},{a}")
    assert [(line.message.text, line.unread) for line in pair.lines] == [("one", True), ("two", False)]
    threads.mark_read(seen(table, ben), pair.key, pair.lines[-1].message.number)
    threads.mark_read(seen(table, ben), pair.key, 0)
    assert threads.thread(seen(table, ben), pair.key).unread == 0


def test_numbers_tell_of_no_other_press() -> None:
    """The numbers of messages are the same whether or not others write to each other (D3)."""
    table, (ann, ben, cid), (a, b, _) = three()
    before = len(threads.lines(seen(table, cid)))
    correspondence.send(table, a, Press("secret", [b]), user=ann, now=NOW)
    correspondence.send(table, a, Press("public", [correspondence.ALL]), user=ann, now=NOW)
    assert threads.lines(seen(table, cid))[-1].number == before + 1
    assert threads.lines(seen(table, ben))[-1].number == before + 2


@pytest.mark.parametrize("name", ["ann", "master", "stranger"])
@pytest.mark.parametrize("path", ["", "press/", "press/beside", "press/?before=9", "live.json"])
def test_a_page_costs_the_same_with_many_letters(path: str, name: str) -> None:
    """A page asks as many questions, and reads as many rows, for thousands of letters as for hundreds (E2)."""
    master = User.objects.create_user("master")
    table, (ann, *_), powers = three(gm=master)
    client = Client()
    if name != "stranger":
        client.force_login(ann if name == "ann" else master, backend="django.contrib.auth.backends.ModelBackend")
    costs = []
    for _ in range(2):
        write_many(table, powers, 900)
        client.get(f"/t/{table.key}/{path}")
        with counted() as cost:
            assert client.get(f"/t/{table.key}/{path}").status_code == 200
        costs.append(cost)
    assert costs[0] == costs[1]
    assert costs[0]["rows"] < 900


def test_the_api_costs_the_same_with_many_letters() -> None:
    """So does the API, for the game and for a part of its press (E2)."""
    table, (ann, *_), powers = three()
    write_many(table, powers, 900)
    for path in ("", "/press", "/press?after=500", "/press?thread="):
        with counted() as cost:
            client = Client()
            client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
            assert client.get(f"/api/tables/{table.key}{path}").status_code == 200
        assert cost["rows"] < 500


def write_many(table: Table, powers: list[str], number: int) -> None:
    """Store so many letters: to all, between two, between others, and unsigned."""
    a, b, c = powers
    kinds = [
        (a, a, []),
        (b, b, [a]),
        (c, c, [b]),
        (b, "anonymous", [a]),
        (a, "anonymous", [c]),
        ("", "Gamesmaster", []),
    ]
    letters = []
    for n in range(number):
        sender, shown, to = kinds[n % len(kinds)]
        made = Message(table=table, ordinal=0, sender=sender, shown_as=shown, to=to, text=f"{n}", sent_at=NOW)
        made.thread = thread_of(shown, to)
        letters.append(made)
    Message.objects.bulk_create(letters)


@contextmanager
def counted() -> Iterator[Counter[str]]:
    """Count the statements, and the rows of letters and other models, that are read meanwhile."""
    cost: Counter[str] = Counter()

    def count(results: Iterable[Sequence[object]], *_: object) -> Iterator[Sequence[object]]:
        for row in results:
            cost["rows"] += 1
            yield row

    with CaptureQueriesContext(connection) as queries, pytest.MonkeyPatch.context() as patch:
        read = SQLCompiler.results_iter

        def results_iter(self: SQLCompiler, *given: Any, **named: Any) -> Iterator[Sequence[object]]:
            return count(read(self, *given, **named))

        patch.setattr(SQLCompiler, "results_iter", results_iter)
        yield cost
    cost["statements"] = len(queries)


def test_letters_are_numbered_for_each_reader() -> None:
    """Numbers count without holes what a person may read, also where a part is read; muted letters keep theirs (D3)."""
    table, users, powers = three(gm=User.objects.create_user("master"))
    write_many(table, powers, 40)
    correspondence.mute(table, users[0], powers[1], muted=True)
    for user in (*users, table.gm, None):
        view = seen(table, user)
        numbers = {message.number: number for number, message in enumerate(view.messages(), 1)}
        parts = [threads.lines(view), threads.newest(view, most=5), threads.search(view, "1")]
        parts += [list(threads.thread(view, thread.key).lines) for thread in threads.threads(view)]
        parts += [threads.lines(view, after=7, most=6), threads.newest(view, before=7, most=3)]
        for line in (line for part in parts for line in part):
            assert line.number == numbers[line.message.number]
        assert parts[-2][0].number > 7 > parts[-1][-1].number
        assert sum(len(part) for part in parts[3:-2]) == len(parts[0])


def test_pages_lead_to_earlier_letters() -> None:
    """The page shows the newest letters, and each page links to those before it, until the first."""
    table, (ann, *_), powers = three()
    write_many(table, powers, 1500)
    client = Client()
    client.force_login(ann, backend="django.contrib.auth.backends.ModelBackend")
    address, read = f"/t/{table.key}/press/?with=", list[int]()
    while address:
        page = client.get(address).content.decode()
        numbers = [int(number) for number in re.findall('data-number="([0-9]+)"', page)]
        assert 0 < len(numbers) <= threads.LONGEST_PAGE
        read = [*numbers, *read]
        found = re.search('<a href="([^"#]*before=[0-9]+)#last">', page)
        address = found[1].replace("&amp;", "&") if found else ""
    public = [line.number for line in threads.lines(seen(table, ann), Q(thread=""), most=9999)]
    assert read == public
    assert len(public) > 500


def test_letters_of_before_have_threads() -> None:
    """A site of an older program gets the threads of its letters."""
    table, _users, powers = three()
    write_many(table, powers, 12)
    before = dict(Message.objects.values_list("pk", "thread"))
    Message.objects.update(thread="")
    import_module("gamesmaster.host.migrations.0016_squashed_0028_helper").name_threads(apps, None)
    assert dict(Message.objects.values_list("pk", "thread")) == before
    assert len(set(before.values())) == 5


@pytest.mark.parametrize(
    ("policy", "alone", "pair", "group"),
    [
        ("none", "no-press", "no-press", "no-press"),
        ("broadcast", "no-press", "no-press", "no-press"),
        ("public", "", "public-only", "public-only"),
        ("private", "", "", "no-groups"),
        ("groups", "", "", ""),
        ("rulebook", "", "", ""),
    ],
)
def test_policies(policy: str, alone: str, pair: str, group: str) -> None:
    """Each policy lets through what it says: press to all, to one, to several."""
    settings = TableSettings.model_validate({"press": policy})
    table, (ann, *_), (a, b, c) = three(settings)
    for to, code in (([correspondence.ALL], alone), ([b], pair), ([b, c], group)):
        if code:
            with refused(code):
                correspondence.send(table, a, Press(f"to {to}", to), user=ann, now=NOW)
        else:
            correspondence.send(table, a, Press(f"to {to}", to), user=ann, now=NOW)


def test_nobody_is_not_everybody() -> None:
    """A message whose addressees were not chosen is refused; so is one to all and to somebody besides."""
    table, (ann, *_), (a, b, _) = three()
    for to in ([], [" "], [correspondence.ALL, b]):
        with refused("no-addressee"):
            correspondence.send(table, a, Press("Secret: I stab Austria.", to), user=ann, now=NOW)
    assert not Message.objects.filter(sender=a).exists()


def test_no_letter_to_a_gamesmaster_that_is_not_there() -> None:
    """Where there is no Gamesmaster nobody writes to one, alone or with others."""
    table, (ann, *_), (a, b, _) = three()
    for to in ([correspondence.HOUSE], [b, correspondence.HOUSE]):
        with refused("no-gm"):
            correspondence.send(table, a, Press("Is this allowed?", to), user=ann, now=NOW)
    assert not Message.objects.filter(sender=a).exists()


def test_rulebook_press_only_while_moves_are_made() -> None:
    """By the rulebook nobody writes while retreats or builds are due."""
    table, (ann, *_), (a, *_) = three(TableSettings(press="rulebook"))
    Table.objects.filter(pk=table.pk).update(phase_code="S1901R")
    with refused("not-now"):
        correspondence.send(table, a, Press("psst", [correspondence.ALL]), user=ann, now=NOW)


def test_the_gamesmaster_reads_and_writes() -> None:
    """The Gamesmaster can always be written to, writes to whom he or she wants, and reads everything."""
    master = User.objects.create_user("master")
    table, (ann, ben, _), (a, b, _) = three(TableSettings(press="none"), gm=master)
    correspondence.send(table, a, Press("help", ["gamesmaster"]), user=ann, now=NOW)
    correspondence.send(table, "", Press("I come", [a]), user=master, now=NOW)
    assert [m.text for m in seen(table, master).messages()][-2:] == ["help", "I come"]
    assert "help" not in texts(table, ben)
    with refused("no-seat"):
        correspondence.send(table, "", Press("I am the master", [correspondence.ALL]), user=ann, now=NOW)
    with refused("no-seat"):
        correspondence.send(table, b, Press("I am Ben", [correspondence.ALL]), user=ann, now=NOW)


def test_grey_press_does_not_name_its_sender() -> None:
    """Unsigned press shows no sender anywhere but to the sender, and is refused where it is not allowed (E8)."""
    table, (ann, ben, _), (a, b, _) = three(TableSettings(grey=True))
    correspondence.send(table, a, Press("guess who", [b], grey=True), user=ann, now=NOW)
    message = seen(table, ben).messages()[-1]
    assert (message.sender, message.own) == ("anonymous", False)
    assert a not in repr(message)
    assert threads.threads(seen(table, ben))[1].key == threads.key_with(["anonymous", b])
    mail = OutMail.objects.get(event="press", power=b)
    assert a not in mail.body + mail.subject
    plain = running([ann], TableSettings())
    with refused("no-grey"):
        correspondence.send(
            plain,
            power_of(plain, ann),
            Press("guess", [correspondence.ALL], grey=True),
            user=ann,
            now=NOW,
        )


def test_mute() -> None:
    """Who mutes a power does not see its press, nor gets mail of it; others do (E10)."""
    table, (ann, ben, cid), (a, b, c) = three()
    correspondence.mute(table, ben, a, muted=True)
    correspondence.send(table, a, Press("hello", [b, c]), user=ann, now=NOW)
    assert not threads.search(seen(table, ben), "hello")
    assert threads.search(seen(table, cid), "HELLO")
    assert [m.user for m in OutMail.objects.filter(event="press")] == [cid]
    correspondence.mute(table, ben, a, muted=False)
    assert threads.search(seen(table, ben), "hello")


def test_what_is_not_press() -> None:
    """What is not seen, or turns the writing round, is left out; nothing and too much are refused (E2)."""
    assert correspondence.clean("a\u202eb\u200b\x00c\r\n\td \ud800\n\n") == "abc\n\td"
    for text, code in (("\u200b \n", "empty"), ("x" * 10_001, "too-long"), ("x" * 100_000, "too-long")):
        with refused(code):
            correspondence.clean(text)


def test_limits() -> None:
    """A power that floods the table is told to wait; one click too many is one message."""
    table, (ann, *_), (a, *_) = three()
    first = correspondence.send(table, a, Press("again", [correspondence.ALL]), user=ann, now=NOW)
    assert correspondence.send(table, a, Press("again", [correspondence.ALL]), user=ann, now=NOW) == first
    for number in range(correspondence.LIMITS[0][1] - 1):
        correspondence.send(table, a, Press(f"message {number}", [correspondence.ALL]), user=ann, now=NOW)
    with refused("too-many"):
        correspondence.send(table, a, Press("one more", [correspondence.ALL]), user=ann, now=NOW)
    correspondence.send(table, a, Press("one more", [correspondence.ALL]), user=ann, now=NOW + timedelta(minutes=11))
    assert Message.objects.filter(sender=a).count() == correspondence.LIMITS[0][1] + 1


def test_who_has_left_is_silent() -> None:
    """A replaced player neither reads nor writes any more."""
    table, (ann, ben, _), (a, b, _) = three()
    seats.leave(table, ann, now=NOW)
    with refused("no-seat"):
        correspondence.send(table, a, Press("I am still here", [correspondence.ALL]), user=ann, now=NOW)
    correspondence.send(table, b, Press("she is gone", [a]), user=ben, now=NOW)
    assert "she is gone" not in texts(table, ann)


def test_names() -> None:
    """A power that there is not is refused with the nearest; so is a letter to oneself, and press at a sandbox."""
    table, (ann, *_), (a, *_) = three()
    with refused("no-power"):
        correspondence.send(table, a, Press("hi", ["Frence"]), user=ann, now=NOW)
    with refused("no-addressee"):
        correspondence.send(table, a, Press("hi", [a]), user=ann, now=NOW)
    alone = hosting.sandbox("standard", now=NOW)
    with refused("no-press"):
        correspondence.send(alone, "France", Press("hi", [correspondence.ALL]), user=None, now=NOW)
