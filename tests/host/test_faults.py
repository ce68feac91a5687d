"""Faults that no other test shows; docs/host-faults.md tells of all, and names tests that are there."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.games import hosting, seats
from gamesmaster.host.models import PhaseRow, Table
from gamesmaster.host.operations.serving import process_due
from gamesmaster.host.phases import processing
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import DAY, NOW, people, running
from tests.lengths import mark_long
from tests.migrated import MIGRATE
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/host-faults.md"
ITEMS = {"A": 20, "B": 5, "C": 8, "D": 9, "E": 12, "F": 10, "G": 6, "H": 17, "I": 22}
NAMED = re.compile(r"`((?:\w+/)*\w+\.py)::(\w+)`")
SOURCES = Path(hosting.__file__).parents[1]


def rows() -> dict[str, str]:
    """The rows of the page by their numbers."""
    found = re.findall(r"^\| ([A-I]\d+) \|(.*)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    return dict(found)


@pytest.mark.skipif(not PAGE.exists(), reason="the pages are not at hand")
def test_every_fault_is_told() -> None:
    """The page has a row for each fault, and each names a test or says why there is none."""
    wanted = [f"{letter}{n}" for letter, last in ITEMS.items() for n in range(1, last + 1)]
    assert list(rows()) == wanted
    assert not [number for number, row in rows().items() if not NAMED.search(row) and "No test:" not in row]


@pytest.mark.parametrize("number", [f"{letter}{n}" for letter, last in ITEMS.items() for n in range(1, last + 1)])
def test_its_tests_are_there(number: str) -> None:
    """Every test that the page names is there."""
    for path, name in NAMED.findall(rows()[number]):
        text = (ROOT / "tests" / path).read_text(encoding="utf-8")
        assert re.search(rf"^def {name}\b", text, re.MULTILINE), f"{path}::{name}"


def program(code: str, data: Path, **more: str) -> subprocess.Popen[str]:
    """A process of its own with a data folder of its own, on SQLite."""
    environment = {**os.environ, "GAMESMASTER_DATA": str(data), "GAMESMASTER_DATABASE_URL": "", **more}
    return subprocess.Popen([sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE, text=True)


def test_two_processes_migrate_at_once(tmp_path: Path) -> None:
    """Two that start at once on a new folder both find a whole database, and neither fails (A11)."""
    both = [program(MIGRATE, tmp_path, GAMESMASTER_SECRET="s" * 40) for _ in range(2)]
    told = [one.communicate(timeout=PATIENCE)[1] for one in both]
    assert [one.returncode for one in both] == [0, 0], told


@pytest.mark.parametrize("secret", mark_long(["", "short"], but=["short"]))
def test_no_secret_no_start(tmp_path: Path, secret: str) -> None:
    """Without a secret, or with one that is too short, nothing starts; there is no default (G4)."""
    one = program(MIGRATE, tmp_path, GAMESMASTER_SECRET=secret)
    told = one.communicate(timeout=PATIENCE)[1]
    assert one.returncode != 0
    assert "SECRET_KEY" in told


@pytest.mark.django_db
def test_a_bot_that_fails_is_one_who_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot that raises holds up nobody: its power sends nothing, and the phase is over (G3)."""

    def broken(_name: str) -> object:
        raise Refused("no-bot", "A Par - Bur")

    user, *_ = people(1)
    table = running([user])
    monkeypatch.setattr(seats, "find_player", broken)
    assert processing.process(table, 0, "asked", now=NOW + DAY) is processing.Done.PROCESSED


@pytest.mark.django_db
def test_the_oldest_is_served_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of many tables that are due the one that waits longest comes first, and each is processed in the round (G6)."""
    monkeypatch.setattr("gamesmaster.host.site.clock.now", lambda: NOW + 3 * DAY)
    user, *_ = people(1)
    made = [running([user], TableSettings(fill="holder", absent={"grace": 0})) for _ in range(6)]  # type: ignore[arg-type]
    for number, table in enumerate(made):
        Table.objects.filter(pk=table.pk).update(deadline=NOW + timedelta(minutes=60 - number))
    assert [number for number, _ in processing.due(NOW + 3 * DAY)] == [table.pk for table in reversed(made)]
    assert process_due(NOW + 3 * DAY).processed == len(made)
    assert process_due(NOW + 3 * DAY).processed == 0
    assert PhaseRow.objects.count() == len(made)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["../standard", "/etc/passwd", "standard/../x", "", "http://localhost/x", "x" * 5000])
def test_variants_come_from_the_shelf(name: str) -> None:
    """A table is made of a variant that the site knows by this name: no path and no address (F1, F5, F7)."""
    with pytest.raises(Refused) as refused:
        hosting.create(None, name, sandbox=True, now=NOW)
    assert refused.value.code == "bad-variant"


TAKES = {
    "gm/post.py": 1, "gm/templates/gm/post.html": 1, "variants/own.py": 1, "variants/templates/variants/upload.html": 2,
}  # fmt: skip
"""The pages on which a Gamesmaster uploads letters and a member variants, with the times that each asks for files."""


def test_the_site_takes_no_files_but_letters_and_variants() -> None:
    """Two forms have fields for files, and two views read them; nothing keeps a file (F1, F2, F3, F9)."""
    for path in [*SOURCES.rglob("*.py"), *SOURCES.rglob("*.html")]:
        text = path.read_text(encoding="utf-8")
        takes = re.findall(r"(?<!not )request\.FILES|type=.file", text)  # to ask for them takes none
        name = path.relative_to(SOURCES).as_posix()
        assert len(takes) == TAKES.get(name, 0), path
        assert not re.search(r"FileField|ImageField|UploadedFile|default_storage", text), path
        assert not re.search(r"^\s*(?:import|from) (pickle|marshal|yaml|zipfile|tarfile|xml)\b", text, re.MULTILINE), (
            path
        )


@pytest.mark.django_db
def test_sessions_are_new_at_sign_in() -> None:
    """A session that somebody was made to use is no good after signing in, nor an old one after a new password (E9)."""
    user = User.objects.create_user("zoe", "zoe@example.org", "a long and winding road")
    client = Client()
    client.get("/accounts/login/")
    session = client.session
    session["planted"] = "yes"
    session.save()
    planted = str(session.session_key)
    client.cookies["sessionid"] = planted
    client.post("/accounts/login/", {"login": "zoe", "password": "a long and winding road"})
    assert client.session.session_key != planted
    assert client.get("/me").status_code == 200
    user.set_password("another long and winding road")
    user.save()
    assert client.get("/me").status_code != 200
