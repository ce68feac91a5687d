"""How long an answer takes tells nothing: as much is done, whatever is not to be known (D3).

What is counted is work, statements to the database and passwords hashed; a clock would tell of the machine.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from gamesmaster.host.games import hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.models import Table
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.settings import TableSettings
from tests.host.test_matrix import replace_settings
from tests.host.walk import asked_of
from tests.host.world import FILLED, LATER, make_world, of_table

pytestmark = pytest.mark.django_db
NOTHING = "abcdefghjk"
COUNTED = re.compile(r"host_shared|PRAGMA synchronous|synchronous_commit|^BEGIN|^COMMIT")


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: LATER)
    cache.clear()


def statements(work: Callable[[], object]) -> list[str]:
    """What the database was asked, without what was filled in, and without the count of requests in this minute."""
    with CaptureQueriesContext(connection) as found:
        work()
    asked = [query["sql"] for query in found.captured_queries]
    return [re.sub(r"'[^']*'|\b\d+\b", "?", sql) for sql in asked if not COUNTED.search(sql)]


@pytest.mark.parametrize("role", ["stranger", "outsider", "replaced"])
def test_a_hidden_table_takes_as_much_work_as_none(role: str) -> None:
    """At every address of a table the database is asked the same for one that is hidden and one that is not there."""
    world = make_world("later", replace_settings(join="invited", observers=False))
    client, differing = world.client(role), []
    urls = [(address, url) for address, url in asked_of(world.table) if of_table(address)]
    client.get(urls[0][1])  # what is asked once by every browser is asked
    for address, url in urls:
        real = statements(lambda url=url: client.get(url))  # type: ignore[misc]
        unreal = statements(lambda a=address: client.get(a.filled(FILLED | {"key": NOTHING})))  # type: ignore[misc]
        if real != unreal:
            differing.append(f"{url}: {real} but {unreal}")
    assert len(urls) > 40
    assert not differing, "\n".join(differing)


def test_an_invitation_that_is_none() -> None:
    """A wrong invitation is looked for at a table that is not there as well."""
    world = make_world("moves", replace_settings(join="invited", observers=False))
    seen = []
    for key in (world.table.key, NOTHING):

        def look(key: str = key) -> None:
            with pytest.raises(Refused):
                access.look(key, world.people["outsider"], invitation="wrong")

        seen.append(statements(look))
    assert seen[0] == seen[1]
    assert len(seen[0]) == 5
    assert Table.objects.filter(key=world.table.key).exists()


def count_hashing(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """From now on, how many rounds of hashing each look at a password would take; none is done."""
    rounds: list[int] = []
    encode = PBKDF2PasswordHasher.encode

    def counted(self: PBKDF2PasswordHasher, password: str, salt: str, iterations: int | None = None) -> str:
        rounds.append(iterations or self.iterations)
        return encode(self, password, salt, 1)

    monkeypatch.setattr(PBKDF2PasswordHasher, "encode", counted)
    return rounds


@pytest.mark.parametrize("login", ["{who}", "{who}@example.org"], ids=["name", "address"])
def test_a_wrong_password_takes_as_much_work_for_any_name(
    login: str, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """For a known name, an unknown one, one that has no password and one that is suspended as much is hashed (E9)."""
    settings.PASSWORD_HASHERS = [f"{PBKDF2PasswordHasher.__module__}.{PBKDF2PasswordHasher.__name__}"]
    User.objects.create_user("known", "known@example.org", "one-long-pass-9")
    User.objects.create_user("bymail", "bymail@example.org")
    User.objects.create_user("barred", "barred@example.org", "one-long-pass-9", is_active=False)
    hashed, counts = count_hashing(monkeypatch), {}
    for number, who in enumerate(("known", "unknown", "bymail", "barred")):
        hashed.clear()
        client = Client(REMOTE_ADDR=f"127.0.1.{number}")
        form = {"login": login.format(who=who), "password": "wrong-one-here"}
        assert client.post("/accounts/login/", form).status_code == 200
        counts[who] = tuple(hashed)
    assert len(set(counts.values())) == 1, counts
    assert counts["known"]


@pytest.mark.parametrize("url", ["/games?list=mine", "/api/tables?kind=mine", "/"])
def test_lists_ask_as_much_for_many_games_as_for_few(url: str) -> None:
    """However many games a list has, the database is asked as often."""
    user = User.objects.create_user("many", "many@example.org")
    client = Client()
    client.force_login(user)
    seen = []
    for more in (4, 12):
        for number in range(more):
            table = hosting.create(
                user, GameChoice("standard", name=f"Game {number}"), TableSettings(fill="holder"), now=LATER
            )
            seats.join(table, user, now=LATER)
            if number % 3 == 0:
                hosting.start(table, user, now=LATER)
        assert client.get(url).status_code == 200
        seen.append(len(statements(lambda: client.get(url))))
    assert seen[0] == seen[1], url
