"""The dead-man's rule: outages of the doors, of any length, and clocks that leap either way."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connection

from gamesmaster.host.models import AuditLine, Heartbeat, InMail, Message, Outage, OutMail, Seat, Table
from gamesmaster.host.operations import health
from gamesmaster.host.operations.serving import process_due
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import downtime, processing
from gamesmaster.host.phases.downtime import BACK, DOUBTED, LEAP, MAIL, QUIET, SETTLING, WEB, WORKER, Steady
from gamesmaster.host.site import clock
from gamesmaster.host.tables.settings import Absent, TableSettings
from tests.host.conftest import DAY, HOUR, NOW, finish_outages, people, power_of, running
from tests.host.test_phases import again

pytestmark = pytest.mark.django_db
MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
AT_ONCE = TableSettings(absent=Absent(grace=0))
"""No grace: who has sent nothing at the deadline has missed it."""


def begun(number: int = 1) -> tuple[list[Table], datetime]:
    """Games of one player each that have begun, all doors open; when their phase is due."""
    found = [running([user], AT_ONCE) for user in people(number)]
    for name in (WORKER, WEB):
        downtime.beat(NOW, name)
    due = again(found[0]).deadline
    assert due is not None
    return found, due


def keep_open(until: datetime, *names: str) -> None:
    """Let these have been seen until then, without an outage."""
    for name in names:
        Heartbeat.objects.update_or_create(name=name, defaults={"beat": until})


def missed() -> int:
    """How often somebody has missed a deadline."""
    return sum(Seat.objects.values_list("misses", flat=True))


@pytest.mark.parametrize("away", [25 * SECOND, MINUTE, 14 * MINUTE, 3 * HOUR, 3 * DAY])
@pytest.mark.parametrize("before", [SECOND, 20 * SECOND, 10 * MINUTE])
def test_a_door_shut_before_a_deadline(away: timedelta, before: timedelta) -> None:
    """However long the site could not be reached before a deadline, there is as much time after it (H13)."""
    (table,), due = begun()
    shut = due - before
    keep_open(shut, WORKER, WEB)
    at = shut
    while at < shut + away:  # the worker lives on, as after `kill -9` of the web server
        at += max(away / 5, 5 * SECOND)
        keep_open(min(at, shut + away), WORKER)
        process_due(min(at, shut + away))
        assert again(table).ordinal == 0
    back = shut + away
    assert downtime.beat(back, WEB)
    assert downtime.beat(back + 5 * SECOND, WEB)
    fresh = again(table)
    assert fresh.deadline is not None
    assert fresh.deadline >= max(due + away, back + min(away, DAY))
    assert processing.due(back + 5 * SECOND) == []
    assert missed() == 0
    finish_outages(back + 5 * SECOND)
    assert Message.objects.filter(table=table, text__contains="The site was down").count() == 1


def test_a_phase_waits_until_the_door_was_seen_after_its_deadline() -> None:
    """An outage that begins just before the deadline is noticed, though its silence is still short (H13)."""
    (table,), due = begun()
    keep_open(due - SECOND, WEB)
    assert processing.due(due + SECOND) == []
    assert downtime.beat(due + 3 * SECOND, WEB)  # it was open all the time
    assert processing.due(due + 4 * SECOND) == [(table.pk, 0)]


def test_all_were_away_for_a_quarter_of_an_hour() -> None:
    """Web and worker were away for 14 minutes, the deadline was ten ago, no grace: nobody has missed (H13)."""
    (table,), due = begun()
    keep_open(due - 4 * MINUTE, WORKER, WEB)
    back = due + 10 * MINUTE
    assert process_due(back).processed == 0  # the worker was first
    downtime.beat(back + SECOND, WEB)
    assert process_due(back + 2 * SECOND).processed == 0
    assert (again(table).ordinal, missed(), Outage.objects.count()) == (0, 0, 1)
    assert again(table).deadline >= due + 14 * MINUTE  # type: ignore[operator]


@pytest.mark.parametrize("order", [(WEB, WORKER), (WORKER, WEB)])
def test_time_is_given_back_once(order: tuple[str, str]) -> None:
    """When all come back after days, whoever is first, the time is given back once (A14)."""
    (table,), due = begun()
    back = NOW + 3 * DAY
    for number, name in enumerate(order):
        downtime.beat(back + number * SECOND, name)
    assert (Outage.objects.count(), again(table).deadline) == (1, due + 3 * DAY)


def test_far_deadlines_are_not_moved_for_a_minute() -> None:
    """After a short outage only what is due soon is moved: a promise in words is not touched without need."""
    (near, far), due = begun(2)
    Table.objects.filter(pk=far.pk).update(deadline=due + 2 * HOUR)
    keep_open(due - 2 * MINUTE, WEB)
    downtime.beat(due - MINUTE, WEB)
    assert (again(near).deadline, again(far).deadline) == (due + MINUTE, due + 2 * HOUR)


def test_a_mail_room_that_is_away() -> None:
    """Where somebody plays by mail the phase waits for the mail room, elsewhere it does not; not for ever (H13)."""
    (by_mail, other), due = begun(2)
    user = by_mail.seats.get(user__isnull=False).user
    InMail.objects.create(mark="x", user=user, table=by_mail, verdict="done", at=NOW)
    keep_open(due - MINUTE, MAIL)
    keep_open(due + 2 * MINUTE, WEB, WORKER)
    assert processing.due(due + 2 * MINUTE) == [(other.pk, 0)]
    assert not downtime.give_up(due + 2 * MINUTE)
    keep_open(due + 3 * MINUTE, WEB)
    downtime.beat(due + 3 * MINUTE, MAIL)
    assert again(by_mail).deadline == due + 7 * MINUTE
    assert again(other).deadline == due
    finish_outages(due + 3 * MINUTE)
    assert Message.objects.filter(table=by_mail, text__contains="No e-mail could be received").count() == 1
    keep_open(due + 2 * DAY, WEB, WORKER)
    assert "mail: not seen for" in " ".join(health.look(due + 2 * DAY).reasons)
    assert downtime.give_up(due + 2 * DAY)
    assert health.look(due + 2 * DAY).seen.keys() == {WORKER, WEB}
    assert again(by_mail).deadline > due + 2 * DAY  # type: ignore[operator]


def test_the_grace_is_kept_through_an_outage() -> None:
    """A table that waits for late orders still does after an outage: what was late stays late (H13)."""
    (table,), due = begun()
    Table.objects.filter(pk=table.pk).update(late_since=due, deadline=due + HOUR)
    keep_open(due + HOUR - MINUTE, WEB)
    downtime.beat(due + HOUR + MINUTE, WEB)
    assert (again(table).late_since, again(table).deadline) == (due, due + HOUR + 3 * MINUTE)


def test_a_first_heartbeat_of_the_web() -> None:
    """A site that had no heartbeats of doors before is given back the time since its worker was last seen."""
    (table,), due = begun()
    Heartbeat.objects.filter(name=WEB).delete()
    keep_open(due - 4 * MINUTE, WORKER)
    downtime.beat(due + MINUTE, WEB)
    assert again(table).deadline == due + 6 * MINUTE


# -- clocks ----------------------------------------------------------------------------------------------------------


def test_a_leap_is_seen() -> None:
    """The two clocks are compared: a leap either way is seen once, a slow machine is none (H4)."""
    counted = 0.0
    steady = Steady(lambda: counted)
    assert steady.leap(NOW) == timedelta(0)
    counted = 600.0
    assert steady.leap(NOW + 600 * SECOND) == timedelta(0)
    assert steady.leap(NOW + DAY) == DAY - 600 * SECOND
    assert steady.leap(NOW + DAY) == timedelta(0)
    assert steady.leap(NOW + HOUR) == HOUR - DAY


def test_a_leap_ahead_that_is_put_right() -> None:
    """A day ahead for some seconds, and back: nothing is processed or moved, and it goes on by itself (H4)."""
    (table,), due = begun()
    assert downtime.is_clock_trusted(NOW + MINUTE)
    assert not downtime.is_clock_trusted(NOW + DAY, DAY)
    assert not downtime.is_clock_trusted(NOW + DAY + 6 * SECOND)
    assert "leapt ahead by 86400 s" in health.look(NOW + DAY + 6 * SECOND).reasons[0]
    keep_open(NOW + MINUTE, WORKER, WEB)
    assert downtime.is_clock_trusted(NOW + MINUTE + 6 * SECOND, -DAY)
    assert downtime.beat(NOW + MINUTE + 7 * SECOND)
    assert downtime.beat(NOW + MINUTE + 7 * SECOND, WEB)
    assert health.look(NOW + MINUTE + 8 * SECOND).well
    assert (again(table).deadline, Outage.objects.count()) == (due, 0)


def test_a_leap_ahead_that_stays() -> None:
    """What was put to sleep for a day wakes: after a while the clock is believed, and the day is given back (H4)."""
    (table,), due = begun()
    woken = NOW + DAY
    assert not downtime.is_clock_trusted(woken, DAY)
    assert not downtime.is_clock_trusted(woken + DOUBTED - SECOND)
    assert downtime.is_clock_trusted(woken + DOUBTED)
    for name in (WEB, WORKER):
        downtime.beat(woken + DOUBTED, name)
    assert again(table).deadline == due + DAY + DOUBTED
    assert Outage.objects.count() == 1


def a_day_ahead() -> tuple[Table, Table, datetime]:
    """Two games of a site that was begun a day ahead, which nobody could see, and whose clock was then put right."""
    (moved, played), due = begun(2)
    ahead = NOW + DAY
    for name in (WEB, WORKER):
        downtime.beat(ahead, name)
    assert again(moved).deadline == due + DAY
    user = played.seats.get(user__isnull=False).user
    assert user is not None
    submission.submit(played, power_of(played, user), "", Submission(0, confirm=True), user=user, now=ahead)
    assert processing.process(played, 0, now=ahead + HOUR) is processing.Done.PROCESSED
    assert OutMail.objects.filter(made__gt=NOW + HOUR).exists()
    return moved, played, due


def test_a_clock_put_right_goes_on_by_itself() -> None:
    """Begun a day ahead, and put right: after a minute the site goes on, deadlines, phases and mails put right (H4)."""
    moved, played, due = a_day_ahead()
    now = NOW + MINUTE
    assert not downtime.beat(now)
    assert "put back by 86340 s" in " ".join(health.look(now).reasons)
    assert not health.look(now).well
    assert not downtime.beat(now + SETTLING)
    assert downtime.beat(now + SETTLING + SECOND)
    assert downtime.beat(now + SETTLING + SECOND, WEB)
    now += SETTLING
    assert health.look(now + 2 * SECOND).well
    assert again(moved).deadline == max(due, now + DAY)
    later = again(played)
    assert (later.ordinal, later.phase_began) == (1, now)
    assert NOW + DAY < later.deadline <= now + 3 * DAY  # type: ignore[operator]
    assert not OutMail.objects.filter(next_try__gt=now).exists()
    assert not Outage.objects.exists()
    assert AuditLine.objects.filter(what__startswith="the clock is 86").exists()
    assert processing.process(played, 1, now=now + 4 * DAY) is processing.Done.PROCESSED


def test_only_the_worker_was_ahead() -> None:
    """The site goes on though one program alone had a clock that was ahead; the others' heartbeats are good (H4)."""
    begun()
    downtime.beat(NOW + DAY)
    for second in range(0, 130, 5):
        now = NOW + MINUTE + second * SECOND
        downtime.beat(now, WEB)
        if downtime.beat(now):
            break
    assert SETTLING <= now - NOW - MINUTE <= SETTLING + 10 * SECOND
    assert health.look(now).well
    downtime.beat(NOW + 2 * DAY)  # and once more: it is waited for anew
    assert not downtime.beat(NOW + DAY)
    assert not downtime.beat(NOW + DAY + SECOND)


def test_an_operator_mends_the_clock() -> None:
    """Who has looked at the clock need not wait: doubts are told, and ended, at once (H4)."""
    a_day_ahead()
    assert not downtime.beat(NOW + MINUTE)
    told = health.mend_clock(NOW + MINUTE)
    assert "put back" in told[0]
    assert "2 deadlines put right" in told[-1]
    assert downtime.beat(NOW + MINUTE + SECOND)
    assert health.mend_clock(NOW + MINUTE + SECOND) == []
    assert not downtime.is_clock_trusted(NOW + DAY, DAY)
    assert "leapt" in health.mend_clock(NOW + DAY)[0]
    assert downtime.is_clock_trusted(NOW + DAY + SECOND)
    assert not Heartbeat.objects.filter(name__in=(LEAP, BACK)).exists()


def test_a_clock_that_is_not_the_databases(monkeypatch: pytest.MonkeyPatch) -> None:
    """On PostgreSQL a machine whose clock differs from the database's processes nothing, and says so (H4)."""
    wrong = datetime.now(UTC) + DAY
    monkeypatch.setattr(clock, "_machine", lambda: wrong)
    if connection.vendor == "postgresql":
        assert clock.skew() > HOUR
        assert not Steady().trusts(wrong)
        assert "differ by" in health.look(wrong).reasons[0]
    else:
        assert Steady().trusts(wrong)


def test_the_log_tells_whole_seconds(caplog: pytest.LogCaptureFixture) -> None:
    """The log has the length of a leap in seconds, days included (H4)."""
    downtime.beat(NOW + 2 * DAY)
    downtime.beat(NOW)
    assert [vars(line)["seconds"] for line in caplog.records if "seconds" in vars(line)] == [-2 * 86400]


@pytest.mark.django_db(transaction=True)
def test_a_door_leaves_heartbeats(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server's lifespan keeps the door's heartbeat young, and ends it; other calls go to the application (H13)."""
    monkeypatch.setattr(downtime, "BETWEEN", 0.05)
    said: list[str] = []

    async def inner(scope: downtime.Scope, receive: downtime.Receive, send: downtime.Send) -> None:
        said.append(scope["type"])

    async def live() -> None:
        events: asyncio.Queue[dict[str, str]] = asyncio.Queue()
        events.put_nowait({"type": "lifespan.startup"})

        async def send(message: Mapping[str, object]) -> None:
            said.append(str(message["type"]))

        application = downtime.with_heartbeats(inner, WEB)
        task = asyncio.create_task(application({"type": "lifespan"}, events.get, send))
        for _ in range(2):
            first = await asyncio.to_thread(_seen)
            while await asyncio.to_thread(_seen) == first:
                await asyncio.sleep(0.02)
        events.put_nowait({"type": "lifespan.shutdown"})
        await task
        await application({"type": "http"}, events.get, send)

    asyncio.run(live())
    assert said == ["lifespan.startup.complete", "lifespan.shutdown.complete", "http"]


def _seen() -> datetime | None:
    from django.db import connections

    try:
        return Heartbeat.objects.filter(name=WEB).values_list("beat", flat=True).first()
    finally:
        connections.close_all()


def test_short_silences_are_none() -> None:
    """A restart within seconds moves nothing."""
    (table,), due = begun()
    keep_open(due - QUIET, WEB)
    downtime.beat(due, WEB)
    assert (again(table).deadline, Outage.objects.count()) == (due, 0)
