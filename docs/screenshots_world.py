"""A small world for the pictures of the site's pages: people, games of several kinds, letters, reports.

Everything in it goes through the site's own services.  Dice and clock are set, so that it is the same every time.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User

from gamesmaster.host.accounts import people
from gamesmaster.host.games import deadlines, hosting, seats
from gamesmaster.host.games.hosting import GameChoice
from gamesmaster.host.gm import remarks
from gamesmaster.host.models import Absence, Table
from gamesmaster.host.moderation import oversight
from gamesmaster.host.orders import submission
from gamesmaster.host.orders.submission import Submission
from gamesmaster.host.phases import downtime, processing
from gamesmaster.host.press import correspondence
from gamesmaster.host.press.correspondence import Press
from gamesmaster.host.site import clock
from gamesmaster.host.tables import store
from gamesmaster.host.tables.settings import PACES, TableSettings
from gamesmaster.players import seed_of

KEPT = Path(__file__).resolve().parents[1] / "tests" / "data"
NOW = datetime(2027, 3, 4, 18, 30, tzinfo=UTC)
NAMES = ("Anna", "Bartholomew_van_der_Meulen", "Chidi", "Dagny", "Emeka", "Farid", "Giulia", "Hanneke", "Ishaan")
LOTS = 22
"""Of the lots by which powers are drawn."""
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@dataclass(frozen=True)
class World:
    """The people by name, and the keys of the tables by what they are for."""

    people: dict[str, User]
    tables: dict[str, str]


def make_world() -> World:
    """Make all of it, in an empty database."""
    clock.now = lambda: NOW  # the site stands still at this moment
    lots = mock.patch("gamesmaster.host.games.seats.new_seed", return_value=seed_of(LOTS))
    lots.start()  # and draws the same powers every time
    users = {name: _person(name) for name in (*NAMES, "Marion", "Odile")}
    User.objects.filter(username="Odile").update(is_superuser=True, is_staff=True)
    users["Odile"].refresh_from_db()
    downtime.beat(NOW)
    seated = [users[name] for name in NAMES]
    _finished(seated)
    found = {
        "nine": _nine(seated, users["Marion"]),
        "boats": _boats(seated),
        "lobby": _forming(seated, users["Marion"]),
    }
    _reported(users, found["nine"])
    return World(users, {name: table.key for name, table in found.items()})


def _person(name: str) -> User:
    user = User.objects.create_user(name, f"{name.lower()}@example.org", date_joined=NOW - 200 * DAY)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    people.choose(user, {"time_zone": "Europe/Paris"})
    return user


def _kept(name: str) -> tuple[int, list[dict[str, Any]]]:
    """The seed and the phases of a kept game."""
    with gzip.open(KEPT / f"playthrough_{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        first, *rest = map(json.loads, lines)
    return first["seed"], rest


def _create(
    owner: User, variant: str, number: int, settings: TableSettings, at: datetime, *, name: str, gm: User | None = None
) -> Table:
    """A table with dice of this number."""
    with mock.patch("gamesmaster.host.games.hosting.new_seed", return_value=seed_of(number)):
        return hosting.create(owner, GameChoice(variant, name), settings, gm=gm, now=at)


def _play(table: Table, entries: Sequence[dict[str, Any]], at: datetime) -> Table:
    """Play the phases of a kept game, a day and a half each."""
    for number, entry in enumerate(entries):
        when = at + number * 36 * HOUR
        table.refresh_from_db()
        assert table.phase_code == entry["phase"], (table.phase_code, entry["phase"])
        for power, lines in entry["orders"].items():
            _send(table, power, lines, when + HOUR)
        assert processing.process(table, table.ordinal, "asked", now=when + 30 * HOUR) is processing.Done.PROCESSED
    table.refresh_from_db()
    return table


def _send(table: Table, power: str, lines: Sequence[str], at: datetime, ready: bool = False) -> None:
    """Orders of a power, from whoever plays it."""
    user = table.seats.get(power=power).user
    submission.submit(table, power, lines, Submission(table.ordinal), user=user, now=at)
    if ready:
        submission.confirm(table, power, ready=True, ordinal=table.ordinal, user=user, now=at)


def _power(table: Table, user: User) -> str:
    return str(table.seats.get(user=user).power)


def _nine(users: Sequence[User], gm: User) -> Table:
    """Nine players and a Gamesmaster, in the spring of the third year; letters; some orders are in."""
    seed, entries = _kept("cline9")
    began = NOW - 10 * DAY
    chosen = TableSettings(pace="relaxed", deadlines=PACES["relaxed"], starts="asked", ready_shown=True)
    table = _create(gm, "cline9", seed, chosen, began, name="The long winter", gm=gm)
    for user in users:
        seats.join(table, user, now=began)
    hosting.start(table, gm, now=began)
    spring = next(number for number, entry in enumerate(entries) if entry["phase"] == "S1903M")
    table = _play(table, entries[:spring], began)
    Table.objects.filter(pk=table.pk).update(
        phase_began=NOW - 20 * HOUR, deadline=NOW + 28 * HOUR + HOUR / 2, deadline_wall="2027-03-06 00:00 Europe/Paris"
    )
    table.refresh_from_db()
    for number, (power, lines) in enumerate(entries[spring]["orders"].items()):
        if number % 3 != 1 or power == _power(table, users[0]):
            _send(table, power, lines, NOW - HOUR - number * HOUR / 3, ready=number % 2 == 0)
    _letters(table, users)
    question = remarks.ask(table, gm, "Is Persia too far from everybody?", now=NOW - 3 * HOUR)
    remarks.say(
        table,
        users[2],
        "Less than it looks: Turkey comes by land.",
        {"joy": 5, "balance": 4, "pace": 3},
        now=NOW - 2 * HOUR,
    )
    remarks.say(table, users[4], "A little.", {"joy": 4}, question=question.pk, now=NOW - HOUR)
    return table


def _letters(table: Table, users: Sequence[User]) -> None:
    """Public press, a thread with questions and answers, a group, something unread."""
    own, friend, third, far = (_power(table, user) for user in users[:4])
    said = [
        (1, third, (), "Spring is late this year. So, I hear, is somebody's fleet."),
        (0, own, (friend,), "Shall we keep the border as it stands until the autumn?\n\nI would sooner have you behind "
                            "me than before me."),
        (1, friend, (own,), "Agreed, for this year. Leave the strait empty, and I shall not ask what your second army "
                            "is for."),
        (0, own, (friend,), "It is for somebody else. You will see on Saturday."),
        (3, far, (own, friend), "The three of us could end this before the winter. Who takes what?"),
        (1, friend, (own,), "One more thing: if he asks you for support into the gap, say yes, and then be late."),
        (2, third, (), "To whoever wrote to me unsigned: no."),
    ]  # fmt: skip
    by_power = {_power(table, user): user for user in users}
    for number, (_, sender, to, text) in enumerate(said):
        at = NOW - (16 - 2 * number) * HOUR
        correspondence.send(table, sender, Press(text, to or [correspondence.ALL]), user=by_power[sender], now=at)


def _boats(users: Sequence[User]) -> Table:
    """Scottomacy in its second year, with boats on the lochs."""
    seed, entries = _kept("scottomacy")
    began = NOW - 12 * DAY
    chosen = TableSettings(pace="relaxed", deadlines=PACES["relaxed"], fill="heuristic", starts="asked")
    table = _create(users[0], "scottomacy", seed, chosen, began, name="Lochs and castles")
    for user in users:
        seats.join(table, user, now=began)
    hosting.start(table, users[0], now=began)
    table = _play(table, entries[:7], began)
    Table.objects.filter(pk=table.pk).update(deadline=NOW + 3 * DAY, deadline_wall="2027-03-07 18:30 UTC")
    table.refresh_from_db()
    power = _power(table, users[0])
    if power in entries[7]["orders"]:
        _send(table, power, entries[7]["orders"][power], NOW - HOUR)
    return table


def _forming(users: Sequence[User], gm: User) -> Table:
    """A game that waits for players; and one more with another pace in the list."""
    chosen = TableSettings(pace="daily", deadlines=PACES["daily"], powers="preference", press="private")
    table = _create(users[1], "indianomacy", 5, chosen, NOW - DAY, name="Council fires")
    for user in (*users[1:4], users[7]):
        seats.join(table, user, now=NOW - DAY)
    seats.invite(table, users[1], uses=2, now=NOW - DAY)
    quiet = TableSettings(pace="weekly", deadlines=PACES["weekly"], press="none", anonymity="until_end")
    other = _create(gm, "standard", 6, quiet, NOW - 2 * DAY, name="Seven who do not write", gm=gm)
    for user in users[4:7]:
        seats.join(other, user, now=NOW - 2 * DAY)
    return table


def _finished(users: Sequence[User]) -> None:
    """Games that are over, for the ratings."""
    won = [("standard", 0, "A quick one"), ("standard", 3, "Club night in February"), ("1000ad", 0, "Before the flood"),
           ("standard", 6, "The return match")]  # fmt: skip
    for number, (variant, winner, name) in enumerate(won):
        at = NOW - (90 - 10 * number) * DAY
        chosen = TableSettings(pace="live", fill="heuristic", starts="asked")
        table = _create(users[0], variant, 20 + number, chosen, at, name=name)
        for user in list(dict.fromkeys((users[winner], *users)))[:7]:  # with bots that agree to its end none is rated
            seats.join(table, user, now=at)
        hosting.start(table, users[0], now=at)
        table.refresh_from_db()
        game, power = store.load(table), _power(table, users[winner])
        for other in game.survivors:
            if other != power and game.outcome is None:
                game = game.concede(other, power)
        deadlines.finish_game(table, game, at + 3 * DAY)


def _reported(users: dict[str, User], table: Table) -> None:
    """Two complaints, one of them settled, and days on which Anna is away."""
    told = "Somebody writes to me every ten minutes, under three names. The last letter came an hour ago."
    oversight.complain(users["Hanneke"], "conduct", told, key=table.key, now=NOW - 5 * HOUR)
    oversight.complain(users["Chidi"], "other", "I cannot read the names on the map.", now=NOW - 4 * DAY)
    first = oversight.complaints(users["Odile"]).first()
    assert first is not None
    answer = "Choose patterns under your name: letters are larger."
    oversight.close_complaint(first.pk, users["Odile"], answer, now=NOW - 3 * DAY)
    Absence.objects.create(user=users["Anna"], begins=date(2027, 4, 10), ends=date(2027, 4, 18))
