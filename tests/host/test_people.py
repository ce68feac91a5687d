"""People: profile, calendar, own data, ratings, order."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date, timedelta
from importlib import import_module
from typing import Any

import pytest
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from django.apps import apps
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from gamesmaster.game import Outcome, Termination
from gamesmaster.host.accounts import people as accounts
from gamesmaster.host.games import deadlines, hosting, ratings, seats
from gamesmaster.host.gm import remarks
from gamesmaster.host.mailroom import delivery
from gamesmaster.host.models import Complaint, Message, RatedSeat, Rating, Seat, SeatState, Sheet, TableState
from gamesmaster.host.moderation import oversight
from gamesmaster.host.orders import receipts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.profiles import own_data
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import store
from gamesmaster.host.tables.settings import TableSettings

from .conftest import HOUR, NOW, confirmed, do_jobs, holding, labels_in, people, person, power_of, running

pytestmark = pytest.mark.django_db

PAGES = [
    "/",
    "/games",
    "/games?list=finished&q=x",
    "/games?list=mine",
    "/sandbox/new",
    "/variants/",
    "/variants/scottomacy/",
    "/variants/scottomacy/rules/",
    "/variants/standard/map.svg?style=dark",
    "/receipts/verify",
    "/ratings",
    "/ratings?variant=standard",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
]
OWN = ["/games/new", "/games/new?preset=postal&variant=cline9", "/me", "/me/data", "/me/data.json",
       "/report", "/accounts/email/", "/accounts/2fa/", "/accounts/2fa/totp/activate/",
       "/accounts/password/change/", "/people/player1/"]  # fmt: skip
KEPT = ["/moderation/", "/moderation/log", "/moderation/people"]


def signed_in(user: User) -> Client:
    """A browser in which this user is signed in."""
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.mark.parametrize("page", PAGES)
def test_public_pages(page: str) -> None:
    """Everybody sees the public pages, and nothing in them is inline."""
    answer = Client().get(page)
    assert answer.status_code == 200
    if "map.svg" not in page:
        text = answer.content.decode()
        assert "<style" not in text
        assert " style=" not in text
        assert "onclick" not in text
        assert "<script>" not in text


@pytest.mark.parametrize("page", OWN)
def test_own_pages(page: str) -> None:
    """One's own pages ask strangers to sign in, and are there for whoever has."""
    [user] = people(1)
    assert Client().get(page).status_code == (200 if page.startswith("/people") else 302)
    answer = signed_in(user).get(page, follow=True)
    assert answer.status_code == 200
    assert " style=" not in answer.content.decode()


@pytest.mark.parametrize("page", KEPT)
def test_pages_of_order(page: str) -> None:
    """Pages of the moderators are not there for players."""
    player, keeper = people(2)
    admin = User.objects.create_superuser("admin", password="a-long-secret-1")
    accounts.set_moderator(keeper, admin, wanted=True, now=NOW)
    assert signed_in(player).get(page).status_code == 404
    assert signed_in(keeper).get(page).status_code == 200
    assert signed_in(admin).get(page).status_code == 200


def test_choosing() -> None:
    """What is chosen is kept, times are told in the chosen zone, and a zone that there is not is refused."""
    [user] = people(1)
    client = signed_in(user)
    told = {"time_zone": "Asia/Tokyo", "theme": "dark", "colour_mode": "patterns"}
    assert client.post("/me", told).status_code == 302
    profile = accounts.profile(user)
    profile.refresh_from_db()
    assert (profile.time_zone, profile.theme) == ("Asia/Tokyo", "dark")
    page = client.get("/variants/").content.decode()
    assert 'data-theme="dark"' in page
    assert "style=print" in page
    assert "Asia/Tokyo" in page
    with pytest.raises(Refused, match="Europe/Paris"):
        accounts.choose(user, {"time_zone": "Europe/Pariss"})


@pytest.mark.parametrize(("zone", "kept"), [("Europe/Vienna", "Europe/Vienna"), ("Mars/Base", "UTC"), ("", "UTC")])
def test_signing_up_takes_the_time_zone_of_the_browser(zone: str, kept: str) -> None:
    """The time zone that a script fills in is that of the new account, if it is one."""
    fields = {"username": "zoe", **dict.fromkeys(("password1", "password2"), "a long and winding road")}
    assert Client().post("/accounts/signup/", {**fields, "time_zone": zone}).status_code == 302
    assert accounts.profile(User.objects.get(username="zoe")).time_zone == kept


def test_calendar() -> None:
    """Days away are put in and taken out; others' are out of reach, and none ends before it begins."""
    user, other = people(2)
    mine = accounts.go_away(user, date(2027, 7, 1), date(2027, 7, 14))
    accounts.come_back(other, mine.pk)
    assert user.absences.count() == 1
    accounts.come_back(user, mine.pk)
    assert user.absences.count() == 0
    with pytest.raises(Refused):
        accounts.go_away(user, date(2027, 7, 2), date(2027, 7, 1))


SIGN_UP = {"password1": "one-long-pass-9", "password2": "one-long-pass-9"}


def test_known_addresses_look_like_unknown_ones() -> None:
    """Sign-up, reset and sign-in answer alike whether an address is known or not."""
    User.objects.create_user("known", "known@example.org", "one-long-pass-9")
    for path, form in (
        ("/accounts/password/reset/", {"email": "{who}@example.org"}),
        ("/accounts/login/", {"login": "{who}@example.org", "password": "wrong-one-here"}),
        ("/accounts/signup/", {"username": "new-{who}", "email": "{who}@example.org", **SIGN_UP}),
    ):
        seen = []
        for who in ("known", "other"):
            answer = Client().post(path, {name: told.format(who=who) for name, told in form.items()})
            text = answer.content.decode().replace(f"{who}@", "@").replace(f"new-{who}", "new")
            seen.append((answer.status_code, answer.get("Location"), _plain(text)))
        assert seen[0] == seen[1], path


def _plain(text: str) -> str:
    import re

    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", text)


def test_sign_in_is_limited() -> None:
    """After some wrong passwords even the right one is refused for a while."""
    User.objects.create_user("known", "known@example.org", "one-long-pass-9")
    client = Client(REMOTE_ADDR="127.0.0.77")
    for _ in range(12):
        client.post("/accounts/login/", {"login": "known", "password": "wrong-one-here"})
    answer = client.post("/accounts/login/", {"login": "known", "password": "one-long-pass-9"})
    assert answer.status_code != 302


def test_reset_by_mail() -> None:
    """The mail with which a password is set anew goes to the address of the account."""
    person("known")
    Client().post("/accounts/password/reset/", {"email": "known@example.org"})
    assert mail.outbox == []
    delivery.deliver(clock.now())
    assert [m.to for m in mail.outbox] == [["known@example.org"]]


def test_a_password_set_anew() -> None:
    """The link in the mail leads to a form, works once, and then says so; the pages speak as the site does."""
    person("known", password="one-long-pass-9")
    Client().post("/accounts/password/reset/", {"email": "known@example.org"})
    delivery.deliver(clock.now())
    path = re.search(r"/accounts/password/reset/key/\S+", str(mail.outbox[0].body))
    assert path
    client = Client()
    form = client.get(path[0], follow=True)
    assert labels_in(form.content.decode()) == ["New password", "New password again"]
    address, _ = form.redirect_chain[-1]
    done = client.post(address, {"password1": "two-long-pass-8", "password2": "two-long-pass-8"}, follow=True)
    assert "Your password is changed" in done.content.decode()
    assert Client().login(username="known", password="two-long-pass-8")
    again = Client().get(path[0], follow=True).content.decode()
    assert "This link no longer works" in again
    assert "Bad Token" not in again


@pytest.mark.parametrize(
    ("path", "labels"),
    [
        ("/accounts/email/", ["E-mail address"]),
        ("/accounts/password/change/", ["Current password", "New password", "New password again"]),
        ("/accounts/password/reset/", ["E-mail address"]),
        ("/accounts/login/", ["Name or e-mail address", "Password", "Stay signed in"]),
    ],
)
def test_labels_of_account_pages(path: str, labels: list[str]) -> None:
    """Fields are called as everywhere on the site, without a colon and without the same word within."""
    user = person("known", password="one-long-pass-9")
    client = Client() if "login" in path or "reset" in path else signed_in(user)
    page = client.get(path).content.decode()
    assert labels_in(page) == labels
    assert 'placeholder="' not in page


def test_an_address_is_confirmed_by_its_link() -> None:
    """The page behind the link asks whose address it is; a link that is none leads to another."""
    user = User.objects.create_user("new", "new@example.org")
    address = EmailAddress.objects.create(user=user, email=user.email, primary=True)
    key = EmailConfirmationHMAC(address).key
    page = Client().get(f"/accounts/confirm-email/{key}/").content.decode()
    assert "new@example.org</strong> the address of new?" in page
    Client().post(f"/accounts/confirm-email/{key}/")
    address.refresh_from_db()
    assert address.verified
    assert "This link is too old" in Client().get("/accounts/confirm-email/none/").content.decode()


def test_own_data() -> None:
    """The export has what is one's own: orders and press of one's own power, and nobody else's."""
    users = people(2)
    table = running(users)
    mine, theirs = (power_of(table, user) for user in users)
    submission.submit(table, mine, [], Submission(0), user=users[0], now=NOW)
    for power, text in ((mine, "my own words"), (theirs, "another's words")):
        Message.objects.create(table=table, ordinal=0, sender=power, shown_as=power, to=[], text=text, sent_at=NOW)
    text = confirmed(signed_in(users[0]), users[0]).get("/me/data.json").content.decode()
    assert "my own words" in text
    assert "another's words" not in text
    assert mine in text
    assert "player1@example.org" in text
    assert "player2@example.org" not in text


def test_deleting_an_account() -> None:
    """A deleted account gives its seats up, its orders stay without a name; nothing goes without the password."""
    users = people(2)
    users[0].set_password("one-long-pass-9")
    users[0].save()
    table = running(users)
    power = power_of(table, users[0])
    submission.submit(table, power, [], Submission(0), user=users[0], now=NOW)
    client = signed_in(users[0])
    asked = client.post("/me/data", {"sure": "yes"})
    assert asked.headers["Location"].startswith("/accounts/reauthenticate/")
    client.post(asked.headers["Location"], {"password": "wrong"})
    assert User.objects.filter(username="player1").exists()
    client.post(asked.headers["Location"], {"password": "one-long-pass-9", "next": "/me/data"})
    assert not User.objects.filter(username="player1").exists()
    assert table.seats.get(power=power, state=SeatState.STANDBY_WANTED).user is None
    assert not Sheet.objects.filter(table=table, power=power).exists()
    admin = User.objects.create_superuser("admin")
    with pytest.raises(Refused, match="only admin"):
        own_data.forget(admin)


def test_anybody_checks_a_receipt() -> None:
    """The page tells a good receipt from one that was changed and from what is none; it never tells the orders."""
    users = people(1)
    table = running(users)
    power = power_of(table, users[0])
    receipt = submission.submit(table, power, [], Submission(0), user=users[0], now=NOW)
    good = receipts.text_of(receipt)
    for text, words in (
        (good, "these orders count"),
        (good.replace(power, "Nobody"), "not signed here"),
        ("GM1|<b>", "not a receipt"),
        ("|".join(["GM1", *["x"] * 10]), "not signed here"),
    ):
        page = Client().post("/receipts/verify", {"receipt": text}).content.decode()
        assert words in page
        assert "<b>" not in page


# -- ratings ---------------------------------------------------------------------------------------------------------


def finished(users: list[User], winner: User, settings: TableSettings | None = None) -> int:
    """A game that one player has won on the board; its number."""
    table = running(users, settings)
    game = store.load(table)
    game = replace(game, outcome=Outcome(Termination.VICTORY, (power_of(table, winner),), game.phase.code))
    deadlines.finish_game(table, game, NOW + HOUR)
    return table.pk


def test_the_winner_rises() -> None:
    """A won game raises the winner's rating above the others', in all games and in the variant's."""
    users = people(3)
    finished(users, users[1])
    first = ratings.standings()
    assert first[0].user == users[1]
    assert len(first) == 3
    assert [one.user for one in ratings.standings("standard")] == [one.user for one in first]
    assert [r.user for r in RatedSeat.objects.filter(place=1)] == [users[1]]


def test_ratings_have_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each page reads its own players alone, in the stored order, and leads to the next; so does the API."""
    names = [f"rated{number:03}" for number in range(250)]
    users = User.objects.bulk_create(User(username=name) for name in names)
    ratings_of = [
        Rating(
            user=user, scope="", mu=25 - place // 2, sigma=1, games=1, shown=ratings.public_rating(25 - place // 2, 1)
        )
        for place, user in enumerate(users)
    ]
    Rating.objects.bulk_create(ratings_of[::-1])
    read: list[object] = []
    from_db = Rating.from_db

    def counted(*given: Any) -> Rating:
        read.append(given)
        return from_db(*given)

    monkeypatch.setattr(Rating, "from_db", counted)
    found: list[str] = []
    address = "/ratings"
    while address:
        read.clear()
        page = Client().get(address).content.decode()
        assert len(read) <= ratings.LONGEST_LIST + 1
        found += re.findall('<a href="/people/([^/]+)/">', page)
        link = re.search(r'href="(\?variant=&amp;after=[0-9]+)"', page)
        address = f"/ratings{link[1].replace('&amp;', '&')}" if link else ""
    assert found == names
    assert [one["name"] for one in Client().get("/api/ratings?after=240").json()] == names[240:]
    Rating.objects.update(shown=0)
    import_module("gamesmaster.host.migrations.0016_squashed_0028_helper").compare_names(apps, None)
    assert [one.user.username for one in ratings.standings(most=250)] == names


def test_what_is_not_rated() -> None:
    """Games against bots alone, and games whose players stay nameless, are not rated."""
    users = people(2)
    finished(users[:1], users[0])
    finished(users, users[0], TableSettings(anonymity="always"))
    assert not Rating.objects.exists()


def test_a_game_taken_back_counts_no_more() -> None:
    """Ratings worked out anew from the places are the same; without a game they are as before it."""
    users = people(3)
    finished(users, users[0])
    before = sorted((r.user_id, r.scope, r.mu, r.sigma, r.games) for r in Rating.objects.all())
    from gamesmaster.host.models import Table

    second = Table.objects.get(pk=finished(users, users[2]))
    ratings.take_back(second, NOW)
    do_jobs(NOW)
    assert sorted((r.user_id, r.scope, r.mu, r.sigma, r.games) for r in Rating.objects.all()) == before


def test_reliability() -> None:
    """Missed seasons and given-up seats lower it, and a table may ask for more than a player has."""
    users = people(3)
    assert ratings.reliability(users[0]).per_cent == 75
    table = running(users)
    for user in users[:2]:
        submission.submit(table, power_of(table, user), [holding(table, user)], Submission(0), user=user, now=NOW)
    late = NOW + timedelta(days=9)
    processing.process(table, 0, now=late)
    processing.process(table, 0, now=late + timedelta(days=9))
    table.refresh_from_db()
    assert table.ordinal == 1
    assert Seat.objects.get(table=table, user=users[0]).sent == Seat.objects.get(table=table, user=users[0]).asked == 1
    assert Seat.objects.get(table=table, user=users[2]).sent == 0
    assert ratings.reliability(users[0]).per_cent > 75 > ratings.reliability(users[2]).per_cent
    strict = hosting.create(users[0], "standard", TableSettings(min_reliability=76), now=NOW)
    seats.join(strict, users[0], now=NOW)
    with pytest.raises(Refused, match="reliable"):
        seats.join(strict, users[2], now=NOW)


# -- order, remarks --------------------------------------------------------------------------------------------------


def test_complaints() -> None:
    """Moderators settle complaints, the answer is on the page of who complained, and not about tables of their own."""
    player, keeper, other = people(3)
    admin = User.objects.create_superuser("admin")
    accounts.set_moderator(keeper, admin, wanted=True, now=NOW)
    accounts.set_moderator(other, admin, wanted=True, now=NOW)
    table = running([player, keeper])
    made = oversight.complain(player, "conduct", "Rude words.", key=table.key)
    with pytest.raises(Refused, match="another moderator"):
        oversight.close_complaint(made.pk, keeper, "no")
    assert "Rude words" not in signed_in(keeper).get("/moderation/").content.decode()
    assert signed_in(other).post(f"/moderation/close/{made.pk}", {"answer": "We have talked."}).status_code == 302
    assert "We have talked." in signed_in(player).get("/me").content.decode()
    assert Complaint.objects.get().state == Complaint.CLOSED


def test_the_log_tells_nothing_of_own_tables() -> None:
    """A moderator who plays does not read the log of that table: it would tell who plays what."""
    player, keeper = people(2)
    accounts.set_moderator(keeper, User.objects.create_superuser("admin"), wanted=True, now=NOW)
    table = running([player, keeper], TableSettings(anonymity="until_end"))
    seats.leave(table, player, now=NOW)
    assert not [line for line in oversight.audit_log(keeper) if line.table_id == table.pk]
    assert not list(oversight.audit_log(keeper, key=table.key))


def test_suspending() -> None:
    """A suspended account signs in no more; admins are not suspended."""
    player, keeper = people(2)
    admin = User.objects.create_superuser("admin")
    accounts.set_moderator(keeper, admin, wanted=True, now=NOW)
    client = signed_in(player)
    oversight.suspend(player, keeper, wanted=True)
    assert client.get("/me").status_code == 302
    with pytest.raises(Refused):
        oversight.suspend(admin, keeper, wanted=True)
    with pytest.raises(Refused):
        accounts.set_moderator(player, keeper, wanted=True)


def test_remarks_are_confidential() -> None:
    """What players say of a game is read by whoever runs it: no player, nor, till the end, an owner who plays."""
    users = people(4)
    gm = users[3]
    table = running(users[:3], gm=gm)
    asked = remarks.ask(table, gm, "Is the box too strong?", now=NOW)
    remarks.say(table, users[0], "The canary sings", {"joy": 4}, now=NOW)
    remarks.say(table, users[1], "Yes.", {"joy": 2}, question=asked.pk, now=NOW)
    remarks.say(table, users[0], "The canary sings again", {"joy": 5}, now=NOW)
    page = f"/t/{table.key}/remarks/"
    assert "canary sings again" in signed_in(gm).get(page).content.decode()
    assert "canary" in signed_in(users[0]).get(page).content.decode()
    assert "canary" not in signed_in(users[1]).get(page).content.decode()
    every = f"/api/tables/{table.key}/remarks/summary"
    assert every in signed_in(gm).get(page).content.decode()
    assert signed_in(gm).get(every).json()["answers"] == 2
    assert signed_in(users[1]).get(every).status_code == 403
    found = remarks.summary(table, gm)
    assert found.answers == 2
    assert [s.mean for s in found.scales if s.name == "joy"] == [3.5]
    with pytest.raises(Refused):
        remarks.say(table, gm, "me too")
    own = running(users[:2])
    remarks.say(own, users[1], "Slow.", now=NOW)
    assert not remarks.may_read(own, users[0])
    own.state = TableState.FINISHED
    assert remarks.may_read(own, users[0])
