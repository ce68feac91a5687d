"""Threads and processes at the same table, on a real database: what is promised holds whoever comes first."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, TypeVar

import pytest
from django.contrib.auth.models import User
from django.db import connection, connections

from gamesmaster.host.games import deadlines, hosting, seats
from gamesmaster.host.models import Message, OutMail, PhaseRow, Sheet, Table
from gamesmaster.host.orders import receipts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing, votes
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from tests.host.conftest import HOUR, NOW, finish_outages, people, power_of, running
from tests.host.test_phases import DUE, NO_WAIT, again

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.host]
T = TypeVar("T")


def at_once(*works: Callable[[], T]) -> list[T | str]:
    """Do all of these at the same moment, each in a thread of its own; a refusal comes back as its code."""
    barrier = Barrier(len(works))

    def run(work: Callable[[], T]) -> T | str:
        try:
            barrier.wait(30)
            return work()
        except Refused as refusal:
            return refusal.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(run, works))


def let_go() -> None:
    """Close all connections before a fork: a child must not use its parent's."""
    connections.close_all()
    if connection.vendor == "postgresql":
        connection.close_pool()  # type: ignore[attr-defined]  # only PostgreSQL has one


def in_child(work: Callable[[], object]) -> int:
    """Do something in a forked process; its exit code."""
    let_go()
    child = os.fork()
    if child == 0:
        code = 70
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_fifty_threads_process_a_phase() -> None:
    """Of fifty that process the same phase one does, and the others are told so (A2)."""
    table = running(people(1), NO_WAIT)
    done = Counter(at_once(*[lambda: processing.process(table.pk, 0, now=DUE)] * 50))
    assert done[processing.Done.PROCESSED] == 1
    assert set(done) <= {processing.Done.PROCESSED, processing.Done.ALREADY, processing.Done.BUSY}
    assert (PhaseRow.objects.count(), OutMail.objects.filter(event="phase").count(), again(table).ordinal) == (1, 1, 1)


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_two_worker_processes() -> None:
    """Two worker processes share the tables that are due; each phase has one row, whoever processed it (A2)."""
    number = [running([user], NO_WAIT).pk for user in people(6)]
    let_go()
    children = []
    for _ in range(2):
        child = os.fork()
        if child == 0:
            try:
                for key, ordinal in processing.due(DUE):
                    processing.process(key, ordinal, now=DUE)
            finally:
                os._exit(0)
        children.append(child)
    for child in children:
        os.waitpid(child, 0)
    assert [Table.objects.get(pk=n).ordinal for n in number] == [1] * 6
    assert PhaseRow.objects.count() == 6


class _Dies:
    """Ends the process, as `kill -9` does, before the statement of this number."""

    def __init__(self, at: int) -> None:
        self.left = at

    def __call__(self, execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        self.left -= 1
        if self.left == 0:
            os._exit(9)
        return execute(sql, params, many, context)


@pytest.mark.skipif(sys.platform == "win32", reason="forks")
def test_killed_at_every_statement() -> None:
    """Killed before any statement of processing, a table is in the old phase or the new one, whole (A1)."""
    user, *_ = people(1)
    table = running([user], NO_WAIT)
    power = power_of(table, user)
    told = receipts.text_of(submission.submit(table, power, "", Submission(0), user=user, now=NOW + HOUR))
    wanted = store.with_sheets(store.load(table), Sheet.objects.all()).process()
    at = 0
    while True:
        at += 1

        def work(at: int = at) -> None:
            with connection.execute_wrapper(_Dies(at)):
                processing.process(table.pk, 0, now=DUE)

        code = in_child(work)
        now = again(table)
        new = (now.ordinal, PhaseRow.objects.count(), OutMail.objects.filter(event="phase").count())
        assert new == ((1, 1, 1) if now.ordinal else (0, 0, 0))
        assert receipts.check(told).known
        if code == 0 or now.ordinal:
            break
        assert code == 9
        Table.objects.filter(pk=table.pk).update(claimed_at=None, attempts=0)  # the claim has run out
    assert at >= 11  # on PostgreSQL; 13 on SQLite
    assert store.load(now).position == wanted.position
    assert again(table).attempts == 0


def test_the_last_seat() -> None:
    """Of ten who want the last seat one gets it; a double click has one seat (A6)."""
    owner, *users = people(11)
    table = hosting.create(owner, "standard", now=NOW)
    for bot in ["holder"] * 5:
        seats.add_bot(table, bot, owner, now=NOW)
    seats.join(table, owner, now=NOW)
    found = at_once(*[lambda user=user: seats.join(table.pk, user, now=NOW).pk for user in [*users, users[0]]])
    assert table.seats.exclude(state="left").count() == 7
    assert len({seat for seat in found if isinstance(seat, int)}) == 1
    assert again(table).state == "running"


def test_orders_against_processing() -> None:
    """Orders that race the adjudication are in it, or are refused; none is acknowledged and lost (A3, B3)."""
    users = people(7)
    table = running(users, NO_WAIT)
    names = {user: power_of(table, user) for user in users}

    def send(user: User) -> str:
        return submission.submit(table.pk, names[user], "", Submission(0), user=user, now=DUE).power

    works: list[Callable[[], object]] = [lambda user=user: send(user) for user in users]  # type: ignore[misc]
    found = at_once(*works, lambda: processing.process(table.pk, 0, now=DUE))
    acknowledged = {x for x in found if x in names.values()}
    assert set(found) - acknowledged <= {"processing", "not-this-phase", processing.Done.PROCESSED}
    assert set(store.load(again(table)).records[0].orders) == acknowledged


def test_a_vote_at_the_deadline() -> None:
    """A last vote against the deadline: the game ends in the phase, or the phase is over and the vote refused (A5)."""
    for _ in range(3):
        User.objects.all().delete()
        one, two = people(2)
        table = running([one, two], NO_WAIT)
        everybody = store.load(table).survivors
        votes.cast(table, power_of(table, one), everybody, ordinal=0, user=one, now=NOW)
        power = power_of(table, two)
        found = at_once(
            lambda: votes.cast(table.pk, power, everybody, ordinal=0, user=two, now=DUE),  # noqa: B023
            lambda: processing.process(table.pk, 0, now=DUE),  # noqa: B023
        )
        now = again(table)
        if now.state == "finished":
            assert found == [True, processing.Done.ALREADY]
            assert now.ordinal == 0
        else:
            assert found[0] in ("processing", "not-this-phase")
            assert (now.state, now.ordinal) == ("running", 1)


def test_a_pause_at_the_deadline() -> None:
    """A pause against the deadline: one of them comes first, and the other is told (A5)."""
    user, gm = people(2)
    table = running([user], NO_WAIT, gm=gm)
    found = at_once(lambda: deadlines.pause(table.pk, gm, now=DUE), lambda: processing.process(table.pk, 0, now=DUE))
    now = again(table)
    if found[1] is processing.Done.PROCESSED:
        assert (found[0], now.ordinal) in (("processing", 1), (None, 1))
    else:
        assert (found, now.state, now.ordinal) == ([None, processing.Done.ALREADY], "paused", 0)


def test_ready_and_unready_together() -> None:
    """A last word and its withdrawal at once: the time of early processing agrees with who is ready (A7)."""
    users = people(2)
    table = running(users)
    powers = [power_of(table, user) for user in users]
    for power, user in zip(powers, users, strict=True):
        submission.submit(table, power, "", Submission(0), user=user, now=NOW + HOUR)
    submission.confirm(table, powers[0], ready=True, ordinal=0, user=users[0], now=NOW + HOUR)
    at_once(
        lambda: submission.confirm(table.pk, powers[1], ready=True, ordinal=0, user=users[1], now=NOW + HOUR),
        lambda: submission.confirm(table.pk, powers[0], ready=False, ordinal=0, user=users[0], now=NOW + HOUR),
    )
    ready = Sheet.objects.filter(table=table, confirmed=True).count()
    assert ready == 1
    assert again(table).ready_at is None


def test_all_tables_are_moved_once() -> None:
    """Two workers that come back at once move the deadlines once (A14)."""
    from gamesmaster.host.phases import downtime

    table = running(people(1), NO_WAIT)
    downtime.beat(NOW)
    back = NOW + (DUE - NOW) * 3
    at_once(*[lambda: downtime.beat(back)] * 2)
    at_once(*[lambda: finish_outages(back)] * 2)
    assert Message.objects.filter(table=table, text__contains="The site was down").count() == 1
    assert again(table).deadline == NOW + (back - NOW) + (DUE - NOW) - (DUE - (table.deadline or DUE))
