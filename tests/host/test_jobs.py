"""Jobs: done once, again after failures, by whoever is left, and never in the way of phases."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from itertools import pairwise
from threading import Event, Thread
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client

from gamesmaster.host.games import ratings
from gamesmaster.host.models import Heartbeat, Job, OutMail, RatedSeat, Rating, Table
from gamesmaster.host.operations import doctor, health, serving
from gamesmaster.host.phases import downtime
from gamesmaster.host.site import clock, jobs
from gamesmaster.host.site.jobs import Kind
from gamesmaster.host.tables import notifications
from tests.host.conftest import DAY, HOUR, NOW, do_jobs, people, running
from tests.patience import PATIENCE, await_that

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


def kinds(*some: Kind) -> dict[str, Kind]:
    """Kinds by name."""
    return {kind.name: kind for kind in some}


@pytest.mark.django_db
def test_repeated_and_asked_for() -> None:
    """A repeated job is due again after its interval; one on demand is done once for each subject, and is then gone."""
    done: list[object] = []
    known = kinds(Kind("tidy", lambda now: done.append(now), every=60.0), Kind("post", lambda n, now: done.append(n)))
    for _ in range(2):
        jobs.ask("post", NOW + SECOND, 7)
    jobs.work_off(known, NOW)
    assert done == [NOW]
    jobs.work_off(known, NOW + 59 * SECOND)
    assert done == [NOW, 7]
    jobs.work_off(known, NOW + MINUTE)
    assert done == [NOW, 7, NOW + MINUTE]
    assert [job.name for job in Job.objects.all()] == ["tidy"]


@pytest.mark.django_db
def test_a_long_job_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """A job works until nothing is left; when its budget is used up it is due again at once, after the others."""
    left, order, spent = 5, list[str](), 0.0

    def work(now: datetime) -> bool:
        nonlocal left, spent
        left, spent = left - 1, spent + 3.0
        order.append("long")
        return left > 0

    monkeypatch.setattr(jobs, "time", type("", (), {"monotonic": staticmethod(lambda: spent)}))
    known = kinds(Kind("long", work, every=600.0), Kind("short", lambda now: order.append("short"), every=600.0))
    jobs.work_off(known, NOW)
    assert order == ["long", "long", "short"]
    jobs.work_off(known, NOW + 6 * SECOND)
    jobs.work_off(known, NOW + 12 * SECOND)
    assert order == ["long", "long", "short", "long", "long", "long"]


@pytest.mark.django_db
def test_a_job_that_fails(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    """It is tried again after growing pauses, holds up no other, and after five failures it is reported."""
    tries, others = list[datetime](), list[datetime]()

    def work(now: datetime) -> None:
        tries.append(now)
        if len(tries) < 8:
            raise ValueError("a secret")

    known = kinds(Kind("bad", work, every=3600.0), Kind("good", others.append, every=1.0))
    at = NOW
    while len(tries) < 8:
        jobs.work_off(known, at)
        (bad,) = Job.objects.filter(kind="bad")
        assert len(others) == len(set(others)) > 0
        if bad.attempts == jobs.MOST_ATTEMPTS:
            assert health.look(at).alarms == ["jobs that failed 5 times in a row, or more: 1"]
            assert health.look(at).data["alarms"] == health.look(at).alarms
            assert b"gamesmaster_jobs_failing 1.0" in health.metrics_text()
            (found,) = dict(doctor.CHECKS)["jobs"](at)
            assert found.text == "bad has failed 5 times in a row: ValueError"
        at = bad.due
    assert [(b - a).total_seconds() for a, b in pairwise(tries)] == [5, 30, 120, 600, 600, 600, 600]
    assert (Job.objects.get(kind="bad").attempts, health.look(tries[-1]).alarms) == (0, [])
    assert "a secret" not in "".join(line.getMessage() for line in caplog.records)


@pytest.mark.django_db
@pytest.mark.parametrize("away", [jobs.NotNow, OperationalError])
def test_what_is_away_is_no_fault(away: type[Exception], caplog: pytest.LogCaptureFixture) -> None:
    """A job that needs a mail server or a database that is away is put off, and logged as a warning."""

    def work(now: datetime) -> None:
        raise away

    jobs.work_off(kinds(Kind("mail", work, every=1.0)), NOW)
    assert [line.levelno for line in caplog.records] == [logging.WARNING]
    assert Job.objects.get().due == NOW + 5 * SECOND


@pytest.mark.django_db
def test_the_job_of_a_dead_worker() -> None:
    """Whoever is killed in a job leaves it until the end of the lease; what comes back late writes over nothing."""

    class Killed(BaseException):
        pass

    def die(now: datetime) -> None:
        raise Killed

    def late(now: datetime) -> None:
        jobs.work_off(kinds(Kind("tidy", done.append, every=600.0, lease=30.0)), NOW + 61 * SECOND)

    done: list[datetime] = []
    jobs.plan(kinds(Kind("tidy", die, every=600.0)), NOW)
    with pytest.raises(Killed):
        jobs.work_one(kinds(Kind("tidy", die, every=600.0, lease=30.0)), NOW)
    known = kinds(Kind("tidy", late, every=600.0, lease=30.0))
    assert not jobs.work_one(known, NOW + 29 * SECOND)
    assert jobs.work_one(known, NOW + 30 * SECOND)  # it stalls, and another worker does the job
    assert done == [NOW + 61 * SECOND]
    assert Job.objects.get().due == NOW + 661 * SECOND


@pytest.mark.django_db
def test_no_job_waits_for_a_wrong_clock() -> None:
    """Jobs whose next turn was set by a clock that was ahead are due when it is put right."""
    known = kinds(Kind("tidy", lambda now: None, every=60.0))
    jobs.work_off(known, NOW + DAY)
    downtime.accept_clock(NOW)
    assert Job.objects.get().due == NOW


@pytest.mark.django_db(transaction=True)
def test_phases_wait_for_no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """Phases are processed while every thread for jobs is stuck in one; jobs are then behind, and the site says so."""
    table = running(people(1))
    at, go, begun = NOW + 3 * DAY, Event(), []

    def stick(_subject: int, _now: datetime) -> None:
        begun.append(1)
        go.wait(PATIENCE)

    monkeypatch.setattr(clock, "now", lambda: at)
    monkeypatch.setattr(serving, "KINDS", kinds(Kind("stick", stick)))
    for name in (downtime.WORKER, downtime.WEB):
        Heartbeat.objects.create(name=name, beat=at)
    for number in range(serving.THREADS + 1):
        jobs.ask("stick", NOW, number)
    worker = serving.Worker(Event())
    thread = Thread(target=worker.run, daemon=True)
    thread.start()
    try:
        await_that(lambda: len(begun) == serving.THREADS)
        Table.objects.filter(pk=table.pk).update(deadline=at - SECOND, graced=0)
        await_that(lambda: Table.objects.get(pk=table.pk).ordinal > 0)
        assert "jobs behind by more than two minutes: 1" in health.look(at).alarms
    finally:
        worker.stop.set()
        go.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()


@pytest.mark.django_db
def test_one_table_without_reminders_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reminder that cannot be written is a job of its own; the others go out, and so does this one in the end."""
    users = people(14)
    broken, other = running(users[:7]), running(users[7:])
    write, at = notifications.reminder, other.remind_at
    assert at is not None

    def fail(table: Table, *more: Any) -> object:
        if table.pk == broken.pk:
            raise ValueError
        return write(table, *more)

    def reminded() -> int:
        return OutMail.objects.filter(event="deadline").count()

    with monkeypatch.context() as patched:
        patched.setattr(notifications, "reminder", fail)
        for seconds in (0, 5, 35):
            do_jobs(at + seconds * SECOND)
        assert (reminded(), Job.objects.get(kind="reminder").attempts) == (7, 3)
    do_jobs(at + HOUR)
    assert (reminded(), Job.objects.filter(kind="reminder").count()) == (14, 0)
    do_jobs(at + 2 * HOUR)
    assert reminded() == 14


@pytest.mark.django_db
@pytest.mark.parametrize("games", [2, 40])
def test_ratings_are_read_in_few_steps(games: int, django_assert_max_num_queries: Any) -> None:
    """The ratings of many games are recomputed with as many statements as those of few."""
    users = people(8)
    table = running(users[:2])
    for number in range(games):
        played = Table.objects.create(variant="standard", created=NOW)
        RatedSeat.objects.bulk_create(
            RatedSeat(table=played, user=users[(number + n) % 8], place=n + 1, before=0, after=0, at=NOW, power="x")
            for n in range(3)
        )
    RatedSeat.objects.create(table=table, user=users[0], place=1, before=0, after=0, at=NOW, power="x")
    ratings.take_back(table, NOW)
    with django_assert_max_num_queries(12):
        jobs.work_one({"ratings": serving.KINDS["ratings"]}, NOW)
    if games == 40:
        assert Rating.objects.filter(scope="").count() == 8
    assert not RatedSeat.objects.filter(after=0).exists()
