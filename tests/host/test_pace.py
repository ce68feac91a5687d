"""The pace of a game: what a phase waits for and how long, and what the page tells of it."""

from __future__ import annotations

import time
from datetime import timedelta
from threading import Thread
from zoneinfo import ZoneInfo

import pytest
from django.test import Client

from gamesmaster.host.accounts import people as accounts
from gamesmaster.host.games import deadlines, hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.games.words import beginning, written_length
from gamesmaster.host.models import SeatState, Table
from gamesmaster.host.operations import serving
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.site import clock
from gamesmaster.host.tables import store
from gamesmaster.host.tables.settings import PACES, Absent, Deadlines, Pace, TableSettings, Waits, WallClock
from tests.host.conftest import DAY, HOUR, NOW, people, power_of, running
from tests.patience import Stopper, await_that

SOLO = TableSettings(deadlines=PACES["by hand"], panic=0, fill="heuristic")


def again(table: Table) -> Table:
    """The table as it stands."""
    return Table.objects.get(pk=table.pk)


def asked(table: Table, power: str) -> bool:
    """Is something asked of the power now?"""
    return next(status.is_due for status in store.load(again(table)).status if status.power == power)


@pytest.mark.django_db(transaction=True)
def test_a_year_alone_against_bots_takes_less_than_twenty_seconds() -> None:
    """With the worker's own loop a year takes 20 s at most, and each phase four, on a machine of its own."""
    (user,) = people(1)
    table = hosting.create(user, GameChoice("standard", name="Alone"), SOLO)
    seats.join(table, user)
    hosting.start(table, user)
    power = power_of(table, user)
    stop = Stopper()
    thread = Thread(target=serving.Worker(stop).run, daemon=True)
    thread.start()
    began, longest = stop.now, 0.0
    try:
        while store.load(again(table)).phase.year == 1901:
            now = again(table)
            if asked(now, power):
                submission.submit(now, power, "", Submission(now.ordinal, confirm=True), user=user)
            said = stop.now
            await_that(lambda ordinal=now.ordinal: again(table).ordinal != ordinal)  # type: ignore[misc]
            longest = max(longest, stop.now - said)
    finally:
        stop.set()
        thread.join()
    assert stop.now - began < 20
    assert longest < 4


@pytest.mark.django_db
def test_all_ready_goes_on_at_once() -> None:
    """Where all are ready and nobody may think better of it, the phase is due that very moment, and soon looked for."""
    (user,) = people(1)
    table = running([user], SOLO)
    at = NOW + timedelta(seconds=3)
    submission.submit(table, power_of(table, user), "", Submission(0, confirm=True), user=user, now=at)
    assert again(table).ready_at == at
    assert processing.due(at) == [(table.pk, 0)]
    assert serving.PAUSE <= 1.0  # seconds


@pytest.mark.django_db
@pytest.mark.parametrize("state", [SeatState.DISORDER, SeatState.SITTING])
def test_a_game_that_no_person_plays_any_more_does_not_run_away(state: str) -> None:
    """With the only person lost or eliminated a phase lasts a minute."""
    (user,) = people(1)
    table = running([user], SOLO)
    power = power_of(table, user)
    game = store.load(again(table))
    seat = table.seats.get(user=user)
    if state == SeatState.DISORDER:
        seat.state, game = state, game.set_disorder(power)
    else:
        seat.power = "nobody's"  # as with a power that is out of the game
    at = submission.early(again(table), game, [seat], (), NOW)
    assert at == NOW + submission.SHORTEST_PHASE


@pytest.mark.django_db
def test_bots_that_look_ahead_share_a_second() -> None:
    """Seven that search think about a second together, so that nobody waits long for them."""
    (user,) = people(1)
    table = running([user], SOLO.model_copy(update={"fill": "searcher"}))
    began = time.process_time()
    found = seats.bot_orders(store.load(again(table)), store.seats_at(again(table)))
    assert len(found) == 6
    assert time.process_time() - began < seats.THINKING + 2


def test_waits_are_in_proportion_to_the_moves() -> None:
    """Each wait that is left out follows the length of the moves; what is written stays; two days have the defaults."""
    live = TableSettings(deadlines=PACES["live"])
    assert (live.absent.notice, live.absent.grace, live.absent.standby, live.panic, live.extension) == (3, 3, 15, 1, 15)
    for name, pace in PACES.items():
        settings, move = TableSettings(deadlines=pace), pace.move
        waits = [settings.absent.notice, settings.absent.grace, settings.panic, settings.waits.left]
        if move is None:
            assert waits == [0, 0, 0, 0], name
        else:
            assert max(waits) < move, name
            assert settings.absent.standby <= move == settings.extension
    odd = TableSettings(deadlines=Deadlines(movement=Pace(minutes=60)), absent=Absent(grace=2), extension=7)
    assert (odd.absent.grace, odd.absent.notice, odd.extension, odd.panic) == (2, 10, 7, 3)
    daily = Deadlines(movement=Pace(wall=WallClock(times=("12:00", "20:00"))))
    assert TableSettings(deadlines=daily).extension == 12 * 60
    assert TableSettings(deadlines=PACES["relaxed"]) == TableSettings.model_construct()


@pytest.mark.django_db
@pytest.mark.parametrize("pace", PACES)
def test_the_form_leaves_waits_to_the_pace(pace: str) -> None:
    """A new game whose waits are left empty has those of its pace, and the form shows them in the empty fields."""
    (user,) = people(1)
    client = Client()
    client.force_login(user)
    answers = {name: value for name, value in beginning("usual", "standard", "UTC").items() if value is not False}
    assert client.post("/games/new", {**answers, "pace": pace}).status_code == 302
    settings = store.settings_of(Table.objects.get())
    waits, policy = Waits.of(PACES[pace].move), settings.absent
    assert (policy.notice, policy.grace, policy.standby) == (waits.notice, waits.grace, waits.standby)
    assert (settings.panic, settings.extension) == (waits.panic, waits.extension)
    shown = client.post("/games/new", {**answers, "pace": pace, "zone": "nowhere"}).content.decode()
    assert f'placeholder="{written_length(settings.absent.grace)}"' in shown


@pytest.mark.django_db
def test_a_short_game_has_little_left_after_a_pause() -> None:
    """The time left at least after a pause is in proportion, and all who were ready before it are so after it."""
    user, gm = people(2)
    table = running([user], TableSettings(deadlines=PACES["live"]), gm=gm)
    at = NOW + timedelta(minutes=14)
    deadlines.pause(table, gm, now=at)
    deadlines.resume(table, gm, now=at + HOUR)
    assert again(table).deadline == at + HOUR + timedelta(minutes=5)
    submission.submit(table, power_of(table, user), "", Submission(0, confirm=True), user=user, now=at + HOUR)
    deadlines.pause(table, gm, now=at + HOUR)
    assert again(table).ready_at is None
    deadlines.resume(table, gm, now=at + 2 * HOUR)
    assert again(table).ready_at == at + 2 * HOUR + timedelta(minutes=1)


@pytest.mark.django_db
def test_one_click_fills_the_free_seats() -> None:
    """The host fills all free seats with a bot at once, and the game begins; bots go by names that people read."""
    user, other = people(2)
    table = hosting.create(user, GameChoice("standard", name="Filled"), TableSettings(starts="asked"))
    for one in (user, other):
        seats.join(table, one)
    client = Client()
    client.force_login(user)
    lobby = client.get(f"/t/{table.key}/lobby/").content.decode()
    assert "Fill the 5 free seats with this bot" in lobby
    assert "Club player: plays sound moves at once" in lobby
    assert client.post(f"/t/{table.key}/host", {"what": "bots", "bot": "searcher"}).status_code == 302
    assert table.seats.filter(bot="searcher").count() == 5
    assert client.get(f"/t/{table.key}/lobby/").content.decode().count("Deep thinker (bot)") == 5


@pytest.mark.django_db
def test_alone_against_bots_by_one_click() -> None:
    """The button of the home page begins a game against bots, without a clock, in which nobody is waited for."""
    (user,) = people(1)
    client = Client()
    client.force_login(user)
    assert "/games/alone" in client.get("/").content.decode()
    assert client.get("/games/alone").status_code == 405
    answer = client.post("/games/alone", {"variant": "standard"})
    table = Table.objects.get()
    assert answer["Location"] == f"/t/{table.key}/"
    assert (table.state, table.seats.exclude(bot="").count(), table.deadline) == ("running", 6, None)
    assert store.settings_of(table).panic == 0


@pytest.mark.django_db
def test_lists_call_a_game_by_its_real_pace() -> None:
    """A card tells the length of the moves as they are set, whatever the settings once were called."""
    (user,) = people(1)
    client = Client()
    for minutes, said in ((15, "15 minutes a move"), (1, "1 minute a move"), (None, "no clock")):
        settings = TableSettings(deadlines=Deadlines(movement=Pace(minutes=minutes)), pace="relaxed")
        hosting.create(user, GameChoice("standard", name=f"Game {minutes}"), settings)
        shown = client.get("/games?list=open").content.decode()
        assert f"Diplomacy, {said}" in shown
    assert "relaxed" not in shown


@pytest.mark.django_db
def test_the_gamesmaster_moves_deadlines_in_the_own_zone() -> None:
    """A time that the Gamesmaster writes is one of the zone in the own profile."""
    user, gm = people(2)
    table = hosting.create(user, GameChoice("standard", name="Zoned"), TableSettings(fill="holder"), gm=gm)
    seats.join(table, user)
    hosting.start(table, gm)
    accounts.choose(gm, {"time_zone": "Asia/Tokyo"})
    client = Client()
    client.force_login(gm)
    until = clock.now().replace(hour=3, minute=0, second=0, microsecond=0) + 3 * DAY
    written = until.astimezone(ZoneInfo("Asia/Tokyo")).strftime("%Y-%m-%dT%H:%M")
    assert "(Asia/Tokyo)" in client.get(f"/t/{table.key}/gm/").content.decode()
    client.post(f"/t/{table.key}/gm/do", {"what": "extend", "until": written})
    assert again(table).deadline == until


@pytest.mark.django_db
def test_pages_show_times_in_the_zone_of_their_reader() -> None:
    """A deadline stands on the board and on the desk as the clock shows it where the reader lives."""
    user, gm = people(2)
    table = hosting.create(user, GameChoice("standard", name="Zoned"), TableSettings(fill="holder"), gm=gm)
    seats.join(table, user)
    hosting.start(table, gm)
    for reader, page in ((user, ""), (gm, "gm/")):
        accounts.choose(reader, {"time_zone": "Asia/Tokyo"})
        client = Client()
        client.force_login(reader)
        there = again(table).deadline.astimezone(ZoneInfo("Asia/Tokyo"))  # type: ignore[union-attr]
        shown = client.get(f"/t/{table.key}/{page}").content.decode()
        assert f'<time datetime="{there.isoformat()}" data-local' in shown
        assert f">{there:%a} {there.day} {there:%b %H:%M}</time>" in shown
