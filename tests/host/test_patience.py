"""Games without a clock: whom they wait for, a nudge, and the end of the wait."""

from __future__ import annotations

from datetime import datetime, timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.games import patience
from gamesmaster.host.games.words import current_wait
from gamesmaster.host.models import Message, OutMail, Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.settings import PACES, TableSettings
from tests.host.conftest import DAY, HOUR, NOW, do_jobs, people, power_of, running

pytestmark = pytest.mark.django_db
BY_HAND = TableSettings(deadlines=PACES["by hand"], anonymity="until_end")


def ready(table: Table, user: User, at: datetime = NOW) -> None:
    """Send no orders, and be ready."""
    submission.submit(table, power_of(table, user), "", Submission(0, confirm=True), user=user, now=at)


def told(table: Table, user: User | None) -> str:
    """What the page tells of the wait, and whether it offers to nudge."""
    found = current_wait(access.look(table.key, user))
    assert found is not None
    return f"{found.more}{' NUDGE' if found.nudge else ''}"


def nudged(user: User) -> int:
    """How often somebody was nudged."""
    return OutMail.objects.filter(user=user, subject__contains="waiting for you").count()


def test_whom_it_waits_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players and Gamesmaster see the powers, in an anonymous game too; others do not; who is ready may nudge."""
    ann, ben, gm, other = people(4)
    table = running([ann, ben], BY_HAND, gm=gm)
    monkeypatch.setattr(clock, "now", lambda: NOW + DAY - HOUR)
    ready(table, ann)
    waits = f"It waits for {power_of(table, ben)}."
    assert told(table, ann) == f"You are ready; the phase ends when the others are, too. {waits}"
    assert (told(table, ben), told(table, gm), told(table, other), told(table, None)) == (waits, waits, "", "")
    monkeypatch.setattr(clock, "now", lambda: NOW + DAY)
    assert told(table, ann).endswith("NUDGE")
    assert told(table, gm).endswith("NUDGE")
    assert (told(table, ben), told(table, other)) == (waits, "")
    with_clock = running([ann, ben], TableSettings())
    assert {seat.ready for seat in access.look(with_clock.key, ann).seats if not seat.own} == {None}


def test_a_nudge(monkeypatch: pytest.MonkeyPatch) -> None:
    """It reminds those who are not ready, once a day, first a day after the phase has begun; by page and API."""
    ann, ben, cem, other = people(4)
    table = running([ann, ben, cem], BY_HAND)
    ready(table, ann)
    with pytest.raises(Refused, match="once a day"):
        patience.nudge(table, ann, now=NOW + DAY - HOUR)
    with pytest.raises(Refused, match="waits for you, too"):
        patience.nudge(table, ben, now=NOW + DAY)
    with pytest.raises(Refused, match="do not play"):
        patience.nudge(table, other, now=NOW + DAY)
    client = Client()
    client.force_login(ann)
    monkeypatch.setattr(clock, "now", lambda: NOW + DAY)
    assert "Nudge them" in client.get(f"/t/{table.key}/").content.decode()
    assert client.post(f"/t/{table.key}/nudge").status_code == 302
    assert [nudged(user) for user in (ann, ben, cem)] == [0, 1, 1]
    assert client.post(f"/api/tables/{table.key}/nudge").status_code == 429
    assert "Nudge them" not in client.get(f"/t/{table.key}/").content.decode()
    ready(table, ben)
    monkeypatch.setattr(clock, "now", lambda: NOW + 2 * DAY)
    assert client.post(f"/api/tables/{table.key}/nudge").status_code == 200
    assert [nudged(user) for user in (ann, ben, cem)] == [0, 1, 2]
    with pytest.raises(Refused, match="has a deadline"):
        patience.nudge(running([ann, ben]), ann, now=NOW + DAY)


def test_the_end_of_the_wait() -> None:
    """After two weeks in which somebody is ready and others are not, there is a deadline, and everybody is told."""
    ann, ben = people(2)
    table = running([ann, ben], BY_HAND)
    ready(table, ann)
    do_jobs(NOW + 14 * DAY - HOUR)
    table.refresh_from_db()
    assert table.deadline is None
    do_jobs(NOW + 14 * DAY)
    table.refresh_from_db()
    assert table.deadline == NOW + 16 * DAY
    assert Message.objects.filter(text__contains="waited for some of its players").count() == 1
    for user in (ann, ben):
        assert OutMail.objects.filter(user=user, subject__contains="now has a deadline").count() == 1
    do_jobs(NOW + 15 * DAY)
    assert OutMail.objects.filter(subject__contains="now has a deadline").count() == 2


@pytest.mark.parametrize(("who", "longest"), [("nobody", 14 * 24 * 60), ("ann", 0), ("alone", 14 * 24 * 60)])
def test_nobody_is_kept_waiting(who: str, longest: int) -> None:
    """Where nobody is ready, nobody else plays, or it was agreed, a game without a clock waits for ever."""
    ann, ben = people(2)
    table = running([ann] if who == "alone" else [ann, ben], BY_HAND.model_copy(update={"longest": longest}))
    if who == "ann":
        ready(table, ann)
    for days in (14, 15, 40):
        do_jobs(NOW + days * DAY)
    table.refresh_from_db()
    assert (table.deadline, table.ordinal) == (None, 0)
    if who == "nobody":
        ready(table, ann, NOW + 40 * DAY)
        do_jobs(NOW + 41 * DAY + timedelta(minutes=1))
        table.refresh_from_db()
        assert table.deadline is not None


def test_games_that_were_agreed_upon_before() -> None:
    """An upgrade leaves running games as they are."""
    table = running(people(2), BY_HAND)
    settings = {name: value for name, value in table.settings.items() if name != "longest"}
    Table.objects.filter(pk=table.pk).update(settings=settings)
    import_module("gamesmaster.host.migrations.0016_squashed_0028_helper").wait_on(apps, None)
    table.refresh_from_db()
    assert table.settings == {**settings, "longest": 0}
