"""Who plays what at an anonymous table is told by nothing: no order, number, time, export, figure or mail."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from gamesmaster.game import Throw
from gamesmaster.game.dice import LOTS
from gamesmaster.host.games import hosting, ratings, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.gm import hooks
from gamesmaster.host.mailroom import addresses
from gamesmaster.host.mailroom.compose import compose_mail
from gamesmaster.host.models import HookCall, OutMail, Profile, Table, WebHook
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import past, processing, votes
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.profiles import own_data
from gamesmaster.host.site import clock
from gamesmaster.host.tables import access, store
from gamesmaster.host.tables.settings import TableSettings
from tests.host.conftest import HOUR, NOW, people, person, power_of, running
from tests.host.test_matrix import ALL_PEOPLE
from tests.host.test_secrecy import TOKENS
from tests.host.walk import asked_of, body_of
from tests.host.world import words_in
from tests.lengths import mark_long

pytestmark = pytest.mark.django_db

KEY = "abcdefghjk"
ME = "zqme"
"""The player through whose eyes all plays look alike: France in each."""
FOLK = ("zqann", "zqben", "zqcid", "zqeve", "zqfay")
"""Those who change places; Eve and Fay are those who take over."""
ELSEWHERE = (
    "/accounts/", "/variants/", "/api/variants", "/api/docs", "/api/openapi", "/sandbox/", "/healthz", "/me/security",
)  # fmt: skip
"""Where nothing is told of any table."""
HELD = re.compile(r"\b[0-9a-f]{24}\b|GM1\|[^<\"\s]*|\"created_at\": *\"[^\"]*\"")
"""The player's own receipts and their codes, drawn anew each time, and when the player signed in, by the real clock."""


@dataclass(frozen=True)
class Play:
    """Who plays which power, in which order they sat down (`bot` is one), and who made the table."""

    powers: dict[str, str]
    order: tuple[str, ...]
    owner: str


PLAYS = (
    Play(
        {"England": "zqann", "Italy": "zqben", "Turkey": "zqcid"},
        ("zqann", "zqben", "zqcid", ME, "bot", "bot", "bot"),
        "zqann",
    ),
    Play(
        {"Turkey": "zqann", "England": "zqben", "Italy": "zqcid"},
        ("bot", "zqcid", ME, "bot", "zqann", "bot", "zqben"),
        "zqben",
    ),
    Play(
        {"Austria": "zqcid", "Italy": "zqann", "Russia": "zqben"},
        (ME, "bot", "bot", "zqben", "bot", "zqann", "zqcid"),
        "zqcid",
    ),
)
"""In the last, bots and people have changed places as well."""


@pytest.fixture(autouse=True)
def _clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "now", lambda: NOW + 40 * HOUR)


@pytest.fixture
def folk() -> dict[str, User]:
    """All of them, and the Gamesmaster, with profiles."""
    found = {name: person(name) for name in (ME, *FOLK, "zqgm", "zqoutsider")}
    for user in found.values():
        Profile.objects.get_or_create(user=user)
    return found


@contextmanager
def undone() -> Iterator[None]:
    """What is done here is taken back, numbers and all."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    store.GAMES.clear()


def formed(play: Play, folk: dict[str, User], anonymity: str) -> Table:
    """The table with all of them at it, the powers not drawn yet."""
    chosen = {"anonymity": anonymity, "powers": "preference", "starts": "asked", "ready_shown": True}
    settings = TableSettings.model_validate(chosen)
    table = hosting.create(folk[play.owner], GameChoice("standard", name="Masked"), settings, gm=folk["zqgm"], now=NOW)
    Table.objects.filter(pk=table.pk).update(key=KEY, seed=b"s" * 32)
    wishes = {name: [power] for power, name in play.powers.items()} | {ME: ["France"]}
    for minute, name in enumerate(play.order):
        at = NOW + timedelta(minutes=0 if name == ME else minute)
        if name == "bot":
            seats.add_bot(table, "holder", folk[play.owner], now=at)
        else:
            seats.join(table, folk[name], preferences=wishes[name], now=at)
    WebHook.objects.create(table=table, owner=folk["zqgm"], url="https://example.org/h", secret="x", made=NOW,
                           events=[*hooks.EVENTS])  # fmt: skip
    table.refresh_from_db()
    return table


def played(table: Table, folk: dict[str, User]) -> None:
    """Two seasons: orders, press, votes, a miss, a phase taken back, two more players for Italy; then all are ready."""
    hosting.start(table, folk["zqgm"], now=NOW + HOUR)
    table.refresh_from_db()
    _send(table, 2)
    italy, france = _player(table, "Italy"), _player(table, "France")
    correspondence.send(
        table,
        "Italy",
        Press("Shall we leave Piedmont empty?", ["France"]),
        user=italy,
        now=NOW + 3 * HOUR,
    )
    correspondence.send(table, "France", Press("To all of you.", [correspondence.ALL]), user=france, now=NOW + 3 * HOUR)
    votes.cast(table, "Italy", store.load(table).survivors, ordinal=0, user=italy, now=NOW + 3 * HOUR)
    votes.wish(table, "Italy", "extend", ordinal=0, user=italy, now=NOW + 3 * HOUR)
    _process(table, 4)
    _send(table, 5, but=("Italy",))
    _process(table, 6)
    past.rollback(table, 1, folk["zqgm"], now=NOW + 7 * HOUR)
    table.refresh_from_db()
    seats.replace(table, "Italy", folk["zqeve"], folk["zqgm"], now=NOW + 8 * HOUR)
    seats.leave(table, folk["zqeve"], now=NOW + 9 * HOUR)
    seats.join(table, folk["zqfay"], power="Italy", now=NOW + 9 * HOUR)
    _send(table, 9)
    _process(table, 10)
    _send(table, 11, ready=True)


def _player(table: Table, power: str) -> User:
    user = table.seats.exclude(state="left").get(power=power).user
    assert user is not None
    return user


def _send(table: Table, hour: int, but: tuple[str, ...] = (), *, ready: bool = False) -> None:
    """Orders to hold of every person, in their own spelling; a bot of this kind holds as well."""
    table.refresh_from_db()
    position = store.load(table).position
    for seat in table.seats.exclude(state="left").filter(user__isnull=False).exclude(power__in=but):
        lines = [f"{unit.kind.lower()} {unit.at} holds" for unit in position.of(seat.power or "")]
        submission.submit(
            table, seat.power or "", lines, Submission(table.ordinal), user=seat.user, now=NOW + hour * HOUR
        )
        if ready:
            submission.confirm(
                table, seat.power or "", ready=True, ordinal=table.ordinal, user=seat.user, now=NOW + hour * HOUR
            )


def _process(table: Table, hour: int) -> None:
    assert processing.process(table, table.ordinal, "asked", now=NOW + hour * HOUR) == "processed"
    table.refresh_from_db()


def ended(table: Table) -> None:
    """All people agree to a draw."""
    shared = store.load(table).survivors
    for seat in table.seats.exclude(state="left").filter(user__isnull=False):
        assert seat.power
        if votes.cast(table, seat.power, shared, ordinal=table.ordinal, user=seat.user, now=NOW + 12 * HOUR):
            break
    table.refresh_from_db()
    assert table.state == "finished"


def public(table: Table, clients: dict[str, Client], folk: dict[str, User]) -> dict[str, str]:
    """Everything that these readers get at any address, and what the player and the hook are sent."""
    found = {}
    about = [f"{where}{name}" for name in FOLK for where in ("/people/", "/api/people/")]
    urls = [url for _, url in asked_of(table) if not url.startswith(ELSEWHERE)]
    urls += ["/games", "/games?list=running", "/games?list=finished", *about]
    for role, client in clients.items():
        cache.clear()  # with all that counts how often somebody asks
        for url in urls:
            answer = client.get(url, follow=url in about)
            assert answer.status_code not in (429, 500), url
            found[f"{role} {url}"] = HELD.sub("", TOKENS.sub(r"\1", f"{answer.status_code}\n{body_of(answer)}"))
    for number, mail in enumerate(OutMail.objects.filter(user=folk[ME]).order_by("pk")):
        told = compose_mail(mail)
        found[f"mail {number}"] = f"{told.subject}\n{told.body}\n{told.extra_headers.get('References')}\n{mail.made}"
    hooks.collect(NOW + 40 * HOUR)
    found["hook"] = "\n".join(HookCall.objects.order_by("pk").values_list("body", flat=True))
    return found


def _differences(one: dict[str, str], two: dict[str, str]) -> list[str]:
    found = [f"{name} is only once" for name in one.keys() ^ two.keys()]
    for name in one.keys() & two.keys():
        for left, right in zip(one[name].split("\n"), two[name].split("\n"), strict=False):
            if left != right:
                at = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), 0)
                found.append(f"{name}: {left[max(0, at - 80) : at + 80]!r} and {right[max(0, at - 80) : at + 80]!r}")
                break
    return sorted(found)


@pytest.mark.parametrize(
    ("anonymity", "stages", "plays"),
    [
        ("until_end", ("running",), PLAYS[::2]),
        *mark_long([("until_end", ("forming", "running"), PLAYS), ("always", ("running", "finished"), PLAYS)]),
    ],
)
def test_who_sat_down_when_tells_nothing(
    folk: dict[str, User], anonymity: str, stages: tuple[str, ...], plays: tuple[Play, ...]
) -> None:
    """The same game with people and bots at other places, who sat down in another order, is the same to the byte."""
    clients = {"stranger": Client(raise_request_exception=False)}
    for role in ("zqoutsider", ME):
        clients[role] = Client(raise_request_exception=False)
        clients[role].force_login(folk[role], backend="django.contrib.auth.backends.ModelBackend")
    told: list[dict[str, str]] = []
    for play in plays:
        with undone():
            seen: dict[str, str] = {}
            table = formed(play, folk, anonymity)
            for stage in stages:
                if stage != "forming" and table.state == "forming":
                    played(table, folk)
                if stage == "finished":
                    ended(table)
                found = public(table, clients, folk)
                seen |= {f"{stage}: {name}": text for name, text in found.items()}
            told.append(seen)
    for other in told[1:]:
        differing = _differences(told[0], other)
        assert not differing, "\n".join(differing[:12])
    named = [name for name, text in told[0].items() if words_in(text, FOLK) and not _of_people(name)]
    assert not named
    for stage in stages:
        read = [text for name, text in told[0].items() if name.startswith((f"{stage}: {ME} /t/", f"{stage}: mail"))]
        assert any("leave Piedmont empty" in text for text in read) == (stage != "forming")


def _of_people(name: str) -> bool:
    """Is it a page about people, not about a table?"""
    return any(part in name for part in ALL_PEOPLE) or "/people/" in name


# -- one by one ------------------------------------------------------------------------------------------------------


def test_the_lot_cannot_be_drawn_again() -> None:
    """With the seed, which is told in the end, and the order of sitting down nobody works out who plays what."""
    users, drawn = people(7), set()
    for _ in range(4):
        table = hosting.create(users[0], "standard", TableSettings(starts="asked"), now=NOW)
        Table.objects.filter(pk=table.pk).update(seed=b"s" * 32)
        for user in users:
            seats.join(table, user, now=NOW)
        hosting.start(table, users[0], now=NOW)
        table.refresh_from_db()
        assert not store.load(table).throws
        drawn.add(tuple(power_of(table, user) for user in users))
    assert len(drawn) > 1


def test_a_record_of_old_names_nobody() -> None:
    """A record that calls players by the order in which they sat down, with their lots, is still read, without them."""
    table = running(people(2))
    data = json.loads(table.record)
    data["players"] = {"France": "player 01", "Italy": "player 02"}
    data["throws"] = [[throw.phase, throw.clause, throw.subject, throw.sides, throw.fell]
                      for throw in [Throw(LOTS, "STD-1.a", "Austria", 7, 3)]]  # fmt: skip
    table.record = json.dumps(data)
    table.save()
    store.GAMES.clear()
    game = store.load(table)
    assert (dict(game.players), game.throws) == ({}, ())
    seen = access.view(table, access.viewer_of(table, None))
    assert "player 0" not in seen.history()


@pytest.mark.parametrize(("anonymity", "told"), [("none", True), ("until_end", False), ("always", False)])
def test_reports_name_players_where_names_are_known(anonymity: str, told: bool) -> None:
    """Where everybody sees who plays what, the history and the record say so; elsewhere they name nobody at all."""
    user, *_ = users = people(2)
    table = running(users, TableSettings(anonymity=anonymity))  # type: ignore[arg-type]
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    history = client.get(f"/t/{table.key}/history.txt").content.decode()
    record = client.get(f"/t/{table.key}/record.json").json()
    assert (f"played by {user.username}" in history, "played by holder (bot)" in history) == (told, told)
    assert ("played by" in history) == told
    assert (record["players"].get(power_of(table, user)) == user.username) == told


def test_a_bot_is_ready_like_anybody() -> None:
    """Where it is shown who is ready, a bot looks like a player who is; the Gamesmaster is told that a bot answers."""
    user, other, gm, late = people(4)
    table = running([user, other], TableSettings(anonymity="until_end", ready_shown=True), gm=gm)
    power = power_of(table, other)
    submission.submit(table, power, [], Submission(0), user=other, now=NOW + HOUR)
    submission.confirm(table, power, ready=True, ordinal=0, user=other, now=NOW + HOUR)
    shown = {seat.power: seat for seat in access.look(table.key, late).seats}
    ready = shown.pop(power)
    assert not shown.pop(power_of(table, user)).sent
    alike = {replace(seat, power=power, centres=3, units=3, asked="") for seat in shown.values()}
    assert alike == {replace(ready, centres=3, units=3, asked="")}
    assert {seat.sent for seat in access.look(table.key, gm).seats if seat.bot} == {False}


def test_reliability_tells_nothing_of_the_nameless() -> None:
    """What everybody is told of a player leaves out a game without names, until names are known; the player sees it."""
    user, other = people(2)
    table = running([user, other], TableSettings(anonymity="until_end"))
    table.seats.filter(user=user).update(asked=1)
    assert ratings.reliability(user).asked == 1
    assert ratings.reliability(user, public=True).asked == 0
    Table.objects.filter(pk=table.pk).update(state="finished")
    assert ratings.reliability(user, public=True).asked == 1
    Table.objects.filter(pk=table.pk).update(settings=TableSettings(anonymity="always").model_dump(mode="json"))
    assert ratings.reliability(user, public=True).asked == 0


def test_return_addresses_count_nothing() -> None:
    """Where a mail comes back to says nothing of how many were written to others, and still finds the mail."""
    table = running(people(2))
    mail = OutMail.objects.filter(table=table).order_by("-pk").first()
    assert mail is not None
    back = addresses.returns(mail)
    assert not back.startswith(f"b{mail.pk}-")
    found = addresses.box_of(back)
    assert found is not None
    assert found.mail == mail


def test_ones_data_end_with_the_seat() -> None:
    """A player who was replaced finds in the own data nothing of the successor's, even of the same phase."""
    user, other, gm, late = people(4)
    table = running([user, other], gm=gm)
    power = power_of(table, user)
    submission.submit(table, power, "", Submission(0), user=user, now=NOW + HOUR)
    correspondence.send(table, power, Press("The first one's.", [correspondence.ALL]), user=user, now=NOW + HOUR)
    seats.replace(table, power, late, gm, now=NOW + 2 * HOUR)
    submission.submit(table, power, "", Submission(0), user=late, now=NOW + 3 * HOUR)
    correspondence.send(table, power, Press("The second one's.", [correspondence.ALL]), user=late, now=NOW + 3 * HOUR)
    for one, text in ((user, "The first one's."), (late, "The second one's.")):
        told = own_data.export(one)
        assert [letter["text"] for letter in told["press"]] == [text]  # type: ignore[attr-defined]
        assert len(told["receipts"]) == 1  # type: ignore[arg-type]
