"""What a game agrees on draws, votes and lost players is set once, among its house rules or with the table."""

from __future__ import annotations

from typing import get_args

import pytest

from gamesmaster.host.games import hosting
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.games.words import sentences
from gamesmaster.host.models import Table
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.settings import FIELDS, Absent, Anonymity, Press, TableSettings
from gamesmaster.variant import HouseRules
from tests.host.conftest import NOW, people, running
from tests.host.test_api import Program
from tests.host.test_games_pages import form, signed_in
from tests.host.test_tables import refused

pytestmark = pytest.mark.django_db


def rules_of(table: Table) -> HouseRules:
    """The house rules that a table keeps."""
    return HouseRules.of(table.house_rules)


def test_a_table_of_old_times_plays_on() -> None:
    """One that was stored with `draws` and `ballots` among its settings has them as house rules, on every page."""
    users = people(2)
    table = running(users, house_rules={"draw_shares": "any_group", "votes": "open"})
    Table.objects.filter(pk=table.pk).update(settings={**table.settings, "draws": "subset", "ballots": "open"})
    table.refresh_from_db()
    view = access.look(table.key, users[0])
    assert view.settings == TableSettings.model_validate(store.settings_of(table).model_dump())
    assert (view.house_rules.draw_shares, view.house_rules.votes) == ("any_group", "open")
    page = signed_in(users[0]).get(f"/t/{table.key}/lobby/").content.decode()
    assert page.count("shared by the powers that its proposal names") == 1
    assert page.count("Everybody sees what is proposed and who agrees.") == 1
    status, told = Program(users[0]).call("get", f"/tables/{table.key}")
    assert (status, told["house_rules"]["draw_shares"], told["house_rules"]["votes"]) == (200, "any_group", "open")


@pytest.mark.parametrize(
    ("house_rules", "draws", "votes"),
    [
        (None, "all_survivors", "secret"),
        ({"draw_shares": "any_group"}, "any_group", "secret"),
        ({"draw_shares": "any_group", "votes": "counted"}, "any_group", "counted"),
        ("postal-1972", "any_group", "secret"),
        ({"preset": "postal-1972", "draw_shares": "all_survivors", "votes": "open"}, "all_survivors", "open"),
    ],
)
def test_programs_agree_on_draws_and_votes(house_rules: str | dict[str, str] | None, draws: str, votes: str) -> None:
    """House rules are taken and answered; settings that the site does not know are refused."""
    [user] = people(1)
    asked = {"variant": "standard", "house_rules": house_rules}
    assert Program(user).call("post", "/tables", {**asked, "settings": {"draws": "subset"}})[0] == 422
    status, told = Program(user).call("post", "/tables", asked)
    assert status == 201
    table = Table.objects.get()
    assert (rules_of(table).draw_shares, rules_of(table).votes) == (draws, votes)
    assert told["house_rules"] == rules_of(table).choices()


def test_house_rules_say_what_the_settings_leave_open() -> None:
    """Those of the variant and of a preset hold, and become the table's policy; what the settings say goes before."""
    cline = hosting.create(None, "cline9", now=NOW)
    assert rules_of(cline).draw_shares == "any_group"
    three = hosting.create(None, GameChoice("standard", house_rules={"missed_before_standby": 3}), now=NOW)
    assert store.settings_of(three).absent.misses == 3
    assert not store.settings_of(three).absent.beforehand
    rules: dict[str, object] = {"missed_before_standby": 4, "standby_players": "asked_beforehand"}
    both = hosting.create(None, GameChoice("standard", house_rules=rules), now=NOW)
    assert (store.settings_of(both).absent.misses, store.settings_of(both).absent.beforehand) == (4, True)
    own = hosting.create(
        None, GameChoice("standard", house_rules=rules), TableSettings(absent=Absent(misses=1)), now=NOW
    )
    assert (store.settings_of(own).absent.misses, store.settings_of(own).absent.beforehand) == (1, False)
    for table in (three, both, own):
        assert (rules_of(table).missed_before_standby, rules_of(table).standby_players) == (0, "whoever_comes")
    with refused("bad-variant"):
        settings = TableSettings(absent=Absent(beforehand=True))
        hosting.create(None, GameChoice("standard", house_rules={"missed_before_standby": 1}), settings, now=NOW)


def test_the_form_asks_once() -> None:
    """The form has one field for who shares a draw, one for votes, one for misses; the lobby tells each once."""
    [user] = people(1)
    client = signed_in(user)
    page = client.get("/games/new").content.decode()
    names = ["rule-draw_shares", "rule-votes", "absent_misses", "absent_beforehand"]
    assert [page.count(f'name="{name}"') for name in names] == [1, 1, 1, 1]
    for name in ("draws", "ballots", "rule-missed_before_standby", "rule-standby_players"):
        assert f'name="{name}"' not in page
    chosen = {"rule-draw_shares": "any_group", "rule-votes": "counted", "absent_misses": "3"}
    answers = form(**chosen, **{"rule-last_year": "1908", "rule-scoring": "tribute"})
    early = client.post("/games/new", answers | {"rule-last_year": "1900"}).content.decode()
    assert "last_year cannot be 1900: the game begins in 1901" in early
    assert client.post("/games/new", answers).status_code == 302
    table = Table.objects.get()
    assert (rules_of(table).last_year, rules_of(table).scoring) == (1908, "tribute")
    told = dict(sentences(store.settings_of(table), table))
    assert told["Last year"].startswith("In 1908, at the last count of that year. The power with most centres")
    assert told["Scoring"] == "By centres, and a tribute to the leader (Tribute)."
    assert (rules_of(table).draw_shares, rules_of(table).votes) == ("any_group", "counted")
    assert store.settings_of(table).absent.misses == 3
    assert client.post("/games/new", form(house_rules="postal-1972")).status_code == 302
    assert rules_of(Table.objects.latest("pk")).draw_shares == "any_group"


def test_each_policy_has_its_words() -> None:
    """Every choice of press and of anonymity is in the form, in the lobby and, where it refuses, in words."""
    assert {one.name for one in FIELDS["press"].choices} == set(get_args(Press))
    assert {one.name for one in FIELDS["anonymity"].choices} == set(get_args(Anonymity))
    for press in get_args(Press):
        for anonymity in get_args(Anonymity):
            settings = TableSettings(press=press, anonymity=anonymity)
            told = dict(sentences(settings, Table(settings={}, house_rules={}, rulebook={})))
            assert told["Press"] == str(FIELDS["press"].choice(press).says)
            assert told["Players' names"] == str(FIELDS["anonymity"].choice(anonymity).says)
