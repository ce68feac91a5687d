from __future__ import annotations

from datetime import timedelta

import pytest

from gamesmaster.host.games import deadlines, hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.models import Message, OutMail, Sheet, Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import past, processing, votes
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import DAY, HOUR, NOW, people, power_of, running

pytestmark = pytest.mark.django_db


def refused(code: str) -> pytest.RaisesExc[Refused]:
    """A refusal with this code."""
    return pytest.raises(Refused, check=lambda refusal: refusal.code == code)


def test_a_table_fills_and_begins() -> None:
    """When the last seat is taken the game begins: powers drawn by its dice, a deadline set, everybody written to."""
    users = people(7)
    table = hosting.create(users[0], GameChoice("standard", name="  Seven\n at a table "), now=NOW)
    for user in users:
        seats.join(table, user, now=NOW)
    table.refresh_from_db()
    assert (table.state, table.phase_code, table.name) == ("running", "S1901M", "Seven at a table")
    assert table.deadline == NOW + 2 * DAY
    game = store.load(table)
    assert {power_of(table, user) for user in users} == {power.name for power in game.variant.powers}
    assert OutMail.objects.filter(event="game").count() == 7


def test_joining_twice_is_joining_once() -> None:
    """A second click gets the same seat, and nobody gets a second one (A6)."""
    user, *_ = people(1)
    table = hosting.create(user, "standard", now=NOW)
    assert seats.join(table, user, now=NOW) == seats.join(table, user, now=NOW)
    assert table.seats.count() == 1


def test_preferences() -> None:
    """Where powers go by preference, those who want different ones all get theirs."""
    users = people(3)
    table = hosting.create(users[0], "standard", TableSettings(powers="preference", fill="holder"), now=NOW)
    wanted = ["Turkey", "England", "Italy"]
    for user, power in zip(users, wanted, strict=True):
        seats.join(table, user, preferences=[power, "France"], now=NOW)
    hosting.start(table, users[0], now=NOW)
    assert [power_of(table, user) for user in users] == wanted


def test_invitations() -> None:
    """A table for invited players is hidden from others, and lets in as many as the link says."""
    owner, guest, late = people(3)
    table = hosting.create(owner, "standard", TableSettings(join="invited"), now=NOW)
    with refused("no-table"):
        access.look(table.key, guest)
    with refused("not-invited"):
        seats.join(table, guest, now=NOW)
    link = seats.invite(table, owner, now=NOW)
    seats.join(table, guest, invitation=link.key, now=NOW)
    with refused("not-invited"):
        seats.join(table, late, invitation=link.key, now=NOW)


def test_only_the_gamesmaster_runs_a_table() -> None:
    """A player cannot move deadlines, pause, look ahead, take back or process; the Gamesmaster can, and it is noted."""
    user, gm = people(2)
    table = running([user], gm=gm)
    for forbidden in (
        lambda: deadlines.pause(table, user, now=NOW),
        lambda: deadlines.extend(table, user, NOW + DAY, now=NOW),
        lambda: past.rollback(table, 0, user, now=NOW),
        lambda: processing.preview(table, user, now=NOW),
        lambda: processing.ask(table, 0, user, now=NOW),
    ):
        with refused("not-gm"):
            forbidden()
    deadlines.extend(table, gm, NOW + 5 * DAY, now=NOW)
    deadlines.pause(table, gm, now=NOW + DAY)
    deadlines.resume(table, gm, now=NOW + 20 * DAY)
    table.refresh_from_db()
    assert table.deadline == NOW + 24 * DAY
    assert table.audit.filter(who=gm).count() == 3


@pytest.mark.parametrize("days", [-1, 0, 367, 365 * 10])
def test_deadlines_have_bounds(days: int) -> None:
    """A deadline is moved neither into the past nor beyond a year (B4)."""
    user, gm = people(2)
    table = running([user], gm=gm)
    with refused("bad-time"):
        deadlines.extend(table, gm, NOW + timedelta(days=days), now=NOW)


def test_who_is_replaced_is_out_at_once() -> None:
    """A replaced player orders no more, the former orders are forgotten, and the newcomer has a full phase (D8)."""
    old, new, gm = people(3)
    table = running([old], gm=gm)
    power = power_of(table, old)
    submission.submit(table, power, "", Submission(0), user=old, now=NOW + HOUR)
    seats.replace(table, power, new, gm, now=NOW + DAY)
    with refused("no-seat"):
        submission.submit(table, power, "", Submission(0), user=old, now=NOW + DAY)
    table.refresh_from_db()
    assert table.deadline == NOW + 3 * DAY
    assert not Sheet.objects.filter(table=table, power=power).exists()


def test_a_draw_ends_the_game() -> None:
    """When every player agrees to share, bots agreeing, the game is over and the seed is shown."""
    users = people(2)
    table = running(users)
    game = store.load(table)
    for user, over in zip(users, (False, True), strict=True):
        ended = votes.cast(table, power_of(table, user), game.survivors, ordinal=0, user=user, now=NOW + HOUR)
        assert ended is over
    table.refresh_from_db()
    assert table.state == "finished"
    assert access.look(table.key, None).seed == bytes(table.seed).hex()
    with refused("not-running"):
        submission.submit(table, power_of(table, users[0]), "", Submission(0), user=users[0], now=NOW + HOUR)


def test_more_time_by_vote() -> None:
    """Two thirds of the players get more time."""
    users = people(3)
    table = running(users)
    carried = [
        votes.wish(table, power_of(table, user), "extend", ordinal=0, user=user, now=NOW + HOUR) for user in users[:2]
    ]
    table.refresh_from_db()
    assert carried == [False, True]
    assert table.deadline == NOW + 4 * DAY


def test_secrets_are_masked() -> None:
    """Nobody learns another's orders, whether any came, the seed, or, in anonymous games, who plays what (D1, D6)."""
    one, two = people(2)
    table = running([one, two], TableSettings(anonymity="until_end"))
    power = power_of(table, one)
    unit = store.load(table).position.of(power)[0]
    submission.submit(table, power, f"{unit.kind} {unit.at} H", Submission(0), user=one, now=NOW + HOUR)
    seen, own, public = (access.look(table.key, user) for user in (two, one, None))
    assert [sheet.power for sheet in own.sheets] == [power]
    for view in (seen, public):
        theirs = next(seat for seat in view.seats if seat.power == power)
        assert (view.sheets, theirs.player, theirs.sent, theirs.user) == ((), "hidden", None, None)
        assert view.seed == ""
        assert not any(view.bare_game.seed)
        assert not view.bare_game.orders
        with refused("no-seat"):
            view.power(power)


def test_press_reaches_whom_it_is_for() -> None:
    """A message to some is read by them and its sender alone."""
    users = people(3)
    table = running(users)
    powers = [power_of(table, user) for user in users]
    Message.objects.create(
        table=table, ordinal=0, sender=powers[0], shown_as=powers[0], to=[powers[1]], text="psst", sent_at=NOW
    )
    heard = [any(m.text == "psst" for m in access.look(table.key, user).messages()) for user in [*users, None]]
    assert heard == [True, True, False, False]


def test_a_sandbox() -> None:
    """Whoever has its key orders for all powers, processes, takes back and forks, without an account."""
    table = hosting.sandbox("standard", now=NOW)
    submission.submit(table, "France", "A Par - Bur", Submission(0), user=None, now=NOW)
    submission.submit(table, "Germany", "A Mun - Bur", Submission(0), user=None, now=NOW)
    assert processing.ask(table, 0, None, now=NOW) is processing.Done.PROCESSED
    past.rollback(table, 0, None, now=NOW)
    table.refresh_from_db()
    assert (table.ordinal, table.deadline) == (0, None)
    assert {s.power for s in access.look(table.key, None).sheets} == {"France", "Germany"}


def test_a_fork_has_dice_of_its_own() -> None:
    """A sandbox forked from a game has its past, its orders where the phase is over, and another seed."""
    user, *_ = people(1)
    table = running([user])
    processing.process(table, 0, "asked", now=NOW + HOUR)
    fork = past.fork(access.look(table.key, user), 0, user, now=NOW + 2 * HOUR)
    assert (fork.phase_code, fork.sandbox) == ("S1901M", True)
    assert bytes(fork.seed) not in (bytes(table.seed), bytes(32))
    assert store.load(fork).seed == bytes(fork.seed)
    assert Table.objects.get(pk=table.pk).ordinal == 1
