"""A backup is all that a site is, and can be put back on another machine, database or version.

Every restore is into a folder or database that did not exist before, by processes of their own.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path

import psycopg
import pyrage
import pytest

from gamesmaster.host.site.places import SETTINGS_FILE
from tests.lengths import mark_long
from tests.migrated import place_database
from tests.patience import PATIENCE

pytestmark = pytest.mark.together

OLD = Path(__file__).parent / "backups" / "format1.gz"
"""Written by a program that had neither secrets nor settings in its backups, and a shorter chain of migrations.

Its secret was forty times the letter s.
"""
SETTINGS = {"GAMESMASTER_BASE_URL": "https://play.example.org", "GAMESMASTER_MAIL_FROM": 'The "Keeper" <k@example.org>'}
POSTGRES = os.environ.get("GAMESMASTER_TEST_DATABASE_URL", "")
MAKE = """
from gamesmaster.host.apps import boot; boot()
from gamesmaster.host.operations.serving import migrate; migrate()
from django.contrib.auth.models import Group, User
from allauth.account.models import EmailAddress
from gamesmaster.host.mailroom import addresses
from gamesmaster.host.models import Heartbeat, Table
from gamesmaster.host.games import hosting, seats
from gamesmaster.host.orders import receipts, submission
from gamesmaster.host.phases import downtime
from gamesmaster.host.site import clock
from gamesmaster.host.tables.settings import TableSettings
now = clock.now()
user = User.objects.create_user("ann", "ann@example.org")
user.groups.add(Group.objects.create(name="Friends"))
EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
table = hosting.create(user, hosting.GameChoice("standard", "Game of ann"), TableSettings(fill="holder"))
seats.join(table, user)
hosting.start(table, user)
downtime.beat(now)
seat = table.seats.get(user=user)
receipt = submission.submit(table, seat.power, "", submission.Submission(0), user=user, now=now)
from pathlib import Path
from django.conf import settings
(settings.DATA / "told").write_text(receipts.text_of(receipt) + "\\n" + addresses.player(seat, 0))
"""
LOOK = """
import json, sys
from gamesmaster.host.apps import boot; boot()
from django.conf import settings
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from gamesmaster.host.operations import upkeep
from gamesmaster.host.mailroom import addresses
from gamesmaster.host.models import OutMail, Receipt
from gamesmaster.host.orders import receipts
upkeep.check_database()
told = sys.argv[1:] or [receipts.text_of(one) for one in Receipt.objects.order_by("pk")]
box = addresses.box_of(told[1]) if sys.argv[1:] else None
print(json.dumps({
    "vendor": connection.vendor,
    "receipts": [one.genuine and one.known for one in map(receipts.check, told[:1] if sys.argv[1:] else told)],
    "box": box.user.username if box else "",
    "groups": [[g.name for g in u.groups.all()] for u in User.objects.order_by("pk")],
    "people": list(User.objects.order_by("pk").values_list("username", flat=True)),
    "held": OutMail.objects.filter(state="held").count() - OutMail.objects.count(),
    "changed": [one.key for one in upkeep.survey_tables() if one.survey.changed],
    "settings": [settings.BASE_URL, settings.DEFAULT_FROM_EMAIL],
    "next": User.objects.create_user("next").pk - User.objects.count(),
}))
"""


def surroundings(data: Path, url: str = "", **more: str) -> dict[str, str]:
    """The variables for a process with nothing but a data folder and a database."""
    bare = {name: value for name, value in os.environ.items() if not name.startswith("GAMESMASTER_")}
    return {**bare, "GAMESMASTER_DATA": str(data), "GAMESMASTER_DATABASE_URL": url, **more}


def ran(words: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """A command of this program or of a former version, ended."""
    command = [sys.executable, "-c", "from gamesmaster.cli import main; main()", *words]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)


def program(code: str, environment: dict[str, str], *words: str) -> str:
    """What a program of a few lines prints."""
    command = [sys.executable, "-c", code, *words]
    found = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert found.returncode == 0, found.stderr
    return found.stdout


def good(words: list[str], environment: dict[str, str]) -> str:
    """What a command prints that must go well."""
    found = ran(words, environment)
    assert found.returncode == 0, found.stderr
    return found.stdout + found.stderr


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site on SQLite with a secret of its own."""
    folder = tmp_path_factory.mktemp("home")
    from gamesmaster.host.site.places import _make_secret

    _make_secret(folder / "secret")
    place_database(folder / "host.sqlite3")
    program(MAKE, surroundings(folder, **SETTINGS))
    return folder


@pytest.fixture(scope="module")
def written(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A backup of it, made where some settings are told."""
    file = tmp_path_factory.mktemp("written") / "monday.gz"
    good(["backup", str(file)], surroundings(home, **SETTINGS))
    return file


@pytest.fixture
def saved(written: Path, tmp_path: Path) -> Path:
    """A copy of this backup, to do with as one likes."""
    return Path(shutil.copy2(written, tmp_path / "monday.gz"))


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The address of an empty database on PostgreSQL, or of none: then it is SQLite."""
    if not POSTGRES:
        yield ""
        return
    name = f"restored_{os.getpid()}"
    base, _, _ = POSTGRES.rpartition("/")
    with psycopg.connect(f"{base}/postgres", autocommit=True) as server:
        server.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        server.execute(f'CREATE DATABASE "{name}"')
        yield f"{base}/{name}"
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def test_a_whole_site_comes_back(home: Path, saved: Path, tmp_path: Path, elsewhere: str) -> None:
    """Receipts and reply addresses hold in a new place; settings come too.  So it is on PostgreSQL, and back."""
    told = (home / "told").read_text().splitlines()
    place, back = tmp_path / "place", tmp_path / "back"
    assert saved.stat().st_mode & 0o077 == 0
    note = good(["restore", str(saved)], surroundings(place, elsewhere))
    assert "The settings of the site are in" in note
    assert (place / "secret").read_text() == (home / "secret").read_text()
    for file in (place / "secret", place / SETTINGS_FILE):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
    again = tmp_path / "tuesday.gz"
    good(["backup", str(again)], surroundings(place, elsewhere))
    assert _rows(again) == _rows(saved)
    checked(place, elsewhere, told, {"settings": ["https://play.example.org", 'The "Keeper" <k@example.org>']})
    if elsewhere:
        good(["restore", str(again)], surroundings(back))
        checked(back, "", told, {})


def checked(folder: Path, url: str, told: list[str], more: dict[str, object]) -> None:
    """Everything is in this place as it was: receipts hold, and a mail to the address of before comes from Ann."""
    found = json.loads(program(LOOK, surroundings(folder, url), *told))
    wanted = {
        "vendor": "postgresql" if url else "sqlite", "receipts": [True], "box": "ann", "groups": [["Friends"]],
        "people": ["ann"], "held": 0, "changed": [], "next": 0, **more,
    }  # fmt: skip
    assert {name: found[name] for name in wanted} == wanted


def _rows(file: Path) -> list[dict[str, object]]:
    """The rows of a backup; mails that waited are held after a restore."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        next(lines)
        rows = [row for line in lines for row in json.loads(line)]
    for row in rows:
        row["fields"].pop("state", None) if row["model"] == "host.outmail" else None
    return sorted(rows, key=lambda row: (row["model"], str(row["pk"])))


def test_an_older_version_is_restored(tmp_path: Path, elsewhere: str) -> None:
    """What an older program has written goes the way of an upgrade: every row and every game is there."""
    place = tmp_path / "place"
    place.mkdir()
    (place / "secret").write_text("s" * 40)
    note = good(["restore", str(OLD)], surroundings(place, elsewhere))
    assert "216 rows" in note
    assert "The backup has no secret" in note
    found = json.loads(program(LOOK, surroundings(place, elsewhere)))
    assert len(found["receipts"]) == 2  # their times were cut to milliseconds then, so that they cannot be checked
    assert (found["people"], found["changed"], found["held"], found["next"]) == (["keeper", "ann", "ben"], [], 0, 0)


def _changed(saved: Path, file: Path, head: Mapping[str, object], rows: list[dict[str, object]]) -> Path:
    """The backup with something else in its head, and more rows."""
    with gzip.open(saved, "rt", encoding="utf-8") as lines, gzip.open(file, "wt", encoding="utf-8") as out:
        out.write(json.dumps(json.loads(next(lines)) | dict(head)) + "\n")
        out.writelines(lines)
        out.writelines(json.dumps([row]) + "\n" for row in rows)
    return file


@pytest.mark.long  # what an older program has written is restored above
def test_libraries_with_more(saved: Path, tmp_path: Path) -> None:
    """A library that had more tables or columns loses its surplus and nothing else."""
    rows: list[dict[str, object]] = [
        {"model": "strange.thing", "pk": 1, "fields": {"what": "ever"}},
        {"model": "auth.group", "pk": 77, "fields": {"name": "Late", "permissions": [], "colour": "red"}},
    ]
    head = {"migrations": [*_migrations(saved), ["account", "0999_later"], ["strange", "0001_initial"]]}
    told = good(["restore", str(_changed(saved, tmp_path / "x.gz", head, rows))], surroundings(tmp_path / "later"))
    assert "left out, because this version has no place for it: strange.thing (1)" in told
    assert "auth.group.colour (1)" in told
    found = json.loads(program(LOOK, surroundings(tmp_path / "later")))
    assert (found["receipts"], found["people"]) == ([True], ["ann"])


@pytest.mark.long  # of a program that had fewer migrations, the backup above is restored
def test_libraries_with_less(saved: Path, tmp_path: Path) -> None:
    """A library that had fewer migrations loses nothing."""
    head = {"migrations": [one for one in _migrations(saved) if one[0] != "account" or one[1] < "0006"]}
    told = good(["restore", str(_changed(saved, tmp_path / "x.gz", head, []))], surroundings(tmp_path / "earlier"))
    assert "left out" not in told
    found = json.loads(program(LOOK, surroundings(tmp_path / "earlier")))
    assert (found["receipts"], found["people"]) == ([True], ["ann"])
    with closing(sqlite3.connect(tmp_path / "earlier" / "host.sqlite3")) as base:
        assert base.execute("SELECT email, verified FROM account_emailaddress").fetchall() == [("ann@example.org", 1)]


def _migrations(saved: Path) -> list[list[str]]:
    """The changes of the database that a backup was written with."""
    with gzip.open(saved, "rt") as lines:
        return json.loads(next(lines))["migrations"]  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    "how",
    mark_long(["newer", "cut", "doubled", "another secret", "not empty", "no backup"], but=("newer", "not empty")),
)
def test_what_is_refused(saved: Path, home: Path, tmp_path: Path, how: str) -> None:
    """A backup that cannot be put back whole leaves the place as it was, and says why."""
    place, file = tmp_path / "place", tmp_path / "other.gz"
    environment = surroundings(place)
    if how == "newer":
        _changed(saved, file, {"migrations": [*_migrations(saved), ["host", "9999_later"]]}, [])
        why = "a newer Gamesmaster wrote this backup: 9999_later"
    elif how == "cut":
        file.write_bytes(saved.read_bytes()[:-2000])
        why = "this backup cannot be read"
    elif how == "doubled":
        with gzip.open(saved, "rt") as lines:
            rows = [json.loads(line)[0] for line in [*lines][1:]]
        _changed(saved, file, {}, [row for row in rows if row["model"] == "auth.user"])
        why = "do not fit together"
    elif how == "another secret":
        shutil.copy(saved, file)
        environment |= {"GAMESMASTER_SECRET": "x" * 40}
        why = "GAMESMASTER_SECRET is not the one of this backup"
    elif how == "not empty":
        shutil.copytree(home, place)
        shutil.copy(saved, file)
        why = "the site is not empty"
    else:
        file.write_bytes(b"something else")
        why = "this backup cannot be read"
    found = ran(["restore", str(file)], environment)
    assert found.returncode == 3
    assert why in found.stderr
    if how == "not empty":
        assert (place / "secret").read_text() == (home / "secret").read_text()
        return
    assert not (place / SETTINGS_FILE).exists()
    if how == "doubled":  # the only one that is found out while rows are written
        good(["restore", str(saved)], surroundings(place))  # it is as empty as it was


def test_encrypted(home: Path, tmp_path: Path) -> None:
    """Only who holds the key can read a backup that is encrypted; nothing of it lies about unencrypted."""
    key = pyrage.x25519.Identity.generate()
    (tmp_path / "key").write_text(f"# a comment\n{key}\n")
    (tmp_path / "wrong").write_text(f"{pyrage.x25519.Identity.generate()}\n")
    folder, place = tmp_path / "backups", tmp_path / "place"
    folder.mkdir()
    good(["backup", str(folder)], surroundings(home, GAMESMASTER_BACKUP_KEY=str(key.to_public())))
    assert (
        "'nonsense' is not a public key"
        in ran(["backup", str(folder / "x"), "--key", "nonsense"], surroundings(home)).stderr
    )
    (file,) = folder.iterdir()
    assert file.name.endswith(".gz.age")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "this backup is encrypted" in ran(["restore", str(file)], surroundings(place)).stderr
    wrong = ran(["restore", str(file), "--key", str(tmp_path / "wrong")], surroundings(place))
    assert "cannot be decrypted" in wrong.stderr
    good(["restore", str(file), "--key", str(tmp_path / "key")], surroundings(place))
    with closing(sqlite3.connect(place / "host.sqlite3")) as base:
        assert base.execute("SELECT username FROM auth_user").fetchall() == [("ann",)]


def test_the_oldest_go(home: Path, tmp_path: Path) -> None:
    """In a folder so many are kept, each for its owner alone; other files stay, and the heartbeat tells of the last."""
    folder = tmp_path / "backups"
    folder.mkdir(mode=0o700)
    for day in (1, 2, 3):
        (folder / f"gamesmaster-2026010{day}T030000.gz").touch()
    (folder / "notes").touch()
    good(["backup", str(folder), "--keep", "2"], surroundings(home))
    first, last, notes = sorted(one.name for one in folder.iterdir())
    assert (first, notes) == ("gamesmaster-20260103T030000.gz", "notes")
    assert stat.S_IMODE((folder / last).stat().st_mode) == 0o600
    with closing(sqlite3.connect(home / "host.sqlite3")) as base:
        ((beat,),) = base.execute("SELECT strftime('%Y%m%dT%H%M%S', beat) FROM host_heartbeat WHERE name = 'backup'")
    assert last == f"gamesmaster-{beat}.gz"


def test_a_trial(saved: Path, tmp_path: Path) -> None:
    """A trial reads every game by this program, in a place that is gone afterwards, and touches no other."""
    place = tmp_path / "place"
    place.mkdir()
    told = good(["restore", "--trial", str(saved)], surroundings(place, TMPDIR=str(place)))
    assert "1 game: 0 by a former edition, 0 with phases judged differently, 0 unreadable." in told
    assert list(place.iterdir()) == []
