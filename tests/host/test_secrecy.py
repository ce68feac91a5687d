"""Two games that differ in nothing but secrets look the same to everybody else, to the byte (D3, D5)."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import timedelta

import pytest
from django.core.cache import cache

from gamesmaster.host.models import Ballot, Message, Standby, Table
from gamesmaster.host.orders import drafts, submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import processing
from gamesmaster.host.site import clock
from gamesmaster.host.site.refusals import Refused
from gamesmaster.host.tables import access, store
from tests.host.conftest import NOW, power_of
from tests.host.walk import asked_of, body_of
from tests.host.world import LATER, World, make_world
from tests.lengths import mark_long

pytestmark = pytest.mark.django_db
OTHERS = ("stranger", "outsider", "other", "replaced", "moderator", "staff", "standby")
"""Those who know none of the secrets that differ: they are the player's own."""
TOKENS = re.compile(r'(csrfmiddlewaretoken" value="|csrf-token" content="|X-CSRFToken": "|csrftoken=)[^";]*')


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: LATER)


def all_answers(world: World, role: str) -> dict[str, str]:
    """Everything that a person of this role is answered, status, headers, tags and order included."""
    cache.clear()  # with all that counts how often somebody asks
    client, found = world.client(role), {}
    urls = [url for _, url in asked_of(world.table, elsewhere=False)]
    client.get(f"/t/{world.table.key}/")  # whoever has seen the game has no unread notices of it any more
    for url in [*urls, "/games"]:
        response = client.get(url)
        assert response.status_code < 429, url
        found[url] = TOKENS.sub(r"\1", f"{response.status_code}\n{body_of(response)}")
    return found


Change = Callable[[World], None]


def differences(world: World, steps: Sequence[Sequence[Change]], roles: Sequence[str] = OTHERS) -> list[str]:
    """What anybody else sees of changes that are secret, made step by step."""
    before, found = {role: all_answers(world, role) for role in roles}, []
    for changes in steps:
        for change in changes:
            change(world)
        store.GAMES.clear()
        for role in roles:
            after = all_answers(world, role)
            if role != "standby" or a_standbys_orders not in changes:
                names = ", ".join(change.__name__ for change in changes)
                found += [
                    f"{names}; {role} {url}: {_where(before[role][url], after[url])}"
                    for url in after
                    if after[url] != before[role][url]
                ]
            before[role] = after
    return found


def _where(one: str, two: str) -> str:
    at = next((n for n, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), min(len(one), len(two)))
    return f"{one[max(0, at - 60) : at + 60]!r} became {two[max(0, at - 60) : at + 60]!r}"


def own_power(world: World) -> str:
    """The power of the player whose secrets they are."""
    return power_of(world.table, world.people["own"])


def more_orders(world: World) -> None:
    """Other orders, later, by another way, confirmed and held."""
    power, user = own_power(world), world.people["own"]
    unit = store.load(world.table).position.of(power)[0]
    texts = [f"{unit.kind} {unit.at} H"]
    submission.submit(
        world.table, power, texts, Submission(world.table.ordinal, channel="mail", amend=False), user=user
    )
    submission.hold(world.table, power, wait=True, ordinal=world.table.ordinal, user=user)
    submission.confirm(world.table, power, ready=True, ordinal=world.table.ordinal, user=user)


def orders_ahead(world: World) -> None:
    """Orders for later phases, with the set or from an earlier phase."""
    power = own_power(world)
    ahead = {"retreats": ["A Par - Gas"] * 9, "adjustments": ["Build A Par"]}
    assert world.table.sheets.filter(ordinal=world.table.ordinal, power=power).update(ahead=ahead)
    waits = {power_of(world.table, world.people["successor"]): ahead}
    Table.objects.filter(pk=world.table.pk).update(ahead=waits)


def no_orders(world: World) -> None:
    """None at all, and no vote."""
    submission.forget(world.table, own_power(world))


def all_ready(world: World) -> None:
    """Everybody is ready, so that the phase will be processed early."""
    table = world.table
    for seat in table.seats.filter(user__isnull=False, power__isnull=False).exclude(state="left"):
        if seat.user_id in (world.people["other"].pk, world.people["moderator"].pk):
            continue  # they may see that they are ready themselves
        sheet = table.sheets.filter(ordinal=table.ordinal, power=seat.power).first()
        lines = sheet.lines if sheet else []
        submission.submit(table, seat.power or "", lines, Submission(table.ordinal, confirm=True), user=seat.user)


def a_vote(world: World) -> None:
    """A vote for a draw."""
    Ballot.objects.filter(table=world.table, power=own_power(world)).delete()
    Ballot.objects.create(
        table=world.table, ordinal=world.table.ordinal, power=own_power(world), winners=["x"] * 5, at=LATER
    )


def another_seed(world: World) -> None:
    """Dice that will fall otherwise."""
    game = store.load(world.table)
    committed = game.dice.commitment
    Table.objects.filter(pk=world.table.pk).update(seed=b"y" * 32)
    assert committed == game.dice.commitment


def private_press(world: World) -> None:
    """Letters between two others."""
    own, to = own_power(world), power_of(world.table, world.people["successor"])
    for _ in range(3):
        Message.objects.create(
            table=world.table,
            ordinal=world.table.ordinal,
            sender=own,
            shown_as=own,
            to=[to],
            text="x" * 99,
            sent_at=NOW,
        )


def a_standbys_orders(world: World) -> None:
    """Other orders of a standby, for the player's power."""
    Standby.objects.filter(table=world.table).update(text="x" * 99, sent_at=LATER)


def an_address(world: World) -> None:
    """Mail that goes elsewhere, in another zone, by day."""
    user = world.people["own"]
    user.email = "elsewhere@example.org"
    user.save()
    profile = user.profile
    profile.time_zone, profile.theme = "Asia/Tokyo", "dark"
    profile.save()


SECRETS = (more_orders, orders_ahead, all_ready, a_vote, another_seed, private_press, an_address)
TOGETHER = [SECRETS, (a_standbys_orders, no_orders)]
ONE_BY_ONE = [(change,) for change in (*SECRETS, a_standbys_orders, no_orders)]


@pytest.mark.parametrize(
    ("phase", "steps", "roles"),
    [
        ("later", TOGETHER, ("stranger", "other", "moderator", "standby")),
        *mark_long([
            ("later", TOGETHER, OTHERS), ("moves", [(no_orders,)], OTHERS), ("later", ONE_BY_ONE[:4], OTHERS),
            ("later", ONE_BY_ONE[4:], OTHERS),
        ]),
    ],
)  # fmt: skip
def test_two_games_that_differ_in_secrets(phase: str, steps: Sequence[Sequence[Change]], roles: Sequence[str]) -> None:
    """Bytes, lengths, tags and orderings are equal for everybody whom the secret does not concern (D3).

    Changes may be made together or one by one, so that none can hide what another one shows.
    """
    found = differences(make_world(phase), steps, roles)
    assert not found, "\n".join(found[:12])


def test_the_owner_sees_the_difference() -> None:
    """The player whose orders they are does see them change: the comparison is not blind."""
    world = make_world("later")
    before = all_answers(world, "own")
    more_orders(world)
    assert all_answers(world, "own") != before


def test_the_player_sees_nothing_of_the_standby() -> None:
    """The player beside whom a standby is asked sees nothing of the standby's orders (CLN-H.e)."""
    world = make_world("later")
    before = all_answers(world, "own")
    a_standbys_orders(world)
    assert all_answers(world, "own") == before


def test_what_is_offered_does_not_depend_on_orders() -> None:
    """Lawful orders, and the warnings about a draft, are the same whatever others have sent (D5)."""
    world = make_world("later")
    user, power = world.people["other"], power_of(world.table, world.people["other"])
    seen = access.view(world.table, access.viewer_of(world.table, user))
    units = seen.position.of(power)
    draft = [f"{unit.kind} {unit.at} H" for unit in units]
    before = drafts.draft_preview(seen, power, draft)
    more_orders(world)
    world.table.refresh_from_db()
    again = access.view(world.table, access.viewer_of(world.table, user))
    assert drafts.draft_preview(again, power, draft) == before


def test_a_look_ahead_throws_no_die_and_writes_nothing() -> None:
    """The Gamesmaster's look ahead changes neither game nor dice, is noted, and is nobody else's (D9)."""
    world = make_world("later")
    table, gm = world.table, world.people["gm"]
    record, lines = table.record, table.audit.count()
    first, second = processing.preview(table, gm), processing.preview(table, gm)
    table.refresh_from_db()
    assert (table.record, first.rulings) == (record, second.rulings)
    assert table.audit.count() == lines + 2
    for role in ("own", "moderator", "staff", "outsider"):
        with pytest.raises(Refused):
            processing.preview(table, world.people[role])


def test_who_is_replaced_loses_everything_at_once() -> None:
    """The successor reads none of the former player's letters to come, and the former player nothing any more (D8)."""
    world = make_world("later")
    power = power_of(world.table, world.people["successor"])
    client = world.client("replaced")
    page = body_of(client.get(f"/t/{world.table.key}/"))
    assert f"Orders of {power}</h2>" not in page
    response = client.post(
        f"/t/{world.table.key}/orders", {"power": power, "ordinal": world.table.ordinal, "text": "zqforged"}
    )
    assert response.status_code in (200, 302, 403, 404, 409)
    assert not world.table.sheets.filter(power=power, text__contains="zqforged").exists()


def test_sandboxes_are_apart() -> None:
    """A branch of a game takes over its past, not what is being sent, nor its dice (D4)."""
    from gamesmaster.host.phases import past

    world = make_world("later")
    seen = access.look(world.table.key, world.people["outsider"])
    branch = past.fork(seen, world.table.ordinal, None, now=LATER + timedelta(seconds=1))
    assert not branch.sheets.exists()
    branch.refresh_from_db()
    assert bytes(branch.seed) != bytes(world.table.seed)
    assert bytes(world.table.seed).hex() not in branch.record
