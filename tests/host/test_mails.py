"""What mails tell: each happening a mail of its own, with its own subject and its text, for its reader alone."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from gamesmaster import host
from gamesmaster.host.accounts import people
from gamesmaster.host.games import deadlines, hosting, seats
from gamesmaster.host.gm import desk
from gamesmaster.host.models import Message, OutMail, Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import past, processing, votes
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.tables import notifications
from gamesmaster.host.tables.settings import Absent, TableSettings
from tests.host.conftest import DAY, HOUR, NOW, power_of, running
from tests.host.conftest import people as some

pytestmark = pytest.mark.django_db


def mails(user: User, event: str = "") -> list[OutMail]:
    """What was written to somebody, oldest first."""
    found = OutMail.objects.filter(user=user).order_by("pk")
    return list(found.filter(event=event) if event else found)


def last(user: User) -> OutMail:
    """The last mail to somebody."""
    return mails(user)[-1]


def miss(table: Table, ordinal: int) -> None:
    """Let the deadline of a phase pass, grace and all."""
    for _ in range(2):
        table.refresh_from_db()
        assert table.deadline is not None
        if processing.process(table, ordinal, now=table.deadline + timedelta(minutes=1)) is processing.Done.PROCESSED:
            break
    table.refresh_from_db()
    assert table.ordinal == ordinal + 1


def test_the_first_mail_says_what_the_reader_plays() -> None:
    """The first mail tells each player the own power, what is due, and who plays what, by their names."""
    users = some(3)
    table = running(users)
    for user in users:
        power, mail = power_of(table, user), last(user)
        units = "4 units" if power == "Russia" else "3 units"
        assert mail.subject == f"[Seven at a table] the game begins: you play {power}"
        assert f"You play {power}." in mail.body
        assert f"Spring 1901 Movement: Orders for {units} are due by {table.deadline_wall}." in mail.body
        assert f"  {power}: {user.username}\n" in mail.body
        assert "player 0" not in mail.body
        assert mail.body.count(": a bot") == 4
        assert "  Russia: A Mos, F Sev, F Stp/SC, A War\n" in mail.body
        assert f"/t/{table.key}/map.svg" in mail.body


def test_the_first_mail_of_an_anonymous_game() -> None:
    """In an anonymous game the first mail names no player and no bot."""
    users = some(2)
    table = running(users, TableSettings(anonymity="until_end"))
    for user in users:
        told = last(user).body
        assert f"You play {power_of(table, user)}." in told
        assert "player" not in told.replace("The powers (players stay anonymous)", "")
        assert "bot" not in told


def test_two_letters_from_the_gamesmaster_are_two_mails() -> None:
    """Each letter from the Gamesmaster to everybody comes as a mail of its own, with all its text (C: swallowed)."""
    player, gm = some(2)
    table = running([player], gm=gm)
    deadlines.extend(table, gm, NOW + 3 * DAY, now=NOW)
    desk.tell_all(table, gm, "Welcome.\n\nBe kind.", now=NOW)
    desk.tell_all(table, gm, "And have fun.", now=NOW)
    told = [(m.subject.partition("] ")[2], m.body) for m in mails(player)[1:]]
    assert [subject for subject, _ in told] == [
        "new deadline for S1901M", *["a message from the Gamesmaster to all"] * 2,
    ]  # fmt: skip
    assert "The Gamesmaster has moved the deadline." in told[0][1]
    assert "are now due by 2027-01-07 12:00 UTC." in told[0][1]
    assert "Welcome.\n\nBe kind." in told[1][1]
    assert "And have fun." in told[2][1]


def test_more_time_then_a_pause_by_vote() -> None:
    """More time by vote and then a pause by vote in one phase are two mails under two subjects, as the notices say."""
    player, *_ = some(1)
    table = running([player])
    power = power_of(table, player)
    assert votes.wish(table, power, "extend", ordinal=0, user=player, now=NOW)
    assert votes.wish(table, power, "pause", ordinal=0, user=player, now=NOW)
    more, pause = mails(player)[1:]
    assert more.subject.endswith("more time for S1901M, by vote")
    assert (
        "The players have voted for more time.\n\nOrders for S1901M are now due by 2027-01-08 12:00 UTC." in more.body
    )
    assert pause.subject.endswith("the game is paused")
    assert "The players have voted to pause the game." in pause.body
    notices = [m.text for m in Message.objects.filter(table=table).order_by("pk")][-2:]
    assert notices[0].startswith("The players have voted for more time.")
    assert notices[1].startswith("The players have voted to pause the game.")


def test_two_replacements_in_a_phase() -> None:
    """Whoever is replaced is told, even with mails of this kind switched off; the new player reads what is owed."""
    first, second, third, gm = some(4)
    table = running([first], gm=gm)
    power = power_of(table, first)
    people.choose(first, {"notices": {"seats": "none"}})
    seats.replace(table, power, second, gm, now=NOW)
    seats.replace(table, power, third, gm, now=NOW)
    for out in (first, second):
        assert last(out).subject.endswith(f"you no longer play {power}")
        assert f"The Gamesmaster has given {power} to another player." in last(out).body
    for new in (second, third):
        (mail,) = [m for m in mails(new) if m.subject.endswith(f"] you play {power}")]
        assert f"You play {power} from now on." in mail.body
        assert "are due by" in mail.body


def test_orders_put_in_by_the_gamesmaster() -> None:
    """The player is told by mail that the Gamesmaster has entered orders, and by no mail which."""
    player, other, gm = some(3)
    table = running([player, other], gm=gm)
    power = power_of(table, player)
    before = len(mails(other))
    desk.override(table, power, "", gm, Submission(0), now=NOW)
    assert last(player).subject.endswith(f"S1901M: the Gamesmaster has entered orders for {power}")
    assert f"/t/{table.key}/" in last(player).body
    assert len(mails(other)) == before


def test_a_seat_lost_step_by_step() -> None:
    """Reminder, grace, loss and disorder are told to the player in words of their own, and to the others."""
    idle, other = some(2)
    table = running([idle, other], TableSettings(absent=Absent(notice=60, grace=60, misses=1, standby=60), panic=0))
    power = power_of(table, idle)
    assert table.deadline is not None
    processing.remind(table.deadline - HOUR / 2)
    processing.remind(table.deadline - HOUR / 2)
    (reminder,) = mails(idle, "deadline")
    assert reminder.subject.endswith(f"S1901M: your orders are due by {table.deadline_wall}")
    miss(table, 0)
    late = mails(idle, "deadline")[-1]
    assert "S1901M: your orders are late; you have until 2027-01-06 13:01 UTC" in late.subject
    assert f"If they are missing then, {power} can go to another player." in late.body
    (lost,) = mails(idle, "seat")
    assert lost.subject.endswith(f"you may lose {power}")
    assert any(m.subject.endswith(f"{power} needs a player") for m in mails(other))
    while not mails(idle, "seat")[1:]:
        miss(table, table.ordinal)
    disorder = mails(idle, "seat")[1]
    assert disorder.subject.endswith(f"{power} is in civil disorder")
    assert "To come back" in disorder.body


def test_who_sits_down_is_told_to_the_owner_alone() -> None:
    """Before the game begins its owner is told of each new player, and by name only where names are shown."""
    owner, second, third = some(3)
    for settings, who in (
        (TableSettings(starts="asked"), "player2"),
        (TableSettings(anonymity="always"), "A new player"),
    ):
        table = hosting.create(owner, "standard", settings, now=NOW)
        for user in (owner, second):
            seats.join(table, user, now=NOW)
        assert f"{who} has joined: 2 of 7 seats are taken." in last(owner).body
    seats.leave(table, second, now=NOW)
    assert "A player has left the game: 1 of 7 seats is taken." in last(owner).body
    assert mails(second) == mails(third) == []


def test_times_are_told_in_the_readers_zone() -> None:
    """A deadline stands in a mail as it was promised, and as it is where the reader lives."""
    player, gm = some(2)
    people.choose(player, {"time_zone": "Europe/Vienna"})
    table = running([player], gm=gm)
    deadlines.pause(table, gm, now=NOW)
    deadlines.resume(table, gm, now=NOW)
    told = last(player).body
    assert "The Gamesmaster has ended the pause." in told
    assert "due by 2027-01-06 12:00 UTC (Wed 2027-01-06 13:00 Europe/Vienna for you)." in told


def test_who_leaves_is_missed() -> None:
    """When a player leaves, the others are told that the power needs a player."""
    one, two = some(2)
    table = running([one, two])
    power = power_of(table, one)
    seats.leave(table, one, now=NOW)
    assert last(two).subject.endswith(f"{power} needs a player")
    assert f"The player of {power} has left. Anybody may now take {power} over." in last(two).body


def test_orders_just_in_time_are_a_return() -> None:
    """A player whose power could have gone to another is back with the next orders, and all are told."""
    idle, other = some(2)
    table = running([idle, other], TableSettings(absent=Absent(grace=0, misses=1, standby=60), early=False))
    power, second = power_of(table, idle), power_of(table, other)
    submission.submit(table, second, "", Submission(0), user=other, now=NOW)
    miss(table, 0)
    submission.submit(table, power, "", Submission(1), user=idle, now=table.phase_began)
    assert last(idle).subject.endswith(f"you play {power} again")
    assert last(other).subject.endswith(f"the player of {power} is back")
    assert Message.objects.filter(table=table).latest("pk").text == f"The player of {power} is back."


def test_a_phase_played_again_is_told_again() -> None:
    """After a rollback the same phase has a reminder and results of its own, though it has the same number."""
    player, gm = some(2)
    table = running([player], gm=gm)
    for at in (NOW + 46 * HOUR, NOW + 5 * DAY + 46 * HOUR):
        processing.remind(at)
        processing.remind(at + HOUR)
        miss(table, 0)
        past.rollback(table, 0, gm, now=NOW + 5 * DAY)
        table.refresh_from_db()
    told = [m.subject.partition("] ")[2] for m in mails(player)]
    assert len([subject for subject in told if "your orders are due by" in subject]) == 2
    assert told.count("results of S1901M") == 2
    assert told.count("the game is taken back to S1901M") == 2


def test_who_runs_a_table_may_stop_mails_too() -> None:
    """What the foot of a mail promises holds for the Gamesmaster: stopped mails do not come."""
    player, gm = some(2)
    table = running([player], gm=gm)
    correspondence.send(table, power_of(table, player), Press("One.", [correspondence.HOUSE]), user=player, now=NOW)
    people.choose(gm, {"notices": {"press": "none"}})
    correspondence.send(table, power_of(table, player), Press("Two.", [correspondence.HOUSE]), user=player, now=NOW)
    assert [("One." in m.body, "writes to you:" in m.body) for m in mails(gm, "press")] == [(True, True)]


def test_every_letter_is_written_somewhere() -> None:
    """Each notification of notifications.toml is named in the code, and the code names no other."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in Path(host.__path__[0]).rglob("*.py"))
    calls = re.findall(r'\b(?:write|compose)\(\s*(?:\w+,\s*)?"(\w+)"', code)
    assert set(calls) <= set(notifications.TEMPLATES)
    assert not [name for name in notifications.TEMPLATES if f'"{name}"' not in code]
