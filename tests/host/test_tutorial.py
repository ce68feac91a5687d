"""The tutorial: its data, what the judge makes of right and wrong orders, its pages, and that it is in nobody's way."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client
from django.utils.translation import gettext

from gamesmaster.errors import GamesmasterError
from gamesmaster.host.games import hosting
from gamesmaster.host.models import Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.practice import tutorial
from gamesmaster.host.practice.tutorial import SCENES, TURNS
from gamesmaster.host.site import clock
from gamesmaster.host.tables import access
from gamesmaster.host.tables.access import POWER
from gamesmaster.host.tables.view import TableView
from tests.host.conftest import NOW

pytestmark = pytest.mark.django_db
NUMBERS = range(len(SCENES))
WRONG = {
    0: [
        ([], "stayed at home"),
        (["A Par - Pic"], "stayed in port"),
        (["A Par - Bur", "F Bre - Eng"], "Two moves"),
        (["A Par - Pic", "F Bre - Eng", "A Mar - Spa"], "should stay"),
    ],
    1: [
        (["A Pic - Bel", "A Mar - Spa"], "1 against 1"),
        (["F Eng S A Pic - Bel", "A Mar - Spa"], "a move that you did not order"),
        (["A Pic - Bel VIA", "F Eng S A Pic - Bel", "A Mar - Spa"], "waited for a convoy"),
        (["F Eng - Bel", "A Mar - Spa"], "went to Belgium itself"),
        (["A Pic - Bel", "F Eng S A Pic - Bel"], "still at home"),
    ],
    2: [
        (["A Bre - Lon", "A Spa - Por"], "no fleet carried it"),
        (["F Eng C A Bre - Lon", "A Spa - Por"], "the army did not come"),
        (["A Bre - Lon", "F Eng C A Bre - Lon"], "Portugal"),
        (["A Bre - Lon", "F Eng C A Bre - Lon", "A Spa - Por", "A Bel - Pic"], "left"),
    ],
    3: [
        (["A Bel - Pic"], "before the attack"),
        ([], "stood alone"),
        (["F Eng S A Bel", "A Lon - Wal"], "own London"),
        (["F Eng S A Bel", "A Por - Spa"], "own Portugal"),
    ],
    4: [([], "off the board"), (["A Bel D"], "off the board")],
    5: [([], "Nothing was built"), (["Waive"], "Nothing was built")],
    6: [
        (["A Bur - Mun", "A Ruh S A Bur - Mun"], "two supports"),
        (["A Ruh S A Bur - Mun", "A Tyr S A Bur - Mun"], "did not order"),
        ([], "not yours yet"),
    ],
}
"""Orders that miss the goal of each scene, and what the hint is about."""


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW)
    cache.clear()


def played(number: int, lines: tuple[str, ...] | list[str]) -> tuple[TableView, int]:
    """A scene played with these orders, and the number of its phase; what leads to it is played as it should be."""
    table = tutorial.begin(number)
    view = access.look(table.key, None)
    while (here := tutorial.number_of(view)) is not None:
        given = lines if here == number else SCENES[here].model
        submission.submit(table, POWER, list(given), Submission(view.ordinal), user=None)
        assert processing.ask(table, view.ordinal, None) is processing.Done.PROCESSED
        if here == number:
            break
        table.refresh_from_db()
        view = access.look(table.key, None)
    return access.look(table.key, None), view.ordinal


@pytest.mark.parametrize("number", NUMBERS)
def test_the_model_solution_reaches_the_goal(number: int) -> None:
    """Each order of the solution is legal, and the judge's results are the goal; the last scene wins the game."""
    view, ordinal = played(number, SCENES[number].model)
    given = [one for one in view.adjudication(ordinal).rulings if one.power == POWER and one.given]
    assert len(given) == len(SCENES[number].model)
    assert all(one.possible for one in given)
    assert tutorial.verdict(view, ordinal) == tutorial.Verdict(True, gettext(SCENES[number].well))
    assert (view.outcome is not None and view.outcome.winners == (POWER,)) == (number == NUMBERS[-1])


@pytest.mark.parametrize(("number", "lines", "about"), [(n, *one) for n in NUMBERS for one in WRONG[n]])
def test_a_wrong_order_gets_its_hint(number: int, lines: list[str], about: str) -> None:
    """What misses the goal is told why, by the judge's results."""
    found = tutorial.verdict(*played(number, lines))
    assert not found.reached
    assert about in found.says


def test_every_hint_is_given_for_something() -> None:
    """No hint is dead, and none hides another: the wrong orders above bring each of them."""
    for number, scene in enumerate(SCENES):
        said = {tutorial.verdict(*played(number, lines)).says for lines, _ in WRONG[number]}
        assert {hint.says for hint in scene.hints} <= said
        if not scene.hints:
            assert scene.hint in said


def test_the_others_orders_are_legal() -> None:
    """What is scripted for the other powers can be read and carried out, for units that are there."""
    for number, scene in enumerate(SCENES):
        view, ordinal = played(number, scene.model)
        scripted = [one for one in view.adjudication(ordinal).rulings if one.power != POWER and one.given]
        assert len(scripted) == sum(len(lines) for lines in scene.others.values())
        assert not [one.text for one in scripted if not one.possible or one.result == "void"]


def test_the_scenes_follow_one_another() -> None:
    """Five turns in order; where a scene sets the board anew, France's units stand where its orders took them."""
    assert [*dict.fromkeys(scene.turn for scene in SCENES)] == [*range(1, TURNS + 1)]
    for before, after in ((0, 1), (4, 5)):
        view, _ = played(before, SCENES[before].model)
        there = {str(unit) for unit in view.position.of(POWER)}
        assert there == set((SCENES[after].units or {})[POWER]), after
        owned = {place for place, owner in view.position.owners.items() if owner == POWER}
        if centres := SCENES[after].centres:
            assert owned == set(centres[POWER])


def test_a_stranger_plays_through_the_pages() -> None:
    """Without an account: from the front page to a turn, a wrong try, its hint, again, and on to the next turn."""
    client = Client()
    assert 'href="/tutorial/"' in client.get("/").content.decode()
    assert "Begin with turn 1" in client.get("/tutorial/").content.decode()
    page = client.post("/tutorial/", {"scene": "1"}, follow=True)
    address = page.redirect_chain[-1][0]
    text = page.content.decode()
    assert "Turn 2 of 5: Support" in text
    assert f"Orders of {POWER}</h2>" in text
    assert "Ruh - Bel" not in text
    client.post(f"{address}orders", {"power": POWER, "ordinal": "0", "text": "A Pic - Bel\nA Mar - Spa"})
    result = client.post(f"{address}process", {"ordinal": "0"}, follow=True).content.decode()
    assert "Not quite." in result
    assert "1 against 1" in result
    assert "Skip this" in result
    again = client.post(f"{address}back/0", follow=True).content.decode()
    assert "A Pic - Bel" in again
    lines = "\n".join(SCENES[1].model)
    client.post(f"{address}orders", {"power": POWER, "ordinal": "0", "text": lines})
    result = client.post(f"{address}process", {"ordinal": "0"}, follow=True).content.decode()
    assert "Well done." in result
    assert 'name="scene" value="2"' in result
    assert client.get(address).headers["Location"] == f"{address}p/0/"


def test_a_retreat_is_played_on_the_same_board() -> None:
    """After the attack the same game goes on with the retreat; a retreat that failed can be tried again."""
    view, ordinal = played(3, SCENES[3].model)
    client = Client()
    result = client.get(f"/t/{view.key}/p/{ordinal}/").content.decode()
    assert f'class="button" href="/t/{view.key}/"' in result
    assert "Turn 4 of 5: Retreat" in client.get(f"/t/{view.key}/").content.decode()
    missed, last = played(3, ["A Bel - Pic"])
    assert missed.ordinal == last + 1
    assert client.get(f"/t/{missed.key}/").status_code == 302


def test_the_end_leads_on() -> None:
    """Who has won is led to an account, or to games."""
    view, ordinal = played(6, SCENES[6].model)
    address = f"/t/{view.key}/p/{ordinal}/"
    client = Client()
    assert "/accounts/signup/" in client.get(address).content.decode()
    client.force_login(User.objects.create_user("ann"), backend="django.contrib.auth.backends.ModelBackend")
    assert "Play alone against bots" in client.get(address).content.decode()


def test_a_newcomer_sees_and_orders_for_one_power() -> None:
    """The others' orders are not seen before the phase is over, and nobody can change them."""
    table = tutorial.begin(1)
    view = access.look(table.key, None)
    assert view.viewer.powers == (POWER,)
    assert not view.viewer.gm
    assert [sheet.power for sheet in view.sheets] == []
    with pytest.raises(GamesmasterError):
        submission.submit(table, "Germany", ["A Ruh H"], Submission(0), user=None)


def test_a_tutorial_is_in_no_list() -> None:
    """Whoever begins one owns no game."""
    user = User.objects.create_user("ann")
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    client.post("/tutorial/", {"scene": "0"})
    other = hosting.sandbox("standard", user, now=NOW)
    assert [line.key for line in hosting.find_tables("mine", user)] == [other.key]
    assert not any(hosting.find_tables(kind, None) for kind in ("open", "running", "finished"))


def test_tutorials_are_limited() -> None:
    """Nobody fills the database with them, and what is no turn is no page."""
    client = Client()
    for scene in ("7", "-1", "x", "99999999999", "²"):
        assert client.post("/tutorial/", {"scene": scene}).status_code == 404
    answers = [client.post("/tutorial/", {"scene": "0"}).headers["Location"] for _ in range(61)]
    assert answers[-1] == "/tutorial/"
    assert Table.objects.count() == 60


def test_newcomers_are_shown_the_way() -> None:
    """The list of games leads who has none yet to the tutorial, and nobody else."""
    user = User.objects.create_user("ann")
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    assert re.search(r'<a [^>]*href="/tutorial/"', client.get("/games").content.decode())
    hosting.sandbox("standard", user, now=NOW)
    assert "/tutorial/" not in client.get("/games").content.decode()
