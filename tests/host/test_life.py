"""The life of a table: absence step by step and the ways back, pauses and who ends them, rollbacks, seats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from email.utils import format_datetime

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.board import Position
from gamesmaster.host.games import deadlines, ratings, seats
from gamesmaster.host.mailroom import addresses, intake
from gamesmaster.host.models import OutMail, Seat, SeatState, Table, TableState
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import past, processing, votes
from gamesmaster.host.phases.processing import Done
from gamesmaster.host.site import clock
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.settings import Absent, TableSettings
from tests.host.conftest import DAY, HOUR, NOW, holding, people, power_of, running
from tests.host.mailing import letter
from tests.host.test_api import Program
from tests.host.test_cline_house import by_mail
from tests.host.test_tables import refused

pytestmark = pytest.mark.django_db
STRICT = TableSettings(absent=Absent(grace=0, notice=0, misses=2, standby=3 * 24 * 60))
"""No grace; two misses in a row lose a seat; three days are given to find another player."""
MINUTE = timedelta(minutes=1)


def again(table: Table) -> Table:
    """The table as it is now."""
    return Table.objects.get(pk=table.pk)


def send(table: Table, *users: User, at: datetime | None = None) -> None:
    """These players send an order for the phase being played."""
    now = again(table)
    for user in users:
        when = at or (now.phase_began or NOW) + MINUTE
        submission.submit(now, power_of(now, user), [holding(now, user)], Submission(now.ordinal), user=user, now=when)


def pass_deadline(table: Table) -> Table:
    """The deadline passes, and the phase is processed."""
    now = again(table)
    assert now.deadline is not None
    assert processing.process(now, now.ordinal, now=now.deadline + MINUTE) is Done.PROCESSED
    return again(table)


def seat_of(table: Table, user: User) -> Seat:
    """The seat of a user who is at the table."""
    return table.seats.exclude(state=SeatState.LEFT).get(user=user)


def lose(table: Table, user: User, *others: User) -> Table:
    """A player sends nothing, while others do, until the power is in civil disorder."""
    for _ in range(4):
        if seat_of(table, user).state == SeatState.DISORDER:
            return again(table)
        send(table, *others)
        pass_deadline(table)
    raise AssertionError(seat_of(table, user).state)


# -- missing, and coming back ----------------------------------------------------------------------------------------


def test_grace_is_told_as_grace() -> None:
    """While the table waits it says since when orders are late, and writes until when they are still taken."""
    ann, ben = people(2)
    table = running([ann, ben], TableSettings(absent=Absent(grace=60)))
    missed = table.deadline
    assert missed is not None
    assert processing.process(table, 0, now=missed + MINUTE) is Done.WAITING
    table.refresh_from_db()
    assert table.late_since == missed
    assert access.look(table.key, None).late_since == missed
    letter = OutMail.objects.get(user=ann, subject__contains="late")
    assert f"your orders are late; you have until {table.deadline_wall}" in letter.subject
    assert processing.process(table, 0, now=missed + 2 * HOUR) is Done.PROCESSED  # it waits once a phase
    table.refresh_from_db()
    assert table.late_since is None


def test_from_missing_to_playing_on() -> None:
    """Two misses, a search for another player, civil disorder; then the same player comes back and plays on."""
    ann, ben = people(2)
    table = running([ann, ben], STRICT)
    power, number = power_of(table, ann), seat_of(table, ann).pk
    steps = []
    for _ in range(3):
        send(table, ben)
        table = pass_deadline(table)
        steps.append((seat_of(table, ann).state, seat_of(table, ann).misses, power in store.load(table).disorder))
    assert steps == [("sitting", 1, False), ("standby-wanted", 2, False), ("disorder", 2, True)]
    over = list(table.phases.order_by("ordinal"))
    assert over[2].processed_at - over[1].processed_at > 3 * DAY  # the search had its time
    with refused("disorder"):
        send(table, ann)
    seats.join(table, ann, now=table.phase_began or NOW)
    seat = seat_of(table, ann)
    assert (seat.pk, seat.state, seat.left_ordinal) == (number, "sitting", None)
    assert power not in store.load(again(table)).disorder
    send(table, ann, ben)
    table = pass_deadline(table)
    assert (seat_of(table, ann).state, seat_of(table, ann).misses) == ("sitting", 0)
    assert power in store.load(table).records[-1].orders
    assert ratings.reliability(ann).left == 0


@pytest.mark.parametrize("state", [SeatState.AWAY, SeatState.STANDBY_WANTED])
def test_orders_bring_a_player_back(state: str) -> None:
    """Orders sent before civil disorder make a missing player a sitting one at once; nobody takes the power then."""
    ann, ben, carl = people(3)
    table = running([ann, ben], STRICT)
    table.seats.filter(user=ann).update(state=state, misses=2)
    send(table, ann)
    assert seat_of(table, ann).state == "sitting"
    with refused("full"):
        seats.join(table, carl, power=power_of(table, ann), now=NOW)


def test_the_way_back_needs_no_invitation() -> None:
    """A player who was given up comes back without an invitation, reliable enough for the table or not."""
    ann, ben = people(2)
    table = running([ann, ben], STRICT)
    lose(table, ann, ben)
    Table.objects.filter(pk=table.pk).update(settings={**table.settings, "join": "invited", "min_reliability": 99})
    seats.join(table, ann, now=again(table).phase_began or NOW)
    assert seat_of(table, ann).state == "sitting"


def test_words_alone_do_not_undo_misses() -> None:
    """A player who comes back and sends nothing is given up at the very next miss."""
    ann, ben = people(2)
    table = lose(running([ann, ben], STRICT), ann, ben)
    seats.join(table, ann, now=table.phase_began or NOW)
    send(table, ben)
    assert seat_of(pass_deadline(table), ann).state == "standby-wanted"


# -- others come -----------------------------------------------------------------------------------------------------


def test_a_power_taken_over() -> None:
    """A stranger takes a power over that is in civil disorder, has a full phase for it, and the old player is out."""
    ann, ben, carl = people(3)
    table = running([ann, ben], STRICT)
    power = power_of(table, ann)
    table = lose(table, ann, ben)
    at = (table.deadline or NOW) - HOUR
    seats.join(table, carl, power=power, now=at)
    table = again(table)
    assert (power_of(table, carl), table.deadline) == (power, at + 2 * DAY)
    gone, came = table.seats.get(user=ann), seat_of(table, carl)
    assert (gone.state, gone.left_ordinal, came.joined_ordinal) == ("left", table.ordinal, table.ordinal)
    with refused("full"):
        seats.join(table, ann, power=power, now=at)
    send(table, carl, ben, at=at)
    assert seat_of(pass_deadline(table), carl).misses == 0


@pytest.mark.parametrize("who", ["returns", "stranger"])
def test_a_deserted_table_goes_on(who: str) -> None:
    """A table whose last player was lost is paused, and goes on with a full phase when somebody comes."""
    ann, ben = people(2)
    table = lose(running([ann], STRICT), ann)
    assert (table.state, table.paused_why, table.deadline) == (TableState.PAUSED, "deserted", None)
    at = NOW + 90 * DAY
    comer = ann if who == "returns" else ben
    seats.join(table, comer, now=at)
    table = again(table)
    assert (table.state, table.paused_why, table.deadline) == (TableState.RUNNING, "", at + 2 * DAY)
    send(table, comer, at=at)
    assert seat_of(pass_deadline(table), comer).state == "sitting"


def test_the_last_who_leaves_pauses_the_table() -> None:
    """When the last player leaves, bots do not play on by themselves; whoever takes the power over sets it going."""
    ann, ben = people(2)
    table = running([ann], STRICT)
    power = power_of(table, ann)
    seats.leave(table, ann, now=NOW + HOUR)
    assert (again(table).state, again(table).paused_why) == (TableState.PAUSED, "deserted")
    seats.join(table, ben, power=power, now=NOW + DAY)
    assert (again(table).state, again(table).deadline) == (TableState.RUNNING, NOW + 3 * DAY)


def _by_page(table: Table, user: User, what: str, at: datetime) -> None:
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(clock, "now", lambda: at)
        client.post(f"/t/{table.key}/{what}", {"sure": "yes"})


def _by_mail(table: Table, user: User, what: str, at: datetime) -> None:
    to = addresses.person(user)
    mail = letter(user, to, f"{what} {table.key}", Date=format_datetime(at))
    assert intake.take(mail.as_bytes(), user.email, to, at).code == 250


@pytest.mark.parametrize("do", [_by_page, _by_mail])
@pytest.mark.parametrize("players", [1, 3])
def test_who_leaves_and_comes_again_gains_no_time(
    do: Callable[[Table, User, str, datetime], None], players: int
) -> None:
    """A player who leaves and joins again within the phase has the seat, and the time that was left (H17)."""
    ann, *others = people(players)
    table = running([ann, *others], STRICT)
    power, due = power_of(table, ann), table.deadline
    for hours in (10, 20, 47.9):
        at = NOW + hours * HOUR
        do(table, ann, "leave", at)
        assert not table.seats.filter(user=ann).exclude(state=SeatState.LEFT).exists()
        do(table, ann, "join", at)
        assert (power_of(table, ann), again(table).state) == (power, TableState.RUNNING)
        assert again(table).deadline == due


def test_who_comes_back_to_another_seat_gains_no_time() -> None:
    """Two players who leave and take each other's seat have no more time than before; a newcomer has (H17)."""
    ann, ben, carl, dora = people(4)
    table = running([ann, ben, carl], STRICT)
    first, second = power_of(table, ann), power_of(table, ben)
    for user in (ann, ben):
        seats.leave(table, user, now=NOW + DAY)
    seats.join(table, ann, power=second, now=NOW + DAY)
    seats.join(table, ben, power=first, now=NOW + DAY)
    assert again(table).deadline == table.deadline
    seats.leave(table, ben, now=NOW + DAY)
    seats.join(table, dora, power=first, now=NOW + DAY)
    assert again(table).deadline == NOW + 3 * DAY


def test_who_comes_back_in_a_later_phase_gains_no_time() -> None:
    """Somebody who has once left a seat, and takes it again in any later phase, has the time that is left (H17)."""
    ann, ben, carl = people(3)
    table = running([ann, ben], STRICT)
    power = power_of(table, ann)
    for _phase in range(2):
        seats.leave(table, ann, now=(table.phase_began or NOW) + HOUR)
        send(table, ben)
        table = pass_deadline(table)
        seats.join(table, ann, power=power, now=(table.phase_began or NOW) + 2 * DAY)
        assert (power_of(table, ann), again(table).deadline) == (power, table.deadline)
    seats.leave(table, ann, now=(table.phase_began or NOW) + 2 * DAY)
    seats.join(table, carl, power=power, now=(table.phase_began or NOW) + 2 * DAY)
    assert again(table).deadline == (table.phase_began or NOW) + 4 * DAY


def test_a_deserted_table_keeps_what_was_left_for_who_left() -> None:
    """The clock stands still at a table that all have left, and goes on for who comes back in the same phase (H17)."""
    (ann,) = people(1)
    table = running([ann], STRICT)
    seats.leave(table, ann, now=NOW + DAY)
    seats.join(table, ann, now=NOW + 9 * DAY)
    assert again(table).deadline == NOW + 10 * DAY


def test_another_pause_stays() -> None:
    """Taking a power over, or coming back, does not end a pause of the Gamesmaster's."""
    ann, ben, carl, gm = people(4)
    table = running([ann, ben], STRICT, gm=gm)
    lose(table, ann)
    lose(table, ben)
    at = again(table).phase_began or NOW
    deadlines.pause(table, gm, now=at)
    seats.join(table, carl, power=power_of(table, ben), now=at)
    seats.join(table, ann, now=at)
    assert (again(table).state, again(table).paused_why) == (TableState.PAUSED, "gm")


def test_a_power_that_was_left_is_in_disorder_in_the_end() -> None:
    """A power whose player has left is offered for a season and the time of a search, and then hinders no draw."""
    ann, ben = people(2)
    table = running([ann, ben], STRICT)
    power = power_of(table, ann)
    seats.leave(table, ann, now=NOW + HOUR)
    send(table, ben)
    table = pass_deadline(table)
    assert table.deadline == (table.phase_began or NOW) + 3 * DAY
    assert power not in store.load(table).disorder
    send(table, ben)
    table = pass_deadline(table)
    assert power in store.load(table).disorder
    assert table.seats.get(power=power, user=None).state == "disorder"


def test_nobody_waits_for_who_has_left() -> None:
    """Where all others are ready the phase ends early once the last who is not has left."""
    ann, ben = people(2)
    table = running([ann, ben], STRICT)
    send(table, ben)
    submission.confirm(table, power_of(table, ben), ready=True, ordinal=0, user=ben, now=NOW + HOUR)
    assert again(table).ready_at is None
    seats.leave(table, ann, now=NOW + HOUR)
    assert again(table).ready_at is not None


def eliminate(table: Table, power: str) -> None:
    """Take all units and centres of a power off the board."""
    with store.lock(table) as row:
        game = store.load(row)
        left = tuple(unit for unit in game.position.units if unit.power != power)
        owners = {place: owner for place, owner in game.position.owners.items() if owner != power}
        store.keep(row, replace(game, position=Position(left, owners)))
        row.save()


@pytest.mark.parametrize("how", ["lost", "left"])
def test_a_power_that_is_out_wants_no_player(how: str) -> None:
    """Nobody is looked for to play a power that has been eliminated, and the game goes on without it."""
    ann, ben, carl = people(3)
    table = running([ann, ben], STRICT)
    power = power_of(table, ann)
    if how == "lost":
        table.seats.filter(user=ann).update(state=SeatState.STANDBY_WANTED, misses=2)
    eliminate(table, power)
    if how == "left":
        seats.leave(table, ann, now=NOW + HOUR)
    with refused("full"):
        seats.join(table, carl, now=NOW + HOUR)
    for _ in range(2):
        send(table, ben)
        table = pass_deadline(table)
    assert table.seats.exclude(state="left").get(power=power).state == "sitting"


# -- pauses ----------------------------------------------------------------------------------------------------------


def test_a_pause_says_whose_it_is() -> None:
    """A pause tells who made it, and nothing of the sort is left when the game goes on."""
    ann, gm = people(2)
    table = running([ann], gm=gm)
    deadlines.pause(table, gm, now=NOW + HOUR)
    table.refresh_from_db()
    assert (table.state, table.paused_why) == (TableState.PAUSED, "gm")
    deadlines.resume(table, gm, now=NOW + DAY)
    table.refresh_from_db()
    assert (table.state, table.paused_why) == (TableState.RUNNING, "")


def _paused_by_gm(table: Table) -> None:
    deadlines.pause(table, table.gm, now=NOW + HOUR)


def _paused_by_vote(table: Table) -> None:
    for seat in table.seats.exclude(user=None):
        if again(table).state == TableState.RUNNING:
            votes.wish(table, seat.power or "", "pause", ordinal=0, user=seat.user, now=NOW + HOUR)


def _deserted(table: Table) -> None:
    _all_leave(table, NOW + HOUR)


def _all_leave(table: Table, at: datetime) -> None:
    for user in User.objects.filter(seats__in=table.seats.exclude(state=SeatState.LEFT)):
        seats.leave(table, user, now=at)


def _by_gm(table: Table, at: datetime) -> None:
    deadlines.resume(table, table.gm, now=at)


def _by_owner(table: Table, at: datetime) -> None:
    deadlines.resume(table, table.owner, now=at)


def _by_admin(table: Table, at: datetime) -> None:
    deadlines.resume(table, User.objects.create_superuser("admin"), now=at)


def _by_vote(table: Table, at: datetime) -> None:
    for seat in table.seats.filter(user__isnull=False, state=SeatState.SITTING):
        if again(table).state == TableState.PAUSED:
            votes.wish(table, seat.power or "", "resume", ordinal=0, user=seat.user, now=at)


def _by_who_returns(table: Table, at: datetime) -> None:
    """Everybody is lost but one, who comes back, and then votes alone."""
    [first, *others] = table.seats.exclude(user=None).order_by("pk")
    Seat.objects.filter(pk__in=[first.pk, *(seat.pk for seat in others)]).update(state=SeatState.DISORDER)
    seats.join(table, User.objects.get(seats=first), now=at)
    _by_vote(table, at)


def _by_a_stranger(table: Table, at: datetime) -> None:
    """Everybody has left; who takes a power over votes alone where the table was paused for another reason."""
    _all_leave(table, at)
    seats.join(table, User.objects.create_user("stranger"), now=at)
    if again(table).state == TableState.PAUSED:
        _by_vote(table, at)


PAUSES = (_paused_by_gm, _paused_by_vote, _deserted)
WAYS_ON = (_by_gm, _by_owner, _by_admin, _by_vote, _by_who_returns, _by_a_stranger)
LEFT = {
    (_paused_by_gm, "the Gamesmaster"): (_by_gm, _by_admin),
    (_paused_by_gm, "no Gamesmaster any more"): (_by_owner, _by_admin, _by_vote, _by_who_returns, _by_a_stranger),
    (_paused_by_gm, "neither Gamesmaster nor owner"): (_by_admin, _by_vote, _by_who_returns, _by_a_stranger),
    (_paused_by_vote, "the Gamesmaster"): (_by_gm, _by_admin, _by_vote),
    (_paused_by_vote, "the owner"): (_by_owner, _by_admin, _by_vote, _by_who_returns, _by_a_stranger),
    (_paused_by_vote, "neither Gamesmaster nor owner"): (_by_admin, _by_vote, _by_who_returns, _by_a_stranger),
    (_deserted, "the owner"): (_by_owner, _by_admin, _by_a_stranger),
    (_deserted, "neither Gamesmaster nor owner"): (_by_admin, _by_a_stranger),
}
"""Every pause, with who there is left to end it: all the ways in which the game goes on."""


@pytest.mark.parametrize(
    ("pause", "left", "on"),
    [
        pytest.param(pause, left, on, id=f"{pause.__name__}-{left}-{on.__name__}".replace(" ", "-"))
        for (pause, left), ways in LEFT.items()
        for on in ways
    ],
)
def test_every_pause_ends(pause: Callable[[Table], None], left: str, on: Callable[[Table, datetime], None]) -> None:
    """Whatever stopped a game, and whoever is left, there is a way on, and a deadline then runs again."""
    ann, ben, gm = people(3)
    runs = pause is _paused_by_gm or left == "the Gamesmaster"
    table = running([ann, ben], STRICT, gm=gm if runs else None)
    pause(table)
    assert again(table).state == TableState.PAUSED
    if left != "the Gamesmaster" and left != "the owner":
        gone = {"gm": None, **({"owner": None} if "neither" in left else {})}
        Table.objects.filter(pk=table.pk).update(**gone)
    on(again(table), NOW + DAY)
    now = again(table)
    assert (now.state, now.paused_why) == (TableState.RUNNING, "")
    assert now.deadline is not None
    assert now.deadline > NOW + DAY


# -- what costs nothing ----------------------------------------------------------------------------------------------


def test_processing_early_costs_nothing() -> None:
    """Who had sent nothing when the Gamesmaster processed before the deadline loses neither seat nor reliability."""
    ann, ben, gm = people(3)
    table = running([ann, ben], STRICT, gm=gm)
    table.seats.filter(user=ann).update(state=SeatState.STANDBY_WANTED, misses=2)
    send(table, ben)
    assert processing.ask(table, 0, gm, now=NOW + HOUR) is Done.PROCESSED
    lost, kept = seat_of(table, ann), seat_of(table, ben)
    assert (lost.state, lost.misses, lost.asked, lost.sent) == ("standby-wanted", 2, 0, 0)
    assert (kept.asked, kept.sent) == (1, 1)
    assert not store.load(again(table)).disorder
    late = (again(table).deadline or NOW) + MINUTE
    assert processing.ask(again(table), 1, gm, now=late) is Done.PROCESSED  # after the deadline it is as if it were due
    assert seat_of(table, ann).state == "disorder"


def test_a_rollback_takes_misses_back() -> None:
    """A phase taken back was never missed: misses, seats, civil disorder and reliability are as before it."""
    ann, ben, gm = people(3)
    table = running([ann, ben], STRICT, gm=gm)
    power = power_of(table, ann)
    send(table, ben)
    pass_deadline(table)
    before = (seat_of(table, ann).misses, ratings.reliability(ann), ratings.reliability(ben))
    for _ in range(2):  # another time after the first, as if it had been played once
        table = lose(table, ann, ben)
        assert power in store.load(table).disorder
        past.rollback(table, 1, gm, now=table.phase_began or NOW)
        seat = seat_of(table, ann)
        assert (seat.state, seat.misses, seat.asked) == ("sitting", 1, 1)
        assert before == (1, ratings.reliability(ann), ratings.reliability(ben))
        assert not store.load(again(table)).disorder
    send(table, ann, ben)
    assert seat_of(pass_deadline(table), ann).misses == 0


def test_a_rollback_keeps_who_came() -> None:
    """A seat that has a new player since keeps him or her when the game is taken back, with a full phase to play."""
    ann, ben, carl, gm = people(4)
    table = running([ann, ben], STRICT, gm=gm)
    power = power_of(table, ann)
    table = lose(table, ann, ben)
    seats.join(table, carl, power=power, now=table.phase_began or NOW)
    send(table, ben, carl)
    table = pass_deadline(table)
    past.rollback(table, 2, gm, now=table.phase_began or NOW)
    seat = seat_of(table, carl)
    assert (seat.state, seat.joined_ordinal, seat.asked, seat.sent) == ("sitting", 2, 0, 0)
    assert table.seats.get(user=ann).left_ordinal == 2
    assert power not in store.load(again(table)).disorder
    send(table, ben, carl)
    assert seat_of(pass_deadline(table), carl).sent == 1


def test_a_rollback_keeps_who_came_back() -> None:
    """A player who has come back since is not given up again by a game taken back to where the seat was lost."""
    ann, ben, gm = people(3)
    table = lose(running([ann, ben], STRICT, gm=gm), ann, ben)
    seats.join(table, ann, now=table.phase_began or NOW)
    past.rollback(table, 2, gm, now=table.phase_began or NOW)
    assert seat_of(table, ann).state == "sitting"
    send(table, ann)


def test_only_games_of_people_count() -> None:
    """Against bots alone no season counts for anybody's reliability, whatever was sent; nor does leaving."""
    [ann] = people(1)
    table = running([ann], STRICT)
    send(table, ann)
    pass_deadline(table)
    table = pass_deadline(table)
    seats.leave(table, ann, now=table.phase_began or NOW)
    assert ratings.reliability(ann) == ratings.reliability(User.objects.create_user("new"))


def test_an_empty_set_proves_nothing() -> None:
    """A set without an order is no miss, and raises nobody's reliability."""
    ann, ben = people(2)
    table = running([ann, ben], STRICT)
    send(table, ben)
    submission.submit(table, power_of(table, ann), [], Submission(0), user=ann, now=NOW)
    pass_deadline(table)
    seat = seat_of(table, ann)
    assert (seat.misses, seat.asked, seat.sent) == (0, 0, 0)
    assert ratings.reliability(ann).per_cent == 75 < ratings.reliability(ben).per_cent


# -- by mail and by program ------------------------------------------------------------------------------------------


def test_the_way_back_by_mail() -> None:
    """Orders by mail for a power in civil disorder are refused with the way back in the answer, and it leads back."""
    ann, ben, carl = people(3)
    table = lose(running([ann, ben], STRICT), ann, ben)
    at = table.phase_began or NOW
    sheet = f"{power_of(table, ann)}:\n{holding(table, ann)}"
    assert "COME BACK" in by_mail(ann, table, sheet, at)
    assert "no seat" in by_mail(carl, table, "come back", at)
    assert f"You play {power_of(table, ann)}" in by_mail(ann, table, "Come back!", at)
    assert seat_of(table, ann).state == "sitting"
    assert "Saved" in by_mail(ann, table, sheet, at)


def test_the_way_back_by_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program whose power is in civil disorder comes back; it reads why a game is paused, and resumes it."""
    ann, ben = people(2)
    table = lose(running([ann, ben], STRICT), ann, ben)
    at = table.phase_began or NOW
    monkeypatch.setattr(clock, "now", lambda: at)
    program, power = Program(ann), power_of(table, ann)
    put = {"ordinal": table.ordinal, "orders": [holding(table, ann)]}
    assert program.call("put", f"/tables/{table.key}/orders/{power}", put)[1]["code"] == "disorder"
    seats = program.call("post", f"/tables/{table.key}/join", {})[1]["seats"]
    assert [seat["state"] for seat in seats if seat["own"]] == ["sitting"]
    assert program.call("put", f"/tables/{table.key}/orders/{power}", put)[0] == 200
    with store.lock(table) as row:
        deadlines.stop_clock(row, at, "vote")
    found = program.call("get", f"/tables/{table.key}")[1]
    assert (found["paused_why"], found["may_resume"]) == ("vote", True)
    assert not Program(ben).call("get", f"/tables/{table.key}")[1]["may_resume"]
    assert Program(ben).call("post", f"/tables/{table.key}/resume")[0] == 403
    assert program.call("post", f"/tables/{table.key}/resume")[0] == 200
