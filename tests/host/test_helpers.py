"""Helpers of a Gamesmaster: their rights, their limits, and what remains when they go."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from gamesmaster.host.games import deadlines, hosting, seats, standbys
from gamesmaster.host.gm import desk, helpers, remarks
from gamesmaster.host.mailroom import addresses, compose
from gamesmaster.host.models import AuditLine, Helper, Message, OutMail, Table
from gamesmaster.host.phases import processing
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import HOUSE, Press
from gamesmaster.host.profiles import own_data
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.access import look
from tests.host.conftest import HOUR, NOW, person, power_of
from tests.host.mailing import answer, sent

pytestmark = pytest.mark.django_db
LATER = NOW + HOUR


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: LATER)


@pytest.fixture
def helper() -> User:
    """A person who is to help."""
    return person("assistant")


def refusal(act: object) -> str:
    """Return the code with which an action is refused."""
    with pytest.raises(Refused) as refused:
        act()  # type: ignore[operator]
    return refused.value.code


def test_a_helper_can_do_what_the_gamesmaster_can(run: Table, gm: User, helper: User) -> None:
    """Each action is logged under its doer's name; all players learn who sees their orders."""
    assert not look(run.key, helper).viewer.gm
    helpers.name(run, "assistant", gm)
    view = look(run.key, helper)
    assert (view.viewer.gm, view.viewer.role) == (True, "gm")
    assert Message.objects.latest("pk").text.startswith("assistant helps the Gamesmaster from now on")
    assert OutMail.objects.filter(user=helper, subject__contains="you help the Gamesmaster").exists()
    deadlines.pause(run, helper)
    deadlines.resume(run, helper)
    desk.tell_all(run, helper, "Hello")
    processing.preview(run, helper)
    assert remarks.may_read(run, helper)
    assert {line.what: line.who for line in AuditLine.objects.filter(table=run, who=helper)}.keys() == {
        "paused", "resumed", "wrote to all", "previewed S1901M",
    }  # fmt: skip
    assert Message.objects.latest("pk").shown_as == HOUSE
    assert [line.runs for line in hosting.find_tables("mine", helper)] == [True]
    assert own_data.export(helper)["games_helped"]


def test_what_players_write_to_the_gamesmaster_reaches_helpers(run: Table, gm: User, helper: User) -> None:
    """They can answer by mail at an address of their own, until their help ends."""
    helpers.name(run, "assistant", gm)
    player = User.objects.get(username="player1")
    correspondence.send(run, power_of(run, player), Press("May I?", [HOUSE]), user=player, now=LATER)
    mail = OutMail.objects.get(user=helper, event="press")
    assert compose.may_read(mail)
    to = addresses.runner(run, helper, run.ordinal)
    assert to in str(compose.compose_mail(mail).extra_headers["Reply-To"])
    sent(helper, to, "pause")
    assert "The game is paused." in answer(helper)
    helpers.drop(run, "assistant", gm)
    assert addresses.box_of(to) is None
    assert not compose.may_read(mail)


def test_helpers_cannot_name_others_or_play(run: Table, gm: User, helper: User) -> None:
    """Nobody who plays can help, and nobody who has helped can play."""
    other = person("other")
    helpers.name(run, "assistant", gm)
    assert refusal(lambda: helpers.name(run, "other", helper)) == "not-gm"
    assert refusal(lambda: helpers.drop(run, "assistant", other)) == "not-gm"
    assert refusal(lambda: helpers.name(run, "assistant", gm)) == "is-gm"
    assert refusal(lambda: helpers.name(run, "gamesmaster", gm)) == "is-gm"
    assert refusal(lambda: helpers.name(run, "player1", gm)) == "sits-already"
    assert refusal(lambda: helpers.name(run, "nobody", gm)) == "no-player"
    assert refusal(lambda: helpers.drop(run, "other", gm)) == "no-player"
    power = power_of(run, User.objects.get(username="player1"))
    for person_ in (helper, helper):
        assert refusal(lambda: seats.replace(run, power, helper, gm)) == "is-gm"
        assert refusal(lambda: seats.join(run, helper)) == "is-gm"
        assert not look(run.key, person_).viewer.powers
        if Helper.objects.get().ended is None:
            helpers.drop(run, "assistant", helper)
    assert not look(run.key, helper).viewer.gm
    assert refusal(lambda: access.must_run(run, helper)) == "not-gm"
    helpers.name(run, "assistant", gm)
    assert look(run.key, helper).viewer.gm


def test_limits(run: Table, gm: User) -> None:
    """A few helpers, no standbys, and none once the game is over."""
    for number in range(helpers.MOST_HELPERS):
        helpers.name(run, person(f"h{number}").username, gm)
    assert refusal(lambda: helpers.name(run, person("more").username, gm)) == "too-many"
    helpers.drop(run, "h0", gm)
    run.standbys.create(user=person("waiting"), offered=LATER)
    assert refusal(lambda: helpers.name(run, "waiting", gm)) == "sits-already"
    hosting.cancel(run, gm, now=LATER)
    assert refusal(lambda: helpers.name(run, "more", gm)) == "over"


def test_a_helper_dropped_before_the_game_begins_may_play(gm: User, helper: User) -> None:
    """Before the start there is nothing to know."""
    table = hosting.create(gm, hosting.GameChoice("standard", name="Later"), gm=gm, now=NOW)
    helpers.name(table, "assistant", gm)
    assert refusal(lambda: seats.join(table, helper)) == "is-gm"
    helpers.drop(table, "assistant", gm)
    assert seats.join(table, helper).user == helper
    assert refusal(lambda: standbys.offer(table, gm)) in ("is-gm", "no-standbys")


def test_the_desk(client: Client, run: Table, gm: User, helper: User) -> None:
    """The Gamesmaster names and removes, helpers step down; helpers see the desk without the field."""
    client.force_login(gm)
    url = f"/t/{run.key}/gm/"
    page = client.post(f"{url}do", {"what": "helper", "player": "assistant"}, follow=True).content.decode()
    assert "assistant is a helper now" in page
    other = Client()
    other.force_login(helper)
    shown = other.get(url).content.decode()
    assert "Step down" in shown
    assert "Name a helper" not in shown
    gone = other.post(f"{url}do", {"what": "no-helper", "player": "assistant"})
    assert gone.headers["Location"] == f"/t/{run.key}/"
    assert other.get(url).status_code == 404
    bad = client.post(f"{url}do", {"what": "helper", "player": "nobody"}, follow=True).content.decode()
    assert "There is no player with that name." in bad


def test_the_api_and_mail(client: Client, run: Table, gm: User, helper: User) -> None:
    """Both doors name and drop helpers."""
    client.force_login(gm)
    url = f"/api/tables/{run.key}/helpers"
    assert client.post(url, {"user": "assistant"}, "application/json").json() == ["assistant"]
    assert client.get(url).json() == ["assistant"]
    assert Client().get(url).status_code == 403
    assert client.delete(f"{url}/assistant").status_code == 200
    sent(gm, addresses.runner(run, gm, run.ordinal), "helper Assistant")
    assert "assistant is a helper now" in answer(gm)
    sent(gm, addresses.runner(run, gm, run.ordinal), "no helper assistant")
    assert "assistant is no longer a helper" in answer(gm)
    assert not helpers.helpers_of(run)
