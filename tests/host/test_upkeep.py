"""What whoever runs a site lives through: another edition, a backup restored, days away, a game that must be mended.

The programs are begun as processes of their own, on a data folder of their own (SQLite).
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from gamesmaster.errors import OutOfTurn
from gamesmaster.game import Game
from gamesmaster.host.models import AuditLine, Message, PhaseRow, Sheet, Table
from gamesmaster.host.operations import upkeep
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from tests.host.conftest import HOUR, NOW, people, power_of, running
from tests.host.test_faults import program
from tests.host.test_phases import NO_WAIT, again
from tests.lengths import short_and_long
from tests.migrated import MIGRATE, place_database
from tests.patience import PATIENCE, await_that

pytestmark = pytest.mark.together

BEGIN = """
from gamesmaster.host.apps import boot; boot()
from gamesmaster.host.operations.serving import migrate; migrate()
from datetime import timedelta
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from gamesmaster.host.models import Heartbeat, OutMail, Table
from gamesmaster.host.games import hosting, seats
from gamesmaster.host.phases import downtime
from gamesmaster.host.site import clock
from gamesmaster.host.tables.settings import TableSettings
now = clock.now()
for name in ("ann", "ben"):
    user = User.objects.create_user(name, name + "@example.org")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    table = hosting.create(user, hosting.GameChoice("standard", "Game of " + name), TableSettings(fill="holder"))
    seats.join(table, user)
    hosting.start(table, user)
Table.objects.update(deadline=now - timedelta(hours=60), phase_began=now - timedelta(hours=84))
Heartbeat.objects.update_or_create(name=downtime.WORKER, defaults={"beat": now - timedelta(hours=72)})
"""
"""A site with two games, whose worker was last seen three days ago; half a day later both phases were due."""


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of such a site, to be copied."""
    folder = tmp_path_factory.mktemp("begun")
    place_database(folder / "host.sqlite3")
    done(program(BEGIN, folder, GAMESMASTER_SECRET="s" * 40))
    return folder


@pytest.fixture
def site(begun: Path, tmp_path: Path) -> Path:
    """A data folder of one's own with such a site."""
    return Path(shutil.copytree(begun, tmp_path / "site"))


def done(process: subprocess.Popen[str]) -> str:
    """Wait for a process; what it complained of."""
    told = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 0, told
    return told


def command(data: Path, *words: str) -> subprocess.Popen[str]:
    """A command of the program, on a data folder."""
    environment = {**os.environ, "GAMESMASTER_DATABASE_URL": "", "GAMESMASTER_SECRET": "s" * 40}
    return subprocess.Popen(
        [sys.executable, "-m", "gamesmaster", *words, "--data", str(data)],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip


def asked(data: Path, query: str) -> list[tuple[object, ...]]:
    """What the database of a data folder answers to another process."""
    with closing(sqlite3.connect(data / "host.sqlite3", timeout=PATIENCE)) as base, base:
        return list(base.execute(query))


AWAY = "SELECT what FROM host_auditline WHERE what LIKE 'the worker was away%'"
MOVED = "SELECT COUNT(*) FROM host_message WHERE text LIKE '%The site was down%'"
IN_TIME = "SELECT COUNT(*) FROM host_table WHERE deadline > datetime('now', '+10 hours') AND ordinal = 0"


def work_until(data: Path, holds: Callable[[], object], end: signal.Signals) -> None:
    """Let a worker work until something holds, then end it in this way."""
    worker = command(data, "worker")
    try:
        await_that(holds)
    finally:
        worker.send_signal(end)
        worker.communicate(timeout=PATIENCE)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_worker_processes_after_days_away(site: Path) -> None:
    """After three days without a worker the first one moves every deadline on; killed, it does so only once (A14)."""
    work_until(site, lambda: asked(site, AWAY), signal.SIGKILL)
    beaten = asked(site, "SELECT beat FROM host_heartbeat")
    asked(site, "UPDATE host_job SET due = datetime('now', '-1 seconds')")  # the lease of the killed worker ends
    work_until(
        site,
        lambda: asked(site, "SELECT beat FROM host_heartbeat") != beaten and asked(site, MOVED) != [(0,)],
        signal.SIGTERM,
    )
    assert (len(asked(site, AWAY)), asked(site, MOVED), asked(site, IN_TIME)) == (1, [(2,)], [(2,)])
    assert asked(site, "SELECT COUNT(*) FROM host_phaserow") == [(0,)]


@pytest.mark.long  # a whole site comes back in test_backup.py; the first worker after days away is above
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_processes_restore_yesterdays_backup(site: Path, tmp_path: Path) -> None:
    """One process backs up, another restores, a third begins to work: mails are held, nobody is late (A12)."""
    new, file = tmp_path / "new", tmp_path / "yesterday.gz"
    done(command(site, "backup", str(file)))
    mails = asked(site, "SELECT COUNT(*) FROM host_outmail")
    done(command(new, "restore", str(file)))
    assert asked(new, "SELECT COUNT(*) FROM host_outmail WHERE state = 'held'") == mails != [(0,)]
    work_until(new, lambda: asked(new, AWAY) and asked(new, MOVED) != [(0,)], signal.SIGTERM)
    assert (asked(new, MOVED), asked(new, IN_TIME)) == ([(2,)], [(2,)])
    assert asked(new, "SELECT COUNT(*) FROM host_phaserow") == [(0,)]
    assert asked(site, "SELECT record FROM host_table ORDER BY id") == asked(
        new, "SELECT record FROM host_table ORDER BY id"
    )


# -- editions --------------------------------------------------------------------------------------------------------


@short_and_long("commands", ("worker", "backup x.gz"), ("serve --port 1", "mailroom", "repair"))
def test_a_newer_database_is_refused(site: Path, commands: Sequence[str]) -> None:
    """Whatever is begun on a database that a newer program has changed says so and stops; nothing is touched (A11)."""
    with closing(sqlite3.connect(site / "host.sqlite3")) as base, base:
        base.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('host', '9999_later', '2030-01-01 00:00:00')"
        )
    for process in [command(site, *words.replace("x.gz", str(site / "x.gz")).split()) for words in commands]:
        told = process.communicate(timeout=PATIENCE)[1]
        assert process.returncode not in (0, None), process.args
        assert "newer edition: 9999_later" in told, process.args
    assert not list(site.glob("before-*"))


@pytest.mark.long  # copies by killed upgrades are looked at below
def test_a_copy_is_made_before_migrating(tmp_path: Path) -> None:
    """An older SQLite database is copied, for its owner alone, before it is changed; a new one is not (A11)."""
    older = "from gamesmaster.host.apps import boot; boot(); from django.core.management import call_command\n"
    older += "call_command('migrate', 'host', '0007', verbosity=0)\n"
    done(program(older, tmp_path, GAMESMASTER_SECRET="s" * 40))
    process = command(tmp_path, "worker")
    assert "of an older edition" in process.communicate(timeout=PATIENCE)[1]
    done(program(MIGRATE, tmp_path, GAMESMASTER_SECRET="s" * 40))
    (copy,) = tmp_path.glob("before-*")
    assert copy.stat().st_mode & 0o077 == 0
    with closing(sqlite3.connect(copy)) as base:
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        last = base.execute("SELECT MAX(name) FROM django_migrations WHERE app = 'host'").fetchone()
    assert last == ("0008_editions",)
    done(program(MIGRATE, tmp_path, GAMESMASTER_SECRET="s" * 40))
    assert list(tmp_path.glob("before-*")) == [copy]


@pytest.mark.django_db
def test_a_database_between_two_editions_is_refused() -> None:
    """A database with some of the changes that one change of this program replaces is not taken for a whole one."""
    recorder = MigrationRecorder(connection)
    for name in ("0009_squashed_0014_sent_ahead", "0013_outage_steps", "0014_sent_ahead"):
        recorder.record_unapplied("host", name)
    with pytest.raises(OutOfTurn, match="newer edition: 0009_outages, 0010_accounts, 0011_sign_up, 0012_dialect"):
        upkeep.check_database()


@pytest.mark.django_db
@pytest.mark.parametrize("last", ["0006_standbys", "0008_editions", "0014_sent_ahead"])
def test_databases_of_released_programs_are_upgraded(last: str) -> None:
    """Whoever knows the changes up to one of these goes on with the next: no change of this program spans it."""
    recorder = MigrationRecorder(connection)
    for app, name in recorder.applied_migrations():
        if app == "host" and name.rsplit("_squashed_")[-1][:4] > last[:4]:
            recorder.record_unapplied("host", name)
    executor = MigrationExecutor(connection)
    planned = executor.migration_plan(executor.loader.graph.leaf_nodes("host"))
    ahead = [name for migration, _ in planned for _, name in migration.replaces or [("host", migration.name)]]
    assert ahead
    assert min(ahead)[:4] == f"{int(last[:4]) + 1:04}"


@pytest.mark.django_db
def test_the_edition_is_looked_at_on_every_database() -> None:
    """The check knows its own database, and one that is ahead, whatever kind of database it is (A11)."""
    upkeep.check_database()
    MigrationRecorder(connection).record_applied("host", "9999_later")
    with pytest.raises(OutOfTurn, match="newer edition: 9999_later"):
        upkeep.check_database()
    with pytest.raises(OutOfTurn, match="newer"):
        upkeep.bring_up_to_date(lambda: pytest.fail("it was changed"), NOW)


# -- repairs ---------------------------------------------------------------------------------------------------------


def broken(monkeypatch: pytest.MonkeyPatch) -> Table:
    """A table that was set apart, for nothing can be adjudicated."""

    def fail(self: Game, **_: object) -> Game:
        raise ZeroDivisionError("A Par - Bur")

    (user,) = people(1)
    table = running([user], NO_WAIT)
    submission.submit(table, power_of(table, user), "", Submission(0), user=user, now=NOW + HOUR)
    monkeypatch.setattr(Game, "process", fail)
    for _ in range(processing.MOST_ATTEMPTS):
        processing.process(table, 0, "asked", now=NOW + HOUR)
    return again(table)


@pytest.mark.django_db
def test_repairing_a_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was set apart is listed with the reason; a trial changes nothing; it goes on when it can (G5)."""
    with monkeypatch.context() as patch:
        table = broken(patch)
        (found,) = upkeep.apart()
        assert (found.key, found.phase, found.why) == (table.key, "S1901M", "ZeroDivisionError")
        before = (again(table).version, AuditLine.objects.count(), Message.objects.count())
        assert "S1901M fails: ZeroDivisionError at test_upkeep.py:" in upkeep.trial(table)
        with pytest.raises(Refused, match="still fails: ZeroDivisionError") as refused:
            upkeep.retry(table, None, now=NOW + HOUR)
        assert "Par" not in str(refused.value)
        assert (again(table).version, AuditLine.objects.count(), Message.objects.count()) == before
    assert upkeep.trial(table) == "S1901M can be adjudicated; then comes F1901M."
    assert again(table).state == "quarantined"
    assert upkeep.retry(table, None, now=NOW + 2 * HOUR) is processing.Done.PROCESSED
    assert (again(table).phase_code, again(table).state, upkeep.apart()) == ("F1901M", "running", [])
    assert AuditLine.objects.filter(what="repair: tried again", who=None).count() == 1
    with pytest.raises(Refused, match="not stopped"):
        upkeep.retry(again(table), None)


@pytest.mark.django_db
def test_taking_a_table_back() -> None:
    """A repair takes back in the name of an admin who does not play there, and of nobody else (G5)."""
    (user,) = people(1)
    keeper = User.objects.create_superuser("keeper")
    table = running([user], NO_WAIT)
    processing.process(table, 0, "asked", now=NOW + HOUR)
    for who in (None, user):
        with pytest.raises(Refused, match="Only the Gamesmaster"):
            upkeep.take_back(again(table), "S1901M", who)
    with pytest.raises(Refused, match="No phase") as refused:
        upkeep.take_back(again(table), "S1901R", keeper)
    assert "S1901M" in refused.value.hint
    upkeep.take_back(again(table), "S1901M", keeper, now=NOW + 2 * HOUR)
    assert (again(table).phase_code, PhaseRow.objects.count()) == ("S1901M", 0)
    assert AuditLine.objects.filter(what="repair: taken back to S1901M", who=keeper).exists()


@pytest.mark.django_db
def test_an_unreadable_record_is_left_alone() -> None:
    """A record that cannot be read can be had as it is, and is neither tried nor let go on (G5)."""
    (user,) = people(1)
    table = running([user])
    Table.objects.filter(pk=table.pk).update(record="{}", state="quarantined", version=table.version + 1)
    store.GAMES.clear()
    table = again(table)
    assert upkeep.export(table) == "{}"
    for work in (upkeep.trial, lambda one: upkeep.retry(one, None)):
        with pytest.raises(Refused, match="cannot be read"):
            work(table)
    assert again(table).state == "quarantined"
    assert not Sheet.objects.exists()


def test_the_repair_command(site: Path) -> None:
    """The command lists, tries, backs up before it changes anything, and takes back or lets go on (G5)."""
    apart = (
        "from gamesmaster.host.apps import boot; boot()\n"
        "from django.contrib.auth.models import User\n"
        "from gamesmaster.host.models import Table\n"
        "from gamesmaster.host.phases import downtime, processing\n"
        "from gamesmaster.host.site import clock\n"
        "table = Table.objects.get(name='Game of ben')\n"
        "downtime.beat(clock.now())\n"
        "processing.process(table, 0, 'asked')\n"
        "Table.objects.filter(pk=table.pk).update(state='quarantined', key='abcdefghjk')\n"
        "User.objects.create_superuser('keeper')\n"
    )
    done(program(apart, site, GAMESMASTER_SECRET="s" * 40))
    file = site / "game.json"
    told = [
        command(site, "repair", *words).communicate(timeout=PATIENCE)
        for words in (
            [], ["abcdefghjk"], ["abcdefghjk", "--back", "S1901M"], ["abcdefghjk", "--export", str(file)],
            ["abcdefghjk", "--back", "S1901M", "--by", "keeper"], ["abcdefghjk", "--by", "ann", "--retry"],
        )
    ]  # fmt: skip
    assert told[0][0].startswith("abcdefghjk  F1901M")
    assert "F1901M can be adjudicated" in told[1][0]
    assert "Only the Gamesmaster" in told[2][1]
    assert "S1901M" in file.read_text(encoding="utf-8")
    assert "It is S1901M again" in told[4][0]
    assert "no admin is called 'ann'" in told[5][1]
    assert len(list(site.glob("before-repair-*.gz"))) >= 1
    assert asked(site, "SELECT phase_code FROM host_table WHERE key = 'abcdefghjk'") == [("S1901M",)]


# -- upgrades --------------------------------------------------------------------------------------------------------


def test_an_upgrade_is_looked_at_first(site: Path) -> None:
    """A site of another program is looked at without being changed; exit code 1 if a game would not be as it was."""
    check = [sys.executable, "-m", "gamesmaster", "upgrade", "--check", str(site)]
    environment = {**os.environ, "GAMESMASTER_DATABASE_URL": "", "GAMESMASTER_SECRET": "s" * 40}
    older = "from gamesmaster.host.apps import boot; boot(); from django.core.management import call_command\n"
    older += "call_command('migrate', 'host', '0007', verbosity=0)\n"  # as it was before there were editions in it
    done(program(older, site, GAMESMASTER_SECRET="s" * 40))
    found = subprocess.run(check, env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 0
    assert re.fullmatch(r"note: \d+ changes? of the database would be made, on SQLite after a copy\n", found.stderr)
    assert found.stdout == "2 games: 0 by a former edition, 0 with phases judged differently, 0 unreadable.\n"
    assert not list(site.glob("before-*"))
    done(command(site, "upgrade"))
    assert asked(site, "SELECT family FROM host_keptedition") == [("standard",)]
    with closing(sqlite3.connect(site / "host.sqlite3")) as base, base:
        base.execute("UPDATE host_table SET record = '{}' WHERE name = 'Game of ann'")
    found = subprocess.run(check, env=environment, capture_output=True, text=True, check=False)
    assert found.returncode == 1
    assert "(Game of ann, running): cannot be read: $: 'commitment' is missing" in found.stdout


@pytest.mark.parametrize(
    "words", [("backup", "site.gz"), ("worker",), ("mailroom", "--dead"), ("doctor",), ("repair",), ("upgrade",)]
)
def test_a_data_folder_that_is_not_there_is_named(tmp_path: Path, words: tuple[str, ...]) -> None:
    """A name that is mistyped, or a place where no site is: said plainly, and nothing is made there."""
    wrong = tmp_path / "gamesmster"
    process = command(wrong, *words)
    told = process.communicate(timeout=PATIENCE)[1]
    assert process.returncode == 3
    assert told == f"error: no folder {wrong} (--data names that of a site; gamesmaster serve makes a new one)\n"
    assert not wrong.exists()


def test_a_database_that_cannot_be_reached_is_said_in_a_line(tmp_path: Path) -> None:
    """Whoever runs a site is told what the database says, and sees no traceback."""
    (tmp_path / "host.sqlite3").mkdir()
    process = command(tmp_path, "backup", str(tmp_path / "site.gz"))
    told = process.communicate(timeout=PATIENCE)[1]
    assert (process.returncode, told) == (3, "error: the database: unable to open database file\n")


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "sqlite", reason="copies are made of SQLite")
def test_a_killed_upgrade_keeps_the_way_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """However often an upgrade is killed, the copy from before it stays until it has ended; torn copies go."""
    settings.DATA = tmp_path
    monkeypatch.setattr(upkeep, "_changes_wait", lambda _: True)

    def killed() -> None:
        raise KeyboardInterrupt

    for day in range(2):
        upkeep.bring_up_to_date(lambda: None, NOW + day * HOUR)
    for number in range(6):
        (tmp_path / f"before-{number}.sqlite3.new").write_bytes(b"torn")
        with pytest.raises(KeyboardInterrupt):
            upkeep.bring_up_to_date(killed, NOW + (10 + number) * HOUR)
    first = f"before-{NOW + 10 * HOUR:%Y%m%dT%H%M%S}"
    copies = sorted(file.name for file in tmp_path.glob("before-*"))
    assert (copies[0].startswith(first), len(copies), [c for c in copies if c.endswith(".new")]) == (True, 4, [])
    upkeep.bring_up_to_date(lambda: None, NOW + 20 * HOUR)
    assert any(file.name.startswith(first) for file in tmp_path.glob("before-*"))
    upkeep.bring_up_to_date(lambda: None, NOW + 30 * HOUR)
    assert sorted(file.suffix for file in tmp_path.iterdir()) == [".sqlite3"] * upkeep.KEPT
