"""Players of one table who send from one address: told to moderators, kept for days, and never more than a hint."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client, override_settings

from gamesmaster.host.accounts import people as accounts
from gamesmaster.host.models import Seat, Trace
from gamesmaster.host.moderation import oversight
from gamesmaster.host.profiles import own_data
from gamesmaster.host.site.refusals import Refused
from tests.host.conftest import DAY, NOW, people, running

pytestmark = pytest.mark.django_db
HOME, WORK = "93.184.215.14", "2606:2800:21f:cb07::17"


@pytest.fixture(autouse=True)
def _nothing_noted() -> None:
    cache.clear()


def keeper() -> User:
    """A moderator who plays nowhere."""
    found = User.objects.create_user("keeper")
    accounts.set_moderator(found, User.objects.create_superuser("boss"), wanted=True)
    return found


def test_two_of_one_table_at_one_address() -> None:
    """Two who send from one address on two days are told once, with the days; a third elsewhere is not (E11)."""
    one, two, three = people(3)
    table = running([one, two, three])
    for day in (NOW, NOW + DAY, NOW + DAY):
        for user in (one, two):
            oversight.note_trace(user, HOME, day)
        oversight.note_trace(three, WORK, day)
    (found,) = oversight.shared_addresses(keeper())
    assert (found.table, {found.one, found.two}, found.days) == (table, {one, two}, 2)
    assert found.last == (NOW + DAY).date()
    assert Seat.objects.filter(table=table, user__isnull=False).exclude(state="left").count() == 3


def test_what_shares_an_address() -> None:
    """Of the newer kind of address a household shares a part; another day, or another table, is no hint (E11)."""
    one, two, three, four = people(4)
    running([one, two])
    running([three, four])
    oversight.note_trace(one, WORK, NOW)
    oversight.note_trace(two, "2606:2800:21f:cb07:ffff::1", NOW)
    oversight.note_trace(three, HOME, NOW)
    oversight.note_trace(four, HOME, NOW + DAY)
    (found,) = oversight.shared_addresses(keeper())
    assert {found.one, found.two} == {one, two}


@pytest.mark.parametrize("address", ["127.0.0.1", "10.1.2.3", "::1", "fe80::1", "", "unknown", "192.168.0.7"])
def test_what_is_no_public_address_is_not_kept(address: str) -> None:
    """Of addresses within the house, which all might share, nothing is kept."""
    (user,) = people(1)
    oversight.note_trace(user, address, NOW)
    assert not Trace.objects.exists()


def test_what_is_kept_is_no_address() -> None:
    """A mark is not the address and another one every day; it goes after two weeks, and with the account."""
    one, two = people(2)
    for day in range(3):
        oversight.note_trace(one, HOME, NOW + day * DAY)
    oversight.note_trace(two, HOME, NOW)
    marks = list(Trace.objects.filter(user=one).values_list("mark", flat=True))
    assert len(set(marks)) == 3
    assert not any("93" in mark and "184" in mark and "215" in mark for mark in marks)
    assert len(own_data.export(one)["addresses"]) == 3  # type: ignore[arg-type]
    two.delete()
    assert Trace.objects.count() == 3
    assert oversight.tidy_traces(NOW + oversight.TRACES_KEPT + timedelta(days=1)) == 1
    assert oversight.tidy_traces(NOW + oversight.TRACES_KEPT + timedelta(days=9)) == 2


def test_only_moderators_are_told_and_not_of_their_own_tables() -> None:
    """A player is told nothing, and a moderator nothing of a table at which he or she plays (E11, G1)."""
    one, two, mod = people(3)
    running([one, two, mod])
    for user in (one, two, mod):
        oversight.note_trace(user, HOME, NOW)
    with pytest.raises(Refused, match="moderators"):
        oversight.shared_addresses(one)
    accounts.set_moderator(mod, User.objects.create_superuser("boss"), wanted=True)
    assert oversight.shared_addresses(mod) == []
    assert len(oversight.shared_addresses(keeper_of_all())) == 3
    client = Client()
    client.force_login(one, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get("/moderation/alike").status_code == 404


def keeper_of_all() -> User:
    """The admin, who plays nowhere."""
    return User.objects.get(username="boss")


@pytest.mark.parametrize("wanted", [True, False])
def test_sending_is_noted_and_looking_is_not(wanted: bool) -> None:
    """What is sent by a page and taken is noted, once a day; a look is not, nor anything where it is off."""
    (user,) = people(1)
    client = Client(REMOTE_ADDR=HOME)
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    with override_settings(NOTE_ADDRESSES=wanted):
        client.get("/me")
        client.post("/nowhere", {"about": "nothing"})
        assert not Trace.objects.exists()
        for _ in range(2):
            client.post("/me/absences", {"begins": "2027-07-01", "ends": "2027-07-02"})
        assert Trace.objects.filter(user=user).count() == int(wanted)
        text = client.get("/me/data").content.decode()
    assert ("a hash of your internet address" in text) is wanted


def test_the_page() -> None:
    """The moderators' page names table and players, and says that it is no proof."""
    one, two = people(2)
    table = running([one, two])
    for user in (one, two):
        oversight.note_trace(user, HOME, NOW)
    client = Client()
    client.force_login(keeper(), backend="django.contrib.auth.backends.ModelBackend")
    text = client.get("/moderation/alike").content.decode()
    assert table.name in text
    assert one.username in text
    assert two.username in text
    assert "not a proof" in text
