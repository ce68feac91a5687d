"""How people hear of things: the registry of notices, and the channel that each person chooses for a kind."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from gamesmaster.host.accounts import people
from gamesmaster.host.games import deadlines
from gamesmaster.host.gm import desk
from gamesmaster.host.mailroom import brake, delivery
from gamesmaster.host.models import OutMail
from gamesmaster.host.tables import notifications, outbox
from tests.host.conftest import DAY, HOUR, NOW, running
from tests.host.conftest import people as some
from tests.host.test_people import signed_in

pytestmark = pytest.mark.django_db


def subjects(user: User, **fields: object) -> list[str]:
    """Return the subjects of a person's mails, without the names of games."""
    rows = OutMail.objects.filter(user=user, **fields).order_by("pk").values_list("subject", flat=True)
    return [subject.partition("] ")[2] for subject in rows]


def test_every_notice_is_of_a_known_kind() -> None:
    """Each notice of the registry has a known kind and says who gets it, and each kind has notices."""
    assert {texts.event for texts in notifications.TEMPLATES.values()} == set(notifications.KINDS)
    assert all(texts.to and texts.subject for texts in notifications.TEMPLATES.values())


def test_a_day_of_notices_comes_as_one_mail_in_the_morning() -> None:
    """Notices of kinds set to daily wait until eight in the reader's zone, and come as one mail."""
    user, gm = some(2)
    people.choose(user, {"time_zone": "Europe/Vienna", "notices": {"table": "daily"}})
    table = running([user], gm=gm)
    desk.tell_all(table, gm, "Welcome.", now=NOW)  # Monday, 13:00 in Vienna
    deadlines.extend(table, gm, NOW + 3 * DAY, now=NOW + HOUR)
    assert subjects(user, state=OutMail.QUEUED) == [subjects(user)[0]]  # the game begins
    assert not delivery.dead_letters()
    morning = NOW.replace(hour=7) + DAY
    assert brake.send_digests(morning - timedelta(minutes=1)) == 0
    assert brake.send_digests(morning) == 1
    digest = OutMail.objects.get(event="digest")
    assert digest.subject == "e-mails of a day: 2"
    assert "Welcome." in digest.body
    assert "The Gamesmaster has moved the deadline." in digest.body
    assert brake.send_digests(morning + DAY) == 0


def test_the_channels_are_chosen_on_a_page() -> None:
    """The page of notices keeps a choice for each kind, and refuses a channel or a kind that does not exist."""
    (user,) = some(1)
    client = signed_in(user)
    assert client.post("/me/notices", {"press": "none", "phase": "mail"}).status_code == 302
    assert people.Profile.objects.get(user=user).notices == {"press": "none", "phase": "mail"}
    page = client.get("/me/notices").content.decode()
    assert page.count('<select id="notice-') == len(notifications.CHOSEN)
    assert '<option value="none" selected>' in page
    assert (
        "Please choose one of the options shown"
        in client.post("/me/notices", {"press": "pigeon"}, follow=True).content.decode()
    )
    assert people.Profile.objects.get(user=user).notices["press"] == "none"


def test_what_was_chosen_decides_how_a_notice_comes() -> None:
    """Without a choice the registry decides; kinds that are fixed ignore a choice."""
    (user,) = some(1)
    assert outbox.channel_of(user, "press") == "push"
    people.choose(user, {"notices": {"press": "daily"}})
    assert outbox.channel_of(user, "press") == "daily"
    user.profile.notices["seat"] = "none"
    assert outbox.channel_of(user, "seat") == "mail"
