"""What a game waits for is told on its page, with its end, to each reader as far as he or she may know."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from gamesmaster.host.games import seats
from gamesmaster.host.games.words import Wait, current_wait
from gamesmaster.host.models import Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.site import clock
from gamesmaster.host.tables import access
from gamesmaster.host.tables.settings import PACES, Absent, TableSettings
from tests.host.conftest import DAY, HOUR, NOW, people, power_of, running

pytestmark = pytest.mark.django_db


def told(table: Table, user: User | None) -> Wait:
    """What the headline tells this reader."""
    found = current_wait(access.look(table.key, user))
    assert found is not None
    return found


def ready(table: Table, user: User, at: datetime) -> None:
    """Say that one is ready, with a set of no orders."""
    table.refresh_from_db()
    power = power_of(table, user)
    submission.submit(table, power, "", Submission(table.ordinal, confirm=True), user=user, now=at)


def test_orders_are_due(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deadline; to who is ready, that the others may still make it earlier; to all at the table, when it does."""
    monkeypatch.setattr(clock, "now", lambda: NOW + HOUR)
    ann, ben, other = people(3)
    table = running([ann, ben])
    assert told(table, ann) == Wait("Orders are due {at}", NOW + 2 * DAY)
    ready(table, ann, NOW + HOUR)
    assert told(table, ann).more.startswith("You are ready; the phase ends when the others are")
    assert (told(table, ann).settled, told(table, ben).settled) == (True, False)
    ready(table, ben, NOW + HOUR)
    both = Wait("Everybody is ready: the phase ends at {at}.", NOW + HOUR + timedelta(minutes=20), settled=True)
    assert told(table, ann) == told(table, ben) == both
    assert told(table, other) == Wait("Orders are due {at}", NOW + 2 * DAY)
    monkeypatch.setattr(clock, "now", lambda: NOW + 2 * HOUR)
    assert told(table, ann).says.endswith("is being adjudicated\u2026")
    assert told(table, ann).soon


def test_without_a_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no deadline is set it is said what ends the phase, for whom it waits, and that it hangs on the others."""
    monkeypatch.setattr(clock, "now", lambda: NOW + HOUR)
    ann, ben = people(2)
    table = running([ann, ben], TableSettings(deadlines=PACES["by hand"]))
    powers = [seat.power for seat in access.look(table.key, ann).seats if not seat.bot]
    waits = f"It waits for {' and '.join(powers)}."
    assert told(table, ann) == Wait("No deadline: the phase ends when everybody is ready.", more=waits)
    ready(table, ann, NOW + HOUR)
    waits = f"It waits for {power_of(table, ben)}."
    assert told(table, ann).more == f"You are ready; the phase ends when the others are, too. {waits}"


def test_grace_is_told_as_grace(monkeypatch: pytest.MonkeyPatch) -> None:
    """After the deadline: when it was, and until when the game waits for late orders."""
    ann, ben = people(2)
    table = running([ann, ben], TableSettings(absent=Absent(grace=90)))
    late = NOW + 2 * DAY + timedelta(minutes=1)
    assert processing.process(table, 0, now=late) is processing.Done.WAITING
    monkeypatch.setattr(clock, "now", lambda: late)
    found = told(table, ann)
    assert (found.says, found.late) == (
        "The deadline passed at {late}. The game waits until {at} for late orders.",
        NOW + 2 * DAY,
    )
    assert found.at == late + timedelta(minutes=90)


def test_a_player_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """While a power needs a player it is said which, and until when somebody may come."""
    monkeypatch.setattr(clock, "now", lambda: NOW + HOUR)
    ann, ben = people(2)
    table = running([ann, ben])
    power = power_of(table, ben)
    seats.leave(table, ben, now=NOW + HOUR)
    assert told(table, ann).more == f"Until then anybody may take over {power}."


def test_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """A phase that asks nothing of any person goes on at once, as long as a person still has a power."""
    (ann,) = people(1)
    table = running([ann], TableSettings(panic=15))
    game, seats = access.look(table.key, ann).bare_game, list(table.seats.all())
    monkeypatch.setattr(submission, "awaited_powers", lambda game, seats: [])
    assert submission.early(table, game, seats, (), NOW + timedelta(seconds=1)) == NOW + timedelta(seconds=1)
