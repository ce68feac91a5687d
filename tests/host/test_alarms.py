"""What an operator is told: processes that are away, late phases, outages; each process has a pulse of its own."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import Client

from gamesmaster.host.models import Outage, PhaseRow, Process, Table
from gamesmaster.host.operations import doctor, health
from gamesmaster.host.phases import downtime, processing
from gamesmaster.host.site import processes
from tests.host.conftest import DAY, HOUR, NOW, do_jobs, people, running
from tests.host.processes import Server
from tests.patience import await_that

MINUTE = timedelta(minutes=1)


def ended() -> int:
    """The number of a process that has ended."""
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def looked() -> list[str]:
    """What the doctor says of the processes that are away."""
    return [one.text for one in dict(doctor.CHECKS)["parts"](NOW) if "process" in one.text]


@pytest.mark.django_db
def test_one_that_lives_hides_no_dead_one(client: Client) -> None:
    """A web process without a pulse is away, though another is well; the page of health tells no names of machines."""
    for name in (downtime.WEB, downtime.WORKER):
        downtime.beat(NOW, name)
        processes.leave_pulse(name, NOW)
    Process.objects.create(kind="web", host="zqhost", pid=77, pulse=NOW - 4 * MINUTE)
    state = health.look(NOW)
    assert (state.well, state.alarms) == (True, ["processes away: 1"])
    assert "zqhost" not in str(state.data)
    assert b'gamesmaster_process_pulse_age_seconds{host="zqhost",name="web",pid="77"}' in health.metrics_text()
    assert looked() == [f"web on zqhost, process 77: not seen since {NOW - 4 * MINUTE:%Y-%m-%d %H:%M} UTC"]
    (found,) = [one for one in dict(doctor.CHECKS)["parts"](NOW) if "zqhost" in one.text]
    assert found.mend is not None
    assert list(found.mend()) == ["web on zqhost, process 77, is no longer waited for"]
    assert (looked(), health.look(NOW).alarms) == ([], [])


@pytest.mark.django_db
def test_a_process_that_comes_back() -> None:
    """A new process replaces the dead ones of its kind on its machine; one that ends in order is gone."""
    here = processes._host()
    for kind, host, pid in (("web", here, ended()), ("web", "other", 2), ("mail", here, ended()), ("web", here, 1)):
        Process.objects.create(kind=kind, host=host, pid=pid, pulse=NOW - HOUR)
    processes.leave_pulse("web", NOW)
    found = set(Process.objects.values_list("kind", "host", "pid"))
    assert {("web", here, os.getpid()), ("web", "other", 2), ("web", here, 1)} < found
    assert len(found) == 4
    processes.end("web")
    assert len(found) - Process.objects.count() == 1
    do_jobs(NOW + 8 * DAY)
    assert not Process.objects.exists()


@pytest.mark.django_db
def test_late_phases_and_outages() -> None:
    """More than a tenth of the phases late, or three outages within an hour, are an alarm, and then are none."""
    table = running(people(1))
    assert table.deadline is not None
    Table.objects.filter(pk=table.pk).update(graced=0)
    at = table.deadline + 61 * timedelta(seconds=1)
    assert processing.process(table, 0, now=at) is processing.Done.PROCESSED
    assert PhaseRow.objects.get().late == 61
    assert health.look(at).alarms == ["phases of the last hour late by more than a minute: 1 of 1"]
    PhaseRow.objects.bulk_create(
        PhaseRow(table=table, ordinal=n, code="x", processed_at=at, why="due", late=60, digest="") for n in range(1, 10)
    )
    assert health.look(at).alarms == []
    Outage.objects.bulk_create(Outage(name="web", began=at, ended=at) for _ in range(3))
    assert health.look(at).alarms == ["outages within an hour: 3"]
    assert b"gamesmaster_outages_hour" in health.metrics_text()
    assert health.look(at + HOUR).alarms == []


@pytest.mark.django_db
def test_a_phase_on_request_is_not_late() -> None:
    """What the Gamesmaster asks for has no due time."""
    (player, gm) = people(2)
    table = running([player], gm=gm)
    assert processing.ask(table, 0, gm, now=NOW + HOUR) is processing.Done.PROCESSED
    assert PhaseRow.objects.get().late is None


def test_each_program_leaves_its_pulse(tmp_path: Path) -> None:
    """The site has a row while it runs; after `kill -9` that stays until it is started again."""

    def rows() -> list[tuple[str, int]]:
        with closing(sqlite3.connect(tmp_path / "data" / "host.sqlite3")) as database:
            return sorted(database.execute("SELECT kind, pid FROM host_process"))

    with Server(tmp_path / "data", "--no-worker") as site:
        site.ready()
        await_that(lambda: rows() == [("web", site.process.pid)])
        site.end(signal.SIGKILL)
        killed = site.process.pid
        assert rows() == [("web", killed)]
        site.again()
        site.ready()
        await_that(lambda: rows() == [("web", site.process.pid)])
        site.end()
        assert rows() == []
