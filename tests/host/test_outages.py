"""Giving back the time of an outage: once, in bounded steps that survive a kill, and nobody hears of it twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from types import ModuleType, SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.test import Client

from gamesmaster.host.models import AuditLine, Heartbeat, InMail, Message, Outage, OutMail, Seat, Table
from gamesmaster.host.operations import health
from gamesmaster.host.operations.serving import process_due
from gamesmaster.host.phases import downtime, outages, processing
from gamesmaster.host.phases.downtime import MAIL, WEB, WORKER
from gamesmaster.host.site import clock
from gamesmaster.host.tables.models import new_key
from gamesmaster.host.tables.settings import Absent, TableSettings
from tests.host.conftest import DAY, HOUR, NOW, do_jobs, finish_outages, people, person, running
from tests.host.test_phases import again

pytestmark = pytest.mark.django_db
MINUTE, SECOND = timedelta(minutes=1), timedelta(seconds=1)
AT_ONCE = TableSettings(absent=Absent(grace=0, misses=0))
IDENTITY = ("id", "key")
FIRST = NOW + 40 * MINUTE
"""When the first of a crowd of games is due."""


def crowd(number: int, players: int, *, with_days_off: int = 0) -> list[Table]:
    """Return so many games of seven players each, due one after the other from `FIRST` on; all doors are open.

    They are copies of one game, stored in a few statements.  Players sit at many tables; the first `with_days_off`
    tables have days on which no deadline falls.
    """
    model = running([person("host")], AT_ONCE)
    powers = list(model.seats.order_by("pk").values_list("power", flat=True))
    users = people(players)
    fields = [field.attname for field in Table._meta.concrete_fields if field.name not in IDENTITY]
    rows = [Table(key=new_key(), **{name: getattr(model, name) for name in fields}) for _ in range(number)]
    days_off = {**model.settings, "deadlines": {**model.settings["deadlines"], "days_off": [5, 6]}}
    for place, row in enumerate(rows):
        row.deadline = FIRST + place * timedelta(minutes=20) / number
        row.settings = days_off if place < with_days_off else row.settings
    model.delete()
    tables = Table.objects.bulk_create(rows)
    Seat.objects.bulk_create(
        Seat(table=table, power=power, user=users[(7 * place + seat) % players], joined=NOW)
        for place, table in enumerate(tables)
        for seat, power in enumerate(powers)
    )
    open_doors(NOW + 29 * MINUTE)
    return tables


def open_doors(at: datetime, *names: str) -> None:
    """Let these doors, or worker and web, have been seen at this time."""
    for name in names or (WORKER, WEB):
        Heartbeat.objects.update_or_create(name=name, defaults={"beat": at})


def shifts(tables: Sequence[Table]) -> set[timedelta]:
    """Return by how much the deadlines of these tables were moved."""
    now = Table.objects.in_bulk([table.pk for table in tables])
    return {deadline_of(now[table.pk]) - deadline_of(table) for table in tables}


def deadline_of(table: Table) -> datetime:
    """Return the deadline of a table that has one."""
    assert table.deadline is not None
    return table.deadline


SLOW = 30 * SECOND
"""How long the work takes that gives back time, where it is slow."""


@pytest.fixture(autouse=True)
def slow_down(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType, str], None]:
    """Let work take no time, and a function of a module longer than a silence that counts as an outage."""
    counted = 0.0

    def let_last(module: ModuleType, name: str) -> None:
        work = getattr(module, name)

        def work_slowly(*arguments: Any) -> Any:
            nonlocal counted
            counted += SLOW.total_seconds()
            return work(*arguments)

        monkeypatch.setattr(module, name, work_slowly)

    monkeypatch.setattr(downtime, "time", SimpleNamespace(monotonic=lambda: counted))
    return let_last


def test_a_thousand_games_and_one_outage(
    slow_down: Callable[[ModuleType, str], None], client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it takes to give time back, it is given back once, and the phases go on (A14)."""
    slow_down(outages, "begin")
    tables = crowd(1000, 70, with_days_off=250)
    back = NOW + 30 * MINUTE
    downtime.beat(back, WEB)
    at = back + SLOW
    for _ in range(3):
        downtime.beat(at, WEB)
        assert process_due(at).processed == 0
        at += 5 * SECOND
    finish_outages(at)
    assert Outage.objects.get().lasted == MINUTE
    assert shifts(tables) == {MINUTE}
    assert Message.objects.filter(text__contains="The site was down").count() == 1000
    assert OutMail.objects.filter(body__contains="The site was down").count() == 70
    late = deadline_of(tables[0]) + 5 * MINUTE
    waiting = Table.objects.exclude(pk__in=[table.pk for table in tables[:3]])
    waiting.update(deadline=NOW + 2 * HOUR)
    open_doors(late)
    monkeypatch.setattr(clock, "now", lambda: late)
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()["reasons"]) == (503, ["3 phases are overdue"])
    assert process_due(late).processed == 3
    assert client.get("/healthz").json()["well"]
    assert Outage.objects.count() == 1


def test_outages_one_after_the_other_make_phases_late() -> None:
    """A site that is away again and again has phases that are late, though their deadlines are always ahead (A14)."""
    (table, *_), at = crowd(3, 7), NOW + 29 * MINUTE
    while at < FIRST + 3 * MINUTE:
        at += MINUTE
        downtime.beat(at, WEB)
        open_doors(at, WORKER)
        assert health.look(at).well
    at += MINUTE
    downtime.beat(at, WEB)
    assert deadline_of(again(table)) > at
    assert health.look(at).reasons == ["1 phases are late: outages have moved their deadlines again and again"]
    Table.objects.filter(pk=table.pk).update(deadline=at + DAY)  # a Gamesmaster moves it, or it is another phase
    assert health.look(at).well


def test_one_long_outage_makes_no_phase_late() -> None:
    """Who was told of another deadline is not kept waiting: the page says that all is well, as it should (A14)."""
    crowd(3, 7)
    back = NOW + 3 * HOUR
    for name in (WORKER, WEB):
        downtime.beat(back, name)
    assert Outage.objects.count() == 1
    assert health.look(back + 10 * MINUTE).late == 0


class Killed(BaseException):
    """The process ends."""


class _Dies:
    """Ends the work before the statement of this number."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            raise Killed
        return execute(sql, params, many, context)


def give_back_time(at: datetime) -> None:
    """Do all that comes of an outage."""
    downtime.beat(at, WEB)
    finish_outages(at)


def test_killed_while_time_is_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Killed at any statement, and begun again: everybody gets the time, and hears of it, once (A14)."""
    monkeypatch.setattr(outages, "BATCH", 4)
    tables, back, kills = crowd(3, 7, with_days_off=1), NOW + 31 * MINUTE, 0
    while True:
        start = transaction.savepoint()
        try:
            with connection.execute_wrapper(_Dies(kills + 1)):
                give_back_time(back)
            break
        except Killed:
            kills += 1
        give_back_time(back + 2 * SECOND)
        (outage,) = Outage.objects.all()
        assert outage.step == Outage.DONE
        assert shifts(tables) == {outage.lasted}
        assert Message.objects.filter(text__contains="The site was down").count() == 3
        told = OutMail.objects.filter(body__contains="The site was down").values_list("user", flat=True)
        assert (len(told), len(set(told))) == (7, 7)
        assert AuditLine.objects.filter(what__endswith="3 deadlines moved").count() == 1
        transaction.savepoint_rollback(start)
    assert kills > 40


def test_a_second_outage_before_the_first_is_dealt_with() -> None:
    """The site falls again before all deadlines were moved: every table gets the time of both (A14)."""
    tables = crowd(4, 7, with_days_off=2)
    downtime.beat(NOW + 30 * MINUTE, WEB)
    downtime.beat(NOW + 32 * MINUTE, WEB)
    finish_outages(NOW + 32 * MINUTE)
    assert Outage.objects.count() == 2
    assert shifts(tables) == {sum((outage.lasted for outage in Outage.objects.all()), timedelta(0))}


def test_nothing_is_processed_while_deadlines_are_moved() -> None:
    """A table whose deadline passed in the outage waits until a worker has moved it, and then until it comes (A14)."""
    (table, _other), back = crowd(2, 7, with_days_off=1), FIRST + MINUTE
    open_doors(FIRST - MINUTE)
    downtime.beat(back, WEB)
    open_doors(back + 5 * SECOND, WEB)
    assert processing.due(back + 5 * SECOND) == []
    assert process_due(back + 5 * SECOND).processed == 0
    do_jobs(back + 5 * SECOND)
    assert again(table).deadline == back + 2 * MINUTE
    assert processing.due(back + 5 * SECOND) == []


def test_no_step_moves_more_than_a_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The work that finds an outage moves a batch of deadlines, and jobs move the others, a batch at a time (A14)."""
    monkeypatch.setattr(outages, "BATCH", 4)
    tables, back = crowd(10, 7, with_days_off=3), NOW + 30 * MINUTE
    downtime.beat(back, WEB)
    moved = []
    while outages.is_moving():
        moved.append(len(Outage.objects.get().moved))
        outages.move_on(back)
    assert moved == [4, 8, 10]
    assert shifts(tables) == {MINUTE}


@pytest.mark.parametrize("zone", ["UTC", "Europe/Vienna", "America/St_Johns"])
def test_the_deadline_in_words_moves_too(zone: str) -> None:
    """A deadline is told as promised, in the table's zone, also where it moves over a day off (A14)."""
    crowd(2, 7)
    free, working = Table.objects.order_by("pk")
    free.settings["deadlines"]["zone"] = zone
    working.settings["deadlines"] |= {"zone": zone, "days_off": [1]}  # Tuesday is off
    late = datetime(2027, 1, 4, 23, 59, 30, tzinfo=ZoneInfo(zone))
    for table in (free, working):
        Table.objects.filter(pk=table.pk).update(settings=table.settings, deadline=late)
    open_doors(late - 2 * MINUTE)
    give_back_time(late - MINUTE)
    assert again(free).deadline_wall == f"2027-01-05 00:00 {zone}"
    assert again(free).deadline == late + MINUTE
    assert again(working).deadline_wall == f"2027-01-06 00:00 {zone}"
    assert again(working).deadline == late + DAY + MINUTE


@pytest.mark.parametrize(
    ("times", "away", "expected"),
    [
        (("20:00",), 3 * HOUR, "2027-01-05 20:00 Europe/Vienna"),
        (("06:00", "20:00"), 3 * HOUR, "2027-01-05 06:00 Europe/Vienna"),
        (("20:00",), 24 * HOUR, "2027-01-06 20:00 Europe/Vienna"),
        (("20:00",), 5 * MINUTE, "2027-01-04 19:05 UTC"),
        (("21:00",), 3 * HOUR, "2027-01-05 00:55 UTC"),
    ],
)
@pytest.mark.parametrize("pace", ["movement", "first"])
def test_a_deadline_at_a_time_of_day_stays_at_one(
    pace: str, times: tuple[str, ...], away: timedelta, expected: str
) -> None:
    """After a long outage it is at the next of its times; after a short one, or in extra time, it is not (A14)."""
    crowd(1, 7)
    table = Table.objects.get()
    table.settings["deadlines"][pace] = {"wall": {"zone": "Europe/Vienna", "times": times}}
    due = datetime(2027, 1, 4, 20, 0, tzinfo=ZoneInfo("Europe/Vienna"))
    wall, began = "2027-01-04 20:00 Europe/Vienna", due - 6 * HOUR
    Table.objects.update(settings=table.settings, deadline=due, deadline_wall=wall, phase_began=began)
    open_doors(due - 5 * MINUTE)
    give_back_time(due - 5 * MINUTE + away)
    assert again(table).deadline_wall == expected


def test_settings_of_an_older_program() -> None:
    """A table whose settings say nothing of days off is moved like any other (A14)."""
    tables = crowd(1, 7)
    old = {key: value for key, value in tables[0].settings["deadlines"].items() if key not in ("days_off", "dates_off")}
    Table.objects.update(settings={**tables[0].settings, "deadlines": old})
    give_back_time(NOW + 30 * MINUTE)
    assert shifts(tables) == {MINUTE}


def test_one_mail_for_each_person() -> None:
    """Who plays in several games gets one mail about all; about one game it comes so that it can be answered (A14)."""
    first, second = crowd(2, 7)
    left = second.seats.order_by("pk").first()
    assert left is not None
    Seat.objects.filter(pk=left.pk).update(user=person("newcomer"))
    give_back_time(NOW + 30 * MINUTE)
    both = OutMail.objects.get(user__username="player2")
    assert (both.table, both.subject) == (None, "new deadlines in your games: 2")
    for table in (first, second):
        assert f"/t/{table.key}/" in both.body
        assert again(table).deadline_wall in both.body
    single = OutMail.objects.get(user__username="newcomer")
    assert (single.table, single.power) == (second, left.power)
    assert single.subject == f"[{second.name}] new deadline for S1901M"


def test_a_wrong_clock_is_put_right_slowly(slow_down: Callable[[ModuleType, str], None]) -> None:
    """To put right what a wrong clock did is no outage either, however long it takes (A14)."""
    slow_down(downtime, "_move")
    tables = crowd(2, 7)
    for name in (WEB, WORKER):
        downtime.beat(NOW + DAY, name)
    assert downtime.accept_clock(NOW + HOUR) == 2
    downtime.beat(NOW + HOUR + 2 * SLOW, WEB)
    assert not Outage.objects.exists()
    assert {again(table).deadline for table in tables} == {NOW + HOUR + DAY}


def by_mail(table: Table) -> Table:
    """Let a player of a table write by mail."""
    user = User.objects.filter(seats__table=table).first()
    InMail.objects.create(mark="x", user=user, table=table, verdict="done", at=NOW)
    return table


@pytest.mark.parametrize("order", [(MAIL, WEB, MAIL), (WEB, MAIL)])
def test_site_and_mail_room_come_back_together(order: tuple[str, ...]) -> None:
    """Who plays by mail gets the time of one outage once, whichever door opens first (A14)."""
    letters, web = crowd(2, 14)
    by_mail(letters)
    open_doors(NOW + 29 * MINUTE, WEB, MAIL)
    for seconds, name in enumerate(order):
        downtime.beat(NOW + 31 * MINUTE + seconds * SECOND, name)
    finish_outages(NOW + 32 * MINUTE)
    assert shifts([letters]) == shifts([web]) == {Outage.objects.get().lasted}


def test_a_restart_of_the_site_hides_no_outage_of_the_mail_room() -> None:
    """What the site was away for meanwhile is left out of the mail room's outage, and nothing else (A14)."""
    letters, web = crowd(2, 14)
    by_mail(letters)
    open_doors(NOW + 20 * MINUTE, MAIL)
    downtime.beat(NOW + 30 * MINUTE, WEB)  # away for a minute
    downtime.beat(NOW + 30 * MINUTE + 10 * SECOND, MAIL)
    finish_outages(NOW + 31 * MINUTE)
    assert shifts([web]) == {MINUTE}
    assert shifts([letters]) == {10 * MINUTE + 10 * SECOND}
