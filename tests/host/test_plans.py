"""Private plans at a table: what if?  Begun where the game stands, seen by their player alone, taken back into it."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client

from gamesmaster.host.games import hosting
from gamesmaster.host.models import Sheet, Table
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import past, processing
from gamesmaster.host.practice import sandbox
from gamesmaster.host.profiles import own_data
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access
from gamesmaster.host.tables.view import TableView
from tests.host.conftest import NOW, holding, power_of, running
from tests.host.conftest import people as folk
from tests.host.test_matrix import bare, others_things
from tests.host.walk import asked_of, body_of
from tests.host.world import LATER, make_world, of_table, words_in
from tests.lengths import short_and_long

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: LATER)
    cache.clear()


@pytest.fixture
def game() -> tuple[Table, User, str]:
    """A game that goes on, a player with orders saved, and the player's power."""
    user = folk(1)[0]
    table = running([user])
    power = power_of(table, user)
    submission.submit(table, power, holding(table, user), Submission(0), user=user, now=NOW)
    return table, user, power


def begun(table: Table, user: User, name: str = "") -> TableView:
    """A plan of this player, as the player sees it."""
    made = sandbox.begin_plan(access.look(table.key, user), name)
    return access.look(made.key, user)


def test_a_plan_begins_where_the_game_stands(game: tuple[Table, User, str]) -> None:
    """With the player's own orders, at the player's own power; its end changes nothing in the game."""
    table, user, power = game
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(f"/t/{table.key}/plans", {"name": "Go  east"}, follow=True)
    page = answer.content.decode()
    assert f"Orders of {power}</h2>" in page
    assert "private plan" in page
    (plan,) = sandbox.own_plans(access.look(table.key, user))
    assert (plan.name, plan.phase, plan.current) == ("Go east", "S1901M", True)
    made = access.look(plan.key, user)
    assert [(s.power, s.lines) for s in made.sheets] == [
        (s.power, s.lines) for s in access.look(table.key, user).sheets
    ]
    assert f"Orders of {power}</h2>" in client.get(f"/t/{plan.key}/").content.decode()
    assert "Go east" in client.get(f"/t/{table.key}/").content.decode()
    assert client.post(f"/t/{plan.key}/process", {"ordinal": "0"}).status_code == 302
    table.refresh_from_db()
    assert (table.ordinal, access.look(plan.key, user).ordinal) == (0, 1)
    client.post(f"/t/{plan.key}/plan/delete")
    assert not Table.objects.filter(sandbox=True).exists()
    assert Table.objects.filter(pk=table.pk).exists()


def test_others_are_guessed_or_set_by_hand(game: tuple[Table, User, str]) -> None:
    """A bot orders for those for whom the player has not, anew each time; the player's own orders stay."""
    table, user, power = game
    plan = begun(table, user)
    other, *rest = [p.name for p in plan.variant.powers if p.name != power]
    row = Table.objects.get(key=plan.key)
    submission.submit(row, other, [], Submission(0), user=user)
    before = {sheet.power: sheet.text for sheet in row.sheets.all()}
    assert set(sandbox.guess_others(plan, "heuristic")) == set(rest)
    guessed = {sheet.power: sheet.text for sheet in row.sheets.all()}
    assert all(" - " in guessed[name] for name in rest)
    assert {name: guessed[name] for name in before} == before
    assert set(sandbox.guess_others(plan, "holder")) == set(rest)
    assert not any(" - " in sheet.text for sheet in row.sheets.filter(power__in=rest))
    with pytest.raises(Refused, match="no bot"):
        sandbox.guess_others(plan, "../evil.py")
    assert not table.sheets.exclude(power=power).exists()


@pytest.mark.parametrize("processed", [False, True])
def test_its_orders_become_the_players(game: tuple[Table, User, str], processed: bool) -> None:
    """Before or after the plan has been played through, they replace what was saved, and nobody is ready by that."""
    table, user, power = game
    submission.confirm(table, power, ready=True, ordinal=0, user=user, now=NOW)
    plan = begun(table, user)
    row = Table.objects.get(key=plan.key)
    unit = plan.position.of(power)[-1]
    line = f"{unit.kind} {unit.at} H"
    submission.submit(row, power, [line], Submission(0), user=user)
    if processed:
        assert processing.ask(row, 0, user) is processing.Done.PROCESSED
    assert sandbox.adopt_plan(access.look(plan.key, user)).key == table.key
    sheet = Sheet.objects.get(table=table, power=power)
    assert (sheet.lines, sheet.confirmed) == ([line], False)


def test_a_plan_for_a_phase_that_is_over(game: tuple[Table, User, str]) -> None:
    """Its orders stay where they are; the list says that its phase is over."""
    table, user, power = game
    plan = begun(table, user)
    assert processing.process(table, 0, "asked", now=LATER) is processing.Done.PROCESSED
    with pytest.raises(Refused, match="This plan is for S1901M"):
        sandbox.adopt_plan(access.look(plan.key, user))
    assert not sandbox.own_plans(access.look(table.key, user))[0].current
    assert not Sheet.objects.filter(table=table, ordinal=1, power=power).exists()


def test_so_many_and_for_players_alone(game: tuple[Table, User, str]) -> None:
    """Who does not play has no plans; who does has twelve at most, and a branch of a plan is one of them."""
    table, user, _ = game
    for _ in range(sandbox.MOST_PLANS):
        plan = begun(table, user)
    with pytest.raises(Refused, match="12 plans"):
        begun(table, user)
    with pytest.raises(Refused, match="play in this game"):
        sandbox.begin_plan(access.look(table.key, None))
    processing.ask(Table.objects.get(key=plan.key), 0, user)
    branch = past.fork(access.look(plan.key, user), 0, user)
    assert branch.key in {one.key for one in sandbox.own_plans(access.look(table.key, user))}
    with pytest.raises(Refused, match="no such game"):
        access.look(branch.key, None)
    assert plan.key not in {line.key for line in hosting.find_tables("mine", user)}
    own_data.forget(user)
    assert not Table.objects.filter(sandbox=True).exists()


@short_and_long("roles", ("stranger", "gm"), ("stranger", "other", "gm", "staff"))
def test_a_plan_is_no_table_to_anybody_else(roles: tuple[str, ...]) -> None:
    """Every address of it answers others, admins too, as one of a table that there is not; nothing in it changes."""
    world = make_world("later")
    made = sandbox.begin_plan(access.look(world.table.key, world.people["own"]), "zqplan")
    row = Table.objects.get(key=made.key)
    submission.submit(
        row,
        power_of(world.table, world.people["own"]),
        ["zqplanned"],
        Submission(1),
        user=world.people["own"],
    )
    before = (row.sheets.count(), row.state, row.ordinal)
    nothing = "abcdefghjk"
    for role in roles:
        client = world.client(role)
        for address, url in asked_of(row):
            if not of_table(address):
                continue
            cache.clear()
            for method in ("get", "post"):
                real = getattr(client, method)(url, {"ordinal": "1", "power": "Austria"})
                unreal = getattr(client, method)(url.replace(row.key, nothing), {"ordinal": "1", "power": "Austria"})
                assert real.status_code == unreal.status_code, (role, method, url)
                assert bare(real, row.key) == bare(unreal, nothing), (role, method, url)
    row.refresh_from_db()
    assert (row.sheets.count(), row.state, row.ordinal) == before


@short_and_long("roles", ("other",), ("other", "moderator", "staff"))
def test_nothing_shows_others_that_there_is_a_plan(roles: Sequence[str]) -> None:
    """The game's pages are the same to the byte for everybody else, whatever its player plans."""
    world = make_world("later")
    before = {role: _answers(world.client(role), world.table) for role in roles}
    things = others_things(world)
    made = sandbox.begin_plan(access.look(world.table.key, world.people["own"]), "zqplan")
    for role, answers in before.items():
        assert _answers(world.client(role), world.table) == answers, role
    assert others_things(world) == things
    assert not words_in("".join(_answers(world.client("gm"), world.table).values()), ["zqplan", made.key])
    own = "".join(_answers(world.client("own"), world.table).values())
    assert words_in(own, ["zqplan", made.key]) == ["zqplan", made.key]


def _answers(client: Client, table: Table) -> dict[str, str]:
    cache.clear()
    client.get(f"/t/{table.key}/")  # whoever has seen the game has no unread notices of it any more
    urls = [*(url for _, url in asked_of(table, elsewhere=False)), "/games", "/games?list=mine"]
    tokens = re.compile(r'(csrfmiddlewaretoken" value="|csrf-token" content="|X-CSRFToken": "|csrftoken=)[^";]*')
    return {url: tokens.sub(r"\1", body_of(client.get(url))) for url in urls}
