from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import OperationalError

from gamesmaster.game import Game
from gamesmaster.host.games import deadlines, seats
from gamesmaster.host.models import Absence, Heartbeat, Message, OutMail, PhaseRow, Receipt, Seat, Sheet, Table
from gamesmaster.host.operations import backup, health, serving
from gamesmaster.host.orders import receipts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import downtime, leases, past, processing
from gamesmaster.host.tables import store
from gamesmaster.host.tables.models import new_key
from gamesmaster.host.tables.settings import Absent, Deadlines, Pace, TableSettings
from gamesmaster.judge import Movement
from gamesmaster.rules import Cause, Ruling
from tests.host.conftest import DAY, HOUR, NOW, finish_outages, people, power_of, running
from tests.host.test_tables import refused

pytestmark = pytest.mark.django_db
DUE = NOW + 2 * DAY + timedelta(minutes=1)
NO_WAIT = TableSettings(absent=Absent(grace=0, notice=0, misses=2, standby=600))
CANARY = "A Zyzzyva - Qoph"


def again(table: Table) -> Table:
    """The table as it is now."""
    return Table.objects.get(pk=table.pk)


def test_a_phase_is_processed_once() -> None:
    """A phase that is due is processed; who asks again is told so, and nothing happens twice (A2)."""
    table = running(people(1), NO_WAIT)
    assert processing.due(DUE) == [(table.pk, 0)]
    assert processing.process(table, 0, now=DUE) is processing.Done.PROCESSED
    assert processing.process(table, 0, now=DUE) is processing.Done.ALREADY
    assert PhaseRow.objects.count() == 1
    assert OutMail.objects.filter(event="phase").count() == 1
    now = again(table)
    assert (now.ordinal, now.phase_code, now.deadline) == (1, "F1901M", DUE + 2 * DAY)


def test_nothing_is_processed_before_its_time() -> None:
    """A deadline that was moved after a worker had read it is kept no more; no phase ends before it began (B1)."""
    user, gm = people(2)
    table = running([user], NO_WAIT, gm=gm)
    deadlines.extend(table, gm, NOW + 5 * DAY, now=NOW)
    assert processing.process(table, 0, now=DUE) is processing.Done.NOT_DUE
    assert processing.process(table, 0, "asked", now=NOW - HOUR) is processing.Done.NOT_DUE


def test_bots_answer() -> None:
    """Bots in seats send orders when the phase is processed, and see none of the others'."""
    table = running(people(1), TableSettings(fill="random", absent=NO_WAIT.absent))
    processing.process(table, 0, now=DUE)
    sent = store.load(again(table)).records[0].orders
    assert len(sent) == 6


def test_the_absent() -> None:
    """Grace once, then a miss; after two a standby is wanted, then there is civil disorder, until somebody comes."""
    user, new = people(2)
    policy = Absent(grace=120, notice=60, misses=2, standby=600)
    table = running([user], TableSettings(absent=policy))
    power = power_of(table, user)
    seat = table.seats.get(user=user)
    at = DUE
    for misses, state in ((1, "sitting"), (2, "standby-wanted")):
        assert processing.process(table, again(table).ordinal, now=at) is processing.Done.WAITING
        at += timedelta(hours=3)
        assert processing.process(table, again(table).ordinal, now=at) is processing.Done.PROCESSED
        seat.refresh_from_db()
        assert (seat.misses, seat.state) == (misses, state)
        at = (again(table).deadline or at) + timedelta(minutes=1)
    while power not in store.load(again(table)).disorder:
        assert processing.process(table, again(table).ordinal, now=at) is processing.Done.PROCESSED
        at = (again(table).deadline or at) + timedelta(minutes=1)
        if again(table).state != "running":
            break
    assert again(table).state == "paused"  # nobody is left
    seats.join(table, new, power=power, now=at)
    assert power not in store.load(again(table)).disorder
    assert power_of(table, new) == power


def test_an_absence_in_the_calendar_is_waited_for() -> None:
    """Who is away by the calendar is waited for until the day after the absence, within the table's bounds."""
    user, *_ = people(1)
    table = running([user])
    Absence.objects.create(user=user, begins=DUE.date(), ends=(DUE + 3 * DAY).date())
    assert processing.process(table, 0, now=DUE) is processing.Done.WAITING
    deadline = again(table).deadline
    assert deadline is not None
    assert deadline.date() == (DUE + 5 * DAY).date()
    assert table.seats.get(user=user).state == "away"


def test_reminders_come_once() -> None:
    """Who has sent nothing is reminded once, and who is ready, or has an order for every unit, is not (B5)."""
    users = people(3)
    table = running(users)
    ready, none, whole = users
    submission.submit(table, power_of(table, ready), "", Submission(0, confirm=True), user=ready, now=NOW + HOUR)
    units = [f"{unit.kind} {unit.at} H" for unit in store.load(table).position.of(power_of(table, whole))]
    submission.submit(table, power_of(table, whole), units, Submission(0), user=whole, now=NOW + HOUR)
    near = NOW + 2 * DAY - 5 * HOUR
    assert (processing.remind(NOW + HOUR), processing.remind(near), processing.remind(near + HOUR)) == (0, 1, 0)
    assert [mail.user for mail in OutMail.objects.filter(event="deadline")] == [none]


def test_games_without_due_reminders_are_not_read(
    monkeypatch: pytest.MonkeyPatch, django_assert_num_queries: Callable[[int], Any]
) -> None:
    """However many games there are, one statement finds those whose players are to be reminded, and reads no other."""
    for user in people(3):
        running([user])
    read: list[object] = []
    monkeypatch.setattr(Table, "from_db", lambda *args: read.append(args))
    with django_assert_num_queries(1):
        assert processing.remind(NOW + HOUR) == 0
    assert read == []


def test_reminders_are_sent_in_batches() -> None:
    """Many reminders that are due at once do not hold up the phases."""
    number = processing.REMINDED_AT_ONCE + 2
    (user,) = people(1)
    table = running([user])
    row = Table.objects.values().get(pk=table.pk)
    for _ in range(number - 1):
        made = Table.objects.create(**row | {"id": None, "key": new_key()})
        Seat.objects.create(table=made, user=user, power="Austria", joined=NOW)
    near = NOW + 2 * DAY - 5 * HOUR
    assert [processing.remind(near) for _ in range(3)] == [processing.REMINDED_AT_ONCE, 2, 0]


def _away(table: Table, gm: User) -> None:
    Heartbeat.objects.create(name=downtime.WORKER, beat=NOW)
    downtime.beat(NOW + 16 * HOUR)
    finish_outages(NOW + 16 * HOUR)


def _away_with_days_off(table: Table, gm: User) -> None:
    """The database cannot move the deadlines of such a table by itself."""
    off = {**table.settings["deadlines"], "days_off": [5]}
    Table.objects.update(settings={**table.settings, "deadlines": off})
    _away(table, gm)


def _take_back(table: Table, gm: User) -> None:
    processing.process(table, 0, "asked", now=NOW)
    past.rollback(table, 0, gm, now=NOW + HOUR)


def _pause(table: Table, gm: User) -> None:
    deadlines.pause(table, gm, now=NOW + HOUR)
    assert again(table).remind_at is None
    deadlines.resume(table, gm, now=NOW + DAY)


@pytest.mark.parametrize(
    "move",
    [
        lambda table, gm: None,
        lambda table, gm: deadlines.extend(table, gm, NOW + 5 * DAY, now=NOW),
        lambda table, gm: processing.process(table, 0, "asked", now=NOW + HOUR),
        _take_back,
        _pause,
        _away,
        _away_with_days_off,
    ],
)
def test_reminders_move_with_the_deadline(move: Callable[[Table, User], object]) -> None:
    """Whatever moves a deadline moves its reminders, and a site of before gets the same times."""
    user, gm = people(2)
    table = running([user], gm=gm)
    move(table, gm)
    moved = again(table)
    assert moved.deadline is not None
    assert moved.remind_at == moved.deadline - 6 * HOUR
    Table.objects.update(remind_at=None)
    import_module("gamesmaster.host.migrations.0016_squashed_0028_helper").remind(apps, None)
    assert again(table).remind_at == moved.remind_at


def test_who_has_drawn_half_is_reminded_of_the_rest() -> None:
    """Orders are saved as they are drawn: a set that lacks something is no miss, and its player hears what it lacks."""
    (user,) = people(1)
    table = running([user])
    power = power_of(table, user)
    first, *rest = [f"{unit.kind} {unit.at} H" for unit in store.load(table).position.of(power)]
    submission.submit(table, power, [first, "gibberish"], Submission(0), user=user, now=NOW + HOUR)
    assert processing.remind(NOW + 2 * DAY - 5 * HOUR) == 1
    mail = OutMail.objects.get(event="deadline")
    assert "your orders are not complete, and are due by" in mail.subject
    assert f"{len(rest)} units have no order and will hold" in mail.body
    assert "gibberish" in mail.body


def test_a_bad_order_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """An order that the judge falls over is void, the phase goes on, and the Gamesmaster and the admins are told."""
    user, gm, admin = people(3)
    User.objects.filter(pk=admin.pk).update(is_superuser=True)
    table = running([user], NO_WAIT, gm=gm)
    power = power_of(table, user)
    unit, *rest = [f"{one.kind} {one.at} H" for one in store.load(table).position.of(power)]
    submission.submit(table, power, [unit, *rest], Submission(0), user=user, now=NOW + HOUR)
    sound = Movement._rule_orders

    def falling(self: Movement) -> list[Ruling]:
        if unit in self.bound.given.get(power, ()):
            raise KeyError("A")
        return sound(self)

    monkeypatch.setattr(Movement, "_rule_orders", falling)
    assert processing.process(table, 0, now=DUE) is processing.Done.PROCESSED
    now = again(table)
    assert (now.state, now.phase_code) == ("running", "F1901M")
    causes = [r.cause for r in store.load(now).adjudication(store.load(now).records[0]).rulings if r.power == power]
    assert sorted(causes) == sorted([Cause.DEFECT, Cause.UNORDERED, *[Cause.HELD] * len(rest)])
    told = OutMail.objects.filter(subject__contains="a fault in the program: S1901M")
    assert {mail.user for mail in told} == {gm, admin}
    assert Message.objects.filter(table=table, text__contains="fault in this program").count() == 1


def test_a_bad_game_is_set_apart(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """A game whose adjudication fails three times is quarantined, others play on, and no order is quoted (A9)."""
    user, gm, other = people(3)
    bad, good = running([user], NO_WAIT, gm=gm), running([other], NO_WAIT)
    power = power_of(bad, user)
    submission.submit(bad, power, CANARY, Submission(0), user=user, now=NOW + HOUR)
    process = Game.process

    def poisoned(self: Game, *, phase: str = "") -> Game:
        if any(CANARY in texts for texts in self.orders.values()):
            raise RuntimeError(f"cannot make sense of {CANARY}")
        return process(self, phase=phase)

    monkeypatch.setattr(Game, "process", poisoned)
    done = [processing.process(number, ordinal, now=DUE) for _ in range(3) for number, ordinal in processing.due(DUE)]
    assert done.count(processing.Done.FAILED) == 2
    assert done.count(processing.Done.QUARANTINED) == 1
    assert (again(bad).state, again(good).ordinal) == ("quarantined", 1)
    assert OutMail.objects.filter(event="quarantine", user=gm).count() == 1
    assert [m.user for m in OutMail.objects.filter(subject__endswith="the game is on hold")] == [user]
    written = [*OutMail.objects.values_list("subject", "body"), *Message.objects.values_list("text"), caplog.text]
    assert "Zyzzyva" not in str([*written[:-1]])
    monkeypatch.undo()
    deadlines.resume(bad, gm, now=DUE)
    assert processing.ask(bad, 0, gm, now=DUE + HOUR) is processing.Done.PROCESSED


@pytest.mark.parametrize("failing", ["adjudicate", "bring_in"])
def test_a_failing_database_quarantines_no_table(monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    """However often the database fails during a phase, no attempt counts; the phase is over when it is back (A9)."""
    table = running(people(1), NO_WAIT)

    def fail(*_: object) -> None:
        raise OperationalError("the connection is closed")

    with monkeypatch.context() as outage:
        outage.setattr(processing, failing, fail)
        for _ in range(leases.MOST_ATTEMPTS + 1):
            assert processing.process(table, 0, now=DUE) is processing.Done.FAILED
            now = again(table)
            assert (now.state, now.attempts, now.claimed_at, now.claimed_by) == ("running", 0, None, "")
    assert processing.due(DUE) == [(table.pk, 0)]
    assert processing.process(table, 0, now=DUE) is processing.Done.PROCESSED


def test_a_worker_that_hangs_is_passed_over() -> None:
    """A claim runs out, the phase is claimed anew, and what the first brings in late counts no more (A8)."""
    table = running(people(1), NO_WAIT)
    hung = leases.take(table.pk, 0, "due", DUE)
    assert isinstance(hung, leases.PhaseLease)
    assert processing.process(table, 0, now=DUE + timedelta(minutes=1)) is processing.Done.BUSY
    later = DUE + timedelta(minutes=6)
    assert processing.due(later) == [(table.pk, 0)]
    assert processing.process(table, 0, now=later) is processing.Done.PROCESSED
    assert processing.bring_in(hung, "due", processing.adjudicate(hung), later) is processing.Done.ALREADY
    assert again(table).ordinal == 1


def test_workers_that_die_again_and_again() -> None:
    """After three workers have died over a phase the table is set apart (A8)."""
    table = running(people(1), NO_WAIT)
    for number in range(3):
        assert isinstance(leases.take(table.pk, 0, "due", DUE + number * HOUR), leases.PhaseLease)
    assert processing.process(table, 0, now=DUE + 4 * HOUR) is processing.Done.QUARANTINED


def test_after_days_of_downtime_nobody_is_late() -> None:
    """After three days away every deadline is moved on once, announced, and nobody has missed anything (A14)."""
    users = people(2)
    downtime.beat(NOW)
    running_tables = [running([user], NO_WAIT) for user in users]
    back = NOW + 3 * DAY
    assert downtime.beat(back)
    assert downtime.beat(back)
    finish_outages(back)
    assert processing.due(back) == []
    for table in running_tables:
        assert again(table).deadline == NOW + 5 * DAY
        assert Message.objects.filter(table=table, text__contains="The site was down").count() == 1
    assert not Seat.objects.filter(misses__gt=0).exists()


def test_the_clock_put_back() -> None:
    """While the clock is behind the last heartbeat nothing is processed; a jump ahead counts as time away (B1)."""
    table = running(people(1), NO_WAIT)
    downtime.beat(DUE)
    assert not downtime.beat(DUE - HOUR)
    assert serving.process_due(DUE - HOUR).kept_still
    assert downtime.beat(DUE + DAY)
    assert processing.due(DUE + DAY) == []
    assert again(table).ordinal == 0


def test_no_runaway() -> None:
    """With nobody to wait for, a phase still lasts its shortest time, and a table without people stops (B5)."""
    quick = Deadlines(movement=Pace(minutes=1), retreats=Pace(minutes=1), adjustments=Pace(minutes=1))
    user, *_ = people(1)
    table = running([user], TableSettings(deadlines=quick, absent=Absent(grace=0, notice=0, misses=1, standby=0)))
    at = NOW
    for _ in range(20):
        at += timedelta(seconds=61)
        before = again(table).ordinal
        for number, ordinal in processing.due(at):
            processing.process(number, ordinal, now=at)
        assert again(table).ordinal <= before + 1
    assert again(table).state == "paused"


def test_a_rollback_is_told() -> None:
    """Taken back, a phase has its orders again, later receipts are void, and everybody is told (G2)."""
    user, gm = people(2)
    table = running([user], NO_WAIT, gm=gm)
    power = power_of(table, user)
    submission.submit(table, power, "", Submission(0), user=user, now=NOW + HOUR)
    processing.process(table, 0, now=DUE)
    late = submission.submit(table, power, "", Submission(1), user=user, now=DUE + HOUR)
    past.rollback(table, 0, gm, now=DUE + HOUR)
    assert (again(table).ordinal, again(table).phase_code, PhaseRow.objects.count()) == (0, "S1901M", 0)
    assert Sheet.objects.filter(table=table, ordinal=0, power=power).exists()
    assert receipts.check(receipts.text_of(late)).void
    assert processing.process(table, 0, "asked", now=DUE + 2 * HOUR) is processing.Done.PROCESSED
    with refused("no-phase"):
        past.rollback(table, 7, gm, now=DUE + 2 * HOUR)


def test_health() -> None:
    """The page says ill while no worker is seen, or a phase is long overdue."""
    assert not health.look(NOW).well
    downtime.beat(NOW)
    assert health.look(NOW).well
    running(people(1), NO_WAIT)
    Heartbeat.objects.update(beat=DUE + HOUR)
    assert health.look(DUE + HOUR).overdue == 1


@pytest.mark.django_db(transaction=True)
def test_a_backup_restored(tmp_path: Path) -> None:
    """A restored site has every row; waiting mails are held, deadlines move, later receipts are told as lost (A12)."""
    user, *_ = people(1)
    downtime.beat(NOW)
    table = running([user], NO_WAIT)
    power = power_of(table, user)
    early = receipts.text_of(submission.submit(table, power, "", Submission(0), user=user, now=NOW + HOUR))
    file = tmp_path / "yesterday.gz"
    assert backup.backup(file) > 10
    assert file.stat().st_mode & 0o077 == 0
    late = receipts.text_of(submission.submit(table, power, "", Submission(0), user=user, now=NOW + DAY))
    record = again(table).record
    mails = OutMail.objects.count()
    for model in reversed(backup.kept_models()):
        model._default_manager.all().delete()
    backup.restore(file, migrate=serving.migrate)
    assert again(table).record == record
    assert (OutMail.objects.count(), OutMail.objects.exclude(state="held").count()) == (mails, 0)
    assert (receipts.check(early).current, receipts.check(late).known) == (True, False)
    assert downtime.beat(NOW + DAY)
    assert again(table).deadline == NOW + 3 * DAY
    assert Receipt.objects.count() == 1
    with pytest.raises(Exception, match="not empty"):
        backup.restore(file, migrate=serving.migrate)
