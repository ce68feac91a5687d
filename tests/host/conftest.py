"""Django for the tests of the site: a data folder of their own; SQLite, or the database that is named.

Set `GAMESMASTER_TEST_DATABASE_URL` and the same tests run on that PostgreSQL.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest

FOLDER = tempfile.mkdtemp(prefix="gamesmaster-host-")
if "DJANGO_SETTINGS_MODULE" not in os.environ:
    atexit.register(shutil.rmtree, FOLDER, ignore_errors=True)
    os.environ["GAMESMASTER_DATA"] = FOLDER
    os.environ["GAMESMASTER_DATABASE_URL"] = os.environ.get("GAMESMASTER_TEST_DATABASE_URL", "")
    os.environ["DJANGO_SETTINGS_MODULE"] = "gamesmaster.host.settings"
    from gamesmaster.host.site.places import make_data_folder

    make_data_folder()

import django  # noqa: E402

django.setup()

from allauth.account.authentication import AUTHENTICATION_METHODS_SESSION_KEY  # noqa: E402
from allauth.account.internal.flows.login import record_authentication  # noqa: E402
from allauth.account.models import EmailAddress  # noqa: E402
from django.contrib.auth.models import User  # noqa: E402
from django.core.cache import caches  # noqa: E402
from django.db import connection  # noqa: E402
from django.http import HttpRequest  # noqa: E402
from django.test import Client  # noqa: E402

from gamesmaster.host.accounts import signing_in  # noqa: E402
from gamesmaster.host.games import hosting, seats  # noqa: E402
from gamesmaster.host.games.hosting import GameChoice  # noqa: E402
from gamesmaster.host.models import Table  # noqa: E402
from gamesmaster.host.operations import serving  # noqa: E402
from gamesmaster.host.phases import outages  # noqa: E402
from gamesmaster.host.site import jobs  # noqa: E402
from gamesmaster.host.tables import store  # noqa: E402
from gamesmaster.host.tables.settings import TableSettings  # noqa: E402
from gamesmaster.variant.model import Edition  # noqa: E402
from tests.migrated import place_database  # noqa: E402

NAMED = connection.settings_dict["NAME"]
"""The database that the settings name; the tests' own has another name, once it is made."""
NOW = datetime(2027, 1, 4, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the site."""
    for item in items:
        if "tests/host/" in item.path.as_posix():
            item.add_marker(pytest.mark.host)


@pytest.fixture(autouse=True)
def _fresh_shelf() -> None:
    """Forget games of other tests: their tables had the same numbers."""
    store.GAMES.clear()
    caches["local"].clear()


@pytest.fixture(autouse=True)
def _no_time_trap(settings: Any) -> None:
    """Tests fill in forms faster than people."""
    settings.SIGN_UP_SECONDS = 0


@pytest.fixture(autouse=True)
def _letters_at_once(settings: Any) -> None:
    """Letters are sent at once, but where it is tested that they can be taken back."""
    settings.PRESS_HOLD = 0


@pytest.fixture(autouse=True)
def _quick_passwords(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords and recovery codes are hashed in no time."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    monkeypatch.setattr(signing_in.HASHER, "iterations", 10)


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool, django_db_modify_db_settings: None) -> bool:
    """SQLite begins with a copy of a migrated database: Django applies what is missing, which is nothing."""
    if connection.vendor != "sqlite":
        return django_db_keepdb
    place_database(Path(connection.settings_dict["TEST"]["NAME"]))
    return True


@pytest.fixture(scope="session", autouse=True)
def _packed_once() -> Iterator[None]:
    """The same edition is packed once for all tables: that takes longer than all else that makes one."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Edition, "pack", cache(Edition.pack))
        yield


@pytest.fixture(scope="session", autouse=True)
def _nobody_else(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """Before the test database goes, end the sessions of servers' threads: PostgreSQL drops none that is in use.

    None is made for a run in which every test begins a site of its own.
    """
    yield
    if connection.vendor == "postgresql" and connection.settings_dict["NAME"] != NAMED:
        with django_db_blocker.unblock(), connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


@pytest.fixture
def gm() -> User:
    """A Gamesmaster."""
    return person("gamesmaster")


@pytest.fixture
def run(gm: User) -> Table:
    """A game of two players that the Gamesmaster runs."""
    return running(people(2), gm=gm)


def people(number: int) -> list[User]:
    """So many users, with addresses."""
    names = [f"player{n}" for n in range(1, number + 1)]
    return [person(name) for name in names]


def person(name: str, email: str = "", password: str | None = None) -> User:
    """A user with an address that is confirmed."""
    user = User.objects.create_user(name, email or f"{name}@example.org", password)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def age(client: Client, minutes: float = 16) -> Client:
    """Let the sign-in of a browser, and what was confirmed there, be so long ago: by default, too long to count."""
    age_session(client.session, minutes)
    return client


def age_session(session: Any, minutes: float = 16) -> None:
    """Let the proofs of a session be so long ago."""
    for proof in session.get(AUTHENTICATION_METHODS_SESSION_KEY, []):
        proof["at"] -= minutes * 60
    session.save()


def confirmed(client: Client, user: User) -> Client:
    """A browser that this user has just signed in with, beyond what `force_login` notes."""
    request = HttpRequest()
    request.session = client.session
    record_authentication(request, user, "password")
    request.session.save()
    return client


def running(
    users: list[User],
    settings: TableSettings | None = None,
    *,
    gm: User | None = None,
    house_rules: Mapping[str, object] | None = None,
) -> Table:
    """A game of the regular seven, begun at `NOW`, bots at the places that nobody takes."""
    chosen = settings or TableSettings()
    if not chosen.fill:
        chosen = chosen.model_copy(update={"fill": "holder"})
    name = "Seven at a table"
    table = hosting.create(users[0], GameChoice("standard", name=name, house_rules=house_rules), chosen, gm=gm, now=NOW)
    for user in users:
        seats.join(table, user, now=NOW)
    table.refresh_from_db()
    if table.state == "forming":
        hosting.start(table, gm or users[0], now=NOW)
    table.refresh_from_db()
    return table


def finish_outages(now: datetime) -> None:
    """Do what an outage leaves to the workers: move the last deadlines, write notices and e-mails."""
    while outages.move_on(now) or outages.tell(now):
        pass


def do_jobs(now: datetime) -> None:
    """Do the jobs of a worker that are due."""
    jobs.work_off(serving.KINDS, now)


def labels_in(page: str) -> list[str]:
    """The labels of the fields on a page, above its foot."""
    found = re.findall(r"<label[^>]*>([^<]*)</label>", page.partition("<footer")[0])
    return [label.strip() for label in found if label.strip()]


def power_of(table: Table, user: User) -> str:
    """The power that a user plays."""
    power = table.seats.exclude(state="left").get(user=user).power
    assert power
    return power


def holding(table: Table, user: User) -> str:
    """An order: that the first unit of a user's power holds."""
    unit = store.load(Table.objects.get(pk=table.pk)).position.of(power_of(table, user))[0]
    return f"{unit.kind} {unit.at} H"


@pytest.fixture
def player() -> User:
    """A player."""
    return people(1)[0]


@pytest.fixture
def table(player: User) -> Table:
    """A table at which the player sits among bots; one mail waits: that the game begins."""
    return running([player])
