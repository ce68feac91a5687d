"""The doctor: each fault has its colour and its advice, and what can be mended is."""

from __future__ import annotations

import json
import os
import smtplib
import socket
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage

from gamesmaster.host.accounts.people import set_moderator
from gamesmaster.host.mailroom import addresses, intake
from gamesmaster.host.models import Heartbeat, OutMail, Table
from gamesmaster.host.operations import doctor
from gamesmaster.host.operations.doctor import Colour
from gamesmaster.host.site import clock
from tests.host.conftest import HOUR, NOW, people, running
from tests.host.test_backup import program, ran, surroundings

CHECKS = dict(doctor.CHECKS)


def looked(check: str, now: datetime = NOW) -> list[tuple[str, str]]:
    """The colours and words of a check."""
    return [(one.colour.name.lower(), one.text) for one in CHECKS[check](now)]


@pytest.mark.django_db
def test_games_and_parts() -> None:
    """A worker away and games overdue are red, a game stopped by a fault is yellow; all else is green."""
    assert looked("parts") == [("red", "no worker was ever seen: nothing is processed")]
    Heartbeat.objects.create(name="worker", beat=NOW)
    assert looked("parts") == [("green", "worker: seen 0 s ago")]
    assert looked("parts", NOW + HOUR)[0][0] == "red"
    table = running(people(1))
    assert looked("games") == [("green", "1 game running, none stopped or overdue")]
    Table.objects.filter(pk=table.pk).update(deadline=NOW - HOUR)
    assert looked("games") == [("red", "1 game overdue for minutes")]
    Table.objects.filter(pk=table.pk).update(state="quarantined")
    assert looked("games") == [("yellow", "1 game stopped by a fault")]


@pytest.mark.django_db
def test_second_factors_of_staff() -> None:
    """An admin or moderator with a password alone is told; recovery codes are no factor, and players are not asked."""
    assert looked("accounts") == [("green", "no admins or moderators yet")]
    boss, keeper = User.objects.create_superuser("boss"), people(1)[0]
    set_moderator(keeper, boss, wanted=True, now=NOW)
    assert looked("accounts") == [("yellow", "2 accounts of admins and moderators, 2 without a second factor")]
    for user in (boss, keeper):
        Authenticator.objects.create(user=user, type=Authenticator.Type.RECOVERY_CODES, data={})
    Authenticator.objects.create(user=boss, type=Authenticator.Type.TOTP, data={})
    assert looked("accounts") == [("yellow", "2 accounts of admins and moderators, 1 without a second factor")]
    Authenticator.objects.create(user=keeper, type=Authenticator.Type.WEBAUTHN, data={})
    assert looked("accounts") == [("green", "2 accounts of admins and moderators, each with a second factor")]


@pytest.mark.django_db
def test_mails_that_wait(settings: Any) -> None:
    """Without a mail host nothing goes out; with one, a mail that was due half an hour ago is stuck."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
    assert looked("mails") == [("yellow", "no mail goes out")]
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    running(people(1))
    number = OutMail.objects.update(state="queued", made=NOW - HOUR, next_try=NOW - HOUR)
    assert looked("mails")[0] == ("red", f"{number} mail{'s' * (number > 1)} stuck, for up to 1.0 h")
    OutMail.objects.update(state="failed")
    assert looked("mails") == [("yellow", f"{number} mail{'s' * (number > 1)} of the last day given up")]
    OutMail.objects.all().delete()
    assert looked("mails") == [("green", "0 mails waiting")]


@pytest.mark.django_db
def test_backups_grow_old() -> None:
    """Without a backup it is yellow, with one two days old red."""
    assert looked("backups")[0][0] == "yellow"
    Heartbeat.objects.create(name="backup", beat=NOW)
    assert looked("backups", NOW + 47 * HOUR) == [("green", f"the last is of {NOW:%Y-%m-%d %H:%M} UTC")]
    assert looked("backups", NOW + 72 * HOUR) == [("red", "the last is 3 days old")]


@pytest.mark.django_db
def test_a_clock_put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """A heartbeat that lies in the future says so, until the clock is taken for right."""
    monkeypatch.setattr(clock, "now", lambda: NOW - 2 * HOUR)
    monkeypatch.setattr(clock, "skew", lambda: timedelta(0))
    Heartbeat.objects.create(name="worker", beat=NOW)
    ((found),) = CHECKS["clock"](NOW - 2 * HOUR)
    assert (found.colour, "put back by 7200 s" in found.text) == (Colour.RED, True)
    assert found.mend is not None
    assert "taken for right" in list(found.mend())[-1]
    assert [colour for colour, _ in looked("clock", NOW - 2 * HOUR)] == ["green"]


@pytest.mark.django_db(transaction=True)
def test_the_database() -> None:
    """A database in order is green, on SQLite and on PostgreSQL."""
    ((colour, told),) = looked("database")
    assert colour == "green"
    assert "up to date and writable" in told
    assert not Heartbeat.objects.filter(name="doctor").exists()


@pytest.mark.skipif(os.name != "posix", reason="rights of files")
@pytest.mark.django_db
def test_files_that_others_may_read(tmp_path: Path, settings: Any) -> None:
    """What others may read is red, and is closed to them."""
    settings.DATA = tmp_path
    tmp_path.chmod(0o700)
    file = tmp_path / "secret"
    file.write_text("s")
    file.chmod(0o644)
    ((found),) = [one for one in CHECKS["files"](NOW) if str(tmp_path) in one.text]
    assert (found.colour, found.text) == (Colour.RED, f"others may read {file}")
    assert found.mend is not None
    assert list(found.mend()) == ["closed to others"]
    assert file.stat().st_mode & 0o777 == 0o600
    assert (("green", f"{tmp_path} is its owner's alone")) in looked("files")


def test_settings(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    """A slip in the name of a setting, a public site without TLS and one for any host are told."""
    monkeypatch.setenv("GAMESMASTER_MAIL_HOTS", "x")
    found = list(CHECKS["settings"](NOW))
    assert (found[0].text, found[0].advice) == (
        "GAMESMASTER_MAIL_HOTS is not a setting", "did you mean GAMESMASTER_MAIL_HOST?",
    )  # fmt: skip
    settings.BASE_URL, settings.ALLOWED_HOSTS = "http://play.example.org", ["*"]
    assert [one.colour.name for one in CHECKS["settings"](NOW)][:3] == ["YELLOW", "RED", "RED"]


def test_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """A secret that is long and still easily guessed is red."""
    monkeypatch.setenv("GAMESMASTER_SECRET", "ab" * 30)
    assert looked("keys")[0] == ("red", "the secret is easily guessed")
    monkeypatch.setenv("GAMESMASTER_SECRET", "0123456789abcdefghijklmnopqrstuvwxyz")
    assert looked("keys")[-1][0] == "green"


@pytest.mark.parametrize(("days", "of", "colour"), [
    (60, 90, "green"), (10, 90, "yellow"), (2, 90, "red"), (-1, 90, "red"), (0.4, 0.5, "green"), (0.1, 0.5, "red"),
])  # fmt: skip
def test_certificates(days: float, of: float, colour: str) -> None:
    """A certificate that ends soon is told, by how long it is made for: some hold for hours."""
    ends = NOW + timedelta(days=days)
    shown = "%b %d %H:%M:%S %Y GMT"
    told = {"notAfter": ends.strftime(shown), "notBefore": (ends - timedelta(days=of)).strftime(shown)}
    ((found),) = doctor._certificate(told, NOW)
    assert found.colour.name.lower() == colour


@pytest.mark.django_db
def test_a_trial_mail() -> None:
    """A trial comes in at its sealed address and leaves a heartbeat; a forged or an old one leaves none."""
    number = int(NOW.timestamp() * 1000)
    mail = b"From: a@example.org\r\nSubject: x\r\n\r\nA Par - Bur\r\n"
    to = addresses.trial(number)
    assert intake.take(mail, "a@example.org", to.replace(str(number), str(number + 1)), NOW).code == 550
    assert intake.take(mail, "a@example.org", to, NOW + 2 * HOUR).code == 250
    assert not Heartbeat.objects.exists()
    assert intake.take(mail, "a@example.org", to, NOW + timedelta(seconds=2)).verdict == "trial"
    assert Heartbeat.objects.get().beat == addresses.trial_time(number) == NOW
    assert not OutMail.objects.exists()


@pytest.mark.django_db
def test_a_trial_mail_that_is_fast(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A trial that comes in at once is noted: its number lies in no future."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"

    def deliver(self: EmailMessage) -> int:
        assert intake.take(self.message().as_bytes(), self.from_email, self.to[0], clock.now()).verdict == "trial"
        assert Heartbeat.objects.get(name=addresses.TRIAL).beat <= clock.now()
        return 1

    monkeypatch.setattr(EmailMessage, "send", deliver)
    for _ in range(20):
        ((found),) = doctor.mail_loop(1.0)
        assert found.colour is Colour.GREEN


@pytest.mark.django_db
def test_no_way_out(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A mail host that refuses, and a mail that does not come back, are red."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    monkeypatch.setattr("django.core.mail.EmailMessage.send", lambda self: 1)
    ((found),) = doctor.mail_loop(0.3)
    assert "did not come back" in found.text

    def refuse(self: object) -> int:
        raise smtplib.SMTPConnectError(421, "no")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", refuse)
    ((found),) = doctor.mail_loop(0.3)
    assert (found.colour, "does not take mails" in found.text) == (Colour.RED, True)


def test_the_command(tmp_path: Path) -> None:
    """It ends with 1 where something is red, says so to programs, and mends a database of an older version."""
    older = "from gamesmaster.host.apps import boot; boot(); from django.core.management import call_command\n"
    older += "call_command('migrate', 'host', '0007', verbosity=0)\n"
    environment = surroundings(tmp_path, GAMESMASTER_SECRET="0123456789abcdefghijklmnopqrstuvwxyz")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        environment["GAMESMASTER_BASE_URL"] = address = f"http://127.0.0.1:{free.getsockname()[1]}"
    program(older, environment)
    found = ran(["doctor", "--no-mail", "--json"], environment)
    assert found.returncode == 1, found.stderr
    told = json.loads(found.stdout)
    (database,) = [one for one in told["found"] if one["check"] == "database"]
    assert (told["colour"], database["colour"], database["mendable"]) == ("red", "red", True)
    mended = ran(["doctor", "--no-mail", "--mend"], environment)
    assert "see to  database: mended: the database was brought up to date" in mended.stdout
    assert "ok      database: SQLite, whole, up to date and writable" in mended.stdout
    assert "broken  parts: no worker was ever seen" in mended.stdout
    assert f"broken  address: {address} cannot be reached" in mended.stdout
    with closing(sqlite3.connect(tmp_path / "host.sqlite3")) as base:
        assert base.execute("SELECT COUNT(*) FROM host_keptedition").fetchone() == (0,)


def test_every_check_has_a_name() -> None:
    """No two checks are called alike."""
    names = [name for name, _ in doctor.CHECKS]
    assert len(set(names)) == len(names)
    assert settings.configured
