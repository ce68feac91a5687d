"""A game that is over: its final table, its years, what the players say of it, and that it wants nobody any more."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

import pytest
from django.contrib.auth.models import User

from gamesmaster.host.games import hosting, seats
from gamesmaster.host.models import OutMail, RatedSeat, Seat, Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import endgame, processing, votes
from gamesmaster.host.profiles import own_data
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import DAY, HOUR, NOW, people, power_of, running
from tests.host.mailing import address, answer, sent
from tests.host.test_api import Program
from tests.host.test_ballots import browser, page_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_counting() -> None:
    """Forget how often was called."""
    from django.core.cache import cache

    cache.clear()


def played(
    users: list[User],
    settings: TableSettings | None = None,
    seasons: int = 2,
    house_rules: Mapping[str, object] | None = None,
) -> Table:
    """A game of some phases of moves, in which Austria takes Serbia, that ends in a draw of all survivors."""
    table = running(users, settings, house_rules=house_rules)
    while len(store.load(table).records) < seasons:
        for user in users:
            units = store.load(table).position.of(power_of(table, user))
            lines = ["A Bud - Ser" if str(u.at) == "BUD" else f"{u.kind} {u.at} H" for u in units]
            submission.submit(table, power_of(table, user), lines, Submission(table.ordinal), user=user, now=NOW + HOUR)
        processing.process(table, table.ordinal, "asked", now=NOW + DAY)
        table.refresh_from_db()
    for user in users:
        game = store.load(table)
        votes.cast(table, power_of(table, user), game.survivors, ordinal=table.ordinal, user=user, now=NOW + DAY)
    table.refresh_from_db()
    assert table.state == "finished"
    return table


def test_the_final_table() -> None:
    """Everybody's place, centres and units at the end stand on the page, in the seats and in the API, none as 0."""
    users = people(7)
    table = played(users)
    view = access.look(table.key, users[0])
    found = {one.power: one for one in endgame.standings(view)}
    assert {one.place for one in found.values()} == {1}
    assert (found["Austria"].centres, found["Austria"].units) == (4, 3)
    assert (found["Russia"].centres, found["Russia"].units) == (4, 4)
    assert {seat.power: (seat.centres, seat.units) for seat in view.seats} == {
        one.power: (one.centres, one.units) for one in found.values()
    }
    assert [year.year for year in endgame.years_of(view)] == [1901]
    assert sum(endgame.years_of(view)[0].centres) == 23
    seats = Program(users[0]).call("get", f"/tables/{table.key}")[1]["seats"]
    assert {seat["power"]: seat["centres"] for seat in seats} == {p: one.centres for p, one in found.items()}
    page = page_of(table, None)
    for part in ("share a draw", "Final table", "Centres by year", "1901", "player1", "All reports"):
        assert part in page, part
    rated = RatedSeat.objects.get(table=table, power="Austria")
    assert found["Austria"].rating == (round(rated.before), round(rated.after))
    assert f"{rated.before:.0f} → {rated.after:.0f}" in page


def test_a_game_is_scored() -> None:
    """If house rules name a scoring system, the points stand on the page, in the API and in the mail about the end."""
    users = people(7)
    table = played(users, house_rules={"scoring": "sum-of-squares", "last_year": 1901}, seasons=1)
    points = {one.power: one.points for one in endgame.standings(access.look(table.key, users[0]))}
    assert (points["Russia"], points["Austria"]) == ("22.86", "12.86")
    page = page_of(table, None)
    for part in ("By the squares of the numbers of centres.", "22.86"):
        assert part in page, part
    scores = Program(users[0]).call("get", f"/tables/{table.key}")[1]["scores"]
    assert sum(scores.values()) == pytest.approx(100)
    mail = OutMail.objects.filter(event="game", subject__endswith="the game is over")[0].body
    assert "4 centres, 4 units, 22.86 points" in mail


def test_who_went_out_when() -> None:
    """A power that is out stands last, with the year in which it went out."""
    users = people(2)
    table = running(users)
    game = store.load(table)
    victim = next(p for p in game.survivors if p not in {power_of(table, user) for user in users})
    processing.process(table, 0, "asked", now=NOW + DAY)
    table.refresh_from_db()
    game = store.load(table)
    position = game.position
    units = tuple(unit for unit in position.units if unit.power != victim)
    owners = {place: owner for place, owner in position.owners.items() if owner != victim}
    with store.lock(table) as row:
        store.keep(row, replace(game, position=replace(position, units=units, owners=owners)))
        row.save()
    table.refresh_from_db()
    for user in users:
        survivors = store.load(table).survivors
        votes.cast(table, power_of(table, user), survivors, ordinal=table.ordinal, user=user, now=NOW + DAY)
    last = endgame.standings(access.look(table.key, None))[-1]
    assert (last.power, last.place, last.centres, last.out) == (victim, 7, 0, 1901)
    page = page_of(table, None)
    assert "out in 1901" in page
    assert "Sleeper (bot)" in page


def test_a_game_that_goes_on_has_no_final_table() -> None:
    """While a game is played its page shows no places, and nobody writes a statement."""
    (user,) = people(1)
    table = running([user])
    assert "Final table" not in page_of(table, user)
    with pytest.raises(Refused, match="over"):
        endgame.standings(access.look(table.key, user))
    with pytest.raises(Refused) as caught:
        endgame.state(table, user, "I shall win.")
    assert caught.value.code == "not-over"


def test_statements() -> None:
    """Each player says something of the game, on the page, by program or mail; everybody reads it, as plain text."""
    *users, other = people(4)
    table = played(users)
    browser(users[0]).post(f"/t/{table.key}/statement", {"text": "Well played.\n<b>Truly</b>"})
    assert Program(users[1]).call("put", f"/tables/{table.key}/statement", {"text": "By program."})[0] == 200
    sent(users[2], address(table, users[2]), "statement\nBy mail,\nin two lines.\nendstatement")
    assert "Your statement is on" in answer(users[2])
    body = browser(None).get(f"/t/{table.key}/").content.decode()
    assert "&lt;b&gt;Truly&lt;/b&gt;" in body
    assert "By program." in body
    assert re.search("By mail,<br>in two lines.", body)
    seats = {seat["power"]: seat for seat in Program(other).call("get", f"/tables/{table.key}")[1]["seats"]}
    assert seats[power_of(table, users[1])]["statement"] == "By program."
    assert "By program." in str(own_data.export(users[1])["seats"])
    browser(users[0]).post(f"/t/{table.key}/statement", {"text": " "})
    assert "Well played." not in browser(None).get(f"/t/{table.key}/").content.decode()


def test_who_may_write_a_statement() -> None:
    """Whoever did not play writes none, a long one is refused, and a game taken back shows none."""
    *users, other = people(3)
    table = played(users)
    with pytest.raises(Refused) as caught:
        endgame.state(table, other, "I watched.")
    assert caught.value.code == "no-seat"
    with pytest.raises(Refused) as caught:
        endgame.state(table, users[0], "x" * 4001)
    assert caught.value.code == "too-long"
    endgame.state(table, users[0], "x" * 4000)
    assert Seat.objects.get(table=table, user=users[0]).statement == "x" * 4000
    Table.objects.filter(pk=table.pk).update(state="running")
    assert not any(seat.statement for seat in access.look(table.key, None).seats)


def test_names_that_are_never_told() -> None:
    """Where names are never told, the final table and the statements name nobody, and no rating is made."""
    users = people(7)
    table = played(users, TableSettings(anonymity="always"))
    endgame.state(table, users[0], "It was I.")
    body = browser(None).get(f"/t/{table.key}/").content.decode()
    assert "It was I." in body
    assert "its players stay anonymous" in body
    assert not [user.username for user in users if user.username in body]
    assert all(one.rating is None for one in endgame.standings(access.look(table.key, None)))


def test_a_game_that_is_over_wants_nobody() -> None:
    """Lists and lobby of a finished game ask for no player, although one was lost."""
    users = people(3)
    table = running(users, TableSettings(starts="asked"))
    seats.leave(table, users[2], now=NOW + HOUR)
    assert [line.free for line in hosting.find_tables("running", None)] == [1]

    def pages() -> list[str]:
        lobby = browser(users[0]).get(f"/t/{table.key}/lobby/").content.decode()
        return [page_of(table, None).casefold(), lobby.casefold()]

    assert all("needs a player" in page for page in pages())
    Table.objects.filter(pk=table.pk).update(state="finished", finished=NOW + DAY)
    assert [line.free for line in hosting.find_tables("finished", None)] == [0]
    assert not any("needs a player" in page or "take over a power" in page for page in pages())


def test_a_sandbox_that_is_over() -> None:
    """A sandbox whose game is over shows the final table, without players."""
    board = hosting.sandbox("standard", now=NOW)
    for power in store.load(board).survivors:
        votes.cast(board, power, store.load(board).survivors, ordinal=0, user=None, now=NOW)
    page = page_of(board, None)
    assert "Final table" in page
    assert "Nobody has joined yet" not in page
