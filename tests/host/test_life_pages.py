"""The life of a table on its pages: the ways to a seat, invitations, pauses, days away."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.accounts import people as accounts
from gamesmaster.host.games import deadlines, hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.models import SeatState, Table
from gamesmaster.host.phases import processing
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import HOUR, NOW, people, power_of, running
from tests.host.test_games_pages import signed_in
from tests.host.test_tables import refused

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW + HOUR)


def closed(table: Table, join: str) -> Table:
    """The same table, joined by invitation from now on."""
    Table.objects.filter(pk=table.pk).update(settings={**table.settings, "join": join})
    table.refresh_from_db()
    return table


def read(client: Client, address: str) -> str:
    """A page, found."""
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def disorder(table: Table, user: User) -> str:
    """Put a user's power in civil disorder."""
    power = power_of(table, user)
    table.seats.filter(user=user).update(state=SeatState.STANDBY_WANTED, misses=2)
    assert table.deadline is not None
    for days in (1, 9):  # the other player is given grace
        processing.process(table, 0, now=table.deadline + timedelta(days=days))
    table.refresh_from_db()
    assert table.seats.get(user=user).state == SeatState.DISORDER
    return power


@pytest.mark.parametrize("page", ["", "lobby/"])
def test_the_way_back_is_on_every_page(page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A player in civil disorder reads so on board and lobby, is offered no Save, and comes back with one button."""
    ann, ben = people(2)
    table = running([ann, ben])
    power = disorder(table, ann)
    monkeypatch.setattr(clock, "now", lambda: table.phase_began)
    client = signed_in(ann)
    text = read(client, f"/t/{table.key}/{page}")
    assert f"{power} is in civil disorder" in text
    assert "Come back" in text
    assert 'id="save"' not in text
    client.post(f"/t/{table.key}/join")
    assert table.seats.get(user=ann).state == SeatState.SITTING
    text = read(client, f"/t/{table.key}/")
    assert 'id="save"' in text
    assert "Come back" not in text


@pytest.mark.parametrize("page", ["", "lobby/"])
def test_a_game_that_forms_is_joined_from_every_page(page: str) -> None:
    """The board of a game that waits for players shows who sits, and a button to join, as the lobby does."""
    ann, ben = people(2)
    table = hosting.create(ann, GameChoice("standard", name="Forming"), now=NOW)
    seats.join(table, ann, now=NOW)
    text = read(signed_in(ben), f"/t/{table.key}/{page}")
    assert "<button>Join</button>" in text
    assert "player1" in text
    assert "Sign in to join" in read(Client(), f"/t/{table.key}/{page}")
    assert "<button>Join</button>" not in read(signed_in(ann), f"/t/{table.key}/{page}")


def test_a_guest_keeps_the_invitation() -> None:
    """At a table that nobody else sees a guest goes from page to page and joins from whichever it is."""
    ann, ben, carl = people(3)
    table = hosting.create(ann, "standard", TableSettings(join="invited", observers=False), now=NOW)
    key = seats.invite(table, ann, now=NOW).key
    guest = signed_in(ben)
    lobby = read(guest, f"/join/{table.key}/{key}/")
    assert f'name="invitation" value="{key}"' in lobby
    for page in ("", "lobby/", f"?invitation={key}"):
        assert f'name="invitation" value="{key}"' in read(guest, f"/t/{table.key}/{page}")
    assert guest.get(f"/t/{table.key}/layer.svg").status_code == 200
    assert signed_in(carl).get(f"/t/{table.key}/").status_code == 404
    stranger = Client()
    read(stranger, f"/join/{table.key}/{key}/")
    stranger.force_login(carl, backend="django.contrib.auth.backends.ModelBackend")  # signing in keeps it
    assert "<button>Join</button>" in read(stranger, f"/t/{table.key}/")
    guest.post(f"/t/{table.key}/join", {"invitation": key})
    assert table.seats.filter(user=ben).exists()
    assert stranger.get(f"/t/{table.key}/").status_code == 404  # it was for one


def test_an_invitation_that_holds_no_longer_says_so() -> None:
    """With a used-up invitation, or one that there never was, nobody is asked to join and refused afterwards."""
    ann, ben, carl = people(3)
    table = hosting.create(ann, "standard", TableSettings(join="link"), now=NOW)
    key = seats.invite(table, ann, now=NOW).key
    seats.join(table, ben, invitation=key, now=NOW)
    client = signed_in(carl)
    for page in (f"/join/{table.key}/{key}/", f"/join/{table.key}/nosuchkey/"):
        text = read(client, page)
        assert "used up or withdrawn" in text
        assert "<button>Join</button>" not in text
    text = read(client, f"/t/{table.key}/lobby/")
    assert "You need an invitation" in text
    assert "<button>Join</button>" not in text


def test_links_are_shown_where_they_are_made() -> None:
    """Making a link leads to the page where it stands, in a running game too; withdrawn, it stands nowhere."""
    ann, ben = people(2)
    table = closed(running([ann, ben]), "link")
    client = signed_in(ann)
    made = client.post(f"/t/{table.key}/host", {"what": "invite", "uses": "2"}, follow=True)
    key = table.invitations.get().key
    assert f"/join/{table.key}/{key}/" in made.content.decode()
    assert "for 2 more people" in made.content.decode()
    with refused("not-gm"):
        seats.withdraw(table, ben, key)
    client.post(f"/t/{table.key}/host", {"what": "withdraw", "invitation": key})
    assert key not in read(client, f"/t/{table.key}/lobby/")
    with refused("not-invited"):
        seats.join(table, User.objects.create_user("carl"), invitation=key, now=NOW)


def test_an_invitation_for_one_power() -> None:
    """An invitation that names a power seats its guest there, and nowhere else."""
    ann, ben, carl, dora = people(4)
    table = closed(running([ann, ben, carl]), "invited")
    for user in (ben, carl):
        seats.leave(table, user, now=NOW)
    open_ = [seat.power for seat in table.seats.filter(state=SeatState.STANDBY_WANTED).order_by("-pk")]
    key = seats.invite(table, ann, power=open_[0] or "", now=NOW).key
    seats.join(table, dora, invitation=key, power=open_[-1] or "", now=NOW)
    assert power_of(table, dora) == open_[0]


def test_the_owner_fills_lost_seats() -> None:
    """Where there is no Gamesmaster, whoever made the game puts a player in a lost seat, and in no other."""
    ann, ben, carl = people(3)
    table = running([ann, ben])
    taken, lost = power_of(table, ann), power_of(table, ben)
    seats.leave(table, ben, now=NOW)
    client = signed_in(ann)
    assert "Fill a seat" in read(client, f"/t/{table.key}/lobby/")
    client.post(f"/t/{table.key}/host", {"what": "fill", "power": taken, "player": "player3"})
    assert power_of(table, ann) == taken
    client.post(f"/t/{table.key}/host", {"what": "fill", "power": lost, "player": "player3"})
    assert power_of(table, carl) == lost
    with refused("not-gm"):
        seats.replace(table, lost, ben, carl, now=NOW)


def test_leaving_says_what_it_costs() -> None:
    """Who leaves a game with other people is told the price before; against bots alone there is none."""
    ann, ben = people(2)
    table, alone = running([ann, ben]), running([ann])
    assert "counts as 3 missed seasons" in read(signed_in(ann), f"/t/{table.key}/lobby/")
    assert "missed seasons in my reliability" not in read(signed_in(ann), f"/t/{alone.key}/lobby/")


def test_a_game_that_is_over_wants_no_player() -> None:
    """Neither pages nor lists look for players for a game that is over."""
    ann, ben = people(2)
    table = running([ann, ben])
    seats.leave(table, ben, now=NOW)
    assert "needs a player" in read(Client(), f"/t/{table.key}/")
    with store.lock(table) as row:
        row.state = "finished"
        row.save()
    for page in ("", "lobby/"):
        text = read(signed_in(ben), f"/t/{table.key}/{page}")
        assert "needs a player" not in text
        assert "Take over" not in text
    assert [line.free for line in hosting.find_tables("finished", None)] == [0]
    assert "needs a player" not in read(Client(), "/games?list=finished")
    with refused("over"):
        seats.leave(table, ann, now=NOW)


# -- pauses ----------------------------------------------------------------------------------------------------------


def test_the_owner_resumes() -> None:
    """A game without a Gamesmaster is resumed by the player who made it; others read who can."""
    ann, ben = people(2)
    table = running([ann, ben])
    with store.lock(table) as row:
        deadlines.stop_clock(row, NOW, "vote")
    text = read(signed_in(ben), f"/t/{table.key}/")
    assert "The players have voted to pause the game." in text
    assert "Resume the game" not in text
    assert "can resume it" in text
    signed_in(ben).post(f"/t/{table.key}/resume")
    table.refresh_from_db()
    assert table.state == "paused"
    for page in ("", "lobby/"):
        assert "Resume the game" in read(signed_in(ann), f"/t/{table.key}/{page}")
    signed_in(ann).post(f"/t/{table.key}/resume")
    table.refresh_from_db()
    assert table.state == "running"


# -- days away -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("begins", "ends", "said"),
    [
        (date(2020, 1, 1), date(2020, 1, 9), "have passed"),
        (date(2027, 2, 5), date(2027, 2, 1), "before the first"),
        (date(2027, 2, 5), date(2029, 2, 1), "more than a year"),
        (date(2027, 3, 5), date(2027, 3, 9), "from 1 Mar 2027 to 5 Mar 2027"),
        (date(2027, 2, 1), date(2027, 4, 1), "from 1 Mar 2027 to 5 Mar 2027"),
    ],
)
def test_days_that_are_no_absence(begins: date, ends: date, said: str) -> None:
    """Days that are over, the wrong way round, too many, or in the calendar already are refused, and why is told."""
    [ann] = people(1)
    accounts.go_away(ann, date(2027, 3, 1), date(2027, 3, 5), now=NOW)
    with pytest.raises(Refused, match=said):
        accounts.go_away(ann, begins, ends, now=NOW)
    assert ann.absences.count() == 1


def test_who_is_away_is_known_to_those_who_play() -> None:
    """Players of a game with names read until when another is away; others do not, and the nameless are not told of."""
    ann, ben = people(2)
    accounts.go_away(ann, NOW.date(), date(2027, 1, 5), now=NOW)
    table, hidden = running([ann, ben]), running([ann, ben], TableSettings(anonymity="until_end"))
    for page in ("", "lobby/"):
        assert "away until 5 Jan" in read(signed_in(ben), f"/t/{table.key}/{page}")
        assert "away until" not in read(Client(), f"/t/{table.key}/{page}")
        assert "away until" not in read(signed_in(ben), f"/t/{hidden.key}/{page}")
    assert [s.away_until for s in access.look(table.key, ben).seats if s.user == ann.pk] == [date(2027, 1, 5)]
