"""Variants that hide parts of the board: worlds that differ only out of a power's sight look the same to its player."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from random import Random

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.http.response import HttpResponseBase
from django.test import Client

from gamesmaster.game import Game
from gamesmaster.host.games import hosting
from gamesmaster.host.models import OutMail, Table
from gamesmaster.host.orders import drafts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import past
from gamesmaster.host.practice import sandbox
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, notifications, store
from gamesmaster.host.tables.notifications import Reader, as_read
from tests.host.conftest import power_of
from tests.host.walk import asked_of, body_of
from tests.host.world import LATER, World, make_world
from tests.lengths import mark_long
from tests.worlds import NONSENSE, observation, own_orders, play, worlds

pytestmark = pytest.mark.django_db
MASKED = re.compile(r'(csrfmiddlewaretoken" value="|csrf-token" content="|X-CSRFToken": "|csrftoken=)[^";]*')


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: LATER)


def twins(game: Game, power: str, phases: int) -> Iterator[Game]:
    """Yield games from the same beginning on that look alike to a power, and have come to the phase of the first."""
    chance, found = Random(3), dict[str, list[Game]]()
    for seed in range(20):
        for world in worlds(replace(game, orders={}, ahead={}, votes={}), power, chance, 4):
            for number in range(phases):
                world = play(world, power, own_orders(world, power, Random(number)), chance, seed)
            if not world.outcome:
                found.setdefault(observation(world, power), []).append(world)
    yield from max(found.values(), key=len)


def put(table: Table, game: Game) -> None:
    """Put a game into the row of a table, whose version stays as it is."""
    kept = store.serialise(game)
    owing = [one.power for one in game.status if one.is_due]
    Table.objects.filter(pk=table.pk).update(
        record=kept.record, ordinal=len(game.records), phase_code=game.phase.code, owing=owing
    )
    store.GAMES.clear()
    table.refresh_from_db()


def answers(world: World, role: str, *, sent: dict[str, str] | None = None) -> dict[str, str]:
    """Everything that a person of this role is answered at the addresses of the table, also to what is `sent` there."""
    client, found = world.client(role), {}
    client.get(f"/t/{world.table.key}/")
    cache.clear()
    for _, url in asked_of(world.table, {"ordinal": "0"}, elsewhere=False):
        if sent is None:
            found[url] = _told(client.get(url))
        elif "leave" not in url:
            found[url] = _posted(client, url, sent, "") + _posted(client, url, sent, "application/json")
    return found


def _posted(client: Client, url: str, sent: dict[str, str], kind: str) -> str:
    """Send something to an address, and return the answer; what it has changed is taken back."""
    cache.clear()
    with transaction.atomic():
        told = _told(client.post(url, sent, content_type=kind) if kind else client.post(url, sent))
        transaction.set_rollback(True)
    store.GAMES.clear()
    return told


def _told(response: HttpResponseBase) -> str:
    assert response.status_code < 500
    return MASKED.sub(r"\1", f"{response.status_code}\n{body_of(response)}")


def compare(name: str, tell: Callable[[World, str], dict[str, str]], number: int = 2) -> World:
    """Check that `number` worlds that look alike to a player are told alike, by a player's power, to the byte."""
    world = make_world("moves", variant=name)
    power = power_of(world.table, world.people["own"])
    alike = [*twins(store.load(world.table), power, 1)][:number]
    assert len(alike) == number
    read = []
    for one in alike:
        put(world.table, one)
        assert access.look(world.table.key, world.people["own"]).partial
        read.append(tell(world, power))
    assert read[0]
    for others in read[1:]:
        different = [at for at in others if others[at] != read[0][at]]
        assert not different, [(at, _where(read[0][at], others[at])) for at in different[:8]]
    return world


@pytest.mark.parametrize("name", mark_long(("fog", "blind"), but=("fog",)))
def test_worlds_that_look_alike_have_the_same_pages(name: str) -> None:
    """At every address of the site, the API included, a player and a stranger read the same in both worlds."""

    def tell(world: World, power: str) -> dict[str, str]:
        return {f"{role} {url}": text for role in ("own", "stranger") for url, text in answers(world, role).items()}

    world = compare(name, tell)
    found = answers(world, "gm")
    put(world.table, next(worlds(store.load(world.table), "Austria", Random(1), 1)))
    assert answers(world, "gm") != found  # who runs the game sees the whole board


@pytest.mark.long
@pytest.mark.parametrize("name", ["fog", "blind"])
def test_worlds_that_look_alike_answer_alike(name: str) -> None:
    """Whatever a player sends to any address, forms and JSON, is answered in the same words in both worlds."""

    def tell(world: World, power: str) -> dict[str, str]:
        text = "\n".join(NONSENSE)
        data = {"power": power, "ordinal": "1", "orders": text, "texts": text, "text": text, "to": "all"}
        return answers(world, "own", sent=data)

    compare(name, tell)


@pytest.mark.parametrize("name", ["fog", "blind"])
def test_worlds_that_look_alike_write_the_same_mails(name: str) -> None:
    """Mails of the game, previews, saved sets and their refusals say the same in both worlds."""

    def tell(world: World, power: str) -> dict[str, str]:
        table, user = world.table, world.people["own"]
        game, reader = store.load(table), Reader(power, "Europe/Berlin")
        seats = store.seats_at(table)
        letters = {
            "results": notifications.phase_over(table, game, notifications.report_of(game), game.due_orders),
            "beginning": notifications.beginning(table, game, seats),
            "duty": notifications.reminder(table, game),
        }
        found = {
            at: f"{as_read(one.subject, reader)}\n{as_read(one.body, reader)}\n{one.notice}"
            for at, one in letters.items()
        }
        view = access.look(table.key, user)
        for number, text in enumerate(("\n".join(NONSENSE), *NONSENSE)):
            found[f"preview {number}"] = repr(drafts.draft_preview(view, power, text))
            found[f"saved {number}"] = _saved(table, power, text, user)
        return found

    compare(name, tell, 3)


def _saved(table: Table, power: str, text: str, user: User) -> str:
    """Save orders, and return what the player is told of it; they are taken back."""
    with transaction.atomic():
        try:
            submission.submit(table, power, text, Submission(table.ordinal, confirm=True), user=user)
            sheet = table.sheets.get(ordinal=table.ordinal, power=power)
            told = repr((sheet.text, sheet.confirmed))
        except Refused as refused:
            told = str(refused)
        transaction.set_rollback(True)
    store.GAMES.clear()
    return told


def _where(one: str, two: str) -> str:
    start = next((n for n, pair in enumerate(zip(one, two, strict=False)) if pair[0] != pair[1]), 0)
    return f"{one[max(0, start - 80) : start + 80]!r} ... {two[max(0, start - 80) : start + 80]!r}"


def test_a_finished_game_is_open_and_a_running_one_has_no_record() -> None:
    """Plans, sandboxes and the record wait for the end; a room's screen shows no more than a visitor sees."""
    world = make_world("moves", variant="blind")
    key, player = world.table.key, world.people["own"]
    view = access.look(key, player)
    assert not sandbox.may_plan(view)
    for forbidden in (view.record_text, lambda: past.fork(view, view.ordinal, player)):
        with pytest.raises(Refused, match=r"when (the game|it) is over"):
            forbidden()
    client = world.client("own")
    assert client.get(f"/t/{key}/record.json").status_code == 409
    own, room = (client.get(f"/t/{key}/map.svg{query}").content for query in ("", "?public=1"))
    assert own != room == world.client("stranger").get(f"/t/{key}/map.svg").content
    Table.objects.filter(pk=world.table.pk).update(state="finished")
    assert len(access.look(key, player).position.units) == 22


def test_a_page_offers_nothing_that_hidden_parts_forbid() -> None:
    """No sandbox and no record before the end; numbers of others are called what is in sight, and have no chart."""
    world = make_world("later", variant="fog")
    power = power_of(world.table, world.people["own"])
    page = body_of(world.client("own").get(f"/t/{world.table.key}/"))
    assert "Units in sight" in page
    assert re.findall(r"<g class=\"power-line\"><title>(\w+):", page) == [power]
    assert "Centres by year" not in body_of(world.client("stranger").get(f"/t/{world.table.key}/"))
    for offered in ("Open a sandbox from here", "record.json"):
        assert offered not in page
        assert offered in body_of(world.client("gm").get(f"/t/{world.table.key}/"))


def test_the_mail_of_a_phase_is_each_players_own() -> None:
    """When a phase is processed, each player gets the results as his or her power sees them."""
    world = make_world("later", variant="blind")
    for role in ("own", "other"):
        power = power_of(world.table, world.people[role])
        (mail,) = OutMail.objects.filter(user=world.people[role], event="phase")
        units = {unit.power for unit in store.load(world.table).records[0].position.units}
        named = {one for one in units if f"\n{one}\n" in mail.body or f"{one}:" in mail.body}
        assert named == {power}


def test_a_sandbox_shows_everything() -> None:
    """In a sandbox there are no secrets: who orders for all powers sees the whole board."""
    table = hosting.sandbox("blind")
    assert len(access.look(table.key, None).position.units) == 22
