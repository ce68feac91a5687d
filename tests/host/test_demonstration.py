"""The demonstration club: every variant, something to join, to watch and to look back on; made once."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.game import verify
from gamesmaster.host.games.hosting import find_tables
from gamesmaster.host.models import Table
from gamesmaster.host.operations import demonstration, serving
from gamesmaster.host.site import clock, jobs
from gamesmaster.host.site.jobs import Job
from gamesmaster.host.tables import store
from tests.host.conftest import NOW
from tests.open_variants import ruled_variants

pytestmark = pytest.mark.django_db


def test_the_club(monkeypatch: pytest.MonkeyPatch, client: Client) -> None:
    """A worker makes it after `--demo`; a second start makes nothing twice."""
    monkeypatch.setattr(clock, "now", lambda: NOW)
    shows = demonstration.shows()
    assert {show.variant for show in shows} == set(ruled_variants())
    assert max(show.phases for show in shows) >= 30
    short = [replace(show, phases=min(show.phases, 2)) for show in shows]
    monkeypatch.setattr(demonstration, "shows", lambda: short)
    for _ in range(2):
        assert any("demonstration club" in line for line in serving.first_words("http://x", demo=True))
        later = NOW
        while Job.objects.filter(kind=demonstration.KIND).exists():
            later += timedelta(minutes=1)  # on a busy machine the job stops for a while, to let others go first
            assert jobs.work_one({demonstration.KIND: serving.KINDS[demonstration.KIND]}, later)
    tables = {table.name: table for table in Table.objects.filter(sandbox=False)}
    assert tables.keys() == {show.name for show in shows}
    assert all(name.startswith("Demo: ") for name in tables)
    assert [one.name for one in find_tables("open", None)] == ["Demo: a game to join"]
    assert [one.name for one in find_tables("finished", None)] == ["Demo: a finished game"]
    watched = tables["Demo: a long game to watch"]
    assert (watched.state, watched.ordinal) == ("running", 2)
    assert verify(store.load(watched)) == []
    assert store.load(watched).records[0].orders
    assert demonstration.SAYS in client.get(f"/t/{tables['Demo: a finished game'].key}/").content.decode()
    assert not any(user.has_usable_password() for user in User.objects.all())


def test_no_club_without_demo() -> None:
    """A site for people begins empty."""
    serving.first_words("http://x", demo=False)
    assert not Job.objects.filter(kind=demonstration.KIND).exists()
