"""The brake on mail: whoever gets too many has the others as one, and nothing is lost without a word."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.mailroom import brake, delivery
from gamesmaster.host.models import OutMail, Table
from gamesmaster.host.operations import doctor, health
from gamesmaster.host.tables import outbox
from tests.host.conftest import DAY, HOUR, NOW, do_jobs, people, person, power_of, running
from tests.host.mailing import World

pytestmark = pytest.mark.django_db
SECOND = timedelta(seconds=1)


def written(user: User, number: int, at: datetime, **fields: Any) -> None:
    """Put mails for somebody into the outbox."""
    OutMail.objects.bulk_create(
        outbox.mail(
            at, dedupe=f"{fields}{user.pk}.{n}.{at}", to=user.email, user=user, subject=f"mail {n} of {at:%H:%M}",
            **{"event": "table", "body": f"text {n}", **fields},
        )
        for n in range(number)
    )  # fmt: skip


def admin() -> User:
    """Somebody who runs the site."""
    user = person("boss")
    User.objects.filter(pk=user.pk).update(is_superuser=True)
    return user


def test_somebody_gets_too_many(settings: Any, caplog: pytest.LogCaptureFixture, client: Client) -> None:
    """Beyond the share of a day mails are held back, and come as one after an hour; the operator is told once."""
    settings.MAILS_PER_PERSON = 5
    boss, (ann, ben) = admin(), people(2)
    with World().open() as world:
        written(ann, 8, NOW)
        written(ben, 4, NOW)
        written(ann, 2, NOW, event="answer")
        while delivery.deliver(NOW).more:
            pass
        assert (len(world.of(ann)), len(world.of(ben))) == (7, 4)
        assert health.look(NOW).alarms == ["mails held back until a digest: 3"]
        assert "3 mails held back until a digest" in [one.text for one in dict(doctor.CHECKS)["mails"](NOW)]
        assert b"gamesmaster_held_mails 3.0" in health.metrics_text()
        written(ann, 1, NOW + 10 * SECOND)
        for at in (NOW + 20 * SECOND, NOW + HOUR - SECOND):
            do_jobs(at)
        assert brake.held().count() == 4
        assert len(world.of(boss)) == 1
        for seconds in (300, 310):
            do_jobs(NOW + HOUR + seconds * SECOND)
        *_, digest = world.of(ann)
        assert digest["Subject"] == "e-mails held back: 4"
        text = str(digest.get_payload())
        assert text.count("text ") == 4
        assert "mail 7 of 12:00" in text
        assert len(world.of(ann)) == 8
        assert not brake.held()
        written(ann, 1, NOW + DAY + HOUR)
        do_jobs(NOW + DAY + HOUR)
        assert len(world.of(ann)) == 9  # another day
    warned = [line.getMessage() for line in caplog.records if line.levelno == logging.WARNING]
    assert warned == ["the brake on mail holds mails back"]


def test_what_is_superseded_is_dropped(settings: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A reminder of a phase that is over, or press for a seat that was left, is dropped with a line in the log."""
    settings.MAILS_PER_PERSON = 0
    caplog.set_level(logging.INFO)
    ann, ben = people(2)
    table = running([ann, ben])
    OutMail.objects.all().delete()
    power = power_of(table, ann)
    with World().open() as world:
        for n, event in enumerate(("deadline", "press", "phase")):
            written(ann, 1, NOW + n * SECOND, event=event, table=table, power=power)
        delivery.deliver(NOW + HOUR)
        Table.objects.filter(pk=table.pk).update(ordinal=1)
        table.seats.filter(user=ann).update(state="left")
        brake.send_digests(NOW + 2 * HOUR)
        delivery.deliver(NOW + 2 * HOUR)
        assert [mail["Subject"] for mail in world.mails] == ["e-mails held back: 1"]
    states = OutMail.objects.filter(table=table).order_by("pk").values_list("event", "state", "why")
    assert list(states) == [
        ("deadline", "replaced", "superseded"), ("press", "replaced", "superseded"), ("phase", "replaced", "digest")
    ]  # fmt: skip
    (line,) = [line for line in caplog.records if line.getMessage() == "mails were dropped"]
    assert line.__dict__["number"] == 2


def test_the_site_sends_too_many(settings: Any) -> None:
    """Beyond the share of an hour mails wait, but answers and mails about accounts do not; then they go out."""
    settings.MAILS_PER_HOUR = 6
    boss, (ann, ben) = admin(), people(2)
    with World().open() as world:
        written(ann, 5, NOW)
        written(ben, 5, NOW)
        written(ben, 1, NOW, event="answer")
        outbox.about_account(ben.email, "a link", "text", NOW, user=ben)
        for _ in range(3):
            delivery.deliver(NOW)
        assert sorted(mail["Subject"] for mail in world.of(ben) if "of" not in mail["Subject"]) == ["a link"]
        assert (len(world.mails), len(world.of(boss))) == (9, 1)
        assert health.look(NOW).alarms == ["mails sent within an hour: 9; the others wait"]
        delivery.deliver(NOW + HOUR - SECOND)
        waiting = OutMail.objects.filter(state=OutMail.QUEUED).count()
        assert waiting > 0
        delivery.deliver(NOW + HOUR + SECOND)
        assert not OutMail.objects.filter(state=OutMail.QUEUED)
        assert len(world.of(boss)) == 1
    assert OutMail.objects.filter(state=OutMail.SENT).count() == 13
